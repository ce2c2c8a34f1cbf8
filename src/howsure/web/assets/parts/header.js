// @ts-check
/** The head of the page: its name, the tabs, the theme, and what leaves the page: a link or a session file, pictures, tables, code. */

import { running } from "../api.js";
import { declared } from "../declared.js";
import { copy, download, png, standalone } from "../exporting.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../html.js";
import { Segments, Select, useId } from "./fields.js";
import { linkOf } from "../share.js";
import { FOR_OTHERS } from "../transport.js";

/** @param {{title: string, onClose: () => void, children?: unknown}} props */
export function Dialog({ title, onClose, children }) {
  const place = useRef(/** @type {any} */ (null));
  const id = useId("dialog");
  useLayoutEffect(() => place.current.showModal(), []);
  return html`<dialog ref=${place} aria-labelledby=${id} onClose=${onClose}
    onClick=${(/** @type {any} */ event) => event.target === place.current && place.current.close()}>
    <div class="sheet">
      <div class="title"><h2 id=${id}>${title}</h2>
        <button class="quiet round" aria-label="Close" onClick=${() => place.current.close()}>×</button></div>
      ${children}
    </div>
  </dialog>`;
}

const LARGEST_FILE = 1024 * 1024;

/** @param {{document: PageDocument, shape: PageDocument, onOpen: (found: unknown) => void, onClose: () => void}} props */
export function ShareDialog({ document: doc, shape, onOpen, onClose }) {
  const [link, setLink] = useState(/** @type {string | null | undefined} */ (undefined));
  const [said, setSaid] = useState("");
  const box = useRef(/** @type {any} */ (null));
  useEffect(() => {
    linkOf(doc, shape).then(setLink);
  }, [doc]);
  const copyLink = async () => {
    const done = await copy(/** @type {string} */ (link));
    if (!done) box.current.select();
    setSaid(done ? "Copied." : "The browser forbids it; the link is selected, press Ctrl+C.");
  };
  /** @param {any} event */
  const openFile = async (event) => {
    const file = event.currentTarget.files[0];
    if (!file) return;
    if (file.size > LARGEST_FILE) return setSaid("This file is larger than 1 MB and no session of howsure.");
    try {
      onOpen(JSON.parse(await running(file.text())));
      onClose();
    } catch {
      setSaid("This file is no session of howsure.");
    }
  };
  return html`<${Dialog} title="Share" onClose=${onClose}>
    <p><strong>The link carries the class labels and counts</strong> after its # sign. Whoever has it can read them; no
      server does, because browsers do not send that part. ${FOR_OTHERS}</p>
    ${link === null && html`<p class="note">These inputs are too many for a link (8 kB). Send the session file instead.</p>`}
    ${link && html`<label class="field"><span>Link</span>
      <input ref=${box} class="link" readonly value=${link} onFocus=${(/** @type {any} */ e) => e.currentTarget.select()} /></label>`}
    <p class="buttons">
      ${link && html`<button class="main" onClick=${copyLink}>Copy link</button>`}
      <button onClick=${() => download("session.json", `${JSON.stringify(doc, null, 1)}\n`, "application/json")}>Download session.json</button>
      <label class="button">Open session.json
        <input class="unseen" type="file" accept=".json,application/json" onChange=${openFile} /></label>
    </p>
    <p role="status">${said}</p>
  <//>`;
}

/** The pictures on the page, by their names. */
const pictures = () =>
  [...document.querySelectorAll("figure[data-picture]")].flatMap((figure) => {
    const { picture = "", title = "" } = /** @type {HTMLElement} */ (figure).dataset;
    const svg = figure.querySelector("svg");
    return svg ? [{ name: picture, title, svg }] : [];
  });

/** @param {{mode: Mode, slice: any, answers: Answers, act: Act, onClose: () => void}} props */
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
      setSaid(/** @type {Failure} */ (failure).message);
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

/** @param {{tabs: Mode[], mode: Mode, document: PageDocument, shape: PageDocument, answers: Answers, act: Act, onMode: (name: string) => void,
 * onOpen: (found: unknown) => void}} props */
export function Header({ tabs, mode, document: doc, shape, answers, act, onMode, onOpen }) {
  const [shown, setShown] = useState("");
  const close = () => setShown("");
  return html`<header class="head">
    <h1><a href="./" class="brand"><img src="assets/icon.svg" alt="" width="24" height="24" />howsure</a></h1>
    <${Tabs} tabs=${tabs} mode=${mode} onMode=${onMode} />
    <div class="tools">
      <${Theme} />
      <button class="quiet" aria-haspopup="dialog" onClick=${() => setShown("share")}>Share</button>
      <button class="quiet" aria-haspopup="dialog" onClick=${() => setShown("export")}>Export</button>
    </div>
    ${shown === "share" && html`<${ShareDialog} document=${doc} shape=${shape} onOpen=${onOpen} onClose=${close} />`}
    ${shown === "export" && html`<${ExportDialog} mode=${mode} slice=${doc[mode.name]} answers=${answers} act=${act} onClose=${close} />`}
  </header>`;
}

/** @param {{tabs: Mode[], mode: Mode, onMode: (name: string) => void}} props */
function Tabs({ tabs, mode, onMode }) {
  /** @param {KeyboardEvent} event */
  const step = (event) => {
    const at = tabs.findIndex(({ name }) => name === mode.name);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs[to % tabs.length];
    onMode(next.name);
    globalThis.document.getElementById(`tab-${next.name}`)?.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label="What to ask" onKeyDown=${step}>
    ${tabs.map(
      (each) => html`<button key=${each.name} id=${`tab-${each.name}`} role="tab" aria-selected=${String(each.name === mode.name)}
        aria-controls="main" tabindex=${each.name === mode.name ? 0 : -1} onClick=${() => onMode(each.name)}>${each.title}</button>`,
    )}
  </div>`;
}

/** Light or dark, kept in this browser only. */
function Theme() {
  const root = globalThis.document.documentElement;
  const [dark, setDark] = useState(() => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark");
  const toggle = () => {
    const theme = dark ? "light" : "dark";
    root.dataset.theme = theme;
    setDark(!dark);
    try {
      localStorage.setItem("howsure-theme", theme);
    } catch {
      // storage may be forbidden; the choice holds until the page is closed
    }
  };
  return html`<button class="quiet round" role="switch" aria-checked=${String(dark)} aria-label="Dark theme" title="Dark theme"
    onClick=${toggle}><svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <circle cx="12" cy="12" r="8.5" class="ring" /><path d="M12 3.5a8.5 8.5 0 0 1 0 17z" class="half" /></svg></button>`;
}
