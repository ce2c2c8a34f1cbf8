// @ts-check
/** The inputs of the mode: the four cells of many tables, and whether they are one population or each its own. */

import { declared } from "../../declared.js";

/**
 * @typedef {{name: string, tp: Cell, fn: Cell, fp: Cell, tn: Cell}} Four
 * @typedef {number|string|null} Cell a count, or what was typed if it is none
 * @typedef {object} Slice
 * @property {Four[]} tables
 * @property {"site"|"study"} unit what each table is
 * @property {"pool"|"slices"} ask
 * @property {string} rate of a pool; "" for sensitivity and specificity together
 * @property {string} metric of the slices
 * @property {any} prior of a slice alone
 * @property {number} level
 * @property {string} kind
 */

/** @param {string} stem @param {number[][]} cells tp, fn, fp, tn @param {string[]} [names] @returns {Four[]} */
const four = (stem, cells, names) => cells.map(([tp, fn, fp, tn], i) => ({ name: names?.[i] ?? `${stem} ${i + 1}`, tp, fn, fp, tn }));

/** examples/audit_c.csv: a questionnaire of three questions on drinking (Kriston et al. 2008). */
const AUDIT = four("study", [
  [47, 9, 101, 738], [126, 51, 272, 1543], [19, 10, 12, 192], [36, 3, 78, 276], [130, 19, 211, 959], [84, 2, 68, 89], [68, 0, 112, 423],
  [752, 0, 3226, 2977], [59, 5, 55, 136], [142, 50, 571, 2788], [137, 24, 107, 358], [57, 3, 103, 437], [34, 1, 21, 56], [152, 51, 88, 264],
]);

const LANGUAGES = four("", [
  [44, 6, 3, 47], [228, 22, 21, 229], [43, 7, 5, 45], [9, 1, 1, 9], [14, 17, 16, 13], [3, 0, 0, 2],
], ["de", "en", "fr", "it", "nl", "pt"]);

/** @type {Slice} */
export const initial = {
  tables: AUDIT,
  unit: "study",
  ask: "pool",
  rate: "",
  metric: "accuracy",
  prior: null,
  level: declared.level,
  kind: declared.kind,
};

export const CELLS = /** @type {const} */ (["tp", "fn", "fp", "tn"]);

/** @param {any} one */
const isFour = (one) => typeof one?.name === "string" && CELLS.every((cell) => ["number", "string"].includes(typeof one[cell]) || one[cell] === null);

/** A slice that came with a link may hold anything; what cannot be shown is replaced.
 * @param {Slice} slice @returns {Slice} */
export const sound = (slice) => ({
  ...slice,
  tables: Array.isArray(slice.tables) && slice.tables.length > 1 && slice.tables.every(isFour) ? slice.tables : AUDIT,
  unit: slice.unit === "site" ? "site" : "study",
  ask: slice.ask === "slices" ? "slices" : "pool",
});

/** Nothing is asked while somebody types: a pool takes a second.
 * @param {Slice} given @param {{live: boolean}} how @returns {{verb: string, body: Record<string, unknown>}|null} */
export function request(given, { live }) {
  if (live) return null;
  const { tables, unit, ask, rate, metric, prior, level, kind } = sound(given);
  const body = /** @type {Record<string, unknown>} */ ({ tables, level, kind });
  const asked = ask === "pool" ? rate : metric;
  if (asked) body.metric = asked;
  if (ask === "slices") body.prior = prior;
  else body.unit = unit;
  return { verb: ask, body };
}

export const EXAMPLES = [
  { name: "14 studies of AUDIT-C", hint: "A questionnaire on drinking against interviews (Kriston et al. 2008)", patch: {} },
  { name: "Six languages", hint: "Invented: one classifier in six languages, in one of them much worse", patch: { tables: LANGUAGES, ask: "slices" } },
];
