"""A result as a file: the ending of the name says which."""

from __future__ import annotations

import json
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import get_args

from howsure.comparison.comparison import Comparison
from howsure.curves.curve import Curve
from howsure.curves.curve_report import CurveReport
from howsure.curves.held_probabilities import CalibrationReport
from howsure.curves.reliability import CalibrationCurve
from howsure.errors import InvalidArgument, excerpt
from howsure.io.logs.log_accuracy import LogReport
from howsure.io.replacing import replace_bytes, replace_text
from howsure.planning.plan import Plan
from howsure.posterior.questions import PostTest
from howsure.publish.calibration_pages import calibration_page
from howsure.publish.curve_pages import curve_page
from howsure.publish.cut_pages import CutAnswer, cut_page
from howsure.publish.latex import latex
from howsure.publish.pages import comparison_page, log_page, patient_page, ranking_page, report_page
from howsure.publish.planned import plan_page
from howsure.publish.unit_pages import fairness_page, over_page, pool_page, slices_page, strata_page
from howsure.ranking.ranking import Ranking
from howsure.reporting.fairness import Fairness
from howsure.reporting.repeats import RepeatsReport
from howsure.reporting.report import Report
from howsure.reporting.slice_report import SliceReport
from howsure.reporting.stratified import Stratified
from howsure.units.compared_over import ComparedOver
from howsure.units.pooled import Pooled
from howsure.units.ranked_over import RankedOver

__all__ = ["Publishable", "Published", "ending_of", "page", "save", "text_of"]

Publishable = (
    Report
    | Comparison
    | Ranking
    | Plan
    | LogReport
    | RepeatsReport
    | Pooled
    | ComparedOver
    | RankedOver
    | SliceReport
    | Stratified
    | Fairness
    | Curve
    | CurveReport
    | CutAnswer
    | CalibrationCurve
    | CalibrationReport
)

#: The same, for a sentence.
KINDS = ", a ".join(kind.__name__ for kind in get_args(Publishable))

#: What has a text, if not a picture.
Published = Publishable | PostTest

TEXTS = (".html", ".md", ".tex", ".csv", ".json", ".txt")
PICTURES = (".svg", ".png", ".pdf")

#: What has no main figure, in words.
UNDRAWN: tuple[tuple[type, str], ...] = (
    (LogReport, "one accuracy is"),
    (RepeatsReport, "repeats are"),
    (SliceReport, "slices are"),
    (Stratified, "strata are"),
    (Fairness, "groups are"),
)

#: What of a picture would differ from call to call.
UNDATED = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


def page(result: Published, *, title: str = "", comment: str = "") -> str:
    """The result as one HTML document that needs nothing else.

    Parameters
    ----------
    result : Report, Comparison or Ranking
        What to show.
    title, comment : str
        Put on top instead of our title, and below it; text, never markup.

    Examples
    --------
    >>> import howsure as hs
    >>> made = page(hs.report(hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))))
    >>> made.startswith("<!DOCTYPE html>"), len(made) < 300_000
    (True, True)
    """
    if isinstance(result, Report):
        return report_page(result, title, comment)
    if isinstance(result, Plan):
        return plan_page(result, title, comment)
    if isinstance(result, PostTest):
        return patient_page(result, title, comment)
    if isinstance(result, LogReport | RepeatsReport):
        return log_page(result, title, comment)
    if isinstance(result, Pooled):
        return pool_page(result, title, comment)
    if isinstance(result, ComparedOver | RankedOver):
        return over_page(result, title, comment)
    if isinstance(result, SliceReport):
        return slices_page(result, title, comment)
    if isinstance(result, Stratified):
        return strata_page(result, title, comment)
    if isinstance(result, Fairness):
        return fairness_page(result, title, comment)
    if isinstance(result, CutAnswer):
        return cut_page(result, title, comment)
    if isinstance(result, CalibrationCurve | CalibrationReport):
        return calibration_page(result, title, comment)
    if isinstance(result, Curve | CurveReport):
        return curve_page(result, title, comment)
    if isinstance(result, Comparison):
        return comparison_page(result, title, comment)
    return ranking_page(result, title, comment)


