"""What a user meets on an answer: the public names of each, listed once."""

from __future__ import annotations

from pathlib import Path

import pytest

from howsure.comparison.comparison import Comparison
from howsure.comparison.gate import Gate
from howsure.planning.plan import Plan
from howsure.ranking.ranking import Ranking
from howsure.reporting.report import Report
from howsure.text.sheet import Record
from howsure.units.compared_over import ComparedOver
from howsure.units.pooled import Pooled
from howsure.units.ranked_over import RankedOver

PAGE = (Path(__file__).parents[2] / "docs/reference.md").read_text(encoding="utf-8")

#: Of every answer: as data, and in every form.
SHARED = "sheet picture to_dict to_csv to_markdown"

FACES: dict[type[Record], str] = {
    Comparison: "names metric higher_is_better prior paired posteriors measures rope level kind draws seed remarks"
    " a b difference observed prior_shift ratio chances p_better p_equal p_worse expected_loss discordant narrowing"
    " per_class sentence warnings notes judge groups",
    Ranking: "metric better entries probabilities above prior paired level kind route top prizes winner new_test again"
    " draws seed error population contenders leaders best_set law sentence remarks notes groups",
    Plan: "metric goal n first n_error per_class total assurance assurance_error asked unit prior pairing route"
    " supposed curve found seed strict aim measured mark plot sentence remarks notes groups",
    Report: "confusion prior prevalence prevalence_source shares level kind seed draws rows verdict warnings notes"
    " classical thresholds learned papers groups wrong_labels judged carried distribution",
    Pooled: "counts population level kind draws seed unit sites rates of tau i2 correlation region hsroc"
    " tells_of_others sentence warnings notes",
    ComparedOver: "counts population rope level kind draws seed names data_sets metric paired tells_of_others of spread"
    " chances sentence warnings notes",
    RankedOver: "counts contest level kind draws seed metric paired rows best sentence warnings notes",
    Gate: "names rows mode margin floor min_prob paired cases prior level kind draws seed verdict passed sentence"
    " to_junit warnings notes groups",
}


@pytest.mark.parametrize("answer", FACES, ids=lambda answer: answer.__name__)
def test_the_face_of_an_answer_is_listed(answer: type[Record]) -> None:
    fields = set(getattr(answer, "__dataclass_fields__", ()))
    public = {name for name in {*dir(answer), *fields} if not name.startswith("_")}
    assert public == {*SHARED.split(), *FACES[answer].split()}


def test_the_page_lists_the_faces_of_answers() -> None:
    section = PAGE.partition("\n## Answers\n")[2]
    for answer, names in FACES.items():
        row = next(line for line in section.splitlines() if line.startswith(f"| `{answer.__name__}` |"))
        assert row.split("|")[2].replace("`", "").split() == names.split()
    assert all(f"`{name}`" in section for name in SHARED.split())
