// @ts-check
/** One patient or sample: how probable a class is once the test has spoken. */

import { declared, examples } from "../declared.js";
import { isExample, positiveOf } from "../matrix.js";
import { html, useMemo, useRef } from "../html.js";
import { isText, listOf, orNull } from "../state.js";
import { Select, Settings } from "../parts/fields.js";
import { Drawn, shareMark } from "../parts/figure.js";
import { MatrixGrid } from "../parts/grid.js";
import { JustPasted } from "../parts/pasted.js";
import { Frequencies, logOdds, ShareSlider } from "../parts/prevalence.js";
import { Chips, SheetAnswer, Verdict } from "../parts/sheet.js";

/** @type {PatientSlice} */
export const initial = {
  matrix: examples.patient[0].patch.matrix,
  label: null,
  percent: 2,
  results: ["positive"],
  prior: null,
  level: declared.level,
  kind: declared.kind,
};

/** @param {PatientSlice} slice @returns {string} */
export const labelOf = ({ label, matrix }) =>
  label !== null && matrix.classes.includes(label) ? label : (positiveOf(matrix.classes, matrix.positive) ?? matrix.classes[matrix.classes.length === 2 ? 1 : 0]);

/** What a test can say: positive or negative, or one of many classes. @param {PatientSlice} slice @returns {string[]} */
export const possible = ({ matrix }) => (matrix.classes.length === 2 ? ["positive", "negative"] : matrix.classes);

/** Results that the test can give; a link, or other classes, may have left others. @param {PatientSlice} slice @returns {PatientSlice} */
function sound(slice) {
  const known = possible(slice);
  const results = slice.results.filter((one) => known.includes(one));
  return { ...slice, results: results.length ? results : [known[0]] };
}

/** @param {Answer} before @param {Answer} answer */
export function merged(before, answer) {
  const { frequencies } = before.shown;
  const { curve, frequencies: people } = before.drawing;
  return { ...answer, shown: { ...answer.shown, frequencies }, drawing: { ...answer.drawing, curve, frequencies: people } };
}

/** While the slider moves, its curve stays the same, and people are counted when it rests.
 * @param {PatientSlice} given @param {{live: boolean, part?: string}} how @returns {PageRequest | null} */
export function request(given, { part }) {
  const slice = sound(given);
  const { matrix, percent, results, prior, level, kind } = slice;
  const label = labelOf(slice);
  // with two classes a positive result speaks for the class that is asked about
  const positive = matrix.classes.length === 2 ? label : null;
  const body = { matrix: { ...matrix, positive }, label, pre_test: percent / 100, results, prior, level, kind };
  return { verb: "post_test", body: part ? { ...body, want: [] } : body };
}

/** @param {{current: Answer | null}} props */
export function BeforeAndAfter({ current }) {
  const said = current?.shown.frequencies;
  const people = useMemo(() => html`<${Frequencies} said=${said} drawn=${current?.drawing.frequencies} />`, [said]);
  if (!current) return null;
  const { curve, here } = current.drawing;
  return html`<section aria-labelledby="before-title"><h2 id="before-title">Whatever it was before</h2>
      ${curve.silence
        ? html`<p class="note">${curve.silence}</p>`
        : html`<${Drawn} name="post-test" title="Before and after one test" picture=${curve} over=${(/** @type {Ground} */ on) => ({ marks: shareMark(on, logOdds(here)) })} />`}</section>
    ${people}`;
}

const MOST_RESULTS = 20;

/** @param {{slice: PatientSlice, answers: Answers, act: Act}} props */
export function PatientInputs({ slice, answers, act }) {
  const label = labelOf(slice);
  // what is wrong with the matrix is said beside it, and stays to be seen
  const open = useRef(false);
  open.current ||= Boolean(answers.failure?.field?.startsWith("matrix."));
  return html`<div class="inputs">
    <${Chips} examples=${examples.patient} onPatch=${act.fill} />
    <${Select} label="Is it" value=${label} options=${slice.matrix.classes.map((value) => ({ value, label: value }))} onValue=${act.set("label")} />
    <${ShareSlider} label=${`Probability of ${label} before the test`} percent=${slice.percent} said=${answers.current?.shown.verdict ?? ""}
      onPercent=${(/** @type {number} */ percent, /** @type {any} */ how) => act.set("percent")(percent, how?.live ? { ...how, part: "percent" } : how)} />
    <${Results} slice=${slice} act=${act} />
    <${JustPasted} matrix=${slice.matrix} onMatrix=${(/** @type {any} */ matrix) => {
      act.set("matrix")(matrix);
      return "They say how good the test is.";
    }} />
    ${isExample(slice.matrix) && html`<p class="hint">The test is an example. Paste the matrix of yours, or type it below.</p>`}
    <details open=${open.current}><summary>How good the test is <span class="hint">${rightOf(slice, answers)}</span></summary>
      <${MatrixGrid} matrix=${slice.matrix} said=${answers.current?.shown.matrix ?? null} failure=${answers.failure} act=${act}
        onMatrix=${act.set("matrix")} /></details>
    <${Settings} slice=${slice} act=${act} size=${slice.matrix.classes.length} prior=${answers.current?.result.priors?.[0]} />
  </div>`;
}

/** Of two classes, how many of each the test calls so. @param {PatientSlice} slice @param {Answers} answers */
function rightOf({ matrix: { classes } }, { current, failure }) {
  const shares = current?.shown.matrix?.row_share;
  if (failure || classes.length > 2 || shares?.length !== 2) return "";
  return classes.map((name, i) => `${shares[i][i]} of ${name}`).reverse().join(" and ") + " are predicted so";
}

/** @param {{slice: PatientSlice, act: Act}} props */
function Results({ slice, act }) {
  const { results } = slice;
  const replace = (/** @type {number} */ i, /** @type {string} */ next) => act.set("results")(results.map((old, j) => (j === i ? next : old)));
  return html`<fieldset class="results"><legend>What the test said</legend>
    <ol>${results.map(
      (result, i) => html`<li key=${i}><div class="fields">
        <${Select} label=${`Result ${i + 1}`} hidden=${true} value=${result} options=${possible(slice).map((value) => ({ value, label: value }))} onValue=${(/** @type {string} */ next) => replace(i, next)} />
        ${results.length > 1 && html`<button class="quiet" aria-label=${`Remove result ${i + 1}`} onClick=${() => act.set("results")(results.filter((_, j) => j !== i))}>Remove</button>`}
      </div></li>`,
    )}</ol>
    <p class="buttons small"><button disabled=${results.length >= MOST_RESULTS} onClick=${() => act.set("results")([...results, possible(slice)[0]])}>+ Another test</button></p>
    ${results.length > 1 && html`<p class="warning">Results are combined as if each test erred on its own. A test repeated on the same
      sample often errs in the same way; then the second says less than this.</p>`}
  </fieldset>`;
}

/** @type {Mode} */
export const patient = {
  name: "patient",
  title: "One patient",
  initial,
  fits: { results: listOf(isText, 1), label: orNull(isText) },
  request,
  merged,
  matrixOf: (slice) => slice.matrix,
  withMatrix: (slice, matrix) => ({ ...slice, matrix }),
  view: (given, answers, act) => {
    const slice = sound(given);
    return html`
      <${Verdict} answers=${answers} />
      <${PatientInputs} slice=${slice} answers=${answers} act=${act} />
      <${SheetAnswer} answers=${answers} title="After the test" act=${act} request=${request(slice, { live: false })}>
        <${BeforeAndAfter} current=${answers.current} />
      <//>`;
  },
};
