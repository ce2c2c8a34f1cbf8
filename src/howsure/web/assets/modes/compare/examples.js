// @ts-check
/** Comparisons to begin with. */

import { example } from "../../examples.js";
import { FIVE, example as data, rows } from "../data.js";

/** @typedef {import("../../paired.js").Cell} Cell */

const LABELS = ["healthy", "ill"];

/** Two tests of the same kind, each tried on a hundred people of its own. */
export const SEPARATE = [
  { name: "new", matrix: example({ classes: LABELS, counts: [[45, 5], [8, 42]], positive: "ill" }) },
  { name: "old", matrix: example({ classes: LABELS, counts: [[40, 10], [9, 41]], positive: "ill" }) },
];

/** Two nearest-neighbour classifiers on the same 899 handwritten digits (examples/digits_pair.csv). */
const DIGITS = {
  classes: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
  models: ["knn3", "knn9"],
  cells: /** @type {Cell[]} */ ([
    [0, [0, 0], 87], [0, [4, 0], 1], [1, [1, 1], 89], [1, [1, 9], 1], [1, [8, 5], 1], [2, [0, 0], 1], [2, [2, 2], 80],
    [2, [2, 3], 1], [2, [3, 3], 4], [3, [3, 3], 80], [3, [3, 7], 2], [3, [3, 9], 2], [3, [5, 5], 1], [3, [7, 7], 2],
    [3, [8, 3], 1], [3, [8, 5], 1], [3, [8, 8], 1], [3, [9, 9], 1], [4, [4, 4], 84], [4, [4, 9], 2], [4, [9, 7], 1],
    [4, [9, 9], 5], [5, [5, 5], 88], [5, [6, 6], 1], [5, [9, 5], 1], [5, [9, 9], 1], [6, [6, 6], 91], [7, [7, 7], 89],
    [8, [1, 1], 2], [8, [2, 2], 1], [8, [3, 3], 1], [8, [8, 1], 3], [8, [8, 2], 1], [8, [8, 3], 1], [8, [8, 7], 1],
    [8, [8, 8], 77], [8, [8, 9], 1], [9, [3, 3], 2], [9, [3, 9], 1], [9, [5, 5], 2], [9, [8, 9], 1], [9, [9, 3], 1],
    [9, [9, 8], 1], [9, [9, 9], 84],
  ]),
};

const THREE = ["one", "two", "three"];

/** Carrillo, Brodersen and Castellanos (2013). */
export const CARRILLO = [
  { name: "C1", matrix: example({ classes: THREE, counts: [[30, 0, 2], [0, 3, 1], [1, 1, 8]], positive: null }) },
  { name: "C2", matrix: example({ classes: THREE, counts: [[29, 2, 1], [2, 1, 1], [2, 2, 6]], positive: null }) },
  { name: "C3", matrix: example({ classes: THREE, counts: [[32, 0, 0], [0, 4, 0], [0, 1, 9]], positive: null }) },
];

export const EXAMPLES = [
  { name: "Two tests for one disease", patch: { classifiers: SEPARATE, paired: null, pair: [0, 1] } },
  { name: "Two classifiers, the same digits", patch: { paired: DIGITS, pair: [0, 1], apart: false, rope: 0.005 } },
  { name: "Three classes: C1, C2, C3", patch: { classifiers: CARRILLO, paired: null, pair: [2, 0] } },
  data("Two systems, scored", "items", ["new", "old"], rows("new,old", ["554454355453545545435545", "543454345453444535425445"], "question "), FIVE),
];
