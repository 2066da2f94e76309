"""Fingerprints of content: the same for the same rows, whatever their file, format, order or types.

A fingerprint is a sum over rows of a hash of each row, so the order of the rows does not matter and blocks can be added
up as they are read. Ids are hashed as text, numbers by their double. The hash is written out here, because those of
libraries change between releases and fingerprints are compared over years: it reads the UTF-8 bytes of all ids of a
column at once, eight at a time, and mixes them with the finaliser of SplitMix64. Sums of two different mixes (128 bits)
make equal fingerprints of different content a matter of 1 in 10^38. They do not protect against forgery.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.inputs.gold_groups import GoldGroup
from rankgauge.segments import Floats, Ints

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.matching.matched import Matched

WORD = 8
"""Bytes that are mixed at a time."""
_FIRST, _SECOND, _STEP = (np.uint64(number) for number in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0x9E3779B97F4A7C15))
"""The constants of SplitMix64."""
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(WORD + 1)], dtype=np.uint64)
"""What is read of a word with so many bytes left."""
_EXACT = 1 << 53
AT_A_TIME = 1 << 15
"""Rows that are hashed together: few enough for the cache, which takes half the time of a million."""


def mixed(numbers: Any) -> Any:
    """Return numbers whose bits depend on all bits of the given ones (unsigned, of 64 bits)."""
    numbers = numbers + _STEP
    numbers = (numbers ^ (numbers >> np.uint64(30))) * _FIRST
    numbers = (numbers ^ (numbers >> np.uint64(27))) * _SECOND
    return numbers ^ (numbers >> np.uint64(31))


def id_text(name: object) -> str:
    """Return an id as it is hashed: whole numbers without a point, groups by their members in order.

    >>> id_text("7"), id_text(7), id_text(7.0), id_text(np.int64(7))
    ('7', '7', '7', '7')
    """
    if isinstance(name, str):
        return name
    if isinstance(name, GoldGroup):
        return "\x1e" + "\x1f".join(sorted(map(id_text, name.members)))
    if isinstance(name, float | np.floating) and float(name).is_integer() and abs(float(name)) < _EXACT:
        return str(int(name))
    return str(name)


def text_column(names: Any) -> pl.Series:
    """Return a column, an array or a sequence of ids as text."""
    import polars as pl  # noqa: PLC0415 (slow to load)

    if isinstance(names, np.ndarray) and names.dtype.kind in "iu":
        names = pl.Series(names)
    if isinstance(names, pl.Series) and (names.dtype.is_integer() or names.dtype == pl.String):
        return names.cast(pl.String)
    texts = [*map(id_text, names)]
    try:
        return pl.Series(texts, dtype=pl.String)
    except UnicodeEncodeError:  # a lone surrogate
        return pl.Series([text.encode("utf-8", "backslashreplace").decode() for text in texts], dtype=pl.String)


def id_hashes(names: Any) -> Any:
    """Return the hash of each id, read as text."""
    texts = text_column(names)
    sizes = texts.str.len_bytes().to_numpy().astype(np.int64)
    content = b"".join([(texts.str.join("").item() or "").encode() if len(texts) else b"", b"\0" * WORD])
    words: Any = np.ndarray((len(content) - WORD + 1,), "<u8", content, strides=(1,))
    starts = np.cumsum(sizes) - sizes
    hashes = mixed(sizes.astype(np.uint64))
    for place in range(0, int(sizes.max(initial=0)), WORD):
        rows: Any = np.flatnonzero(sizes > place) if place else slice(None)
        read = words[np.minimum(starts[rows] + place, len(words) - 1)].astype(np.uint64)
        left = np.clip(sizes[rows] - place, 0, WORD)
        hashes[rows] = mixed(hashes[rows] ^ (read & _MASKS[left]))
    return hashes


def number_hashes(numbers: Any) -> Any:
    """Return the hash of each number, by its double; 0 and -0 are equal."""
    doubles = np.asarray(numbers, dtype=np.float64) + 0.0
    return mixed(np.ascontiguousarray(doubles).view(np.uint64))


def parts(count: int) -> Iterator[slice]:
    """Yield the rows that are hashed together."""
    return (slice(start, start + AT_A_TIME) for start in range(0, count, AT_A_TIME))


class Fingerprint:
    """The fingerprint of rows that are added in any order.

    >>> one, other = Fingerprint("queries"), Fingerprint("queries")
    >>> one.add(id_hashes(["a", "b"]))
    >>> for query in ["b", "a"]:
    ...     other.add(id_hashes([query]))
    >>> str(one) == str(other)
    True
    """

    def __init__(self, kind: str, sums: Sequence[int] = (0, 0, 0)) -> None:
        self._kind = kind
        self._rows, self._sum, self._other = sums

    @property
    def sums(self) -> tuple[int, int, int]:
        """The number of rows and both sums, which can be added up over parts of the data."""
        return self._rows, self._sum, self._other

    def add(self, *columns: Any) -> None:
        """Add rows, given as the hashes of their columns."""
        row = columns[0]
        for column in columns[1:]:
            row = mixed(row ^ mixed(column))
        self._rows += len(row)
        self._sum += int(np.add.reduce(mixed(row), dtype=np.uint64))
        self._other += int(np.add.reduce(mixed(row ^ _SECOND), dtype=np.uint64))

    def add_ranks(self, queries: Any, matched: Matched, sizes: Ints | None, *, by_grades: bool) -> None:
        """Add the items of a chunk of a ranking, with their ranks after the tie rule.

        ``queries`` are the hashes of its queries, ``sizes`` the numbers of items of those of flat arrays, whose ids are
        places in the chunk. Where grades decide the order of ties, tied items have the same rank.
        """
        if len(matched.query):
            items = matched.item
            if sizes is not None:
                items = items - (np.cumsum(sizes) - sizes)[matched.query]
            rank = (matched.above if by_grades else matched.above + matched.before).astype(np.uint64)
            for rows in parts(len(rank)):
                self.add(queries[matched.query[rows]], id_hashes(items[rows]), mixed(rank[rows]))

    def __str__(self) -> str:
        from hashlib import blake2b  # noqa: PLC0415 (slow to load)

        limit = 1 << 64
        text = f"{self._kind} {self._rows} {self._sum % limit:016x} {self._other % limit:016x}"
        return blake2b(text.encode(), digest_size=16).hexdigest()


def judgments_fingerprint(queries: Any, rows: Iterable[tuple[Ints, Any, Floats]]) -> Fingerprint:
    """Return the fingerprint of judgments: blocks of the number of the query, the hash of the item, and the grade."""
    fingerprint, of_query = Fingerprint("judgments"), id_hashes(queries)
    for numbers, items, grades in rows:
        fingerprint.add(of_query[numbers], items, number_hashes(grades))
    return fingerprint


def queries_fingerprint(queries: Sequence[Any]) -> str:
    """Return the fingerprint of a set of queries.

    >>> queries_fingerprint(["1", "2"]) == queries_fingerprint([2, 1]), queries_fingerprint(["1"])
    (True, '...')
    """
    fingerprint = Fingerprint("queries")
    fingerprint.add(id_hashes(queries))
    return str(fingerprint)


def weights_fingerprint(queries: Sequence[Any], weights: Floats) -> str:
    """Return the fingerprint of the weights of queries.

    >>> import numpy as np
    >>> first, second = weights_fingerprint([1, 2], np.array([1, 3])), weights_fingerprint(["2", "1"], np.array([3, 1]))
    >>> first == second
    True
    """
    fingerprint = Fingerprint("weights")
    fingerprint.add(id_hashes(queries), number_hashes(weights))
    return str(fingerprint)
