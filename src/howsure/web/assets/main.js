// @ts-check
/** The page: one document, its modes as tabs, and the questions that its changes ask. */

import * as address from "./share.js";
import { post, Refused } from "./api.js";
import { answersOf, ask, line, whenAnswered } from "./asking.js";
import { carrier, filled } from "./state.js";
import { html, render, useErrorBoundary, useLayoutEffect, useState } from "./html.js";
import { first, modes, tabs } from "./modes/index.js";
import { Live, routing, speak } from "./parts/reading.js";
import { Header } from "./parts/header.js";
import { DamagedLink, openLink, restored } from "./share.js";
import * as state from "./state.js";
import { LOST, RETURN, UNREACHED, WHERE } from "./transport.js";


/** `opening`: a link is read. `unread`: why there is nothing to show. */
const page = { opening: true, trouble: "", unread: "" };
/** Nothing is asked before it is known what the page opens with: the numbers of an example are not those of a link. */
let begun = false;
let refresh = () => {};

/** @param {string} name of a mode @param {object} [patch] over its initial inputs */
function go(name, patch) {
  if (patch) state.change(name, (now) => filled(modes[name], now, patch));
  if (page.unread || name !== state.get().mode) {
    address.step(() => state.open(name));
    scrollTo({ top: 0 });
  }
  page.unread = "";
  refresh();
}

/** @param {Mode} mode @returns {Act} */
function acts(mode) {
  return {
    set: (path) => (value, how) => state.change(mode.name, (inputs) => state.put(inputs, path, value), { ...how, path }),
    change: (fn, how) => state.change(mode.name, fn, how),
    fill: (patch) => state.change(mode.name, (now) => filled(mode, now, patch)),
    go,
    ask: (verb, body) =>
      post(verb, body).catch((trouble) => {
        const lost = { code: "lost", message: UNREACHED, field: null };
        throw trouble instanceof Refused ? trouble.failure : lost;
      }),
    say: speak,
    undo: () => state.undo(mode.name),
    redo: () => state.redo(mode.name),
    canUndo: state.canUndo(mode.name),
    canRedo: state.canRedo(mode.name),
  };
}

function anew() {
  page.unread = "";
  address.step(() => state.start(first), "");
  refresh();
}

/** A mode, or what is said if a link or file brought inputs that it cannot show. @param {{mode: Mode}} props */
function Pane({ mode }) {
  const [broken, mend] = useErrorBoundary();
  if (broken) return html`<div class="answer"><p class="wrong" role="alert">These inputs cannot be shown.</p>
    <p class="buttons"><button onClick=${() => (mend(), anew())}>Begin anew</button></p></div>`;
  return mode.view(state.get()[mode.name], answersOf(mode.name), acts(mode));
}

function App() {
  const [, step] = useState(0);
  refresh = () => step((n) => n + 1);
  whenAnswered(refresh);
  useLayoutEffect(
    () =>
      state.subscribe((_, how) => {
        refresh();
        if (begun) ask(how);
      }),
    [],
  );
  const doc = state.get();
  const mode = modes[doc.mode];
  const now = answersOf(mode.name);
  // why there is none is an alert where it stands
  const verdict = now.failure || page.unread ? "" : now.current?.shown.verdict;
  useLayoutEffect(() => {
    if (verdict !== undefined) speak(verdict);
  }, [verdict]);
  // entries of the history are told apart by their tab
  useLayoutEffect(() => {
    document.title = `${mode.title} · howsure`;
  }, [mode.title]);
  const pane = page.unread
    ? html`<div class="answer"><p class="wrong" role="alert">${page.unread}</p><p class="buttons"><button onClick=${anew}>Begin anew</button></p></div>`
    : html`<${Pane} key=${mode.name} mode=${mode} />`;
  const settled = line.resting && line.there && !now.waiting && !page.opening;
  return html`
    <a class="skip" href="#main" onClick=${skip}>Skip to the answers</a>
    <${Header} tabs=${tabs} mode=${mode} document=${doc} shape=${first} answers=${now} act=${acts(mode)}
      onMode=${go} onOpen=${openFile} />
    ${!line.there && html`<p class="banner" role="alert">${LOST}${RETURN && html` <code>${RETURN}</code>`}</p>`}
    ${page.trouble && html`<p class="banner" role="alert">${page.trouble}
      <button class="quiet" onClick=${() => trouble("")}>Dismiss</button></p>`}
    <main data-settled=${String(settled)}>
      <div id="main" tabindex="-1" role="tabpanel" aria-labelledby=${`tab-${mode.name}`} class=${`mode ${mode.name}`}
        aria-busy=${String(now.waiting)}>
        ${pane}
      </div>
    </main>
    <footer class="foot">
      <p>${WHERE}</p>
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

/** A session or a link in place of the document; what does not fit is left out, and named. @param {unknown} found
 * @param {(change: () => void) => void} enter how it comes into the history */
function open(found, enter) {
  /** @type {string[]} */
  const lost = [];
  const next = restored(found, first, lost);
  if (!next) throw new DamagedLink("This is no session of howsure.");
  for (const { name, initial, fits = {} } of Object.values(modes)) {
    // what comes from elsewhere is checked once, here
    for (const [key, fit] of Object.entries(fits)) {
      if (fit(next[name][key], next[name])) continue;
      next[name] = { ...next[name], [key]: initial[key] };
      lost.push(`${name}.${key}`);
    }
  }
  page.unread = "";
  trouble(lost.length ? `Not all that came fits this page. Left as at first: ${[...new Set(lost)].join(", ")}.` : "");
  enter(() => state.start(next));
}

/** @param {unknown} found in a session file */
function openFile(found) {
  try {
    open(found, (change) => address.step(change, ""));
  } catch (error) {
    trouble(/** @type {Error} */ (error).message);
  }
}

/** @returns {Promise<boolean>} whether the address is a link, readable or not */
async function fromLink() {
  try {
    const found = await openLink(location.hash);
    if (!found) return false;
    open(found, (change) => (change(), address.take()));
  } catch (error) {
    address.disown();
    page.unread = /** @type {Error} */ (error).message;
    refresh();
  }
  return true;
}

/** Back, forward or a reload: the inputs are those that this entry held, or newer ones of the same document. @param {address.Entry} held */
function goBack(held) {
  page.unread = "";
  if (!address.isOpen(held)) return open(address.documentOf(held), (change) => (change(), address.take(held.series)));
  state.open(held.mode);
  address.arrive();
  refresh();
}

/** @param {Promise<unknown>} work */
async function busy(work) {
  page.opening = true;
  refresh();
  await work;
  page.opening = false;
  refresh();
}

/** @param {KeyboardEvent} event */
function shortcut(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const pressed = event.key.toLowerCase();
  if (pressed !== "z" && pressed !== "y") return;
  event.preventDefault();
  if (pressed === "y" || event.shiftKey) state.redo(state.get().mode);
  else state.undo(state.get().mode);
}

state.carrying((mode, before, after) => {
  const to = carrier(modes[mode], before, after);
  return to && ((other, inputs) => to(modes[other], inputs));
});
state.start(first);
routing(go);
render(html`<${App} />`, /** @type {Element} */ (document.getElementById("page")));
address.follow(first);
addEventListener("popstate", ({ state: held }) => held?.howsure === 1 && goBack(held));
addEventListener("hashchange", () => address.kept() ?? busy(fromLink()));
addEventListener("keydown", shortcut);
const held = address.kept();
if (held) goBack(held);
else if (!(await fromLink())) address.take();
page.opening = false;
begun = true;
ask({});
refresh();
