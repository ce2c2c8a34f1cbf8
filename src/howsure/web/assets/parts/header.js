// @ts-check
/** The head of the page: its name, the tabs, the theme, and what leaves the page. */

import { html, useLayoutEffect, useState } from "../html.js";
import { ExportDialog } from "./export_dialog.js";
import { ShareDialog } from "./share_dialog.js";

/** @typedef {{name: string, title: string}} Tab */

/**
 * @param {{tabs: Tab[], mode: import("../types").Mode, document: import("../types").Document,
 *   shape: import("../types").Document, answers: import("../types").Answers, act: import("../types").Act, onMode: (name: string) => void,
 *   onOpen: (found: unknown) => void}} props
 */
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

/** @param {{tabs: Tab[], mode: import("../types").Mode, onMode: (name: string) => void}} props */
function Tabs({ tabs, mode, onMode }) {
  // where there is little room the row of tabs scrolls, and the open one is wider than it was
  useLayoutEffect(() => globalThis.document.getElementById(`tab-${mode.name}`)?.scrollIntoView({ block: "nearest", inline: "nearest" }), [mode.name]);
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
