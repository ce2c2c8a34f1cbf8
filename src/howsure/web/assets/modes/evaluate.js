// @ts-check
/** One classifier: its matrix, what is known of each metric, and what its calls are worth elsewhere. */

import { declared, examples } from "../declared.js";
import { html, useMemo, useRef } from "../html.js";
import { positiveOf, worstRecalls } from "../matrix.js";
import { isNumber, isText, listOf, orNull } from "../state.js";
import { withData } from "./data.js";
import { Metrics, NumberBox, Segments, Settings } from "../parts/fields.js";
import { Again, Costs, MoreCases, Posteriors, Sensitivity } from "../parts/posteriors.js";
import { MatrixGrid } from "../parts/grid.js";
import { Abstract } from "../parts/pasted.js";
import { asked, Prevalence, Rates } from "../parts/prevalence.js";
import { Drop, route } from "../parts/reading.js";
import { Chips, Notes, useNarrow, Verdict } from "../parts/sheet.js";

/** The counts by group that the question carries, cells [group, true, pred, count]; null where there are none. @param {any} slice
 * @returns {number[][] | null} */
export function groupsOf({ groups }) {
  const cell = (/** @type {unknown} */ each) => Array.isArray(each) && each.length === 4 && each.every((x) => Number.isInteger(x) && x >= 0);
  return Array.isArray(groups) && groups.length && groups.every(cell) ? groups : null;
}

/** @param {{slice: any, answer: Answer, act: Act}} props */
export function Groups({ slice, answer, act }) {
  const told = answer.shown.groups;
  if (!groupsOf(slice) || !told) return null;
  return html`<section class="groups" aria-label="Groups">
    <p data-value="worth">${told.worth}</p>
    <${Segments} legend="Numbers are about" value=${slice.about ?? told.question} onValue=${act.set("about")}
      options=${[
        { value: "new", label: "a new group", title: "The next patient, document or question" },
        { value: "these", label: "new cases of the same groups", title: "More cases of the same ones" },
      ]} />
    ${told.other && html`<p class="hint" data-value="other">${told.other}</p>`}
    <p class="buttons small"><button onClick=${() => act.change((now) => ({ ...now, groups: null, about: null }))}>Take each case by itself</button></p>
  </section>`;
}

/** The counts that the question carries: one for each class, some above 0; else none. @param {any} slice @returns {number[] | null} */
export function unlabelledOf({ unlabelled, matrix }) {
  const fits = Array.isArray(unlabelled) && unlabelled.length === matrix.classes.length;
  return fits && unlabelled.some((/** @type {unknown} */ n) => Number(n) > 0) ? unlabelled.map((n) => Number(n) || 0) : null;
}

/** @param {{slice: any, act: Act}} props */
export function Unlabelled({ slice, act }) {
  const { matrix, unlabelled } = slice;
  const counts = matrix.classes.map((/** @type {string} */ _, /** @type {number} */ i) => Number(unlabelled?.[i]) || 0);
  /** @param {number} i @param {number | null} n */
  const put = (i, n) => act.change((now) => ({ ...now, unlabelled: counts.map((/** @type {number} */ old, /** @type {number} */ j) => (j === i ? (n ?? 0) : old)) }), { live: true });
  return html`<details class="unlabelled" open=${unlabelledOf(slice) !== null}>
    <summary>Some truths are missing</summary>
    <p class="hint">The matrix has the cases that were checked. Of the others only the prediction is known: a judge's verdict, a test that was not verified.
      Enter how many there are. It is assumed that the checked ones were chosen at random, given the prediction.</p>
    <div class="fields">${matrix.classes.map(
      (/** @type {string} */ name, /** @type {number} */ i) => html`<${NumberBox} key=${i} label=${`Predicted ${name}, not checked`} value=${counts[i]} low=${0} whole=${true}
        onValue=${(/** @type {number | null} */ n) => put(i, n)} />`,
    )}</div>
    ${unlabelledOf(slice) && html`<p class="buttons small"><button onClick=${() => act.set("unlabelled")(null)}>All truths are known</button></p>`}
  </details>`;
}

const LIVE = ["densities", "rates", "predictive", "frequencies"];

/** The last answer with other thresholds, or with what calls are worth at another prevalence. @param {Answer} before @param {Answer} answer
 * @param {string} part @returns {Answer} */
