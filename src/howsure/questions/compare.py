"""``compare``: two contenders of any kind of knowledge, two posteriors, two classifiers of the same predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, TypedDict, Unpack, overload

from howsure.answers.asking import Asking, picked, spelled
from howsure.data.confusion import ConfusionMatrix
from howsure.data.groups import Question
from howsure.data.judged_answers import JudgedAnswers
from howsure.data.predictions import Predictions
from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, NoInformation, excerpt, listing
from howsure.errors.arguments import items, sentences
from howsure.knowledge.protocol import Ask, Knowledge, Of, Separate
from howsure.laws import Kind
from howsure.laws.law import KIND, LEVEL
from howsure.metrics import Measure, Metric, parse
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.paired import (
    PairedMember,
    PairedPosterior,
    asked_or_usual,
    at_pooled_shares,
    prior_names,
    separate,
    under_one_default,
)
from howsure.posterior.posterior import Posterior
from howsure.posterior.priors import Prior
from howsure.posterior.score_measures import refuse_without_scores
from howsure.posterior.scored_cases import ScoresPosterior
from howsure.posterior.shares import Shares
from howsure.questions.comparison import Comparison, Contender
from howsure.questions.differences import Difference, Side, checked_rope
from howsure.text.formats import plain


class Inferring(TypedDict, total=False):
    """Keywords of `howsure.infer`, for questions that infer posteriors from predictions."""

    prior: str | Prior | None
    shares: Shares | None
    groups: Question | None


class Contending(Inferring, Asking, total=False):
    """Keywords of what compares, ranks and gates, besides its own."""


def are_known(given: Any) -> bool:
    """Whether a question is asked of a kind of knowledge: one, or a mapping of names to several."""
    if isinstance(given, Mapping):
        return bool(given) and all(isinstance(it, Knowledge) for it in given.values())
    return isinstance(given, Knowledge)


def pair_of(given: Sequence[Any], names: Sequence[str] | None = None) -> tuple[Knowledge, str | None, str | None]:
    """One kind and the names of two contenders, or two kinds on data of their own.

    Examples
    --------
    >>> from howsure.knowledge.items import Items
    >>> one = Items.from_columns(["a", "b"], [1, 2])
    >>> pair_of([one, one], ("new", "old"))[1:]
    ('new', 'old')
    """
    first, *others = given
    if len(others) == 1 and isinstance(others[0], Knowledge):
        a, b = names or ("A", "B")
        return Separate({a: first, b: others[0]}), a, b
    if names is not None or len(others) > 2 or not all(it is None or isinstance(it, str) for it in others):
        raise InvalidArgument(
            f"after {type(first).__name__} come the names of two contenders, of {listing(first.names)}, or the same of "
            f"another test set; not {excerpt(others)}"
        )
    a, b = [*others, None, None][:2]
    return first, a, b


def board_of(given: Any) -> Knowledge:
    """All contenders of one kind, or of a mapping of names to several."""
    return Separate(given) if isinstance(given, Mapping) else given


def refuse_inferred(call: str, *, prior: object, shares: object, groups: object) -> None:
    """Refuse beside posteriors what was said when they were inferred."""
    if prior is not None:
        raise InvalidArgument(f"posteriors have their prior; name it in infer(), not in {call}()")
    if shares is not None:
        raise InvalidArgument(f"posteriors have their class shares; say shares= in infer(), not in {call}()")
    if groups is not None:
        raise InvalidArgument("posteriors are about the groups that infer() made them for; say groups= there")


def under_one_prior(first: Contender, second: Contender) -> tuple[Contender, Contender, tuple[str, ...]]:
    """Both under one default, and the sentence that says so where that of a table changes.

    Each has the prior of its report; only beside a table of three classes or more has one of two the prior of that.
    """
    if not (first.prior.defaulted and second.prior.defaulted) or first.prior.name == second.prior.name:
        return first, second, ()
    if any(isinstance(posterior, AccuracyPosterior) for posterior in (first, second)):
        one, other = under_one_default([first, second])
        return one, other, ()
    said = "no prior was named, so both are under 'learned', which a report of the one with more classes has."
    return _under(first), _under(second), (said,)


def _under(posterior: Contender) -> Contender:
    assert not isinstance(posterior, AccuracyPosterior)
    return posterior if posterior.prior.name == "learned" else posterior.under("learned")


def compare_known(
    known: Knowledge,
    a: str | None = None,
    b: str | None = None,
    metric: str | None = None,
    *,
    rope: float | None = None,
    ask: Ask | None = None,
    notes: Sequence[str] = (),
) -> Difference:
    """Compare two contenders by one metric, whatever the kind of data.

    Examples
    --------
    >>> from howsure.knowledge.items import Items
    >>> old = [5, 4, 5, 4, 4, 3, 5, 5, 3, 5]
    >>> rows = [(i, "new", x) for i, x in enumerate([5, 5, 5, 4, 5, 3, 5, 5, 4, 5])]
    >>> item, system, score = zip(*rows, *((i, "old", x) for i, x in enumerate(old)))
    >>> made = compare_known(Items.from_columns(item, score, system=system, range=(1, 5)))
    >>> made.names, round(made.p_better, 4)
    (('new', 'old'), 0.9228)
    """
    measure = known.metric(metric)
    ask = known.asking(measure, ask or known.ask())
    if measure.better == "neither":
        raise InvalidArgument(f"{measure.name} is neither better high nor low, so nobody wins")
    first, second = (Of(measure.name, name) for name in known.two(a, b))
    between = known.law(first - second, ask)
    low, high = measure.limits
    beside = known.beside(first - second, ask)
    sides, said = [], [*sentences(notes), *known.notes, *beside.notes]
    for of in (first, second):
        try:
            law = known.law(of, ask)
        except NoInformation as refusal:
            raise NoInformation(f"{plain(of.name, 40)}: {refusal}") from None
        sides.append(Side(of.name, known.size(of.name), known.observed(of), law))
    title = f"{plain(first.name, 40)} - {plain(second.name, 40)}"
    return Difference(
        about=known.about, unit=known.unit, more=known.more, measure=measure, a=sides[0], b=sides[1],
        between=Side(title, min(side.n for side in sides), known.observed(first - second), between),
        paired=known.paired, rope=checked_rope(rope, (low, high)), ask=ask,
        notes=tuple(dict.fromkeys(said)), noise=known.noise, prior=known.prior or None,
        groups=known.groups((first.name, second.name)), alike=known.alike(first.name, second.name),
        beside=beside,
    )  # fmt: skip


def compare_algorithms(
    a: Any,
    b: Any,
    *,
    folds: int | None = None,
    test_share: float | None = None,
    rope: float | None = None,
    names: Sequence[str] = ("A", "B"),
    level: float = LEVEL,
    kind: Kind = KIND,
) -> Difference:
    """Compare two algorithms by their scores in the same folds: the Bayesian correlated t-test.

    Parameters
    ----------
    a, b : array_like, shape (m,), or mapping
        Scores of both algorithms in the same m splits, in the same order; higher is better. Or what scikit-learn's
        ``cross_validate`` gives, whose ``test_score`` is read.
    folds : int
        Folds of one pass, 2 or more; the scores are one pass or several. For k-fold cross-validation.
    test_share : float
        Share of the cases that one split tests, for splits of another kind; one of ``folds`` and ``test_share``.
    rope : float, optional
        Differences up to it count as equivalent.
    names : (str, str)
        What the algorithms are called.
    level, kind
        Of the intervals.

    Returns
    -------
    Difference

    Raises
    ------
    InvalidArgument
        Scores that are not numbers, not as many of both, fewer than two, or not whole passes.
    NoInformation
        All differences are the same, so they have no spread to learn from.

    Notes
    -----
    ``delta ~ mean + sqrt((1/m + rho/(1 - rho)) var) t(m - 1)`` with ``rho`` the share that one split tests (Nadeau and
    Bengio 2003; Corani and Benavoli 2015, equation 8; Benavoli et al. 2017).

    Examples
    --------
    >>> a = [0.82, 0.85, 0.80, 0.88, 0.84, 0.86, 0.81, 0.83, 0.87, 0.85]
    >>> b = [0.80, 0.84, 0.80, 0.85, 0.82, 0.86, 0.80, 0.80, 0.85, 0.84]
    >>> made = compare_algorithms(a, b, folds=10)
    >>> round(made.p_better, 3), round(made.law.mean, 3), [round(x, 3) for x in made.law.interval()]
    (0.993, 0.015, [0.004, 0.026])
    """
    titles = items(names, "names", "those of both algorithms")
    if len(titles) != 2 or not all(isinstance(x, str) and x.strip() for x in titles) or titles[0] == titles[1]:
        raise InvalidArgument(f"names= are those of both algorithms, not {excerpt(names)}")
    from howsure.knowledge.folds import FoldScores

    known = FoldScores(dict(zip(titles, (a, b), strict=True)), folds=folds, test_share=test_share)
    return compare_known(known, *titles, rope=rope, ask=known.ask(level, kind))


class Comparing(Contending, total=False):
    """Keywords of a comparison, for type checkers."""

    metric: str | Metric | Measure | None
    rope: float | None
    names: tuple[str, str] | None
    notes: Sequence[str]


@overload
def compare(a: Contender, b: Contender, /, **how: Unpack[Comparing]) -> Comparison: ...
@overload
def compare(
    known: Knowledge | Scores | ScoresPosterior | JudgedAnswers,
    b: str | Knowledge | Scores | ScoresPosterior | None = None,
    second: str | None = None,
    /,
    **how: Unpack[Comparing],
) -> Difference: ...
@overload
def compare(
    predictions: Predictions, a: str | None = None, b: str | None = None, /, **how: Unpack[Comparing]
) -> Comparison: ...
@spelled(Contending)
def compare(
    *given: Any,
    metric: str | Metric | Measure | None = None,
    rope: float | None = None,
    names: tuple[str, str] | None = None,
    notes: Sequence[str] = (),
    **how: Unpack[Contending],
) -> Comparison | Difference:
    """Compare two classifiers by one metric.

    ``compare(posterior_a, posterior_b)`` takes them as separate test sets, whatever they are (also one posterior
    twice). ``compare(predictions, "A", "B")`` pairs the cases: same cases, narrower interval.
    ``compare(judged, "A", "B")`` compares how often two models are right whose answers one judge has judged.
    ``compare(scores, "A", "B")`` pairs the scores of the same cases by a number of all thresholds (``roc_auc``,
    ``average_precision``, ``tpr@fpr=0.1`` ...), ``compare(scores_a, scores_b)`` takes two separate test sets; so of
    `Items` by any of their metrics.

    Parameters
    ----------
    a, b : Posterior or Scores, or after Predictions, JudgedAnswers or Scores the names of two
        The names can be left out where there are just two.
    metric : str, optional
        In the grammar of metrics; one that has a better direction. Balanced accuracy if left out; of judged models the
        share of right answers ("prevalence@pass"), of logs of right and wrong the accuracy, and no other.
    prior : str or Prior, optional
        For predictions only; if left out, "calibrated" for one or two classes and "learned" for more. Posteriors have
        theirs, and it must be one and the same.
    shares : str, optional
        For predictions only, as in `howsure.infer`; posteriors have theirs. Two separate test sets are asked about the
        class shares of both together where they would be asked about their own.
    groups : "new" or "these", optional
        For predictions with groups: about a new case from a new group, or about new cases of the same groups. Left out:
        "new"         from 8 groups on, else "these". Posteriors have their question.
    rope : float, optional
        Region of practical equivalence: differences up to this size, in units of the metric, count as equivalent.
    level, kind : float, "hdi" or "central"
        Of the intervals.
    draws, seed : int
        For metrics without a closed form.
    names : (str, str), optional
        What to call two posteriors; "A" and "B" if left out.
    notes : sequence of str
        Sentences to carry along, such as how a file was read.

    Returns
    -------
    Comparison, or Difference of scores, items and other kinds of knowledge
        ``difference`` (A - B), ``p_better``, ``p_equal``, ``p_worse``, ``expected_loss``, ``per_class``, ...

    Raises
    ------
    InvalidArgument
        Anything but two classifiers, two priors, a metric without direction, a rope outside its range.
    UnknownMetric, UnknownLabel, UnknownClassifier, UnknownPrior
        With the nearest name.
    NoInformation
        The counts and the prior say nothing about the metric.

    Notes
    -----
    Exact for accuracy, recall, balanced accuracy and other linear functionals; drawn for the rest, for pairs that were
    learned, and about new groups. The model of pairs is that of `howsure.posterior.paired.PairedPosterior`, about new
    groups that of `howsure.posterior.paired_rows.PairedGroups`, of judged models that of
    `howsure.knowledge.judged.PairedVerdicts`.

    Examples
    --------
    >>> import howsure as hs
    >>> new = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> old = hs.infer(hs.ConfusionMatrix([[40, 10], [9, 41]], labels=["healthy", "ill"]))
    >>> result = hs.compare(new, old, rope=0.01, names=("new", "old"))
    >>> round(result.p_better, 4), round(result.p_equal, 4), round(result.p_worse, 4)
    (0.8276, 0.0813, 0.0911)
    >>> result.expected_loss.a < result.expected_loss.b
    True
    """
    inferring = picked(how, Inferring)
    if given and isinstance(given[0], Knowledge | Scores | ScoresPosterior | JudgedAnswers):
        known, one, other = known_pair(given, names)
        known.refuse_options(inferring)
        ask, named = known.ask(**picked(how, Asking)), None if metric is None else str(metric)
        return compare_known(known, one, other, named, rope=rope, ask=ask, notes=notes)
    refuse_without_scores(metric)
    first, second, titles, extra = _pair(given, names, inferring)
    measures = _measures(first, second, asked_or_usual(metric, (first, second)))
    _same_prior(first, second, titles)
    (first, second), pooled = at_pooled_shares([first, second], measures[0])
    measures = knowledge_of(first).estimand(measures[0]), knowledge_of(second).estimand(measures[1])
    ask = Ask.of(how)
    return Comparison(
        names=titles,
        posteriors=(first, second),
        measures=measures,
        a=knowledge_of(first).of(measures[0], draws=ask.draws, seed=ask.seed),
        b=knowledge_of(second).of(measures[1], draws=ask.draws, seed=ask.seed),
        rope=checked_rope(rope, measures[0].metric.range),
        ask=ask,
        remarks=(*sentences(notes), *extra, *pooled),
    )


def _pair(
    given: tuple[Any, ...], names: tuple[str, str] | None, inferring: dict[str, Any]
) -> tuple[Contender, Contender, tuple[str, str], tuple[str, ...]]:
    """Both posteriors, their names, and what the predictions say about themselves."""
    if given and isinstance(given[0], Predictions):
        predictions = given[0]
        chosen = [name for name in given[1:] if name is not None]
        if not chosen and len(predictions.names) == 2:
            chosen = list(predictions.names)
        if len(chosen) != 2 or names is not None:
            raise InvalidArgument(
                f"compare(predictions, a, b) takes the names of two classifiers, of {listing(predictions.names)}"
            )
        joint = PairedPosterior(predictions, chosen, **inferring)
        a, b = chosen
        return joint[a], joint[b], (a, b), predictions.notes
    if len(given) != 2 or not all(isinstance(x, Posterior | AccuracyPosterior) for x in given):
        kinds = listing(type(x).__name__ for x in given) or "nothing"
        advice = ""
        if any(isinstance(x, ConfusionMatrix) for x in given):
            advice = "; make a posterior of a matrix with infer(matrix)"
        others = [x for x in given if not isinstance(x, Posterior | AccuracyPosterior)]
        if any(isinstance(x, str | PathLike) or hasattr(x, "confusion") for x in others):  # of a file, or what is read
            advice = (
                "; howsure.io.read_predictions(one, other) pairs two files of answers to the same cases, and of "
                "separate test sets infer(howsure.io.read(one).confusion) is one of the two posteriors"
            )
        raise InvalidArgument(f"compare() takes two posteriors, or predictions and two names; not {kinds}{advice}")
    refuse_inferred("compare", **inferring)
    first, second = given
    titles = ("A", "B") if names is None else names
    pair = isinstance(titles, Sequence) and len(titles) == 2 and all(isinstance(x, str) and x for x in titles)
    if not pair or titles[0] == titles[1]:
        raise InvalidArgument(f"names are two different texts, not {excerpt(names)}")
    together = isinstance(first, PairedMember) and first is not second and _same_cases(first, second)
    if not together:
        first, second = (separate(x) if isinstance(x, PairedMember) else x for x in (first, second))
        second = _again(second) if _same_cases(first, second) else second
        first, second, said = under_one_prior(first, second)
        return first, second, (titles[0], titles[1]), said
    return first, second, (titles[0], titles[1]), ()


def _same_cases(first: Contender, second: Contender) -> bool:
    return knowledge_of(first).test_set is knowledge_of(second).test_set


def _again(posterior: Contender) -> Contender:
    """The same counts as another test set."""
    if isinstance(posterior, AccuracyPosterior):
        return AccuracyPosterior(correct=posterior.correct, n=posterior.n, prior=posterior.prior)
    return separate(posterior)


def _measures(first: Contender, second: Contender, metric: str | Metric | Measure) -> tuple[Measure, Measure]:
    a, b = (
        parse(metric, p.labels, None if isinstance(p, AccuracyPosterior) else p.confusion.positive)
        for p in (first, second)
    )
    if a.name != b.name:
        raise InvalidArgument(
            f"the metric is {a.name} of the one and {b.name} of the other, because their positive classes differ; "
            f"name the class, {a.name}"
        )
    if a.metric.better == "neither":
        raise InvalidArgument(
            f"{a.metric.name} is neither better high nor low, so nobody wins; the difference is a.of(m) - b.of(m)"
        )
    return a, b


def _same_prior(first: Contender, second: Contender, titles: tuple[str, str]) -> None:
    """One prior for both; at different numbers of classes the same name has different pseudo-counts."""
    priors = knowledge_of(first).prior_name, knowledge_of(second).prior_name
    if len(prior_names([first, second])) == 1:
        # told of each class, it is the same whatever order a matrix has its classes in
        one, other = first.prior, second.prior
        turned = set(first.labels) == set(second.labels) and other.aligned(first.labels) == one
        if len(first.labels) != len(second.labels) or one == other or turned:
            return
    raise InvalidArgument(
        f"{plain(titles[0])} has prior {priors[0]!r} and {plain(titles[1])} {priors[1]!r}: a difference would be "
        "partly that of the priors. Infer both with one, such as prior='flat'"
    )


def known_pair(given: tuple[Any, ...], names: tuple[str, str] | None) -> tuple[Knowledge, str | None, str | None]:
    """A kind of knowledge, and two of its contenders."""
    if isinstance(given[0], Knowledge):
        return pair_of(given, names)
    from howsure.knowledge.judged import Judged  # kinds are loaded where there are some
    from howsure.knowledge.scored import Scored

    return (Judged if isinstance(given[0], JudgedAnswers) else Scored).pair(given, names)
