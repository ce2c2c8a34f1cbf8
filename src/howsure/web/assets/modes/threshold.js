// @ts-check
/** Threshold: scores of two classes, a point on their curve, and the matrix and all numbers that follow it. */

import { declared, examples } from "../declared.js";
import { html } from "../html.js";
import { among, isText, listOf, orNull } from "../state.js";
import { Drop } from "../parts/reading.js";
import { NumberBox, Segments, Select, Settings } from "../parts/fields.js";
import { Drawn, MARK } from "../parts/figure.js";
import { PasteBox, usePasting } from "../parts/pasted.js";
import { Cells, Chips, SheetAnswer, Verdict } from "../parts/sheet.js";

/** @type {ThresholdSlice} */
export const initial = {
  scores: examples.threshold[0].patch.scores,
  at: null,
  typed: null,
  curve: "roc",
  best: "",
  cost: { fp: 1, fn: 5 },
  benefit: false,
  prevalence: null,
  prior: null,
  level: declared.level,
  kind: declared.kind,
};

/** @param {any} given */
const isScores = (given) =>
  listOf(isText, 2)(given?.classes) && given.classes.length === 2 && listOf((cell) => listOf(Number.isFinite, 3)(cell) && cell.length === 3, 2)(given.cells);

/** @type {Mode["fits"]} */
const fits = {
  scores: isScores,
  at: orNull(Number.isFinite),
  typed: orNull(Number.isFinite),
  curve: among("roc", "precision_recall"),
  best: among("", "balanced_accuracy", "f1", "cost"),
  prevalence: orNull((x) => x > 0 && x < 100),
};

/** Whether the scores may be probabilities, for which alone there is a net benefit. @param {ThresholdSlice} slice */
export const areRisks = ({ scores }) => scores.cells.every(([score]) => score >= 0 && score <= 1);

/** @param {ThresholdSlice} slice @returns {{verb: string, body: Record<string, unknown>}} */
export function request(slice) {
  const { scores, at, typed, curve, best, cost, prevalence, prior, level, kind } = slice;
  const body = /** @type {Record<string, unknown>} */ ({ scores, curve, prior, level, kind });
  const here = typed ?? at;
  if (here !== null) body.at = here;
  if (best) body.best = best;
  if (best === "cost") body.cost = cost;
  if (slice.benefit && areRisks(slice)) body.net_benefit = true;
  if (prevalence !== null) body.prevalence = prevalence / 100;
  return { verb: "threshold", body };
}

/** The place of the slider among the stops of an answer; where none was chosen, that of the answer. @param {Answer | null} current
 * @param {ThresholdSlice} slice @returns {number} */
export function placeOf(current, { at, typed }) {
  if (!current) return 0;
  const { stops, here } = current.drawing;
  const chosen = typed ?? at;
  if (chosen === null) return here;
  const away = stops.map((/** @type {number} */ stop) => Math.abs(stop - chosen));
  return away.indexOf(Math.min(...away));
}

/** The answer where the slider stands: its sentence, and its numbers once they have come. @param {Answers} answers @param {number} at
 * @returns {Answers} */
export function moved(answers, at) {
  const { current } = answers;
  if (!current) return answers;
  const { stops, rows } = current.shown;
  const known = at === current.drawing.here ? rows : rows.map((/** @type {string[]} */ [title, ...cells]) => [title, ...cells.map(() => "…")]);
  return { ...answers, current: { ...current, shown: { ...current.shown, verdict: stops[at].said, rows: known } } };
}

const BESTS = [
  { value: "", label: "Nothing", title: "Where I put it" },
  { value: "balanced_accuracy", label: "Youden", title: "Sensitivity and specificity alike" },
  { value: "f1", label: "F1" },
  { value: "cost", label: "Cost" },
];

/** Options of a question for scores. */
const SCORES = "scores=true";

