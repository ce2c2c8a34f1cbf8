// @ts-check
/** One patient or sample: how probable a class is once the test has spoken. */

import { html } from "../html.js";
import { positiveOf } from "../matrix.js";
import { Verdict } from "../parts/verdict.js";
import { PatientAnswer } from "./patient_answers.js";
import { PatientInputs } from "./patient_inputs.js";

/**
 * @typedef {object} Slice
 * @property {import("../types").Matrix} matrix
 * @property {string|null} label the class that is asked about; null for the positive or the first one
 * @property {number} percent its probability before the test
 * @property {string[]} results what the test said, one after the other
 * @property {any} prior
 * @property {number} level
 * @property {string} kind
 */

/** @type {Slice} */
const initial = {
  matrix: { classes: ["healthy", "ill"], counts: [[190, 10], [5, 45]], positive: "ill" }, // prettier-ignore
  label: null,
  percent: 2,
  results: ["positive"],
  prior: null,
  level: 0.95,
  kind: "hdi",
};

/** @param {Slice} slice @returns {string} */
export const labelOf = ({ label, matrix }) =>
  label !== null && matrix.classes.includes(label) ? label : (positiveOf(matrix.classes, matrix.positive) ?? matrix.classes[0]);

/** What a test can say: positive or negative, or one of many classes. @param {Slice} slice @returns {string[]} */
export const possible = ({ matrix }) => (matrix.classes.length === 2 ? ["positive", "negative"] : matrix.classes);

/** @param {Slice} slice */
function request(slice) {
  const { matrix, percent, prior, level, kind } = slice;
  const label = labelOf(slice);
  const results = slice.results.filter((one) => possible(slice).includes(one));
  // with two classes a positive result speaks for the class that is asked about
  const positive = matrix.classes.length === 2 ? label : null;
  return {
    verb: "post_test",
    body: { matrix: { ...matrix, positive }, label, pre_test: percent / 100, results: results.length ? results : [possible(slice)[0]], prior, level, kind },
  };
}

/** @type {import("../types").Mode} */
export const patient = {
  name: "patient",
  title: "One patient or sample",
  initial,
  request,
  view: (slice, answers, act) => html`
    <${Verdict} answers=${answers} />
    <${PatientInputs} slice=${slice} answers=${answers} act=${act} />
    <${PatientAnswer} slice=${slice} answers=${answers} />`,
};
