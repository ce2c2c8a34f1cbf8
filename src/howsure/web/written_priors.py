"""A prior in a request: by name, or as Betas in the words of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from howsure.errors import HowsureError, excerpt
from howsure.posterior.priors import PRIORS, Prior
from howsure.web.fields import Field, InvalidRequest, Text

__all__ = ["PriorText", "prior_word"]

#: Characters: Betas of a dozen classes; what takes such a text apart tries every place in it.
LONGEST = 400


@dataclass(frozen=True)
class PriorText(Field):
    """A name of a prior, one Beta of every recall, or a Beta of each class or rate."""

    what: str

    def check(self, value: Any, place: str) -> str:
        """A text that is a prior."""
        text = Text(self.what, LONGEST).check(value, place)
        try:
            if text in PRIORS or Prior.from_text(text) is not None:
                return text
        except HowsureError as error:
            raise InvalidRequest(str(error), place) from None
        raise InvalidRequest(
            f"{self.what} is one of {', '.join(PRIORS)}, or written beta(2,2) or "
            f"sensitivity=beta(20,2),specificity=beta(9,1); not {excerpt(text)}",
            place,
        )

    def schema(self) -> dict[str, Any]:
        """A string, with what it may be."""
        said = (
            f"{self.what}: {', '.join(PRIORS)}, beta(2,2) for every recall, or a Beta of each, a=beta(20,2),b=beta(9,1)"
        )
        return {"type": "string", "minLength": 1, "maxLength": LONGEST, "description": said}


def prior_word(request: Mapping[str, Any]) -> str | None:
    """The prior of a checked request as the library and the command line write it; None for the default.

    Examples
    --------
    >>> prior_word({"prior": {"a": 2, "b": 0.5}}), prior_word({"prior": "jeffreys"})
    ('beta(2,0.5)', 'jeffreys')
    """
    given = request.get("prior")
    if not isinstance(given, dict):
        return given
    a, b = (repr(given[key]).removesuffix(".0") for key in ("a", "b"))
    return f"beta({a},{b})"
