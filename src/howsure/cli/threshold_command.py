"""``howsure threshold``: the best threshold of a score, a metric against the threshold, and decision curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from howsure.cli.column_options import LabelsOption, ScoreOption, TrueOption, label_names
from howsure.cli.flat import flat
from howsure.cli.inputs import CasesOption, DrawsOption, Ends, PositiveOption, PrevalenceOption, PriorOption, SeedOption
from howsure.cli.keywords_as_options import as_options
from howsure.cli.options import option
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched
from howsure.cli.share_options import by_class, numbers_of, shares_of
from howsure.cli.terminal import say
from howsure.cli.weights_and_costs import CostOption, costs_of
from howsure.errors import InvalidArgument
from howsure.laws.draw_settings import SEED

if TYPE_CHECKING:
    from howsure.data.confusion import ConfusionMatrix

__all__ = ["threshold_command"]


@flat
def threshold_command(
    *,
    file: Annotated[str, typer.Argument(metavar="FILE", help="y_true,score: a row a case; - for standard input.")],
    metric: Annotated[str | None, option("metric", "threshold")] = None,
    cost: CostOption = None,
    net_benefit: Annotated[bool, option("net-benefit")] = False,
    curve: Annotated[bool, option("curve")] = False,
    points: Annotated[bool, option("points")] = False,
    at: Annotated[str | None, option("at")] = None,
    true: TrueOption = None,
    score: ScoreOption = None,
    positive: PositiveOption = None,
    labels: LabelsOption = None,
    prevalence: PrevalenceOption = None,
    cases: CasesOption = None,
    prior: PriorOption = None,
    draws: DrawsOption = None,
    seed: SeedOption = SEED,
    ends: Ends,
    form: FileForm,
) -> None:
    """From which score on to call a case positive: the best threshold, and what it is worth on new cases.

    With --curve or --at a metric against the threshold; with --points the matrix and its metrics; with --net-benefit a
    decision curve. A case is predicted positive from the threshold on. A page (-o page.html) has a threshold to move.
    """
    from howsure.curves.chosen_threshold import best_threshold
    from howsure.curves.decision_curve import net_benefit as benefit_of
    from howsure.curves.metric_curve import threshold_curve
    from howsure.curves.operating_points import operating_points
    from howsure.io.score_files import read_scores
    from howsure.metrics import expected_cost

    form.spare(file)
    several = (
        ("--metric", metric),
        ("--cost", cost),
        ("--net-benefit", net_benefit),
        ("--points", points),
    )
    asked = [name for name, given in several if given]
    if len(asked) > 1:
        raise InvalidArgument(f"{' and '.join(asked)} exclude each other; choose one")
    if (net_benefit or points) and curve:
        raise InvalidArgument(f"{asked[0]} is a curve already; leave --curve out")
    scores = read_scores(file, y_true=true, score=score, positive=positive, labels=label_names(labels), group=False)
    given: dict[str, Any] = {"prior": prior, "seed": seed, **vars(ends)}
    if draws is not None:
        given["draws"] = draws
    if prevalence is not None or cases is not None or cost is not None:
        table = scores.confusion_at(0.0)
        given |= _where(prevalence, cases, table)
    cuts = None if at is None else numbers_of(at, "--at", "0.2,0.5")
    if net_benefit:
        form.show(watched("answering")(benefit_of)(scores, cuts, **given))
        return
    if points:
        form.show(watched("answering")(operating_points)(scores, cuts, **given))
        return
    costs = None if cost is None else costs_of(cost, table)
    if curve or cuts is not None:
        shown = metric or ("balanced_accuracy" if costs is None else expected_cost(costs))
        form.show(watched("answering")(threshold_curve)(scores, shown, cuts, **given))
        return
    form.show(watched("answering")(best_threshold)(scores, metric, cost=costs, **given))


def _where(prevalence: str | None, cases: str | None, table: ConfusionMatrix) -> dict[str, Any]:
    """The prevalence as the library takes it."""
    if prevalence is not None and cases is not None:
        raise InvalidArgument("--prevalence and --cases exclude each other; choose one")
    if prevalence is not None:
        shares = shares_of(prevalence, table, "--prevalence")
        for note in shares.notes:
            say(as_options(note), error=True)
        return {"prevalence": shares.of}
    if cases is not None:
        return {"cases": by_class(cases, table.labels, "--cases", "counts", 490)}
    return {}
