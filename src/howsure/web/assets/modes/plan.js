// @ts-check
/** Plan: how many cases a test needs, and what the number one has can show. */

import { declared, examples } from "../declared.js";
import { isExample } from "../matrix.js";
import { html } from "../html.js";
import { isNumber, orNull } from "../state.js";
import { named, NumberBox, Segments, Select, Settings, spoken } from "../parts/fields.js";
import { MatrixGrid } from "../parts/grid.js";
import { JustPasted } from "../parts/pasted.js";
import { Chips, SheetAnswer, Verdict } from "../parts/sheet.js";

/** @type {PlanSlice} */
export const initial = {
  metric: "recall",
  goal: "width",
  targets: { width: 0.1, above: 0.8, chance: 0, below: 0.95, difference: 0.05, margin: 0.05 },
  assurance: 0.95,
  supposed: "guess",
  guess: 0.9,
  rates: { recall: 0.9, specificity: 0.9, prevalence: 0.1 },
  pilot: examples.plan[0].patch.pilot,
  prevalence: null,
  paired: null,
  have: null,
  prior: null,
  level: declared.level,
};

/** What one has to suppose: the metric itself, or the rates that make it. @param {PlanSlice} slice */
export const byRates = ({ metric }) => !declared.rates.includes(metric);

const MOST_CASES = 10_000_000;
/** Cases that one is supposed to have while no matrix is one's own. */
const SUPPOSED = 100;
const OF_ONE = "recall@";
/** Rates of one class, and whether it is the positive one. @type {Record<string, boolean>} */
const OF_POSITIVE = { recall: true, false_negative_rate: true, specificity: false, false_positive_rate: false };

/** Cases that one has: as typed, else those of one's matrix that the plan counts, all or those of one class. @param {PlanSlice} slice
 * @returns {{n: number, from: string}} `from`: where the number comes from if it was not typed */
export function haveOf({ have, pilot, metric }) {
  if (have !== null) return { n: have, from: "" };
  if (isExample(pilot)) return { n: SUPPOSED, from: "" };
  const { classes, counts, positive } = pilot;
  const one = metric.startsWith(OF_ONE) ? classes.indexOf(metric.slice(OF_ONE.length)) : metric in OF_POSITIVE && classes.length === 2 ? classes.findIndex((name) => (name === (positive ?? classes[1])) === OF_POSITIVE[metric]) : -1;
  const n = (one < 0 ? counts : [counts[one]]).flat().reduce((/** @type {number} */ sum, count) => sum + Number(count ?? NaN), 0);
  if (!Number.isInteger(n) || n < 0) return { n: 0, from: "" };
  return { n, from: one < 0 ? "As in your matrix" : `Those of ${classes[one]} in your matrix` };
}

/** Whether two classifiers are planned for. @param {PlanSlice} slice */
export const isPair = ({ goal }) => goal === "difference" || goal === "margin";

/** What may be planned for; of more than two classes a rate is that of one of them. @param {PlanSlice} slice @returns {string[]} */
export const offered = ({ supposed, pilot: { classes } }) =>
  supposed === "pilot" && classes.length > 2 ? [...declared.with_chance, ...classes.map((name) => OF_ONE + name)] : declared.planned;

/** @param {PlanSlice} slice */
function metricOf(slice) {
  const { metric, supposed } = slice;
  const other = supposed === "pilot" ? !declared.planned.includes(metric) : !metric.startsWith(OF_ONE);
  return other || offered(slice).includes(metric) ? metric : offered(slice)[0];
}

/** Of a metric that is offered: a link, or other classes of the pilot, may have left another one. @param {PlanSlice} slice @returns {PlanSlice} */
const sound = (slice) => ({ ...slice, metric: metricOf(slice) });

/** @type {Mode["fits"]} */
const fits = {
  metric: (_, slice) => metricOf(slice) === slice.metric,
  goal: (x, { targets }) => x in targets,
  prevalence: orNull(isNumber),
  paired: orNull(isNumber),
  have: orNull(isNumber),
};

/** A plan may simulate a thousand tests, so it is asked for when one has done typing. @param {PlanSlice} given @param {{live: boolean}} how
 * @returns {{verb: string, body: Record<string, unknown>}|null} */
export const request = (given, { live }) => (live ? null : asked(sound(given)));

