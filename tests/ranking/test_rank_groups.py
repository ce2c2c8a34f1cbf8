"""Boards of cases in groups: ties, certainty, agreement with two other routes, the questions, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import howsure as hs
from howsure.cli import main
from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, NoInformation
from howsure.numerics.groups.group_bootstrap import paired_difference

GROUPS, SIZE = 20, 6


def board(
    lead: tuple[float, ...] = (0.05, 0.0, -0.05), groups: int = GROUPS, size: int = SIZE, seed: int = 0
) -> Predictions:
    """Classifiers that find the same groups hard."""
    rng = np.random.default_rng(seed)
    place = np.repeat(np.arange(groups), size)
    hard = rng.beta(4, 1, groups)[place]
    truth = np.arange(len(place)) % 2
    right = [rng.random(len(place)) < np.clip(hard + x, 0, 1) for x in lead]
    answers = {f"m{i}": np.where(hit, truth, 1 - truth) for i, hit in enumerate(right)}
    return Predictions(truth, answers, group=[f"g{i}" for i in place])


def alike(*columns: np.ndarray, groups: int = 10) -> Predictions:
    truth = np.zeros(len(columns[0]), dtype=int)
    truth[::2] = 1
    answers = {chr(97 + i): np.where(hit, truth, 1 - truth) for i, hit in enumerate(columns)}
    return Predictions(truth, answers, group=np.arange(len(truth)) % groups)


def test_two_that_answer_alike_tie_and_a_third_does_not_change_that() -> None:
    right = np.ones(60, dtype=bool)
    right[:7] = False
    two = hs.rank(alike(right, right), metric="accuracy")
    assert [x.p_best for x in two.entries] == [0.5, 0.5]
    worse = right.copy()
    worse[20:40] = False
    three = hs.rank(alike(right, right, worse), metric="accuracy", entries="independent")
    assert three["a"].p_best == pytest.approx(three["b"].p_best)
    assert three["a"].p_best > 0.4


def test_one_case_more_is_no_certainty() -> None:
    perfect, nearly = np.ones(60, dtype=bool), np.ones(60, dtype=bool)
    nearly[3] = False
    made = hs.rank(alike(perfect, nearly), metric="accuracy")
    assert 0.55 < made["a"].p_best < 0.9
    assert made["a"].mean < 1


def test_two_of_a_board_are_what_compare_says() -> None:
    data = board((0.1, 0.0))
    for metric in ("accuracy", "balanced_accuracy", "f1"):
        made, pair = hs.rank(data, metric=metric), hs.compare(data, "m0", "m1", metric=metric)
        assert made["m0"].p_best == pytest.approx(pair.p_better, abs=0.02), metric


def test_the_bootstrap_of_the_difference_is_the_other_route() -> None:
    data = board((0.1, 0.0, -0.1))
    made = hs.rank(data, metric="accuracy", entries="independent")
    place = [x.name for x in made.entries]
    group = np.unique(data.group, return_inverse=True)[1]
    n = np.bincount(group)
    for first, second in (("m0", "m1"), ("m1", "m2")):
        right = [np.bincount(group, data.answers(x) == data.truth) for x in (first, second)]
        drawn = paired_difference(right[0] - right[1], n, 20_000, np.random.default_rng(1))
        above = made.above[place.index(first), place.index(second)]
        assert above == pytest.approx(float((drawn > 0).mean()), abs=0.03)


def test_groups_of_one_case_are_cases() -> None:
    data = board((0.08, 0.0, -0.08), groups=120, size=1)
    new, these = (hs.rank(data, metric="accuracy", entries="independent", groups=q) for q in ("new", "these"))
    for name in data.names:
        assert new[name].p_best == pytest.approx(these[name].p_best, abs=0.06)


def test_every_answer_says_which_question_and_what_cases_are_worth() -> None:
    data = board()
    new, these = hs.rank(data, metric="accuracy"), hs.rank(data, metric="accuracy", groups="these")
    assert new.groups is not None
    assert these.groups is not None
    assert (new.groups.question, these.groups.question) == ("new", "these")
    assert "about new groups" in str(new)
    assert "about these groups" in str(these)
    report = hs.report(hs.infer(data.confusion(new.entries[0].name)), ["accuracy"])
    assert report.groups is not None
    assert new.groups.worth == pytest.approx(report.groups.worth)
    told = json.loads(json.dumps(new.to_dict()))["groups"]
    assert told["groups"] == [GROUPS]
    assert told["cases"] == GROUPS * SIZE
    # what is hard for all drops out of ranks, but not of the intervals of each
    assert new.entries[0].high - new.entries[0].low > these.entries[0].high - these.entries[0].low


def test_the_number_of_groups_chooses_the_question() -> None:
    few = board(groups=7)
    made = hs.rank(few, metric="accuracy")
    assert made.groups is not None
    assert made.groups.question == "these"
    with pytest.raises(NoInformation, match="4 groups"):
        hs.rank(board(groups=4), metric="accuracy", groups="new")


def test_the_same_call_gives_the_same_numbers() -> None:
    one, two = (hs.rank(board(), metric="f1", draws=2_000) for _ in range(2))
    assert json.dumps(one.to_dict()) == json.dumps(two.to_dict())


def test_an_error_rate_ranks_the_other_way() -> None:
    data = board()
    right, wrong = (hs.rank(data, metric=m, entries="independent") for m in ("accuracy", "error_rate"))
    for name in data.names:
        assert right[name].p_best == pytest.approx(wrong[name].p_best, abs=1e-9)


def test_separate_test_sets_ask_one_question() -> None:
    data = board()
    new = {name: hs.infer(data.confusion(name)) for name in data.names}
    made = hs.rank(new, metric="accuracy")
    assert made.groups is not None
    assert made.groups.groups == (GROUPS,) * 3
    with pytest.raises(InvalidArgument, match="one ranking asks one question"):
        hs.rank({**new, "m1": hs.infer(data.confusion("m1"), groups="these")}, metric="accuracy")
    with pytest.raises(InvalidArgument, match="say groups= in infer"):
        hs.rank(new, metric="accuracy", groups="new")
    alone = hs.infer(hs.ConfusionMatrix(data.confusion("m1").counts))
    assert "without groups" in str(hs.rank({**new, "m1": alone}, metric="accuracy"))


def test_a_new_test_of_new_groups_is_refused() -> None:
    for entries in ("independent", "learned"):
        with pytest.raises(InvalidArgument, match="new_test= counts cases"):
            hs.rank(board(), metric="accuracy", entries=entries, new_test=100)
    these = hs.rank(board(), metric="accuracy", groups="these", new_test=100)
    assert these.again is not None


def test_groups_without_groups_are_refused() -> None:
    data = Predictions([0, 1] * 10, {"a": [0, 1] * 10, "b": [0] * 20})
    with pytest.raises(InvalidArgument, match="no group is known"):
        hs.rank(data, metric="accuracy", groups="new")


def test_the_command_reads_groups(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = board()
    path = tmp_path / "board.csv"
    for header, option in (("group", []), ("patient", ["--group", "patient"])):
        rows = [f"{header},y_true,pred_m0,pred_m1,pred_m2"]
        for i in range(data.n):
            answers = ",".join(data.labels[data.answers(name)[i]] for name in data.names)
            rows.append(f"{data.group[i]},{data.labels[data.truth[i]]},{answers}")  # type: ignore[index]
        path.write_text("\n".join(rows) + "\n")
        assert main(["rank", str(path), *option, "-m", "accuracy", "--json"]) == 0
        made = json.loads(capsys.readouterr().out)
        assert made["groups"]["question"] == "new"
        assert main(["rank", str(path), *option, "-m", "accuracy", "--groups", "these"]) == 0
        assert "about these groups" in capsys.readouterr().out
    assert main(["rank", str(path), "--groups", "new"]) == 2
    assert "--group" in capsys.readouterr().err
    path.write_text("name,correct,n\na,9,10\nb,7,10\n")
    assert main(["rank", str(path), "--group", "patient"]) == 2
    assert "this is a leaderboard" in capsys.readouterr().err


@pytest.mark.deep
def test_equal_classifiers_are_seldom_called_the_best() -> None:
    """Four equally good ones, 60 boards: P(best) of at least 0.95 in some, judged alone and learned."""
    sure = np.zeros(2)
    for seed in range(60):
        data = board((0.0,) * 4, groups=12, seed=seed)
        for i, entries in enumerate(("independent", "learned")):
            made = hs.rank(data, metric="accuracy", entries=entries, draws=2_000)  # type: ignore[arg-type]
            sure[i] += made.entries[0].p_best >= 0.95
    assert sure[0] <= 9
    assert sure[1] <= 2
