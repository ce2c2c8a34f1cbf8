// @ts-check
/** The document in a link and in the browser's history. A link has it as JSON, deflated, base64url, in the fragment, which browsers never send to a
 * server. What is opened is another's: it is inflated up to a limit, and only what fits the document's own shape is taken. An entry of the
 * history, one for each tab that was opened, holds its inputs, so that a reload loses nothing; its address is a link to them, which is never sent.
 * @typedef {{howsure: 1, series: string, mode: string, document: PageDocument}} Entry */

import { running, timer } from "./api.js";
import { MOST_CLASSES } from "./matrix.js";
import * as state from "./state.js";

/** Longer links break in mail and chat. */
const LONGEST_LINK = 8 * 1024;
const LARGEST_STATE = 1024 * 1024;
const DEEPEST = 8;
const LONGEST_NAME = 200;

/** What is wrong with a link, in a sentence. */
export class DamagedLink extends Error {}

const DAMAGED = "The link is damaged. Ask for it again, or for session.json.";
const LATER = "A later version of howsure made this link. Open it there, or ask for the numbers.";
const TOO_LARGE = "These inputs were too many for a link. Ask for session.json and open it with Share.";

/** The document as text, without the modes that nobody touched, but for the one that is open. @param {PageDocument} doc @param {PageDocument} shape */
export function essence(doc, shape) {
  const untouched = (/** @type {string} */ key) => key !== doc.mode && typeof doc[key] === "object" && JSON.stringify(doc[key]) === JSON.stringify(shape[key]);
  return JSON.stringify(Object.fromEntries(Object.entries(doc).filter(([key]) => !untouched(key))));
}

/** @param {PageDocument} doc @param {PageDocument} shape modes that are as in it are left out, but for the one that is open
 * @returns {Promise<string | null>} the link; null if it would be too long */
export async function linkOf(doc, shape) {
  const packed = await running(deflated(essence(doc, shape)));
  // the sum comes first, for links are cut at their end
  const link = `${location.origin}${location.pathname}#v=1&c=${sumOf(packed)}&s=${packed}`;
  return link.length > LONGEST_LINK ? null : link;
}

/** @param {string} fragment @returns {Promise<unknown>} what it carries; null if it is no link of ours @throws {DamagedLink} */
export async function openLink(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const [version, packed, sum] = ["v", "s", "c"].map((name) => fields.get(name));
  if (version === null && packed === null) return null;
  if (version !== "1") throw new DamagedLink(/^\d+$/.test(version ?? "") && Number(version) > 1 ? LATER : DAMAGED);
  if (fields.has("large")) throw new DamagedLink(TOO_LARGE);
  // links of the first version have no sum
  if (!packed || (sum !== null && sum !== sumOf(packed))) throw new DamagedLink(DAMAGED);
  try {
    return JSON.parse(await inflated(packed));
  } catch {
    throw new DamagedLink(DAMAGED);
  }
}

