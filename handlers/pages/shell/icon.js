// The icons of the sprite.

import { html } from "../library/preact.js";

const sprite = new URL("icons.svg", import.meta.url).href;

/** An icon beside words, or in a button that has a name. @param {{name: string}} props */
export const Icon = ({ name }) => html`<svg class="i" aria-hidden="true"><use href=${`${sprite}#${name}`} /></svg>`;
