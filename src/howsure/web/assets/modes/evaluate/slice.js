// @ts-check
/** The inputs of Evaluate, and the question that they ask. */

import { declared, examples } from "../../declared.js";
import { positiveOf, worstRecalls } from "../../matrix.js";
import { groupsOf, unlabelledOf } from "../../parts/counted.js";
import { asked } from "../../parts/prevalence.js";

/** Places of a slider in one question, at most. */
const MOST_PLACES = 400;
const LIVE = ["densities", "rates", "predictive", "frequencies"];

/** The last answer with other thresholds. @param {import("../../types").Answer} before @param {import("../../types").Answer} answer */
export const merged = (before, answer) => ({ ...before, shown: { ...before.shown, thresholds: answer.shown.thresholds } });

/** What is asked for while a threshold moves: the metrics follow when it rests. @param {any} body */
const ofThresholds = (body) => ({ ...body, metrics: Object.keys({ ...body.thresholds, ...body.below }), want: [] });

/** What is asked about the places of the slider of the prevalence: the same wherever it stands. @param {any} slice @returns {import("../../parts/share_slider.js").Question} */
export function aboutPlaces(slice) {
  const { prevalence: _, replicate: __, ...body } = /** @type {any} */ (request({ ...slice, thresholds: {}, below: {} }, { live: true })).body;
  // a place takes longer where there are more classes
  return { verb: "report", body: { ...body, want: [] }, few: 128 / slice.matrix.classes.length, most: MOST_PLACES };
}

export const initial = {
  matrix: examples.evaluate[0].patch.matrix,
  /** Cases without a truth by what they were called, or null. */
  unlabelled: null,
  /** Counts by group, cells [group, true, pred, count], or null; and what numbers are about, or null for the default. */
  groups: null,
  about: null,
  /** Names, or null for those of the report. */
  metrics: null,
  /** A name, {a, b}, or null for the default. */
  prior: null,
  level: declared.level,
  kind: declared.kind,
  prevalence: { choice: "test", percent: 1, cases: 12, of: 240 },
  /** The class that the prevalence is of; null for the positive or first one. */
  label: null,
  /** By metric, what it is asked to be above, and below. */
  thresholds: {},
  below: {},
  /** What a further `more` cases, or null, would change in whether a metric, or the first one, is above a number. */
  outlook: { metric: null, above: 0.8, more: null },
  /** What a false alarm and a miss cost, or null. */
  cost: { fp: 1, fn: null },
  /** Cases of another test, or null. */
  replicate: null,
};

/** Up to so many classes a report is asked for in full. */
export const MOST_IN_FULL = 12;
/** Of the report's metrics. */
const FIRST = "accuracy";
const OVERALL = ["balanced_accuracy", "accuracy", "f1@macro", "mcc", "kappa"];
export const WORST = 10;
/** Of two classes: metrics for which either may be the positive one, and those of each. */
const ALIKE = ["balanced_accuracy", "accuracy", "mcc", "kappa"];
const EACH = ["recall", "precision"];
/** Random numbers that a server for everybody makes for one answer. */
const MOST_NUMBERS = 2.4e7;

/** @param {any} slice @returns {string} */
export const labelOf = ({ label, matrix }) => (matrix.classes.includes(label) ? label : (positiveOf(matrix.classes, matrix.positive) ?? matrix.classes[0]));

/** Whether a metric's name is of a class that is there. @param {any} slice @param {string} name */
function known({ matrix }, name) {
  const at = name.lastIndexOf("@");
  return at < 0 || ["macro", "micro", "weighted", ...matrix.classes].includes(name.slice(at + 1));
}

/** While the prevalence moves nothing is asked: what is said at its places is known beforehand.
 * @param {any} slice @param {import("../../types").How} how @returns {import("../../types").Request | null} */
