"""Options as a command has them: each field is one parameter of `howsure.params`, and a command names those it takes.

``@command("metric prior", ENDS, FORMS)`` is all that a command says of its options. The command line is built from the
names, and what was typed comes as one frozen `Options`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from inspect import Parameter as Argument
from inspect import Signature
from typing import Annotated, Any, Literal

import typer

from howsure.errors import InvalidArgument, listing
from howsure.params import DRAWS, PARAMETERS, TYPES, Parameter

#: Options that go together.
CELLS = "tp fn fp tn table"
TABLE = f"files rows positive labels true pred model missing order labels_from {CELLS}"
CASES = "separate true preds:classifiers case rows positive labels missing:classifiers"
UNITS = "group repeat folds"
ITEMS = "score item range far better"
VOTES = "both_bad winner voter control"
ELSEWHERE = "prevalence cases verdicts"
ENDS = "level kind"
SAMPLING = "draws:fixed seed"
SHOWN = "json markdown explain"
FORMS = f"{SHOWN} csv out"

#: Where a field has another name than its parameter: in a command, or because a keyword of Python has it.
NAMES = {
    "above_each": "above:report", "above_or_chance": "above:plan", "below_each": "below:report",
    "browser": "open/--no-open", "case": "id", "limit": "threshold:stopping-rule", "margin_goal": "margin:plan",
    "metrics": "metric:report", "mode_of_beta": "mode:plan", "more_each": "more:outlook", "n_each": "n:predict",
    "preds": "pred:classifiers", "priors": "prior:sensitivity", "sets": "set", "share_rows": "shares:reconstruct",
    "strict": "strict/--no-strict", "verdicts_read": "verdicts:plan", "weighted": "weights:count",
}  # fmt: skip


class Options:
    """What was typed: the options of a command, and the defaults of all others.

    Parameters
    ----------
    **typed
        Fields with their values. A field is a parameter of the same name, or one of `NAMES`.
    """

    def __init__(self, **typed: Any) -> None:
        self.__dict__.update(typed)

    def __getattr__(self, name: str) -> Any:
        """The default of an option that was not typed."""
        return _usual(name)

    def given(self, *words: str) -> dict[str, Any]:
        """Some options as keywords of the library, unless they were left out; ``y_true=true`` gives one another name.

        Examples
        --------
        >>> Options(measure="f1", true="ill", rope=0.1).given("metric=measure y_true=true rope groups")
        {'metric': 'f1', 'y_true': 'ill', 'rope': 0.1}
        """
        pairs = (word.partition(":")[0].rpartition("=") for word in " ".join(words).split())
        values = {name or own: getattr(self, own) for name, _, own in pairs}
        return {name: value for name, value in values.items() if value is not None and value != []}

    def used(self, *words: str) -> list[str]:
        """Those of some options that were used, as they are typed."""
        return [f"--{parameter_of(word)[0]}" for word in " ".join(words).split() if self._is_used(word)]

    def _is_used(self, word: str) -> bool:
        name = word.partition(":")[0]
        value = getattr(self, name)
        idle = value is None or value is False or value in ([], _usual(name))
        return not idle and (name, value) != ("draws", DRAWS)

    def refuse(self, words: str, sentence: str) -> None:
        """Refuse those of some options that were used: they stand in the sentence at ``{}``."""
        if odd := self.used(words):
            raise InvalidArgument(sentence.format(listing(odd)))


def _usual(name: str) -> Any:
    it = PARAMETERS.get(parameter_of(name)) or _ANY.get(name.replace("_", "-"))
    if it is None:
        raise AttributeError(f"there is no option {name}")
    return [] if it.each else it.default


#: A parameter of each name, one that is not repeated where there is one.
_ANY = {it.name: it for it in sorted(PARAMETERS.values(), key=lambda it: not it.each)}


def parameter_of(word: str, of: str = "") -> tuple[str, str]:
    """Name of the parameter behind a field (``missing``, or ``missing:pool``) of a command, and where it is of."""
    name, _, where = word.partition(":")
    long, _, own = NAMES.get(name, name.replace("_", "-")).partition(":")
    places = (*filter(None, (where or of, own)), "")
    return next(((long, it) for it in places if (long, it) in PARAMETERS), (long, where))


def option(name: str, where: str = "", **more: Any) -> Any:
    """An option of the command line, from the one place where parameters are said; ``more`` goes to typer.

    Examples
    --------
    >>> made = option("metric", "report")
    >>> made.param_decls, made.metavar
    (('-m',), 'NAME')
    """
    it = PARAMETERS[name, where]
    sentence = it.sentence.format(**_words()) if "{" in it.sentence else it.sentence
    if it.short == "*":
        return typer.Argument(metavar=it.shown, help=sentence, **more)
    if it.kind == "whole":
        more |= {end: None if bound is None else int(bound) for end, bound in (("min", it.low), ("max", it.high))}
    forms = (f"--{name}", it.short) if it.short else (f"--{name}",)
    return typer.Option(*forms, help=sentence, metavar=it.shown or None, parser=PARSERS.get(it.kind), **more)


@cache
def _words() -> dict[str, str]:
    """What sentences are filled in with."""
    from howsure.posterior.priors import FEWEST_LEARNED, PRIORS, default_prior

    chosen = {
        default_prior(2): f" (default of {FEWEST_LEARNED - 1} classes)",
        default_prior(FEWEST_LEARNED): f" (from {FEWEST_LEARNED} on)",
    }
    return {"priors": ", ".join(name + chosen.get(name, "") for name in PRIORS), "usual": f"{DRAWS:,d}"}


def _number(value: str | float) -> float:
    """A number as people write it; the option's name goes before the complaint, and a default is a number already."""
    from howsure.cli.numbers import number_of

    if not isinstance(value, str):
        return value
    try:
        return number_of(value, "it")
    except InvalidArgument as error:
        raise typer.BadParameter(str(error)) from None


