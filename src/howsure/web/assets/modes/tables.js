// @ts-check
/** Many tables: studies or sites pooled, or slices each for itself. */

import { declared, examples } from "../declared.js";
import { html } from "../html.js";
import { cell } from "../matrix.js";
import { among, isText, listOf } from "../state.js";
import { Drop } from "../parts/reading.js";
import { Lines, offered, Segments, Select, Settings } from "../parts/fields.js";
import { PasteBox, usePasting } from "../parts/pasted.js";
import { Chips, SheetAnswer, Verdict } from "../parts/sheet.js";

/** @type {TablesSlice} */
export const initial = {
  tables: examples.tables[0].patch.tables,
  unit: "study",
  ask: "pool",
  rate: "",
  metric: "accuracy",
  prior: null,
  level: declared.level,
  kind: declared.kind,
};

export const CELLS = /** @type {const} */ (["tp", "fn", "fp", "tn"]);

/** @param {any} one */
const isFour = (one) => isText(one?.name) && CELLS.every((cell) => ["number", "string"].includes(typeof one[cell]) || one[cell] === null);

/** @type {Mode["fits"]} */
const fits = { tables: listOf(isFour, 2), unit: among("site", "study"), ask: among("pool", "slices") };

/** Nothing is asked while somebody types: a pool takes a second. @param {TablesSlice} slice @param {{live: boolean}} how
 * @returns {{verb: string, body: Record<string, unknown>}|null} */
export function request(slice, { live }) {
  if (live) return null;
  const { tables, unit, ask, rate, metric, prior, level, kind } = slice;
  const body = /** @type {Record<string, unknown>} */ ({ tables, level, kind });
  const asked = ask === "pool" ? rate : metric;
  if (asked) body.metric = asked;
  if (ask === "slices") body.prior = prior;
  else body.unit = unit;
  return { verb: ask, body };
}

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

/** @param {{slice: TablesSlice, answers: Answers, act: Act}} props */
export function TablesInputs({ slice, answers, act }) {
  const { tables, unit, ask, rate, metric } = slice;
  const options = offered(ask === "slices" ? answers.current : null, metric);
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
      <${Chips} examples=${examples.tables} onPatch=${act.fill} />
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

const WORDS = {
  pool: { title: "A typical one, the next one, and each of them", caption: "Dot: mean. Thick line: interval; thin line: interval of a new one. Tick: observed." },
  slices: { title: "Each of them", caption: "The worst ones. Dot: mean. Line: interval. Tick: observed." },
};

/** @type {Mode} */
export const tables = {
  name: "tables",
  title: "Many tables",
  initial,
  fits,
  request,
  view: (slice, answers, act) => html`
    <${Verdict} answers=${answers} />
    <${TablesInputs} slice=${slice} answers=${answers} act=${act} />
    <${SheetAnswer} answers=${answers} sorted=${true} act=${act} request=${request(slice, { live: false })} ...${WORDS[answers.current?.result.kind === "pool" ? "pool" : "slices"]} />`,
};
