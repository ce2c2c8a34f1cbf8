// @ts-check
/** The answer of a tab as the library prints it: a picture, a table, what it rests on, and copies of it. */

import { html } from "../html.js";
import { Drawn } from "./figure.js";
import { useNarrow } from "./narrow.js";
import { Cells, Copies } from "./sheet.js";
import { SortedTable } from "./sorted_table.js";
import { Notes } from "./verdict.js";

/** Rows of a table that need neither sorting nor a search. */
const FEW = 40;

/**
 * The answer of a tab: picture, rows, notes, and copies of it; its sentence stands above all, as a verdict.
 * @param {{answers: import("../types").Answers, title: string, caption?: string, name?: string, act?: import("../types").Act,
 *   request?: import("../types").Request | null, sorted?: boolean, before?: unknown, children?: any}} props `name`: of the
 *   picture; `act`, `request`: for copies; `before`, `children`: what a hand moves, which stands before the rows or after them
 */
export function SheetAnswer({ answers: { current, failure }, name = "answer", title, caption = "", act, request, sorted = false, before, children }) {
  const narrow = useNarrow();
  if (!current) return html`<div class="answers"></div>`;
  const { shown, drawing } = current;
  const { picture } = drawing;
  const { header, rows } = shown;
  const table = sorted || rows.length > FEW ? html`<${SortedTable} caption=${title} header=${header} rows=${rows} />` : html`<${Cells} caption=${title} header=${header} rows=${rows} name=${nameOf(rows)} />`;
  return html`<div class=${failure ? "answers stale" : "answers"}>
    ${before}
    <section class=${`at-${name}`} aria-labelledby="sheet-title"><h2 id="sheet-title">${title}</h2>
      ${picture?.wide && html`<${Drawn} name=${name} title=${title} pictures=${picture} caption=${caption} />`}
      ${narrow && picture ? html`<details><summary>As a table</summary>${table}</details>` : table}
      ${shown.left_out && html`<p class="hint">${shown.left_out}</p>`}
      ${act && request && html`<${Copies} act=${act} request=${request} />`}
    </section>
    ${children}
    ${(shown.sections ?? []).map((/** @type {any} */ part, /** @type {number} */ i) => html`<${Part} key=${part.name} part=${part} pictures=${drawing.sections[i]} />`)}
    <${Notes} shown=${shown} />
  </div>`;
}

/** What a row is called: its first cell, and the second one where the first is not its own. @param {string[][]} rows */
function nameOf(rows) {
  const own = new Set(rows.map(([first]) => first)).size === rows.length;
  return (/** @type {any} */ row) => (own ? row[0] : `${row[0]}.${row[1]}`);
}

/** A further picture, and its numbers on demand. @param {{part: any, pictures: import("./figure.js").Pictures | null}} props */
function Part({ part: { name, title, said, header, rows }, pictures }) {
  const table = html`<${Cells} caption=${title} header=${header} rows=${rows} name=${(/** @type {any} */ row) => `${name}.${row[0]}`} />`;
  return html`<section aria-labelledby=${`${name}-title`}><h2 id=${`${name}-title`}>${title}</h2>
  ${said && html`<p class="said" data-value=${name}>${said}</p>`}
  ${pictures && html`<${Drawn} name=${name} title=${title} pictures=${pictures} />`}
  ${rows.length > 0 && (pictures ? html`<details><summary>As a table</summary>${table}</details>` : table)}
</section>`;
}