def save(result: Publishable, path: str | Path, *, title: str = "", comment: str = "") -> None:
    """Write an answer to a file.

    Parameters
    ----------
    result : an answer
        Report, Comparison, Ranking, Plan, LogReport, RepeatsReport, Pooled, ComparedOver, RankedOver, SliceReport,
        Stratified, Fairness, Curve, CurveReport, NetBenefit, ThresholdCurve, BestThreshold,
        CalibrationCurve or CalibrationReport.
    path : str or Path
        Ending in ``.html`` (self-contained page), ``.md``, ``.tex`` (booktabs), ``.csv`` (numbers in full, safe to open
        in a spreadsheet), ``.json``, ``.txt``, or ``.svg``, ``.png``, ``.pdf`` (the main
        figure, with matplotlib; logs, repeats, slices, strata and groups have none).
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
    if not isinstance(result, Publishable):
        raise InvalidArgument(f"save() takes a {KINDS}; not {type(result).__name__}")
    if not isinstance(path, str | PathLike):
        raise InvalidArgument(f"path is the name of a file, such as 'report.html', not {excerpt(path)}")
    for text in (title, comment):
        if not isinstance(text, str):
            raise InvalidArgument(f"title and comment are text, not {excerpt(text)}")
    ending = ending_of(path)
    if (title or comment) and ending != ".html":
        raise InvalidArgument(f"a title or a comment is for a page, .html; {excerpt(str(path))} has no place for it")
    if ending in PICTURES:
        for undrawn, what in UNDRAWN:
            if isinstance(result, undrawn):
                raise InvalidArgument(f"{what} no picture; write it as {', '.join(TEXTS)}")
        if isinstance(result, CurveReport) and result.roc is None:
            raise InvalidArgument(
                f"a report of three classes or more has no picture; write it as {', '.join(TEXTS)}, or draw one class: "
                "roc_curve(scores.one_vs_rest(label))"
            )
        if isinstance(result, CalibrationReport) and result.curve is None:
            raise InvalidArgument(
                f"calibration of cases in groups has no picture; write it as {', '.join(TEXTS)}, or leave the groups "
                "out: calibration_curve(Scores(y_true, y_score)) takes cases for independent"
            )
        replace_bytes(path, _drawn(result, ending))
    else:
        replace_text(path, page(result, title=title, comment=comment) if ending == ".html" else text_of(result, ending))


def ending_of(path: str | Path) -> str:
    """The ending of a file to be written, in lower case.

    Raises
    ------
    InvalidArgument
        Nothing is written with this ending.

    Examples
    --------
    >>> ending_of("report.HTML")
    '.html'
    """
    ending = Path(path).suffix.lower()
    if ending not in TEXTS + PICTURES:
        raise InvalidArgument(f"{excerpt(str(path))} ends in none of {', '.join(TEXTS + PICTURES)}")
    return ending


def text_of(result: Published, ending: str) -> str:
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


def _drawn(result: Publishable, ending: str) -> bytes:
    """The main figure as a file, drawn without a display."""
    from howsure.curves.decision_curve import NetBenefit
    from howsure.plots import calibration, curve, decision_curve, difference, forest, planning, theme, threshold, tiers
    from howsure.plots.style import closed, figure_of

    held = BytesIO()
    with theme(), closed():
        if isinstance(result, Report | Pooled | ComparedOver | RankedOver):
            drawn = forest(result)
        elif isinstance(result, CalibrationCurve):
            drawn = calibration(result)
        elif isinstance(result, CalibrationReport):
            assert result.curve is not None, "what has no figure was refused"
            drawn = calibration(result.curve)
        elif isinstance(result, Curve):
            drawn = curve(result)
        elif isinstance(result, CurveReport):
            assert result.roc is not None, "what has no figure was refused"
            drawn = curve(result.roc)
        elif isinstance(result, Plan):
            drawn = planning(result)
        elif isinstance(result, Comparison):
            drawn = difference(result)
        elif isinstance(result, CutAnswer):
            drawn = decision_curve(result) if isinstance(result, NetBenefit) else threshold(result)
        else:
            assert isinstance(result, Ranking), "what has no figure was refused"
            drawn = tiers(result)
        # the time of drawing stays out: the same call gives the same bytes
        figure_of(drawn).savefig(held, format=ending[1:], dpi=200, metadata=UNDATED.get(ending))
    return held.getvalue()