/** @param {{slice: ThresholdSlice, answers: Answers, act: Act, at: number}} props */
export function ThresholdInputs({ slice, answers, act, at }) {
  const { scores, best, cost, typed } = slice;
  const stop = answers.current?.drawing.stops[at] ?? null;
  /** Where the slider stood is no place of other inputs. @param {object} patch @param {How} [how] */
  const anew = (patch, how) => act.change((now) => ({ ...now, at: null, typed: null, ...patch }), how);
  const pasting = usePasting((reads) => taken(reads, act), { always: SCORES, about: scores });
  return html`<div class="inputs">
    <section class="sources" aria-label="Your own data">
      <${Drop} label="Read a file" hint="The true class and the score of each case: y_true,score. CSV, TSV, JSON Lines or a workbook of Excel. Or drop it here." always=${SCORES}
        about=${slice.scores} onRead=${(/** @type {any} */ reads) => taken(reads, act)} />
      <${PasteBox} summary="Paste scores" label="CSV or cells of a spreadsheet, with the columns y_true and score"
        placeholder=${"y_true,score\nill,0.91\nhealthy,0.12"} pasting=${pasting} />
      <${Chips} examples=${examples.threshold} onPatch=${act.fill} />
    </section>
    <${Segments} legend="High scores stand for" value=${scores.positive} options=${scores.classes.map((value) => ({ value, label: value }))}
      onValue=${(/** @type {string} */ positive) => anew({ scores: { ...scores, positive } })} />
    <${NumberBox} label="Threshold: positive from this score on" value=${typed ?? stop ?? null} empty=${!answers.current}
      onValue=${(/** @type {number} */ x, /** @type {any} */ how) => anew({ typed: x }, how)} />
    <${Segments} legend="Best for" value=${best} options=${BESTS}
      onValue=${(/** @type {string} */ next) => anew({ best: next })} />
    ${best === "cost" &&
    html`<div class="fields">
      <${NumberBox} label="A false alarm costs" value=${cost.fp} low=${1e-6} high=${1e6}
        onValue=${(/** @type {number} */ x, /** @type {any} */ how) => anew({ cost: { ...cost, fp: x } }, how)} />
      <${NumberBox} label="A miss costs" value=${cost.fn} low=${1e-6} high=${1e6}
        onValue=${(/** @type {number} */ x, /** @type {any} */ how) => anew({ cost: { ...cost, fn: x } }, how)} />
    </div>`}
    ${areRisks(slice) &&
    html`<label class="check"><input type="checkbox" checked=${slice.benefit}
      onChange=${(/** @type {any} */ e) => act.set("benefit")(e.currentTarget.checked)} /> Net benefit at the odds of the threshold</label>`}
    <${NumberBox} label=${`Share of ${scores.positive ?? "the positive class"} where it will be used`} unit="%" value=${slice.prevalence} low=${0.0001} high=${99.9999} empty=${true}
      hint="Empty: as in these cases." onValue=${act.set("prevalence")} />
    <${Settings} slice=${slice} act=${act} size=${2} prior=${answers.current?.result.prior} />
  </div>`;
}

/** @param {{name: string, read: any}[]} reads @param {Act} act @returns {string} */
function taken([{ read }], act) {
  act.change((now) => ({ ...now, scores: read.scores, at: null, typed: null, prevalence: null }));
  return read.scores.positive === null ? "Nothing says which class high scores stand for; choose it below." : "";
}

const CURVES = [
  { value: "roc", label: "ROC" },
  { value: "precision_recall", label: "Precision and recall" },
];

/** What a hand moves: the point on its curve, and the matrix there.
 * @param {{slice: ThresholdSlice, current: Answer | null, act: Act, at: number}} props */
