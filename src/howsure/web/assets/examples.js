// @ts-check
/** What the page opens with, and the chips under the matrix. */

/** @typedef {{name: string, hint: string, patch: object}} Example `patch`: over the initial slice, or over that of `mode` */

/** The matrices of examples, as they were brought. @type {Set<string>} */
const brought = new Set();
/** @param {import("./types").Matrix} matrix */
const written = ({ classes, counts }) => JSON.stringify([classes, counts]);

/** A matrix that the page brings; its names are nobody's own. @param {import("./types").Matrix} matrix */
export function example(matrix) {
  brought.add(written(matrix));
  return matrix;
}

/** Whether this is an example as it was brought, names and counts. @param {import("./types").Matrix} matrix */
export const isExample = (matrix) => brought.has(written(matrix));

/** Purity of confiscated cocaine, Toetsch & Hoffmann (2020): the page's first sight. */
export const COCAINE = example({ classes: ["low", "high"], counts: [[6, 2], [0, 26]], positive: "high" });

const CARRILLO = ["one", "two", "three"];

/** @param {string} name @param {number[][]} counts @returns {Example} */
const carrillo = (name, counts) => ({
  name,
  hint: `Three classes: classifier ${name} of Carrillo, Brodersen and Castellanos (2013)`,
  patch: { matrix: example({ classes: CARRILLO, counts, positive: null }) },
});

/** @type {Example[]} */
export const EXAMPLES = [
  { name: "Cocaine purity", hint: "34 confiscated samples, Toetsch and Hoffmann (2020)", patch: { matrix: COCAINE } },
  carrillo("C1", [[30, 0, 2], [0, 3, 1], [1, 1, 8]]),
  carrillo("C2", [[30, 0, 2], [2, 1, 1], [4, 4, 2]]),
  carrillo("C3", [[32, 0, 0], [0, 4, 0], [0, 1, 9]]),
  {
    name: "Screening for a rare disease",
    hint: "A test that was tried on 250 people, used where one in a hundred is ill",
    patch: {
      matrix: example({ classes: ["healthy", "ill"], counts: [[190, 10], [5, 45]], positive: "ill" }),
      prevalence: { choice: "value", percent: 1, cases: 12, of: 240 },
      label: "ill",
    },
  },
  {
    name: "0 of 25 LLM failures",
    hint: "A model answered 25 yes-or-no questions and failed none: how rare are its failures?",
    patch: {
      matrix: example({ classes: ["no", "yes"], counts: [[12, 0], [0, 13]], positive: "yes" }),
    },
  },
  { name: "Kaggle top 10", hint: "The first ten of a competition, ranked with their uncertainty", patch: { mode: "leaderboard" } },
];
