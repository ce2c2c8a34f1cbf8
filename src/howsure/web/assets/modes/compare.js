// @ts-check
/** Compare: is A better than B, by how much, and does it matter? */

import { declared, examples } from "../declared.js";
import { isClassifier, isEmpty, isExample, isPaired, only, separated } from "../matrix.js";
import { html, useState } from "../html.js";
import { Drop, route } from "../parts/reading.js";
import { NumberBox, offered, Segments, Select, Settings } from "../parts/fields.js";
import { MatrixGrid } from "../parts/grid.js";
import { JustPasted } from "../parts/pasted.js";
import { Chips, SheetAnswer, Verdict } from "../parts/sheet.js";
import { listOf, orNull } from "../state.js";
import { withData } from "./data.js";

/** @type {CompareSlice} */
export const initial = {
  classifiers: examples.compare[0].patch.classifiers,
  paired: null,
  apart: false,
  pair: [0, 1],
  metric: "balanced_accuracy",
  rope: 0,
  prior: null,
  level: declared.level,
  kind: declared.kind,
};

/** @param {CompareSlice} slice @returns {string[]} */
export const namesOf = (slice) => (slice.paired ? slice.paired.models : slice.classifiers.map((one) => one.name));

/** @param {CompareSlice} slice @returns {string[]} */
export const classesOf = (slice) => (slice.paired ? slice.paired.classes : slice.classifiers[0].matrix.classes);

/** @type {Mode["fits"]} */
const fits = {
  classifiers: listOf(isClassifier, 2),
  paired: orNull(isPaired),
  pair: ([a, b], slice) => [a, b].every((i) => Number.isInteger(i) && namesOf(slice)[i] !== undefined) && a !== b,
};

/** @param {CompareSlice} slice */
export function request(slice) {
  const { paired, apart, pair, metric, rope, prior, level, kind } = slice;
  const asked = { metric, ...(rope > 0 ? { rope } : {}), level, kind };
  if (paired && !apart) return { verb: "compare", body: { paired: only(paired, pair), prior, ...asked } };
  const classifiers = paired ? separated(only(paired, pair)) : pair.map((i) => slice.classifiers[i]);
  return { verb: "compare", body: { classifiers, prior, ...asked } };
}

/** All of them as a leaderboard, which compares every two. @param {CompareSlice} slice */
export function ranked({ classifiers, paired, apart, metric, prior, level, kind }) {
  const entries = paired && !apart ? { source: "paired", paired } : { source: "classifiers", classifiers: paired ? separated(paired) : classifiers };
  return { ...entries, metric, prior, level, kind };
}

/** The inputs with the matrix of the other tabs as the first. The others stay if they are the user's, under the new names if only names have
 * changed; an example gives way to an empty one, because an answer about somebody else's matrix is none. @param {CompareSlice} slice
 * @param {Matrix} matrix @returns {CompareSlice} */
export function withFirst(slice, matrix) {
  const { classifiers } = slice;
  const [first, ...others] = classifiers;
  if (others.every(isNobodys)) return placed({ ...slice, classifiers: classifiers.slice(0, 2), pair: [0, 1] }, 0, matrix);
  const renamed = JSON.stringify(first.matrix.counts) === JSON.stringify(matrix.counts);
  const { classes, positive } = matrix;
  const alike = (/** @type {Classifier} */ one) => one.matrix.classes.join("\n") === first.matrix.classes.join("\n");
  const kept = others.map((one) => (renamed && alike(one) ? { ...one, matrix: { ...one.matrix, classes, positive } } : one));
  return { ...slice, classifiers: [{ ...first, matrix }, ...kept] };
}

/** The inputs with a matrix that was pasted in place of one of them; the others are emptied if they are nobody's. @param {CompareSlice} slice
 * @param {number} i @param {Matrix} matrix @returns {CompareSlice} */
