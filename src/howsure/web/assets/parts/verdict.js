// @ts-check
/** The answer in one sentence, and what it rests on. */

import { html } from "../html.js";
import { CopySentence } from "./word.js";
import { isBeside } from "./grid.js";

/** Signs beyond which a verdict is set smaller. */
const LONG = 190;

/** A sign stays with its number at the end of a line. @param {string} text */
export const bound = (text) => text.replace(/([<>]) (?=\d)/g, "$1\u00a0");

/** @param {{answers: import("../types").Answers, asks?: string}} props `asks`: what is still needed for an answer */
export function Verdict({ answers, asks = "" }) {
  const { current, failure } = answers;
  const shown = current?.shown;
  const said = shown?.verdict ?? (asks || (failure ? (isBeside(failure) ? "Type the counts, or paste a table." : "No answer yet.") : "Computing…"));
  // one short sentence, and what it rests on smaller
  const end = said.search(/[^.]\. (?=[A-Z])/) + 2;
  const [first, rest] = end > 1 ? [said.slice(0, end), said.slice(end + 1)] : [said, ""];
  return html`<section class=${`answer${failure ? " stale" : ""}`} aria-label="Answer">
    <p class=${first.length > LONG ? "verdict long" : "verdict"} data-value="verdict">${bound(first)}${rest && html` <span class="further">${bound(rest)}</span>`}</p>
    ${failure && !isBeside(failure) && html`<p class="wrong" role="alert">${failure.message[0]?.toUpperCase()}${failure.message.slice(1)}</p>`}
    ${failure && current && html`<p class="hint">The numbers shown belong to the inputs before that.</p>`}
    ${current && !failure && html`<${CopySentence} text=${[said, shown?.about].filter(Boolean).join(" ")} />`}
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
