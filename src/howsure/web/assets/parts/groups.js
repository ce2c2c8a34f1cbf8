// @ts-check
/** Cases in groups: what they are worth, and whether numbers are about a new group or about these again. */

import { html } from "../html.js";
import { Segments } from "./fields.js";

/** The counts by group that the question carries, cells [group, true, pred, count]; null where there are none.
 * @param {any} slice @returns {number[][] | null} */
export function groupsOf({ groups }) {
  const cell = (/** @type {unknown} */ each) => Array.isArray(each) && each.length === 4 && each.every((x) => Number.isInteger(x) && x >= 0);
  return Array.isArray(groups) && groups.length && groups.every(cell) ? groups : null;
}

/** @param {{slice: any, answer: import("../types").Answer, act: import("../types").Act}} props */
export function Groups({ slice, answer, act }) {
  const told = answer.shown.groups;
  if (!groupsOf(slice) || !told) return null;
  return html`<section class="groups" aria-label="Groups">
    <p data-value="worth">${told.worth}</p>
    <${Segments} legend="Numbers are about" value=${slice.about ?? told.question} onValue=${act.set("about")}
      options=${[
        { value: "new", label: "a new group", title: "The next patient, document or question" },
        { value: "these", label: "new cases of the same groups", title: "More cases of the same ones" },
      ]} />
    ${told.other && html`<p class="hint" data-value="other">${told.other}</p>`}
    <p class="buttons small"><button onClick=${() => act.change((now) => ({ ...now, groups: null, about: null }))}>Take each case by itself</button></p>
  </section>`;
}
