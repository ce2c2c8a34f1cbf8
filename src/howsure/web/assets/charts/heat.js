// @ts-check
/**
 * Probabilities in a table of fields. Where the numbers fit they stand in the fields, which are tinted as deep; where
 * they do not, the height of a bar is the probability, the largest as high as its field. Either way no colour has to be
 * told.
 */

import { html } from "../html.js";
import { picture, words } from "./picture.js";
import { clipped, pixel, textWidth } from "./scale.js";

/** @typedef {{rows: string[], columns: string[], cells?: (string|null)[][]}} Said `cells`: the probabilities in words */
/** @typedef {{width: number, title: string, across: string, grey?: boolean[], sure?: number}} Options
 * `across`: what the columns are; `grey`: rows that are provisional; `sure`: fields from here on have an outline, or are darker */

const ROW = 34;
const SMALLEST = 6;
const LOWEST = 16; // so that the names of the rows keep apart
const SQUARE = 40; // of a field without words
const WIDE = 58; // of one with words
const TOP = 40;
const LINE = 16;
/** Below this a field stays empty: it would say nothing but that it is small. */
const NOTHING = 0.0005;

/** @param {(number|null)[][]} values rows of probabilities; null is no field @param {Said} shown @param {Options} options */
export function heat(values, shown, { width, title, across, grey = [], sure = Infinity }) {
  const names = Math.min(0.34 * width, 12 + Math.max(...shown.rows.map((name) => textWidth(name, 12))));
  const room = Math.max(SMALLEST, (width - names - 4) / shown.columns.length);
  const longest = Math.max(0, ...(shown.cells ?? []).flat().map((text) => textWidth(text ?? "", 11)));
  const written = longest > 0 && room >= longest + 4;
  const wide = Math.min(written ? WIDE : SQUARE, room);
  const down = written ? ROW : Math.max(LOWEST, wide);
  const largest = Math.max(NOTHING, ...values.flat().map((p) => p ?? 0));
  const every = Math.ceil(Math.max(...shown.columns.map((name) => textWidth(name, 11) + 6)) / wide);
  const read = "the higher the bar, the more probable";
  const whole = written ? across : `${across}; ${read}`;
  const lines = textWidth(whole, 12) <= width - 4 ? [whole] : [across, ...(written ? [] : [read])];
  const top = TOP + LINE * (lines.length - 1);
  const heads = shown.columns.map((name, j) =>
    j % every === 0 ? words("mark", names + (j + 0.5) * wide, top - 7, name, "middle") : null,
  );
  const marks = values.map((row, i) => html`<g class=${grey[i] ? "row provisional" : "row"}>
    ${words("name", names - 8, top + (i + 0.5) * down + 4, clipped(shown.rows[i], names - 8, 12), "end")}
    ${row.map((p, j) => p !== null && field(p, { x: names + j * wide, y: top + i * down, across: wide, down },
      { share: p / largest, sure: Number.isFinite(sure) ? p >= sure : null, said: written ? shown.cells?.[i]?.[j] : null }))}
  </g>`);
  const frame = { title, width: Math.max(width, names + wide * shown.columns.length), height: top + down * values.length + 6, name: "heat" };
  return picture(frame, [lines.map((text, i) => words("quiet", 2, 13 + LINE * i, clipped(text, width - 4, 12))), heads, marks]);
}

/** One field.
 * @param {number} p @param {{x: number, y: number, across: number, down: number}} place
 * @param {{share: number, sure: boolean|null, said?: string|null}} what `share`: of the largest probability; `sure`: null
 *   where nothing is */
function field(p, { x, y, across, down }, { share, sure, said }) {
  const gap = across > 12 ? 2 : 0.5;
  const box = (/** @type {string} */ name, /** @type {number} */ wide, /** @type {number} */ high, /** @type {number} */ opacity) =>
    html`<rect class=${name} x=${pixel(x + (across - wide) / 2)} y=${pixel(y + (down - high) / 2)} width=${pixel(wide)} height=${pixel(high)}
      fill-opacity=${opacity} rx="2" />`;
  const ground = box("field", across - gap, down - gap, 1);
  const outline = sure && across > 12 ? box("sure", across - 3, down - 3, 0) : null;
  const high = (down - 2 * gap) * share;
  if (!said) return html`<g>${ground}${high < 0.6 ? null : box("part-of-field", across - gap, high, sure === false ? 0.4 : 0.85)}${outline}</g>`;
  if (p < NOTHING) return html`<g>${ground}</g>`;
  const tint = box("tint", across - gap, down - gap, pixel(5 * p) / 10);
  return html`<g>${ground}${tint}${outline}${words("inside", x + across / 2, y + down / 2 + 4, said, "middle")}</g>`;
}
