"""``howsure slices``, ``fairness`` and ``pool``: by language, site or day; gaps between people; studies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from howsure.cli.contenders import are_items, read_items
from howsure.cli.options import ENDS, FORMS, ITEMS, Options, command
from howsure.cli.output import show
from howsure.cli.progress import watched
from howsure.cli.terminal import said_beside
from howsure.errors import InvalidArgument, excerpt

if TYPE_CHECKING:
    from howsure.data.slices import Slices


@command(
    "files:tables by metric true pred case:once labels positive prior draws seed", ENDS, ITEMS,
    "repeat a strata empty in_time cut", FORMS,
)  # fmt: skip
def slices_command(ask: Options) -> None:
    """A metric by slice (--by language): each slice with its interval, the worst one, and outliers.

    FILE is a table of cases, or of counts; each combination of the values of the --by columns is a slice. Or logs of
    evaluations, one model's: --by names a field of the questions, and without it each log (a subtask) is a slice. Of
    items with scores (item,score) each slice stands against all others.
    """
    if ask.used("a repeat") or are_items(ask, ask.files, [ask.metric]):
        show(ask, _of_items(ask))
        return
    from howsure.io.logs.log import is_log

    _refuse_at_odds(ask)
    if is_log(ask.files[0]):
        slices = _of_logs(ask)
    else:
        slices = _counted(ask, "name the columns of the slices: --by language, or --by language --by device")
    show(ask, watched("reporting")(_reported)(ask, slices))


def _reported(ask: Options, slices: Slices) -> Any:
    """The answer about slices that is asked for."""
    from howsure.reporting.slice_report import slice_report

    settings = ask.given("prior seed", ENDS)
    if ask.strata is not None:
        from howsure.cli.numbers import by_class
        from howsure.reporting.stratified import stratified

        named = "=" in ask.strata
        weights: Any = by_class(ask.strata, slices.names, "--strata", "weights", 2) if named else ask.strata
        empty: Any = ask.empty or "keep"
        return stratified(slices, weights, empty=empty, **ask.given("prior", ENDS))
    if ask.in_time:
        from howsure.reporting.slices_in_time import slices_in_time

        return slices_in_time(slices, ask.metric, cut=ask.cut, **settings)
    return slice_report(slices, ask.metric, draws=ask.draws, **settings)


def _of_items(ask: Options) -> Any:
    """Items with scores by one column."""
    from howsure.questions.estimates import slices

    items = read_items(ask, ask.files, group=next(iter(ask.by), None))
    if len(ask.by) != 1:
        raise InvalidArgument("slices of items with scores are by one column: --by language")
    asked = items.ask(ask.level, ask.kind, ask.draws, ask.seed)
    reporting: Any = watched("reporting")(slices)
    return reporting(items.by_group(), ask.by[0], ask.metric, name=ask.a, ask=asked, notes=items.notes)


def _of_logs(ask: Options) -> Slices:
    """Right and wrong by slice; what logs do not have is refused."""
    from howsure.io.logs.log import slices_of_logs

    ask.refuse("true case labels positive", "logs say right or wrong, and no class; leave {} out")
    if ask.metric not in (None, "accuracy", "error_rate"):
        raise InvalidArgument(f"logs say right or wrong: --metric accuracy or error_rate, not {excerpt(ask.metric)}")
    slices, notes = slices_of_logs(ask.files, ask.by, ask.pred)
    said_beside(*notes)
    return slices


def _counted(ask: Options, example: str) -> Slices:
    """Cases by slice; what was set aside or chosen is said beside the answer."""
    from howsure.io.counting.count import count
    from howsure.io.counting.result import slices_of

    if not ask.by:
        raise InvalidArgument(example)
    with watched("counting") as progress:
        files: Any = ask.files[0] if len(ask.files) == 1 else ask.files
        counts = count(files, progress=progress, **ask.given("by y_true=true y_pred=pred id=case labels"))
    said_beside(*(f"set aside, {aside}" for aside in counts.set_aside), *counts.notes)
    return slices_of(counts, positive=ask.positive)


def _refuse_at_odds(ask: Options) -> None:
    """Refuse options that do not go with --strata or --in-time, or only with them."""
    if ask.strata is None and ask.empty is not None:
        raise InvalidArgument("--empty is about classes without a case in a stratum; give --strata with it")
    if ask.strata is not None and ask.metric not in (None, "balanced_accuracy"):
        raise InvalidArgument(
            f"--strata is of the balanced accuracy, and --metric is {excerpt(ask.metric)}; give only one"
        )
    if ask.strata is not None and ask.draws is not None:
        raise InvalidArgument("--strata draws nothing; leave --draws out")
    if ask.in_time:
        ask.refuse("strata draws", "--in-time goes without {}; leave it out")
    elif ask.cut is not None:
        raise InvalidArgument("--cut is about dates in the order of time; give --in-time with it")


@command("files:tables by positive rope true pred case:once labels draws seed", ENDS, FORMS)
def fairness_command(ask: Options) -> None:
    """Fairness between groups of people (--by sex): their rates, and the largest gaps by fairlearn's names.

    FILE is a table of cases, or of counts; each combination of the values of the --by columns is a group. Gaps
    matter from 0.05 on unless --rope says otherwise.
    """
    from howsure.reporting.fairness import fairness

    slices = _counted(ask, "name the columns of the groups: --by sex, or --by sex --by age")
    show(ask, watched("reporting")(fairness)(slices, ask.positive, **ask.given("rope draws seed", ENDS)))


@command("files:pool site metric rows positive labels true pred missing:pool", ITEMS, ENDS, "draws seed", FORMS)
def pool_command(ask: Options) -> None:
    """Pool sites or studies: a typical one, the spread between them, a new one, and each of them.

    Of items with scores (item,score) as well, with --site or a file a site.
    """
    from howsure.io.contenders import read_sites
    from howsure.units.pooled import pool

    files, settings = ask.files, ask.given("metric draws seed", ENDS)
    pooling: Any = watched("pooling")(pool)
    if not are_items(ask, files, [ask.metric]):
        found = read_sites(files, **ask.given("site rows positive labels missing y_true=true y_pred=pred"))
        show(ask, pooling(found.sites, positive=ask.positive, notes=found.notes, unit=found.unit, **settings))
        return
    if ask.site is not None and len(files) > 1:
        raise InvalidArgument("--site is a column of one file; of several each is a site")
    if ask.site is None and len(files) == 1:
        raise InvalidArgument("which column names the sites: --site COLUMN; or a file for each site")
    if ask.site is None:
        show(ask, pooling({Path(file).stem: read_items(ask, [file]) for file in files}, **settings))
    else:
        show(ask, pooling(read_items(ask, files, group=ask.site), **settings))
