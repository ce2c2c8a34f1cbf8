// @ts-check
/** Where the classifier will be used: a prevalence, and what a call is worth there. */

import { html, useLayoutEffect, useMemo, useRef } from "../html.js";
import { positiveOf } from "../matrix.js";
import { NumberBox, Segments, Select, useId } from "./fields.js";
import { Drawn, along, shareMark } from "./figure.js";
import { STEP, percentOf, places, usePlaces } from "./share_slider.js";
import { Sheet } from "./sheet.js";

const CHOICES = [
  { value: "test", label: "As in the test set", title: "The share of each class is as uncertain as the test set leaves it" },
  { value: "value", label: "My population", title: "A share that is known" },
  { value: "cases", label: "k of n cases", title: "A share that was counted in other cases, and is uncertain" },
];

/** @param {number} share @returns {number} */
export function logOdds(share) {
  return Math.log(share / (1 - share));
}

/** The slider goes as far as the curves, whose prevalences are 0.1% to 99.9%. */
const ENDS = [logOdds(0.001), logOdds(0.999)];

/** @param {number} percent @returns {number} */
const shareOf = (percent) => percent / 100;

/** All that the slider can be set to. */
const STOPS = places(ENDS[0], ENDS[1]).map(shareOf);

/** What the request says of the prevalence. @param {any} slice @param {string} label */
export function asked({ choice, percent: share, cases, of }, label) {
  if (choice === "value") return { label, share: shareOf(share) };
  if (choice === "cases") return { label, cases, of };
  return null;
}

/**
 * @param {{answer: import("../types").Answer, slice: any, label: string, act: import("../types").Act, question: import("./share_slider.js").Question | null}} props
 *   `question`: about the places of the slider
 */
export function Prevalence({ answer, slice, label, act, question }) {
  const id = useId("prevalence");
  const { shown, drawing } = answer;
  const { prevalence } = slice;
  /** @param {number} odds */
  const slide = (odds) =>
    act.change((now) => ({ ...now, prevalence: { ...now.prevalence, choice: "value", percent: percentOf(odds) } }), { live: true, part: "prevalence" });
  const share = prevalence.choice === "value" ? shareOf(prevalence.percent) : null;
  const rested = drawing.predictive?.here;
  // as soon as they are known, the words of where the slider stands; else those of the last answer, and where it was
  const words = usePlaces(act, drawing.predictive ? question : null, STOPS, share ?? rested)(share ?? NaN);
  const [said, here] = words ? [{ ...shown.predictive, ...words }, share] : [shown.predictive, rested];
  const people = useMemo(() => html`<${Frequencies} said=${shown.frequencies} drawn=${drawing.frequencies} />`, [shown.frequencies]);
  return html`<section class="prevalence" aria-labelledby=${id}>
    <h2 id=${id}>${shown.rates?.rows.length ? "At every prevalence" : "Where it will be used"}</h2>
    ${!shown.rates?.rows.length &&
    html`<p>How common is <strong><bdi>${label}</bdi></strong> there? Numbers with (*) depend on it.</p>
      <${PrevalenceChoice} slice=${slice} label=${label} act=${act} />`}
    ${drawing.predictive && html`<${Curves} drawn=${drawing.predictive} said=${said} here=${here} name=${label} onOdds=${slide} share=${share} />`}
    <${Sheet} name="predictive" sheet=${said} folded=${true} />
    ${people}
  </section>`;
}

/**
 * Give a box the focus. A click into it then takes what stands there, as of any other box, unless it was typed into.
 * @param {HTMLInputElement | null} box
 */
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

/** Where the share of a class comes from, and which it is.
 * @param {{slice: any, label: string, act: import("../types").Act}} props */
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

/**
 * The curves, and under their axis the slider that moves along it.
 * @param {{drawn: any, said: any, here: number, name: string, share: number | null, onOdds: (odds: number) => void}} props
 */
function Curves({ drawn, said, here, name, share, onOdds }) {
  // the slider follows the hand, not the answer, which comes later
  const odds = Math.max(ENDS[0], Math.min(ENDS[1], logOdds(share ?? here)));
  return html`<${Drawn} name="prevalence" title="Predictive values by prevalence" pictures=${drawn.picture} most=${1100} over=${(/** @type {import("./figure.js").Ground} */ on) => ({
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
    <${Drawn} name="frequencies" title="Natural frequencies" pictures=${drawn.picture} />
  </section>`;
}
