// @ts-check
/** Preact and htm in one place: `html` makes nodes from a tagged template, text is always a text node. */

import htm from "./vendor/htm.js";
import { h } from "./vendor/preact.js";

export { Fragment, render } from "./vendor/preact.js";
export { useCallback, useEffect, useErrorBoundary, useLayoutEffect, useMemo, useRef, useState } from "./vendor/hooks.js";

const LETTERS = "[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]+";
/** Words of a script that is written from right to left. */
const RIGHT_TO_LEFT = new RegExp(`${LETTERS}(?:[ '-]${LETTERS})*`, "gu");
/** Their text is code, or is read by programs. */
const AS_IT_IS = ["code", "pre", "title"];

/** A text whose names in right-to-left scripts do not turn the numbers beside them around, as the library isolates them. @param {string} text */
export const isolated = (text) => text.replace(RIGHT_TO_LEFT, "\u2068$&\u2069");

/** @param {any} type @param {any} props @param {any[]} children */
const element = (type, props, ...children) =>
  h(type, props, ...(AS_IT_IS.includes(type) ? children : children.map((child) => (typeof child === "string" ? isolated(child) : child))));

export const html = htm.bind(element);
