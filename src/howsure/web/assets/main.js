// @ts-check
/** The page: one document, its modes as tabs, and the questions that its changes ask. */

import { post, Refused, scheduler } from "./api.js";
import { html, render, useEffect, useErrorBoundary, useState } from "./html.js";
import { modes } from "./modes/index.js";
import { Header } from "./parts/header.js";
import { Live, speak } from "./parts/live.js";
import { openLink, restored } from "./share.js";
import * as state from "./state.js";

/**
 * @typedef {import("./types").Act} Act
 * @typedef {import("./types").Answers} Answers
 * @typedef {import("./types").Document} Document
 * @typedef {import("./types").How} How
 * @typedef {import("./types").Mode} Mode
 */

/** A series of changes rests when none came for so long; then the fine draws are asked for. */
const REST_MS = 200;

/** @type {Record<string, Answers>} */
const answers = Object.fromEntries(modes.map((mode) => [mode.name, { current: null, failure: null, waiting: false }]));
/** The question that each mode's answer belongs to. @type {Record<string, string>} */
const answered = {};
const page = { there: true, resting: true, trouble: "" };
let refresh = () => {};
let rest = 0;

const queue = scheduler({
  answered(job, answer) {
    answered[job.mode] = key(job);
    const before = answers[job.mode].current;
    const merged = job.part && before && modes.find((mode) => mode.name === job.mode)?.merged;
    answers[job.mode] = { current: merged ? merged(before, answer, job.part ?? "") : answer, failure: null, waiting: false };
    refresh();
  },
  refused(job, failure) {
    answered[job.mode] = key(job);
    answers[job.mode] = { ...answers[job.mode], failure, waiting: false };
    refresh();
  },
  reached(there) {
    if (page.there === there) return;
    page.there = there;
    refresh();
  },
  resting(resting) {
    page.resting = resting;
    refresh();
  },
});

/** @param {import("./api.js").Job} job */
const key = ({ verb, body, live }) => JSON.stringify([verb, body, live]);

/** @param {Document} doc @returns {Mode} */
const modeOf = (doc) => modes.find((mode) => mode.name === doc.mode) ?? modes[0];

/** @param {Document} doc @param {How} how */
function ask(doc, how) {
  clearTimeout(rest);
  const mode = modeOf(doc);
  const live = Boolean(how.live);
  if (live) rest = setTimeout(() => ask(state.get(), {}), REST_MS);
  // a part is only enough where the answer to all the rest is there
  const part = live && !answers[mode.name].failure && answers[mode.name].current ? how.part : undefined;
  const request = requestOf(mode, doc, { live, part });
  if (!request) return;
  const job = { mode: mode.name, ...request, live, part };
  if (page.resting && answered[mode.name] === key(job)) return;
  answers[mode.name] = { ...answers[mode.name], waiting: true };
  queue.want(job);
}

/** What a mode asks; nothing if a link or file brought inputs that are none. @param {Mode} mode @param {Document} doc @param {{live: boolean, part?: string}} how */
function requestOf(mode, doc, how) {
  try {
    return mode.request(doc[mode.name], how);
  } catch {
    const failure = { code: "inputs", message: "These inputs cannot be understood.", field: null };
    answers[mode.name] = { ...answers[mode.name], failure, waiting: false };
    refresh();
    return null;
  }
}

/** @returns {Document} */
function first() {
  const slices = Object.fromEntries(modes.map((mode) => [mode.name, mode.initial]));
  return { v: 1, mode: modes[0].name, ...slices };
}

/** @param {Mode} mode @returns {Act} */
function acts(mode) {
  return {
    set: (path, value, how) => state.update(`${mode.name}.${path}`, value, how),
    change: (fn, how) => state.update((doc) => ({ ...doc, [mode.name]: fn(doc[mode.name]) }), undefined, how),
    go: (name, patch) => {
      const there = modes.find((other) => other.name === name);
      if (!there) return;
      state.update((doc) => ({ ...doc, mode: name, [name]: patch ? { ...there.initial, ...patch } : doc[name] }));
    },
    ask: (verb, body) =>
      post(verb, body).catch((trouble) => {
        const lost = { code: "lost", message: "The local server cannot be reached.", field: null };
        throw trouble instanceof Refused ? trouble.failure : lost;
      }),
    say: speak,
    undo: state.undo,
    redo: state.redo,
    canUndo: state.canUndo(),
    canRedo: state.canRedo(),
  };
}

/** A mode, or what is said if a link or file brought inputs that it cannot show. @param {{mode: Mode}} props */
function Pane({ mode }) {
  const [broken, mend] = useErrorBoundary();
  if (broken) return html`<div class="answer"><p class="wrong" role="alert">These inputs cannot be shown.</p>
    <p class="buttons"><button onClick=${() => (mend(), state.start(first()))}>Begin anew</button></p></div>`;
  return mode.view(state.get()[mode.name], answers[mode.name], acts(mode));
}

function App() {
  const [, step] = useState(0);
  refresh = () => step((n) => n + 1);
  useEffect(
    () =>
      state.subscribe((doc, how) => {
        refresh();
        ask(doc, how);
      }),
    [],
  );
  const doc = state.get();
  const mode = modeOf(doc);
  const now = answers[mode.name];
  const verdict = now.failure?.message ?? now.current?.shown.verdict;
  useEffect(() => {
    if (verdict) speak(verdict);
  }, [verdict]);
  const settled = page.resting && page.there && !now.waiting;
  return html`
    <a class="skip" href="#main" onClick=${skip}>Skip to the answers</a>
    <${Header} modes=${modes} mode=${mode} document=${doc} shape=${first()} answers=${now} act=${acts(mode)}
      onMode=${(/** @type {string} */ name) => state.update("mode", name, { silent: true })}
      onOpen=${open} />
    ${!page.there && html`<p class="banner" role="alert">Connection to the local server lost. Your inputs are kept;
      start <code>howsure serve</code> again.</p>`}
    ${page.trouble && html`<p class="banner" role="alert">${page.trouble}
      <button class="quiet" onClick=${() => trouble("")}>Dismiss</button></p>`}
    <main data-settled=${String(settled)}>
      <div id="main" tabindex="-1" role="tabpanel" aria-labelledby=${`tab-${mode.name}`} class=${`mode ${mode.name}`}
        aria-busy=${String(now.waiting)}>
        <${Pane} key=${mode.name} mode=${mode} />
      </div>
    </main>
    <footer class="foot">
      <p>Computed on the machine that serves this page; nothing is sent elsewhere.</p>
    </footer>
    <${Live} />`;
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** @param {string} text */
function trouble(text) {
  page.trouble = text;
  refresh();
}

/** A session or a link in place of the document; what does not fit is left out. @param {unknown} found */
function open(found) {
  const next = restored(found, first());
  trouble(next ? "" : "This is no session of howsure.");
  if (next) state.start(next);
}

async function fromLink() {
  try {
    const found = await openLink(location.hash);
    if (found) open(found);
  } catch {
    trouble("The link is damaged or incomplete. Ask for it again, or for session.json.");
  }
}

/** @param {KeyboardEvent} event */
function shortcut(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const pressed = event.key.toLowerCase();
  if (pressed !== "z" && pressed !== "y") return;
  event.preventDefault();
  if (pressed === "y" || event.shiftKey) state.redo();
  else state.undo();
}

state.start(first());
render(html`<${App} />`, /** @type {Element} */ (document.getElementById("page")));
addEventListener("hashchange", fromLink);
addEventListener("keydown", shortcut);
if (location.hash.length > 1) fromLink().then(() => ask(state.get(), {}));
else ask(state.get(), {});
