// @ts-check
/** The tabs, in their order. A mode is one file here that exports what `Mode` in types.d.ts says. */

import { compare } from "./compare.js";
import { evaluate } from "./evaluate.js";
import { leaderboard } from "./leaderboard.js";
import { patient } from "./patient.js";
import { plan } from "./plan.js";

/** @type {import("../types").Mode[]} */
export const modes = [evaluate, compare, leaderboard, plan, patient];
