// @ts-check
/** Fields of a form: one of a few, one of many, a number; lines of a small spreadsheet; and what the answers rest on. */

import { declared } from "../declared.js";
import { html, useLayoutEffect, useRef, useState } from "../html.js";

/** Metrics to choose from by what they are called, with those that are chosen among them whatever they are. @param {string[] | undefined} names
 * @param {string | string[]} chosen @param {Record<string, string>} [titles] by name; none: it is another one by another name @returns {Option[]} */
export function named(names = [], chosen, titles = {}) {
  const kept = [chosen].flat();
  const listed = [...kept.filter((name) => !names.includes(name)), ...names.filter((name) => kept.includes(name) || titles[name] !== "")];
  return listed.map((value) => ({ value, label: titles[value] || called(value) }));
}

/** What an answer says can be asked for in place of what is chosen. @param {Answer | null} current @param {string | string[]} chosen */
export function offered(current, chosen) {
  const { titles = {} } = current?.shown ?? {};
  return named(Object.keys(titles), chosen, titles);
}

/** By what people call it, and what files call it beside that. @param {string} name */
const called = (name) => `${spoken(name)}${alike(spoken(name), name) ? "" : ` (${inWords(name)})`}`;

/** What people call a metric of two classes. @param {string} name */
export const spoken = (name) => declared.plain[name] ?? inWords(name);

/** Whether a name says no more than a title does. @param {string} title @param {string} name */
export const alike = (title, name) => [name, name.split("@")[0]].some((each) => inWords(each).toLowerCase() === title.toLowerCase());

/** @param {string} name */
const inWords = (name) => name.replaceAll("_", " ").replace("@", " of ");

let made = 0;

/** A name that no other element of the page has. @param {string} stem */
export function useId(stem) {
  const id = useRef("");
  if (!id.current) id.current = `${stem}-${(made += 1)}`;
  return id.current;
}

/** One of a few, as radio buttons side by side. @param {{legend: string, value: any, options: Option[], onValue: (value: any) => void, hidden?:
 * boolean, onTap?: (value: any) => void}} props `onTap`: one is chosen by a finger or a mouse, not by keys */
export function Segments({ legend, value, options, onValue, hidden = false, onTap }) {
  const name = useId("segments");
  return html`<fieldset class="segments">
    <legend class=${hidden ? "unseen" : ""}>${legend}</legend>
    <div class="track">
      ${options.map(
        (option) => html`<label key=${String(option.value)} title=${option.title ?? null}>
          <input type="radio" name=${name} checked=${option.value === value} onChange=${() => onValue(option.value)}
            onClick=${(/** @type {MouseEvent} */ e) => e.detail > 0 && onTap?.(option.value)} />
          <span>${option.label}</span>
        </label>`,
      )}
    </div>
  </fieldset>`;
}

/** One of many. @param {{label: string, value: any, options: Option[], onValue: (value: any) => void, hidden?: boolean}} props */
export function Select({ label, value, options, onValue, hidden = false }) {
  const id = useId("select");
  const at = options.findIndex((option) => option.value === value);
  return html`<div class="field">
    <label for=${id} class=${hidden ? "unseen" : ""}>${label}</label>
    <select id=${id} value=${String(at)}
      onChange=${(/** @type {any} */ event) => onValue(options[Number(event.currentTarget.value)].value)}>
      ${options.map((option, i) => html`<option key=${i} value=${String(i)} selected=${i === at}>${option.label}</option>`)}
    </select>
  </div>`;
}

/** What stands in a box whose value follows each key: a decimal that was typed as it is, "1." and "1.0" on their way to 1.05.
 * @param {unknown} value @param {(text: string) => unknown} read @returns {[string, (text: string) => void]} */
export function useText(value, read) {
  const [typed, type] = useState("");
  return [read(typed) === value && /^\d*\.\d*$/.test(typed) ? typed : String(value ?? ""), type];
}

/** A number. What is typed and is none is kept in the box and handed on as nothing. @param {{label: string, value: number | null, onValue: (value:
 * number | null, how: {live: boolean}) => void, low?: number, high?: number, whole?: boolean, hidden?: boolean, hint?: string, unit?: string,
 * empty?: boolean, name?: string}} props `empty`: the box may be empty, which is null; `name`: where the label does not say it all, what is read
 * aloud */
