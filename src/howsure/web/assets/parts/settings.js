// @ts-check
/** What the answers rest on: the prior, the kind and level of the intervals, and which metrics are asked for. */

import { html } from "../html.js";
import { NumberBox, Segments, Select } from "./fields.js";

export const KINDS = [
  { value: "hdi", label: "HDI", title: "Highest-density interval: the shortest that holds the probability" },
  { value: "central", label: "Central", title: "As much probability below it as above it" },
];
export const LEVELS = [0.8, 0.9, 0.95, 0.99].map((value, i) => ({ value, label: ["80 %", "90 %", "95 %", "99 %"][i] }));
/** @type {{value: string, label: string}[]} */
const PRIORS = [
  { value: "flat", label: "Flat: every recall equally likely" },
  { value: "jeffreys", label: "Jeffreys" },
  { value: "perks", label: "Perks: one case in all" },
  { value: "haldane", label: "Haldane: no prior at all" },
  { value: "learned", label: "Learned from the errors" },
  { value: "dirichlet1", label: "One case in each cell" },
  { value: "custom", label: "My own Beta(a, b)" },
];
/** @type {Record<string, string>} */
const ADVICE = {
  haldane: "Without a prior a class that was always right has no interval, and is refused.",
  dirichlet1: "With many classes this prior says beforehand that recalls are low.",
};

/**
 * @param {{slice: any, act: import("../types").Act, prior?: string}} props of any mode whose slice has `prior`, `level`
 *   and perhaps `kind`; `prior`: the name of the one in use
 */
export function Settings({ slice, act, prior }) {
  const own = typeof slice.prior === "object" && slice.prior !== null;
  const chosen = own ? "custom" : (slice.prior ?? "");
  const standard = { value: "", label: chosen === "" && prior ? `Default, here ${prior}` : "Default" };
  /** @param {string} name */
  const choose = (name) => act.set("prior", name === "custom" ? { a: 1, b: 1 } : name || null);
  return html`<section class="settings" aria-label="Assumptions">
    ${slice.kind !== undefined && html`<${Segments} legend="Interval" value=${slice.kind} options=${KINDS} onValue=${(/** @type {string} */ kind) => act.set("kind", kind)} />`}
    <${Segments} legend="Probability inside" value=${slice.level} options=${LEVELS} onValue=${(/** @type {number} */ level) => act.set("level", level)} />
    <${Select} label="Prior" value=${chosen} options=${[standard, ...PRIORS]} onValue=${choose} />
    ${own &&
    html`<div class="fields">
      <${NumberBox} label="a (right)" value=${slice.prior.a} low=${0} onValue=${(/** @type {number} */ a) => act.set("prior.a", a, { live: true })} />
      <${NumberBox} label="b (wrong)" value=${slice.prior.b} low=${0} onValue=${(/** @type {number} */ b) => act.set("prior.b", b, { live: true })} />
    </div>`}
    ${ADVICE[chosen] && html`<p class="hint">${ADVICE[chosen]}</p>`}
  </section>`;
}

/**
 * @param {{chosen: string[], choices: string[], standard: boolean, onMetrics: (metrics: string[] | null) => void}} props
 *   `standard`: the metrics are those of the report
 */
export function Metrics({ chosen, choices, standard, onMetrics }) {
  /** @param {string} name @param {boolean} on */
  const toggle = (name, on) => onMetrics(choices.filter((other) => (other === name ? on : chosen.includes(other))));
  return html`<details class="metrics">
    <summary>Metrics <span class="hint">${standard ? "those of the report" : `${chosen.length} chosen`}</span></summary>
    <p class="buttons small"><button onClick=${() => onMetrics(null)} disabled=${standard}>Those of the report</button></p>
    <div class="checks" role="group" aria-label="Metrics">${choices.map((name) => {
      const on = chosen.includes(name);
      return html`<label key=${name}><input type="checkbox" checked=${on} disabled=${on && chosen.length === 1}
        onChange=${(/** @type {any} */ e) => toggle(name, e.currentTarget.checked)} /> <bdi>${name}</bdi></label>`;
    })}</div>
  </details>`;
}
