// @ts-check
/** A small answer of the library: a sentence, a table, and what it rests on, or why there is none. */

import { html } from "../html.js";
import { Table } from "./table.js";
import { bound } from "./verdict.js";

/**
 * @param {{name: string, sheet: any, picture?: unknown, folded?: boolean}} props
 *   `name`: of the table, and the stem of its `data-value`s; `folded`: the table is opened on demand
 */
export function Sheet({ name, sheet, picture, folded = false }) {
  if (!sheet) return null;
  if (sheet.silence) return html`<p class="note">${sheet.silence}</p>`;
  const columns = sheet.header.map((/** @type {string} */ title, /** @type {number} */ i) => ({ key: String(i), title }));
  const rows = sheet.rows.map((/** @type {string[]} */ cells) => ({ ...cells }));
  const table = html`<${Table} caption=${name} columns=${columns} rows=${rows} hidden=${true}
    name=${(/** @type {any} */ row) => `${name}.${row[0]}`} />`;
  return html`<p class="said" data-value=${`${name}.verdict`}>${bound(sheet.verdict)}</p>
    ${picture}
    ${folded ? html`<details><summary>As a table</summary>${table}</details>` : table}
    ${sheet.notes.map((/** @type {string} */ note) => html`<p class="hint" key=${note}>${note}</p>`)}`;
}
