/** What the page uses of htm. */
import type { VNode } from "./preact.js";
declare const htm: {
  bind(h: Function): (strings: TemplateStringsArray, ...values: unknown[]) => VNode;
};
export default htm;
