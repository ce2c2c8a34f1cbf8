// @ts-check
/** The tabs, in their order. A mode is one file here that exports what `Mode` in types.d.ts says. */

import { compare } from "./compare.js";
import { evaluate } from "./evaluate.js";
import { leaderboard } from "./leaderboard.js";
import { patient } from "./patient.js";
import { plan } from "./plan.js";
import { tables } from "./tables.js";
import { threshold } from "./threshold.js";

/** @type {Mode[]} */
export const tabs = [evaluate, threshold, compare, leaderboard, tables, plan, patient];

/** By name. @type {Record<string, Mode>} */
export const modes = Object.fromEntries(tabs.map((mode) => [mode.name, mode]));

/** A document in which nothing was changed yet. @type {PageDocument} */
export const first = { v: 1, mode: tabs[0].name, ...Object.fromEntries(tabs.map(({ name, initial }) => [name, initial])) };
