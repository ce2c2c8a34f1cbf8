"""A gate for people: sentence, text, Markdown, HTML; no line begins with a name from outside."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from howsure.text import formats
from howsure.text.formats import integer, plain, several
from howsure.text.svg import IntervalRow, forest
from howsure.text.text_table import Table, escaped

if TYPE_CHECKING:
    from howsure.comparison.gate import Estimate, Gate, GateRow

__all__ = ["html", "markdown", "picture", "row_sentence", "sentence", "text"]

WORDS = {"pass": "Pass", "fail": "Fail", "inconclusive": "Inconclusive"}
ACTS = {"pass": "passes", "fail": "fails", "inconclusive": "is not settled"}
_WHICH = {"fail": "The first that fails", "inconclusive": "The first that is not settled"}
PLURAL = {"pass": "pass", "fail": "fail", "inconclusive": "are not settled"}


def sentence(gate: Gate) -> str:
    """Verdict first; then the metric that decided it."""
    decided = [row for row in gate.rows if row.verdict == gate.verdict]
    if len(gate.rows) == 1:
        return row_sentence(gate, decided[0])
    if gate.verdict == "pass":
        least = min(decided, key=lambda row: row.p_pass)
        return f"Pass: all {len(gate.rows)} metrics pass. The least sure: {_reason(gate, least)}"
    counted = {v: sum(row.verdict == v for row in gate.rows) for v in ACTS}
    parts = [f"{many} {ACTS[v] if many == 1 else PLURAL[v]}" for v, many in counted.items() if many]
    first = f"{WORDS[gate.verdict]}: of {len(gate.rows)} metrics {', '.join(parts)}."
    return f"{first} {_WHICH[gate.verdict]}: {_reason(gate, decided[0])}"


def row_sentence(gate: Gate, row: GateRow) -> str:
    """One metric: the claim, its probability, what would settle it."""
    claim, against = claims(gate, row)
    surely = formats.probability(row.p_pass, row.draws)
    wanted = f"{gate.min_prob:g}"
    head = f"{WORDS[row.verdict]}: "
    if row.verdict == "fail":
        said = f"{against} with probability {formats.probability(row.p_fail, row.draws)}"
        said += f" (the gate fails from {wanted})."
    elif row.verdict == "pass":
        said = f"{claim} with probability {surely} (the gate asks for {wanted})."
    else:
        said = f"that {claim} has probability {surely}; the gate passes from {wanted} and fails "
        said += f"at {1 - gate.min_prob:.4g} or less."
    if row.strict is not None:
        # of an inconclusive answer the sentence is about passing, and the rule about the likelier side
        it = "the opposite" if row.verdict == "inconclusive" and row.p_fail > row.p_pass else "it"
        rule = "By the strict rule (sign test on the cases that only one has right)"
        said += f" {rule} {it} counts as {_strict(row.strict)}."
    if row.verdict == "inconclusive":
        said += f" {_settling(gate, row)}"
    return head + said


def claims(gate: Gate, row: GateRow) -> tuple[str, str]:
    """What passes, and its opposite, in words."""
    candidate, baseline = (plain(name, 40) for name in gate.names)
    metric, margin = plain(row.metric), f" by more than {gate.margin:g}" if gate.margin else ""
    higher = row.better == "higher"
    if gate.mode == "floor":
        above, below = ("above", "below") if higher else ("below", "above")
        return (
            f"{metric} of {candidate} is {above} {gate.floor:g}",
            f"{metric} of {candidate} is {below} {gate.floor:g}",
        )
    if gate.mode == "superiority":
        return (
            f"{candidate} is better than {baseline} in {metric}{margin}",
            f"{candidate} is not better than {baseline} in {metric}{margin}",
        )
    return (
        f"{candidate} is not worse than {baseline} in {metric}{margin}",
        f"{candidate} is worse than {baseline} in {metric}{margin}",
    )


def text(gate: Gate) -> str:
    """Plain text, columns aligned."""
    lines = [gate.sentence, _about(gate), "", table(gate).text(), ""]
    lines += [f"WARNING: {warning}" for warning in gate.warnings]
    lines += [f"note: {note}" for note in gate.notes]
    return formats.isolated("\n".join([*lines, _footnote(gate)]))


def markdown(gate: Gate) -> str:
    """Markdown, everything escaped."""
    mark = {"pass": "✅", "fail": "❌", "inconclusive": "⚠️"}[gate.verdict]
    parts = [f"{mark} **{escaped(gate.sentence)}**", escaped(_about(gate)), table(gate).markdown()]
    parts += [f"> **Warning:** {escaped(warning)}" for warning in gate.warnings]
    parts += [f"> **Note:** {escaped(note)}" for note in gate.notes]
    return formats.isolated("\n\n".join([*parts, escaped(_footnote(gate))]) + "\n")


def html(gate: Gate) -> str:
    """An HTML fragment for notebooks; no style, no script."""
    parts = [f"<p><strong>{escape(gate.sentence)}</strong></p>", f"<p>{escape(_about(gate))}</p>", table(gate).html()]
    parts += [f"<p><strong>Warning:</strong> {escape(x)}</p>" for x in gate.warnings]
    parts += [f"<p>Note: {escape(x)}</p>" for x in gate.notes]
    parts.append(f"<p><small>{escape(_footnote(gate))}</small></p>")
    return formats.isolated_html(f"<section>{''.join(parts)}</section>")


def picture(gate: Gate) -> str:
    """Each difference (or the metric itself) as SVG; dashes where the gate is."""
    rows = []
    for row in gate.rows:
        shown = row.difference or row.candidate
        places = formats.decimals(shown.low, shown.high)
        words = f"{formats.number(shown.mean, places)} ({formats.interval(shown.low, shown.high, places)})"
        bar = gate.floor if row.difference is None else -row.threshold if row.better == "lower" else row.threshold
        rows.append(IntervalRow(f"{row.metric}: {row.verdict}", words, shown.mean, shown.low, shown.high, shown.observed, bar))
    what = "Metric" if gate.mode == "floor" else "Candidate minus baseline"
    return forest(rows, title=f"{what}, mean and {formats.interval_name(gate.kind, gate.level)}; dashes: the gate")


def table(gate: Gate) -> Table:
    """A row for each metric."""
    interval = formats.interval_name(gate.kind, gate.level)
    what = "mean" if gate.mode == "floor" else "difference"
    header = ("metric", "verdict", "P(pass)", "P(fail)", "candidate", "baseline", what, interval, "law")
    rows = []
    for row in gate.rows:
        shown = row.difference or row.candidate
        places = formats.decimals(shown.low, shown.high)
        rows.append(
            (
                plain(row.metric),
                row.verdict,
                formats.probability(row.p_pass, row.draws),
                formats.probability(row.p_fail, row.draws),
                _mean(row.candidate) if gate.mode != "floor" else "",
                _mean(row.baseline) if row.baseline is not None else "",
                formats.number(shown.mean, places),
                formats.interval(shown.low, shown.high, places)
                + ("" if shown.interval == gate.kind else f" ({shown.interval})"),
                shown.law,
            )
        )
    return Table(header, tuple(rows), frozenset([1, 8]))


def _reason(gate: Gate, row: GateRow) -> str:
    """The sentence of a metric without its verdict."""
    return row_sentence(gate, row).split(": ", 1)[1]


def _strict(value: float) -> str:
    return formats.probability(value)


def _settling(gate: Gate, row: GateRow) -> str:
    if row.more_cases is None:
        if gate.mode == "floor":
            return "The candidate is so near to the floor that more cases would hardly settle it."
        near = "the margin" if gate.margin else "0"
        return f"The difference is so near to {near} that more cases would hardly settle it."
    each = " in each test set" if gate.paired is False else ""
    return (
        f"About {several(row.more_cases, 'more case')}{each} would settle it, if the numbers stay as they are "
        "(normal approximation)."
    )


def _mean(known: Estimate) -> str:
    return formats.number(known.mean, max(formats.decimals(known.low, known.high), 3))


def _about(gate: Gate) -> str:
    if gate.paired is None:
        cases = several(gate.cases[0], "case")
    elif gate.paired:
        cases = f"Paired, the same {several(gate.cases[0], 'case')}"
    else:
        cases = f"Separate test sets of {' and '.join(map(integer, gate.cases))} cases"
    aim = {
        "non-inferiority": f"non-inferiority, margin {gate.margin:g}",
        "superiority": f"superiority, margin {gate.margin:g}",
        "floor": f"floor {gate.floor:g}" if gate.floor is not None else "floor",
    }[gate.mode]
    drawn = f"; drawn: {integer(gate.draws)} draws, seed {gate.seed}" if any(row.draws for row in gate.rows) else ""
    return f"{cases}. Gate: {aim}, min-prob {gate.min_prob:g}. Prior: {plain(gate.prior)}{drawn}."


def _footnote(gate: Gate) -> str:
    line = (
        "P(pass), P(fail): probability that the claim, and that its opposite, is true; pass or fail where one reaches "
        "min-prob. "
    )
    if gate.mode != "floor":
        line += "difference: candidate minus baseline. "
    return line + "The numbers cover the sampling of cases only; not label noise, leakage or drift."
