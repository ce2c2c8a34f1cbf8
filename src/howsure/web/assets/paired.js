// @ts-check
/** The same cases answered by several classifiers, as counts of [truth, [answer of each], cases], and what follows.
 * @typedef {import("./types").Matrix} Matrix @typedef {import("./types").PairedCell} Cell @typedef {import("./types").Paired} Paired */

/** Only some of the classifiers; cases that differ in the others alone are counted together.
 * @param {Paired} paired @param {number[]} kept @returns {Paired} */
export function only(paired, kept) {
  /** @type {Map<string, Cell>} */
  const cells = new Map();
  for (const [truth, answers, count] of paired.cells) {
    const said = kept.map((i) => answers[i]);
    const key = `${truth} ${said.join(" ")}`;
    cells.set(key, [truth, said, (cells.get(key)?.[2] ?? 0) + count]);
  }
  return { ...paired, models: kept.map((i) => paired.models[i]), cells: [...cells.values()] };
}

/** One matrix for each classifier, as if the cases were not the same.
 * @param {Paired} paired @returns {{name: string, matrix: Matrix}[]} */
export function separated({ classes, models, cells, positive = null }) {
  return models.map((name, model) => {
    const counts = classes.map(() => classes.map(() => 0));
    for (const [truth, answers, count] of cells) counts[truth][answers[model]] += count;
    return { name, matrix: { classes, counts, positive: classes.length === 2 ? positive : null } };
  });
}

/** @param {any} value @returns {value is {name: string, matrix: Matrix}} */
export const isClassifier = (value) => typeof value?.name === "string" && Array.isArray(value.matrix?.classes) && Array.isArray(value.matrix.counts);

/** Whether something from elsewhere can be counted and shown.
 * @param {any} value @returns {value is Paired} */
export function isPaired(value) {
  const names = (/** @type {any} */ list) => Array.isArray(list) && list.length > 1 && list.every((name) => typeof name === "string");
  if (!names(value?.classes) || !names(value.models) || !Array.isArray(value.cells)) return false;
  const place = (/** @type {any} */ i) => Number.isInteger(i) && i >= 0 && i < value.classes.length;
  return value.cells.every(
    (/** @type {any} */ cell) =>
      Array.isArray(cell) && place(cell[0]) && Array.isArray(cell[1]) && cell[1].length === value.models.length && cell[1].every(place) && Number.isInteger(cell[2]),
  );
}
