"""``howsure pool``: test sets of several sites, subjects or studies, as one posterior."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from howsure.cli.column_options import LabelsOption, PredOption, SiteOption, TrueOption, label_names
from howsure.cli.flat import flat
from howsure.cli.inputs import DrawsOption, Ends, PositiveOption, RowsOption, SeedOption
from howsure.cli.options import option
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched
from howsure.laws.draw_settings import DRAWS, SEED

__all__ = ["pool_command"]


@flat
def pool_command(
    *,
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...", help="A row a study (study,tp,fn,fp,tn), cases with --site, or a file a site."
        ),
    ],
    site: SiteOption = None,
    metric: Annotated[str | None, option("metric", "pool")] = None,
    rows: RowsOption = None,
    positive: PositiveOption = None,
    labels: LabelsOption = None,
    true: TrueOption = None,
    pred: PredOption = None,
    missing: Annotated[Literal["error", "exclude"], option("missing", "pool")] = "error",
    ends: Ends,
    draws: DrawsOption = None,
    seed: SeedOption = SEED,
    form: FileForm,
) -> None:
    """Pool sites or studies: a typical one, the spread between them, a new one, and each of them."""
    from howsure.io.sites import read_sites
    from howsure.units.pooled import pool

    form.spare(*files)
    found = read_sites(
        files,
        site=site,
        rows=rows,
        positive=positive,
        labels=label_names(labels),
        missing=missing,
        y_true=true,
        y_pred=pred,
    )
    made = watched("pooling")(pool)(
        found.sites,
        metric=metric,
        positive=positive,
        level=ends.level,
        kind=ends.kind,
        draws=DRAWS if draws is None else draws,
        seed=seed,
        notes=found.notes,
        unit=found.unit,
    )
    form.show(made)
