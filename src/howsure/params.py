"""Every option of the command line, said once: its short form, what stands for its value, bounds, and a sentence.

A line is ``name -short (where) | what stands for it | kind | sentence``; further lines of it are set in. ``where``
tells apart what one name means in several commands. ``*`` in place of a short form is an argument without a name, which
may be left out where what stands for it begins with a bracket. A kind is text where there is none, a switch where
nothing stands for a value, ``number`` (0.02, 2% or 1/50), ``real``, ``names`` (a,b,c), ``choice`` of the words that are
shown or listed, ``integer``, or ``whole`` with bounds that the command line checks; bounds of other kinds the library
checks in sentences of its own, and the page reads them here. Before it stands ``each`` of what may be repeated, behind
it ``required``, or a default; without one a switch is off, and all others are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, cast

__all__ = ["DRAWS", "KIND", "LEVEL", "PARAMETERS", "SEED", "Parameter", "Usual"]


class Usual(str):
    """A word that nobody has said, so that it may mean another one where that is usual.

    Examples
    --------
    >>> KIND == "hdi", isinstance(KIND, Usual), isinstance("hdi", Usual)
    (True, True, False)
    """

    __slots__ = ()


#: Draws of a metric whose law does not close, and their seed.
DRAWS, SEED = 20_000, 0

#: The interval that is meant where none is named.
LEVEL = 0.95
KIND = cast(Literal["hdi", "central"], Usual("hdi"))


class Parameter(NamedTuple):
    """One parameter as users meet it."""

    name: str
    short: str
    where: str
    shown: str
    each: bool
    kind: str
    choices: tuple[str, ...]
    low: float | None
    high: float | None
    required: bool
    default: Any
    sentence: str


TEXT = """
a (cases-so-far) | NAME | | Without --above: classifier A ...
a (compare) | NAME | | Classifier A: a column, or a name in the column model.
a (gate) | NAME | | The candidate's column, where its file has several.
a (plan) | NAME | | The new classifier, in a pilot of several.
a (slices) | NAME | | Of items with scores: the system, where there are several.
above (outlook) | X | number | The threshold, for one classifier.
above (plan) | X|chance | | Goal: show that the metric exceeds X, or chance.
above (report) | X | each number | Also the probability that each metric is above X; may be repeated.
allow-host | NAME | each | Name under which the server is reached; may be repeated.
alpha | P | number = 0.05 | Greatest probability of either wrong decision.
append | FILE | | Add to the counts in this file (JSON); crash-safe, no batch counts twice.
assurance (digits) | P | number = 0.95 | Probability that one more is known after the larger test.
assurance (plan) | P | number = 0.95 | Probability that the test reaches the goal.
at | NUMBERS | | Thresholds to answer at (0.1,0.2 or 10%,20%), in place of all.
b (cases-so-far) | NAME | | ... and classifier B, of those in a file.
b (compare) | NAME | | Classifier B.
b (gate) | NAME | | The baseline's column.
b (plan) | NAME | | The old one.
baseline | FILE | | File of the baseline; not needed with --floor, or --a and --b.
batch | NAME | | Name of the batch for --append; else the files' names, sizes and times.
below (plan) | X | number | Goal: show that it is below X.
below (report) | X | each number | The probability that it is below X; may be repeated.
better | higher|lower | choice = higher | Of scores: which are better.
between | LOW HIGH | each number | The probability that it lies between two numbers; may be repeated.
bibtex | | | BibTeX instead of text.
bins | N | integer = 10 | Bins of the table and of ece; the curve has none.
board | A,B,... | | Goal: settle the top of a leaderboard with these accuracies.
both | N | whole 0 to | Instead of FILE: cases that A and B had right.
both-bad | tie|exclude | choice = tie | Of battles: what a vote that both are bad counts as.
by | COLUMN | each | Column whose values are slices, counted apart; may be repeated.
candidate | FILE | required | File of the candidate, or -.
cases | COUNTS | | Counts of each class in another population, to learn the prevalence from (490,10 or
    healthy=490,ill=10).
classes | K | integer | Classes, without a pilot.
classical (compare) | | | Also McNemar's test on the same cases, exact and corrected.
classical (report) | | | Also confidence intervals and tests of the same counts.
concentration | K | real | Concentration of that Beta.
correct | K | integer | Instead of FILE: so many right answers ...
control | NAME | each | Of battles: hold equal what is no merit, length (columns length_a and length_b), position, or
    another number of both answers (NAME_a, NAME_b); may be repeated.
