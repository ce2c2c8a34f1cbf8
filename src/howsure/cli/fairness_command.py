"""``howsure fairness``: demographic parity, equal opportunity and equalized odds between groups of people."""

from __future__ import annotations

from howsure.cli.column_options import (
    ByOption,
    CaseOption,
    LabelsOption,
    PredOption,
    TablesArgument,
    TrueOption,
)
from howsure.cli.counted_slices import counted_slices
from howsure.cli.flat import flat
from howsure.cli.inputs import DrawsOption, Ends, PositiveOption, RopeOption, SeedOption
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched
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

    FILE is a table of cases, or of counts; each combination of the values of the --by columns is a group. Gaps
    matter from 0.05 on unless --rope says otherwise.
    """
    from howsure.reporting.fairness import ROPE, fairness

    form.spare(*files)
    example = "name the columns of the groups: --by sex, or --by sex --by age"
    columns = {"true": true, "pred": pred, "case": case, "labels": labels}
    slices = counted_slices(files, by, example, positive=positive, **columns)
    width = ROPE if rope is None else rope
    form.show(watched("reporting")(fairness)(slices, positive, rope=width, draws=draws, seed=seed, **vars(ends)))
