// @ts-check
/** Plan: how many cases a test needs, and what the number one has can show. */

import { html } from "../html.js";
import { SheetAnswer } from "../parts/sheet_answer.js";
import { Verdict } from "../parts/verdict.js";
import { Have } from "./plan/have.js";
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
  view: (given, answers, act) => {
    const slice = sound(given);
    const question = asked(slice);
    return html`
    <${Verdict} answers=${answers} />
    <${PlanInputs} slice=${slice} answers=${answers} act=${act} />
    <${SheetAnswer} answers=${answers} title="Cases" act=${act} request=${question}>
      <${Have} slice=${slice} act=${act} request=${question} refused=${answers.failure !== null} />
    <//>`;
  },
};
