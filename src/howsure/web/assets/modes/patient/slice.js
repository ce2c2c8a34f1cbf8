// @ts-check
/** The inputs of the mode: a test and what it said. */

import { positiveOf } from "../../matrix.js";

/**
 * @typedef {object} Slice
 * @property {import("../../types").Matrix} matrix
 * @property {string|null} label the class that is asked about; null for the positive or the first one
 * @property {number} percent its probability before the test
 * @property {string[]} results what the test said, one after the other
 * @property {any} prior
 * @property {number} level
 * @property {string} kind
 */

/** @type {Slice} */
export const initial = {
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
export function request(slice) {
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
