// @ts-check
/** A table that is pasted, or the figures of an abstract. The server reads it, as it reads files. */

import { post, Refused } from "../api.js";
import { isExample } from "../matrix.js";
import { html, useLayoutEffect, useRef, useState } from "../html.js";
import * as edit from "../matrix.js";
import { parsed, useId } from "./fields.js";
import { Outcome, placeOf, route, seen, useReading, useSaid } from "./reading.js";
import { UNREACHED } from "../transport.js";

/** What takes a paste by itself; what is tapped, chosen or drawn takes none. */
const BOXES = "input:not([type=radio], [type=checkbox], [type=range]), textarea, dialog, table.grid";
/** A box of one line, which takes no table. */
const LINE = "input[type=text], input[type=search]";

/** @param {ClipboardEvent} event */
function isForPage(event) {
  const place = /** @type {Element} */ (event.target);
  if (event.defaultPrevented || place.closest("dialog, table.grid")) return false;
  const several = /[\t\n\r]/.test(event.clipboardData?.getData("text/plain").trim() ?? "");
  return !place.closest(BOXES) || (several && place.matches(LINE));
}

/** @param {((event: ClipboardEvent) => unknown) | null} take */
export function usePasteAnywhere(take) {
  const latest = useRef(take);
  latest.current = take;
  useLayoutEffect(() => {
    const listen = (/** @type {ClipboardEvent} */ event) => {
      if (isForPage(event)) latest.current?.(event);
    };
    document.addEventListener("paste", listen);
    return () => document.removeEventListener("paste", listen);
  }, []);
}

/** @typedef {{text: string, refused: boolean, orders: {label: string, take: () => void}[]}} Message `orders`: in which four counts may be meant, or
 * where else it has an answer */

/** @type {Message} */
const SILENCE = { text: "", refused: false, orders: [] };

/** Signs of a text that is pasted; the server takes no more, but files may be longer. */
const LONGEST = 1_000_000;

/** @param {{matrix: Matrix, about?: unknown, onMatrix: (matrix: Matrix, unlabelled: number[] | null) => string | void, onOther?: (read: any) =>
 * string, estimates?: boolean, unsure?: string}} props `matrix`: whose names counts without any get; `about`: what a message is about, if that is
 * not the matrix; `onMatrix` takes a matrix, and may answer with a sentence on where it went; `onOther` what is no single one; `estimates`:
 * whether cases without a truth have a place; `unsure`: why a matrix has none */
export function usePasted({ matrix, about = matrix, onMatrix, onOther, estimates = false, unsure = "" }) {
  const [message, say] = useSaid(SILENCE, about);
  const tell = (/** @type {string} */ text) => say({ ...SILENCE, text });
  const refuse = (/** @type {string} */ text) => say({ ...SILENCE, text: `${text[0].toUpperCase()}${text.slice(1)}`, refused: true });
  /** @param {string} text */
  const read = async (text) => {
    const four = edit.fourOf(text);
    if (four) {
      if (unsure) return refuse(unsure);
      const own = matrix.classes.length === 2 && !isExample(matrix) ? matrix : null;
      const orders = edit.ORDERS[four.letters ? "letters" : "plain"].map(({ label, at }) => ({
        label,
        take: () => tell(["Taken as", label, onMatrix(edit.ofFour(four.counts, at, own), null)].filter(Boolean).join(" ")),
      }));
      return say({ ...SILENCE, text: `${four.counts.join(", ")}: in which order?`, orders });
    }
    if (text.length > LONGEST) return refuse("This is more than a million signs; drop it as a file instead.");
    tell("Reading …");
    // the names of an example are not those of what is pasted
    const own = (/** @type {string} */ name, /** @type {number} */ i) => (isExample(matrix) ? `class ${i + 1}` : name);
    const names = matrix.classes.every(Boolean) ? { classes: matrix.classes.map(own) } : {};
    try {
      const found = await post("paste", { text, ...names });
      if (found.kind === "data") found.text ??= text;
      if (found.kind !== "matrix" && onOther) return tell([onOther(found), ...found.notes].join(" "));
      if (found.kind !== "matrix") {
        const { what, title } = placeOf(found);
        return say({ text: `It reads as ${what}; here one matrix is asked about.`, refused: true, orders: [{ label: `Open it in ${title}`, take: () => route(found) }] });
      }
      if (unsure) return refuse(unsure);
      const { classes, counts, positive, unlabelled = null } = found.matrix;
      if (unlabelled && !estimates) return refuse("Some truths are missing in this table; paste it under Evaluate.");
      const went = onMatrix({ classes, counts, positive: edit.positiveOf(classes, classes.includes(matrix.positive) ? matrix.positive : positive) }, unlabelled);
      tell([`Pasted ${classes.length} classes.`, went, ...found.notes].filter(Boolean).join(" "));
    } catch (trouble) {
      refuse(trouble instanceof Refused ? trouble.message : UNREACHED);
    }
  };
  return { message, tell, read };
}

