// @ts-check
/** Leaderboard: which of many is best, how sure each rank is, and what the prizes are worth. */

import { declared, examples } from "../declared.js";
import { html } from "../html.js";
import { cell, isClassifier, isPaired } from "../matrix.js";
import { Drop, route } from "../parts/reading.js";
import { Lines, NumberBox, offered, Select, Settings } from "../parts/fields.js";
import { PasteBox, usePasting } from "../parts/pasted.js";
import { Chips, SheetAnswer, Verdict } from "../parts/sheet.js";
import { among, isNumber, isText, listOf, orNull } from "../state.js";
import { withData } from "./data.js";

/** @type {BoardSlice} */
export const initial = {
  source: "entries",
  entries: examples.leaderboard[0].patch.entries,
  classifiers: [],
  paired: null,
  metric: "accuracy",
  prizes: examples.leaderboard[0].patch.prizes,
  top: 3,
  new_test: null,
  prior: null,
  level: declared.level,
  kind: declared.kind,
};

/** @type {Mode["fits"]} */
const fits = {
  entries: listOf((one) => isText(one?.name), 2),
  classifiers: (x) => !x.length || listOf(isClassifier, 2)(x),
  paired: orNull(isPaired),
  prizes: listOf(isNumber),
  source: (source, slice) => among("entries", "classifiers", "paired")(source) && count({ ...slice, source }) > 1,
};

/** How many are ranked. @param {BoardSlice} slice */
export const count = (slice) => (slice.source === "paired" ? (slice.paired?.models.length ?? 0) : slice[slice.source].length);
/** Of a short board all are among the first so many. @param {BoardSlice} slice */
export const topOf = (slice) => Math.min(slice.top, Math.max(1, count(slice)));

/** @param {BoardSlice} slice */
export function request(slice) {
  const { source, metric, prizes, new_test, prior, level, kind } = slice;
  /** @type {Record<string, unknown>} */
  const body = { [source]: slice[source], metric, prizes, top: topOf(slice), prior, level, kind };
  if (new_test !== null) body.new_test = new_test;
  return { verb: "rank", body };
}

/** The prizes of the example are those of no other board. @param {BoardSlice} slice */
export const kept = ({ entries, prizes, top, new_test }) => ({
  entries,
  top,
  new_test,
  prizes: JSON.stringify([entries, prizes]) === JSON.stringify([initial.entries, initial.prizes]) ? [] : prizes,
});

/** Of what is pasted: a leaderboard may come without its header. */
const BOARD = "board=true";

/** @param {{slice: BoardSlice, answers: Answers, act: Act}} props */
export function Inputs({ slice, answers, act }) {
  const classes = slice.source === "paired" ? slice.paired?.classes : slice.classifiers[0]?.matrix.classes;
  const options = offered(answers.current, slice.metric);
  const pasting = usePasting((reads) => taken(reads[0].read, act), { always: BOARD, about: slice[slice.source] });
  return html`<div class="inputs">
    <${Chips} examples=${examples.leaderboard} onPatch=${act.fill} />
    ${slice.source === "entries"
      ? html`<${Lines} of="entries" one="entry" rows=${slice.entries} first="entry" columns=${columns(slice)} added=${(/** @type {object} */ last) => last}
          onPaste=${pasting.into} failure=${answers.failure} act=${act} />`
      : html`<${Others} slice=${slice} act=${act} />`}
    <${PasteBox} summary="Paste a leaderboard" label="CSV or cells of a spreadsheet, with the columns name, score (or correct), n"
      placeholder=${"name,score,n\nalpha,0.912,2000\nbeta,0.905,2000"} pasting=${pasting} />
    <${Drop} label="Read a file" many=${true} hint="A leaderboard (name, score or correct, n), battles of models (model_a, model_b, winner), items with scores, or the answers of several classifiers to the same cases. Or drop it here."
      about=${slice[slice.source]} onRead=${(/** @type {any} */ reads) => taken(reads[0].read, act)} />
    <${Select} label="Ranked by" value=${slice.metric} options=${options} onValue=${act.set("metric")} />
    <${Prizes} prizes=${slice.prizes} act=${act} />
    <div class="fields">
      <${NumberBox} label="Top" value=${topOf(slice)} low=${1} high=${Math.max(1, count(slice))} whole=${true}
        hint="P(among the first so many)" onValue=${act.set("top")} />
      <${NumberBox} label="Another test of" unit="cases" value=${slice.new_test} low=${1} high=${10_000_000} whole=${true} empty=${true}
        hint="Would the first win it again? See the notes." onValue=${act.set("new_test")} />
    </div>
    <${Settings} slice=${slice} act=${act} size=${classes?.length ?? 2} prior=${answers.current?.result.prior} />
  </div>`;
}

