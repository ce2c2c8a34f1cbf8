"""One good call of each command, with files that it reads, and another value of each option."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

__all__ = ["COMMON", "Command", "commands", "write_files"]


class Command(NamedTuple):
    """Words of a call that works.

    Parameters
    ----------
    words : str
        What is typed after the name.
    other : mapping
        Another value of an option in this call, where the common one does not fit.
    idle : mapping
        Options that say nothing in this call, and why that is right.
    """

    words: str
    other: Mapping[str, str] = {}
    idle: Mapping[str, str] = {}


ROOT = Path(__file__).parents[2]

#: Another value of each option, the same in every call; an empty one is a switch.
COMMON = {
    "--a": "B", "--above": "0.5", "--alpha": "0.1", "--allow-host": "example.org", "--append": "counts.json",
    "--assurance": "0.5", "--at": "0.5", "--b": "A", "--better": "lower", "--baseline": "other.csv", "--batch": "today",
    "--below": "0.9", "--between": "0.6 0.8", "--bibtex": "", "--bins": "3", "--both": "30",
    "--both-bad": "exclude", "--board": "0.9,0.8",
    "--by": "site",
    "--candidate": "other.csv", "--cases": "5,6", "--classes": "3", "--classical": "",
    "--concentration": "10", "--control": "position",
    "--correct": "30", "--cost": "fp=1,fn=5", "--csv": "", "--curve": "",
    "--cut": "month", "--debug": "", "--design": "0.5,0.5", "--detect": "width", "--diagram": "",
    "--difference": "0.1", "--draws": "150", "--empty": "drop", "--entries": "independent", "--event": "a",
    "--far": "range",
    "--field": "x", "--filter": "x", "--floor": "0.5", "--fn": "2", "--folds": "id", "--fp": "3",
    "--group": "site", "--group-size": "5", "--groups": "new", "--guess": "0.7", "--host": "0.0.0.0",
    "--how-chosen": "by-verdict", "--icc": "0.2", "--id": "id", "--in-time": "", "--item": "run", "--json": "",
    "--judge": "recall=0.9,specificity=0.8", "--junit": "gate.xml", "--k": "2", "--kind": "central", "--label": "a",
    "--labels": "a,b,c", "--labels-from": "other.csv", "--level": "0.8", "--margin": "0.05", "--markdown": "",
    "--memory": "100MB", "--metric": "f1", "--min-prob": "0.6", "--missing": "exclude", "--mode": "superiority",
    "--model": "B", "--model-column": "site", "--more": "30", "--n": "30", "--neither": "9", "--net-benefit": "",
    "--new-test": "20",
    "--of": "500", "--only-a": "8", "--only-b": "3", "--on-inconclusive": "fail", "--open": "", "--order": "b,a",
    "--out": "answer.txt",
    "--outcomes": "0,1,2", "--range": "0,2", "--paired": "0.2", "--pilot": "matrix.csv", "--plot": "", "--points": "",
    "--port": "1", "--rater": "A", "--raters": "sample", "--scale": "interval", "--set": "x=A,B",
    "--positive": "a", "--pre-test": "0.2", "--pred": "B", "--prevalence": "0.2",
    "--prior": "jeffreys", "--prizes": "10,5", "--public": "", "--pyodide": "x", "--quantile": "0.1", "--query": "x",
    "--repeat": "id", "--result": "negative", "--rope": "0.07", "--rounding": "truncated", "--rows": "pred",
    "--rule": "", "--score": "B", "--seed": "1", "--separate": "", "--simultaneous": "", "--shares": "chosen",
    "--site": "site", "--sizes": "10,20", "--static": "x", "--strata": "site", "--strategy": "uniform", "--strict": "",
            "--table": "1",
    "--threshold": "0.6", "--tn": "4", "--top": "1", "--tp": "5", "--tries": "2", "--true": "B", "--truth": "0.9",
    "--update-baseline": "", "--verdicts": "5,6",
    "--voter": "id", "--weight": "id", "--weights": "a=1,b=2", "--width": "0.3", "--winner": "final",
    "--workers": "2", "--wrong-labels": "2",
}  # fmt: skip

#: A server and the page go on until they are stopped; tests/cli/test_serve.py calls them.
NOT_CALLED = ("serve", "page")


def commands() -> dict[str, Command]:
    """Name of a command, and of the data where it takes several kinds, to a call of it that works."""
    few = "--draws 200"
    closed = dict.fromkeys(("--draws", "--seed"), "a closed form")
    whole = {"--missing": "nothing is missing"}
    cases = "cases.csv --true truth --id id --missing exclude"
    items = {"--score": "right", "--item": "system", "--group": "item", "--range": "0,5"}
    items |= {"--kind": "hdi", "--groups": "these", "--metric": "median"}
    votes = {"--metric": "win_rate", "--kind": "hdi", "--voter": "who", "--control": "length"}
    said = {"--missing": "wrong", "--by": "id", "--site": "id", "--id": "w", "--metric": "mcc"}
    return {
        "report": Command(
            "cases.csv --true truth --pred A --missing exclude", {"--missing": "error", "--weights": "a=1,b=2"}, closed
        ),
        "report: three": Command(f"three.csv --metric f1@macro {few}", {"--labels": "a,c,b"}, whole),
        "report: items": Command(
            f"judged.csv --score score --range 0,9 --metric mean {few}",
            {**items, "--repeat": "item", "--missing": "exclude"},
            {**whole, **closed},
        ),
        "compare: items": Command(
            f"judged.csv --score score --range 0,9 --a A --b B {few}",
            items,
            {**whole, **closed},
        ),
        "rank: items": Command(
            f"judged.csv --score score --range 0,9 {few}",
            items,
            whole,
        ),
        "gate: items": Command(
            f"--candidate judged.csv --score score --range 0,9 --a A --b B {few}",
            items,
            {**whole, **closed},
        ),
        "rank: votes": Command(
            f"votes.csv {few}",
            {**votes, "--by": "topic"},
        ),
        "compare: votes": Command(
            f"votes.csv --a x --b y {few}",
            {**votes, "--rope": "30", "--a": "z", "--b": "z"},
        ),
        "gate: votes": Command(
            f"--candidate votes.csv --a x --b y {few}",
            {**votes, "--margin": "30", "--a": "z", "--b": "z"},
        ),
        "count": Command("cases.csv --true truth --pred A", {}, {"--memory": "these are few"}),
        "log": Command("log.json", {"--threshold": "0.6", "--tries": "1"}, {"--threshold": "its marks are 0 and 1"}),
        "repeats": Command(
            f"runs.csv {few}", {"--groups": "these"}, {**whole, "--threshold": "its scores are 0 and 1"}
        ),
        "agree": Command(
            f"raters.csv --model D {few}",
            {
                "--item": "B",
                "--label": "C",
                "--labels": "b,a",
                "--model": "C",
                "--metric": "alpha",
                "--weights": "linear",
            },
            {"--label": "a row is an item", "--kind": "central where none is named"},
        ),
        "reconstruct": Command("accuracy=0.9 recall=0.8 --sizes 10,10", {"--sizes": "10,20"}),
        "compare": Command(
            f"{cases} --a A --b B --metric f1 --positive b {few}", {**said, "--a": "B", "--b": "A", "--pred": "A"}
        ),
        "rank": Command(
            f"{cases} --metric mcc {few}",
            {**said, "--entries": "learned", "--metric": "f1"},
            {"--positive": "MCC is the same of both classes"},
        ),
        "gate": Command(
            f"--candidate {cases} --a A --b B --metric f1 --positive b --margin 0.1 {few}",
            {**said, "--candidate": "three.csv", "--a": "B", "--b": "A"},
        ),
        "post-test": Command(f"matrix.csv --pre-test b=0.1 {few}", {"--pre-test": "b=0.2"}, {**whole, **closed}),
        "frequencies": Command("matrix.csv", {}, whole),
        "predict": Command(f"matrix.csv {few}", {}, whole),
        "sensitivity": Command(f"three.csv -m mcc {few}", {"--labels": "a,c,b"}, whole),
        "survey": Command("survey.csv"),
        "pool": Command(
            f"cases.csv --site site --true truth --pred A --missing exclude {few}",
            {"--site": "w", "--missing": "error"},
        ),
        "slices": Command(
            f"cases.csv --by site --true truth --pred A --metric f1 --positive b {few}",
            {"--by": "w", "--metric": "mcc"},
        ),
        "fairness": Command(f"cases.csv --by site --true truth --pred A --positive b {few}", {"--by": "w"}),
        "curve": Command(f"scores.csv --positive b {few}"),
        "threshold": Command(f"scores.csv --positive b --metric f1 {few}", {"--metric": "mcc"}),
        "calibration": Command(f"scores.csv --positive b {few}"),
        "plan": Command("recall --width 0.2 --guess 0.8"),
        "next-labels": Command(
            "checked.csv --more 5 --missing estimate",
            {"--missing": "error"},
            {"--rows": "a report says in a note that cases have no rows", "--order": "two verdicts have one order"},
        ),
        "outlook": Command("-m accuracy --correct 80 --n 100 --above 0.7", {}, {"--seed": "counted out"}),
        "stopping-rule": Command("10,20 --threshold 0.7"),
        "digits": Command("-m accuracy --correct 80 --n 100", {}, {"--seed": "counted out"}),
        "metrics": Command("f1"),
        "verify": Command(""),
        "cite": Command(""),
    }


def write_files(folder: Path) -> None:
    """Small files of every kind."""
    (folder / "matrix.csv").write_text("true\\pred,a,b\na,45,5\nb,8,42\n", encoding="utf-8")
    (folder / "other.csv").write_text("true\\pred,a,b\na,40,10\nb,9,41\n", encoding="utf-8")
    (folder / "three.csv").write_text("true\\pred,a,b,c\na,20,3,1\nb,2,18,4\nc,1,2,15\n", encoding="utf-8")
    rows = [
        (
            i,
            f"s{i % 3}",
            "ab"[i % 2],
            "ab"[(i // 2) % 2 if i % 5 else i % 2] if i - 1 else "",
            "ab"[(i // 3) % 2] if i else "",
            i % 4,
        )
        for i in range(48)
    ]
    lines = ["id,site,truth,A,B,w", *(",".join(map(str, row)) for row in rows)]
    (folder / "cases.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    scores = [f"{'ab'[i % 2]},{(i * 7 % 20 + 8 * (i % 2)) / 30:.3f}" for i in range(40)]
    (folder / "scores.csv").write_text("truth,score\n" + "\n".join(scores) + "\n", encoding="utf-8")
    some = [f"{'' if i % 3 else 'ab'[i % 2]},{'ab'[(i // 2) % 2 if i % 5 else i % 2]}" for i in range(48)]
    (folder / "checked.csv").write_text("truth,verdict\n" + "\n".join(some) + "\n", encoding="utf-8")
    judged = [f"q{i},{name},{1 + (i * k) % 5},{i % 2}" for i in range(14) for name, k in (("A", 2), ("B", 3))]
    (folder / "judged.csv").write_text("item,model,score,right\n" + "\n".join(judged) + "\n", encoding="utf-8")
    rated = [
        f"i{i},{i % 2},{(i + i // 9) % 2},{(i + i // 6) % 2},{(i + i // 7) % 2},{(i + i // 8) % 2}" for i in range(24)
    ]
    votes = ("a", "b", "tie", "both_bad", "a")
    battles = [
        f"{'xyz'[i % 3]},{'yzx'[i % 3]},{votes[(i + i // 7) % 5]},{'ab'[i % 4 == 0]},w{i // 6},{'ts'[i % 2]},"
        f"{i * 7 % 40},{i * 3 % 31}"
        for i in range(90)
    ]
    head = "model_a,model_b,winner,final,who,topic,length_a,length_b"
    (folder / "votes.csv").write_text(head + "\n" + "\n".join(battles) + "\n", encoding="utf-8")
    (folder / "raters.csv").write_text("item,A,B,C,D,E\n" + "\n".join(rated) + "\n", encoding="utf-8")
    (folder / "survey.csv").write_text("name,tp,fn,fp,tn\nx,8,2,3,9\ny,5,5,6,4\n", encoding="utf-8")
    (folder / "log.json").write_bytes((ROOT / "tests" / "reference" / "inspect.json").read_bytes())
    runs = [f"i{i // 3},{i % 3},{int(i % 4 > 0)}" for i in range(30)]
    (folder / "runs.csv").write_text("item,run,score\n" + "\n".join(runs) + "\n", encoding="utf-8")