/** Whether a text belongs into the one box that it was pasted into, where what is wrong with it is said of that box. @param {string} text
 * @param {boolean | null} isCount null: into no box @returns {boolean} */
export const isOneBox = (text, isCount) => !/[\t\n\r]/.test(text.trim()) && !(isCount !== false && edit.fourOf(text)) && !(isCount === null && /\d\D+\d/.test(text)) && !(isCount !== false && typeof edit.cell(text) !== "number" && (/[[({;&|=:]/.test(text) || /\d\D*[a-z]{2}\D*\d/i.test(text)));

/** @param {ClipboardEvent} event */
export const textOf = (event) => event.clipboardData?.getData("text/plain") ?? "";

/** What is said of a text. @param {{message: Message}} props */
export const Said = ({ message }) => html`<p class=${message.refused ? "hint refused" : "hint"} role="status" ref=${message.refused || message.orders.length ? seen : null}>${message.text}</p>
  ${message.orders.length > 0 && html`<p class="buttons small">${message.orders.map(({ label, take }) => html`<button key=${label} onClick=${take}>${label}</button>`)}</p>`}`;

/** Takes what is pasted outside of a matrix, in a tab that need not show one. @param {Parameters<typeof usePasted>[0]} props */
export function JustPasted(props) {
  const { message, read } = usePasted(props);
  usePasteAnywhere((event) => {
    if (isOneBox(textOf(event), null)) return;
    event.preventDefault();
    read(textOf(event));
  });
  return html`<${Said} message=${message} />`;
}

/** @typedef {{reading: ReturnType<typeof useReading>, read: (text: string) => Promise<boolean>, into: (event: any) => void}} Pasting */

/** @param {(reads: Reads) => string} onRead @param {{always?: string, about?: unknown}} how @returns {Pasting} */
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

/** @type {[string, string, string][]} name in the request, label, example */
const FIGURES = [
  ["sensitivity", "Sensitivity", "0.84 or 84%"],
  ["specificity", "Specificity", "0.90 or 90%"],
  ["positives", "Cases with the condition", "50 or 30%"],
  ["negatives", "Cases without it", "50"],
  ["n", "or cases in all", "100"],
];
/** Of the last three boxes. */
const TWO = "Two of these three are enough; with the condition may be a number or, next to cases in all, the prevalence.";

const UNSAID = { text: "", wrong: "" };

/** @param {{matrix: Matrix, onMatrix: (matrix: Matrix) => void}} props */
export function Abstract({ matrix, onMatrix }) {
  const [typed, setTyped] = useState(/** @type {Record<string, string>} */ ({}));
  const [said, setSaid] = useSaid(UNSAID, matrix);
  /** @param {Event} event */
  const find = async (event) => {
    event.preventDefault();
    const { sensitivity = "", specificity = "" } = typed;
    const cases = (typed.positives ?? "").trim();
    /** @type {Record<string, string | number>} */
    const sizes = /%|^0?[.,]/.test(cases) ? { prevalence: cases } : {};
    for (const name of "prevalence" in sizes ? ["negatives", "n"] : ["positives", "negatives", "n"]) {
      const text = (typed[name] ?? "").trim();
      if (text) sizes[name] = parsed(text, Infinity, true) ?? text;
    }
    try {
      const read = await post("reconstruct", { sensitivity: sensitivity.trim(), specificity: specificity.trim(), ...sizes });
      onMatrix(read.matrix);
      setSaid({ text: read.notes.join(" "), wrong: "" });
    } catch (trouble) {
      if (!(trouble instanceof Refused)) return setSaid({ text: UNREACHED, wrong: "" });
      const { message, field } = trouble.failure;
      setSaid({ text: message, wrong: field === "prevalence" ? "positives" : (field ?? "") });
    }
  };
  return html`<details class="paste"><summary>From a published abstract</summary>
    <form onSubmit=${find}>
      <div class="pairs">${FIGURES.map(
        ([name, label, example]) => html`<label key=${name} class="field"><span>${label}</span>
          <input type="text" inputmode=${name.endsWith("ity") || name === "positives" ? "text" : "numeric"} placeholder=${example} value=${typed[name] ?? ""} maxlength="20"
            aria-invalid=${said.wrong === name ? "true" : null}
            onInput=${(/** @type {any} */ e) => setTyped({ ...typed, [name]: e.currentTarget.value })} /></label>`,
      )}</div>
      <p class="hint">${TWO}</p>
      <p class="buttons"><button>Find the table</button></p>
      <p class="hint" role="status">${said.text}</p>
    </form>
  </details>`;
}
