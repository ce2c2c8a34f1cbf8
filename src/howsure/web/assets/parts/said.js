// @ts-check
/** What is said of something that is shown, and goes when another thing is shown; seen where the eye is, and read aloud. */

import { html, useLayoutEffect, useRef, useState } from "../html.js";
import { timer } from "../pending.js";

/**
 * @template T
 * @param {T} nothing what there is before anything is said
 * @param {unknown} about what it is said of
 * @returns {[T, (said: T) => void]} each is a value of its own, or an object; it stays while `about` is the same
 */
export function useSaid(nothing, about) {
  const [said, setSaid] = useState(nothing);
  const latest = useRef(nothing);
  const seen = useRef({ said: nothing, about });
  /** @param {T} next */
  const say = (next) => setSaid((latest.current = next));
  useLayoutEffect(() => {
    // what is said with a change is said of what comes; it may be rendered after it
    if (about !== seen.current.about && latest.current === seen.current.said && latest.current !== nothing) say(nothing);
    seen.current = { said: latest.current, about };
  }, [about, said]);
  return [said, say];
}

/** A reference for an element that must be seen as soon as it is there. @param {Element | null} element */
export function seen(element) {
  if (!element) return;
  const { top, bottom } = element.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) element.scrollIntoView({ block: "center" });
}

const REST_MS = 500;
let tell = (/** @type {string} */ _text) => {};
const rest = timer();

/** @param {string} text */
export const speak = (text) => rest.start(() => tell(text), REST_MS);

export function Live() {
  const [text, setText] = useState("");
  // the same one each time
  tell = setText;
  return html`<div class="unseen" aria-live="polite" role="status">${text}</div>`;
}
