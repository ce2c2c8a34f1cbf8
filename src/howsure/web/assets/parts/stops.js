// @ts-check
/** The stops of a slider: one answer has the words for many places where it can stand, and a moving hand looks them up. */

/** @typedef {import("../types").Answer} Answer */

/** An answer with the stops that were asked for beside it. @param {Answer} before @param {Answer} answer @returns {Answer} */
export const withStops = (before, { shown, drawing }) => ({
  ...before,
  shown: { ...before.shown, stops: shown.stops },
  drawing: { ...before.drawing, stops: drawing.stops },
});

/** The words at a place; null where it is none of the stops, or they are not known yet.
 * @param {Pick<Answer, "shown" | "drawing">} answer @param {number | null} share */
export function wordsAt({ shown, drawing }, share) {
  const place = drawing.stops?.indexOf(share) ?? -1;
  return place < 0 ? null : shown.stops[place];
}