/** @param {PlanSlice} slice @returns {{verb: string, body: Record<string, unknown>}} */
export function asked(slice) {
  const { metric, goal, targets, assurance, supposed, prior, level } = slice;
  const aim = goal === "chance" ? { above: "chance" } : { [goal]: targets[goal] };
  const body = /** @type {Record<string, unknown>} */ ({ metric, ...aim, assurance, prior, level });
  if (supposed === "guess") body.guess = byRates(slice) ? slice.rates : slice.guess;
  if (supposed === "pilot") {
    const { pilot, prevalence } = slice;
    body.pilot = pilot;
    if (prevalence !== null) body.prevalence = { label: pilot.positive ?? pilot.classes[pilot.classes.length - 1], share: prevalence / 100 };
  }
  if (isPair(slice) && slice.paired !== null && metric === "accuracy" && supposed !== "pilot") body.paired = slice.paired;
  const { n } = haveOf(slice);
  return { verb: "plan", body: n && n <= MOST_CASES ? { ...body, have: n } : body };
}

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

const SUPPOSITIONS = [
  { value: "guess", label: "My guess" },
  { value: "pilot", label: "My pilot" },
  { value: "worst", label: "The worst case" },
];

/** @param {{slice: PlanSlice, answers: Answers, act: Act}} props */
export function PlanInputs({ slice, answers, act }) {
  const { goal } = slice;
  const have = haveOf(slice);
  return html`<div class="inputs">
    <${Chips} examples=${examples.plan} onPatch=${act.fill} />
    <${Select} label="I want to know" value=${slice.metric} options=${named(offered(slice), slice.metric)} onValue=${(/** @type {string} */ metric) => act.change((now) => suited({ ...now, metric }))} />
    <${Select} label="and to get" value=${goal} options=${GOALS.filter(({ value }) => value !== "chance" || declared.with_chance.includes(slice.metric))} onValue=${(/** @type {string} */ next) => act.change((now) => suited({ ...now, goal: next }))} />
    <div class="fields">
      ${TARGETS[goal] && html`<${NumberBox} key=${goal} label=${TARGETS[goal]} value=${slice.targets[goal]} low=${0.001} high=${1}
        onValue=${act.set(`targets.${goal}`)} />`}
      <${NumberBox} label="with assurance" value=${slice.assurance} low=${0.5} high=${0.999} hint="How probable it is to be that the test will show it."
        onValue=${act.set("assurance")} />
    </div>
    <${Segments} legend="I suppose" value=${slice.supposed} options=${SUPPOSITIONS} onValue=${act.set("supposed")} />
    <${JustPasted} matrix=${slice.pilot} onMatrix=${(/** @type {any} */ pilot) => {
      act.change((now) => ({ ...now, pilot, supposed: "pilot" }));
      return "It is the pilot now.";
    }} />
    <${Supposed} slice=${slice} answers=${answers} act=${act} />
    ${isPair(slice) && slice.metric === "accuracy" && slice.supposed !== "pilot" && html`<${Pairing} slice=${slice} act=${act} />`}
    <${NumberBox} label="Cases that I have" value=${have.n || null} low=${1} high=${MOST_CASES} whole=${true} empty=${true}
      hint=${have.from ? `${have.from}; empty if there are none yet.` : "Empty if there are none yet."} onValue=${(/** @type {number|null} */ n, /** @type {any} */ how) => act.set("have")(n ?? 0, how)} />
    <${Settings} slice=${slice} act=${act} size=${slice.supposed === "pilot" ? slice.pilot.classes.length : 2} prior=${answers.current?.result.prior} />
  </div>`;
}

/** No guess is no case where more than one rate has to be supposed, and above chance is only what has a chance. @param {PlanSlice} slice
 * @returns {PlanSlice} */
const suited = (slice) => ({
  ...slice,
  supposed: slice.supposed === "worst" && byRates(slice) ? "guess" : slice.supposed,
  goal: slice.goal === "chance" && !declared.with_chance.includes(slice.metric) ? "above" : slice.goal,
});

/** @param {{slice: PlanSlice, answers: Answers, act: Act}} props */
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

/** @param {{slice: PlanSlice, act: Act}} props */
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

/** @type {Mode} */
export const plan = {
  name: "plan",
  title: "Plan",
  initial,
  fits,
  request,
  matrixOf: (slice) => slice.pilot,
  withMatrix: (slice, pilot) => ({ ...slice, pilot }),
  view: (given, answers, act) => {
    const slice = sound(given);
    const have = answers.failure ? null : answers.current?.shown.have;
    return html`
    <${Verdict} answers=${answers} />
    <${PlanInputs} slice=${slice} answers=${answers} act=${act} />
    <${SheetAnswer} answers=${answers} title="Cases" act=${act} request=${asked(slice)}>
      ${have && html`<p class=${have.wrong ? "wrong" : "note"}>Your cases: <span data-value="have">${have.said}</span></p>`}
    <//>`;
  },
};
