// @ts-check
/** The entries of a leaderboard, typed, pasted or read from a file; the prizes, and what is ranked by. */

import { html } from "../../html.js";
import { cell } from "../../matrix.js";
import { Chips } from "../../parts/chips.js";
import { Drop } from "../../parts/drop.js";
import { NumberBox, Select, named } from "../../parts/fields.js";
import { Lines } from "../../parts/lines.js";
import { PasteBox, usePasting } from "../../parts/paste_box.js";
import { route } from "../../parts/routed.js";
import { Settings } from "../../parts/settings.js";
import { EXAMPLES, count, topOf } from "./slice.js";

/** @typedef {import("./slice.js").Slice} Slice */
/** @typedef {import("../../types").Act} Act */

/** Of what is pasted: a leaderboard may come without its header. */
const BOARD = "board=true";

/** @param {{slice: Slice, answers: import("../../types").Answers, act: Act}} props */
export function Inputs({ slice, answers, act }) {
  const classes = slice.source === "paired" ? slice.paired?.classes : slice.classifiers[0]?.matrix.classes;
  const options = named(answers.current?.shown.choices, slice.metric, answers.current?.shown.titles);
  const pasting = usePasting((reads) => taken(reads[0].read, act), { always: BOARD, about: slice[slice.source] });
  return html`<div class="inputs">
    <${Chips} examples=${EXAMPLES} onPatch=${act.fill} />
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

/** Scores are texts, for their digits say how many answers were right. @param {Slice} slice */
const columns = ({ entries }) => [
  entries.every((entry) => entry.score === undefined)
    ? { key: "correct", title: "right answers", called: "Right answers", read: cell }
    : { key: "score", title: "score", called: "Score", read: (/** @type {string} */ text) => text.trim() },
  { key: "n", title: "n", called: "Number of cases", read: cell },
];

/** @param {{slice: Slice, act: Act}} props */
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

/** @param {import("../../parts/drop.js").Read} read @param {Act} act @returns {string} */
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
