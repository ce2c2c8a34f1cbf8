"""Messages of the library, in the words of the command line."""

from __future__ import annotations

from howsure.cli.terminal import KEYWORDS, as_options
from howsure.params import PARAMETERS


def test_values_of_several_words_and_names_that_go_on() -> None:
    assert as_options("id='case no' (--id) refuses; by='ward' (--by)") == "--id 'case no' refuses; --by ward"
    assert as_options("slice model=gpt of level=high; from_predictions(..., group=site)") == (
        "slice model=gpt of level=high; from_predictions(..., group=site)"
    )


def test_what_is_quoted_stays() -> None:
    assert as_options("no class 'labels=x'; my_labels=3, unprior=") == "no class 'labels=x'; my_labels=3, unprior="


def test_every_keyword_is_an_option() -> None:
    options = {form.strip("-").replace("-", "_") for it in PARAMETERS.values() for form in (it.name, it.short)}
    assert [name for name in KEYWORDS if name not in options] == []
