// @ts-check
/** Many tables, typed, pasted or read from a file, and what is asked about them. */

import { html } from "../../html.js";
import { cell } from "../../matrix.js";
import { Chips } from "../../parts/chips.js";
import { Drop } from "../../parts/drop.js";
import { Segments, Select, named } from "../../parts/fields.js";
import { Lines } from "../../parts/lines.js";
import { PasteBox, usePasting } from "../../parts/paste_box.js";
import { Settings } from "../../parts/settings.js";
import { CELLS, EXAMPLES } from "./slice.js";

/** @typedef {import("./slice.js").Slice} Slice */
/** @typedef {import("../../types").Act} Act */

const ASKS = [
  { value: "pool", label: "Pool them", title: "A sample of studies or sites: a typical one, and the next one" },
  { value: "slices", label: "Each one", title: "Slices of one test set: which is the worst, and does it stand out" },
];

const RATES = [
  { value: "", label: "Sensitivity and specificity together" },
  { value: "accuracy", label: "Accuracy" },
  { value: "recall@positive", label: "Sensitivity alone" },
  { value: "recall@negative", label: "Specificity alone" },
  { value: "precision@positive", label: "PPV, as in each study" },
  { value: "precision@negative", label: "NPV, as in each study" },
];

/** @type {Record<string, string>} */
const MEANT = { tp: "True positives", fn: "False negatives", fp: "False positives", tn: "True negatives" };
const COLUMNS = CELLS.map((key) => ({ key, title: html`<abbr title=${MEANT[key]}>${key.toUpperCase()}</abbr>`, called: MEANT[key], read: cell }));

/** Options of a question for tables. */
const TABLES = "tables=true";

/** @param {{slice: Slice, answers: import("../../types").Answers, act: Act}} props */
export function TablesInputs({ slice, answers, act }) {
  const { tables, unit, ask, rate, metric } = slice;
  const options = named(ask === "slices" ? answers.current?.shown.choices : [], metric, answers.current?.shown.titles);
  const pasting = usePasting((reads) => taken(reads, act), { always: TABLES, about: tables });
  return html`<div class="inputs">
    <${Segments} legend="The tables are to be answered for" value=${ask} options=${ASKS} onValue=${act.set("ask")} />
    <${Lines} of="tables" one="table" rows=${tables} first=${ask === "pool" ? unit : "slice"} columns=${COLUMNS} added=${() => ({ tp: 0, fn: 0, fp: 0, tn: 0 })}
      onPaste=${pasting.into} failure=${answers.failure} act=${act} />
    <section class="sources" aria-label="Your own data">
      <${PasteBox} summary="Paste tables" label="CSV or cells of a spreadsheet, with the columns study, tp, fn, fp, tn"
        placeholder=${"study,tp,fn,fp,tn\nOslo 2001,47,9,101,738\nRome 2004,36,3,78,276"} pasting=${pasting} />
      <${Drop} label="Read a file" hint="A row each: study,tp,fn,fp,tn, in any order. CSV, TSV, JSON Lines or a workbook of Excel. Or drop it here." always=${TABLES}
        about=${slice.tables} onRead=${(/** @type {any} */ reads) => taken(reads, act)} />
      <${Chips} examples=${EXAMPLES} onPatch=${act.fill} />
    </section>
    ${ask === "pool"
      ? html`<${Select} label="Pooled" value=${rate} options=${RATES} onValue=${act.set("rate")} />`
      : html`<${Select} label="By" value=${metric} options=${options} onValue=${act.set("metric")} />`}
    <${Settings} slice=${slice} act=${act} size=${2} prior=${answers.current?.result.prior} fixed=${ask === "pool"} />
  </div>`;
}

/** @param {{name: string, read: any}[]} reads @param {Act} act @returns {string} */
function taken([{ read }], act) {
  if (read.tables.length < 2) return "It is one table; under Evaluate it has an answer of its own. Here there are two or more.";
  act.change((now) => ({ ...now, tables: read.tables, unit: read.unit }));
  return "";
}
