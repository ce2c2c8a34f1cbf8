"""Messages of the library, in the words of the command line."""

from __future__ import annotations

from howsure.cli.terminal import KEYWORDS
from howsure.params import PARAMETERS


def test_every_keyword_is_an_option() -> None:
    options = {form.strip("-").replace("-", "_") for it in PARAMETERS.values() for form in (it.name, it.short)}
    assert [name for name in KEYWORDS if name not in options] == []