def _names(value: str | list[str]) -> list[str]:
    """Read ``a,b,c``."""
    return value if isinstance(value, list) else [name.strip() for name in value.split(",")]


PARSERS: dict[str, Callable[[Any], Any]] = {"number": _number, "names": _names}

#: A command before it is built: its options stand beside it.
Body = Callable[[Options], None]


def command(*words: str) -> Callable[[Body], Body]:
    """A command of these options, by the names of fields; its own name is that of the function."""

    def named(body: Body) -> Body:
        body.words = " ".join(words)  # type: ignore[attr-defined]
        return body

    return named


def built(body: Body, check: Body) -> Callable[..., None]:
    """The function that typer reads: a parameter for each option, of what was typed one `Options`.

    Where an answer has forms, ``check`` refuses what was typed before anything is read.
    """
    name = body.__name__.removesuffix("_command").replace("_", "-")
    words = body.words.split()  # type: ignore[attr-defined]
    parameters = [*_arguments(name, words)]
    several = {word.partition(":")[0] for word in words if PARAMETERS[parameter_of(word, name)].each}
    formed = any(it.name == "markdown" for it in parameters)

    def called(**typed: Any) -> None:
        ask = Options(**{own: [] if it is None and own in several else it for own, it in typed.items()})
        if formed:
            check(ask)
        body(ask)

    called.__doc__, called.__name__ = body.__doc__, body.__name__
    called.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # what typer and inspect read
    called.__annotations__ = {it.name: it.annotation for it in parameters}
    return called


def _arguments(of: str, words: list[str]) -> Iterator[Argument]:
    for word in words:
        key = parameter_of(word, of)
        it = PARAMETERS[key]
        default = it.default
        if it.required or it.short == "*":
            default = None if it.shown.startswith("[") or of == "compare" else Argument.empty
        typed: Any = Annotated[_as_typed(it, default), option(*key)]
        yield Argument(word.partition(":")[0], Argument.KEYWORD_ONLY, default=default, annotation=typed)


def _as_typed(it: Parameter, default: object) -> Any:
    """The type of one option; text where a list is one word."""
    one: Any = bool if it.kind == "flag" else Literal[it.choices] if it.choices else TYPES.get(it.kind, str)
    several = list[one] if it.each else one
    return several | None if default is None else several
