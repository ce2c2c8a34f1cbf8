// @ts-check
/** Preact and htm in one place: `html` makes nodes from a tagged template, text is always a text node. */

import htm from "./vendor/htm.js";
import { h } from "./vendor/preact.js";

export { Fragment, render } from "./vendor/preact.js";
export { useCallback, useEffect, useErrorBoundary, useLayoutEffect, useMemo, useRef, useState } from "./vendor/hooks.js";

export const html = htm.bind(h);
