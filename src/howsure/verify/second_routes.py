"""Second routes to a number, written here: sums, quadratures of a few lines, and draws of NumPy's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from math import log, nan, sqrt
from typing import Any

import numpy as np
from scipy import special

from howsure.curves import roc_curve
from howsure.data.confusion import ConfusionMatrix
from howsure.data.predictions import Predictions
from howsure.data.scores import Scores
from howsure.laws import Beta, BetaSum, BinaryLaw, Law, Mixture, PairedDifference
from howsure.laws.law import Kind
from howsure.planning.digits import rule_of_thumb
from howsure.planning.next_labels import stopping_rule
from howsure.planning.sample_size import plan
from howsure.posterior.posterior import Posterior, infer
from howsure.questions.compare import compare
from howsure.questions.gate import gate
from howsure.reporting.stratified import stratified
from howsure.units.pooled import pool
from howsure.verify.known import Check, Checker, accuracies, board, close, same, table, within_draws

#: Draws of each simulation.
RUNS = 40_000
DRAWS = "exact against NumPy's draws"

SIZES = (12, 30)
METRICS: dict[str, Kind] = {"balanced_accuracy": "hdi", "recall@1": "hdi", "accuracy": "central"}

Floats = np.ndarray[Any, np.dtype[np.float64]]
Pair = tuple[float, float]


def short_coverage() -> Iterator[Check]:
    """Intervals and a probability beside what is true; there are some 400 different tables, each with one answer."""
    rng = np.random.default_rng(20_100)
    rates = rng.beta(1, 1, (RUNS, 2))
    right = rng.binomial(SIZES, rates)
    coin = rng.beta(1, 1, RUNS)
    hits = rng.binomial(sum(SIZES), coin)

    @cache
    def known(*right: int) -> Posterior:
        pairs = zip(right, SIZES if len(right) == 2 else (sum(SIZES),), strict=True)
        (first, missed), *rest = [(k, n - k) for k, n in pairs]
        return table([[first, missed], [rest[0][1], rest[0][0]]] if rest else [[first, 0], [missed, 0]], "flat")

    @cache
    def ends(metric: str, *right: int) -> Pair:
        low, high = known(*right).of(metric).interval(0.95, METRICS[metric])
        return low, high

    above = cache(lambda *right: float(known(*right).of("balanced_accuracy").sf(0.6)))
    both = rates.mean(axis=1)
    truths = (("balanced_accuracy", right, both), ("recall@1", right, rates[:, 1]), ("accuracy", hits[:, None], coin))
    for metric, counts, truth in truths:
        low, high = np.array([ends(metric, *each) for each in counts.tolist()]).T
        held = float(((low <= truth) & (truth <= high)).mean())
        what = f"share of 95% intervals ({METRICS[metric]}) that hold the true {metric}"
        yield within_draws(what, held, 0.95, sqrt(0.95 * 0.05), RUNS, "definition; truths of the prior")
    stated = np.array([above(*each) for each in right.tolist()])
    came, mean, sd = float((both > 0.6).mean()), float(stated.mean()), sqrt(float((stated * (1 - stated)).mean()))
    yield within_draws("P(balanced accuracy > 0.6) comes true", came, mean, sd, RUNS, "mean of the stated P")


def on(low: float, high: float, nodes: int) -> tuple[Floats, Floats]:
    """Nodes of Gauss and Legendre between two ends, and their weights."""
    at, weights = np.polynomial.legendre.leggauss(nodes)
    return low + (high - low) * (at + 1) / 2, weights * (high - low) / 2


def density(x: Floats, a: float, b: float) -> Floats:
    """Of Beta(a, b)."""
    return np.asarray(np.exp(special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x) - special.betaln(a, b)))


def mean_below(x: float, one: Pair, two: Pair) -> float:
    """P((s + t) / 2 <= x) of independent Betas: the density of one, times the other's distribution function."""
    low = max(0.0, 2 * x - 1)
    s, weights = on(low, min(1.0, 2 * x), 400)
    inside = float((weights * density(s, *one) * special.betainc(*two, 2 * x - s)).sum())
    return float(special.betainc(*one, low)) + inside


def beats(one: tuple[int, int], two: tuple[int, int]) -> float:
    """P(s > t) of independent Betas with whole parameters, as a finite sum."""
    i = np.arange(one[0])
    logs = special.betaln(two[0] + i, one[1] + two[1]) - np.log(one[1] + i)
    return float(np.exp(logs - special.betaln(1 + i, one[1]) - special.betaln(*two)).sum())


def ahead(new: int, old: int, margin: float) -> float:
    """P(s - t > margin) of two accuracies of 100 cases, flat prior."""
    t, weights = on(0.0, 1.0, 400)
    above = 1 - special.betainc(new + 1, 101 - new, np.clip(t + margin, 0, 1))
    return float((weights * density(t, old + 1, 101 - old) * above).sum())


