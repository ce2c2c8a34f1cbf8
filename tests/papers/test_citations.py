"""What is cited is what the sources say: equations by their number, the blog post by its title."""

from __future__ import annotations

from howsure.metrics import REGISTRY, names

#: Metric and what its reference must say.
EQUATIONS = {
    "accuracy": "Brodersen et al. 2010, equations 1 and 2; Toetsch and Hoffmann 2021, equation 5",
    "balanced_accuracy": "Brodersen et al. 2010, equation 7; Carrillo et al. 2013, equations 3 and 12, its posterior "
    "equation 13",
    "kappa": "Cohen 1960 (Carrillo et al. 2013, equations 1 and 2, with the number of cases for the misprinted l)",
    "f1": "van Rijsbergen 1979; its @macro is F_mu of Carrillo et al. 2013, section 3.2",
    "weighted_balanced_accuracy": "Brodersen et al. 2010, section III: c TP/P + (1 - c) TN/N",
}


def test_equations_have_their_numbers() -> None:
    assert {name: REGISTRY[name].reference for name in EQUATIONS} == EQUATIONS


def test_the_blog_post_is_cited_by_its_title_and_is_not_mclearn() -> None:
    cited = [name for name in names() if "The problem with accuracy" in REGISTRY[name].reference]
    assert sorted(cited) == [
        "informedness",
        "markedness",
        "overdiagnosis",
        "weighted_informedness",
        "weighted_markedness",
        "worst_rate",
    ]
    assert all('blog post "The problem with accuracy"' in REGISTRY[name].reference for name in cited)
    assert not [name for name in names() if "mclearn" in REGISTRY[name].reference]
