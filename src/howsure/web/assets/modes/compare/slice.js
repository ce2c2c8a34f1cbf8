// @ts-check
/** The inputs of the mode: two classifiers and the question about them. */

import { declared } from "../../declared.js";
import { isExample } from "../../examples.js";
import { isEmpty } from "../../matrix.js";
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
  return { ...entries, metric, prior, level, kind };
}

/** @typedef {{name: string, matrix: Matrix}} Classifier */

/** The inputs with the matrix of the other tabs as the first. The others stay if they are the user's, under the new names if
 * only names have changed; an example gives way to an empty one, because an answer about somebody else's matrix is none.
 * @param {Slice} slice @param {Matrix} matrix @returns {Slice} */
export function withFirst(slice, matrix) {
  const { classifiers } = sound(slice);
  const [first, ...others] = classifiers;
  if (others.every(isNobodys)) return placed({ ...slice, classifiers: classifiers.slice(0, 2), pair: [0, 1] }, 0, matrix);
  const renamed = JSON.stringify(first.matrix.counts) === JSON.stringify(matrix.counts);
  const { classes, positive } = matrix;
  const alike = (/** @type {Classifier} */ one) => one.matrix.classes.join("\n") === first.matrix.classes.join("\n");
  const kept = others.map((one) => (renamed && alike(one) ? { ...one, matrix: { ...one.matrix, classes, positive } } : one));
  return { ...slice, classifiers: [{ ...first, matrix }, ...kept] };
}

/** The inputs with a matrix that was pasted in place of one of them; the others are emptied if they are nobody's.
 * @param {Slice} slice @param {number} i @param {Matrix} matrix @returns {Slice} */
export function placed(slice, i, matrix) {
  const { classifiers } = slice;
  const alone = classifiers.every((one, j) => j === i || isNobodys(one));
  const empty = { ...matrix, counts: matrix.counts.map((row) => row.map(() => null)) };
  /** @type {Classifier[]} */
  const next = [];
  classifiers.forEach((one, j) => {
    const name = isExample(one.matrix) && (alone || j === i) ? fresh(j === i ? MINE : OTHER, next.map((each) => each.name)) : one.name;
    next.push({ name, matrix: j === i ? matrix : alone ? empty : one.matrix });
  });
  const [, of] = slice.metric.split("@");
  return { ...slice, classifiers: next, metric: of === undefined || of === "macro" || matrix.classes.includes(of) ? slice.metric : initial.metric };
}

/** The inputs with a matrix that was pasted, and where it stands.
 * @param {Slice} slice @param {number | null} touched @param {Matrix} matrix @returns {{slice: Slice, at: number}} */
export function pasted(slice, touched, matrix) {
  const at = Math.max(placeOf(slice, touched), 0);
  if (slice.paired === null && !slice.classifiers.every(isNobodys)) return { slice: placed(slice, at, matrix), at };
  return { slice: withFirst({ ...slice, paired: null, pair: [0, 1] }, matrix), at: 0 };
}

/** Where a matrix goes that is pasted while no cell has the focus: to the one that is empty, else to the one that was touched last.
 * @param {Slice} slice @param {number | null} touched @returns {number} -1: nothing says it */
export function placeOf({ paired, classifiers, pair }, touched) {
  // a pair of answers is none of the matrices behind them, which may be fewer
  if (paired) return 0;
  if (pair.every((i) => isExample(classifiers[i].matrix))) return pair[0];
  return pair.find((i) => isEmpty(classifiers[i])) ?? (touched !== null && pair.includes(touched) ? touched : -1);
}

/** The inputs with a matrix of a file beside those that are there, if it is about the same classes and they are no example.
 * @param {Slice} slice @param {Classifier} one @returns {Slice} */
export function withRead(slice, { name, matrix }) {
  const classes = matrix.classes.join("\n");
  const examples = [SEPARATE, CARRILLO].some((each) => JSON.stringify(each) === JSON.stringify(slice.classifiers));
  const kept = examples ? [] : slice.classifiers.filter((each) => !isEmpty(each) && each.matrix.classes.join("\n") === classes);
  const added = { name: fresh(name, kept.map((each) => each.name)), matrix };
  if (kept.length) return { ...slice, paired: null, classifiers: [...kept, added], pair: [0, kept.length] };
  const empty = { ...matrix, counts: matrix.counts.map((row) => row.map(() => null)) };
  return { ...slice, paired: null, classifiers: [added, { name: fresh(OTHER, [name]), matrix: empty }], pair: [0, 1], metric: initial.metric };
}

const [MINE, OTHER] = ["A", "B"];

/** A name that no other classifier has.
 * @param {string} wanted @param {string[]} taken */
export function fresh(wanted, taken) {
  let name = wanted;
  for (let n = 2; taken.includes(name); n++) name = `${wanted} ${n}`;
  return name;
}

/** Whether somebody has typed or read it. @param {Classifier} one */
const isNobodys = (one) => isEmpty(one) || isExample(one.matrix);
