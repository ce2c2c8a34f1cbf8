// @ts-check
/** The answer: three probabilities, the difference, each class, and the cases that decide. */

import { bar } from "../charts/bar.js";
import { density } from "../charts/density.js";
import { html } from "../html.js";
import { Figure } from "../parts/figure.js";
import { Table } from "../parts/table.js";
import { Notes } from "../parts/verdict.js";
import { namesOf } from "./compare.js";

/** @typedef {import("./compare.js").Slice} Slice */

/** @param {{slice: Slice, answers: import("../types").Answers}} props */
export function Answer({ slice, answers: { current, failure } }) {
  if (!current) return html`<div class="answers"></div>`;
  return html`<div class=${failure ? "answers stale" : "answers"}>
    <${Difference} shown=${current.shown} drawing=${current.drawing} result=${current.result} />
    <${Table} caption="Each classifier, and the difference" columns=${ROWS} rows=${current.shown.rows} />
    <${Classes} rows=${current.shown.per_class ?? []} />
    ${current.result.paired ? html`<${Discordant} shown=${current.shown} />` : html`<${Unpaired} slice=${slice} />`}
    <${Notes} shown=${current.shown} />
  </div>`;
}

/** @param {{shown: any, drawing: any, result: any}} props */
function Difference({ shown, drawing, result }) {
  const [a, b] = shown.names;
  const { difference } = drawing;
  const better = [`${b} is better`, `${a} is better`];
  const same = shown.same === null ? null : shown.same;
  // more is better on the right, also for a metric of which less is better
  const sides = /** @type {[string, string]} */ (result.better === "lower" ? [better[1], better[0]] : better);
  return html`<section class="difference" aria-labelledby="difference-title">
    <h2 id="difference-title">How sure, and how much</h2>
    <${Figure} name="chances" title="Worse, the same, better" draw=${(/** @type {number} */ width) =>
      bar(difference.parts, { worse: shown.worse, same, better: shown.better }, {
        width,
        title: `${better[0]}: ${shown.worse}. ${same === null ? "" : `Practically the same: ${same}. `}${better[1]}: ${shown.better}.`,
        names: [better[0], "practically the same", better[1]],
      })} />
    <dl class="unseen">
      <dt>${better[0]}</dt><dd data-value="worse">${shown.worse}</dd>
      ${same === null ? null : html`<dt>practically the same</dt><dd data-value="same">${same}</dd>`}
      <dt>${better[1]}</dt><dd data-value="better">${shown.better}</dd>
    </dl>
    <${Figure} name="difference" title="Difference" draw=${(/** @type {number} */ width) =>
      density(difference, shown.difference, {
        width,
        title: `Difference of ${shown.metric}, ${a} − ${b}: ${shown.difference.mean} (${shown.difference.interval})`,
        label: `${shown.metric} of ${a} − ${b}`,
        sides,
      })} />
  </section>`;
}

const ROWS = [
  { key: "name", title: "" },
  { key: "n", title: "n" },
  { key: "observed", title: "observed" },
  { key: "mean", title: "mean" },
  { key: "interval", title: "interval" },
  { key: "law", title: "law", words: true },
];

const CLASSES = [
  { key: "name", title: "recall of", cell: (/** @type {any} */ row) => html`<bdi>${row.label ?? row.name}</bdi>` },
  { key: "mean", title: "difference" },
  { key: "interval", title: "interval" },
  { key: "p_better", title: "P(better)" },
];

/** @param {{rows: any[]}} props */
const Classes = ({ rows }) =>
  rows.length === 0
    ? null
    : html`<section aria-labelledby="classes-title"><h2 id="classes-title">Class by class</h2>
        <${Table} caption="Difference of the recall of each class" columns=${CLASSES} rows=${rows} hidden=${true} /></section>`;

/** Cases on which only one is right decide; the others say nothing about which is better.
 * @param {{shown: any}} props */
function Discordant({ shown }) {
  const it = shown.discordant;
  const [a, b] = shown.names;
  return html`<section aria-labelledby="discordant-title"><h2 id="discordant-title">The cases that decide</h2>
    <table class="data discordant">
      <caption class="unseen">Cases that both have right, one, or none</caption>
      <thead><tr><td></td><th scope="col"><bdi>${b}</bdi> right</th><th scope="col"><bdi>${b}</bdi> wrong</th></tr></thead>
      <tbody>
        <tr><th scope="row"><bdi>${a}</bdi> right</th><td data-value="both_right">${it.both_right}</td><td class="decides" data-value="only_a">${it.only_a}</td></tr>
        <tr><th scope="row"><bdi>${a}</bdi> wrong</th><td class="decides" data-value="only_b">${it.only_b}</td><td data-value="both_wrong">${it.both_wrong}</td></tr>
      </tbody>
    </table>
    ${it.sentence && html`<p class="hint">${it.sentence}</p>`}
  </section>`;
}

/** @param {{slice: Slice}} props */
const Unpaired = ({ slice }) =>
  html`<p class="note">${
    slice.paired
      ? "The cases are the same; taken as separate test sets, the interval is wider than it need be."
      : "Two matrices say nothing about which cases both got wrong. If the cases were the same, give me per-item predictions and this interval shrinks."
  }</p>`;
