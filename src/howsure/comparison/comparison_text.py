"""A comparison for people: text, Markdown, HTML, CSV; the same cells in each."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

from howsure.comparison.comparison_sentence import places
from howsure.comparison.contender import cases
from howsure.laws import Draws
from howsure.text import formats
from howsure.text.formats import integer, plain, several
from howsure.text.text_table import Table, csv_text, escaped

if TYPE_CHECKING:
    from howsure.comparison.comparison import ClassDifference, Comparison
    from howsure.posterior.distribution import Distribution

__all__ = ["about", "csv", "footnote", "html", "markdown", "shown", "text"]

#: Above this many classes, only those with the surest differences are shown; JSON and CSV have all.
MOST_CLASSES_SHOWN = 20
SUREST = 10

CSV = (
    *("what", "metric", "observed", "mean", "low", "high"),
    *("p_better", "p_equal", "p_worse", "law", "prior", "paired", "level"),
)

#: The column that holds words, the law.
WORDS = frozenset([5])


class Shown(NamedTuple):
    """The table, and sentences below it."""

    table: Table
    below: list[str]


def text(c: Comparison) -> str:
    """Plain text, columns aligned, sentences unwrapped."""
    made = shown(c)
    lines = [c.sentence, about(c), "", made.table.text(), "", *made.below]
    lines += [f"WARNING: {warning}" for warning in c.warnings]
    lines += [f"note: {note}" for note in c.notes]
    return formats.isolated("\n".join([*lines, footnote(c)]))


def markdown(c: Comparison) -> str:
    """Markdown for a pull request."""
    made = shown(c)
    lines = [f"**{escaped(c.sentence)}**", "", escaped(about(c)), "", made.table.markdown(), ""]
    for line in made.below:
        lines += [escaped(line), ""]
    for heading, sentences in (("Warning", c.warnings), ("Note", c.notes)):
        for said in sentences:
            lines += [f"> **{heading}:** {escaped(said)}", ""]
    return formats.isolated("\n".join([*lines, escaped(footnote(c))]) + "\n")


def html(c: Comparison) -> str:
    """An HTML fragment for notebooks; no style, no script."""
    made = shown(c)
    parts = [f"<p><strong>{escape(c.sentence)}</strong></p>", f"<p>{escape(about(c))}</p>"]
    parts.append(made.table.html())
    parts += [f"<p>{escape(line)}</p>" for line in made.below]
    parts += [f"<p><strong>Warning:</strong> {escape(x)}</p>" for x in c.warnings]
    parts += [f"<p>Note: {escape(x)}</p>" for x in c.notes]
    parts.append(f"<p><small>{escape(footnote(c))}</small></p>")
    return formats.isolated_html(f"<section>{''.join(parts)}</section>")


def csv(c: Comparison) -> str:
    """One row for each classifier, for the difference, and for the recall of each class; numbers in full."""
    shared = (c.prior, "yes" if c.paired else "no", c.level)
    sides = [
        (name, c.metric, x.observed, x.mean, *x.interval(c.level, c.kind), None, None, None, x.route, *shared)
        for name, x in zip(c.names, (c.a, c.b), strict=True)
    ]
    what, ends = " - ".join(c.names), c.difference.interval(c.level, c.kind)
    numbers = (c.observed, c.difference.mean, *ends, *c.chances)
    difference = (what, c.metric, *numbers, c.difference.route, *shared)
    classes = [
        (what, f"recall@{it.label}", None, it.mean, it.low, it.high, it.p_better, None, it.p_worse, it.law, *shared)
        for it in c.per_class
    ]
    return csv_text(CSV, [*sides, difference, *classes])


# -- cells ----------------------------------------------------------------------------------------------------


def shown(c: Comparison) -> Shown:
    """Rows of A, of B, of the difference, and of the recall of each class; the same cells in every format."""
    header = [
        "",
        "observed",
        "mean",
        formats.interval_name(c.kind, c.level),
        f"P({plain(c.names[0], 20)} better)",
        "law",
    ]
    rows = [_side(c, name, x) for name, x in zip(c.names, (c.a, c.b), strict=True)]
    what = " - ".join(plain(name, 40) for name in c.names)
    law = c.difference.law
    draws = law.n if isinstance(law, Draws) else None
    digits, ends = places(c), c.difference.interval(c.level, c.kind)
    rows.append([
        what,
        formats.number(c.observed, max(digits, 3)),
        formats.number(c.difference.mean, digits),
        formats.interval(*ends, digits) + _unlike(ends.kind, c),
        formats.probability(c.p_better, draws),
        _law(c.difference),
    ])  # fmt: skip
    below = []
    listed = [it for it in c.per_class if it.p_better is not None]
    if len(c.per_class) > MOST_CLASSES_SHOWN:
        listed = sorted(listed, key=lambda it: -abs((it.p_better or 0.5) - 0.5))[:SUREST]
        below.append(f"The {SUREST} surest differences of {len(c.per_class)} classes are shown; --json has the others.")
    rows += [_class_row(c, it) for it in listed]
    return Shown(Table(tuple(header), tuple(map(tuple, rows)), WORDS), below + _pairing(c))


def _side(c: Comparison, name: str, x: Distribution) -> list[str]:
    ends = x.interval(c.level, c.kind)
    digits = formats.decimals(*ends, error=x.error if isinstance(x.law, Draws) else 0.0)
    shown = [formats.number(x.observed, max(digits, 3)), formats.number(x.mean, digits)]
    return [plain(name, 40), *shown, formats.interval(*ends, digits) + _unlike(ends.kind, c), "", _law(x)]


def _class_row(c: Comparison, it: ClassDifference) -> list[str]:
    assert it.low is not None
    assert it.high is not None
    assert it.p_better is not None
    drawn = it.law == "drawn"
    digits = formats.decimals(it.low, it.high, error=(it.error or 0.0) if drawn else 0.0)
    shown = [formats.number(it.mean, digits), formats.interval(it.low, it.high, digits) + _unlike(it.interval, c)]
    chance = formats.probability(it.p_better, c.draws if drawn else None)
    return [f"  recall@{plain(it.label, 30)}", "", *shown, chance, f"drawn ±{it.error:.1g}" if drawn else it.law or ""]


def _unlike(kind: str | None, c: Comparison) -> str:
    return "" if kind == c.kind else f" ({kind})"


def _law(x: Distribution) -> str:
    return f"drawn ±{x.error:.1g}" if isinstance(x.law, Draws) else x.route


def _pairing(c: Comparison) -> list[str]:
    if c.discordant is None:
        return []
    both = several(c.discordant[0], "case")
    a, b, neither = map(integer, c.discordant[1:])
    names = [plain(name, 40) for name in c.names]
    line = f"Both are right on {both}, only {names[0]} on {a}, only {names[1]} on {b}, neither on {neither}."
    if c.narrowing is not None:
        times = f"{c.narrowing:.1f}"
        wide = "about as wide" if times == "1.0" else f"{times} times as wide"
        line += f" As separate test sets the interval would be {wide}."
    return [line]


def about(c: Comparison) -> str:
    """What was compared: cases, pairing, prior, and which direction of the metric is better."""
    sizes = [integer(cases(p)) for p in c.posteriors]
    what = f"{sizes[0]} cases answered by both" if c.paired else f"separate test sets of {' and '.join(sizes)} cases"
    direction = c.measures[0].metric.better
    kind = "Paired" if c.paired else "Not paired"
    return f"{kind}: {what}. Prior: {plain(c.prior)}. {plain(c.metric)}: {direction} is better."


def footnote(c: Comparison) -> str:
    """What the numbers mean, and what they do not cover."""
    line = "Loss: expected shortfall of the choice, in units of the metric. "
    if c.per_class:
        line += f"Rows of a class: difference of its recall{', without the rope' if c.rope else ''}. "
    line += "The numbers cover the sampling of cases only; not label noise, leakage or drift."
    if any(isinstance(x.law, Draws) for x in (c.a, c.b, c.difference)) or any(it.law == "drawn" for it in c.per_class):
        line += f" drawn: {integer(c.draws)} draws, seed {c.seed}, ± Monte Carlo error of the interval's ends."
    return line
