// @ts-check
/** The inputs of the mode: a test and what it said. */

import { declared } from "../../declared.js";
import { COCAINE, example } from "../../examples.js";
import { positiveOf } from "../../matrix.js";
import { near } from "../../parts/share_slider.js";
import { withStops, wordsAt } from "../../parts/stops.js";

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
  matrix: example({ classes: ["healthy", "ill"], counts: [[190, 10], [5, 45]], positive: "ill" }),
  label: null,
  percent: 2,
  results: ["positive"],
  prior: null,
  level: declared.level,
  kind: declared.kind,
};

/** @param {Slice} slice @returns {string} */
export const labelOf = ({ label, matrix }) =>
  label !== null && matrix.classes.includes(label) ? label : (positiveOf(matrix.classes, matrix.positive) ?? matrix.classes[matrix.classes.length === 2 ? 1 : 0]);

/** What a test can say: positive or negative, or one of many classes. @param {Slice} slice @returns {string[]} */
export const possible = ({ matrix }) => (matrix.classes.length === 2 ? ["positive", "negative"] : matrix.classes);

/** Results that the test can give; a link, or other classes, may have left others.
 * @param {Slice} slice @returns {Slice} */
export function sound(slice) {
  const known = possible(slice);
  const results = slice.results.filter((one) => known.includes(one));
  return { ...slice, results: results.length ? results : [known[0]] };
}

/** @param {import("../../types").Answer} before @param {import("../../types").Answer} answer */
export function merged(before, answer) {
  if (answer.shown.stops) {
    // the first stop is where the hand was when it was asked for; it may have gone on further than the others reach
    const [words, here] = [answer.shown.stops[0], answer.drawing.stops[0]];
    return withStops({ ...before, shown: { ...before.shown, ...words }, drawing: { ...before.drawing, here } }, answer);
  }
  const { frequencies } = before.shown;
  const { curve } = before.drawing;
  return { ...answer, shown: { ...answer.shown, frequencies }, drawing: { ...answer.drawing, curve } };
}

/** The answer where the slider stands, if it is among the stops that are known.
 * @param {import("../../types").Answers} answers @param {Slice} slice @returns {import("../../types").Answers} */
export function moved({ current, ...rest }, { percent }) {
  const here = percent / 100;
  const words = current && wordsAt(current, here);
  return { current: words ? { ...current, shown: { ...current.shown, ...words }, drawing: { ...current.drawing, here } } : current, ...rest };
}

/** Whether the law has a closed form, so that many places of the slider are one quick answer. @param {Slice} slice */
const quick = ({ matrix, results, prior, percent }) =>
  matrix.classes.length === 2 && results.length === 1 && prior !== "learned" && percent > 0 && percent < 100;

/** While the slider moves, its curve stays the same, and people are counted when it rests.
 * @param {Slice} given @param {{live: boolean, part?: string}} how @returns {import("../../types").Request} */
export function request(given, { part }) {
  const slice = sound(given);
  const { matrix, percent, results, prior, level, kind } = slice;
  const label = labelOf(slice);
  // with two classes a positive result speaks for the class that is asked about
  const positive = matrix.classes.length === 2 ? label : null;
  const body = { matrix: { ...matrix, positive }, label, pre_test: percent / 100, results, prior, level, kind };
  if (!part) return { verb: "post_test", body };
  if (!quick(slice)) return { verb: "post_test", body: { ...body, want: [] } };
  const stops = [...new Set([percent, ...near(percent)])].map((each) => each / 100);
  return { verb: "post_test", body: { ...body, pre_test: 0.5, stops }, known: true };
}

export const EXAMPLES = [
  { name: "Screening for a disease", hint: "A test that was tried on 250 people", patch: {} },
  { name: "Screened twice", hint: "The same test again, after a positive result", patch: { results: ["positive", "positive"] } },
  { name: "One cocaine sample", hint: "34 confiscated samples, Toetsch and Hoffmann (2020)", patch: { matrix: COCAINE, percent: 50 } },
];
