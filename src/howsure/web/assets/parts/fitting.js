// @ts-check
/** Room: whether inputs and answers stand below each other, and tables that get smaller type, or fold, where they are too wide. */

import { useEffect, useLayoutEffect, useRef, useState } from "../html.js";

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

const STAGES = ["wide", "tight", "folded"];
/** Signs that a place of a folded row has room for; and a narrower place, if no value needs more. A heading is set smaller. */
const [ROOM, LITTLE, HEADING] = [8, 6, 15];

/** @returns {{current: any}} a reference for the element around a table */
export function useFit() {
  const place = useRef(/** @type {any} */ (null));
  useLayoutEffect(() => {
    // to measure what is folded away is to lay it out, at each step of a slider; it is measured when it is opened
    if (!place.current.closest("details:not([open])")) fit(place.current);
  });
  useEffect(() => {
    let width = 0;
    const watch = new ResizeObserver(([{ contentRect }]) => {
      // its height is what this alters
      if (contentRect.width === width) return;
      width = contentRect.width;
      requestAnimationFrame(() => place.current && fit(place.current));
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  return place;
}

/** @param {HTMLElement} box */
function fit(box) {
  for (const stage of STAGES) {
    box.dataset.fit = stage;
    if (box.scrollWidth <= box.clientWidth + 1) return;
  }
}

/** @param {unknown[]} values @returns {number} signs of the longest text */
const longest = (values) => Math.max(0, ...values.map((value) => (typeof value === "string" ? value.length : 0)));

/** How wide a place of a folded row is. @param {unknown[]} values @returns {"narrow" | "wide"} */
export const places = (values) => (longest(values) > LITTLE ? "wide" : "narrow");

/** Whether a column takes two places. @param {string} title @param {unknown[]} values */
export const takesTwo = (title, values) => title.length > HEADING || longest(values) > ROOM;
