"""Several classifiers on the same cases: one joint posterior, whose margins are the posteriors of each alone.

Per true class, the answers of all classifiers to a case are a pattern; patterns have a Dirichlet process prior of the
mass and mean that the class row has in the model of one classifier (`howsure.numerics.draws.paired_tables`). For two
classifiers right or wrong, with the flat prior, it is Dirichlet(1/2, 1/2, 1/2, 1/2) over both right, only A, only B,
neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from html import escape

import numpy as np
from numpy.typing import ArrayLike, NDArray

from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, excerpt
from howsure.frozen import Frozen
from howsure.laws import DirichletRows, LearnedSum, Linear, Part
from howsure.metrics import Measure
from howsure.metrics.margins import Margins, Table
from howsure.numerics.arrays import Floats
from howsure.numerics.draws.paired_tables import PairedClass, paired_margins, paired_tables
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.posterior.means_over_classes import Shares, resolved_shares
from howsure.posterior.named_priors import resolve_prior
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.priors import LearnedPrior, Prior
from howsure.progress import along
from howsure.text import formats

__all__ = ["MemberKnowledge", "PairedMember", "PairedPosterior", "separate"]


#: Up to this many classes, linear functionals of all answers of a pair are exact; its class rows have K x K cells.
MOST_CLASSES_EXACT = 12

#: Stated prevalences at which classifiers are remembered.
MOST_MOVED = 8

#: Coefficients of "A is right" and "B is right" on: both, only A, only B, neither.
RIGHT = np.array([[1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0]])


class PairedPosterior(Frozen):
    """What predictions and a prior say about several classifiers that answered the same cases.

    Ask a member, ``joint["A"]``, as you ask any posterior; differences of members are paired.

    Parameters
    ----------
    predictions : Predictions
        The cases.
    names : sequence of str, optional
        Two or more of its classifiers; all if left out.
    prior : str or Prior, optional
        Pseudo-counts of a class row, above 0 on both sides; "flat" if left out, at every number of classes.
    shares : str, optional
        Which class shares, as in `infer`; all classifiers have those of the same test set.

    Raises
    ------
    InvalidArgument
        Fewer than two classifiers, or a prior that no pair can have.

    Notes
    -----
    Two classifiers right or wrong are exact; other metrics are drawn, jointly. Each member alone has the law that
    `infer` gives, whoever else is there.

    Examples
    --------
    >>> both = Predictions([0] * 20 + [1] * 20, {"A": [0] * 18 + [1] * 22, "B": [0] * 15 + [1] * 25})
    >>> joint = PairedPosterior(both)
    >>> joint["A"].of("accuracy") - joint["B"].of("accuracy")
    difference 0.07 (-0.01 to 0.17) 95 % HDI, prior paired flat, exact
    """

    def __init__(
        self,
        predictions: Predictions,
        names: Sequence[str] | None = None,
        prior: str | Prior | None = None,
        *,
        known_prevalence: Floats | None = None,
        shares: Shares | None = None,
    ) -> None:
        chosen = tuple(predictions.names if names is None else names)
        places = [predictions.index(name) for name in chosen]
        if len(set(places)) < max(2, len(places)):
            raise InvalidArgument(
                "pairing needs two or more different classifiers, not " + ", ".join(map(repr, chosen))
            )
        if prior == "learned" or isinstance(prior, LearnedPrior):
            raise InvalidArgument("prior 'learned' is for one classifier; classifiers on the same cases use 'flat'")
        self._predictions, self._names, self._stated = predictions, chosen, known_prevalence
        self._prior = resolve_prior("flat" if prior is None else prior, len(predictions.labels))
        if not (self._prior.a > 0 and self._prior.b > 0 and self._prior.prevalence > 0):
            raise InvalidArgument(
                f"prior {self._prior.name!r} has no case on one side, so classifiers that agree so far would agree "
                "for certain; use 'flat' or 'jeffreys'"
            )
        if self._prior.told is not None:
            raise InvalidArgument(
                f"prior {self._prior.name!r} is of single classes or cells, and classifiers on the same cases take one "
                "for all: a name, or a Beta of every recall (beta(2,2))"
            )
        self._mode = resolved_shares(shares, self._prior, len(predictions.labels))
        own = self._class_shares if self._mode == "chosen" else None
        self._known = own if known_prevalence is None else known_prevalence
        self._memory: dict[tuple[Measure, int, int, int], list[Floats]] = {}
        #: the latest of these at stated prevalences: members that are moved one by one stay on the same cases
        self._elsewhere: dict[bytes, PairedPosterior] = {}

    # -- what it is made of ---------------------------------------------------------------------------------

    @property
    def predictions(self) -> Predictions:
        """The cases."""
        return self._predictions

    @property
    def names(self) -> tuple[str, ...]:
        """The classifiers, in order."""
        return self._names

    @property
    def prior(self) -> Prior:
        """The prior, at this number of classes."""
        return self._prior

    @property
    def known_prevalence(self) -> Floats | None:
        """The stated prevalence; None while it is learned from the cases."""
        return self._known

    def __getitem__(self, name: str) -> PairedMember:
        """Posterior of one classifier, which moves with the others."""
        self._predictions.index(name)
        if name not in self._names:
            raise InvalidArgument(f"classifier {excerpt(name)} is not in this pairing of {', '.join(self._names)}")
        return self._members[self._names.index(name)]

    def at_prevalence(self, prevalence: ArrayLike | Mapping[str, float]) -> PairedPosterior:
        """The same classifiers where the classes come in other shares; see `Posterior.at_prevalence`."""
        stated = TableKnowledge.at_prevalence(knowledge_of(self._members[0]), prevalence).known_prevalence
        assert stated is not None
        key = stated.tobytes()
        if key not in self._elsewhere:
            if len(self._elsewhere) >= MOST_MOVED:
                del self._elsewhere[next(iter(self._elsewhere))]
            moved = self.of_these(self._names, stated)
            moved._elsewhere = self._elsewhere
            self._elsewhere[key] = moved
        return self._elsewhere[key]

    def of_these(self, names: Sequence[str], known_prevalence: Floats | None = None) -> PairedPosterior:
        """Some of the classifiers on the same cases, about the same shares or at a prevalence that is stated."""
        stated = self._stated if known_prevalence is None else known_prevalence
        return PairedPosterior(self._predictions, names, self._prior, known_prevalence=stated, shares=self._mode)

    def __repr__(self) -> str:
        shown = ", ".join(formats.plain(name, 40) for name in self._names[:8])
        more = f" and {len(self._names) - 8} more" if len(self._names) > 8 else ""
        cases = formats.several(self._predictions.n, "case")
        return f"<PairedPosterior: {shown}{more} on the same {cases}, prior paired {self._prior.name}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>{self._predictions._repr_html_()}"

    # -- what members ask -----------------------------------------------------------------------------------

    def linear(
        self, member: int, coefficients: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None
    ) -> Linear | None:
        """Law of ``shift + sum c_ij p_ij`` of one of two classifiers, on rows that both share; None where drawn."""
        if len(self._names) != 2:
            return None
        size = len(self._predictions.labels)
        index = np.arange(size) if rows is None else np.asarray(rows)
        found = hit_weights(coefficients, index)
        if found is not None:
            hit, base = found
            return self.of_recalls(member, hit, shift + base, rows=rows)
        if size > MOST_CLASSES_EXACT:
            return None
        spread = np.repeat(coefficients, size, axis=1) if member == 0 else np.tile(coefficients, size)
        return Linear.of_parts([Part(self._answers, index, spread)], shift)

    def of_recalls(
        self, member: int, weights: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None
    ) -> Linear | None:
        """Law of ``shift + sum w_i recall_i`` of one of two classifiers, on rows that both share; None where drawn."""
        if len(self._names) != 2:
            return None
        index = np.arange(len(self._predictions.labels)) if rows is None else np.asarray(rows)
        return Linear.of_parts([Part(self._right_or_wrong, index, np.outer(weights, RIGHT[member]))], shift)

    def coin(self, member: int) -> Linear | None:
        """Law of the accuracy of one of two classifiers, one pair of coins a case."""
        if len(self._names) != 2:
            return None
        return Linear.of_parts([Part(self._coins, np.arange(1), RIGHT[member][None])])

    def drawn(self, measures: Sequence[Measure], draws: int, seed: int, stream: int) -> list[list[Floats]]:
        """Joint draws of measures, for each its draws of every classifier; means at the shares of these cases."""
        held = [m for m in measures if m.tested and self._known is None]
        if held:
            there, rest = self.at_prevalence(self._class_shares), [m for m in measures if m not in held]
            pairs = ((held, there.drawn(held, draws, seed, stream)), (rest, self.drawn(rest, draws, seed, stream)))
            found = {m: values for asked, drawn in pairs for m, values in zip(asked, drawn, strict=True)}
            return [found[m] for m in measures]
        missing = [m for m in dict.fromkeys(measures) if (m, draws, seed, stream) not in self._memory]
        if missing:
            parts: dict[Measure, list[list[Floats]]] = {m: [[] for _ in self._names] for m in missing}
            drawn = self._tables(draws, [seed, stream], margins=all(m.metric.by_margins for m in missing))
            for tables in along(drawn, draws, _draws_of):
                for t, table in enumerate(tables):
                    shared: dict[object, Floats] = {}
                    for measure in missing:
                        parts[measure][t].append(measure(table, shared))
            for measure, blocks in parts.items():
                self._memory[measure, draws, seed, stream] = [np.concatenate(b) for b in blocks]
        return [self._memory[m, draws, seed, stream] for m in measures]

    # -- counts ---------------------------------------------------------------------------------------------

    @cached_property
    def right_or_wrong(self) -> NDArray[np.int64]:
        """Cases of each class that both have right, only the first, only the second, neither; shape (K, 4)."""
        return self.both_right_or_wrong(*self._names[:2])

    def both_right_or_wrong(self, first: str, second: str) -> NDArray[np.int64]:
        """The same of any two of the classifiers."""
        truth, answers, counts = self._predictions.patterns(first, second)
        hit = answers == truth[:, None]
        cells = np.zeros((len(self._predictions.labels), 4), dtype=np.int64)
        np.add.at(cells, (truth, 3 - 2 * hit[:, 0] - hit[:, 1]), counts)
        return cells

    # -- inside ---------------------------------------------------------------------------------------------

    @cached_property
    def _members(self) -> list[PairedMember]:
        return [PairedMember(MemberKnowledge(self, i)) for i in range(len(self._names))]

    @cached_property
    def _right_or_wrong(self) -> DirichletRows:
        return DirichletRows(self.right_or_wrong + two_coins(self._prior.a, self._prior.b))

    @cached_property
    def _coins(self) -> DirichletRows:
        return DirichletRows(self.right_or_wrong.sum(axis=0) + two_coins(*self._prior.coin))

    @cached_property
    def _answers(self) -> DirichletRows:
        """Both answers, first times K plus second, of each class."""
        size = len(self._predictions.labels)
        rows = self._prior.row(size)
        mass = rows.sum(axis=1)
        cells = (rows[:, :, None] * rows[:, None, :] / mass[:, None, None]).reshape(size, size * size)
        truth, answers, counts = self._predictions.patterns(*self._names)
        cells[truth, answers[:, 0].astype(np.int64) * size + answers[:, 1]] += counts
        return DirichletRows(cells)

    @cached_property
    def _classes(self) -> list[PairedClass]:
        truth, answers, counts = self._predictions.patterns(*self._names)
        size = len(self._predictions.labels)
        of_class = [truth == i for i in range(size)]
        return [
            PairedClass(
                answers[here].astype(np.int64), counts[here].astype(float), size, i, self._prior.a, self._prior.b
            )
            for i, here in enumerate(of_class)
        ]

    @cached_property
    def _class_shares(self) -> Floats:
        """Class shares of these cases."""
        return self._predictions.confusion(self._names[0]).class_sizes / self._predictions.n

    @cached_property
    def _shares(self) -> Floats:
        size = len(self._predictions.labels)
        return np.asarray(np.bincount(self._predictions.truth, minlength=size) + self._prior.prevalence / size)

    def _tables(self, n: int, seed: Sequence[int], *, margins: bool) -> Iterator[list[Table]]:
        asked = (self._classes, self._shares, self._known, n, seed)
        if not margins:
            yield from map(list, paired_tables(*asked))
            return
        for hits, actual, called in paired_margins(*asked):
            yield [Margins(diagonal, actual, columns) for diagonal, columns in zip(hits, called, strict=True)]


def _draws_of(tables: list[Table]) -> int:
    first = tables[0]
    return len(first.hits if isinstance(first, Margins) else first)


class PairedMember(Posterior):
    """Posterior of one of several classifiers on the same cases; made by `PairedPosterior`.

    Alone it says what `infer` says; differences with another member are paired.
    """

    _knowledge: MemberKnowledge

    def at_prevalence(
        self,
        prevalence: ArrayLike | Mapping[str, float] | None = None,
        *,
        cases: Sequence[int] | Mapping[str, int] | None = None,
    ) -> PairedMember:
        """The same classifier, and with it all others, where the classes come in other shares."""
        moved = self._knowledge.at_prevalence(prevalence, cases=cases)
        return moved.joint[moved.name]


class MemberKnowledge(TableKnowledge):
    """What rooms share of a member: its laws and draws, on the rows that it shares with the others."""

    def __init__(self, joint: PairedPosterior, place: int) -> None:
        confusion = joint.predictions.confusion(joint.names[place])
        super().__init__(confusion, joint.prior, joint._stated, shares=joint._mode)
        self._joint, self._place = joint, place
        self._test_set = joint

    @property
    def joint(self) -> PairedPosterior:
        """All classifiers on these cases."""
        return self._joint

    @property
    def name(self) -> str:
        """Its name among them."""
        return self._joint.names[self._place]

    @property
    def prior_name(self) -> str:
        """What outputs call the prior."""
        return f"paired {self.prior.name}"

    def at_prevalence(
        self,
        prevalence: ArrayLike | Mapping[str, float] | None = None,
        *,
        cases: Sequence[int] | Mapping[str, int] | None = None,
    ) -> MemberKnowledge:
        """The same classifier, and with it all others, where the classes come in other shares."""
        if cases is not None or prevalence is None:
            raise InvalidArgument("classifiers on the same cases take a stated prevalence, such as {'ill': 0.02}")
        return knowledge_of(self._joint.at_prevalence(prevalence)[self.name])

    def linear(self, coefficients: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None) -> Linear | None:
        """Law of ``shift + sum c_ij p_ij`` over the class rows; on rows shared with the other one, where exact."""
        shared = self._joint.linear(self._place, coefficients, shift, rows=rows)
        return super().linear(coefficients, shift, rows=rows) if shared is None else shared

    def of_recalls(
        self, weights: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None
    ) -> Linear | LearnedSum:
        """Law of ``shift + sum w_i recall_i``; on rows shared with the other one, where exact."""
        shared = self._joint.of_recalls(self._place, weights, shift, rows=rows)
        return super().of_recalls(weights, shift, rows=rows) if shared is None else shared

    def coin(self) -> Linear | None:
        """Law of the accuracy as one coin per case."""
        shared = self._joint.coin(self._place)
        return super().coin() if shared is None else shared

    def drawn(self, measures: Sequence[Measure], draws: int, seed: int, stream: int) -> list[Floats]:
        """Draws that move with those of all other members."""
        asked = [self.estimand(m) for m in measures]
        return [values[self._place] for values in self._joint.drawn(asked, draws, seed, stream)]


def separate(posterior: Posterior) -> Posterior:
    """The same counts, prior and stated prevalence as a test set of its own."""
    known = knowledge_of(posterior)
    made = infer(posterior.confusion, posterior.prior, shares=known.mode)
    return made.at_prevalence(known.known_prevalence) if known.prevalence_source == "stated" else made


def hit_weights(coefficients: Floats, index: NDArray[np.int64]) -> tuple[Floats, float] | None:
    """Weight of being right in each class row, and a constant, where all wrong answers of a class count alike."""
    own = np.arange(len(index)), index
    wrong = coefficients.copy()
    wrong[own] = np.nan
    low, high = np.nanmin(wrong, axis=1), np.nanmax(wrong, axis=1)
    return (coefficients[own] - low, float(low.sum())) if np.array_equal(low, high) else None


def two_coins(a: float, b: float) -> Floats:
    """Pseudo-counts of both right, only A, only B, neither: mass a + b on two independent coins of mean a / (a + b)."""
    p = a / (a + b)
    return (a + b) * np.array([p * p, p * (1 - p), (1 - p) * p, (1 - p) ** 2])
