// @ts-check
/** A word that says what it means when it is tapped. */

import { html } from "../html.js";

/** @param {{word: string, meaning: string, mark?: string, code?: string}} props `code`: the name that Python and files have */
export const Word = ({ word, meaning, mark = "", code = "" }) =>
  html`<details class="word"><summary><bdi>${word}</bdi>${mark && html`<abbr title="depends on the prevalence">${mark}</abbr>`}</summary>
    <p>${meaning}${code && code !== word && html` In Python and files: <code>${code}</code>.`}</p></details>`;
