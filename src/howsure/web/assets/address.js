// @ts-check
/**
 * The entries of the browser's history, one for each tab that was opened, and the address, which follows the inputs.
 * An entry holds its inputs, so that a reload loses nothing; its address is a link to them, which is never sent.
 *
 * @typedef {import("./types").Document} Document
 * @typedef {{howsure: 1, series: string, mode: string, document: Document}} Entry
 */

import { timer } from "./pending.js";
import { essence, linkOf } from "./share.js";
import * as state from "./state.js";

/** Browsers refuse to note more than some hundred changes in half a minute: some are noted at once, what follows them when it rests. */
const RESTS_MS = 400;
const AT_ONCE_MS = 4000;

/** What the present entry holds: `text` null where it is not ours yet. */
const entry = { series: "", text: /** @type {string | null} */ (null) };
/** The newest inputs of each series: one matrix for all tabs, also for those that are gone back to. @type {Map<string, Document>} */
const newest = new Map();
const rest = timer();
/** Until this moment what was noted, at one in each rest, is more than may be noted at once. */
let noted = 0;
/** @type {Document} */
let shape = state.get();

/** @param {Document} untouched the document of a page that nobody touched */
export function follow(untouched) {
  shape = untouched;
  state.subscribe((_, { part }) => {
    // to pack eight links takes longer than eight steps of a slider: after the first one it is noted when it rests
    rest.start(note, noted > Date.now() - (part ? AT_ONCE_MS : 0) ? RESTS_MS : 0);
  });
  // what is noted while a page goes is lost where it goes by a reload
  for (const leaving of ["beforeunload", "pagehide"]) addEventListener(leaving, () => note(false));
}

/** @returns {Entry | null} what the present entry holds, if it is ours */
export const kept = () => (history.state?.howsure === 1 ? history.state : null);

/** The newest inputs that belong to an entry. @param {Entry} held @returns {Document} */
export const documentOf = (held) => ({ ...(newest.get(held.series) ?? held.document), mode: held.mode });

/** Whether an entry is of the document that is open. @param {Entry} held */
export const isOpen = (held) => held.series === entry.series;

/**
 * The document that is open is now what the present entry holds. Its address stays until something changes.
 * @param {string} [series] of documents; empty: a new one
 */
export function take(series = "") {
  hold("replaceState", series);
}

/**
 * A new entry, for what `change` does to the document.
 * @param {() => void} change
 * @param {string} [series] as in `take`
 */
export function step(change, series = entry.series) {
  note(false);
  change();
  hold("pushState", series);
  readdress();
}

/** The entry that was gone to is that of a document that is open: its address may be of older inputs. */
export function arrive() {
  take(entry.series);
  readdress();
}

/** Nothing is written to this entry: its link is damaged, and stays there to be seen. */
export function disown() {
  rest.stop();
  entry.text = null;
}

/** Writes what has changed since it was last written. @param {boolean} [address] and the address with it; else that is still
 * to follow, for who is asked whether to leave may stay */
function note(address = true) {
  const before = entry.text;
  const text = essence(state.get(), shape);
  if (before === null || text === before) return;
  entry.text = text;
  noted = Math.max(noted, Date.now() - AT_ONCE_MS) + RESTS_MS;
  record("replaceState");
  if (address) readdress();
  else entry.text = before;
}

/** The document that is open is held by an entry. @param {"pushState" | "replaceState"} how @param {string} series of documents; empty: a new one */
function hold(how, series) {
  rest.stop();
  entry.series = series || String(Math.random());
  entry.text = essence(state.get(), shape);
  record(how);
}

/** @param {"pushState" | "replaceState"} how @param {string} [address] */
function record(how, address) {
  const document = JSON.parse(/** @type {string} */ (entry.text));
  newest.set(entry.series, document);
  try {
    history[how]({ howsure: 1, series: entry.series, mode: document.mode, document }, "", address);
  } catch {
    // too much, or too often: what is open stays open, and Share has it
  }
}

/** The link takes a moment to pack; by then another entry may be open. */
async function readdress() {
  const { series, text } = entry;
  const link = await linkOf(state.get(), shape);
  if (series === entry.series && text === entry.text) record("replaceState", link ?? `${location.pathname}#v=1&large`);
}
