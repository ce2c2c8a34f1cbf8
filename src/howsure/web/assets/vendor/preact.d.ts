/** What the page uses of Preact. */
export type VNode = object;
export type Child = VNode | string | number | boolean | null | undefined | Child[];
export function h(type: unknown, props: object | null, ...children: Child[]): VNode;
export function render(node: Child, parent: Element): void;
export const Fragment: unknown;
