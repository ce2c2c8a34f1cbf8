"""Few true labels and many verdicts: coverage and width of ours and of what others do, where the truth is known."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from tests.validation import judge_rivals as rivals
from tests.validation.judged import Floats, Found, Scene, binary, ends, graded, independent, learned, shares_of
from tests.validation.sections import text_of

#: Data sets answered at a time.
BLOCK = 200

JUDGES = {"strict": (0.82, 0.97), "lenient": (0.99, 0.55), "poor": (0.7, 0.65), "near perfect": (0.98, 0.96)}
DESIGNS = ((600, 20, "random"), (5000, 40, "random"), (5000, 120, "random"), (5000, 60, "each"))
TWO = [
    binary(name, share, *rates, cases, labels, design)
    for name, rates in JUDGES.items()
    for share in (0.65, 0.88, 0.93, 0.97)
    for cases, labels, design in DESIGNS
]
TWO_RIVALS = {
    "labels alone": rivals.human,
    "judge alone": rivals.naive,
    "PPI": rivals.ppi,
    "PPI++": rivals.ppi_tuned,
    "truescore": rivals.truescore,
    "Rogan-Gladen": rivals.lang_reiczigel,
    "judgy": rivals.judgy,
}
#: Shares of the verdicts, and share of truth 1 at each.
GRADES: dict[str, tuple[list[float], list[float]]] = {
    "fail, unsure, pass": ([0.25, 0.1, 0.65], [0.06, 0.5, 0.95]),
    "the same, lenient": ([0.04, 0.06, 0.9], [0.1, 0.4, 0.8]),
    "the same, near perfect": ([0.1, 0.04, 0.86], [0.01, 0.6, 0.995]),
    "4, no order": ([0.2, 0.3, 0.3, 0.2], [0.1, 0.8, 0.3, 0.9]),
    "5 stars, sound": ([0.1, 0.15, 0.2, 0.3, 0.25], [0.05, 0.15, 0.5, 0.85, 0.95]),
    "5 stars, lenient": ([0.02, 0.03, 0.1, 0.25, 0.6], [0.05, 0.2, 0.4, 0.65, 0.85]),
    "5 stars, strict": ([0.35, 0.25, 0.2, 0.15, 0.05], [0.4, 0.7, 0.9, 0.95, 1.0]),
    "5 stars, top-heavy": ([0.01, 0.01, 0.02, 0.06, 0.9], [0.2, 0.4, 0.6, 0.85, 0.97]),
    "7, useless": ([1 / 7] * 7, [0.6] * 7),
    "10, S-shaped": ([0.1] * 10, [0.02, 0.04, 0.08, 0.16, 0.29, 0.47, 0.65, 0.8, 0.89, 0.95]),
    "10, top-heavy": (
        [0.005] * 5 + [0.015, 0.03, 0.08, 0.22, 0.63],
        [0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 0.92, 0.98],
    ),
    "10, a step": ([0.06] * 5 + [0.14] * 5, [0.03] * 5 + [0.99] * 5),
}
LABELS = (25, 80, 200)
GRADE_RIVALS = ("labels alone", "PPI++", "PPI++ of pass or fail", "poststratified")


def lines(runs: int) -> Iterator[str]:
    """Two verdicts, several verdicts, and a model's own table that a judge audits."""
    yield from text_of("judges 1")
    yield from two(runs)
    yield from grades(runs)
    yield from audits(runs)


def two(runs: int) -> Iterator[str]:
    """Pass or fail."""
    names = [*TWO_RIVALS, "flat", "ours"]
    yield from text_of(
        "judges 2",
        ", ".join((f"{se:g}/{sp:g}" for se, sp in JUDGES.values())),
        " | ".join(names),
        " --- |" * (len(names) + 1),
    )
    for scene in TWO:
        both = two_verdicts(scene, runs)
        design = "" if scene.design == "random" else ", each"
        yield (
            f"| {scene.name} | {scene.share:g} | {scene.cases:,} | {scene.labels}{design} | "
            + " | ".join(str(both[name]) for name in names)
            + f" | {runs} |"
        )


