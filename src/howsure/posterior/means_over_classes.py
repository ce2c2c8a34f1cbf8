"""Which shares of the classes a number is about: those of this test set, uncertain ones, or chosen ones.

How often a rare class comes is not known from a test set in which it came twice, and no prior on the shares mends that:
with hundreds of rare classes (Zipf) a macro F1 at uncertain shares is covered in 0 to 20 %. The macro F1 of a
benchmark means its own classes as they come there. So under the learned prior means over classes are taken at the class
shares of the test set, and the recalls and errors alone are uncertain.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, NoInformation, excerpt
from howsure.metrics import AVERAGES, Measure
from howsure.metrics.dependence import depends_on_prevalence
from howsure.numerics.arrays import Floats
from howsure.posterior.priors import LearnedPrior, Prior
from howsure.text import formats

__all__ = ["Shares", "class_shares", "few_cases", "held_shares", "is_mean_over_classes", "resolved_shares", "untested"]

#: What the shares of the classes are: ``test``, those of the test set in every mean over classes; ``sampled``,
#: uncertain everywhere, because cases came as they are; ``chosen``, those of the test set everywhere, because somebody
#: chose them.
Shares = Literal["test", "sampled", "chosen"]

#: From this many classes on the learned prior takes means over classes at the shares of the test set.
FEWEST_HELD = 3

#: A class with fewer cases has a share of which next to nothing is known.
FEW_CASES = 4


def resolved_shares(shares: Shares | None, prior: Prior, size: int) -> Shares:
    """What the class shares are, unless it was said: ``test`` under the learned prior from three classes on.

    Raises
    ------
    InvalidArgument
        Another word.

    Examples
    --------
    >>> from howsure.posterior.named_priors import resolve_prior
    >>> resolved_shares(None, resolve_prior("learned", 3), 3), resolved_shares(None, resolve_prior("flat", 3), 3)
    ('test', 'sampled')
    """
    if shares is None:
        return "test" if isinstance(prior, LearnedPrior) and size >= FEWEST_HELD else "sampled"
    if not isinstance(shares, str) or shares not in get_args(Shares):
        raise InvalidArgument(
            "shares= takes 'test' (means over classes at the class shares of the test set), 'sampled' (uncertain ones: "
            "cases came as they are) or 'chosen' (class sizes were chosen, and everything is at theirs); "
            f"not {excerpt(shares)}"
        )
    return shares


def is_mean_over_classes(measure: Measure, size: int) -> bool:
    """Whether a measure is a mean, minimum or maximum over classes of a metric that depends on the prevalence.

    Examples
    --------
    >>> from howsure.metrics import parse
    >>> [is_mean_over_classes(parse(m, "abc"), 3) for m in ("f1@macro", "f1@a", "f1@micro", "recall@weighted", "mcc")]
    [True, False, False, False, False]
    """
    if measure.average not in AVERAGES or measure.average == "micro":
        return False
    # a mean of recalls is balanced accuracy, or weighted_recall, whatever its weights depend on
    return depends_on_prevalence(replace(measure, average=None, label="0", index=0), size)


def held_shares(confusion: ConfusionMatrix, mode: Shares) -> Floats | None:
    """Shares of the test set to hold; None where there is no case. Raises `NoInformation` if they were chosen so."""
    if mode == "chosen" and not confusion.n:
        raise NoInformation("shares='chosen' holds the class sizes as they were chosen, and there is no case at all")
    return class_shares(confusion)


def class_shares(confusion: ConfusionMatrix) -> Floats | None:
    """Share of each class among the cases, shape (K,); None where there is no case."""
    return None if not confusion.n else np.asarray(confusion.class_sizes / confusion.n)


def untested(confusion: ConfusionMatrix) -> int:
    """Number of classes without a case, which a mean at the shares of the test set leaves out."""
    return int(np.count_nonzero(confusion.class_sizes == 0))


def few_cases(confusion: ConfusionMatrix) -> str:
    """What a mean over classes at uncertain shares rests on, where most of them are hardly known; else nothing."""
    few, size = int(np.count_nonzero(confusion.class_sizes < FEW_CASES)), len(confusion.labels)
    if size < FEWEST_HELD or 2 * few < size or not confusion.n:
        return ""
    who = "half" if 2 * few == size else f"{formats.integer(few)} of {formats.integer(size)}"
    return f"{who} of the classes have fewer than {FEW_CASES} cases"
