"""A leaderboard that does not pretend: letters for systems that cannot be told apart, and an interval for each rank."""

from __future__ import annotations

from string import ascii_letters

import numpy as np

from rankgauge.segments import Bools, Floats, Ints


def letters(different: Bools) -> tuple[str, ...]:
    """A compact letter display: systems that share a letter cannot be told apart (Piepho 2004).

    ``different`` is a symmetric matrix, the systems in the order in which they are shown. The first letter goes to the
    group that begins first.

    >>> letters(np.array([[False, False, True], [False, False, False], [True, False, False]]))
    ('a', 'ab', 'b')
    """
    count = len(different)
    groups: list[frozenset[int]] = [frozenset(range(count))]
    for first in range(count):
        for second in np.flatnonzero(different[first, first + 1 :]) + first + 1:
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
    """One character each: a to z, A to Z, and the letters that follow in Unicode."""
    return ascii_letters[number] if number < len(ascii_letters) else chr(0x100 + number - len(ascii_letters))


def ranks(means: Floats, higher_is_better: bool) -> Ints:
    """The rank of each system, 1 the best; equal means share the better rank. Rows are samples.

    >>> ranks(np.array([[0.5, 0.75, 0.5]]), higher_is_better=True).tolist()
    [[2, 1, 2]]
    """
    keyed = -means if higher_is_better else means
    result = np.ones(keyed.shape, dtype=np.int64)
    for system in range(keyed.shape[1]):
        result[:, system] += (keyed < keyed[:, [system]]).sum(axis=1)
    return result


def rank_intervals(means: Floats, higher_is_better: bool, level: float = 0.95) -> list[tuple[int, int]]:
    """The ranks that each system takes in the middle ``level`` of the bootstrap samples.

    >>> rank_intervals(np.array([[0.2, 0.1], [0.3, 0.1], [0.1, 0.2], [0.3, 0.2]]), higher_is_better=True, level=0.5)
    [(1, 1), (2, 2)]
    """
    taken = np.sort(ranks(means, higher_is_better), axis=0)
    last = len(taken) - 1
    low = taken[int(np.floor((1 - level) / 2 * last + 0.5))]
    high = taken[int(np.ceil((1 + level) / 2 * last - 0.5))]
    return [(int(first), int(end)) for first, end in zip(low, high, strict=True)]
