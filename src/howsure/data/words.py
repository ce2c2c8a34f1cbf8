"""The words of files: which mean truth, which prediction, which that a value is missing; and how a cell is cleaned."""

from __future__ import annotations

import re
from typing import Literal

from howsure.data.labels import one_spelling
from howsure.text.spreadsheet import unguarded

Role = Literal["true", "pred"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TRUE = _words(
    "true actual truth target reference gold ground_truth gt label disease y_true ytrue y_test y_actual obs observed "
    "expected correct_answer answer_key reference_outputs wahrheit referenz verdadero"
)
#: The same in German and French.
ABROAD_TRUE = _words("tats\u00e4chlich tats\u00e4chliche wahr wahre r\u00e9el r\u00e9elle vrai")
ABROAD_PRED = _words("vorhergesagt vorhergesagte vorhersage pr\u00e9dit pr\u00e9dite pr\u00e9diction")
TRUE |= ABROAD_TRUE
#: Words that mean the truth where no other column does: "answer" beside the answers of models.
ELSE_TRUE = frozenset(["answer", "label", "class", "y"])
#: Beginnings of the columns of one of several models under a judge: its verdict, and what people say.
VERDICT_OF, LABEL_OF = ("verdict_", "judge_"), ("label_", "human_")
#: What people say beside a column of verdicts.
HUMAN = frozenset(["label", "human", "human_label"])
#: Words that mean the prediction where no other column does, and beside one what a judge says is true.
VERDICT = _words("verdict judge judged judgement judgment")
PRED = _words(
    "pred predicted prediction predict estimate response output test model y_pred ypred y_predicted yhat y_hat scored "
    "classified pgr_1 index_test prognose predicho"
)
PRED |= ABROAD_PRED
#: Of SAS, which calls the two columns so and no other way.
FROM_INTO: dict[str, Role] = {"_from_": "true", "_into_": "pred"}
COUNT = _words(
    "count counts n freq frequency cases cnt n_cases num_cases number_of_cases "
    "test_cases ncases npredictions n_predictions count_star count_star() count(*) multiplicity n_obs"
)
#: Words for counts that are as well those of a measurement: counts only where the numbers show it.
MAYBE_COUNT = _words("num number support size len total value values f0 anzahl nombre records rows tally occurrences")
_OF_COUNT = re.compile(r"(count|counts|number|num|sum)_(of_)?.+|.+_counts?")

MODEL = _words(
    "classifier model provider model_name model_id model_type model_version classifier_name algorithm algo learner "
    "learner_id wflow_id llm estimator"
)

#: Words that mean a classifier where each value of the column has as many rows: they were asked the same.
MAYBE_MODEL = _words(
    "system method approach vendor engine checkpoint ckpt step global_step iteration threshold cutoff temperature"
)

#: The other parts that a column plays, and the words for each; declared here and nowhere else.
PARTS: dict[str, frozenset[str]] = {
    "count": COUNT,
    "model": MODEL | {"name"},
    "id": _words("id case_id case item_id item sample_id doc_id question_id qid uid uuid"),
    "fold": frozenset(["fold"]),
    "repeat": _words("run epoch seed repeat bootstrap replicate"),
    "group": frozenset(["group", "cluster"]),
    "weight": _words(
        "weight weights sample_weight sample_weights case_weight case_weights survey_weight sampling_weight "
        "instance_weight importance_weight importance_weights obs_weight pweight fweight aweight iweight wt wgt perwt "
        "finalwt fnlwgt ipw iptw ipcw inv_prob inverse_probability"
    ),
}
#: Columns of repeats: what was asked, which time, and whether it was right or what it scored.
ITEM = PARTS["id"] | {"task", "task_id", "question", "problem", "prompt", "doc_hash", "testidx", "test_idx"}
#: How the names of columns end that name a row, a case or a question in some program.
OF_A_KEY = ("id", "idx", "hash", "uuid", "guid", "key", "index")
RUN = PARTS["fold"] | PARTS["repeat"] | {"repetition", "attempt", "trial", "try", "sample"}
OUTCOME = _words(
    "correct score right passed pass is_correct success reward grade rating outcome resolved solved correctness "
    "is_right acc exact_match em"
)

RIGHT, WRONG = "right", "wrong"
#: What people write of an answer, in small letters.
MARKS = dict.fromkeys(["right", "correct", "pass", "passed", "yes", "y", "good", "true", "1", "c"], RIGHT)
MARKS |= dict.fromkeys(["wrong", "incorrect", "fail", "failed", "no", "n", "bad", "false", "0", "i"], WRONG)
#: What several cases may have in common, which makes them fewer than they look; said, not supposed.
UNITS = frozenset(
    f"{unit}{end}"
    for unit in (
        *("patient", "subject", "participant", "person", "document", "speaker", "author", "user", "conversation"),
        *("reader", "rater", "annotator", "examiner", "observer", "radiologist", "image", "passage", "lesion"),
    )
    for end in ("", "_id")
)
#: The same where rows are parts of it; names of a log's items otherwise.
WHOLES = _words("slide video scan recording clip page eye tooth animal session sentence sentence_id file filename path")
#: Of ratings: who has rated, and what.
RATERS = _words(
    "rater annotator observer coder reader judge labeler labeller reviewer examiner assessor radiologist grader worker "
    "rater_name annotator_name"
)
RATERS |= {f"{word}_id" for word in RATERS}
RATING = _words("rating label category code score grade annotation value vote class answer diagnosis decision")
#: Of battles: the two models, who won, or the wins of each; who voted, on what.
_SIDE = "model_{0} model{0} {0}_model system_{0} system{0} assistant_{0} player_{0} player{0} {0} llm_{0}"
_WON = "winner_model_{0} wins_{0} {0}_wins wins{0} win_{0} {0}_win winner_{0}"
FIRST_MODEL, SECOND_MODEL = (
    _words(" ".join(_SIDE.format(side) for side in sides))
    for sides in (("a", "1", "left", "first"), ("b", "2", "right", "second"))
)
FIRST_WINS, SECOND_WINS = (_words(" ".join(_WON.format(side) for side in sides)) for sides in ("a1", "b2"))
TIES = _words("ties tie winner_tie draws draw")
WINNER = _words("winner vote preference preferred outcome result choice winner_model winning_model")
LOSER = _words("loser losing_model loser_model")
VOTER = _words("voter judge user annotator rater evaluator")
VOTER |= {f"{word}_id" for word in VOTER}
PROMPT = _words("prompt prompt_id question question_id instruction instruction_id item item_id")
#: Of battles: how long an answer is, and its text.
LENGTH = _words("length len tokens token_count n_tokens num_tokens words word_count chars char_count characters")
ANSWER = _words("response answer output completion")
#: Names that are never those of a classifier, whatever its column holds.
RESERVED = _words("item group run site time verdict label index date timestamp split text").union(*PARTS.values())

_SCORE = re.compile(
    r"(y_)?(scores?|p|pr|phat|probs?|proba|probability|probabilities|confidence|p\d+|pre_\d+|ip_[^_]+)([_ (].*)?"
)
#: How the names of scores end that begin with something else.
_ENDS_AS_SCORE = re.compile(r".+[_(](scores?|probs?|proba|probability|probabilities|confidence|conf)\)?")

#: A cell that says no class. The lower-case "none" is not among them: it is the name of a class ("none, mild, severe").
MISSING = _words("NaN nan NAN NA N/A n/a #N/A <NA> NaT null NULL Null None") | {""}
#: What a spreadsheet writes in place of a value that it could not compute: no class, and no missing one either.
SHEET_ERRORS = frozenset(
    f"#{word}" for word in ("REF!", "DIV/0!", "VALUE!", "NAME?", "NUM!", "NULL!", "SPILL!", "CALC!", "BEZUG!", "WERT!")
)

# "true class", "predicted label": words that do not change which of the two is meant
FILLER = _words("class classes label labels value condition outcome result category standard status")

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

#: What a last row or column of sums is called.
TOTALS = _words(
    "total totals sum sums subtotal margin margins marginal marginals \u03c3 \u2211 row_total row_totals column_total "
    "column_totals grand_total overall_total total_n n_total row_sum column_sum row_sums column_sums gesamt summe "
    "insgesamt"
)

#: The same, and just as well a class ("y" and "n"): totals only where they add up.
TOTALS_OR_CLASS = _words("n all overall count counts support")

#: What the row of the cases without a truth is called.
UNLABELLED = _words("unlabelled unlabeled unverified unchecked no_label without_label")

#: Words beside a class that say whether it is the true or the predicted one ("predicted ill", "ill (actual)").
SAID_TRUE = _words("true truth truly actual actually reference gold") | ABROAD_TRUE
SAID_PRED = _words("pred predicted prediction estimated estimate classified") | ABROAD_PRED

#: Words that say of the rows of a matrix what they are from its corner cell.
OF_CORNER = SAID_TRUE | SAID_PRED | _words("expected observed ground_truth y_true y_pred y_test")

#: What an answer is called that names no class.
ABSTENTIONS = _words("inconclusive abstain abstained abstention indeterminate undetermined unsure undecided") | _words(
    "no_answer no_decision cannot_tell refused invalid"
)
#: What detectors call the place where there is nothing.
BACKGROUND = "background"

#: Words that say it where none of those does: of a test, and of what is tested for.
OF_TRUTH = _words("disease diseased condition target case cases control controls")
OF_TEST = _words("test tests tested screen screening assay model classifier output")

#: Single letters, which are words only before a sign: T+ by D-.
LETTERS = {"t": "test", "d": "disease"}

POSITIVE = _words(
    "positive positives pos present yes case cases diseased ill sick abnormal same identification match positiv "
    "krank malade"
)
NEGATION = _words("no non not without")
NEGATIVE = NEGATION | _words(
    "negative negatives neg absent control controls healthy undiseased normal different elimination exclusion negativ "
    "gesund sain"
)

#: Words that change neither the side nor the sign.
BESIDE = _words("class label value result results status outcome standard the is as ground index")


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
    return word.endswith("_id") and not word.startswith(("count_", "number_"))


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
    return sides[0] if len(sides) == 2 and set(sides) == {"true", "pred"} else None


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


def is_summary(name: str) -> bool:
    """Whether a row is named as one of totals or means, which is no case, no item and no model.

    Examples
    --------
    >>> is_summary("Total"), is_summary("Average"), is_summary("all")
    (True, True, False)
    """
    return is_total(name, surely=True) or word_of(name) in ("mean", "average", "avg", "median")


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
