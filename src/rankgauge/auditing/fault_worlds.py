"""What faults do to a world: another order, another cutoff, other judgments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rankgauge.auditing.worlds import World

FRESH = "~"
"""An unjudged item that no world contains."""


def reversed_order(world: World) -> World:
    """Return the world with the last item first."""
    return world._replace(ranking=tuple((item, -score) for item, score in world.ranking))


def as_passed(world: World) -> World:
    """Return the world in the order of the input."""
    return world.returning(*(item for item, _ in world.ranking))


def sorted_by(key: Callable[[float], float | str]) -> Callable[[World], World]:
    """Return a change to the list sorted by something else than the scores, the highest first."""

    def changed(world: World) -> World:
        pairs = sorted(world.ranking, key=lambda pair: key(pair[1]), reverse=True)
        return world.returning(*(item for item, _ in pairs))

    return changed


def with_scores(keeps: Callable[[float], bool]) -> Callable[[World], World]:
    """Return a change to the list of the items whose scores are kept."""
    return lambda world: world._replace(ranking=tuple(pair for pair in world.ranking if keeps(pair[1])))


def cut_first(world: World) -> World | None:
    """Return the world cut at k in the order of the input; None without a cutoff."""
    return None if world.k is None else world._replace(ranking=world.ranking[: world.k])


def keeping(world: World, items: Sequence[str]) -> World:
    """Return the world in which the other judged items have grade 0."""
    return world._replace(gold=tuple((item, grade if item in items else 0.0) for item, grade in world.gold))


def own_top(world: World) -> World:
    """Return the world in which only the items within k are relevant."""
    return keeping(world, world.items[: world.k])


def own_list(world: World) -> World:
    """Return the world in which only returned items are relevant."""
    return keeping(world, world.items)


def with_cutoff(change: Callable[[int], int]) -> Callable[[World], World | None]:
    """Return a change of the cutoff, which gives None where there is none."""

    def changed(world: World) -> World | None:
        if world.k is None or (k := change(world.k)) < 1:  # what no items score is the function's own
            return None
        return world._replace(k=k)

    return changed


def one_rank_lower(world: World) -> World:
    """Return the world with every item one rank lower."""
    shifted = world.returning(FRESH, *world.items)
    return shifted if world.k is None else shifted._replace(k=world.k + 1)


def zero_is_relevant(world: World) -> World:
    """Return the world in which every judged item is relevant."""
    return world._replace(gold=tuple((item, max(grade, 1.0)) for item, grade in world.gold))


def unjudged_is_relevant(world: World) -> World:
    """Return the world in which every unjudged item is relevant."""
    return world.judging(**{item: 1.0 for item in world.items if item not in world.grades})


def last_hit(world: World) -> World:
    """Return the world in which only the last hit is relevant."""
    hits = [item for item in world.items[: world.k] if world.grades.get(item, 0) > 0]
    return keeping(world, hits[-1:])


def first_gold(world: World) -> World:
    """Return the world in which only the first relevant item of the judgments is relevant."""
    return keeping(world, [item for item, grade in world.gold if grade > 0][:1])


def first_found_gold(world: World) -> World:
    """Return the world in which only the first relevant item of the judgments that was found is relevant."""
    return keeping(world, [item for item, grade in world.gold if grade > 0 and item in world.items[: world.k]][:1])


def missed_comes_next(world: World) -> World:
    """Return the world in which a relevant item follows a list without one, within the cutoff."""
    items = world.items[: world.k]
    missed = [item for item, grade in world.gold if grade > 0]
    if not missed or {*missed} & {*items}:
        return world
    fill = [] if world.k is None else [f"{FRESH}{rank}" for rank in range(len(items), world.k)]
    return world.returning(*items, *fill, missed[0])._replace(k=None if world.k is None else world.k + 1)


def ranks_from_zero(world: World) -> World | None:
    """Return the world with the ranks 1, 1, 2, 3, ... for a metric of the first hit."""
    if not world.items or world.grades.get(world.items[0], 0) > 0:
        return world
    if world.k == 1:
        return world.returning(FRESH)
    return world.returning(*world.items[1:])._replace(k=None if world.k is None else world.k - 1)


def in_order_of_a_set(world: World) -> World:
    """Return the world in the order that a set of the items has."""
    return world.returning(*{*world.items})


def cut_from_a_set(world: World) -> World:
    """Return the world with the items within k in the order that a set of them has."""
    return world.returning(*{*world.items[: world.k]})


def by_name(world: World) -> World:
    """Return the world in the order of the names."""
    return world.returning(*sorted(world.items))


def by_name_descending(world: World) -> World:
    """Return the world in the reverse order of the names."""
    return world.returning(*sorted(world.items, reverse=True))


def without_first(world: World) -> World | None:
    """Return the world without the first item; None if there is no other."""
    return world.returning(*world.items[1:]) if len(world.ranking) > 1 else None


def first_skipped(world: World) -> World:
    """Return the world with an unjudged item in place of the first."""
    return world.returning(FRESH, *world.items[1:])


def first_cut_off(world: World) -> World | None:
    """Return the world without the first item and what follows rank k; None if there is no other."""
    return world.returning(*world.items[1 : world.k]) if len(world.ranking) > 1 else None


def perfect(world: World) -> World:
    """Return the world with the ideal order as its list."""
    return world.returning(*(item for item, _ in sorted(world.gold, key=lambda pair: -pair[1])))


def perfect_without_first(world: World) -> World:
    """Return the ideal order with an unjudged item in place of the first."""
    return first_skipped(perfect(world))


def in_order_of_gold(world: World) -> World:
    """Return the world in the order of the judgments."""
    return world.returning(*world.grades)


def without_higher(world: World) -> World:
    """Return the world without the items of a grade above 1."""
    high = {item for item, grade in world.gold if grade > 1}
    gold, ranking = ([pair for pair in pairs if pair[0] not in high] for pairs in (world.gold, world.ranking))
    return world._replace(gold=tuple(gold), ranking=tuple(ranking))