def best(right: Sequence[int], n: int) -> list[float]:
    """P(best) of each: its density times the distribution functions of the others."""
    x, weights = on(min(right) / n - 0.15, 1.0, 600)
    below = [special.betainc(k + 1, n - k + 1, x) for k in right]
    others = [np.prod([each for j, each in enumerate(below) if j != i], axis=0) for i in range(len(right))]
    return [float((weights * density(x, k + 1, n - k + 1) * it).sum()) for k, it in zip(right, others, strict=True)]


def binomial(n: int, p: float) -> Floats:
    """Probability of each number of n."""
    k = np.arange(n + 1)
    logs = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    return np.asarray(np.exp(logs + special.xlogy(k, p) + special.xlog1py(n - k, -p)))


def narrow_enough(n: int, p: float, width: float) -> float:
    """Probability that the shortest 95% interval of k of n is no wider, of all the ways to leave out 5%."""
    left, k = np.linspace(0, 0.05, 1001)[:, None], np.arange(n + 1)[None, :]
    low = special.betaincinv(k + 1, n - k + 1, left)
    high = special.betaincinv(k + 1, n - k + 1, np.minimum(left + 0.95, 1.0))
    return float(binomial(n, p)[(high - low).min(0) <= width].sum())


def share_below(what: str, drawn: Floats, law: Law, x: float) -> Check:
    """The share of draws below a value beside the distribution function there."""
    p = float(law.cdf(x))
    return within_draws(f"{what} below {x}", float((drawn <= x).mean()), p, sqrt(p * (1 - p)), RUNS, DRAWS)


def _laws() -> Iterator[Check]:
    law = Beta(28, 2)
    low, high = law.interval(0.95, "hdi")
    inside = special.betainc(28, 2, high) - special.betainc(28, 2, low)
    yield close("share that the HDI of Beta(28, 2) holds", inside, 0.95, 1e-9, "the definition of an HDI")
    ratio = (high / low) ** 27 * (1 - high) / (1 - low)
    yield close("density at its high end over its low end", ratio, 1.0, 1e-4, "the definition of an HDI")
    two, quadrature = BetaSum([27, 7], [1, 3]), "quadrature, 400 nodes"
    for x in (0.65, 0.83, 0.95):
        expected = mean_below(x, (27.0, 1.0), (7.0, 3.0))
        yield close(f"mean of Beta(27, 1) and Beta(7, 3) below {x}", two.cdf(x), expected, 1e-9, quadrature)
    three = BetaSum([31, 4, 9], [3, 2, 3])
    drawn = np.random.default_rng(1).beta([31, 4, 9], [3, 2, 3], (RUNS, 3)).mean(1)
    yield within_draws("mean of three Betas", drawn.mean(), three.mean, three.sd, RUNS, DRAWS)
    yield from (share_below("mean of three Betas", drawn, three, x) for x in (0.65, 0.78, 0.88))
    mixed = Mixture([Beta(2, 1), Beta(1, 2)], [0.25, 0.75])
    yield close("mixture of Betas below 1/2", mixed.cdf(0.5), 0.25 * 0.25 + 0.75 * 0.75, 1e-12, "closed form")
    ppv, rng = BinaryLaw("precision", (27, 9), (27, 1), (7, 3)), np.random.default_rng(2)
    share, right, well = rng.beta(27, 9, RUNS), rng.beta(27, 1, RUNS), rng.beta(7, 3, RUNS)
    values = share * right / (share * right + (1 - share) * (1 - well))
    yield within_draws("mean PPV, prevalence uncertain", values.mean(), ppv.mean, ppv.sd, RUNS, DRAWS)


