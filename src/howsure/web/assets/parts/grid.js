// @ts-check
/** The confusion matrix as a small spreadsheet: a real table of number boxes, with names, totals and shares. */

import { fromShares, isExample, sharesOf, worst } from "../matrix.js";
import { html, useRef, useState } from "../html.js";
import * as edit from "../matrix.js";
import { NumberBox, Select, useId, useText } from "./fields.js";
import { isOneBox, Said, textOf, usePasteAnywhere, usePasted } from "./pasted.js";
import { useNarrow } from "./sheet.js";

/** @param {{matrix: Matrix, onMatrix: (matrix: Matrix) => void}} props */
export function Shares({ matrix, onMatrix }) {
  const [cases, setCases] = useState(/** @type {Record<number, number | null>} */ ({}));
  const [doubt, setDoubt] = useState("");
  const whole = sharesOf(matrix);
  if (!whole) return doubt ? html`<p class="note">${doubt}</p>` : null;
  const known = matrix.classes.map((_, i) => cases[i] ?? 0);
  const convert = () => {
    const made = fromShares(matrix, whole, known);
    const names = made.doubtful.map(([i, j]) => `true ${matrix.classes[i]}, predicted ${matrix.classes[j]}`);
    setDoubt(names.length ? `No whole number of cases gives the share of ${names.slice(0, 3).join("; ")}. The nearest is used; is the number of samples right?` : "");
    onMatrix(made.matrix);
  };
  return html`<details class="note shares" open=${matrix.counts.some((row) => row.some((x) => !Number.isInteger(x)))}>
    <summary>Each row adds to ${whole}. Are these ${whole === 100 ? "percentages" : "shares"}?</summary>
    <p>Enter how many samples of each true class were tested; they become counts.</p>
    <div class="fields">${matrix.classes.map(
      (name, i) => html`<${NumberBox} key=${i} label=${`Samples of ${name}`} value=${cases[i] ?? null} low=${1} whole=${true} empty=${true}
        onValue=${(/** @type {number | null} */ n) => setCases({ ...cases, [i]: n })} />`,
    )}</div>
    <p class="buttons small"><button onClick=${convert} disabled=${known.some((n) => n < 1)}>Convert to counts</button></p>
  </details>`;
}

const MOST = 12;

/** @param {{matrix: Matrix, onGo: (row: number, column: number) => void}} props */
export function WorstConfusions({ matrix, onGo }) {
  const errors = worst(matrix, MOST);
  if (!errors.length) return null;
  return html`<table class="data">
    <caption>Commonest confusions</caption>
    <thead><tr><th scope="col" class="words">true</th><th scope="col" class="words">predicted</th><th scope="col">count</th><td></td></tr></thead>
    <tbody>${errors.map(
      ({ truth, called, count }) => html`<tr key=${`${truth} ${called}`}>
        <th scope="row"><bdi>${matrix.classes[truth]}</bdi></th><td class="words"><bdi>${matrix.classes[called]}</bdi></td><td>${String(count)}</td>
        <td><button class="quiet" aria-label=${`Show true ${matrix.classes[truth]}, predicted ${matrix.classes[called]}`} onClick=${() => onGo(truth, called)}>Show</button></td>
      </tr>`,
    )}</tbody>
  </table>`;
}

/** @typedef {{row_share: string[][], sentence: string}} Words @typedef {(matrix: Matrix, how?: How, unlabelled?: number[] | null) => void} OnMatrix */

/** Up to here all cells stand side by side; beyond, a window of so many classes moves over the matrix. */
const MOST_IN_FULL = 12;
const WINDOW = 10;

/** @param {{matrix: Matrix, said: Words | null, failure: Failure | null, onMatrix: OnMatrix, onPasted?: (matrix: Matrix) => unknown, act: Act,
 * place?: string, name?: string, estimates?: boolean, onOther?: (read: any) => string}} props `onPasted`: takes a matrix that is pasted, if that
 * is no edit like others; `place`: where the matrix stands in the request, for the fields that a failure names; `estimates`: whether cases without
 * a truth have a place beside the matrix, which is then the one that all of the page is about; `onOther` takes what was pasted and is no single
 * matrix, and answers with a sentence on what became of it */
