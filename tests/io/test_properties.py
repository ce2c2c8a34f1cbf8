from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.conftest import tries

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import HowsureError, InvalidLabels
from howsure.io import matrix_csv, read
from howsure.io.assembly import add_up

quick = settings(max_examples=tries(150), deadline=None, suppress_health_check=list(HealthCheck))

label = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8) | st.text(
    "=+-@'\"\t\r\n,;\\/ a1", min_size=1
)
label = label.filter(str.strip)


@st.composite
def matrices(draw: st.DrawFn) -> ConfusionMatrix:
    labels = draw(st.lists(label, min_size=2, max_size=5, unique=True))
    size = len(labels)
    cell = st.integers(0, 50) | st.just(2**53 // 64)
    counts = draw(st.lists(st.lists(cell, min_size=size, max_size=size), min_size=size, max_size=size))
    return ConfusionMatrix(counts, labels)


@quick
@given(matrices(), st.sampled_from(["true", "pred"]))
def test_matrices_come_back_through_csv(confusion, rows):
    assume(confusion.n)  # a file without a case is refused
    # a class that is the sum of the others on both sides cannot be told from totals
    assume(not add_up(confusion.counts))
    try:
        text = matrix_csv(confusion if rows == "true" else confusion.transpose())
    except InvalidLabels:
        assume(False)
    if rows == "pred":
        text = text.replace("true\\pred", "pred\\true", 1)
    read_back = read(io.BytesIO(text.encode())).confusion
    assert read_back.labels == tuple(name.strip() for name in confusion.labels)
    assert read_back.counts.tolist() == confusion.counts.tolist()


@quick
@given(
    st.binary(max_size=200)
    | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))
    | st.text('truepd_y,;\t"\n\r\\01.-a[]{}:%', max_size=120).map(str.encode),
    st.sampled_from(
        [{}, {"rows": "true"}, {"rows": "pred"}, {"missing": "exclude"}, {"model": "a"}, {"labels": ["a", "b"]}]
    ),
    st.sampled_from(
        [b"", b"true\\pred,a,b\n", b"y_true,y_pred\n", b"true,pred,n\n", b"id,y_true,pred_a\n", b"{", b"[["]
    ),
)
def test_any_bytes_are_read_or_refused_in_one_line(content, keywords, beginning):
    outcome(io.BytesIO(beginning + content), keywords)


value = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 2**60) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
part = st.sampled_from(
    ["classes", "counts", "matrix", "orientation", "positive", "format", "kind", "classifiers", "n", "name"]
)


@pytest.mark.full
@quick
@given(
    st.dictionaries(part, value | st.sampled_from(["true-rows", "howsure/1", [[1, 2], [3, 4]], ["a", "b"]]), max_size=6)
    | value,
    st.sampled_from([{}, {"rows": "true"}, {"model": "a"}, {"positive": "b"}, {"labels": ["a", "b"]}]),
)
def test_any_json_is_read_or_refused_in_one_line(document, keywords):
    outcome(io.StringIO(json.dumps(document)), keywords)


def outcome(stream: Any, keywords: dict[str, Any]) -> None:
    try:
        reading = read(stream, **keywords)
        said = [reading.layout, *reading.notes]
    except HowsureError as error:
        said = [str(error)]
    assert all(text.isprintable() for text in said)
