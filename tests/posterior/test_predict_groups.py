"""A new test of new groups: its moments by the beta-binomial, wider than further cases, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.numerics.groups.population_mean import PopulationMean
from howsure.posterior.posterior import Posterior


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


def test_recalls_are_wider_than_what_is_true_and_narrower_with_more_groups() -> None:
    post = posterior()
    few, lots = post.predict(groups=5), post.predict(groups=2_000, draws=2_000)
    for metric in ("recall@1", "balanced_accuracy", "f1"):
        true = post.of(metric)
        assert few.of(metric).sd > 1.2 * true.sd
        assert lots.of(metric).sd == pytest.approx(true.sd, rel=0.15)
        assert few.of(metric).mean == pytest.approx(true.mean, abs=0.03)


def test_as_many_groups_as_there_were_and_its_words() -> None:
    made = posterior().predict()
    assert "In a new test of 20 groups, about 120 cases" in str(made)
    assert json.loads(json.dumps(made.to_dict()))["n"] == 120
    again = posterior().predict()
    assert made.of("accuracy").mean == again.of("accuracy").mean


def test_cases_of_new_groups_and_groups_of_cases_are_refused() -> None:
    post = posterior()
    with pytest.raises(InvalidArgument, match="counts cases"):
        post.predict(100)
    with pytest.raises(InvalidArgument, match="groups= counts new groups"):
        hs.infer(post.confusion, groups="these").predict(groups=10)
    for odd in (0, 2.5, True, "ten"):
        with pytest.raises(InvalidArgument, match="whole number of new groups"):
            post.predict(groups=odd)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="a test of new groups"):
        post.predict().repeats("accuracy", above=0.7)
    assert hs.infer(post.confusion, groups="these").predict(100).n == 100
