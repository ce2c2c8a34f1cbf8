// @ts-check
/** The way back from shares to counts, for those whose matrix was published in per cent. */

import { html, useState } from "../html.js";
import { fromShares, sharesOf } from "../matrix.js";
import { NumberBox } from "./fields.js";

/** @param {{matrix: import("../types").Matrix, onMatrix: (matrix: import("../types").Matrix) => void}} props */
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
