// @ts-check
/** What errors cost, beside calling every case the same. */

import { html } from "../html.js";
import { positiveOf } from "../matrix.js";
import { NumberBox } from "./fields.js";
import { Sheet } from "./sheet.js";

/** @param {{answer: import("../types").Answer, slice: any, act: import("../types").Act}} props */
export function Costs({ answer, slice, act }) {
  if (positiveOf(slice.matrix.classes, slice.matrix.positive) === null) return null;
  const asked = slice.cost.fp !== null && slice.cost.fn !== null;
  return html`<section class="costs" aria-labelledby="costs-title"><h2 id="costs-title">What errors cost</h2>
    <p>In any unit: money, days, or how many false alarms one miss weighs.</p>
    <div class="fields">
      <${NumberBox} label="A false alarm costs" value=${slice.cost.fp} low=${1e-6} high=${1e6} empty=${true}
        onValue=${act.set("cost.fp")} />
      <${NumberBox} label="A miss costs" value=${slice.cost.fn} low=${1e-6} high=${1e6} empty=${true}
        onValue=${act.set("cost.fn")} />
    </div>
    ${asked && html`<${Sheet} name="cost" sheet=${answer.shown.cost} />`}
  </section>`;
}
