// @ts-check
/** One density with its interval, and the band of practical equivalence: worse, the same, better. */

import { html } from "../html.js";
import { below, picture, stroke, words } from "./picture.js";
import { area, clipped, line, linear, pixel, roundedRange } from "./scale.js";

/** @typedef {{x: number[], density: number[], low: number, high: number, mean: number, rope?: number|null,
 *   observed?: number|null, range?: [number, number]}} Drawn */
/** @typedef {{mean: string, interval: string}} Said */
/** @typedef {{width: number, title: string, label: string, sides: [string, string], reversed?: boolean}} Options
 * `sides`: what the left and the right of zero mean; `reversed`: the left is the better one */

const TOP = 30;
const BASE = 168;

/** @param {Drawn} drawing @param {Said} shown @param {Options} options */
export function density(drawing, shown, { width, title, label, sides, reversed = false }) {
  const scale = linear(...domain(drawing), 16, width - 16, width < 480 ? 5 : 8);
  const peak = Math.max(...drawing.density, 0) || 1;
  const height = (/** @type {number} */ d) => BASE - ((BASE - TOP - 14) * d) / peak;
  const rope = drawing.rope ?? 0;
  const [left, right] = reversed ? ["blue", "orange"] : ["orange", "blue"];
  /** @type {Array<[string, number, number]>} */
  const parts = [[left, -Infinity, -rope], ["grey", -rope, rope], [right, rope, Infinity]]; // prettier-ignore
  const seen = drawing.x.map((x, i) => /** @type {[number, number]} */ ([x, drawing.density[i]])).filter(([x]) => x >= scale.low && x <= scale.high);
  const outline = seen.map(([x, d]) => /** @type {[number, number]} */ ([scale(x), height(d)]));
  const marks = [
    rope > 0 ? html`<rect class="rope" x=${pixel(scale(-rope))} y=${TOP} width=${pixel(scale(rope) - scale(-rope))} height=${BASE - TOP} />` : null,
    below(scale, BASE + 26, { label }),
    parts.map(([colour, from, to]) => html`<path class=${`fill ${colour}`} d=${slice(drawing, from, to, scale, height)} />`),
    html`<path class="edge ink" d=${line(outline)} />`,
    stroke("zero", scale(0), TOP - 4, scale(0), BASE + 26),
    sideWords(sides, [left, right], width),
    interval(drawing, shown, scale, width),
  ];
  return picture({ title, width, height: BASE + 66, name: "density" }, marks);
}

/** All of the density that can be seen, and zero.
 * @param {Drawn} drawing @returns {[number, number]} */
function domain(drawing) {
  const peak = Math.max(...drawing.density, 0);
  const seen = drawing.x.filter((_, i) => drawing.density[i] > 0.002 * peak);
  const rope = drawing.rope ?? 0;
  const [low, high] = [Math.min(...seen, drawing.low, -rope), Math.max(...seen, drawing.high, rope)];
  return roundedRange(low, high, drawing.range ?? [-Infinity, Infinity]);
}

/** The area under the density between two values, with the ends where they belong.
 * @param {Drawn} drawing @param {number} from @param {number} to
 * @param {import("./scale.js").Scale} scale @param {(d: number) => number} height @returns {string} */
function slice({ x, density }, from, to, scale, height) {
  const at = (/** @type {number} */ value) => {
    const i = x.findIndex((other) => other >= value);
    if (i <= 0) return i === 0 ? density[0] : 0;
    return density[i - 1] + ((density[i] - density[i - 1]) * (value - x[i - 1])) / (x[i] - x[i - 1]);
  };
  const [first, last] = [Math.max(from, x[0], scale.low), Math.min(to, x[x.length - 1], scale.high)];
  if (!(first < last)) return "";
  const inside = x.map((value, i) => /** @type {[number, number]} */ ([value, density[i]])).filter(([v]) => v > first && v < last);
  const points = [[first, at(first)], ...inside, [last, at(last)]].map(([v, d]) => /** @type {[number, number]} */ ([scale(v), height(d)]));
  return area(points, points.map(([v]) => /** @type {[number, number]} */ ([v, BASE])));
}

/** @param {[string, string]} sides @param {string[]} colours @param {number} width */
const sideWords = (sides, colours, width) => [
  words(`side ${colours[0]}`, 16, 16, `← ${clipped(sides[0], width / 2 - 36)}`),
  words(`side ${colours[1]}`, width - 16, 16, `${clipped(sides[1], width / 2 - 36)} →`, "end"),
];

/** @param {Drawn} drawing @param {Said} shown @param {(x: number) => number} scale @param {number} width */
function interval(drawing, shown, scale, width) {
  const y = BASE + 8;
  const [low, high, mean] = [scale(drawing.low), scale(drawing.high), scale(drawing.mean)];
  const text = `${shown.mean} (${shown.interval})`;
  const half = text.length * 4;
  return [
    stroke("interval ink", low, y, high, y),
    html`<circle class="mean ink" cx=${pixel(mean)} cy=${y} r="5" />`,
    words("strong halo", Math.min(Math.max(mean, half + 6), width - half - 6), y - 14, text, "middle"),
  ];
}