export function placed(slice, i, matrix) {
  const { classifiers } = slice;
  const alone = classifiers.every((one, j) => j === i || isNobodys(one));
  const empty = { ...matrix, counts: matrix.counts.map((row) => row.map(() => null)) };
  /** @type {Classifier[]} */
  const next = [];
  classifiers.forEach((one, j) => {
    const name = isExample(one.matrix) && (alone || j === i) ? fresh(j === i ? MINE : OTHER, next.map((each) => each.name)) : one.name;
    next.push({ name, matrix: j === i ? matrix : alone ? empty : one.matrix });
  });
  const [, of] = slice.metric.split("@");
  return { ...slice, classifiers: next, metric: of === undefined || of === "macro" || matrix.classes.includes(of) ? slice.metric : initial.metric };
}

/** The inputs with a matrix that was pasted, and where it stands. @param {CompareSlice} slice @param {number | null} touched @param {Matrix} matrix
 * @returns {{slice: CompareSlice, at: number}} */
export function pasted(slice, touched, matrix) {
  const at = Math.max(placeOf(slice, touched), 0);
  if (slice.paired === null && !slice.classifiers.every(isNobodys)) return { slice: placed(slice, at, matrix), at };
  return { slice: withFirst({ ...slice, paired: null, pair: [0, 1] }, matrix), at: 0 };
}

/** Where a matrix goes that is pasted while no cell has the focus: to the one that is empty, else to the one that was touched last.
 * @param {CompareSlice} slice @param {number | null} touched @returns {number} -1: nothing says it */
export function placeOf({ paired, classifiers, pair }, touched) {
  // a pair of answers is none of the matrices behind them, which may be fewer
  if (paired) return 0;
  if (pair.every((i) => isExample(classifiers[i].matrix))) return pair[0];
  return pair.find((i) => isEmpty(classifiers[i])) ?? (touched !== null && pair.includes(touched) ? touched : -1);
}

/** The inputs with a matrix of a file beside those that are there, if it is about the same classes and they are no example.
 * @param {CompareSlice} slice @param {Classifier} one @returns {CompareSlice} */
export function withRead(slice, { name, matrix }) {
  const classes = matrix.classes.join("\n");
  const kept = slice.classifiers.every(isNobodys) ? [] : slice.classifiers.filter((each) => !isEmpty(each) && each.matrix.classes.join("\n") === classes);
  const added = { name: fresh(name, kept.map((each) => each.name)), matrix };
  if (kept.length) return { ...slice, paired: null, classifiers: [...kept, added], pair: [0, kept.length] };
  const empty = { ...matrix, counts: matrix.counts.map((row) => row.map(() => null)) };
  return { ...slice, paired: null, classifiers: [added, { name: fresh(OTHER, [name]), matrix: empty }], pair: [0, 1], metric: initial.metric };
}

const [MINE, OTHER] = ["A", "B"];

/** A name that no other classifier has. @param {string} wanted @param {string[]} taken */
export function fresh(wanted, taken) {
  let name = wanted;
  for (let n = 2; taken.includes(name); n++) name = `${wanted} ${n}`;
  return name;
}

/** Whether somebody has typed or read it. @param {Classifier} one */
const isNobodys = (one) => isEmpty(one) || isExample(one.matrix);

const PAIRING = [
  { value: false, label: "Same cases", title: "Errors that both make cancel" },
  { value: true, label: "As if separate", title: "What the two matrices alone would say" },
];

/** @param {{slice: CompareSlice, answers: Answers, act: Act}} props */
export function Inputs({ slice, answers, act }) {
  const names = namesOf(slice);
  const options = offered(answers.current, slice.metric);
  const [touched, touch] = useState(/** @type {number | null} */ (null));
  return html`<div class="inputs">
    <${Chips} examples=${examples.compare} onPatch=${act.fill} />
    <${Anywhere} slice=${slice} act=${act} touched=${touched} onTouch=${touch} />
    ${slice.paired ? html`<${SameCases} slice=${slice} act=${act} />` : html`<${Matrices} slice=${slice} answers=${answers} act=${act} onTouch=${touch} />`}
    <div class="beside"><${Drop} label="Read a file" many=${true} hint="Predictions of both classifiers (id, truth, an answer each), a matrix, or items with scores of both; CSV, TSV, JSON Lines or a workbook of Excel. Or drop it here, or just paste it."
      onRead=${(/** @type {any} */ reads) => taken(reads, act)} />
    ${names.length > 2 && html`<${Pair} slice=${slice} names=${names} act=${act} />`}
    <${Select} label="By" value=${slice.metric} options=${options} onValue=${act.set("metric")} />
    <${NumberBox} label="Differences up to this size do not matter" value=${slice.rope || null} low=${0} high=${1} empty=${true}
      hint="In units of the metric; empty if every difference matters." onValue=${(/** @type {number|null} */ rope, /** @type {any} */ how) => act.set("rope")(rope ?? 0, how)} />
    <${Settings} slice=${slice} act=${act} size=${classesOf(slice).length} prior=${answers.current?.result.prior?.name} /></div>
  </div>`;
}

