"""How to cite the software and the papers behind it."""

from __future__ import annotations

from howsure._version import __version__

__all__ = ["citation", "short_citation"]

PAPERS = (
    (
        "brodersen2010",
        "inproceedings",
        {
            "author": "Brodersen, K. H. and Ong, C. S. and Stephan, K. E. and Buhmann, J. M.",
            "title": "The balanced accuracy and its posterior distribution",
            "booktitle": "20th International Conference on Pattern Recognition",
            "year": "2010",
            "doi": "10.1109/ICPR.2010.764",
        },
    ),
    (
        "carrillo2013",
        "incollection",
        {
            "author": "Carrillo, H. and Brodersen, K. H. and Castellanos, J. A.",
            "title": "Probabilistic performance evaluation for multiclass classification "
            "using the posterior balanced accuracy",
            "booktitle": "ROBOT2013: First Iberian Robotics Conference",
            "year": "2014",
            "doi": "10.1007/978-3-319-03413-3_25",
        },
    ),
    (
        "toetsch2021",
        "article",
        {
            "author": 'T{\\"o}tsch, N. and Hoffmann, D.',
            "title": "Classifier uncertainty: evidence, potential impact, and probabilistic treatment",
            "journal": "PeerJ Computer Science",
            "volume": "7",
            "pages": "e398",
            "year": "2021",
            "doi": "10.7717/peerj-cs.398",
        },
    ),
)


def citation(*, bibtex: bool = False) -> str:
    """Text or BibTeX of the software and its papers.

    Examples
    --------
    >>> citation().splitlines()[0].startswith("The howsure maintainers (2026). howsure")
    True
    """
    software = {
        "author": "{The howsure maintainers}",
        "title": f"howsure, version {__version__}: exact posteriors of classifier metrics",
        "year": "2026",
    }
    entries = [("howsure", "software", software), *PAPERS]
    if bibtex:
        return "\n\n".join(
            f"@{kind}{{{key},\n" + "".join(f"  {field} = {{{value}}},\n" for field, value in fields.items()) + "}"
            for key, kind, fields in entries
        )
    lines = [
        f"The howsure maintainers (2026). howsure, version {__version__}. Please cite also the papers of its models:"
    ]
    for _, _, fields in PAPERS:
        author = fields["author"].replace('{\\"o}', "ö").replace(" and ", "; ")
        where = fields.get("journal") or fields.get("booktitle")
        lines.append(f"- {author} ({fields['year']}). {fields['title']}. {where}. doi:{fields['doi']}")
    return "\n".join(lines)


def short_citation() -> str:
    """The same in one line, for the end of a sentence.

    Examples
    --------
    >>> short_citation().partition(";")[2]
    ' models of Brodersen et al. 2010, Carrillo et al. 2014, Tötsch and Hoffmann 2021'
    """
    models = []
    for _, _, fields in PAPERS:
        first, *others = [author.split(",")[0].replace('{\\"o}', "ö") for author in fields["author"].split(" and ")]
        models.append(f"{first} {'et al.' if len(others) > 1 else f'and {others[0]}'} {fields['year']}")
    return f"howsure {__version__}; models of {', '.join(models)}"
