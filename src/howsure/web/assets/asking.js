// @ts-check
/**
 * From changes of the document to answers: what each mode was answered last, and what it is to be asked now.
 *
 * @typedef {import("./types").Answers} Answers
 * @typedef {import("./types").Document} Document
 * @typedef {import("./types").How} How
 * @typedef {import("./api.js").Job} Job
 * @typedef {import("./types").Mode} Mode
 */

import { drawsOf, post, scheduler } from "./api.js";
import { isEmpty } from "./matrix.js";
import { modes } from "./modes/index.js";
import { withStops } from "./parts/share_slider.js";
import { timer } from "./pending.js";
import * as state from "./state.js";

/** A series of changes rests when none came for so long; then the fine draws are asked for. */
const REST_MS = 200;
/** Then, if it goes on to rest, for the places about its slider. */
const AHEAD_MS = 400;
/** Stops of a first question, whose answer a hand waits for; a further one has as many as are known. */
const FEW = 24;

/** Whether the server is there, and whether nothing is under way. */
export const line = { there: true, resting: true };

/** @type {Record<string, Answers>} */
const answers = {};
/** The question that each mode's answer belongs to. @type {Record<string, string>} */
const answered = {};
/** What is known of the stops of a slider. @type {Record<string, {job: Job, answer: any}>} */
const stops = {};
/** The question that was asked last, of whichever mode. */
let latest = "";
let refresh = () => {};
const rest = timer();
const ahead = timer();

/** @param {() => void} listener is told when there is something new to show */
export function whenAnswered(listener) {
  refresh = listener;
}

/** @param {string} name of a mode @returns {Answers} */
export const answersOf = (name) => answers[name] ?? { current: null, failure: null, waiting: false };

const queue = scheduler({
  lacking,
  answered(job, answer) {
    const { mode, part } = job;
    const before = answersOf(mode).current;
    const { merged } = modes[mode];
    let current = answer;
    if (part && before && merged) {
      if (job.body.stops) stops[mode] = { job, answer: joined(job, answer) };
      current = merged(before, job.body.stops ? stops[mode].answer : answer, part);
    } else {
      answered[mode] = key(job);
      const held = stops[mode];
      if (held && asksFor(held.job)) current = withStops(answer, held.answer);
    }
    answers[mode] = { current, failure: null, waiting: false };
    refresh();
  },
  refused(job, failure, again = false) {
    answered[job.mode] = again ? "" : key(job);
    // what was said of other counts says nothing of those that are still to come
    const current = [job.body, { matrix: job.body.pilot }, ...(job.body.classifiers ?? [])].some(isEmpty) ? null : answersOf(job.mode).current;
    answers[job.mode] = { current, failure, waiting: false };
    refresh();
  },
  reached(there) {
    if (line.there === there) return;
    line.there = there;
    refresh();
  },
  resting(resting) {
    line.resting = resting;
    soon();
    refresh();
  },
});

/** @param {Job} job */
const key = ({ mode, verb, body, live }) => JSON.stringify([mode, verb, body, live]);

/** The question that stops are about, whichever they are. @param {Job} job */
const about = (job) => key({ ...job, body: { ...job.body, stops: null } });

/** Whether its mode would ask about this now. @param {Job} job */
function asksFor(job) {
  const request = requestOf(modes[job.mode], state.get(), job);
  return request !== null && about({ ...job, ...request }) === about(job);
}

/** What is known of its stops. @param {Job} job */
function knownOf(job) {
  const held = stops[job.mode];
  return held && about(held.job) === about(job) ? held.answer : { shown: { stops: [] }, drawing: { stops: [] } };
}

/** A question with the next of the stops that are not known, and the first, which is where the slider stands; null if all are
 * known. @param {Job} job @returns {Job | null} */
function lacking(job) {
  if (!job.body.stops) return job;
  const known = knownOf(job).drawing.stops;
  const open = [...job.body.stops].filter((stop, i) => i === 0 || !known.includes(stop));
  if (!open[1] && known.includes(open[0])) return null;
  return { ...job, body: { ...job.body, stops: open.slice(0, Math.max(job.few ?? FEW, known.length)) } };
}

/** The stops of an answer, and then those that were known before. @param {Job} job @param {any} answer */
function joined(job, { shown, drawing }) {
  const before = knownOf(job);
  return { shown: { stops: [...shown.stops, ...before.shown.stops] }, drawing: { stops: [...drawing.stops, ...before.drawing.stops] } };
}

/** Asks what the open mode asks now, unless that is what was answered. @param {How} how */
export function ask(how) {
  rest.stop();
  soon();
  const doc = state.get();
  const mode = modes[doc.mode];
  const live = Boolean(how.live);
  if (live) rest.start(() => ask({}), REST_MS);
  const { current, failure } = answersOf(mode.name);
  // a part is only enough where the answer to all the rest is there
  const part = live && !failure && current ? how.part : undefined;
  const request = requestOf(mode, doc, { ...how, live, part });
  if (!request) return;
  const job = { mode: mode.name, ...request, live, part };
  if (!lacking(job)) return;
  // it has its answer, or will
  if (key(job) === (line.resting ? answered[mode.name] : latest)) return;
  latest = key(job);
  answers[mode.name] = { ...answersOf(mode.name), waiting: true };
  queue.want(job);
}

const soon = () => ahead.start(askAhead, AHEAD_MS);

/** Asks for places about the slider, in silence: nobody waits for them, and a hand that comes then finds them here. */
async function askAhead() {
  const mode = modes[state.get().mode];
  const { current, failure } = answersOf(mode.name);
  const slider = current && !failure && line.resting && mode.slider?.(current);
  const request = slider && requestOf(mode, state.get(), { ...slider, live: true });
  if (!request || !request.body.stops) return;
  const job = lacking({ mode: mode.name, live: true, ...slider, ...request, few: 2 * (request.few ?? FEW) });
  // where it is refused, a moving hand asks again, and is told
  const answer = job && (await post(job.verb, { ...job.body, ...drawsOf(job) }).catch(() => null));
  const now = answersOf(mode.name);
  if (!answer || !now.current || !asksFor(job)) return;
  stops[mode.name] = { job, answer: joined(job, answer) };
  now.current = withStops(now.current, stops[mode.name].answer);
}

/** What a mode asks; nothing if a link or file brought inputs that are none.
 * @param {Mode} mode @param {Document} doc @param {How & {live: boolean}} how */
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
