"""Labels for vector indexes: a returned neighbour is right if it is no farther than the exact k-th one."""

from __future__ import annotations

import numpy as np

from rankgauge.errors import InputError, ParameterError
from rankgauge.segments import Floats
from rankgauge.value_checks import is_finite, unmasked

__all__ = ["within_distance"]

MATRIX = 2


def within_distance(
    distances: object, exact: object, *, k: int = 10, margin: float = 0.001, relative: bool = False
) -> Floats:
    """Return 1 for each returned neighbour whose distance is at most that of the exact k-th one, else 0.

    ``P@k`` of these labels is the recall of ann-benchmarks, in which ties count and ids do not matter.

    Parameters
    ----------
    distances
        A row per query with the distances of the returned neighbours, best first; a very large
        one where fewer were returned.
    exact
        A row per query with the distances of the exact neighbours, nearest first, at least k.
    k
        Which exact neighbour sets the threshold.
    margin
        What is added to the threshold; with ``relative=True``, its share of the threshold (``epsilon`` 0.01 and
        ``largeepsilon`` 0.1 in ann-benchmarks).
    relative
        Whether ``margin`` is a share of the threshold.

    Examples
    --------
    >>> import rankgauge as rg
    >>> returned = np.array([[0.1, 0.3, 0.9]])
    >>> labels = rg.neighbours.within_distance(returned, [[0.1, 0.2, 0.3]], k=3)
    >>> labels.tolist()
    [[1.0, 1.0, 0.0]]
    >>> round(rg.evaluate(labels, -returned, "P@3").mean("P@3"), 6)
    0.666667
    """
    returned, nearest = (_matrix(name, rows) for name, rows in (("distances", distances), ("exact", exact)))
    if not isinstance(k, int) or isinstance(k, bool) or k < 1:
        raise ParameterError.of("k", k, "a whole number of at least 1", "within_distance")
    if not is_finite(margin) or margin < 0:
        raise ParameterError.of("margin", margin, "a number of at least 0", "within_distance")
    if len(returned) != len(nearest):
        rows = f"{len(returned)} and {len(nearest)}"
        raise InputError(f"within_distance: distances and exact must have the same number of rows, not {rows}")
    if nearest.shape[1] < k:
        raise InputError(f"within_distance: the threshold is at rank {k}, and exact ends at rank {nearest.shape[1]}")
    threshold = nearest[:, k - 1 : k]
    limit = threshold * (1 + margin) if relative else threshold + margin
    return (returned <= limit) * 1.0


def _matrix(name: str, rows: object) -> Floats:
    try:
        matrix = np.asarray(unmasked(rows, name), dtype=np.float64)
    except (TypeError, ValueError):
        matrix = np.empty(0)
    if matrix.ndim != MATRIX or np.isnan(matrix).any():
        raise ParameterError.of(name, rows, "a matrix of numbers with a row per query", "within_distance")
    return matrix
