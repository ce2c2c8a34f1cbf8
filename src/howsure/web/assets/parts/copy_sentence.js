// @ts-check
/** Takes one sentence away, with whom to cite. */

import { declared } from "../declared.js";
import { copy } from "../exporting.js";
import { html, useState } from "../html.js";

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
