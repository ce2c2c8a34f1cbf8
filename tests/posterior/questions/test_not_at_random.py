"""What if the labelled cases were picked: worst case and tipping point."""

from __future__ import annotations

import pytest

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.posterior.knowledge import knowledge_of

#: Drum and Christacopoulos 1972, 650 patients, 344 verified; R package PVBcorrect, `hepatic_pvb`.
DRUM = hs.ConfusionMatrix([[54, 32], [27, 231]], labels=["healthy", "ill"], unlabelled=[140, 166])
ANSWERS = hs.ConfusionMatrix([[22, 7], [6, 65]], labels=["fail", "pass"], unlabelled={"fail": 572, "pass": 1328})


def test_tilts_of_the_published_table() -> None:
    """Odds of illness among the unverified 1/4, 1/2, 1, 2, 4 times those among the verified."""
    post = hs.infer(DRUM)
    for metric, means in (("recall", (0.89, 0.87, 0.84, 0.80, 0.76)), ("specificity", (0.66, 0.71, 0.74, 0.74, 0.73))):
        known = [knowledge_of(post).tilted(1, odds).of(f"{metric}@ill") for odds in (0.25, 0.5, 1, 2, 4)]
        assert [x.mean for x in known] == pytest.approx(means, abs=0.0075)


def test_the_worst_case_holds_whatever_is_true_of_the_others() -> None:
    low, high = hs.infer(DRUM).of("prevalence@ill").not_at_random().worst_case
    assert (low, high) == pytest.approx(((231 + 27) / 650, (231 + 27 + 306) / 650))
    assert hs.infer(DRUM).of("mcc").not_at_random().worst_case is None
    assert hs.infer(DRUM).of("accuracy").not_at_random().worst_case == pytest.approx((285 / 650, 591 / 650))


@pytest.mark.full
def test_a_claim_tips_where_its_probability_passes_the_level() -> None:
    share = hs.infer(ANSWERS).of("prevalence@pass")
    found = share.not_at_random(above=0.6)
    assert found.probability == pytest.approx(0.996, abs=0.001)
    assert found.tipping_point is not None
    assert 0.5 < found.tipping_point < 1
    at = knowledge_of(hs.infer(ANSWERS)).tilted(1, found.tipping_point).of("prevalence@pass")
    assert at.prob(above=0.6) == pytest.approx(0.95, abs=0.005)
    assert "is no longer 95% sure" in found.sentence
    assert share.not_at_random(above=0.75).tipping_point > 1
    assert share.not_at_random(above=-1).tipping_point is None
    assert found.to_dict()["tipping_point"] == found.tipping_point
    assert "odds" in str(found)


def test_odd_questions_about_picked_labels() -> None:
    share = hs.infer(DRUM).of("prevalence@ill")
    for options, words in (
        ({"above": 0.2, "below": 0.9}, "one claim"),
        ({"label": "sick"}, "true class whose odds differ"),
        ({"above": "x"}, "number"),
    ):
        with pytest.raises(InvalidArgument, match=words):
            share.not_at_random(**options)
