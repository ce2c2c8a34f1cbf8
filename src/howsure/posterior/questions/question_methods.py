"""The questions as methods of a posterior: each says what it takes and delegates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from howsure.laws import Beta, Kind
from howsure.laws.draw_settings import DRAWS, SEED, affordable, usual_draws
from howsure.laws.law import KIND, LEVEL
from howsure.posterior.priors import Prior
from howsure.posterior.questions.asked import Asked
from howsure.posterior.questions.deception import Informativeness, informativeness
from howsure.posterior.questions.frequencies import NaturalFrequencies, natural_frequencies
from howsure.posterior.questions.patient import PostTest, single
from howsure.posterior.questions.predictive import PredictiveValues, predictive_values
from howsure.posterior.questions.prior_sensitivity import Sensitivity, prior_sensitivity
from howsure.posterior.questions.replication import Prediction, predict

__all__ = ["Questions"]


class Questions:
    """Methods that every posterior has."""

    def natural_frequencies(
        self: Asked,
        of: int = 10_000,
        prevalence: Any = None,
        *,
        level: float = LEVEL,
        kind: Kind = KIND,
        draws: int = DRAWS,
        seed: int = SEED,
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
        draws, seed : int
            For precision where its law does not close.

        Examples
        --------
        >>> import howsure as hs
        >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
        >>> post.natural_frequencies(1000, {"ill": 0.02})  # doctest: +NORMALIZE_WHITESPACE
        Of 1,000 people: 20 ill, of whom 17 (14 to 19) are found and 3 missed; 980 healthy, of whom 113 are called ill
        by mistake. Of the 130 called ill, 17 (7 to 33) are ill.
        """
        asked = self if prevalence is None else self.at_prevalence(prevalence)
        return natural_frequencies(asked, of, level=level, kind=kind, draws=draws, seed=seed)

    def post_test(
        self: Asked,
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
        Probability of ill: 0.02 before, 0.14 (0.06 to 0.25) after positive; 0.0040 (0.0018 to 0.0064) after negative.
        >>> round(post.post_test(0.02, ["positive", "positive"]).after().mean, 2)
        0.54
        """
        return single(self, pre_test, results, level=level, kind=kind, draws=draws, seed=seed)

    def predictive_values(
        self: Asked, label: str | None = None, *, level: float = LEVEL, prevalence: Sequence[float] | None = None
    ) -> PredictiveValues:
        """What a call is worth at every prevalence: probability that it is right, as curves.

        Parameters
        ----------
        label : str, optional
            The class; the positive one of two classes if left out.
        level : float
            Of the central intervals.
        prevalence : sequence of float, optional
            Shares of the class, strictly between 0 and 1; 101 of them, even on the logit scale, if left out.

        Returns
        -------
        PredictiveValues
            ``positive`` and ``negative``: low end, median and high end at each prevalence.

        Examples
        --------
        >>> import howsure as hs
        >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
        >>> post.predictive_values()
        A case called ill is one with probability 0.88 (0.79 to 0.95) where 0.5 of the cases are.
        """
        return predictive_values(self, label, level=level, prevalence=prevalence)

    @property
    def usual_draws(self: Asked) -> int:
        """Draws of a metric without a closed law, when none are asked for."""
        return usual_draws(self.numbers_per_draw)

    @property
    def draws_are_affordable(self: Asked) -> bool:
        """Whether drawing takes a minute or two at most."""
        return affordable(self.numbers_per_draw)

    def predict(
        self: Asked,
        n: int | Sequence[int] | Mapping[str, int] | None = None,
        *,
        level: float = LEVEL,
        kind: Kind = KIND,
        draws: int | None = None,
        seed: int = SEED,
    ) -> Prediction:
        """What a new test of the same classifier would show.

        Parameters
        ----------
        n : int, or K whole numbers, or mapping of label to one
            One number: that many cases as they come, whose classes are random. A number for each class: cases chosen by
            class. Left out: as many cases as there were.
        level, kind : float, "hdi" or "central"
            Of the intervals.
        draws, seed : int
            For metrics without a closed predictive law; 20,000 draws, or fewer (and said) of more than 250 cells.

        Returns
        -------
        Prediction
            ``prediction.of(metric)`` is the law of the value that the new counts will give.

        Notes
        -----
        The counts are Dirichlet-multinomial; one rate of a fixed number of cases is beta-binomial. The variance of a
        replicated rate is (N + n) / n times that of the rate itself, where N counts the old cases and the prior's:
        about 2 for n = N, which is why replications scatter more than intervals suggest (Caelen 2017 reports the
        former; Toetsch and Hoffmann 2021, Figure 2, show both).

        Examples
        --------
        >>> import howsure as hs
        >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
        >>> new = post.predict([50, 50])
        >>> tuple(new.of("recall@ill").interval()), new.of("recall@ill").route
        ((0.68, 0.96), 'exact')
        >>> round(new.of("recall@ill").sd / post.of("recall@ill").sd, 2)
        1.43
        """
        return predict(self, n, level=level, kind=kind, draws=draws, seed=seed)

    def informative(self: Asked, margin: float = 0.0) -> Informativeness:
        """Whether the classifier tells the classes apart, or deceives.

        Parameters
        ----------
        margin : float
            How far from 0 informedness counts as no better than chance, in [0, 1).

        Returns
        -------
        Informativeness
            ``informative``, ``deceptive`` and ``chance``: the probabilities that informedness is above ``margin``,
            below ``-margin``, and in between. They add to 1.

        Notes
        -----
        Informedness of K classes is (K B - 1) / (K - 1) with the balanced accuracy B; for two classes it is TPR + TNR
        - 1 (Toetsch and Hoffmann 2021, section "Informedness"). It is 0 for every classifier that does not look at the
        cases, 1 for a perfect one, and does not depend on the prevalence. Exact.

        Examples
        --------
        >>> import howsure as hs
        >>> known = hs.infer(hs.ConfusionMatrix.from_counts(tp=28, fn=9, fp=4, tn=3)).informative()
        >>> round(known.deceptive, 4)
        0.1427
        """
        return informativeness(self, margin)

    def prior_sensitivity(
        self: Asked,
        metric: str,
        priors: Sequence[str | Prior] | None = None,
        *,
        level: float = LEVEL,
        kind: Kind = KIND,
        draws: int = DRAWS,
        seed: int = SEED,
    ) -> Sensitivity:
        """The same answer under other priors, and how far each moved it.

        Parameters
        ----------
        metric : str
            As in `Posterior.of`.
        priors : sequence of str or Prior, optional
            Flat, Jeffreys, Perks and learned (those that there are) if left out; the posterior's own is always among
            them.
        level, kind : float, "hdi" or "central"
            Of the intervals.
        draws, seed : int
            For metrics without a closed law.

        Examples
        --------
        >>> import howsure as hs
        >>> post = hs.infer(hs.ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"]))
        >>> post.prior_sensitivity("recall@low")
        recall@low is 0.70 to 0.76 under 4 priors, 0.75 on the counts alone; the prior decides 0.42 sd of it.
        """
        return prior_sensitivity(self, metric, priors, level=level, kind=kind, draws=draws, seed=seed)
