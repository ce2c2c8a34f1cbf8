// @ts-check
/** One classifier: its matrix, what is known of each metric, and what its calls are worth elsewhere. */

import { FINE_DRAWS } from "../api.js";
import { COCAINE, EXAMPLES } from "../examples.js";
import { html, useRef } from "../html.js";
import { positiveOf, worstRecalls } from "../matrix.js";
import { Again } from "../parts/again.js";
import { Chips } from "../parts/chips.js";
import { Drop } from "../parts/drop.js";
import { MatrixGrid } from "../parts/grid.js";
import { Posteriors } from "../parts/posteriors.js";
import { asked, Prevalence } from "../parts/prevalence.js";
import { Sensitivity } from "../parts/sensitivity.js";
import { KINDS, LEVELS, Metrics, Settings } from "../parts/settings.js";
import { Notes, Verdict } from "../parts/verdict.js";

const LIVE = ["densities", "predictive", "frequencies"];

/**
 * What is asked for while one slider moves: what stands beside it. The metrics follow when it rests.
 * @type {Record<string, (slice: any, cuts: [string, unknown][]) => Record<string, unknown>>}
 */
const PARTS = {
  prevalence: ({ matrix }) => ({
    metrics: ["balanced_accuracy"],
    want: matrix.classes.length === 2 ? ["predictive", "frequencies"] : ["predictive"],
    thresholds: {},
  }),
  thresholds: (_, cuts) => ({ metrics: cuts.map(([name]) => name), want: [] }),
};

/** @param {import("../types").Answer} before @param {import("../types").Answer} answer @param {string} part */
function merged(before, answer, part) {
  const { predictive, frequencies, thresholds } = answer.shown;
  if (part === "thresholds") return { ...before, shown: { ...before.shown, thresholds } };
  return {
    ...before,
    shown: { ...before.shown, predictive, frequencies: frequencies ?? before.shown.frequencies },
    drawing: { ...before.drawing, predictive: answer.drawing.predictive },
  };
}

const initial = {
  matrix: COCAINE,
  /** Names, or null for those of the report. */
  metrics: null,
  /** A name, {a, b}, or null for the default. */
  prior: null,
  level: 0.95,
  kind: "hdi",
  prevalence: { choice: "test", percent: 1, cases: 12, of: 240 },
  /** The class that the prevalence is of; null for the positive or first one. */
  label: null,
  thresholds: {},
  /** Cases of another test, or null. */
  replicate: null,
};

/** Up to so many classes a report is asked for in full. */
const MOST_IN_FULL = 12;
const OVERALL = ["accuracy", "balanced_accuracy", "f1@macro", "mcc", "kappa"];
const WORST = 10;
/** Random numbers that a server for everybody makes for one answer. */
const MOST_NUMBERS = 2.4e7;

/** @param {any} slice @returns {string} */
const labelOf = ({ label, matrix }) => (matrix.classes.includes(label) ? label : (positiveOf(matrix.classes, matrix.positive) ?? matrix.classes[0]));

/** Whether a metric's name is of a class that is there. @param {any} slice @param {string} name */
function known({ matrix }, name) {
  const at = name.lastIndexOf("@");
  return at < 0 || ["macro", "micro", "weighted", ...matrix.classes].includes(name.slice(at + 1));
}

/** @param {any} slice @param {{live: boolean, part?: string}} how @returns {import("../types").Request} */
function request(slice, { live, part }) {
  const metrics = (slice.metrics ?? standard(slice.matrix)).filter((/** @type {string} */ name) => known(slice, name));
  const cuts = Object.entries(slice.thresholds).filter(([name]) => known(slice, name) && (!metrics.length || metrics.includes(name)));
  const label = labelOf(slice);
  /** @type {Record<string, unknown>} */
  const body = {
    matrix: { ...slice.matrix, positive: positiveOf(slice.matrix.classes, slice.matrix.positive) },
    level: slice.level,
    kind: slice.kind,
    label,
    want: live ? LIVE : [...LIVE, "sensitivity", ...(slice.replicate ? ["replication"] : [])],
  };
  const size = slice.matrix.classes.length;
  if (size > MOST_IN_FULL) body.draws = Math.min(FINE_DRAWS, 100 * Math.floor(MOST_NUMBERS / (size * (size + 21)) / 100));
  if (metrics.length) body.metrics = metrics;
  if (slice.prior !== null) body.prior = slice.prior;
  if (cuts.length) body.thresholds = Object.fromEntries(cuts);
  if (slice.replicate) body.replicate = slice.replicate;
  const prevalence = asked(slice.prevalence, label);
  if (prevalence) body.prevalence = prevalence;
  if (part) Object.assign(body, PARTS[part](slice, cuts));
  return { verb: "report", body };
}

