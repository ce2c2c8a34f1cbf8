"""Make breast_cancer.csv, breast_cancer_two.csv and wine_scores.csv: what classifiers say of cases they never saw.

breast_cancer.csv: how probable a logistic regression on three features holds it that a tumour is malignant, of every
third case of the Wisconsin diagnostic data (Street, Wolberg and Mangasarian 1993); it was fitted to the others.
breast_cancer_two.csv: the same beside a regression on two of the three features.
wine_scores.csv: probabilities of three cultivars by a naive Bayes classifier on two features of the UCI wine data
(Aeberhard, Coomans and de Vel 1992), of every other case. Both as scikit-learn ships them, with no randomness anywhere.
"""

import csv
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

here = Path(__file__).parent


def write(name, header, rows):
    """Write a table beside this file."""
    with (here / name).open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


data = load_breast_cancer()
features, malignant = data.data[:, [1, 4, 8]], data.target == 0  # texture, smoothness, symmetry
test = np.arange(len(malignant)) % 3 == 0
model = make_pipeline(StandardScaler(), LogisticRegression()).fit(features[~test], malignant[~test])
said = model.predict_proba(features[test])[:, 1]
names = np.where(malignant[test], "malignant", "benign")
write("breast_cancer.csv", ["id", "y_true", "p_malignant"],
      [(i, name, f"{p:.4f}") for i, name, p in zip(np.flatnonzero(test), names, said, strict=True)])  # fmt: skip

two_features = [1, 4]  # texture, smoothness
small = make_pipeline(StandardScaler(), LogisticRegression()).fit(data.data[~test][:, two_features], malignant[~test])
fewer = small.predict_proba(data.data[test][:, two_features])[:, 1]
write("breast_cancer_two.csv", ["id", "y_true", "score_three", "score_two"],
      [(i, name, f"{p:.4f}", f"{q:.4f}") for i, name, p, q in
       zip(np.flatnonzero(test), names, said, fewer, strict=True)])  # fmt: skip

wine = load_wine()
test = np.arange(len(wine.target)) % 2 == 0
model = GaussianNB().fit(wine.data[~test][:, [1, 10]], wine.target[~test])
said = model.predict_proba(wine.data[test][:, [1, 10]])
names = np.array(["barolo", "grignolino", "barbera"])
write("wine_scores.csv", ["y_true", *(f"p_{name}" for name in names)],
      [(names[k], *(f"{p:.4f}" for p in row)) for k, row in zip(wine.target[test], said, strict=True)])  # fmt: skip
