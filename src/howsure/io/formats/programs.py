"""Cross tables as Stata, SPSS and H2O print them, and matrices of TensorFlow and Julia."""

from __future__ import annotations

import re

from howsure.io.table import Row

__all__ = ["h2o", "julia", "spss", "stata", "tensorflow"]

#: Characters of a printed tensor; the pattern is tried from every place in it.
MOST = 100_000

_RULE = re.compile(r"-+(?:\+-+)+")
_JULIA = re.compile(r"[0-9]+\u00d7[0-9]+ (?:[A-Za-z, ]+\()?(?:Matrix|Array)\{[\w, ]+\}.*:")
_TENSOR = re.compile(
    r"(?:<tf\.Tensor: .{0,100}?numpy=\s*(?:array\()?|tf\.Tensor\()\s*"
    r"(\[\s*\[.*\]\s*\])\s*(?:,\s*[a-z]+=.{0,100})?\)?>?",
    re.DOTALL,
)
_WRONG = re.compile(r"=?\s*[0-9,.]+\s*/\s*[0-9,.]+")


def stata(source: str, text: str) -> list[Row] | None:
    """What `tabulate truth answer` prints: bars, a rule, and the variable of the columns in a line of its own."""
    if "-+-" not in text:
        return None
    lines = [(number, line.rstrip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    kept = [(number, line) for number, line in lines if not _RULE.fullmatch(line.strip())]
    if len(kept) == len(lines) or len(kept) < 4 or not all("|" in line for _, line in kept):
        return None
    (_, above), (head, names), *body = [(number, [part.strip() for part in line.split("|")]) for number, line in kept]
    if above[0] or not names[0] or len(names) > 3:
        return None
    rows = [(number, [row[0], *" ".join(row[1:]).split()]) for number, row in body]
    across = " ".join(names[1:]).split()
    if any(len(row) != len(across) + 1 for _, row in rows):
        return None  # a name with a blank in it: no guess where it ends
    return [(head, [f"{names[0]}\\{' '.join(above[1:]).strip()}", *across]), *rows]


def spss(source: str, text: str) -> list[Row] | None:
    """A classification table: rows observed, columns predicted, and the percentage of each row that is right."""
    if "percentage correct" not in text.lower():
        return None
    lines = [(number, line.split("\t")) for number, line in enumerate(text.splitlines(), start=1)]
    rows = [(number, [cell.strip() for cell in line if cell.strip()]) for number, line in lines]
    rows = [(number, row) for number, row in rows if row]
    at = next((i for i, (_, row) in enumerate(rows) if row[-1].lower() == "percentage correct"), None)
    if at is None or at == 0 or "predicted" not in {cell.lower() for _, row in rows[:at] for cell in row}:
        return None
    head, names = rows[at][0], rows[at][1][:-1]
    names = names[1:] if names and names[0].lower() == "observed" else names
    body = [(number, row[1:] if row[0].lower() == "observed" else row) for number, row in rows[at + 1 :]]
    body = body[: len(names)]
    if len(names) < 2 or [row[0] for _, row in body] != names or any(len(row) != len(names) + 2 for _, row in body):
        return None
    return [(head, ["true\\pred", *names]), *((number, row[:-1]) for number, row in body)]


def h2o(source: str, text: str) -> list[Row] | None:
    """What a model of H2O prints: columns of error and rate behind the counts; rows are actual classes."""
    if not re.search(r"Error\s+Rate", text):
        return None
    lines = [(number, line.split()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    at = next((i for i, (_, words) in enumerate(lines) if words[-2:] == ["Error", "Rate"]), None)
    if at is None:
        return None
    (head, words), body = lines[at], lines[at + 1 :]
    names = words[:-2]
    rows = []
    for number, row in body[: len(names) + 1]:
        rate = next((i for i in range(len(row)) if _WRONG.fullmatch("".join(row[i:]).strip("()"))), None)
        if rate is None or rate != len(names) + 2:
            return None
        rows.append((number, row[: len(names) + 1]))
    if len(names) < 2 or [row[0] for _, row in rows[: len(names)]] != names:
        return None
    return [(head, ["true\\pred", *names]), *rows]


def julia(source: str, text: str) -> list[Row] | None:
    """The size and type of a matrix, and its rows."""
    if "\u00d7" not in text[:100]:
        return None
    lines = [(number, line.split()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if len(lines) < 3 or not _JULIA.fullmatch(" ".join(lines[0][1])):
        return None
    return lines[1:]


def tensorflow(source: str, text: str) -> list[Row] | None:
    """A tensor as it is printed: lists without commas, its shape and its type."""
    whole = text.strip()
    if len(whole) > MOST or not whole.startswith(("tf.Tensor(", "<tf.Tensor:")):
        return None
    found = _TENSOR.fullmatch(whole)
    if found is None:
        return None
    line = 1 + text.count("\n", 0, text.index(found[1]))
    rows = [(line + found[1].count("\n", 0, part.start()), part[1].replace(",", " ").split())
            for part in re.finditer(r"\[([^\[\]]+)\]", found[1])]  # fmt: skip
    return rows if len(rows) > 1 else None
