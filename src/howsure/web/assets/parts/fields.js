// @ts-check
/** Fields of a form: one of a few, one of many, a number. A number that is none stays as typed, and says what is wrong. */

import { declared } from "../declared.js";
import { html, useLayoutEffect, useRef, useState } from "../html.js";

/** @typedef {{value: any, label: string, title?: string}} Option */

/** Metrics to choose from by what they are called, with those that are chosen among them whatever they are.
 * @param {string[] | undefined} names @param {string | string[]} chosen @param {Record<string, string>} [titles] by name; none: it is another one by another name
 * @returns {Option[]} */
export function named(names = [], chosen, titles = {}) {
  const kept = [chosen].flat();
  const listed = [...kept.filter((name) => !names.includes(name)), ...names.filter((name) => kept.includes(name) || titles[name] !== "")];
  return listed.map((value) => ({ value, label: titles[value] || called(value) }));
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

/**
 * One of a few, as radio buttons side by side.
 * @param {{legend: string, value: any, options: Option[], onValue: (value: any) => void, hidden?: boolean, onTap?: (value: any) => void}} props
 *   `onTap`: one is chosen by a finger or a mouse, not by keys
 */
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

/**
 * One of many.
 * @param {{label: string, value: any, options: Option[], onValue: (value: any) => void, hidden?: boolean}} props
 */
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

/**
 * A number. What is typed and is none is kept in the box and handed on as nothing.
 * @param {{label: string, value: number | null, onValue: (value: number | null, how: {live: boolean}) => void,
 *   low?: number, high?: number, whole?: boolean, hidden?: boolean, hint?: string, unit?: string, empty?: boolean, name?: string}} props
 *   `empty`: the box may be empty, which is null; `name`: where the label does not say it all, what is read aloud
 */
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
  const before = value === null ? "" : ` Answered for ${value}${unit ? ` ${unit}` : ""}.`;
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

/** A number as people type it: "1e-3", ".5", "12,5" where no dot is, and "1,000" as what fits, thousands first.
 * @param {string} typed @param {number} high @param {boolean} whole @returns {number | null} */
export function parsed(typed, high, whole) {
  const text = typed.trim();
  const set = whole ? text.replaceAll(".", ",") : text;
  const many = GROUPED.test(set) ? Number(set.replace(/[,'’\s]/g, "")) : Infinity;
  if (many <= high && many < Infinity) return many;
  const plain = text.replace(/^([^.,]*),([^.,]*)$/, "$1.$2");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return null;
  return Number(plain);
}
