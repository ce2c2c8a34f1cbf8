"""How many more battles, what the next ones show, and several sites: by the numbers of another route."""

from __future__ import annotations

import json

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation
from howsure.knowledge.protocol import Of
from howsure.numerics.sites import normal_sites
from howsure.numerics.votes import BattleFit, Battles
from howsure.planning.plan import units_needed
from howsure.questions.estimates import pool
from howsure.questions.predict import predict_known


def board(times: int = 1) -> hs.Votes:
    """Four models, forty battles of each pair, a tenth tied."""
    wins = np.array([[0, 24, 26, 30], [12, 0, 22, 24], [10, 14, 0, 20], [6, 12, 16, 0]]) * times
    ties = np.triu(np.full((4, 4), 4 * times), 1)
    return hs.Votes(("a", "b", "c", "d"), np.triu(wins, 1), np.tril(wins, -1).T, ties)


def two(ahead: int) -> hs.Votes:
    """Two models, one of them ahead."""
    return hs.Votes(("a", "b"), [[0, 20 + ahead], [0, 0]], [[0, 20 - ahead], [0, 0]], np.zeros((2, 2)))


def test_further_battles_narrow_an_interval_as_planned() -> None:
    votes = board()
    now = votes.law(Of("elo", "a"), votes.ask())
    made = units_needed(votes, {"width": 60.0}, a="a")
    assert made.more
    times = 1 + made.n / votes.battles
    assert 2 * 1.96 * now.sd / 60 == pytest.approx(times**0.5, rel=0.1)
    assert units_needed(votes, {"width": 1_000.0}, a="a").n == 0
    assert units_needed(votes, {"difference": 60.0}).n == pytest.approx(
        units_needed(votes, {"difference": 60.0}, a="a", b="b").n, rel=0.1
    )
    with pytest.raises(InvalidArgument, match="name the two that are compared"):
        units_needed(votes, {"margin": 10.0}, a="a", b="a")


@pytest.mark.full
def test_a_planned_difference_is_told_as_often_as_said() -> None:
    votes, rng, gap = board(), np.random.default_rng(3), 60.0
    made = units_needed(votes, {"difference": gap}, assurance=0.8)
    met = votes.counts.met * (1 + made.n / votes.battles)
    theta = np.array([0.5, -0.5, 0, 0]) * gap / 400 * np.log(10)
    told = 0
    for _ in range(60):
        wins = np.zeros((4, 4))
        for i in range(4):
            for j in range(i + 1, 4):
                rate = 1 / (1 + np.exp(theta[j] - theta[i]))
                wins[i, j] = rng.binomial(round(met[i, j]), rate)
                wins[j, i] = round(met[i, j]) - wins[i, j]
        drawn, _ = BattleFit.of(Battles(wins, 0 * wins)).draws(2_000, rng)
        told += (drawn[:, 0] > drawn[:, 1]).mean() >= 0.95
    assert told / 60 == pytest.approx(0.8, abs=0.2)  # nearly four standard errors


def test_the_top_is_settled_sooner_the_further_it_is_ahead() -> None:
    close, far = (units_needed(two(ahead), {"top": 0.0}, assurance=0.7) for ahead in (3, 5))
    assert 0 < far.n < close.n
    assert (close.chance, close.aim, close.names) == (0.7, "top", ())
    assert close.error == pytest.approx((0.7 * 0.3 / 200) ** 0.5)
    assert "simulated, ± 0.03" in str(close)
    assert close.n == units_needed(two(3), {"top": 0.0}, assurance=0.7).n
    many, few = (two(3).fit.leaders(times, 100, np.random.default_rng(1)).mean() for times in (30.0, 0.2))
    assert many > few
    with pytest.raises(NoInformation, match="the first may be too close: probability that the top is settled by 10 m"):
        units_needed(two(0), {"top": 0.0}, assurance=0.99)


def test_a_top_that_is_settled_needs_no_more_battles() -> None:
    made = units_needed(two(19), {"top": 0.0})
    assert (made.n, made.names, made.settled) == (0, ("a",), True)
    ahead = two(19).draws([Of("elo", "a"), Of("elo", "b")], 4_000, np.random.default_rng(1))
    assert (ahead[:, 0] > ahead[:, 1]).mean() >= made.level
    assert "The top is settled: a is the best" in made.sentence
    assert "no wider than 1000" in units_needed(board(), {"width": 1_000.0}, a="a").sentence


def test_a_difference_that_stays_is_told_by_the_mean_that_moves() -> None:
    votes = board()
    made = units_needed(votes, {"difference": 0.0}, a="a", b="d", assurance=0.9)
    assert made.more
    assert units_needed(votes, {"difference": 0.0}, a="b", b="c", assurance=0.5).n > made.n
    with pytest.raises(NoInformation, match="no number of battles shows it"):
        units_needed(votes, {"difference": 0.0}, a="d", b="a")


