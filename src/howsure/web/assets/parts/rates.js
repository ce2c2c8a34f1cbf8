// @ts-check
/** The six numbers of a test of two classes, by the names that people know, and where it will be used. */

import { html } from "../html.js";
import { CopySentence, Word } from "./word.js";
import { PrevalenceChoice } from "./prevalence.js";

/** @param {{answer: import("../types").Answer, slice: any, label: string, act: import("../types").Act}} props */
export function Rates({ answer, slice, label, act }) {
  const { rows = [], positive = "" } = answer.shown.rates ?? {};
  if (!rows.length) return null;
  return html`<section class="rates" aria-labelledby="rates-title">
    <h2 id="rates-title">As a test for <bdi>${positive}</bdi></h2>
    <dl>${rows.map(
      (/** @type {any} */ row) => html`<div key=${row.name}>
        <dt><${Word} word=${row.title} meaning=${row.meaning} mark=${row.depends ? " *" : ""} /><${CopySentence} text=${row.sentence} name=${row.title} /></dt>
        <dd><strong data-value=${`rates.${row.title}`}>${row.mean}</strong> <span data-value=${`rates.${row.title}.interval`}>${row.interval}</span></dd>
      </div>`,
    )}</dl>
    <div class="where"><p>How common is <strong><bdi>${label}</bdi></strong> where it will be used? Numbers with * depend on it.</p>
      <${PrevalenceChoice} slice=${slice} label=${label} act=${act} /></div>
  </section>`;
}
