"""A result as a file: the ending of the name says which."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from howsure.answers.sheet import Record
from howsure.errors import InvalidArgument, excerpt, visible
from howsure.io.replacing import replace_bytes, replace_text
from howsure.publish import pages
from howsure.publish.document import document, figure, top
from howsure.publish.latex import latex
from howsure.publish.pages import plan_page


class Page(NamedTuple):
    """What a page asks on top and says below its picture; the figure of an answer in `howsure.plots`."""

    question: str = "How sure are you?"
    caption: str = "Numbers above."
    plot: str = ""


DOTS = "Dot: mean. Line: interval. Tick: observed.{} Numbers above."
NEW = "Dot: mean. Line: interval; the thin one is that of a new {}. Tick: observed.{{}} Numbers above."
CURVE = "Line: the cases. Dark: interval at each point. Light: band of all of the curve. Dashed: chance."
BAND = "Line: mean. Band: interval of each threshold."
TREATED = f"{BAND} Dashed: treating everybody, and nobody."
DIFFERENCES = "Dot: mean difference. Line: interval. The worst slices; numbers above."
DIAGRAM = (
    "Line: share of the event, by isotonic regression. Dark: interval at each probability. Light: band of all of the "
    "true curve. Grey: where that of calibrated probabilities would lie. Dots: bins with intervals. Dashed: right."
)
#: By the class of the answer, whose own name no page has to import.
PAGES = {
    "BestThreshold": Page("Where is the best threshold?", "Line: observed. Dotted: the best threshold.", "threshold"),
    "CalibrationCurve": Page("Are the probabilities well calibrated?", DIAGRAM, "calibration"),
    "CalibrationReport": Page("Are the probabilities well calibrated?", DIAGRAM, "calibration"),
    "ComparedOver": Page("Which is better over data sets, and on the next one?", NEW.format("data set"), "forest"),
    "Comparison": Page(plot="difference"),
    "Curve": Page("How well do the scores tell the classes apart?", CURVE, "curve"),
    "CurveReport": Page("How well do the scores tell the classes apart?", CURVE, "curve"),
    "Fairness": Page("Is it as good for everybody?", DOTS),
    "JudgedPlan": Page(plot="planning"),
    "NetBenefit": Page("Whom does it pay to treat?", f"{BAND} Dashed: all treated, and nobody.", "decision_curve"),
    "OperatingPoints": Page("What does the threshold change?"),
    "Plan": Page(plot="planning"),
    "Pooled": Page("How good is it at a typical site, and at the next?", NEW.format("site"), "forest"),
    "PostTest": Page("What does the result mean?"),
    "RankedOver": Page("Which is the best over data sets?", "Dot: mean. Line: interval. Numbers above.", "forest"),
    "Ranking": Page(plot="tiers"),
    "RepeatsReport": Page("How sure are these runs?"),
    "Report": Page(plot="forest"),
    "SliceComparison": Page("Where is which one better?", DIFFERENCES),
    "SliceGate": Page("Is it worse anywhere?", DIFFERENCES),
    "SliceRanking": Page("Which one is the best, and where?", DIFFERENCES),
    "SliceReport": Page("Where is it worse?", DOTS),
    "Stratified": Page("How good is it if the strata are balanced?"),
    "Survey": Page(plot="survey"),
    "ThresholdCurve": Page("What does the threshold change?", BAND, "threshold"),
}
#: Answers with a page of their own making.
OWN: dict[str, Callable[[Any, str, str], str]] = {
    "Report": pages.report_page, "Comparison": pages.comparison_page, "Ranking": pages.ranking_page,
    "Plan": plan_page, "JudgedPlan": plan_page,
}  # fmt: skip
#: Answers whose tables can be sorted and filtered on a page, and their rows there; CSV has all.
SORTED = ("Pooled", "ComparedOver", "RankedOver", "SliceReport", "SliceComparison", "SliceGate", "SliceRanking")
MOST_ON_A_PAGE = 1000
#: Answers with a slider of thresholds.
LINKED = ("BestThreshold", "CurveReport", "OperatingPoints")
TEXTS = (".html", ".md", ".tex", ".csv", ".json", ".txt")
PICTURES = (".svg", ".png", ".pdf")

#: What of a picture would differ from call to call.
UNDATED = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


def page(result: Record, *, title: str = "", comment: str = "") -> str:
    """The result as one HTML document that needs nothing else.

    Parameters
    ----------
    result : Record
        What to show: any answer.
    title, comment : str
        Put on top instead of our title, and below it; text, never markup.

    Examples
    --------
    >>> import howsure as hs
    >>> made = page(hs.report(hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))))
    >>> made.startswith("<!DOCTYPE html>"), len(made) < 300_000
    (True, True)
    """
    answer: Any = result
    name = type(result).__name__
    if name in OWN:
        return OWN[name](answer, title, comment)
    about = PAGES.get(name, Page())
    sheet = answer._sheet(MOST_ON_A_PAGE) if hasattr(answer, "_sheet") else answer.sheet()
    slider, data, script = "", "", "sorting.js" if name in SORTED else ""
    if name in LINKED:
        from howsure.publish.linked_points import SCRIPT, beside

        slider, data = beside(answer)
        script = SCRIPT if slider else ""
    shown = [answer.picture()]
    if name == "CurveReport":
        shown = [curve.picture() for curve in (answer.roc, answer.precision_recall) if curve is not None]
    if name == "OperatingPoints" or (slider and name == "CurveReport"):  # the slider has the curves
        shown = []
    caption = about.caption.format(getattr(answer, "_fewer", ""))
    said = getattr(answer, "paragraph", "")
    body = [
        top(title or about.question, comment),
        sheet.html(),
        f"<section><h2>In sentences</h2><p>{escape(visible(said))}</p></section>" if said else "",
        *(figure(drawn, caption) for drawn in shown if drawn),
        answer.curve.sheet().html() if name == "CalibrationReport" and answer.curve is not None else "",
        slider,
    ]
    return document(title or f"howsure: {sheet.headline}", "\n".join(filter(None, body)), data=data, script=script)


def save(result: Record, path: str | Path, *, title: str = "", comment: str = "") -> None:
    """Write an answer to a file.

    Parameters
    ----------
    result : Record
        Any answer that prints as a table: a Report, a Comparison, a Gate, a Ranking, a Plan ...
    path : str or Path
        Ending in ``.html`` (self-contained page), ``.md``, ``.tex`` (booktabs), ``.csv`` (safe to open in a
        spreadsheet; numbers in full, or the cells of its table where it is no list of numbers), ``.json``, ``.txt``,
        or ``.svg``, ``.png``, ``.pdf`` (the main figure, with matplotlib, of an answer that has one).
    title, comment : str
        For the top of a page (``.html``).

    Raises
    ------
    InvalidArgument
        Another ending, something else than a result, or a title for another file than a page.
    InvalidFile
        The file cannot be written; what was there before is as it was.
    MissingExtra
        A picture without matplotlib.

    Examples
    --------
    >>> import howsure as hs, tempfile, pathlib
    >>> made = hs.report(hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     hs.save(made, pathlib.Path(folder) / "out.md")
    ...     (pathlib.Path(folder) / "out.md").read_text()[:20]
    '**Balanced accuracy '
    """
    if not isinstance(result, Record):
        raise InvalidArgument(f"save() takes an answer, such as a report or a comparison, not {type(result).__name__}")
    if not isinstance(path, str | PathLike):
        raise InvalidArgument(f"path is the name of a file, such as 'report.html', not {excerpt(path)}")
    for text in (title, comment):
        if not isinstance(text, str):
            raise InvalidArgument(f"title and comment are text, not {excerpt(text)}")
    ending = ending_of(path)
    if (title or comment) and ending != ".html":
        raise InvalidArgument(f"a title or a comment is for a page, .html; {excerpt(str(path))} has no place for it")
    if ending in PICTURES:
        replace_bytes(path, _drawn(result, ending))
    else:
        replace_text(path, page(result, title=title, comment=comment) if ending == ".html" else text_of(result, ending))


def ending_of(path: str | Path) -> str:
    """The ending of a file to be written, in lower case.

    Examples
    --------
    >>> ending_of("report.HTML")
    '.html'
    """
    ending = Path(path).suffix.lower()
    if ending not in TEXTS + PICTURES:
        raise InvalidArgument(f"{excerpt(str(path))} ends in none of {', '.join(TEXTS + PICTURES)}")
    return ending


def text_of(result: Record, ending: str) -> str:
    """The text of a file with this ending.

    Examples
    --------
    >>> import howsure as hs
    >>> text_of(hs.plan("accuracy", width=0.19, mode=0.8, concentration=10), ".csv").splitlines()[0]
    'n,low,middle,high'
    """
    if ending == ".html":
        return page(result)
    if ending == ".tex":
        return latex(result)
    if ending == ".csv":
        return result.to_csv()
    if ending == ".md":
        return result.to_markdown()
    if ending == ".txt":
        return f"{result}\n"
    return json.dumps(result.to_dict(), allow_nan=False, ensure_ascii=True, indent=1) + "\n"


def _drawn(result: Record, ending: str) -> bytes:
    """The main figure as a file, drawn without a display."""
    name = type(result).__name__
    if not (plot := PAGES.get(name, Page()).plot):
        raise InvalidArgument(f"a {name} has no picture; write it as {', '.join(TEXTS)}")
    shown: Any = result
    if name == "CurveReport" and (shown := shown.roc) is None:
        raise InvalidArgument(
            f"a report of three classes or more has no picture; write it as {', '.join(TEXTS)}, or draw one class: "
            "roc_curve(scores.one_vs_rest(label))"
        )
    if name == "CalibrationReport" and (shown := shown.curve) is None:
        raise InvalidArgument(
            f"calibration of cases in groups has no picture; write it as {', '.join(TEXTS)}, or leave the groups "
            "out: calibration_curve(Scores(y_true, y_score)) takes cases for independent"
        )
    from howsure import plots
    from howsure.plots.style import closed, figure_of

    held = BytesIO()
    with plots.theme(), closed():
        if name == "Report" and shown.distribution is not None:  # one metric: its whole distribution
            drawn = plots.posterior(shown.distribution, level=shown.level, kind=shown.kind)
        else:
            drawn = getattr(plots, plot)(shown)
        # the time of drawing stays out: the same call gives the same bytes
        figure_of(drawn).savefig(held, format=ending[1:], dpi=200, metadata=UNDATED.get(ending))
    return held.getvalue()