/** Takes what is pasted while no cell has the focus, and says where it went.
 * @param {{slice: CompareSlice, act: Act, touched: number | null, onTouch: (i: number | null) => void}} props */
function Anywhere({ slice, act, touched, onTouch }) {
  const place = placeOf(slice, touched);
  const put = (/** @type {any} */ matrix) => {
    let [next, at] = [slice, 0];
    // what was typed or pasted while this one was read stays
    act.change((now) => ({ slice: next, at } = pasted(now, touched, matrix)).slice);
    onTouch(at);
    const other = next.pair.map((i) => next.classifiers[i]).find(isEmpty);
    const more = other ? `; paste or type “${other.name}” too` : "";
    return `It is “${next.classifiers[at].name}”${more}.`;
  };
  return html`<${JustPasted} matrix=${slice.classifiers[Math.max(place, 0)].matrix} about=${slice.paired ?? slice.classifiers} onMatrix=${put}
    onOther=${(/** @type {any} */ read) => taken([{ name: "", read }], act)}
    unsure=${place < 0 ? "Two matrices stand here: click a cell of the one whose place this is to take, and paste it again." : ""} />`;
}

/** @param {{slice: CompareSlice, answers: Answers, act: Act, onTouch: (i: number | null) => void}} props */
function Matrices({ slice, answers, act, onTouch }) {
  const { classifiers, pair } = slice;
  const change = (/** @type {number} */ i, /** @type {object} */ patch, /** @type {any} */ how) =>
    act.change((now) => ({ ...now, classifiers: now.classifiers.map((/** @type {object} */ one, /** @type {number} */ j) => (j === i ? { ...one, ...patch } : one)) }), how);
  return html`<div class="matrices">${classifiers.map(({ name, matrix }, i) => html`<details key=${i} class="classifier" open=${pair.includes(i)} onFocusCapture=${() => onTouch(i)}>
      <summary><bdi>${name}</bdi></summary>
      <div class="fields"><${NameBox} name=${name} onName=${(/** @type {string} */ next) => change(i, { name: next }, { live: true })} />
        ${classifiers.length > 2 && html`<button class="quiet" aria-label=${`Remove ${name}`} onClick=${() => (act.change((now) => without(now, i)), onTouch(null))}>Remove</button>`}</div>
      <${MatrixGrid} matrix=${matrix} said=${answers.current?.shown.matrices?.[pair.indexOf(i)] ?? null} failure=${answers.failure} act=${act}
        place=${`classifiers[${pair.indexOf(i)}].matrix`} name=${`Confusion matrix of ${name}`}
        onMatrix=${(/** @type {any} */ next, /** @type {any} */ how) => change(i, { matrix: next }, how)}
        onPasted=${(/** @type {any} */ next) => act.change((now) => placed(now, i, next))}
        onOther=${(/** @type {any} */ read) => taken([{ name: "", read }], act)} />
    </details>`)}
    <p class="buttons small"><button onClick=${() => act.change(withOneMore)}>+ Classifier</button></p></div>`;
}

/** @param {{name: string, onName: (name: string) => void}} props */
const NameBox = ({ name, onName }) => html`<label class="field">Name
  <input type="text" value=${name} maxlength="200" spellcheck=${false} autocomplete="off"
    onInput=${(/** @type {any} */ e) => onName(e.currentTarget.value)} /></label>`;

