// @ts-check
/** What leaves the page: pictures, tables, a report, and the code that gives the same numbers. */

import { declared } from "../declared.js";
import { copy, download, png, standalone } from "../exporting.js";
import { html, useState } from "../html.js";
import { Dialog } from "./dialog.js";
import { Segments, Select } from "./fields.js";

/** The pictures on the page, by their names. */
const pictures = () =>
  [...document.querySelectorAll("figure[data-picture]")].flatMap((figure) => {
    const { picture = "", title = "" } = /** @type {HTMLElement} */ (figure).dataset;
    const svg = figure.querySelector("svg");
    return svg ? [{ name: picture, title, svg }] : [];
  });

/**
 * @param {{mode: import("../types").Mode, slice: any, answers: import("../types").Answers, act: import("../types").Act,
 *   onClose: () => void}} props
 */
export function ExportDialog({ mode, slice, answers, act, onClose }) {
  const found = pictures();
  const [name, setName] = useState(found[0]?.name ?? "");
  const [white, setWhite] = useState(true);
  const [said, setSaid] = useState("");
  const drawn = found.find((picture) => picture.name === name);
  const request = mode.request(slice, { live: false });
  const code = answers.current?.code;

  /** @param {number} scale 0 for SVG */
  const savePicture = async (scale) => {
    if (!drawn) return;
    const svg = standalone(drawn.svg, { white });
    if (scale) download(`howsure-${name}@${scale}x.png`, await png(svg, scale));
    else download(`howsure-${name}.svg`, svg, "image/svg+xml");
    setSaid("Saved.");
  };
  /** @param {string} ending */
  const saveFile = async (ending) => {
    if (!request) return;
    try {
      const file = await act.ask("export", { of: request.verb, request: request.body, ending });
      download(file.name, file.text, file.media);
      setSaid(`Saved ${file.name}.`);
    } catch (failure) {
      setSaid(/** @type {import("../types").Failure} */ (failure).message);
    }
  };
  /** @param {string} text @param {string} what */
  const copyText = async (text, what) => setSaid((await copy(text)) ? `${what} copied.` : "The browser forbids copying; select the text below.");

  return html`<${Dialog} title="Export" onClose=${onClose}>
    ${found.length > 0 &&
    html`<section><h3>Picture</h3>
      <${Select} label="Which" value=${name} options=${found.map((p) => ({ value: p.name, label: p.title }))} onValue=${setName} />
      <${Segments} legend="Background" value=${white} onValue=${setWhite}
        options=${[{ value: true, label: "White" }, { value: false, label: "Transparent" }]} />
      <p class="buttons"><button onClick=${() => savePicture(0)}>SVG</button>
        ${[1, 2, 4].map((scale) => html`<button key=${scale} onClick=${() => savePicture(scale)}>PNG ${scale}x</button>`)}</p>
    </section>`}
    <section><h3>Numbers</h3>
      <p class="buttons">${declared.endings.map((ending) => html`<button key=${ending.value} onClick=${() => saveFile(ending.value)}>${ending.label}</button>`)}</p>
    </section>
    ${code &&
    html`<section><h3>The same, from code</h3>
      <p class="buttons"><button onClick=${() => copyText(code.python, "Python")}>Copy Python</button>
        <button onClick=${() => copyText(code.command, "Command line")}>Copy command line</button></p>
      <details><summary>Show it</summary><pre tabindex="0" data-code="python">${code.python}</pre>
        <pre tabindex="0" data-code="command">${code.command}</pre></details>
    </section>`}
    <p role="status">${said}</p>
  <//>`;
}
