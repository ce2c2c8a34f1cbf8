"""The verification is green, red where something is broken, and says so by its exit status and in JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from howsure.cli import main
from howsure.io.cells import NotACount, count_of
from howsure.laws import BinaryLaw, PairedDifference
from howsure.laws.linear import Linear
from howsure.metrics import REGISTRY
from howsure.numerics.betas import hdi_width
from howsure.numerics.curves.curve_numbers import placement_covariance
from howsure.numerics.populations.ranks import beta_ranks
from howsure.numerics.sites import site_population
from howsure.questions import gate as gates
from howsure.verify import verification
from howsure.verify.verification import GROUPS, verified

Patch = pytest.MonkeyPatch


def instead(patch: Patch, function: Callable[..., Any], other: Callable[..., Any]) -> None:
    """Put another function in the place of one, in every module that has it by name."""
    for module in [m for name, m in sys.modules.items() if name.startswith("howsure")]:
        for name in [name for name, value in vars(module).items() if value is function]:
            patch.setattr(module, name, other)


def everywhere(patch: Patch, function: Callable[..., Any], change: Callable[[Any], Any]) -> None:
    """Change what a function gives in every module that has it by name."""

    instead(patch, function, lambda *given, **named: change(function(*given, **named)))


def lenient(value: object) -> int:
    """A count of one in the place of what is none."""
    try:
        return count_of(value)
    except NotACount:
        return 1


def shifted(patch: Patch, law: type, name: str, by: float) -> None:
    """Add a little to what a method gives."""
    old = getattr(law, name)
    patch.setattr(law, name, lambda *given: old(*given) + by)


def stated(patch: Patch, law: type, name: str, value: float) -> None:
    """Make a property a number."""
    patch.setattr(law, name, property(lambda _: value))


def of_metric(patch: Patch, name: str, factor: float) -> None:
    """Make a metric a little larger than it is."""
    right = REGISTRY[name]
    patch.setitem(REGISTRY, name, replace(right, formula=lambda cells, **given: factor * right.formula(cells, **given)))  # type: ignore[index]


def scaled(law: Any) -> Any:
    """A population of sites whose logits are 0.7 higher."""
    return replace(law, mean=law.mean + 0.7)


#: Group that has to notice, and the fault.
FAULTS: dict[str, tuple[str, Callable[[Patch], None]]] = {
    "distribution of a mean of Betas, by 1e-6": ("laws", lambda p: shifted(p, Linear, "_cdf", 1e-6)),
    "formula of mcc, by a millionth": ("metrics", lambda p: of_metric(p, "mcc", 1 + 1e-6)),
    "sd of a paired difference": ("comparisons", lambda p: stated(p, PairedDifference, "sd", 0.0413)),
    "probabilities of ranks, by a thousandth": (
        "ranks", lambda p: everywhere(p, beta_ranks, lambda x: replace(x, rows=x.rows * 1.001)),
    ),
    "width of an HDI, by a tenth": ("plans", lambda p: everywhere(p, hdi_width, lambda x: x * 1.1)),
    "a gate that passes at 70%": (
        "gates", lambda p: everywhere(p, gates.uncertain, lambda x: min(1.0, x + 0.25)),
    ),
    "typical sites": ("sites and slices", lambda p: everywhere(p, site_population, scaled)),
    "areas, by a thousandth": ("curves", lambda p: everywhere(p, placement_covariance, lambda x: (x[0] * 1.001, x[1]))),
    "share that a judge says": ("judges", lambda p: stated(p, BinaryLaw, "mean", 0.7)),
    "words and halves that pass for counts": ("readers", lambda p: instead(p, count_of, lenient)),
}  # fmt: skip


@pytest.fixture
def only(monkeypatch: Patch) -> Callable[[str], None]:
    """Run one group alone."""
    return lambda group: monkeypatch.setattr(verification, "GROUPS", {group: GROUPS[group]})


@pytest.mark.deep
def test_coverage_is_green_and_every_other_group_has_a_fault(only: Callable[[str], None]) -> None:
    only("coverage")
    assert [check.what for check in verified().failed] == []
    assert {group for group, _ in FAULTS.values()} == set(GROUPS) - {"coverage"}


@pytest.mark.full
@pytest.mark.parametrize("fault", FAULTS)
def test_a_seeded_fault_is_red(fault: str, only: Callable[[str], None], monkeypatch: Patch) -> None:
    group, seed = FAULTS[fault]
    only(group)
    assert [check.what for check in verified().failed] == []
    seed(monkeypatch)
    assert not verified().passed


def test_a_failure_stands_first_and_is_the_exit_status(
    only: Callable[[str], None], monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    only("gates")
    assert main(["verify"]) in (0, None)
    assert ": all 10 checks passed." in capsys.readouterr().out
    everywhere(monkeypatch, gates.uncertain, lambda x: 0.2)
    assert main(["verify"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("checks FAILED.")
    verdicts = [line.split()[1] for line in lines if line.startswith("gates")]
    assert verdicts == sorted(verdicts)  # FAILED before ok
    assert main(["verify", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["kind"], told["verdict"], told["total"]) == ("verify", "fail", 10)
    assert told["failed"] == sum(not check["passed"] for check in told["checks"]) > 0


def test_what_raises_is_a_failed_check(only: Callable[[str], None], monkeypatch: Patch) -> None:
    only("gates")

    def broken(*_: object) -> float:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr(gates, "uncertain", broken)
    (failed,) = verified().failed
    assert failed.got == "ZeroDivisionError: by nothing"
