// @ts-check
/** Rows from the clipboard, pasted into a cell of a small spreadsheet, into a box of text, or just pasted; read as a file would be. */

import { html, useState } from "../html.js";
import { useId } from "./fields.js";
import { usePasteAnywhere } from "./pasted.js";
import { Outcome, useReading } from "./reading.js";

/** @typedef {{reading: ReturnType<typeof useReading>, read: (text: string) => Promise<boolean>, into: (event: any) => void}} Pasting */

/**
 * @param {(reads: import("./reading.js").Reads) => string} onRead
 * @param {{always?: string, about?: unknown}} how
 * @returns {Pasting}
 */
export function usePasting(onRead, { always = "", about = null }) {
  const reading = useReading(onRead, always, about);
  const read = (/** @type {string} */ text) => reading.take([{ name: `the text.${text.includes("\t") ? "tsv" : "csv"}`, text, pasted: true }]);
  /** A text of several cells is no content of one cell. @param {any} event */
  const into = (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!/[\t\n\r]/.test(text.trim())) return;
    event.preventDefault();
    read(text);
  };
  usePasteAnywhere(into);
  return { reading, read, into };
}

/** @param {{summary: string, label: string, placeholder: string, pasting: Pasting}} props */
export function PasteBox({ summary, label, placeholder, pasting }) {
  const id = useId("pasted");
  const [text, setText] = useState("");
  const read = () => pasting.read(text).then((done) => done && setText(""));
  return html`<div class="pasting">
    <details class="paste"><summary>${summary}</summary>
      <div class="field"><label for=${id}>${label}</label>
        <textarea id=${id} rows="6" spellcheck=${false} value=${text} placeholder=${placeholder}
          onInput=${(/** @type {any} */ e) => setText(e.currentTarget.value)}></textarea></div>
      <p class="buttons small"><button disabled=${!text.trim()} onClick=${read}>Read it</button></p>
    </details>
    <${Outcome} reading=${pasting.reading} />
  </div>`;
}