export function AtPoint({ slice, current, act, at }) {
  if (!current) return null;
  const { shown, drawing } = current;
  const stop = shown.stops[at];
  /** @param {number} place @param {{live: boolean}} how */
  const go = (place, how) => act.change((now) => ({ ...now, at: drawing.stops[place], typed: null }), how);
  return html`
    <section class="at-curve" aria-labelledby="curve-title"><h2 id="curve-title">All thresholds</h2>
      <${Segments} legend="Curve" hidden=${true} value=${slice.curve} options=${CURVES} onValue=${act.set("curve")} />
      <${Curve} drawing=${drawing} at=${at} onPoint=${go} />
      <label class="field cut-slider"><span>Threshold <strong data-value="threshold">${stop.short.split(":")[0]}</strong></span>
        <input class="slider" type="range" min="0" max=${drawing.stops.length - 1} step="1" value=${at} aria-label="Threshold, as a slider" aria-valuetext=${stop.short}
          onInput=${(/** @type {any} */ e) => go(Number(e.currentTarget.value), { live: true })} /></label>
      <p class="hint">Line: the cases. Dark: interval at each point. Light: band of all of the curve. Dashed: chance.
        Drag the point, or move the slider.</p>
    </section>
    ${shown.best && html`<section class="at-best" aria-labelledby="best-title"><h2 id="best-title">The best threshold</h2>
      ${shown.best.map((/** @type {string} */ text, /** @type {number} */ i) => html`<p key=${text} class=${i ? "hint" : "said"} data-value=${`best.${i}`}>${text}</p>`)}
      ${drawing.best !== at && html`<p class="buttons small"><button onClick=${() => act.change((now) => ({ ...now, at: null, typed: null }))}>Go to it</button></p>`}
    </section>`}
    <section class="at-matrix" aria-labelledby="matrix-title"><h2 id="matrix-title">Matrix</h2>
      <${Cells} caption="Rows are the true class, columns the predicted one" header=${shown.matrix_header} rows=${stop.rows} name=${(/** @type {any} */ row) => row[0]} />
      <p class="buttons small"><button onClick=${() => act.go("evaluate", { matrix: matrixAt(current, at), prior: slice.prior, level: slice.level, kind: slice.kind })}>Open this matrix under Evaluate</button></p>
    </section>`;
}

/** @param {Answer} answer @param {number} at */
function matrixAt({ result, shown }, at) {
  return { classes: result.labels, counts: shown.stops[at].cells, positive: result.labels[1] };
}

/** The curve, and the point on it that a hand moves.
 * @param {{drawing: any, at: number, onPoint: (place: number, how: {live: boolean}) => void}} props */
function Curve({ drawing, at, onPoint }) {
  /** @param {Ground} on */
  const over = (on) => {
    const { x, y, wide, tall } = on.hands[0];
    const places = drawing.points.map((/** @type {number[]} */ [across, up]) => [x + wide * across, y + tall * (1 - up)]);
    /** @param {any} event */
    const take = (event) => {
      const box = event.currentTarget.getBoundingClientRect();
      const [left, top] = [((event.clientX - box.left) * on.width) / box.width, ((event.clientY - box.top) * on.height) / box.height];
      const away = places.map((/** @type {number[]} */ place) => (place[0] - left) ** 2 + (place[1] - top) ** 2);
      onPoint(away.indexOf(Math.min(...away)), { live: true });
    };
    const best = drawing.best === null || drawing.best === at ? null : places[drawing.best];
    return {
      marks: html`${best && html`<path class="best" fill="none" stroke="currentColor" stroke-width="2" d=${`M${best[0] - 7} ${best[1]}h14m-7 -7v14`} />`}<circle class="point" fill=${MARK} stroke="currentColor" cx=${places[at][0]} cy=${places[at][1]} r="7.5" />`,
      inputs: html`<div class="grasp" onPointerDown=${(/** @type {any} */ e) => (e.currentTarget.setPointerCapture(e.pointerId), take(e))}
        onPointerMove=${(/** @type {any} */ e) => e.currentTarget.hasPointerCapture(e.pointerId) && take(e)}>
          <i style=${{ left: `${(100 * places[at][0]) / on.width}%`, top: `${(100 * places[at][1]) / on.height}%` }}></i></div>`,
    };
  };
  return html`<div class="square"><${Drawn} name="curve" title="Curve" picture=${drawing.curve} most=${520} over=${over} /></div>`;
}

/** @type {Mode} */
export const threshold = {
  name: "threshold",
  title: "Threshold",
  initial,
  fits,
  request,
  view: (slice, given, act) => {
    const at = placeOf(given.current, slice);
    const answers = moved(given, at);
    const point = html`<${AtPoint} slice=${slice} current=${answers.current} act=${act} at=${at} />`;
    return html`
      <${Verdict} answers=${answers} />
      <${ThresholdInputs} slice=${slice} answers=${answers} act=${act} at=${at} />
      <${SheetAnswer} answers=${answers} name="numbers" title="Numbers at this threshold" act=${act} request=${request(slice)} before=${point} />`;
  },
};
