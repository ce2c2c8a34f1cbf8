// @ts-check
/** The probability after a test, whatever it was before, and in whole people. */

import { curve } from "../../charts/curve.js";
import { html, useMemo } from "../../html.js";
import { Figure } from "../../parts/figure.js";
import { Frequencies } from "../../parts/prevalence.js";
import { labelOf } from "./slice.js";

/** @param {{slice: import("./slice.js").Slice, current: import("../../types").Answer | null}} props */
export function BeforeAndAfter({ slice, current }) {
  const said = current?.shown.frequencies;
  const people = useMemo(() => html`<${Frequencies} said=${said} label=${labelOf(slice)} />`, [said, labelOf(slice)]);
  if (!current) return null;
  const { curve: curves, here } = current.drawing;
  return html`<section aria-labelledby="before-title"><h2 id="before-title">Whatever it was before</h2>
      ${curves.silence ? html`<p class="note">${curves.silence}</p>` : html`<${Curves} curves=${curves} here=${here} title=${current.shown.verdict} />`}</section>
    ${people}`;
}

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
