// @ts-check
/** An answer of the library as it prints itself: a sentence, a picture, a table, and what it rests on, or why there is none. */

import { copy } from "../exporting.js";
import { html, useState } from "../html.js";
import { Table } from "./table.js";
import { bound } from "./verdict.js";

const COPIES = [{ ending: ".md", label: "Markdown" }, { ending: ".tex", label: "LaTeX" }, { ending: ".csv", label: "CSV" }];

/**
 * A small answer beside the great one.
 * @param {{name: string, sheet: any, picture?: unknown, folded?: boolean}} props
 *   `name`: of the table, and the stem of its `data-value`s; `folded`: the table is opened on demand
 */
export function Sheet({ name, sheet, picture, folded = false }) {
  if (!sheet) return null;
  if (sheet.silence) return html`<p class="note">${sheet.silence}</p>`;
  const table = html`<${Cells} caption=${name} header=${sheet.header} rows=${sheet.rows} name=${(/** @type {any} */ row) => `${name}.${row[0]}`} />`;
  return html`<p class="said" data-value=${`${name}.verdict`}>${bound(sheet.verdict)}</p>
    ${picture}
    ${folded ? html`<details><summary>As a table</summary>${table}</details>` : table}
    ${sheet.notes.map((/** @type {string} */ note) => html`<p class="hint" key=${note}>${note}</p>`)}`;
}

/** @param {{caption: string, header: string[], rows: string[][], name: (row: any) => string}} props */
export function Cells({ caption, header, rows, name }) {
  const columns = header.map((title, i) => ({ key: String(i), title, words: i > 0 && rows.every((cells) => !/\d/.test(cells[i])) }));
  return html`<${Table} caption=${caption} columns=${columns} rows=${rows.map((cells) => ({ ...cells }))} hidden=${true} name=${name} />`;
}

/** The answer on the clipboard, as text for another program. @param {{act: import("../types").Act, request: import("../types").Request | null}} props */
export function Copies({ act, request }) {
  const [said, setSaid] = useState("");
  if (!request) return null;
  /** @param {{ending: string, label: string}} as */
  const copyAs = async ({ ending, label }) => {
    try {
      const { text } = await act.ask("export", { of: request.verb, request: request.body, ending });
      setSaid((await copy(text)) ? `Copied as ${label}.` : "The browser forbids copying; use Export.");
    } catch (failure) {
      setSaid(/** @type {any} */ (failure).message);
    }
  };
  return html`<p class="buttons small">Copy as
    ${COPIES.map((as) => html`<button key=${as.ending} onClick=${() => copyAs(as)}>${as.label}</button>`)}
    <span role="status" class="hint">${said}</span></p>`;
}
