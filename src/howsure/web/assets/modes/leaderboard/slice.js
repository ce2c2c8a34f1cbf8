// @ts-check
/** The inputs of the mode: entries and the question about their ranks. */

import { declared } from "../../declared.js";
import { example, rows } from "../data.js";
import { isClassifier, isPaired } from "../../paired.js";

/**
 * @typedef {{name: string, n: number|null, score?: string, correct?: number|null}} Entry
 * @typedef {object} Slice
 * @property {"entries"|"classifiers"|"paired"} source
 * @property {Entry[]} entries all with `score`, as it is printed, or all with `correct`
 * @property {{name: string, matrix: import("../../types").Matrix}[]} classifiers
 * @property {import("../../paired.js").Paired|null} paired
 * @property {string} metric
 * @property {number[]} prizes
 * @property {number} top
 * @property {number|null} new_test cases of a test set that is still to come
 * @property {any} prior
 * @property {number} level
 * @property {string} kind
 */

/** The first ten of Kaggle's "Recursion cellular image classification", private leaderboard; teams are called by their place. */
const KAGGLE = ["0.99763", "0.99672", "0.99596", "0.99512", "0.99498", "0.99380", "0.99296", "0.99296", "0.99282", "0.99240"];

/** @type {Slice} */
export const initial = {
  source: "entries",
  entries: KAGGLE.map((score, i) => ({ name: `team ${i + 1}`, score, n: 15123 })),
  classifiers: [],
  paired: null,
  metric: "accuracy",
  prizes: [10000, 2000, 1000],
  top: 3,
  new_test: null,
  prior: null,
  level: declared.level,
  kind: declared.kind,
};

/** A slice that came with a link may hold anything; what cannot be shown is replaced.
 * @param {Slice} slice @returns {Slice} */
export function sound(slice) {
  const { entries, classifiers, paired, prizes } = slice;
  const there = { entries: entries.every((/** @type {any} */ one) => typeof one?.name === "string") && entries.length > 1, classifiers: classifiers.every(isClassifier) && classifiers.length > 1, paired: isPaired(paired) };
  return {
    ...slice,
    source: there[slice.source] ? slice.source : "entries",
    entries: there.entries ? entries : initial.entries,
    classifiers: there.classifiers ? classifiers : [],
    paired: there.paired ? paired : null,
    prizes: prizes.filter((prize) => typeof prize === "number"),
  };
}

/** How many are ranked. @param {Slice} slice */
export const count = (slice) => (slice.source === "paired" ? (slice.paired?.models.length ?? 0) : slice[slice.source].length);
/** Of a short board all are among the first so many. @param {Slice} slice */
export const topOf = (slice) => Math.min(slice.top, Math.max(1, count(slice)));

/** @param {Slice} given */
export function request(given) {
  const slice = sound(given);
  const { source, metric, prizes, new_test, prior, level, kind } = slice;
  /** @type {Record<string, unknown>} */
  const body = { [source]: slice[source], metric, prizes, top: topOf(slice), prior, level, kind };
  if (new_test !== null) body.new_test = new_test;
  return { verb: "rank", body };
}

/** The prizes of the example are those of no other board. @param {Slice} slice */
export const kept = ({ entries, prizes, top, new_test }) => ({
  entries,
  top,
  new_test,
  prizes: JSON.stringify([entries, prizes]) === JSON.stringify([initial.entries, initial.prizes]) ? [] : prizes,
});

export const EXAMPLES = [
  { name: "Kaggle top 10", hint: "Recursion cellular image classification, private leaderboard", patch: { entries: initial.entries, prizes: initial.prizes } },
  {
    name: "Language models, few questions",
    hint: "Invented: five models, one of them on a tenth of the questions",
    patch: {
      entries: [["model a", 172, 200], ["model b", 168, 200], ["model c", 18, 20], ["model d", 151, 200], ["model e", 149, 200]].map(
        ([name, correct, n]) => ({ name, correct, n }),
      ),
      prizes: [],
    },
  },
  example("Battles of four models", "votes", ["crane", "heron", "stork", "wren"],
    "model_a,model_b,wins_a,wins_b,ties\ncrane,heron,16,11,5\nheron,crane,13,15,4\ncrane,stork,19,9,4\nstork,crane,8,19,4\ncrane,wren,21,6,3\nwren,crane,6,20,3\nheron,stork,14,13,4\nstork,heron,13,15,3\nheron,wren,18,7,5\nwren,heron,8,18,4\nstork,wren,17,10,3\nwren,stork,11,16,2\n"),
  example("Four systems, scored", "items", ["A", "B", "C", "D"],
    rows("A,B,C,D", ["554454355453545545435545", "543454345453444535425445", "443353344443434434324434", "545454454453545545435455"], "question ")),
];
