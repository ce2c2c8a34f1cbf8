// @ts-check
/** Where what was read belongs: every kind of data has one tab that answers for it. */

/** @typedef {import("./reading.js").Read} Read */

/** How a tab is opened with inputs; the page says it when it begins. @type {(mode: string, patch: object) => void} */
let open = () => {};

/** @param {typeof open} go */
export function routing(go) {
  open = go;
}

/** The metric of what was compared before may be of a class that is none of these. */
const metric = "balanced_accuracy";

/** @type {Record<string, (read: Read) => {mode: string, title: string, what: string, patch: object}>} */
const PLACES = {
  matrix: ({ matrix, groups = null }) => ({ mode: "evaluate", title: "Evaluate", what: "one matrix", patch: { matrix, unlabelled: matrix.unlabelled ?? null, groups } }),
  leaderboard: ({ entries }) => ({ mode: "leaderboard", title: "Leaderboard", what: "a leaderboard", patch: { source: "entries", entries } }),
  paired: ({ paired }) => ({ mode: "compare", title: "Compare", what: "the answers of several classifiers", patch: { paired, metric } }),
  classifiers: ({ classifiers }) => ({ mode: "compare", title: "Compare", what: "several classifiers", patch: { classifiers, metric } }),
  scores: ({ scores }) => ({ mode: "threshold", title: "Threshold", what: "scores of cases", patch: { scores } }),
  data: ({ of, kinds, names, text, ending }) => ({ ...tabOf(of, names.length), what: WHAT[of], patch: { data: { of, kinds, names, text, ending } } }),
};

/** @type {Record<string, string>} */
const WHAT = { items: "scores of items", votes: "battles of models", ratings: "ratings of several people" };

/** The tab that answers for data of so many contenders. @param {string} of @param {number} many */
function tabOf(of, many) {
  if (of === "ratings" || (of === "items" && many < 2)) return { mode: "evaluate", title: "Evaluate" };
  return of === "items" && many === 2 ? { mode: "compare", title: "Compare" } : { mode: "leaderboard", title: "Leaderboard" };
}

/** What a text is, and the tab that has it. @param {Read} read */
export const placeOf = (read) => PLACES[read.kind](read);

/** Opens its tab with it. @param {Read} read @returns {string} what became of it */
export function route(read) {
  const { mode, title, what, patch } = placeOf(read);
  open(mode, patch);
  return `It reads as ${what}; it stands under ${title} now.`;
}
