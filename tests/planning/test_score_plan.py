"""Cases for an area: against the posterior of simulated tests, Hanley and McNeil, and what is refused."""

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.planning.goal import Goal
from howsure.planning.score_worlds import PlannedAreas, World


@pytest.mark.deep
def test_the_planned_width_is_that_of_the_posterior():
    """Median over 30 simulated tests of the planned size: within 5 % of the curve's middle."""
    made = hs.plan("roc_auc", width=0.1, guess=0.85, prevalence=0.3)
    world, widths = World((0.85,)), []
    for run in range(30):
        positive, scores = world.test(
            made.per_class["positive"], made.per_class["negative"], np.random.default_rng(run)
        )
        law = hs.infer(hs.Scores(positive.astype(int), scores[0])).of("roc_auc", draws=2000)
        widths.append(law.interval().width)
    middle = next(p.middle for p in made.curve if p.n == made.n)
    assert np.median(widths) == pytest.approx(middle, rel=0.05)
    assert np.mean(np.array(widths) <= 0.1) >= 0.8


def test_pairs_need_as_many_cases_as_hanley_and_mcneil_say():
    """The variance of an area by their formula, at sizes that make both errors 5 % and 20 %."""
    made = hs.plan("roc_auc", difference=0.1, guess=0.75, assurance=0.8)

    def variance(area, m, n):
        q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
        return (area * (1 - area) + (m - 1) * (q1 - area**2) + (n - 1) * (q2 - area**2)) / (m * n)

    half = made.n // 2
    z = 0.1 / np.sqrt(variance(0.85, half, half) + variance(0.75, half, half))
    assert z == pytest.approx(1.645 + 0.842, rel=0.12)


def test_the_same_cases_need_fewer():
    apart = PlannedAreas(Goal("difference", 0.08, 0.95), World((0.83, 0.75)), 0.5, paired=False)
    paired = PlannedAreas(Goal("difference", 0.08, 0.95), World((0.83, 0.75), 0.8), 0.5)
    assert paired.assurance(200)[0] > apart.assurance(200)[0] + 0.1


def test_a_pilot_is_drawn_from_again():
    rng = np.random.default_rng(4)
    truth = np.arange(80) % 2
    base = rng.normal(size=80) + truth
    pilot = hs.Scores(truth, {"new": base, "old": base + rng.normal(size=80)})
    made = hs.plan("roc_auc", width=0.2, pilot=pilot.of("new"), n=120)
    assert made.total == 120
    assert made.per_class == {"positive": 60, "negative": 60}
    assert any("drawn from it" in words for words in made.supposed)
    assert hs.plan("roc_auc", difference=0.1, pilot=pilot, n=300).assurance > 0.5


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"width": 0.1}, "needs the area"),
        ({"width": 0.1, "guess": 1.2}, "between 0 and 1"),
        ({"width": 0.1, "guess": 0.8, "prevalence": 0}, "share of the positive class"),
        ({"width": 0.1, "guess": {"recall": 0.8}}, "roc_auc and prevalence"),
        ({"width": 0.1, "guess": 0.8, "paired": {"correlation": 0.5}}, "two classifiers"),
        ({"difference": 0.3, "guess": 0.8}, "below 1"),
        ({"difference": 0.1, "guess": 0.8, "paired": {"correlation": 2}}, "correlation"),
        ({"above": 0.9, "guess": 0.8}, "no number of cases"),
        ({"width": 0.1, "guess": 0.8, "prior": "flat"}, "leave prior= out"),
        ({"width": 0.1, "guess": 0.8, "n": 2}, "from 4"),
        ({"width": 0.1, "pilot": hs.ConfusionMatrix([[5, 1], [2, 7]])}, "is Scores of two classes"),
    ],
)
def test_what_cannot_be_planned_is_said(asked, said):
    with pytest.raises(InvalidArgument, match=said):
        hs.plan("roc_auc", **asked)


def test_other_metrics_do_not_take_a_prevalence():
    with pytest.raises(InvalidArgument, match="prevalence= is for roc_auc"):
        hs.plan("accuracy", width=0.1, guess=0.8, prevalence=0.2)
