// @ts-check
/**
 * A matrix from whatever was copied: spreadsheet cells, CSV, LaTeX, MATLAB, Python lists, NumPy, JSON, printed tables
 * of R and pandas; with or without class names. Whether the numbers are counts, the server says.
 */

import { celled } from "./pasting/cells.js";
import { listed } from "./pasting/lists.js";
import { NoMatrix, cornerRows, isTotal, label, number, role } from "./pasting/words.js";

/** @typedef {{counts: number[][], classes: string[]|null, rows: "true"|"pred"|null, notes: string[]}} Pasted
 * `counts` has truth in rows; `rows` is what the text says its rows were, null if it does not say */

const LONGEST = 1_000_000;

/** The text as a matrix, or the sentence that says why it is none.
 * @param {string} text @returns {Pasted | {problem: string}} */
export function parse(text) {
  try {
    return pasted(text);
  } catch (error) {
    if (error instanceof NoMatrix) return { problem: error.message };
    throw error;
  }
}

/** @param {string} text @returns {Pasted} */
function pasted(text) {
  if (text.length > LONGEST) throw new NoMatrix("This is more than a million signs; drop it as a file instead.");
  if (!text.trim()) throw new NoMatrix("Nothing was pasted. Copy the cells of a matrix, class names included if it has any.");
  /** @type {import("./pasting/lists.js").Table} */
  const { cells, classes } = listed(text.trim()) ?? celled(text.replace(/^(\s*\n)+/, "").trimEnd());
  const { table, corner } = withoutTitles(cells);
  return named(table, corner, classes ?? null);
}

/** Lines above or below the head that hold one word, "Predicted", say what the sides are; R and pandas print them.
 * @param {string[][]} cells @returns {{table: string[][], corner: string|null}} */
function withoutTitles(cells) {
  const lone = cells.slice(0, 2).findIndex((row) => row.filter(Boolean).length === 1 && role(row.join("")) !== null);
  if (lone < 0 || cells.length < 4) return { table: cells, corner: null };
  const said = cells[lone].join("");
  const table = cells.filter((_, i) => i !== lone);
  const head = table[0][0];
  // R prints the title of the columns first, pandas the title of the rows second
  const corner = lone === 0 ? `${role(head) ? head : opposite(said)}\\${said}` : `${said}\\${head}`;
  return { table, corner };
}

/** @param {string} said */
const opposite = (said) => (role(said) === "true" ? "pred" : "true");

/** Where the names stand is told by the shape.
 * @param {string[][]} table @param {string|null} corner @param {string[]|null} classes @returns {Pasted} */
function named(table, corner, classes) {
  const [head, ...body] = table;
  const lines = table.length;
  const width = body.length ? body[0].length : head.length;
  const square = lines === width;
  const names = () => body.map((row) => row[0]);
  const inner = () => body.map((row) => row.slice(1));
  if (square && head.length === width - 1) return matched(head, names(), inner(), corner);
  if (square && head.length === width && number(head[0]) === null) return matched(head.slice(1), names(), inner(), corner ?? head[0]);
  if (lines === width + 1 && head.length === width) return settled(head, body, null, []);
  if (width === lines + 1 && number(head[0]) === null) return settled(table.map((row) => row[0]), table.map((row) => row.slice(1)), null, []);
  return settled(classes, table, null, []);
}

/** Rows in the order of the columns, by name.
 * @param {string[]} columns @param {string[]} names @param {string[][]} rows @param {string|null} corner
 * @returns {Pasted} */
function matched(columns, names, rows, corner) {
  const said = corner === null ? null : cornerRows(corner);
  if (names.every((name, i) => name === columns[i])) return settled(names, rows, said, []);
  const order = columns.map((name) => names.indexOf(name));
  if (order.includes(-1)) {
    throw new NoMatrix(`Rows and columns must be the same classes; rows are ${names.join(", ")} and columns ${columns.join(", ")}.`);
  }
  const note = "Rows and columns list the classes in different order; they were matched by name.";
  return settled(columns, order.map((i) => rows[i]), said, [note]);
}

/** Square numbers, without totals, turned so that rows are truth.
 * @param {string[]|null} names @param {string[][]} cells @param {"true"|"pred"|null} rows @param {string[]} notes
 * @returns {Pasted} */
function settled(names, cells, rows, notes) {
  let classes = names && names.map(label);
  let counts = numbers(cells);
  if (classes && counts.length > 2 && isTotal(classes[classes.length - 1])) {
    [classes, counts] = [classes.slice(0, -1), counts.slice(0, -1).map((row) => row.slice(0, -1))];
    notes = [...notes, "The totals were left out."];
  }
  if (rows !== "pred") return { counts, classes, rows, notes };
  const turned = counts.map((_, i) => counts.map((row) => row[i]));
  return { counts: turned, classes, rows, notes: [...notes, "The text says that its rows are predictions; it was turned, so that rows are truth."] };
}

/** @param {string[][]} cells @returns {number[][]} */
function numbers(cells) {
  const size = cells.length;
  const plural = (/** @type {number} */ n, /** @type {string} */ word) => `${n} ${word}${n === 1 ? "" : "s"}`;
  if (size < 2 && cells[0].length < 2) throw new NoMatrix("A matrix has two classes or more; this is a single cell.");
  return cells.map((row, i) => {
    if (row.length !== size) {
      throw new NoMatrix(`A matrix has as many rows as columns; this has ${plural(size, "row")}, and row ${i + 1} has ${plural(row.length, "cell")}.`);
    }
    return row.map((cell, j) => {
      const value = number(cell);
      if (value === null) throw new NoMatrix(`Row ${i + 1}, column ${j + 1} holds "${cell.slice(0, 40)}", which is no number.`);
      return value;
    });
  });
}
