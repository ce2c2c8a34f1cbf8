// @ts-check
/** A picture that the server drew, as notebooks and reports have it, with its caption; and what a hand moves over it. */

import { html, isolated, render, useLayoutEffect, useRef, useState } from "../html.js";

/** Pixels that a picture grows to at most: one that was drawn for little room, and for more. */
const [SMALL, MOST] = [480, 820];
/** Of what is drawn for a phone. */
const PHONE = 400;
/** Colours of the library's pictures, in which marks are as well. */
const BLUE = "#3182bd";
export const MARK = "#e08214";
/** Pixels of the thumb of a slider, which the styles set. */
const THUMB = 24;


/** Text of an SVG as elements: it is read as XML, so nothing in it runs, and what came from outside is text in it.
 * @param {{name: string, title: string, picture: string, caption?: unknown, most?: number, over?: (on: Ground) => Over}} props `name`: by which
 * the export knows it; `title`: what the export calls it; `most`: pixels beyond which it does not grow */
export function Drawn({ name, title, picture: text, caption, most, over }) {
  const place = useRef(/** @type {any} */ (null));
  const [ground, setGround] = useState(/** @type {Ground & {text: string} | null} */ (null));
  useLayoutEffect(() => {
    const drawn = new DOMParser().parseFromString(isolated(text), "image/svg+xml").documentElement;
    drawn.setAttribute("class", "drawn");
    place.current.replaceChildren(drawn);
    setGround(over ? { text, ...groundOf(/** @type {any} */ (drawn)) } : null);
  }, [text]);
  // what lies on the last picture says nothing of this one
  const on = ground?.text === text ? ground : null;
  const moved = on && over?.(on);
  useLayoutEffect(() => {
    if (on) render(moved?.marks ?? null, on.layer);
  });
  const width = Number(/ width="(\d+)"/.exec(text)?.[1]);
  return html`<figure data-picture=${name} data-title=${title}>
    <div class="canvas"><div class="frame" style=${{ maxWidth: `${most ?? (width < PHONE ? SMALL : MOST)}px` }}><div ref=${place}></div>${moved?.inputs}</div></div>
    ${caption && html`<figcaption>${caption}</figcaption>`}
  </figure>`;
}

/** @param {SVGSVGElement} drawn @returns {Ground} */
function groundOf(drawn) {
  const layer = drawn.appendChild(document.createElementNS(drawn.namespaceURI, "g"));
  const [, , width, height] = (drawn.getAttribute("viewBox") ?? "").split(" ").map(Number);
  const hands = [...drawn.querySelectorAll(".hand")].map((rect) => {
    const [x, y, wide, tall] = ["x", "y", "width", "height"].map((side) => Number(rect.getAttribute(side)));
    const [low, high] = (rect.getAttribute("data-ends") ?? "").split(" ").map(Number);
    return { x, y, wide, tall, low, high, at: (/** @type {number} */ value) => x + (wide * (value - low)) / (high - low) };
  });
  const curves = [...drawn.querySelectorAll(".curve")].map((path) =>
    (path.getAttribute("d") ?? "").slice(1).split("L").map((point) => /** @type {[number, number]} */ (point.split(" ").map(Number))),
  );
  return { layer, width, height, hands, curves };
}

/** How high a curve of a picture is at a place, between two of its points. @param {[number, number][]} points @param {number} x */
function heightAt(points, x) {
  const i = Math.max(1, points.findIndex(([other]) => other >= x));
  const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]];
  return y0 + ((y1 - y0) * (Math.min(Math.max(x, x0), x1) - x0)) / (x1 - x0);
}

/** Where a slider lies that moves along a place for a hand: its thumb is in the middle of the value. @param {Ground} on @param {Hand} hand */
export const along = ({ width }, { x, wide }) => ({
  marginLeft: `calc(${(100 * x) / width}% - ${THUMB / 2}px)`,
  width: `calc(${(100 * wide) / width}% + ${THUMB}px)`,
});

/** A share on curves over log odds: a line, and a dot where it meets each of them. @param {Ground} on @param {number} odds */
export function shareMark({ hands: [hand], curves }, odds) {
  const x = hand.at(Math.min(Math.max(odds, hand.low), hand.high));
  return html`<g class="here"><line class="cut" stroke="currentColor" stroke-width="1.5" x1=${x} x2=${x} y1=${hand.y - 6} y2=${hand.y + hand.tall} />
    ${curves.map((points, i) => html`<circle class="mean" fill=${[BLUE, MARK][i]} cx=${x} cy=${heightAt(points, x)} r="5" />`)}</g>`;
}
