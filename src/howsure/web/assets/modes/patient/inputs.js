// @ts-check
/** The test, how probable the class was before it, and what it said. */

import { isExample } from "../../examples.js";
import { html, useRef } from "../../html.js";
import { Chips } from "../../parts/chips.js";
import { Select } from "../../parts/fields.js";
import { MatrixGrid } from "../../parts/grid.js";
import { JustPasted } from "../../parts/just_pasted.js";
import { Settings } from "../../parts/settings.js";
import { ShareSlider } from "../../parts/share_slider.js";
import { EXAMPLES, labelOf, possible } from "./slice.js";

/** @typedef {import("./slice.js").Slice} Slice */

const MOST_RESULTS = 20;

/** @param {{slice: Slice, answers: import("../../types").Answers, act: import("../../types").Act}} props */
export function PatientInputs({ slice, answers, act }) {
  const label = labelOf(slice);
  // what is wrong with the matrix is said beside it, and stays to be seen
  const open = useRef(false);
  open.current ||= Boolean(answers.failure?.field?.startsWith("matrix."));
  return html`<div class="inputs">
    <${Chips} examples=${EXAMPLES} onPatch=${act.fill} />
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

/** Of two classes, how many of each the test calls so. @param {Slice} slice @param {import("../../types").Answers} answers */
function rightOf({ matrix: { classes } }, { current, failure }) {
  const shares = current?.shown.matrix?.row_share;
  if (failure || classes.length > 2 || shares?.length !== 2) return "";
  return classes.map((name, i) => `${shares[i][i]} of ${name}`).reverse().join(" and ") + " are predicted so";
}

/** @param {{slice: Slice, act: import("../../types").Act}} props */
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
