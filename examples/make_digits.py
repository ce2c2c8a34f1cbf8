"""Make digits.csv: what a naive Bayes classifier calls 899 handwritten digits that it was not trained on.

The images are the test half of the UCI "Optical recognition of handwritten digits" data as scikit-learn ships it
(Alpaydin and Kaynak 1998); the split is the first half against the second, with no randomness anywhere.
"""

import csv
from pathlib import Path

from sklearn.datasets import load_digits
from sklearn.naive_bayes import GaussianNB

images, digits = load_digits(return_X_y=True)
half = len(digits) // 2
predicted = GaussianNB().fit(images[:half], digits[:half]).predict(images[half:])

with (Path(__file__).parent / "digits.csv").open("w", newline="", encoding="utf-8") as out:
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["id", "y_true", "y_pred"])
    writer.writerows(zip(range(half, len(digits)), digits[half:], predicted, strict=True))
