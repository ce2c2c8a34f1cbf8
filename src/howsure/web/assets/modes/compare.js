// @ts-check
/** Compare: is A better than B, by how much, and does it matter? */

import { html } from "../html.js";
import { only, separated } from "../paired.js";
import { Verdict } from "../parts/verdict.js";
import { Answer } from "./compare_answers.js";
import { EXAMPLES, SEPARATE } from "./compare_examples.js";
import { Inputs } from "./compare_inputs.js";

/**
 * @typedef {import("../types").Matrix} Matrix
 * @typedef {object} Slice
 * @property {{name: string, matrix: Matrix}[]} classifiers with test sets of their own
 * @property {import("../paired.js").Paired|null} paired the same cases; if there, it is what is compared
 * @property {boolean} apart paired cases taken as separate test sets all the same
 * @property {[number, number]} pair which two
 * @property {string} metric
 * @property {number|null} rope
 * @property {any} prior
 * @property {number} level
 * @property {string} kind
 */

/** @type {Slice} */
const initial = {
  classifiers: SEPARATE,
  paired: null,
  apart: false,
  pair: [0, 1],
  metric: "balanced_accuracy",
  rope: 0.02,
  prior: null,
  level: 0.95,
  kind: "hdi",
};

/** @param {Slice} slice @returns {string[]} */
export const namesOf = (slice) => (slice.paired ? slice.paired.models : slice.classifiers.map((one) => one.name));

/** @param {Slice} slice @returns {string[]} */
export const classesOf = (slice) => (slice.paired ? slice.paired.classes : slice.classifiers[0].matrix.classes);

/** @param {Slice} slice */
function request(slice) {
  const { paired, apart, pair, metric, rope, prior, level, kind } = slice;
  const asked = { metric, ...(rope === null ? {} : { rope }), prior, level, kind };
  if (paired && !apart) return { verb: "compare", body: { paired: only(paired, pair), ...asked } };
  const all = paired ? separated(paired) : slice.classifiers;
  return { verb: "compare", body: { classifiers: pair.map((i) => all[i]), ...asked } };
}

/** @type {import("../types").Mode} */
export const compare = {
  name: "compare",
  title: "Compare",
  initial,
  request,
  view: (slice, answers, act) => html`
    <${Verdict} answers=${answers} />
    <${Inputs} slice=${slice} answers=${answers} act=${act} examples=${EXAMPLES} />
    <${Answer} slice=${slice} answers=${answers} />`,
};
