"""``howsure calibration``: whether probabilities hold, and what recalibration would gain."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from howsure.cli.column_options import GroupOption, LabelsOption, ScoreOption, TrueOption, label_names
from howsure.cli.flat import flat
from howsure.cli.inputs import DrawsOption, Ends, PositiveOption, SeedOption
from howsure.cli.options import option
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched
from howsure.laws.draw_settings import SEED

__all__ = ["calibration_command"]


@flat
def calibration_command(
    *,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="y_true,probability: a row a case; or y_true,p_cat,p_dog,...; - for standard input."
        ),
    ],
    event: Annotated[str | None, option("event")] = None,
    bins: Annotated[int, option("bins")] = 10,
    strategy: Annotated[Literal["quantile", "uniform"], option("strategy")] = "quantile",
    diagram: Annotated[bool, option("diagram")] = False,
    true: TrueOption = None,
    score: ScoreOption = None,
    positive: PositiveOption = None,
    labels: LabelsOption = None,
    group: GroupOption = None,
    ends: Ends,
    draws: DrawsOption = None,
    seed: SeedOption = SEED,
    form: FileForm,
) -> None:
    """Are the probabilities well calibrated? Brier score, log loss, ece, calibration slope, reliability diagram."""
    from howsure.curves.held_probabilities import calibration_report
    from howsure.curves.reliability import BAND_DRAWS, calibration_curve
    from howsure.io.score_files import read_scores

    form.spare(file)
    scores = watched("reading")(read_scores)(
        file, y_true=true, score=score, positive=positive, labels=label_names(labels), group=group
    )
    if diagram:
        form.show(
            watched("drawing")(calibration_curve)(
                scores, event, bins=bins, strategy=strategy, level=ends.level, kind=ends.kind,
                draws=BAND_DRAWS if draws is None else draws, seed=seed,
            )
        )  # fmt: skip
        return
    form.show(
        watched("drawing")(calibration_report)(
            scores, event, bins=bins, strategy=strategy, level=ends.level, kind=ends.kind, draws=draws, seed=seed
        )
    )
