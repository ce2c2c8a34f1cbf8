// @ts-check
/** A probability on the scale of its log odds, and the places of a slider whose words are known before the hand is there. */

import { html, useEffect, useRef, useState } from "../html.js";
import { pause } from "../pending.js";
import { NumberBox } from "./fields.js";

/** What passes: the server is busy, or is not there; and how long to wait then. */
const WAIT = ["Busy", "lost"];
const BUSY_MS = 1000;
/** Ends of the slider, as log odds: 1 in 10,000 to all but 1 in 10,000. */
const END = 9.2;
export const STEP = 0.05;
/** @param {number} odds log odds @returns {number} per cent, to so many digits as one step changes */
export const percentOf = (odds) => Number((100 / (1 + Math.exp(-odds))).toPrecision(odds > 3 ? 5 : 3));

/** All that a slider can be set to, in per cent. @param {number} low log odds @param {number} high @returns {number[]} */
export const places = (low, high) => Array.from({ length: 1 + Math.floor((high - low) / STEP + 1e-9) }, (_, i) => percentOf(low + i * STEP));

/** @param {number} percent @returns {number} log odds inside the slider */
const logOdds = (percent) => Math.max(-END, Math.min(END, Math.log(percent / (100 - percent))));

/** All that the slider below can be set to, as shares. */
export const SHARES = places(-END, END).map((percent) => percent / 100);

/** @typedef {{verb: string, body: Record<string, unknown>, few: number, most: number}} Question about places: how many are asked for at first, and at once */

/**
 * What is said at each place of a slider: asked for beforehand, the nearest to the hand first, so that a hand that moves finds it here.
 * @param {import("../types").Act} act
 * @param {Question | null} question the same object until it is another one; null: nobody asks
 * @param {number[]} all places, rising
 * @param {number} here where the hand is
 * @param {number} [reach] places about it that are asked for, when half as many are not known
 * @returns {(place: number) => any} undefined: not known yet
 */
export function usePlaces(act, question, all, here, reach = all.length) {
  const [, step] = useState(0);
  const now = useRef({ question, of: new Map(), all, here, busy: false, there: true });
  if (now.current.question !== question) Object.assign(now.current, { question, of: new Map() });
  Object.assign(now.current, { all, here });
  useEffect(() => () => void (now.current.there = false), []);
  useEffect(() => {
    if (!now.current.busy) ask();
  });
  const ask = async () => {
    const state = now.current;
    state.busy = true;
    for (;;) {
      const { question: asked, of } = state;
      const near = nearest(state.all, state.here).slice(0, reach);
      const next = near.filter((place) => !of.has(place)).slice(0, Math.min(asked?.most ?? 0, Math.max(asked?.few ?? 0, of.size)));
      if (!asked || !state.there || !next.length || near.slice(0, Math.ceil(reach / 2)).every((place) => of.has(place))) break;
      try {
        const { shown, drawing } = await act.ask(asked.verb, { ...asked.body, stops: next });
        drawing.stops.forEach((/** @type {number} */ place, /** @type {number} */ i) => of.set(place, shown.stops[i]));
        if (state.there) step((n) => n + 1);
      } catch (failure) {
        if (!WAIT.includes(/** @type {any} */ (failure).code)) break;
        await pause(BUSY_MS);
      }
    }
    state.busy = false;
  };
  return (place) => now.current.of.get(place);
}

/** The places, the nearest to one first. @param {number[]} all rising @param {number} place @returns {number[]} */
function nearest(all, place) {
  const at = all.filter((each) => each < place).length;
  return [...all.keys()].sort((i, j) => Math.abs(i - at) - Math.abs(j - at)).map((i) => all[i]);
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
