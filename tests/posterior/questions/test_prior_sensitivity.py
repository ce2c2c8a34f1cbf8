"""One answer under several priors."""

from __future__ import annotations

import json

import howsure as hs
from howsure.posterior.priors import Prior

COCAINE = hs.infer(hs.ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"]))


def test_a_prior_that_says_nothing_is_said_to() -> None:
    known = COCAINE.prior_sensitivity("recall@high", ["haldane", Prior(3, 1, name="optimist")])
    assert [a.prior for a in known.answers] == ["calibrated", "haldane", "optimist"]
    assert known.answers[1].known is None
    assert "no information" in known.answers[1].silence
    assert "haldane: no information" in str(known)
    json.dumps(known.to_dict(), allow_nan=False)
    assert "no information" in known._repr_html_()
