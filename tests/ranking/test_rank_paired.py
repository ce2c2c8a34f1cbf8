"""Ranks of classifiers that answered the same cases: two routes, identical columns, who is refused."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.metrics import parse
from howsure.posterior.paired import PairedPosterior
from howsure.questions import contest
from howsure.questions.contest import JointRates

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")


def field(cases: int = 300, classes: int = 3, models: int = 4, seed: int = 0, **twins: str) -> hs.Predictions:
    """Classifiers of growing skill that often err on the same cases; ``copy="A"`` adds one with the answers of A."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, cases)
    hard = rng.random(cases) < 0.3
    answers = {}
    for i, name in enumerate("ABCDEFGHIJ"[:models]):
        right = rng.random(cases) < np.where(hard, 0.4 + 0.02 * i, 0.93)
        answers[name] = np.where(right, truth, (truth + rng.integers(1, classes, cases)) % classes)
    answers |= {name: answers[twin] for name, twin in twins.items()}
    return hs.Predictions(truth, answers, labels=range(classes))


@pytest.mark.full
@pytest.mark.parametrize("metric", ["accuracy", "recall@1", "mcc"])
def test_a_paired_ranking_agrees_with_its_pairs_and_margins(metric: str) -> None:
    data = field()
    made = hs.rank(data, metric=metric, prior="flat", entries="independent")
    assert made.paired
    assert made.prior == "paired flat"
    assert np.allclose(made.probabilities.sum(0), 1)
    assert np.allclose(made.probabilities.sum(1), 1)
    assert np.allclose(made.above + made.above.T, 1)
    close = 5 * 0.5 / np.sqrt(20_000)
    for i, one in enumerate(made.entries):
        alone = hs.infer(data.confusion(one.name), "flat").of(metric)
        assert one.mean == pytest.approx(alone.mean, abs=1e-9 if alone.route == "exact" else 0.01)
        # expected ranks from exact pairs, and from the counted ranks
        assert one.expected_rank == pytest.approx(made.probabilities[i] @ np.arange(1, 5), abs=4 * close)
        for j, other in enumerate(made.entries[:i]):
            pair = hs.compare(data, other.name, one.name, metric=metric, prior="flat")
            assert made.above[j, i] == pytest.approx(
                pair.p_better, abs=1e-9 if pair.difference.route == "exact" else close
            )


@pytest.mark.full
@pytest.mark.parametrize("metric", ["accuracy", "recall@2"])
def test_patterns_and_whole_tables_draw_the_same_law(metric: str) -> None:
    """Right-or-wrong patterns against the draws of whole tables (accuracy there at the prevalence of the draw)."""
    data = field()
    joint = PairedPosterior(data, prior="flat")
    measure = parse(metric, data.labels)
    rates = JointRates.of(joint, measure)
    assert rates is not None
    fast, slow = rates.draws(20_000, 3), np.array(joint.drawn([measure], 20_000, 4, 0)[0])
    for i, name in enumerate(joint.names):
        law = hs.infer(data.confusion(name), "flat").of(metric)
        grid = np.asarray(law.quantile(np.linspace(0.02, 0.98, 40)))
        empirical = (fast[i][:, None] <= grid).mean(0)
        assert np.abs(empirical - law.cdf(grid)).max() < 1.95 / np.sqrt(20_000)
    gaps, whole = fast[:-1] - fast[1:], slow[:-1] - slow[1:]
    assert gaps.std(1) == pytest.approx(whole.std(1), rel=0.04)
    assert gaps.mean(1) == pytest.approx(whole.mean(1), abs=0.002)


@pytest.mark.full
@pytest.mark.parametrize("metric", ["accuracy", "f1@macro"])
def test_identical_columns_share_ranks_exactly(metric: str) -> None:
    data = field(60, models=3, twin="A", triplet="A")
    made = hs.rank(data, metric=metric, draws=2000)
    rows = [i for i, x in enumerate(made.entries) if x.name in ("A", "twin", "triplet")]
    assert len({tuple(made.probabilities[i]) for i in rows}) == 1
    assert made.above[np.ix_(rows, rows)].tolist() == [[0.5] * 3] * 3
    assert len({made.entries[i].tier for i in rows}) == 1
    assert np.allclose(made.probabilities.sum(0), 1)
    alone = hs.rank(hs.Predictions([0, 0, 1, 1], {"x": [0, 1, 1, 1], "y": [0, 1, 1, 1]}), metric=metric)
    assert alone.probabilities.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert sorted(alone.leaders) == ["x", "y"]


def test_members_of_one_pairing_stay_paired() -> None:
    joint = PairedPosterior(field())
    some = hs.rank({"one": joint["A"], "two": joint["C"]})
    assert some.paired
    assert {x.name for x in some.entries} == {"one", "two"}
    twice = hs.rank({"one": joint["A"], "two": joint["A"]})
    assert not twice.paired
    assert twice.probabilities.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    with pytest.raises(InvalidArgument, match="uses one prior"):
        hs.rank({"a": hs.infer(field().confusion("A")), "b": hs.infer(field().confusion("B"), "jeffreys")})


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: hs.rank(field(models=1)), "two classifiers or more"),
        (lambda: hs.rank({"a": hs.infer(field().confusion("A"))}, prior="flat"), "posteriors have their prior"),
        (lambda: hs.rank(field(), draws=3), "draws is"),
    ],
)
def test_hostile_input_gets_a_sentence(make: object, sentence: str) -> None:
    with pytest.raises(hs.HowsureError, match=sentence):
        make()  # type: ignore[operator]


def test_who_errs_as_often_on_other_cases_has_no_win() -> None:
    truth = np.zeros(40, dtype=int)
    first, second, third = truth.copy(), truth.copy(), truth.copy()
    first[:5], second[5:10], third[:9] = 1, 1, 1
    data = hs.Predictions(truth, {"a": first, "b": second, "c": third}, labels=range(2))
    made = hs.rank(data, metric="accuracy", entries="independent")
    assert [one.wins for one in made.entries] == [1, 1, 0]


def test_a_pair_that_may_be_equal_shares_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A law of the difference with an atom at 0: half of it is for each."""
    law = SimpleNamespace(prob=lambda above=None, below=None: 0.3 if above is not None else 0.5)
    monkeypatch.setattr(contest, "pair_law", lambda *_: law)
    joint, rates = SimpleNamespace(names=("a", "b")), SimpleNamespace(exceedance=lambda: None)
    above = contest._exact_pairs(joint, rates, None)  # type: ignore[arg-type]
    assert above is not None
    assert above.ravel() == pytest.approx([0.5, 0.4, 0.6, 0.5])
