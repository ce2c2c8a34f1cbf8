"""What a metric is: one formula of tables, declared once with its range, direction and reference.

The formula takes an array ``(..., K, K)`` of counts or of joint probabilities (rows truth, columns prediction) and
works unchanged on both. A metric of the whole table returns ``(...)``; a metric of each class returns ``(..., K)``.
0/0 comes out as NaN and means "undefined".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property, partial
from html import escape
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from howsure.errors import InvalidArgument, excerpt, visible
from howsure.errors.arguments import items, number, one_of
from howsure.metrics.margins import Margins, Table, Tables, cells, total

if TYPE_CHECKING:
    from howsure.laws import GroupMeans, Law, LearnedSum, Linear, Mixture
    from howsure.metrics.measure import Measure

Formula = Callable[..., Tables]
Per = Literal["table", "class"]
Better = Literal["higher", "lower", "neither"]


class MatrixKnowledge(Protocol):
    """What a metric may ask a posterior for when its distribution has a closed form."""

    @property
    def size(self) -> int:
        """Number of classes."""

    @property
    def known_prevalence(self) -> NDArray[np.float64] | None:
        """The prevalence, if it is a stated vector."""

    def linear(self, coefficients: Tables, shift: float = 0.0, *, rows: Sequence[int] | None = None) -> Linear | None:
        """Law of ``shift + sum c_ij p_ij`` over the class rows, all (K, K) or some (R, K); None if not closed."""

    def of_recalls(
        self, weights: Tables, shift: float = 0.0, *, rows: Sequence[int] | None = None
    ) -> Linear | LearnedSum | GroupMeans:
        """Law of ``shift + sum w_i recall_i`` over the classes, all (K,) or those named (R,)."""

    def extreme_of_recalls(self, *, largest: bool = False, wrong: bool = False) -> Law | None:
        """Law of the smallest or largest recall (or its complement) of classes that come; None if not closed."""

    def two_class(self, name: str, positive: int, **parameters: float) -> Law | None:
        """Law of a metric of prevalence, sensitivity and specificity; None above two classes."""

    def coin(self) -> Linear | GroupMeans | None:
        """Law of the accuracy as one coin per case; None where the prevalence is of other cases."""

    def prevalence_of(self, index: int) -> Linear | Mixture:
        """Law of the share of one true class."""


Exact = Callable[["MatrixKnowledge", "Measure"], "Law | None"]
Chance = Callable[[NDArray[np.float64]], float]


@dataclass(frozen=True, eq=False)
class Metric:
    """A formula with a name, a range, a direction and a reference.

    Parameters
    ----------
    name : str
        Whole words; the name of the function.
    formula : callable
        Array ``(..., K, K)`` to ``(...)`` or, for ``per="class"``, ``(..., K)``.
    per : "table" or "class"
        A class-wise metric is asked for with ``@label`` or an average, except in two-class tables.
    range : (float, float)
        Smallest and largest possible value.
    better : "higher", "lower" or "neither"
        Which direction is good.
    reference : str
        Where it is defined.
    aliases : tuple of str
        Other names in use.
    parameters : mapping of str to float
        Parameters with their defaults.
    limits : mapping of str to (float, float)
        Smallest and largest value of a parameter; above 0 if it has none here.
    chance : callable, optional
        Value of a classifier without skill, from the cases (or the stated share) of each true class, shape (K,).
    same_as : mapping
        Averages that are another metric: recall averaged over classes is balanced accuracy.
    sklearn : str
        The function of scikit-learn with the same value on counts.
    undefined : float, optional
        Declared value on 0/0; without it the value is undefined and said to be.
    plain : (str, str)
        What people who use two-class tests call it, of the positive class and of the other one; empty where they have
        no word of their own.
    """

    name: str
    formula: Formula
    per: Per
    range: tuple[float, float]
    better: Better
    reference: str
    aliases: tuple[str, ...] = ()
    parameters: Mapping[str, float] = field(default_factory=dict)
    limits: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    chance: Chance | None = None
    same_as: Mapping[str, str] = field(default_factory=dict)
    sklearn: str = ""
    undefined: float | None = None
    law: Exact | None = None
    plain: tuple[str, str] = ("", "")

    def __post_init__(self) -> None:
        whose = f"metric {excerpt(self.name)}"
        if not isinstance(self.name, str) or not self.name:
            raise InvalidArgument(f"a metric has a name, not {excerpt(self.name)}")
        for what in ("formula", "chance", "law"):
            value = getattr(self, what)
            if not callable(value) and (value is not None or what == "formula"):
                raise InvalidArgument(f"{what} of {whose} is a function, not {excerpt(value)}")
        one_of(self.per, get_args(Per), f"per of {whose}")
        one_of(self.better, get_args(Better), f"better of {whose}")
        if not _is_range(self.range):
            raise InvalidArgument(f"range of {whose} is a pair (smallest, largest), not {excerpt(self.range)}")
        for what in ("reference", "sklearn"):
            if not isinstance(getattr(self, what), str):
                raise InvalidArgument(f"{what} of {whose} is text, not {excerpt(getattr(self, what))}")
        if not isinstance(self.aliases, tuple) or not all(isinstance(x, str) and x for x in self.aliases):
            raise InvalidArgument(f"aliases of {whose} are names, not {excerpt(self.aliases)}")
        _check_words("parameters", self.parameters, whose, lambda x: np.isfinite(number(x)), "its default")
        _check_words("limits", self.limits, whose, _is_range, "its (smallest, largest)")
        _check_words("same_as", self.same_as, whose, lambda x: isinstance(x, str), "the metric that it is")
        if not isinstance(self.plain, tuple) or [type(x) for x in self.plain] != [str, str]:
            raise InvalidArgument(
                f"plain of {whose} is two names, of the positive class and the other, not {excerpt(self.plain)}"
            )
        if self.undefined is not None and not np.isfinite(number(self.undefined)):
            raise InvalidArgument(f"undefined of {whose} is the value of 0/0, a number, not {excerpt(self.undefined)}")

    @property
    def description(self) -> str:
        """First line of the formula's docstring."""
        return ((self.formula.__doc__ or "").strip().splitlines() or [""])[0]

    @property
    def family(self) -> str:
        """Word of the file that declares it; "own" outside this package."""
        *package, word = (self.formula.__module__ or "").split(".")
        return word if package == ["howsure", "metrics"] else "own"

    @property
    def without_cases(self) -> float:
        """What an average counts for a class where this is 0/0: the worst value in 0 to 1, else NaN (left out)."""
        return float(self.better == "lower") if self.range == (0, 1) else float("nan")

    @property
    def support(self) -> tuple[float, float] | None:
        """The range, or None of a function that declares nothing."""
        return self.range if self.reference else None

    @cached_property
    def by_margins(self) -> bool:
        """Whether the formula is content with `Margins`; found out by trying it."""
        return self._content_with(Margins.of(TRIED))

    @cached_property
    def by_sums(self) -> bool:
        """Whether the formula is content with `Margins` that answer for sums over their cells."""
        return self._content_with(Margins.around(TRIED))

    def _content_with(self, margins: Margins) -> bool:
        try:
            return np.allclose(self(margins), self(TRIED), equal_nan=True)
        except InvalidArgument:  # of another number of classes, such as costs
            return margins.inside is not None
        except (AttributeError, IndexError, TypeError, ValueError):
            return False

    def __call__(self, tables: Table, **parameters: float) -> Tables:
        """Value on counts or on probabilities, whole tables (..., K, K) or their margins."""
        if isinstance(tables, Margins):
            key = self.formula, tuple(parameters.items())
            return tables.remembered(key, lambda: self._value(tables, parameters))
        # what is declared elsewhere may work in place, and others read the same tables
        given = np.array(tables, dtype=float) if self.family == "own" else np.asarray(tables, dtype=float)
        return self._value(given, parameters)

    def _value(self, given: Table, parameters: Mapping[str, float]) -> Tables:
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            values = np.asarray(self.formula(given, **parameters))
        if self.undefined is None:
            return values
        finite = np.isfinite(total(given))
        return np.where(np.isnan(values) & (finite if self.per == "class" else finite[..., 0]), self.undefined, values)

    def exact(self, law: Exact) -> Exact:
        """Decorate the function that gives the law where it closes (None where it does not)."""
        if not callable(law):
            raise InvalidArgument(f"the distribution of a metric is a function of the posterior, not {excerpt(law)}")
        REGISTRY[self.name] = closed = replace(self, law=law)
        for alias in self.aliases:
            REGISTRY[alias] = closed
        return law

    def __reduce__(self) -> tuple[object, ...]:
        # by name: the decorated function is not what its name stands for
        declared = REGISTRY.get(self.name)
        if declared is None or declared.formula is not self.formula:
            return (_rebuilt, tuple(getattr(self, one.name) for one in fields(self)))
        return (directed, (self.name, self.better))

    def _repr_html_(self) -> str:
        low, high = self.range
        said = {
            "range": f"{low:g} to {high:g}",
            "better": self.better,
            "averages": "macro, micro, weighted, or a class" if self.per == "class" else "",
            "other names": ", ".join(self.aliases),
            "reference": self.reference,
        }
        rows = "".join(f'<tr><th scope="row">{k}</th><td>{escape(visible(v))}</td></tr>' for k, v in said.items() if v)
        head = f"<strong>{escape(visible(self.name))}</strong>: {escape(visible(self.description))}"
        return f"<p>{head}</p><table><tbody>{rows}</tbody></table>"

    def __repr__(self) -> str:
        return f"<Metric {self.name}: {self.description}>"


