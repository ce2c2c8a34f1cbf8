// @ts-check
/** Whether inputs and answers stand below each other, as on a phone: what is read first then comes before what is set rarely. */

import { useLayoutEffect, useState } from "../html.js";

/** As in style.css. */
const narrow = matchMedia("(max-width: 800px)");

/** @returns {boolean} */
export function useNarrow() {
  const [now, setNow] = useState(narrow.matches);
  useLayoutEffect(() => {
    const turned = () => setNow(narrow.matches);
    narrow.addEventListener("change", turned);
    return () => narrow.removeEventListener("change", turned);
  }, []);
  return now;
}
