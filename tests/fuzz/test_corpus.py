"""Everything that fuzzing has found, and the seeds it starts from, tried again: read, or refused in our own words."""

from __future__ import annotations

import pytest

pytest.importorskip("duckdb", reason="counting files needs howsure[files]")
pytest.importorskip("openpyxl", reason="workbooks need howsure[excel]")

from tests.fuzz.targets import CORPUS, TARGETS, tried  # after the extra is known to be there


@pytest.mark.full
@pytest.mark.parametrize("name", TARGETS)
def test_every_input_of_the_corpus_is_read_or_refused_in_our_words(name: str) -> None:
    kept = sorted((CORPUS / name).iterdir())
    read = [tried(TARGETS[name], path.read_bytes()) for path in kept]
    # a target that refuses all it is given would notice nothing
    assert sum(read) >= len(read) // 4 + 1
