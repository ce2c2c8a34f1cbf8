// @ts-check
/** Probabilities in a table of squares: the area of a square is its probability, so that no colour has to be told. */

import { html } from "../html.js";
import { picture, words } from "./picture.js";
import { clipped, pixel, textWidth } from "./scale.js";

/** @typedef {{rows: string[], columns: string[], cells?: (string|null)[][]}} Said `cells`: the probabilities in words */
/** @typedef {{width: number, title: string, across: string, middle?: boolean, grey?: boolean[]}} Options
 * `across`: what the columns are; `middle`: one half means nothing, so that squares grow to both sides of it;
 * `grey`: rows that are provisional */

const LARGEST = 46;

/** @param {(number|null)[][]} values rows of probabilities @param {Said} shown @param {Options} options */
export function heat(values, shown, { width, title, across, middle = false, grey = [] }) {
  const names = Math.min(0.34 * width, 12 + Math.max(...shown.rows.map((name) => textWidth(name, 12))));
  const size = Math.min(LARGEST, (width - names - 4) / shown.columns.length);
  const top = 38;
  const every = Math.ceil(Math.max(...shown.columns.map((name) => textWidth(name, 11) + 6)) / size);
  const upright = every === 1;
  const heads = shown.columns.map((name, j) =>
    upright || j % every === 0 ? words("mark", names + (j + 0.5) * size, top - 7, name, "middle") : null,
  );
  const marks = values.map((row, i) => html`<g class=${grey[i] ? "row provisional" : "row"}>
    ${words("name", names - 8, top + (i + 0.5) * size + 4, clipped(shown.rows[i], names - 8, 12), "end")}
    ${row.map((p, j) => cell(p, names + j * size, top + i * size, size, middle, shown.cells?.[i]?.[j]))}
  </g>`);
  const frame = { title, width: Math.max(width, names + size * shown.columns.length), height: top + size * values.length + 6, name: "heat" };
  return picture(frame, [words("quiet", names, 13, across), heads, marks]);
}

/** One square in its field. Where one half means nothing, more than half is blue and full, less is orange and hollow.
 * @param {number|null} p @param {number} x @param {number} y @param {number} size @param {boolean} middle
 * @param {string|null} [said] */
function cell(p, x, y, size, middle, said) {
  const field = html`<rect class="field" x=${pixel(x + 1)} y=${pixel(y + 1)} width=${pixel(size - 2)} height=${pixel(size - 2)} />`;
  if (p === null) return field;
  const amount = middle ? Math.abs(2 * p - 1) : p;
  const side = Math.sqrt(Math.min(1, amount)) * (size - 4);
  const colour = middle && p < 0.5 ? "orange hollow" : "blue";
  const square = side < 0.6 ? null : html`<rect class=${`square ${colour}`} x=${pixel(x + (size - side) / 2)} y=${pixel(y + (size - side) / 2)}
    width=${pixel(side)} height=${pixel(side)} />`;
  const fits = said && size >= 34 && textWidth(said, 11) <= size - 2;
  return html`<g>${field}${square}${fits ? words("inside halo", x + size / 2, y + size / 2 + 4, said, "middle") : null}</g>`;
}
