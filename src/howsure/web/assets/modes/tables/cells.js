// @ts-check
/** The tables as a small spreadsheet: a name and four cells a row. */

import { html } from "../../html.js";
import { cell as count } from "../../matrix.js";
import { CELLS } from "./slice.js";

/** @typedef {import("./slice.js").Four} Four */

/** Rows that can be edited; longer tables are edited where they come from. */
const MOST_LINES = 40;

/** @type {Record<string, string>} */
const MEANT = { tp: "True positives", fn: "False negatives", fp: "False positives", tn: "True negatives" };

/** @param {{tables: Four[], onPaste: (event: any) => void, unit: string, failure: import("../../types").Failure|null, act: import("../../types").Act}} props */
export function Cells({ tables, onPaste, unit, failure, act }) {
  const edit = (/** @type {number} */ i, /** @type {object} */ patch) =>
    act.change((now) => ({ ...now, tables: now.tables.map((/** @type {Four} */ one, /** @type {number} */ j) => (j === i ? { ...one, ...patch } : one)) }), { live: true });
  const add = () => act.change((now) => ({ ...now, tables: [...now.tables, { name: `table ${now.tables.length + 1}`, tp: 0, fn: 0, fp: 0, tn: 0 }] }));
  const remove = (/** @type {number} */ i) => act.change((now) => ({ ...now, tables: now.tables.filter((/** @type {Four} */ _, /** @type {number} */ j) => j !== i) }));
  const wrong = failure?.field ?? "";
  const box = (/** @type {number} */ i, /** @type {"name"|"tp"|"fn"|"fp"|"tn"} */ key) => {
    const [one, name] = [tables[i], key === "name"];
    const what = name ? `Name of table ${i + 1}` : `${MEANT[key]} of ${one.name}`;
    return html`<td key=${key}><input type="text" value=${one[key] ?? ""} autocomplete="off" spellcheck="false" inputmode=${name ? null : "numeric"} maxlength="200"
      aria-label=${what} aria-invalid=${wrong === `tables[${i}].${key}` || wrong === `tables[${i}]` ? "true" : null} class=${name ? "words" : ""}
      onInput=${(/** @type {any} */ e) => edit(i, { [key]: name ? e.currentTarget.value : count(e.currentTarget.value) })} /></td>`;
  };
  return html`<section class="entries fours" aria-label="Tables">
    <div class="scroll"><table onPaste=${onPaste}>
      <caption class="unseen">Four cells of each study, site or slice</caption>
      <thead><tr><th scope="col">${unit}</th>${CELLS.map((cell) => html`<th key=${cell} scope="col"><abbr title=${MEANT[cell]}>${cell.toUpperCase()}</abbr></th>`)}<td></td></tr></thead>
      <tbody>${tables.slice(0, MOST_LINES).map(
        (one, i) => html`<tr key=${i}>${box(i, "name")}${CELLS.map((cell) => box(i, cell))}
          <td>${tables.length > 2 && html`<button class="remove" aria-label=${`Remove ${one.name}`} title="Remove" onClick=${() => remove(i)}>×</button>`}</td></tr>`,
      )}</tbody>
    </table></div>
    ${tables.length > MOST_LINES && html`<p class="hint">${tables.length - MOST_LINES} more tables are answered for and not listed here.</p>`}
    <p class="buttons small"><button onClick=${add}>+ Table</button>
      <button onClick=${act.undo} disabled=${!act.canUndo}>Undo</button>
      <button onClick=${act.redo} disabled=${!act.canRedo}>Redo</button></p>
  </section>`;
}
