// @ts-check
/** What the test is for, and what is supposed about the classifier. */

import { declared } from "../../declared.js";
import { html } from "../../html.js";
import { Chips } from "../../parts/chips.js";
import { NumberBox, Segments, Select, named, spoken } from "../../parts/fields.js";
import { MatrixGrid } from "../../parts/grid.js";
import { JustPasted } from "../../parts/just_pasted.js";
import { Settings } from "../../parts/settings.js";
import { EXAMPLES, byRates, haveOf, isPair, offered } from "./slice.js";

/** @typedef {import("./slice.js").Slice} Slice */
/** @typedef {import("../../types").Act} Act */

const GOALS = [
  { value: "width", label: "An interval no wider than …" },
  { value: "above", label: "Show that it is above …" },
  { value: "chance", label: "Show that it is above chance" },
  { value: "below", label: "Show that it is below …" },
  { value: "difference", label: "See which of two is better" },
  { value: "margin", label: "Show that a new one is no worse" },
];

/** @type {Record<string, string>} */
const TARGETS = {
  width: "Width of the interval",
  above: "Above",
  below: "Below",
  difference: "Difference between the two",
  margin: "Worse by this much does not matter",
};

const SUPPOSED = [
  { value: "guess", label: "My guess" },
  { value: "pilot", label: "My pilot" },
  { value: "worst", label: "The worst case" },
];

/** @param {{slice: Slice, answers: import("../../types").Answers, act: Act}} props */
export function PlanInputs({ slice, answers, act }) {
  const { goal } = slice;
  const have = haveOf(slice);
  return html`<div class="inputs">
    <${Chips} examples=${EXAMPLES} onPatch=${act.fill} />
    <${Select} label="I want to know" value=${slice.metric} options=${named(offered(slice), slice.metric)} onValue=${(/** @type {string} */ metric) => act.change((now) => suited({ ...now, metric }))} />
    <${Select} label="and to get" value=${goal} options=${GOALS.filter(({ value }) => value !== "chance" || declared.with_chance.includes(slice.metric))} onValue=${(/** @type {string} */ next) => act.change((now) => suited({ ...now, goal: next }))} />
    <div class="fields">
      ${TARGETS[goal] && html`<${NumberBox} key=${goal} label=${TARGETS[goal]} value=${slice.targets[goal]} low=${0.001} high=${1}
        onValue=${act.set(`targets.${goal}`)} />`}
      <${NumberBox} label="with assurance" value=${slice.assurance} low=${0.5} high=${0.999} hint="How probable it is to be that the test will show it."
        onValue=${act.set("assurance")} />
    </div>
    <${Segments} legend="I suppose" value=${slice.supposed} options=${SUPPOSED} onValue=${act.set("supposed")} />
    <${JustPasted} matrix=${slice.pilot} onMatrix=${(/** @type {any} */ pilot) => {
      act.change((now) => ({ ...now, pilot, supposed: "pilot" }));
      return "It is the pilot now.";
    }} />
    <${Supposed} slice=${slice} answers=${answers} act=${act} />
    ${isPair(slice) && slice.metric === "accuracy" && slice.supposed !== "pilot" && html`<${Pairing} slice=${slice} act=${act} />`}
    <${NumberBox} label="Cases that I have" value=${have.n || null} low=${1} high=${10_000_000} whole=${true} empty=${true}
      hint=${have.from ? `${have.from}; empty if there are none yet.` : "Empty if there are none yet."} onValue=${(/** @type {number|null} */ n, /** @type {any} */ how) => act.set("have")(n ?? 0, how)} />
    <${Settings} slice=${slice} act=${act} size=${slice.supposed === "pilot" ? slice.pilot.classes.length : 2} prior=${answers.current?.result.prior} />
  </div>`;
}

/** No guess is no case where more than one rate has to be supposed, and above chance is only what has a chance.
 * @param {Slice} slice @returns {Slice} */
const suited = (slice) => ({
  ...slice,
  supposed: slice.supposed === "worst" && byRates(slice) ? "guess" : slice.supposed,
  goal: slice.goal === "chance" && !declared.with_chance.includes(slice.metric) ? "above" : slice.goal,
});

/** @param {{slice: Slice, answers: import("../../types").Answers, act: Act}} props */
function Supposed({ slice, answers, act }) {
  const { supposed } = slice;
  if (supposed === "worst") return html`<p class="hint">No value is supposed: the number of cases suffices whatever the truth is.</p>`;
  if (supposed === "pilot") {
    return html`<${MatrixGrid} matrix=${slice.pilot} said=${answers.current?.shown.matrix ?? null} failure=${answers.failure} act=${act} place="pilot" name="Pilot"
        onMatrix=${act.set("pilot")} />
      <${NumberBox} label=${`Share of ${slice.pilot.positive ?? slice.pilot.classes[slice.pilot.classes.length - 1]} where it will be used`} unit="%" value=${slice.prevalence} low=${0} high=${100} empty=${true}
        hint="Empty: as in the pilot." onValue=${act.set("prevalence")} />`;
  }
  const box = (/** @type {string} */ path, /** @type {string} */ label, /** @type {number} */ value) =>
    html`<${NumberBox} key=${path} label=${label} value=${value} low=${0} high=${1}
      onValue=${act.set(path)} />`;
  if (!byRates(slice)) return box("guess", `that the true ${spoken(slice.metric)} is`, slice.guess);
  const { recall, specificity, prevalence } = slice.rates;
  return html`<div class="fields">${box("rates.recall", spoken("recall"), recall)}${box("rates.specificity", "specificity", specificity)}
    ${box("rates.prevalence", "prevalence", prevalence)}</div>`;
}

/** @param {{slice: Slice, act: Act}} props */
function Pairing({ slice, act }) {
  const options = [
    { value: false, label: "Separate test sets" },
    { value: true, label: "The same cases" },
  ];
  return html`<${Segments} legend="Both are tested on" value=${slice.paired !== null} options=${options}
      onValue=${(/** @type {boolean} */ on) => act.set("paired")(on ? 0.1 : null)} />
    ${slice.paired !== null && html`<${NumberBox} label="Share of the cases on which only one of them is right" value=${slice.paired} low=${0.001} high=${1}
      onValue=${act.set("paired")} />`}`;
}
