// Dialogs of every view: the import of a file, chosen or dropped anywhere, and the question before an Undo.

import { html, useEffect, useState } from "../library/preact.js";
import { sandbox } from "../shell/api.js";
import { Icon } from "../shell/icon.js";
import { opened } from "../shell/later.js";
import { createStore, useStore } from "../shell/store.js";
import { UndoQuestion } from "./writes.js";

const Import = opened(() => import("./import.js"), "Import");

const given = createStore({ file: /** @type {File|null} */ (null), times: 0 });

/** Asks whether to replace the sandbox with the file. @param {File|undefined} file */
export const take = (file) => file && given.set({ file, times: given.get().times + 1 });

/** An input for a file to import. */
export function FileInput() {
  const chosen = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    take(input.files?.[0]);
    input.value = "";
  };
  return html`<input type="file" class="offscreen" accept=".json,application/json" onChange=${chosen} />`;
}

/** Whether a file is dragged, not a part of the page. @param {DragEvent} event */
const hasFile = ({ dataTransfer }) => Boolean(dataTransfer?.types.includes("Files"));

export default function Drop() {
  const { file, times } = useStore(given);
  const [over, setOver] = useState(false);
  useEffect(() => {
    const events = {
      dragover(/** @type {DragEvent} */ event) {
        if (!hasFile(event)) return;
        event.preventDefault();
        setOver(true);
      },
      dragleave: (/** @type {DragEvent} */ event) => event.relatedTarget || setOver(false),
      drop(/** @type {DragEvent} */ event) {
        if (!hasFile(event)) return;
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files[0]);
      },
    };
    const listeners = /** @type {[string, EventListener][]} */ (/** @type {unknown} */ (Object.entries(events)));
    for (const [name, listener] of listeners) document.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of listeners) document.removeEventListener(name, listener);
    };
  }, []);
  const close = () => given.get().times === times && given.set({ file: null }); // otherwise another file has come
  return html`
    ${over && html`<p class="dropping">
      <${Icon} name="save" /> Drop a sandbox or its data, saved as JSON, to import it into “${sandbox}”
    </p>`}
    ${file && html`<${Import} key=${times} file=${file} onClose=${close} />`}
    <${UndoQuestion} />`;
}