/** The metrics of the report; with many classes those of all of them, and the worst recalls.
 * @param {import("../types").Matrix} matrix @returns {string[]} none: those of the report */
const standard = (matrix) => (matrix.classes.length > MOST_IN_FULL ? [...OVERALL, ...worstRecalls(matrix, WORST)] : []);

/** @param {any} slice @param {import("../types").Answers} answers @param {import("../types").Act} act */
function view(slice, answers, act) {
  const { current, failure } = answers;
  const slow = useRef(/** @type {any} */ (null));
  // what is only asked for at rest is kept while one drags
  if (current && (current.shown.sensitivity || !slow.current)) slow.current = current;
  const level = LEVELS.find(({ value }) => value === slice.level)?.label ?? "";
  const interval = `${level} ${KINDS.find(({ value }) => value === slice.kind)?.label ?? ""}`;
  const chosen = slice.metrics ?? current?.shown.rows.map((/** @type {any} */ row) => row.name) ?? [];
  return html`
    <${Verdict} answers=${answers} />
    <div class="inputs">
      <${MatrixGrid} matrix=${slice.matrix} said=${current?.shown.matrix ?? null} failure=${failure} act=${act}
        onMatrix=${(/** @type {any} */ matrix, /** @type {any} */ how) => act.set("matrix", matrix, how)} />
      <section class="sources" aria-label="Your own data">
        <p class="hint">Paste your own matrix into a cell: from a spreadsheet, CSV, NumPy, LaTeX, MATLAB or Python.</p>
        <${Drop} label="Read a file" hint="A matrix, or the true class and the answer of each case; CSV, TSV or JSON Lines. Or drop it here."
          onRead=${(/** @type {any} */ reads) => taken(reads, act)} />
        <${Chips} examples=${EXAMPLES} onPatch=${(/** @type {any} */ patch) => {
          const { mode = "evaluate", ...rest } = patch;
          act.go(mode, rest);
        }} />
      </section>
      <${Settings} slice=${slice} act=${act} prior=${current?.result.prior?.name} />
      ${current && html`<${Metrics} chosen=${chosen} choices=${current.shown.choices} standard=${slice.metrics === null}
        onMetrics=${(/** @type {any} */ metrics) => act.set("metrics", metrics)} />`}
    </div>
    <div class=${failure ? "answers stale" : "answers"}>
      ${current &&
      html`<${Posteriors} answer=${current} slice=${slice} act=${act} request=${request(slice, { live: false })} interval=${interval} />
        ${slice.metrics === null && slice.matrix.classes.length > MOST_IN_FULL && html`<p class="hint">Of the classes, the ${WORST} with the lowest observed recall are shown.</p>`}
        <${Notes} shown=${current.shown} />
        <${Prevalence} answer=${current} slice=${slice} label=${labelOf(slice)} act=${act} />
        <${Sensitivity} answer=${slow.current} />
        <${Again} answer=${slow.current} slice=${slice} act=${act} />`}
    </div>`;
}

/** What was read takes the place of the matrix, or goes where it belongs.
 * @param {{name: string, read: any}[]} reads @param {import("../types").Act} act @returns {string} */
function taken([{ read }], act) {
  const { kind } = read;
  if (kind === "matrix") {
    act.change((now) => ({ ...now, matrix: { ...read.matrix, positive: positiveOf(read.matrix.classes, read.matrix.positive) }, thresholds: {} }));
    return "";
  }
  if (kind === "leaderboard") act.go("leaderboard", { source: "entries", entries: read.entries });
  else if (kind === "paired") act.go("compare", { paired: read.paired });
  else act.go("compare", { paired: null, classifiers: read.classifiers, pair: [0, 1] });
  return kind === "leaderboard" ? "It is a leaderboard, and stands there now." : "It holds several classifiers, and stands under Compare now.";
}

/** @type {import("../types").Mode} */
export const evaluate = { name: "evaluate", title: "Evaluate", initial, request, merged, view };