/** CRC-32 in hexadecimal digits: a sign that was lost or changed on the way is seen. @param {string} text */
function sumOf(text) {
  let sum = -1;
  for (let i = 0; i < text.length; i++) {
    sum ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ((sum ^ -1) >>> 0).toString(16).padStart(8, "0");
}

/** The document that a link or a file gives: `shape` with what fits of `found`. @param {unknown} found @param {PageDocument} shape
 * @param {string[]} [lost] gets the paths of what does not fit @returns {PageDocument | null} null if it is none of ours */
export function restored(found, shape, lost = []) {
  if (typeof found !== "object" || found === null || /** @type {any} */ (found).v !== 1) return null;
  const given = /** @type {Record<string, unknown>} */ (found);
  /** @type {PageDocument} */
  const doc = { ...shape };
  for (const [key, like] of Object.entries(shape)) {
    if (typeof like === "object" && Object.hasOwn(given, key)) doc[key] = fitted(given[key], like, key, lost);
  }
  if (typeof given.mode === "string" && Object.hasOwn(shape, given.mode)) doc.mode = given.mode;
  return doc;
}

/** `value` if it is of the kind of `like`, else `like`. Where the shape says null or [] anything plain may stand. @param {any} value
 * @param {any} like @param {string} path @param {string[]} lost @returns {any} */
function fitted(value, like, path, lost) {
  const depth = DEEPEST - path.split(".").length;
  const unfit = () => (lost.push(path), like);
  if (depth < 0 || value === undefined) return like;
  if (like === null || value === null) return like === null ? plain(value, depth) : like;
  if (isMatrix(like)) return matrixOf(value) ?? unfit();
  if (Array.isArray(like)) return Array.isArray(value) ? plain(value, depth) : unfit();
  if (typeof like !== "object") return typeof value === typeof like ? value : unfit();
  if (typeof value !== "object" || Array.isArray(value)) return unfit();
  if (!Object.keys(like).length) return plain(value, depth);
  return Object.fromEntries(
    Object.entries(like).map(([key, inner]) => [key, Object.hasOwn(value, key) ? fitted(value[key], inner, `${path}.${key}`, lost) : inner]),
  );
}

/** @param {any} value */
const isMatrix = (value) => typeof value === "object" && value !== null && Array.isArray(value.classes) && Array.isArray(value.counts);

/** A matrix that the grid can show, whatever its numbers are; null if it is none. @param {any} value @returns {Matrix | null} */
function matrixOf(value) {
  if (!isMatrix(value)) return null;
  const classes = value.classes.slice(0, MOST_CLASSES).map((/** @type {unknown} */ name) => String(name).slice(0, LONGEST_NAME));
  const at = (/** @type {number} */ i, /** @type {number} */ j) => {
    const cell = value.counts[i]?.[j] ?? null;
    return typeof cell === "number" || typeof cell === "string" ? cell : null;
  };
  /** @type {(number | string | null)[][]} */
  const counts = classes.map((/** @type {string} */ _, /** @type {number} */ i) => classes.map((/** @type {string} */ __, /** @type {number} */ j) => at(i, j)));
  return classes.length < 2 ? null : { classes, counts, positive: typeof value.positive === "string" ? value.positive : null };
}

/** A value without anything that is no data, and not too deep. @param {any} value @param {number} depth @returns {any} */
function plain(value, depth) {
  if (typeof value !== "object" || value === null) return value;
  if (depth < 0) return null;
  if (isMatrix(value)) return matrixOf(value);
  if (Array.isArray(value)) return value.map((each) => plain(each, depth - 1));
  const named = Object.entries(value).filter(([key]) => key !== "__proto__");
  return Object.fromEntries(named.map(([key, each]) => [key, plain(each, depth - 1)]));
}

/** @param {string} text @returns {Promise<string>} */
async function deflated(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @param {string} packed @returns {Promise<string>} */
async function inflated(packed) {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (sign) => sign.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [text, size] = ["", 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > LARGEST_STATE) {
      await reader.cancel();
      throw new RangeError("too large");
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Browsers refuse to note more than some hundred changes in half a minute: some are noted at once, what follows them when it rests. */
const RESTS_MS = 400;
const AT_ONCE_MS = 4000;

/** What the present entry holds: `text` null where it is not ours yet. */
const entry = { series: "", text: /** @type {string | null} */ (null) };
/** The newest inputs of each series: one matrix for all tabs, also for those that are gone back to. @type {Map<string, PageDocument>} */
const newest = new Map();
const rest = timer();
/** Until this moment what was noted, at one in each rest, is more than may be noted at once. */
let noted = 0;
/** @type {PageDocument} */
let shape = state.get();

/** @param {PageDocument} untouched the document of a page that nobody touched */
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

/** The newest inputs that belong to an entry. @param {Entry} held @returns {PageDocument} */
export const documentOf = (held) => ({ ...(newest.get(held.series) ?? held.document), mode: held.mode });

/** Whether an entry is of the document that is open. @param {Entry} held */
export const isOpen = (held) => held.series === entry.series;

/** The document that is open is now what the present entry holds. Its address stays until something changes. @param {string} [series] of documents;
 * empty: a new one */
export function take(series = "") {
  hold("replaceState", series);
}

/** A new entry, for what `change` does to the document. @param {() => void} change @param {string} [series] as in `take` */
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

/** Writes what has changed since it was last written. @param {boolean} [address] and the address with it; else that is still to follow, for who is
 * asked whether to leave may stay */
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
