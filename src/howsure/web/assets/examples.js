// @ts-check
/** The matrices that the page brings: their names are nobody's own. */

import { examples } from "./declared.js";

/** As they were brought. @type {Set<string>} */
const brought = new Set();
/** @param {import("./types").Matrix} matrix */
const written = ({ classes, counts }) => JSON.stringify([classes, counts]);

/** @param {any} value with matrices anywhere in it */
function note(value) {
  if (value?.counts) brought.add(written(value));
  else if (typeof value === "object" && value !== null) Object.values(value).forEach(note);
}
note(examples);

/** Whether this is an example as it was brought, names and counts. @param {import("./types").Matrix} matrix */
export const isExample = (matrix) => brought.has(written(matrix));
