// @ts-check
/** From changes of the document to answers: what each mode was answered last, and what it is to be asked now. One question is in flight, the latest
 * waits, none is ever aborted (aborting starves the picture while one drags). When the server is gone the page keeps what was typed and asks again
 * as soon as it is back. @typedef {{mode: string, verb: string, body: Record<string, any>, live: boolean, part?: string}} Job */

import { BUSY, Lost, pause, post, Refused, running, timer } from "./api.js";
import { declared } from "./declared.js";
import { isEmpty } from "./matrix.js";
import { modes } from "./modes/index.js";
import * as state from "./state.js";
import { reachable } from "./transport.js";

/** A series of changes rests when none came for so long; then the fine draws are asked for. */
const REST_MS = 200;
const RETRY_MS = 2000;
const BUSY_MS = 1000;
/** Few draws while one drags; of these verbs none are asked for, they draw as often as they must. */
const COARSE_DRAWS = 4000;
const OWN_DRAWS = ["plan", "threshold", "pool", "slices", "ask"];
/** Where answers have room for wide pictures: beside the inputs, or below them on all that is not a phone. As in style.css. */
const roomy = matchMedia("(min-width: 1200px), (min-width: 640px) and (max-width: 800px)");

/** Whether the server is there, and whether nothing is under way. */
export const line = { there: true, resting: true };

/** @type {Record<string, Answers>} */
const answers = {};
/** The question that each mode's answer belongs to. @type {Record<string, string>} */
const answered = {};
/** The question that was asked last, of whichever mode. */
let latest = "";
let refresh = () => {};
const rest = timer();

/** @param {() => void} listener is told when there is something new to show */
export function whenAnswered(listener) {
  refresh = listener;
  roomy.addEventListener("change", () => rest.start(() => ask({}), REST_MS));
}

/** @param {string} name of a mode @returns {Answers} */
export const answersOf = (name) => answers[name] ?? { current: null, failure: null, waiting: false };

/** The question that waits while another one is in flight. @type {Job | null} */
let waiting = null;

/** @param {Job} job */
async function want(job) {
  waiting = job;
  if (!line.resting) return;
  line.resting = false;
  refresh();
  while (waiting) {
    const asked = /** @type {Job} */ (waiting);
    waiting = null;
    try {
      const answer = await post(asked.verb, { ...asked.body, ...drawsOf(asked) });
      line.there = true;
      take(asked, answer);
    } catch (trouble) {
      const failure = trouble instanceof Refused ? trouble.failure : null;
      if (!failure && !(trouble instanceof Lost)) throw trouble;
      line.there = failure !== null;
      const busy = failure && BUSY.includes(failure.code);
      if (failure) refuse(asked, busy ? { ...failure, message: "The server is busy; it is asked again." } : failure, busy);
      if (failure && !busy) continue;
      waiting = waiting ?? asked;
      refresh();
      await pause(busy ? BUSY_MS : RETRY_MS);
      while (!busy && !(await running(reachable()))) await pause(RETRY_MS);
      line.there = true;
    }
  }
  line.resting = true;
  refresh();
}

/** @param {Job} job */
const drawsOf = ({ verb, body, live }) => (OWN_DRAWS.includes(verb) ? {} : { draws: Math.min(live ? COARSE_DRAWS : declared.draws, Number(body.draws ?? declared.draws)) });

/** @param {Job} job @param {Answer} answer */
function take(job, answer) {
  const { mode, part } = job;
  const before = answersOf(mode).current;
  const { merged } = modes[mode];
  const isPart = part && before && merged;
  if (!isPart) answered[mode] = key(job);
  answers[mode] = { current: isPart ? merged(before, answer, part) : answer, failure: null, waiting: false };
  refresh();
}

/** @param {Job} job @param {Failure} failure @param {boolean | null} again it is asked again */
function refuse(job, failure, again) {
  answered[job.mode] = again ? "" : key(job);
  // what was said of other counts says nothing of those that are still to come
  const current = [job.body, { matrix: job.body.pilot }, ...(job.body.classifiers ?? [])].some(isEmpty) ? null : answersOf(job.mode).current;
  answers[job.mode] = { current, failure, waiting: false };
  refresh();
}

/** @param {Job} job */
const key = ({ mode, verb, body, live }) => JSON.stringify([mode, verb, body, live]);

/** Asks what the open mode asks now, unless that is what was answered. @param {How} how */
export function ask(how) {
  rest.stop();
  const doc = state.get();
  const mode = modes[doc.mode];
  const live = Boolean(how.live);
  if (live) rest.start(() => ask({}), REST_MS);
  const { current, failure } = answersOf(mode.name);
  // a part is only enough where the answer to all the rest is there
  const part = live && !failure && current ? how.part : undefined;
  const request = requestOf(mode, doc, { ...how, live, part });
  if (!request) return;
  const job = { mode: mode.name, verb: request.verb, body: { ...request.body, narrow: !roomy.matches }, live, part };
  // it has its answer, or will
  if (key(job) === (line.resting ? answered[mode.name] : latest)) return;
  latest = key(job);
  answers[mode.name] = { ...answersOf(mode.name), waiting: true };
  want(job);
}

/** What a mode asks; nothing if a link or file brought inputs that are none. @param {Mode} mode @param {PageDocument} doc
 * @param {How & {live: boolean}} how */
function requestOf(mode, doc, how) {
  try {
    return mode.request(doc[mode.name], how);
  } catch {
    const failure = { code: "inputs", message: "These inputs cannot be understood.", field: null };
    answers[mode.name] = { ...answersOf(mode.name), failure, waiting: false };
    refresh();
    return null;
  }
}
