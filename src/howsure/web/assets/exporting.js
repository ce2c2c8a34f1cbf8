// @ts-check
/** What leaves the page: files, pictures that stand alone, and the clipboard. */

const SVG = "http://www.w3.org/2000/svg";
/** Properties that a picture takes from the style sheet and must carry with it. */
const CARRIED = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin",
  "stroke-opacity", "opacity", "font-family", "font-size", "font-weight", "text-anchor",
  "dominant-baseline", "visibility", "display", "paint-order"];
/** Parts that only make sense on the page. */
const PAGE_ONLY = ".hand";

/** Gives the browser a file to save. @param {string} name @param {Blob | string} content @param {string} [media] */
export function download(name, content, media = "text/plain") {
  const blob = typeof content === "string" ? new Blob([content], { type: `${media};charset=utf-8` }) : content;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** @param {string} text @returns {Promise<boolean>} whether it is on the clipboard */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** A picture of the page as a file of its own: styles inside, text as text. @param {SVGSVGElement} drawn @param {{white: boolean}} how `white`:
 * light colours on white; else the colours of the page on nothing @returns {string} */
export function standalone(drawn, { white }) {
  const stage = document.createElement("div");
  stage.className = white ? "stage paper" : "stage";
  const clone = /** @type {SVGSVGElement} */ (drawn.cloneNode(true));
  stage.append(clone);
  document.body.append(stage);
  try {
    for (const part of clone.querySelectorAll(PAGE_ONLY)) part.remove();
    const styled = [clone, ...clone.querySelectorAll("*")];
    const styles = styled.map((part) => {
      const now = getComputedStyle(part);
      return CARRIED.map((name) => [name, now.getPropertyValue(name)]);
    });
    styled.forEach((part, i) => {
      part.removeAttribute("class");
      // as attributes: the page's policy forbids styles in markup
      for (const [name, value] of styles[i]) part.setAttribute(name, value);
    });
    const { width, height } = clone.viewBox.baseVal;
    clone.setAttribute("xmlns", SVG);
    clone.setAttribute("width", String(width));
    clone.setAttribute("height", String(height));
    if (white) {
      const sheet = document.createElementNS(SVG, "rect");
      for (const [name, value] of Object.entries({ width, height, fill: "#ffffff" })) sheet.setAttribute(name, String(value));
      clone.prepend(sheet);
    }
    return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(clone)}\n`;
  } finally {
    stage.remove();
  }
}

/** @param {string} svg a picture of its own @param {number} scale 1, 2 or 4 pixels for one @returns {Promise<Blob>} as PNG */
export async function png(svg, scale) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"),
  );
}
