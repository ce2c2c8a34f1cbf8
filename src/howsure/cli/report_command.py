"""``howsure report``: from a file to a report."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any, Literal

from howsure.cli.column_options import GroupsOption, UnitOptions, refuse_groupless
from howsure.cli.flat import flat
from howsure.cli.inputs import (
    DrawsOption,
    Ends,
    InputOptions,
    OtherPrevalence,
    PriorOption,
    SeedOption,
    SharesOption,
)
from howsure.cli.item_options import ItemOptions
from howsure.cli.options import option
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched
from howsure.cli.share_options import number_or_share
from howsure.cli.weights_and_costs import OwnNumbers
from howsure.laws.draw_settings import SEED
from howsure.posterior.posterior import infer
from howsure.reporting.report import report
from howsure.reporting.report_caveats import why_positive

if TYPE_CHECKING:
    from howsure.reporting.report import Report

__all__ = ["report_command"]


@flat
def report_command(
    *,
    metric: Annotated[list[str] | None, option("metric", "report")] = None,
    above: Annotated[list[float] | None, option("above", "report")] = None,
    below: Annotated[list[float] | None, option("below", "report")] = None,
    between: Annotated[
        list[Any] | None,  # of pairs: `PAIRS` of the program, for which typer has no type
        option("between"),
    ] = None,
    quantile: Annotated[list[float] | None, option("quantile")] = None,
    own: OwnNumbers,
    prior: PriorOption = None,
    shares: SharesOption = None,
    draws: DrawsOption = None,
    seed: SeedOption = SEED,
    companions: Annotated[bool, option("classical", "report")] = False,
    wrong_labels: Annotated[str | None, option("wrong-labels")] = None,
    how_chosen: Annotated[Literal["random", "by-verdict", "other"] | None, option("how-chosen")] = None,
    units: UnitOptions,
    groups: GroupsOption = None,
    items: ItemOptions,
    ends: Ends,
    where: OtherPrevalence,
    source: InputOptions,
    form: FileForm,
) -> None:
    r"""Report on one classifier: each metric with its interval, its prior, and how exact it is.

    FILE is a confusion matrix (CSV whose corner cell says true\pred or pred\true), a list of counts
    (true,pred,count), predictions (y_true,y_pred), items with scores (item,score), JSON, or - for standard input.
    """
    form.spare(*(source.file or ()))
    if items.asked(source.file or (), metric or ()):
        items.refuse({
            "--prior": prior, "--shares": shares, "--classical": companions, "--wrong-labels": wrong_labels,
            "--how-chosen": how_chosen, "--folds": units.folds,
        }, source, where, own)  # fmt: skip
        read_items = items.read(source.file or (), source.missing, group=units.group, run=units.repeat, groups=groups)
        form.show(watched("reporting")(report)(
            read_items, metric, **vars(ends), draws=draws, seed=seed, above=above or (),
            below=below or (), between=between or (), quantiles=quantile or (),
        ))  # fmt: skip
        return
    read = where.read(source, units)
    refuse_groupless(groups, known=read.confusion.groups is not None)
    posterior = where.of(infer(read.confusion, prior, shares=shares, groups=groups))
    notes = [*read.notes, *where.notes(read.confusion)]
    if not source.positive_is_said:
        notes += why_positive(read.confusion, posterior.confusion)
    if how_chosen is not None and read.confusion.verdicts is None:
        notes.append("every case counted here has its truth, so --how-chosen changes nothing.")
    chosen: dict[str, Any] = {} if how_chosen is None else {"how_chosen": how_chosen}
    made = watched("reporting")(report)(
        posterior,
        own.metrics(metric or [], read.confusion) or None,
        **vars(ends),
        draws=draws,
        seed=seed,
        notes=notes,
        companions=companions,
        above=above or (),
        below=below or (),
        between=between or (),
        quantiles=quantile or (),
        wrong_labels=number_or_share(wrong_labels, "--wrong-labels"),
        **chosen,
    )
    form.show(made, (lambda: _show(made)) if sys.stdout.isatty() else None)


def _show(made: Report) -> None:
    """Print the report with colour and a table that wraps with the terminal."""
    from howsure.cli.terminal import show

    show(made)
