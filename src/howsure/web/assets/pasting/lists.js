// @ts-check
/** Nested brackets: JSON, Python lists and tuples, NumPy with or without commas, MATLAB with semicolons. */

import { NoMatrix } from "./words.js";

/** @typedef {{cells: string[][], classes?: string[]}} Table */

/** The cells inside brackets; null where the text is no such thing.
 * @param {string} text @returns {Table|null} */
export function listed(text) {
  const document = json(text);
  if (document) return document;
  const body = text.replace(/^[\w.]+\s*=\s*/, "").replace(/;\s*$/, "");
  const inner = body.replace(/^(?:[\w.]*\b(?:array|matrix|tensor|ConfusionMatrix|DataFrame)\s*\()/, "");
  if (!/^[[(]/.test(inner)) return null;
  const count = (/** @type {RegExp} */ sign) => (inner.match(sign) ?? []).length;
  // the bracket of array(...) was cut off with its name
  if (count(/\[/g) !== count(/\]/g) || count(/\(/g) > count(/\)/g)) throw new NoMatrix("A bracket is not closed; copy the whole matrix.");
  const rows = [...inner.matchAll(/[[(]([^[\]()]*)[\])]/g)].map((found) => found[1]);
  if (!rows.length) return null;
  // MATLAB has one bracket around rows that end with semicolons or lines
  const lines = rows.length === 1 ? rows[0].split(/;|\n/) : rows;
  const cells = lines.map((line) => line.trim().split(/[\s,]+/).filter(Boolean)).filter((row) => row.length);
  return { cells };
}

/** JSON: nested lists, or an object with `classes` (or `labels`) and `counts` (or `matrix`).
 * @param {string} text @returns {Table|null} */
function json(text) {
  if (!/^[[{]/.test(text)) return null;
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const grid = Array.isArray(value) ? value : (value.counts ?? value.matrix ?? value.confusion_matrix);
  const names = Array.isArray(value) ? undefined : (value.classes ?? value.labels);
  if (!Array.isArray(grid) || !grid.every(Array.isArray)) {
    throw new NoMatrix('JSON of a matrix is a list of rows, [[45, 5], [8, 42]], or {"classes": [...], "counts": [[...]]}.');
  }
  const cells = grid.map((row) => row.map((/** @type {unknown} */ cell) => (typeof cell === "string" ? cell : JSON.stringify(cell))));
  return { cells, ...(Array.isArray(names) ? { classes: names.map(String) } : {}) };
}
