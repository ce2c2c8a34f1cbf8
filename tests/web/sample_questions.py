"""Requests of every verb, one for each thing that can be asked: tests ask them."""

from __future__ import annotations

from typing import Any

__all__ = [
    "BOARD",
    "BOTH",
    "COCAINE",
    "EVERY",
    "NEW",
    "OLD",
    "PAIRED",
    "QUESTIONS",
    "READINGS",
    "SCORES",
    "TABLES",
    "TEN",
    "THREE",
]

COCAINE = {"classes": ["high", "low"], "counts": [[26, 0], [2, 6]]}
NEW = {"classes": ["healthy", "ill"], "counts": [[45, 5], [8, 42]], "positive": "ill"}
OLD = {"classes": ["healthy", "ill"], "counts": [[40, 10], [9, 41]], "positive": "ill"}
THREE = {"classes": ["cat", "dog", "cow"], "counts": [[9, 1, 0], [2, 17, 1], [0, 1, 9]]}
PAIRED = {
    "classes": ["healthy", "ill"],
    "positive": "ill",
    "models": ["new", "old"],
    "cells": [[0, [0, 0], 40], [0, [0, 1], 5], [0, [1, 1], 5], [1, [1, 1], 38], [1, [1, 0], 4], [1, [0, 0], 8]],
}
BOTH = [{"name": "new", "matrix": NEW}, {"name": "old", "matrix": OLD}]
BOARD = [{"name": "a", "correct": 430, "n": 500}, {"name": "b", "correct": 423, "n": 500},
         {"name": "c, d", "correct": 40, "n": 50}]  # fmt: skip
TEN = {
    "classes": [str(i) for i in range(10)],
    "counts": [[40 + i if i == j else (i * j) % 3 for j in range(10)] for i in range(10)],
}
SCORES = {
    "classes": ["healthy", "ill"],
    "cells": [[0.1, 9, 1], [0.2, 8, 1], [0.35, 6, 2], [0.5, 3, 4], [0.7, 1, 7], [0.9, 0, 6]],
}
EVERY = ["densities", "predictive", "frequencies", "replication", "sensitivity"]

#: The four cells of some studies; one has nobody ill.
TABLES = [
    {"name": "Oslo 2001", "tp": 47, "fn": 9, "fp": 101, "tn": 738},
    {"name": "Rome, 2004", "tp": 36, "fn": 3, "fp": 78, "tn": 276},
    {"name": "Kyoto 2010", "tp": 19, "fn": 10, "fp": 12, "tn": 192},
    {"name": "Lima 2015", "tp": 0, "fn": 0, "fp": 2, "tn": 40},
]

#: Texts of items with scores, battles and ratings.
ITEMS = "item,new,old\n" + "".join(f"q{i},{4 + i % 2},{3 + i % 3}\n" for i in range(12))
VOTES = "model_a,model_b,wins_a,wins_b,ties\nx,y,9,5,2\ny,z,8,6,1\nz,x,4,9,3\n"
RATINGS = "item,ann,bob\n" + "".join(f"t{i},{'yn'[i % 2]},{'yn'[i * i % 3 % 2]}\n" for i in range(12))

