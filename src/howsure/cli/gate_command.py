"""``howsure gate``: may the candidate replace the baseline? Exit status 0 pass, 1 fail, 3 inconclusive."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from howsure.cli.column_options import (
    ByOption,
    GroupOption,
    GroupsOption,
    RepeatOption,
    label_names,
    refuse_groupless,
)
from howsure.cli.flat import flat
from howsure.cli.inputs import Cases, Ends, PriorOption, Sampling, SharesOption, reading
from howsure.cli.item_options import ItemOptions
from howsure.cli.options import option
from howsure.cli.output import FileForm, to_be_written
from howsure.cli.progress_line import watched
from howsure.cli.scores_of_files import APART, scores_of_files, two_of
from howsure.cli.slice_columns import predictions_by, refuse_beside_by
from howsure.cli.step_summary import append_summary
from howsure.cli.terminal import say
from howsure.cli.vote_options import VoteOptions
from howsure.data.groups import Question, refuse_both
from howsure.errors import InvalidArgument, InvalidFile
from howsure.laws.draw_settings import DRAWS
from howsure.posterior.posterior import infer
from howsure.posterior.score_measures import is_about_scores
from howsure.text.formats import plain, several

if TYPE_CHECKING:
    from howsure.comparison.slice_gate import SliceGate
    from howsure.io.reading import Pair
    from howsure.posterior.means_over_classes import Shares
    from howsure.questions.gate_answer import Gate

__all__ = ["gate_command"]

STATUS = {"pass": 0, "fail": 1, "inconclusive": 3}


@flat
def gate_command(
    *,
    candidate: Annotated[str, option("candidate")],
    baseline: Annotated[str | None, option("baseline")] = None,
    a: Annotated[str | None, option("a", "gate")] = None,
    b: Annotated[str | None, option("b", "gate")] = None,
    metric: Annotated[list[str] | None, option("metric", "gate")] = None,
    mode: Annotated[Literal["non-inferiority", "superiority", "floor"] | None, option("mode", "gate")] = None,
    margin: Annotated[float, option("margin", "gate")] = 0.0,
    floor: Annotated[float | None, option("floor")] = None,
    min_prob: Annotated[float, option("min-prob")] = 0.95,
    strict: Annotated[bool | None, option("strict/--no-strict")] = None,
    on_inconclusive: Annotated[Literal["warn", "fail", "pass"], option("on-inconclusive")] = "warn",
    update_baseline: Annotated[bool, option("update-baseline")] = False,
    junit: Annotated[str | None, option("junit")] = None,
    prior: PriorOption = None,
    shares: SharesOption = None,
    group: GroupOption = None,
    groups: GroupsOption = None,
    by: ByOption = None,
    repeat: RepeatOption = None,
    items: ItemOptions,
    votes: VoteOptions,
    sampling: Sampling,
    ends: Ends,
    cases: Cases,
    form: FileForm,
) -> None:
    """Gate a pull request: pass (exit status 0), fail (1) or inconclusive (3); 2 is bad usage.

    Paired where both files have ids in common or one file holds both, else separate test sets; two logs of evaluations
    on the answers that both have. In a job of GitHub Actions the answer is added to the step summary as well. Where
    cases come in groups (a column group, --group, or a log of several epochs), the gate is about new groups, and below
    8 groups it is inconclusive unless --groups these is said. Of battles (model_a,model_b,winner) --a is held against
    --b by Elo, or by --metric win_rate@MODEL. With --by language --margin 0.05: worse by more than that
    in no slice.
    """
    from howsure.comparison.gating import gate
    from howsure.io.contenders import write_baseline
    from howsure.io.logs.several import is_log, log_alone

    if update_baseline and baseline is None:
        raise InvalidArgument("--update-baseline needs --baseline, the file to write")
    if update_baseline and is_log(candidate):
        raise InvalidArgument(
            "--update-baseline writes cases by class; of logs keep the candidate's log as the baseline"
        )
    if update_baseline and (cases.true or cases.pred):
        raise InvalidArgument("--update-baseline reads a file with telling columns; leave --true and --pred out")

    form.spare(candidate, baseline)
    if baseline is not None and not update_baseline and baseline.endswith(".json") and not Path(baseline).exists():
        advice = "Check its name and place; the first one is written by the same command with --update-baseline"
        raise InvalidFile(plain(baseline, 200), f"there is no such file. {advice}")
    if junit is not None:
        to_be_written(junit, (candidate, baseline), "--junit")
    if update_baseline and baseline is not None:
        to_be_written(baseline, (candidate,), "--baseline")

    def update() -> str:
        assert baseline is not None
        assert cases.missing != "estimate"
        return write_baseline(
            baseline,
            candidate,
            model=a,
            rows=cases.rows,
            positive=cases.positive,
            labels=label_names(cases.labels),
            missing=cases.missing,
        )

    if votes.asked([candidate]):
        battles = votes.read([candidate], {
            "--prior": prior, "--shares": shares, "--group": group, "--groups": groups, "--by": by, "--repeat": repeat,
            "--update-baseline": update_baseline, "--strict": strict, "--baseline": baseline, **items.used,
        }, cases)  # fmt: skip
        settled = watched("gating")(gate)(
            battles, *(name for name in (a, b) if name is not None), metric=metric or None, mode=mode, margin=margin,
            floor=floor, min_prob=min_prob, **vars(ends), **vars(sampling),
        )  # fmt: skip
        _ended(settled, junit, [append_summary(settled.to_markdown())], form, on_inconclusive)
        return
    about_scores = any(map(is_about_scores, metric or []))
    if not about_scores and (repeat is not None or items.asked([candidate], metric or [])):
        items.refuse({
            "--prior": prior, "--shares": shares, "--by": by, "--update-baseline": update_baseline, "--strict": strict,
        }, cases)  # fmt: skip
        files = [candidate] if baseline is None else [candidate, baseline]
        scored_items = items.read(files, cases.missing, group=group, run=repeat, groups=groups)
        who = [name for name in (a, b) if name is not None] or list(scored_items.names if baseline is not None else ())
        asked_of_items: dict[str, Any] = {"metric": metric or None, "mode": mode, "margin": margin, "floor": floor}
        gated = watched("gating")(gate)(
            scored_items, *who, **asked_of_items, min_prob=min_prob, **vars(ends), **vars(sampling)
        )
        _ended(gated, junit, [append_summary(gated.to_markdown())], form, on_inconclusive)
        return
    if about_scores:
        asked: dict[str, Any] = {"metric": metric, "mode": mode, "margin": margin, "floor": floor, "strict": strict}
        asked |= {"min_prob": min_prob, **vars(ends), **vars(sampling)}
        beside: dict[str, object] = {"--prior": prior, "--shares": shares, "--groups": groups, "--by": by}
        beside["--update-baseline"] = update_baseline
        scored = _of_scores(candidate, baseline, a, b, cases, group, beside, asked)
        _ended(scored, junit, [append_summary(scored.to_markdown())], form, on_inconclusive)
        return
    if cases.missing == "estimate" and (group is not None or groups is not None):
        refuse_both()
    judged = None if cases.missing != "estimate" else cases.judged([candidate])
    if judged is not None and (baseline is not None or update_baseline):
        raise InvalidArgument(
            "with --missing estimate one file holds both models: --candidate FILE --a candidate --b baseline, without "
            "--baseline and --update-baseline"
        )
    held_to_floor = floor is not None or mode == "floor"
    if held_to_floor and baseline is not None and not update_baseline:
        raise InvalidArgument("a floor is for the candidate alone, so --baseline would not be looked at; ask two gates")
    if update_baseline and baseline is not None and not Path(baseline).exists() and not held_to_floor:
        say(f"Pass: there was no baseline yet. {update()}", error=form.as_json)
        return
    options: dict[str, Any] = {
        "metric": metric or None,
        "mode": mode,
        "margin": margin,
        "floor": floor,
        "min_prob": min_prob,
        "strict": strict,
        **vars(ends),
        **vars(sampling),
    }
    made: Gate | SliceGate
    if by:
        refuse_beside_by({
            "--floor": floor, "--mode": mode if mode != "non-inferiority" else None, "--strict": strict,
            "--update-baseline": update_baseline, "--prior": prior, "--shares": shares, "--group": group,
            "--groups": groups, "--missing estimate": judged is not None,
            "--draws": sampling.draws != DRAWS,
        })  # fmt: skip
        files = [file for file in (candidate, baseline) if file is not None]
        made = _by_slice(files, a, b, by, metric or [], margin, min_prob, cases, {**vars(ends), "seed": sampling.seed})
    elif judged is not None:
        made = watched("gating")(gate)(
            judged, *_named(a, b, floor=held_to_floor), prior=prior, shares=shares, **options
        )
    elif held_to_floor:
        read = log_alone(candidate, cases.one_pred, group) or reading(
            candidate,
            rows=cases.rows,
            positive=cases.positive,
            labels=cases.labels,
            model=a,
            missing="exclude" if cases.missing == "exclude" else "error",
            true=cases.true,
            pred=cases.one_pred,
            group=group or True,
        )
        refuse_groupless(groups, known=read.confusion.groups is not None)
        name = a or (Path(candidate).stem if candidate != "-" else "standard input")
        made = watched("gating")(gate)(
            infer(read.confusion, prior, shares=shares, groups=groups), names=(name, ""), notes=read.notes, **options
        )
    else:
        files = [file for file in (candidate, baseline) if file is not None]
        found = cases.pair(files, a, b, group or True)
        refuse_groupless(groups, known=found.in_groups)
        left_out = _about_lacking(found, cases.missing)
        made = _of_two(found, prior, shares, groups, options)
        made = replace(made, warnings=(*made.warnings, *left_out))
    said = [append_summary(made.to_markdown())]
    if update_baseline:
        said.append(update() if made.passed else f"{baseline} was left as it is: the gate did not pass.")
    _ended(made, junit, said, form, on_inconclusive)


def _ended(
    made: Gate | SliceGate, junit: str | None, said: list[str | None], form: FileForm,
    on_inconclusive: Literal["warn", "fail", "pass"],
) -> None:  # fmt: skip
    """Show it, and end with the status of the verdict."""
    from howsure.io.replacing import replace_text

    if junit is not None:
        replace_text(junit, made.to_junit(on_inconclusive))
    form.show(made)
    for sentence in filter(None, said):
        say(f"howsure: {sentence}", error=True)
    status = STATUS[made.verdict]
    if made.verdict == "inconclusive":
        status = {"warn": STATUS["inconclusive"], "fail": STATUS["fail"], "pass": STATUS["pass"]}[on_inconclusive]
    if status:
        raise typer.Exit(status)


def _of_scores(
    candidate: str, baseline: str | None, a: str | None, b: str | None, cases: Cases, group: str | None,
    others: dict[str, object], asked: dict[str, Any],
) -> Gate:  # fmt: skip
    """Candidate against baseline, or against a floor, by scores."""
    from howsure.comparison.gating import gate

    files = [candidate] if baseline is None else [candidate, baseline]
    scores = scores_of_files(files, [name for name in (a, b) if name is not None], cases, group, others)
    gating = watched("gating")(gate)
    if isinstance(scores, dict):
        one, two = two_of(scores)
        return gating(scores[one], scores[two], names=(one, two), notes=APART, **asked)
    if asked["floor"] is not None:
        name = scores.names[0] if len(scores.names) == 1 else a
        return gating(scores, *([] if name is None else [name]), names=(name or "", ""), **asked)
    return gating(scores, *_named(a, b, floor=False), **asked)


def _named(a: str | None, b: str | None, *, floor: bool) -> list[str]:
    """The models that are named, of a floor the candidate alone."""
    if floor and (a is None or b is not None):
        raise InvalidArgument("a floor is for one model: name the candidate with --a, and leave --b out")
    return [name for name in (a, b) if name is not None]


def _of_two(
    found: Pair, prior: str | None, shares: Shares | None, groups: Question | None, options: dict[str, Any]
) -> Gate:
    """Candidate against baseline, paired where the files say so."""
    from howsure.comparison.gating import gate

    gating = watched("gating")(gate)
    if found.predictions is not None:
        asked = {"prior": prior, "shares": shares, "groups": groups, "notes": found.notes, **options}
        return gating(found.predictions, *found.names, **asked)
    assert found.matrices is not None
    one, two = (infer(matrix, prior, shares=shares, groups=groups) for matrix in found.matrices)
    return gating(one, two, names=found.names, notes=found.notes, **options)


def _about_lacking(found: Pair, missing: str) -> list[str]:
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


def _by_slice(
    files: list[str], a: str | None, b: str | None, by: list[str], metric: list[str], margin: float, min_prob: float,
    cases: Cases, options: dict[str, Any],
) -> SliceGate:  # fmt: skip
    """Candidate against baseline in every slice."""
    from howsure.comparison.slice_gate import gate_slices

    if len(metric) > 1:
        raise InvalidArgument(f"with --by a gate has one metric, not {len(metric)}; ask one gate for each")
    found, predictions, columns, notes = predictions_by(lambda name: cases.pair(files, a, b, name), by, files)
    notes = (*notes, *_about_lacking(found, cases.missing))
    return watched("gating")(gate_slices)(
        predictions, *found.names, by=columns, margin=margin, metric=metric[0] if metric else None, min_prob=min_prob,
        notes=notes, **options,
    )  # fmt: skip
