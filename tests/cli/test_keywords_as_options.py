"""Messages of the library, in the words of the command line."""

from __future__ import annotations

import inspect

from howsure.cli.keywords_as_options import KEYWORDS, as_options


def test_values_of_several_words_and_names_that_go_on() -> None:
    assert as_options("id='case no' (--id) refuses; by='ward' (--by)") == "--id 'case no' refuses; --by ward"
    assert as_options("slice model=gpt of level=high; from_predictions(..., group=site)") == (
        "slice model=gpt of level=high; from_predictions(..., group=site)"
    )


def test_what_is_quoted_stays() -> None:
    assert as_options("no class 'labels=x'; my_labels=3, unprior=") == "no class 'labels=x'; my_labels=3, unprior="


def test_every_keyword_is_an_option() -> None:
    from howsure.cli import (
        column_options,
        compare_command,
        count_command,
        gate_command,
        inputs,
        interval_options,
        log_command,
        plan_command,
        rank_command,
        repeats_command,
        report_command,
        weights_and_costs,
    )

    commands = (
        compare_command,
        count_command,
        gate_command,
        log_command,
        plan_command,
        rank_command,
        repeats_command,
        report_command,
    )
    written = "".join(map(inspect.getsource, (column_options, inputs, interval_options, weights_and_costs, *commands)))
    assert all(f'"--{name.replace("_", "-")}"' in written for name in KEYWORDS)
