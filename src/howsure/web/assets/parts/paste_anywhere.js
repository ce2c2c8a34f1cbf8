// @ts-check
/** What is pasted while no box has the focus is meant for the page. */

import { useEffect, useRef } from "../html.js";

/** What takes a paste by itself. */
const BOXES = "input, textarea, select, dialog, table.grid";

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