def two_verdicts(scene: Scene, runs: int) -> dict[str, Found]:
    """All methods on the same data sets."""
    rng = np.random.default_rng([17, *(int(1000 * x) for x in (scene.share, *scene.verdicts[0])), scene.labels])
    labelled, rest = scene.draw(runs, rng)
    score = np.array([0.0, 1.0])
    with np.errstate(all="ignore"):
        made = {name: rival(labelled, rest, score) for name, rival in TWO_RIVALS.items()}
    for name, pseudo in (("flat", 1.0), ("ours", 0.5)):
        made[name] = in_blocks(labelled, rest, lambda some, rng, pseudo=pseudo: independent(some, rng, pseudo), rng)
    return {name: Found.of(both, scene.share) for name, both in made.items()}


def in_blocks(labelled: Floats, rest: Floats, rows, rng: np.random.Generator) -> tuple[Floats, Floats]:  # type: ignore[no-untyped-def]
    """Central interval of ``sum_v q_v r_v`` of every data set."""
    made = []
    for start in range(0, len(rest), BLOCK):
        some, others = labelled[start : start + BLOCK], rest[start : start + BLOCK]
        made.append(ends((shares_of(some.sum(2) + others, rng) * rows(some, rng)).sum(2)))
    low, high = (np.concatenate(x) for x in zip(*made, strict=True))
    return low, high


