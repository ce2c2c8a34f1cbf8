// @ts-check
/** How a question reaches the library: by a request to the server. The page without a server has another file here. */

export const UNREACHED = "The local server cannot be reached.";
export const FOR_OTHERS = "For others it opens where howsure runs at this address; elsewhere they open the session file.";
/** What is said while it is away; what to do is `RETURN`, a command if there is one. */
export const LOST = "Connection to the local server lost. Your inputs are kept; start it again:";
export const RETURN = "howsure serve";
export const WHERE = "Computed on the machine that serves this page; nothing is sent elsewhere.";

/** @param {string} path a verb, of an import also its options as a query @param {string | Blob} body @param {string} type its media type
 * @returns {Promise<{status: number, answer: any} | null>} null where nobody was reached */
export async function sent(path, body, type) {
  const headers = { "Content-Type": type };
  const asked = fetch(`api/v1/${path}`, { method: "POST", headers, body, credentials: "omit", cache: "no-store" });
  const reply = await asked.catch(() => null);
  return reply && { status: reply.status, answer: await reply.json().catch(() => null) };
}

/** Whether the library is there again. */
export async function reachable() {
  const reply = await fetch("healthz", { cache: "no-store" }).catch(() => null);
  return Boolean(reply?.ok);
}