def _comparisons() -> Iterator[Check]:
    for right, other in ((90, 80), (85, 80), (60, 75)):
        expected = beats((right + 1, 101 - right), (other + 1, 101 - other))
        got = compare(*accuracies((right, other), 100), metric="accuracy").p_better
        what = f"P(accuracy of {right} of 100 > of {other} of 100)"
        yield close(what, got, expected, 1e-10, "finite sum of Betas")
    one, other_table = table([[45, 5], [8, 42]], "flat"), table([[40, 10], [9, 41]], "flat")
    p = compare(one, other_table, metric="balanced_accuracy").p_better
    rng = np.random.default_rng(3)
    first, second = rng.beta([46, 43], [6, 9], (RUNS, 2)).mean(1), rng.beta([41, 42], [11, 10], (RUNS, 2)).mean(1)
    share = float((first > second).mean())
    yield within_draws("P(balanced accuracy is higher), separate", share, p, sqrt(p * (1 - p)), RUNS, DRAWS)
    cells = np.random.default_rng(4).dirichlet([61, 13, 6, 24], RUNS)
    law = PairedDifference([61, 13, 6, 24])
    yield share_below("paired difference", cells[:, 1] - cells[:, 2], law, 0.02)
    truth = ["a"] * 50 + ["b"] * 50
    new = ["a"] * 45 + ["b"] * 5 + ["b"] * 40 + ["a"] * 10
    old = ["a"] * 41 + ["b"] * 9 + ["b"] * 36 + ["a"] * 14
    both = Predictions(truth, {"A": new, "B": old, "again": new}, labels=["a", "b"], positive="b")
    made, turned = (compare(both, *names, metric="accuracy", prior="flat") for names in (("A", "B"), ("B", "A")))
    yield close("mean difference, 8 of 100 cases only A right", made.difference.mean, 8 / 102, 1e-12, "8 / (100 + 2)")
    total = made.p_better + turned.p_better + made.p_equal
    yield close("P(B better than A) + P(A better than B)", total, 1.0, 1e-9, "complement")
    equal = compare(both, "A", "again", metric="accuracy").difference.mean
    yield close("mean difference of equal answers to the same cases", equal, 0.0, 1e-12, "symmetry")


def _ranks() -> Iterator[Check]:
    three = (430, 423, 390)
    made = board(three, 500, "independent")
    for i, expected in enumerate(best(three, 500)):
        yield close(f"P(best), {three[i]} of 500 among three", made[i][0], expected, 1e-8, "quadrature, 600 nodes")
        yield close(f"sum of the ranks' probabilities, entry {i + 1}", sum(made[i]), 1.0, 1e-9, "one has one rank")
    two = board((90, 80), 100, "independent")[0][0]
    yield close("P(best) of two is P(better)", two, beats((91, 11), (81, 21)), 1e-9, "finite sum of Betas")


def _plans() -> Iterator[Check]:
    made = plan("recall", width=0.2, guess=0.9, assurance=0.8, classes=2, prior="flat")
    n, source = made.n or 0, "sum over all outcomes"
    missed = [size for size in range(38, 52) if narrow_enough(size, 0.9, 0.2) < 0.8]
    yield same("cases for an interval no wider than 0.2, recall .9", n, max(missed) + 1, source)
    yield close("its assurance", made.assurance, narrow_enough(n, 0.9, 0.2), 1e-9, source)
    row = rule_of_thumb("accuracy", sizes=(100,), prior="flat")[0]
    yield close("rule of thumb at 100 cases", row.rule, 2 / sqrt(100), 1e-12, "2 / sqrt(n), Toetsch and Hoffmann 2021")
    yield close("width at 100 cases, 95% of truths", row.upper, 0.19, 5.1e-3, "Toetsch and Hoffmann 2021, 19 points")
    rule, once = stopping_rule((10, 20), 0.7), binomial(10, 0.7)
    sure = [1 - special.betainc(np.arange(n + 1) + 1, n - np.arange(n + 1) + 1, 0.7) for n in (10, 20)]
    crossed = sure[0] >= rule.certainty
    ends = np.convolve(np.where(crossed, 0.0, once), once)
    wrong = float(once[crossed].sum()) + float(ends[sure[1] >= rule.certainty].sum())
    yield close("wrong stops of two looks at the threshold", rule.wrong, wrong, 1e-10, "sum over all paths")
    yield same("they are at most 5%", rule.wrong <= 0.05, True, "what was asked")


def _gates() -> Iterator[Check]:
    rule = "rule of the gate"
    for new, old, verdict in ((90, 80, "pass"), (82, 80, "inconclusive"), (80, 92, "fail")):
        made = gate(*accuracies((new, old), 100), metric="accuracy")
        expected = beats((new + 1, 101 - new), (old + 1, 101 - old))
        yield close(f"P(pass), {new} against {old} of 100", made.rows[0].p_pass, expected, 1e-9, "finite sum of Betas")
        yield same(f"its verdict at 95%, P = {expected:.3f}", made.verdict, verdict, rule)
    modes: tuple[tuple[Any, float, int], ...] = (("non-inferiority", 0.05, -1), ("superiority", 0.02, 1))
    for mode, margin, sign in modes:
        made = gate(*accuracies((90, 80), 100), metric="accuracy", mode=mode, margin=margin)
        p, what = ahead(90, 80, sign * margin), f"P(pass), {mode}, margin {margin}"
        yield close(what, made.rows[0].p_pass, p, 1e-9, "quadrature, 400 nodes")
        yield same("its verdict", made.verdict, "pass" if p >= 0.95 else "inconclusive", rule)


