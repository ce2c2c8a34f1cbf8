"""One patient or sample: the probability before the test, and after it has spoken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.answers.fields import interval_cells, law_row
from howsure.answers.sheet import Answered, Ask, Sheet
from howsure.data.confusion import ConfusionMatrix
from howsure.data.labels import positive_or_last
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.errors.arguments import items, number
from howsure.laws import Beta, BinaryLaw, Draws, Kind, Law
from howsure.laws.law import DRAWS, KIND, LEVEL, SEED
from howsure.numerics.arrays import Floats
from howsure.posterior.distribution import MOST_ROWS
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.posterior.rows import LEAST_ROUGH
from howsure.posterior.shares import named_positive, shares_to_be_met
from howsure.text import formats
from howsure.text.svg import forest

if TYPE_CHECKING:
    from howsure.posterior.posterior import Posterior

PreTest = float | Beta | Mapping[str, float] | Sequence[float]


def before_test(confusion: ConfusionMatrix, pre_test: PreTest) -> Floats | Beta:
    """Pre-test probabilities of the classes, or a Beta of that of the positive one."""
    if isinstance(pre_test, Beta | int | float | np.integer | np.floating) and not isinstance(pre_test, bool):
        if confusion.positive is None and len(confusion.labels) == 2:
            raise InvalidArgument(
                f"nothing says which of {listing(map(excerpt, confusion.labels))} the pre-test probability is of; "
                f"name it, such as {{{excerpt(confusion.labels[-1])}: 0.02}}, or choose the positive class (positive=)"
            )
        if confusion.positive is None:
            raise InvalidArgument(
                f"with {len(confusion.labels)} classes a pre-test probability is a share for each class, or for some "
                f"of them by name, such as {{{excerpt(confusion.labels[0])}: 0.2}}; not {excerpt(pre_test)}"
            )
        if isinstance(pre_test, Beta):
            return pre_test
        if not 0 < number(pre_test) < 1:
            raise InvalidArgument(
                f"a pre-test probability lies strictly between 0 and 1 (2% is 0.02); not {excerpt(pre_test)}"
            )
        return shares_to_be_met({confusion.positive: float(pre_test)}, confusion)
    if isinstance(pre_test, bool | str):
        raise InvalidArgument(f"a pre-test probability is a number such as 0.02, not {excerpt(pre_test)}")
    return shares_to_be_met(pre_test, confusion)


def beta_means(confusion: ConfusionMatrix, before: Beta) -> tuple[float, ...]:
    """Mean pre-test probability of each of two classes."""
    means = [1 - before.mean, 1 - before.mean]
    means[positive_row(confusion)] = before.mean
    return tuple(means)


def positive_row(confusion: ConfusionMatrix) -> int:
    """Row of the positive one of two classes; where none is known, of the last, for an answer about both."""
    positive = positive_or_last(confusion.labels, confusion.positive)
    assert positive is not None
    return confusion.labels.index(positive)


def listed_results(results: str | Sequence[str]) -> tuple[str, ...]:
    """One course of results, in order."""
    try:
        course = (results,) if isinstance(results, str) else tuple(results)
    except TypeError:
        course = ()
    if not course:
        raise InvalidArgument("no test result is given; say 'positive', or ['positive', 'negative'] for repeats")
    return course


def column_of(confusion: ConfusionMatrix, result: str) -> int:
    """Column of what the test said: a label, or positive and negative of two classes (a label of that name wins)."""
    named = isinstance(result, str) and result in ("positive", "negative")
    if confusion.positive is not None and named and result not in confusion.labels:
        found = positive_row(confusion)
        return found if result == "positive" else 1 - found
    if len(confusion.labels) == 2 and named and result not in confusion.labels:
        both = listing(map(excerpt, confusion.labels))
        raise InvalidArgument(f"nothing says which of {both} is positive; say the class, or choose with positive=")
    return confusion.index(result)


def said_of(confusion: ConfusionMatrix, called: int) -> str:
    """What a test says that calls a case by this column."""
    if confusion.positive is None:
        return confusion.labels[called]
    return "positive" if called == positive_row(confusion) else "negative"


#: The keys of the answer.
FIELDS = "classes=labels positive pre_test level priors answers=_courses[results probabilities[label *law]] notes"


INDEPENDENT = (
    "Results of several tests are combined as independent of each other given the true class; where tests err on the "
    "same cases, the second says less than this."
)


@dataclass(frozen=True)
class ResultCourse:
    """What is known after some results.

    Parameters
    ----------
    results : tuple of str
        What the tests said, in order.
    laws : tuple of Law
        Law of the post-test probability of each class, in the order of the labels.
    """

    results: tuple[str, ...]
    laws: tuple[Law, ...]


@dataclass(frozen=True, repr=False, eq=False)
class PostTest(Answered, json="post_test", fields=FIELDS):
    """Probability of the classes before and after test results; made by `Posterior.post_test`.

    Attributes
    ----------
    labels, positive : tuple of str, str or None
        The classes.
    pre_test : tuple of float
        Probability of each class before the tests (its mean, where it is uncertain itself).
    answers : tuple of ResultCourse
        One for each course of results that was asked about.
    priors : tuple of str
        Prior of each test's posterior.
    """

    labels: tuple[str, ...]
    positive: str | None
    pre_test: tuple[float, ...]
    answers: tuple[ResultCourse, ...]
    ask: Ask
    priors: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def _courses(self) -> list[dict[str, Any]]:
        """Each course with the law of each class by its name."""
        courses = [(x.results, zip(self.labels, x.laws, strict=True)) for x in self.answers]
        return [
            {"results": r, "probabilities": [{"label": label, "law": law} for label, law in laws]}
            for r, laws in courses
        ]

    def after(self, *results: str, label: str | None = None) -> Law:
        """Law of the probability of a class (the positive one of two) after these results, or after the only ones.

        Raises
        ------
        InvalidArgument
            Results that were not asked about, or no class named above two classes.
        """
        wanted = self.positive if label is None else label
        if not isinstance(wanted, str) or wanted not in self.labels:
            raise InvalidArgument(f"say which class: label= and one of {listing(self.labels)}, not {excerpt(label)}")
        if not all(isinstance(result, str) for result in results):
            raise InvalidArgument(f"a result is said by its name, such as 'positive'; not {excerpt(results)}")
        for answer in self.answers:
            if (not results and len(self.answers) == 1) or answer.results == results:
                return answer.laws[self.labels.index(wanted)]
        asked = "; ".join(", ".join(answer.results) for answer in self.answers)
        raise InvalidArgument(
            f"no answer after {excerpt(', '.join(map(str, results)))}; the courses asked about are: {asked}"
        )

    def sheet(self) -> Sheet:
        two = self.positive is not None
        shown = [self.labels.index(self.positive)] if self.positive is not None else range(len(self.labels))
        rows = []
        for answer in self.answers:
            course = ", ".join(formats.plain(result, 30) for result in answer.results)
            for label, law in ((self.labels[i], answer.laws[i]) for i in shown):
                rows.append((course, formats.plain(label, 30), *interval_cells(law, self.level, self.kind), law.route))
        name = self._interval_name
        if two:
            pre = f"{self.pre_test[shown[0]]:.4g}"
            after = "; ".join(f"{mean} ({ends}) after {course}" for course, _, mean, ends, _ in rows)
            headline = f"Probability of {formats.plain(self.labels[shown[0]], 30)}: {pre} before, {after}."
        else:
            shares = zip(self.labels, self.pre_test, strict=True)
            before = ", ".join(f"{formats.plain(label, 30)} {share:.4g}" for label, share in list(shares)[:12])
            after = ", ".join(f"{label} {mean} ({ends})" for _, label, mean, ends, _ in rows[:12])
            after = f"After {course}: {after}." if len(self.answers) == 1 else "Afterwards, by result:"
            headline = f"Before the test: {before}. {after}"
        priors = f"Prior {', '.join(dict.fromkeys(self.priors))}; intervals: {name}, of the probability itself."
        header = ("after", "class", "probability", name, "method")
        return Sheet(headline, header, tuple(rows), (priors,), below=self.notes)

    def picture(self) -> str:
        shown = [self.labels.index(self.positive)] if self.positive is not None else range(len(self.labels))
        rows = []
        for answer in self.answers[:MOST_ROWS]:
            course = ", ".join(answer.results)
            for i in shown:
                name = f"after {course}" if self.positive is not None else f"{self.labels[i]}, after {course}"
                rows.append(law_row(name, answer.laws[i], self.level, self.kind, observed=self.pre_test[i]))
        return forest(rows[:MOST_ROWS], title="Probability after each result; ticks: before the test")


def post_test_of_one(
    posterior: Posterior,
    pre_test: float | Beta | Mapping[str, float] | Sequence[float],
    results: str | Sequence[str] | None = None,
    *,
    level: float = LEVEL,
    kind: Kind = KIND,
    draws: int = DRAWS,
    seed: int = SEED,
) -> PostTest:
    """One patient or sample: how probable each class is after the test has spoken.

    Parameters
    ----------
    pre_test : float, Beta, or shares of the classes
        Probability of the positive class before the test, strictly between 0 and 1; a `howsure.laws.Beta` where it
        is uncertain itself; shares, all or some by name, for any number of classes.
    results : str or sequence of str, optional
        "positive", "negative" or a class; several for repeats of this test, taken as independent given the truth.
        Left out: an answer for each possible result.
    level, kind : float, "hdi" or "central"
        Of the intervals.
    draws, seed : int
        For repeats and for more than two classes; one test of two classes is exact.

    Returns
    -------
    PostTest
        ``answer.after("positive")`` is the law.

    Notes
    -----
    Bayes' rule at each value of the rates: after one positive result the precision at prevalence ``pre_test``.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> post.post_test(0.02)
    Probability of ill: 0.02 before, 0.15 (0.06 to 0.26) after positive; 0.0039 (0.0017 to 0.0062) after negative.
    >>> round(post.post_test(0.02, ["positive", "positive"]).after().mean, 2)
    0.56
    """
    known = _named(knowledge_of(posterior), pre_test)
    labels = known.confusion.labels
    each = sorted(labels, key=lambda label: label != known.confusion.positive)
    courses = [results] if results is not None else [(label,) for label in each]
    return _answered(
        [[(known, column_of(known.confusion, said)) for said in listed_results(course)] for course in courses],
        pre_test,
        Ask(level, kind, draws, seed),
    )


def post_test(
    tests: Sequence[tuple[Posterior, str]],
    pre_test: PreTest,
    *,
    level: float = LEVEL,
    kind: Kind = KIND,
    draws: int = DRAWS,
    seed: int = SEED,
) -> PostTest:
    """Chain the results of different tests of one patient or sample, taken as independent given the truth.

    Parameters
    ----------
    tests : sequence of (Posterior, str)
        Each test with what it said: "positive", "negative" or a class. All tell the same classes apart.
    pre_test : float, Beta, or shares of the classes
        As in `Posterior.post_test`.
    level, kind : float, "hdi" or "central"
        Of the interval.
    draws, seed : int
        The answer is drawn, unless it is one test of two classes.

    Raises
    ------
    InvalidArgument
        No test, or tests of different classes.

    Examples
    --------
    >>> import howsure as hs
    >>> quick = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> slow = hs.infer(hs.ConfusionMatrix([[198, 2], [3, 97]], labels=["healthy", "ill"]))
    >>> round(hs.post_test([(quick, "positive"), (slow, "positive")], 0.02).after().mean, 2)
    0.92
    """
    chain = "[(posterior, 'positive'), (posterior, 'negative')]"
    listed = items(tests, "a chain of tests", f"a list such as {chain}")
    if not listed:
        raise InvalidArgument(f"no test result is given; a chain is {chain}")
    odd = [x for x in listed if not (isinstance(x, tuple | list) and len(x) == 2 and hasattr(x[0], "confusion"))]
    if odd:
        raise InvalidArgument(f"a chain of tests is {chain}; {excerpt(odd[0])} is no pair of a posterior and a result")
    chained = [(_named(knowledge_of(each), pre_test), result) for each, result in listed]
    first = chained[0][0].confusion
    for known, _ in chained:
        if (known.confusion.labels, known.confusion.positive) != (first.labels, first.positive):
            raise InvalidArgument(
                f"the tests tell different classes apart: {listing(first.labels)} (positive {first.positive}) and "
                f"{listing(known.confusion.labels)} (positive {known.confusion.positive})"
            )
    return _answered(
        [[(known, column_of(known.confusion, said)) for known, said in chained]],
        pre_test,
        Ask(level, kind, draws, seed),
    )


def _answered(
    courses: Sequence[Sequence[tuple[TableKnowledge, int]]],
    pre_test: PreTest,
    ask: Ask,
) -> PostTest:
    known = courses[0][0][0]
    confusion = known.confusion
    before = before_test(confusion, pre_test)
    answers = tuple(
        ResultCourse(
            tuple(said_of(test.confusion, called) for test, called in course),
            _exact(course, before) or _drawn(course, before, ask.draws, ask.seed),
        )
        for course in courses
    )
    several = any(len(course) > 1 for course in courses)
    drawn = any(isinstance(law, Draws) for answer in answers for law in answer.laws)
    notes = [INDEPENDENT] if several else []
    notes += [f"simulated: {formats.integer(ask.draws)} draws, seed {ask.seed}."] if drawn else []
    return PostTest(
        labels=confusion.labels,
        positive=confusion.positive,
        pre_test=tuple(before.tolist()) if isinstance(before, np.ndarray) else beta_means(confusion, before),
        answers=answers,
        ask=ask,
        priors=tuple(dict.fromkeys(test.prior.name for course in courses for test, _ in course)),
        notes=tuple(notes),
    )


def _named(known: TableKnowledge, pre_test: PreTest) -> TableKnowledge:
    """The test with the class that the pre-test probability names as the positive one of two, unless that is known."""
    named = named_positive(pre_test, known.confusion)
    return known if named is known.confusion else known.with_positive(named.positive)


def _exact(course: Sequence[tuple[TableKnowledge, int]], before: Floats | Beta) -> tuple[Law, ...] | None:
    """One test of two classes: precision and false omission rate at the pre-test probability; None if not closed."""
    (known, called), *more = course
    if more or len(known.confusion.labels) != 2:
        return None
    if known.rows is None:
        return None
    positive = positive_row(known.confusion)
    rates = known.rows.recall(positive), known.rows.recall(1 - positive)
    share = (before.a, before.b) if isinstance(before, Beta) else float(before[positive])
    parameters = [*rates[0], *rates[1], *(share if isinstance(share, tuple) else ())]
    if min(parameters) < LEAST_ROUGH or share in (0.0, 1.0):
        return None
    names = ("precision", "false_discovery_rate")
    if called != positive:
        names = ("false_omission_rate", "negative_predictive_value")
    laws = [BinaryLaw(name, share, *rates) for name in names]
    return tuple(laws if positive == 0 else laws[::-1])


def _drawn(
    course: Sequence[tuple[TableKnowledge, int]], before: Floats | Beta, draws: int, seed: int
) -> tuple[Law, ...]:
    """Draws of pre-test probability times the chances of all results, normalised over the classes."""
    known = course[0][0]
    size = len(known.confusion.labels)
    if isinstance(before, Beta):
        weights = np.empty((draws, 2))
        weights[:, positive_row(known.confusion)] = before.sample(draws, seed=[seed, len(course)])
        weights[:, 1 - positive_row(known.confusion)] = 1 - weights[:, positive_row(known.confusion)]
    else:
        weights = np.tile(before, (draws, 1))
    with np.errstate(divide="ignore"):
        logarithms = np.log(weights)
        # a test that is done twice is wrong in the same way: all its results are read from the same tables
        for stream, token in enumerate(dict.fromkeys(id(test.test_set) for test, _ in course)):
            mine = [(test, called) for test, called in course if id(test.test_set) == token]
            even = mine[0][0].at_prevalence(np.full(size, 1 / size))
            chances = np.concatenate(
                [tables[..., [c for _, c in mine]] for tables in even.tables(draws, seed=seed, stream=stream)]
            )
            logarithms += np.log(chances * size).sum(axis=-1)
    with np.errstate(invalid="ignore"):
        posterior = np.exp(logarithms - logarithms.max(axis=1, keepdims=True))
        posterior /= posterior.sum(axis=1, keepdims=True)
    return tuple(Draws(posterior[:, i], support=(0.0, 1.0)) for i in range(size))