cost | FILE|COSTS | | What a case costs, for the metric expected_cost: a CSV with the classes, rows truth, columns
    prediction, or of two classes its cells (fp=1,fn=5; the others cost nothing).
csv | | | CSV with every number in full.
curve | | | The metric or the costs at all thresholds, in place of the best one.
cut | week|month|year | choice | With --in-time, dates cut to weeks, months or years.
debug | | | Tracebacks in the log, and the page's files as they are written.
design | SHARES | | Class shares of the test, comma separated, or optimal.
detect | KIND | choice difference|width|above|below | With --n: the best goal of this kind that N cases reach.
diagram | | | The bins as rows, in place of the numbers.
difference | D | number | Goal: see which of two is better that differ by D.
draws | N | integer 100 to 10000000 | Draws, for metrics without a closed form ({usual}, fewer if huge).
draws (fixed) | N | integer 100 to 10000000 = DRAWS | Draws, for metrics without a closed form.
empty | keep|drop|error | | With --strata, a class without a case in a slice: the prior stands for it (keep), its other
    slices do (drop), or it is refused (error).
entries | HOW | choice learned|independent | How entries are taken: learned (a sample from a population learned from the
    board; from three on) or independent (each judged alone).
event | CLASS|confidence | | Of three classes or more: one class, or confidence (the default).
explain | | | Also what the columns mean and what the numbers rest on.
far | range | choice | Of scores: what no item shows may lie at the ends of the range, such as a rare failure.
field | NAME | | The field of other JSON Lines, or the column of a table, that says right or wrong.
file * (agree) | FILE | | item,rater,label: a row a rating; item,ann,bob: a column a rater; - for standard input.
file * (calibration) | FILE | | y_true,probability: a row a case; or y_true,p_cat,p_dog,...; - for standard input.
file * (curve) | FILE | | y_true,score: a row a case; or y_true,p_cat,p_dog,...; - for standard input.
file * (digits) | [FILE] | | A file, or - for standard input; or --correct and --n.
file * (repeats) | FILE | | item,run,correct: a row a run; item,1,2,3: a row an item; or a log; - for standard input.
file * (survey) | FILE | | A file, or - for standard input.
file * (threshold) | FILE | | y_true,score: a row a case; - for standard input.
files * | [FILE]... | each | A file, - for standard input, a folder, a pattern, or files that are one table.
files * (compare) | FILE [FILE] | each | Two files, or one that holds both, or - for standard input; or the parts of one
    table (Parquet).
files * (log) | FILE... | each | Samples of lm-evaluation-harness, logs of Inspect or lighteval, JSON, JSON Lines, or a
    table: item,model_a,model_b or item,model,correct.
files * (outlook) | [FILE]... | each | A file, or - for standard input; or --correct and --n. Two classifiers: one file
    of both, or two.
files * (pool) | FILE... | each | A row a study (study,tp,fn,fp,tn), cases with --site, or a file a site.
files * (rank) | FILE... | each | A leaderboard (name,correct,n or name,score,n), one table of all answers, or a file
    each.
files * (tables) | FILE... | each | CSV, TSV, JSON Lines or Parquet (.gz, .zst), patterns, folders.
figures * | [--METRIC VALUE]... | each | Figures as printed: --accuracy 0.88 --recall 0.90, or recall@cat=0.90; or a
    sentence (or a file with one): 'sensitivity 90%, specificity 85%, 70 diseased, 200 healthy'.
filter | NAME | | The filter of lm-evaluation-harness.
floor | VALUE | number | Least value of the candidate alone.
fn --FN | N | | False negatives: ill and called healthy.
folds | COLUMN | | Column of the fold of a cross-validation, if it is not called fold; counts of several passes are
    divided by the passes.
fp --FP | N | | False positives: healthy and called ill.
group | COLUMN | | Column (of a log: field) of the patient, document or question that a case belongs to, if it is not
    called group.
group-size | M | integer | Cases come in groups of so many: patients, documents.
groups | new|these | choice these|new | About a case from a new group (new; so from 8 groups on), or about new cases of
    the same groups.
guess | VALUE|NAMES | | Supposed value, or recall=0.9,specificity=0.8,prevalence=0.1.
host | ADDRESS | = 127.0.0.1 | Address to listen on.
how-chosen | random|by-verdict|other | choice | With --missing estimate: how the labelled cases were chosen, at random,
    by verdict, or otherwise.
