// @ts-check
/** Files that are chosen or dropped. */

import { declared } from "../declared.js";
import { html, useLayoutEffect, useRef, useState } from "../html.js";
import { running } from "../pending.js";
import { Outcome, useReading } from "./reading.js";

/** @typedef {import("./reading.js").Read} Read */

const MOST_FILES = 20;

/**
 * @param {{label: string, hint: string, many?: boolean, always?: string, about?: unknown, onRead: (reads: {name: string, read: Read}[]) => string}} props
 *   `onRead` takes what was read and answers with a sentence on what became of it; `always`: an option of the question; `about`: what is shown of the
 *   file, and what was said of it goes with that
 */
export function Drop({ label, hint, many = false, always = "", about = null, onRead }) {
  const [over, setOver] = useState(false);
  const reading = useReading(onRead, always, about);
  const input = useRef(/** @type {any} */ (null));
  useLayoutEffect(keepThePage, []);

  /** @param {FileList|null|undefined} list */
  async function take(list) {
    const chosen = [...(list ?? [])].slice(0, many ? MOST_FILES : 1);
    const large = chosen.find((file) => file.size > declared.most_bytes);
    if (large) return reading.refuse(`${large.name} is larger than 20 MiB; the command line reads it.`);
    await reading.take(await running(Promise.all(chosen.map(async (file) => ({ name: file.name, text: isWorkbook(file) ? file : await file.text() })))));
  }
  /** @param {boolean} on */
  const hover = (on) => (/** @type {any} */ event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    setOver(on);
  };
  return html`<div class=${over ? "drop over" : "drop"} onDragOver=${hover(true)} onDragLeave=${hover(false)}
    onDrop=${(/** @type {any} */ e) => (hover(false)(e), take(e.dataTransfer?.files))}>
    <p><button onClick=${() => input.current.click()}>${label}</button> <span class="hint">${hint}</span></p>
    <input ref=${input} type="file" class="unseen" tabindex="-1" aria-label=${label} multiple=${many} accept=".csv,.tsv,.tab,.txt,.jsonl,.ndjson,.xlsx,.xlsm"
      onChange=${(/** @type {any} */ e) => take(e.currentTarget.files).then(() => (input.current.value = ""))} />
    <${Outcome} reading=${reading} />
  </div>`;
}

/** Text that is dragged from box to box is none of ours. @param {DragEvent} event */
const carriesFiles = (event) => event.dataTransfer?.types.includes("Files") ?? false;

/** @param {File} file */
const isWorkbook = (file) => /\.xls[xm]$/i.test(file.name);

/** A file that misses its place must not replace the page. */
function keepThePage() {
  const stay = (/** @type {DragEvent} */ event) => carriesFiles(event) && event.preventDefault();
  addEventListener("dragover", stay);
  addEventListener("drop", stay);
  return () => {
    removeEventListener("dragover", stay);
    removeEventListener("drop", stay);
  };
}
