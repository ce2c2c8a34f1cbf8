// @ts-check
/** The answer in one sentence, and what it rests on. */

import { html } from "../html.js";

/** Signs beyond which a verdict is set smaller. */
const LONG = 190;

/** A sign stays with its number at the end of a line. @param {string} text */
const bound = (text) => text.replace(/([<>]) (?=\d)/g, "$1\u00a0").replace(/(\d) %/g, "$1\u00a0%");

/** @param {{answers: import("../types").Answers, waiting?: string}} props */
export function Verdict({ answers, waiting = "Computing…" }) {
  const { current, failure } = answers;
  const shown = current?.shown;
  const said = shown?.verdict ?? (failure ? "No answer yet." : waiting);
  return html`<section class=${`answer${failure ? " stale" : ""}`} aria-label="Answer">
    <p class=${said.length > LONG ? "verdict long" : "verdict"} data-value="verdict">${bound(said)}</p>
    ${failure && !failure.field?.includes("counts[") && html`<p class="wrong" role="alert">${failure.message}</p>`}
    ${failure && current && html`<p class="hint">The numbers shown belong to the inputs before that.</p>`}
    ${shown?.about && html`<p class="about" data-value="about">${shown.about}</p>`}
  </section>`;
}

/** Notes and what the numbers do not cover. @param {{shown: any}} props */
export function Notes({ shown }) {
  if (!shown) return null;
  return html`<section class="notes" aria-label="Notes">
    ${(shown.note ?? []).map((/** @type {string} */ text) => html`<p key=${text} class=${shown.warnings?.includes(text) ? "warning" : ""}>${text}</p>`)}
    <p class="footer" data-value="footer">${shown.footer}</p>
  </section>`;
}
