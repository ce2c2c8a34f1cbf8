// @ts-check
/** Plan: how many cases a test needs, and what the number one has can show. */

import { html } from "../html.js";
import { Verdict } from "../parts/verdict.js";
import { PlanAnswer } from "./plan/answers.js";
import { PlanInputs } from "./plan/inputs.js";
import { asked, initial, request, sound } from "./plan/slice.js";

/** @type {import("../types").Mode} */
export const plan = {
  name: "plan",
  title: "Plan",
  initial,
  sound,
  request,
  matrixOf: (slice) => slice.pilot,
  withMatrix: (slice, pilot) => ({ ...slice, pilot }),
  view: (slice, answers, act) => html`
    <${Verdict} answers=${answers} />
    <${PlanInputs} slice=${sound(slice)} answers=${answers} act=${act} />
    <${PlanAnswer} slice=${sound(slice)} answers=${answers} act=${act} request=${asked(sound(slice))} />`,
};
