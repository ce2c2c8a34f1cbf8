// @ts-check
/** Whether one may stop: what further cases would change in a decision about a threshold. */

import { html } from "../html.js";
import { NumberBox, Select } from "./fields.js";
import { Sheet } from "./sheet.js";

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
