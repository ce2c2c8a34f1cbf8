// @ts-check
/** Where the classifier will be used: a share on the scale of its log odds, and what a call is worth there. */

import { html, useLayoutEffect, useMemo, useRef } from "../html.js";
import { positiveOf } from "../matrix.js";
import { NumberBox, Segments, Select, useId } from "./fields.js";
import { along, Drawn, shareMark } from "./figure.js";
import { CopySentence, Sheet, Word } from "./sheet.js";

/** Ends of the slider, as log odds: 1 in 10,000 to all but 1 in 10,000. */
const END = 9.2;
const STEP = 0.05;
/** @param {number} odds log odds @returns {number} per cent, to so many digits as one step changes */
export const percentOf = (odds) => Number((100 / (1 + Math.exp(-odds))).toPrecision(odds > 3 ? 5 : 3));

/** @param {number} share */
export const logOdds = (share) => Math.log(share / (1 - share));
/** @param {number} odds @param {number} low @param {number} high */
const within = (odds, low, high) => Math.max(low, Math.min(high, odds));

/** @param {{label: string, percent: number, said: string, onPercent: (percent: number, how: {live: boolean}) => void}} props `said`: what a screen
 * reader says of the place */
export const ShareSlider = ({ label, percent, said, onPercent }) => html`<div class="share-slider">
  <${NumberBox} label=${label} unit="%" value=${percent} low=${0} high=${100} onValue=${onPercent} />
  <input class="slider" type="range" min=${-END} max=${END} step=${STEP} value=${within(logOdds(percent / 100), -END, END)} aria-label=${`${label}, as a slider`}
    aria-valuetext=${said} onInput=${(/** @type {any} */ e) => onPercent(percentOf(Number(e.currentTarget.value)), { live: true })} />
</div>`;

const CHOICES = [
  { value: "test", label: "As in the test set", title: "The share of each class is as uncertain as the test set leaves it" },
  { value: "value", label: "My population", title: "A share that is known" },
  { value: "cases", label: "k of n cases", title: "A share that was counted in other cases, and is uncertain" },
];

/** The slider goes as far as the curves, whose prevalences are 0.1% to 99.9%. */
const ENDS = [logOdds(0.001), logOdds(0.999)];

/** What the request says of the prevalence. @param {any} slice @param {string} label */
export function asked({ choice, percent: share, cases, of }, label) {
  if (choice === "value") return { label, share: share / 100 };
  if (choice === "cases") return { label, cases, of };
  return null;
}

/** @param {{answer: Answer, slice: any, label: string, act: Act}} props */
export function Prevalence({ answer, slice, label, act }) {
  const id = useId("prevalence");
  const { shown, drawing } = answer;
  const { prevalence } = slice;
  /** @param {number} odds */
  const slide = (odds) =>
    act.change((now) => ({ ...now, prevalence: { ...now.prevalence, choice: "value", percent: percentOf(odds) } }), { live: true, part: "prevalence" });
  const share = prevalence.choice === "value" ? prevalence.percent / 100 : null;
  const people = useMemo(() => html`<${Frequencies} said=${shown.frequencies} drawn=${drawing.frequencies} />`, [shown.frequencies]);
  return html`<section class="prevalence" aria-labelledby=${id}>
    <h2 id=${id}>${shown.rates?.rows.length ? "At every prevalence" : "Where it will be used"}</h2>
    ${!shown.rates?.rows.length &&
    html`<p>How common is <strong><bdi>${label}</bdi></strong> there? Numbers with (*) depend on it.</p>
      <${PrevalenceChoice} slice=${slice} label=${label} act=${act} />`}
    ${drawing.predictive && html`<${Curves} drawn=${drawing.predictive} said=${shown.predictive} here=${drawing.predictive.here} name=${label} onOdds=${slide} share=${share} />`}
    <${Sheet} name="predictive" sheet=${shown.predictive} folded=${true} />
    ${people}
  </section>`;
}

/** Give a box the focus. A click into it then takes what stands there, as of any other box, unless it was typed into.
 * @param {HTMLInputElement | null} box */
function hand(box) {
  if (!box) return;
  box.focus();
  const taken = (/** @type {MouseEvent} */ event) => {
    // or the caret would be put where the click is
    event.preventDefault();
    box.select();
  };
  box.addEventListener("mousedown", taken, { once: true });
  box.addEventListener("input", () => box.removeEventListener("mousedown", taken), { once: true });
}

