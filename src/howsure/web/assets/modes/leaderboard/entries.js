// @ts-check
/** The entries as a small spreadsheet. */

import { html } from "../../html.js";

/** @typedef {import("./slice.js").Entry} Entry */

/** Lines that can be edited; longer boards are edited where they come from. */
const MOST_LINES = 30;

/** @param {{entries: Entry[], onPaste: (event: any) => void, failure: import("../../types").Failure|null, act: import("../../types").Act}} props */
export function Entries({ entries, onPaste, failure, act }) {
  const counted = entries.every((entry) => entry.score === undefined);
  const edit = (/** @type {number} */ i, /** @type {object} */ patch) =>
    act.change((now) => ({ ...now, entries: now.entries.map((/** @type {Entry} */ entry, /** @type {number} */ j) => (j === i ? { ...entry, ...patch } : entry)) }), { live: true });
  const add = () =>
    act.change((now) => {
      const last = now.entries[now.entries.length - 1];
      return { ...now, entries: [...now.entries, { ...last, name: `entry ${now.entries.length + 1}` }] };
    });
  const remove = (/** @type {number} */ i) => act.change((now) => ({ ...now, entries: now.entries.filter((/** @type {Entry} */ _, /** @type {number} */ j) => j !== i) }));
  const wrong = failure?.field?.startsWith("entries") ? failure.field : "";
  const box = (/** @type {number} */ i, /** @type {string} */ key, /** @type {string} */ what, /** @type {(text: string) => unknown} */ read) => {
    const entry = /** @type {any} */ (entries[i]);
    return html`<td><input type="text" value=${entry[key] ?? ""} autocomplete="off" spellcheck="false" inputmode=${key === "name" ? null : "decimal"}
      maxlength="200" aria-label=${`${what} of ${key === "name" ? `entry ${i + 1}` : entry.name}`} aria-invalid=${wrong.startsWith(`entries[${i}]`) ? "true" : null}
      onInput=${(/** @type {any} */ e) => edit(i, { [key]: read(e.currentTarget.value) })} /></td>`;
  };
  return html`<section class="entries" aria-label="Entries">
    <div class="scroll"><table onPaste=${onPaste}>
      <caption class="unseen">Entries of the leaderboard</caption>
      <thead><tr><th scope="col">entry</th><th scope="col">${counted ? "right answers" : "score"}</th><th scope="col">n</th><td></td></tr></thead>
      <tbody>${entries.slice(0, MOST_LINES).map(
        (entry, i) => html`<tr key=${i}>${box(i, "name", "Name", (text) => text)}
          ${counted ? box(i, "correct", "Right answers", whole) : box(i, "score", "Score", (text) => text.trim())}
          ${box(i, "n", "Number of cases", whole)}
          <td>${entries.length > 2 && html`<button class="remove" aria-label=${`Remove ${entry.name}`} title="Remove" onClick=${() => remove(i)}>×</button>`}</td></tr>`,
      )}</tbody>
    </table></div>
    ${entries.length > MOST_LINES && html`<p class="hint">${entries.length - MOST_LINES} more entries are ranked and not listed here.</p>`}
    <p class="buttons small"><button onClick=${add}>+ Entry</button>
      <button onClick=${act.undo} disabled=${!act.canUndo}>Undo</button>
      <button onClick=${act.redo} disabled=${!act.canRedo}>Redo</button></p>
  </section>`;
}

/** A whole number, or the text as it is for the server to say what is wrong with it.
 * @param {string} text */
const whole = (text) => (/^\s*\d{1,15}\s*$/.test(text) ? Number(text) : text.trim() || null);
