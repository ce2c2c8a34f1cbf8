// @ts-check
/** One patient or sample: how probable a class is once the test has spoken. */

import { html } from "../html.js";
import { SheetAnswer } from "../parts/sheet_answer.js";
import { Verdict } from "../parts/verdict.js";
import { BeforeAndAfter } from "./patient/before_and_after.js";
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
  view: (given, answered, act) => {
    const slice = sound(given);
    const answers = moved(answered, slice);
    return html`
      <${Verdict} answers=${answers} />
      <${PatientInputs} slice=${slice} answers=${answers} act=${act} />
      <${SheetAnswer} answers=${answers} title="After the test" act=${act} request=${request(slice, { live: false })}>
        <${BeforeAndAfter} slice=${slice} current=${answers.current} />
      <//>`;
  },
};
