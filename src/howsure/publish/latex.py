r"""Tables for LaTeX: booktabs, asymmetric intervals, only the digits that the interval supports, all text escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence

from howsure.answers.sheet import Record
from howsure.errors import visible
from howsure.laws import Draws
from howsure.planning.plan import Plan
from howsure.questions.comparison import Comparison
from howsure.questions.ranking import Ranking, assumption, rank_probability
from howsure.reporting.report import Report
from howsure.text import formats
from howsure.text.text_table import Table

MARKS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\symbol{34}",  # \textquotedbl, where the encoding of the font has it
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    **{mark: "\\" + mark for mark in "%&_#${}"},
}
#: Letters up to U+017F that pdfLaTeX does not know; it knows the others, and hardly any beyond.
UNKNOWN = frozenset("\u0126\u0127\u0138\u013f\u0140\u0149\u0166\u0167\u017f")
#: A letter and its number: pdfLaTeX, which would stop at a letter that no package declares, prints the number.
LETTER = (
    r"\providecommand\howsureletter[2]{\ifcsname u8:\detokenize{#1}\endcsname#1\else"
    r"\ifdefined\Uchar#1\else[U+#2]\fi\fi}"
)


def escaped(text: str) -> str:
    r"""Text that LaTeX prints and never runs.

    Examples
    --------
    >>> print(escaped(r"\input{x} 5% & a_b"))
    \textbackslash{}input\{x\} 5\% \& a\_b
    >>> print(escaped("a--b λ"))
    a-{}-b \howsureletter{λ}{3BB}
    """
    made = "".join(map(_mark, visible(text)))
    # an empty group between the marks that fonts join: two hyphens are no dash, two commas no quotation mark
    made = re.sub(r"([-,])(?=\1)", r"\1{}", made)
    # and one that keeps a leading bracket or star from being an argument of the row above
    return "{}" + made if made.startswith(("[", "*")) else made


def _mark(mark: str) -> str:
    if ord(mark) > 0x17F or mark in UNKNOWN:
        return rf"\howsureletter{{{mark}}}{{{ord(mark):X}}}"
    return MARKS.get(mark, mark)


def latex(result: Record) -> str:
    r"""A table for a paper, needing ``\usepackage{booktabs,textcomp}`` (and ``[T1]{fontenc}`` with pdfLaTeX).

    pdfLaTeX prints a letter of another script as its number, ``[U+3BB]``, unless a package of the paper declares it;
    XeLaTeX and LuaLaTeX print it as it is, if the font has it.

    Examples
    --------
    >>> import howsure as hs
    >>> made = hs.report(hs.infer(hs.ConfusionMatrix([[26, 0], [2, 6]], labels=["high", "low"])), ["recall@low"])
    >>> [line for line in latex(made).splitlines() if "recall" in line]
    ['recall@low & 0.750 & $0.71^{+0.25}_{-0.27}$ & $[0.44,\\, 0.96]$ \\\\']
    """
    if isinstance(result, Report):
        return _report(result)
    if isinstance(result, Plan):
        return _plan(result)
    if isinstance(result, Comparison):
        return _comparison(result)
    if isinstance(result, Ranking):
        return _ranking(result)
    sheet = result.sheet()
    return _cells(" ".join(filter(None, (sheet.headline, sheet.left_out))), sheet.table)


def numbers(mean: float, low: float, high: float, error: float = 0.0) -> tuple[str, str]:
    """Mean with what the interval adds and takes, and the interval, to the digits that it supports."""
    places = formats.decimals(low, high, error=error)
    middle, first, last = (round(x, places) for x in (mean, low, high))
    up, down = (formats.number(x, places) for x in (max(last - middle, 0.0), max(middle - first, 0.0)))
    ends = f"$[{formats.number(low, places)},\\, {formats.number(high, places)}]$"
    return f"${formats.number(mean, places)}^{{+{up}}}_{{-{down}}}$", ends


def _table(caption: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    body = "\n".join(" & ".join(row) + r" \\" for row in rows)
    made = (
        f"\\begin{{table}}\\centering\\renewcommand{{\\arraystretch}}{{1.2}}\n\\caption{{{caption}}}\n"
        f"\\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}\n\\toprule\n"
        f"{' & '.join(header)} \\\\\n\\midrule\n{body}\n\\bottomrule\n\\end{{tabular}}\n\\end{{table}}\n"
    )
    letters = f"{LETTER}\n" if r"\howsureletter" in made else ""
    return f"% \\usepackage{{booktabs,textcomp}}\n{letters}{made}"


def _cells(caption: str, table: Table) -> str:
    """Cells that are text already."""
    return _table(
        escaped(caption), [escaped(x) for x in table.header], [[escaped(x) for x in row] for row in table.rows]
    )


def _report(report: Report) -> str:
    chance = any(row.p_above_chance is not None for row in report.rows)
    rows = []
    for row in report.rows:
        places = 3
        cells = [escaped(formats.plain(row.name))]
        if row.mean is None or row.low is None or row.high is None:
            rows.append([*cells, formats.number(row.observed, places), "no information", "", *([""] if chance else [])])
            continue
        places = max(3, formats.decimals(row.low, row.high))
        shown = numbers(row.mean, row.low, row.high, (row.error or 0.0) if row.law == "simulated" else 0.0)
        cells += [formats.number(row.observed, places), *shown]
        if chance:
            better = row.above_chance
            cells.append("" if better is None else escaped(formats.probability(better.probability, better.draws)))
        rows.append(cells)
    kind = escaped(formats.interval_name(report.kind, report.level))
    header = ["metric", "observed", "mean", kind, *([r"$P$(\textgreater{} chance)"] if chance else [])]
    cases, judged = f"{formats.integer(report.confusion.n)} cases", report.confusion.verdicts
    if judged is not None:
        cases = f"{formats.integer(judged.n)} cases, {formats.integer(judged.n_labelled)} of them with a label"
    caption = f"{cases}, prior {escaped(report.prior.name)}; posterior means with {kind} intervals."
    return _table(caption, header, rows)


def _comparison(c: Comparison) -> str:
    rows = []
    for name, known in zip(c.names, (c.a, c.b), strict=True):
        rows.append([escaped(formats.plain(name, 40)), *numbers(known.mean, *known.interval(c.level, c.kind)), ""])
    law, ends = c.law, c.law.interval(c.level, c.kind)
    better = formats.probability(max(c.p_better, c.p_worse), law.n if isinstance(law, Draws) else None)
    shown = (-law.mean, -ends.high, -ends.low) if c.turned else (law.mean, ends.low, ends.high)
    rows.append(["difference", *numbers(*shown), escaped(better)])
    kind = escaped(formats.interval_name(c.kind, c.level))
    header = [escaped(formats.plain(c.metric)), "mean", kind, f"$P$({escaped(formats.plain(c.ahead[0], 20))} better)"]
    pairing = "the same cases" if c.paired else "separate test sets"
    return _table(f"{escaped(c.sentence)} Prior {escaped(c.prior)}, {pairing}.", header, rows)


def _ranking(ranking: Ranking) -> str:
    rows = []
    for entry in ranking.entries:
        best, worst = entry.rank_interval
        shown = numbers(entry.mean, entry.low, entry.high)
        rank = f"{best}" if best == worst else f"{best} to {worst}"
        best_of_all = escaped(rank_probability(ranking, entry.p_best))
        rows.append([escaped(formats.plain(entry.name, 40)), *shown, rank, str(entry.tier), best_of_all])
    kind = escaped(formats.interval_name(ranking.kind, ranking.level))
    header = [escaped(formats.plain(ranking.metric)), "mean", kind, "rank", "tier", "$P$(best)"]
    taken = assumption(ranking)
    taken = f" {escaped(taken[0].upper() + taken[1:])}." if taken else ""
    return _table(f"{escaped(ranking.sentence)}{taken}", header, rows)


def _plan(plan: Plan) -> str:
    table = plan.sheet()
    supposed = " ".join(f"{words[0].upper()}{words[1:]}." for words in plan.supposed)
    caption = f"{escaped(plan.sentence)} {escaped(supposed)} Prior {escaped(plan.prior)}; {escaped(plan.pairing)}."
    return _table(caption, [escaped(x) for x in table.header], [[escaped(x) for x in row] for row in table.rows])