def grades(runs: int) -> Iterator[str]:
    """Three to ten verdicts, pass or fail truths."""
    runs = max(20, runs // 2)
    names = [*GRADE_RIVALS, "flat", "jeffreys", "learned", "learned, ordered"]
    yield from text_of("judges 3", " | ".join(names), " --- |" * (len(names) + 1))
    for place, name in enumerate(GRADES):
        for labels in LABELS:
            scene = graded(name, *GRADES[name], 3000, labels)
            found = several_verdicts(scene, place, runs)
            yield f"| {name} | {scene.share:.2f} | {labels} | {' | '.join(str(found[n]) for n in names)} | {runs} |"


def several_verdicts(scene: Scene, place: int, runs: int) -> dict[str, Found]:
    """All methods on the same data sets."""
    rng = np.random.default_rng([19, place, scene.labels])
    labelled, rest = scene.draw(runs, rng)
    order = np.arange(scene.size)
    score = order / order[-1]
    with np.errstate(all="ignore"):
        made = {
            "labels alone": rivals.human(labelled, rest, score),
            "PPI++": rivals.ppi_tuned(labelled, rest, score),
            "PPI++ of pass or fail": rivals.ppi_tuned(labelled, rest, (score >= 0.5) * 1.0),
            "poststratified": rivals.poststratified(labelled, rest, score),
        }
    made["flat"] = in_blocks(labelled, rest, lambda some, rng: independent(some, rng, 1.0), rng)
    made["jeffreys"] = in_blocks(labelled, rest, independent, rng)
    made["learned"] = in_blocks(labelled, rest, learned, rng)
    made["learned, ordered"] = in_blocks(labelled, rest, lambda some, rng: learned(some, rng, order), rng)
    return {name: Found.of(both, scene.share) for name, both in made.items()}


# -- a model's own table --------------------------------------------------------------------------------------------

#: Prevalence, sensitivity and specificity of the model, answers, labels.
MODELS = [
    (0.3, 0.8, 0.9, 2000, 100),
    (0.3, 0.85, 0.85, 5000, 200),
    (0.5, 0.8, 0.85, 2000, 100),
    (0.5, 0.85, 0.9, 5000, 100),
    (0.5, 0.82, 0.88, 3000, 200),
]
#: How often the judge is right where the model is right, and where it is wrong.
AUDITORS = {"right in 90%": (0.9, 0.9), "sides with the model": (0.93, 0.72)}


def audits(runs: int) -> Iterator[str]:
    """F1 and recall of a model, the truth from a judge on all cases and from people on some."""
    runs = max(20, runs // 2)
    names = (
        "F1",
        "recall",
        "F1: no order",
        "F1: jeffreys",
        "F1: labels alone",
        "recall: labels alone",
        "F1: judge as truth",
    )
    yield from text_of("judges 4", " | ".join(names), " --- |" * (len(names) + 2))
    for judge, right in AUDITORS.items():
        for prevalence, sens, spec, cases, labels in MODELS:
            found = audited(prevalence, (sens, spec), right, cases, labels, runs)
            narrower = found["F1"].width / found["F1: labels alone"].width
            yield (
                f"| {judge} | {prevalence:g} | {sens:g}/{spec:g} | {cases:,} | {labels} | "
                f"{' | '.join(str(found[n]) for n in names)} | {narrower:.2f} | {runs} |"
            )


def audited(
    prevalence: float, model: tuple[float, float], right: tuple[float, float], cases: int, labels: int, runs: int
) -> dict[str, Found]:
    """One model and one judge; verdicts are pairs, the model's call (0 0 1 1) with the judge's (0 1 0 1)."""
    called = np.array([0, 0, 1, 1])
    judged = np.array([0, 1, 0, 1])
    joint = np.empty((4, 2))
    for truth, share in ((0, 1 - prevalence), (1, prevalence)):
        call = np.where(called == 1, model[0], 1 - model[0]) if truth else np.where(called == 0, model[1], 1 - model[1])
        sure = np.where(called == truth, *right)
        joint[:, truth] = share * call * np.where(judged == truth, sure, 1 - sure)
    scene = Scene("audit", prevalence, tuple(map(tuple, (joint / joint.sum(0)).T)), cases, labels)  # type: ignore[arg-type]
    rng = np.random.default_rng([23, int(100 * prevalence), int(100 * model[0]), int(100 * right[1]), labels])
    labelled, rest = scene.draw(runs, rng)
    truth = {"F1": f1(joint.T[None])[0], "recall": recall(joint.T[None])[0]}
    made: dict[str, list[tuple[Floats, Floats]]] = {}
    for start in range(0, runs, BLOCK):
        some, others = labelled[start : start + BLOCK], rest[start : start + BLOCK]
        q, r = shares_of(some.sum(2) + others, rng), learned(some, rng, called + judged)
        p = np.stack([q * (1 - r), q * r], axis=2)
        for name, rows in (("no order", learned(some, rng)), ("jeffreys", independent(some, rng))):
            made.setdefault(f"F1: {name}", []).append(ends(f1(np.stack([q * (1 - rows), q * rows], axis=2))))
        pairs = some.reshape(len(some), 2, 2, 2).sum(2)  # the model's call and the truth
        alone = rng.standard_gamma(pairs[:, None] + 1.0, (len(some), q.shape[1], 2, 2)).transpose(0, 1, 3, 2)
        total = (some.sum(2) + others).reshape(len(some), 2, 2)  # the model's call and the judge's
        naive = rng.standard_gamma(total[:, None] + 1.0, (len(some), q.shape[1], 2, 2)).transpose(0, 1, 3, 2)
        for name, metric in (("F1", f1), ("recall", recall)):
            made.setdefault(name, []).append(ends(metric(p)))
            made.setdefault(f"{name}: labels alone", []).append(ends(metric(np.repeat(alone, 2, axis=3) / 2)))
            made.setdefault(f"{name}: judge as truth", []).append(ends(metric(np.repeat(naive, 2, axis=3) / 2)))
    joined = {name: tuple(np.concatenate(x) for x in zip(*parts, strict=True)) for name, parts in made.items()}
    return {name: Found.of(both, truth[name.split(":")[0]]) for name, both in joined.items()}  # type: ignore[arg-type]


def f1(p: Floats) -> Floats:
    """F1 of joint tables (..., 2, 4): truth by (call, verdict)."""
    right = p[..., 1, 2:].sum(-1)
    return np.asarray(2 * right / (p[..., 1, :].sum(-1) + p[..., 2:].sum((-1, -2))))


def recall(p: Floats) -> Floats:
    """Recall of the same."""
    return np.asarray(p[..., 1, 2:].sum(-1) / p[..., 1, :].sum(-1))
