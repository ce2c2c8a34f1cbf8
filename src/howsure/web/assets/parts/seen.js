// @ts-check
/** What a hand has just caused and would not see, is brought to where the eye is. */

/** A reference for an element that must be seen as soon as it is there. @param {Element | null} element */
export function seen(element) {
  if (!element) return;
  const { top, bottom } = element.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) element.scrollIntoView({ block: "center" });
}
