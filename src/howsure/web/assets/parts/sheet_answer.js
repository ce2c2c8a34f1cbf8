// @ts-check
/** The answer of a tab as the library prints it: a picture, a table that sorts and is searched where it is long, what it rests on, and copies of it. */

import { html, useState } from "../html.js";
import { useId } from "./fields.js";
import { Drawn } from "./figure.js";
import { places, takesTwo, useFit, useNarrow } from "./fitting.js";
import { Cells, Copies } from "./sheet.js";
import { Notes } from "./verdict.js";

/** Rows on the page at once. */
const MOST = 200;
const SPACES = /[\s\u2009\u202f\u2068\u2069]+/g;

/** The number that a cell begins with; "> 0.999" lies a little above. @param {string} text */
function amount(text) {
  const bare = text.replace(/,(?=\d{3}(?!\d))/g, "").replace(SPACES, "").replace("\u2212", "-");
  const found = /^[<>]?(-?\d+(?:\.\d+)?)/.exec(bare);
  return found ? Number(found[1]) + (bare[0] === ">" ? 1e-9 : bare[0] === "<" ? -1e-9 : 0) : NaN;
}

/** @param {string[][]} rows @param {number} column @param {number} way 1 or -1; 0 for the order as it came */
function ordered(rows, column, way) {
  if (!way) return rows;
  const numbers = column > 0 && rows.filter((row) => !Number.isNaN(amount(row[column]))).length >= rows.length / 2;
  if (!numbers) return [...rows].sort((a, b) => way * a[column].localeCompare(b[column], undefined, { numeric: true }));
  const known = rows.filter((row) => !Number.isNaN(amount(row[column]))).sort((a, b) => way * (amount(a[column]) - amount(b[column])));
  // without a number a row is last either way
  return [...known, ...rows.filter((row) => Number.isNaN(amount(row[column])))];
}

/** Rows whose second cell is empty are of no table but of all, and stay on top.
 * @param {{caption: string, header: string[], rows: string[][]}} props */
export function SortedTable({ caption, header, rows }) {
  const id = useId("filter");
  const [{ column, way }, sort] = useState({ column: 0, way: 0 });
  const [wanted, want] = useState("");
  const place = useFit();
  const split = rows.findIndex((row) => row[1] !== "");
  const [top, each] = split < 0 ? [rows, []] : [rows.slice(0, split), rows.slice(split)];
  const word = wanted.trim().toLocaleLowerCase();
  const found = ordered(each.filter((row) => row[0].toLocaleLowerCase().includes(word)), column, way);
  const two = header.map((title, i) => takesTwo(title, rows.map((row) => row[i])));
  const turn = (/** @type {number} */ i) => sort({ column: i, way: i !== column || !way ? 1 : way === 1 ? -1 : 0 });
  return html`${each.length > 2 &&
    html`<p class="filter"><label for=${id}>Show rows with</label>
      <input id=${id} type="search" autocomplete="off" value=${wanted} onInput=${(/** @type {any} */ e) => want(e.currentTarget.value)} />
      <span role="status" class="hint">${word ? `${found.length} of ${each.length} rows` : ""}</span></p>`}
    <div class="fit" ref=${place}><table class="data sorted" role="table" data-places=${places(rows.flatMap(([, ...cells]) => cells))}>
      <caption class="unseen">${caption}</caption>
      <thead role="rowgroup"><tr role="row">${header.map((title, i) => html`<th key=${i} scope="col" role="columnheader" class=${i ? "" : "words"} data-title=${title}
        aria-sort=${way && i === column ? (way > 0 ? "ascending" : "descending") : null}><button onClick=${() => turn(i)}>${title}</button></th>`)}</tr></thead>
      <tbody role="rowgroup">${[...top, ...found.slice(0, MOST)].map(
        (row, r) => html`<tr key=${`${r}-${row[0]}`} role="row">${row.map((text, i) =>
          i ? html`<td key=${i} role="cell" data-title=${header[i]} class=${two[i] ? "two" : null} data-value=${`${row[0]}.${i}`}>${text}</td>` : html`<th key=${i} scope="row" role="rowheader"><bdi>${text}</bdi></th>`)}</tr>`,
      )}</tbody>
    </table></div>
    ${found.length > MOST && html`<p class="hint">${found.length - MOST} more rows; sort or filter to see them, or export them.</p>`}`;
}

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
