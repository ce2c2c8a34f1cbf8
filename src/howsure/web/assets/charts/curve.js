// @ts-check
/** Curves with bands over an axis of log odds, on which a slider moves; each named at its end, and by its own dashes. */

import { html } from "../html.js";
import { LINE, below, beside, picture, stacked, stroke, words } from "./picture.js";
import { apart, area, folded, line, linear, logit, pixel, textWidth } from "./scale.js";

/** @typedef {import("./scale.js").Scale} Scale */
/** @typedef {{label: string, x: number[], low?: number[], middle: number[], high?: number[]}} Line */
/** @typedef {{curves: Line[], rule?: {label: string, x: number[], y: number[]},
 *   here: {label: string, x: number, dots?: number[]}}} Drawn */
/** @typedef {{width: number, height?: number, title: string, xLabel: string, yLabel: string}} Options */

const COLOURS = ["blue", "orange", "ink"];

/** Where the horizontal axis begins and ends, for what stands under it; the names of the curves have the rest.
 * @param {string[]} labels @param {number} width @returns {[number, number]} */
export function span(labels, width) {
  const names = width < 480 ? 0 : 14 + Math.min(0.28 * width, Math.max(...labels.map((label) => textWidth(label, 12))));
  return [48, width - Math.max(names, 20)];
}

/** All but the place that is marked, which alone moves with a slider.
 * @param {Drawn} drawing @param {Options} options */
export function ground(drawing, { width, height = 300, xLabel, yLabel }) {
  const narrow = width < 480;
  const named = drawing.curves.map(({ label }, i) => ({ label, colour: COLOURS[i % 3] }));
  if (drawing.rule) named.push({ label: drawing.rule.label, colour: "quiet" });
  const keys = narrow ? above(named, 48, width) : { marks: null, bottom: 0 };
  const top = 40 + keys.bottom;
  const [left, right] = span(named.map(({ label }) => label), width);
  const under = folded(xLabel, right - left + 60, 11);
  const bottom = height - 42;
  const xs = drawing.curves.flatMap((one) => one.x);
  const across = logit(Math.min(...xs), Math.max(...xs), left, right);
  const up = linear(0, 1, bottom, top, 6);
  const marks = html`<g>
    ${beside(up, left, { right, label: yLabel })}
    ${below(across, bottom)}${stacked("mark", (left + right) / 2, bottom + 32, under, "middle")}
    ${drawing.curves.map((one, i) => band(one, across, up, COLOURS[i % 3]))}
    ${drawing.rule ? html`<path class="edge rule-of-thumb" d=${line(points(drawing.rule.x, drawing.rule.y, across, up))} />` : null}
    ${drawing.curves.map((one, i) => html`<path class=${`edge line-${i % 3} ${COLOURS[i % 3]}`} d=${line(points(one.x, one.middle, across, up))} />`)}
    ${narrow ? keys.marks : atEnds(drawing, named, up, right, width, top, bottom)}
  </g>`;
  return { marks, across, up, top, bottom, high: height + LINE * (under.length - 1) };
}

/** @param {Drawn} drawing @param {Options} options @param {ReturnType<typeof ground>} [made] its ground, if it is the same as before */
export function curve(drawing, options, made = ground(drawing, options)) {
  const { marks, across, up, top, bottom, high } = made;
  const { title, width } = options;
  return picture({ title, width, height: high, name: "curve" }, [marks, here(drawing.here, across, up, bottom, top)]);
}

/** @param {number[]} xs @param {number[]} ys @param {Scale} across @param {Scale} up */
const points = (xs, ys, across, up) => xs.map((x, i) => /** @type {[number, number]} */ ([across(x), up(ys[i])]));

/** @param {Line} one @param {Scale} across @param {Scale} up @param {string} colour */
function band(one, across, up, colour) {
  if (!one.low || !one.high) return null;
  return html`<path class=${`band ${colour}`} d=${area(points(one.x, one.high, across, up), points(one.x, one.low, across, up))} />`;
}

/** A line down at the value in question, dots where it meets the curves, and its words above.
 * @param {{label: string, x: number, dots?: number[]}} mark @param {Scale} across @param {Scale} up
 * @param {number} bottom @param {number} top */
function here(mark, across, up, bottom, top) {
  const x = Math.min(Math.max(across(mark.x), across.start), across.end);
  const left = x + 8 + textWidth(mark.label, 12) > across.end;
  return html`<g class="here">${stroke("cut", x, bottom, x, top - 16)}
    ${(mark.dots ?? []).map((y, i) => html`<circle class=${`mean ${COLOURS[i % 3]}`} cx=${pixel(x)} cy=${pixel(up(y))} r="5" />`)}
    ${words("strong halo", left ? x - 7 : x + 7, top - 6, mark.label, left ? "end" : "start")}</g>`;
}

/** @typedef {{label: string, colour: string}} Named */

/** Names where the curves end.
 * @param {Drawn} drawing @param {Named[]} named @param {Scale} up @param {number} right @param {number} width
 * @param {number} top @param {number} bottom */
function atEnds(drawing, named, up, right, width, top, bottom) {
  const ends = drawing.curves.map((one) => up(one.middle[one.middle.length - 1]));
  if (drawing.rule) ends.push(up(drawing.rule.y[drawing.rule.y.length - 1]));
  const lines = named.map(({ label }) => folded(label, width - right - 8, 12));
  const places = apart(ends, 1 + LINE * Math.max(...lines.map((each) => each.length)), top + 8, bottom - 4);
  return named.map(({ colour }, i) => stacked(`name ${colour}`, right + 8, places[i] + 4, lines[i]));
}

/** Names in lines above the curves, each with a piece of its line; and how much room they take.
 * @param {Named[]} named @param {number} left @param {number} width */
function above(named, left, width) {
  let bottom = 0;
  const marks = named.map(({ label, colour }, i) => {
    const y = 32 + bottom;
    const lines = folded(label, width - left - 34, 12);
    bottom += 3 + LINE * lines.length;
    const drawn = colour === "quiet" ? "edge rule-of-thumb" : `edge line-${i % 3} ${colour}`;
    return [html`<path class=${drawn} d=${`M${left} ${y - 4}L${left + 26} ${y - 4}`} />`, stacked(`name ${colour}`, left + 34, y, lines)];
  });
  return { marks, bottom };
}
