// @ts-check
/** The inputs of the mode: a goal and what is supposed. */

import { declared } from "../../declared.js";
import { example, isExample } from "../../examples.js";

/**
 * @typedef {"width"|"above"|"chance"|"below"|"difference"|"margin"} Goal
 * @typedef {object} Slice
 * @property {string} metric
 * @property {Goal} goal
 * @property {Record<Goal, number>} targets one for each goal, so that none is lost by trying another; chance has none
 * @property {number} assurance
 * @property {"guess"|"pilot"|"worst"} supposed
 * @property {number} guess of the metric itself
 * @property {{recall: number, specificity: number, prevalence: number}} rates for a metric that is made of them
 * @property {import("../../types").Matrix} pilot
 * @property {number|null} prevalence of the pilot's positive class where the classifier will be used
 * @property {number|null} paired share of the cases on which only one of two is right; null for separate test sets
 * @property {number|null} have cases that one has; 0 for none, null for those of the matrix
 * @property {any} prior
 * @property {number} level
 */

/** @type {Slice} */
export const initial = {
  metric: "recall",
  goal: "width",
  targets: { width: 0.1, above: 0.8, chance: 0, below: 0.95, difference: 0.05, margin: 0.05 },
  assurance: 0.95,
  supposed: "guess",
  guess: 0.9,
  rates: { recall: 0.9, specificity: 0.9, prevalence: 0.1 },
  pilot: example({ classes: ["healthy", "ill"], counts: [[45, 5], [8, 42]], positive: "ill" }),
  prevalence: null,
  paired: null,
  have: null,
  prior: null,
  level: declared.level,
};

/** What one has to suppose: the metric itself, or the rates that make it. @param {Slice} slice */
export const byRates = ({ metric }) => !declared.rates.includes(metric);

/** Cases that one is supposed to have while no matrix is one's own. */
const SUPPOSED = 100;
const OF_ONE = "recall@";
/** Rates of one class, and whether it is the positive one. @type {Record<string, boolean>} */
const OF_POSITIVE = { recall: true, false_negative_rate: true, specificity: false, false_positive_rate: false };

/** Cases that one has: as typed, else those of one's matrix that the plan counts, all or those of one class.
 * @param {Slice} slice @returns {{n: number, from: string}} `from`: where the number comes from if it was not typed */
export function haveOf({ have, pilot, metric }) {
  if (have !== null) return { n: have, from: "" };
  if (isExample(pilot)) return { n: SUPPOSED, from: "" };
  const { classes, counts, positive } = pilot;
  const one = metric.startsWith(OF_ONE) ? classes.indexOf(metric.slice(OF_ONE.length)) : metric in OF_POSITIVE && classes.length === 2 ? classes.findIndex((name) => (name === (positive ?? classes[1])) === OF_POSITIVE[metric]) : -1;
  const n = (one < 0 ? counts : [counts[one]]).flat().reduce((/** @type {number} */ sum, count) => sum + Number(count ?? NaN), 0);
  if (!Number.isInteger(n) || n < 0) return { n: 0, from: "" };
  return { n, from: one < 0 ? "As in your matrix" : `Those of ${classes[one]} in your matrix` };
}

/** Whether two classifiers are planned for. @param {Slice} slice */
export const isPair = ({ goal }) => goal === "difference" || goal === "margin";

/** What may be planned for; of more than two classes a rate is that of one of them. @param {Slice} slice @returns {string[]} */
export const offered = ({ supposed, pilot: { classes } }) =>
  supposed === "pilot" && classes.length > 2 ? [...declared.with_chance, ...classes.map((name) => OF_ONE + name)] : declared.planned;

/** @param {Slice} slice */
function metricOf(slice) {
  const { metric, supposed } = slice;
  const other = supposed === "pilot" ? !declared.planned.includes(metric) : !metric.startsWith(OF_ONE);
  return other || offered(slice).includes(metric) ? metric : offered(slice)[0];
}

/** A slice that came with a link may hold anything; what cannot be shown is replaced.
 * @param {Slice} slice @returns {Slice} */
export const sound = (slice) => ({
  ...slice,
  metric: metricOf(slice),
  goal: slice.goal in slice.targets ? slice.goal : "width",
  prevalence: typeof slice.prevalence === "number" ? slice.prevalence : null,
  paired: typeof slice.paired === "number" ? slice.paired : null,
  have: typeof slice.have === "number" ? slice.have : null,
});

/** A plan may simulate a thousand tests, so it is asked for when one has done typing.
 * @param {Slice} given @param {{live: boolean}} how @returns {{verb: string, body: Record<string, unknown>}|null} */
export const request = (given, { live }) => (live ? null : asked(sound(given)));

/** @param {Slice} slice @returns {{verb: string, body: Record<string, unknown>}} */
export function asked(slice) {
  const { metric, goal, targets, assurance, supposed, prior, level } = slice;
  const aim = goal === "chance" ? { above: "chance" } : { [goal]: targets[goal] };
  const body = /** @type {Record<string, unknown>} */ ({ metric, ...aim, assurance, prior, level });
  if (supposed === "guess") body.guess = byRates(slice) ? slice.rates : slice.guess;
  if (supposed === "pilot") {
    const { pilot, prevalence } = slice;
    body.pilot = pilot;
    if (prevalence !== null) body.prevalence = { label: pilot.positive ?? pilot.classes[pilot.classes.length - 1], share: prevalence / 100 };
  }
  if (isPair(slice) && slice.paired !== null && metric === "accuracy" && supposed !== "pilot") body.paired = slice.paired;
  return { verb: "plan", body };
}

export const EXAMPLES = [
  { name: "How wide is the interval?", patch: {} },
  { name: "Which of two models, on the same cases?", patch: { metric: "accuracy", goal: "difference", paired: 0.1, have: 200 } },
  { name: "PPV of a rare disease", patch: { metric: "precision", rates: { recall: 0.9, specificity: 0.95, prevalence: 0.02 }, have: 1000 } },
];