export function NumberBox({ label, name, value, onValue, low = -Infinity, high = Infinity, whole = false, hidden = false, hint, unit, empty = false }) {
  const id = useId("number");
  const [typed, setTyped] = useState(value === null ? "" : String(value));
  const told = useRef(value);
  const refused = useRef(false);
  const share = unit === "%";
  useLayoutEffect(() => {
    if (value === told.current) return;
    setTyped(value === null ? "" : String(value));
    told.current = value;
    refused.current = false;
  }, [value]);
  /** The number, or null for none, that fits; undefined if none does. @param {string} text */
  const read = (text) => {
    const [, over, under] = /^\s*(\d+)\s*\/\s*([1-9]\d*)\s*$/.exec(whole ? "" : text) ?? [];
    const number = over ? ((unit === "%" ? 100 : 1) * Number(over)) / Number(under) : parsed(unit === "%" ? text.replace(/\s*%\s*$/, "") : text, high, whole);
    if (number === null) return empty && text.trim() === "" ? null : undefined;
    if (number < low || number > high || (whole && !Number.isInteger(number))) return undefined;
    return share && (number <= 0 || number >= 100) ? undefined : number;
  };
  /** Whether a bare number below 1 may be meant as a share: 0.02 is 0.02% or 2%. @param {string} text @param {number | null | undefined} percent */
  const doubtful = (text, percent) => share && typeof percent === "number" && percent < 1 && percent !== told.current && !/[%/]/.test(text);
  const number = read(typed);
  const open = doubtful(typed, number);
  const wrong = number === undefined || open;
  // what is shown is of the number that was there before
  const before = value === null ? "" : ` Answered for ${value}${share ? "%" : unit ? ` ${unit}` : ""}.`;
  const range = share ? " above 0 and below 100" : `${low > -Infinity ? ` from ${low}` : ""}${high < Infinity ? ` to ${high}` : ""}`;
  const words = open ? `Which of the two?${before}` : `A ${whole ? "whole " : ""}number${range}.${before}`;
  const note = wrong ? words : !whole && high >= 1000 && THOUSANDS.test(typed.trim()) ? `Read as ${number}. Thousands have no point.` : hint;
  const tell = (/** @type {string} */ text) => {
    const next = read(text);
    refused.current = next === undefined;
    if (doubtful(text, next)) return;
    if (next === undefined || next === told.current) return;
    told.current = next;
    onValue(next, { live: true });
  };
  // what was too much may fit once another box has its number
  useLayoutEffect(() => {
    if (refused.current) tell(typed);
  }, [low, high]);
  /** @param {number} percent what was meant */
  const settle = (percent) => {
    told.current = percent;
    setTyped(String(percent));
    onValue(percent, { live: false });
  };
  const change = (/** @type {any} */ event) => {
    setTyped(event.currentTarget.value);
    tell(event.currentTarget.value);
  };
  return html`<div class="field">
    <label for=${id} class=${hidden ? "unseen" : ""}>${label}</label>
    <span class="boxed"><input id=${id} type="text" inputmode=${whole ? "numeric" : "decimal"} autocomplete="off" value=${typed} aria-label=${name ?? null}
      aria-invalid=${wrong ? "true" : null} aria-describedby=${note ? `${id}-hint` : null}
      onFocus=${(/** @type {any} */ e) => e.currentTarget.select()} onInput=${change} />
      ${unit && html`<span class="unit">${unit}</span>`}</span>
    ${note && html`<small id=${`${id}-hint`} class=${wrong ? "wrong" : "hint"}>${note}</small>`}
    ${open && html`<p class="buttons small">${[/** @type {number} */ (number), Math.round(1e10 * Number(number)) / 1e8].map(
      (percent) => html`<button key=${percent} onClick=${() => settle(percent)}>${percent}%</button>`,
    )}</p>`}
  </div>`;
}

