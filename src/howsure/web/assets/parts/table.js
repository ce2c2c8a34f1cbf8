// @ts-check
/** The table beside a picture: the same numbers as text, for reading and for screen readers. */

import { html } from "../html.js";
import { places, takesTwo, useFit } from "./fitting.js";

/**
 * @typedef {object} Column
 * @property {string} key of the row
 * @property {string} title
 * @property {string} [hint] what the heading means
 * @property {boolean} [words] text, not a number: starts at the left
 * @property {(row: any) => unknown} [cell] instead of the value as it is
 */

/**
 * Cells carry `data-value="<row name>.<key>"`. A column without any value is left out.
 * @param {{caption: string, columns: Column[], rows: any[], name?: (row: any) => string, hidden?: boolean}} props
 */
export function Table({ caption, columns, rows, name = (row) => row.name, hidden = false }) {
  const [first, ...rest] = columns.filter((column) => column.cell || rows.some((row) => row[column.key]));
  const place = useFit();
  if (!first) return html`<div ref=${place}></div>`;
  const values = rest.map((column) => rows.map((row) => row[column.key] ?? column.cell?.(row)));
  const looks = rest.map((column, i) => `${column.words ? "words" : ""} ${takesTwo(column.title, values[i]) ? "two" : ""}`.trim());
  // its roles are named, because a folded table is none to a browser
  return html`<div class="fit" ref=${place}>
    <table class=${rest.length < 3 ? "data slim" : "data"} role="table" data-places=${places(values.flat())}>
      <caption class=${hidden ? "unseen" : ""}>${caption}</caption>
      <thead role="rowgroup"><tr role="row">${[first, ...rest].map(
        (column) =>
          column.title
            ? html`<th key=${column.key} scope="col" role="columnheader" class=${column === first || column.words ? "words" : ""}
                title=${column.hint ?? null}>${column.title}</th>`
            : html`<td key=${column.key} role="cell"></td>`,
      )}</tr></thead>
      <tbody role="rowgroup">${rows.map(
        (row) => html`<tr key=${name(row)} role="row">
          <th scope="row" role="rowheader">${first.cell ? first.cell(row) : row[first.key]}</th>
          ${rest.map(
            (column, i) => html`<td key=${column.key} role="cell" data-title=${column.title} class=${looks[i]}
              data-value=${`${name(row)}.${column.key}`}>${column.cell ? column.cell(row) : row[column.key]}</td>`,
          )}
        </tr>`,
      )}</tbody>
    </table>
  </div>`;
}
