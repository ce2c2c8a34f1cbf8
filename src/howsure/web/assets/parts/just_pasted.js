// @ts-check
/** A table that is pasted anywhere, in a tab that need not show the matrix that it becomes. */

import { html } from "../html.js";
import { usePasteAnywhere } from "./paste_anywhere.js";
import { Said, isOneBox, textOf, usePasted } from "./pasted.js";

/** Takes what is pasted outside of a matrix, in a tab that need not show one. @param {Parameters<typeof usePasted>[0]} props */
export function JustPasted(props) {
  const { message, read } = usePasted(props);
  usePasteAnywhere((event) => {
    if (isOneBox(textOf(event), null)) return;
    event.preventDefault();
    read(textOf(event));
  });
  return html`<${Said} message=${message} />`;
}
