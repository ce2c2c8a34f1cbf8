// @ts-check
/** Before and after: the probability with its band, step by step, and in whole people. */

import { curve } from "../../charts/curve.js";
import { html, useMemo } from "../../html.js";
import { Figure } from "../../parts/figure.js";
import { Frequencies } from "../../parts/prevalence.js";
import { Table } from "../../parts/table.js";
import { Notes } from "../../parts/verdict.js";
import { labelOf } from "./slice.js";

/** @typedef {import("./slice.js").Slice} Slice */

/** @param {{slice: Slice, answers: import("../../types").Answers}} props */
export function PatientAnswer({ slice, answers: { current, failure } }) {
  const said = current?.shown.frequencies;
  const people = useMemo(() => html`<${Frequencies} said=${said} label=${labelOf(slice)} />`, [said, labelOf(slice)]);
  if (!current) return html`<div class="answers"></div>`;
  const { shown, drawing } = current;
  const rows = [...(shown.steps ?? []), ...shown.rows].map((row) => ({ ...row, name: row.after }));
  return html`<div class=${failure ? "answers stale" : "answers"}>
    <section aria-labelledby="after-title"><h2 id="after-title">After the test</h2>
      <${Table} caption="Probability after each result" columns=${columns(shown)} rows=${rows} hidden=${true}
        name=${(/** @type {any} */ row) => `${row.after}@${row.label}`} /></section>
    <section aria-labelledby="before-title"><h2 id="before-title">Whatever it was before</h2>
      ${drawing.curve.silence ? html`<p class="note">${drawing.curve.silence}</p>` : html`<${Curves} curves=${drawing.curve} here=${drawing.here} title=${shown.verdict} />`}</section>
    ${people}
    <${Notes} shown=${shown} />
  </div>`;
}

/** @param {any} shown */
const columns = (shown) => [
  { key: "after", title: "after", words: true },
  { key: "label", title: "class", words: true, cell: (/** @type {any} */ row) => html`<bdi>${row.label}</bdi>` },
  { key: "probability", title: "probability" },
  { key: "interval", title: shown.header?.[3] ?? "interval" },
  { key: "law", title: "method", words: true },
];

/** One test: after a positive and after a negative result, against the probability before.
 * @param {{curves: any, here: number, title: string}} props */
function Curves({ curves, here, title }) {
  const x = curves.pre_test;
  const lines = ["positive", "negative"].map((name) => {
    const { low, mean, high } = curves[name];
    return { label: `after ${name}`, x, low, middle: mean, high };
  });
  const dots = lines.map((one) => between(x, one.middle, here));
  return html`<${Figure} name="post-test" title="Before and after one test" most=${900} draw=${(/** @type {number} */ width) =>
    curve(
      { curves: lines, rule: { label: "no test", x, y: x }, here: { label: "here", x: here, dots } },
      { width, height: 320, title, xLabel: `probability of ${curves.label} before the test`, yLabel: "probability after one test" },
    )} />`;
}

/** The height of a curve at a place between its points, for the dot on it.
 * @param {number[]} xs @param {number[]} ys @param {number} x @returns {number} */
function between(xs, ys, x) {
  const i = xs.findIndex((other) => other >= x);
  if (i <= 0) return i === 0 ? ys[0] : ys[ys.length - 1];
  return ys[i - 1] + ((ys[i] - ys[i - 1]) * (x - xs[i - 1])) / (xs[i] - xs[i - 1]);
}