def _is_range(value: object) -> bool:
    """Whether a value is a pair of numbers, the smaller one first."""
    return isinstance(value, tuple | list) and len(value) == 2 and number(value[0]) < number(value[1])


def _check_words(what: str, given: Any, whose: str, fits: Callable[[Any], Any], expected: str) -> None:
    """Refuse what is no mapping of words to fitting values."""
    if not isinstance(given, Mapping) or not all(isinstance(k, str) and fits(v) for k, v in given.items()):
        raise InvalidArgument(f"{what} of {whose} is a mapping of each name to {expected}, not {excerpt(given)}")


def _rebuilt(*values: Any) -> Metric:
    return Metric(*values)


@cache
def _turned(declared: Metric, better: Better) -> Metric:
    return replace(declared, better=better)


def directed(name: str, better: Better) -> Metric:
    """A declared metric, with a direction that it has not by itself: a share of right answers is better high.

    Examples
    --------
    >>> directed("prevalence", "higher").better, REGISTRY["prevalence"].better
    ('higher', 'neither')
    """
    declared = REGISTRY[name]
    return declared if declared.better == better else _turned(declared, better)


#: A table that formulas are tried on.
TRIED = np.array([[5.0, 2.0, 1.0], [3.0, 8.0, 4.0], [1.0, 2.0, 9.0]])

