// @ts-check
/** The table beside a picture: the same numbers as text, for reading and for screen readers. */

import { html } from "../html.js";

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
 * @param {{caption: string, columns: Column[], rows: any[], name?: (row: any) => string, hidden?: boolean, look?: (row: any) => string}} props
 *   `look`: a class for the whole row
 */
export function Table({ caption, columns, rows, name = (row) => row.name, hidden = false, look }) {
  const [first, ...rest] = columns.filter((column) => column.cell || rows.some((row) => row[column.key]));
  if (!first) return null;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${caption}>
    <table class="data">
      <caption class=${hidden ? "unseen" : ""}>${caption}</caption>
      <thead><tr>${[first, ...rest].map(
        (column) =>
          column.title
            ? html`<th key=${column.key} scope="col" class=${column === first || column.words ? "words" : ""}
                title=${column.hint ?? null}>${column.title}</th>`
            : html`<td key=${column.key}></td>`,
      )}</tr></thead>
      <tbody>${rows.map(
        (row) => html`<tr key=${name(row)} class=${look?.(row) ?? null}>
          <th scope="row">${first.cell ? first.cell(row) : row[first.key]}</th>
          ${rest.map(
            (column) => html`<td key=${column.key} class=${column.words ? "words" : ""}
              data-value=${`${name(row)}.${column.key}`}>${column.cell ? column.cell(row) : row[column.key]}</td>`,
          )}
        </tr>`,
      )}</tbody>
    </table>
  </div>`;
}
