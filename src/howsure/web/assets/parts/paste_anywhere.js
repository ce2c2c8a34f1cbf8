// @ts-check
/** What is pasted while no box has the focus is meant for the page. */

import { useEffect, useRef } from "../html.js";

/** What takes a paste by itself; what is tapped or drawn takes none. */
const BOXES = "input:not([type=radio], [type=checkbox], [type=range]), textarea, select, dialog, table.grid";

/** @param {((event: ClipboardEvent) => unknown) | null} take */
export function usePasteAnywhere(take) {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const listen = (/** @type {ClipboardEvent} */ event) => {
      if (!(/** @type {Element} */ (event.target).closest(BOXES))) latest.current?.(event);
    };
    document.addEventListener("paste", listen);
    return () => document.removeEventListener("paste", listen);
  }, []);
}
