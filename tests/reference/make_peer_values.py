"""Point values of PyCM and prob_conf_mat on random matrices, and how far ours differ.

Compares on 1,000 matrices of 2 to 20 classes and prints, for each metric, how many values were compared, the largest
difference, and where only one of the two has a number. Keeps the values of the first 40 in peer_values.json.

Run, in an environment of its own: pip install pycm==4.6 prob_conf_mat==0.4.0 numpy scipy, then
PYTHONPATH=src python tests/reference/make_peer_values.py   (some minutes)
"""

import json
import math
import sys
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
MATRICES, KEPT = 1000, 40

#: Of the kept ones, small for the size of the file.
SIZES = [2, 2, 3, 3, 4, 5, 7, 10] * 4 + [2, 3, 4, 5, 6, 8, 12, 20]

#: Ours in the grammar of metrics: theirs, an attribute. Class-wise ones end in "@".
PYCM = {
    "recall@": "TPR",
    "specificity@": "TNR",
    "precision@": "PPV",
    "negative_predictive_value@": "NPV",
    "false_negative_rate@": "FNR",
    "false_positive_rate@": "FPR",
    "false_discovery_rate@": "FDR",
    "false_omission_rate@": "FOR",
    "f1@": "F1",
    "fbeta(beta=2)@": "F2",
    "fbeta(beta=0.5)@": "F05",
    "informedness@": "BM",
    "markedness@": "MK",
    "positive_likelihood_ratio@": "PLR",
    "negative_likelihood_ratio@": "NLR",
    "diagnostic_odds_ratio@": "DOR",
    "prevalence@": "PRE",
    "bias@": "TOPR",
    "jaccard@": "J",
    "fowlkes_mallows@": "G",
    "lift@": "LS",
    "g_mean@": "GM",
    "yule_q@": "Q",
    "weighted_balanced_accuracy@": "AUC",
    "accuracy": "Overall_ACC",
    "error_rate": "HammingLoss",
    "kappa": "Kappa",
    "mcc": "Overall_MCC",
    "gwet_ac1": "AC1",
    "bennett_s": "S",
    "scott_pi": "PI",
    "krippendorff_alpha": "Alpha",
    "cramer_v": "V",
    "mutual_information": "MutualInformation",
    "theil_u": "RCI",
    "no_information_rate": "NIR",
    "recall@macro": "TPR_Macro",
    "precision@macro": "PPV_Macro",
    "f1@macro": "F1_Macro",
    "specificity@micro": "TNR_Micro",
    "f1@micro": "F1_Micro",
    "weighted_kappa(power=1)": "weighted_kappa 1",
    "weighted_kappa(power=2)": "weighted_kappa 2",
}

#: Ours: theirs, in their syntax.
PROB_CONF_MAT = {
    "recall@": "tpr",
    "specificity@": "tnr",
    "precision@": "ppv",
    "negative_predictive_value@": "npv",
    "false_negative_rate@": "fnr",
    "false_positive_rate@": "fpr",
    "false_discovery_rate@": "fdr",
    "false_omission_rate@": "for",
    "prevalence@": "prevalence",
    "bias@": "model_bias",
    "f1@": "f1",
    "fbeta(beta=3)@": "fbeta+beta=3.0",
    "informedness@": "informedness",
    "markedness@": "markedness",
    "p4@": "p4",
    "jaccard@": "jaccard",
    "positive_likelihood_ratio@": "plr",
    "negative_likelihood_ratio@": "nlr",
    "diagnostic_odds_ratio@": "dor",
    "log_positive_likelihood_ratio@": "log_plr",
    "log_negative_likelihood_ratio@": "log_nlr",
    "log_diagnostic_odds_ratio@": "log_dor",
    "prevalence_threshold@": "pt",
    "precision_gain@": "precision_gain",
    "recall_gain@": "recall_gain",
    "f1_gain@": "f1_gain",
    "fbeta_gain(beta=3)@": "fbeta_gain+beta=3.0",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced_accuracy",
    "adjusted_balanced_accuracy": "balanced_accuracy+adjusted=True",
    "mcc": "mcc",
    "kappa": "kappa",
    "mean_absolute_error": "mae",
    "mean_squared_error": "mse",
    "root_mean_squared_error": "rmse",
    "off_by_one_accuracy": "adjacent_accuracy",
    "weighted_kappa(power=1)": "pwkappa+power=1",
    "weighted_kappa(power=2)": "pwkappa+power=2",
    "f1@macro": "f1@macro",
    "f1@weighted": "f1@weighted",
    "f1@micro": "f1@micro",
    "precision@harmonic": "ppv@harmonic",
    "recall@geometric": "tpr@geometric",
    "jaccard@min": "jaccard@min",
    "jaccard@max": "jaccard@max",
}


