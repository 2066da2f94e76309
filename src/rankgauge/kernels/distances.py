"""Distances of the items of a list from each other, of many lists at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgauge.segments import Floats
from rankgauge.side_information.item_lists import ItemLists

IN_CACHE = 100_000
"""Numbers that are worked on at a time, few enough to stay in the cache."""
NEAR = 0.01
"""Below this share of their lengths a difference of squared lengths has lost digits, and is not used."""


def distances_to_those_above(lists: ItemLists, n: Floats, vectors: Floats, distance: str) -> Floats:
    """The sum of the distances from each item of the top n to those above it; lists as long are taken together."""
    prepared, pairwise = DISTANCES[distance]
    known, found = prepared(vectors), np.zeros(len(lists.rank))
    for length in np.unique(n[n > 1]).astype(np.int64).tolist():
        rows = lists.segments.offsets[:-1][n == length][:, None] + np.arange(length)
        above = np.tril(np.ones((length, length)), -1)
        together = max(1, IN_CACHE // (length * max(vectors.shape[1], length)))
        for start in range(0, len(rows), together):
            some = rows[start : start + together]
            found[some] = np.einsum("uij,ij->ui", pairwise(known.take(lists.item[some], axis=0)), above)
    return np.maximum(found, 0.0)


def _products(vectors: Floats) -> Floats:
    """The inner product of every two vectors of a list."""
    return np.matmul(vectors, vectors.transpose(0, 2, 1))


def _with_each(lengths: Floats) -> Floats:
    """The sum of the squared lengths of every two vectors of a list."""
    return lengths[:, :, None] + lengths[:, None, :]


def _unit(vectors: Floats) -> Floats:
    length = np.sqrt((vectors**2).sum(axis=1))
    return vectors / np.where(length > 0, length, 1.0)[:, None]


def _cosine(unit: Floats) -> Floats:
    return 1 - _products(unit)


def _euclidean(vectors: Floats) -> Floats:
    """By |a|² + |b|² - 2 ab; from the difference itself where the two are so near that digits would cancel."""
    products = _products(vectors)
    lengths = _with_each(np.einsum("uii->ui", products))
    squared = lengths - 2 * products
    user, one, other = np.nonzero(np.tri(vectors.shape[1], k=-1, dtype=bool) & (squared < NEAR * lengths))
    difference = vectors[user, one] - vectors[user, other]
    squared[user, one, other] = np.einsum("ij,ij->i", difference, difference)
    return np.sqrt(np.maximum(squared, 0.0))


def _jaccard(present: Floats) -> Floats:
    both = _products(present)
    either = _with_each(np.einsum("uii->ui", both)) - both
    return 1 - both / np.maximum(either, 1) - (either == 0)


def _hamming(vectors: Floats) -> Floats:
    users, length, width = vectors.shape
    differing = np.zeros((users, length, length))
    for place in range(1, length):
        unequal = vectors[:, :place] != vectors[:, place : place + 1]
        differing[:, place, :place] = np.add.reduce(unequal.view(np.uint8), axis=-1, dtype=np.min_scalar_type(width))
    return differing / max(width, 1)


DISTANCES: dict[str, tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]] = {
    "cosine": (_unit, _cosine),
    "jaccard": (lambda vectors: (vectors != 0).astype(np.float64), _jaccard),
    "hamming": (lambda vectors: vectors, _hamming),
    "euclidean": (lambda vectors: vectors, _euclidean),
}
"""What is made of all vectors once, and the distance of every two items of some lists, of users x items x numbers."""
