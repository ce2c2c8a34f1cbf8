// @ts-check
/** What is known of each metric, and what follows: in another laboratory, in costs, with more cases, under other priors. */

import { html } from "../html.js";
import { positiveOf } from "../matrix.js";
import { NumberBox, Select } from "./fields.js";
import { along, Drawn, MARK } from "./figure.js";
import { Copies, CopySentence, Sheet, Table, useNarrow, Word } from "./sheet.js";

const COLUMNS = [
  { key: "name", title: "metric" },
  { key: "observed", title: "observed", hint: "the value on the raw counts" },
  { key: "mean", title: "mean", hint: "mean of the posterior" },
  { key: "interval", title: "interval" },
  { key: "above_chance", title: "P(> chance)", hint: "probability of being better than a classifier without skill" },
  { key: "mu", title: "MU", hint: "metric uncertainty: width of the interval" },
  { key: "prior_shift", title: "prior effect", hint: "(mean − observed) / sd" },
  { key: "law", title: "method", words: true, hint: "exact, or simulated with its Monte Carlo error" },
  { key: "copy", title: "" },
];

/** @param {{answer: Answer, slice: any, act: Act, request: PageRequest | null, interval: string}} props */
export function Posteriors({ answer, slice, act, request, interval }) {
  const { shown, drawing } = answer;
  const narrow = useNarrow();
  /** @param {string} name @param {number | null} x @param {boolean} live @param {"thresholds" | "below"} side */
  const cut = (name, x, live, side = "thresholds") =>
    act.change((now) => ({ ...now, [side]: withCut(now[side], name, x) }), { live, part: x === null ? undefined : "thresholds" });
  /** @param {string} name */
  const remove = (name) => act.change((now) => ({ ...now, thresholds: withCut(now.thresholds, name, null), below: withCut(now.below, name, null) }));
  const columns = COLUMNS.map((column) => (column.key === "interval" ? { ...column, title: interval } : column));
  /** @param {Ground} on */
  const over = (on) => cuts(on, answer, slice.thresholds, cut);
  const rows = shown.rows.map((/** @type {any} */ row) => {
    const name = html`<${Word} word=${row.title} meaning=${row.meaning} mark=${row.depends ? " *" : ""} code=${row.name} />`;
    const cells = { ...row, name, copy: html`<${CopySentence} text=${row.sentence} name=${row.title} />` };
    return columns.map(({ key }) => cells[key]);
  });
  const table = html`<${Table} caption="Metrics" columns=${columns} rows=${rows} names=${shown.rows.map((/** @type {any} */ row) => row.name)} />`;
  return html`<section class="posteriors" aria-labelledby="posteriors-title">
    <h2 id="posteriors-title">How sure</h2>
    ${shown.worst && html`<p data-value="worst">${shown.worst}</p>`}
    ${drawing.picture && html`<${Drawn} name="posteriors" title="Posteriors" picture=${drawing.picture} most=${1100} over=${over}
      caption="Drag a line over a row, or use the arrow keys on it, to ask how probable more than that is." />`}
    <${Thresholds} slice=${slice} answer=${answer} cut=${cut} remove=${remove} />
    ${narrow ? html`<details><summary>As a table</summary>${table}</details>` : table}
    <${Copies} act=${act} request=${request} />
  </section>`;
}

/** Thresholds over the rows of the picture, each a slider: dragging, keys and touch as the browser has them. @param {Ground} on
 * @param {Answer} answer @param {Record<string, number>} thresholds @param {(name: string, x: number, live: boolean) => void} onThreshold */
