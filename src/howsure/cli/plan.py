"""``howsure plan``, and whether to go on: how many cases, which next, when to stop, how many digits are known."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import typer

from howsure.cli.contenders import (
    are_items,
    are_votes,
    names_of,
    read_items,
    read_two,
    read_votes_of,
    refuse_beside_scores,
)
from howsure.cli.numbers import number_or, number_or_names, numbers_of, several_of, share_of_positives
from howsure.cli.options import FORMS, ITEMS, TABLE, VOTES, Options, command
from howsure.cli.output import print_json, show
from howsure.cli.progress import watched
from howsure.cli.sources import at_other_prevalence, read_table, refuse_groupless
from howsure.cli.terminal import remark, say
from howsure.errors import HowsureError, InvalidArgument, excerpt
from howsure.posterior.score_measures import is_about_scores

if TYPE_CHECKING:
    from howsure.data.predictions import Predictions
    from howsure.knowledge.protocol import Knowledge
    from howsure.planning.truth import Pilot
    from howsure.posterior.accuracy import AccuracyPosterior
    from howsure.posterior.posterior import Posterior
    from howsure.questions.comparison import Comparison

#: What a plan has no use for.
NOT_OF_AGREEMENT = "above_or_chance below difference margin_goal guess n board prior classes group_size"
NOT_OF_VOTES = (
    "guess mode_of_beta concentration prevalence classes paired design detect judge verdicts_read group_size icc board "
    "rule"
)
NOT_OF_SCORES = (
    "model detect board rule rows group groups judge verdicts_read mode_of_beta design concentration classes "
    "group_size icc prior"
)

#: Characters of a bar that stands for probability 1.
BAR = 40


@command(
    "measure width above_or_chance below difference margin_goal assurance level:certainty guess mode_of_beta",
    "concentration pilot model missing a b prevalence classes paired design n detect judge verdicts_read group_size",
    "icc group groups board rule", ITEMS, VOTES, "prior rows positive labels seed plot", FORMS,
)  # fmt: skip
def plan_command(ask: Options) -> None:
    """Say how many cases a test needs, or (--n) what a number of cases can show.

    One goal: --width, --above, --below, --difference or --margin; or --n with --detect. Without --guess, --pilot or
    --mode the worst case is taken, and said.
    """
    if ask.measure == "agree":
        show(ask, _of_agreement(ask))
        return
    if ask.pilot is None and are_items(ask, ()):
        raise InvalidArgument("--score, --item, --range, --far and --better are of items with scores: --pilot FILE")
    about_scores = is_about_scores(ask.measure)
    if not about_scores and (kind := _pilot_of_a_kind(ask)) is not None:
        from howsure.planning.plan import units_needed

        goals = {**_goals(ask), "above": number_or(ask.above_or_chance, (), "--above", "a number of the metric")}
        goals.pop("n")
        settings = ask.given("a b assurance")
        planning: Any = watched("planning")(units_needed)
        show(ask, planning(kind, goals, ask.measure, ask=kind.ask(ask.level, seed=ask.seed), **settings))
        return
    if ask.rule and not about_scores:
        _print_rule(ask)
        return
    made = _of_scores(ask) if about_scores else _of_classes(ask)

    def with_curve() -> None:
        say(made)
        typer.echo(f"\n{made.plot()}")

    show(ask, made, plain=with_curve if ask.plot or sys.stdout.isatty() else None)


def _of_agreement(ask: Options) -> Any:
    """Items and raters for an agreement, from a first round."""
    from howsure.io.rating_files import read_ratings
    from howsure.questions.agree import agree

    if ask.pilot is None or ask.width is None:
        raise InvalidArgument(
            "agreement of raters is planned from a first round: howsure plan agree --pilot RATINGS --width W"
        )
    ask.refuse(NOT_OF_AGREEMENT, "agreement of raters is planned for a --width alone; leave {} out")
    return watched("planning")(agree)(read_ratings(ask.pilot, labels=ask.labels), **ask.given("width level seed model"))


def _pilot_of_a_kind(ask: Options) -> Knowledge | None:
    """Items with scores, or battles, that were seen before."""
    if ask.pilot is None:
        ask.refuse(VOTES, "leave {} out: battles are a --pilot")
        return None
    if are_items(ask, [ask.pilot], [ask.measure]):
        return read_items(ask, [ask.pilot])
    return read_votes_of(ask, [ask.pilot], NOT_OF_VOTES) if are_votes(ask, [ask.pilot]) else None


def _goals(ask: Options) -> dict[str, Any]:
    """The goals that are named, and the cases one has."""
    above = number_or(ask.above_or_chance, ("chance",), "--above", "a number (0.8 or 80%) or the word chance")
    goals = {"width": ask.width, "below": ask.below, "difference": ask.difference, "margin": ask.margin_goal}
    return {**goals, "n": ask.n, "above": above}


def _supposed(ask: Options) -> dict[str, Any]:
    return {
        **ask.given("level assurance seed"),
        "guess": number_or_names(ask.guess, "--guess"),
        "paired": number_or_names(ask.paired, "--paired"),
    }


def _of_scores(ask: Options) -> Any:
    """Cases for an area, from a guess or a file of scores."""
    from howsure.io.score_files import read_scores
    from howsure.planning.sample_size import plan

    refuse_beside_scores(ask, NOT_OF_SCORES)
    known = None
    if ask.pilot is not None:
        known = read_scores(ask.pilot, score=names_of(ask), group=False, **ask.given("positive labels"))
    share = share_of_positives(ask.prevalence, "the positive class")
    planning: Any = watched("planning")(plan)
    return planning(ask.measure, pilot=known, prevalence=share, **_goals(ask), **_supposed(ask))


def _of_classes(ask: Options) -> Any:
    """Cases for a metric of a matrix, from a guess, a pilot or the worst case."""
    from howsure.planning.sample_size import detect, plan, settle

    known = _pilot(ask)
    if ask.board is not None and ask.used("group_size icc"):
        raise InvalidArgument("a leaderboard is planned for independent cases; leave --group-size and --icc out")
    if known is None and ask.prevalence is not None:
        raise InvalidArgument(
            "--prevalence is for a --pilot; without one say --guess recall=...,specificity=...,prevalence=..."
        )
    if ask.used("board detect") and ask.used("judge verdicts_read"):
        raise InvalidArgument("--judge and --verdicts go with --width, not with --board or --detect")
    if ask.board is not None:
        board = numbers_of(ask.board, "--board", "0.9,0.88,0.8")
        return watched("planning")(settle)(board, **ask.given("assurance level prior n seed"))
    supposed = {
        **_supposed(ask),
        **ask.given("mode=mode_of_beta concentration classes group_size icc prior"),
        "pilot": known,
        "design": _design(ask.design),
    }
    goals = ask.used("width above_or_chance below difference margin_goal board detect judge verdicts_read")
    if ask.detect is None and (goals or ask.n is None):
        beside = {"judge": number_or_names(ask.judge, "--judge"), "verdicts": ask.verdicts_read}
        planning: Any = watched("planning")(plan)
        return planning(ask.measure, **_goals(ask), **beside, **supposed)
    # what cases can show is the width of an interval, where nothing is named
    if ask.n is None:
        raise InvalidArgument("--detect needs --n, the cases one has")
    if ask.used("width above_or_chance below difference"):
        raise InvalidArgument("--detect finds the goal itself; leave --width, --above, --below and --difference out")
    finding: Any = watched("planning")(detect)
    return finding(ask.measure, ask.n, goal=ask.detect or "width", margin=ask.margin_goal or 0.0, **supposed)


def _design(text: str | None) -> list[float] | str | None:
    if text is None or text == "optimal":
        return text
    try:
        return numbers_of(text, "--design", "0.5,0.5")
    except InvalidArgument:
        raise InvalidArgument(f"--design is shares such as 0.5,0.5, or the word optimal; not {excerpt(text)}") from None


def _print_rule(ask: Options) -> None:
    from howsure.planning.digits import rule_of_thumb, thumb_csv, thumb_table

    usual = {"mode": 0.8, "concentration": 10.0}
    rows = rule_of_thumb(ask.measure, **{**usual, **ask.given("mode=mode_of_beta concentration classes prior seed")})
    if ask.csv:
        typer.echo(thumb_csv(rows), nl=False)
    else:
        say(thumb_table(rows))


def _pilot(ask: Options) -> Pilot | None:
    """What was seen before: two classifiers where they are compared, or one."""
    from howsure.posterior.posterior import infer

    if ask.pilot is None:
        if ask.used("group groups"):
            raise InvalidArgument("--group and --groups are for a --pilot; without one say --group-size and --icc")
        ask.refuse("model missing a b rows positive labels", "without a --pilot nothing is read; leave {} out")
        return None
    compared = ask.difference is not None or ask.margin_goal is not None or ask.detect == "difference"
    if compared and ask.paired is None and ask.model is None and (pair := _pair(ask, ask.pilot)) is not None:
        return pair
    read = read_table(ask, ask.pilot, units=True)
    if read.confusion.verdicts is not None:  # a judge and its rates, for the labels beside it
        return read.confusion
    refuse_groupless(ask, known=read.confusion.groups is not None)
    return at_other_prevalence(ask, infer(read.confusion, **ask.given("prior groups")))


def _pair(ask: Options, file: str) -> Predictions | None:
    """Two classifiers of the file on the same cases, the new one first; None where it holds one."""
    from howsure.data.predictions import Predictions
    from howsure.io.contenders import read_pair

    if file == "-":
        return None
    try:
        found = read_pair(file, group=ask.group or True, **ask.given("a b rows positive labels"))
    except HowsureError:
        if not names_of(ask):
            return None  # one classifier, or none: said by the reading of one
        raise
    both = found.predictions
    if both is None:
        return None
    names = [both.labels[i] for i in both.truth]
    answers = {name: [both.labels[i] for i in both.answers(name)] for name in found.names}
    return Predictions(names, answers, group=both.group, labels=both.labels)


@command("more label level", TABLE, "json")
def next_labels_command(ask: Options) -> None:
    """Say which cases to label next, by their verdicts, so that the share of a class is known as well as can be.

    FILE holds cases with a verdict each, of which some have no truth; --missing estimate says that the labelled ones
    were chosen at random given it.
    """
    from howsure.planning.next_labels import next_labels

    _tell(ask, next_labels(read_table(ask).confusion, ask.more, label=ask.label, level=ask.level))


def _tell(ask: Options, made: Any) -> None:
    print_json(made.to_dict()) if ask.json else say(made)


#: What is known by now beside a file, or instead of it: a number of right answers.
SO_FAR = "correct n:cases-so-far prevalence prior shares rows positive labels model"


@command(
    "metric:one files:outlook above more_each level:certainty",
    SO_FAR,
    "a:cases-so-far b:cases-so-far separate seed json",
)
def outlook_command(ask: Options) -> None:
    """Whether to go on: how probably further cases change what is decided.

    With --above about one classifier and a threshold; without it about which of two classifiers is better, on the same
    cases where one file holds the answers of both or two files have ids in common.
    """
    from howsure.planning.outlook import outlook
    from howsure.text.formats import integer, probability
    from howsure.text.text_table import Table

    sizes = several_of(ask.more_each, int, "--more is integers such as 50,100,200")
    settings = ask.given("level seed")
    if ask.above is None:
        comparison = _compared(ask)
        found: list[Any] = [outlook(comparison, more=size, **settings) for size in sizes]
    else:
        if ask.used("a b separate") or len(ask.files) > 1:
            raise InvalidArgument(
                "--above is a threshold for one classifier, of one FILE (and --model); leave it out to compare two"
            )
        known = _known(ask, next(iter(ask.files), None))
        found = [outlook(known, _metric(ask), above=ask.above, more=size, **settings) for size in sizes]
    if ask.json:
        print_json(found[0].to_dict() if len(found) == 1 else [each.to_dict() for each in found])
        return
    for each in found:
        say(each.sentence)
    for note in dict.fromkeys(note for each in found for note in getattr(each, "notes", ())):
        say(f"note: {note}")
    names = list(found[0].later)
    cells = [
        (integer(each.more), *(probability(each.later[x], each.futures or None) for x in names), _bar(each.change))
        for each in found
    ]
    typer.echo()
    say(Table(("more", *(f"then {x}" for x in names), "changed"), tuple(cells), frozenset([4])))


def _bar(share: float) -> str:
    return f"{'#' * round(BAR * share)} {100 * share:.0f}%".strip()


def _metric(ask: Options) -> str:
    return ask.metric or ("balanced_accuracy" if ask.correct is None else "accuracy")


def _known(ask: Options, file: str | None) -> Posterior | AccuracyPosterior:
    """What is known of one classifier."""
    from howsure.posterior.accuracy import AccuracyPosterior
    from howsure.posterior.posterior import infer

    if file is not None:
        if ask.used("correct n"):
            raise InvalidArgument("a FILE and --correct with --n exclude each other; choose one")
        read = read_table(ask, file)
        remark(*read.notes)
        return at_other_prevalence(ask, infer(read.confusion, **ask.given("prior shares")))
    if ask.correct is None or ask.n is None:
        raise InvalidArgument("name a FILE, or say --correct and --n: right answers, and all of them")
    beside = "prevalence shares rows positive labels model"
    needs = "need" if len(ask.used(beside)) > 1 else "needs"
    ask.refuse(beside, "{} " + needs + " a FILE with a confusion matrix or predictions")
    return AccuracyPosterior(correct=ask.correct, n=ask.n, prior=ask.prior)


def _compared(ask: Options) -> Comparison:
    """What is known of two classifiers, from one file or two."""
    from howsure.posterior.posterior import infer
    from howsure.questions.compare import compare

    if ask.used("correct n") or not ask.files:
        raise InvalidArgument(
            "say --above: the threshold for one classifier; or name files of two classifiers, which are compared"
        )
    if ask.used("model prevalence"):
        raise InvalidArgument("--model and --prevalence are for one classifier and its --above")
    try:
        found = read_two(ask, ask.files)
    except HowsureError as problem:
        if len(ask.files) > 1 or names_of(ask) or not _is_one(ask):
            raise
        raise InvalidArgument(
            f"{excerpt(ask.files[0])} holds one classifier: say --above, its threshold, or give a second file"
        ) from problem
    remark(*found.notes)
    counted = ask.given("prior shares")
    if found.predictions is not None:
        return compare(found.predictions, *found.names, metric=ask.metric, **counted)
    assert found.matrices is not None
    one, other = (infer(matrix, **counted) for matrix in found.matrices.values())
    return compare(one, other, metric=ask.metric, names=(found.names[0], found.names[1]))


def _is_one(ask: Options) -> bool:
    """Whether the file can be read as that of one classifier."""
    try:
        _known(ask, ask.files[0])
    except HowsureError:
        return False
    return True


@command("looks limit alpha truth prior json")
def stopping_rule_command(ask: Options) -> None:
    """How sure one must be at each of several looks at a rate, and how often the rule errs (counted out, exact)."""
    from howsure.planning.next_labels import stopping_rule

    looks = several_of(ask.looks, int, "LOOKS is integers such as 50,100,200")
    rule = stopping_rule(looks, ask.limit, alpha=ask.alpha, prior=ask.prior)
    truths = None if ask.truth is None else numbers_of(ask.truth, "--truth", "0.7,0.8")
    if not ask.json:
        say(rule.sheet(truths))
        return
    tried = {} if truths is None else {"rates": [{"truth": x, **rule.rates(x)} for x in truths]}
    print_json({**rule.to_dict(), **tried})


@command("metric:one file assurance", SO_FAR, "seed json")
def digits_command(ask: Options) -> None:
    """How many decimals of a metric are known (one is where the interval is narrower), and the cases one more needs."""
    from howsure.planning.digits import digits

    file = ask.file if isinstance(ask.file, str) else None
    _tell(ask, digits(_known(ask, file), _metric(ask), **ask.given("assurance seed")))
