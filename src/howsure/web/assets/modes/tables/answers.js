// @ts-check
/** What is said of many tables: the picture, and a table that sorts and filters. */

import { html } from "../../html.js";
import { Drawn } from "../../parts/figure.js";
import { SortedTable } from "../../parts/sorted_table.js";
import { Notes } from "../../parts/verdict.js";

/** @param {{answers: import("../../types").Answers}} props */
export function TablesAnswer({ answers: { current, failure } }) {
  if (!current) return html`<div class="answers"></div>`;
  const { shown, drawing, result } = current;
  const pooled = result.kind === "pool";
  const caption = pooled
    ? "Dot: mean. Thick line: interval; thin line: interval of a new one. Tick: observed."
    : "The worst ones. Dot: mean. Line: interval. Tick: observed.";
  return html`<div class=${failure ? "answers stale" : "answers"}>
    <section aria-labelledby="tables-title"><h2 id="tables-title">${pooled ? "A typical one, the next one, and each of them" : "Each of them"}</h2>
      ${drawing.picture.wide && html`<${Drawn} name="tables" title="Tables" pictures=${drawing.picture} caption=${caption} />`}
      <${SortedTable} caption=${pooled ? "Pooled tables" : "Slices"} header=${shown.header} rows=${shown.rows} />
      ${shown.left_out && html`<p class="hint">${shown.left_out}</p>`}
    </section>
    <${Notes} shown=${shown} />
  </div>`;
}
