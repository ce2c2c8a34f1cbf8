// @ts-check
/** Cells: which words mean truth, which prediction, and what is a number. */

/** A text that is no matrix; the message is for people. */
export class NoMatrix extends Error {}

const TRUE = new Set(["true", "actual", "truth", "target", "reference", "gold", "ground_truth", "label", "disease", "y_true"]);
const PRED = new Set(["pred", "predicted", "prediction", "estimate", "response", "output", "test", "model", "y_pred"]);
const FILLER = new Set(["class", "classes", "label", "labels", "value", "condition", "outcome", "result", "category"]);

/** Truth or prediction, if the words say so; the reader of files has the same words.
 * @param {string} text @returns {"true"|"pred"|null} */
export function role(text) {
  const word = text.trim().toLowerCase().replace(/[\s\-_]+/g, "_").replace(/^_|_$/g, "");
  const kept = word.split("_").filter((part) => !FILLER.has(part)).join("_");
  for (const candidate of [word, word.replace(/s$/, ""), kept]) {
    if (TRUE.has(candidate)) return "true";
    if (PRED.has(candidate)) return "pred";
  }
  return null;
}

/** What the rows are, from a corner cell such as `true\pred`; null if it does not say.
 * @param {string} text @returns {"true"|"pred"|null} */
export function cornerRows(text) {
  const sides = text.split(/[\\/|]/).map(role);
  return sides.length === 2 && sides.includes("true") && sides.includes("pred") ? sides[0] : null;
}

/** A number, or null. "12." and "1,234" are numbers; a decimal comma is one only where cells are split by other signs.
 * @param {string} cell @returns {number|null} */
export function number(cell) {
  const text = cell.trim().replace(/^\u2212/, "-");
  if (/^[+-]?\d{1,3}(,\d{3})+$/.test(text)) return Number(text.replaceAll(",", ""));
  if (/^[+-]?\d+,\d+$/.test(text)) return Number(text.replace(",", "."));
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : null;
}

/** Whether a name is that of sums.
 * @param {string} name */
export const isTotal = (name) => /^(totals?|all|sums?|margin|Σ)$/i.test(name);

/** A class name without the sign that guards spreadsheets from formulas.
 * @param {string} cell @returns {string} */
export const label = (cell) => cell.trim().replace(/^'(?=['"\s]*[=+\-@])/, "");
