// @ts-check
/** Intervals under each other on one axis: the same number under several priors, or now and in another test. */

import { html } from "../html.js";
import { below, picture, stroke, words } from "./picture.js";
import { clipped, linear, pixel, roundedRange, textWidth } from "./scale.js";

/** @typedef {{name: string, low: number, mean: number, high: number, outer?: [number, number]}} Row
 * `outer`: a wider interval, drawn thin */

const STEP = 30;
const AXIS = 26;

/** @param {Row[]} rows @param {{width: number, title: string, chance?: number | null}} options */
export function strip(rows, { width, title, chance = null }) {
  const narrow = width < 480;
  const room = Math.min((narrow ? 0.34 : 0.4) * width, Math.max(...rows.map((row) => textWidth(row.name))) + 16);
  const ends = rows.flatMap((row) => [row.low, row.high, ...(row.outer ?? [])]);
  const scale = linear(...roundedRange(Math.min(...ends), Math.max(...ends)), room, width - 14, narrow ? 4 : 7);
  const bottom = rows.length * STEP + 6;
  const marks = rows.map((row, i) => {
    const y = i * STEP + 18;
    return html`<g class="row">${words("name", room - 14, y + 4, clipped(row.name, room - 16), "end")}
      ${row.outer && stroke("outer blue", scale(row.outer[0]), y, scale(row.outer[1]), y)}
      ${stroke("interval blue", scale(row.low), y, scale(row.high), y)}
      <circle class="mean blue" cx=${pixel(scale(row.mean))} cy=${y} r="5" /></g>`;
  });
  const line = chance !== null && chance >= scale.low && chance <= scale.high;
  return picture({ title, width, height: bottom + AXIS, name: "strip" }, [
    below(scale, bottom, { top: 4 }),
    line ? stroke("chance", scale(chance), bottom, scale(chance), 4) : null,
    marks,
  ]);
}
