"""The words of files: which mean truth, which prediction, which that a value is missing; and how a cell is cleaned."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from howsure.data.labels import one_spelling
from howsure.text.formats import unguarded

Role = Literal["true", "pred"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: The words of each kind, by name; what each means is said there.
_LINES = Path(__file__).with_name("words.txt").read_text(encoding="utf-8").splitlines()
_TABLE = {name: _words(words) for name, _, words in (line.partition(" = ") for line in _LINES) if words}
(
    TRUE, ABROAD_TRUE, ABROAD_PRED, ELSE_TRUE, HUMAN, VERDICT, PRED, COUNT, MAYBE_COUNT, MODEL, MAYBE_MODEL, OUTCOME,
    WHOLES, RATERS, RATING, TIES, WINNER, LOSER, VOTER, PROMPT, LENGTH, ANSWER, FILLER, TOTALS, TOTALS_OR_CLASS,
    UNLABELLED, OF_TRUTH, OF_TEST, POSITIVE, NEGATION, BESIDE, AGREED, ORIGIN, PASSED, TRIED, NAME, CORRECT, SCORE,
    ASKED, OTHER_SCORE, WRONG_ANSWERS, PLACE, METRIC, ABSTENTIONS,
) = (_TABLE[name] for name in (
    "TRUE", "ABROAD_TRUE", "ABROAD_PRED", "ELSE_TRUE", "HUMAN", "VERDICT", "PRED", "COUNT", "MAYBE_COUNT", "MODEL",
    "MAYBE_MODEL", "OUTCOME", "WHOLES", "RATERS", "RATING", "TIES", "WINNER", "LOSER", "VOTER", "PROMPT", "LENGTH",
    "ANSWER", "FILLER", "TOTALS", "TOTALS_OR_CLASS", "UNLABELLED", "OF_TRUTH", "OF_TEST", "POSITIVE", "NEGATION",
    "BESIDE", "AGREED", "ORIGIN", "PASSED", "TRIED", "NAME", "CORRECT", "SCORE", "ASKED", "OTHER_SCORE",
    "WRONG_ANSWERS", "PLACE", "METRIC", "ABSTENTIONS",
))  # fmt: skip
TRUE |= ABROAD_TRUE
#: Words of the four cells of a matrix of two classes.
CELLS = {cell: _TABLE[cell.upper()] for cell in ("tp", "fn", "fp", "tn")}
#: Beginnings of the columns of one of several models under a judge: its verdict, and what people say.
VERDICT_OF, LABEL_OF = ("verdict_", "judge_"), ("label_", "human_")
PRED |= ABROAD_PRED
#: Of SAS, which calls the two columns so and no other way.
FROM_INTO: dict[str, Role] = {"_from_": "true", "_into_": "pred"}
_OF_COUNT = re.compile(r"(count|counts|number|num|sum)_(of_)?.+|.+_counts?")
#: The other parts that a column plays, and the words for each; declared here and nowhere else.
PARTS: dict[str, frozenset[str]] = {
    "count": COUNT, "model": MODEL | {"name"}, "id": _TABLE["ID"], "fold": _TABLE["FOLD"], "repeat": _TABLE["REPEAT"],
    "group": _TABLE["GROUP"], "weight": _TABLE["WEIGHT"],
}  # fmt: skip
#: Columns of repeats: what was asked, which time, and whether it was right or what it scored.
ITEM = PARTS["id"] | _words("task task_id question problem prompt doc_hash testidx test_idx test_case")
#: How the names of columns end that name a row, a case or a question in some program.
OF_A_KEY = ("id", "idx", "hash", "uuid", "guid", "key", "index")
RUN = PARTS["fold"] | PARTS["repeat"] | {"repetition", "attempt", "trial", "try", "sample"}

RIGHT, WRONG = "right", "wrong"
#: What people write of an answer, in small letters.
MARKS = dict.fromkeys(["right", "correct", "pass", "passed", "yes", "y", "good", "true", "1", "c", *"✓✔✅"], RIGHT)
MARKS |= dict.fromkeys(["wrong", "incorrect", "fail", "failed", "no", "n", "bad", "false", "0", "i", *"✗✘❌"], WRONG)
MARKS |= {"accept": RIGHT, "reject": WRONG}
#: What several cases may have in common, which makes them fewer than they look; said, not supposed.
UNITS = frozenset(unit + end for unit in _TABLE["UNIT"] for end in ("", "_id"))
RATERS |= {f"{word}_id" for word in RATERS}
#: Of battles: the two models, who won, or the wins of each; who voted, on what.
_SIDE = "model_{0} model{0} {0}_model system_{0} system{0} assistant_{0} player_{0} player{0} {0} llm_{0}"
_WON = "winner_model_{0} wins_{0} {0}_wins wins{0} win_{0} {0}_win winner_{0}"
FIRST_MODEL, SECOND_MODEL = (
    _words(" ".join(_SIDE.format(side) for side in sides))
    for sides in (("a", "1", "left", "first"), ("b", "2", "right", "second"))
)
FIRST_WINS, SECOND_WINS = (_words(" ".join(_WON.format(side) for side in sides)) for sides in ("a1", "b2"))
VOTER |= {f"{word}_id" for word in VOTER}
#: Names that are never those of a classifier, whatever its column holds.
RESERVED = _words("item group run verdict label").union(ORIGIN, *PARTS.values())

_SCORE = re.compile(
    r"(y_)?(scores?|p|pr|phat|probs?|proba|probability|probabilities|confidence|p\d+|pre_\d+|ip_[^_]+)([_ (].*)?"
)
#: How the names of scores end that begin with something else.
_ENDS_AS_SCORE = re.compile(r".+[_(](scores?|probs?|proba|probability|probabilities|confidence|conf)\)?")

#: A cell that says no class. The lower-case "none" is not among them: it is the name of a class ("none, mild, severe").
MISSING = _words("NaN nan NAN NA N/A n/a #N/A <NA> NaT null NULL Null None") | {""}
#: Signs that say it as well where there are classes beside them: "-" beside "+" is a class.
GAPS = frozenset("-?.")
#: What a spreadsheet writes in place of a value that it could not compute: no class, and no missing one either.
SHEET_ERRORS = frozenset(
    f"#{word}" for word in ("REF!", "DIV/0!", "VALUE!", "NAME?", "NUM!", "NULL!", "SPILL!", "CALC!", "BEZUG!", "WERT!")
)


#: Beginnings of the column of one classifier of several.
PREDICTION_OF = ("y_pred_", "pred_", "predicted_", "prediction_")
#: What else may stand before the word for a score.
SCORE_OF = (*PREDICTION_OF, "scored_")

#: Scores of one item by their names: those between 0 and 1 (or 100), and those of which lower is better.
_BOUNDED = re.compile(
    r"(n?dcg|map|mrr|ap|recall|precision|p|r|hits?|hit_rate|success|ndcg_cut|recip_rank|rprec|bpref|average_precision|rr"
    r"|dice|iou|jaccard|f1|f1_score|accuracy|rouge_?[12ls]*|rouge_?lsum|meteor|s?bleu|sacrebleu|chrf)(\+\+)?([@_]\d+)?"
)
_LOWER = re.compile(r"wer|cer|ter|mer|word_error_rate|char(acter)?_error_rate")


def usual_range(
    name: str, least: float = 0.0, most: float = 1.0
) -> tuple[Literal["higher", "lower"], tuple[float, float]] | None:
    """Better direction and range of a score that has a name of its own, where its values are inside; else None.

    Examples
    --------
    >>> usual_range("nDCG@10"), usual_range("WER"), usual_range("score")
    (('higher', (0.0, 1.0)), ('lower', (0.0, inf)), None)
    >>> usual_range("BLEU", 2.0, 31.5)
    ('higher', (0.0, 100.0))
    """
    word = re.sub(r"[\s-]+", "_", name.strip().casefold())
    if least >= 0 and _LOWER.fullmatch(word):
        return "lower", (0.0, float("inf"))
    if least >= 0 and most <= 100 and _BOUNDED.fullmatch(word):
        return "higher", (0.0, 1.0 if most <= 1 else 100.0)
    return None


# -- totals and the two sides of a printed table -----------------------------------------------------------------


#: Words beside a class that say whether it is the true or the predicted one ("predicted ill", "ill (actual)").
SAID_TRUE = _words("true truth truly actual actually reference gold") | ABROAD_TRUE
SAID_PRED = _words("pred predicted prediction estimated estimate classified") | ABROAD_PRED

#: Words that say of the rows of a matrix what they are from its corner cell.
OF_CORNER = SAID_TRUE | SAID_PRED | _words("expected observed ground_truth y_true y_pred y_test")

#: What detectors call the place where there is nothing.
BACKGROUND = "background"


#: Single letters, which are words only before a sign: T+ by D-.
LETTERS = {"t": "test", "d": "disease"}

NEGATIVE = NEGATION | _TABLE["NEGATIVE"]


def word_of(text: str) -> str:
    """Header cell as one lower-case word: blanks, hyphens, points and capitals within it become underscores.

    Examples
    --------
    >>> word_of(" Ground Truth "), word_of("trueLabel"), word_of("prob.ill")
    ('ground_truth', 'true_label', 'prob_ill')
    """
    apart = re.sub(r"(?<=[a-z]{2})(?=[A-Z])", "_", text.strip())
    return re.sub(r"[\s\-_.]+", "_", apart.casefold()).strip("_")


def role(text: str) -> Role | None:
    """Truth or prediction, if the words say so.

    Examples
    --------
    >>> role("Actual class"), role("predicted label"), role("Label"), role("sepal length")
    ('true', 'pred', 'true', None)
    """
    if (exact := text.strip().casefold()) in FROM_INTO:
        return FROM_INTO[exact]
    word = word_of(re.sub(r"^(predict\w*) ?\(.*\)$", r"\1", text.strip(), flags=re.IGNORECASE))
    kept = "_".join(part for part in word.split("_") if part not in FILLER)
    for candidate in (word, word.removesuffix("s"), kept, kept.removesuffix("s")):
        if candidate in TRUE:
            return "true"
        if candidate in PRED:
            return "pred"
    return None


def is_score(text: str, *, plainly: bool = False) -> bool:
    """Whether a column is a score or a probability by its name; ``plainly`` where it begins with a word for it.

    Examples
    --------
    >>> is_score("p_ill"), is_score("pred_proba"), is_score("share"), is_score("AI score")
    (True, True, False, True)
    >>> is_score("AI score", plainly=True)
    False
    """
    word = word_of(text)
    if not plainly and _ENDS_AS_SCORE.fullmatch(word):
        return True
    return any(_SCORE.fullmatch(word.removeprefix(start)) is not None for start in ("", *SCORE_OF))


def is_rater(text: str) -> bool:
    """Whether a column is called for a rater.

    Examples
    --------
    >>> is_rater("Rater 1"), is_rater("annotator_ann"), is_rater("reader2"), is_rater("judged"), is_rater("rating")
    (True, True, True, False, False)
    """
    return any(word_of(text) == word or re.fullmatch(rf"{word}(_\w+|\d+)", word_of(text)) for word in RATERS)


def names_a_case(text: str) -> bool:
    """Whether a column names cases or rows by its own name.

    Examples
    --------
    >>> names_a_case("Question ID"), names_a_case("Unnamed: 0"), names_a_case("paid")
    (True, True, False)
    """
    word = word_of(text)
    if not word or word in PARTS["id"] or word.startswith(("unnamed:", "index_level_")):
        return True
    return word.endswith(("_id", "_index")) and not word.startswith(("count_", "number_"))


def may_count(text: str) -> bool:
    """Whether a column may hold counts by its name, if its numbers show it.

    Examples
    --------
    >>> may_count("Count of id"), may_count("value"), may_count("case_count"), may_count("age")
    (True, True, True, False)
    """
    word = word_of(text)
    return word in MAYBE_COUNT or _OF_COUNT.fullmatch(word) is not None


def bare_name(column: str) -> str:
    """Name of a classifier from its column: without ``pred_``.

    Examples
    --------
    >>> bare_name("pred_new"), bare_name("model_a")
    ('new', 'model_a')
    """
    return classifier_of(column) or column


def classifier_of(cell: str) -> str | None:
    """Name behind ``pred_``, with its own spelling; None for scores such as ``pred_proba``, and for ``pred_id``."""
    for beginning in PREDICTION_OF:
        if cell.lower().startswith(beginning) and len(cell) > len(beginning):
            name = cell[len(beginning) :]
            return None if is_score(name) or names_a_case(name) or word_of(name) in OUTCOME else name
    return None


def may_answer(text: str) -> bool:
    """Whether a column beside the truth may be a classifier by its name: no id, no score, no word of another part.

    Examples
    --------
    >>> may_answer("forest"), may_answer("site"), may_answer("question_id"), may_answer("p_ill")
    (True, False, False, False)
    """
    return word_of(text) not in RESERVED and role(text) is None and not names_a_case(text) and not is_score(text)


def corner_rows(text: str) -> Role | None:
    r"""Read what the rows are from the corner cell of a matrix; None if it does not say.

    Examples
    --------
    >>> corner_rows(r"true\pred"), corner_rows("Predicted / Actual"), corner_rows("cases")
    ('true', 'pred', None)
    """
    sides = [role(side) for side in re.split(r"[\\/|]", text)]
    if len(sides) != 2:
        return None
    if "\\" in text and "true" in sides and None in sides:  # the other side is the prediction, whatever its name
        return "true" if sides[0] == "true" else "pred"
    return sides[0] if {*sides} == {"true", "pred"} else None


def corner_says(text: str) -> Role | None:
    """What the rows are where the corner cell names one side only: it heads the column of their names.

    Examples
    --------
    >>> corner_says("Actual"), corner_says("predictions"), corner_says("label"), corner_says("cases")
    ('true', 'pred', None, None)
    """
    parts = [part for part in word_of(text).split("_") if part not in FILLER]
    for word in ("_".join(parts), "_".join(parts).removesuffix("s")):
        if word in OF_CORNER and (side := role(word)) is not None:
            return side
    return None


def is_total(name: str, *, surely: bool = False) -> bool:
    """Whether a row or a column is named as sums; ``surely`` where the name is none of a class.

    Examples
    --------
    >>> is_total("Row total"), is_total("Σ"), is_total("n"), is_total("n", surely=True), is_total("ill")
    (True, True, True, False, False)
    """
    word = word_of(name)
    return word in TOTALS or (not surely and word in TOTALS_OR_CLASS)


def is_abstention(name: str) -> bool:
    """Whether an answer names no class, whatever letter tells it from others that name none.

    Examples
    --------
    >>> is_abstention("Inconclusive-A"), is_abstention("inconclusive"), is_abstention("invalid license")
    (True, True, False)
    """
    return re.sub(r"_[a-c1-3]$", "", word_of(name)) in ABSTENTIONS


def is_summary(name: str) -> bool:
    """Whether a row is named as one of totals or means, which is no case, no item and no model.

    Examples
    --------
    >>> is_summary("Total"), is_summary("Average"), is_summary("all")
    (True, True, False)
    """
    return is_total(name, surely=True) or word_of(name) in ("mean", "average", "avg", "median", "overall")


def is_missing(label: str) -> bool:
    """Whether a cleaned cell says that there is no answer."""
    return label in MISSING


def bare(text: str) -> str:
    """Label in a cell of data with types: surrounding blanks go, and a value has one spelling."""
    return one_spelling(text.strip())


def cleaned(text: str) -> str:
    """Label in a cell of text: surrounding blanks go, and the guard that `guarded` adds; a value has one spelling.

    Examples
    --------
    >>> cleaned(" ill "), cleaned("'=1+1"), cleaned("'tis"), cleaned("1.0")
    ('ill', '=1+1', "'tis", '1')
    """
    return one_spelling(unguarded(text))
