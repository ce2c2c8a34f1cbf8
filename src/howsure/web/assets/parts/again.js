// @ts-check
/** What another laboratory would see: the observed value of a new test, wider than what is known of the true one. */

import { html } from "../html.js";
import { NumberBox } from "./fields.js";
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
