// @ts-check
/** What the answers rest on: the prior, the kind and level of the intervals, and which metrics are asked for. */

import { declared } from "../declared.js";
import { html, useState } from "../html.js";
import { NumberBox, Segments, Select, alike, named } from "./fields.js";

const OWN = { value: "custom", label: "My own Beta(a, b)" };
const RATES = { value: "rates", label: "A Beta for each rate" };
const EACH = /^sensitivity=beta\(([\d.e+-]+),([\d.e+-]+)\),specificity=beta\(([\d.e+-]+),([\d.e+-]+)\)$/;

/** @param {number[]} betas */
const written = ([a, b, c, d]) => `sensitivity=beta(${a},${b}),specificity=beta(${c},${d})`;

/**
 * @param {{slice: any, act: import("../types").Act, size: number, prior?: string, fixed?: boolean}} props of any mode whose slice has
 *   `prior`, `level` and perhaps `kind`; `size`: how many classes there are; `prior`: the name of the one in use;
 *   `fixed`: there is none to choose
 */
export function Settings({ slice, act, size, prior, fixed = false }) {
  const own = typeof slice.prior === "object" && slice.prior !== null;
  const each = typeof slice.prior === "string" ? EACH.exec(slice.prior)?.slice(1).map(Number) : undefined;
  const chosen = own ? "custom" : each ? "rates" : (slice.prior ?? "");
  const standard = { value: "", label: chosen === "" && prior ? `Default, here ${prior}` : "Default" };
  const fitting = declared.priors.filter(({ value, classes }) => classes === null || classes === size || value === chosen);
  const meant = declared.priors.find(({ value }) => value === (chosen || prior));
  /** @param {string} name */
  const choose = (name) => act.set("prior")(name === "custom" ? { a: 1, b: 1 } : name === "rates" ? written([1, 1, 1, 1]) : name || null);
  const owned = size === 2 || each ? [OWN, RATES] : [OWN];
  return html`<section class="settings" aria-label="Assumptions">
    ${slice.kind !== undefined && html`<${Segments} legend="Interval" value=${slice.kind} options=${declared.kinds} onValue=${act.set("kind")} />`}
    <${Segments} legend="Probability inside" value=${slice.level} options=${declared.levels} onValue=${act.set("level")} />
    ${!fixed && html`<${Select} label="Prior" value=${chosen} options=${[standard, ...fitting, ...owned]} onValue=${choose} />`}
    ${!fixed && own &&
    html`<div class="fields">
      <${NumberBox} label="a (right)" value=${slice.prior.a} low=${0} onValue=${act.set("prior.a")} />
      <${NumberBox} label="b (wrong)" value=${slice.prior.b} low=${0} onValue=${act.set("prior.b")} />
    </div>`}
    ${!fixed && each &&
    html`<div class="fields">${["Sensitivity: right", "missed", "Specificity: right", "false alarms"].map(
      (label, i) => html`<${NumberBox} key=${label} label=${label} value=${each[i]} low=${0} high=${1e12}
        onValue=${(/** @type {number} */ x) => act.set("prior")(written(each.map((now, k) => (k === i ? x : now))), { live: true })} />`,
    )}</div>
    <p class="hint">As if so many cases had been seen before: 8 right and 2 missed is a sensitivity of about 80%.</p>`}
    ${!fixed && meant && html`<p class="hint">${meant.meaning}</p>`}
  </section>`;
}

/** Sets that people ask for at once: of the positive class where there is one, else the mean over classes. @type {Record<string, string[]>} */
const SETS = {
  "A diagnostic paper's": ["recall", "specificity", "precision", "negative_predictive_value", "positive_likelihood_ratio", "negative_likelihood_ratio"],
  "scikit-learn's report": ["accuracy", "precision", "recall", "f1"],
  Agreement: ["accuracy", "kappa", "mcc"],
};

/** A long name of Python may go on in a new line after a part of it. @param {string} name */
const parted = (name) => name.split(/(?<=[_@])/).flatMap((part, i) => (i ? [html`<wbr />`, part] : [part]));

/**
 * @param {{chosen: string[], choices: string[], titles: Record<string, string>, standard: boolean, positive: string | null, onMetrics: (metrics: string[] | null) => void}} props
 *   `titles`: what people call them, of several for one number only one; `standard`: the metrics are those of the report
 */
export function Metrics({ chosen, choices, titles, standard, positive, onMetrics }) {
  const all = [...chosen.filter((name) => !choices.includes(name)), ...choices];
  /** @param {string} name @param {boolean} on */
  const toggle = (name, on) => onMetrics(all.filter((other) => (other === name ? on : chosen.includes(other))));
  const [sought, seek] = useState("");
  const listed = named(choices, chosen, titles).sort((one, other) => one.label.localeCompare(other.label, "en"));
  const wanted = sought.trim().toLowerCase();
  const fits = (/** @type {import("./fields.js").Option} */ { value, label }) => `${label} ${value.replaceAll("_", " ")} ${value}`.toLowerCase().includes(wanted);
  const shown = listed.filter((option) => !wanted || fits(option));
  return html`<details class="metrics">
    <summary>Metrics <span class="hint">${standard ? "those of the report" : `${chosen.length} chosen`}</span></summary>
    <p class="buttons small"><button onClick=${() => onMetrics(null)} disabled=${standard}>Those of the report</button>
      ${Object.entries(SETS).map(([label, names]) => {
        const there = names.flatMap((name) => choices.filter((choice) => choice === name || (positive !== null && choice === `${name}@${positive}`) || (positive === null && choice === `${name}@macro`)));
        return there.length > 1 && html`<button key=${label} onClick=${() => onMetrics([...new Set(there)])}>${label}</button>`;
      })}</p>
    <label class="field"><span>Search</span><input type="search" value=${sought} placeholder="kappa, F1, specificity" autocomplete="off"
      onInput=${(/** @type {any} */ e) => seek(e.currentTarget.value)} /></label>
    ${wanted && !shown.length && html`<p class="hint">No metric has this name.</p>`}
    <div class="checks" role="group" aria-label="Metrics">${shown.map(({ value: name, label }) => {
      const on = chosen.includes(name);
      return html`<label key=${name}><input type="checkbox" checked=${on} disabled=${on && chosen.length === 1}
        onChange=${(/** @type {any} */ e) => toggle(name, e.currentTarget.checked)} />
        <span><bdi>${label}</bdi>${alike(label, name) ? "" : html` <small>${parted(name)}</small>`}</span></label>`;
    })}</div>
  </details>`;
}
