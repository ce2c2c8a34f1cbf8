"""Posteriors about a new case from a new group, and new tests of new groups."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation
from howsure.numerics.groups.population_mean import PopulationMean
from howsure.posterior.posterior import Posterior

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")


def patients(
    groups: int, size: int, recalls: tuple[float, ...], icc: float, seed: int = 0, *, mixed: bool = False
) -> hs.ConfusionMatrix:
    """Each group of one class in turn, or of all."""
    rng = np.random.default_rng([seed, groups, size])
    true, pred, group = [], [], []
    many = len(recalls)
    for g in range(groups):
        for c in range(many) if mixed else (g % many,):
            mu = recalls[c]
            rate = mu if icc == 0 else rng.beta(mu * (1 / icc - 1), (1 - mu) * (1 / icc - 1))
            right = rng.random(size) < rate
            true += [c] * size
            pred += np.where(right, c, (c + 1) % many).tolist()
            group += [f"g{g}"] * size
    return hs.ConfusionMatrix.from_predictions(true, pred, labels=range(many), group=group)


MADE = patients(20, 12, (0.8, 0.9), 0.15)


def test_the_laws_are_those_of_the_population() -> None:
    groups = MADE.groups
    assert groups is not None
    new = hs.infer(MADE)
    coin = (2 / 3, 2 / 3)
    whole = PopulationMean(groups.correct, groups.cases, coin).law
    both = [PopulationMean(*groups.tally(i), coin).law for i in range(2)]
    assert new.of("accuracy").mean == pytest.approx(whole.mean)
    assert new.of("error_rate").mean == pytest.approx(1 - whole.mean)
    assert new.of("recall@1").sd == pytest.approx(both[1].sd)
    assert new.of("specificity@1").mean == pytest.approx(both[0].mean)
    assert new.of("balanced_accuracy").mean == pytest.approx((both[0].mean + both[1].mean) / 2)
    assert new.of("balanced_accuracy").sd == pytest.approx(np.hypot(both[0].sd, both[1].sd) / 2)
    assert new.at_prevalence([0.9, 0.1]).of("accuracy").mean == pytest.approx(0.9 * both[0].mean + 0.1 * both[1].mean)


def test_the_prior_is_that_of_the_mean() -> None:
    groups = MADE.groups
    assert groups is not None
    jeffreys = hs.infer(MADE, "jeffreys")
    assert jeffreys.of("recall@0").mean == pytest.approx(PopulationMean(*groups.tally(0), (0.5, 0.5)).law.mean)
    assert hs.infer(MADE).under("jeffreys").of("recall@0").mean == jeffreys.of("recall@0").mean
    with pytest.raises(NoInformation, match="adds no case"):
        hs.infer(MADE, "haldane").of("accuracy")


def test_drawn_tables_have_the_recalls_of_the_laws() -> None:
    new = hs.infer(MADE)
    tables = new.draw(20_000)
    assert tables.sum(axis=(1, 2)) == pytest.approx(1)
    recalls = tables.diagonal(axis1=1, axis2=2) / tables.sum(axis=2)
    for i in range(2):
        law = new.of(f"recall@{i}")
        assert recalls[:, i].mean() == pytest.approx(law.mean, abs=0.1 * law.sd)
        assert recalls[:, i].std() == pytest.approx(law.sd, rel=0.02)
    f1, balanced = new.of("f1@1"), new.of("balanced_accuracy")
    assert f1.route == "simulated"
    assert f1.sd > balanced.sd / 2
    assert new.of("f1@1").mean == f1.mean  # the same call gives the same bytes


@pytest.mark.parametrize(
    ("made", "metric", "said"),
    [
        (patients(4, 9, (0.8, 0.9), 0.1), "accuracy", "the cases come from 4 groups, and below 5"),
        (patients(5, 9, (0.8, 0.9), 0.1), "recall@1", "cases of class '1' come from 2 groups, and below 3"),
        (patients(5, 9, (0.8, 0.9), 0.1), "f1@1", "groups='these' answers for new cases of the same groups"),
    ],
)
def test_too_few_groups_have_no_interval(made: hs.ConfusionMatrix, metric: str, said: str) -> None:
    new = hs.infer(made, groups="new")
    with pytest.raises(NoInformation, match=said):
        new.of(metric)
    assert hs.infer(made).of("accuracy").mean > 0


def posterior(groups: int = 20, size: int = 6) -> Posterior:
    rng = np.random.default_rng(3)
    place = np.repeat(np.arange(groups), size)
    truth = np.arange(len(place)) % 2
    right = rng.random(len(place)) < rng.beta(4, 1, groups)[place]
    return hs.infer(hs.ConfusionMatrix.from_predictions(truth, np.where(right, truth, 1 - truth), group=place))


def test_moments_are_those_of_the_beta_binomial() -> None:
    post, many, size = posterior(), 10, 6
    law = post.predict(groups=many).of("accuracy")
    groups = post.confusion.groups
    assert groups is not None
    population = PopulationMean(groups.correct, groups.cases)
    mu, rho = population.law, population.correlation.mean
    assert law.mean == pytest.approx(mu.mean, abs=0.005)
    within = (mu.mean * (1 - mu.mean) - mu.sd**2) * (1 + rho * (size - 1)) / (many * size)
    assert law.sd == pytest.approx(float(np.sqrt(mu.sd**2 + within)), rel=0.03)


def test_cases_of_new_groups_and_groups_of_cases_are_refused() -> None:
    post = posterior()
    with pytest.raises(InvalidArgument, match="counts cases"):
        post.predict(100)
    with pytest.raises(InvalidArgument, match="groups= counts new groups"):
        hs.infer(post.confusion, groups="these").predict(groups=10)
    for odd in (0, 2.5, True, "ten"):
        with pytest.raises(InvalidArgument, match="integer number of new groups"):
            post.predict(groups=odd)  # type: ignore[arg-type]
    assert hs.infer(post.confusion, groups="these").predict(100).n == 100
