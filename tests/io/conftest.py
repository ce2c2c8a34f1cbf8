from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.io.forms import check_forms, told

from howsure.errors import InvalidFile
from howsure.io import Reading, read


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Reading]:
    """Write a file into an empty directory that is the current one, and read it by its name.

    Whatever a test reads that way is read in every other form as well, and has to say the same.
    """
    monkeypatch.chdir(tmp_path)

    def make(content: str | bytes, name: str = "x.csv", **keywords: Any) -> Reading:
        data = content.encode() if isinstance(content, str) else content
        Path(name).write_bytes(data)
        if len(data) < 1_000_000:
            check_forms(monkeypatch, data, name, keywords)
        return read(name, **keywords)

    return make


@pytest.fixture
def complaint(given: Callable[..., Reading]) -> Callable[..., str]:
    """The line of a refusal and its kind, which tests ask for; and the sentence."""

    def make(content: str | bytes, name: str = "x.csv", **keywords: Any) -> str:
        with pytest.raises(InvalidFile) as caught:
            given(content, name, **keywords)
        sentence = str(caught.value)
        assert sentence.startswith(name)
        assert sentence.isprintable(), sentence
        assert len(sentence) < 1300
        assert caught.value.__suppress_context__ or caught.value.__cause__ is None
        return told(caught.value)

    return make
