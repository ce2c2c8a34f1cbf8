"""``howsure slices``: a metric by language, site, device or day, thousands of slices in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from howsure.cli.column_options import (
    ByOption,
    CaseOption,
    LabelsOption,
    PredOption,
    RepeatOption,
    TablesArgument,
    TrueOption,
)
from howsure.cli.counted_slices import counted_slices
from howsure.cli.flat import flat
from howsure.cli.inputs import DrawsOption, Ends, PositiveOption, PriorOption, SeedOption
from howsure.cli.item_options import ItemOptions
from howsure.cli.keywords_as_options import as_options
from howsure.cli.options import option
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched
from howsure.cli.terminal import say
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.laws.draw_settings import SEED

if TYPE_CHECKING:
    from howsure.data.slices import Slices
    from howsure.posterior.priors import Prior
    from howsure.reporting.stratified import Stratified

__all__ = ["slices_command"]


@flat
def slices_command(
    *,
    files: TablesArgument,
    by: ByOption = None,
    metric: Annotated[str | None, option("metric", "slices")] = None,
    true: TrueOption = None,
    pred: PredOption = None,
    case: CaseOption = None,
    labels: LabelsOption = None,
    positive: PositiveOption = None,
    prior: PriorOption = None,
    draws: DrawsOption = None,
    seed: SeedOption = SEED,
    ends: Ends,
    items: ItemOptions,
    repeat: RepeatOption = None,
    a: Annotated[str | None, option("a", "slices")] = None,
    strata: Annotated[str | None, option("strata")] = None,
    empty: Annotated[str | None, option("empty")] = None,
    in_time: Annotated[bool, option("in-time")] = False,
    cut: Annotated[Literal["week", "month", "year"] | None, option("cut")] = None,
    form: FileForm,
) -> None:
    """A metric by slice (--by language): each slice with its interval, the worst one, and outliers.

    FILE is a table of cases, or of counts; each combination of the values of the --by columns is a slice. Or logs of
    evaluations, one model's: --by names a field of the questions, and without it each log (a subtask) is a slice. Of
    items with scores (item,score) each slice stands against all others.
    """
    from howsure.io.logs.several import is_log
    from howsure.reporting.slice_report import slice_report

    form.spare(*files)
    if a is not None or repeat is not None or items.asked(files, [] if metric is None else [metric]):
        from howsure.questions.slices import slices as slices_of

        items.refuse({
            "--true": true, "--pred": pred, "--id": case, "--labels": labels, "--positive": positive, "--prior": prior,
            "--strata": strata, "--empty": empty, "--in-time": in_time, "--cut": cut,
        })  # fmt: skip
        if len(by or []) != 1:
            raise InvalidArgument("slices of items with scores are by one column: --by language")
        read = items.read(files, "error", group=(by or [""])[0], run=repeat)
        ask = read.ask(ends.level, ends.kind, draws, seed)
        form.show(watched("reporting")(slices_of)(
            read.by_group(), (by or [""])[0], metric, name=a, ask=ask, notes=read.notes
        ))  # fmt: skip
        return
    _refuse_others(strata, metric, empty, draws)
    _refuse_in_time(in_time, cut, strata, draws)
    columns = {"true": true, "pred": pred, "case": case, "labels": labels}
    if is_log(files[0]):
        slices = _of_logs(files, by or [], metric, {**columns, "positive": positive})
    else:
        example = "name the columns of the slices: --by language, or --by language --by device"
        slices = counted_slices(files, by, example, positive=positive, **columns)
    if strata is not None:
        form.show(watched("reporting")(_over_strata)(slices, strata, empty, prior, vars(ends)))
        return
    if in_time:
        from howsure.reporting.slices_in_time import slices_in_time

        series = watched("reporting")(slices_in_time)(slices, metric, prior, cut=cut, seed=seed, **vars(ends))
        form.show(series)
        return
    form.show(watched("reporting")(slice_report)(slices, metric, prior, draws=draws, seed=seed, **vars(ends)))


def _of_logs(files: list[str], by: list[str], metric: str | None, columns: dict[str, str | None]) -> Slices:
    """Right and wrong by slice; what logs do not have is refused."""
    from howsure.io.logs.several import slices_of_logs

    score = columns.pop("pred")
    if odd := [f"--{'id' if name == 'case' else name}" for name, value in columns.items() if value is not None]:
        raise InvalidArgument(f"logs say right or wrong, and no class; leave {listing(odd)} out")
    if metric not in (None, "accuracy", "error_rate"):
        raise InvalidArgument(f"logs say right or wrong: --metric accuracy or error_rate, not {excerpt(metric)}")
    slices, notes = slices_of_logs(files, by, score)
    for note in notes:
        say(as_options(note), error=True)
    return slices


def _refuse_others(strata: str | None, metric: str | None, empty: str | None, draws: int | None) -> None:
    """Refuse options that do not go with --strata, or without it."""
    if strata is None:
        if empty is not None:
            raise InvalidArgument("--empty is about classes without a case in a stratum; give --strata with it")
        return
    if metric not in (None, "balanced_accuracy"):
        raise InvalidArgument(f"--strata is of the balanced accuracy, and --metric is {excerpt(metric)}; give only one")
    if draws is not None:
        raise InvalidArgument("--strata draws nothing; leave --draws out")


def _refuse_in_time(in_time: bool, cut: str | None, strata: str | None, draws: int | None) -> None:
    """Refuse options that do not go with --in-time, or without it."""
    if not in_time:
        if cut is not None:
            raise InvalidArgument("--cut is about dates in the order of time; give --in-time with it")
        return
    odd = [name for name, value in (("--strata", strata), ("--draws", draws)) if value is not None]
    if odd:
        raise InvalidArgument(f"--in-time goes without {listing(odd)}; leave it out")


def _over_strata(slices: Slices, strata: str, empty: str | None, prior: str | Prior | None, ends: Any) -> Stratified:
    from howsure.cli.share_options import by_class
    from howsure.reporting.stratified import stratified

    weights: Any = strata if "=" not in strata else by_class(strata, slices.names, "--strata", "weights", 2)
    return stratified(slices, weights, empty=empty or "keep", prior=prior, **ends)  # type: ignore[arg-type]
