"""Make `diabetes.csv`: two classifiers on 442 patients with diabetes, with their sex and age.

Whether the disease progressed within a year by more than the median of these patients is to be told from nine
measurements (neither sex nor age is one of them); every patient is called by models of ten folds that have not seen
him. The data are those of Efron, Hastie, Johnstone and Tibshirani (Annals of Statistics, 2004, "Least angle
regression"), which scikit-learn ships; the sexes are coded 1 and 2 there, without a word which is which.

    python examples/make_diabetes.py
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

X, progress = load_diabetes(return_X_y=True, scaled=False)
age, sex, measured = X[:, 0], X[:, 1].astype(int), X[:, 2:]
worse = (progress > np.median(progress)).astype(int)
folds = StratifiedKFold(10, shuffle=True, random_state=0)
logistic = cross_val_predict(make_pipeline(StandardScaler(), LogisticRegression()), measured, worse, cv=folds)
tree = cross_val_predict(DecisionTreeClassifier(max_depth=3, random_state=0), measured, worse, cv=folds)

WORD = {0: "stable", 1: "worse"}
band = np.where(age < 40, "under 40", np.where(age < 60, "40 to 59", "60 and over"))
with (Path(__file__).parent / "diabetes.csv").open("w", encoding="utf-8", newline="") as file:
    out = csv.writer(file, lineterminator="\n")
    out.writerow(["id", "y_true", "pred_logistic", "pred_tree", "sex", "age"])
    for row in zip(range(1, len(worse) + 1), worse, logistic, tree, sex, band, strict=True):
        number, truth, one, two, *rest = row
        out.writerow([number, WORD[truth], WORD[one], WORD[two], *rest])
