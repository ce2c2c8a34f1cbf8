// @ts-check
/** The library in a thread of the browser. Messages in: {open}, then {id, path, body, type} or {check}. Messages out: {progress}, {ready} or
 * {failed}, {id, status, answer}, and of a check {checked, of, differ}, each time one is done. */

/** @type {any} */
let library;

/** @param {{pyodide: string, packages: string[], zip: string}} places addresses, all absolute */
async function open({ pyodide, packages, zip }) {
  say("Loading Python (1 of 4)");
  const { loadPyodide } = await import(`${pyodide}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: pyodide });
  say("Loading NumPy and SciPy (2 of 4)");
  await python.loadPackage(packages, { messageCallback: () => {} });
  say("Loading howsure (3 of 4)");
  const reply = await fetch(zip);
  if (!reply.ok) throw new Error(`${zip} answered ${reply.status}`);
  python.FS.writeFile("/howsure.zip", new Uint8Array(await reply.arrayBuffer()));
  say("Starting howsure (4 of 4)");
  python.runPython("import sys, zipfile; zipfile.ZipFile('/howsure.zip').extractall('/howsure'); sys.path.insert(0, '/howsure')");
  library = python.pyimport("howsure.web.in_browser");
}

/** @param {string} text */
const say = (text) => postMessage({ progress: text });

/** @param {string} address of the questions with their answers */
async function check(address) {
  const { questions } = await (await fetch(address)).json();
  const differ = [];
  for (const [i, { name, request, answer }] of questions.entries()) {
    const where = library.differing(JSON.stringify(request), JSON.stringify(answer));
    if (where) differ.push(`${name}: ${where}`);
    postMessage({ checked: i + 1, of: questions.length, differ });
  }
}

onmessage = async ({ data }) => {
  try {
    if (data.open) {
      await open(data.open);
      postMessage({ ready: true });
    } else if (data.check) {
      await check(data.check);
    } else {
      const pair = library.answered(data.path, data.body, data.type);
      const [status, answer] = pair.toJs();
      pair.destroy();
      postMessage({ id: data.id, status, answer });
    }
  } catch (trouble) {
    const message = `The library stopped: ${String(trouble).slice(0, 300)}`;
    postMessage("id" in data ? { id: data.id, status: 500, answer: JSON.stringify({ code: "Defect", message, field: null }) } : { failed: String(trouble) });
  }
};
