// @ts-check
/** What is tapped: a word that says what it means, a sentence that is copied, examples to begin with. */

import { declared } from "../declared.js";
import { copy } from "../exporting.js";
import { html, useState } from "../html.js";

/** @param {{word: string, meaning: string, mark?: string, code?: string}} props `code`: the name that Python and files have */
export const Word = ({ word, meaning, mark = "", code = "" }) =>
  html`<details class="word"><summary><bdi>${word}</bdi>${mark && html`<abbr title="depends on the prevalence">${mark}</abbr>`}</summary>
    <p>${meaning}${code && code !== word && html` In Python and files: <code>${code}</code>.`}</p></details>`;

/** @param {{text: string, name?: string}} props `name`: of the one number that the sentence is about; none: of the answer */
export function CopySentence({ text, name = "" }) {
  const [told, tell] = useState({ text: "", said: "" });
  const take = async () => {
    const done = await copy(`${text} (${declared.citation})`);
    tell({ text, said: done ? "Copied, with whom to cite." : "The browser forbids copying; mark the sentence instead." });
  };
  const said = told.text === text ? told.said : "";
  if (name) {
    return html`<button class="copy-one" title=${said || text} aria-label=${`Copy the sentence on ${name}`} onClick=${take}>${said ? "copied" : "copy"}</button>
      <span role="status" class="unseen">${said}</span>`;
  }
  return html`<p class="buttons small"><button class="quiet" onClick=${take}>Copy this sentence</button>
    <span role="status" class="hint">${said}</span></p>`;
}

/** @param {{examples: {name: string, hint?: string, patch: any}[], onPatch: (patch: any) => unknown}} props */
export const Chips = ({ examples, onPatch }) =>
  html`<ul class="chips" aria-label="Examples">${examples.map(
    ({ name, hint, patch }) => html`<li key=${name}><button class="chip" title=${hint ?? null} onClick=${() => onPatch(patch)}>${name}</button></li>`,
  )}</ul>`;
