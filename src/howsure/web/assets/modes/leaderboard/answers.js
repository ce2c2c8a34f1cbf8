// @ts-check
/** The table of ranks, how probable each rank is, and which pairs the data separate. */

import { html } from "../../html.js";
import { Drawn } from "../../parts/figure.js";
import { Table } from "../../parts/table.js";
import { Notes } from "../../parts/verdict.js";

/** @typedef {import("./slice.js").Slice} Slice */

/** Entries whose fields can be told apart: the first ones, as the pictures have them. */
const MOST_DRAWN = 40;

/** @param {{slice: Slice, answers: import("../../types").Answers}} props */
export function Board({ slice, answers: { current, failure } }) {
  if (!current) return html`<div class="answers"></div>`;
  const { shown, drawing, result } = current;
  return html`<div class=${failure ? "answers stale" : "answers"}>
    <section aria-labelledby="board-title"><h2 id="board-title">Ranks</h2>
      <${Table} caption="Entries in their order" columns=${columns(result, shown)} rows=${shown.rows} hidden=${true} look=${look(shown.rows)} />
      <p class="hint">Entries that share a rank are of one tier: the data do not separate them from its first. Grey: provisional,
        with far fewer cases than the others.</p>
      <${Drawn} name="scores" title="Scores" pictures=${drawing.scores}
        caption="Dot: mean. Line: interval. Tick: observed. Colours alternate with the tiers." />
    </section>
    <${Ranks} shown=${shown} pictures=${drawing.ranks} />
    <${Pairs} shown=${shown} pictures=${drawing.pairs} />
    <${Notes} shown=${shown} />
  </div>`;
}

/** @param {any} result @param {any} shown */
const columns = (result, shown) => [
  { key: "name", title: "entry", cell: (/** @type {any} */ row) => html`<bdi>${row.name}</bdi>` },
  { key: "rank", title: "rank", hint: "shared by those of one tier" },
  { key: "rank_interval", title: "rank, interval", hint: "ranks that hold the probability of the intervals" },
  { key: "score", title: "score", hint: "mean of the posterior" },
  { key: "interval", title: shown.header[4] },
  { key: "p_best", title: "P(1st)" },
  ...(result.population ? [{ key: "alone", title: "alone", hint: "P(1st) where each entry is judged alone" }] : []),
  { key: "p_top", title: `P(top ${result.top})` },
  { key: "tier", title: "tier" },
  { key: "prize", title: "E(prize)", hint: "prize times probability, summed" },
  { key: "n", title: "n" },
];

/** Grey for provisional entries, a line where a tier begins.
 * @param {any[]} rows */
const look = (rows) => (/** @type {any} */ row) => {
  const before = rows[rows.indexOf(row) - 1];
  return [row.provisional ? "provisional" : "", before && before.tier !== row.tier ? "next-tier" : ""].join(" ").trim();
};

/** @typedef {{shown: any, pictures: import("../../parts/figure.js").Pictures}} Drawing */

/** @param {Drawing} props */
const Ranks = ({ shown, pictures }) => html`<section aria-labelledby="ranks-title"><h2 id="ranks-title">How probable each rank is</h2>
  <${Drawn} name="ranks" title="Rank probabilities" pictures=${pictures} />
  <${Words} name="probability" caption="Probability of each rank" rows=${shown.rows} cells=${shown.probabilities} />
</section>`;

/** @param {Drawing} props */
const Pairs = ({ shown, pictures }) => html`<section aria-labelledby="pairs-title"><h2 id="pairs-title">Which pairs are really separated</h2>
  <p class="said" data-value="separation">${shown.separation}</p>
  <p class="hint">They are outlined, or darker where there is no room for numbers.</p>
  <${Drawn} name="pairs" title="Pair separation" pictures=${pictures} />
  <${Words} name="separated" caption="Probability that the row is better than the column" rows=${shown.rows} cells=${shown.separated} numbered=${true} />
</section>`;

/** The same probabilities as text, of the entries that are drawn.
 * @param {{name: string, caption: string, rows: any[], cells: string[][], numbered?: boolean}} props */
function Words({ name, caption, rows: all, cells, numbered = false }) {
  if (!cells.length) return null;
  const rows = all.slice(0, MOST_DRAWN);
  const columns = [
    { key: "name", title: "entry", cell: (/** @type {any} */ row) => html`${numbered ? `${row.at + 1}  ` : ""}<bdi>${row.name}</bdi>` },
    ...rows.map((_, j) => ({
      key: `${name}.${j + 1}`,
      title: String(j + 1),
      cell: (/** @type {any} */ row) => (numbered && row.at === j ? "" : cells[row.at][j]),
    })),
  ];
  return html`<details><summary>As a table</summary>
    <${Table} caption=${caption} columns=${columns} rows=${rows.map((row, at) => ({ name: row.name, at }))} hidden=${true} /></details>`;
}