def test_the_next_battles_show_a_win_rate_and_no_elo() -> None:
    votes = board()
    made = predict_known(votes, 40, ask=votes.ask(draws=4_000))
    assert made.metric == "win_rate"
    assert made.rows[0].law.mean == pytest.approx(votes.observed(Of("win_rate", "a")), abs=0.03)
    beside = predict_known(votes, 4_000, ask=votes.ask(draws=4_000)).rows[0].law.sd
    assert made.rows[0].law.sd > 1.5 * beside
    rival = predict_known(votes, 40, "win_rate@d", names=["a"], ask=votes.ask(draws=4_000))
    assert rival.rows[0].law.mean > made.rows[0].law.mean
    for metric, names in (("elo", ["a"]), ("win_rate@a", ["a"])):
        with pytest.raises(InvalidArgument, match="shows a win rate, and no Elo"):
            predict_known(votes, 40, metric, names=names)


def test_new_items_show_agreement() -> None:
    ratings = hs.Ratings.from_table([[1, 1, 1], [2, 2, 1], [2, 2, 2], [1, 2, 1]] * 10)
    now = ratings.law(Of("percent_agreement", "all raters"), ratings.ask(draws=4_000))
    made = hs.predict(ratings, 40, "percent_agreement", draws=4_000)
    assert made.rows[0].law.sd == pytest.approx(now.sd * 2**0.5, rel=0.1)
    assert hs.plan("percent_agreement", pilot=ratings, width=0.1).n > 40


def test_one_verb_for_every_kind() -> None:
    posterior = hs.infer(hs.ConfusionMatrix.from_counts(tp=30, fn=5, fp=6, tn=40))
    assert hs.predict(posterior, 50).to_dict() == posterior.predict(50).to_dict()
    assert (
        hs.plan("elo", pilot=board(), difference=60.0, assurance=0.8).n == units_needed(board(), {"difference": 60.0}).n
    )
    with pytest.raises(InvalidArgument, match="leave guess=, n= out"):
        hs.plan("elo", pilot=board(), difference=60.0, guess=0.5, n=3)
    with pytest.raises(InvalidArgument, match="one goal is planned for"):
        hs.plan("elo", pilot=board(), difference=60.0, width=3.0)
    with pytest.raises(InvalidArgument, match="a posterior predicts its usual metrics"):
        hs.predict(posterior, 50, "accuracy")
    with pytest.raises(InvalidArgument, match="slices are Slices, Items in groups"):
        hs.slices({"x": 3})  # type: ignore[dict-item]


def test_sites_of_items_are_pooled_as_far_as_they_are_alike() -> None:
    rng = np.random.default_rng(2)
    sizes = {"Oslo": 60, "Bergen": 40, "Narvik": 7, "Bodø": 3}
    scores = {name: np.clip(0.6 + 0.1 * rng.normal() + rng.normal(0, 0.15, n), 0, 1) for name, n in sizes.items()}
    sites = {name: hs.Items.from_columns(range(len(x)), x, range=(0, 1)) for name, x in scores.items()}
    made = pool(sites)
    assert [row.why_not is None for row in made.sites] == [True, True, True, False]
    narvik = made.sites[2]
    assert narvik.law is not None
    assert narvik.alone is not None
    assert narvik.law.sd < narvik.alone.sd
    assert abs(narvik.law.mean - made.typical.mean) < abs(narvik.alone.mean - made.typical.mean) + 0.01
    assert made.new.sd > made.typical.sd
    assert "Fewer than 8 items: Narvik." in made.notes
    assert json.dumps(made.to_dict())
    assert hs.pool(sites).to_dict() == made.to_dict()
    together = hs.Items.from_columns(
        range(110), np.concatenate([*scores.values()]), range=(0, 1), group=np.repeat([*sizes], [*sizes.values()])
    )
    assert hs.pool(together).typical.mean == pytest.approx(made.typical.mean, abs=0.02)
    with pytest.raises(InvalidArgument, match="two sites or more"):
        pool({"Oslo": sites["Oslo"]})
    with pytest.raises(NoInformation, match="fewer than two sites have an interval"):
        pool({name: sites[name] for name in ("Oslo", "Bodø")})


def test_draws_of_sites_agree_with_a_grid() -> None:
    means, sds, sizes = np.array([0.2, 0.5, 0.6, 0.4]), np.array([0.1, 0.05, 0.2, 0.1]), np.array([20.0, 80, 10, 20])
    found = normal_sites(means, sds, sizes, 40_000, np.random.default_rng(5))
    unit = float(np.median(sds * np.sqrt(sizes)))
    mu, tau = np.linspace(-2, 3, 1_001), np.linspace(1e-3, 2, 1_000)
    variance = sds**2 + tau[:, None, None] ** 2
    log = (-0.5 * np.log(variance) - 0.5 * (means - mu[None, :, None]) ** 2 / variance).sum(-1)
    chance = np.exp(log - log.max()) * np.exp(-0.5 * (tau / (0.5 * unit)) ** 2)[:, None]
    chance /= chance.sum()
    assert found.typical.mean() == pytest.approx(float(chance.sum(0) @ mu), abs=0.01)
    assert found.spread.mean() == pytest.approx(float(chance.sum(1) @ tau), rel=0.05)