icc | R | number | Correlation of two cases of one group, 0 to below 1.
id | COLUMN | | Column of the case's name, where tables are paired.
id (once) | COLUMN | | Column of the case's name; refused if it comes twice.
in-time | | | Slices in the order of time: whether the last is lower than those before.
item | COLUMN | | Column of the item, task or question.
json | | | JSON with every number in full.
json (count) | | | JSON instead of CSV.
judge | RATES | | Labels in addition to a judge with these rates, recall=0.95,specificity=0.85; with --guess and
    --verdicts.
junit | FILE | | Also write JUnit XML.
k --tries | K | each integer | Runs that pass@k and pass^k are about; repeated for several.
kind (agree) | KIND | choice hdi|central = central | Kind of interval: central or hdi.
kind | KIND | choice hdi|central = KIND | Kind of interval: hdi or central (usual of scores of items and of battles).
label | L | | The true class whose share is asked, of three or more.
label (agree) | COLUMN | | Column of the rating, where a row is a rating (item,rater,label).
labels | A,B,... | names | All classes in order, comma separated.
labels-from | FILE | | A second file with labels of some cases (item,label); FILE may then be a log of an evaluation.
level | P | number 0 to 1 = LEVEL | Probability inside the intervals (0.95 or 95%; so everywhere).
level (certainty) | P | number 0 to 1 = LEVEL | Of the interval, or the certainty of a decision.
looks * | LOOKS | | Cases at which one looks, such as 50,100,200.
margin (agree) | SIZE | number = 0 | How much less the model may agree with the others than a person does.
margin (gate) | SIZE | number = 0 | 0 or more, in units of the metric.
margin (plan) | M | number | Goal: show that the new one is no worse than by M.
margin (survey) | X | number = 0 | How far below 0 informedness must be to deceive.
markdown | | | Markdown for a pull request.
memory | SIZE | | Memory limit, such as 500MB; beyond it the disk is used.
measure * | METRIC | | Any metric, such as recall or f1@macro.
metric -m (agree) | NAME | each | krippendorff_alpha, gwet_ac1 (with weights gwet_ac2), fleiss_kappa, cohen_kappa,
    conger_kappa (three raters or more), brennan_prediger, percent_agreement; repeatable.
metric -m (compare) | NAME | | Metric, such as f1@macro or recall@ill; balanced_accuracy if left out, of judged models
    the share of right answers.
metric -m (curve) | NAME | each | roc_auc, average_precision, tpr@fpr=0.1, fpr@tpr=0.9, partial_auc@fpr=0.2; of more
    classes roc_auc@ovr, roc_auc@ovo, roc_auc@CLASS. May be repeated.
metric -m (gate) | NAME | each | Metric; balanced_accuracy if left out. May be repeated, then all must pass.
metric -m (log) | NAME | | The score to read.
metric -m (one) | NAME | | Metric, such as recall@ill or f1@macro; balanced_accuracy if left out, accuracy where no
    more is known.
metric -m (pool) | NAME | | A share of cases: accuracy, recall@ill, ... Left out: sensitivity and specificity of two
    classes.
metric -m (predict) | NAME | | Of items with scores: the metric.
metric -m (rank) | NAME | | Metric to rank by, such as f1@macro; balanced_accuracy if left out, accuracy where no more
    is known.
metric -m (reconstruct) | NAME | each | Metric of the report; may be repeated.
metric -m (report) | NAME | each | Metric (f1@macro, recall@ill, recall@each); repeatable.
metric -m (slices) | NAME | | Metric of every slice, such as recall@ill; accuracy if left out.
metric -m (threshold) | NAME | | Metric to be best: f1, mcc, ...; balanced_accuracy if left out.
min-prob | P | number = 0.95 | Probability that decides.
missing | error|exclude|wrong|estimate | choice = error | Cases without truth or prediction: error, exclude (noted),
    wrong (no answer, or an answer such as 'inconclusive', counts as an error), or estimate: those without truth count
    by their verdict, and the labelled ones were chosen at random given it.
missing (classifiers) | error|wrong|class|exclude|estimate | choice = error | Without an answer: error, wrong, a class,
    left out; estimate: a judge judged all, people some (item,model,verdict,label).
missing (pool) | POLICY | choice error|wrong|class|exclude|estimate = error | Cases without truth or prediction: error,
    or exclude.
missing (repeats) | error|wrong|class|exclude | choice = error | Runs without a score: error, wrong (the least score),
    class (an outcome of its own), or exclude.
mode (gate) | non-inferiority|superiority|floor | choice | What must be true: not worse by more than the margin, better
    by it, or a floor.
