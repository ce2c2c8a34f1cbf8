"""Print-outs of one matrix each, with what they hold; one list for files and for the page."""

from __future__ import annotations

from typing import NamedTuple

CARET = """Confusion Matrix and Statistics

          Reference
Prediction healthy ill
   healthy      90   5
   ill          10  45

               Accuracy : 0.9
                 95% CI : (0.8404, 0.9429)
"""
WEKA = """=== Confusion Matrix ===

  a  b   <-- classified as
 90 10 |  a = healthy
  5 45 |  b = ill
"""
HTML = """<table><tr><th>true\\pred</th><th>healthy</th><th>ill</th></tr>
<tr><th>healthy</th><td>90</td><td>10</td></tr><tr><th>ill</th><td>5</td><td>45</td></tr></table>
"""
STATA = """           |       pred
     truth |       neg        pos |     Total
-----------+----------------------+----------
       neg |        45          5 |        50
       pos |         8         42 |        50
-----------+----------------------+----------
     Total |        53         47 |       100
"""
SPSS = (
    "\t\tPredicted\t\t\n\t\tneg\tpos\tPercentage Correct\nObserved\tneg\t45\t5\t90.0\n\tpos\t8\t42\t84.0\n"
    "\tOverall Percentage\t\t\t87.0\n"
)
H2O = """       neg pos    Error      Rate
neg     45   5 0.100000   =5/50
pos      8  42 0.160000   =8/50
Totals  53  47 0.130000 =13/100
"""
JULIA = "2\u00d72 Matrix{Int64}:\n 45   5\n  8  42\n"
TENSORS = (
    "tf.Tensor(\n[[45  5]\n [ 8 42]], shape=(2, 2), dtype=int32)\n",
    "<tf.Tensor: shape=(2, 2), dtype=int32, numpy=\narray([[45,  5],\n       [ 8, 42]], dtype=int32)>\n",
)
REPORT = """              precision    recall  f1-score   support

     healthy       0.85      0.90      0.87        50
    very ill       0.89      0.84      0.87        50

    accuracy                           0.87       100
   macro avg       0.87      0.87      0.87       100
weighted avg       0.87      0.87      0.87       100
"""

#: Four counts in the words and signs of Python and of prose: 45 true and 5 false positives, 8 and 42 negatives.
FOUR = {
    "a dict": "{'TP': 45, 'FP': 5, 'FN': 8, 'TN': 42}",
    "a named dict": "counts = {'TP': 45, 'FP': 5,\n  'FN': 8, 'TN': 42}",
    "a call of dict": "dict(tp=45, fp=5, fn=8, tn=42)",
    "JSON": '{"tp": 45, "fp": 5, "fn": 8, "tn": 42}',
    "an unpacked matrix": "tn, fp, fn, tp = 42, 5, 8, 45",
    "with brackets": "(tn, fp, fn, tp) = (42, 5, 8, 45)",
    "as an array prints": "tn, fp, fn, tp = [42  5  8 45]",
    "words": "true positives 45, false positives 5, false negatives 8, true negatives 42",
    "a sentence": "True positives 45, false positives 5, false negatives 8 and true negatives 42.",
    "lines": "true positive 45\nfalse positive 5\nfalse negative 8\ntrue negative 42",
}
#: Counts with their shares: 42, 5, 8, 45.
SHARED = {
    "count (share)": "\thealthy\till\nhealthy\t42 (89%)\t5 (11%)\nill\t8 (15%)\t45 (85%)\n",
    "a comma": "\thealthy\till\nhealthy\t42 (89,4%)\t5 (10,6%)\nill\t8 (15,1%)\t45 (84,9%)\n",
    "count/n (share)": "\thealthy\till\nhealthy\t42/47 (89%)\t5/47 (11%)\nill\t8/53 (15%)\t45/53 (85%)\n",
    "share (count)": "\thealthy\till\nhealthy\t89.4% (42)\t10.6% (5)\nill\t15.1% (8)\t84.9% (45)\n",
}
PERCENT = "true\\pred,healthy,ill,n\nhealthy,90%,10%,50\nill,16%,84%,50\n"
OVER = "true\\pred,healthy,ill\nhealthy,45/50,5/50\nill,8/50,42/50\n"
OF_CASES = "sensitivity 84% (42/50), specificity 90% (45/50)"


class PrintOut(NamedTuple):
    """A text, its counts with the truth in rows, its class names if any, and whether it says what rows are."""

    text: str
    counts: list[list[int]]
    names: list[str] | None
    says: bool


_HERE, _MOST, _MIX = [[45, 5], [8, 42]], [[90, 10], [5, 45]], [[42, 5], [8, 45]]
_SICK, _NEG, _CELLS = ["healthy", "ill"], ["neg", "pos"], ["negative", "positive"]


