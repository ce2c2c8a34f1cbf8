// @ts-check
/** A ROC or precision-recall curve with its bands, and the point on it that a hand moves. */

import { html } from "../html.js";
import { below, beside, picture } from "./picture.js";
import { area, line, linear, pixel } from "./scale.js";

/** @typedef {{across: string, up: string, chance: number[][], x: number[], observed: number[], low: number[], high: number[], band_low: number[], band_high: number[]}} Curve */
/** @typedef {{width: number, title: string, onPoint: (at: number, how: {live: boolean}) => void}} Options */

const [LEFT, TOP, RIGHT, BOTTOM] = [40, 26, 14, 42];
const MOST = 520;

/** All but the point, which alone moves.
 * @param {Curve} curve @param {number} width */
export function square(curve, width) {
  const side = Math.min(width, MOST) - LEFT - RIGHT;
  const across = linear(0, 1, LEFT, LEFT + side);
  const up = linear(0, 1, TOP + side, TOP);
  const points = (/** @type {number[]} */ values) => curve.x.map((x, i) => /** @type {[number, number]} */ ([across(x), up(values[i])]));
  const marks = html`<g>
    ${beside(up, LEFT, { right: LEFT + side, label: curve.up })}
    ${below(across, TOP + side, { top: TOP, label: curve.across })}
    <path class="edge rule-of-thumb" d=${line(curve.chance.map(([x, y]) => [across(x), up(y)]))} />
    <path class="band blue" d=${area(points(curve.band_high), points(curve.band_low))} />
    <path class="band blue" d=${area(points(curve.high), points(curve.low))} />
    <path class="edge line-0 blue" d=${line(points(curve.observed))} />
  </g>`;
  return { marks, across, up, width: LEFT + side + RIGHT, height: TOP + side + BOTTOM };
}

/** @param {ReturnType<typeof square>} ground @param {number[][]} places of all points @param {number} at @param {number | null} best
 * @param {Options} options */
export function operating(ground, places, at, best, { title, onPoint }) {
  const { marks, across, up, width, height } = ground;
  const on = (/** @type {number[]} */ [x, y]) => [pixel(across(x)), pixel(up(y))];
  /** @param {PointerEvent} event */
  const nearest = (event) => {
    const drawn = /** @type {SVGSVGElement} */ (/** @type {Element} */ (event.currentTarget).querySelector("svg"));
    const box = drawn.getBoundingClientRect();
    const [x, y] = [((event.clientX - box.left) * width) / box.width, ((event.clientY - box.top) * height) / box.height];
    const away = places.map((place) => (on(place)[0] - x) ** 2 + (on(place)[1] - y) ** 2);
    return away.indexOf(Math.min(...away));
  };
  const held = (/** @type {any} */ event) => event.currentTarget.hasPointerCapture(event.pointerId);
  const take = (/** @type {any} */ event) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    onPoint(nearest(event), { live: true });
  };
  const [x, y] = on(places[at]);
  const mark = best === null || best === at ? null : on(places[best]);
  return html`<div class="square" onPointerDown=${take} onPointerMove=${(/** @type {any} */ event) => held(event) && onPoint(nearest(event), { live: true })}>
    ${picture({ title, width, height, name: "operating" }, [
      marks,
      mark && html`<path class="best" d=${`M${mark[0] - 7} ${mark[1]}h14M${mark[0]} ${mark[1] - 7}v14`} />`,
      html`<circle class="point" cx=${x} cy=${y} r="7.5" /><circle class="grasp" cx=${x} cy=${y} r="22" />`,
    ])}</div>`;
}
