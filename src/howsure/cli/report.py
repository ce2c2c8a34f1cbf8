"""``howsure report``, and what else is asked of one classifier: new tests, patients, natural frequencies, priors."""

from __future__ import annotations

import sys
from typing import Any

from howsure.cli.contenders import are_items, are_votes, read_items, read_votes_of
from howsure.cli.costs import own_metrics
from howsure.cli.numbers import by_class, number_or_share, shares_of
from howsure.cli.options import ELSEWHERE, ENDS, FORMS, ITEMS, SAMPLING, TABLE, UNITS, VOTES, Options, command
from howsure.cli.output import show
from howsure.cli.progress import watched
from howsure.cli.sources import at_other_prevalence, known_elsewhere, read_elsewhere, read_table, refuse_groupless
from howsure.errors import InvalidArgument, excerpt
from howsure.posterior.posterior import infer


@command(
    "metrics above_each below_each between quantile weights cost prior shares draws seed classical wrong_labels",
    "how_chosen", UNITS, "groups", ITEMS, ENDS, ELSEWHERE, TABLE, FORMS,
)  # fmt: skip
def report_command(ask: Options) -> None:
    r"""Report on one classifier: each metric with its interval, its prior, and how exact it is.

    FILE is a confusion matrix (CSV whose corner cell says true\pred or pred\true), a list of counts
    (true,pred,count), predictions (y_true,y_pred), items with scores (item,score), JSON, or - for standard input.
    """
    from howsure.reporting.report import report
    from howsure.reporting.report_sentences import why_positive

    reporting: Any = watched("reporting")(report)
    held = ask.given("above=above_each below=below_each between quantiles=quantile draws seed", ENDS)
    if are_items(ask, ask.files, ask.metrics):
        show(ask, reporting(read_items(ask, ask.files), ask.metrics or None, **held))
        return
    read, notes = read_elsewhere(ask, units=True)
    refuse_groupless(ask, known=read.confusion.groups is not None)
    known = at_other_prevalence(ask, infer(read.confusion, **ask.given("prior shares groups")))
    if ask.positive is None and (not ask.used("tp fn fp tn table") or ";" in (ask.table or "")):
        notes += why_positive(read.confusion, known.confusion)
    if ask.how_chosen is not None and read.confusion.verdicts is None:
        notes.append("every case counted here has its truth, so --how-chosen changes nothing.")
    made = reporting(
        known,
        own_metrics(ask, read.confusion) or None,
        notes=notes,
        wrong_labels=number_or_share(ask.wrong_labels, "--wrong-labels"),
        **ask.given("how_chosen companions=classical"),
        **held,
    )
    if not sys.stdout.isatty():
        show(ask, made)
        return
    from howsure.cli.terminal import show_report

    show(ask, made, plain=lambda: show_report(made))


@command("n_each prior shares metric", UNITS, ITEMS, VOTES, ELSEWHERE, ENDS, TABLE, "draws seed", FORMS)
def predict_command(ask: Options) -> None:
    """What a new test of the same classifier would show, or of items with scores (item,score), or of battles."""
    from howsure.questions.predict import predict_known

    if are_votes(ask, ask.files):
        kind: Any = read_votes_of(ask, ask.files, f"{UNITS} {ELSEWHERE} {TABLE.removeprefix('files ')}")
    elif ask.metric is not None or ask.used(UNITS) or are_items(ask, ask.files):
        kind = read_items(ask, ask.files)
    else:
        known, notes = known_elsewhere(ask)
        made = known.predict(_new_cases(ask.n_each, known.labels), **ask.given(ENDS, "draws seed"))
        show(ask, made, *notes)
        return
    asked = kind.ask(ask.level, ask.kind, ask.draws, ask.seed)
    show(ask, predict_known(kind, _new_cases(ask.n_each), ask.metric, ask=asked))


def _new_cases(text: str | None, labels: tuple[str, ...] = ()) -> Any:
    if text is None:
        return None
    if labels and ("," in text or "=" in text):
        sizes = by_class(text, labels, "--n", "numbers of cases", 50)
        if all(many.is_integer() for many in sizes.values()):
            return {label: int(many) for label, many in sizes.items()}
    elif text.strip().isascii() and text.strip().isdigit() and len(text) < 12:
        return int(text)
    raise InvalidArgument(f"--n is an integer number of cases, or one for each class, not {excerpt(text)}")


@command("pre_test result prior", ENDS, TABLE, SAMPLING, FORMS)
def post_test_command(ask: Options) -> None:
    """One patient or sample: how probable each class is after the test has spoken."""
    read = read_table(ask)
    before = shares_of(ask.pre_test, read.confusion, "--pre-test")
    made = infer(read.confusion, ask.prior).post_test(before.of, ask.result or None, **ask.given(ENDS, SAMPLING))
    show(ask, made, *read.notes, *before.notes)


@command("of prior shares", ELSEWHERE, ENDS, TABLE, FORMS)
def frequencies_command(ask: Options) -> None:
    """What the classifier does to ten thousand people, in integers that add up."""
    known, notes = known_elsewhere(ask)
    show(ask, known.natural_frequencies(ask.of, **ask.given(ENDS)), *notes)


@command(TABLE, "metric:one priors", ELSEWHERE, ENDS, SAMPLING, FORMS)
def sensitivity_command(ask: Options) -> None:
    """One metric under several priors: how much of the answer is the prior's."""
    known, notes = known_elsewhere(ask)
    asked = watched("asking")(known.prior_sensitivity)
    show(ask, asked(ask.metric or "balanced_accuracy", ask.priors or None, **ask.given(ENDS, SAMPLING)), *notes)
