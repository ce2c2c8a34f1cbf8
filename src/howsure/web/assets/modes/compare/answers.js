// @ts-check
/** The answer: three probabilities, the difference, each class, and the cases that decide. */

import { html } from "../../html.js";
import { Drawn } from "../../parts/figure.js";
import { Table } from "../../parts/table.js";
import { Notes } from "../../parts/verdict.js";

/** @typedef {import("./slice.js").Slice} Slice */

/** @param {{slice: Slice, answers: import("../../types").Answers}} props */
export function Answer({ slice, answers: { current, failure } }) {
  if (!current) return html`<div class="answers"></div>`;
  const { shown, drawing } = current;
  const names = shown.rows.map((/** @type {any} */ row) => row.name);
  const rows = [...shown.rows, shown.difference];
  return html`<div class=${failure ? "answers stale" : "answers"}>
    <${Difference} names=${names} shown=${shown} drawing=${drawing} />
    <section aria-label="Each classifier"><${Table} caption="Each classifier, and the difference" columns=${columns(names[0], shown)} rows=${rows} hidden=${true} /></section>
    ${shown.paired ? html`<${Discordant} names=${names} shown=${shown} />` : html`<${Unpaired} slice=${slice} />`}
    <${Classes} names=${names} shown=${shown} pictures=${drawing.classes} />
    <${Notes} shown=${shown} />
  </div>`;
}

/** @param {{names: string[], shown: any, drawing: any}} props */
function Difference({ names, shown, drawing }) {
  const [first, second] = names.map((name) => `${name} is better`);
  const { worse, same, better } = shown.three;
  return html`<section class="difference" aria-labelledby="difference-title">
    <h2 id="difference-title">How sure, and how much</h2>
    <${Drawn} name="chances" title="Worse, the same, better" pictures=${drawing.chances} />
    <dl class="unseen">
      <dt>${second}</dt><dd data-value="worse">${worse}</dd>
      ${same && html`<dt>within ${shown.rope}</dt><dd data-value="same">${same}</dd>`}
      <dt>${first}</dt><dd data-value="better">${better}</dd>
    </dl>
    <${Drawn} name="difference" title="Difference" pictures=${drawing.difference} />
  </section>`;
}

/** @param {string} name @param {any} shown */
const columns = (name, { interval, three, rope }) => [
  { key: "name", title: "classifier", cell: (/** @type {any} */ row) => html`<bdi>${row.name}</bdi>` },
  { key: "observed", title: "observed" },
  { key: "mean", title: "mean" },
  { key: "interval", title: interval },
  { key: "better", title: `P(${name} better${three.same ? ` by more than ${rope}` : ""})` },
  { key: "law", title: "method", words: true },
];

/** @param {{names: string[], shown: any, pictures?: import("../../parts/figure.js").Pictures}} props */
function Classes({ names, shown, pictures }) {
  const rows = shown.per_class.map((/** @type {any} */ row) => ({ name: row.label, ...row }));
  if (rows.length === 0) return null;
  return html`<section aria-labelledby="classes-title"><h2 id="classes-title">Class by class</h2>
    <p class="hint">Difference of the recall, ${names.join(" − ")}.</p>
    ${pictures && html`<${Drawn} name="classes" title="Recall of each class" pictures=${pictures} />`}
    <details><summary>As a table</summary>
      <${Table} caption=${`Difference of the recall of each class, ${names.join(" − ")}`} columns=${CLASSES} rows=${rows} hidden=${true} /></details>
  </section>`;
}

const CLASSES = [
  { key: "name", title: "recall of", cell: (/** @type {any} */ row) => html`<bdi>${row.label}</bdi>` },
  { key: "n_a", title: "cases" },
  { key: "mean", title: "difference" },
  { key: "interval", title: "interval" },
  { key: "better", title: "P(first better)" },
];

/** Cases on which only one is right decide; the others say nothing about which is better.
 * @param {{names: string[], shown: any}} props */
function Discordant({ names: [a, b], shown }) {
  const it = shown.discordant;
  return html`<section aria-labelledby="discordant-title"><h2 id="discordant-title">The cases that decide</h2>
    <table class="data discordant">
      <caption class="unseen">Cases that both have right, one, or none</caption>
      <thead><tr><td></td><th scope="col"><bdi>${b}</bdi> right</th><th scope="col"><bdi>${b}</bdi> wrong</th></tr></thead>
      <tbody>
        <tr><th scope="row"><bdi>${a}</bdi> right</th><td data-value="both_right">${it.both_right}</td><td class="decides" data-value="only_a">${it.only_a}</td></tr>
        <tr><th scope="row"><bdi>${a}</bdi> wrong</th><td class="decides" data-value="only_b">${it.only_b}</td><td data-value="both_wrong">${it.both_wrong}</td></tr>
      </tbody>
    </table>
  </section>`;
}

/** @param {{slice: Slice}} props */
const Unpaired = ({ slice }) =>
  html`<p class="note">${
    slice.paired
      ? "The cases are the same; taken as separate test sets, the interval is wider than it need be."
      : "Two matrices say nothing about which cases both got wrong. If the cases were the same, give me per-item predictions and this interval shrinks."
  }</p>`;
