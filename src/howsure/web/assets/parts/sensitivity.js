// @ts-check
/** Whether another prior would have said something else. */

import { html } from "../html.js";
import { Drawn } from "./figure.js";
import { Sheet } from "./sheet.js";

/** @param {{answer: import("../types").Answer}} props */
export function Sensitivity({ answer }) {
  const said = answer.shown.sensitivity;
  if (!said) return null;
  const pictures = answer.drawing.sensitivity;
  const picture = pictures && html`<${Drawn} name="sensitivity" title="Under other priors" pictures=${pictures} />`;
  return html`<section aria-labelledby="sensitivity-title"><h2 id="sensitivity-title">Under other priors</h2>
    <${Sheet} name="sensitivity" sheet=${said} picture=${picture} folded=${true} /></section>`;
}
