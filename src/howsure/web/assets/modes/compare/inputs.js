// @ts-check
/** What is compared: matrices, or the same cases; which two, by what, and what difference matters. */

import { html, useState } from "../../html.js";
import { isEmpty } from "../../matrix.js";
import { Chips } from "../../parts/chips.js";
import { Drop } from "../../parts/drop.js";
import { NumberBox, Segments, Select, named } from "../../parts/fields.js";
import { MatrixGrid } from "../../parts/grid.js";
import { JustPasted } from "../../parts/just_pasted.js";
import { route } from "../../parts/routed.js";
import { Settings } from "../../parts/settings.js";
import { classesOf, fresh, namesOf, pasted, placeOf, placed, ranked, sound, withRead } from "./slice.js";

/** @typedef {import("./slice.js").Slice} Slice */
/** @typedef {import("../../types").Act} Act */

const PAIRING = [
  { value: false, label: "Same cases", title: "Errors that both make cancel" },
  { value: true, label: "As if separate", title: "What the two matrices alone would say" },
];

/** @param {{slice: Slice, answers: import("../../types").Answers, act: Act, examples: any[]}} props */
export function Inputs({ slice, answers, act, examples }) {
  const names = namesOf(slice);
  const options = named(answers.current?.shown.choices, slice.metric, answers.current?.shown.titles);
  const [touched, touch] = useState(/** @type {number | null} */ (null));
  return html`<div class="inputs">
    <${Chips} examples=${examples} onPatch=${act.fill} />
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
 * @param {{slice: Slice, act: Act, touched: number | null, onTouch: (i: number | null) => void}} props */
function Anywhere({ slice, act, touched, onTouch }) {
  const place = placeOf(slice, touched);
  const put = (/** @type {any} */ matrix) => {
    let [next, at] = [slice, 0];
    // what was typed or pasted while this one was read stays
    act.change((now) => ({ slice: next, at } = pasted(sound(now), touched, matrix)).slice);
    onTouch(at);
    const other = next.pair.map((i) => next.classifiers[i]).find(isEmpty);
    const more = other ? `; paste or type “${other.name}” too` : "";
    return `It is “${next.classifiers[at].name}”${more}.`;
  };
  return html`<${JustPasted} matrix=${slice.classifiers[Math.max(place, 0)].matrix} about=${slice.paired ?? slice.classifiers} onMatrix=${put}
    onOther=${(/** @type {any} */ read) => taken([{ name: "", read }], act)}
    unsure=${place < 0 ? "Two matrices stand here: click a cell of the one whose place this is to take, and paste it again." : ""} />`;
}

/** @param {{slice: Slice, answers: import("../../types").Answers, act: Act, onTouch: (i: number | null) => void}} props */
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
        onPasted=${(/** @type {any} */ next) => act.change((now) => placed(sound(now), i, next))}
        onOther=${(/** @type {any} */ read) => taken([{ name: "", read }], act)} />
    </details>`)}
    <p class="buttons small"><button onClick=${() => act.change(withOneMore)}>+ Classifier</button></p></div>`;
}

/** @param {{name: string, onName: (name: string) => void}} props */
const NameBox = ({ name, onName }) => html`<label class="field">Name
  <input type="text" value=${name} maxlength="200" spellcheck=${false} autocomplete="off"
    onInput=${(/** @type {any} */ e) => onName(e.currentTarget.value)} /></label>`;

/** @param {{slice: Slice, act: Act}} props */
function SameCases({ slice, act }) {
  const paired = /** @type {import("../../paired.js").Paired} */ (slice.paired);
  return html`<section class="same-cases" aria-label="The same cases">
    <p>Both answered the same cases: <strong><bdi>${paired.models.join(", ")}</bdi></strong>; classes <bdi>${paired.classes.join(", ")}</bdi>.</p>
    <${Segments} legend="Take the cases" value=${slice.apart} options=${PAIRING} onValue=${act.set("apart")} />
    <p class="buttons small"><button onClick=${() => act.change((now) => ({ ...now, paired: null, pair: [0, 1] }))}>Back to matrices</button></p>
  </section>`;
}

/** @param {{slice: Slice, names: string[], act: Act}} props */
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

/** @param {Slice} now @returns {Slice} */
function withOneMore(now) {
  const { classes, positive } = now.classifiers[0].matrix;
  const name = fresh("new classifier", now.classifiers.map((one) => one.name));
  const matrix = { classes, positive, counts: classes.map((_, i) => classes.map((_, j) => (i === j ? 8 : 2))) };
  return { ...now, classifiers: [...now.classifiers, { name, matrix }], pair: [now.pair[0], now.classifiers.length] };
}

/** @param {Slice} now @param {number} i @returns {Slice} */
const without = (now, i) => ({ ...now, classifiers: now.classifiers.filter((_, j) => j !== i), pair: [0, 1] });

/** What was read takes its place; the sentence says which.
 * @param {{name: string, read: import("../../parts/drop.js").Read}[]} reads @param {Act} act @returns {string} */
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