mode (plan) | X | number | Mode of the Beta of the true value.
model | NAME | | Which classifier, where a file holds several.
model (agree) | RATER | | The rater that is a model: is it as good as a person?
model-column | COLUMN | | Column of the classifier, one row a case and classifier.
more (next-labels) | N | integer required | How many cases people can label next.
more (outlook) | N,... | = 100 | Further cases; several numbers, comma separated.
n (cases-so-far) | N | integer | ... of so many.
n (plan) | N | integer | Cases one has: what do they give? Without a goal, the width.
n (predict) | N | | Cases of the new test (100), or of each class (50,50 or healthy=50,ill=50); as now if left out.
n (rank) | N | integer | Cases of every entry, where the file has none.
n (reconstruct) | N | integer | Cases in all.
name * | [NAME] | | One metric, to be explained.
neither | N | whole 0 to | That neither had right.
net-benefit | | | Decision curve: is it worth treating by these probabilities?
new-test | N | integer | Replay the board on a new test set of N cases.
of | N | integer = 10000 | Number of people or samples.
on-inconclusive | warn|fail|pass | choice = warn | Exit status 3 (warn), 1 (fail) or 0 (pass).
only-a | N | whole 0 to | That only A had right.
only-b | N | whole 0 to | That only B had right.
open/--no-open | | | Open the page in a browser.
order | A,B,... | names | With estimate: the verdicts from low to high (fail,unsure,pass).
out -o | FILE | | Write a file instead: .html, .md, .tex, .csv, .json, .txt, .svg, .png or .pdf.
out -o (count) | FILE | | File for the counts: .csv or .json.
outcomes | A,B,... | | All scores that are possible (0,0.5,1).
paired | SHARE | | Same cases for both: share on which only one is right, or correlation=0.6.
pilot | FILE | | A matrix or predictions of an earlier test; for a difference, of both classifiers.
plot | | | Draw the curve, also where the output is no terminal.
points | | | The matrix and all of the usual metrics at each threshold, in place of one.
port | N | whole 0 to 65535 | Port; 8765, or a free one if it is taken; 0: a free one.
positive | CLASS | | The positive one of two classes.
pre-test | P | required | Probability before the test, of the positive class (0.02, 2% or 1/50), or by class
    (a=0.2,b=0.1).
pred | COLUMN | | Column of the answers, in a table of cases.
pred (classifiers) | COLUMN | each | Column of the answers of a classifier; repeated for several.
prevalence | SHARES | | Stated share of the positive class (0.02, 2% or 1/50), shares by name (ill=0.02; the rest is
    shared), of all classes in their order (0.98,0.02), or equal.
prior | PRIOR | | {priors}; or a Beta of every recall, 'beta(2,2)', or of each, 'ill=beta(20,2),healthy=beta(9,1)'.
prior (sensitivity) | NAME | each | Prior to try; may be repeated. The usual ones if left out.
prizes | A,B,... | | Prizes of rank 1, 2, ..., comma separated.
public | | | For everybody: half of most limits, and no import of files.
pyodide | PLACE | required | Folder with a release of Pyodide (what is needed is copied), or its https address.
quantile | P | each number | The quantile at this probability (0.05); may be repeated.
query | SQL | | SQL whose rows are the cases; FILE is a DuckDB database.
range | LOW,HIGH | | The least and the largest possible score (1,5).
rater | COLUMN | each | Column that names the rater; or, repeated, the columns of the raters.
raters | fixed|sample | choice = fixed | Answers are about these raters, or about raters like these (five or more).
repeat | COLUMN | | Column of the run, epoch, attempt or seed, which tells answers to one id apart.
result | R | each | What the test said: positive, negative or a class; repeated for repeats of the test.
rope | SIZE | number | Differences up to this size count as equivalent.
rounding | nearest|truncated | choice = nearest | Whether figures were rounded, or cut.
rows | true|pred | choice | What a row of an undeclared matrix is: true or pred.
rule | | | Print the uncertainty from 10 to 10 million cases, and 2/sqrt(n).
scale | nominal|ordinal|interval|ratio | choice = nominal | What the categories are; in the order of --labels or of
    numbers.
score | COLUMN | | Column of scores; of repeats also of right and wrong.
seed | N | integer 0 to = SEED | Seed of the draws.
separate | | | Do not pair: the test sets are different although ids agree.
set | NAME=RATERS | each | A set of raters (experts=ann,bob); two are compared.
shares | test|sampled|chosen | choice | Shares of the classes: test (means over classes, such as f1@macro, at those of
    this test set; so under prior learned from 3 classes on), sampled (uncertain), or chosen (class sizes were chosen:
    all is at theirs).
