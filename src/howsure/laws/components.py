"""What a mixture needs to know of its components: whether one is a single Beta, and which are the same."""

from __future__ import annotations

from collections.abc import Iterable

from howsure.laws.dirichlet import DirichletRows
from howsure.laws.law import Law
from howsure.laws.linear import Linear

__all__ = ["random_rows", "scaled_beta", "single_beta", "value_of"]


def random_rows(laws: Iterable[Law]) -> set[DirichletRows]:
    """The random rows that the laws depend on."""
    return {block for law in laws if isinstance(law, Linear) for block in law.blocks}


def scaled_beta(a: float, b: float, low: float, width: float) -> Linear:
    """Law of ``low + width theta``, ``theta ~ Beta(a, b)``."""
    return Linear([([width, 0.0], [a, b])], shift=low)


def single_beta(law: Linear) -> tuple[float, float, float, float] | None:
    """(a, b, low, width) of a law that is ``low + width theta``, ``theta ~ Beta(a, b)``; None for any other."""
    if len(law._parts) != 1 or len(law._parts[0].index) != 1:
        return None
    part = law._parts[0]
    alphas = part.alphas[0].tolist()
    cells = [(c, alpha) for c, alpha in zip(part.table[0].tolist(), alphas, strict=True) if alpha > 0]
    bottom, top = min(c for c, _ in cells), max(c for c, _ in cells)
    if bottom == top or any(bottom < c < top for c, _ in cells):
        return None
    a, b = (sum(alpha for c, alpha in cells if c == end) for end in (top, bottom))
    return a, b, law._shift + bottom, top - bottom


def value_of(law: Law) -> object:
    """What two laws have in common if they are the same in law; a law of another kind has only itself."""
    if not isinstance(law, Linear):
        return law
    rows = [
        (alphas.tobytes(), coefficients.tobytes())
        for part in law._parts
        for alphas, coefficients in zip(part.alphas, part.table, strict=True)
    ]
    return law._shift, tuple(sorted(rows))
