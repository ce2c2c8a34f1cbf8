"""One call of every public function and method, and another value of each argument.

Three rules are driven from here: an odd argument is answered or refused, a foreign keyword is refused by name, and
another value of any argument changes the answer (`tests/house/test_no_argument_is_dead.py`). A function that answers
several kinds of data has a call of each: ``rank: judged``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from tests.house.call import Call, parameters
from tests.house.calls_of_modules import calls_of_modules
from tests.house.calls_of_nouns import calls_of_nouns
from tests.house.calls_of_verbs import calls_of_verbs

import howsure as hs
from howsure import curves, integrations, io
from howsure.integrations import sklearn
from howsure.io import logs
from howsure.knowledge.protocol import Knowledge
from howsure.reporting import frequentist

__all__ = ["calls", "cases", "public_callables"]


@cache
def calls() -> dict[str, Call]:
    """Name of a public callable, and of the data where it takes several kinds, to a call of it that works."""
    return {**calls_of_nouns(), **calls_of_verbs(), **calls_of_modules()}


#: Calls that take a second or more with another value of each argument: left to the full tier.
DEAR = (
    "settle", "rule_of_thumb", "compare: groups", "outlook: ", "report: repeats", "plan: ", "curves.calibration_report",
)  # fmt: skip


def cases(but: str = "\0") -> list[Any]:
    """Names of the calls, but for those with these characters in them, to parametrise a test with."""
    return [
        pytest.param(name, marks=pytest.mark.full if name.startswith(DEAR) else ())
        for name in calls()
        if but not in name
    ]


#: Methods of a prior for posteriors, which take what those have checked.
INSIDE = {"Prior.aligned", "Prior.recalls", "Prior.row", "Prior.shares"} | {
    # the protocol of kinds of knowledge, which questions ask
    f"{kind}.{method}" for kind in ("Items", "Ratings", "Votes") for method in dir(Knowledge) if method != "size"
} | {
    "Items.but", "Items.figure", "Ratings.pairing", "Ratings.pairing_of", "Ratings.place_of", "Ratings.refuse",
    "Ratings.shared_by_others", "Ratings.simulated", "Ratings.size", "Votes.next_battle", "Votes.simulated",
    "Votes.size",
}  # fmt: skip


#: Public modules whose functions are called by the last part of their name.
MODULES = (curves, io, logs, frequentist, integrations, sklearn)
#: What needs a package that is asked for elsewhere, with the tests that ask.
NEEDS_MORE = {
    "integrations.howsure_accuracy": "tests/integrations, Inspect", "integrations.log_to": "tests/integrations, MLflow",
    "integrations.to_arviz": "tests/integrations, ArviZ", "sklearn.from_cross_validate": "tests/integrations",
}  # fmt: skip


def public_callables() -> dict[str, Callable[..., Any]]:
    """Public functions, nouns that users make, and methods that take an argument, by name."""
    public: dict[str, Callable[..., Any]] = {}
    for name in hs.__all__:
        value = getattr(hs, name)
        if inspect.isclass(value) and not issubclass(value, Exception):
            if name in calls():  # what the library makes is asked before it is made
                public[name] = value
            for method in (m for m in dir(value) if not m.startswith("_")):
                full = f"{name}.{method}"
                function = getattr(value, method)
                if callable(function) and full not in INSIDE and parameters(function):
                    public[full] = function
        elif inspect.isfunction(value):
            public[name] = value
    for module in MODULES:
        for name in module.__all__:
            full = f"{module.__name__.rpartition('.')[2]}.{name}"
            if inspect.isfunction(getattr(module, name)) and full not in NEEDS_MORE:
                public[full] = getattr(module, name)
    return public