export function MatrixGrid({ matrix, said, failure, onMatrix, onPasted, act, place = "matrix", name = "Confusion matrix", estimates = false, onOther }) {
  const id = useId("grid");
  const table = useRef(/** @type {any} */ (null));
  const narrow = useNarrow();
  const taken = (/** @type {Matrix} */ made, /** @type {number[] | null} */ unlabelled) => {
    if (onPasted) onPasted(made);
    else if (estimates) onMatrix(made, {}, unlabelled);
    else onMatrix(made);
  };
  const { message, tell, read } = usePasted({ matrix, onMatrix: taken, onOther, estimates });
  const size = matrix.classes.length;
  const large = size > MOST_IN_FULL;
  const [corner, setCorner] = useState({ row: 0, column: 0 });
  const rows = large ? range(clamp(corner.row, size), WINDOW, size) : range(0, size, size);
  const columns = large ? range(clamp(corner.column, size), WINDOW, size) : range(0, size, size);
  const fits = said !== null && said.row_share.length === size && !failure;
  const sums = edit.totals(matrix);
  const wrong = failure && edit.isBeside(failure) && failure.field?.startsWith(`${place}.`) ? failure : null;
  const problem = wrong && cellProblem(matrix, place, wrong);

  /** @param {ClipboardEvent} event */
  const paste = (event) => {
    const text = textOf(event);
    const { dataset, tagName } = /** @type {any} */ (event.target);
    const isName = tagName === "TEXTAREA" && table.current?.contains(event.target);
    if (isOneBox(text, isName ? false : dataset.row !== undefined || null)) return;
    event.preventDefault();
    read(text);
  };
  usePasteAnywhere(estimates ? paste : null);
  /** @param {any} event */
  const keys = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    // a name goes on in a further line by itself
    if (event.key === "Enter" && event.target.tagName === "TEXTAREA") return event.preventDefault();
    const next = event.key === "Tab" ? tabbed(table.current, event) : stepped(table.current, event);
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.select?.();
  };
  const clear = () => {
    // an example takes its names with it, but where another matrix has the same
    const empty = size === 2 && isExample(matrix) && !onPasted ? edit.PUBLISHED : edit.cleared(matrix);
    if (estimates) onMatrix(empty, {}, null);
    else onMatrix(empty);
    tell("Cleared: type or paste counts, or undo.");
    table.current.querySelector("[data-row]")?.focus();
  };
  const transpose = () => {
    onMatrix(edit.transposed(matrix));
    tell("Transposed: what were columns are rows now.");
  };

  return html`<section class="matrix" aria-label=${name} data-size=${size > 3 ? "many" : "few"} data-classes=${size}>
    ${large && html`<${Windows} matrix=${matrix} corner=${corner} onCorner=${setCorner} />`}
    <div class="scroll">
      <table class="grid" ref=${table} onPaste=${paste} onKeyDown=${keys}>
        <caption class="unseen">${name}: rows are the true class, columns the predicted class</caption>
        <thead>
          <tr><td colspan="2" rowspan="2"></td><th scope="colgroup" class="axis" colspan=${columns.length}>Predicted class</th></tr>
          <tr>${columns.map((j) => html`<th key=${j} scope="col" class="name" title=${matrix.classes[j]}><bdi>${matrix.classes[j]}</bdi></th>`)}
            <th scope="col" class="total">n</th></tr>
        </thead>
        <tbody>${rows.map(
          (i, at) => html`<tr key=${i}>
            ${at === 0 && html`<th scope="rowgroup" class="axis side" rowspan=${rows.length}><span>True class</span></th>`}
            <th scope="row" class="name"><div class="label">
              <textarea rows="1" value=${matrix.classes[i]} aria-label=${`Name of class ${i + 1}`} maxlength="200" spellcheck=${false}
                onInput=${(/** @type {any} */ e) => onMatrix(edit.withName(matrix, i, e.currentTarget.value.replace(/\s*[\r\n]\s*/g, " ")), { live: true })}></textarea>
              ${size > 2 && html`<button class="remove" aria-label=${`Remove class ${matrix.classes[i]}`} title="Remove this class"
                onClick=${() => onMatrix(edit.withoutClass(matrix, i))}>×</button>`}</div></th>
            ${columns.map((j) => html`<${Cell} key=${j} matrix=${matrix} i=${i} j=${j} share=${sums.shares[i][j]}
              wrong=${wrong?.field === `${place}.counts[${i}][${j}]`} message=${`${id}-wrong`} onMatrix=${onMatrix} />`)}
            <td class="total" data-value=${`row_total@${matrix.classes[i]}`}>${sums.rows[i]}</td>
          </tr>`,
        )}</tbody>
        <tfoot><tr><td></td><th scope="row" class="total">n</th>
          ${columns.map((j) => html`<td key=${j} class="total" data-value=${`column_total@${matrix.classes[j]}`}>${sums.columns[j]}</td>`)}
          <td class="total all" data-value="n">${sums.n}</td></tr></tfoot>
      </table>
    </div>
    <p class="wrong" id=${`${id}-wrong`} role="alert">${problem}</p>
    <${Said} message=${message} />
    ${estimates && narrow && html`<${PasteHere} onText=${read} />`}
    <p class="sentence" data-value="sentence">${fits ? said.sentence : ""}</p>
    <p class="buttons small">
      <button onClick=${() => onMatrix(edit.withClass(matrix))} disabled=${size >= edit.MOST_CLASSES}>+ Class</button>
      <button onClick=${() => onMatrix(edit.withoutClass(matrix, size - 1))} disabled=${size <= 2}>− Class</button>
      <button onClick=${transpose} title="Swap rows and columns">Transpose</button>
      <button onClick=${clear} title="Empty all cells; names that are yours stay">Clear</button>
      <span class="together"><button onClick=${act.undo} disabled=${!act.canUndo} title="Ctrl+Z">Undo</button>
        <button onClick=${act.redo} disabled=${!act.canRedo} title="Ctrl+Shift+Z">Redo</button></span>
    </p>
    ${size === 2 && html`<${Positive} matrix=${matrix} both=${estimates} onMatrix=${onMatrix} />`}
    <${Shares} matrix=${matrix} onMatrix=${onMatrix} />
    ${large && html`<${WorstConfusions} matrix=${matrix} onGo=${(/** @type {number} */ row, /** @type {number} */ column) => setCorner({ row, column })} />`}
  </section>`;
}