/** Scores are texts, for their digits say how many answers were right. @param {BoardSlice} slice */
const columns = ({ entries }) => [
  entries.every((entry) => entry.score === undefined)
    ? { key: "correct", title: "right answers", called: "Right answers", read: cell }
    : { key: "score", title: "score", called: "Score", read: (/** @type {string} */ text) => text.trim() },
  { key: "n", title: "n", called: "Number of cases", read: cell },
];

/** @param {{slice: BoardSlice, act: Act}} props */
function Others({ slice, act }) {
  const names = slice.source === "paired" ? (slice.paired?.models ?? []) : slice.classifiers.map((one) => one.name);
  const what = slice.source === "paired" ? "The same cases, answered by" : "Matrices of";
  return html`<section aria-label="Entries"><p>${what} <strong><bdi>${names.join(", ")}</bdi></strong>.</p>
    <p class="buttons small"><button onClick=${() => act.change((now) => ({ ...now, source: "entries", metric: "accuracy" }))}>Back to the leaderboard</button></p>
  </section>`;
}

/** @param {{prizes: number[], act: Act}} props */
function Prizes({ prizes, act }) {
  const places = ["1st", "2nd", "3rd"];
  const name = (/** @type {number} */ i) => places[i] ?? `${i + 1}th`;
  return html`<fieldset class="prizes"><legend>Prizes</legend>
    <div class="fields">${prizes.map(
      (prize, i) => html`<${NumberBox} key=${i} label=${name(i)} value=${prize} low=${0} high=${1e15}
        onValue=${act.set(`prizes.${i}`)} />`,
    )}</div>
    <p class="buttons small">
      <button disabled=${prizes.length >= 20} onClick=${() => act.change((now) => ({ ...now, prizes: [...now.prizes, 0] }))}>+ Prize</button>
      <button disabled=${!prizes.length} onClick=${() => act.change((now) => ({ ...now, prizes: now.prizes.slice(0, -1) }))}>− Prize</button>
    </p>
  </fieldset>`;
}

/** @param {Read} read @param {Act} act @returns {string} */
function taken(read, act) {
  if (read.kind === "leaderboard") {
    act.fill({ entries: read.entries });
    return "";
  }
  if (read.kind === "paired") {
    act.fill({ source: "paired", paired: read.paired });
    return "They answered the same cases, so they are ranked case by case.";
  }
  if (read.kind === "classifiers") {
    act.fill({ source: "classifiers", classifiers: read.classifiers, metric: "balanced_accuracy" });
    return "";
  }
  return route(read);
}

/** @type {Mode} */
export const leaderboard = withData({
  name: "leaderboard",
  title: "Leaderboard",
  initial,
  fits,
  request,
  kept,
  view: (slice, answers, act) => html`
    <${Verdict} answers=${answers} />
    <${Inputs} slice=${slice} answers=${answers} act=${act} />
    <${SheetAnswer} answers=${answers} title="Ranks" caption="Dot: mean. Line: interval. Tick: observed. Colours alternate with the tiers: the data do not separate those of one tier." act=${act} request=${request(slice)} />`,
});
