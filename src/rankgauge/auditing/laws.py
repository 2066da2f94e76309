"""The laws of a metric as trials: worlds, and a relation that must hold between the values of a function on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from rankgauge.auditing.worlds import SMALL, World, unsorted
from rankgauge.rendering.language import Phrase

CLOSE = 1e-6
"""Tolerance of comparisons: tools in single precision are not at fault."""
FRESH = "z"
"""An unjudged item that no world contains."""


NEW_NAMES = ("n70", "n7", "N7", "90", "9", "5b", "5", "1")
"""Names in the opposite order of the letters, some of which are parts of others, or differ in case."""


class Trial(NamedTuple):
    """Worlds of one check; the last is the counterexample if the relation does not hold."""

    worlds: tuple[World, ...]
    holds: Callable[..., bool]


class Law(NamedTuple):
    """A law: what it says, and its trials on a world."""

    name: str
    text: Phrase
    trials: Callable[[World], Iterator[Trial]]
    of_shares: bool = False
    """Whether it holds only for metrics from 0 to 1."""
    of_scores: bool = False
    """Whether only functions of scores can break it."""


def _bounds(world: World) -> Iterator[Trial]:
    for items in (world.items, world.items[::-1], [*world.items, *world.items[:1]]):
        yield Trial((world.returning(*items),), _within)


def _perfect(world: World) -> Iterator[Trial]:
    if world.has_relevant:
        best = [item for item, _ in sorted(world.gold, key=lambda pair: -pair[1])]
        yield Trial((world.returning(*best),), lambda value: abs(value - 1) <= CLOSE)


def _missed_gold(world: World) -> Iterator[Trial]:
    best = [item for item, grade in sorted(world.gold, key=lambda pair: -pair[1]) if grade > 0]
    if len(best) > 1:
        yield Trial((world.returning(*best[:-1]),), lambda value: value < 1 - CLOSE)


def _added_gold(world: World) -> Iterator[Trial]:
    if world.ranking:
        yield Trial((world, world.judging(y=1.0)), lambda before, after: after <= before + CLOSE)


def _repeated(world: World) -> Iterator[Trial]:
    items = world.items
    for item in dict.fromkeys(items):
        if world.grades.get(item, 0) > 0:
            for place in range(items.index(item) + 1, len(items) + 1):
                again = [*items[:place], item, *items[place:]]
                fresh = [*items[:place], FRESH, *items[place:]]
                yield Trial(
                    (world, world.returning(*fresh), world.returning(*again)),
                    lambda removed, other, repeated: repeated <= max(removed, other) + CLOSE,
                )


def _tie_order(world: World) -> Iterator[Trial]:
    if len(world.ranking) > 1:
        tied = world._replace(ranking=tuple((item, 1.0) for item, _ in world.ranking))
        yield Trial((tied, tied._replace(ranking=tied.ranking[::-1])), _equal)


def _unjudged(world: World) -> Iterator[Trial]:
    for item in world.items:
        if item not in world.grades:
            yield Trial((world.judging(**{item: 0.0}), world), _equal)


def _empty_list(world: World) -> Iterator[Trial]:
    if not world.ranking:
        yield Trial((world,), lambda value: abs(value) <= CLOSE)


def _empty_gold(world: World) -> Iterator[Trial]:
    if world.ranking:
        yield Trial((world._replace(gold=()),), _within)
        nothing = tuple((item, 0.0) for item in world.items)
        yield Trial((world._replace(gold=nothing),), _within)


def _nothing_perfect(world: World) -> Iterator[Trial]:
    if world.ranking:
        nothing = tuple((item, 0.0) for item in world.items)
        yield Trial((world._replace(gold=nothing),), lambda value: value < 1 - CLOSE)


def _long_cutoff(world: World) -> Iterator[Trial]:
    if world.k is not None and len(world.gold) <= len(world.ranking) <= world.k:
        yield Trial((world, world._replace(k=world.k + 7)), _equal)


def _equal_swap(world: World) -> Iterator[Trial]:
    for swapped, first, second in _swaps(world):
        if world.grades.get(first) == world.grades.get(second):
            yield Trial((world, swapped), _equal)


def _monotone(world: World) -> Iterator[Trial]:
    for swapped, first, second in _swaps(world):
        if world.grades.get(first, 0) < world.grades.get(second, 0):
            yield Trial((world, swapped), lambda before, after: after >= before - CLOSE)


def _swaps(world: World) -> Iterator[tuple[World, str, str]]:
    items = world.items
    for place in range(len(items) - 1):
        first, second = items[place : place + 2]
        yield world.returning(*items[:place], second, first, *items[place + 2 :]), first, second


def _replaced(world: World) -> Iterator[Trial]:
    items = world.items
    missed = [item for item, grade in world.gold if grade > 0 and item not in items]
    for place, item in enumerate(items):
        if missed and world.grades.get(item, 0) <= 0:
            better = world.returning(*items[:place], missed[0], *items[place + 1 :])
            yield Trial((world, better), lambda before, after: after >= before - CLOSE)


def _renamed(world: World) -> Iterator[Trial]:
    names = dict(zip(sorted({*world.grades, *world.items}), NEW_NAMES, strict=False))
    if len(names) == world.size:
        gold = tuple((names[item], grade) for item, grade in world.gold)
        yield Trial((world, World(gold, tuple((names[item], score) for item, score in world.ranking), world.k)), _equal)


def _input_order(world: World) -> Iterator[Trial]:
    if len(world.ranking) > 1 and not world.ties:
        yield Trial((world, world._replace(ranking=world.ranking[::-1], gold=world.gold[::-1])), _equal)


def _rescored(world: World) -> Iterator[Trial]:
    for base in unsorted(world) if world.size <= SMALL else ():
        for other in base.rescored():
            yield Trial((base, other), _equal)


def _within(value: float) -> bool:
    return -CLOSE <= value <= 1 + CLOSE


def _equal(first: float, second: float) -> bool:
    return abs(first - second) <= CLOSE


NOTHING_PERFECT = "nothing is perfect"
"""The law that a list does not score best where nothing is relevant."""
REPEATED, NAMES, SCORES, REPEATABLE = "repeated items", "names", "scores", "repeatable"
"""Laws of which it is known what breaks them in a function that is right otherwise."""
LAWS = (
    Law("bounds", Phrase("the value lies between 0 and 1", "取值在 0 与 1 之间"), _bounds, of_shares=True),
    Law("perfect", Phrase("a perfect list scores 1", "最佳列表的值为 1"), _perfect, of_shares=True),
    Law(
        "missed gold",
        Phrase("a list that misses a relevant item is not perfect", "漏掉相关物品的列表不是满分"),
        _missed_gold,
        of_shares=True,
    ),
    Law(
        "added gold",
        Phrase(
            "one more relevant item that was not returned never raises the value", "多一个未返回的相关物品，值不会升高"
        ),
        _added_gold,
    ),
    Law(REPEATED, Phrase("an item that is returned again counts once", "重复返回的物品只计一次"), _repeated),
    Law(
        "order of ties",
        Phrase("the order in which tied items are passed does not matter", "并列物品的传入次序不影响结果"),
        _tie_order,
    ),
    Law("unjudged items", Phrase("an unjudged item counts as not relevant", "未标注的物品按不相关计"), _unjudged),
    Law("empty list", Phrase("an empty list scores 0", "空列表的值为 0"), _empty_list),
    Law(
        "nothing relevant",
        Phrase("without relevant items the value is a number from 0 to 1", "没有相关物品时，值是 0 到 1 之间的数"),
        _empty_gold,
        of_shares=True,
    ),
    Law(
        NOTHING_PERFECT,
        Phrase("where nothing is relevant the value is not the best", "没有相关物品时，值不是满分"),
        _nothing_perfect,
        of_shares=True,
    ),
    Law(
        "cutoff beyond the list",
        Phrase("a larger cutoff changes nothing if the list is shorter", "列表比截断短时，增大截断不影响结果"),
        _long_cutoff,
    ),
    Law(
        "equal grades",
        Phrase("swapping neighbours of the same grade changes nothing", "交换等级相同的相邻物品，值不变"),
        _equal_swap,
    ),
    Law(
        "monotone", Phrase("moving a better item up never lowers the value", "把更好的物品前移，值不会降低"), _monotone
    ),
    Law(
        "replaced",
        Phrase("a relevant item in place of another never lowers the value", "用相关物品替换不相关物品，值不会降低"),
        _replaced,
    ),
    Law(NAMES, Phrase("the names of items do not matter", "物品的名称不影响结果"), _renamed),
    Law(SCORES, Phrase("only the order of the scores counts", "只有分数的次序影响结果"), _rescored, of_scores=True),
    Law(
        "input order",
        Phrase("the order of the arguments' entries does not matter", "参数中各项的次序不影响结果"),
        _input_order,
    ),
)
"""Every law that compares values, in the order in which they are reported."""
ANSWERS = Phrase("every input has an answer or a refusal with a message", "对任何输入都给出结果，或带说明地拒绝")
UNCHANGED = Phrase("the arguments are left unchanged", "不改动传入的参数")
SAME_ANSWER = Phrase("the same input gives the same answer", "相同输入得到相同结果")
DEFINITION = Phrase("the value is that of the definition", "值与定义一致")
