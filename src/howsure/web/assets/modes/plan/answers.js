// @ts-check
/** The number of cases, the curve that leads to it, and what the number one has gives. */

import { html, useEffect, useState } from "../../html.js";
import { Drawn } from "../../parts/figure.js";
import { Table } from "../../parts/table.js";
import { Notes } from "../../parts/verdict.js";
import { timer } from "../../pending.js";
import { haveOf } from "./slice.js";

/** @typedef {import("./slice.js").Slice} Slice */
/** @typedef {import("../../types").Act} Act */

/** @param {{slice: Slice, answers: import("../../types").Answers, act: Act, request: {verb: string, body: any}}} props */
export function PlanAnswer({ slice, answers: { current, failure }, act, request }) {
  if (!current) return html`<div class="answers"></div>`;
  const { shown, drawing } = current;
  return html`<div class=${failure ? "answers stale" : "answers"}>
    <section aria-labelledby="cases-title"><h2 id="cases-title">Cases</h2>
      <p class="big"><strong data-value="n">${shown.n}</strong> <bdi>${shown.unit}</bdi></p>
      ${shown.per_class.length > 1 && html`<${Table} caption="Cases of each class" rows=${shown.per_class.map((/** @type {any} */ row) => ({ ...row, name: row.label }))} hidden=${true}
        columns=${[{ key: "name", title: "class", cell: (/** @type {any} */ row) => html`<bdi>${row.label}</bdi>` }, { key: "n", title: "cases" }]} />`}
      ${shown.per_class.length > 1 && shown.total && html`<p>In all <strong data-value="total">${shown.total}</strong>.</p>`}
      <${Have} slice=${slice} act=${act} request=${request} refused=${failure !== null} />
    </section>
    <section aria-labelledby="curve-title"><h2 id="curve-title">More cases, surer answers</h2>
      <${Drawn} name="plan" title="Plan" pictures=${drawing.curve} />
      ${drawing.ruled && html`<p class="hint">Dashed: the rule of thumb 2/√n, drawn where it holds, above 20 cases.${" "}
        <span data-value="rule">${shown.rule}</span></p>`}
      <details><summary>As a table</summary>
        <${Table} caption="The curve" columns=${shown.header.map((/** @type {string} */ title, /** @type {number} */ i) => ({ key: String(i), title }))}
          rows=${shown.rows.map((/** @type {string[]} */ row) => ({ ...row }))} name=${(/** @type {any} */ row) => `curve.${row[0]}`} hidden=${true} /></details>
    </section>
    <${Notes} shown=${shown} />
  </div>`;
}

const REST_MS = 250;

/** What the cases that one has give for the same goal.
 * @param {{slice: Slice, act: Act, request: {verb: string, body: any}, refused: boolean}} props */
function Have({ slice, act, request, refused }) {
  const [said, setSaid] = useState({ about: "", wrong: false, text: "" });
  // while the plan itself is refused, so is this
  const n = refused ? 0 : haveOf(slice).n;
  const key = JSON.stringify([request.body, n]);
  useEffect(() => {
    let late = false;
    if (!n) return;
    const rest = timer();
    rest.start(async () => {
      try {
        const answer = await act.ask("plan", { ...request.body, n });
        if (!late) setSaid({ about: key, wrong: false, text: answer.shown.verdict });
      } catch (failure) {
        if (!late) setSaid({ about: key, wrong: true, text: /** @type {any} */ (failure).message });
      }
    }, REST_MS);
    return () => {
      late = true;
      rest.stop();
    };
  }, [key]);
  // what others gave is none of these
  if (!n || said.about !== key) return null;
  return html`<p class=${said.wrong ? "wrong" : "note"}>Your cases: <span data-value="have">${said.text}</span></p>`;
}
