// @ts-check
/** The table of ranks, how probable each rank is, and which pairs the data separate. */

import { heat } from "../../charts/heat.js";
import { strip } from "../../charts/strip.js";
import { html } from "../../html.js";
import { Figure } from "../../parts/figure.js";
import { Table } from "../../parts/table.js";
import { Notes } from "../../parts/verdict.js";

/** @typedef {import("./slice.js").Slice} Slice */

/** Entries up to which the squares can be told apart. */
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
      <${Scores} drawn=${drawing.rows} metric=${result.metric} />
    </section>
    <${Ranks} shown=${shown} drawn=${drawing.probabilities} />
    <${Pairs} shown=${shown} drawn=${drawing.separated} level=${result.level} />
    <${Notes} shown=${shown} />
  </div>`;
}

/** @param {{drawn: any[], metric: string}} props */
const Scores = ({ drawn, metric }) => html`<${Figure} name="scores" title="Scores" most=${900} draw=${(/** @type {number} */ width) =>
  strip(drawn.slice(0, MOST_DRAWN), { width, title: `Intervals of ${metric}, in the table above` })} />`;

/** @param {any} result @param {any} shown */
const columns = (result, shown) => [
  { key: "name", title: "entry", cell: (/** @type {any} */ row) => html`<bdi>${row.name}</bdi>` },
  { key: "rank", title: "rank", hint: "shared by those of one tier" },
  { key: "rank_interval", title: "rank, interval", hint: "ranks that hold the probability of the intervals" },
  { key: "score", title: "score", hint: "mean of the posterior" },
  { key: "interval", title: shown.header[4] },
  { key: "p_best", title: "P(1st)" },
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

/** @param {{shown: any, drawn: number[][]}} props */
function Ranks({ shown, drawn }) {
  const many = Math.min(drawn.length, MOST_DRAWN);
  const rows = shown.rows.slice(0, many);
  const columns = rows.map((/** @type {any} */ _, /** @type {number} */ i) => String(i + 1));
  return html`<section aria-labelledby="ranks-title"><h2 id="ranks-title">How probable each rank is</h2>
    <${Figure} name="ranks" title="Rank probabilities" most=${900} draw=${(/** @type {number} */ width) =>
      heat(drawn.slice(0, many).map((row) => row.slice(0, many)), { rows: rows.map(named), columns, cells: shown.probabilities }, {
        width,
        title: `Probability of each rank of ${rows.length} entries, in the table below`,
        across: "rank",
        grey: rows.map((/** @type {any} */ row) => row.provisional),
      })} />
    <${Words} name="probability" caption="Probability of each rank" rows=${rows} heads=${columns} cells=${shown.probabilities} />
  </section>`;
}

/** Only those ahead in the rows: the other half would say the same.
 * @param {{shown: any, drawn: number[][], level: number}} props */
function Pairs({ shown, drawn, level }) {
  const many = Math.min(drawn.length, MOST_DRAWN);
  const rows = shown.rows.slice(0, many);
  const columns = rows.map((/** @type {any} */ _, /** @type {number} */ i) => String(i + 1));
  const cells = drawn.slice(0, many).map((row, i) => row.slice(0, many).map((p, j) => (i < j ? p : null)));
  return html`<section aria-labelledby="pairs-title"><h2 id="pairs-title">Which pairs are really separated</h2>
    <p class="said" data-value="separation">${shown.separation}</p>
    <p class="hint">They are outlined, or darker where there is no room for numbers.</p>
    <${Figure} name="pairs" title="Pair separation" most=${900} draw=${(/** @type {number} */ width) =>
      heat(cells, { rows: rows.map((/** @type {any} */ row, /** @type {number} */ i) => `${i + 1}  ${named(row)}`), columns, cells: shown.separated }, {
        width,
        title: "Probability that the entry of the row is better than that of the column, in the table below",
        across: "P(row is better than column)",
        grey: rows.map((/** @type {any} */ row) => row.provisional),
        sure: level,
      })} />
    <${Words} name="separated" caption="Probability that the row is better than the column" rows=${rows} heads=${columns} cells=${shown.separated} numbered=${true} />
  </section>`;
}

/** @param {any} row @returns {string} */
const named = (row) => row.name;

/** The same probabilities as text.
 * @param {{name: string, caption: string, rows: any[], heads: string[], cells: string[][], numbered?: boolean}} props */
function Words({ name, caption, rows, heads, cells, numbered = false }) {
  if (!cells.length) return null;
  const columns = [
    { key: "name", title: "entry", cell: (/** @type {any} */ row) => html`${numbered ? `${row.at + 1}  ` : ""}<bdi>${row.name}</bdi>` },
    ...heads.map((title, j) => ({
      key: `${name}.${j + 1}`,
      title,
      cell: (/** @type {any} */ row) => (numbered && row.at === j ? "" : cells[row.at][j]),
    })),
  ];
  return html`<details><summary>As a table</summary>
    <${Table} caption=${caption} columns=${columns} rows=${rows.map((row, at) => ({ name: row.name, at }))} hidden=${true} /></details>`;
}