/** A box for what is pasted where there are no keys for it, as on a phone. @param {{onText: (text: string) => unknown}} props */
function PasteHere({ onText }) {
  const id = useId("paste");
  const [text, setText] = useState("");
  const read = () => (onText(text), setText(""));
  return html`<div class="field paste-here"><label for=${id}>Paste a table, or four counts</label>
    <textarea id=${id} rows="1" spellcheck=${false} value=${text} placeholder="45, 5, 8, 92" onInput=${(/** @type {any} */ e) => setText(e.currentTarget.value)}></textarea>
    ${text.trim() && html`<p class="buttons small"><button onClick=${read}>Read it</button></p>`}</div>`;
}

/** @param {{matrix: Matrix, i: number, j: number, share: string, wrong: boolean, message: string, onMatrix: OnMatrix}} props */
function Cell({ matrix, i, j, share, wrong, message, onMatrix }) {
  const [truth, called] = [matrix.classes[i], matrix.classes[j]];
  const value = matrix.counts[i][j];
  const sort = i === j ? "right" : "astray";
  const [text, type] = useText(value, edit.cell);
  const named = edit.positiveOf(matrix.classes, matrix.positive) !== null;
  return html`<td class=${`cell ${sort} shade-${edit.shade(matrix, i, j)}`}>
    <input type="text" inputmode="numeric" autocomplete="off" value=${text} placeholder=${named ? kind(matrix, i, j) : null}
      data-row=${i} data-column=${j} aria-label=${`true ${truth}, predicted ${called}`}
      aria-invalid=${wrong ? "true" : null} aria-describedby=${wrong ? message : null}
      onFocus=${(/** @type {any} */ e) => e.currentTarget.select()}
      onInput=${(/** @type {any} */ e) => (type(e.currentTarget.value), onMatrix(edit.withCell(matrix, i, j, e.currentTarget.value), { live: true }))} />
    <span class="share" data-value=${`share@${truth}@${called}`}>${share}</span>
    ${named && value !== null && html`<abbr class="kind" title=${KINDS[kind(matrix, i, j)]}>${kind(matrix, i, j)}</abbr>`}
  </td>`;
}

/** @type {Record<string, string>} */
const KINDS = { TP: "true positives", FN: "false negatives", FP: "false positives", TN: "true negatives" };

/** @param {Matrix} matrix @param {number} i @param {number} j */
function kind(matrix, i, j) {
  const called = matrix.classes[j] === matrix.positive;
  return `${i === j ? "T" : "F"}${called ? "P" : "N"}`;
}

/** What is wrong with a cell, which is named by its classes; or with the matrix. @param {Matrix} matrix @param {string} place
 * @param {Failure} failure */
function cellProblem({ classes, counts }, place, { field, message }) {
  const [, i, j] = field?.slice(place.length).match(/^\.counts\[(\d+)\]\[(\d+)\]$/)?.map(Number) ?? [];
  if (i === undefined || classes[i] === undefined || classes[j] === undefined) return message;
  if (counts.flat().every((count) => count === null)) return "Type the counts, or paste a table into a cell.";
  return `True ${classes[i]}, predicted ${classes[j]}: ${counts[i][j] === null ? "this cell is empty; enter 0 if there was none" : message}.`;
}

