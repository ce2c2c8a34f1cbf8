// @ts-check
/**
 * From changes of the document to answers: what each mode was answered last, and what it is to be asked now.
 *
 * @typedef {import("./types").Answers} Answers
 * @typedef {import("./types").Document} Document
 * @typedef {import("./types").How} How
 * @typedef {import("./types").Mode} Mode
 */

import { scheduler } from "./api.js";
import { modes } from "./modes/index.js";
import * as state from "./state.js";

/** A series of changes rests when none came for so long; then the fine draws are asked for. */
const REST_MS = 200;

/** Whether the server is there, and whether nothing is under way. */
export const line = { there: true, resting: true };

/** @type {Record<string, Answers>} */
const answers = {};
/** The question that each mode's answer belongs to. @type {Record<string, string>} */
const answered = {};
/** What was answered for all places of a slider at once. @type {Record<string, {job: import("./api.js").Job, answer: any}>} */
const stops = {};
/** The question that was asked last, of whichever mode. */
let latest = "";
let refresh = () => {};
let rest = 0;

/** @param {() => void} listener is told when there is something new to show */
export function whenAnswered(listener) {
  refresh = listener;
}

/** @param {string} name of a mode @returns {Answers} */
export const answersOf = (name) => answers[name] ?? { current: null, failure: null, waiting: false };

const queue = scheduler({
  answered(job, answer) {
    const { mode, part } = job;
    const before = answersOf(mode).current;
    const { merged } = modes[mode];
    let current = answer;
    if (part && before && merged) {
      current = merged(before, answer, part);
      if (job.known) stops[mode] = { job, answer };
    } else {
      answered[mode] = key(job);
      const held = stops[mode];
      if (held && merged && asksFor(held.job)) current = merged(answer, held.answer, held.job.part ?? "");
    }
    answers[mode] = { current, failure: null, waiting: false };
    refresh();
  },
  refused(job, failure) {
    answered[job.mode] = key(job);
    answers[job.mode] = { ...answersOf(job.mode), failure, waiting: false };
    refresh();
  },
  reached(there) {
    if (line.there === there) return;
    line.there = there;
    refresh();
  },
  resting(resting) {
    line.resting = resting;
    refresh();
  },
});

/** @param {import("./api.js").Job} job */
const key = ({ mode, verb, body, live }) => JSON.stringify([mode, verb, body, live]);

/** Whether its mode would ask this now. @param {import("./api.js").Job} job */
function asksFor(job) {
  const request = requestOf(modes[job.mode], state.get(), job);
  return request !== null && key({ ...job, ...request }) === key(job);
}

/** Asks what the open mode asks now, unless that is what was answered. @param {How} how */
export function ask(how) {
  clearTimeout(rest);
  const doc = state.get();
  const mode = modes[doc.mode];
  const live = Boolean(how.live);
  if (live) rest = setTimeout(() => ask({}), REST_MS);
  const { current, failure } = answersOf(mode.name);
  // a part is only enough where the answer to all the rest is there
  const part = live && !failure && current ? how.part : undefined;
  const request = requestOf(mode, doc, { live, part });
  if (!request) return;
  const job = { mode: mode.name, ...request, live, part };
  const held = stops[mode.name];
  if (held && key(held.job) === key(job)) return;
  // it has its answer, or will
  if (key(job) === (line.resting ? answered[mode.name] : latest)) return;
  latest = key(job);
  answers[mode.name] = { ...answersOf(mode.name), waiting: true };
  queue.want(job);
}

/** Asks for all places of a slider that a hand comes near to, if nothing else is to be asked. @param {string} part */
export function askAhead(part) {
  if (!line.resting || !line.there) return;
  ask({ live: true, part });
  clearTimeout(rest);
}

/** What a mode asks; nothing if a link or file brought inputs that are none.
 * @param {Mode} mode @param {Document} doc @param {{live: boolean, part?: string}} how */
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
