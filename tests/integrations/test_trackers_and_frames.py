"""Results in other tools keep their numbers."""

from __future__ import annotations

import json
import posixpath
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.hostile import LABELS

import howsure as hs
from howsure.errors import InvalidArgument, InvalidCounts
from howsure.integrations import log_to, logged_metrics, tidy, to_arviz, to_frame

TWO = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
OLD = hs.infer(hs.ConfusionMatrix([[40, 10], [9, 41]], labels=["healthy", "ill"]))
REPORT = hs.report(TWO)
COMPARED = hs.compare(TWO, OLD, metric="accuracy", names=("new", "old"))
BOARD = hs.rank({"a": TWO, "b": OLD}, metric="accuracy")


@pytest.mark.parametrize("result", [REPORT, COMPARED, BOARD], ids=["report", "compare", "rank"])
def test_frames_of_both_libraries_hold_the_same_numbers(result: Any) -> None:
    rows = tidy(result)
    one, two = to_frame(result), to_frame(result, "polars")
    assert isinstance(one, pd.DataFrame)
    assert isinstance(two, pl.DataFrame)
    for name in ("mean", "low", "high"):
        assert one[name].tolist() == two[name].to_list() == [row[name] for row in rows]


class Mlflow:
    def __init__(self) -> None:
        self.metrics: dict[str, float] = {}
        self.texts: dict[str, str] = {}

    def log_metrics(self, metrics: dict[str, float]) -> None:
        self.metrics |= metrics

    def log_text(self, text: str, name: str) -> None:
        self.texts[name] = text


class Wandb:
    def __init__(self) -> None:
        self.logged: dict[str, Any] = {}

    def Html(self, text: str) -> tuple[str, str]:
        return "html", text

    def log(self, data: dict[str, Any]) -> None:
        self.logged |= data


def test_trackers_get_mean_ends_and_page() -> None:
    tracker = Mlflow()
    found = log_to(tracker, COMPARED, prefix="test/")
    assert tracker.metrics == found
    assert found["test/accuracy_p_better"] == COMPARED.p_better
    assert found["test/new/accuracy_lo"] == COMPARED.a.interval().low
    assert tracker.texts["report.html"].startswith("<!DOCTYPE html>")
    assert json.loads(tracker.texts["result.json"])["kind"] == "compare"
    other = Wandb()
    log_to(other, REPORT)
    assert other.logged["recall_ill"] == REPORT["recall@ill"].mean
    assert other.logged["report"][0] == "html"
    with pytest.raises(InvalidArgument, match="neither"):
        log_to(object(), REPORT)


def test_names_that_trackers_refuse_are_mended_and_stay_apart() -> None:
    board = hs.rank({label: hs.Posterior.from_accuracy(correct=70, n=100) for label in LABELS})
    found = logged_metrics(board)
    assert len(found) == 3 * len(LABELS)
    assert all(re.fullmatch(r"[\w./ -]+", name) for name in found)
    assert all(len(name) < 250 for name in found)
    assert all(posixpath.normpath(name) == name for name in found)
    dotted = hs.rank({label: hs.Posterior.from_accuracy(correct=70, n=100) for label in (".", "..", "a/../b", "a")})
    assert all(posixpath.normpath(name) == name for name in logged_metrics(dotted))


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """MLflow itself, logging to files in a folder."""
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow = pytest.importorskip("mlflow", reason="mlflow is not installed")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    name = mlflow.create_experiment("test", artifact_location=(tmp_path / "files").as_uri())
    mlflow.set_experiment(experiment_id=name)
    return mlflow


@pytest.mark.mlflow
@pytest.mark.parametrize("result", [REPORT, COMPARED, BOARD], ids=["report", "compare", "rank"])
def test_a_real_mlflow_store_has_the_numbers_the_page_and_the_data(store: Any, tmp_path: Path, result: Any) -> None:
    with store.start_run() as run:
        found = log_to(store, result)
    assert store.get_run(run.info.run_id).data.metrics == pytest.approx(found)
    (page,) = (tmp_path / "files").rglob("report.html")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    (data,) = (tmp_path / "files").rglob("result.json")
    assert json.loads(data.read_text(encoding="utf-8")) == json.loads(json.dumps(result.to_dict()))


@pytest.mark.mlflow
def test_a_real_mlflow_store_takes_hostile_names(store: Any) -> None:
    board = {label: hs.Posterior.from_accuracy(correct=70, n=100) for label in (*LABELS, ".", "..", "a/../b")}
    with store.start_run() as run:
        found = log_to(store, hs.rank(board), prefix="board/")
    assert store.get_run(run.info.run_id).data.metrics == pytest.approx(found)


@pytest.mark.full
def test_arviz_gets_four_chains_of_joint_draws() -> None:
    pytest.importorskip("xarray", reason="xarray is not installed")
    tree = to_arviz(TWO, ["recall", "mcc"], draws=8_000)
    values = tree["posterior"]["recall@ill"]
    assert values.dims == ("chain", "draw")
    assert values.shape == (4, 2_000)
    assert float(values.mean()) == pytest.approx(TWO.of("recall").mean, abs=0.005)
    both = np.corrcoef(values.values.ravel(), tree["posterior"]["mcc"].values.ravel())
    assert both[0, 1] > 0.5
    with pytest.raises(InvalidArgument, match="multiple"):
        to_arviz(TWO, ["recall"], draws=10)


@pytest.mark.mlflow
def test_arviz_itself_reads_the_export() -> None:
    arviz = pytest.importorskip("arviz", reason="arviz is not installed")
    tree = to_arviz(TWO, ["recall", "mcc"], draws=8_000)
    summary = arviz.summary(tree["posterior"].to_dataset(), round_to=None)
    for name in ("recall@ill", "mcc"):
        assert float(summary.loc[name, "mean"]) == pytest.approx(TWO.of(name).mean, abs=0.01)
        # independent draws: no autocorrelation to be found
        assert float(summary.loc[name, "r_hat"]) == pytest.approx(1.0, abs=0.01)
        assert float(summary.loc[name, "ess_bulk"]) > 6_000


class Tensor:
    """As far as a tensor of torch is an array: what torchmetrics gives as a confusion matrix."""

    def __init__(self, values: Any) -> None:
        self.values = np.array(values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.values, dtype=dtype)


def test_a_confusion_matrix_of_torchmetrics_is_a_matrix() -> None:
    assert hs.ConfusionMatrix(Tensor(np.array([[45, 5], [8, 42]], np.float32)), ["healthy", "ill"]) == TWO.confusion


def test_a_normalised_or_multilabel_one_is_refused_with_a_reason() -> None:
    with pytest.raises(InvalidCounts, match="integers"):
        hs.ConfusionMatrix(Tensor(np.array([[0.9, 0.1], [0.16, 0.84]])))
    with pytest.raises(InvalidCounts, match=r"square|shape"):
        hs.ConfusionMatrix(Tensor(np.ones((3, 2, 2), dtype=int)))
