"""Groups of systems that do not differ significantly, and ranks with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters, ascii_lowercase

import numpy as np
import numpy.typing as npt

from rankgauge.errors import ParameterError
from rankgauge.segments import Bools, Floats, Ints


def _square(values: npt.ArrayLike, owner: str) -> Bools:
    """Return a square matrix of true and false; raise an error if it is something else."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise ParameterError(f"{owner}: expected a square matrix, found rows of different lengths") from None
    if array.ndim != 2 or array.shape[0] != array.shape[1]:  # noqa: PLR2004 (systems x systems)
        raise ParameterError(f"{owner}: expected a square matrix, found shape {array.shape}")
    if array.dtype.kind not in "biuf" or not np.isin(array, (0, 1)).all():
        raise ParameterError(f"{owner}: expected a matrix of True and False")
    matrix: Bools = array.astype(bool)
    return matrix


def compact_letters(different: npt.ArrayLike) -> tuple[str, ...]:
    """Compact letter display: systems that share a letter do not differ significantly (Piepho 2004).

    ``different`` is the symmetric matrix that says whether each pair of systems differs, best system first.

    >>> compact_letters([[False, False, True], [False, False, False], [True, False, False]])
    ('a', 'ab', 'b')
    """
    matrix = _square(different, "compact_letters")
    if (matrix != matrix.T).any():
        raise ParameterError("compact_letters: the matrix is not symmetric: two systems differ or they do not")
    count = len(matrix)
    groups: list[frozenset[int]] = [frozenset(range(count))]
    for first in range(count):
        for second in np.flatnonzero(matrix[first, first + 1 :]) + first + 1:
            split = [group for group in groups if first in group and second in group]
            if not split:
                continue
            groups = [group for group in groups if group not in split]
            for group in split:
                for part in (group - {first}, group - {int(second)}):
                    if not any(part <= other for other in groups):
                        groups = [other for other in groups if not other <= part] + [part]
    groups.sort(key=sorted)
    return tuple("".join(_letter(number) for number, group in enumerate(groups) if at in group) for at in range(count))


def _letter(number: int) -> str:
    """Return a single character: a to z, A to Z, then further letters of Unicode."""
    return ascii_letters[number] if number < len(ascii_letters) else chr(0x100 + number - len(ascii_letters))


def group_names(letters: Sequence[str]) -> list[str]:
    """Return the letters of ``compact_letters`` for people: with more than 26 groups as numbers and their ranges.

    >>> group_names(("a", "ab", "b"))
    ['a', 'ab', 'b']
    >>> group_names(["".join(map(_letter, (0, 1, 2, 4))), _letter(26)])
    ['1-3,5', '27']
    """
    if all(letter in ascii_lowercase for group in letters for letter in group):
        return [*letters]
    return [_ranges([_number(letter) for letter in group]) for group in letters]


def _number(letter: str) -> int:
    return ascii_letters.index(letter) if letter in ascii_letters else ord(letter) - 0x100 + len(ascii_letters)


def _ranges(numbers: Sequence[int]) -> str:
    """Return numbers from 0 as ranges of numbers from 1."""
    starts = [number for number in numbers if number - 1 not in numbers]
    ends = [number for number in numbers if number + 1 not in numbers]
    return ",".join(str(a + 1) if a == b else f"{a + 1}-{b + 1}" for a, b in zip(starts, ends, strict=True))


def ranks(means: Floats, higher_is_better: bool) -> Ints:
    """Rank of each system (column) in each sample (row), 1 for the best; equal means share the better rank.

    >>> ranks(np.array([[0.5, 0.75, 0.5]]), higher_is_better=True).tolist()
    [[2, 1, 2]]
    """
    keys = -means if higher_is_better else means
    order = np.argsort(keys, axis=1)
    ascending = np.take_along_axis(keys, order, axis=1)
    places = np.broadcast_to(np.arange(keys.shape[1]), keys.shape).copy()
    places[:, 1:][ascending[:, 1:] == ascending[:, :-1]] = 0
    result = np.empty_like(order)
    np.put_along_axis(result, order, np.maximum.accumulate(places, axis=1) + 1, axis=1)
    return result


def rank_intervals(means: Floats, higher_is_better: bool, level: float = 0.95) -> list[tuple[int, int]]:
    """Lowest and highest rank of each system in the central ``level`` of the bootstrap samples.

    >>> rank_intervals(np.array([[0.2, 0.1], [0.3, 0.1], [0.1, 0.2], [0.3, 0.2]]), higher_is_better=True, level=0.5)
    [(1, 1), (2, 2)]
    """
    sorted_ranks = np.sort(ranks(means, higher_is_better), axis=0)
    last = len(sorted_ranks) - 1
    low = sorted_ranks[int(np.floor((1 - level) / 2 * last + 0.5))]
    high = sorted_ranks[int(np.ceil((1 + level) / 2 * last - 0.5))]
    return [(int(first), int(end)) for first, end in zip(low, high, strict=True)]


def rank_sets(higher: npt.ArrayLike) -> list[tuple[int, int]]:
    """Best and worst rank of each system that its significant differences leave (Mogstad et al. 2024).

    ``higher`` says whether the system of a column is significantly better than that of a row, as in the result of
    ``all_pairs``. If these differences are simultaneous, so are the ranks.

    >>> rank_sets([[False, True, True], [False, False, False], [False, False, False]])
    [(3, 3), (1, 2), (1, 2)]
    """
    matrix = _square(higher, "rank_sets")
    if (matrix & matrix.T).any():
        raise ParameterError("rank_sets: of two systems each is better than the other")
    best, worst = 1 + matrix.sum(axis=1), len(matrix) - matrix.sum(axis=0)
    return [*zip(best.tolist(), worst.tolist(), strict=True)]


def neighbour_groups(different: Bools) -> list[tuple[int, int]]:
    """First and last group of each system, best first: all systems of a group are neighbours and do not differ.

    Letters of many systems are too many to read; the groups of neighbours are at most as many as the systems.

    >>> neighbour_groups(np.array([[False, False, True], [False, False, False], [True, False, False]]))
    [(1, 1), (1, 2), (2, 2)]
    """
    count = len(different)
    ends = np.arange(count)
    for start in range(count - 1, -1, -1):
        first = np.flatnonzero(different[start, start + 1 :])
        alone = start + int(first[0]) if len(first) else count - 1
        ends[start] = min(alone, int(ends[start + 1]) if start + 1 < count else alone)
    starts = [place for place in range(count) if place == 0 or ends[place] > ends[place - 1]]
    last = ends[starts]
    number = np.searchsorted(starts, np.arange(count), side="right")
    return [(int(np.searchsorted(last, place)) + 1, int(number[place])) for place in range(count)]
