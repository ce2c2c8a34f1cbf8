// @ts-check
/** The inputs of the mode: two classifiers and the question about them. */

import { declared } from "../../declared.js";
import { isClassifier, isPaired, only, separated } from "../../paired.js";
import { CARRILLO, SEPARATE } from "./examples.js";

/**
 * @typedef {import("../../types").Matrix} Matrix
 * @typedef {object} Slice
 * @property {{name: string, matrix: Matrix}[]} classifiers with test sets of their own
 * @property {import("../../paired.js").Paired|null} paired the same cases; if there, it is what is compared
 * @property {boolean} apart paired cases taken as separate test sets all the same
 * @property {[number, number]} pair which two
 * @property {string} metric
 * @property {number} rope 0 if every difference matters
 * @property {any} prior
 * @property {number} level
 * @property {string} kind
 */

/** @type {Slice} */
export const initial = {
  classifiers: SEPARATE,
  paired: null,
  apart: false,
  pair: [0, 1],
  metric: "balanced_accuracy",
  rope: 0,
  prior: null,
  level: declared.level,
  kind: declared.kind,
};

/** @param {Slice} slice @returns {string[]} */
export const namesOf = (slice) => (slice.paired ? slice.paired.models : slice.classifiers.map((one) => one.name));

/** @param {Slice} slice @returns {string[]} */
export const classesOf = (slice) => (slice.paired ? slice.paired.classes : slice.classifiers[0].matrix.classes);

/** A slice that came with a link may hold anything; what cannot be shown is replaced.
 * @param {Slice} slice @returns {Slice} */
export function sound(slice) {
  const whole = Array.isArray(slice.classifiers) && slice.classifiers.length > 1 && slice.classifiers.every(isClassifier);
  const classifiers = whole ? slice.classifiers : initial.classifiers;
  const paired = isPaired(slice.paired) ? slice.paired : null;
  const many = (paired ? paired.models : classifiers).length;
  const [a, b] = slice.pair;
  const fits = [a, b].every((i) => Number.isInteger(i) && i >= 0 && i < many) && a !== b;
  return { ...slice, classifiers, paired, pair: fits ? slice.pair : [0, 1] };
}

/** @param {Slice} given */
export function request(given) {
  const slice = sound(given);
  const { paired, apart, pair, metric, rope, prior, level, kind } = slice;
  const asked = { metric, ...(rope > 0 ? { rope } : {}), level, kind };
  if (paired && !apart) return { verb: "compare", body: { paired: only(paired, pair), prior, ...asked } };
  const classifiers = paired ? separated(only(paired, pair)) : pair.map((i) => slice.classifiers[i]);
  return { verb: "compare", body: { classifiers, prior, ...asked } };
}

/** All of them as a leaderboard, which compares every two.
 * @param {Slice} slice */
export function ranked({ classifiers, paired, apart, metric, prior, level, kind }) {
  const entries = paired && !apart ? { source: "paired", paired } : { source: "classifiers", classifiers: paired ? separated(paired) : classifiers };
  return { ...entries, metric, prior, level, kind, prizes: [] };
}

/** The inputs with the matrix of the other tabs as the first. The others stay if they are the user's, under the new names if
 * only names have changed; an example gives way to an empty one, because an answer about somebody else's matrix is none.
 * @param {Slice} slice @param {Matrix} matrix @returns {Slice} */
export function withFirst(slice, matrix) {
  const [first, ...others] = sound(slice).classifiers;
  if (isExample(others) || others.every(isEmpty)) {
    const empty = { ...matrix, counts: matrix.counts.map((row) => row.map(() => null)) };
    return { ...slice, classifiers: [{ name: "this one", matrix }, { name: "the other one", matrix: empty }], pair: [0, 1] };
  }
  const renamed = JSON.stringify(first.matrix.counts) === JSON.stringify(matrix.counts);
  const { classes, positive } = matrix;
  const alike = (/** @type {{name: string, matrix: Matrix}} */ one) => one.matrix.classes.join("\n") === first.matrix.classes.join("\n");
  const kept = others.map((one) => (renamed && alike(one) ? { ...one, matrix: { ...one.matrix, classes, positive } } : one));
  return { ...slice, classifiers: [{ ...first, matrix }, ...kept] };
}

/** @param {{name: string, matrix: Matrix}[]} others */
const isExample = (others) => [SEPARATE, CARRILLO].some((each) => JSON.stringify(each.slice(1)) === JSON.stringify(others));
/** @param {{matrix: Matrix}} one */
const isEmpty = ({ matrix }) => matrix.counts.every((row) => row.every((count) => count === null));
