// @ts-check
/** A window over the page; the browser keeps the focus inside and gives it back. */

import { html, useLayoutEffect, useRef } from "../html.js";
import { useId } from "./fields.js";

/** @param {{title: string, onClose: () => void, children?: unknown}} props */
export function Dialog({ title, onClose, children }) {
  const place = useRef(/** @type {any} */ (null));
  const id = useId("dialog");
  useLayoutEffect(() => place.current.showModal(), []);
  return html`<dialog ref=${place} aria-labelledby=${id} onClose=${onClose}
    onClick=${(/** @type {any} */ event) => event.target === place.current && place.current.close()}>
    <div class="sheet">
      <div class="title"><h2 id=${id}>${title}</h2>
        <button class="quiet round" aria-label="Close" onClick=${() => place.current.close()}>×</button></div>
      ${children}
    </div>
  </dialog>`;
}