QUESTIONS: dict[str, dict[str, Any]] = {
    "report": {"verb": "report", "matrix": COCAINE},
    "report, positive named": {"verb": "report", "matrix": {**COCAINE, "positive": "high"}, "kind": "central"},
    "report, all parts": {"verb": "report", "matrix": NEW, "want": EVERY, "thresholds": {"recall@ill": 0.8}},
    "report, decisions": {
        "verb": "report",
        "matrix": NEW,
        "prior": "sensitivity=beta(8,2),specificity=beta(9,1)",
        "want": ["outlook", "cost"],
        "thresholds": {"recall@ill": 0.8},
        "below": {"recall@ill": 0.9, "accuracy": 0.9},
        "outlook": {"metric": "accuracy", "above": 0.8, "more": 100},
        "cost": {"fp": 1, "fn": 5},
    },
    "report, stated share": {"verb": "report", "matrix": NEW, "prevalence": {"label": "ill", "share": 0.02}},
    "report, stated shares": {"verb": "report", "matrix": THREE, "prevalence": [0.2, 0.3, 0.5], "want": EVERY},
    "report, held shares": {"verb": "report", "matrix": THREE, "shares": "test", "metrics": ["f1@macro", "mcc"]},
    "report, chosen sizes": {"verb": "report", "matrix": THREE, "shares": "chosen"},
    "report, other cases": {"verb": "report", "matrix": NEW, "prevalence": {"label": "ill", "cases": 10, "of": 500}},
    "report, metrics": {
        "verb": "report",
        "matrix": THREE,
        "metrics": ["f1@macro", "recall@cow", "mcc"],
        "draws": 4000,
        "seed": 3,
        "level": 0.9,
        "prior": "jeffreys",
    },
    "report, ten classes": {"verb": "report", "matrix": TEN, "draws": 4000},
    "report, odd labels": {
        "verb": "report",
        "matrix": {"classes": ["-a 'b'", 'c, "d"; $(e)', "  blanks  ", "=1+1"], "counts": [[3, 1, 0, 2]] * 4},
    },
    "compare": {"verb": "compare", "classifiers": BOTH, "rope": 0.01},
    "compare, f1": {"verb": "compare", "classifiers": BOTH, "metric": "f1", "kind": "central", "level": 0.8},
    "compare, three classes": {
        "verb": "compare",
        "classifiers": [
            {"name": "v1.2", "matrix": THREE},
            {"name": "- x y", "matrix": {**THREE, "counts": [[8, 2, 0], [2, 18, 0], [1, 1, 8]]}},
        ],
        "metric": "f1@macro",
    },
    "compare, paired": {"verb": "compare", "paired": PAIRED, "metric": "accuracy"},
    "compare, paired f1": {"verb": "compare", "paired": PAIRED, "metric": "f1", "draws": 4000, "rope": 0.02},
    "rank": {"verb": "rank", "entries": BOARD, "prizes": [100, 50.5], "top": 2, "new_test": 400},
    "rank, scores": {
        "verb": "rank",
        "entries": [{"name": "a", "score": "0.850", "n": 200}, {"name": "b", "score": 0.845, "n": 200}],
    },
    "rank, matrices": {"verb": "rank", "classifiers": BOTH, "metric": "mcc"},
    "rank, paired": {"verb": "rank", "paired": PAIRED, "metric": "f1"},
    "plan": {"verb": "plan", "metric": "recall", "width": 0.1, "guess": 0.9},
    "plan, difference": {"verb": "plan", "metric": "accuracy", "difference": 0.05, "guess": 0.8, "assurance": 0.8},
    "plan, paired": {"verb": "plan", "metric": "accuracy", "difference": 0.05, "paired": 0.2},
    "plan, pilot": {"verb": "plan", "metric": "recall", "width": 0.2, "pilot": NEW},
    "plan, rates": {
        "verb": "plan",
        "metric": "precision",
        "width": 0.2,
        "guess": {"recall": 0.9, "specificity": 0.8, "prevalence": 0.3},
    },
    "plan, detect": {"verb": "plan", "metric": "recall", "n": 100, "detect": "difference", "guess": 0.9},
    "plan, chance": {"verb": "plan", "metric": "accuracy", "above": "chance", "guess": 0.8},
    "post-test": {"verb": "post_test", "matrix": NEW, "pre_test": 0.02},
    "post-test, two results": {
        "verb": "post_test",
        "matrix": NEW,
        "pre_test": 0.02,
        "results": ["positive", "negative"],
        "draws": 4000,
    },
    "post-test, a class": {"verb": "post_test", "matrix": THREE, "pre_test": {"cow": 0.2}, "results": ["cow"]},
    "threshold": {"verb": "threshold", "scores": SCORES},
    "threshold, elsewhere": {
        "verb": "threshold",
        "scores": {**SCORES, "positive": "ill"},
        "at": 0.45,
        "curve": "precision_recall",
        "best": "f1",
        "prevalence": 0.1,
        "prior": "jeffreys",
        "level": 0.9,
        "kind": "central",
    },
    "pool": {"verb": "pool", "tables": TABLES},
    "pool, one rate": {"verb": "pool", "tables": TABLES, "metric": "accuracy", "level": 0.9, "kind": "central"},
    "slices": {"verb": "slices", "tables": TABLES},
    "slices, simulated": {
        "verb": "slices",
        "tables": TABLES,
        "metric": "f1@positive",
        "prior": "jeffreys",
        "level": 0.9,
        "seed": 3,
    },
    "post-test, by label": {"verb": "post_test", "matrix": NEW, "pre_test": 0.9, "label": "healthy"},
    "ask, items": {"verb": "ask", "of": "items", "question": "report", "text": ITEMS, "low": 1, "high": 5},
    "ask, two systems": {"verb": "ask", "of": "items", "question": "compare", "text": ITEMS, "a": "old", "b": "new"},
    "ask, votes": {"verb": "ask", "of": "votes", "question": "rank", "text": VOTES, "level": 0.9},
    "ask, ratings": {"verb": "ask", "of": "ratings", "question": "report", "text": RATINGS},
}

#: Texts to be read, an abstract, and a file to be written.
READINGS: dict[str, dict[str, Any]] = {
    "paste": {"verb": "paste", "text": "TP=45 FP=5\nFN=8 TN=42"},
    "import": {"verb": "import", "text": "truth,prediction\nill,ill\nill,well\nwell,well\nwell,well\n"},
    "reconstruct": {
        "verb": "reconstruct",
        "sensitivity": "84.6%",
        "specificity": "90.4%",
        "positives": 26,
        "negatives": 52,
    },
    "reconstruct, by prevalence": {
        "verb": "reconstruct",
        "sensitivity": "90%",
        "specificity": "85%",
        "n": 200,
        "prevalence": "30%",
    },
    "export": {"verb": "export", "of": "report", "ending": ".md", "request": {"matrix": NEW}},
}
