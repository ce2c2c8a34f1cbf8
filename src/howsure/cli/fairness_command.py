"""``howsure fairness``: demographic parity, equal opportunity and equalized odds between groups of people."""

from __future__ import annotations

from howsure.cli.column_options import (
    ByOption,
    CaseOption,
    LabelsOption,
    PredOption,
    TablesArgument,
    TrueOption,
    label_names,
)
from howsure.cli.flat import flat
from howsure.cli.inputs import DrawsOption, Ends, PositiveOption, RopeOption, SeedOption
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched
from howsure.cli.terminal import say
from howsure.errors import InvalidArgument
from howsure.laws.draw_settings import SEED

__all__ = ["fairness_command"]


@flat
def fairness_command(
    *,
    files: TablesArgument,
    by: ByOption = None,
    positive: PositiveOption = None,
    rope: RopeOption = None,
    true: TrueOption = None,
    pred: PredOption = None,
    case: CaseOption = None,
    labels: LabelsOption = None,
    draws: DrawsOption = None,
    seed: SeedOption = SEED,
    ends: Ends,
    form: FileForm,
) -> None:
    """Fairness between groups of people (--by sex): their rates, and the largest gaps by fairlearn's names.

    FILE is a table of cases, or of counts; each combination of the values of the --by columns is a group.
    """
    from howsure.io.counting import count
    from howsure.io.counting.slices_of_counts import slices_of
    from howsure.reporting.fairness import ROPE, fairness

    form.spare(*files)
    if not by:
        raise InvalidArgument("name the columns of the groups: --by sex, or --by sex --by age")
    with watched("counting") as progress:
        counts = count(
            files[0] if len(files) == 1 else files,
            y_true=true,
            y_pred=pred,
            by=by,
            id=case,
            labels=label_names(labels),
            progress=progress,
        )
    for aside in counts.set_aside:
        say(f"set aside, {aside}", error=True)
    for note in counts.notes:
        say(note, error=True)
    slices = slices_of(counts, positive=positive)
    width = ROPE if rope is None else rope
    form.show(watched("reporting")(fairness)(slices, positive, rope=width, draws=draws, seed=seed, **vars(ends)))
