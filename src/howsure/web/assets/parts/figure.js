// @ts-check
/**
 * A picture with its caption, known by name to the export. What a hand moves is drawn here, as wide as there is room; all
 * else comes drawn from the server, as notebooks and reports have it.
 */

import { html, isolated, useLayoutEffect, useRef, useState } from "../html.js";

/** @returns {[{current: any}, number]} a reference for an element, and its width in pixels (0 before it is known) */
function useWidth() {
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

/** Pixels from which there is room for the wide one of the server's two pictures. */
const WIDE = 560;

/** @typedef {{narrow: string, wide: string}} Pictures */

/**
 * A picture that the server drew.
 * @param {{name: string, title: string, pictures: Pictures, caption?: unknown}} props
 */
export const Drawn = ({ name, title, pictures, caption }) =>
  html`<${Figure} name=${name} title=${title} caption=${caption} draw=${(/** @type {number} */ width) => html`<${Svg} text=${width < WIDE ? pictures.narrow : pictures.wide} />`} />`;

/** Text of an SVG as elements: it is read as XML, so nothing in it runs, and what came from outside is text in it.
 * @param {{text: string}} props */
function Svg({ text }) {
  const place = useRef(/** @type {any} */ (null));
  useLayoutEffect(() => {
    const drawn = new DOMParser().parseFromString(isolated(text), "image/svg+xml").documentElement;
    drawn.setAttribute("class", "drawn");
    place.current.replaceChildren(drawn);
  }, [text]);
  return html`<div ref=${place}></div>`;
}
