"""Boards whose entries are a sample from a population learned from the board, as a user meets them."""

from __future__ import annotations

import json

import numpy as np
import pytest

import howsure as hs
from howsure.cli import main
from howsure.errors import InvalidArgument
from howsure.io.formats.board import read_board
from howsure.posterior.accuracy import AccuracyPosterior

KAGGLE = "examples/kaggle_recursion.csv"
PRIZES = [10_000, 2_000, 1_000]


def accuracies(*counts: tuple[int, int], prior: str = "flat") -> dict[str, AccuracyPosterior]:
    return {f"m{i}": hs.Posterior.from_accuracy(correct=k, n=n, prior=prior) for i, (k, n) in enumerate(counts)}


def kaggle() -> dict[str, AccuracyPosterior]:
    return {x.name: hs.Posterior.from_accuracy(correct=x.correct, n=x.n) for x in read_board(KAGGLE).standings}


def test_a_board_of_a_competition_in_both_ways() -> None:
    learned, alone = (hs.rank(kaggle(), prizes=PRIZES, entries=how) for how in (None, "independent"))
    prizes = [9255.99, 2494.95, 996.86, 146.93, 103.17]
    assert [x.p_best for x in learned.entries][:3] == pytest.approx([0.9077, 0.0863, 0.0058], abs=2e-3)
    assert [x.expected_prize for x in learned.entries][:5] == pytest.approx(prizes, abs=0.05)
    first = learned.entries[0]
    assert first.mean == pytest.approx(0.99734, abs=1e-5)
    central = hs.rank(kaggle(), kind="central").entries[0]
    assert (central.low, central.high) == pytest.approx((0.99644, 0.99811), abs=2e-5)
    assert [x.p_best_flat for x in learned.entries] == pytest.approx([x.p_best for x in alone.entries], abs=1e-9)
    assert alone.entries[0].p_best == pytest.approx(0.9311, abs=1e-4)
    published = [9445.70, 2350.78, 986.35, 128.26, 87.70]
    assert [x.expected_prize for x in alone.entries][:5] == pytest.approx(published, abs=0.01)
    assert learned.population is not None
    assert (learned.population.mean, learned.population.sd) == pytest.approx((0.99438, 0.00172), abs=1e-5)
    assert alone.population is None
    assert alone.route == "exact"
    assert (learned.route, learned.error) == ("approximate", 0.005)
    assert learned.sentence == "3467175 comes first and is the best with probability 0.91; the best is one of 2."


def test_from_three_entries_on_a_population_is_learned() -> None:
    assert hs.rank(accuracies((430, 500), (423, 500))).population is None
    assert hs.rank(accuracies((430, 500), (423, 500), (390, 500))).population is not None
    with pytest.raises(InvalidArgument, match="from three entries or more"):
        hs.rank(accuracies((430, 500), (423, 500)), entries="learned")
    with pytest.raises(InvalidArgument, match="entries"):
        hs.rank(accuracies((430, 500), (423, 500)), entries="pooled")  # type: ignore[arg-type]


def test_the_prior_of_a_classifier_is_taken_out() -> None:
    counts = (19, 20), (44, 50), (80, 100), (35, 60)
    made = [hs.rank(accuracies(*counts, prior=prior)) for prior in ("flat", "jeffreys", "haldane")]
    for other in made[1:]:
        assert other.probabilities == pytest.approx(made[0].probabilities, abs=1e-12)
        assert [x.mean for x in other.entries] == [x.mean for x in made[0].entries]
        assert [x.p_best_flat for x in other.entries] == [x.p_best_flat for x in made[0].entries]


@pytest.mark.parametrize("prior", ["flat", "jeffreys", "haldane"])
def test_rates_of_tables_are_the_counts_they_are_made_of(prior: str) -> None:
    cells = [[90, 10], [16, 84]], [[85, 15], [10, 90]], [[70, 30], [12, 88]]
    tables = {f"m{i}": hs.infer(hs.ConfusionMatrix(x, labels=["healthy", "ill"]), prior) for i, x in enumerate(cells)}
    asked = {
        "recall@ill": accuracies((84, 100), (90, 100), (88, 100)),
        "specificity": accuracies((90, 100), (85, 100), (70, 100)),
        "accuracy": accuracies((174, 200), (175, 200), (158, 200)),
    }
    for metric, board in asked.items():
        found, expected = hs.rank(tables, metric=metric), hs.rank(board)
        assert [x.name for x in found.entries] == [x.name for x in expected.entries]
        assert found.probabilities == pytest.approx(expected.probabilities, abs=1e-9)
        assert found.entries[0].mean == pytest.approx(expected.entries[0].mean, abs=1e-9)


