// @ts-check
/**
 * The document: one plain object that says all the page shows. It is what a link carries and a session file holds.
 *
 * @typedef {import("./types").Document} Document
 * @typedef {import("./types").How} How
 */

/** So long may two changes of one series lie apart and still be undone together. */
const SERIES_MS = 1500;
const MOST_STEPS = 200;

/** @type {Document} */
let present = { v: 1, mode: "" };
/** @type {Document[]} */
let past = [];
/** @type {Document[]} */
let future = [];
/** The series that the last change belongs to, and when it was. */
let series = { name: "", at: 0 };
/** @type {Set<(now: Document, how: How) => void>} */
const listeners = new Set();

/** @returns {Document} */
export function get() {
  return present;
}

/**
 * Replaces the whole document and forgets the steps before: for the first page, a link or a session file.
 * @param {Document} next
 */
export function start(next) {
  past = [];
  future = [];
  series = { name: "", at: 0 };
  settle(next, {});
}

/**
 * @param {string | ((now: Document) => Document)} what a path such as "evaluate.matrix.counts.0.1", or a function
 * @param {unknown} [value] for a path
 * @param {How & {silent?: boolean}} [how] `silent`: no step of undo (the tab that is open)
 */
export function update(what, value, how = {}) {
  const next = typeof what === "function" ? what(present) : /** @type {Document} */ (put(present, what, value));
  if (next === present) return;
  if (!how.silent) {
    const name = how.live ? (typeof what === "string" ? what : "change") : "";
    const now = Date.now();
    if (!name || name !== series.name || now - series.at > SERIES_MS) past = [...past.slice(1 - MOST_STEPS), present];
    series = { name, at: now };
    future = [];
  }
  settle(next, how);
}

/**
 * A part of the document that was not there before; every step of undo has it too.
 * @param {string} key
 * @param {unknown} value
 */
export function extend(key, value) {
  const extended = (/** @type {Document} */ doc) => (key in doc ? doc : { ...doc, [key]: value });
  past = past.map(extended);
  future = future.map(extended);
  settle(extended(present), {});
}

export function undo() {
  const before = past[past.length - 1];
  if (!before) return;
  past = past.slice(0, -1);
  future = [present, ...future];
  series = { name: "", at: 0 };
  settle(before, {});
}

export function redo() {
  const [after, ...rest] = future;
  if (!after) return;
  future = rest;
  past = [...past, present];
  series = { name: "", at: 0 };
  settle(after, {});
}

export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

/**
 * @param {(now: Document, how: How) => void} listener
 * @returns {() => void} ends the subscription
 */
export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * A copy of `whole` with `value` at the path; what is not on the way is shared.
 * @param {any} whole
 * @param {string} path
 * @param {unknown} value
 * @returns {any}
 */
export function put(whole, path, value) {
  const [key, ...rest] = path.split(".");
  const inner = rest.length ? put(whole?.[key] ?? {}, rest.join("."), value) : value;
  if (Array.isArray(whole)) return whole.map((old, i) => (String(i) === key ? inner : old));
  return { ...whole, [key]: inner };
}

/**
 * @param {Document} next
 * @param {How} how
 */
function settle(next, how) {
  present = next;
  for (const listener of listeners) listener(present, how);
}
