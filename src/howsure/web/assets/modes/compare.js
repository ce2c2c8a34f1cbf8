// @ts-check
/** Compare: is A better than B, by how much, and does it matter? */

import { html } from "../html.js";
import { withData } from "./data.js";
import { isEmpty } from "../matrix.js";
import { SheetAnswer } from "../parts/sheet_answer.js";
import { Verdict } from "../parts/verdict.js";
import { EXAMPLES } from "./compare/examples.js";
import { Inputs } from "./compare/inputs.js";
import { initial, request, sound, withFirst } from "./compare/slice.js";

/** @type {import("../types").Mode} */
export const compare = withData({
  name: "compare",
  title: "Compare",
  initial,
  sound,
  request,
  kept: ({ metric, classifiers }) => ({ metric, classifiers }),
  matrixOf: (slice) => (slice.paired ? undefined : slice.classifiers?.[0]?.matrix),
  withMatrix: withFirst,
  view: (given, answers, act) => {
    const slice = sound(given);
    const open = slice.paired ? undefined : slice.pair.map((i) => slice.classifiers[i]).find(isEmpty);
    return html`
    <${Verdict} answers=${answers} asks=${open ? `Paste or type the matrix of “${open.name}”.` : ""} />
    <${Inputs} slice=${slice} answers=${answers} act=${act} examples=${EXAMPLES} />
    <${SheetAnswer} answers=${answers} name="difference" title="How much" caption="" act=${act} request=${request(slice)} />`;
  },
});