export function merged(before, { shown, drawing }, part) {
  if (part === "thresholds") return { ...before, shown: { ...before.shown, thresholds: shown.thresholds } };
  if (shown.predictive.silence) return before;
  const predictive = { ...before.drawing.predictive, here: drawing.predictive.here };
  return { ...before, shown: { ...before.shown, predictive: shown.predictive }, drawing: { ...before.drawing, predictive } };
}

/** What is asked for while a threshold moves: the metrics follow when it rests. @param {any} body */
const ofThresholds = (body) => ({ ...body, metrics: Object.keys({ ...body.thresholds, ...body.below }), want: [] });

/** What is asked for while the prevalence moves. @param {any} body */
const ofPrevalence = ({ thresholds: _, below: __, ...body }) => ({ ...body, metrics: [FIRST], want: ["predictive"] });

export const initial = {
  matrix: examples.evaluate[0].patch.matrix,
  /** Cases without a truth by what they were called, or null. */
  unlabelled: null,
  /** Counts by group, cells [group, true, pred, count], or null; and what numbers are about, or null for the default. */
  groups: null,
  about: null,
  /** Names, or null for those of the report. */
  metrics: null,
  /** A name, {a, b}, or null for the default. */
  prior: null,
  level: declared.level,
  kind: declared.kind,
  prevalence: { choice: "test", percent: 1, cases: 12, of: 240 },
  /** The class that the prevalence is of; null for the positive or first one. */
  label: null,
  /** By metric, what it is asked to be above, and below. */
  thresholds: {},
  below: {},
  /** What a further `more` cases, or null, would change in whether a metric, or the first one, is above a number. */
  outlook: { metric: null, above: 0.8, more: null },
  /** What a false alarm and a miss cost, or null. */
  cost: { fp: 1, fn: null },
  /** Cases of another test, or null. */
  replicate: null,
};

/** Up to so many classes a report is asked for in full. */
export const MOST_IN_FULL = 12;
/** Of the report's metrics. */
const FIRST = "accuracy";
const OVERALL = ["balanced_accuracy", "accuracy", "f1@macro", "mcc", "kappa"];
export const WORST = 10;
/** Of two classes: metrics for which either may be the positive one, and those of each. */
const ALIKE = ["balanced_accuracy", "accuracy", "mcc", "kappa"];
const EACH = ["recall", "precision"];
/** Random numbers that a server for everybody makes for one answer. */
const MOST_NUMBERS = 2.4e7;

/** @param {any} slice @returns {string} */
export const labelOf = ({ label, matrix }) => (matrix.classes.includes(label) ? label : (positiveOf(matrix.classes, matrix.positive) ?? matrix.classes[0]));

/** Whether a metric's name is of a class that is there. @param {any} slice @param {string} name */
function known({ matrix }, name) {
  const at = name.lastIndexOf("@");
  return at < 0 || ["macro", "micro", "weighted", ...matrix.classes].includes(name.slice(at + 1));
}

/** @param {any} slice @param {How} how @returns {PageRequest} */
export function request(slice, { live, part }) {
  const metrics = (slice.metrics ?? standard(slice.matrix)).filter((/** @type {string} */ name) => known(slice, name));
  /** @param {Record<string, number>} cuts */
  const there = (cuts) => Object.fromEntries(Object.entries(cuts).filter(([name]) => known(slice, name) && (!metrics.length || metrics.includes(name))));
  const [thresholds, below] = [there(slice.thresholds), there(slice.below)];
  const label = labelOf(slice);
  /** @type {Record<string, unknown>} */
  const body = {
    matrix: { ...slice.matrix, positive: positiveOf(slice.matrix.classes, slice.matrix.positive) },
    level: slice.level,
    kind: slice.kind,
    label,
    want: live ? LIVE : [...LIVE, "sensitivity", ...(slice.replicate ? ["replication"] : [])],
    thresholds,
    below,
  };
  const size = slice.matrix.classes.length;
  if (size > MOST_IN_FULL) body.draws = Math.min(declared.draws, 100 * Math.floor(MOST_NUMBERS / (size * (size + 21)) / 100));
  if (metrics.length) body.metrics = metrics;
  const unlabelled = unlabelledOf(slice);
  if (unlabelled) Object.assign(body, { unlabelled, want: ["densities"] });
  const groups = unlabelled ? null : groupsOf(slice);
  if (groups) Object.assign(body, { groups }, slice.about === "new" || slice.about === "these" ? { about: slice.about } : {});
  if (slice.prior !== null) body.prior = slice.prior;
  if (!live && !unlabelled) body.want = [.../** @type {string[]} */ (body.want), ...further(slice, body)];
  if (slice.replicate && !unlabelled) body.replicate = slice.replicate;
  const prevalence = asked(slice.prevalence, label);
  if (prevalence && !unlabelled) body.prevalence = prevalence;
  return { verb: "report", body: part === "thresholds" ? ofThresholds(body) : part ? ofPrevalence(body) : body };
}

