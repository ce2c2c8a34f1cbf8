"""Laws of one uncertain number: exact where it closes, drawn where it must.

::

    Law                     the vocabulary: mean sd support cdf sf pdf quantile median mode interval prob sample
    |-- Linear              a linear functional of independent Dirichlet rows; exact, closed under + - and scaling
    |   |-- Beta            one rate
    |   |-- BetaSum         a weighted, signed sum of independent rates
    |   `-- PairedDifference  two classifiers on the same cases
    |-- LearnedSum          a weighted sum of recalls under the learned prior, closed under + - and scaling
    |-- GroupMeans          a weighted sum of means of populations of groups, closed under + - and scaling
    |-- Student             Student's t: the difference of two algorithms over folds
    |-- Mixture             one of several laws, with known weights
    |-- Extreme             the smallest or the largest of independent rates
    |-- Transformed         a monotone function of any of these: 1 / J, a square root
    |-- BinaryLaw           F1, MCC, precision and the like of a two-class table with an uncertain prevalence
    |-- CarriedPrevalence   a prevalence behind verdicts, with rates of the judge carried over from a calibration
    |-- CountShare              shares of counts, with atoms: what a new test may show
    |   `-- BetaBinomial        of one rate
    `-- Draws               whatever only simulation reaches, with its Monte Carlo error

    Laws                    the same vocabulary for many numbers at once, one a row
    |-- BetaSums            many weighted, signed sums of independent rates
    `-- Betas               many rates
"""

from howsure.laws.draws import BetaBinomial, Companion, CountShare, Draws
from howsure.laws.law import Interval, Kind, Law, Route
from howsure.laws.linear import Beta, BetaSum, DirichletRows, Linear, PairedDifference, Part
from howsure.laws.many import Betas, BetaSums, Intervals, Laws
from howsure.laws.mixture import Mixture
from howsure.laws.population_sums import GroupMeans, LearnedSum
from howsure.laws.rates import BinaryLaw, CarriedPrevalence, Extreme, rank_probabilities
from howsure.laws.transformed import Monotone, Student, Transformed

__all__ = [
    "Beta",
    "BetaBinomial",
    "BetaSum",
    "BetaSums",
    "Betas",
    "BinaryLaw",
    "CarriedPrevalence",
    "Companion",
    "CountShare",
    "DirichletRows",
    "Draws",
    "Extreme",
    "GroupMeans",
    "Interval",
    "Intervals",
    "Kind",
    "Law",
    "Laws",
    "LearnedSum",
    "Linear",
    "Mixture",
    "Monotone",
    "PairedDifference",
    "Part",
    "Route",
    "Student",
    "Transformed",
    "rank_probabilities",
]
