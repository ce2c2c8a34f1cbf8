"""``howsure log``, ``repeats`` and ``agree``: logs of evaluations, items that were tried several times, and raters."""

from __future__ import annotations

from typing import Any, get_args

from howsure.cli.numbers import scores_of
from howsure.cli.options import ENDS, FORMS, SAMPLING, Options, command
from howsure.cli.output import show
from howsure.cli.progress import watched
from howsure.errors import InvalidArgument, excerpt


def _logs(ask: Options, file: str, score: str | None, missing: Any) -> Any:
    from howsure.io.logs.log import logs_of
    from howsure.io.logs.scored import LogAsk

    limits = scores_of(ask.outcomes, "outcomes"), scores_of(ask.range, "range")
    column = "--score" if ask.file else "--field"
    how = LogAsk(score, ask.filter, ask.threshold, ask.group, ask.item, ask.repeat, missing, *limits, column=column)
    return watched("reading")(logs_of)(file, how)


@command(
    "files:log metric filter field item repeat threshold:repeats outcomes range group groups k rope prior",
    SAMPLING, ENDS, FORMS,
)  # fmt: skip
def log_command(ask: Options) -> None:
    """Accuracy or mean score from logs and tables of items; two models are compared on shared items, more are ranked.

    An item that is answered in several epochs is one independent unit, unless --group names another field of the items:
    from 8 units on the accuracy is that of new ones, and that of the same ones follows.
    """
    from howsure.io.logs.log import logs_by_model, paired
    from howsure.reporting.repeats import log_report

    logs = logs_by_model(ask.files, [_logs(ask, file, ask.field or ask.metric, "exclude") for file in ask.files])
    if len(logs) != 2 and ask.rope is not None:
        raise InvalidArgument(f"--rope is about a difference, and {len(logs)} logs are given; name two")
    if len(logs) == 1:
        (log,) = logs.values()
        show(ask, log_report(log, **ask.given("prior groups tries=k", SAMPLING, ENDS)))
        return
    if ask.k:
        raise InvalidArgument(f"--k is about one log, and {len(logs)} are given; leave it out")
    if len(logs) == 2:
        from howsure.questions.compare import compare

        show(ask, watched("comparing")(compare)(paired(logs), **ask.given("rope prior groups", ENDS)))
        return
    from howsure.questions.rank import rank

    show(ask, watched("ranking")(rank)(paired(logs), **ask.given("prior", ENDS)))


@command("file item repeat score k threshold outcomes range missing:repeats groups prior", SAMPLING, ENDS, FORMS)
def repeats_command(ask: Options) -> None:
    """Items that were tried several times: mean score, pass@k, pass^k, and what more runs or more items are worth.

    The same answer as howsure log gives of one model. Without --prior: learned, from three items on; of scores that are
    more than right and wrong, items have uncertain weights.
    """
    from howsure.io.logs.log import of_one_model
    from howsure.reporting.repeats import log_report

    log = of_one_model(_logs(ask, ask.file, ask.score, ask.missing))
    show(ask, watched("inferring")(log_report)(log, **ask.given("prior groups tries=k", SAMPLING, ENDS)))


@command("file metrics item rater label labels scale weights raters sets model margin width", SAMPLING, ENDS, FORMS)
def agree_command(ask: Options) -> None:
    """How well several raters agree, who stands out, what they confuse, and whether a model is as good as a person.

    No rater is the truth. Ratings may be missing; items are a sample.
    """
    from howsure.io.rating_files import read_ratings, read_weights
    from howsure.numerics.agreement import Weighting
    from howsure.questions.agree import agree

    labels: Any = ask.labels
    weights: Any = ask.weights
    if ask.weights is not None and ask.weights not in get_args(Weighting):
        labels, weights = read_weights(ask.weights, labels)
    ratings = watched("reading")(read_ratings)(
        ask.file, rater=ask.rater[0] if len(ask.rater) == 1 else ask.rater or None, labels=labels, weights=weights,
        sets=_sets(ask.sets), **ask.given("item label scale sampled=raters"),
    )  # fmt: skip
    settings = ask.given("model margin width", SAMPLING, ENDS)
    show(ask, watched("simulating")(agree)(ratings, ask.metrics or None, **settings))


def _sets(written: list[str]) -> dict[str, list[str]]:
    """Read ``experts=ann,bob``."""
    found: dict[str, list[str]] = {}
    for text in written:
        name, sign, members = text.partition("=")
        if not sign or not name.strip() or name.strip() in found:
            raise InvalidArgument(
                f"--set is a name and its raters (experts=ann,bob), each name once; not {excerpt(text)}"
            )
        found[name.strip()] = [part.strip() for part in members.split(",")]
    return found
