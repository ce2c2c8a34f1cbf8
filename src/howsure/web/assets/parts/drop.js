// @ts-check
/** Files that are dropped, chosen or pasted: read by the server, with a sentence on what they were. */

import { post, Refused } from "../api.js";
import { html, useRef, useState } from "../html.js";

/** @typedef {{kind: "matrix"|"classifiers"|"paired"|"leaderboard", notes?: string[], [part: string]: any}} Read */
/** @typedef {{name: string, text: string}} Source */

/** @type {{said: string[], wrong: string, over: boolean, unsure: Source[]}} */
const NOTHING = { said: [], wrong: "", over: false, unsure: [] };
const MOST_BYTES = 20 * 2 ** 20;
/** @type {Record<string, string>} */
const MEDIA = {
  tsv: "text/tab-separated-values",
  tab: "text/tab-separated-values",
  jsonl: "application/x-ndjson",
  ndjson: "application/x-ndjson",
};

/**
 * @param {{label: string, hint: string, many?: boolean, onRead: (reads: {name: string, read: Read}[]) => string}} props
 *   `onRead` takes what was read and answers with a sentence on what became of it
 */
export function Drop({ label, hint, many = false, onRead }) {
  const [state, setState] = useState(NOTHING);
  const input = useRef(/** @type {any} */ (null));

  /** @param {Source[]} sources @param {string} [rows] what a row of a matrix is, where the files do not say */
  async function take(sources, rows) {
    const reads = [];
    for (const source of sources) {
      const ending = source.name.split(".").pop()?.toLowerCase() ?? "";
      try {
        const read = /** @type {Read} */ (await post(rows ? `import?rows=${rows}` : "import", source.text, MEDIA[ending] ?? "text/csv"));
        reads.push({ name: source.name.replace(/\.[^.]*$/, ""), read });
      } catch (trouble) {
        const message = trouble instanceof Refused ? trouble.failure.message : "The local server cannot be reached.";
        return setState({ ...NOTHING, wrong: `${source.name}: ${message}`, unsure: !rows && /\brows\b/.test(message) ? sources : [] });
      }
    }
    if (!reads.length) return;
    const became = onRead(reads);
    const said = reads.map(({ name, read }) => [`Read ${name}.`, ...(read.notes ?? [])].join(" "));
    setState({ ...NOTHING, said: [...said, became].filter(Boolean) });
  }

  /** @param {FileList|null|undefined} list */
  async function files(list) {
    const chosen = [...(list ?? [])].slice(0, many ? 20 : 1);
    const large = chosen.find((file) => file.size > MOST_BYTES);
    if (large) return setState({ ...NOTHING, wrong: `${large.name} is larger than 20 MiB; the command line reads it.` });
    await take(await Promise.all(chosen.map(async (file) => ({ name: file.name, text: await file.text() }))));
  }

  const over = (/** @type {any} */ event, /** @type {boolean} */ on) => {
    event.preventDefault();
    if (state.over !== on) setState({ ...state, over: on });
  };
  return html`<div class=${state.over ? "drop over" : "drop"}
    onDragOver=${(/** @type {any} */ e) => over(e, true)} onDragLeave=${(/** @type {any} */ e) => over(e, false)}
    onDrop=${(/** @type {any} */ e) => (over(e, false), files(e.dataTransfer?.files))}>
    <p><button onClick=${() => input.current.click()}>${label}</button> <span class="hint">${hint}</span></p>
    <input ref=${input} type="file" class="unseen" tabindex="-1" aria-label=${label} multiple=${many} accept=".csv,.tsv,.tab,.txt,.jsonl,.ndjson"
      onChange=${(/** @type {any} */ e) => files(e.currentTarget.files).then(() => (input.current.value = ""))} />
    <div role="status">${state.said.map((text) => html`<p class="hint" key=${text}>${text}</p>`)}</div>
    ${state.wrong && html`<p class="wrong" role="alert">${state.wrong}</p>`}
    ${state.unsure.length > 0 && html`<p class="buttons small">In this file a row is
      <button onClick=${() => take(state.unsure, "true")}>the true class</button>
      <button onClick=${() => take(state.unsure, "pred")}>the predicted class</button></p>`}
  </div>`;
}