/** Where the share of a class comes from, and which it is. @param {{slice: any, label: string, act: Act}} props */
export function PrevalenceChoice({ slice, label, act }) {
  const { prevalence } = slice;
  const boxes = useRef(/** @type {any} */ (null));
  const tapped = useRef("");
  // who tapped a choice goes on with its number; keys step through the choices and stay there
  useLayoutEffect(() => {
    if (tapped.current === prevalence.choice) hand(boxes.current.querySelector("input"));
    tapped.current = "";
  }, [prevalence.choice]);
  return html`<${Segments} legend="Prevalence" hidden=${true} value=${prevalence.choice} options=${CHOICES}
      onValue=${act.set("prevalence.choice")} onTap=${(/** @type {string} */ choice) => (tapped.current = choice)} />
    <div class="fields" ref=${boxes}>
      ${positiveOf(slice.matrix.classes, slice.matrix.positive) === null &&
      html`<${Select} label="Class" value=${label} options=${slice.matrix.classes.map((/** @type {string} */ each) => ({ value: each, label: each }))}
        onValue=${act.set("label")} />`}
      ${prevalence.choice === "cases"
        ? html`<${NumberBox} label="Cases of it" value=${prevalence.cases} low=${0} high=${prevalence.of} whole=${true}
              onValue=${act.set("prevalence.cases")} />
            <${NumberBox} label="among" value=${prevalence.of} low=${Math.max(1, prevalence.cases)} whole=${true}
              onValue=${act.set("prevalence.of")} />`
        : prevalence.choice === "value"
          ? html`<${NumberBox} label=${`Share of ${label}`} unit="%" value=${prevalence.percent} low=${0} high=${100}
              onValue=${act.set("prevalence.percent")} />`
          : null}
    </div>`;
}

/** The curves, and under their axis the slider that moves along it.
 * @param {{drawn: any, said: any, here: number, name: string, share: number | null, onOdds: (odds: number) => void}} props */
function Curves({ drawn, said, here, name, share, onOdds }) {
  // the slider follows the hand, not the answer, which comes later
  const odds = within(logOdds(share ?? here), ENDS[0], ENDS[1]);
  return html`<${Drawn} name="prevalence" title="Predictive values by prevalence" picture=${drawn.picture} most=${1100} over=${(/** @type {Ground} */ on) => ({
    marks: shareMark(on, logOdds(here)),
    inputs: html`<input class="slider" type="range" style=${along(on, on.hands[0])} min=${ENDS[0]} max=${ENDS[1]} step=${STEP} value=${odds}
      aria-label=${`Prevalence of ${name}`} aria-valuetext=${said.verdict} onInput=${(/** @type {any} */ e) => onOdds(Number(e.currentTarget.value))} />`,
  })} />`;
}

/** @param {{said: any, drawn: any}} props */
export function Frequencies({ said, drawn }) {
  if (!said || said.silence) return null;
  return html`<section class="frequencies" aria-label=${`Of ${said.of} people`}>
    <h3>Of ${said.of} people there</h3>
    <ul class="unseen">${said.lines.map((/** @type {string} */ line, /** @type {number} */ i) => html`<li key=${i} data-value=${`frequencies.${i}`}>${line}</li>`)}</ul>
    <${Drawn} name="frequencies" title="Natural frequencies" picture=${drawn.picture} />
  </section>`;
}

/** @param {{answer: Answer, slice: any, label: string, act: Act}} props */
export function Rates({ answer, slice, label, act }) {
  const { rows = [], positive = "" } = answer.shown.rates ?? {};
  if (!rows.length) return null;
  return html`<section class="rates" aria-labelledby="rates-title">
    <h2 id="rates-title">As a test for <bdi>${positive}</bdi></h2>
    <dl>${rows.map(
      (/** @type {any} */ row) => html`<div key=${row.name}>
        <dt><${Word} word=${row.title} meaning=${row.meaning} mark=${row.depends ? " *" : ""} /><${CopySentence} text=${row.sentence} name=${row.title} /></dt>
        <dd><strong data-value=${`rates.${row.title}`}>${row.mean}</strong> <span data-value=${`rates.${row.title}.interval`}>${row.interval}</span></dd>
      </div>`,
    )}</dl>
    <div class="where"><p>How common is <strong><bdi>${label}</bdi></strong> where it will be used? Numbers with * depend on it.</p>
      <${PrevalenceChoice} slice=${slice} label=${label} act=${act} /></div>
  </section>`;
}
