"""Writes the list of metrics in docs/metrics.md from the registry; the text around it is written by hand.

Run: python docs/make_metrics.py   (or: make metrics)
"""

from pathlib import Path

from howsure.metrics import AVERAGES, FAMILIES
from howsure.reporting.metric_cards import by_family, explanation

PAGE = Path(__file__).with_name("metrics.md")
BEGIN, END = "<!-- from here on made by docs/make_metrics.py -->\n", "<!-- up to here -->\n"
HEAD = "| metric | what it is | range | exact | also called |"
#: When a law is exact, in a word; the page says above what each means.
SHORT = {
    "exact": "always",
    "exact for two classes, simulated for more": "2 classes",
    "exact for two classes or at a stated prevalence, otherwise simulated": "2 classes, stated",
    "exact at a stated prevalence, otherwise simulated": "stated",
    "simulated": "never",
}


def generated() -> str:
    """The list itself, as Markdown."""
    lines = ["", "## Averages", ""]
    lines += [f"- `@{average}`: {meaning}." for average, meaning in AVERAGES.items()]
    for family, meaning in FAMILIES.items():
        lines += ["", f"## {family.capitalize()}", "", meaning, "", HEAD, "| --- " * 5 + "|"]
        lines += [row(metric.name, explanation(metric)) for metric in by_family(family)]
    return "\n".join([*lines, "", ""])


def row(name: str, parts: dict[str, str]) -> str:
    """A metric as a row: `howsure metrics NAME` has its references, other names and answers on empty classes."""
    sign = {"higher": "", "lower": ", lower is better"}.get(parts["better"], "")
    star = " \\*" if parts.get("depends on the prevalence") == "yes" else ""
    names = dict.fromkeys(
        [*filter(None, parts.get("also called", "").split(", ")), *parts.get("scikit-learn", "").split(", ")]
    )
    cells = (
        parts["formula"],
        parts["range"] + sign,
        SHORT.get(parts["method"], parts["method"]),
        ", ".join(filter(None, names)),
    )
    return f"| `{name}`{star} | {' | '.join(escaped(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def escaped(text: str) -> str:
    """Text that Markdown leaves as it is."""
    return text.replace("*", "\\*").replace("_", "\\_").replace("<", "&lt;")


def page() -> str:
    """The page with its list made anew."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + generated() + END + after


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
