// @ts-check
/** Threshold: scores of two classes, a point on their curve, and the matrix and all numbers that follow it. */

import { operating, square } from "../charts/unit_square.js";
import { declared } from "../declared.js";
import { html, useEffect, useMemo, useRef, useState } from "../html.js";
import { Drop } from "../parts/drop.js";
import { NumberBox, Segments, Select } from "../parts/fields.js";
import { Figure } from "../parts/figure.js";
import { PasteBox, usePasting } from "../parts/paste_box.js";
import { Settings } from "../parts/settings.js";
import { nearest } from "../parts/share_slider.js";
import { Cells } from "../parts/sheet.js";
import { SheetAnswer } from "../parts/sheet_answer.js";
import { Verdict } from "../parts/verdict.js";
import { Chips } from "../parts/word.js";
import { pause } from "../pending.js";

/** @type {Scores} */
export const BREAST = {
  classes: ["benign", "malignant"],
  positive: "malignant",

  cells: [
    [0.0093, 1, 0], [0.0168, 1, 0], [0.0175, 1, 0], [0.0183, 1, 0], [0.0195, 1, 0], [0.0219, 1, 0], [0.022, 1, 0], [0.0233, 1, 0],
    [0.0236, 1, 0], [0.024, 1, 0], [0.0265, 1, 0], [0.0297, 1, 0], [0.0298, 1, 0], [0.0304, 1, 0], [0.036, 1, 0], [0.037, 1, 0],
    [0.0436, 1, 0], [0.044, 1, 0], [0.0441, 1, 0], [0.0445, 1, 0], [0.0448, 1, 0], [0.0455, 1, 0], [0.047, 1, 0], [0.0482, 1, 0],
    [0.0495, 1, 0], [0.0497, 1, 0], [0.0527, 1, 0], [0.0528, 1, 0], [0.0581, 1, 0], [0.0602, 1, 0], [0.0628, 1, 0], [0.0645, 1, 0],
    [0.0651, 1, 0], [0.0734, 1, 0], [0.0748, 1, 0], [0.076, 1, 0], [0.0762, 1, 0], [0.0781, 1, 0], [0.0809, 1, 0], [0.0826, 1, 0],
    [0.0849, 1, 0], [0.0866, 1, 0], [0.091, 1, 0], [0.0931, 1, 0], [0.0956, 1, 0], [0.1007, 1, 0], [0.1033, 0, 1], [0.1093, 0, 1],
    [0.1095, 1, 0], [0.1102, 1, 0], [0.1108, 0, 1], [0.1126, 1, 0], [0.1149, 1, 0], [0.1157, 1, 0], [0.117, 1, 0], [0.1258, 1, 0],
    [0.1311, 0, 1], [0.133, 1, 0], [0.1347, 1, 0], [0.1384, 1, 0], [0.1429, 1, 0], [0.1434, 0, 1], [0.1442, 1, 0], [0.1464, 1, 0],
    [0.1494, 1, 0], [0.1514, 1, 0], [0.152, 0, 1], [0.1545, 1, 0], [0.1552, 1, 0], [0.1567, 1, 0], [0.1573, 1, 0], [0.1653, 1, 0],
    [0.1726, 1, 0], [0.1728, 0, 1], [0.1795, 1, 0], [0.1799, 0, 1], [0.1831, 1, 0], [0.1834, 1, 0], [0.1874, 0, 1], [0.192, 1, 0],
    [0.1958, 0, 1], [0.2089, 1, 0], [0.2091, 1, 0], [0.2109, 1, 0], [0.213, 1, 0], [0.2173, 1, 0], [0.2344, 1, 0], [0.2347, 1, 0],
    [0.2368, 1, 0], [0.2377, 1, 0], [0.2402, 1, 0], [0.2451, 1, 0], [0.2454, 1, 0], [0.2461, 1, 0], [0.2537, 0, 1], [0.2544, 0, 1],
    [0.2576, 0, 1], [0.2727, 1, 0], [0.2775, 0, 1], [0.285, 1, 0], [0.292, 0, 1], [0.2949, 0, 1], [0.3005, 0, 1], [0.3011, 1, 0],
    [0.306, 0, 1], [0.3139, 0, 1], [0.3304, 0, 1], [0.3412, 0, 1], [0.3434, 1, 0], [0.3463, 1, 0], [0.3478, 1, 0], [0.3521, 1, 0],
    [0.3525, 1, 1], [0.3544, 0, 1], [0.3615, 0, 1], [0.3664, 0, 1], [0.3694, 0, 1], [0.3723, 0, 1], [0.3819, 0, 1], [0.3891, 1, 0],
    [0.3899, 1, 0], [0.3924, 1, 0], [0.3942, 0, 1], [0.407, 0, 1], [0.4181, 0, 1], [0.4204, 0, 1], [0.4331, 1, 0], [0.4549, 1, 0],
    [0.4572, 0, 1], [0.465, 1, 0], [0.4699, 1, 0], [0.4903, 1, 0], [0.4979, 0, 1], [0.5008, 1, 0], [0.5062, 1, 0], [0.5124, 0, 1],
    [0.5182, 0, 1], [0.5197, 0, 1], [0.5256, 0, 1], [0.5282, 0, 1], [0.5337, 1, 0], [0.5376, 0, 1], [0.5482, 0, 1], [0.5606, 0, 1],
    [0.5695, 1, 0], [0.5746, 1, 0], [0.5756, 0, 1], [0.5821, 0, 1], [0.5822, 0, 1], [0.6141, 0, 1], [0.6387, 0, 1], [0.6409, 0, 1],
    [0.6424, 0, 1], [0.6568, 1, 0], [0.6621, 0, 1], [0.6622, 1, 0], [0.6639, 1, 0], [0.6773, 0, 1], [0.6774, 0, 1], [0.6878, 1, 0],
    [0.6928, 0, 1], [0.7326, 0, 1], [0.751, 0, 1], [0.7524, 0, 1], [0.7534, 0, 1], [0.7707, 1, 0], [0.7732, 0, 1], [0.7966, 0, 1],
    [0.8028, 0, 1], [0.8073, 0, 1], [0.8129, 0, 1], [0.8251, 0, 1], [0.8551, 1, 0], [0.8673, 0, 1], [0.8684, 0, 1], [0.8688, 0, 1],
    [0.8769, 0, 1], [0.886, 1, 0], [0.8936, 0, 1], [0.9014, 0, 1], [0.9134, 1, 0], [0.9237, 0, 1], [0.9376, 0, 1], [0.9441, 1, 0],
    [0.9466, 0, 1], [0.9707, 0, 1], [0.9767, 0, 1], [0.9882, 0, 1], [0.99, 0, 1],
  ],
};