def _thousands(sign: str) -> PrintOut:
    text = f"true\\pred\ta\tb\na\t1{sign}234\t10\nb\t5\t2{sign}045\n"
    return PrintOut(text, [[1234, 10], [5, 2045]], ["a", "b"], True)


PRINT_OUTS: dict[str, PrintOut] = {
    "caret": PrintOut(CARET, _MOST, _SICK, True),
    "Weka": PrintOut(WEKA, _MOST, _SICK, True),
    "HTML": PrintOut(HTML, _MOST, _SICK, True),
    "Stata": PrintOut(STATA, _HERE, _NEG, True),
    "SPSS": PrintOut(SPSS, _HERE, _NEG, True),
    "H2O": PrintOut(H2O, _HERE, _NEG, True),
    "Julia": PrintOut(JULIA, _HERE, None, False),
    "TensorFlow": PrintOut(TENSORS[0], _HERE, None, False),
    "TensorFlow in a list": PrintOut(TENSORS[1], _HERE, None, False),
    "scikit-learn's array": PrintOut("array([[45,  5],\n       [ 8, 42]])", _HERE, None, False),
    "NumPy": PrintOut("[[45  5]\n [ 8 42]]", _HERE, None, False),
    "MATLAB": PrintOut("C = [45 5; 8 42];", _HERE, None, False),
    "lists of JSON": PrintOut("[[45, 5], [8, 42]]", _HERE, None, False),
    "JSON with names": PrintOut('{"classes": ["neg", "pos"], "counts": [[45, 5], [8, 42]]}', _HERE, _NEG, False),
    "R table": PrintOut("     truth\npred  neg pos\n  neg  45   8\n  pos   5  42\n", _HERE, _NEG, True),
    "pandas crosstab": PrintOut("pred  neg  pos\ntrue          \nneg    45    5\npos     8   42\n", _HERE, _NEG, True),
    "pandas crosstab with margins": PrintOut(
        "pred  neg  pos  All\ntrue               \nneg    45    5   50\npos     8   42   50\nAll    53   47  100\n",
        _HERE, _NEG, True,
    ),
    "LaTeX": PrintOut(
        "\\begin{tabular}{lrr}\n\\toprule\nTrue\\textbackslash Predicted & neg & pos \\\\\n\\midrule\n"
        "neg & 45 & 5 \\\\\npos & 8 & 42 \\\\\n\\bottomrule\n\\end{tabular}",
        _HERE, _NEG, True,
    ),
    "Markdown": PrintOut(
        "| true/pred | neg | pos |\n| --- | ---: | ---: |\n| neg | 45 | 5 |\n| pos | 8 | 42 |\n", _HERE, _NEG, True
    ),
    "a spreadsheet": PrintOut("\tneg\tpos\r\nneg\t45\t5\r\npos\t8\t42\r\n", _HERE, _NEG, False),
    "a spreadsheet with totals": PrintOut(
        "true\\pred\tneg\tpos\tTotal\r\nneg\t45\t5\t50\r\npos\t8\t42\t50\r\nTotal\t53\t47\t100\r\n", _HERE, _NEG, True
    ),
    "numbers of a spreadsheet": PrintOut("45\t5\r\n8\t42\r\n", _HERE, None, False),
    "CSV": PrintOut("pred\\true,neg,pos\nneg,45,8\npos,5,42\n", _HERE, _NEG, True),
    "test by disease": PrintOut(
        "\tDisease +\tDisease -\nTest +\t42\t5\nTest -\t8\t45\n", _HERE, _CELLS, True
    ),
    "TP=..": PrintOut("TP=42 FP=5 FN=8 TN=45", _HERE, _CELLS, True),
    "TP FP FN TN": PrintOut("TP FP FN TN\n42 5 8 45\n", _HERE, _CELLS, True),
    "1,234": _thousands(","),
    "1.234": _thousands("."),
    "1 234": _thousands("\u202f"),
    "1'234": _thousands("'"),
    "percentages and n": PrintOut(PERCENT, _HERE, _SICK, True),
    "45/50": PrintOut(OVER, _HERE, _SICK, True),
    "sensitivity 42/50": PrintOut(OF_CASES, _HERE, _CELLS, True),
    "classification report": PrintOut(REPORT, _HERE, ["healthy", "very ill"], True),
    **{f"four counts, {name}": PrintOut(text, _MIX, _CELLS, True) for name, text in FOUR.items()},
    **{f"shares beside counts, {name}": PrintOut(text, _MIX, _SICK, False) for name, text in SHARED.items()},
}  # fmt: skip
