// @ts-check
/** One classifier: its matrix, what is known of each metric, and what its calls are worth elsewhere. */

import { declared, examples } from "../declared.js";
import { html, useMemo, useRef } from "../html.js";
import { positiveOf } from "../matrix.js";
import { Abstract } from "../parts/abstract.js";
import { Again, Costs, MoreCases, Sensitivity } from "../parts/further.js";
import { Chips } from "../parts/word.js";
import { withData } from "./data.js";
import { Drop } from "../parts/drop.js";
import { MatrixGrid } from "../parts/grid.js";
import { Groups, Unlabelled, unlabelledOf } from "../parts/counted.js";
import { useNarrow } from "../parts/fitting.js";
import { Posteriors } from "../parts/posteriors.js";
import { Prevalence } from "../parts/prevalence.js";
import { route } from "../parts/reading.js";
import { Rates } from "../parts/rates.js";
import { Metrics, Settings } from "../parts/settings.js";
import { Notes, Verdict } from "../parts/verdict.js";
import { MOST_IN_FULL, WORST, aboutPlaces, initial, labelOf, merged, request, sound } from "./evaluate/slice.js";

/** @param {any} slice @param {import("../types").Answers} answers @param {import("../types").Act} act */
function view(slice, answers, act) {
  const { current, failure } = answers;
  const slow = useRef(/** @type {any} */ (null));
  // what is only asked for at rest is kept while one drags
  if (!current || current.shown.sensitivity || !slow.current) slow.current = current;
  const level = declared.levels.find(({ value }) => value === slice.level)?.label ?? "";
  const interval = `${level} ${declared.kinds.find(({ value }) => value === slice.kind)?.label ?? ""}`;
  // what a moving slider cannot alter is not drawn again
  const further = useMemo(
    () => slow.current && html`<${Costs} answer=${slow.current} slice=${slice} act=${act} /><${MoreCases} answer=${slow.current} slice=${slice} act=${act} />
      <${Again} answer=${slow.current} slice=${slice} act=${act} /><${Sensitivity} answer=${slow.current} />`,
    [slow.current, slice.replicate, slice.outlook, slice.cost],
  );
  const { rows, thresholds } = current?.shown ?? {};
  const posteriors = useMemo(
    () => current && html`<${Posteriors} answer=${current} slice=${slice} act=${act} request=${request(slice, { live: false })} interval=${interval} />`,
    [rows, thresholds, slice.thresholds, slice.below, slice.matrix, slice.metrics, interval],
  );
  const given = [rows, slice.matrix, slice.unlabelled, slice.groups, slice.prior, slice.level, slice.kind, slice.metrics, failure, act.canUndo, act.canRedo];
  const [matrix, others] = useMemo(() => {
    const props = { slice, current, failure, act };
    return [html`<${Counted} ...${props} />`, html`<${OtherInputs} ...${props} />`];
  }, given);
  const { matrix: counts, unlabelled, groups, about, metrics, prior, level: inside, kind, label } = slice;
  const places = useMemo(() => (failure ? null : aboutPlaces(slice)), [counts, unlabelled, groups, about, metrics, prior, inside, kind, label, failure]);
  const narrow = useNarrow();
  const rates = current && unlabelledOf(slice) === null && html`<${Rates} answer=${current} slice=${slice} label=${labelOf(slice)} act=${act} />`;
  const prevalence = current && html`<${Prevalence} answer=${current} slice=${slice} label=${labelOf(slice)} act=${act} question=${places} />`;
  const look = failure ? "answers stale" : "answers";
  return html`
    <${Verdict} answers=${answers} />
    <div class="inputs">${matrix}${narrow && rates && html`<div class=${look}>${rates}</div>`}
      ${narrow ? html`<details class="other-inputs"><summary>Read a file, examples, assumptions, metrics</summary>${others}</details>` : others}</div>
    <div class=${look}>
      ${current &&
      html`${!narrow && rates}
        <${Groups} slice=${slice} answer=${current} act=${act} />${posteriors}
        ${slice.metrics === null && slice.matrix.classes.length > MOST_IN_FULL && html`<p class="hint">Of the classes, the ${WORST} with the lowest observed recall are shown.</p>`}
        <${Notes} shown=${current.shown} />
        ${unlabelledOf(slice) === null && html`${narrow ? html`<details><summary>At every prevalence, and in people</summary>${prevalence}</details>` : prevalence}
        ${narrow ? html`<details class="further-parts"><summary>Costs, more cases, another laboratory, other priors</summary>${further}</details>` : further}`}`}
    </div>`;
}

