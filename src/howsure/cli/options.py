"""Options as a command has them: each field is one parameter of `howsure.params`, and a command names those it takes.

``@command("metric prior", ENDS, FORMS)`` is all that a command says of its options. The command line is built from the
names, and what was typed comes as one frozen `Options`.
"""

# ruff: noqa: RUF009  # an empty list is a field of its own each time
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from inspect import Parameter as Argument
from inspect import Signature
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import typer

from howsure.errors import InvalidArgument, listing
from howsure.params import DRAWS, KIND, LEVEL, PARAMETERS, SEED, Parameter

__all__ = [
    "CASES",
    "CELLS",
    "ELSEWHERE",
    "ENDS",
    "FORMS",
    "ITEMS",
    "SAMPLING",
    "TABLE",
    "UNITS",
    "VOTES",
    "Options",
    "built",
    "command",
    "option",
    "parameter_of",
]

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

#: The default of what has none.
REQUIRED: Any = object()

Gaps = Literal["error", "wrong", "class", "exclude", "estimate"]
Texts = list[str]


def _none() -> Any:
    return field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Options:
    """What was typed: the options of a command, and the defaults of all others.

    A field is called like its parameter, or says the parameter's name beside its type.
    """

    file: str = REQUIRED
    files: Texts = _none()
    figures: Texts = _none()
    looks: str = REQUIRED
    measure: str = REQUIRED
    name: str | None = None

    a: str | None = None
    above: float | None = None
    above_each: Annotated[list[float], "above"] = _none()
    above_or_chance: Annotated[str | None, "above"] = None
    allow_host: Texts = _none()
    alpha: float = 0.05
    append: str | None = None
    assurance: float = 0.95
    at: str | None = None
    b: str | None = None
    baseline: str | None = None
    batch: str | None = None
    below: float | None = None
    below_each: Annotated[list[float], "below"] = _none()
    better: Literal["higher", "lower"] = "higher"
    between: list[Any] = _none()  # of pairs: `PAIRS` of the program, for which typer has no type
    bibtex: bool = False
    bins: int = 10
    board: str | None = None
    both: int | None = None
    both_bad: Literal["tie", "exclude"] = "tie"
    browser: Annotated[bool, "open/--no-open"] = False
    by: Texts = _none()
    candidate: str = REQUIRED
    case: Annotated[str | None, "id"] = None
    cases: str | None = None
    classes: int | None = None
    classical: bool = False
    concentration: float | None = None
    control: Texts = _none()
    correct: int | None = None
    cost: str | None = None
    csv: bool = False
    curve: bool = False
    cut: Literal["week", "month", "year"] | None = None
    debug: bool = False
    design: str | None = None
    detect: Literal["difference", "width", "above", "below"] | None = None
    diagram: bool = False
    difference: float | None = None
    draws: int | None = None
    empty: str | None = None
    entries: Literal["learned", "independent"] | None = None
    event: str | None = None
    explain: bool = False
    far: Literal["range"] | None = None
    field: str | None = None
    filter: str | None = None
    floor: float | None = None
    fn: str | None = None
    folds: str | None = None
    fp: str | None = None
    group: str | None = None
    group_size: int | None = None
    groups: Literal["these", "new"] | None = None
    guess: str | None = None
    host: str = "127.0.0.1"
    how_chosen: Literal["random", "by-verdict", "other"] | None = None
    icc: float | None = None
    in_time: bool = False
    item: str | None = None
    json: bool = False
    judge: str | None = None
    junit: str | None = None
    k: list[int] = _none()
    kind: Literal["hdi", "central"] = KIND
    label: str | None = None
    labels: Texts | None = None
    labels_from: str | None = None
    level: float = LEVEL
    limit: Annotated[float, "threshold"] = REQUIRED
    margin: float = 0.0
    margin_goal: Annotated[float | None, "margin"] = None
    markdown: bool = False
    memory: str | None = None
    metric: str | None = None
    metrics: Annotated[Texts, "metric"] = _none()
    min_prob: float = 0.95
    missing: Gaps = "error"
    mode: Literal["non-inferiority", "superiority", "floor"] | None = None
    mode_of_beta: Annotated[float | None, "mode"] = None
    model: str | None = None
    model_column: str | None = None
    more: int = REQUIRED
    more_each: Annotated[str, "more"] = "100"
    n: int | None = None
    n_each: Annotated[str | None, "n"] = None
    neither: int | None = None
    net_benefit: bool = False
    new_test: int | None = None
    of: int = 10_000
    on_inconclusive: Literal["warn", "fail", "pass"] = "warn"
    only_a: int | None = None
    only_b: int | None = None
    order: Texts | None = None
    out: str | None = None
    outcomes: str | None = None
    paired: str | None = None
    pilot: str | None = None
    plot: bool = False
    points: bool = False
    port: int | None = None
    positive: str | None = None
    pre_test: str = REQUIRED
    pred: str | None = None
    preds: Annotated[Texts, "pred"] = _none()
    prevalence: str | None = None
    prior: str | None = None
    priors: Annotated[Texts, "prior"] = _none()
    prizes: str | None = None
    public: bool = False
    pyodide: str = REQUIRED
    quantile: list[float] = _none()
    query: str | None = None
    range: str | None = None
    rater: Texts = _none()
    raters: Literal["fixed", "sample"] = "fixed"
    repeat: str | None = None
    result: Texts = _none()
    rope: float | None = None
    rounding: Literal["nearest", "truncated"] = "nearest"
    rows: Literal["true", "pred"] | None = None
    rule: bool = False
    scale: Literal["nominal", "ordinal", "interval", "ratio"] = "nominal"
    score: str | None = None
    seed: int = SEED
    separate: bool = False
    sets: Annotated[Texts, "set"] = _none()
    share_rows: Annotated[Texts, "shares"] = _none()
    shares: Literal["test", "sampled", "chosen"] | None = None
    simultaneous: bool = False
    site: str | None = None
    sizes: str | None = None
    static: Path = REQUIRED
    strata: str | None = None
    strategy: Literal["quantile", "uniform"] = "quantile"
    strict: Annotated[bool | None, "strict/--no-strict"] = None
    table: str | None = None
    threshold: float | None = None
    tn: str | None = None
    top: int = 3
    tp: str | None = None
    true: str | None = None
    truth: str | None = None
    update_baseline: bool = False
    verdicts: str | None = None
    verdicts_read: Annotated[int | None, "verdicts"] = None
    voter: str | None = None
    weight: str | None = None
    weighted: Annotated[Literal["frequency", "effective"], "weights"] = "frequency"
    weights: str | None = None
    width: float | None = None
    winner: str | None = None
    workers: int = 1
    wrong_labels: str | None = None

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
        idle = value is None or value is False or value in ([], _DEFAULTS.get(name))
        return not idle and (name, value) != ("draws", DRAWS)

    def refuse(self, words: str, sentence: str) -> None:
        """Refuse those of some options that were used: they stand in the sentence at ``{}``."""
        if odd := self.used(words):
            raise InvalidArgument(sentence.format(listing(odd)))


