"""``howsure curve``, ``threshold`` and ``calibration``: scores before a threshold, the best one, and probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from howsure.cli.costs import costs_of
from howsure.cli.numbers import numbers_of, share_of_positives
from howsure.cli.options import ENDS, FORMS, Options, command
from howsure.cli.output import show
from howsure.cli.progress import watched
from howsure.cli.sources import other_prevalence
from howsure.cli.terminal import said_beside
from howsure.errors import InvalidArgument

if TYPE_CHECKING:
    from howsure.data.scores import Scores


def _scores(ask: Options) -> Scores:
    from howsure.io.score_files import read_scores

    return watched("reading")(read_scores)(ask.file, **ask.given("y_true=true score positive labels group"))


@command("file metrics true score positive labels group prevalence", ENDS, "draws seed", FORMS)
def curve_command(ask: Options) -> None:
    """Scores before a threshold: area under the ROC curve, average precision, points of the curve, and both curves."""
    from howsure.curves.score_curves import curve_report

    scores = _scores(ask)
    share = share_of_positives(ask.prevalence, scores.labels[-1])
    settings = ask.given(ENDS, "draws seed")
    show(ask, watched("drawing")(curve_report)(scores, ask.metrics or None, prevalence=share, **settings))


@command(
    "file metric cost net_benefit curve points at true score positive labels prevalence cases prior draws seed",
    ENDS, FORMS,
)  # fmt: skip
def threshold_command(ask: Options) -> None:
    """From which score on to call a case positive: the best threshold, and what it is worth on new cases.

    With --curve or --at a metric against the threshold; with --points the matrix and its metrics; with --net-benefit a
    decision curve. A case is predicted positive from the threshold on. A page (-o page.html) has a threshold to move.
    """
    from howsure.curves.at_thresholds import operating_points, threshold_curve
    from howsure.curves.chosen_threshold import best_threshold
    from howsure.curves.decision_curve import net_benefit
    from howsure.io.score_files import read_scores
    from howsure.metrics import expected_cost

    asked = ask.used("metric cost net_benefit points")
    if len(asked) > 1:
        raise InvalidArgument(f"{' and '.join(asked)} exclude each other; choose one")
    if (ask.net_benefit or ask.points) and ask.curve:
        raise InvalidArgument(f"{asked[0]} is a curve already; leave --curve out")
    scores = read_scores(ask.file, group=False, **ask.given("y_true=true score positive labels"))
    settings: dict[str, Any] = ask.given("prior draws seed", ENDS)
    costs = None
    if ask.used("prevalence cases cost"):
        table = scores.confusion_at(0.0)
        where, notes = other_prevalence(ask, table)
        said_beside(*notes)
        settings |= where
        costs = None if ask.cost is None else costs_of(ask.cost, table)
    cuts = None if ask.at is None else numbers_of(ask.at, "--at", "0.2,0.5")
    if ask.net_benefit or ask.points:
        drawn: Any = net_benefit if ask.net_benefit else operating_points
        show(ask, watched("answering")(drawn)(scores, cuts, **settings))
    elif ask.curve or cuts is not None:
        shown = ask.metric or ("balanced_accuracy" if costs is None else expected_cost(costs))
        show(ask, watched("answering")(threshold_curve)(scores, shown, cuts, **settings))
    else:
        show(ask, watched("answering")(best_threshold)(scores, ask.metric, cost=costs, **settings))


@command("file event bins strategy diagram true score positive labels group", ENDS, "draws seed", FORMS)
def calibration_command(ask: Options) -> None:
    """Are the probabilities well calibrated? Brier score, log loss, ece, calibration slope, reliability diagram."""
    from howsure.curves.calibration import calibration_curve, calibration_report

    answering: Any = watched("drawing")(calibration_curve if ask.diagram else calibration_report)
    show(ask, answering(_scores(ask), ask.event, **ask.given("bins strategy draws seed", ENDS)))
