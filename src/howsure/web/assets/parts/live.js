// @ts-check
/** The one live region: a sentence is spoken once it has rested, so that dragging does not chatter. */

import { html, useState } from "../html.js";

const REST_MS = 500;
let tell = (/** @type {string} */ _text) => {};
let timer = 0;

/** @param {string} text */
export function speak(text) {
  clearTimeout(timer);
  timer = setTimeout(() => tell(text), REST_MS);
}

export function Live() {
  const [text, setText] = useState("");
  // the same one each time
  tell = setText;
  return html`<div class="unseen" aria-live="polite" role="status">${text}</div>`;
}