/** @param {{matrix: Matrix, both: boolean, onMatrix: OnMatrix}} props `both`: until one is chosen, both classes are answered for */
function Positive({ matrix, both, onMatrix }) {
  const name = useId("positive");
  const chosen = edit.positiveOf(matrix.classes, matrix.positive);
  return html`<fieldset class=${chosen === null ? "radios asked" : "radios"}><legend>${chosen === null ? "Which class is the positive one?" : "Positive class"}</legend>
    ${matrix.classes.map(
      (each, i) => html`<label key=${i}><input type="radio" name=${name} checked=${each === chosen}
        onChange=${() => onMatrix({ ...matrix, positive: each })} /> <bdi>${each}</bdi></label>`,
    )}
    ${chosen === null && html`<p class="hint">The one that the test looks for. The names do not say it${both ? ", so until you choose, both classes are answered for" : ""}.</p>`}
  </fieldset>`;
}

/** @param {{matrix: Matrix, corner: {row: number, column: number}, onCorner: (corner: any) => void}} props */
function Windows({ matrix, corner, onCorner }) {
  const starts = range(0, Math.ceil(matrix.classes.length / WINDOW), Infinity).map((k) => k * WINDOW);
  const options = starts.map((start) => ({
    value: start,
    label: `${start + 1} to ${Math.min(start + WINDOW, matrix.classes.length)} of ${matrix.classes.length}, from ${matrix.classes[start]}`,
  }));
  const near = (/** @type {number} */ start) => Math.floor(start / WINDOW) * WINDOW;
  return html`<div class="fields">
    <${Select} label="True classes" value=${near(corner.row)} options=${options} onValue=${(/** @type {number} */ row) => onCorner({ ...corner, row })} />
    <${Select} label="Predicted classes" value=${near(corner.column)} options=${options} onValue=${(/** @type {number} */ column) => onCorner({ ...corner, column })} />
  </div>`;
}

/** Where Tab leads: through the names first, then from cell to cell, so that counts are typed one after the other. @param {HTMLElement} table
 * @param {KeyboardEvent} event @returns {any} null: out of the table, as the browser goes */
function tabbed(table, { target, shiftKey }) {
  const stops = [...table.querySelectorAll("th.name textarea, th.name button"), ...table.querySelectorAll("[data-row]")];
  const at = stops.indexOf(/** @type {Element} */ (target));
  return at < 0 ? null : (stops[at + (shiftKey ? -1 : 1)] ?? null);
}

/** Where an arrow or Enter leads; Enter in the last row goes to the top of the next column. @param {HTMLElement} table @param {any} event
 * @returns {any} */
function stepped(table, event) {
  const { row, column } = event.target.dataset;
  const step = row === undefined ? null : stepOf(event);
  if (!step) return null;
  const cell = (/** @type {number} */ i, /** @type {number} */ j) => table.querySelector(`[data-row="${i}"][data-column="${j}"]`);
  const next = cell(Number(row) + step[0], Number(column) + step[1]);
  if (next || event.key !== "Enter" || event.shiftKey) return next;
  const top = Math.min(...[...table.querySelectorAll("[data-row]")].map((each) => Number(/** @type {HTMLElement} */ (each).dataset.row)));
  return cell(top, Number(column) + 1) ?? event.target;
}

/** Where a key leads from a cell; left and right only where the caret has nowhere to go. @param {any} event @returns {[number, number] | null} */
function stepOf({ key, shiftKey, target }) {
  const { selectionStart: start, selectionEnd: end, value } = target;
  const all = start === 0 && end === value.length;
  if (key === "ArrowUp" || (key === "Enter" && shiftKey)) return [-1, 0];
  if (key === "ArrowDown" || key === "Enter") return [1, 0];
  if (key === "ArrowLeft" && !shiftKey && (all || (start === 0 && end === 0))) return [0, -1];
  if (key === "ArrowRight" && !shiftKey && (all || (start === value.length && end === value.length))) return [0, 1];
  return null;
}

/** @param {number} start @param {number} many @param {number} end @returns {number[]} */
const range = (start, many, end) => Array.from({ length: Math.min(many, end - start) }, (_, k) => start + k);

/** @param {number} start @param {number} size */
const clamp = (start, size) => Math.max(0, Math.min(Math.floor(start / WINDOW) * WINDOW, size - 1));
