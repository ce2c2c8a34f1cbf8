// @ts-check
/**
 * Questions: one in flight, the latest waiting, none ever aborted (aborting starves the picture while one
 * drags). When the server is gone the page keeps what was typed and asks again as soon as it is back.
 *
 * @typedef {import("./types").Answer} Answer
 * @typedef {import("./types").Failure} Failure
 * @typedef {{mode: string, verb: string, body: Record<string, any>, live: boolean, part?: string, known?: boolean, few?: number}} Job
 */

import { declared } from "./declared.js";
import { pause, running } from "./pending.js";
import { reachable, sent } from "./transport.js";

const COARSE_DRAWS = 4000;
const RETRY_MS = 2000;
const BUSY_MS = 1000;
/** Said of what passes: too many questions, or connections. */
const BUSY = ["Busy", "http429", "http503"];

/** The server cannot be reached. */
class Lost extends Error {}

/** The server answered, and not with what was asked for. */
export class Refused extends Error {
  /** @param {Failure} failure */
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

/**
 * @param {object} on
 * @param {(job: Job) => Job | null} on.lacking what of a question is still to be asked when its turn comes
 * @param {(job: Job, answer: Answer) => void} on.answered
 * @param {(job: Job, failure: Failure, again?: boolean) => void} on.refused `again`: it is asked again
 * @param {(there: boolean) => void} on.reached whether the server is there
 * @param {(resting: boolean) => void} on.resting true once nothing is in flight or waiting
 */
export function scheduler({ lacking, answered, refused, reached, resting }) {
  /** @type {Job | null} */
  let waiting = null;
  let flying = false;

  /** @param {Job} job */
  function want(job) {
    waiting = job;
    resting(false);
    if (!flying) fly();
  }

  async function fly() {
    flying = true;
    while (waiting) {
      const wanted = /** @type {Job} */ (waiting);
      const job = lacking(wanted);
      waiting = null;
      if (!job) continue;
      try {
        const answer = await post(job.verb, { ...job.body, ...drawsOf(job) });
        reached(true);
        answered(job, answer);
        // its next stops, unless something else is wanted by now
        if (job.body.stops) waiting = waiting ?? wanted;
      } catch (trouble) {
        if (trouble instanceof Lost) {
          waiting = waiting ?? job;
          reached(false);
          await back();
          reached(true);
        } else if (trouble instanceof Refused && BUSY.includes(trouble.failure.code)) {
          refused(job, { ...trouble.failure, message: "The server is busy; it is asked again." }, true);
          waiting = waiting ?? job;
          await pause(BUSY_MS);
        } else if (trouble instanceof Refused) {
          reached(true);
          refused(job, trouble.failure);
        } else {
          throw trouble;
        }
      }
    }
    flying = false;
    resting(true);
  }

  return { want };
}

/** These draw as often as they must. */
const OWN_DRAWS = ["plan", "threshold", "pool", "slices", "ask"];

/** Few draws while one drags. @param {Job} job */
export function drawsOf({ verb, body, live, known }) {
  if (OWN_DRAWS.includes(verb)) return {};
  return { draws: Math.min(live && !known ? COARSE_DRAWS : declared.draws, Number(body.draws ?? declared.draws)) };
}

/** Resolves once the server answers again. */
async function back() {
  for (;;) {
    await pause(RETRY_MS);
    if (await running(reachable())) return;
  }
}