export function request(slice, { live, part }) {
  if (part === "prevalence") return null;
  const metrics = (slice.metrics ?? standard(slice.matrix)).filter((/** @type {string} */ name) => known(slice, name));
  /** @param {Record<string, number>} cuts */
  const there = (cuts) => Object.fromEntries(Object.entries(cuts).filter(([name]) => known(slice, name) && (!metrics.length || metrics.includes(name))));
  const [thresholds, below] = [there(slice.thresholds), there(slice.below)];
  const label = labelOf(slice);
  /** @type {Record<string, unknown>} */
  const body = {
    matrix: { ...slice.matrix, positive: positiveOf(slice.matrix.classes, slice.matrix.positive) },
    level: slice.level,
    kind: slice.kind,
    label,
    want: live ? LIVE : [...LIVE, "sensitivity", ...(slice.replicate ? ["replication"] : [])],
    thresholds,
    below,
  };
  const size = slice.matrix.classes.length;
  if (size > MOST_IN_FULL) body.draws = Math.min(declared.draws, 100 * Math.floor(MOST_NUMBERS / (size * (size + 21)) / 100));
  if (metrics.length) body.metrics = metrics;
  const unlabelled = unlabelledOf(slice);
  if (unlabelled) Object.assign(body, { unlabelled, want: ["densities"] });
  const groups = unlabelled ? null : groupsOf(slice);
  if (groups) Object.assign(body, { groups }, slice.about === "new" || slice.about === "these" ? { about: slice.about } : {});
  if (slice.prior !== null) body.prior = slice.prior;
  if (!live && !unlabelled) body.want = [.../** @type {string[]} */ (body.want), ...further(slice, body)];
  if (slice.replicate && !unlabelled) body.replicate = slice.replicate;
  const prevalence = asked(slice.prevalence, label);
  if (prevalence && !unlabelled) body.prevalence = prevalence;
  return { verb: "report", body: part ? ofThresholds(body) : body };
}

/** What is asked for beside the report where its boxes are filled; their fields are added to the body.
 * @param {any} slice @param {any} body @returns {string[]} */
function further({ matrix, outlook, cost }, body) {
  const wanted = [];
  if (outlook.more) {
    const metric = outlook.metric !== null && known({ matrix }, outlook.metric) ? outlook.metric : (body.metrics?.[0] ?? FIRST);
    body.outlook = { metric, above: outlook.above, more: outlook.more };
    wanted.push("outlook");
  }
  if (positiveOf(matrix.classes, matrix.positive) !== null && cost.fp && cost.fn) {
    body.cost = cost;
    wanted.push("cost");
  }
  return wanted;
}

/** The metrics of the report; with many classes those of all of them, and the worst recalls; of two none of which is known to
 * be the positive one, what is the same for both or is said of each.
 * @param {import("../../types").Matrix} matrix @returns {string[]} none: those of the report */
function standard({ classes, counts, positive }) {
  if (classes.length > MOST_IN_FULL) return [...OVERALL, ...worstRecalls({ classes, counts, positive }, WORST)];
  const open = classes.length === 2 && positiveOf(classes, positive) === null;
  return open ? [...ALIKE, ...EACH.flatMap((name) => classes.map((one) => `${name}@${one}`))] : [];
}

/** Inputs that a link or a file brought, without what is of the wrong kind; what is right stays the same object, so that
 * what hangs on it is not drawn again. @param {any} slice */
export function sound(slice) {
  const { metrics, prior, label, thresholds, below, outlook, cost, replicate } = slice;
  const own = prior !== null && typeof prior === "object" && typeof prior.a === "number" && typeof prior.b === "number";
  return {
    ...slice,
    metrics: !Array.isArray(metrics) ? null : metrics.every(isText) ? metrics : metrics.filter(isText),
    prior: typeof prior === "string" || own ? prior : null,
    label: typeof label === "string" ? label : null,
    thresholds: numbers(thresholds),
    below: numbers(below),
    outlook: isNumber(outlook.above) && (outlook.metric === null || isText(outlook.metric)) && maybe(outlook.more) ? outlook : initial.outlook,
    cost: maybe(cost.fp) && maybe(cost.fn) ? cost : initial.cost,
    replicate: typeof replicate === "number" ? replicate : null,
  };
}

/** @param {Record<string, unknown>} named */
const numbers = (named) => (Object.values(named).every(isNumber) ? named : Object.fromEntries(Object.entries(named).filter(([, x]) => isNumber(x))));
/** @param {unknown} x */
const maybe = (x) => x === null || isNumber(x);
/** @param {unknown} x */
const isNumber = (x) => typeof x === "number";
/** @param {unknown} x */
const isText = (x) => typeof x === "string";
