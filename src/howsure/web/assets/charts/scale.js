// @ts-check
/**
 * Scales, their marks, and paths: numbers in, pixels out. The only words made here are the marks of an axis, which are
 * round by construction; every number of ours comes as text from the server.
 */

/** @typedef {{at: number, text: string}} Mark */
/** @typedef {((value: number) => number) & {low: number, high: number, start: number, end: number, marks: Mark[]}} Scale */

/** Pixels with one decimal, for short paths.
 * @param {number} x @returns {number} */
export const pixel = (x) => Math.round(10 * x) / 10;

/** Parts of the font size that a sign takes in a wide face (DejaVu Sans); fonts differ, so it is on the large side.
 * @param {string} sign @returns {number} */
function signWidth(sign) {
  if (sign > "\u2e7f") return 1.05;
  if ("mwMW@%".includes(sign)) return 0.95;
  if ("iljtfrI.,:;'|!() []".includes(sign)) return 0.4;
  return sign >= "A" && sign <= "Z" ? 0.7 : 0.63;
}

/** Pixels that a text needs at most.
 * @param {string} text @param {number} [size] @returns {number} */
export function textWidth(text, size = 13) {
  let wide = 0;
  for (const sign of text) wide += signWidth(sign);
  return size * wide;
}

/** A text in lines that are no wider; a word that is wider goes on in the next line.
 * @param {string} text @param {number} width @param {number} [size] @returns {string[]} */
export function folded(text, width, size = 13) {
  const fits = (/** @type {string} */ line) => textWidth(line, size) <= width + 0.01;
  const lines = [""];
  // after a space, and after a hyphen inside of a word
  for (const word of text.split(/(?<= )|(?<=[\p{L}\p{N}][-_/])(?=[\p{L}\p{N}])/u)) {
    if (!fits((lines[lines.length - 1] + word).trimEnd()) && lines[lines.length - 1]) lines.push("");
    for (const sign of word) {
      const line = lines[lines.length - 1];
      if (line && !fits((line + sign).trimEnd())) lines.push(sign);
      else lines[lines.length - 1] += sign;
    }
  }
  return lines.map((line) => line.trimEnd());
}

/** A whole number times a power of ten, written out: (25, -2) is 0.25, and (-5, 1) is -50.
 * @param {number} whole @param {number} exponent @returns {string} */
export function decimal(whole, exponent) {
  const sign = whole < 0 ? "−" : "";
  const digits = String(Math.abs(whole));
  if (whole === 0) return "0";
  if (exponent >= 0) return sign + (digits + "0".repeat(exponent)).replace(/\B(?=(\d{3})+$)/g, ",");
  const padded = digits.padStart(1 - exponent, "0");
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

/** The step 1, 2 or 5 times a power of ten that gives at most so many marks.
 * @param {number} span @param {number} most @returns {{factor: number, exponent: number, step: number}} */
function roundStep(span, most) {
  const rough = span / most;
  let exponent = Math.floor(Math.log10(rough));
  let factor = [1, 2, 5, 10].find((m) => m * 10 ** exponent >= rough * (1 - 1e-9)) ?? 10;
  if (factor === 10) [factor, exponent] = [1, exponent + 1];
  return { factor, exponent, step: exponent < 0 ? factor / 10 ** -exponent : factor * 10 ** exponent };
}

/** Round marks inside a range.
 * @param {number} low @param {number} high @param {number} [most] @returns {Mark[]} */
export function ticks(low, high, most = 6) {
  if (!(high > low)) return [];
  const { factor, exponent, step } = roundStep(high - low, most);
  const marks = [];
  for (let k = Math.ceil(low / step - 1e-9); k <= Math.floor(high / step + 1e-9); k++) {
    marks.push({ at: exponent < 0 ? (k * factor) / 10 ** -exponent : k * step, text: decimal(k * factor, exponent) });
  }
  return marks;
}

/** A range widened to round ends, inside what is possible; it stays put while values inside it move a little.
 * @param {number} low @param {number} high @param {[number, number]} [bounds] @returns {[number, number]} */
export function roundedRange(low, high, bounds = [-Infinity, Infinity]) {
  if (!(high > low)) [low, high] = [low - 0.5, high + 0.5];
  const { step } = roundStep(high - low, 8);
  // multiples are divided where the step is below one, so that 3 * 0.1 is 0.3
  const at = (/** @type {number} */ k) => (step < 1 ? k / Math.round(1 / step) : k * step);
  return [
    Math.max(bounds[0], at(Math.floor(low / step + 1e-9))),
    Math.min(bounds[1], at(Math.ceil(high / step - 1e-9))),
  ];
}

/** @param {(value: number) => number} bend @param {number} low @param {number} high
 * @param {number} start @param {number} end @param {Mark[]} marks @returns {Scale} */
function scale(bend, low, high, start, end, marks) {
  const [a, b] = [bend(low), bend(high)];
  const map = (/** @type {number} */ value) => start + ((bend(value) - a) / (b - a || 1)) * (end - start);
  return Object.assign(map, { low, high, start, end, marks });
}

/** Values to pixels in proportion.
 * @param {number} low @param {number} high @param {number} start @param {number} end @param {number} [most] */
export const linear = (low, high, start, end, most = 6) =>
  scale((v) => v, low, high, start, end, ticks(low, high, most));

const SHARES = [
  [0.0001, "0.01%"], [0.001, "0.1%"], [0.01, "1%"], [0.1, "10%"], [0.5, "50%"],
  [0.9, "90%"], [0.99, "99%"], [0.999, "99.9%"], [0.9999, "99.99%"],
];

/** Shares between 0 and 1 on the scale of their log odds, where 0.1% and 1% are as far apart as 99% and 99.9%.
 * @param {number} low @param {number} high @param {number} start @param {number} end */
export function logit(low, high, start, end) {
  const made = scale((p) => Math.log(p / (1 - p)), low, high, start, end, []);
  let taken = -Infinity;
  for (const [at, text] of /** @type {[number, string][]} */ (SHARES)) {
    if (at < low * (1 - 1e-9) || at > high * (1 + 1e-9)) continue;
    const half = textWidth(text, 11) / 2 + 3;
    if (made(at) - half < taken) continue;
    made.marks.push({ at, text });
    taken = made(at) + half;
  }
  return made;
}

/** A line through points.
 * @param {Array<[number, number]>} points @returns {string} */
export const line = (points) => (points.length ? "M" + points.map(([x, y]) => `${pixel(x)} ${pixel(y)}`).join("L") : "");

/** The area between a line and the line back.
 * @param {Array<[number, number]>} there @param {Array<[number, number]>} back @returns {string} */
export const area = (there, back) => (there.length ? line([...there, ...[...back].reverse()]) + "Z" : "");

/** Labels moved apart so that none covers another; the order is kept.
 * @param {number[]} places @param {number} gap @param {number} low @param {number} high @returns {number[]} */
export function apart(places, gap, low, high) {
  const order = places.map((_, i) => i).sort((i, j) => places[i] - places[j]);
  const moved = [...places];
  let least = low;
  for (const i of order) least = (moved[i] = Math.max(places[i], least)) + gap;
  let most = high;
  for (const i of order.reverse()) most = (moved[i] = Math.min(moved[i], most)) - gap;
  return moved;
}
