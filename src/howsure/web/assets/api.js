// @ts-check
/** A question to the library, and what comes instead of an answer. */

import { running } from "./pending.js";
import { sent } from "./transport.js";

/** Said of what passes: too many questions, or connections. */
export const BUSY = ["Busy", "http429", "http503"];

/** The server cannot be reached. */
export class Lost extends Error {}

/** The server answered, and not with what was asked for. */
export class Refused extends Error {
  /** @param {import("./types").Failure} failure */
  constructor(failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/**
 * @param {string} verb
 * @param {object | string | Blob} body text and files are sent as they are, for import
 * @param {string} [type]
 * @returns {Promise<any>}
 */
export async function post(verb, body, type = "application/json") {
  const reply = await running(sent(verb, typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body), type));
  if (!reply) throw new Lost();
  const { status, answer } = reply;
  if (status === 200 && answer) return answer;
  const message = answer?.message ?? `The server answered ${status}.`;
  throw new Refused({ code: answer?.code ?? `http${status}`, message, field: answer?.field ?? null });
}
