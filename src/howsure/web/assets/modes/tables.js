// @ts-check
/** Many tables: studies or sites pooled, or slices each for itself. */

import { html } from "../html.js";
import { Verdict } from "../parts/verdict.js";
import { TablesAnswer } from "./tables/answers.js";
import { TablesInputs } from "./tables/inputs.js";
import { initial, request, sound } from "./tables/slice.js";

/** @type {import("../types").Mode} */
export const tables = {
  name: "tables",
  title: "Many tables",
  initial,
  sound,
  request,
  view: (given, answers, act) => {
    const slice = sound(given);
    return html`
      <${Verdict} answers=${answers} />
      <${TablesInputs} slice=${slice} answers=${answers} act=${act} />
      <${TablesAnswer} answers=${answers} />`;
  },
};
