// @ts-check
/** Natural frequencies as an array of small signs: one sign is one case, or so many of them. */

import { html } from "../html.js";
import { LINE, picture, stacked, stroke, words } from "./picture.js";
import { folded, pixel } from "./scale.js";

/** @typedef {{kind: "found"|"missed"|"alarm"|"cleared", count: number, label: string}} Group
 * `label`: its line in words, numbers included */

/** Pixels from one sign to the next. */
const SMALLEST = 5;
const LARGEST = 22;

/** Each kind has a shape of its own, all of them in one path.
 * @type {Record<Group["kind"], (x: number, y: number, r: number) => string>} */
const SHAPES = {
  found: (x, y, r) => square(x, y, r),
  missed: (x, y, r) => square(x, y, r) + square(x, y, 0.5 * r, true),
  alarm: (x, y, r) => `M${pixel(x)} ${pixel(y - r)}L${pixel(x + r)} ${pixel(y + r)}L${pixel(x - r)} ${pixel(y + r)}Z`,
  cleared: (x, y, r) => square(x, y, 0.35 * r),
};

/** @param {number} x @param {number} y @param {number} r @param {boolean} [back] turned the other way: a hole */
function square(x, y, r, back = false) {
  const [a, b, c, d] = [x - r, x + r, y - r, y + r].map(pixel);
  return back ? `M${a} ${c}L${a} ${d}L${b} ${d}L${b} ${c}Z` : `M${a} ${c}L${b} ${c}L${b} ${d}L${a} ${d}Z`;
}

/**
 * @param {Group[]} groups in the order in which they are laid out
 * @param {{width: number, title: string, note: string}} options `note`: what one sign stands for
 */
export function icons(groups, { width, title, note }) {
  const total = groups.reduce((sum, group) => sum + group.count, 0);
  // about twice as wide as high, no sign smaller than can be told
  const columns = Math.max(10, Math.min(Math.floor(width / SMALLEST), Math.ceil(Math.sqrt(2.5 * total))));
  const pitch = Math.min(LARGEST, width / columns);
  const lines = groups.map(({ label }) => folded(label, width - 24));
  /** Where the words of each begin. */
  const tops = lines.map((_, i) => lines.slice(0, i).reduce((sum, each) => sum + 7 + LINE * each.length, 0));
  const legend = tops[tops.length - 1] + 7 + LINE * lines[lines.length - 1].length + (note ? 26 : 10);
  const paths = [];
  let at = 0;
  for (const { kind, count } of groups) {
    let d = "";
    for (const end = at + count; at < end; at++) {
      d += SHAPES[kind](pitch * ((at % columns) + 0.5), legend + pitch * (Math.floor(at / columns) + 0.5), 0.36 * pitch);
    }
    paths.push(html`<path class=${`icon ${kind}`} d=${d} />`);
  }
  const keys = groups.map(({ kind }, i) => html`<g>
    <path class=${`icon ${kind}`} d=${SHAPES[kind](9, 10 + tops[i], 6)} />
    ${stacked("name", 24, 15 + tops[i], lines[i])}
  </g>`);
  const height = legend + pitch * Math.ceil(total / columns) + 4;
  const foot = note ? words("quiet", 0, legend - 10, note) : null;
  return picture({ title, width, height, name: "icons" }, [keys, foot, stroke("rule", 0, legend - 4, width, legend - 4), paths]);
}
