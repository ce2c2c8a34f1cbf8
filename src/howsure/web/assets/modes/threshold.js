// @ts-check
/** Threshold: scores of two classes, a point on their curve, and the matrix and all numbers that follow it. */

import { html } from "../html.js";
import { Verdict } from "../parts/verdict.js";
import { ThresholdAnswer } from "./threshold/answers.js";
import { ThresholdInputs } from "./threshold/inputs.js";
import { initial, moved, placeOf, request, sound } from "./threshold/slice.js";

/** @type {import("../types").Mode} */
export const threshold = {
  name: "threshold",
  title: "Threshold",
  initial,
  sound,
  request,
  view: (given, answers, act) => {
    const slice = sound(given);
    return html`
      <${Verdict} answers=${moved(answers, slice)} />
      <${ThresholdInputs} slice=${slice} answers=${answers} act=${act} at=${placeOf(answers.current, slice)} />
      <${ThresholdAnswer} slice=${slice} answers=${answers} act=${act} at=${placeOf(answers.current, slice)} />`;
  },
};
