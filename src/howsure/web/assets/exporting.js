// @ts-check
/** What leaves the page: files, pictures that stand alone, and the clipboard. */

/** Parts that only make sense on the page; and what is written with on white. */
const [PAGE_ONLY, INK] = [".hand", "#1b1f24"];

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

/** A picture of the page as a file of its own. @param {SVGSVGElement} drawn @param {{white: boolean}} how `white`: dark on white; else in the ink of
 * the page on nothing @returns {string} */
export function standalone(drawn, { white }) {
  const clone = /** @type {SVGSVGElement} */ (drawn.cloneNode(true));
  for (const part of clone.querySelectorAll(PAGE_ONLY)) part.remove();
  clone.removeAttribute("class");
  clone.setAttribute("color", white ? INK : getComputedStyle(drawn).color);
  if (white) {
    const paper = document.createElementNS(clone.namespaceURI, "rect");
    for (const [name, value] of Object.entries({ width: "100%", height: "100%", fill: "#ffffff" })) paper.setAttribute(name, value);
    clone.prepend(paper);
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(clone)}\n`;
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
