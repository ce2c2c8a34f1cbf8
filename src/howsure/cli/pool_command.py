"""``howsure pool``: test sets of several sites, subjects or studies, as one posterior."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from howsure.cli.column_options import LabelsOption, PredOption, SiteOption, TrueOption, label_names
from howsure.cli.flat import flat
from howsure.cli.inputs import DrawsOption, Ends, PositiveOption, RowsOption, SeedOption
from howsure.cli.item_options import ItemOptions
from howsure.cli.options import option
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched
from howsure.errors import InvalidArgument
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
    items: ItemOptions,
    ends: Ends,
    draws: DrawsOption = None,
    seed: SeedOption = SEED,
    form: FileForm,
) -> None:
    """Pool sites or studies: a typical one, the spread between them, a new one, and each of them.

    Of items with scores (item,score) as well, with --site or a file a site.
    """
    from howsure.io.sites import read_sites
    from howsure.units.pooled import pool

    form.spare(*files)
    if items.asked(files, [] if metric is None else [metric]):
        others: dict[str, object] = {
            "--rows": rows,
            "--positive": positive,
            "--labels": labels,
            "--true": true,
            "--pred": pred,
        }
        items.refuse(others)
        if site is not None and len(files) > 1:
            raise InvalidArgument("--site is a column of one file; of several each is a site")
        if site is None and len(files) == 1:
            raise InvalidArgument("which column names the sites: --site COLUMN; or a file for each site")
        each = (
            {Path(file).stem: items.read([file], missing) for file in files} if site is None
            else items.read(files, missing, group=site)
        )  # fmt: skip
        form.show(watched("pooling")(pool)(
            each, metric=metric, **vars(ends), draws=DRAWS if draws is None else draws, seed=seed
        ))  # fmt: skip
        return
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