def test_a_rate_of_errors_is_the_mirror_of_a_rate_of_right_answers() -> None:
    board = accuracies((30, 40), (170, 200), (45, 50), (880, 1000))
    up, down = hs.rank(board, metric="accuracy"), hs.rank(board, metric="error_rate")
    assert down.probabilities == pytest.approx(up.probabilities, abs=1e-12)
    assert [x.mean for x in down.entries] == pytest.approx([1 - x.mean for x in up.entries], abs=1e-12)
    assert [x.low for x in down.entries] == pytest.approx([1 - x.high for x in up.entries], abs=1e-9)
    assert up.population is not None
    assert down.population is not None
    assert down.population.mean == pytest.approx(1 - up.population.mean, abs=1e-12)


def test_with_unlike_sizes_the_order_is_not_that_of_the_scores() -> None:
    made = hs.rank(accuracies((45, 50), (880, 1000), (170, 200), (30, 40), (1700, 2000)))
    assert [x.name for x in made.entries][:2] == ["m1", "m0"]
    assert made["m1"].p_best == pytest.approx(0.533, abs=2e-3)
    assert made["m0"].p_best_flat == pytest.approx(0.575, abs=1e-3)


def test_the_first_is_drawn_back_by_its_own_law() -> None:
    made = hs.rank(kaggle())
    first, winner = made.entries[0], made.winner
    assert winner is not None
    assert (winner.name, winner.corrected, winner.low, winner.high) == (first.name, first.mean, first.low, first.high)
    assert winner.mean > winner.corrected
    assert any(line.startswith("Luck of the first is allowed for") for line in made.remarks)


def test_a_new_test_set_shares_the_population() -> None:
    counts = [(k, 500) for k in (436, 424, 418, 415, 424)]
    small, large = (hs.rank(accuracies(*counts), new_test=n) for n in (100, 10**8))
    assert small.again is not None
    assert large.again is not None
    assert np.abs(large.again - large.probabilities).max() < 0.02
    assert small.again[0, 0] < large.again[0, 0]
    assert np.abs(small.again.sum(0) - 1).max() < 1e-9
    assert (small.again[1] == small.again[2]).all() or small.entries[1].mean != small.entries[2].mean


def test_what_is_said_of_close_boards_and_of_clear_ones() -> None:
    close = hs.rank(accuracies(*((k, 500) for k in (424, 429, 415, 436, 429, 418, 434, 416, 417, 421, 435, 417))))
    assert close.sentence.startswith("These 12 entries cannot be separated: the best is one of ")
    clear = hs.rank(accuracies((9000, 10_000), (5000, 10_000), (4000, 10_000)))
    assert clear.sentence == "m0 leads alone: it is the best with probability > 0.99."
    groups = hs.rank(accuracies(*((k, 2000) for k in (1765, 1758, 1771, 1602, 1611, 1595))))
    assert any("are not one group: about 3 of 6" in line for line in groups.remarks)
    halves = hs.rank(accuracies(*((k, 2000) for k in (1765, 1766, 1764, 1767, 1602))))
    assert halves.sentence.startswith("4 of these 5 entries cannot be separated: the best is one of them; the first, ")


def test_every_face_of_a_learned_board(capsys: pytest.CaptureFixture[str]) -> None:
    made = hs.rank(kaggle(), prizes=PRIZES)
    data = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    assert (data["law"], data["error"]) == ("approximate", 0.005)
    assert set(data["population"]) == {"mean", "sd", "second", "sampling_error"}
    assert data["entries"][0]["p_best_flat"] == pytest.approx(0.9311, abs=1e-4)
    assert "entries learned, approximate (within 0.005)" in str(made)
    assert "Numbers of an entry depend on the others on the board." in str(made)
    assert "alone" in str(made).splitlines()[3].split()
    assert main(["rank", KAGGLE, "--entries", "independent", "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert alone["population"] is None
    assert alone["entries"][0]["p_best"] == pytest.approx(0.9311, abs=1e-4)
    assert main(["rank", KAGGLE, "--entries", "independent"]) == 0
    assert "each judged alone, prior flat, exact" in capsys.readouterr().out


def test_more_cases_than_the_evidence_can_hold_are_judged_alone() -> None:
    made = hs.rank(accuracies(*((9 * 10**14 + d, 10**15) for d in (0, 9 * 10**6, 2 * 10**7))))
    assert made.population is None
    assert "each judged alone" in str(made)


def test_unlike_sizes_are_told_a_larger_error() -> None:
    sizes = {"alike": (1000, 100, 100, 20), "unlike": (10_000, 100, 100, 100), "untested": (100, 100, 0, 100)}
    for name, n in sizes.items():
        board = {str(i): hs.Posterior.from_accuracy(correct=9 * each // 10, n=each) for i, each in enumerate(n)}
        assert hs.rank(board).error == (0.02 if name == "unlike" else 0.005)
