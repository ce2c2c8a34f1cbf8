// @ts-check
/** Where the classifier will be used: a prevalence, and what a call is worth there. */

import { curve } from "../charts/curve.js";
import { icons } from "../charts/icons.js";
import { html } from "../html.js";
import { NumberBox, Segments, Select, useId } from "./fields.js";
import { Figure } from "./figure.js";
import { Sheet } from "./sheet.js";

const CHOICES = [
  { value: "test", label: "As in the test set", title: "The share of each class is as uncertain as the test set leaves it" },
  { value: "value", label: "My population", title: "A share that is known" },
  { value: "cases", label: "k of n cases", title: "A share that was counted in other cases, and is uncertain" },
];
/** Ends of the slider, as log odds: 1 in 10,000 to all but 1 in 10,000. */
const END = 9.2;
const STEP = 0.05;
const PEOPLE_PER_SIGN = 10;

/** @param {number} odds log odds @returns {number} per cent, to three digits */
const percent = (odds) => Number((100 / (1 + Math.exp(-odds))).toPrecision(odds > 3 ? 5 : 3));

/** @param {number} share @returns {number} log odds inside the slider */
const logOdds = (share) => Math.max(-END, Math.min(END, Math.log(share / (1 - share))));

/** What the request says of the prevalence. @param {any} slice @param {string} label */
export function asked({ choice, percent: share, cases, of }, label) {
  if (choice === "value") return { label, share: share / 100 };
  if (choice === "cases") return { label, cases, of };
  return null;
}

/**
 * @param {{answer: import("../types").Answer | null, slice: any, label: string, act: import("../types").Act}} props
 */
export function Prevalence({ answer, slice, label, act }) {
  const id = useId("prevalence");
  const { shown, drawing } = answer ?? { shown: {}, drawing: {} };
  const { prevalence } = slice;
  const here = prevalence.choice === "value" ? prevalence.percent / 100 : drawing.predictive?.here;
  /** @param {any} event */
  const slide = (event) =>
    act.change((now) => ({ ...now, prevalence: { ...now.prevalence, choice: "value", percent: percent(Number(event.currentTarget.value)) } }), { live: true });
  const said = shown.predictive;
  return html`<section class="prevalence" aria-labelledby=${id}>
    <h2 id=${id}>Where it will be used</h2>
    <p>How common is <strong><bdi>${label}</bdi></strong> there? Numbers with (*) depend on it.</p>
    <${Segments} legend="Prevalence" hidden=${true} value=${prevalence.choice} options=${CHOICES}
      onValue=${(/** @type {string} */ choice) => act.set("prevalence.choice", choice)} />
    <div class="fields">
      ${slice.matrix.classes.length > 2 &&
      html`<${Select} label="Class" value=${label} options=${slice.matrix.classes.map((/** @type {string} */ each) => ({ value: each, label: each }))}
        onValue=${(/** @type {string} */ each) => act.set("label", each)} />`}
      ${prevalence.choice === "cases"
        ? html`<${NumberBox} label="Cases of it" value=${prevalence.cases} low=${0} high=${prevalence.of} whole=${true}
              onValue=${(/** @type {number} */ k) => act.set("prevalence.cases", k, { live: true })} />
            <${NumberBox} label="among" value=${prevalence.of} low=${Math.max(1, prevalence.cases)} whole=${true}
              onValue=${(/** @type {number} */ n) => act.set("prevalence.of", n, { live: true })} />`
        : prevalence.choice === "value"
          ? html`<${NumberBox} label=${`Share of ${label}`} unit="%" value=${prevalence.percent} low=${0} high=${100}
              onValue=${(/** @type {number} */ share) => act.set("prevalence.percent", share, { live: true })} />`
          : null}
    </div>
    <input class="slider" type="range" min=${-END} max=${END} step=${STEP} value=${here === undefined ? 0 : logOdds(here)}
      aria-label=${`Prevalence of ${label}`} aria-valuetext=${said?.verdict ?? ""} onInput=${slide} />
    ${drawing.predictive && html`<${Curves} drawn=${drawing.predictive} said=${said} name=${label} />`}
    <${Sheet} name="predictive" sheet=${said} folded=${true} />
    <${Frequencies} said=${shown.frequencies} label=${label} />
  </section>`;
}

/** @param {{drawn: any, said: any, name: string}} props */
function Curves({ drawn, said, name }) {
  const lines = [
    { label: `PPV: is ${name} if called so`, ...drawn.positive },
    { label: `NPV: is not if not called so`, ...drawn.negative },
  ].map(({ label, low, median, high }) => ({ label, low, middle: median, high, x: drawn.prevalence }));
  return html`<${Figure} name="prevalence" title="Predictive values by prevalence" draw=${(/** @type {number} */ width) =>
    curve(
      { curves: lines, here: { label: "here", x: drawn.here } },
      { width, height: 280, title: said.verdict, along: "logit", xLabel: `prevalence of ${name}`, yLabel: "probability", bounds: [0, 1] },
    )} />`;
}

/** @param {{said: any, label: string}} props */
export function Frequencies({ said, label }) {
  if (!said || said.silence) return null;
  const { hits, missed, alarms, rest } = said.icons;
  /** @type {[("found" | "missed" | "alarm" | "cleared"), number][]} */
  const kinds = [["found", hits], ["missed", missed], ["alarm", alarms], ["cleared", rest]]; // prettier-ignore
  // what is rare keeps a sign of its own
  const groups = kinds.map(([kind, count], i) => ({ kind, count: Math.ceil(count / PEOPLE_PER_SIGN), label: said.lines[i] }));
  return html`<section class="frequencies" aria-label=${`Of ${said.of} people`}>
    <h3>Of ${said.of} people there</h3>
    <ul class="unseen">${said.lines.map((/** @type {string} */ line, /** @type {number} */ i) => html`<li key=${i} data-value=${`frequencies.${i}`}>${line}</li>`)}</ul>
    <${Figure} name="frequencies" title="Natural frequencies" most=${720}
      draw=${(/** @type {number} */ width) => icons(groups, { width, title: said.verdict, note: "One sign stands for ten people; less than ten still has one." })} />
  </section>`;
}
