"use strict";
// Sorts and filters the tables of the page. Without it they are the same tables, in the order of the answer.
const SPACES = /[\s\u2009\u202f\u2068\u2069]+/g;

function amount(text) {
  const bare = text.replace(/,(?=\d{3}(?!\d))/g, "").replace(SPACES, "").replace("\u2212", "-");
  const found = /^[<>]?(-?\d+(?:\.\d+)?)/.exec(bare);
  return found ? Number(found[1]) + (bare[0] === ">" ? 1e-9 : bare[0] === "<" ? -1e-9 : 0) : NaN;
}

function compared(a, b, column, numbers) {
  const [one, two] = [a, b].map((row) => row.cells[column].textContent.trim());
  if (!numbers) return one.localeCompare(two, undefined, { numeric: true });
  const [x, y] = [amount(one), amount(two)];
  return x - y;
}

function prepare(table) {
  const body = table.tBodies[0];
  const all = Array.from(body.rows);
  // what is said of the whole population has no cases of its own, and stays on top
  let top = 0;
  while (top < all.length && all[top].cells[1].textContent.trim() === "") top += 1;
  const pinned = all.slice(0, top);
  const rows = all.slice(top);
  if (rows.length < 3) return;
  const heads = Array.from(table.tHead.rows[0].cells);
  const bar = document.createElement("p");
  bar.className = "filter";
  const label = document.createElement("label");
  label.textContent = "Show rows with ";
  const input = document.createElement("input");
  input.type = "search";
  input.autocomplete = "off";
  label.append(input);
  const told = document.createElement("span");
  told.setAttribute("role", "status");
  bar.append(label, " ", told);
  table.before(bar);

  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLocaleLowerCase();
    for (const row of rows) row.hidden = !row.cells[0].textContent.toLocaleLowerCase().includes(wanted);
    const shown = rows.filter((row) => !row.hidden).length;
    told.textContent = wanted ? `${shown} of ${rows.length} rows` : "";
  });

  heads.forEach((head, column) => {
    const cells = rows.map((row) => row.cells[column].textContent.trim());
    const known = cells.filter((text) => !Number.isNaN(amount(text))).length;
    const numbers = column > 0 && known > 0 && known >= cells.length / 2;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const way = before === "ascending" ? "descending" : before === "descending" ? null : "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      if (way) head.setAttribute("aria-sort", way);
      const unknown = (row) => numbers && Number.isNaN(amount(row.cells[column].textContent));
      const ordered = rows.filter((row) => !unknown(row));
      if (way) ordered.sort((a, b) => compared(a, b, column, numbers) * (way === "ascending" ? 1 : -1));
      // without a number a row is last either way
      body.append(...pinned, ...(way ? [...ordered, ...rows.filter(unknown)] : rows));
    });
  });
}

for (const table of document.querySelectorAll("table")) if (table.tHead && table.tBodies.length) prepare(table);
