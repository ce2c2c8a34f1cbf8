// @ts-check
/**
 * Posteriors above each other: density, interval, mean, what was observed, chance, and a threshold per row that is
 * moved by hand or by key. Rows of one range share an axis; a row with a range of its own has an axis of its own.
 */

import { html } from "../html.js";
import { LINE, below, picture, stacked, stroke, words } from "./picture.js";
import { area, folded, line, linear, pixel, roundedRange, textWidth } from "./scale.js";

/** @typedef {import("./scale.js").Scale} Scale */
/** @typedef {{name: string, low: number|null, high: number|null, mean: number|null, observed?: number|null,
 *   chance?: number|null, range?: [number|null, number|null], x: number[], density: number[]}} Drawn */
/** @typedef {{name: string, title?: string, mean: string, interval: string, depends?: boolean}} Said */
/** @typedef {Record<string, {x: string, above: string}>} Thresholds */
/** @typedef {{width: number, title?: string, thresholds?: Record<string, number>,
 *   onThreshold?: (name: string, x: number, live: boolean) => void}} Options */

/** Pixels of a density, of an axis, and of the slider that lies over a row; style.css has the same. */
const HEIGHT = 34;
const AXIS = 24;
const THUMB = 24;
const LEGEND = 22;

/** @param {{rows: Drawn[]}} drawing @param {{rows: Said[], thresholds?: Thresholds}} shown @param {Options} options */
export function ridge(drawing, shown, { width, title, thresholds = {}, onThreshold }) {
  const given = drawing.rows.map((drawn, i) => ({ drawn, said: shown.rows[i], at: thresholds[drawn.name] ?? null }));
  const place = layout(given, width);
  const rows = given.map((row) => ({ ...row, ...named(row, place) }));
  const groups = grouped(rows);
  const marks = [];
  const sliders = [];
  let y = LEGEND;
  for (const group of groups) {
    const scale = linear(...domain(group), place.start, place.end, place.end - place.start < 300 ? 5 : 8);
    const bottom = y + group.reduce((sum, row) => sum + place.step + row.above, 0);
    marks.push(below(scale, bottom, { top: y + 4 }));
    for (const row of group) {
      const top = y + row.above;
      marks.push(html`<g class="row">${density(row, scale, top, place)}${labels(row, top, place)}
        ${threshold(row, scale, top, place, shown.thresholds)}</g>`);
      if (onThreshold) sliders.push(slider(row, scale, top, place, shown.thresholds, onThreshold));
      y = top + place.step;
    }
    y = bottom + AXIS + 6;
  }
  const said = title ?? `Posteriors of ${shown.rows.map((row) => `${row.title ?? row.name} ${row.mean} (${row.interval})`).join(", ")}`;
  const frame = { title: said, width, height: y, name: "ridge" };
  return html`<div class="ridge-frame">${picture(frame, [legend(place), ...marks])}${sliders}</div>`;
}

/** @typedef {{drawn: Drawn, said: Said, at: number|null}} Given */
/** @typedef {Given & {lines: string[], above: number}} Row `lines` of its name, and pixels that they need above it */
/** @typedef {{narrow: boolean, start: number, end: number, step: number, width: number, base: number}} Place */

/** Names beside the rows, or above them where there is little room.
 * @param {Given[]} rows @param {number} width @returns {Place} */
function layout(rows, width) {
  const narrow = width < 560;
  const name = Math.min(0.3 * width, Math.max(60, ...rows.map((row) => textWidth(labelled(row.said)))));
  const said = Math.max(80, ...rows.map((row) => textWidth(row.said.interval, 12)));
  return narrow
    ? { narrow, start: 14, end: width - 14, step: 74, width, base: 66 }
    : { narrow, start: name + 20, end: width - said - 20, step: 56, width, base: 46 };
}

/** @param {Said} said */
const labelled = (said) => (said.title ?? said.name) + (said.depends ? "\u00a0*" : "");

/** The lines of a name: where there is little room beside its numbers, above them.
 * @param {Given} row @param {Place} place */
function named({ said }, place) {
  const name = labelled(said);
  if (!place.narrow) {
    const lines = folded(name, place.start - 20);
    return { lines, above: LINE * Math.max(0, lines.length - 3) };
  }
  const room = place.end - place.start;
  if (textWidth(name) + 14 + textWidth(numbers(said)) <= room) return { lines: [name], above: 0 };
  const lines = folded(name, room);
  return { lines, above: LINE * lines.length };
}

/** @param {Said} said */
const numbers = (said) => `${said.mean} (${said.interval})`;

/** Neighbours with the same ends of their range share an axis; what has no end shares it with nobody.
 * @param {Row[]} rows @returns {Row[][]} */
function grouped(rows) {
  /** @type {Row[][]} */
  const groups = [];
  let last = null;
  for (const row of rows) {
    const [a, b] = row.drawn.range ?? [null, null];
    const key = Number.isFinite(a) && Number.isFinite(b) && a !== null && b !== null ? `${a} ${b}` : null;
    if (key !== null && key === last) groups[groups.length - 1].push(row);
    else groups.push([row]);
    last = key;
  }
  return groups;
}

/** What a group's axis spans: all that is drawn, to round ends.
 * @param {Row[]} group @returns {[number, number]} */
