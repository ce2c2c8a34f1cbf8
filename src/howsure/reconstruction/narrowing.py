"""How many tables figures leave to be tried, and which further figures would leave few enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite, log10

import numpy as np

from howsure.errors import InvalidArgument, listing
from howsure.numerics.arrays import Floats, Integers
from howsure.reconstruction.integer_search import MOST_TRIED, TableLimits
from howsure.text.formats import integer, plain

__all__ = ["left_open", "refusal"]

#: Width of what a figure of two decimals may have been rounded from.
WIDTH = 0.01
#: Numbers up to which the rows of large tables are counted.
MOST_COUNTED = 10_000_000
SHARES = "the matrix in shares or per cent (shares=)"

#: Limits, and cases of each class, shape (splits, K), of which there are several where they are not known.
Known = tuple[TableLimits, Integers]


def left_open(limits: TableLimits, sizes: Integers) -> float:
    """Tables that are to be tried: over all sizes, the product over the classes of the rows that their cells allow.

    Parameters
    ----------
    limits : TableLimits
    sizes : ndarray, shape (splits, K)
        Cases of each class; several splits, of two classes, where they are not known.

    Examples
    --------
    >>> left_open(TableLimits.of(2, []), np.array([[3, 4]])), left_open(TableLimits.of(3, []), np.array([[1, 2, 3]]))
    (20.0, 180.0)
    """
    low, high = limits.counts(sizes)
    if sizes.shape[1] > 2:
        return float(np.prod([_compositions(n, low[0, i], high[0, i]) for i, n in enumerate(sizes[0])]))
    # of two cells that add up to n, each says what the other may be
    least = np.maximum(low[..., 0], sizes - high[..., 1])
    most = np.minimum(high[..., 0], sizes - low[..., 1])
    return float((most - least + 1.0).clip(0).prod(axis=1).sum())


def _compositions(size: int, low: Integers, high: Integers) -> float:
    """How many rows of whole numbers within limits add up to ``size``: cell after cell, by sums of what came before."""
    ways, total = np.zeros(size + 1), np.arange(size + 1)
    ways[0] = 1.0
    for least, most in zip(low, high, strict=True):
        # with least to most in this cell, the cells before hold total - most to total - least
        sums = np.concatenate([np.zeros(1), np.cumsum(ways)])
        ways = sums[(total - least + 1).clip(0)] - sums[(total - most).clip(0)]
    return float(ways[size])


def refusal(limits: TableLimits, sizes: Integers, labels: Sequence[str]) -> InvalidArgument:
    """The sentence where too much is open, with the figures that would narrow it most, until few enough are left."""
    if len(labels) > 2 and len(labels) ** 3 * int(sizes[0].max()) > MOST_COUNTED:
        return _sentence("", f"with {len(labels)} classes only {SHARES} narrows them")
    known, options, named = (limits, sizes), _options(limits, sizes, labels), list[str]()
    start = left = left_open(*known)
    alone = {name: left_open(*narrowed(known)) for name, narrowed in options.items()}
    while options and (left > MOST_TRIED or not named):
        name = min(options, key=lambda one: left_open(*options[one](known)))
        known = options.pop(name)(known)
        named.append(name)
        left = left_open(*known)
    others = [name for name, count in alone.items() if name not in named[:1] and count <= MOST_TRIED]
    if len(labels) > 2 and left_open(_in_shares(limits, sizes), sizes) <= MOST_TRIED:
        others.append(SHARES)
    said = f" (about {_rounded(start)})"
    if named and left <= MOST_TRIED:
        too = f"; so would {' or '.join(others)}" if others else ""
        return _sentence(said, f"{listing(named)} would leave about {_rounded(left)}{too}")
    if others:
        return _sentence(said, f"{others[-1]} would leave few enough")
    return _sentence(
        said, f"{f'{listing(named)}, and ' if named else ''}figures with more decimals would narrow them most"
    )


def _sentence(many: str, advice: str) -> InvalidArgument:
    problem = f"the figures leave more tables to be tried{many} than the {integer(MOST_TRIED)} that can be"
    return InvalidArgument(f"{problem}; {advice}")


def _options(limits: TableLimits, sizes: Integers, labels: Sequence[str]) -> dict[str, Callable[[Known], Known]]:
    """Figures that are not known yet, and what each would make of the limits."""
    named = ["specificity", "recall"] if len(labels) == 2 else [f"recall@{plain(label, 40)}" for label in labels]
    free = [i for i in range(len(labels)) if limits.cells[1, i, i] - limits.cells[0, i, i] > WIDTH]
    rough = {i for i in free if np.ptp(limits.cells[:, i, i]) < 1}
    found = {named[i] + " to two decimals" * (i in rough): _recall_of(i) for i in reversed(free)}
    if len(sizes) > 1:
        half = sizes[len(sizes) // 2 :][:1]
        found = {"the cases of each class (sizes=)": lambda known: (known[0], half), **found}
    return found


def _recall_of(i: int) -> Callable[[Known], Known]:
    """With the recall of a class to two decimals, about the accuracy."""

    def narrowed(known: Known) -> Known:
        limits, sizes = known
        cells, half = limits.cells.copy(), _half(sizes)[i]
        low, high = cells[:, i, i]
        about = np.clip(limits.right.mean(), min(low + half, high), max(high - half, low))
        cells[:, i, i] = np.clip([about - half, about + half], low, high)
        return replace(limits, cells=cells), sizes

    return narrowed


def _half(sizes: Integers) -> Floats:
    """Half the width of a figure of each class, in which at least one whole number of cases lies."""
    half: Floats = np.maximum(WIDTH / 2, 0.5 / sizes.max(axis=0).clip(1))
    return half


def _in_shares(limits: TableLimits, sizes: Integers) -> TableLimits:
    """With every cell as a share to two decimals: the accuracy on the diagonal, the rest spread evenly."""
    size, about = limits.columns.shape[1], limits.right.mean()
    shares = np.full((size, size), (1 - about) / (size - 1))
    np.fill_diagonal(shares, about)
    ends = np.array([-1, 1])[:, None, None] * _half(sizes)[:, None]
    return replace(limits, cells=np.clip(shares + ends, *limits.cells))


def _rounded(many: float) -> str:
    """A number to two digits.

    Examples
    --------
    >>> _rounded(1_337_337_000.0), _rounded(3.1e21)
    ('1,300,000,000', '10^21')
    """
    if not isfinite(many) or many >= 1e15:
        return f"10^{int(log10(many))}" if isfinite(many) else "10^300 and more"
    return integer(int(float(f"{many:.1e}")))
