// @ts-check
/** What is said of something that is shown, and goes when another thing is shown. */

import { useLayoutEffect, useRef, useState } from "../html.js";

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