#: Studies of the AUDIT-C questionnaire (Kriston et al. 2008): tp, fn, fp, tn.
AUDIT_C = (
    (47, 9, 101, 738), (126, 51, 272, 1543), (19, 10, 12, 192), (36, 3, 78, 276), (130, 19, 211, 959), (84, 2, 68, 89),
    (68, 0, 112, 423), (752, 0, 3226, 2977), (59, 5, 55, 136), (142, 50, 571, 2788), (137, 24, 107, 358),
    (57, 3, 103, 437), (34, 1, 21, 56), (152, 51, 88, 264),
)  # fmt: skip


def _sites() -> Iterator[Check]:
    two = {"x": ConfusionMatrix([[5, 1], [2, 9]]), "y": ConfusionMatrix([[15, 1], [2, 19]])}
    made = stratified(two, "equal", prior="flat", kind="central")
    recalls = (6 / 8, 10 / 13, 16 / 18, 20 / 23)
    yield close("mean of two strata, equal weights", made.mean, sum(recalls) / 4, 1e-12, "mean of (k + 1) / (n + 2)")
    drawn = np.random.default_rng(5).beta([6, 10, 16, 20], [2, 3, 2, 3], (RUNS, 4)).mean(1)
    share, sd = float((drawn <= made.low).mean()), sqrt(0.025 * 0.975)
    yield within_draws("draws below its central interval", share, 0.025, sd, RUNS, "closed form against draws")
    tables = [ConfusionMatrix.from_counts(tp=tp, fn=fn, fp=fp, tn=tn) for tp, fn, fp, tn in AUDIT_C]
    pooled = pool(tables, draws=2000).to_dict()["typical"]
    source = "R lme4 1.1-31, maximum likelihood, within its standard error"
    for rate, centre, spread in (("sensitivity", 2.511161, 1.612807), ("specificity", 1.276198, 0.617408)):
        median, error = pooled[rate]["median"], spread / sqrt(len(AUDIT_C))
        what = f"{rate} of 14 studies, log-odds at the median"
        yield close(what, log(median / (1 - median)), centre, error, source)
    turned = [ConfusionMatrix.from_counts(tp=tn, fn=fp, fp=fn, tn=tp) for tp, fn, fp, tn in AUDIT_C]
    p, q = pooled["sensitivity"], pool(turned, draws=2000).to_dict()["typical"]["specificity"]
    both = p["error"] + q["error"]
    yield close("classes exchanged: their rates are exchanged", q["mean"], p["mean"], both, "symmetry; both errors")


def _curves() -> Iterator[Check]:
    truth, values = (1,) * 8 + (0,) * 13, np.random.default_rng(8).integers(0, 9, 21).tolist()
    ill, well = values[:8], values[8:]
    pairs = sum((x > y) + (x == y) / 2 for x, y in product(ill, well)) / (len(ill) * len(well))
    area = roc_curve(Scores(truth, values, positive=1), draws=500).area.observed
    yield close("area of 8 and 13 scores of nine values", area, pairs, 1e-12, "all pairs counted, ties half")


def _judges() -> Iterator[Check]:
    law, rng = BinaryLaw("bias", (1401, 601), (65.5, 7.5), (22.5, 6.5)), np.random.default_rng(6)
    passed = rng.beta(1401, 601, RUNS)
    drawn = passed * rng.beta(65.5, 7.5, RUNS) + (1 - passed) * rng.beta(6.5, 22.5, RUNS)
    what = "share right: 2,000 verdicts, 100 labels, simulated"
    yield within_draws(what, drawn.mean(), law.mean, law.sd, RUNS, DRAWS)
    ratio, rng = BinaryLaw("precision", (430, 222), (232, 33), (55, 28)), np.random.default_rng(7)
    share, one, two = rng.beta(430, 222, RUNS), rng.beta(232, 33, RUNS), rng.beta(28, 55, RUNS)
    drawn = share * one / (share * one + (1 - share) * two)
    yield within_draws("sensitivity, few verified, simulated", drawn.mean(), ratio.mean, ratio.sd, RUNS, DRAWS)
    unlabelled = {"well": 140, "ill": 166}
    known = infer(ConfusionMatrix([[54, 32], [27, 231]], labels=["well", "ill"], unlabelled=unlabelled))
    source = "Drum and Christacopoulos 1972, corrected by Begg and Greenes 1983"
    for metric, printed in (("recall@ill", 0.84), ("recall@well", 0.74)):
        seen = known.of(metric).observed
        yield close(f"{metric} of 344 scans and 306 unverified", nan if seen is None else seen, printed, 5.1e-3, source)


#: The routes of each noun.
ROUTES: dict[str, Checker] = {
    "laws": _laws,
    "comparisons": _comparisons,
    "ranks": _ranks,
    "plans": _plans,
    "gates": _gates,
    "sites and slices": _sites,
    "curves": _curves,
    "judges": _judges,
}