def matrices(how_many=MATRICES):
    """Random matrices; every class has cases, every tenth matrix has a class that is never called."""
    rng = np.random.default_rng(2026)
    for i in range(how_many):
        size = SIZES[i] if i < KEPT else 2 + i % 19
        table = rng.poisson(rng.gamma(0.8, 4, (size, size)))
        np.fill_diagonal(table, table.diagonal() + rng.poisson(10, size) + 1)
        if i % 10 == 9:
            table[:, -1] = 0
            table[-1, 0] += 1
        yield table


def by_pycm(table):
    import pycm

    size = len(table)
    rows = {str(i): {str(j): int(table[i, j]) for j in range(size)} for i in range(size)}
    cm = pycm.ConfusionMatrix(matrix=rows)
    values = {}
    for ours, theirs in PYCM.items():
        if theirs.startswith("weighted_kappa"):
            power = int(theirs[-1])
            weights = {str(i): {str(j): abs(i - j) ** power for j in range(size)} for i in range(size)}
            values[ours] = number(cm.weighted_kappa(weights))
        elif ours.endswith("@"):
            found = getattr(cm, theirs)
            values[ours] = [number(found[str(i)]) for i in range(size)]
        else:
            values[ours] = number(getattr(cm, theirs))
    return values


def by_prob_conf_mat(table):
    from prob_conf_mat import Study

    study = Study(seed=0, num_samples=2)
    study.add_experiment("a/a", table.tolist(), confusion_prior=1, prevalence_prior=1)
    for theirs in PROB_CONF_MAT.values():
        study.add_metric(theirs)
    values = {}
    for ours, theirs in PROB_CONF_MAT.items():
        sample = study.get_metric_samples(metric=theirs, experiment_name="a/a", sampling_method="input")
        found = [number(x) for x in np.ravel(sample.values)]
        values[ours] = found if ours.endswith("@") else found[0]
    return values


def number(x):
    """A float with twelve digits; None where it is undefined; infinities as text."""
    if x is None or x == "None" or (isinstance(x, float | np.floating) and math.isnan(x)):
        return None
    return float(f"{x:.12g}") if math.isfinite(x) else str(float(x))


def by_ours(table, name):
    from howsure.metrics import parse

    labels = [str(i) for i in range(len(table))]
    asked = [name + label for label in labels] if name.endswith("@") else [name]
    return [number(parse(one, labels).observed(table)) for one in asked]


def difference(mine, yours):
    """Relative where they are large, absolute where they are small; None where one has no number."""
    if isinstance(mine, str) or isinstance(yours, str) or mine is None or yours is None:
        return 0.0 if mine == yours else None
    return abs(mine - yours) / max(1.0, abs(mine))


def report(seen):
    """Print each metric: values compared, largest difference, answers that only one of the two has."""
    for (peer, ours), pairs in seen.items():
        found = [difference(*pair) for pair in pairs]
        both = [x for x in found if x is not None]
        odd = sorted({(str(a), str(b)) for (a, b), x in zip(pairs, found, strict=True) if x is None})[:3]
        line = f"{peer:<14} {ours:<34} {len(both):>6} compared, largest difference {max(both, default=0):.1e}"
        print(line + (f"; {found.count(None)} others, such as (ours, theirs) {odd}" if odd else ""))  # noqa: T201


def main():
    warnings.simplefilter("ignore")  # both warn of 0/0
    kept, seen = [], defaultdict(list)
    for i, table in enumerate(matrices(int(sys.argv[1]) if len(sys.argv) > 1 else MATRICES)):
        values = {"pycm": by_pycm(table), "prob_conf_mat": by_prob_conf_mat(table)}
        if i < KEPT:
            kept.append({"matrix": table.tolist(), **values})
        for peer, found in values.items():
            for ours, theirs in found.items():
                theirs = theirs if isinstance(theirs, list) else [theirs]
                seen[peer, ours] += zip(by_ours(table, ours), theirs, strict=True)
    report(seen)
    (HERE / "peer_values.json").write_text(json.dumps(kept, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
