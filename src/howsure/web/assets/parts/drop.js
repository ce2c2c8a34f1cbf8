// @ts-check
/** Files that are dropped, chosen or pasted: read by the server, with a sentence on what they were. */

import { post, Refused } from "../api.js";
import { html, useRef, useState } from "../html.js";

/** @typedef {{kind: "matrix"|"classifiers"|"paired"|"leaderboard", notes?: string[], [part: string]: any}} Read */
/** @typedef {{name: string, text: string}} Source */

const MOST_BYTES = 20 * 2 ** 20;
/** @type {Record<string, string>} */
const MEDIA = {
  tsv: "text/tab-separated-values",
  tab: "text/tab-separated-values",
  jsonl: "application/x-ndjson",
  ndjson: "application/x-ndjson",
};

/**
 * @param {{label: string, hint: string, many?: boolean, onRead: (read: Read, name: string) => string|void}} props
 *   `onRead` takes what was read and may answer with a sentence of its own
 */
export function Drop({ label, hint, many = false, onRead }) {
  const [state, setState] = useState(/** @type {{said: string[], wrong: string, over: boolean, unsure: Source|null}} */ ({ said: [], wrong: "", over: false, unsure: null }));
  const input = useRef(/** @type {any} */ (null));

  /** @param {Source} source @param {string} [rows] */
  async function read(source, rows) {
    const ending = source.name.split(".").pop()?.toLowerCase() ?? "";
    const verb = rows ? `import?rows=${rows}` : "import";
    const found = /** @type {Read} */ (await post(verb, source.text, MEDIA[ending] ?? "text/csv"));
    const own = onRead(found, source.name.replace(/\.[^.]*$/, ""));
    return [`${source.name}:`, ...(found.notes ?? []), ...(own ? [own] : [])].join(" ");
  }

  /** @param {Source[]} sources @param {string} [rows] */
  async function take(sources, rows) {
    /** @type {string[]} */
    const said = [];
    for (const source of sources) {
      try {
        said.push(await read(source, rows));
      } catch (trouble) {
        const known = trouble instanceof Refused;
        const message = known ? trouble.failure.message : "The local server cannot be reached.";
        const unsure = known && /\brows\b/.test(message) && !rows ? source : null;
        return setState({ said, wrong: `${source.name}: ${message}`, over: false, unsure });
      }
    }
    setState({ said, wrong: "", over: false, unsure: null });
  }

  /** @param {FileList|null|undefined} list */
  async function files(list) {
    const chosen = [...(list ?? [])].slice(0, many ? 20 : 1);
    const large = chosen.find((file) => file.size > MOST_BYTES);
    if (large) return setState({ said: [], wrong: `${large.name} is larger than 20 MiB; the command line reads it.`, over: false, unsure: null });
    await take(await Promise.all(chosen.map(async (file) => ({ name: file.name, text: await file.text() }))));
  }

  const over = (/** @type {any} */ event, /** @type {boolean} */ on) => {
    event.preventDefault();
    if (state.over !== on) setState({ ...state, over: on });
  };
  const { unsure } = state;
  return html`<div class=${state.over ? "drop over" : "drop"}
    onDragOver=${(/** @type {any} */ e) => over(e, true)} onDragLeave=${(/** @type {any} */ e) => over(e, false)}
    onDrop=${(/** @type {any} */ e) => (over(e, false), files(e.dataTransfer?.files))}>
    <p><button onClick=${() => input.current.click()}>${label}</button> <span class="hint">${hint}</span></p>
    <input ref=${input} type="file" class="unseen" tabindex="-1" aria-label=${label} multiple=${many} accept=".csv,.tsv,.tab,.txt,.jsonl,.ndjson"
      onChange=${(/** @type {any} */ e) => files(e.currentTarget.files).then(() => (input.current.value = ""))} />
    <div role="status">${state.said.map((text) => html`<p class="hint" key=${text}>${text}</p>`)}</div>
    ${state.wrong && html`<p class="wrong" role="alert">${state.wrong}</p>`}
    ${unsure && html`<p class="buttons small">In this file a row is
      <button onClick=${() => take([unsure], "true")}>the true class</button>
      <button onClick=${() => take([unsure], "pred")}>the predicted class</button></p>`}
  </div>`;
}
