// @ts-check
/** The matrix behind the figures of an abstract: sensitivity, specificity, and how many were tested. */

import { post, Refused } from "../api.js";
import { html, useState } from "../html.js";
import { parsed } from "./fields.js";
import { useSaid } from "./said.js";
import { UNREACHED } from "../transport.js";

/** @type {[string, string, string][]} name in the request, label, example */
const BOXES = [
  ["sensitivity", "Sensitivity", "0.84 or 84%"],
  ["specificity", "Specificity", "0.90 or 90%"],
  ["positives", "Cases with the condition", "50 or 30%"],
  ["negatives", "Cases without it", "50"],
  ["n", "or cases in all", "100"],
];
/** Of the last three boxes. */
const TWO = "Two of these three are enough; with the condition may be a number or, next to cases in all, the prevalence.";

const SILENCE = { text: "", wrong: "" };

/** @param {{matrix: import("../types").Matrix, onMatrix: (matrix: import("../types").Matrix) => void}} props */
export function Abstract({ matrix, onMatrix }) {
  const [typed, setTyped] = useState(/** @type {Record<string, string>} */ ({}));
  const [said, setSaid] = useSaid(SILENCE, matrix);
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
      <div class="pairs">${BOXES.map(
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