/** What is asked for beside the report where its boxes are filled; their fields are added to the body. @param {any} slice @param {any} body
 * @returns {string[]} */
function further({ matrix, outlook, cost }, body) {
  const wanted = [];
  if (outlook.more) {
    const metric = outlook.metric !== null && known({ matrix }, outlook.metric) ? outlook.metric : (body.metrics?.[0] ?? FIRST);
    body.outlook = { metric, above: outlook.above, more: outlook.more };
    wanted.push("outlook");
  }
  if (positiveOf(matrix.classes, matrix.positive) !== null && cost.fp && cost.fn) {
    body.cost = cost;
    wanted.push("cost");
  }
  return wanted;
}

/** The metrics of the report; with many classes those of all of them, and the worst recalls; of two none of which is known to be the positive one,
 * what is the same for both or is said of each. @param {Matrix} matrix @returns {string[]} none: those of the report */
function standard({ classes, counts, positive }) {
  if (classes.length > MOST_IN_FULL) return [...OVERALL, ...worstRecalls({ classes, counts, positive }, WORST)];
  const open = classes.length === 2 && positiveOf(classes, positive) === null;
  return open ? [...ALIKE, ...EACH.flatMap((name) => classes.map((one) => `${name}@${one}`))] : [];
}

const cuts = (/** @type {any} */ named) => Object.values(named).every(isNumber);
const maybe = orNull(isNumber);

/** @type {Mode["fits"]} */
const fits = {
  metrics: orNull(listOf(isText)),
  prior: (x) => x === null || isText(x) || (isNumber(x.a) && isNumber(x.b)),
  label: orNull(isText),
  thresholds: cuts,
  below: cuts,
  outlook: ({ metric, above, more }) => isNumber(above) && orNull(isText)(metric) && maybe(more),
  cost: ({ fp, fn }) => maybe(fp) && maybe(fn),
  replicate: maybe,
};

/** @param {any} slice @param {Answers} answers @param {Act} act */
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
  const narrow = useNarrow();
  const rates = current && unlabelledOf(slice) === null && html`<${Rates} answer=${current} slice=${slice} label=${labelOf(slice)} act=${act} />`;
  const prevalence = current && html`<${Prevalence} answer=${current} slice=${slice} label=${labelOf(slice)} act=${act} />`;
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

/** @typedef {{slice: any, current: Answer | null, failure: Failure | null, act: Act}} Given */

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
    ${current && html`<${Metrics} chosen=${chosen} titles=${current.shown.titles} standard=${slice.metrics === null}
      positive=${positiveOf(slice.matrix.classes, slice.matrix.positive)} onMetrics=${act.set("metrics")} />`}`;
}

/** The inputs with another matrix: groups are those of its counts, and go with them. @param {any} now @param {any} matrix
 * @param {number[] | null | undefined} unlabelled */
function edited(now, matrix, unlabelled = now.unlabelled) {
  const same = JSON.stringify(now.matrix.counts) === JSON.stringify(matrix.counts);
  return { ...now, matrix, unlabelled, ...(same ? {} : { groups: null, about: null }) };
}

/** What was read takes the place of the matrix, or goes where it belongs. @param {{read: any}[]} reads @param {Act} act @returns {string} */
function taken([{ read }], act) {
  if (read.kind === "matrix") {
    const { classes, counts, positive, unlabelled = null } = read.matrix;
    const matrix = { classes, counts, positive: positiveOf(classes, positive) };
    act.change((now) => ({ ...now, matrix, unlabelled, groups: read.groups ?? null, about: null, thresholds: {}, below: {} }));
    return "";
  }
  return route(read);
}

/** @type {Mode} */
export const evaluate = withData({
  name: "evaluate",
  title: "Evaluate",
  initial,
  fits,
  request,
  merged,
  kept: ({ metrics }) => ({ metrics }),
  matrixOf: (slice) => slice.matrix,
  withMatrix: (slice, matrix) => edited(slice, matrix),
  view,
});
