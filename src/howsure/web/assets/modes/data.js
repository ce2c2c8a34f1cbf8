// @ts-check
/** Data that are more than a matrix, in the tabs that answer for them: items with scores, battles of models, ratings of several people. The text is
 * kept as it was pasted; the library reads it anew for each question. */

import { declared } from "../declared.js";
import { html } from "../html.js";
import { NumberBox, offered, Segments, Select, useId } from "../parts/fields.js";
import { usePasting } from "../parts/pasted.js";
import { Drop, Outcome, route } from "../parts/reading.js";
import { orNull } from "../state.js";
import { SheetAnswer, Verdict } from "../parts/sheet.js";

/** @typedef {{slice: any, answers: Answers, act: Act, mode: Mode, request: PageRequest | null}} Props */

/** @type {Record<DataKind, {title: string, label: string, answer: Record<string, string>}>} */
const WORDS = {
  items: {
    title: "Items with scores",
    label: "A row an item: item, score; or item, system, score; or item and a column a system",
    answer: { evaluate: "What is known of each number", compare: "Each system, and the difference", leaderboard: "Ranks" },
  },
  votes: {
    title: "Battles of models",
    label: "A row a battle: model_a, model_b, winner; or a row a pair: model_a, model_b, wins_a, wins_b, ties",
    answer: { evaluate: "What is known of each number", compare: "Each model, and the difference", leaderboard: "Ranks" },
  },
  ratings: {
    title: "Ratings of several people",
    label: "A row an item and a column a rater; or item, rater, label. Ratings may be missing",
    answer: { evaluate: "How well they agree" },
  },
};

const [BETTER, SCALES] = [
  [{ value: "higher", label: "Higher" }, { value: "lower", label: "Lower" }],
  [{ value: "nominal", label: "No order" }, { value: "ordinal", label: "An order" }, { value: "interval", label: "Numbers" }],
];

/** @param {Props} props */
export function View({ slice, answers, act, mode, request }) {
  const { data } = slice;
  return html`<${Verdict} answers=${answers} />
    <div class="inputs data-inputs">
      <${Text} data=${data} act=${act} />
      <${Question} slice=${slice} answers=${answers} act=${act} mode=${mode} />
      <p class="buttons small"><button onClick=${() => act.set("data")(null)}>${mode.name === "leaderboard" ? "Back to the leaderboard" : "Back to the matrix"}</button></p>
    </div>
    <${SheetAnswer} answers=${answers} title=${WORDS[/** @type {DataKind} */ (data.of)].answer[mode.name]} caption=${mode.name === "compare" ? "" : `Dot: mean. Line: interval.${data.of === "votes" ? "" : " Tick: observed."}`} act=${act}
      request=${request} />`;
}

/** The text itself, and another one in its place. @param {{data: Data, act: Act}} props */
function Text({ data, act }) {
  const id = useId("data");
  const pasting = usePasting((reads) => route(reads[0].read), { about: data.text });
  const { title, label } = WORDS[data.of];
  return html`<section class="sources" aria-label="Data"><h2>${title}</h2>
    <div class="field data"><label for=${id}>${label}</label>
      <textarea id=${id} rows="10" spellcheck=${false} wrap="off" value=${data.text}
        onInput=${(/** @type {any} */ e) => act.set("data.text")(e.currentTarget.value, { live: true })}></textarea></div>
    <${Outcome} reading=${pasting.reading} />
    <${Drop} label="Read a file" hint="Items with scores, battles, ratings, or anything else that the page takes. Or drop it here." about=${data.text}
      onRead=${(/** @type {any} */ reads) => route(reads[0].read)} />
  </section>`;
}

