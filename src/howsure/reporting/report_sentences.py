"""What a report says: the sentence on top, what would mislead a reader, what helps one, wrong reference labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import special

from howsure.answers.fields import places_of
from howsure.answers.sheet import Sheet
from howsure.data.confusion import ConfusionMatrix
from howsure.data.labels import positive_by_name, positive_or_last
from howsure.errors import NoInformation, OutOfReach, excerpt, listing
from howsure.knowledge.protocol import Answered, Ask
from howsure.laws import Draws, Law, Linear
from howsure.metrics import Measure, parse
from howsure.numerics.arrays import Floats
from howsure.numerics.populations.alike_or_apart import FarBelow, far_below
from howsure.posterior.better_than_chance import OF_REPORT, ChanceStatement, better_than_chance
from howsure.posterior.carried import carried_rates
from howsure.posterior.distribution import Distribution, ShiftNote
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.priors import default_prior
from howsure.posterior.shares import absent_classes, few_cases, is_mean_over_classes
from howsure.posterior.wrong_labels import RANGE, LabelErrorRange, checked_wrong
from howsure.questions.groups import in_groups
from howsure.questions.thresholds import NOTHING, Thresholds
from howsure.text import formats
from howsure.text.formats import plain

#: Probability up to which a classifier is called worse, and of the opposite up to which it is called better.
UNLIKELY = 0.05


def width_sentence(posterior: Posterior) -> str:
    """Which class makes balanced accuracy uncertain, if one makes more than half of its variance."""
    confusion = posterior.confusion
    variance = knowledge_of(posterior).recall_sds ** 2
    worst = int(np.argmax(variance))
    size = int(confusion.class_sizes[worst])
    if variance[worst] <= 0.5 * variance.sum() or not confusion.n:
        return ""
    return (
        f"Most of its width comes from the {formats.several(size, 'case')} of class {excerpt(confusion.labels[worst])}."
    )


def verdict(
    posterior: Posterior,
    asked: Measure | None,
    ask: Ask,
    *,
    held: Thresholds = NOTHING,
    title: str = "Balanced accuracy",
) -> str:
    """What is known about a metric (balanced accuracy if left out), ``title``: thresholds, then against chance."""
    measure = asked or parse("balanced_accuracy", posterior.labels)
    try:
        known = knowledge_of(posterior).of(measure, draws=ask.draws, seed=ask.seed)
        ends = known.interval(ask.level, ask.kind)
    except (NoInformation, OutOfReach) as error:
        return f"{title} has no answer: {error}"
    places = places_of(known.law, ends)
    answer = threshold_sentence(title, known.law, held, places)
    text = f"{answer} It is" if answer else f"{title} is"
    text += f" {formats.number(known.mean, places)}"
    if ends.width > 0:
        text += f" ({formats.interval_name(ends.kind, ask.level)} {formats.interval(*ends, places)})"
    if knowledge_of(posterior).estimand(measure).held:
        text += f" {knowledge_of(posterior).held_at}"
    text += in_groups(knowledge_of(posterior).about_groups)
    if not posterior.n:
        name = knowledge_of(posterior).prior_name
        return f"There are no cases, so this is the {name} prior: {text[0].lower()}{text[1:]}."
    if (carried := carried_rates(knowledge_of(posterior))) is not None:
        return f"{carried.lead}{text}{'' if carried.lead else ', rates carried over'}."
    text += _against_chance(better_than_chance(knowledge_of(posterior), measure, draws=ask.draws, seed=ask.seed))
    sentence = width_sentence(posterior) if measure.metric.name == "balanced_accuracy" else ""
    return f"{text} {sentence}".strip()


def threshold_sentence(title: str, law: Law, held: Thresholds, places: int) -> str:
    """The answer to the thresholds and quantiles that were asked for, of one metric; blank where there are none.

    Examples
    --------
    >>> from howsure.laws import Beta
    >>> from howsure.questions.thresholds import thresholds
    >>> threshold_sentence("Balanced accuracy", Beta(46, 6), thresholds(above=0.8), 2)
    'That balanced accuracy is above 0.8 has probability 0.958.'
    >>> threshold_sentence("F1", Beta(46, 6), thresholds(above=[0.8, 0.9], quantiles=0.05), 2)
    'F1 is above 0.8 with probability 0.958, above 0.9 with 0.402; its 5% quantile is 0.80.'
    """
    answers = held.answers(law)
    if not answers or not all(map(np.isfinite, answers)):
        return ""
    name = "balanced accuracy" if title == "Balanced accuracy" else title
    cells = held.words(answers, places, law.n if isinstance(law, Draws) else None)
    first = len(cells) - len(held.quantiles)
    quantiles = [f"its {100 * p:g}% quantile is {cell}" for p, cell in zip(held.quantiles, cells[first:], strict=True)]
    if first == 1 and not quantiles:
        open_ = UNLIKELY < answers[0] < 1 - UNLIKELY and not held.between
        return f"That {name} is {held.spoken[0]} has probability {cells[0]}{': not settled' if open_ else ''}."
    if not first:
        told = " and ".join(f"{cell} ({100 * p:g}%)" for p, cell in zip(held.quantiles, cells, strict=True))
        return f"Quantile{'' if len(cells) == 1 else 's'} of {name}: {told}."
    said = [f"{what} with {cell}" for what, cell in zip(held.spoken, cells[:first], strict=True)]
    said[0] = said[0].replace(" with ", " with probability ", 1)
    return f"{'; '.join([f'{title} is ' + ', '.join(said), *quantiles])}."


def _against_chance(said: ChanceStatement | None) -> str:
    """Half a sentence about skill, or under another prior a sentence of its own, and its full stop."""
    if said is None:
        return "."
    base = formats.number(said.value, 2 if said.value == 0 or said.value >= 0.1 else 4)
    rule = said.how.removesuffix(f" ({said.prior})")  # the small print names the prior
    what, how = f"chance ({base})", "" if said.rule == OF_REPORT else f", {rule}"
    better, worse = (formats.probability(p, said.draws) for p in (said.probability, 1 - said.probability))
    unlikely, likely = said.probability <= UNLIKELY, said.probability >= 1 - UNLIKELY
    if said.expects_chance:
        which, p = ("Worse", worse) if unlikely else ("Better", better)
        return f". {which} than {what} with probability {p}{how}."
    if likely:
        return f", better than {what} with probability {better}{how}."
    if unlikely:
        return f", worse than {what} with probability {worse}{how}."
    return f"; that it is better than {what} has probability {better}{how}: not settled."


#: From this probability on a class is named: without an odd class a table then has a false note in about one of 30.
UNLIKE = 0.8

#: Classes that are named one by one.
MOST_NAMED = 3

#: So near to guessing, or below it, the likely cause is not the classifier.
NEAR_CHANCE = 0.1


def odd_classes(posterior: Posterior) -> list[str]:
    """Sentences on classes that are far below the others with a probability of `UNLIKE` or more.

    A recall near or below that of guessing looks like a wrong mapping of labels.
    """
    learned = knowledge_of(posterior).population
    if learned is None or not _any_below(learned.k, learned.n):
        return []
    far = far_below(learned.k, learned.n, 1 / len(learned))
    odd = np.flatnonzero(far.probability >= UNLIKE)
    odd = odd[np.argsort(-far.probability[odd], kind="stable")]
    said = [_sentence(posterior, int(i), far) for i in odd[:MOST_NAMED]]
    if more := [formats.plain(posterior.labels[int(i)], 20) for i in odd[MOST_NAMED:]]:
        some = ", ".join(more[:5]) + (", ..." if len(more) > 5 else "")
        said[-1] += f" And {len(more)} more classes stand out from the others ({some})."
    return said


def _any_below(k: Floats, n: Floats) -> bool:
    """Whether some class, by its own cases, may be below what is usual; spares most tables a closer look."""
    k, n = k[n > 0], n[n > 0]
    return bool(len(n) and (special.betainc(k + 0.5, n - k + 0.5, max(np.median(k / n), 1e-9)) > UNLIKE / 2).any())


def _sentence(posterior: Posterior, i: int, far: FarBelow) -> str:
    confusion = posterior.confusion
    right, cases = int(confusion.correct[i]), int(confusion.class_sizes[i])
    p, typical, limit = (float(it[i]) for it in (far.probability, far.typical, far.limit))
    text = (
        f"class {excerpt(confusion.labels[i])} stands out from the others ({formats.integer(right)} of "
        f"{formats.integer(cases)} right, a typical other one has {formats.number(typical, 2)}): its recall is below "
        f"{formats.number(limit, 2)}, where none of them is expected, with probability "
        f"{'>0.99' if p > 0.99 else formats.number(p, 2)}."
    )
    if right / cases < 1 / len(confusion.labels) + NEAR_CHANCE:
        text += " A wrong label mapping looks like this."
    return text


#: Up to this many classes the papers print numbers; beyond it the flat prior is harmful, and nobody looks for them.
MOST_CLASSES = 9

#: The published values have three decimals, which are there to be compared with.
DECIMALS = 3


@dataclass(frozen=True)
class UnderPapersPrior:
    """What is known of a metric under the flat prior, in the level and the kind of the report."""

    metric: str
    prior: str
    reference: str
    mean: float
    low: float
    high: float
    interval: str

    @property
    def sentence(self) -> str:
        """The line of the report, with the option that gives the rest."""
        ends = formats.interval(self.low, self.high, DECIMALS)
        mean = formats.number(self.mean, DECIMALS)
        return f"{self.metric} under the {self.prior} prior of {self.reference}: {mean} ({ends}), --prior {self.prior}"


def under_papers_prior(posterior: Posterior, measures: Sequence[Measure], ask: Ask) -> UnderPapersPrior | None:
    """Balanced accuracy under the papers' prior, where it is asked for under the default one of 2 to 9 classes.

    None elsewhere; without cases it says nothing.
    """
    measure = next((it for it in measures if it.name == "balanced_accuracy"), None)
    size = len(posterior.labels)
    if measure is None or not 2 <= size <= MOST_CLASSES or not posterior.n:
        return None
    own = knowledge_of(posterior)
    if posterior.prior.name != default_prior(size):
        return None
    try:
        rows_alone = size == 2 and isinstance(own.of(measure).law, Linear)  # not of new groups, nor of verdicts
        if not rows_alone and own.population is None:
            return None
        law = knowledge_of(infer(posterior.confusion, "flat")).of(measure).law
        ends = law.interval(ask.level, ask.kind)
    except (NoInformation, OutOfReach):  # the row says so
        return None
    return UnderPapersPrior(measure.name, "flat", "Carrillo et al. 2013", law.mean, ends.low, ends.high, ends.kind)


class Caveats(NamedTuple):
    """Sentences by weight."""

    warnings: list[str]
    notes: list[str]
    #: warnings that stand before all others
    first: tuple[str, ...] = ()

    def moved(self, notes: Sequence[ShiftNote]) -> Caveats:
        """With what the prior has moved: warnings each, of the mild ones the farthest."""
        self.warnings.extend(note.text for note in notes if note.warning)
        mild = sorted((note for note in notes if not note.warning), key=lambda note: -abs(note.shift))
        if mild:
            more = f" {len(mild) - 1} more move by over half their sd (column prior effect)." if len(mild) > 1 else ""
            self.notes.append(mild[0].text + more)
        return self


def caveats(posterior: Posterior, moved: Sequence[ShiftNote], measures: Sequence[Measure] = ()) -> Caveats:
    """Sentences about the table itself, then about the prior."""
    confusion = posterior.confusion
    carried = carried_rates(knowledge_of(posterior))
    found = Caveats([], [], () if carried is None else carried.warnings)
    known, prior = knowledge_of(posterior), posterior.prior
    if carried is not None:
        found.notes.extend(carried.notes)
        found.notes.extend([carried.drawing] if any(known.exact_law(it) is None for it in measures) else [])
    sizes, called, name = confusion.class_sizes, confusion.called, known.prior_name
    empty = [label for label, size in zip(confusion.labels, sizes, strict=True) if not size]
    # without pseudo-counts nothing is printed for a class without cases: that is said elsewhere
    silent = prior.a == 0 or prior.b == 0
    if not confusion.n:
        rest = "." if silent else f": every number is the {name} prior."
        found.warnings.append(f"There are no cases at all{rest}")
    elif np.count_nonzero(sizes) == 1:
        only = confusion.labels[int(np.argmax(sizes))]
        every = "The only case is" if confusion.n == 1 else f"All {confusion.n} cases are"
        found.warnings.append(
            f"{every} of class {excerpt(only)}: nothing is known about how the others are "
            "recognised" + ("." if silent else f", and their numbers are those of the {name} prior.")
        )
    elif empty:
        those = "it" if len(empty) == 1 else "them"
        resting = [m for m in measures if m.twin.metric.name in ("balanced_accuracy", "adjusted_balanced_accuracy")]
        share = f"{len(empty)}/{len(sizes)} of the balanced accuracy"
        part = f", and so is {share}, whose observed value leaves {those} out"
        found.warnings.append(
            f"No case of {listing(map(excerpt, empty))} was tested"
            + ("." if silent else f": the numbers for {those} are those of the {name} prior{part if resting else ''}.")
            + f" Test more cases, or leave {those} out of the matrix."
        )
    if confusion.n and np.count_nonzero(called) == 1:
        only = confusion.labels[int(np.argmax(called))]
        found.warnings.append(f"Every case was predicted {excerpt(only)}: the classifier does not discriminate.")
    if confusion.entered and np.all(sizes == 100):
        found.notes.append(
            "every row adds to 100; if these are percentages, the intervals are wrong: enter numbers of cases"
        )
    if name == "dirichlet1" and len(sizes) > 3:
        found.warnings.append(
            f"Prior 'dirichlet1' pulls every recall towards 1/{len(sizes)}; it is for comparison with other tools."
        )
    found.notes.extend(absent_classes(confusion, {measure.name: known.absent(measure) for measure in measures}))
    found.notes.extend(odd_classes(posterior))
    found.warnings.extend(_unknown_shares(posterior, measures))
    return found.moved(moved)


def _unknown_shares(posterior: Posterior, measures: Sequence[Measure]) -> list[str]:
    """Means over classes at uncertain shares, where most classes are so rare that theirs is not known."""
    few = few_cases(posterior.confusion)
    means = [plain(m.name) for m in measures if is_mean_over_classes(m, len(posterior.labels))]
    if posterior.shares != "sampled" or not few or not means:
        return []
    rest = f"{few[0].upper()}{few[1:]}; {listing(means)} {'rests' if len(means) == 1 else 'rest'}"
    return [f"{rest} on their unknown shares. shares='test' is about those of this test set."]


def why_positive(counted: ConfusionMatrix, known: ConfusionMatrix) -> list[str]:
    """A note on a positive class that nobody chose, from the counts as they were read and as they are reported."""
    forward = positive_or_last(known.labels, known.positive)
    why = "because it comes last" if known.positive is None else "because the prevalence names it"
    if known.positive is not None and counted.positive is not None:
        why = "by its name" if counted.positive == positive_by_name(counted.labels) else ""
    if forward is None or not why:
        return []
    other = next(label for label in known.labels if label != forward)
    return [f"the positive class is {excerpt(forward)} {why}; --positive {plain(other, 30)} changes it."]


@dataclass(frozen=True, repr=False, eq=False)
class WrongLabels(Answered, fields=f"wrong n metrics=rows[{RANGE}] silent[why=0 metrics=1]"):
    """Ranges of the metrics of a report while at most so many reference labels are wrong.

    Attributes
    ----------
    wrong, n : int
        Labels that may be wrong, and all of them.
    rows : tuple of LabelErrorRange
        One for each metric that has a range.
    silent : tuple of (str, tuple of str)
        Why others have none, and which.
    """

    wrong: int
    n: int
    ask: Ask
    rows: tuple[LabelErrorRange, ...]
    silent: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def sheet(self) -> Sheet:
        """A row for each metric: as counted, the range, and the range with sampling."""
        share = f"{100 * self.wrong / self.n:.3g}%" if self.n else ""
        sampled, random = f"with sampling, {self._interval_name}", f"if {share} wrong at random"
        header = ("metric", "observed", "range", sampled, random, "range is")
        notes = [
            "range: lowest and highest value on the counts over all ways in which so many labels are wrong; a wrong "
            "label moves a case to another true class, and what was predicted stays. With sampling: the interval at "
            "both ends. At random: just that share wrong, whatever was predicted; where the reference was made with "
            "the help of the classifier only the range holds."
        ]
        if any(row.found == "search" for row in self.rows):
            notes.append("search: the range was looked for step by step, and is at least as wide as this.")
        if some := [formats.plain(row.metric) for row in self.rows if row.undefined]:
            notes.append(f"{listing(some)}: some of these tables leave it undefined (0/0); the range is of the others.")
        against = dict.fromkeys(row.contradiction for row in self.rows if row.contradiction)
        return Sheet(
            f"With up to {formats.integer(self.wrong)} of the {formats.several(self.n, 'reference label')} wrong:",
            header,
            tuple(_cells(row) for row in self.rows),
            tuple(notes),
            warnings=tuple(f"No range for {listing(names)}: {why}" for why, names in self.silent),
            remarks=tuple(f"If {share} of the labels were wrong at random: {why}." for why in against),
            words=frozenset([5]),
        )


def _cells(row: LabelErrorRange) -> tuple[str, ...]:
    both = row.with_sampling
    return (
        formats.plain(row.metric),
        formats.number(row.observed, max(row.places, 3)),
        formats.interval(row.low, row.high, row.places),
        "no answer" if both is None else formats.interval(*both, formats.decimals(*both)),
        "" if row.if_independent is None else formats.number(row.if_independent, max(row.places, 3)),
        row.found,
    )


def ranges(known: Mapping[Measure, Distribution], n: int, wrong: float | None, ask: Ask) -> WrongLabels | None:
    """Ranges of these metrics, or None where nobody asked for wrong labels."""
    if wrong is None:
        return None
    most, rows, silent = checked_wrong(wrong, n), [], dict[str, list[str]]()
    for measure, answer in known.items():
        try:
            rows.append(answer.with_wrong_labels(most, level=ask.level, kind=ask.kind))
        except (NoInformation, OutOfReach) as error:
            silent.setdefault(str(error), []).append(measure.name)
    return WrongLabels(most, n, ask, tuple(rows), tuple((why, tuple(names)) for why, names in silent.items()))
