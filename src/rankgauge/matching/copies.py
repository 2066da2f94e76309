"""Repeated items: which rows are later copies of an item, and what the rule ``duplicates`` does with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.conventions.order import DECIDED_BY_GRADES
from rankgauge.errors import ParameterError, shown
from rankgauge.matching.item_places import Repeats, count_ranks_above
from rankgauge.matching.matched import Matched
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats, Ints, as_single
from rankgauge.value_checks import unhashable_id

if TYPE_CHECKING:
    from rankgauge.inputs.findings import Findings

FIRST, LATER, BESIDE = 0, 1, 2
"""Values of ``Matched.copy``: an item at its first place, a later copy, and one with the score of the first."""
KEEPS_PLACE = {"first", "set"}
"""Rules under which a later copy keeps its place and counts as nothing."""
REMOVED = {"error", "close-up"}
"""Rules under which later copies are removed; those of ``error`` are only there in lenient reading."""
WITHOUT_FIRST = {"mean", "best", "worst"}
"""Tie rules that do not say which of two copies with equal scores comes first."""


class Copy:
    """The key of a later copy in ``{item: score}``; as text it is the item."""

    __slots__ = ("item", "kind", "number")

    def __init__(self, item: Any, number: int, kind: int) -> None:
        self.item = item
        self.number = number
        self.kind = kind

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Copy) and (self.item, self.number) == (other.item, other.number)

    def __hash__(self) -> int:
        return hash((self.item, self.number))

    def __str__(self) -> str:
        return str(self.item)

    def __repr__(self) -> str:
        return repr(self.item)


class ScoresWithCopies(dict[Any, Any]):
    """``{item: score}`` of one query with a ``Copy`` for each later copy, in input order."""

    further: Mapping[Any, Sequence[float]] = MappingProxyType({})
    """Grades of the further judged items that an item stands for, by the rule ``match``."""

    def of_copies(self) -> dict[Copy, Any]:
        """Return the scores of the later copies."""
        return {item: score for item, score in self.items() if isinstance(item, Copy)}


def item_of(key: object) -> Any:
    """Return the item of a key of ``{item: score}``."""
    return key.item if isinstance(key, Copy) else key


def renamed(scores: Mapping[object, object], by_text: Mapping[str, object]) -> Mapping[object, object]:
    """Return ``{item: score}`` of one query with the ids that have the same text."""
    if not isinstance(scores, ScoresWithCopies):
        return {by_text.get(str(item), item): score for item, score in scores.items()}

    def like(key: object) -> Any:
        item = by_text.get(str(key), item_of(key))
        return Copy(item, key.number, key.kind) if isinstance(key, Copy) else item

    return ScoresWithCopies((like(key), score) for key, score in scores.items())


def kinds_of_copies(items: Sequence[object], scores: Sequence[object] | Floats | None, convention: Convention) -> Ints:
    """Return FIRST, LATER or BESIDE for each item of one list; without scores, the list is in order.

    >>> kinds_of_copies(["a", "b", "a", "b"], [0.5, 0.1, 0.5, 0.9], Convention()).tolist()
    [0, 1, 2, 0]
    """
    kinds = np.zeros(len(items), dtype=np.int8)
    places: dict[object, list[int]] = {}
    for place, item in enumerate(items):
        places.setdefault(item, []).append(place)
    for copies in places.values():
        if len(copies) > 1:
            points = [-float(place) if scores is None else _points(scores[place], convention) for place in copies]
            if convention.ties == "input-reversed":
                copies, points = copies[::-1], points[::-1]  # noqa: PLW2901
            first = int(np.argmax(points))  # the first of those with the highest score
            for place, point in zip(copies, points, strict=True):
                kinds[place] = BESIDE if point == points[first] else LATER
            kinds[copies[first]] = FIRST
    return kinds


def _points(score: Any, convention: Convention) -> float:
    """Return a score in the precision in which scores are compared; what is not a number comes last."""
    try:
        point = float(as_single(score)) if convention.score_precision == "float32" else float(score)
    except (TypeError, ValueError, OverflowError):
        return -np.inf
    return -np.inf if np.isnan(point) else point


def scores_with_copies(
    query: object, items: Sequence[object], scores: Sequence[object], convention: Convention, findings: Findings
) -> Mapping[object, object]:
    """Return ``{item: score}`` of one query; later copies are reported and have keys of their own."""
    try:
        by_item = dict(zip(items, scores, strict=True))
    except TypeError:
        raise unhashable_id(items, f"ranking: query {shown(query)}") from None
    if len(by_item) == len(items):
        return by_item
    kinds = kinds_of_copies(items, scores, convention)
    repeated = items[int(np.argmax(kinds > FIRST))]
    note_copies(findings, convention, repeated, query, len(items) - len(by_item))
    keys = (
        Copy(item, place, int(kind)) if kind else item
        for place, (item, kind) in enumerate(zip(items, kinds.tolist(), strict=True))
    )
    return ScoresWithCopies(zip(keys, scores, strict=True))


def note_copies(findings: Findings, convention: Convention, item: object, query: object, count: int) -> None:
    """Report the later copies of items: an error, or a note if the rule says how they count."""
    from rankgauge.inputs.findings import with_ids  # noqa: PLC0415 (not needed for lists of grades)

    code = "RG301" if convention.duplicates == "error" else "RG305"
    again = Phrase(", and counts each time, so that values can exceed 1", "，且每次都计入，因此值可能超过 1")
    en, zh = again if convention.duplicates == "again" else ("", "")
    place, name = findings.place("ranking", query, item, 2), shown(item)
    english, chinese = (
        f"{place.en}: item {name} is returned more than once{en}",
        f"{place.zh}：物品 {name} 返回了多次{zh}",
    )
    findings.add(code, with_ids(english, chinese, query), count)


def joined_copies(chunks: Sequence[Matched]) -> Ints | None:
    """Return ``Matched.copy`` of several chunks together."""
    if all(matched.copy is None for matched in chunks):
        return None
    none = (np.zeros(len(matched.query), dtype=np.int8) if matched.copy is None else matched.copy for matched in chunks)
    return np.concatenate([*none])


def kept_places(matched: Matched, convention: Convention) -> Bools | None:
    """Return which rows are copies that only keep their places; None if there are none.

    Raises
    ------
    ParameterError
        The tie rule does not say which of several copies is the first.
    """
    if matched.copy is None or convention.duplicates not in KEEPS_PLACE:
        return None
    later = matched.copy > FIRST
    if convention.ties in WITHOUT_FIRST and (matched.copy == BESIDE).any():
        rules = f"duplicates={convention.duplicates!r}", f"ties={convention.ties!r}"
        raise ParameterError(
            Phrase(
                f"{rules[0]} counts the first of several copies, and with {rules[1]} copies with equal scores have no "
                "order; use duplicates='close-up' or 'again', or ties='id'",
                f"{rules[0]} 只计多个副本中的第一个，而 {rules[1]} 时分数相同的副本没有先后；"
                "请用 duplicates='close-up' 或 'again'，或用 ties='id'",
            )
        )
    if convention.duplicates == "set" and convention.ties == "mean" and (matched.tied[later] > 1).any():
        raise ParameterError(
            Phrase(
                "duplicates='set' counts the different items of the top k, and a copy with a tied score is in it in "
                "some orders only, so ties='mean' has no closed form; use another rule for one of them",
                "duplicates='set' 计前 k 个中的不同物品，而分数并列的副本只在部分排列中位于其中，ties='mean' 没有闭式；"
                "请修改其中一条规则",
            )
        )
    return later


def counted_items(matched: Matched, convention: Convention) -> Ints:
    """Return the number of returned items of each query, without later copies that the rule removes."""
    if matched.copy is None or convention.duplicates not in REMOVED:
        return matched.returned
    return matched.returned - np.bincount(matched.query[matched.copy > FIRST], minlength=len(matched.returned))


def moved_cutoffs(matched: Matched, convention: Convention) -> Repeats | None:
    """Return the places of later copies if the cutoff counts something else than places of the evaluated list."""
    removed = convention.duplicates in REMOVED
    if convention.k_counts == "places" or matched.copy is None or removed != (convention.k_counts == "returned"):
        return None
    others = [("tied_at_k", convention.tied_at_k == "all"), ("unjudged", convention.unjudged == "removed")]
    others.append(("ties", convention.ties in DECIDED_BY_GRADES and bool((matched.tied > 1).any())))
    for rule, applies in others:
        if applies:
            other = f"{rule}={getattr(convention, rule)!r}"
            raise ParameterError(
                Phrase(
                    f"k_counts={convention.k_counts!r} needs the place of every copy, which {other} changes or leaves "
                    "open; use another value of one of the two rules",
                    f"k_counts={convention.k_counts!r} 需要每个副本的名次，而 {other} 会改变它或使其不确定；"
                    "请更改两条规则之一",
                )
            )
    later = matched.copy > FIRST
    return Repeats(matched.query[later], (matched.above + matched.before)[later] + 1.0, removed)


def closed_up(matched: Matched) -> tuple[Matched, Ints]:
    """Return the rows without later copies, and their places among all rows; the items below a copy move up."""
    if matched.copy is None:
        return matched, np.arange(len(matched.query))
    later = matched.copy > FIRST
    kept, copies = matched.of_rows(~later), matched.of_rows(later)
    higher = count_ranks_above(copies.query, 1.0 * copies.above, kept.query, 1.0 * kept.above)
    up_to = count_ranks_above(copies.query, 1.0 * copies.above, kept.query, kept.above + 1.0)
    ahead = count_ranks_above(
        copies.query, 1.0 * (copies.above + copies.before), kept.query, 1.0 * (kept.above + kept.before)
    )
    without = replace(
        kept,
        above=kept.above - higher,
        tied=kept.tied - (up_to - higher),
        before=kept.before - (ahead - higher),
        returned=matched.returned - np.bincount(copies.query, minlength=len(matched.returned)),
        copy=None,
    )
    return without, np.flatnonzero(~later)
