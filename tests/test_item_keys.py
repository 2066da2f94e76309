"""Keys of queries and items: repetitions and candidates are found exactly as by comparing all keys."""

import numpy as np
import pytest

from rankgauge.matching import item_keys
from rankgauge.segments import Segments

RNG = np.random.default_rng(7)


def keys(count, bits=64):
    """Distinct keys, in random order; those of few bits all share one slot."""
    return RNG.permutation(np.unique(RNG.integers(0, 2**bits - 1, 2 * count + 9, dtype=np.uint64))[:count])


@pytest.mark.parametrize("bits", [64, 64 - item_keys.SLOT_BITS], ids=["spread", "one slot for all"])
@pytest.mark.parametrize(
    "sizes", [[1], [5, 0, 3], [100] * 200, [3 * item_keys.AT_A_TIME, 2], [item_keys.AT_A_TIME] * 3]
)
def test_a_repeated_key_is_found_wherever_it_is(sizes, bits):
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    key = keys(offsets[-1], bits)
    assert not item_keys.any_equal(key, offsets)
    for _ in range(20):
        start, end = next((a, b) for a, b in RNG.permutation(np.stack((offsets[:-1], offsets[1:]), 1)) if b > a)
        if end - start > 1:
            first, second = RNG.choice(np.arange(start, end), 2, replace=False)
            repeated = key.copy()
            repeated[first] = repeated[second]
            assert item_keys.any_equal(repeated, offsets)


@pytest.mark.parametrize("others", [0, item_keys.SHORT])
def test_three_colliding_keys_of_which_two_are_equal(others):
    key = np.concatenate((np.array([1, 1, 2], dtype=np.uint64), keys(others)))
    assert item_keys.any_equal(key, np.array([0, len(key)]))


@pytest.mark.parametrize(
    ("items", "sizes", "expected"),
    [
        ([1, 2, 1, 2], [2, 2], True),
        ([1, 2, 1, 2], [0, 2, 0, 2, 0], True),
        ([1, 2, 1, 2], [4], False),
        ([2, 2, 3], [2, 1], False),
        ([3, 2], [2], False),
        ([1, 3, 2], [3], False),
        ([5, 1, 2], [1, 2], True),
        ([], [0], True),
    ],
)
def test_numbers_that_ascend_in_every_query_cannot_repeat(items, sizes, expected):
    assert item_keys.ascend(np.array(items, dtype=np.int64), np.concatenate(([0], np.cumsum(sizes)))) is expected


@pytest.mark.parametrize("items", [[1, 2, 1, 2], [2, 1, 1, 2], [2, 1, 2, 1], [1, 1, 2, 1]])
@pytest.mark.parametrize("sizes", [[4], [2, 2], [1, 3], [0, 3, 0, 1]])
def test_a_repeated_number_is_found_in_its_query_only(items, sizes):
    runs = Segments.of_sizes(np.array(sizes))
    lists = np.split(items, runs.offsets[1:-1])
    assert item_keys.repeat(np.array(items), runs) is any(len({*part.tolist()}) < len(part) for part in lists)


@pytest.mark.parametrize("known", [0, 1, 500])
def test_the_prefilter_keeps_every_known_key_and_few_others(known):
    key = keys(10_000)
    others = np.concatenate((key[:known], keys(known)))
    places = item_keys.hash_prefilter(key, others)
    assert set(range(known)) <= set(places.tolist())
    assert len(places) <= known + 1500
