// @ts-check
/** A picture with its caption: drawn as wide as there is room, and known by name to the export. */

import { html, useLayoutEffect, useRef, useState } from "../html.js";

/** @returns {[{current: any}, number]} a reference for an element, and its width in pixels (0 before it is known) */
export function useWidth() {
  const place = useRef(/** @type {any} */ (null));
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(() => setWidth(place.current?.clientWidth ?? 0));
    watch.observe(place.current);
    setWidth(place.current.clientWidth);
    return () => watch.disconnect();
  }, []);
  return [place, width];
}

/**
 * @param {{name: string, title: string, draw: (width: number) => unknown, caption?: unknown, most?: number}} props
 *   `title`: what the export calls it; `most`: pixels beyond which it does not grow
 */
export function Figure({ name, title, draw, caption, most = Infinity }) {
  const [place, width] = useWidth();
  return html`<figure data-picture=${name} data-title=${title}>
    <div class="canvas" ref=${place}>${width > 0 && draw(Math.min(width, most))}</div>
    ${caption && html`<figcaption>${caption}</figcaption>`}
  </figure>`;
}
