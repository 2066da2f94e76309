"""Pairwise distances between the items of each list, for many lists at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgauge.segments import Floats
from rankgauge.side_information.item_lists import ItemLists

IN_CACHE = 100_000
"""Numbers processed at a time, few enough to fit in the cache."""
NEAR = 0.01
"""Below this share of the squared lengths, their difference has lost digits and is not used."""


def distances_to_items_above(lists: ItemLists, n: Floats, distance: str) -> Floats:
    """Return the sum of the distances from each item of the top n to the items above it, by length of list."""
    prepared, pairwise = DISTANCES[distance]
    vectors = lists.tables.vectors
    table, distances = prepared(vectors), np.zeros(len(lists.rank))
    for length in np.unique(n[n > 1]).astype(np.int64).tolist():
        rows = lists.segments.offsets[:-1][n == length][:, None] + np.arange(length)
        above = np.tril(np.ones((length, length)), -1)
        size = max(1, IN_CACHE // (length * max(vectors.shape[1], length)))
        for start in range(0, len(rows), size):
            chunk = rows[start : start + size]
            distances[chunk] = np.einsum("uij,ij->ui", pairwise(table.take(lists.item[chunk], axis=0)), above)
    return np.maximum(distances, 0.0) / (max(lists.tables.coordinates, 1) if distance == "hamming" else 1)


def _products(vectors: Floats) -> Floats:
    """Return the inner products of all pairs of vectors of each list."""
    return np.matmul(vectors, vectors.transpose(0, 2, 1))


def _with_each(lengths: Floats) -> Floats:
    """Return the sums of the squared lengths of all pairs of vectors of each list."""
    return lengths[:, :, None] + lengths[:, None, :]


def _unit(vectors: Floats) -> Floats:
    length = np.sqrt((vectors**2).sum(axis=1))
    return vectors / np.where(length > 0, length, 1.0)[:, None]


def _cosine(unit: Floats) -> Floats:
    return 1 - _products(unit)


def _euclidean(vectors: Floats) -> Floats:
    """Compute |a|² + |b|² - 2 ab, or the difference itself where digits would cancel."""
    products = _products(vectors)
    lengths = _with_each(np.einsum("uii->ui", products))
    squared = lengths - 2 * products
    user, first, second = np.nonzero(np.tri(vectors.shape[1], k=-1, dtype=bool) & (squared < NEAR * lengths))
    difference = vectors[user, first] - vectors[user, second]
    squared[user, first, second] = np.einsum("ij,ij->i", difference, difference)
    return np.sqrt(np.maximum(squared, 0.0))


def _jaccard(present: Floats) -> Floats:
    both = _products(present)
    either = _with_each(np.einsum("uii->ui", both)) - both
    return 1 - both / np.maximum(either, 1) - (either == 0)


def _compact(vectors: Floats) -> Floats:
    """Return the same numbers in bytes, or in single precision, if they fit: they are only compared."""
    with np.errstate(over="ignore", invalid="ignore"):
        for kind in (np.uint8, np.float32):
            smaller = vectors.astype(kind)
            if (smaller == vectors).all():
                return smaller
    return vectors


def _hamming(vectors: Floats) -> Floats:
    """Return the number of coordinates that differ; those that are 0 in all lists are counted by the caller."""
    users, length, width = vectors.shape
    differing = np.zeros((users, length, length))
    for place in range(1, length):
        unequal = vectors[:, :place] != vectors[:, place : place + 1]
        differing[:, place, :place] = np.add.reduce(unequal.view(np.uint8), axis=-1, dtype=np.min_scalar_type(width))
    return differing


DISTANCES: dict[str, tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]] = {
    "cosine": (_unit, _cosine),
    "jaccard": (lambda vectors: (vectors != 0).astype(np.float64), _jaccard),
    "hamming": (_compact, _hamming),
    "euclidean": (lambda vectors: vectors, _euclidean),
}
"""A preparation of all vectors, and the pairwise distances of an array of users x items x coordinates."""
