// @ts-check
/**
 * The tabs, in their order. A mode is one file here that exports what `Mode` in types.d.ts says. The first one comes with
 * the page; the files of the others follow when it stands, or when their tab is opened.
 */

import { evaluate } from "./evaluate.js";

/** @typedef {import("../types").Mode} Mode */

/** @type {{name: string, title: string, load: () => Promise<Mode>}[]} */
export const tabs = [
  { name: "evaluate", title: "Evaluate", load: async () => evaluate },
  { name: "threshold", title: "Threshold", load: async () => (await import("./threshold.js")).threshold },
  { name: "compare", title: "Compare", load: async () => (await import("./compare.js")).compare },
  { name: "leaderboard", title: "Leaderboard", load: async () => (await import("./leaderboard.js")).leaderboard },
  { name: "tables", title: "Many tables", load: async () => (await import("./tables.js")).tables },
  { name: "plan", title: "Plan", load: async () => (await import("./plan.js")).plan },
  { name: "patient", title: "One patient", load: async () => (await import("./patient.js")).patient },
];

/** Those that are here. @type {Record<string, Mode>} */
export const modes = { evaluate };

/** A document in which nothing was changed yet, of the modes that are here. @returns {import("../types").Document} */
export function first() {
  const slices = Object.fromEntries(Object.values(modes).map((mode) => [mode.name, mode.initial]));
  return { v: 1, mode: tabs[0].name, ...slices };
}