#: Every metric under its name and its aliases.
REGISTRY: dict[str, Metric] = {}


class Facts(TypedDict, total=False):
    """Keywords of `metric` that may be left out, as `Metric` has them."""

    per: Per
    aliases: Sequence[str]
    chance: Chance | None
    same_as: Mapping[str, str]
    sklearn: str
    undefined: float | None
    parameters: Mapping[str, float]
    limits: Mapping[str, tuple[float, float]]
    plain: tuple[str, str]


def metric(
    *,
    range: tuple[float, float],  # noqa: A002  # the word that a metric's range is called by
    better: Better,
    reference: str,
    **facts: Unpack[Facts],
) -> Callable[[Formula], Metric]:
    """Declare a formula as a metric; its name is the function's, its description the docstring's first line.

    Also of `Metric`, where they are told: ``per``, ``aliases``, ``chance``, ``same_as``, ``sklearn``, ``undefined``,
    ``parameters``, ``limits`` and ``plain``.

    Examples
    --------
    >>> @metric(range=(0, 1), better="higher", reference="this docstring")
    ... def share_of_first_cell(m):
    ...     "Share of cases in the first cell."
    ...     return m[..., 0, 0] / m.sum((-2, -1))
    >>> float(share_of_first_cell([[3, 1], [0, 4]]))
    0.375
    >>> del REGISTRY["share_of_first_cell"]
    """

    def declare(formula: Formula) -> Metric:
        name, told = getattr(formula, "__name__", ""), dict[str, Any](facts)
        declared = Metric(
            name=name,
            formula=formula,
            per=told.pop("per", "table"),
            range=(float(range[0]), float(range[1])) if _is_range(range) else range,
            better=better,
            reference=reference,
            aliases=tuple(items(told.pop("aliases", ()), "aliases", "a list of names")),
            **told,
        )
        taken = [known for known in (name, *declared.aliases) if known in REGISTRY]
        if taken:
            raise InvalidArgument(f"a metric named {excerpt(taken[0])} is declared already; give yours another name")
        REGISTRY.update(dict.fromkeys((name, *declared.aliases), declared))
        return declared

    return declare