/**
 * @typedef {{classes: string[], positive: string|null, cells: number[][]}} Scores cells: score, cases of either class
 * @typedef {object} Slice
 * @property {Scores} scores
 * @property {number|null} at the place of the slider as a score; null for where the answer puts it
 * @property {number|null} typed a threshold that was typed and may be no place of the slider
 * @property {"roc"|"precision_recall"} curve
 * @property {string} best "" for none
 * @property {{fp: number, fn: number}} cost
 * @property {boolean} benefit whether net benefit is asked for
 * @property {number|null} prevalence in per cent; null for that of the cases
 * @property {any} prior
 * @property {number} level
 * @property {string} kind
 */

/** @type {Slice} */
export const initial = {
  scores: BREAST,
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

const CURVE_NAMES = ["roc", "precision_recall"];
const BEST_NAMES = ["balanced_accuracy", "f1", "cost"];

/** @param {any} value @param {(x: number) => boolean} fits */
const number = (value, fits) => (typeof value === "number" && Number.isFinite(value) && fits(value) ? value : null);

/** A slice that came with a link may hold anything; what cannot be shown is replaced.
 * @param {Slice} slice @returns {Slice} */
export const sound = (slice) => ({
  ...slice,
  scores: isScores(slice.scores) ? slice.scores : BREAST,
  at: number(slice.at, () => true),
  typed: number(slice.typed, () => true),
  curve: CURVE_NAMES.includes(slice.curve) ? slice.curve : "roc",
  best: BEST_NAMES.includes(slice.best) ? slice.best : "",
  prevalence: number(slice.prevalence, (x) => x > 0 && x < 100),
});

/** @param {any} given */
const isScores = (given) =>
  Array.isArray(given?.classes) && given.classes.length === 2 && given.classes.every((/** @type {any} */ name) => typeof name === "string") &&
  Array.isArray(given.cells) && given.cells.length > 1 && given.cells.every((/** @type {any} */ cell) => Array.isArray(cell) && cell.length === 3 && cell.every(Number.isFinite));

/** Whether the scores may be probabilities, for which alone there is a net benefit. @param {Slice} slice */
export const areRisks = ({ scores }) => scores.cells.every(([score]) => score >= 0 && score <= 1);

/** Nothing is asked for while a hand moves: all places of the slider are known.
 * @param {Slice} given @param {{live: boolean}} how @returns {{verb: string, body: Record<string, unknown>}|null} */
export const request = (given, { live }) => (live ? null : asked(sound(given)));

/** @param {Slice} slice @returns {{verb: string, body: Record<string, unknown>}} */
export function asked(slice) {
  const { scores, typed, curve, best, cost, prevalence, prior, level, kind } = slice;
  const body = /** @type {Record<string, unknown>} */ ({ scores, curve, prior, level, kind });
  if (typed !== null) body.at = typed;
  if (best) body.best = best;
  if (best === "cost") body.cost = cost;
  if (slice.benefit && areRisks(slice)) body.net_benefit = true;
  if (prevalence !== null) body.prevalence = prevalence / 100;
  return { verb: "threshold", body };
}

/** The place of the slider among the stops of an answer; where none was chosen, that of the answer.
 * @param {import("../types").Answer | null} current @param {Slice} slice @returns {number} */
export function placeOf(current, { at, typed, best }) {
  if (!current) return 0;
  const { stops, here } = current.drawing;
  if (typed !== null && stops.includes(typed)) return stops.indexOf(typed);
  if (at === null) return best && current.drawing.best !== null ? current.drawing.best : here;
  let near = 0;
  stops.forEach((/** @type {number} */ stop, /** @type {number} */ i) => {
    if (Math.abs(stop - at) < Math.abs(stops[near] - at)) near = i;
  });
  return near;
}

/** The answer with the sentence of where the slider stands.
 * @param {import("../types").Answers} answers @param {Slice} slice @returns {import("../types").Answers} */
export function moved(answers, slice) {
  const { current } = answers;
  if (!current) return answers;
  const verdict = current.shown.stops[placeOf(current, slice)].said;
  return { ...answers, current: { ...current, shown: { ...current.shown, verdict } } };
}

export const EXAMPLES = [
  { name: "Breast cancer, 190 samples", hint: "Probabilities of a classifier that was tested on cases it had not seen", patch: {} },
  { name: "A rare disease", hint: "The same scores where one of a hundred is malignant", patch: { prevalence: 1, curve: "precision_recall" } },
  { name: "A miss costs five false alarms", patch: { best: "cost" } },
];

/** @typedef {import("../types").Act} Act */

const BESTS = [
  { value: "", label: "Nothing", title: "Where I put it" },
  { value: "balanced_accuracy", label: "Youden", title: "Sensitivity and specificity alike" },
  { value: "f1", label: "F1" },
  { value: "cost", label: "Cost" },
];

/** Options of a question for scores. */
const SCORES = "scores=true";

/** @param {{slice: Slice, answers: import("../types").Answers, act: Act, at: number}} props */
export function ThresholdInputs({ slice, answers, act, at }) {
  const { scores, best, cost, typed } = slice;
  const stop = answers.current?.drawing.stops[at] ?? null;
  const pasting = usePasting((reads) => taken(reads, act), { always: SCORES, about: scores });
  return html`<div class="inputs">
    <section class="sources" aria-label="Your own data">
      <${Drop} label="Read a file" hint="The true class and the score of each case: y_true,score. CSV, TSV, JSON Lines or a workbook of Excel. Or drop it here." always=${SCORES}
        about=${slice.scores} onRead=${(/** @type {any} */ reads) => taken(reads, act)} />
      <${PasteBox} summary="Paste scores" label="CSV or cells of a spreadsheet, with the columns y_true and score"
        placeholder=${"y_true,score\nill,0.91\nhealthy,0.12"} pasting=${pasting} />
      <${Chips} examples=${EXAMPLES} onPatch=${act.fill} />
    </section>
    <${Positive} scores=${scores} act=${act} />
    <${NumberBox} label="Threshold: positive from this score on" value=${typed ?? stop ?? null} empty=${!answers.current}
      onValue=${(/** @type {number} */ x, /** @type {any} */ how) => act.change((now) => ({ ...now, typed: x, at: null }), how)} />
    <${Segments} legend="Best for" value=${best} options=${BESTS}
      onValue=${(/** @type {string} */ next) => act.change((now) => ({ ...now, best: next, at: null, typed: null }))} />
    ${best === "cost" &&
    html`<div class="fields">
      <${NumberBox} label="A false alarm costs" value=${cost.fp} low=${1e-6} high=${1e6}
        onValue=${(/** @type {number} */ x, /** @type {any} */ how) => act.change((now) => ({ ...now, cost: { ...now.cost, fp: x }, at: null, typed: null }), how)} />
      <${NumberBox} label="A miss costs" value=${cost.fn} low=${1e-6} high=${1e6}
        onValue=${(/** @type {number} */ x, /** @type {any} */ how) => act.change((now) => ({ ...now, cost: { ...now.cost, fn: x }, at: null, typed: null }), how)} />
    </div>`}
    ${areRisks(slice) &&
    html`<label class="check"><input type="checkbox" checked=${slice.benefit}
      onChange=${(/** @type {any} */ e) => act.set("benefit")(e.currentTarget.checked)} /> Net benefit at the odds of the threshold</label>`}
    <${NumberBox} label=${`Share of ${scores.positive ?? "the positive class"} where it will be used`} unit="%" value=${slice.prevalence} low=${0.0001} high=${99.9999} empty=${true}
      hint="Empty: as in these cases." onValue=${act.set("prevalence")} />
    <${Settings} slice=${slice} act=${act} size=${2} prior=${answers.current?.result.prior} />
  </div>`;
}

/** Which class high scores stand for; nothing is chosen where no name says it.
 * @param {{scores: Scores, act: Act}} props */
function Positive({ scores, act }) {
  const options = scores.classes.map((value) => ({ value, label: value }));
  return html`<${Segments} legend="High scores stand for" value=${scores.positive} options=${options}
    onValue=${(/** @type {string} */ positive) => act.change((now) => ({ ...now, scores: { ...now.scores, positive }, at: null, typed: null }))} />`;
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

/** Places of the slider in one question, and how long to wait when the server is busy. */
const SOME = 16;
const BUSY_MS = 1000;
/** What passes: the server is busy, or is not there. */
const WAIT = ["Busy", "lost"];

/**
 * The answer at the place of the slider, its numbers among it as rows; null before there is one.
 * @param {import("../types").Answer | null} current @param {Slice} slice @param {Act} act @param {number} at
 */
export function useNumbersAt(current, slice, act, at) {
  const numbers = useNumbers(current, slice, act, at);
  if (!current) return null;
  const rows = numbers ?? current.shown.rows.map((/** @type {string[]} */ [title, ...cells]) => [title, ...cells.map(() => "…")]);
  return { ...current, shown: { ...current.shown, rows } };
}

/** What a hand moves: the point on its curve, and the matrix there.
 * @param {{slice: Slice, current: import("../types").Answer | null, act: Act, at: number}} props */
export function AtPoint({ slice, current, act, at }) {
  if (!current) return null;
  const { shown, drawing } = current;
  const stop = shown.stops[at];
  /** @param {number} place @param {{live: boolean}} how */
  const go = (place, how) => act.change((now) => ({ ...now, at: drawing.stops[place], typed: null }), how);
  return html`
    <section class="at-curve" aria-labelledby="curve-title"><h2 id="curve-title">All thresholds</h2>
      <${Segments} legend="Curve" hidden=${true} value=${slice.curve} options=${CURVES} onValue=${act.set("curve")} />
      <${Curve} drawing=${drawing} at=${at} title=${`${shown.about} ${stop.said}`} onPoint=${go} />
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

/** @param {import("../types").Answer} answer @param {number} at */
function matrixAt({ result, shown }, at) {
  return { classes: result.labels, counts: shown.stops[at].cells, positive: result.labels[1] };
}

/** @param {{drawing: any, at: number, title: string, onPoint: (place: number, how: {live: boolean}) => void}} props */
function Curve({ drawing, at, title, onPoint }) {
  // what a moving point cannot alter is not drawn again
  const made = useRef(/** @type {{curve: any, width: number, ground: any}} */ ({ curve: null, width: 0, ground: null }));
  const ground = (/** @type {number} */ width) => {
    if (made.current.curve !== drawing.curve || made.current.width !== width) made.current = { curve: drawing.curve, width, ground: square(drawing.curve, width) };
    return made.current.ground;
  };
  return html`<${Figure} name="curve" title="Curve" draw=${(/** @type {number} */ width) =>
    operating(ground(width), drawing.points, at, drawing.best, { width, title, onPoint })} />`;
}

/**
 * The numbers at the place of the slider. Those of all other places are asked for beforehand, nearest first, so that a
 * hand that moves finds them here.
 * @param {import("../types").Answer | null} current @param {Slice} slice @param {Act} act @param {number} at
 * @returns {string[][] | undefined}
 */
function useNumbers(current, slice, act, at) {
  const { body } = asked({ ...slice, typed: null, best: "", curve: "roc" });
  const key = useMemo(() => JSON.stringify(body), [slice.scores, slice.benefit, slice.prevalence, slice.prior, slice.level, slice.kind]);
  const [, step] = useState(0);
  /** Of one question: numbers by threshold. */
  const known = useRef({ key: "", of: /** @type {Map<number, string[][]>} */ (new Map()) });
  const here = useRef(at);
  here.current = at;
  if (known.current.key !== key) known.current = { key, of: new Map() };
  const { of } = known.current;
  const stops = current?.drawing.stops;
  useEffect(() => {
    if (!current) return;
    let late = false;
    const fetchAll = async () => {
      for (;;) {
        const next = nearest(stops, 0, here.current).filter((stop) => !of.has(stop)).slice(0, of.size ? SOME : 1);
        if (late || !next.length) return;
        try {
          const answer = await act.ask("threshold", { ...body, stops: next });
          answer.drawing.stops.forEach((/** @type {number} */ stop, /** @type {number} */ i) => of.set(stop, answer.shown.stops[i]));
          if (!late) step((n) => n + 1);
        } catch (failure) {
          if (!WAIT.includes(/** @type {any} */ (failure).code)) return;
          await pause(BUSY_MS);
        }
      }
    };
    fetchAll();
    return () => {
      late = true;
    };
  }, [current, key]);
  return stops && of.get(stops[at]);
}

/** @type {import("../types").Mode} */
export const threshold = {
  name: "threshold",
  title: "Threshold",
  initial,
  sound,
  request,
  view: (given, answers, act) => {
    const slice = sound(given);
    const at = placeOf(answers.current, slice);
    return html`
      <${Verdict} answers=${moved(answers, slice)} />
      <${ThresholdInputs} slice=${slice} answers=${answers} act=${act} at=${at} />
      <${Answer} slice=${slice} answers=${answers} act=${act} at=${at} />`;
  },
};

/** @param {{slice: Slice, answers: import("../types").Answers, act: import("../types").Act, at: number}} props */
function Answer({ slice, answers, act, at }) {
  const current = useNumbersAt(answers.current, slice, act, at);
  return html`<${SheetAnswer} answers=${{ ...answers, current }} name="numbers" title="Numbers at this threshold" act=${act} request=${request(slice, { live: false })}
    before=${html`<${AtPoint} slice=${slice} current=${current} act=${act} at=${at} />`} />`;
}