/** What many write for thousands, and others with decimals. */
const THOUSANDS = /^[1-9]\d{0,2}\.\d{3}$/;
/** Thousands that are set apart. */
const GROUPED = /^[1-9]\d{0,2}([,'’\s]\d{3})+(\.\d*)?$/;

/** A number as people type it: "1e-3", ".5", "12,5" where no dot is, and "1,000" as what fits, thousands first. @param {string} typed
 * @param {number} high @param {boolean} whole @returns {number | null} */
export function parsed(typed, high, whole) {
  const text = typed.trim();
  const set = whole ? text.replaceAll(".", ",") : text;
  const many = GROUPED.test(set) ? Number(set.replace(/[,'’\s]/g, "")) : Infinity;
  if (many <= high && many < Infinity) return many;
  const plain = text.replace(/^([^.,]*),([^.,]*)$/, "$1.$2");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return null;
  return Number(plain);
}

const OWN = { value: "custom", label: "My own Beta(a, b)" };
const RATES = { value: "rates", label: "A Beta for each rate" };
const EACH = /^sensitivity=beta\(([\d.e+-]+),([\d.e+-]+)\),specificity=beta\(([\d.e+-]+),([\d.e+-]+)\)$/;

/** @param {number[]} betas */
const written = ([a, b, c, d]) => `sensitivity=beta(${a},${b}),specificity=beta(${c},${d})`;

/** @param {{slice: any, act: Act, size: number, prior?: string, fixed?: boolean}} props of any mode whose slice has `prior`, `level` and perhaps
 * `kind`; `size`: how many classes there are; `prior`: the name of the one in use; `fixed`: there is none to choose */
export function Settings({ slice, act, size, prior, fixed = false }) {
  const own = typeof slice.prior === "object" && slice.prior !== null;
  const each = typeof slice.prior === "string" ? EACH.exec(slice.prior)?.slice(1).map(Number) : undefined;
  const chosen = own ? "custom" : each ? "rates" : (slice.prior ?? "");
  const standard = { value: "", label: chosen === "" && prior ? `Default, here ${prior}` : "Default" };
  const fitting = declared.priors.filter(({ value, classes }) => classes === null || classes === size || value === chosen);
  const meant = declared.priors.find(({ value }) => value === (chosen || prior));
  /** @param {string} name */
  const choose = (name) => act.set("prior")(name === "custom" ? { a: 1, b: 1 } : name === "rates" ? written([1, 1, 1, 1]) : name || null);
  const owned = size === 2 || each ? [OWN, RATES] : [OWN];
  return html`<section class="settings" aria-label="Assumptions">
    ${slice.kind !== undefined && html`<${Segments} legend="Interval" value=${slice.kind} options=${declared.kinds} onValue=${act.set("kind")} />`}
    <${Segments} legend="Probability inside" value=${slice.level} options=${declared.levels} onValue=${act.set("level")} />
    ${!fixed && html`<${Select} label="Prior" value=${chosen} options=${[standard, ...fitting, ...owned]} onValue=${choose} />`}
    ${!fixed && own &&
    html`<div class="fields">
      <${NumberBox} label="a (right)" value=${slice.prior.a} low=${0} onValue=${act.set("prior.a")} />
      <${NumberBox} label="b (wrong)" value=${slice.prior.b} low=${0} onValue=${act.set("prior.b")} />
    </div>`}
    ${!fixed && each &&
    html`<div class="fields">${["Sensitivity: right", "missed", "Specificity: right", "false alarms"].map(
      (label, i) => html`<${NumberBox} key=${label} label=${label} value=${each[i]} low=${0} high=${1e12}
        onValue=${(/** @type {number} */ x) => act.set("prior")(written(each.map((now, k) => (k === i ? x : now))), { live: true })} />`,
    )}</div>
    <p class="hint">As if so many cases had been seen before: 8 right and 2 missed is a sensitivity of about 80%.</p>`}
    ${!fixed && meant && html`<p class="hint">${meant.meaning}</p>`}
  </section>`;
}

/** Sets that people ask for at once: of the positive class where there is one, else the mean over classes. @type {Record<string, string[]>} */
const SETS = {
  "A diagnostic paper's": ["recall", "specificity", "precision", "negative_predictive_value", "positive_likelihood_ratio", "negative_likelihood_ratio"],
  "scikit-learn's report": ["accuracy", "precision", "recall", "f1"],
  Agreement: ["accuracy", "kappa", "mcc"],
};

/** A long name of Python may go on in a new line after a part of it. @param {string} name */
const parted = (name) => name.split(/(?<=[_@])/).flatMap((part, i) => (i ? [html`<wbr />`, part] : [part]));

/** @param {{chosen: string[], titles: Record<string, string>, standard: boolean, positive: string | null, onMetrics: (metrics: string[] | null) =>
 * void}} props `titles`: what people call them, of several for one number only one; `standard`: the metrics are those of the report */
export function Metrics({ chosen, titles, standard, positive, onMetrics }) {
  const choices = Object.keys(titles);
  const all = [...chosen.filter((name) => !choices.includes(name)), ...choices];
  /** @param {string} name @param {boolean} on */
  const toggle = (name, on) => onMetrics(all.filter((other) => (other === name ? on : chosen.includes(other))));
  const [sought, seek] = useState("");
  const listed = named(choices, chosen, titles).sort((one, other) => one.label.localeCompare(other.label, "en"));
  const wanted = sought.trim().toLowerCase();
  const fits = (/** @type {Option} */ { value, label }) => `${label} ${value.replaceAll("_", " ")} ${value}`.toLowerCase().includes(wanted);
  const shown = listed.filter((option) => !wanted || fits(option));
  return html`<details class="metrics">
    <summary>Metrics <span class="hint">${standard ? "those of the report" : `${chosen.length} chosen`}</span></summary>
    <p class="buttons small"><button onClick=${() => onMetrics(null)} disabled=${standard}>Those of the report</button>
      ${Object.entries(SETS).map(([label, names]) => {
        const there = names.flatMap((name) => choices.filter((choice) => choice === name || (positive !== null && choice === `${name}@${positive}`) || (positive === null && choice === `${name}@macro`)));
        return there.length > 1 && html`<button key=${label} onClick=${() => onMetrics([...new Set(there)])}>${label}</button>`;
      })}</p>
    <label class="field"><span>Search</span><input type="search" value=${sought} placeholder="kappa, F1, specificity" autocomplete="off"
      onInput=${(/** @type {any} */ e) => seek(e.currentTarget.value)} /></label>
    ${wanted && !shown.length && html`<p class="hint">No metric has this name.</p>`}
    <div class="checks" role="group" aria-label="Metrics">${shown.map(({ value: name, label }) => {
      const on = chosen.includes(name);
      return html`<label key=${name}><input type="checkbox" checked=${on} disabled=${on && chosen.length === 1}
        onChange=${(/** @type {any} */ e) => toggle(name, e.currentTarget.checked)} />
        <span><bdi>${label}</bdi>${alike(label, name) ? "" : html` <small>${parted(name)}</small>`}</span></label>`;
    })}</div>
  </details>`;
}

/** Lines that can be edited; longer lists are edited where they come from. */
const MOST_LINES = 40;

/** @typedef {{key: string, title: unknown, called: string, read: (text: string) => unknown}} Column `called`: what it is read aloud as */

/** @param {{of: "entries"|"tables", one: string, rows: any[], first: string, columns: Column[], added: (last: any) => object, onPaste: (event: any)
 * => void, failure: Failure|null, act: Act}} props `of`: where the lines stand in the inputs, and in the request; `one` of them in a word;
 * `first`: the head of the names; `added`: a line more, but for its name */
export function Lines({ of, one, rows, first, columns, added, onPaste, failure, act }) {
  const change = (/** @type {(rows: any[]) => any[]} */ fn, /** @type {any} */ how) => act.change((now) => ({ ...now, [of]: fn(now[of]) }), how);
  const box = (/** @type {number} */ i, /** @type {Column} */ column) => {
    const place = `${of}[${i}]`;
    const wrong = [place, `${place}.${column.key}`].includes(failure?.field ?? "");
    const onValue = (/** @type {unknown} */ value) => change((now) => now.map((row, j) => (j === i ? { ...row, [column.key]: value } : row)), { live: true });
    return html`<td key=${column.key}><${Box} column=${column} value=${rows[i][column.key]} wrong=${wrong} onValue=${onValue}
      name=${`${column.called} of ${column.key === "name" ? `${one} ${i + 1}` : rows[i].name}`} /></td>`;
  };
  const names = { key: "name", title: first, called: "Name", read: (/** @type {string} */ text) => text.replace(/\s*[\r\n]\s*/g, " ") };
  const all = [names, ...columns];
  return html`<section class=${columns.length > 2 ? "entries fours" : "entries"} aria-label=${of === "tables" ? "Tables" : "Entries"}>
    <div class="scroll"><table onPaste=${onPaste}>
      <caption class="unseen">A line for each ${one}</caption>
      <thead><tr>${all.map(({ key, title }) => html`<th key=${key} scope="col">${title}</th>`)}<td></td></tr></thead>
      <tbody>${rows.slice(0, MOST_LINES).map(
        ({ name }, i) => html`<tr key=${i}>${all.map((column) => box(i, column))}
          <td>${rows.length > 2 && html`<button class="remove" aria-label=${`Remove ${name}`} title="Remove" onClick=${() => change((now) => now.filter((_, j) => j !== i), {})}>×</button>`}</td></tr>`,
      )}</tbody>
    </table></div>
    ${rows.length > MOST_LINES && html`<p class="hint">${rows.length - MOST_LINES} more are answered for and not listed here.</p>`}
    <p class="buttons small"><button onClick=${() => change((now) => [...now, { ...added(now[now.length - 1]), name: `${one} ${now.length + 1}` }], {})}>+ ${one[0].toUpperCase() + one.slice(1)}</button>
      <button onClick=${act.undo} disabled=${!act.canUndo}>Undo</button>
      <button onClick=${act.redo} disabled=${!act.canRedo}>Redo</button></p>
  </section>`;
}

/** @param {{column: Column, value: unknown, name: string, wrong: boolean, onValue: (value: unknown) => void}} props */
function Box({ column: { key, read }, value, name, wrong, onValue }) {
  const [text, type] = useText(value, read);
  const names = key === "name";
  return html`<${names ? "textarea" : "input"} type=${names ? null : "text"} rows=${names ? 1 : null} value=${names ? value : text} autocomplete="off"
    spellcheck=${false} inputmode=${names ? null : "decimal"} maxlength="200" aria-label=${name} aria-invalid=${wrong ? "true" : null}
    onInput=${(/** @type {any} */ e) => (type(e.currentTarget.value), onValue(read(e.currentTarget.value)))} />`;
}
