// @ts-check
/** One patient or sample: how probable a class is once the test has spoken. */

import { html } from "../html.js";
import { Verdict } from "../parts/verdict.js";
import { PatientAnswer } from "./patient/answers.js";
import { PatientInputs } from "./patient/inputs.js";
import { initial, merged, moved, request, sound } from "./patient/slice.js";

/** @type {import("../types").Mode} */
export const patient = {
  name: "patient",
  title: "One patient",
  initial,
  sound,
  request,
  merged,
  slider: () => ({ part: "percent" }),
  matrixOf: (slice) => slice.matrix,
  withMatrix: (slice, matrix) => ({ ...slice, matrix }),
  view: (slice, answered, act) => {
    const answers = moved(answered, slice);
    return html`
      <${Verdict} answers=${answers} />
      <${PatientInputs} slice=${sound(slice)} answers=${answers} act=${act} />
      <${PatientAnswer} slice=${sound(slice)} answers=${answers} />`;
  },
};
