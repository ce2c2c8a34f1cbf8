// @ts-check
/** Where the scores come from, where they will be used, and what the threshold is to be best for. */

import { html } from "../../html.js";
import { Chips } from "../../parts/chips.js";
import { Drop } from "../../parts/drop.js";
import { NumberBox, Segments, Select } from "../../parts/fields.js";
import { PasteBox, usePasting } from "../../parts/paste_box.js";
import { Settings } from "../../parts/settings.js";
import { EXAMPLES, areRisks } from "./slice.js";

/** @typedef {import("./slice.js").Slice} Slice */
/** @typedef {import("../../types").Act} Act */

const BESTS = [
  { value: "", label: "Nothing", title: "Where I put it" },
  { value: "balanced_accuracy", label: "Youden", title: "Sensitivity and specificity alike" },
  { value: "f1", label: "F1" },
  { value: "cost", label: "Cost" },
];

/** Options of a question for scores. */
const SCORES = "scores=true";

/** @param {{slice: Slice, answers: import("../../types").Answers, act: Act, at: number}} props */
export function ThresholdInputs({ slice, answers, act, at }) {
  const { scores, best, cost, typed } = slice;
  const stop = answers.current?.drawing.stops[at] ?? null;
  const pasting = usePasting((reads) => taken(reads, act), { always: SCORES, about: scores });
  return html`<div class="inputs">
    <section class="sources" aria-label="Your own data">
      <${Drop} label="Read a file" hint="The true class and the score of each case: y_true,score. CSV, TSV, JSON Lines or a workbook of Excel. Or drop it here." always=${SCORES}
        about=${slice.scores} onRead=${(/** @type {any} */ reads) => taken(reads, act)} />
      <${PasteBox} summary="Paste scores" label="CSV or cells of a spreadsheet, with the columns y_true and score"
        placeholder=${"y_true,score\nill,0.91\nhealthy,0.12"} pasting=${pasting} />
      <${Chips} examples=${EXAMPLES} onPatch=${act.fill} />
    </section>
    <${Positive} scores=${scores} act=${act} />
    <${NumberBox} label="Threshold: positive from this score on" value=${typed ?? stop ?? null} empty=${!answers.current}
      onValue=${(/** @type {number} */ x, /** @type {any} */ how) => act.change((now) => ({ ...now, typed: x, at: null }), how)} />
    <${Segments} legend="Best for" value=${best} options=${BESTS}
      onValue=${(/** @type {string} */ next) => act.change((now) => ({ ...now, best: next, at: null, typed: null }))} />
    ${best === "cost" &&
    html`<div class="fields">
      <${NumberBox} label="A false alarm costs" value=${cost.fp} low=${1e-6} high=${1e6}
        onValue=${(/** @type {number} */ x, /** @type {any} */ how) => act.change((now) => ({ ...now, cost: { ...now.cost, fp: x }, at: null, typed: null }), how)} />
      <${NumberBox} label="A miss costs" value=${cost.fn} low=${1e-6} high=${1e6}
        onValue=${(/** @type {number} */ x, /** @type {any} */ how) => act.change((now) => ({ ...now, cost: { ...now.cost, fn: x }, at: null, typed: null }), how)} />
    </div>`}
    ${areRisks(slice) &&
    html`<label class="check"><input type="checkbox" checked=${slice.benefit}
      onChange=${(/** @type {any} */ e) => act.set("benefit")(e.currentTarget.checked)} /> Net benefit at the odds of the threshold</label>`}
    <${NumberBox} label=${`Share of ${scores.positive ?? "the positive class"} where it will be used`} unit="%" value=${slice.prevalence} low=${0.0001} high=${99.9999} empty=${true}
      hint="Empty: as in these cases." onValue=${act.set("prevalence")} />
    <${Settings} slice=${slice} act=${act} size=${2} prior=${answers.current?.result.prior} />
  </div>`;
}

/** Which class high scores stand for; nothing is chosen where no name says it.
 * @param {{scores: import("./slice.js").Scores, act: Act}} props */
function Positive({ scores, act }) {
  const options = scores.classes.map((value) => ({ value, label: value }));
  return html`<${Segments} legend="High scores stand for" value=${scores.positive} options=${options}
    onValue=${(/** @type {string} */ positive) => act.change((now) => ({ ...now, scores: { ...now.scores, positive }, at: null, typed: null }))} />`;
}

/** @param {{name: string, read: any}[]} reads @param {Act} act @returns {string} */
function taken([{ read }], act) {
  act.change((now) => ({ ...now, scores: read.scores, at: null, typed: null, prevalence: null }));
  return read.scores.positive === null ? "Nothing says which class high scores stand for; choose it below." : "";
}
