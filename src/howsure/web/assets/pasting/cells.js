// @ts-check
/** Tables of cells: from spreadsheets, CSV, LaTeX, or columns set apart by blanks. */

/** @param {string} text @returns {{cells: string[][]}} */
export function celled(text) {
  const latex = /\\begin\{|\\\\\s*$|\\\\\s*(\[|\\hline|\n)/m.test(text) && text.includes("&");
  const lines = latex ? latexLines(text) : text.split(/\r\n|\r|\n/).filter((line) => line.trim());
  return { cells: latex ? lines.map((line) => line.split(/(?<!\\)&/).map(latexCell)) : split(lines) };
}

/** Rows of a tabular or array, without its rules and comments.
 * @param {string} text @returns {string[]} */
function latexLines(text) {
  return text
    .replace(/(?<!\\)%.*$/gm, "")
    .replace(/\\(begin|end)\{[^}]*\}(\[[^\]]*\])?(\{(?:[^{}]|\{[^}]*\})*\})?/g, "")
    .replace(/\\(hline|toprule|midrule|bottomrule|cmidrule(\([^)]*\))?\{[^}]*\}|cline\{[^}]*\})/g, "")
    .split(/\\\\(?:\[[^\]]*\])?/)
    .map((line) => line.replaceAll("\n", " ").trim())
    .filter(Boolean);
}

/** What a cell of LaTeX prints: no commands, no braces, no dollars.
 * @param {string} cell @returns {string} */
function latexCell(cell) {
  return cell
    .replace(/\\(textbackslash|backslash)\b\s*(\{\})?/g, "\u0000")
    .replace(/\\multicolumn\{[^}]*\}\{[^}]*\}/g, "")
    .replace(/\\([%&_#$])/g, "$1")
    .replace(/\\[a-zA-Z]+\s*/g, "")
    .replace(/(?<!\\)[{}$]|\\[,;! ]/g, "")
    .replaceAll("\u0000", "\\")
    .trim();
}

/** Lines by the sign that splits them: tab, semicolon, comma, bar, or blanks.
 * @param {string[]} lines @returns {string[][]} */
function split(lines) {
  const sign = ["\t", ";", ",", "|"].find((candidate) => lines.every((line) => line.includes(candidate)));
  if (sign === undefined) return lines.map((line) => line.trim().split(/\s+/));
  if (sign !== "|") return lines.map((line) => fields(line, sign));
  // a table of Markdown: outer bars, and a line of dashes
  return lines
    .filter((line) => !/^[\s|:-]+$/.test(line))
    .map((line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim()));
}

/** Fields of a line, quotes as in RFC 4180.
 * @param {string} line @param {string} sign @returns {string[]} */
function fields(line, sign) {
  const made = [];
  const pattern = new RegExp(`\\s*(?:"((?:[^"]|"")*)"\\s*|([^${sign}]*))(${sign}|$)`, "gy");
  for (let found = pattern.exec(line); found; found = pattern.exec(line)) {
    made.push((found[1] ?? found[2]).replaceAll('""', '"').trim());
    if (found[3] === "") break;
  }
  return made;
}
