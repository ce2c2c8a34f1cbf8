// @ts-check
/** Examples to begin with, as buttons. */

import { html } from "../html.js";

/** @param {{examples: {name: string, hint?: string, patch: any}[], onPatch: (patch: any) => unknown}} props */
export const Chips = ({ examples, onPatch }) =>
  html`<ul class="chips" aria-label="Examples">${examples.map(
    ({ name, hint, patch }) => html`<li key=${name}><button class="chip" title=${hint ?? null} onClick=${() => onPatch(patch)}>${name}</button></li>`,
  )}</ul>`;
