"""Classes that are unlike the rest are named, judged by their own cases, and rarely named for nothing."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs


def table(right: list[int], cases: int) -> hs.ConfusionMatrix:
    """Errors go to the next class."""
    size = len(right)
    counts = np.zeros((size, size), dtype=int)
    for i, k in enumerate(right):
        counts[i, i], counts[i, (i + 1) % size] = k, cases - k
    return hs.ConfusionMatrix(counts, [f"c{i}" for i in range(size)])


def about_the_odd(report: hs.Report) -> list[str]:
    return [note for note in report.notes if "from the others (" in note]


def test_a_dead_class_is_judged_by_its_own_cases_and_named() -> None:
    made = hs.report(hs.infer(table([0] + [19] * 99, 20)), ["recall@c0", "recall@c1", "balanced_accuracy"])
    dead, healthy = made["recall@c0"], made["recall@c1"]
    assert (round(dead.mean or 1, 2), round(dead.low or 0, 2), round(dead.high or 1, 2)) == (0.02, 0.0, 0.09)
    assert healthy.mean == pytest.approx(0.949, abs=2e-3)
    assert about_the_odd(made) == [
        "class 'c0' stands out from the others (0 of 20 right, a typical other one has 0.95): its recall is below "
        "0.85, "
        "where none of them is expected, with probability >0.99. A wrong label mapping looks like this."
    ]


def test_of_many_odd_classes_three_are_told() -> None:
    made = hs.report(hs.infer(table([0] * 6 + [19] * 60, 20)), ["recall@c0"])
    notes = about_the_odd(made)
    assert len(notes) == 3
    assert "And 3 more classes stand out from the others (c3, c4, c5)." in notes[-1]


@pytest.mark.full
@pytest.mark.parametrize(("others", "cases"), [(20, 20), (60, 60)])
def test_among_perfect_classes_a_broken_one_is_named(others: int, cases: int) -> None:
    """A population of such classes has the shape of a U, in which the broken one is no stranger."""
    right = [others] * 9
    for broken in (0, int(0.3 * cases)):
        made = hs.report(hs.infer(table([broken, *right], cases)), ["recall@c0"])
        (note,) = about_the_odd(made)
        assert f"class 'c0' stands out from the others ({broken} of {cases} right" in note


@pytest.mark.full
@pytest.mark.parametrize("prior", ["flat", "jeffreys"])
def test_other_priors_know_no_population(prior: str) -> None:
    made = hs.report(hs.infer(table([0] + [19] * 20, 20), prior))
    assert not about_the_odd(made)
    assert made.learned is None


@pytest.mark.full
def test_false_notes_are_rare() -> None:
    """None of 40 tables of unlike classes without an odd one (Beta(8, 2), 20 cases each) has more than one."""
    rng = np.random.default_rng(8)
    told = []
    for _ in range(40):
        right = rng.binomial(20, rng.beta(8, 2, 12)).tolist()
        told.append(len(about_the_odd(hs.report(hs.infer(table(right, 20), "learned"), ["balanced_accuracy"]))))
    assert sum(told) <= 3