function cuts(on, { shown, drawing }, thresholds, onThreshold) {
  const rows = on.hands.map((hand, i) => {
    const name = drawing.hands[i];
    const row = drawing.rows.find((/** @type {any} */ each) => each.name === name);
    return { hand, name, row, title: titled(shown, name), at: thresholds[name] ?? null, said: shown.thresholds?.[name] };
  });
  const marks = rows.map(({ hand, at, said: words }) => {
    if (at === null || at < hand.low || at > hand.high) return null;
    const [x, base] = [hand.at(at), hand.y + hand.tall];
    const left = x > hand.x + hand.wide / 2;
    return html`<g class="threshold"><line class="cut" stroke=${MARK} stroke-width="2" x1=${x} x2=${x} y1=${hand.y - 4} y2=${base + 8} /><path class="grip" fill=${MARK} d=${`M${x - 5} ${base + 12}h10l-5 -8z`} />
      <text class="strong halo" fill="currentColor" font-size="13" font-weight="650" x=${left ? x - 6 : x + 6} y=${hand.y + 8} text-anchor=${left ? "end" : "start"}>${words?.above ? `P(> ${words.x}) ${words.above}` : ""}</text></g>`;
  });
  const inputs = rows.map(({ hand, name, row, title, at, said: words }) => {
    const moved = (/** @type {boolean} */ live) => (/** @type {any} */ event) => onThreshold(name, Number(event.currentTarget.value), live);
    return html`<input type="range" key=${name} class=${at === null ? "over unset" : "over"} min=${hand.low} max=${hand.high}
      style=${{ ...along(on, hand), top: `${(100 * hand.y) / on.height}%`, height: `${(100 * (hand.tall + 12)) / on.height}%` }}
      step=${10 ** Math.floor(Math.log10((hand.high - hand.low) / 40))} value=${at ?? row.chance ?? row.mean ?? hand.low} aria-label=${`Threshold of ${title}`}
      aria-valuetext=${words?.above ? `${words.x}: ${title} is higher with probability ${words.above}` : "not set"} onInput=${moved(true)} onChange=${moved(false)} />`;
  });
  return { marks, inputs };
}

/** @param {any} shown @param {string} name */
const titled = (shown, name) => shown.rows.find((/** @type {any} */ row) => row.name === name)?.title ?? name;

/** @param {Record<string, number>} cuts @param {string} name @param {number | null} x */
function withCut(cuts, name, x) {
  const { [name]: _, ...rest } = cuts;
  return x === null ? rest : { ...rest, [name]: x };
}

/** What numbers are asked to lie above, below or between, as boxes; and a list of those that can be asked about. @param {{slice: any, answer:
 * Answer, cut: (name: string, x: number | null, live: boolean, side?: "thresholds" | "below") => void, remove: (name: string) => void}} props */
function Thresholds({ slice, answer, cut, remove }) {
  const { shown, drawing } = answer;
  const { thresholds, below } = slice;
  const asked = Object.keys({ ...thresholds, ...below }).filter((name) => shown.rows.some((/** @type {any} */ row) => row.name === name));
  const rest = drawing.rows.filter((/** @type {any} */ row) => row.mean !== null && !asked.includes(row.name));
  const options = [{ value: null, label: "Choose a number" }, ...rest.map((/** @type {any} */ row) => ({ value: row.name, label: titled(shown, row.name) }))];
  /** @param {string | null} name */
  const ask = (name) => name !== null && cut(name, Math.round(100 * rest.find((/** @type {any} */ row) => row.name === name).mean) / 100, false);
  return html`<ul class="thresholds">${asked.map((name) => {
    const title = titled(shown, name);
    return html`<li key=${name}>
      <${NumberBox} label=${`${title} above`} value=${thresholds[name] ?? null} empty=${name in below} onValue=${(/** @type {number | null} */ x) => cut(name, x, true)} />
      <${NumberBox} label="and below" name=${`${title} below`} value=${below[name] ?? null} empty=${name in thresholds} onValue=${(/** @type {number | null} */ x) => cut(name, x, true, "below")} />
      <output data-value=${`${name}.above`}>P ${said(shown.thresholds?.[name], name in thresholds, name in below)}</output>
      <button class="quiet" aria-label=${`Remove the threshold of ${title}`} onClick=${() => remove(name)}>Remove</button>
    </li>`;
  })}</ul>
  ${options.length > 1 && html`<${Select} label="How probably does it lie above or below a number?" value=${null} options=${options} onValue=${ask} />`}`;
}

