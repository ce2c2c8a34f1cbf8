// @ts-check
/** Text that the server reads, also from files: what it was and where it belongs, why it is none, or what it leaves open, which is asked. */

import { post, Refused, running, timer } from "../api.js";
import { declared } from "../declared.js";
import { html, useLayoutEffect, useRef, useState } from "../html.js";
import { NumberBox, Select } from "./fields.js";
import { UNREACHED } from "../transport.js";

/** @template T @param {T} nothing what there is before anything is said @param {unknown} about what it is said of @returns {[T, (said: T) => void]}
 * each is a value of its own, or an object; it stays while `about` is the same */
export function useSaid(nothing, about) {
  const [said, setSaid] = useState(nothing);
  const latest = useRef(nothing);
  const seen = useRef({ said: nothing, about });
  /** @param {T} next */
  const say = (next) => setSaid((latest.current = next));
  useLayoutEffect(() => {
    // what is said with a change is said of what comes; it may be rendered after it
    if (about !== seen.current.about && latest.current === seen.current.said && latest.current !== nothing) say(nothing);
    seen.current = { said: latest.current, about };
  }, [about, said]);
  return [said, say];
}

/** A reference for an element that must be seen as soon as it is there. @param {Element | null} element */
export function seen(element) {
  if (!element) return;
  const { top, bottom } = element.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) element.scrollIntoView({ block: "center" });
}

const REST_MS = 500;
let tell = (/** @type {string} */ _text) => {};
const rest = timer();

/** @param {string} text */
export const speak = (text) => rest.start(() => tell(text), REST_MS);

export function Live() {
  const [text, setText] = useState("");
  // the same one each time
  tell = setText;
  return html`<div class="unseen" aria-live="polite" role="status">${text}</div>`;
}

/** How a tab is opened with inputs; the page says it when it begins. @type {(mode: string, patch: object) => void} */
let open = () => {};

/** @param {typeof open} go */
export function routing(go) {
  open = go;
}

/** The metric of what was compared before may be of a class that is none of these. */
const metric = "balanced_accuracy";

/** @type {Record<string, (read: Read) => {mode: string, title: string, what: string, patch: object}>} */
const PLACES = {
  matrix: ({ matrix, groups = null }) => ({ mode: "evaluate", title: "Evaluate", what: "one matrix", patch: { matrix, unlabelled: matrix.unlabelled ?? null, groups } }),
  leaderboard: ({ entries }) => ({ mode: "leaderboard", title: "Leaderboard", what: "a leaderboard", patch: { source: "entries", entries } }),
  paired: ({ paired }) => ({ mode: "compare", title: "Compare", what: "the answers of several classifiers", patch: { paired, metric } }),
  classifiers: ({ classifiers }) => ({ mode: "compare", title: "Compare", what: "several classifiers", patch: { classifiers, metric } }),
  scores: ({ scores }) => ({ mode: "threshold", title: "Threshold", what: "scores of cases", patch: { scores } }),
  data: ({ of, kinds, names, text, ending }) => ({ ...tabOf(of, names.length), what: WHAT[of], patch: { data: { of, kinds, names, text, ending } } }),
};

/** @type {Record<string, string>} */
const WHAT = { items: "scores of items", votes: "battles of models", ratings: "ratings of several people" };

/** The tab that answers for data of so many contenders. @param {string} of @param {number} many */
function tabOf(of, many) {
  if (of === "ratings" || (of === "items" && many < 2)) return { mode: "evaluate", title: "Evaluate" };
  return of === "items" && many === 2 ? { mode: "compare", title: "Compare" } : { mode: "leaderboard", title: "Leaderboard" };
}

/** What a text is, and the tab that has it. @param {Read} read */
export const placeOf = (read) => PLACES[read.kind](read);

/** Opens its tab with it. @param {Read} read @returns {string} what became of it */
export function route(read) {
  const { mode, title, what, patch } = placeOf(read);
  open(mode, patch);
  return `It reads as ${what}; it stands under ${title} now.`;
}


/** @type {Open[]} */
const LEFT_OPEN = [
  { about: /whether a row is a true or a predicted class/, ask: "A row of the file is", answers: [["the true class", "rows=true"], ["the predicted class", "rows=pred"]] },
  { about: /answer is missing in/, ask: "Cases without an answer are", answers: [["left out", "missing=exclude"], ["counted as wrong", "missing=wrong"], ["a class of their own", "missing=class"]] },
  { about: /no column for the number of cases|number of cases of .* is missing/, ask: "Cases of each entry", answers: [], option: "n" },
  { about: /several sheets (hold|with) a table/, ask: "Number of the sheet", answers: [], option: "sheet" },
];

/** @type {Told} */
const SILENCE = { said: [], wrong: "", left: null };
/** @type {Taken} */
const NOTHING = { sources: [], options: [], read: null };

/** @type {Record<string, string>} */
const MEDIA = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xlsm: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  tsv: "text/tab-separated-values",
  tab: "text/tab-separated-values",
  jsonl: "application/x-ndjson",
  ndjson: "application/x-ndjson",
};

/** @param {(reads: Reads) => string} onRead takes what was read and answers with a sentence on what became of it @param {string} [always] an option
 * of every question @param {unknown} [about] what the page shows of it: another one, and what was said of the text goes @returns {{told: Told,
 * taken: Taken, take: (sources: Source[], options?: string[]) => Promise<boolean>, regroup: (column: string) => unknown, refuse: (why: string) =>
 * void}} */
