// @ts-check
/** Edits of a confusion matrix: each gives a new one. Rows are truth, columns prediction. And the same cases answered by several classifiers, as
 * counts of [truth, [answer of each], cases], and what follows; and the examples, whose names are nobody's own. */

import { declared, examples } from "./declared.js";

export const MOST_CLASSES = declared.most_classes;

/** What was typed into a cell: a number where it is one, its thousands set apart or not, its share in brackets or not, else the text, for the
 * server to say what is wrong with it. @param {string} typed @returns {number | string | null} */
export function cell(typed) {
  const text = typed.trim().replace(/^\+/, "").replace(/(\d)\s*\([\d.,]+\s?%\)$/, "$1");
  if (text === "") return null;
  const bare = /^[1-9]/.test(text) ? text.replace(/[,'’\s](?=\d{3}(?!\d))/g, "") : text;
  return /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(bare) && Number.isFinite(Number(bare)) ? Number(bare) : text;
}

/** @param {Matrix} matrix @param {number} i @param {number} j @param {string} typed @returns {Matrix} */
export const withCell = (matrix, i, j, typed) => ({
  ...matrix,
  counts: matrix.counts.map((row, r) => (r === i ? row.map((old, c) => (c === j ? cell(typed) : old)) : row)),
});

/** @param {Matrix} matrix @param {number} i @param {string} name @returns {Matrix} */
export const withName = (matrix, i, name) => ({
  ...matrix,
  classes: matrix.classes.map((old, c) => (c === i ? name : old)),
  positive: matrix.positive === matrix.classes[i] ? name : matrix.positive,
});

/** @param {Matrix} matrix @returns {Matrix} */
export function withClass(matrix) {
  let n = matrix.classes.length + 1;
  while (matrix.classes.includes(`class ${n}`)) n += 1;
  const size = matrix.classes.length;
  return {
    classes: [...matrix.classes, `class ${n}`],
    counts: [...matrix.counts.map((row) => [...row, 0]), Array(size + 1).fill(0)],
    positive: null,
  };
}

/** @param {Matrix} matrix @param {number} i @returns {Matrix} */
export function withoutClass(matrix, i) {
  const kept = (/** @type {unknown} */ _, /** @type {number} */ j) => j !== i;
  const classes = matrix.classes.filter(kept);
  return { classes, counts: matrix.counts.filter(kept).map((row) => row.filter(kept)), positive: positiveOf(classes, matrix.positive) };
}

/** @param {Matrix} matrix @returns {Matrix} */
export const transposed = (matrix) => ({
  ...matrix,
  counts: matrix.counts.map((_, i) => matrix.counts.map((row) => row[i])),
});

/** No counts; the names stay. @param {Matrix} matrix @returns {Matrix} */
export const cleared = (matrix) => ({ ...matrix, counts: matrix.counts.map((row) => row.map(() => null)) });

/** An empty table as papers print it: the positive class first, so that TP, FN, FP, TN are typed in reading order. @type {Matrix} */
export const PUBLISHED = { classes: ["sick", "healthy"], counts: [[null, null], [null, null]], positive: "sick" };

/** Four counts that nothing names, or only a, b, c, d: their order is asked for. @param {string} text
 * @returns {{counts: number[], letters: boolean} | null} */
export function fourOf(text) {
  const bare = text.trim().replace(/^[([{]\s*|\s*[)\]}]$/g, "");
  const letters = /^a\s*[=:]\s*(\d+)[\s,;]+b\s*[=:]\s*(\d+)[\s,;]+c\s*[=:]\s*(\d+)[\s,;]+d\s*[=:]\s*(\d+)$/i.exec(bare);
  const plain = /^(\d+)\s*[,;\s]\s*(\d+)\s*[,;\s]\s*(\d+)\s*[,;\s]\s*(\d+)$/.exec(bare);
  const found = letters ?? plain;
  return found && !/[\r\n]/.test(bare) ? { counts: found.slice(1).map(Number), letters: letters !== null } : null;
}

/** The orders in which four counts are printed, those of `fourOf`, and where TP, FN, FP, TN stand in them. */
export const ORDERS = {
  plain: [
    { label: "TP, FN, FP, TN", at: [0, 1, 2, 3] },
    { label: "TP, FP, FN, TN", at: [0, 2, 1, 3] },
    { label: "TN, FP, FN, TP", at: [3, 2, 1, 0] },
  ],
  letters: [
    { label: "a true positives, b false positives, c false negatives, d true negatives", at: [0, 2, 1, 3] },
    { label: "a true positives, b false negatives, c false positives, d true negatives", at: [0, 1, 2, 3] },
  ],
};

/** The matrix of four counts, under the names that stand there if they are the user's own. @param {number[]} counts @param {number[]} at where TP,
 * FN, FP, TN stand @param {Matrix | null} own @returns {Matrix} */
export function ofFour(counts, at, own) {
  const [tp, fn, fp, tn] = at.map((k) => counts[k]);
  const positive = own ? positiveOf(own.classes, own.positive) : null;
  if (!own || positive === null) return { ...PUBLISHED, counts: [[tp, fn], [fp, tn]] };
  return { ...own, counts: own.classes[0] === positive ? [[tp, fn], [fp, tn]] : [[tn, fp], [fn, tp]] };
}

/** Whether there is a matrix, and no counts in it yet. @param {{matrix?: Matrix}} one */
export const isEmpty = ({ matrix }) => matrix?.counts.flat().every((count) => count === null);

/** The positive class of two: the one that was chosen or that its name says, if it is still there; else it is asked for. @param {string[]} classes
 * @param {string | null} chosen @returns {string | null} */
export function positiveOf(classes, chosen) {
  return classes.length === 2 && chosen !== null && classes.includes(chosen) ? chosen : null;
}

/** A number, or the one of a percentage as it was pasted; NaN of anything else. @param {unknown} x @returns {number} */
const shareIn = (x) => (typeof x === "number" ? x : typeof x === "string" && /^[\d.]+%$/.test(x) ? Number(x.slice(0, -1)) : NaN);

/** What each row of a matrix adds up to if it looks like shares: 1, 100, or null if it does not. @param {Matrix} matrix @returns {1 | 100 | null} */
export function sharesOf(matrix) {
  const rows = matrix.counts.map((row) => row.map(shareIn));
  if (rows.flat().some(Number.isNaN)) return null;
  for (const whole of /** @type {(1 | 100)[]} */ ([1, 100])) {
    const near = rows.every((row) => Math.abs(row.reduce((a, b) => a + b, 0) - whole) <= 0.006 * whole);
    const broken = rows.some((row) => row.some((x) => !Number.isInteger(x)));
    if (near && (broken || whole === 100)) return whole;
  }
  return null;
}

/** Counts from shares of each row and how many cases the row has. @param {Matrix} matrix @param {1 | 100} whole @param {number[]} cases of each
 * class @returns {{matrix: Matrix, doubtful: [number, number][]}} `doubtful`: cells that no whole number of cases explains */
export function fromShares(matrix, whole, cases) {
  /** @type {[number, number][]} */
  const doubtful = [];
  const counts = matrix.counts.map((row, i) =>
    row.map((share, j) => {
      const exact = (shareIn(share) / whole) * cases[i];
      const count = Math.round(exact);
      const decimals = String(share).replace("%", "").split(".")[1]?.length ?? 0;
      const half = (0.5 * 10 ** -decimals * cases[i]) / whole;
      if (Math.abs(exact - count) > half + 1e-9) doubtful.push([i, j]);
      return count;
    }),
  );
  return { matrix: { ...matrix, counts }, doubtful };
}

/** Errors by their number, the most first. @param {Matrix} matrix @param {number} most @returns {{truth: number, called: number, count: number}[]} */
export function worst(matrix, most) {
  const errors = matrix.counts.flatMap((row, truth) =>
    row.map((count, called) => ({ truth, called, count: Number(count) || 0 })).filter((x) => x.truth !== x.called && x.count > 0),
  );
  return errors.sort((a, b) => b.count - a.count).slice(0, most);
}

/** Names of the recalls that were lowest on the counts, the lowest first; classes without cases have none. @param {Matrix} matrix
 * @param {number} most @returns {string[]} */
export function worstRecalls({ classes, counts }, most) {
  const number = (/** @type {unknown} */ x) => Number(x) || 0;
  const seen = classes.map((name, i) => ({ name, cases: counts[i].reduce((sum, x) => number(sum) + number(x), 0), right: number(counts[i][i]) }));
  const share = (/** @type {any} */ { right, cases }) => right / cases;
  const tested = seen.filter(({ cases }) => number(cases) > 0).sort((a, b) => share(a) - share(b));
  return tested.slice(0, most).map(({ name }) => `recall@${name}`);
}

/** @param {number} x */
const whole = (x) => String(x).replace(/\B(?=(\d{3})+$)/g, ",");
/** @param {number} x a half goes to the even neighbour, as in the tables of files */
const rounded = (x) => (Math.abs(x - Math.trunc(x)) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));

/** Totals and shares of the counts that stand there; blank where a cell is none yet. @param {Matrix} matrix
 * @returns {{rows: string[], columns: string[], n: string, shares: string[][]}} */
export function totals({ counts }) {
  const sum = (/** @type {unknown[]} */ cells) => (cells.every((x) => typeof x === "number") ? cells.reduce((a, b) => Number(a) + Number(b), 0) : null);
  const said = (/** @type {any} */ total) => (total === null ? "" : whole(total));
  const rows = counts.map(sum);
  const share = (/** @type {unknown} */ x, /** @type {any} */ of) => (of && typeof x === "number" ? `${rounded((100 * x) / of)}%` : "");
  return {
    rows: rows.map(said),
    columns: counts.map((_, j) => said(sum(counts.map((row) => row[j])))),
    n: said(sum(counts.flat())),
    shares: counts.map((row, i) => row.map((x) => share(x, rows[i]))),
  };
}

/** How strongly a cell is shaded, 0 to 10: its part of its row. @param {Matrix} matrix @param {number} i @param {number} j @returns {number} */
export function shade(matrix, i, j) {
  const numbers = matrix.counts[i].map((x) => (typeof x === "number" && x > 0 ? x : 0));
  const total = numbers.reduce((a, b) => a + b, 0);
  return total ? Math.ceil((10 * numbers[j]) / total) : 0;
}

/** Whether what is wrong is said beside the cell or the names that it is about, and not with the answer. @param {Failure} failure */
export const isBeside = ({ field }) => /counts\[|(matrix|pilot)\.classes/.test(field ?? "");

/** Only some of the classifiers; cases that differ in the others alone are counted together. @param {Paired} paired @param {number[]} kept
 * @returns {Paired} */
export function only(paired, kept) {
  /** @type {Map<string, PairedCell>} */
  const cells = new Map();
  for (const [truth, answers, count] of paired.cells) {
    const said = kept.map((i) => answers[i]);
    const key = `${truth} ${said.join(" ")}`;
    cells.set(key, [truth, said, (cells.get(key)?.[2] ?? 0) + count]);
  }
  return { ...paired, models: kept.map((i) => paired.models[i]), cells: [...cells.values()] };
}

/** One matrix for each classifier, as if the cases were not the same. @param {Paired} paired @returns {{name: string, matrix: Matrix}[]} */
export function separated({ classes, models, cells, positive = null }) {
  return models.map((name, model) => {
    const counts = classes.map(() => classes.map(() => 0));
    for (const [truth, answers, count] of cells) counts[truth][answers[model]] += count;
    return { name, matrix: { classes, counts, positive: classes.length === 2 ? positive : null } };
  });
}

/** @param {any} value @returns {value is {name: string, matrix: Matrix}} */
export const isClassifier = (value) => typeof value?.name === "string" && Array.isArray(value.matrix?.classes) && Array.isArray(value.matrix.counts);

/** Whether something from elsewhere can be counted and shown. @param {any} value @returns {value is Paired} */
export function isPaired(value) {
  const names = (/** @type {any} */ list) => Array.isArray(list) && list.length > 1 && list.every((name) => typeof name === "string");
  if (!names(value?.classes) || !names(value.models) || !Array.isArray(value.cells)) return false;
  const place = (/** @type {any} */ i) => Number.isInteger(i) && i >= 0 && i < value.classes.length;
  return value.cells.every(
    (/** @type {any} */ cell) =>
      Array.isArray(cell) && place(cell[0]) && Array.isArray(cell[1]) && cell[1].length === value.models.length && cell[1].every(place) && Number.isInteger(cell[2]),
  );
}

/** As they were brought. @type {Set<string>} */
const brought = new Set();
/** @param {Matrix} matrix */
const written = ({ classes, counts }) => JSON.stringify([classes, counts]);

/** @param {any} value with matrices anywhere in it */
function note(value) {
  if (value?.counts) brought.add(written(value));
  else if (typeof value === "object" && value !== null) Object.values(value).forEach(note);
}
note(examples);

/** Whether this is an example as it was brought, names and counts. @param {Matrix} matrix */
export const isExample = (matrix) => brought.has(written(matrix));
