// @ts-check
/** A question to the library, what comes instead of an answer, and what is under way, counted on the root of the page: work that runs
 * (`data-running`: questions, files, links) and timers that will do more (`data-scheduled`). Whoever drives the page sees there when it has come
 * to rest. */

import { sent } from "./transport.js";

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

/** Said of what passes: too many questions, or connections. */
export const BUSY = ["Busy", "http429", "http503"];

/** The server cannot be reached. */
export class Lost extends Error {}

/** The server answered, and not with what was asked for. */
export class Refused extends Error {
  /** @param {Failure} failure */
  constructor(failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** @param {string} verb @param {object | string | Blob} body text and files are sent as they are, for import @param {string} [type]
 * @returns {Promise<any>} */
export async function post(verb, body, type = "application/json") {
  const reply = await running(sent(verb, typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body), type));
  if (!reply) throw new Lost();
  const { status, answer } = reply;
  if (status === 200 && answer) return answer;
  const message = answer?.message ?? `The server answered ${status}.`;
  throw new Refused({ code: answer?.code ?? `http${status}`, message, field: answer?.field ?? null });
}
