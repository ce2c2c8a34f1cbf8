// @ts-check
/** The tabs, in their order. A mode is one file here that exports what `Mode` in types.d.ts says. */

import { evaluate } from "./evaluate.js";

/** @type {import("../types").Mode[]} */
export const modes = [evaluate];
