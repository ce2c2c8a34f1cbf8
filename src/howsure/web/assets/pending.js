// @ts-check
/**
 * What is under way, counted on the root of the page: work that runs (`data-running`: questions, files, links) and timers that will
 * do more (`data-scheduled`). Whoever drives the page sees there when it has come to rest.
 */

/** @param {"running" | "scheduled"} what @param {number} step */
function count(what, step) {
  const { dataset } = document.documentElement;
  dataset[what] = String(Number(dataset[what] ?? 0) + step);
}

/** @template T @param {Promise<T>} work @returns {Promise<T>} */
export function running(work) {
  count("running", 1);
  return work.finally(() => count("running", -1));
}

/** One timer: a new start takes the place of the one before. */
export function timer() {
  let id = 0;
  const stop = () => {
    if (id) count("scheduled", -1);
    clearTimeout(id);
    id = 0;
  };
  /** @param {() => unknown} work @param {number} ms */
  const start = (work, ms) => {
    stop();
    count("scheduled", 1);
    id = setTimeout(() => (stop(), work()), ms);
  };
  return { start, stop };
}

/** @param {number} ms @returns {Promise<void>} */
export const pause = (ms) => new Promise((done) => timer().start(done, ms));
