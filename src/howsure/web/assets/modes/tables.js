// @ts-check
/** Many tables: studies or sites pooled, or slices each for itself. */

import { html } from "../html.js";
import { SheetAnswer } from "../parts/sheet_answer.js";
import { Verdict } from "../parts/verdict.js";
import { TablesInputs } from "./tables/inputs.js";
import { initial, request, sound } from "./tables/slice.js";

const WORDS = {
  pool: { title: "A typical one, the next one, and each of them", caption: "Dot: mean. Thick line: interval; thin line: interval of a new one. Tick: observed." },
  slices: { title: "Each of them", caption: "The worst ones. Dot: mean. Line: interval. Tick: observed." },
};

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
      <${SheetAnswer} answers=${answers} sorted=${true} act=${act} request=${request(slice, { live: false })} ...${WORDS[answers.current?.result.kind === "pool" ? "pool" : "slices"]} />`;
  },
};