/** @typedef {{slice: any, current: import("../types").Answer | null, failure: import("../types").Failure | null, act: import("../types").Act}} Given */

/** @param {Given} props */
const Counted = ({ slice, current, failure, act }) =>
  html`<${MatrixGrid} matrix=${slice.matrix} said=${current?.shown.matrix ?? null} failure=${failure} act=${act}
      estimates=${true} onOther=${(/** @type {any} */ read) => taken([{ read }], act)} onMatrix=${(/** @type {any} */ matrix, /** @type {any} */ how, /** @type {number[] | null | undefined} */ unlabelled) =>
        unlabelled === undefined && !slice.groups ? act.set("matrix")(matrix, how) : act.change((now) => edited(now, matrix, unlabelled), how)} />`;

/** @param {Given} props */
function OtherInputs({ slice, current, act }) {
  const chosen = slice.metrics ?? current?.shown.rows.map((/** @type {any} */ row) => row.name) ?? [];
  return html`<${Unlabelled} slice=${slice} act=${act} />
    <section class="sources" aria-label="Your own data">
      <p class="hint">Paste your own matrix into a cell, or just paste it: from a spreadsheet, CSV, NumPy, R, LaTeX, MATLAB, Python, Weka or Stata.</p>
      <${Drop} label="Read a file" hint="A matrix, the true class and the answer of each case, items with scores, battles, or ratings of several people; CSV, TSV, JSON Lines or a workbook of Excel. Or drop it here."
        about=${slice.matrix} onRead=${(/** @type {any} */ reads) => taken(reads, act)} />
      <${Abstract} matrix=${slice.matrix} onMatrix=${(/** @type {any} */ matrix) => act.change((now) => edited(now, matrix, null))} />
      <${Chips} examples=${examples.evaluate} onPatch=${(/** @type {any} */ patch) => {
        const { mode = "evaluate", ...rest } = patch;
        act.go(mode, rest);
      }} />
    </section>
    <${Settings} slice=${slice} act=${act} size=${slice.matrix.classes.length} prior=${current?.result.prior?.name} />
    ${current && html`<${Metrics} chosen=${chosen} choices=${current.shown.choices} titles=${current.shown.titles} standard=${slice.metrics === null}
      positive=${positiveOf(slice.matrix.classes, slice.matrix.positive)} onMetrics=${act.set("metrics")} />`}`;
}

/** The inputs with another matrix: groups are those of its counts, and go with them.
 * @param {any} now @param {any} matrix @param {number[] | null | undefined} unlabelled */
function edited(now, matrix, unlabelled = now.unlabelled) {
  const same = JSON.stringify(now.matrix.counts) === JSON.stringify(matrix.counts);
  return { ...now, matrix, unlabelled, ...(same ? {} : { groups: null, about: null }) };
}

/** What was read takes the place of the matrix, or goes where it belongs.
 * @param {{read: any}[]} reads @param {import("../types").Act} act @returns {string} */
function taken([{ read }], act) {
  if (read.kind === "matrix") {
    const { classes, counts, positive, unlabelled = null } = read.matrix;
    const matrix = { classes, counts, positive: positiveOf(classes, positive) };
    act.change((now) => ({ ...now, matrix, unlabelled, groups: read.groups ?? null, about: null, thresholds: {}, below: {} }));
    return "";
  }
  return route(read);
}

/** @type {import("../types").Mode} */
export const evaluate = withData({
  name: "evaluate",
  title: "Evaluate",
  initial,
  sound,
  request: (slice, how) => request(sound(slice), how),
  merged,
  kept: ({ metrics }) => ({ metrics }),
  matrixOf: (slice) => slice.matrix,
  withMatrix: (slice, matrix) => edited(slice, matrix),
  view: (slice, answers, act) => view(sound(slice), answers, act),
});