#: Metrics of a kind: of each class or of the whole table, from 0 or from -1 to 1; what is said besides replaces this.
Declaring = Callable[..., Callable[[Formula], Metric]]
rate: Declaring = partial(metric, per="class", range=(0, 1), better="higher")
share: Declaring = partial(metric, range=(0, 1), better="higher")
skill: Declaring = partial(metric, range=(-1, 1), better="higher")


def two_class(known: MatrixKnowledge, measure: Measure) -> Law | None:
    """Law of a metric of a two-class table: of three independent Betas."""
    index = 1 if measure.metric.per == "table" else measure.index
    return None if index is None else known.two_class(measure.metric.name, index, **dict(measure.parameters))


# -- Any Python function of tables as a metric, checked to be one ------------------------------------------------------


ADVICE = "it takes tables of shape (..., K, K) and gives one number for each, such as m[..., 0, 0] / m.sum((-2, -1))"


def own(function: Callable[[Tables], Any], size: int) -> Metric:
    """Metric of a function that declares nothing, of tables (..., K, K) of shares, K = ``size``; no direction is good.

    Refused where it fails, gives another shape or something that is no number, or mixes the tables of a stack.

    Examples
    --------
    >>> def first_cell(m):
    ...     return m[..., 0, 0] / m.sum((-2, -1))
    >>> metric = own(first_cell, 2)
    >>> metric.name, float(metric([[3, 1], [0, 4]]))
    ('first_cell', 0.375)
    """
    called = getattr(function, "__name__", type(function).__name__)
    formula = OwnFormula(function, "lambda" if called == "<lambda>" else called)
    some = np.random.default_rng(0).dirichlet(np.ones(size * size), 3).reshape(3, size, size)
    together = formula(some)
    alone = np.array([float(formula(table)) for table in some])
    if not np.allclose(together, alone, equal_nan=True):
        raise InvalidArgument(
            f"{formula.name}() gives a table another number alone ({alone[0]:g}) than in a stack ({together[0]:g}); "
            + ADVICE
        )
    return Metric(
        name=formula.name,
        formula=formula,
        per="table",
        range=(-np.inf, np.inf),
        better="neither",
        reference="",
    )


@dataclass(frozen=True)
class OwnFormula:
    """A function from outside, watched: its errors are told in one sentence."""

    function: Callable[[Tables], Any]
    name: str

    def __call__(self, m: Table) -> Tables:
        """One number for each table, shape (...)."""
        tables = cells(m).view()
        tables.setflags(write=False)  # other metrics read the same draws
        try:
            with np.errstate(divide="ignore", invalid="ignore"):
                given = self.function(tables)
        except Exception as error:  # whatever a function from outside may raise
            raise InvalidArgument(
                f"{self.name}() failed on an array of shape {tables.shape}: {type(error).__name__}: "
                f"{' '.join(str(error).split())}; {ADVICE}"
            ) from error
        try:
            values = np.asarray(given)
            if values.dtype.kind not in "biuf":
                raise TypeError
        except (TypeError, ValueError):
            raise InvalidArgument(f"{self.name}() gives {excerpt(given)}, which is no number; {ADVICE}") from None
        if values.shape != tables.shape[:-2]:
            raise InvalidArgument(
                f"{self.name}() gives an array of shape {values.shape} for tables of shape {tables.shape}; {ADVICE}"
            )
        infinite = int(np.isinf(values).sum())
        if infinite:
            raise InvalidArgument(
                f"{self.name}() is infinite for {infinite} of {values.size} tables; give NaN where it is undefined"
            )
        return values.astype(float)
