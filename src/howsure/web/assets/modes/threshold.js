// @ts-check
/** Threshold: scores of two classes, a point on their curve, and the matrix and all numbers that follow it. */

import { html } from "../html.js";
import { SheetAnswer } from "../parts/sheet_answer.js";
import { Verdict } from "../parts/verdict.js";
import { AtPoint, useNumbersAt } from "./threshold/answers.js";
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
    const at = placeOf(answers.current, slice);
    return html`
      <${Verdict} answers=${moved(answers, slice)} />
      <${ThresholdInputs} slice=${slice} answers=${answers} act=${act} at=${at} />
      <${Answer} slice=${slice} answers=${answers} act=${act} at=${at} />`;
  },
};

/** @param {{slice: import("./threshold/slice.js").Slice, answers: import("../types").Answers, act: import("../types").Act, at: number}} props */
function Answer({ slice, answers, act, at }) {
  const current = useNumbersAt(answers.current, slice, act, at);
  return html`<${SheetAnswer} answers=${{ ...answers, current }} name="numbers" title="Numbers at this threshold" act=${act} request=${request(slice, { live: false })}
    before=${html`<${AtPoint} slice=${slice} current=${current} act=${act} at=${at} />`} />`;
}
