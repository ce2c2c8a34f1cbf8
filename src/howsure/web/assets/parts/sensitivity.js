// @ts-check
/** Whether another prior would have said something else. */

import { strip } from "../charts/strip.js";
import { html } from "../html.js";
import { Figure } from "./figure.js";
import { Sheet } from "./sheet.js";

/** @param {{answer: import("../types").Answer}} props */
export function Sensitivity({ answer }) {
  const said = answer.shown.sensitivity;
  if (!said) return null;
  const rows = (answer.drawing.sensitivity?.rows ?? [])
    .filter((/** @type {any} */ row) => row.low !== null && row.high !== null)
    .map((/** @type {any} */ row) => ({ ...row, name: row.prior }));
  const picture = rows.length > 0 && html`<${Figure} name="sensitivity" title="Under other priors" most=${720}
    draw=${(/** @type {number} */ width) => strip(rows, { width, title: said.verdict })} />`;
  return html`<section aria-labelledby="sensitivity-title"><h2 id="sensitivity-title">Under other priors</h2>
    <${Sheet} name="sensitivity" sheet=${said} picture=${picture} folded=${true} /></section>`;
}
