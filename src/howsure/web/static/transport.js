// @ts-check
/** How a question reaches the library where there is no server: it runs in a thread of this browser. */

import { places } from "./places.js";

export const UNREACHED = "The library is not there; load the page again.";
export const FOR_OTHERS = "It opens in any browser that reaches this page.";
export const LOST = "The library does not answer. Your inputs are in the address of this page and are kept; load it again.";
export const RETURN = "";
export const WHERE = "Computed in this browser; nothing that you enter is sent anywhere.";

const NO_WORKBOOK = {
  code: "UnsupportedMediaType",
  message: "Workbooks of Excel are read by howsure serve and the command line, not here; save the sheet as CSV UTF-8.",
  field: null,
};

/** @type {Map<number, (reply: {status: number, answer: any} | null) => void>} */
const waiting = new Map();
let asked = 0;

const line = document.getElementById("engine-says");
const button = /** @type {HTMLButtonElement | null} */ (document.getElementById("engine-check"));
const wholly = (/** @type {string} */ path) => new URL(path, document.baseURI).href;

const worker = new Worker(wholly("assets/worker.js"), { type: "module" });
/** @type {(there: boolean) => void} */
let opened;
const ready = new Promise((/** @type {(there: boolean) => void} */ done) => (opened = done));

/** Milliseconds after which a step that has not ended is told to be slow, or never to end. */
const SLOW = 30_000;
let late = 0;

/** @param {string} text */
function say(text) {
  if (line) line.textContent = text;
}

worker.onmessage = ({ data }) => {
  clearTimeout(late);
  if (data.progress) {
    say(`${data.progress} …`);
    late = setTimeout(() => say(`${data.progress}: no answer for ${SLOW / 1000} seconds. Is ${new URL(wholly(places.pyodide)).host} reachable from here?`), SLOW);
  }
  else if (data.ready) {
    say("The library runs in this browser.");
    if (button) button.hidden = false;
    opened(true);
  } else if (data.checked) checked(data);
  else if (data.failed) unusable(data.failed);
  else {
    waiting.get(data.id)?.({ status: data.status, answer: JSON.parse(data.answer) });
    waiting.delete(data.id);
  }
};
worker.onerror = (event) => {
  event.preventDefault();
  unusable(event.message ?? "its thread does not start");
};

/** @param {string} why */
function unusable(why) {
  say(`The library cannot be loaded here: ${why}`.slice(0, 400));
  opened(false);
}

/** @param {{checked: number, of: number, differ: string[]}} found */
function checked({ checked: done, of, differ }) {
  if (done < of) return say(`Checking ${done} of ${of} …`);
  if (button) button.disabled = false;
  const words = `checked ${of - differ.length} of ${of} against the library`;
  say(differ.length ? `${words}; these differ: ${differ.join("; ")}`.slice(0, 2000) : `${words}.`);
}

button?.addEventListener("click", () => {
  button.disabled = true;
  say("Checking …");
  worker.postMessage({ check: wholly("golden.json") });
});

worker.postMessage({ open: { pyodide: wholly(places.pyodide), packages: places.packages, zip: wholly("howsure.zip") } });

/** @param {string} path a verb, of an import also its options as a query @param {string | Blob} body @param {string} type its media type
 * @returns {Promise<{status: number, answer: any} | null>} null where the library could not be loaded */
export async function sent(path, body, type) {
  if (body instanceof Blob) return { status: 415, answer: NO_WORKBOOK };
  if (!(await ready)) return null;
  const id = ++asked;
  return new Promise((done) => {
    waiting.set(id, done);
    worker.postMessage({ id, path, body, type });
  });
}

/** Whether the library is there. */
export async function reachable() {
  return ready;
}