function domain(group) {
  const seen = [];
  for (const { drawn, at } of group) {
    const peak = Math.max(...drawn.density, 0);
    seen.push(...drawn.x.filter((_, i) => drawn.density[i] > 0.004 * peak));
    for (const value of [drawn.low, drawn.high, drawn.mean, drawn.observed, drawn.chance, at]) {
      if (Number.isFinite(value)) seen.push(/** @type {number} */ (value));
    }
  }
  const [a, b] = group[0].drawn.range ?? [null, null];
  return roundedRange(Math.min(...seen), Math.max(...seen), [a ?? -Infinity, b ?? Infinity]);
}

/** @param {Row} row @param {Scale} scale @param {number} top @param {Place} place */
function density({ drawn }, scale, top, place) {
  const base = top + place.base;
  const peak = Math.max(...drawn.density, 0) || 1;
  /** @type {Array<[number, number]>} */
  const over = [];
  drawn.x.forEach((x, i) => {
    if (x >= scale.low && x <= scale.high) over.push([scale(x), base - (HEIGHT * drawn.density[i]) / peak]);
  });
  const under = over.map(([x]) => /** @type {[number, number]} */ ([x, base]));
  const marks = [html`<path class="fill blue" d=${area(over, under)} />`, html`<path class="edge blue" d=${line(over)} />`];
  if (finite(drawn.chance)) marks.push(stroke("chance", scale(drawn.chance), base - HEIGHT, scale(drawn.chance), base + 7));
  if (finite(drawn.low) && finite(drawn.high)) marks.push(stroke("interval blue", scale(drawn.low), base, scale(drawn.high), base));
  if (finite(drawn.observed)) marks.push(stroke("observed", scale(drawn.observed), base - 8, scale(drawn.observed), base + 8));
  if (finite(drawn.mean)) marks.push(html`<circle class="mean blue" cx=${pixel(scale(drawn.mean))} cy=${base} r="4.5" />`);
  return marks;
}

/** @param {number|null|undefined} value @returns {value is number} */
const finite = (value) => typeof value === "number" && Number.isFinite(value);

/** @param {Row} row @param {number} top @param {Place} place */
function labels({ said, lines, above }, top, place) {
  if (place.narrow) return [stacked("name", place.start, top + 20 - above, lines), words("strong", place.end, top + 20, numbers(said), "end")];
  return [
    stacked("name", place.start - 14, top + place.base - 4 - LINE * (lines.length - 1), lines, "end"),
    words("strong", place.end + 14, top + place.base - 12, said.mean),
    words("quiet", place.end + 14, top + place.base + 4, said.interval),
  ];
}

/** @param {Row} row @param {Scale} scale @param {number} top @param {Place} place @param {Thresholds} [said] */
function threshold({ drawn, at }, scale, top, place, said) {
  if (at === null) return null;
  const x = scale(at);
  const base = top + place.base;
  const text = said?.[drawn.name] ? `P(> ${said[drawn.name].x}) ${said[drawn.name].above}` : "";
  const left = x + 6 + textWidth(text, 12) > place.end + 6;
  return html`<g class="threshold">${stroke("cut", x, base - HEIGHT - 4, x, base + 8)}
    <path class="grip" d=${`M${pixel(x - 5)} ${base + 12}L${pixel(x + 5)} ${base + 12}L${pixel(x)} ${base + 4}Z`} />
    ${words("strong halo", left ? x - 6 : x + 6, base - HEIGHT + 8, text, left ? "end" : "start")}</g>`;
}

/** A range input over the row: dragging, keys and touch as the browser has them.
 * @param {Row} row @param {Scale} scale @param {number} top @param {Place} place @param {Thresholds|undefined} said
 * @param {(name: string, x: number, live: boolean) => void} onThreshold */
function slider({ drawn, said: { title = drawn.name }, at }, scale, top, place, said, onThreshold) {
  const step = 10 ** Math.floor(Math.log10((scale.high - scale.low) / 40));
  const text = said?.[drawn.name];
  const style = {
    left: `${pixel(scale.start - THUMB / 2)}px`,
    width: `${pixel(scale.end - scale.start + THUMB)}px`,
    top: `${top + place.base - HEIGHT}px`,
  };
  const moved = (/** @type {Event} */ event, /** @type {boolean} */ live) =>
    onThreshold(drawn.name, Number(/** @type {HTMLInputElement} */ (event.currentTarget).value), live);
  return html`<input type="range" key=${drawn.name} class=${at === null ? "over unset" : "over"} style=${style}
    min=${scale.low} max=${scale.high} step=${step} value=${at ?? drawn.chance ?? drawn.mean ?? scale.low}
    aria-label=${`Threshold of ${title}`}
    aria-valuetext=${text ? `${text.x}: ${title} is higher with probability ${text.above}` : "not set"}
    onInput=${(/** @type {Event} */ event) => moved(event, true)} onChange=${(/** @type {Event} */ event) => moved(event, false)} />`;
}

/** What the marks mean.
 * @param {Place} place */
function legend(place) {
  const y = 12;
  let x = place.start;
  /** @type {Array<[string, (x: number) => unknown]>} */
  const kinds = [
    ["mean, interval", (x) => [stroke("interval blue", x, y - 4, x + 18, y - 4), html`<circle class="mean blue" cx=${x + 9} cy=${y - 4} r="4" />`]],
    ["observed", (x) => stroke("observed", x + 12, y - 10, x + 12, y + 2)],
    ["chance", (x) => stroke("chance", x + 12, y - 11, x + 12, y + 3)],
  ];
  return kinds.map(([name, mark]) => {
    const made = html`${mark(x)}${words("quiet", x + 24, y, name)}`;
    x += (place.narrow ? 29 : 38) + textWidth(name, 12);
    return made;
  });
}
