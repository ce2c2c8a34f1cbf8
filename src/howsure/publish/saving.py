"""A result as a file: the ending of the name says which."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any

from howsure.answers.sheet import Record
from howsure.comparison.comparison import Comparison
from howsure.comparison.slice_comparison import SliceComparison
from howsure.comparison.slice_gate import SliceGate
from howsure.curves.chosen_threshold import BestThreshold
from howsure.curves.curve import Curve
from howsure.curves.curve_report import CurveReport
from howsure.curves.decision_curve import NetBenefit
from howsure.curves.held_probabilities import CalibrationReport
from howsure.curves.metric_curve import ThresholdCurve
from howsure.curves.operating_points import OperatingPoints
from howsure.curves.reliability import CalibrationCurve
from howsure.errors import InvalidArgument, excerpt
from howsure.io.replacing import replace_bytes, replace_text
from howsure.planning.judged_plan import JudgedPlan
from howsure.planning.plan import Plan
from howsure.posterior.questions import PostTest
from howsure.publish.answer_pages import (
    calibration_page,
    classifiers_by_slice_page,
    curve_page,
    cut_page,
    fairness_page,
    over_page,
    pool_page,
    slices_page,
    strata_page,
)
from howsure.publish.document import document, figure, top
from howsure.publish.latex import latex
from howsure.publish.linked_points import points_page
from howsure.publish.pages import comparison_page, patient_page, ranking_page, repeats_page, report_page
from howsure.publish.planned import plan_page
from howsure.questions.ranking import Ranking
from howsure.ranking.slice_ranking import SliceRanking
from howsure.reporting.fairness import Fairness
from howsure.reporting.repeats import RepeatsReport
from howsure.reporting.report import Report
from howsure.reporting.slice_report import SliceReport
from howsure.reporting.stratified import Stratified
from howsure.reporting.survey import Survey
from howsure.units.compared_over import ComparedOver
from howsure.units.pooled import Pooled
from howsure.units.ranked_over import RankedOver

__all__ = ["ending_of", "page", "save", "text_of"]

#: Answers whose page says more than their sheet and their picture.
PAGES: dict[type[Record], Callable[[Any, str, str], str]] = {
    Report: report_page,
    Comparison: comparison_page,
    Ranking: ranking_page,
    PostTest: patient_page,
    Plan: plan_page,
    JudgedPlan: plan_page,
    RepeatsReport: repeats_page,
    Pooled: pool_page,
    ComparedOver: over_page,
    RankedOver: over_page,
    SliceReport: slices_page,
    SliceComparison: classifiers_by_slice_page,
    SliceGate: classifiers_by_slice_page,
    SliceRanking: classifiers_by_slice_page,
    Stratified: strata_page,
    Fairness: fairness_page,
    NetBenefit: cut_page,
    ThresholdCurve: cut_page,
    BestThreshold: cut_page,
    OperatingPoints: points_page,
    Curve: curve_page,
    CurveReport: curve_page,
    CalibrationCurve: calibration_page,
    CalibrationReport: calibration_page,
}

#: Answers with a main figure, and its name in `howsure.plots`.
FIGURES: dict[type[Record], str] = {
    Report: "forest",
    Pooled: "forest",
    ComparedOver: "forest",
    RankedOver: "forest",
    Curve: "curve",
    CurveReport: "curve",
    CalibrationCurve: "calibration",
    CalibrationReport: "calibration",
    Plan: "planning",
    JudgedPlan: "planning",
    Comparison: "difference",
    NetBenefit: "decision_curve",
    ThresholdCurve: "threshold",
    BestThreshold: "threshold",
    Ranking: "tiers",
    Survey: "survey",
}

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
    made = PAGES.get(type(result))
    if made is not None:
        return made(result, title, comment)
    sheet, drawn = result.sheet(), result.picture()
    body = [top(title or "How sure are you?", comment), sheet.html(), figure(drawn, "Numbers above.") if drawn else ""]
    return document(title or f"howsure: {sheet.headline}", "\n".join(body))


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
    if type(result) not in FIGURES:
        raise InvalidArgument(f"a {type(result).__name__} has no picture; write it as {', '.join(TEXTS)}")
    shown: Any = result
    if isinstance(result, CurveReport) and (shown := result.roc) is None:
        raise InvalidArgument(
            f"a report of three classes or more has no picture; write it as {', '.join(TEXTS)}, or draw one class: "
            "roc_curve(scores.one_vs_rest(label))"
        )
    if isinstance(result, CalibrationReport) and (shown := result.curve) is None:
        raise InvalidArgument(
            f"calibration of cases in groups has no picture; write it as {', '.join(TEXTS)}, or leave the groups "
            "out: calibration_curve(Scores(y_true, y_score)) takes cases for independent"
        )
    from howsure import plots
    from howsure.plots.style import closed, figure_of

    held = BytesIO()
    with plots.theme(), closed():
        if isinstance(result, Report) and result.distribution is not None:  # one metric: its whole distribution
            drawn = plots.posterior(result.distribution, level=result.level, kind=result.kind)
        else:
            drawn = getattr(plots, FIGURES[type(result)])(shown)
        # the time of drawing stays out: the same call gives the same bytes
        figure_of(drawn).savefig(held, format=ending[1:], dpi=200, metadata=UNDATED.get(ending))
    return held.getvalue()