/** @param {{slice: CompareSlice, act: Act}} props */
function SameCases({ slice, act }) {
  const paired = /** @type {Paired} */ (slice.paired);
  return html`<section class="same-cases" aria-label="The same cases">
    <p>Both answered the same cases: <strong><bdi>${paired.models.join(", ")}</bdi></strong>; classes <bdi>${paired.classes.join(", ")}</bdi>.</p>
    <${Segments} legend="Take the cases" value=${slice.apart} options=${PAIRING} onValue=${act.set("apart")} />
    <p class="buttons small"><button onClick=${() => act.change((now) => ({ ...now, paired: null, pair: [0, 1] }))}>Back to matrices</button></p>
  </section>`;
}

/** @param {{slice: CompareSlice, names: string[], act: Act}} props */
function Pair({ slice, names, act }) {
  const options = names.map((label, value) => ({ value, label }));
  const choose = (/** @type {number} */ side) => (/** @type {number} */ i) => {
    const pair = /** @type {[number, number]} */ ([...slice.pair]);
    // the same one twice is an exchange
    if (pair[1 - side] === i) pair[1 - side] = pair[side];
    pair[side] = i;
    act.set("pair")(pair);
  };
  return html`<div class="fields">
    <${Select} label="A" value=${slice.pair[0]} options=${options} onValue=${choose(0)} />
    <${Select} label="B" value=${slice.pair[1]} options=${options} onValue=${choose(1)} />
  </div>
  <p class="buttons small"><button title="Every two of them, and how sure each rank is"
    onClick=${() => act.go("leaderboard", ranked(slice))}>Rank all ${String(names.length)}</button></p>`;
}

/** @param {CompareSlice} now @returns {CompareSlice} */
function withOneMore(now) {
  const { classes, positive } = now.classifiers[0].matrix;
  const name = fresh("new classifier", now.classifiers.map((one) => one.name));
  const matrix = { classes, positive, counts: classes.map((_, i) => classes.map((_, j) => (i === j ? 8 : 2))) };
  return { ...now, classifiers: [...now.classifiers, { name, matrix }], pair: [now.pair[0], now.classifiers.length] };
}

/** @param {CompareSlice} now @param {number} i @returns {CompareSlice} */
const without = (now, i) => ({ ...now, classifiers: now.classifiers.filter((_, j) => j !== i), pair: [0, 1] });

/** What was read takes its place; the sentence says which. @param {{name: string, read: Read}[]} reads
 * @param {Act} act @returns {string} */
function taken(reads, act) {
  const found = reads.find(({ read }) => read.kind !== "matrix")?.read;
  if (found?.kind === "leaderboard" || found?.kind === "data") return route(found);
  if (found?.kind === "paired") {
    act.change((now) => ({ ...now, paired: found.paired, apart: false, pair: [0, 1], metric: "balanced_accuracy" }));
    return "Each answered the same cases, so they are compared case by case.";
  }
  const matrices = found ? found.classifiers : reads.map(({ name, read }) => ({ name, matrix: read.matrix }));
  if (matrices.length > 1) {
    act.change((now) => ({ ...now, paired: null, classifiers: matrices, pair: [0, 1], metric: "balanced_accuracy" }));
    return "";
  }
  act.change((now) => withRead(now, matrices[0]));
  return "It is one matrix, and stands among those compared; read the second one too.";
}

/** @type {Mode} */
export const compare = withData({
  name: "compare",
  title: "Compare",
  initial,
  fits,
  request,
  kept: ({ metric, classifiers }) => ({ metric, classifiers }),
  matrixOf: (slice) => (slice.paired ? undefined : slice.classifiers?.[0]?.matrix),
  withMatrix: withFirst,
  view: (slice, answers, act) => {
    const open = slice.paired ? undefined : slice.pair.map((/** @type {number} */ i) => slice.classifiers[i]).find(isEmpty);
    return html`
    <${Verdict} answers=${answers} asks=${open ? `Paste or type the matrix of “${open.name}”.` : ""} />
    <${Inputs} slice=${slice} answers=${answers} act=${act} />
    <${SheetAnswer} answers=${answers} name="difference" title="How much" caption="" act=${act} request=${request(slice)} />`;
  },
});
