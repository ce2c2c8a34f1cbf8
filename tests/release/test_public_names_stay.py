"""Public names are frozen: none goes without a word, none comes without being written down."""

from __future__ import annotations

from tests.release.public_names import LIST, names_of, offered, options

import howsure as hs

WRITTEN = LIST.read_text(encoding="utf-8").splitlines()


def test_no_public_name_is_gone() -> None:
    assert sorted(set(WRITTEN) - set(offered())) == [], "deprecate it first: CONTRIBUTING.md, Stable names"


def test_every_public_name_is_written_down() -> None:
    assert sorted(set(offered()) - set(WRITTEN)) == [], (
        "python -m tests.release.public_names, and look at the difference"
    )


def test_the_list_sees_names_parameters_methods_and_options() -> None:
    seen = {"howsure.compare", "howsure.compare(metric)", "howsure.Posterior.of", "howsure.Posterior.of(metric)"}
    assert seen <= set(names_of("howsure"))
    assert {"howsure gate", "howsure gate --margin"} <= set(options())
    assert {f"howsure.{name}" for name in hs.__all__} <= set(WRITTEN)
