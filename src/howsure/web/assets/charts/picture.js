// @ts-check
/** The frame of every chart: an `<svg role="img">` with a title, and its axes. */

import { html } from "../html.js";
import { pixel } from "./scale.js";

/** @typedef {import("./scale.js").Scale} Scale */

/** A picture with a sentence for those who cannot see it.
 * @param {{title: string, width: number, height: number, name: string}} frame @param {unknown} marks */
export function picture({ title, width, height, name }, marks) {
  const [w, h] = [Math.round(width), Math.round(height)];
  return html`<svg class=${`chart ${name}`} role="img" aria-label=${title} xmlns="http://www.w3.org/2000/svg"
    width=${w} height=${h} viewBox=${`0 0 ${w} ${h}`}><title>${title}</title>${marks}</svg>`;
}

/** A straight line.
 * @param {string} name @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 */
export const stroke = (name, x1, y1, x2, y2) =>
  html`<line class=${name} x1=${pixel(x1)} y1=${pixel(y1)} x2=${pixel(x2)} y2=${pixel(y2)} />`;

/** A text at a place; `anchor` is start, middle or end.
 * @param {string} name @param {number} x @param {number} y @param {string} text @param {string} [anchor] */
export const words = (name, x, y, text, anchor = "start") =>
  html`<text class=${name} x=${pixel(x)} y=${pixel(y)} text-anchor=${anchor}>${text}</text>`;

/** Lines of one text, the first at `y`.
 * @param {string} name @param {number} x @param {number} y @param {string[]} lines @param {string} [anchor] */
export const stacked = (name, x, y, lines, anchor) => lines.map((line, i) => words(name, x, y + LINE * i, line, anchor));

/** Pixels from one line of a text to the next. */
export const LINE = 15;

/** A horizontal axis with its marks, faint lines up to `top`, and what it is of.
 * @param {Scale} scale @param {number} y @param {{top?: number, label?: string}} [more] */
export function below(scale, y, { top, label } = {}) {
  return html`<g class="axis">
    ${top === undefined ? null : scale.marks.map((mark) => stroke("grid", scale(mark.at), y, scale(mark.at), top))}
    ${stroke("rule", scale.start, y, scale.end, y)}
    ${scale.marks.map((mark) => words("mark", scale(mark.at), y + 15, mark.text, "middle"))}
    ${label ? words("mark", (scale.start + scale.end) / 2, y + 32, label, "middle") : null}
  </g>`;
}

/** A vertical axis at `x` with faint lines to `right`; its label stands at the top of the picture.
 * @param {Scale} scale @param {number} x @param {{right: number, label?: string}} more */
export function beside(scale, x, { right, label }) {
  return html`<g class="axis">
    ${scale.marks.map((mark) => stroke("grid", x, scale(mark.at), right, scale(mark.at)))}
    ${scale.marks.map((mark) => words("mark", x - 7, scale(mark.at) + 4, mark.text, "end"))}
    ${label ? words("mark", 2, 12, label) : null}
  </g>`;
}
