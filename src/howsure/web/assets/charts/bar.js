// @ts-check
/** Worse, practically the same, better: three shares of one bar. */

import { html } from "../html.js";
import { picture, words } from "./picture.js";
import { clipped, pixel, textWidth } from "./scale.js";

const HEIGHT = 26;
const TOP = 40;

/**
 * Hatched, plain and full, so that the parts differ without colour; the words stand above in the same order.
 * @param {[number, number, number]} parts probabilities of worse, the same, better
 * @param {{worse: string, same: string|null, better: string}} shown
 * @param {{width: number, title: string, names: [string, string, string]}} options
 */
export function bar(parts, shown, { width, title, names }) {
  const [low, high] = [1, width - 1];
  const cuts = [0, parts[0], parts[0] + parts[1], parts[0] + parts[1] + parts[2]].map((p) => low + p * (high - low));
  const said = [shown.worse, shown.same, shown.better];
  // the middle one has a third at most, and the outer ones what it leaves
  const third = (high - low) / 3 - 8;
  const middle = shown.same === null ? 0 : Math.min(third, textWidth(names[1]));
  const outer = (high - low - middle) / 2 - 8;
  /** @type {Array<[string, string, number]>} */
  const places = [["orange", "start", low], ["grey", "middle", (low + high) / 2], ["blue", "end", high]]; // prettier-ignore
  const marks = places.map(([colour, anchor, x], i) => {
    if (said[i] === null) return null;
    return html`<g>
      ${words(`side ${colour}`, x, 13, clipped(names[i], i === 1 ? third : outer, 13), anchor)}
      ${words("strong", x, 31, said[i] ?? "", anchor)}
      <rect class=${`part ${colour}`} x=${pixel(cuts[i])} y=${TOP} width=${pixel(Math.max(cuts[i + 1] - cuts[i], 0))} height=${HEIGHT} />
      ${colour === "orange" ? html`<path class="hatch" d=${hatch(cuts[0], cuts[1])} />` : null}
    </g>`;
  });
  const ends = html`<rect class="outline" x=${low} y=${TOP} width=${pixel(high - low)} height=${HEIGHT} />`;
  return picture({ title, width, height: TOP + HEIGHT + 2, name: "bar" }, [marks, ends]);
}

/** Slanted lines between two places.
 * @param {number} from @param {number} to @returns {string} */
function hatch(from, to) {
  let d = "";
  for (let x = from - HEIGHT; x < to; x += 7) {
    const [a, b] = [Math.max(x, from), Math.min(x + HEIGHT, to)];
    if (b > a) d += `M${pixel(a)} ${pixel(TOP + HEIGHT - (a - x))}L${pixel(b)} ${pixel(TOP + HEIGHT - (b - x))}`;
  }
  return d;
}
