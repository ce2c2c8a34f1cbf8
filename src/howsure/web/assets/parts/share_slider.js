// @ts-check
/** A probability on the scale of its log odds, and the places of a slider whose words are known before the hand is there. */

import { html } from "../html.js";
import { NumberBox } from "./fields.js";

/** @typedef {import("../types").Answer} Answer */

/** An answer with the stops that were asked for beside it. @param {Answer} before @param {Answer} answer @returns {Answer} */
export const withStops = (before, { shown, drawing }) => ({
  ...before,
  shown: { ...before.shown, stops: shown.stops },
  drawing: { ...before.drawing, stops: drawing.stops },
});

/** The words at a place; null where it is none of the stops, or they are not known yet.
 * @param {Pick<Answer, "shown" | "drawing">} answer @param {number | null} share */
export function wordsAt({ shown, drawing }, share) {
  const place = drawing.stops?.indexOf(share) ?? -1;
  return place < 0 ? null : shown.stops[place];
}

/** Ends of the slider, as log odds: 1 in 10,000 to all but 1 in 10,000. */
const END = 9.2;
export const STEP = 0.05;
/** Places of the slider: as many are asked for on either side, and so many more whenever it has moved as far. */
const REACH = 24;
const BLOCK = 16;

/** @param {number} odds log odds @returns {number} per cent, to so many digits as one step changes */
export const percentOf = (odds) => Number((100 / (1 + Math.exp(-odds))).toPrecision(odds > 3 ? 5 : 3));

/** All that a slider can be set to, in per cent. @param {number} low log odds @param {number} high @returns {number[]} */
export const places = (low, high) => Array.from({ length: 1 + Math.floor((high - low) / STEP + 1e-9) }, (_, i) => percentOf(low + i * STEP));

/** @param {number} percent @returns {number} log odds inside the slider */
const logOdds = (percent) => Math.max(-END, Math.min(END, Math.log(percent / (100 - percent))));

const PLACES = places(-END, END);

/** All places, the nearest to one first; they rise. @param {number[]} all @param {number} place @param {number} [at] its index
 * @returns {number[]} */
export const nearest = (all, place, at = all.filter((each) => each < place).length) =>
  [...all.keys()].sort((i, j) => Math.abs(i - at) - Math.abs(j - at)).map((i) => all[i]);

/** The places of the slider that lie near one, enough on either side for the next ones to be here before the hand is.
 * @param {number} percent @returns {number[]} */
export function near(percent) {
  const middle = BLOCK * Math.round((logOdds(percent) + END) / STEP / BLOCK);
  return nearest(PLACES.slice(Math.max(0, middle - REACH), middle + REACH + 1), percent);
}

/**
 * @param {{label: string, percent: number, said: string,
 *   onPercent: (percent: number, how: {live: boolean}) => void}} props `said`: what a screen reader says of the place
 */
export const ShareSlider = ({ label, percent, said, onPercent }) => html`<div class="share-slider">
  <${NumberBox} label=${label} unit="%" value=${percent} low=${0} high=${100} onValue=${onPercent} />
  <input class="slider" type="range" min=${-END} max=${END} step=${STEP} value=${logOdds(percent)} aria-label=${`${label}, as a slider`}
    aria-valuetext=${said} onInput=${(/** @type {any} */ e) => onPercent(percentOf(Number(e.currentTarget.value)), { live: true })} />
</div>`;
