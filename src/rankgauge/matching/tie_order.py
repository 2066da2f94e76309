"""The order of items with tied scores, where the rule fixes one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.segments import Ints, Segments


def tie_places(items: Any, run: Ints, convention: Convention) -> Ints:
    """Return the place of each item in its run of tied scores, 0 for the first.

    ``items`` are ids, run after run and in input order within a run; None if they have no ids.

    >>> tie_places(["b", "a", "c", "a"], np.array([0, 0, 0, 1]), Convention(ties="id")).tolist()
    [1, 2, 0, 0]
    """
    runs = Segments.of_runs(run)
    place: Ints = runs.place().astype(np.int64) - 1
    if convention.ties == "input-reversed":
        return runs.spread(runs.sizes) - 1 - place
    if convention.ties == "input" or items is None:
        return place
    if convention.ties == "random":
        key = np.array([shuffle_key(convention.seed, item) for item in items])
    else:
        key = _text_ranks(items) * (-1 if convention.ties == "id" else 1)
    places = np.empty_like(place)
    places[np.lexsort((key, run))] = place
    return places


def _text_ranks(ids: Sequence[Any]) -> Ints:
    """Return the rank of each id by its UTF-8 bytes, whose order is that of the code points."""
    if hasattr(ids, "rank"):  # a polars series
        return ids.rank("dense").to_numpy().astype(np.int64)
    texts = [*map(str, ids)]
    rank = {text: rank for rank, text in enumerate(sorted({*texts}))}
    return np.array([rank[text] for text in texts])


def shuffle_key(seed: int, item: object) -> float:
    """Return a number that depends only on the seed and the id."""
    import hashlib  # noqa: PLC0415 (slow to load, and rarely needed)

    key = seed.to_bytes(16, "little", signed=False)
    text = str(item).encode("utf-8", "surrogatepass")  # any id, a lone surrogate included
    return float(int.from_bytes(hashlib.blake2b(text, digest_size=6, key=key).digest(), "little"))
