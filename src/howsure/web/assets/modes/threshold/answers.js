// @ts-check
/** The curve with its point, the slider, and the matrix and the numbers at it. */

import { operating, square } from "../../charts/unit_square.js";
import { html, useEffect, useMemo, useRef, useState } from "../../html.js";
import { Segments } from "../../parts/fields.js";
import { Figure } from "../../parts/figure.js";
import { nearest } from "../../parts/share_slider.js";
import { Cells } from "../../parts/sheet.js";
import { pause } from "../../pending.js";
import { asked } from "./slice.js";

/** @typedef {import("./slice.js").Slice} Slice */
/** @typedef {import("../../types").Act} Act */

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
 * @param {import("../../types").Answer | null} current @param {Slice} slice @param {Act} act @param {number} at
 */
export function useNumbersAt(current, slice, act, at) {
  const numbers = useNumbers(current, slice, act, at);
  if (!current) return null;
  const rows = numbers ?? current.shown.rows.map((/** @type {string[]} */ [title, ...cells]) => [title, ...cells.map(() => "…")]);
  return { ...current, shown: { ...current.shown, rows } };
}

/** What a hand moves: the point on its curve, and the matrix there.
 * @param {{slice: Slice, current: import("../../types").Answer | null, act: Act, at: number}} props */
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

/** @param {import("../../types").Answer} answer @param {number} at */
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
 * @param {import("../../types").Answer | null} current @param {Slice} slice @param {Act} act @param {number} at
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
