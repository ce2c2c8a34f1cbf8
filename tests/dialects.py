"""One matrix as people copy it, and texts that are none; one corpus for files and for the page."""

from __future__ import annotations

NAMED = ("low", "high")

#: Text, class names, what it says of its rows. The matrix is always that of Toetsch and Hoffmann, truth in rows.
SAME: list[tuple[str, tuple[str, str] | None, str | None]] = [
    ("6\t2\n0\t26", None, None),
    ("6\t2\r\n0\t26\r\n", None, None),
    ("\tlow\thigh\nlow\t6\t2\nhigh\t0\t26", NAMED, None),
    ("true\\pred,low,high\nlow,6,2\nhigh,0,26", NAMED, "true"),
    ("pred\\true;low;high\nlow;6;0\nhigh;2;26", NAMED, "pred"),
    ("low,high\n6,2\n0,26", NAMED, None),
    ("low 6 2\nhigh 0 26", NAMED, None),
    ("low,6,2\nhigh,0,26", NAMED, None),
    ("\t0\t1\n0\t6\t2\n1\t0\t26", ("0", "1"), None),
    ('"a, b",c\n"6",2\n0,26', ("a, b", "c"), None),
    ("[[ 6  2]\n [ 0 26]]", None, None),
    ("array([[ 6,  2],\n       [ 0, 26]], dtype=int64)", None, None),
    ("np.array([[6., 2.], [0., 26.]])", None, None),
    ("cm = [[6, 2], [0, 26]]", None, None),
    ("((6, 2), (0, 26))", None, None),
    ("[6 2; 0 26]", None, None),
    ("M = [6, 2\n 0, 26];", None, None),
    ("6 2\n0 26\n", None, None),
    ('{"classes": ["low", "high"], "counts": [[6, 2], [0, 26]]}', NAMED, None),
    ('{"labels": ["low", "high"], "confusion_matrix": [[6, 2], [0, 26]]}', NAMED, None),
    (
        "\\begin{tabular}{l|rr}\n\\hline\ntrue$\\backslash$pred & low & \\textbf{high} \\\\ \\hline\n"
        "low & 6 & 2 \\\\\nhigh & 0 & 26 \\\\ \\hline\n\\end{tabular}",
        NAMED,
        "true",
    ),
    (
        "\\begin{tabular}{lrrr}\n\\toprule\n & \\multicolumn{2}{c}{Predicted} \\\\ \\cmidrule(lr){2-3}\n"
        "Actual & low & high & Total \\\\ \\midrule\nlow & 6 & 2 & 8 \\\\\nhigh & 0 & 26 & 26 \\\\ \\midrule\n"
        "Total & 6 & 28 & 34 \\\\ \\bottomrule\n\\end{tabular}",
        NAMED,
        "true",
    ),
    ("\\begin{pmatrix} 6 & 2 \\\\ 0 & 26 \\end{pmatrix}", None, None),
    ("          Reference\nPrediction low high\n      low    6    0\n      high   2   26", NAMED, "pred"),
    ("pred   low  high\ntrue            \nlow      6     2\nhigh     0    26", NAMED, "true"),
    ("           so low  not so\nso low          6       2\nnot so          0      26", ("so low", "not so"), None),
    ("| true/pred | low | high |\n|---|---|---|\n| low | 6 | 2 |\n| high | 0 | 26 |", NAMED, "true"),
    (",low,high,Total\nlow,6,2,8\nhigh,0,26,26\nTotal,6,28,34", NAMED, None),
    ("     low high Sum\nlow    6    2   8\nhigh   0   26  26\nSum    6   28  34", NAMED, None),
]  # fmt: skip

#: Text, and words of the sentence that it is refused with.
REFUSED = [
    ("cat", "one column only ('cat')"),
    ("7", "one column only ('7')"),
    ("1 2 3", "one column only ('1 2 3')"),
    ("\\begin{tabular}{r} 7 \\\\ & \\end{tabular}", "two or more classes are needed"),
    ("one word\nand another", "one column only"),
    ("a,b\nx,2\n3,4", "unrecognized header: a, b"),
    ("1,2,3\n3,4,5", "2 lines of 3 numbers; a matrix without names must be square"),
    ("x,low,high\nlow,1,2\nmid,3,4", "rows and columns must be the same classes; of rows only: 'mid', of"),
    ("[[1,2],[3,4]", "a bracket is not closed; copy the whole matrix"),
    ("[1 2; 3 4", "a bracket is not closed"),
    ("[[1 2]\n [3]]", "line 2: 1 cell, where the header in line 1 has 2"),
    ("\n\narray([[1, 2],\n       [3, -4]])", "line 4: row '1' column '1' holds -4"),
    ("[6 2; 0 0.5]", "line 1: row '1' column '1' holds 0.5, a fraction"),
    ("x low high\nlow 6 2\nhigh 0 2.5", "line 3: row 'high' column 'high' holds 2.5, a fraction"),
]
