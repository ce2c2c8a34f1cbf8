// @ts-check
/** What follows from the numbers of a report: in another laboratory, in costs, with more cases, under other priors. */

import { html } from "../html.js";
import { positiveOf } from "../matrix.js";
import { NumberBox, Select } from "./fields.js";
import { Drawn } from "./figure.js";
import { Sheet } from "./sheet.js";

/** @param {{answer: import("../types").Answer, slice: any, act: import("../types").Act}} props */
export function Again({ answer, slice, act }) {
  const said = slice.replicate ? answer.shown.replication : null;
  const pictures = answer.drawing.replication;
  const picture = said && pictures && html`<${Drawn} name="replication" title="In another test" pictures=${pictures}
    caption="Thick: where the true value lies. Thin: what a new test of that size would show." />`;
  return html`<section class="again" aria-labelledby="again-title"><h2 id="again-title">In another laboratory</h2>
    <p>What would another test of the same classifier show?</p>
    <${NumberBox} label="Cases of the other test" value=${slice.replicate} low=${1} high=${10_000_000} whole=${true} empty=${true}
      onValue=${act.set("replicate")} />
    ${said && html`<${Sheet} name="replication" sheet=${said} picture=${picture} folded=${true} />`}
  </section>`;
}

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

/** @param {{answer: import("../types").Answer, slice: any, act: import("../types").Act}} props */
export function MoreCases({ answer, slice, act }) {
  const { outlook } = slice;
  const options = answer.shown.rows.map((/** @type {any} */ row) => ({ value: row.name, label: row.title }));
  return html`<section class="more-cases" aria-labelledby="more-cases-title"><h2 id="more-cases-title">Would more cases settle it?</h2>
    <p>Is the number below well enough known, or would a larger test change what is decided?</p>
    <div class="fields">
      <${Select} label="Is" value=${outlookOf(slice, answer).metric} options=${options} onValue=${act.set("outlook.metric")} />
      <${NumberBox} label="above" value=${outlook.above} onValue=${act.set("outlook.above")} />
      <${NumberBox} label="Further cases" value=${outlook.more} low=${1} high=${1_000_000} whole=${true} empty=${true}
        onValue=${act.set("outlook.more")} />
    </div>
    ${outlook.more && html`<${Sheet} name="outlook" sheet=${answer.shown.outlook} />`}
  </section>`;
}

/** What is asked about, where nobody chose it the first number of the report. @param {any} slice @param {import("../types").Answer} answer */
function outlookOf({ outlook }, { shown }) {
  const there = shown.rows.some((/** @type {any} */ row) => row.name === outlook.metric);
  return { ...outlook, metric: there ? outlook.metric : shown.rows[0]?.name };
}

/** @param {{answer: import("../types").Answer}} props */
export function Sensitivity({ answer }) {
  const said = answer.shown.sensitivity;
  if (!said) return null;
  const pictures = answer.drawing.sensitivity;
  const picture = pictures && html`<${Drawn} name="sensitivity" title="Under other priors" pictures=${pictures} />`;
  return html`<section aria-labelledby="sensitivity-title"><h2 id="sensitivity-title">Under other priors</h2>
    <${Sheet} name="sensitivity" sheet=${said} picture=${picture} folded=${true} /></section>`;
}