/** @param {Props} props */
function Question({ slice, answers, act, mode }) {
  /** @type {{data: Data}} */
  const { data } = slice;
  const { names = data.names } = answers.current?.shown ?? {};
  const set = (/** @type {string} */ key) => act.set(`data.${key}`);
  const whole = { value: null, label: data.of === "votes" ? "Elo" : mode.name === "evaluate" ? "All that fit" : "The usual one" };
  const metrics = [whole, ...offered(answers.current, data.metric ? [data.metric] : [])];
  const people = names.map((/** @type {string} */ value) => ({ value, label: value }));
  const [a, b] = [data.a ?? names[0], data.b ?? names[1]];
  const other = (/** @type {string} */ key, /** @type {string} */ was, /** @type {string} */ its) => (/** @type {string} */ name) =>
    // the same one twice is an exchange
    act.change((now) => ({ ...now, data: { ...now.data, a, b, [key]: name, ...(name === its ? { [key === "a" ? "b" : "a"]: was } : {}) } }));
  return html`<section class="settings" aria-label="Question">
    ${data.kinds.length > 1 && html`<${Segments} legend="Columns are" value=${data.of} onValue=${(/** @type {DataKind} */ of) => route({ ...data, kind: "data", of })}
      options=${[{ value: "items", label: "Systems" }, { value: "ratings", label: "Raters" }]} />`}
    ${data.of !== "ratings" && names.length > 1 && html`<${Segments} legend="What to ask" value=${mode.name} onValue=${(/** @type {string} */ tab) => act.go(tab, { data })}
      options=${[{ value: "evaluate", label: "Each one" }, { value: "compare", label: "Two of them" }, { value: "leaderboard", label: "Ranks" }]} />`}
    ${mode.name === "compare" && html`<div class="fields"><${Select} label="A" value=${a} options=${people} onValue=${other("a", a, b)} />
      <${Select} label="B" value=${b} options=${people} onValue=${other("b", b, a)} /></div>`}
    <${Select} label="By" value=${data.metric ?? null} options=${metrics} onValue=${set("metric")} />
    ${mode.name === "compare" && html`<${NumberBox} label="Differences up to this size do not matter" value=${data.rope ?? null} low=${0} empty=${true} onValue=${set("rope")} />`}
    ${data.of === "items" && html`<div class="fields"><${NumberBox} label="Least possible score" value=${data.low ?? null} empty=${true} onValue=${set("low")} />
      <${NumberBox} label="Greatest" value=${data.high ?? null} empty=${true} onValue=${set("high")} /></div>
      <${Segments} legend="Better is" value=${data.better ?? "higher"} options=${BETTER} onValue=${set("better")} />`}
    ${data.of === "ratings" && html`<${Segments} legend="The categories have" value=${data.scale ?? "nominal"} options=${SCALES} onValue=${set("scale")} />
      <${Select} label="One of them is a model" value=${data.model ?? null} options=${[{ value: null, label: "None" }, ...people]} onValue=${set("model")} />`}
    <${Segments} legend="Interval" value=${data.kind ?? answers.current?.result.interval} options=${declared.kinds} onValue=${set("kind")} />
    <${Segments} legend="Probability inside" value=${slice.level} options=${declared.levels} onValue=${act.set("level")} />
  </section>`;
}

const KINDS = ["items", "votes", "ratings"];

/** The verb of each tab. @type {Record<string, string>} */
const QUESTIONS = { evaluate: "report", compare: "compare", leaderboard: "rank" };

/** What a question carries only where it was chosen. */
const CHOSEN = /** @type {const} */ (["metric", "kind", "better", "scale", "model", "rope"]);

/** A tab that also takes such data. @param {Mode} mode @returns {Mode} */
export const withData = (mode) => ({
  ...mode,
  initial: { ...mode.initial, data: null },
  fits: { ...mode.fits, data: orNull(isData) },
  request: (slice, how) => (isData(slice.data) ? asked(slice, mode.name, how) : mode.request(slice, how)),
  matrixOf: mode.matrixOf && ((slice) => (slice.data ? undefined : mode.matrixOf?.(slice))),
  view: (slice, answers, act) => {
    const own = isData(slice.data);
    // the last answer may be one about the other kind of inputs
    const fitting = answers.current && Boolean(answers.current.shown.of) !== own ? { ...answers, current: null } : answers;
    return own ? html`<${View} key=${slice.data.of} slice=${slice} answers=${fitting} act=${act} mode=${mode} request=${asked(slice, mode.name, { live: false })} />` : mode.view(slice, fitting, act);
  },
});

/** @param {any} data @returns {data is Data} */
const isData = (data) => typeof data?.text === "string" && KINDS.includes(data.of) && Array.isArray(data.names) && Array.isArray(data.kinds);

/** @param {any} slice @param {string} mode @param {{live: boolean}} how nothing is asked while somebody types */
function asked({ data, level }, mode, { live }) {
  if (live) return null;
  const { of, text, ending, low, high, a, b } = data;
  const body = { of, text, ending, level, question: QUESTIONS[mode], ...Object.fromEntries(CHOSEN.map((key) => [key, data[key]])) };
  if (typeof low === "number" && typeof high === "number") Object.assign(body, { low, high });
  if (mode === "compare" && a && b) Object.assign(body, { a, b });
  return { verb: "ask", body: Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== undefined)) };
}
