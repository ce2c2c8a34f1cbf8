// @ts-check
/** Cases that are more than counts of a matrix: cases in groups, and cases whose truth is not known. */

import { html } from "../html.js";
import { NumberBox, Segments } from "./fields.js";

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

/** The counts that the question carries: one for each class, some above 0; else none.
 * @param {any} slice @returns {number[] | null} */
export function unlabelledOf({ unlabelled, matrix }) {
  const fits = Array.isArray(unlabelled) && unlabelled.length === matrix.classes.length;
  return fits && unlabelled.some((/** @type {unknown} */ n) => Number(n) > 0) ? unlabelled.map((n) => Number(n) || 0) : null;
}

/** @param {{slice: any, act: import("../types").Act}} props */
export function Unlabelled({ slice, act }) {
  const { matrix, unlabelled } = slice;
  const counts = matrix.classes.map((/** @type {string} */ _, /** @type {number} */ i) => Number(unlabelled?.[i]) || 0);
  /** @param {number} i @param {number | null} n */
  const put = (i, n) => act.change((now) => ({ ...now, unlabelled: counts.map((/** @type {number} */ old, /** @type {number} */ j) => (j === i ? (n ?? 0) : old)) }), { live: true });
  return html`<details class="unlabelled" open=${unlabelledOf(slice) !== null}>
    <summary>Some truths are missing</summary>
    <p class="hint">The matrix has the cases that were checked. Of the others only the prediction is known: a judge's verdict, a test that was not verified.
      Enter how many there are. It is assumed that the checked ones were chosen at random, given the prediction.</p>
    <div class="fields">${matrix.classes.map(
      (/** @type {string} */ name, /** @type {number} */ i) => html`<${NumberBox} key=${i} label=${`Predicted ${name}, not checked`} value=${counts[i]} low=${0} whole=${true}
        onValue=${(/** @type {number | null} */ n) => put(i, n)} />`,
    )}</div>
    ${unlabelledOf(slice) && html`<p class="buttons small"><button onClick=${() => act.set("unlabelled")(null)}>All truths are known</button></p>`}
  </details>`;
}
