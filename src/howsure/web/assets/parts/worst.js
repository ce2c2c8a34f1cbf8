// @ts-check
/** The commonest errors of a matrix that is too large to be read. */

import { html } from "../html.js";
import { worst } from "../matrix.js";

const MOST = 12;

/** @param {{matrix: import("../types").Matrix, onGo: (row: number, column: number) => void}} props */
export function WorstConfusions({ matrix, onGo }) {
  const errors = worst(matrix, MOST);
  if (!errors.length) return null;
  return html`<table class="data">
    <caption>Commonest confusions</caption>
    <thead><tr><th scope="col" class="words">true</th><th scope="col" class="words">predicted</th><th scope="col">count</th><td></td></tr></thead>
    <tbody>${errors.map(
      ({ truth, called, count }) => html`<tr key=${`${truth} ${called}`}>
        <th scope="row"><bdi>${matrix.classes[truth]}</bdi></th><td class="words"><bdi>${matrix.classes[called]}</bdi></td><td>${String(count)}</td>
        <td><button class="quiet" aria-label=${`Show true ${matrix.classes[truth]}, predicted ${matrix.classes[called]}`} onClick=${() => onGo(truth, called)}>Show</button></td>
      </tr>`,
    )}</tbody>
  </table>`;
}
