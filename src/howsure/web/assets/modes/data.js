// @ts-check
/**
 * Data that are more than a matrix, in the tabs that answer for them: items with scores, battles of models, ratings of
 * several people. The text is kept as it was pasted; the library reads it anew for each question.
 */

import { html, useLayoutEffect, useState } from "../html.js";
import { Verdict } from "../parts/verdict.js";

/**
 * @typedef {"items" | "votes" | "ratings"} Kind
 * @typedef {object} Data
 * @property {Kind} of what the text holds
 * @property {Kind[]} kinds what it may be read as
 * @property {string[]} names of systems, models or raters
 * @property {string} text
 * @property {string} ending of its file, where the text does not show what it is
 * @property {string | null} [metric]
 * @property {string | null} [a]
 * @property {string | null} [b] the two that are compared
 * @property {string | null} [model] the rater that is one
 * @property {number | null} [low]
 * @property {number | null} [high] the ends of the scale of scores
 * @property {string} [better]
 * @property {string} [scale] of categories
 * @property {string} [kind] of the interval
 * @property {number | null} [rope]
 */

/** @typedef {import("../types").Mode} Mode */

const KINDS = ["items", "votes", "ratings"];

/** The verb of each tab. @type {Record<string, string>} */
const QUESTIONS = { evaluate: "report", compare: "compare", leaderboard: "rank" };

/** What a question carries only where it was chosen. */
const CHOSEN = /** @type {const} */ (["metric", "kind", "better", "scale", "model", "rope"]);

/** A tab that also takes such data. @param {Mode} mode @returns {Mode} */
export const withData = (mode) => ({
  ...mode,
  initial: { ...mode.initial, data: null },
  sound: (slice) => ({ ...(mode.sound?.(slice) ?? slice), data: isData(slice.data) ? slice.data : null }),
  request: (slice, how) => (isData(slice.data) ? asked(slice, mode.name, how) : mode.request(slice, how)),
  slider: (answer) => (answer.shown.of ? null : (mode.slider?.(answer) ?? null)),
  matrixOf: mode.matrixOf && ((slice) => (slice.data ? undefined : mode.matrixOf?.(slice))),
  view: (slice, answers, act) => {
    const own = isData(slice.data);
    // the last answer may be one about the other kind of inputs
    const fitting = answers.current && Boolean(answers.current.shown.of) !== own ? { ...answers, current: null } : answers;
    return own ? html`<${Later} key=${slice.data.of} slice=${slice} answers=${fitting} act=${act} mode=${mode} request=${asked(slice, mode.name, { live: false })} />` : mode.view(slice, fitting, act);
  },
});

/** What shows them comes when they do. @param {any} props */
function Later(props) {
  const [View, come] = useState(/** @type {any} */ (null));
  useLayoutEffect(() => {
    import("./data/view.js").then((all) => come(() => all.View));
  }, []);
  return View ? html`<${View} ...${props} />` : html`<${Verdict} answers=${props.answers} />`;
}

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

/** The text of an example. @param {string} columns @param {string[]} marks a mark an item, of each column @param {string} stem */
export const rows = (columns, marks, stem) => `item,${columns}\n${[...marks[0]].map((_, i) => `${stem}${i + 1},${marks.map((each) => each[i].replace(".", "")).join(",")}`).join("\n")}\n`;

/** An example of such data. @param {string} name @param {Kind} of @param {string[]} names @param {string} text @param {object} [more] of what can be chosen */
export const example = (name, of, names, text, more) => ({ name, hint: "Invented", patch: { data: { of, kinds: [of], names, text, ending: "", ...more } } });

/** Marks from 1 to 5. */
export const FIVE = { low: 1, high: 5 };