/** @param {any} words @param {boolean} above @param {boolean} below */
const said = (words, above, below) => (above && below ? words?.between : above ? words?.above : words?.below) ?? "";

/** @param {{answer: Answer, slice: any, act: Act}} props */
export function Again({ answer, slice, act }) {
  const said = slice.replicate ? answer.shown.replication : null;
  const drawn = answer.drawing.replication;
  const picture = said && drawn && html`<${Drawn} name="replication" title="In another test" picture=${drawn}
    caption="Thick: where the true value lies. Thin: what a new test of that size would show." />`;
  return html`<section class="again" aria-labelledby="again-title"><h2 id="again-title">In another laboratory</h2>
    <p>What would another test of the same classifier show?</p>
    <${NumberBox} label="Cases of the other test" value=${slice.replicate} low=${1} high=${10_000_000} whole=${true} empty=${true}
      onValue=${act.set("replicate")} />
    ${said && html`<${Sheet} name="replication" sheet=${said} picture=${picture} folded=${true} />`}
  </section>`;
}

/** @param {{answer: Answer, slice: any, act: Act}} props */
export function Costs({ answer, slice, act }) {
  if (positiveOf(slice.matrix.classes, slice.matrix.positive) === null) return null;
  const asked = slice.cost.fp !== null && slice.cost.fn !== null;
  return html`<section class="costs" aria-labelledby="costs-title"><h2 id="costs-title">What errors cost</h2>
    <p>In any unit: money, days, or how many false alarms one miss weighs.</p>
    <div class="fields">
      <${NumberBox} label="A false alarm costs" value=${slice.cost.fp} low=${1e-6} high=${1e6} empty=${true}
        onValue=${act.set("cost.fp")} />
      <${NumberBox} label="A miss costs" value=${slice.cost.fn} low=${1e-6} high=${1e6} empty=${true}
        onValue=${act.set("cost.fn")} />
    </div>
    ${asked && html`<${Sheet} name="cost" sheet=${answer.shown.cost} />`}
  </section>`;
}

/** @param {{answer: Answer, slice: any, act: Act}} props */
export function MoreCases({ answer, slice, act }) {
  const { outlook } = slice;
  const options = answer.shown.rows.map((/** @type {any} */ row) => ({ value: row.name, label: row.title }));
  return html`<section class="more-cases" aria-labelledby="more-cases-title"><h2 id="more-cases-title">Would more cases settle it?</h2>
    <p>Is the number below well enough known, or would a larger test change what is decided?</p>
    <div class="fields">
      <${Select} label="Is" value=${outlookOf(slice, answer).metric} options=${options} onValue=${act.set("outlook.metric")} />
      <${NumberBox} label="above" value=${outlook.above} onValue=${act.set("outlook.above")} />
      <${NumberBox} label="Further cases" value=${outlook.more} low=${1} high=${1_000_000} whole=${true} empty=${true}
        onValue=${act.set("outlook.more")} />
    </div>
    ${outlook.more && html`<${Sheet} name="outlook" sheet=${answer.shown.outlook} />`}
  </section>`;
}

/** What is asked about, where nobody chose it the first number of the report. @param {any} slice @param {Answer} answer */
function outlookOf({ outlook }, { shown }) {
  const there = shown.rows.some((/** @type {any} */ row) => row.name === outlook.metric);
  return { ...outlook, metric: there ? outlook.metric : shown.rows[0]?.name };
}

/** @param {{answer: Answer}} props */
export function Sensitivity({ answer }) {
  const said = answer.shown.sensitivity;
  if (!said) return null;
  const drawn = answer.drawing.sensitivity;
  const picture = drawn && html`<${Drawn} name="sensitivity" title="Under other priors" picture=${drawn} />`;
  return html`<section aria-labelledby="sensitivity-title"><h2 id="sensitivity-title">Under other priors</h2>
    <${Sheet} name="sensitivity" sheet=${said} picture=${picture} folded=${true} /></section>`;
}
