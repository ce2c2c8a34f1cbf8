// @ts-check
/** What the cases that one has give for the goal of a plan. */

import { html, useEffect, useState } from "../../html.js";
import { timer } from "../../pending.js";
import { haveOf } from "./slice.js";

const REST_MS = 250;

/** @param {{slice: import("./slice.js").Slice, act: import("../../types").Act, request: {verb: string, body: any}, refused: boolean}} props */
export function Have({ slice, act, request, refused }) {
  const [said, setSaid] = useState({ about: "", wrong: false, text: "" });
  // while the plan itself is refused, so is this
  const n = refused ? 0 : haveOf(slice).n;
  const key = JSON.stringify([request.body, n]);
  useEffect(() => {
    let late = false;
    if (!n) return;
    const rest = timer();
    rest.start(async () => {
      try {
        const answer = await act.ask("plan", { ...request.body, n });
        if (!late) setSaid({ about: key, wrong: false, text: answer.shown.verdict });
      } catch (failure) {
        if (!late) setSaid({ about: key, wrong: true, text: /** @type {any} */ (failure).message });
      }
    }, REST_MS);
    return () => {
      late = true;
      rest.stop();
    };
  }, [key]);
  // what others gave is none of these
  if (!n || said.about !== key) return null;
  return html`<p class=${said.wrong ? "wrong" : "note"}>Your cases: <span data-value="have">${said.text}</span></p>`;
}
