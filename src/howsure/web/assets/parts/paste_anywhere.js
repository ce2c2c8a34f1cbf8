// @ts-check
/** What is pasted while no box has the focus is meant for the page. */

import { useLayoutEffect, useRef } from "../html.js";

/** What takes a paste by itself; what is tapped, chosen or drawn takes none. */
const BOXES = "input:not([type=radio], [type=checkbox], [type=range]), textarea, dialog, table.grid";
/** A box of one line, which takes no table. */
const LINE = "input[type=text], input[type=search]";

/** @param {ClipboardEvent} event */
function isForPage(event) {
  const place = /** @type {Element} */ (event.target);
  if (event.defaultPrevented || place.closest("dialog, table.grid")) return false;
  const several = /[\t\n\r]/.test(event.clipboardData?.getData("text/plain").trim() ?? "");
  return !place.closest(BOXES) || (several && place.matches(LINE));
}

/** @param {((event: ClipboardEvent) => unknown) | null} take */
export function usePasteAnywhere(take) {
  const latest = useRef(take);
  latest.current = take;
  useLayoutEffect(() => {
    const listen = (/** @type {ClipboardEvent} */ event) => {
      if (isForPage(event)) latest.current?.(event);
    };
    document.addEventListener("paste", listen);
    return () => document.removeEventListener("paste", listen);
  }, []);
}