export function useReading(onRead, always = "", about = null) {
  const [told, tell] = useSaid(SILENCE, about);
  // stays, since an edit that is undone gives the text's counts again
  const [taken, setTaken] = useState(NOTHING);
  /** @param {Source[]} sources @param {string[]} [options] of the query, from the answers to what was left open */
  const take = async (sources, options = []) => {
    /** @type {Reads} */
    const reads = [];
    for (const source of sources) {
      const ending = source.name.split(".").pop()?.toLowerCase() ?? "";
      try {
        const read = await post(["import", [always, ...options].filter(Boolean).join("&")].filter(Boolean).join("?"), source.text, MEDIA[ending] ?? "text/csv");
        if (read.kind === "data") read.text ??= source.text;
        reads.push({ name: source.name.replace(/\.[^.]*$/, ""), read });
      } catch (trouble) {
        const message = trouble instanceof Refused ? trouble.failure.message : UNREACHED;
        const left = LEFT_OPEN.find(({ about }) => about.test(message)) ?? null;
        setTaken({ sources, options, read: null });
        const other = left ? null : await otherwise(source, always);
        tell({ said: [], wrong: named(source, message), left, other });
        return false;
      }
    }
    if (!reads.length) return false;
    const became = onRead(reads);
    const said = reads.map(({ name, read }) => [`Read ${name}.`, ...(read.notes ?? [])].join(" "));
    setTaken({ sources, options, read: reads.length === 1 ? reads[0].read : null });
    tell({ ...SILENCE, said: [...said, became].filter(Boolean) });
    return true;
  };
  /** Reads the file again, with another column of groups. @param {string} column none: each case is by itself */
  const regroup = (column) => {
    const rest = taken.options.filter((option) => !option.startsWith("group="));
    if (column) return take(taken.sources, [...rest, `group=${encodeURIComponent(column)}`]);
    const { groups: _, group: __, ...read } = /** @type {Read} */ (taken.read);
    onRead([{ name: taken.sources[0].name, read: /** @type {Read} */ (read) }]);
    setTaken({ ...taken, options: rest, read: /** @type {Read} */ (read) });
    tell({ ...told });
  };
  return { told, taken, take, regroup, refuse: (why) => (setTaken(NOTHING), tell({ ...SILENCE, wrong: why })) };
}

/** What a text is that is none of what a tab asks for. @param {Source} source @param {string} always @returns {Promise<Read | null>} */
async function otherwise({ text }, always) {
  if (!always || typeof text !== "string") return null;
  const read = await post("import", text, "text/csv").catch(() => null);
  return read && { text, ...read };
}

/** What the server says of "the file" by its name. @param {Source} source @param {string} message */
function named({ name, pasted }, message) {
  const called = pasted ? "The text" : name;
  const mine = message.replace(/^the (file|text)(\.\w+)?(?=[:, ])/i, called);
  return mine === message ? `${called}: ${message}` : mine;
}

/** @param {{reading: ReturnType<typeof useReading>}} props */
export function Outcome({ reading: { told, taken, take, regroup } }) {
  const { said, wrong, left, other } = told;
  const { sources, options, read } = taken;
  return html`<div role="status">${said.map((text) => html`<p class="hint" key=${text}>${text}</p>`)}</div>
    ${read?.columns && html`<${GroupColumn} read=${read} onColumn=${regroup} />`}
    ${wrong && html`<p class="wrong" role="alert" ref=${seen}>${wrong}</p>`}
    ${other && html`<${Elsewhere} read=${other} />`}
    ${left && html`<${Question} key=${left.ask} left=${left} onAnswer=${(/** @type {string} */ option) => take(sources, [...options, option])} />`}`;
}

/** The tab that has what was read, a tap away. @param {{read: Read}} props */
function Elsewhere({ read }) {
  const { what, title } = placeOf(read);
  return html`<p class="buttons small">It reads as ${what}. <button onClick=${() => route(read)}>Open it in ${title}</button></p>`;
}

/** Which column says what group (patient, document) a case belongs to. @param {{read: Read, onColumn: (column: string) => unknown}} props */
function GroupColumn({ read, onColumn }) {
  const columns = read.columns.map((/** @type {{name: string, groups: number}} */ { name, groups }) => ({ value: name, label: `${name} (${groups} groups)` }));
  return html`<${Select} label="Cases of one patient, document or question: the column that names it" value=${read.group ?? ""}
    options=${[{ value: "", label: "none, each case is by itself" }, ...columns]} onValue=${onColumn} />`;
}

/** @param {{left: Open, onAnswer: (option: string) => void}} props */
function Question({ left, onAnswer }) {
  const [n, setN] = useState(/** @type {number|null} */ (null));
  if (left.answers.length) {
    return html`<p class="buttons small">${left.ask}
      ${left.answers.map(([words, option]) => html`<button key=${option} onClick=${() => onAnswer(option)}>${words}</button>`)}</p>`;
  }
  return html`<div class="buttons small"><${NumberBox} label=${left.ask} value=${n} low=${1} whole=${true} empty=${true} onValue=${setN} />
    <button disabled=${n === null} onClick=${() => onAnswer(`${left.option}=${n}`)}>Read it</button></div>`;
}

const MOST_FILES = 20;

/** @param {{label: string, hint: string, many?: boolean, always?: string, about?: unknown, onRead: (reads: {name: string, read: Read}[]) =>
 * string}} props `onRead` takes what was read and answers with a sentence on what became of it; `always`: an option of the question; `about`: what
 * is shown of the file, and what was said of it goes with that */
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
