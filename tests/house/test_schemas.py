"""The JSON Schemas are written from the fields of the answers, and answers are what they say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.golden.corpus import ANSWERS
from tests.house.everything import everything
from tests.house.schemas import FOLDER, texts

from howsure.answers.fields import Keyed


def schemas() -> dict[str, Draft202012Validator]:
    return {path.name.split(".")[0]: Draft202012Validator(json.loads(path.read_text())) for path in FOLDER.iterdir()}


def golden() -> Iterator[tuple[str, Any]]:
    """Every answer in JSON that a golden file holds."""
    for path in sorted(ANSWERS.rglob("*.txt")):
        for whole in re.findall(r"^\{\n.*?^\}$", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            if '"format"' in whole and '"candidates"' not in whole:  # tables that fit are no answer with fields
                yield str(path.relative_to(ANSWERS)), json.loads(whole)


@pytest.mark.full
def test_the_files_are_those_that_the_fields_make() -> None:
    """``python -m tests.house.schemas`` writes them."""
    there = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    assert there == texts()


@pytest.mark.full
def test_golden_answers_are_what_their_schemas_say() -> None:
    checks = schemas()
    for check in checks.values():
        Draft202012Validator.check_schema(check.schema)
    answered = set()
    for name, data in golden():
        if (check := checks.get(data["kind"].replace(" ", "_"))) is not None:
            answered.add(data["kind"])
            assert [error.message for error in check.iter_errors(data)] == [], name
    assert len(answered) > 25


@pytest.mark.full
def test_every_answer_is_what_its_schema_says_and_has_no_other_key() -> None:
    checks, named = schemas(), 0
    for name, value in everything().items():
        if isinstance(value, Keyed) and value._json:
            data = json.loads(json.dumps(value.to_dict()))
            check = checks[value._json.replace(" ", "_")]
            assert [error.message for error in check.iter_errors(data)] == [], name
            if "anyOf" not in check.schema and check.schema["additionalProperties"] is False:
                assert not check.is_valid({**data, "more": 1}), name
                named += 1
    assert named > 20


def test_a_key_has_the_sentence_of_its_field() -> None:
    schema = json.loads((FOLDER / "slices.schema.json").read_text(encoding="utf-8"))
    assert schema["properties"]["p_alike"]["description"].startswith("Probability that all slices have one rate")
    assert schema["properties"]["slices"]["items"]["properties"]["p_worst"]["maximum"] == 1
