// @ts-check
/**
 * Data that are more than a matrix, in the tabs that answer for them: items with scores, battles of models, ratings of
 * several people. The text is kept as it was pasted; the library reads it anew for each question.
 */

import { html } from "../html.js";
import { View } from "./data/view.js";

/** @typedef {import("../types").Data} Data @typedef {import("../types").DataKind} Kind */

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
