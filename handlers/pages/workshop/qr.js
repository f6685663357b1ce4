// A QR code, drawn by the server. The text is sent as a body: it may contain a key, and addresses are logged.

import { html, useEffect, useState } from "../library/preact.js";
import { server } from "../shell/api.js";

/** The codes drawn so far, by text. @type {Map<string, Promise<string>>} */
const drawn = new Map();

/** Returns the address of the picture. @param {string} text */
function draw(text) {
  let picture = drawn.get(text);
  if (!picture) {
    const headers = { "Content-Type": "text/plain" };
    picture = fetch(new URL("pages/qr", server), { method: "POST", body: text, headers })
      .then(async (response) => (response.ok ? URL.createObjectURL(await response.blob()) : ""))
      .catch(() => "");
    drawn.set(text, picture);
    void picture.then((address) => address || drawn.delete(text));
  }
  return picture;
}

/** @param {{text: string, label: string}} props */
export function QR({ text, label }) {
  const [address, setAddress] = useState("");
  useEffect(() => {
    let gone = false;
    void draw(text).then((drawing) => gone || setAddress(drawing));
    return () => {
      gone = true;
    };
  }, [text]);
  return address ? html`<img class="qr" src=${address} alt=${label} />` : html`<span class="qr"></span>`;
}
