// @ts-check
/** A small spreadsheet: a name and some numbers in each line. */

import { html } from "../html.js";
import { useText } from "./fields.js";

/** Lines that can be edited; longer lists are edited where they come from. */
const MOST_LINES = 40;

/** @typedef {{key: string, title: unknown, called: string, read: (text: string) => unknown}} Column `called`: what it is read aloud as */

/**
 * @param {{of: "entries"|"tables", one: string, rows: any[], first: string, columns: Column[], added: (last: any) => object,
 *   onPaste: (event: any) => void, failure: import("../types").Failure|null, act: import("../types").Act}} props
 *   `of`: where the lines stand in the inputs, and in the request; `one` of them in a word; `first`: the head of the names;
 *   `added`: a line more, but for its name
 */
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
