// @ts-check
/** Names of metrics to choose from, where the server has not said which there are. */

/** Classes up to which each has its own entries. */
const MOST_LISTED = 12;

/** @param {string[]} classes @returns {{value: string, label: string}[]} */
export function offered(classes) {
  const overall = ["balanced_accuracy", "accuracy", "error_rate", "mcc", "kappa", "weighted_recall"];
  const averages = classes.length > 2 ? ["f1@macro", "precision@macro"] : [];
  const places = classes.length <= MOST_LISTED ? classes : [];
  const single = places.flatMap((name) => ["recall", "precision", "f1"].map((metric) => `${metric}@${name}`));
  return [...overall, ...averages, ...single].map((name) => ({ value: name, label: name }));
}

/** The list, with the chosen one in it whatever it is.
 * @param {{value: string, label: string}[]} options @param {string} chosen */
export const including = (options, chosen) =>
  options.some((option) => option.value === chosen) ? options : [{ value: chosen, label: chosen }, ...options];
