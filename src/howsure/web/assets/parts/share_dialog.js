// @ts-check
/** Sharing: a link that carries the page's inputs, or a session file where they are too many for a link. */

import { copy, download } from "../exporting.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { running } from "../pending.js";
import { linkOf } from "../share.js";
import { FOR_OTHERS } from "../transport.js";
import { Dialog } from "./dialog.js";

const LARGEST_FILE = 1024 * 1024;

/**
 * @param {{document: import("../types").Document, shape: import("../types").Document, onOpen: (found: unknown) => void, onClose: () => void}} props
 */
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
