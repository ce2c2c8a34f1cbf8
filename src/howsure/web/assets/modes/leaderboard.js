// @ts-check
/** Leaderboard: which of many is best, how sure each rank is, and what the prizes are worth. */

import { html } from "../html.js";
import { withData } from "./data.js";
import { SheetAnswer } from "../parts/sheet_answer.js";
import { Verdict } from "../parts/verdict.js";
import { Inputs } from "./leaderboard/inputs.js";
import { initial, kept, request, sound } from "./leaderboard/slice.js";

/** @type {import("../types").Mode} */
export const leaderboard = withData({
  name: "leaderboard",
  title: "Leaderboard",
  initial,
  sound,
  request,
  kept,
  view: (slice, answers, act) => html`
    <${Verdict} answers=${answers} />
    <${Inputs} slice=${sound(slice)} answers=${answers} act=${act} />
    <${SheetAnswer} answers=${answers} title="Ranks" caption="Dot: mean. Line: interval. Tick: observed. Colours alternate with the tiers: the data do not separate those of one tier." act=${act} request=${request(slice)} />`,
});
