"""A folder that looks like a release of Pyodide, whose Python is a few lines of JavaScript: the protocol without it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

#: Answers every question with a report of golden.json that has no slider, and finds the second question to differ.
LOADER = """
export async function loadPyodide({ indexURL }) {
  const asked = new XMLHttpRequest();
  asked.open("GET", new URL("../golden.json", indexURL), false);
  asked.send();
  const { questions } = JSON.parse(asked.responseText);
  let checked = 0;
  const library = {
    answered(path, body, type) {
      if (path === "paste") throw new Error("this is a stand-in");
      return { toJs: () => [200, JSON.stringify(questions[1].answer)], destroy() {} };
    },
    differing: () => (++checked === 2 ? "answer.mean: 1, and 2 was expected" : ""),
  };
  const written = [];
  return {
    FS: { writeFile: (name, bytes) => written.push(`${name} ${bytes.length > 100000}`) },
    loadPackage: async (packages) => {
      if (packages.join() !== "numpy,scipy") throw new Error(`asked for ${packages}`);
    },
    runPython(code) {
      if (written.join() !== "/howsure.zip true" || !code.includes("extractall")) throw new Error("no library");
    },
    pyimport(name) {
      if (name !== "howsure.web.in_browser") throw new Error(`asked for ${name}`);
      return library;
    },
  };
}
"""


def stand_in(folder: Path, loader: str = LOADER) -> Path:
    """Write it; the archives are a few bytes, and listed as they are."""
    folder.mkdir()
    (folder / "pyodide.mjs").write_text(loader, encoding="utf-8")
    for name in ("pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip"):
        (folder / name).write_bytes(b"")
    packages = {}
    for name, depends in (("numpy", []), ("scipy", ["numpy", "openblas"]), ("openblas", []), ("pandas", ["numpy"])):
        body = f"{name}, as it were".encode()
        (folder / f"{name}-1.whl").write_bytes(body)
        digest = hashlib.sha256(body).hexdigest()
        packages[name] = {"file_name": f"{name}-1.whl", "sha256": digest, "depends": depends}
    (folder / "pyodide-lock.json").write_text(json.dumps({"packages": packages}), encoding="utf-8")
    return folder