shares (reconstruct) | A,B | each | A row of the matrix as shares or per cent of its true class; once a class.
simultaneous | | | Of battles: rank intervals that hold for all models at once.
site | COLUMN | | Column of the site, study or data set of each case, or of each row of published counts: answers are
    about their population, and a new one.
sizes | A,B | | Cases of each class, comma separated; of two: negative,positive.
static | DIR | required | New folder that the files are written to.
strata | WEIGHTS | | Balanced accuracy over class and slice instead; slices weigh the same (equal), as their cases
    (pooled), or as stated (A=2,B=1).
strategy | quantile|uniform | choice = quantile | Bins with as many cases each (quantile), or equally wide (uniform).
strict/--no-strict | | flag = none | Sign test; the default for paired accuracy with margin 0.
table | COUNTS | | Instead of FILE: TP,FN,FP,TN (45,5,8,92), or with --labels one row of counts for each true class
    ('45,5;8,92').
threshold (repeats) | SCORE | real | Scores from here on are right.
threshold (stopping-rule) | X | number required | The rate to compare with.
tn --TN | N | | True negatives.
top | K | integer = 3 | k of P(among the best k).
tp --TP | N | | Instead of FILE: true positives, with --fn, --fp and --tn.
true | COLUMN | | Column of the true class, in a table of cases.
truth | X,... | | True rates to try the rule on, comma separated.
update-baseline | | | If it passes, or has no baseline yet, the candidate becomes it (JSON).
verdicts | COUNTS | | Predictions for unlabelled cases in another population (pass=700,fail=300): the rates of the FILE,
    a calibration, are carried over, and the prevalence there is learned.
verdicts (plan) | N | integer | Cases that the judge has answered.
version | | | Print the version and stop.
voter | COLUMN | | Of battles: column of who voted.
weight | COLUMN | | Column of weights.
weights (agree) | NAME | | How far two categories agree: identity, linear, quadratic, ordinal, ratio, or a file (ones on
    its diagonal); by the scale if left out (ordinal linear, interval quadratic).
weights | NUMBERS | | What the recall of each class weighs (ill=2,healthy=1): class_weighted_accuracy, or with -m
    class_weighted_informedness or class_weighted_markedness (weights 0 to 1).
weights (count) | frequency|effective | choice = frequency | What weights are: numbers of cases, or any (the effective
    number is counted).
width | W | number | Goal: an interval no wider than this.
width (agree) | W | number | Also how many items and raters an interval takes that is no wider than this.
winner | COLUMN | | Of battles: column of the vote.
workers | N | whole 1 to 64 = 1 | Processes.
wrong-labels | E | | Also the range of each metric while so many reference labels, or this share (2%), may be wrong.
"""

_LINE = re.compile(
    r"(\S+)(?: (--?\w+|\*))?(?: \(([\w-]+)\))? \| (.*?) ?\| (each\b)? ?(number|names|whole|integer|real|flag|choice)? ?"
    r"(\w+[|]\S+)? ?(?:(\d+) to ?(\d+)?)? ?(required)?(?:= (\S+))? ?\| (.*)"
)

#: Types of what is no text.
TYPES: dict[str, Callable[[str], Any]] = {"number": float, "real": float, "whole": int, "integer": int}
NAMED = {"LEVEL": LEVEL, "KIND": KIND, "DRAWS": DRAWS, "SEED": SEED}


def _read(line: str) -> Parameter:
    found = _LINE.fullmatch(line)
    assert found is not None, line
    name, short, where, shown, each, kind, words, low, high, required, usual, sentence = found.groups("")
    kind = kind or ("" if shown else "flag")
    choices = tuple((words or shown).split("|")) if kind == "choice" else ()
    first, last = (float(end) if end else None for end in (low, high))
    if usual in NAMED:
        default: Any = NAMED[usual]
    elif kind == "flag":
        default = None if usual else False
    else:
        default = TYPES.get(kind, str)(usual) if usual else None
    return Parameter(
        name, short, where, shown, bool(each), kind, choices, first, last, bool(required), default, sentence
    )


#: By name, and by where it means something else.
PARAMETERS = {(it.name, it.where): it for it in map(_read, re.sub(r"\n    +", " ", TEXT).strip().split("\n"))}
