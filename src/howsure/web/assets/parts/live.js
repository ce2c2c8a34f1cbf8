// @ts-check
/** The one live region: a sentence is spoken once it has rested, so that dragging does not chatter. */

import { html, useState } from "../html.js";
import { timer } from "../pending.js";

const REST_MS = 500;
let tell = (/** @type {string} */ _text) => {};
const rest = timer();

/** @param {string} text */
export const speak = (text) => rest.start(() => tell(text), REST_MS);

export function Live() {
  const [text, setText] = useState("");
  // the same one each time
  tell = setText;
  return html`<div class="unseen" aria-live="polite" role="status">${text}</div>`;
}
