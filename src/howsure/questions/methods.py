"""The questions as methods of a posterior: each says what it takes and delegates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from howsure.laws import Beta, Kind
from howsure.questions.asked import DRAWS, SEED, Asked
from howsure.questions.frequencies import NaturalFrequencies, natural_frequencies
from howsure.questions.patient import PostTest, single

__all__ = ["Questions"]


class Questions:
    """Methods that every posterior has."""

    def natural_frequencies(
        self: Asked, of: int = 10_000, prevalence: Any = None, *, level: float = 0.95, kind: Kind = "hdi"
    ) -> NaturalFrequencies:
        """What the classifier does to so many people, in whole numbers that add up.

        Parameters
        ----------
        of : int
            Number of people (or samples).
        prevalence : array_like or mapping, optional
            As in `Posterior.at_prevalence`; that of the posterior if left out.
        level, kind : float, "hdi" or "central"
            Of the intervals, which are those of recall and precision, rounded outwards to whole numbers.

        Examples
        --------
        >>> import howsure as hs
        >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
        >>> post.natural_frequencies(1000, {"ill": 0.02})  # doctest: +NORMALIZE_WHITESPACE
        Of 1,000 people: 20 ill, of whom 17 (14 to 19) are found and 3 missed; 980 healthy, of whom 113 are called ill
        by mistake. Of the 130 called ill, 17 (7 to 33) are ill.
        """
        asked = self if prevalence is None else self.at_prevalence(prevalence)
        return natural_frequencies(asked, of, level=level, kind=kind)

    def post_test(
        self: Asked,
        pre_test: float | Beta | Mapping[str, float] | Sequence[float],
        results: str | Sequence[str] | None = None,
        *,
        level: float = 0.95,
        kind: Kind = "hdi",
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
        Probability of ill: 0.02 before, 0.14 (0.06 to 0.25) after positive; 0.0040 (0.0018 to 0.0064) after negative.
        >>> round(post.post_test(0.02, ["positive", "positive"]).after().mean, 2)
        0.54
        """
        return single(self, pre_test, results, level=level, kind=kind, draws=draws, seed=seed)
