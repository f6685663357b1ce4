// The drawer of calls at the bottom of a page, which "`" opens.

import { html } from "../library/preact.js";
import { notePress } from "./calls.js";
import { Icon } from "./icon.js";
import { useKeys } from "./keys.js";
import { opened } from "./later.js";
import { createStore, kept, useStore } from "./store.js";

const wasOpen = kept("localStorage", "drawer");

const drawer = createStore({ open: Boolean(wasOpen.get()) });

document.addEventListener("click", notePress, true);

const Panel = opened(() => import("./panel.js"), "Panel");

export const isDrawerOpen = () => drawer.get().open;

/** Opens or closes the drawer. */
export function toggleDrawer() {
  const open = !drawer.get().open;
  wasOpen.set(open ? "open" : "");
  drawer.set({ open });
}

/** The button that opens and closes the drawer. */
export function DrawerButton() {
  const { open } = useStore(drawer);
  return html`
    <button type="button" class="icon api" aria-pressed=${open} aria-label="API calls" title="API calls ( \` )"
      onClick=${toggleDrawer}>
      <${Icon} name="api" />
    </button>`;
}

/** The drawer, if it is open. */
export function Drawer() {
  const { open } = useStore(drawer);
  useKeys({ "`": toggleDrawer });
  return open && html`<${Panel} onClose=${toggleDrawer} />`;
}
