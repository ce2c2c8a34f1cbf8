// @ts-check
/** Compare: is A better than B, by how much, and does it matter? */

import { html } from "../html.js";
import { Verdict } from "../parts/verdict.js";
import { Answer } from "./compare/answers.js";
import { EXAMPLES } from "./compare/examples.js";
import { Inputs } from "./compare/inputs.js";
import { initial, isEmpty, request, sound, withFirst } from "./compare/slice.js";

/** @type {import("../types").Mode} */
export const compare = {
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
    // what was said of others says nothing of one that is still to come
    const open = !slice.paired && slice.pair.some((i) => isEmpty(slice.classifiers[i]));
    const said = open ? { ...answers, current: null } : answers;
    return html`
    <${Verdict} answers=${said} />
    <${Inputs} slice=${slice} answers=${answers} act=${act} examples=${EXAMPLES} />
    <${Answer} slice=${slice} answers=${said} />`;
  },
};
