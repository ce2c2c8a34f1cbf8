// @ts-check
/**
 * The document in a link: JSON, deflated, base64url, in the fragment, which browsers never send to a server.
 * What is opened is another's: it is inflated up to a limit, and only what fits the document's own shape is taken.
 *
 * @typedef {import("./types").Document} Document
 */

import { MOST_CLASSES } from "./matrix.js";
import { running } from "./pending.js";

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

/**
 * The document as text, without the modes that nobody touched, but for the one that is open.
 * @param {Document} doc
 * @param {Document} shape
 */
export function essence(doc, shape) {
  const untouched = (/** @type {string} */ key) => key !== doc.mode && typeof doc[key] === "object" && JSON.stringify(doc[key]) === JSON.stringify(shape[key]);
  return JSON.stringify(Object.fromEntries(Object.entries(doc).filter(([key]) => !untouched(key))));
}

/**
 * @param {Document} doc
 * @param {Document} shape modes that are as in it are left out, but for the one that is open
 * @returns {Promise<string | null>} the link; null if it would be too long
 */
export async function linkOf(doc, shape) {
  const packed = await running(deflated(essence(doc, shape)));
  // the sum comes first, for links are cut at their end
  const link = `${location.origin}${location.pathname}#v=1&c=${sumOf(packed)}&s=${packed}`;
  return link.length > LONGEST_LINK ? null : link;
}

/**
 * @param {string} fragment
 * @returns {Promise<unknown>} what it carries; null if it is no link of ours
 * @throws {DamagedLink}
 */
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

/**
 * The document that a link or a file gives: `shape` with what fits of `found`.
 * @param {unknown} found
 * @param {Document} shape
 * @param {string[]} [lost] gets the paths of what does not fit
 * @returns {Document | null} null if it is none of ours
 */
export function restored(found, shape, lost = []) {
  if (typeof found !== "object" || found === null || /** @type {any} */ (found).v !== 1) return null;
  const given = /** @type {Record<string, unknown>} */ (found);
  /** @type {Document} */
  const doc = { ...shape };
  for (const [key, like] of Object.entries(shape)) {
    if (typeof like === "object" && Object.hasOwn(given, key)) doc[key] = fitted(given[key], like, key, lost);
  }
  if (typeof given.mode === "string" && Object.hasOwn(shape, given.mode)) doc.mode = given.mode;
  return doc;
}

/**
 * `value` if it is of the kind of `like`, else `like`. Where the shape says null or [] anything plain may stand.
 * @param {any} value
 * @param {any} like
 * @param {string} path
 * @param {string[]} lost
 * @returns {any}
 */
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

/**
 * A matrix that the grid can show, whatever its numbers are; null if it is none.
 * @param {any} value
 * @returns {import("./types").Matrix | null}
 */
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

/**
 * A value without anything that is no data, and not too deep.
 * @param {any} value
 * @param {number} depth
 * @returns {any}
 */
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
