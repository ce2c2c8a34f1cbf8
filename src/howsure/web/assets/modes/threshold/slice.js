// @ts-check
/** The inputs of the mode: scores as counts, where the threshold stands, and what it is to be best for. */

import { declared } from "../../declared.js";
import { BREAST } from "./example.js";

/**
 * @typedef {{classes: string[], positive: string|null, cells: number[][]}} Scores cells: score, cases of either class
 * @typedef {object} Slice
 * @property {Scores} scores
 * @property {number|null} at the place of the slider as a score; null for where the answer puts it
 * @property {number|null} typed a threshold that was typed and may be no place of the slider
 * @property {"roc"|"precision_recall"} curve
 * @property {string} best "" for none
 * @property {{fp: number, fn: number}} cost
 * @property {boolean} benefit whether net benefit is asked for
 * @property {number|null} prevalence in per cent; null for that of the cases
 * @property {any} prior
 * @property {number} level
 * @property {string} kind
 */

/** @type {Slice} */
export const initial = {
  scores: BREAST,
  at: null,
  typed: null,
  curve: "roc",
  best: "",
  cost: { fp: 1, fn: 5 },
  benefit: false,
  prevalence: null,
  prior: null,
  level: declared.level,
  kind: declared.kind,
};

const CURVES = ["roc", "precision_recall"];
const BESTS = ["balanced_accuracy", "f1", "cost"];

/** @param {any} value @param {(x: number) => boolean} fits */
const number = (value, fits) => (typeof value === "number" && Number.isFinite(value) && fits(value) ? value : null);

/** A slice that came with a link may hold anything; what cannot be shown is replaced.
 * @param {Slice} slice @returns {Slice} */
export const sound = (slice) => ({
  ...slice,
  scores: isScores(slice.scores) ? slice.scores : BREAST,
  at: number(slice.at, () => true),
  typed: number(slice.typed, () => true),
  curve: CURVES.includes(slice.curve) ? slice.curve : "roc",
  best: BESTS.includes(slice.best) ? slice.best : "",
  prevalence: number(slice.prevalence, (x) => x > 0 && x < 100),
});

/** @param {any} given */
const isScores = (given) =>
  Array.isArray(given?.classes) && given.classes.length === 2 && given.classes.every((/** @type {any} */ name) => typeof name === "string") &&
  Array.isArray(given.cells) && given.cells.length > 1 && given.cells.every((/** @type {any} */ cell) => Array.isArray(cell) && cell.length === 3 && cell.every(Number.isFinite));

/** Whether the scores may be probabilities, for which alone there is a net benefit. @param {Slice} slice */
export const areRisks = ({ scores }) => scores.cells.every(([score]) => score >= 0 && score <= 1);

/** Nothing is asked for while a hand moves: all places of the slider are known.
 * @param {Slice} given @param {{live: boolean}} how @returns {{verb: string, body: Record<string, unknown>}|null} */
export const request = (given, { live }) => (live ? null : asked(sound(given)));

/** @param {Slice} slice @returns {{verb: string, body: Record<string, unknown>}} */
export function asked(slice) {
  const { scores, typed, curve, best, cost, prevalence, prior, level, kind } = slice;
  const body = /** @type {Record<string, unknown>} */ ({ scores, curve, prior, level, kind });
  if (typed !== null) body.at = typed;
  if (best) body.best = best;
  if (best === "cost") body.cost = cost;
  if (slice.benefit && areRisks(slice)) body.net_benefit = true;
  if (prevalence !== null) body.prevalence = prevalence / 100;
  return { verb: "threshold", body };
}

/** The place of the slider among the stops of an answer; where none was chosen, that of the answer.
 * @param {import("../../types").Answer | null} current @param {Slice} slice @returns {number} */
export function placeOf(current, { at, typed, best }) {
  if (!current) return 0;
  const { stops, here } = current.drawing;
  if (typed !== null && stops.includes(typed)) return stops.indexOf(typed);
  if (at === null) return best && current.drawing.best !== null ? current.drawing.best : here;
  let near = 0;
  stops.forEach((/** @type {number} */ stop, /** @type {number} */ i) => {
    if (Math.abs(stop - at) < Math.abs(stops[near] - at)) near = i;
  });
  return near;
}

/** The answer with the sentence of where the slider stands.
 * @param {import("../../types").Answers} answers @param {Slice} slice @returns {import("../../types").Answers} */
export function moved(answers, slice) {
  const { current } = answers;
  if (!current) return answers;
  const verdict = current.shown.stops[placeOf(current, slice)].said;
  return { ...answers, current: { ...current, shown: { ...current.shown, verdict } } };
}

export const EXAMPLES = [
  { name: "Breast cancer, 190 samples", hint: "Probabilities of a classifier that was tested on cases it had not seen", patch: {} },
  { name: "A rare disease", hint: "The same scores where one of a hundred is malignant", patch: { prevalence: 1, curve: "precision_recall" } },
  { name: "A miss costs five false alarms", patch: { best: "cost" } },
];