_DEFAULTS = {it.name: it.default for it in fields(Options) if it.default is not MISSING}

#: Other defaults than the usual ones, by the parameter.
OTHERWISE = {("draws", "fixed"): DRAWS, ("kind", "agree"): "central"}


@cache
def _hints() -> dict[str, Any]:
    return get_type_hints(Options, include_extras=True)


def parameter_of(word: str, of: str = "") -> tuple[str, str]:
    """Name of the parameter behind a field (``missing``, or ``missing:pool``) of a command, and where it is of."""
    name, _, where = word.partition(":")
    hint = _hints()[name]
    long = hint.__metadata__[0] if get_origin(hint) is Annotated else name.replace("_", "-")
    return next(((long, it) for it in (where or of, "") if (long, it) in PARAMETERS), (long, where))


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
    parameters = [*_arguments(name, body.words.split())]  # type: ignore[attr-defined]
    formed = any(it.name == "markdown" for it in parameters)

    def called(**typed: Any) -> None:
        ask = Options(**{own: it for own, it in typed.items() if it is not None or own not in _LISTS})
        if formed:
            check(ask)
        body(ask)

    called.__doc__, called.__name__ = body.__doc__, body.__name__
    called.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # what typer and inspect read
    called.__annotations__ = {it.name: it.annotation for it in parameters}
    return called


_LISTS = {it.name for it in fields(Options) if it.default_factory is not MISSING}


def _arguments(of: str, words: list[str]) -> Iterator[Argument]:
    for word in words:
        name = word.partition(":")[0]
        key = parameter_of(word, of)
        it, hint = PARAMETERS[key], _hints()[name]
        plain = get_args(hint)[0] if get_origin(hint) is Annotated else hint
        default = OTHERWISE.get(key, _DEFAULTS.get(name))
        if default is REQUIRED or it.short == "*":
            default = None if it.shown.startswith("[") or of == "compare" else Argument.empty
        typed: Any = Annotated[_as_typed(plain, it, default), option(*key)]
        yield Argument(name, Argument.KEYWORD_ONLY, default=default, annotation=typed)


def _as_typed(hint: Any, it: Parameter, default: object) -> Any:
    """The type of one option: only the choices that are shown, and text where a list is one word."""
    if it.kind == "names":
        return str | None
    if get_origin(hint) is Literal and "|" in it.shown:
        choices: Any = Literal
        return choices[tuple(it.shown.split("|"))]
    return hint if default is not None or type(None) in get_args(hint) else hint | None
