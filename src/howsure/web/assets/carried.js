// @ts-check
/**
 * What the tabs share: one matrix and one set of settings. Each keeps its inputs to itself in the document, so that old
 * links open as they were; a change in one is made in the others at once, and in what they would undo to.
 *
 * @typedef {import("./types").Mode} Mode
 */

import { declared } from "./declared.js";

/** Settings by one name in every tab that has them. */
const SETTINGS = ["prior", "level", "kind"];

/** The inputs of a tab with what an example or a file brings: its settings stay as they are, but for a prior that there is
 * none of for so many classes.
 * @param {Mode} mode @param {any} now @param {object} patch */
export function filled({ initial, kept, matrixOf }, now, patch) {
  const settings = SETTINGS.filter((key) => key in now).map((key) => [key, now[key]]);
  const next = { ...initial, ...Object.fromEntries(settings), ...kept?.(now), ...patch };
  const classes = declared.priors.find(({ value }) => value === next.prior)?.classes ?? null;
  const size = matrixOf?.(next)?.classes.length;
  return classes === null || size === undefined || classes === size ? next : { ...next, prior: null };
}

/**
 * What a change in one tab means for the inputs of another.
 * @param {Mode} from @param {any} before @param {any} after
 * @returns {((to: Mode, inputs: any) => any) | null} null: nothing that is shared has changed
 */
export function carrier(from, before, after) {
  const changed = SETTINGS.filter((key) => key in after && before[key] !== after[key]);
  const metric = chosenMetric(from, before, after);
  const matrix = from.matrixOf?.(after);
  const was = from.matrixOf?.(before);
  // without one before, nothing was typed: the tab only shows its matrix again
  const same = !matrix || !was || JSON.stringify(matrix) === JSON.stringify(was);
  if (same && !changed.length && !metric) return null;
  return (to, inputs) => {
    const fitting = changed.filter((key) => key in inputs);
    const kept = fitting.length ? { ...inputs, ...Object.fromEntries(fitting.map((key) => [key, after[key]])) } : inputs;
    const set = metric && to.name === "compare" && !kept.paired ? { ...kept, metric } : kept;
    return same || !to.withMatrix ? set : to.withMatrix(set, matrix);
  };
}

/** The metric that was chosen last in Evaluate, by which Compare goes on. @param {Mode} from @param {any} before @param {any} after @returns {string | undefined} */
function chosenMetric({ name }, before, after) {
  if (name !== "evaluate" || !after.metrics?.length || before.metrics === after.metrics) return undefined;
  return after.metrics.find((/** @type {string} */ each) => before.metrics && !before.metrics.includes(each)) ?? after.metrics[0];
}
