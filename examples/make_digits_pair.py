"""Make digits_pair.csv: what two classifiers call the same 899 handwritten digits.

The images are those of make_digits.py: the test half of the UCI "Optical recognition of handwritten digits" data as
scikit-learn ships it (Alpaydin and Kaynak 1998), first half against second, with no randomness anywhere.
"""

import csv
from pathlib import Path

from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier

images, digits = load_digits(return_X_y=True)
half = len(digits) // 2
models = {"knn3": KNeighborsClassifier(3), "knn9": KNeighborsClassifier(9)}
answers = [model.fit(images[:half], digits[:half]).predict(images[half:]) for model in models.values()]

with (Path(__file__).parent / "digits_pair.csv").open("w", newline="", encoding="utf-8") as out:
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["id", "y_true", *(f"pred_{name}" for name in models)])
    writer.writerows(zip(range(half, len(digits)), digits[half:], *answers, strict=True))
