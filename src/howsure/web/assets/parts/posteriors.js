// @ts-check
/** What is known of each metric: the ridge, a threshold for each row, and the same as a table. */

import { ridge } from "../charts/ridge.js";
import { copy } from "../exporting.js";
import { html, useState } from "../html.js";
import { NumberBox } from "./fields.js";
import { Figure } from "./figure.js";
import { Table } from "./table.js";
import { Word } from "./word.js";

const COPIES = [{ ending: ".md", label: "Markdown" }, { ending: ".tex", label: "LaTeX" }, { ending: ".csv", label: "CSV" }]; // prettier-ignore

/** @param {any} row */
const named = (row) => html`<${Word} word=${row.title} meaning=${row.meaning} mark=${row.depends ? " *" : ""} code=${row.name} />`;

const COLUMNS = [
  { key: "name", title: "metric", cell: named },
  { key: "observed", title: "observed", hint: "the value on the raw counts" },
  { key: "mean", title: "mean", hint: "mean of the posterior" },
  { key: "interval", title: "interval" },
  { key: "above_chance", title: "P(> chance)", hint: "probability of being better than a classifier without skill" },
  { key: "mu", title: "MU", hint: "metric uncertainty: width of the interval" },
  { key: "prior_shift", title: "shift", hint: "(mean − observed) / sd: the pull of the prior" },
  { key: "law", title: "law", words: true, hint: "exact, or drawn with its Monte Carlo error" },
];

/**
 * @param {{answer: import("../types").Answer, slice: any, act: import("../types").Act,
 *   request: import("../types").Request | null, interval: string}} props
 */
export function Posteriors({ answer, slice, act, request, interval }) {
  const { shown, drawing } = answer;
  /** @param {string} name @param {number | null} x @param {boolean} live */
  const cut = (name, x, live) =>
    act.change(
      (now) => {
        const { [name]: _, ...rest } = now.thresholds;
        return { ...now, thresholds: x === null ? rest : { ...rest, [name]: x } };
      },
      { live, part: x === null ? undefined : "thresholds" },
    );
  const columns = COLUMNS.map((column) => (column.key === "interval" ? { ...column, title: interval } : column));
  const rows = drawing.rows.filter((/** @type {any} */ row) => row.x);
  const said = shown.rows.filter((/** @type {any} */ row) => rows.some((/** @type {any} */ drawn) => drawn.name === row.name));
  return html`<section class="posteriors" aria-labelledby="posteriors-title">
    <h2 id="posteriors-title">How sure</h2>
    ${rows.length > 0 &&
    html`<${Figure} name="posteriors" title="Posteriors" caption="Drag a line over a row, or use the arrow keys on it, to ask how probable more than that is."
      draw=${(/** @type {number} */ width) =>
        ridge({ rows }, { rows: said, thresholds: shown.thresholds }, { width, thresholds: slice.thresholds, onThreshold: cut })} />`}
    <${Thresholds} slice=${slice} shown=${shown} cut=${cut} />
    <${Table} caption="Metrics" columns=${columns} rows=${shown.rows} hidden=${true} />
    <${Copies} act=${act} request=${request} />
  </section>`;
}

/** @param {any} shown @param {string} name */
const titled = (shown, name) => shown.rows.find((/** @type {any} */ row) => row.name === name)?.title ?? name;

/** Thresholds that are set, as number boxes. @param {{slice: any, shown: any, cut: (name: string, x: number | null, live: boolean) => void}} props */
function Thresholds({ slice, shown, cut }) {
  const set = Object.entries(slice.thresholds).filter(([name]) => shown.rows.some((/** @type {any} */ row) => row.name === name));
  if (!set.length) return null;
  return html`<ul class="thresholds">${set.map(
    ([name, x]) => html`<li key=${name}>
      <${NumberBox} label=${`${titled(shown, name)} above`} value=${x} onValue=${(/** @type {number} */ value) => cut(name, value, true)} />
      <output data-value=${`${name}.above`}>P ${shown.thresholds?.[name]?.above ?? ""}</output>
      <button class="quiet" aria-label=${`Remove the threshold of ${titled(shown, name)}`} onClick=${() => cut(name, null, false)}>Remove</button>
    </li>`,
  )}</ul>`;
}

/** @param {{act: import("../types").Act, request: import("../types").Request | null}} props */
function Copies({ act, request }) {
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
