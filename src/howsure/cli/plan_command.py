"""``howsure plan``: how many cases, and what a number of cases can show."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from howsure.cli.column_options import GroupOption, GroupsOption, LabelsOption, label_names, refuse_groupless
from howsure.cli.curve_command import share_of_positives
from howsure.cli.flat import flat
from howsure.cli.inputs import (
    CertaintyOption,
    MetricArgument,
    MissingOption,
    ModelOption,
    PositiveOption,
    PrevalenceOption,
    PriorOption,
    RowsOption,
    SeedOption,
    at_other_prevalence,
    reading,
)
from howsure.cli.item_options import ItemOptions
from howsure.cli.options import option
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched
from howsure.cli.scores_of_files import refuse_beside_scores
from howsure.cli.share_options import number_of, numbers_of
from howsure.cli.terminal import say
from howsure.errors import HowsureError, InvalidArgument, excerpt, listing
from howsure.laws.draw_settings import SEED
from howsure.laws.law import LEVEL
from howsure.posterior.score_measures import is_about_scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from howsure.data.groups import Question
    from howsure.data.predictions import Predictions
    from howsure.knowledge.protocol import Knowledge
    from howsure.planning.plan import Plan
    from howsure.planning.truth import Pilot

__all__ = ["plan_command"]

Number = float | None


@flat
def plan_command(
    *,
    metric: MetricArgument,
    width: Annotated[Number, option("width")] = None,
    above: Annotated[str | None, option("above", "plan")] = None,
    below: Annotated[Number, option("below", "plan")] = None,
    difference: Annotated[Number, option("difference")] = None,
    margin: Annotated[Number, option("margin", "plan")] = None,
    assurance: Annotated[float, option("assurance", "plan")] = 0.95,
    level: CertaintyOption = LEVEL,
    guess: Annotated[str | None, option("guess")] = None,
    mode: Annotated[Number, option("mode", "plan")] = None,
    concentration: Annotated[Number, option("concentration")] = None,
    pilot: Annotated[str | None, option("pilot")] = None,
    model: ModelOption = None,
    missing: MissingOption = "error",
    a: Annotated[str | None, option("a", "plan")] = None,
    b: Annotated[str | None, option("b", "plan")] = None,
    prevalence: PrevalenceOption = None,
    classes: Annotated[int | None, option("classes")] = None,
    paired: Annotated[str | None, option("paired")] = None,
    design: Annotated[str | None, option("design")] = None,
    n: Annotated[int | None, option("n", "plan")] = None,
    detect: Annotated[Literal["difference", "width", "above", "below"] | None, option("detect")] = None,
    judge: Annotated[str | None, option("judge")] = None,
    verdicts: Annotated[int | None, option("verdicts", "plan")] = None,
    group_size: Annotated[int | None, option("group-size")] = None,
    icc: Annotated[Number, option("icc")] = None,
    group: GroupOption = None,
    groups: GroupsOption = None,
    board: Annotated[str | None, option("board")] = None,
    rule: Annotated[bool, option("rule")] = False,
    items: ItemOptions,
    prior: PriorOption = None,
    rows: RowsOption = None,
    positive: PositiveOption = None,
    labels: LabelsOption = None,
    seed: SeedOption = SEED,
    plot: Annotated[bool, option("plot")] = False,
    form: FileForm,
) -> None:
    """Say how many cases a test needs, or (--n) what a number of cases can show.

    One goal: --width, --above, --below, --difference or --margin; or --n with --detect. Without --guess, --pilot or
    --mode the worst case is taken, and said.
    """
    made: Plan
    from howsure.planning.sample_size import detect as best_goal
    from howsure.planning.sample_size import plan

    form.spare(pilot)
    if metric == "agree":
        from howsure.io.rating_files import read_ratings
        from howsure.questions.agree import agree

        if pilot is None or width is None:
            raise InvalidArgument(
                "agreement of raters is planned from a first round: howsure plan agree --pilot RATINGS --width W"
            )
        others = {
            "--above": above, "--below": below, "--difference": difference, "--margin": margin, "--guess": guess,
            "--n": n, "--board": board, "--prior": prior, "--classes": classes, "--group-size": group_size,
        }  # fmt: skip
        if odd := [name for name, value in others.items() if value is not None]:
            raise InvalidArgument(f"agreement of raters is planned for a --width alone; leave {listing(odd)} out")
        ratings = read_ratings(pilot, labels=label_names(labels))
        form.show(watched("planning")(agree)(ratings, width=width, level=level, seed=seed, model=model))
        return
    if pilot is None and items.asked(()):
        raise InvalidArgument("--score, --item, --range, --far and --better are of items with scores: --pilot FILE")
    if pilot is not None and not is_about_scores(metric):
        from howsure.io.vote_files import is_votes, read_votes
        from howsure.questions.plan import plan_of_goals

        kind: Knowledge | None = None
        if items.asked([pilot], [metric]):
            kind = items.read([pilot], missing, group=group)
        elif is_votes(pilot):
            kind = read_votes(pilot)
        if kind is not None:
            aims = {"width": width, "above": None if above is None else _number(above), "below": below,
                     "difference": difference, "margin": margin}  # fmt: skip
            ask = kind.ask(level, seed=seed)
            form.show(watched("planning")(plan_of_goals)(
                kind, metric, aims, a=a, b=b, assurance=assurance, ask=ask
            ))  # fmt: skip
            return
    if is_about_scores(metric):
        made = _of_scores(metric, pilot, (a, b), prevalence, positive, labels, {
            "--model": model, "--detect": detect, "--board": board, "--rule": rule, "--rows": rows, "--group": group,
            "--groups": groups, "--judge": judge, "--verdicts": verdicts, "--mode": mode, "--design": design,
            "--concentration": concentration, "--classes": classes, "--group-size": group_size, "--icc": icc,
            "--prior": prior,
        }, {
            "width": width, "above": None if above is None else _threshold(above), "below": below, "n": n,
            "difference": difference, "margin": margin, "assurance": assurance, "level": level, "seed": seed,
            "guess": None if guess is None else _value_or_names("--guess", guess),
            "paired": None if paired is None else _value_or_names("--paired", paired),
        })  # fmt: skip
        form.show(made, (lambda: _with_curve(made)) if plot or sys.stdout.isatty() else None)
        return
    if rule:
        _print_rule(metric, mode, concentration, classes, prior, seed, as_csv=form.as_csv)
        return
    known: Pilot | None = None
    if pilot is not None:
        compared = difference is not None or margin is not None or detect == "difference"
        pair = (
            _pair(pilot, a, b, rows, positive, labels, group) if compared and paired is None and model is None else None
        )
        known = pair or _pilot(pilot, prior, prevalence, rows, positive, labels, model, missing, group, groups)
    if known is None and (group is not None or groups is not None):
        raise InvalidArgument("--group and --groups are for a --pilot; without one say --group-size and --icc")
    of_pilot = {
        "--model": model, "--missing": None if missing == "error" else missing, "--a": a, "--b": b, "--rows": rows,
        "--positive": positive, "--labels": labels,
    }  # fmt: skip
    if known is None and (needless := [name for name, value in of_pilot.items() if value is not None]):
        raise InvalidArgument(f"without a --pilot nothing is read; leave {listing(needless)} out")
    if board is not None and (group_size is not None or icc is not None):
        raise InvalidArgument("a leaderboard is planned for independent cases; leave --group-size and --icc out")
    if known is None and prevalence is not None:
        raise InvalidArgument(
            "--prevalence is for a --pilot; without one say --guess recall=...,specificity=...,prevalence=..."
        )
    if (board is not None or detect is not None) and (judge is not None or verdicts is not None):
        raise InvalidArgument("--judge and --verdicts go with --width, not with --board or --detect")
    goals = (width, above, below, difference, margin, board, detect, judge, verdicts)
    only_cases = n is not None and all(goal is None for goal in goals)  # what they can show is an interval's width
    beside: dict[str, Any] = {
        "judge": None if judge is None else _value_or_names("--judge", judge),
        "verdicts": verdicts,
    }
    supposed: dict[str, Any] = {
        "pilot": known,
        "guess": None if guess is None else _value_or_names("--guess", guess),
        "mode": mode,
        "concentration": concentration,
        "classes": classes,
        "paired": None if paired is None else _value_or_names("--paired", paired),
        "design": _shares(design),
        "group_size": group_size,
        "icc": icc,
        "prior": prior,
        "seed": seed,
        "level": level,
        "assurance": assurance,
    }
    if board is not None:
        from howsure.planning.leaderboard import settle

        made = watched("planning")(settle)(
            numbers_of(board, "--board", "0.9,0.88,0.8"), assurance=assurance, level=level, prior=prior, n=n, seed=seed
        )
    elif detect is not None or only_cases:
        if n is None:
            raise InvalidArgument("--detect needs --n, the cases one has")
        if any(x is not None for x in (width, above, below, difference)):
            raise InvalidArgument(
                "--detect finds the goal itself; leave --width, --above, --below and --difference out"
            )
        made = watched("planning")(best_goal)(metric, n, goal=detect or "width", margin=margin or 0.0, **supposed)
    else:
        made = cast("Any", watched("planning")(plan))(
            metric,
            width=width,
            above=None if above is None else _threshold(above),
            below=below,
            difference=difference,
            margin=margin,
            n=n,
            **beside,
            **supposed,
        )
    with_curve = plot or sys.stdout.isatty()
    form.show(made, (lambda: _with_curve(made)) if with_curve else None)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidArgument(f"--above is a number of the metric, not {excerpt(text)}") from None


def _of_scores(
    metric: str, pilot: str | None, names: tuple[str | None, str | None], prevalence: str | None,
    positive: str | None, labels: str | None, others: dict[str, object], asked: dict[str, Any],
) -> Plan:  # fmt: skip
    """Cases for an area, from a guess or a file of scores."""
    from howsure.io.score_files import read_scores
    from howsure.planning.sample_size import plan

    refuse_beside_scores(others)
    known = None
    if pilot is not None:
        columns = [name for name in names if name is not None]
        known = read_scores(pilot, score=columns, positive=positive, labels=label_names(labels), group=False)
    share = None if prevalence is None else share_of_positives(prevalence, "the positive class")
    return cast("Plan", watched("planning")(plan)(metric, pilot=known, prevalence=share, **asked))


def _with_curve(made: Plan) -> None:
    say(made)
    typer.echo(f"\n{made.plot()}")


def _print_rule(
    metric: str, mode: Number, concentration: Number, classes: int | None, prior: str | None, seed: int, *, as_csv: bool
) -> None:
    from howsure.planning.digits import rule_of_thumb, thumb_csv, thumb_table

    rows = rule_of_thumb(
        metric,
        mode=0.8 if mode is None else mode,
        concentration=10.0 if concentration is None else concentration,
        classes=classes,
        prior=prior,
        seed=seed,
    )
    if as_csv:
        typer.echo(thumb_csv(rows), nl=False)
    else:
        say(thumb_table(rows))


def _pilot(
    file: str,
    prior: str | None,
    prevalence: str | None,
    rows: Literal["true", "pred"] | None,
    positive: str | None,
    labels: str | None,
    model: str | None,
    missing: Literal["error", "exclude", "wrong", "estimate"],
    group: str | None,
    groups: Question | None,
) -> Pilot:
    from howsure.posterior.posterior import infer

    read = reading(file, rows=rows, positive=positive, labels=labels, model=model, missing=missing, group=group or True)
    if read.confusion.verdicts is not None:  # a judge and its rates, for the labels beside it
        return read.confusion
    refuse_groupless(groups, known=read.confusion.groups is not None)
    known = infer(read.confusion, prior, groups=groups)
    return at_other_prevalence(known, prevalence, None)


def _pair(
    file: str,
    a: str | None,
    b: str | None,
    rows: Literal["true", "pred"] | None,
    positive: str | None,
    labels: str | None,
    group: str | None,
) -> Predictions | None:
    """Two classifiers of the file on the same cases, the new one first; None where it holds one."""
    from howsure.data.predictions import Predictions
    from howsure.io.contenders import read_pair

    if file == "-":
        return None
    try:
        found = read_pair(file, a=a, b=b, rows=rows, positive=positive, labels=label_names(labels), group=group or True)
    except HowsureError:
        if a is None and b is None:
            return None  # one classifier, or none: said by the reading of one
        raise
    both = found.predictions
    if both is None:
        return None
    names = [both.labels[i] for i in both.truth]
    answers = {name: [both.labels[i] for i in both.answers(name)] for name in found.names}
    return Predictions(names, answers, group=both.group, labels=both.labels)


def _value_or_names(option: str, text: str) -> float | dict[str, float]:
    """Read ``0.9`` or ``recall=0.9,specificity=0.8``."""
    try:
        if "=" not in text:
            return number_of(text, option)
        pairs = (part.partition("=") for part in text.split(","))
        return {name.strip(): number_of(value, option) for name, _, value in pairs}
    except InvalidArgument:
        raise InvalidArgument(
            f"{option} is a number (0.9 or 90%), or names with numbers (a=0.9,b=0.8); not {excerpt(text)}"
        ) from None


def _threshold(text: str) -> float | Literal["chance"]:
    if text == "chance":
        return "chance"
    try:
        return number_of(text, "--above")
    except InvalidArgument:
        raise InvalidArgument(f"--above is a number (0.8 or 80%) or the word chance, not {excerpt(text)}") from None


def _shares(text: str | None) -> Sequence[float] | str | None:
    if text is None or text == "optimal":
        return text
    try:
        return numbers_of(text, "--design", "0.5,0.5")
    except InvalidArgument:
        raise InvalidArgument(f"--design is shares such as 0.5,0.5, or the word optimal; not {excerpt(text)}") from None
