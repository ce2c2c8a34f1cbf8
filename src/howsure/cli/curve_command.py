"""``howsure curve``: areas and points of the ROC and precision-recall curves of scores, with intervals."""

from __future__ import annotations

from typing import Annotated

import typer

from howsure.cli.column_options import GroupOption, LabelsOption, ScoreOption, TrueOption, label_names
from howsure.cli.flat import flat
from howsure.cli.inputs import DrawsOption, Ends, PositiveOption, PrevalenceOption, SeedOption
from howsure.cli.options import option
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched
from howsure.laws.draw_settings import SEED

__all__ = ["curve_command", "share_of_positives"]


@flat
def curve_command(
    *,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="y_true,score: a row a case; or y_true,p_cat,p_dog,...; - for standard input."
        ),
    ],
    metric: Annotated[list[str] | None, option("metric", "curve")] = None,
    true: TrueOption = None,
    score: ScoreOption = None,
    positive: PositiveOption = None,
    labels: LabelsOption = None,
    group: GroupOption = None,
    prevalence: PrevalenceOption = None,
    ends: Ends,
    draws: DrawsOption = None,
    seed: SeedOption = SEED,
    form: FileForm,
) -> None:
    """Scores before a threshold: area under the ROC curve, average precision, points of the curve, and both curves."""
    from howsure.curves.curve_report import curve_report
    from howsure.io.score_files import read_scores

    form.spare(file)
    scores = watched("reading")(read_scores)(
        file, y_true=true, score=score, positive=positive, labels=label_names(labels), group=group
    )
    stated = None if prevalence is None else share_of_positives(prevalence, scores.labels[-1])
    made = watched("drawing")(curve_report)(
        scores, metric or None, prevalence=stated, level=ends.level, kind=ends.kind, draws=draws, seed=seed
    )
    form.show(made)


def share_of_positives(text: str, positive: str) -> float:
    """Share of the positive class: 0.02, 2%, 1/50, or by its name."""
    from howsure.errors import InvalidArgument, excerpt
    from howsure.errors.arguments import written

    value = text.strip().removeprefix(f"{positive}=")
    try:
        if value.endswith("%"):
            return written(value[:-1]) / 100
        over, slash, under = value.partition("/")
        return written(over) / written(under) if slash else written(value)
    except (ValueError, ZeroDivisionError):
        raise InvalidArgument(
            f"--prevalence is the share of {excerpt(positive)} here (0.02, 2% or 1/50); not {excerpt(text)}"
        ) from None
