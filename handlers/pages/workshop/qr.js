// A QR code, drawn by the server. It is sent as a body, since an address is logged and can hold no key.

import { html, useEffect, useState } from "../library/preact.js";
import { server } from "../shell/api.js";

/** @param {{text: string, label: string}} props */
export function QR({ text, label }) {
  const [address, setAddress] = useState("");
  useEffect(() => {
    let made = "";
    let gone = false;
    fetch(new URL("pages/qr", server), { method: "POST", body: text, headers: { "Content-Type": "text/plain" } })
      .then((response) => (response.ok ? response.blob() : undefined), () => undefined)
      .then((blob) => {
        if (!blob || gone) return;
        made = URL.createObjectURL(blob);
        setAddress(made);
      });
    return () => {
      gone = true;
      URL.revokeObjectURL(made);
    };
  }, [text]);
  return address ? html`<img class="qr" src=${address} alt=${label} />` : html`<span class="qr"></span>`;
}
