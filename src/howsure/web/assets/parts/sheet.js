// @ts-check
/** An answer of the library as it prints itself: a sentence, a picture, a table that fits the room there is, and what it rests on. */

import { declared } from "../declared.js";
import { copy } from "../exporting.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../html.js";
import { isBeside } from "../matrix.js";
import { useId } from "./fields.js";
import { Drawn } from "./figure.js";

/** As in style.css. */
const narrow = matchMedia("(max-width: 800px)");

/** @returns {boolean} */
export function useNarrow() {
  const [now, setNow] = useState(narrow.matches);
  useLayoutEffect(() => {
    const turned = () => setNow(narrow.matches);
    narrow.addEventListener("change", turned);
    return () => narrow.removeEventListener("change", turned);
  }, []);
  return now;
}

const STAGES = ["wide", "tight", "folded"];
/** Signs that a place of a folded row has room for; and a narrower place, if no value needs more. A heading is set smaller. */
const [ROOM, LITTLE, HEADING] = [8, 6, 15];

/** @returns {{current: any}} a reference for the element around a table */
export function useFit() {
  const place = useRef(/** @type {any} */ (null));
  useLayoutEffect(() => {
    // to measure what is folded away is to lay it out, at each step of a slider; it is measured when it is opened
    if (!place.current.closest("details:not([open])")) fit(place.current);
  });
  useEffect(() => {
    let width = 0;
    const watch = new ResizeObserver(([{ contentRect }]) => {
      // its height is what this alters
      if (contentRect.width === width) return;
      width = contentRect.width;
      requestAnimationFrame(() => place.current && fit(place.current));
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  return place;
}

/** @param {HTMLElement} box */
function fit(box) {
  for (const stage of STAGES) {
    box.dataset.fit = stage;
    if (box.scrollWidth <= box.clientWidth + 1) return;
  }
}

/** @param {unknown[]} values @returns {number} signs of the longest text */
const longest = (values) => Math.max(0, ...values.map((value) => (typeof value === "string" ? value.length : 0)));

/** How wide a place of a folded row is. @param {unknown[]} values @returns {"narrow" | "wide"} */
export const places = (values) => (longest(values) > LITTLE ? "wide" : "narrow");

/** Whether a column takes two places. @param {string} title @param {unknown[]} values */
export const takesTwo = (title, values) => title.length > HEADING || longest(values) > ROOM;

/** @param {{word: string, meaning: string, mark?: string, code?: string}} props `code`: the name that Python and files have */
export const Word = ({ word, meaning, mark = "", code = "" }) =>
  html`<details class="word"><summary><bdi>${word}</bdi>${mark && html`<abbr title="depends on the prevalence">${mark}</abbr>`}</summary>
    <p>${meaning}${code && code !== word && html` In Python and files: <code>${code}</code>.`}</p></details>`;

/** @param {{text: string, name?: string}} props `name`: of the one number that the sentence is about; none: of the answer */
export function CopySentence({ text, name = "" }) {
  const [told, tell] = useState({ text: "", said: "" });
  const take = async () => {
    const done = await copy(`${text} (${declared.citation})`);
    tell({ text, said: done ? "Copied, with whom to cite." : "The browser forbids copying; mark the sentence instead." });
  };
  const said = told.text === text ? told.said : "";
  if (name) {
    return html`<button class="copy-one" title=${said || text} aria-label=${`Copy the sentence on ${name}`} onClick=${take}>${said ? "copied" : "copy"}</button>
      <span role="status" class="unseen">${said}</span>`;
  }
  return html`<p class="buttons small"><button class="quiet" onClick=${take}>Copy this sentence</button>
    <span role="status" class="hint">${said}</span></p>`;
}

/** @param {{examples: {name: string, hint?: string, patch: any}[], onPatch: (patch: any) => unknown}} props */
export const Chips = ({ examples, onPatch }) =>
  html`<ul class="chips" aria-label="Examples">${examples.map(
    ({ name, hint, patch }) => html`<li key=${name}><button class="chip" title=${hint ?? null} onClick=${() => onPatch(patch)}>${name}</button></li>`,
  )}</ul>`;

/** @typedef {{title: string, key?: string, hint?: string, words?: boolean}} Column `key`: its name, else its place; `hint`: what the heading means;
 * `words`: text, which starts at the left */

/** The same numbers as a picture has, as text, for reading and for screen readers. Cells carry `data-value="<name of the row>.<key>"`. A column
 * without any value is left out. @param {{caption: string, columns: Column[], rows: any[][], names: string[], sorting?: {column: number, way:
 * number, turn: (i: number) => void}}} props */
export function Table({ caption, columns, rows, names, sorting }) {
  const place = useFit();
  const [first, ...rest] = columns.map((column, i) => ({ key: String(i), ...column, i, cells: rows.map((row) => row[i]) })).filter(({ cells }) => cells.some(Boolean));
  if (!first) return html`<div ref=${place}></div>`;
  const sorts = (/** @type {number} */ i) => sorting?.way && sorting.column === i && (sorting.way > 0 ? "ascending" : "descending");
  // its roles are named, because a folded table is none to a browser
  return html`<div class="fit" ref=${place}>
    <table class=${`data${rest.length < 3 ? " slim" : ""}${sorting ? " sorted" : ""}`} role="table" data-places=${places(rest.flatMap(({ cells }) => cells))}>
      <caption class="unseen">${caption}</caption>
      <thead role="rowgroup"><tr role="row">${[first, ...rest].map(({ key, title, i, words, hint }) =>
        title
          ? html`<th key=${key} scope="col" role="columnheader" class=${i === first.i || words ? "words" : ""} title=${hint ?? null} data-title=${title}
              aria-sort=${sorts(i) || null}>${sorting ? html`<button onClick=${() => sorting.turn(i)}>${title}</button>` : title}</th>`
          : html`<td key=${key} role="cell"></td>`,
      )}</tr></thead>
      <tbody role="rowgroup">${names.map(
        (name, r) => html`<tr key=${sorting ? `${r}-${name}` : name} role="row">
          <th scope="row" role="rowheader">${first.cells[r]}</th>
          ${rest.map(
            ({ key, title, words, cells }) => html`<td key=${key} role="cell" data-title=${title} class=${`${words ? "words" : ""} ${takesTwo(title, cells) ? "two" : ""}`.trim()}
              data-value=${`${name}.${key}`}>${cells[r]}</td>`,
          )}
        </tr>`,
      )}</tbody>
    </table>
  </div>`;
}

const COPIES = [{ ending: ".md", label: "Markdown" }, { ending: ".tex", label: "LaTeX" }, { ending: ".csv", label: "CSV" }];

/** A small answer beside the great one. @param {{name: string, sheet: any, picture?: unknown, said?: string, folded?: boolean}} props `name`: of the table, and
 * the stem of its `data-value`s; `folded`: the table is opened on demand */
export function Sheet({ name, sheet, picture, said = `${name}.verdict`, folded = false }) {
  if (!sheet) return null;
  if (sheet.silence) return html`<p class="note">${sheet.silence}</p>`;
  const table = html`<${Cells} caption=${name} header=${sheet.header} rows=${sheet.rows} name=${(/** @type {any} */ row) => `${name}.${row[0]}`} />`;
  return html`${sheet.verdict && html`<p class="said" data-value=${said}>${bound(sheet.verdict)}</p>`}
    ${picture}
    ${sheet.rows.length > 0 && (folded ? html`<details><summary>As a table</summary>${table}</details>` : table)}
    ${sheet.notes.map((/** @type {string} */ note) => html`<p class="hint" key=${note}>${note}</p>`)}`;
}

/** @param {{caption: string, header: string[], rows: string[][], name: (row: string[]) => string}} props */
export function Cells({ caption, header, rows, name }) {
  const columns = header.map((title, i) => ({ title, words: i > 0 && rows.every((cells) => !/\d/.test(cells[i])) }));
  return html`<${Table} caption=${caption} columns=${columns} rows=${rows} names=${rows.map(name)} />`;
}

/** The answer on the clipboard, as text for another program. @param {{act: Act, request: PageRequest | null}} props */
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

/** Signs beyond which a verdict is set smaller. */
const LONG = 190;

/** A sign stays with its number at the end of a line. @param {string} text */
export const bound = (text) => text.replace(/([<>]) (?=\d)/g, "$1\u00a0");

/** @param {{answers: Answers, asks?: string}} props `asks`: what is still needed for an answer */
export function Verdict({ answers, asks = "" }) {
  const { current, failure } = answers;
  const shown = current?.shown;
  const said = shown?.verdict ?? (asks || (failure ? (isBeside(failure) ? "Type the counts, or paste a table." : "No answer yet.") : "Computing…"));
  // one short sentence, and what it rests on smaller
  const end = said.search(/[^.]\. (?=[A-Z])/) + 2;
  const [first, rest] = end > 1 ? [said.slice(0, end), said.slice(end + 1)] : [said, ""];
  return html`<section class=${`answer${failure ? " stale" : ""}`} aria-label="Answer">
    <p class=${first.length > LONG ? "verdict long" : "verdict"} data-value="verdict">${bound(first)}${rest && html` <span class="further">${bound(rest)}</span>`}</p>
    ${failure && !isBeside(failure) && html`<p class="wrong" role="alert">${failure.message[0]?.toUpperCase()}${failure.message.slice(1)}</p>`}
    ${failure && current && html`<p class="hint">The numbers shown belong to the inputs before that.</p>`}
    ${current && !failure && html`<${CopySentence} text=${[said, shown?.about].filter(Boolean).join(" ")} />`}
    ${shown?.about && html`<p class="about" data-value="about">${shown.about}</p>`}
  </section>`;
}

/** Notes and what the numbers do not cover. @param {{shown: any}} props */
export function Notes({ shown }) {
  if (!shown) return null;
  return html`<section class="notes" aria-label="Notes">
    ${(shown.note ?? []).map((/** @type {string} */ text) => html`<p key=${text} class=${shown.warnings?.includes(text) ? "warning" : ""}>${text}</p>`)}
    <p class="footer" data-value="footer">${shown.footer}</p>
  </section>`;
}

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
  const split = rows.findIndex((row) => row[1] !== "");
  const [top, each] = split < 0 ? [rows, []] : [rows.slice(0, split), rows.slice(split)];
  const word = wanted.trim().toLocaleLowerCase();
  const found = ordered(each.filter((row) => row[0].toLocaleLowerCase().includes(word)), column, way);
  const listed = [...top, ...found.slice(0, MOST)];
  const turn = (/** @type {number} */ i) => sort({ column: i, way: i !== column || !way ? 1 : way === 1 ? -1 : 0 });
  return html`${each.length > 2 &&
    html`<p class="filter"><label for=${id}>Show rows with</label>
      <input id=${id} type="search" autocomplete="off" value=${wanted} onInput=${(/** @type {any} */ e) => want(e.currentTarget.value)} />
      <span role="status" class="hint">${word ? `${found.length} of ${each.length} rows` : ""}</span></p>`}
    <${Table} caption=${caption} columns=${header.map((title) => ({ title }))} rows=${listed.map(([first, ...rest]) => [html`<bdi>${first}</bdi>`, ...rest])}
      names=${listed.map(([first]) => first)} sorting=${{ column, way, turn }} />
    ${found.length > MOST && html`<p class="hint">${found.length - MOST} more rows; sort or filter to see them, or export them.</p>`}`;
}

/** Rows of a table that need neither sorting nor a search. */
const FEW = 40;

/** The answer of a tab: picture, rows, notes, and copies of it; its sentence stands above all, as a verdict. @param {{answers: Answers, title:
 * string, caption?: string, name?: string, act?: Act, request?: PageRequest | null, sorted?: boolean, before?: unknown, children?: any}} props
 * `name`: of the picture; `act`, `request`: for copies; `before`, `children`: what a hand moves, which stands before the rows or after them */
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
      ${picture && html`<${Drawn} name=${name} title=${title} picture=${picture} caption=${caption} />`}
      ${narrow && picture ? html`<details><summary>As a table</summary>${table}</details>` : table}
      ${shown.left_out && html`<p class="hint">${shown.left_out}</p>`}
      ${act && request && html`<${Copies} act=${act} request=${request} />`}
    </section>
    ${children}
    ${(shown.sections ?? []).map((/** @type {any} */ part, /** @type {number} */ i) => html`<${Part} key=${part.name} part=${part} picture=${drawing.sections[i]} />`)}
    <${Notes} shown=${shown} />
  </div>`;
}

/** What a row is called: its first cell, and the second one where the first is not its own. @param {string[][]} rows */
function nameOf(rows) {
  const own = new Set(rows.map(([first]) => first)).size === rows.length;
  return (/** @type {any} */ row) => (own ? row[0] : `${row[0]}.${row[1]}`);
}

/** A further picture, and its numbers on demand. @param {{part: any, picture: string | null}} props */
const Part = ({ part: { name, title, said, header, rows }, picture }) => html`<section aria-labelledby=${`${name}-title`}><h2 id=${`${name}-title`}>${title}</h2>
  <${Sheet} name=${name} said=${name} sheet=${{ verdict: said, header, rows, notes: [] }} folded=${Boolean(picture)}
    picture=${picture && html`<${Drawn} name=${name} title=${title} picture=${picture} />`} /></section>`;
