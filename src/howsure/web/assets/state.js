// @ts-check
/** The document: one plain object that says all the page shows; and what its tabs share: one matrix and one set of settings. */

import { declared } from "./declared.js";

/** What an input is that came from elsewhere, for `fits` of a mode. @param {unknown} x */
export const isText = (x) => typeof x === "string";
/** @param {unknown} x */
export const isNumber = (x) => typeof x === "number";
/** @param {(x: any) => boolean} fits @returns {(x: any) => boolean} */
export const orNull = (fits) => (x) => x === null || fits(x);
/** @param {(x: any) => boolean} fits @param {number} [least] @returns {(x: any) => boolean} */
export const listOf = (fits, least = 0) => (x) => Array.isArray(x) && x.length >= least && x.every(fits);
/** @param {string[]} words @returns {(x: any) => boolean} */
export const among = (...words) => (x) => words.includes(x);

/** Settings by one name in every tab that has them. */
const SETTINGS = ["prior", "level", "kind"];

/** The inputs of a tab with what an example or a file brings: its settings stay as they are, but for a prior that there is none of for so many
 * classes. @param {Mode} mode @param {any} now @param {object} patch */
export function filled({ initial, kept, matrixOf }, now, patch) {
  const settings = SETTINGS.filter((key) => key in now).map((key) => [key, now[key]]);
  const next = { ...initial, ...Object.fromEntries(settings), ...kept?.(now), ...patch };
  const classes = declared.priors.find(({ value }) => value === next.prior)?.classes ?? null;
  const size = matrixOf?.(next)?.classes.length;
  return classes === null || size === undefined || classes === size ? next : { ...next, prior: null };
}

/** What a change in one tab means for the inputs of another. @param {Mode} from @param {any} before @param {any} after
 * @returns {((to: Mode, inputs: any) => any) | null} null: nothing that is shared has changed */
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
    const [, of = "macro"] = metric?.split("@") ?? [];
    // a metric of a class asks for that class
    const there = ["macro", ...(to.matrixOf?.(kept)?.classes ?? [])].includes(of);
    const set = metric && to.name === "compare" && there ? { ...kept, metric } : kept;
    return same || !to.withMatrix ? set : to.withMatrix(set, matrix);
  };
}

/** The metric that was chosen last in Evaluate, by which Compare goes on. @param {Mode} from @param {any} before @param {any} after @returns {string | undefined} */
function chosenMetric({ name }, before, after) {
  if (name !== "evaluate" || !after.metrics?.length || before.metrics === after.metrics) return undefined;
  return after.metrics.find((/** @type {string} */ each) => before.metrics && !before.metrics.includes(each)) ?? after.metrics[0];
}

/** So long may two changes of one series lie apart and still be undone together. */
const SERIES_MS = 1500;
const MOST_STEPS = 200;

/** @typedef {(mode: string, before: any, after: any) => ((mode: string, inputs: any) => any) | null} Carrier */
/** @typedef {{past: any[], future: any[], series: {name: string, at: number}}} Steps of undo of one tab: its inputs, before and after */

/** @type {PageDocument} */
let present = { v: 1, mode: "" };
/** By tab: what is undone in one tab was done there. @type {Record<string, Steps>} */
let steps = {};
/** What a change in one tab means for another; see `carrying`. @type {Carrier} */
let rule = () => null;
/** @type {Set<(now: PageDocument, how: How) => void>} */
const listeners = new Set();

/** @param {Carrier} given by which what changes in one tab changes in the others */
export function carrying(given) {
  rule = given;
}

/** @returns {PageDocument} */
export function get() {
  return present;
}

/** Replaces the whole document and forgets the steps before: for the first page, a link or a session file. @param {PageDocument} next */
export function start(next) {
  steps = {};
  settle(next, {});
}

/** Another tab is open; this is no step of undo. @param {string} mode */
export function open(mode) {
  if (mode !== present.mode) settle({ ...present, mode }, {});
}

/** A change of the inputs of one tab. @param {string} mode @param {(inputs: any) => any} fn @param {How & {path?: string}} [how] `path`: of the
 * input that changes, which a series of changes is known by */
export function change(mode, fn, how = {}) {
  const before = present[mode];
  const after = fn(before);
  if (after === before) return;
  const { past, series } = stepsOf(mode);
  const name = how.live ? (how.path ?? "change") : "";
  const now = Date.now();
  const goesOn = name && name === series.name && now - series.at <= SERIES_MS;
  steps = { ...steps, [mode]: { past: goesOn ? past : [...past.slice(1 - MOST_STEPS), before], future: [], series: { name, at: now } } };
  settle(carried(mode, after), how);
}

/** The document with other inputs of one tab, and what these mean for the other tabs. The steps of those have it too: what was done here is not
 * undone there. @param {string} mode @param {any} after @returns {PageDocument} */
function carried(mode, after) {
  const to = rule(mode, present[mode], after);
  const next = { ...present, [mode]: after };
  if (!to) return next;
  for (const other of Object.keys(present).filter((key) => key !== mode && key !== "v" && key !== "mode")) {
    next[other] = to(other, present[other]);
    const { past, future, series } = stepsOf(other);
    const moved = (/** @type {any} */ inputs) => to(other, inputs);
    steps = { ...steps, [other]: { past: past.map(moved), future: future.map(moved), series } };
  }
  return next;
}

/** @param {string} mode */
export function undo(mode) {
  const { past, future } = stepsOf(mode);
  if (!past.length) return;
  steps = { ...steps, [mode]: { past: past.slice(0, -1), future: [present[mode], ...future], series: NONE } };
  settle(carried(mode, past[past.length - 1]), {});
}

/** @param {string} mode */
export function redo(mode) {
  const { past, future } = stepsOf(mode);
  if (!future.length) return;
  steps = { ...steps, [mode]: { past: [...past, present[mode]], future: future.slice(1), series: NONE } };
  settle(carried(mode, future[0]), {});
}

const NONE = { name: "", at: 0 };
/** @param {string} mode @returns {Steps} */
const stepsOf = (mode) => steps[mode] ?? { past: [], future: [], series: NONE };
/** @param {string} mode */
export const canUndo = (mode) => stepsOf(mode).past.length > 0;
/** @param {string} mode */
export const canRedo = (mode) => stepsOf(mode).future.length > 0;

/** @param {(now: PageDocument, how: How) => void} listener @returns {() => void} ends the subscription */
export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A copy of `whole` with `value` at the path; what is not on the way is shared. @param {any} whole @param {string} path @param {unknown} value
 * @returns {any} */
export function put(whole, path, value) {
  const [key, ...rest] = path.split(".");
  const inner = rest.length ? put(whole?.[key] ?? {}, rest.join("."), value) : value;
  if (Array.isArray(whole)) return whole.map((old, i) => (String(i) === key ? inner : old));
  return { ...whole, [key]: inner };
}

/** @param {PageDocument} next @param {How} how */
function settle(next, how) {
  present = next;
  for (const listener of listeners) listener(present, how);
}
