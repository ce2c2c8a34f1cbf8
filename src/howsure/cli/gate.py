"""``howsure gate``: may the candidate replace the baseline? Exit status 0 pass, 1 fail, 3 inconclusive."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from howsure.cli.contenders import (
    APART,
    are_items,
    are_votes,
    by_slice,
    names_of,
    read_items,
    read_judgements,
    read_scores_of,
    read_two,
    read_votes_of,
    refuse_beside_by,
    two_of,
)
from howsure.cli.options import CASES, ENDS, FORMS, ITEMS, SAMPLING, VOTES, Options, command
from howsure.cli.output import append_summary, show, to_be_written
from howsure.cli.progress import watched
from howsure.cli.sources import refuse_groupless
from howsure.cli.terminal import say
from howsure.errors import InvalidArgument, InvalidFile
from howsure.posterior.posterior import infer
from howsure.posterior.score_measures import is_about_scores
from howsure.text.formats import plain, several

if TYPE_CHECKING:
    from howsure.io import Reading
    from howsure.io.reading import Contenders

STATUS = {"pass": 0, "fail": 1, "inconclusive": 3}

#: What every gate is asked.
RULE = f"mode margin floor min_prob {ENDS} {SAMPLING}"


@command(
    "candidate baseline a b metrics mode margin floor min_prob strict on_inconclusive update_baseline junit prior",
    "shares group groups by repeat", ITEMS, VOTES, SAMPLING, ENDS, CASES, FORMS,
)  # fmt: skip
def gate_command(ask: Options) -> None:
    """Gate a pull request: pass (exit status 0), fail (1) or inconclusive (3); 2 is bad usage.

    Paired where both files have ids in common or one file holds both, else separate test sets; two logs of evaluations
    on the answers that both have. In a job of GitHub Actions the answer is added to the step summary as well. Where
    cases come in groups (a column group, --group, or a log of several epochs), the gate is about new groups, and below
    8 groups it is inconclusive unless --groups these is said. Of battles (model_a,model_b,winner) --a is held against
    --b by Elo, or by --metric win_rate@MODEL. With --by language --margin 0.05: worse by more than that
    in no slice.
    """
    _check_files(ask)
    made = _gated(ask)
    if made is None:
        say(f"Pass: there was no baseline yet. {_update(ask)}", error=ask.json)
        return
    said = [append_summary(made.to_markdown())]
    if ask.update_baseline:
        said.append(_update(ask) if made.passed else f"{ask.baseline} was left as it is: the gate did not pass.")
    if ask.junit is not None:
        from howsure.io.replacing import replace_text

        replace_text(ask.junit, made.to_junit(ask.on_inconclusive))
    show(ask, made)
    for sentence in filter(None, said):
        say(f"howsure: {sentence}", error=True)
    status = STATUS[made.verdict]
    if made.verdict == "inconclusive":
        status = {"warn": status, "fail": STATUS["fail"], "pass": STATUS["pass"]}[ask.on_inconclusive]
    if status:
        raise typer.Exit(status)


def _check_files(ask: Options) -> None:
    """Refuse, before anything is read, files that are absent, or cannot be written or kept as a baseline."""
    from howsure.io.logs.log import is_log

    if ask.update_baseline and ask.baseline is None:
        raise InvalidArgument("--update-baseline needs --baseline, the file to write")
    if ask.update_baseline and is_log(ask.candidate):
        raise InvalidArgument(
            "--update-baseline writes cases by class; of logs keep the candidate's log as the baseline"
        )
    if ask.update_baseline and ask.used("true preds"):
        raise InvalidArgument("--update-baseline reads a file with telling columns; leave --true and --pred out")
    absent = ask.baseline is not None and ask.baseline.endswith(".json") and not Path(ask.baseline).exists()
    if absent and not ask.update_baseline:
        advice = "Check its name and place; the first one is written by the same command with --update-baseline"
        raise InvalidFile(plain(ask.baseline or "", 200), f"there is no such file. {advice}")
    if ask.junit is not None:
        to_be_written(ask.junit, (ask.candidate, ask.baseline), "--junit")
    if ask.update_baseline and ask.baseline is not None:
        to_be_written(ask.baseline, (ask.candidate,), "--baseline")


def _update(ask: Options) -> str:
    """Write the candidate as the baseline, and say so."""
    from howsure.io.contenders import write_baseline

    return write_baseline(ask.baseline or "", ask.candidate, **ask.given("model=a rows positive labels missing"))


def _gated(ask: Options) -> Any:
    """The gate, by what the files hold; None where there is no baseline yet."""
    from howsure.questions.gate import gate

    gating: Any = watched("gating")(gate)
    files = [file for file in (ask.candidate, ask.baseline) if file is not None]
    rule = ask.given("metric=metrics", RULE)
    if are_votes(ask, [ask.candidate]):
        return gating(read_votes_of(ask, [ask.candidate], "by"), *names_of(ask), **rule)
    if any(map(is_about_scores, ask.metrics)):
        return _of_scores(ask, gating, files, {**rule, **ask.given("strict")})
    if ask.repeat is not None or are_items(ask, [ask.candidate], ask.metrics):
        items = read_items(ask, files, also="by")
        return gating(items, *(names_of(ask) or (items.names if len(files) > 1 else ())), **rule)
    judged = read_judgements(ask, [ask.candidate])
    if judged is not None and (ask.baseline is not None or ask.update_baseline):
        raise InvalidArgument(
            "with --missing estimate one file holds both models: --candidate FILE --a candidate --b baseline, without "
            "--baseline and --update-baseline"
        )
    alone = ask.floor is not None or ask.mode == "floor"
    if alone and ask.baseline is not None and not ask.update_baseline:
        raise InvalidArgument("a floor is for the candidate alone, so --baseline would not be looked at; ask two gates")
    if ask.update_baseline and not Path(ask.baseline or "").exists() and not alone:
        return None
    if ask.by:
        return _by_slice(ask, files)
    rule |= ask.given("strict")
    if judged is not None:
        return gating(judged, *_named(ask, floor=alone), **ask.given("prior shares"), **rule)
    counted = ask.given("prior shares groups")
    if alone:
        read = _candidate(ask)
        refuse_groupless(ask, known=read.confusion.groups is not None)
        name = ask.a or (Path(ask.candidate).stem if ask.candidate != "-" else "standard input")
        return gating(infer(read.confusion, **counted), names=(name, ""), notes=read.notes, **rule)
    found = read_two(ask, files, ask.group or True)
    refuse_groupless(ask, known=found.in_groups)
    left_out = _about_lacking(found, ask.missing)
    if found.predictions is not None:
        made = gating(found.predictions, *found.names, notes=found.notes, **counted, **rule)
    else:
        sides = [infer(matrix, **counted) for matrix in (found.matrices or {}).values()]
        made = gating(*sides, names=found.names, notes=found.notes, **rule)
    return replace(made, warnings=(*made.warnings, *left_out))


def _candidate(ask: Options) -> Reading:
    """The candidate alone, for a floor."""
    from howsure.io import read
    from howsure.io.logs.log import log_alone

    if len(ask.preds) > 1:
        raise InvalidArgument(f"one classifier is asked about, and --pred names {len(ask.preds)}; choose one")
    column = next(iter(ask.preds), None)
    missing: Any = "exclude" if ask.missing == "exclude" else "error"
    return log_alone(ask.candidate, column, ask.group) or read(
        ask.candidate, y_pred=column, missing=missing, group=ask.group or True,
        **ask.given("rows positive labels model=a y_true=true"),
    )  # fmt: skip


def _of_scores(ask: Options, gating: Any, files: list[str], rule: dict[str, Any]) -> Any:
    """Candidate against baseline, or against a floor, by scores."""
    scores = read_scores_of(ask, files)
    if isinstance(scores, dict):
        one, two = two_of(scores)
        return gating(scores[one], scores[two], names=(one, two), notes=APART, **rule)
    if ask.floor is None:
        return gating(scores, *_named(ask, floor=False), **rule)
    name = scores.names[0] if len(scores.names) == 1 else ask.a
    return gating(scores, *([] if name is None else [name]), names=(name or "", ""), **rule)


def _named(ask: Options, *, floor: bool) -> list[str]:
    """The models that are named, of a floor the candidate alone."""
    if floor and (ask.a is None or ask.b is not None):
        raise InvalidArgument("a floor is for one model: name the candidate with --a, and leave --b out")
    return names_of(ask)


def _about_lacking(found: Contenders, missing: str) -> list[str]:
    """Refuse a candidate that has left out cases of the baseline, unless they are to be excluded; then a warning."""
    if not found.lacking:
        return []
    many = several(len(found.lacking), "case")
    said = f"the candidate has no row of {many} that the baseline has answered (first: {plain(found.lacking[0], 40)})"
    if missing == "exclude":
        return [f"{said[0].upper()}{said[1:]}; the gate is about the others, and says nothing about these."]
    raise InvalidArgument(
        f"{said}; a gate without them would pass whoever leaves the hard ones out. Let the candidate answer them, or "
        "say --missing exclude for a gate about the others"
    )


def _by_slice(ask: Options, files: list[str]) -> Any:
    """Candidate against baseline in every slice."""
    from howsure.questions.slice_gate import gate_slices

    refuse_beside_by(ask, "mode" if ask.mode != "non-inferiority" else "")
    if len(ask.metrics) > 1:
        raise InvalidArgument(f"with --by a gate has one metric, not {len(ask.metrics)}; ask one gate for each")
    found, predictions, by, notes = by_slice(ask, lambda name: read_two(ask, files, name), files)
    return watched("gating")(gate_slices)(
        predictions, *found.names, by=by, metric=next(iter(ask.metrics), None),
        notes=(*notes, *_about_lacking(found, ask.missing)), **ask.given("margin min_prob seed", ENDS),
    )  # fmt: skip
