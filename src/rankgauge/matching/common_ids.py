"""Why the ids of judgments and a ranking do not match: the likely reason, from some ids of both sides."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from rankgauge.errors import InputError, shown
from rankgauge.inputs.grade_checks import LARGE_GRADE
from rankgauge.rendering.language import Phrase
from rankgauge.value_checks import fits_double

if TYPE_CHECKING:
    from rankgauge.inputs.units import Units

SAMPLE = 200
"""Number of ids of each side that are compared."""
FIRST_LISTS, FIRST_ITEMS = 100, 50
"""Queries, and items of each, among which ids are looked for that only writing keeps apart."""
FEWEST_WORDS = 4
"""An id with as many words is a text."""
FEWEST_LETTERS, FEWEST_CHINESE = 4, 8
"""Length of a text that may be part of another, and number of Chinese characters in an id that is a text."""
_CHINESE = "[\u2e80-\u9fff]"
_NUMBER = r"[+-]?\d+(\.\d*)?"
_CHUNK = r"(?s)(.+)([^\w\s]|_)[^\W_]*\d"
"""A document, a separator, and the number of a chunk, such as ``doc7_3`` and ``doc7#p12``."""
_SEMICOLON = Phrase("; ", "；")
_CONTAINED = Phrase(
    "texts must be equal to match: with --rule match=contained (convention=rg.Convention(match='contained')) a "
    "returned text need only contain the judged one",
    "文本须相同才算匹配；用 --rule match=contained（convention=rg.Convention(match='contained')）时，"
    "返回的文本只需包含已标注的文本",
)
_CHUNKS_JUDGED = Phrase(
    "--units (units=) rolls up the ranking only, and the judgments name chunks: leave it out, or judge {unit}",
    "--units（units=）只归并排序结果，而标注的是文本块：请不要使用它，或改为标注 {unit}",
)
_KINDS = {"query": "查询", "item": "物品", "user": "用户", "document": "文档"}
JUDGMENTS = Phrase("the judgments", "标注")
_RANKING = Phrase("the ranking", "排序结果")
_MARK = "\ufeff"
_STARTS = ("\x000", "\0b'", '\0b"')
"""In ids joined by NUL: leading zeros, and bytes as Python prints them."""
_PRINTED_BYTES = r"""b(['"])(.*)\1"""


class UnmatchedIds(NamedTuple):
    """Some ids of the judgments, or of another ``source``, and of the ranking, none of which is on both sides."""

    judged: list[object]
    returned: list[object]
    source: Phrase = JUDGMENTS

    @classmethod
    def of(cls, judged: Iterable[object], returned: Iterable[object], source: Phrase = JUDGMENTS) -> UnmatchedIds:
        """Take the first ids of both sides."""
        return cls([*islice(judged, SAMPLE)], [*islice(returned, SAMPLE)], source)

    def describe(self, kind: str, *, by_id: bool = False, units: Units | None = None) -> Phrase:
        """Return how the two sides write their ids, and what the difference probably is.

        For texts that match ``by_id`` only, the rule under which a part of a text is enough is named as well, and for
        a ranking in ``units``, whether the judgments name the items of which they consist.

        >>> UnmatchedIds(["1", "2"], ["doc1", "doc7"]).describe("item").en
        "item '1' in the judgments, 'doc1' in the ranking; the ids of the ranking have the prefix 'doc'"
        """
        described = self._described(kind)
        if units is not None and (unit := self._unit_of_judged(units)) is not None:
            return _SEMICOLON.join([described, _CHUNKS_JUDGED.fill(unit=shown(unit))])
        return _SEMICOLON.join([described, _CONTAINED]) if by_id and self._are_texts() else described

    def _unit_of_judged(self, units: Units) -> object:
        """Return a unit of the ranking to which a judged item belongs, None if there is none."""
        try:
            of_judged = units.of_items(self.judged)
        except InputError:  # an item that the table does not have
            return None
        return next((unit for unit in of_judged if unit in self.returned), None)

    def _described(self, kind: str) -> Phrase:
        for reason, alike in _REASONS.items():
            ours = {alike(item): item for item in reversed(self.judged)}
            ours.pop(None, None)
            pair = next(((ours[alike(item)], item) for item in self.returned if alike(item) in ours), None)
            if pair is not None:
                return _SEMICOLON.join([self._both(kind, *pair), reason])
        described = self._affix(kind) or self._chunks(kind)
        if self.source is not JUDGMENTS:
            return described or self._both(kind, self.judged[0], self.returned[0])
        counted = map(str, range(1, len(self.returned) + 1))
        if not described and kind == "query" and [*map(str, self.returned)] == [*counted]:
            numbers = ", ".join(map(str, self.returned[:3]))
            return Phrase(
                f"the queries of the ranking are numbered ({numbers}), those of the judgments have names, such as "
                f"{shown(self.judged[0])}; if it is a response of _msearch, add their names in the order of the "
                'searches: {"queries": [...], "responses": [...]}',
                f"排序结果中的查询为编号（{numbers}），标注中的查询有名称，如 {shown(self.judged[0])}；"
                '如果这是 _msearch 的响应，请按检索的次序加入名称：{"queries": [...], "responses": [...]}',
            )
        if not described and self._are_grades():
            few = ", ".join(map(str, self.returned[:3]))
            return Phrase(
                f"the list {few} is read as {kind} ids, and the judgments have {shown(self.judged[0])}; if these are "
                "grades, use the metric itself: rg.nDCG.of([3, 2, 0])",
                f"列表 {few} 被读作{_KINDS[kind]}的标识，而标注中为 {shown(self.judged[0])}；"
                "如果这些是等级，请直接使用指标：rg.nDCG.of([3, 2, 0])",
            )
        return described or self._both(kind, self.judged[0], self.returned[0])

    def _both(self, kind: str, ours: object, theirs: object) -> Phrase:
        ours, theirs = shown(ours), shown(theirs)
        (en, zh), (returned_en, returned_zh) = self.source, _RANKING
        return Phrase(
            f"{kind} {ours} in {en}, {theirs} in {returned_en}",
            f"{_KINDS[kind]}在{zh}中为 {ours}，在{returned_zh}中为 {theirs}",
        )

    def _are_texts(self) -> bool:
        """Whether most ids of both sides are texts, or a returned text contains a judged one."""
        judged, returned = ([*map(str, side)] for side in self[:2])
        if all(2 * sum(map(_is_text, side)) > len(side) for side in (judged, returned)):
            return True
        pieces = [text for text in judged if len(text) >= FEWEST_LETTERS]
        return any(piece in text for text in filter(_is_text, returned) for piece in pieces)

    def _are_grades(self) -> bool:
        """Whether the ranking has a few small numbers, which may be grades, and the judgments have none."""
        small = (number is not None and 0 <= number <= LARGE_GRADE for number in map(_number, self.returned))
        return len(self.returned) < SAMPLE and all(small) and not any(_number(item) is not None for item in self.judged)

    def _chunks(self, kind: str) -> Phrase | None:
        """Return that the ranking has chunks of judged documents, if a returned id is a judged one with a number.

        >>> UnmatchedIds(["d1", "d2"], ["d7_3", "d2_0"]).describe("item").en
        "item 'd2' in the judgments, 'd2_0' in the ranking; roll chunks up with --units (units=) 'before last _'"
        """
        ours = {str(item): item for item in self.judged}
        for item in self.returned if kind == "item" else ():
            chunk = re.fullmatch(_CHUNK, str(item))
            if chunk and chunk[1] in ours:
                rule = f"'before last {chunk[2]}'"
                reason = Phrase(f"roll chunks up with --units (units=) {rule}", f"按文档计数：--units（units=）{rule}")
                return _SEMICOLON.join([self._both(kind, ours[chunk[1]], item), reason])
        return None

    def _affix(self, kind: str) -> Phrase | None:
        """Return the text at the start or end of most ids of one side that the others lack, if there is one."""
        ours, theirs = ([str(item) for item in side] for side in self[:2])
        for side, shorter, longer in ((_RANKING, ours, theirs), (self.source, theirs, ours)):
            for word, step in (("prefix", 1), ("suffix", -1)):
                turned, plain = [text[::step] for text in longer], {text[::step] for text in shorter}
                ends = sorted(plain, key=lambda end: (-len(end), end))
                cuts = (
                    (text, len(text) - len(end))
                    for text in turned
                    for end in ends
                    if len(end) < len(text) and text.endswith(end)
                )
                for text, cut in cuts:
                    if 2 * sum(other.startswith(text[:cut]) for other in turned) > len(turned):
                        pair = (text[cut:][::step], text[::step])
                        described = self._both(kind, *(pair if side is _RANKING else pair[::-1]))
                        affix = shown(text[:cut][::step])
                        reason = Phrase(
                            f"the ids of {side.en} have the {word} {affix}",
                            f"{side.zh}中的标识带有{'前缀' if word == 'prefix' else '后缀'} {affix}",
                        )
                        return _SEMICOLON.join([described, reason])
        return None


class NearMatch(NamedTuple):
    """A judged and a returned id of one query that are written differently, while other ids match."""

    judged: object
    returned: object
    query: int = 0
    """The number of the query in its chunk."""

    def describe(self, kind: str) -> Phrase:
        """Return both ids, and what the difference probably is."""
        return UnmatchedIds([self.judged], [self.returned]).describe(kind)


def first_near_match(lists: Collection[tuple[Collection[object], Collection[object]]]) -> NearMatch | None:
    """Return the near match of the first query that has one; of each query the ids that do not match are given."""
    ids = [*chain.from_iterable(chain.from_iterable(lists))]
    if len({*_all_alike(ids)}) == len({*ids}):
        return None
    nears = (near_match(*pair) for pair in lists)
    return next((near._replace(query=number) for number, near in enumerate(nears) if near is not None), None)


def near_match(judged: Iterable[object], returned: Iterable[object]) -> NearMatch | None:
    """Return the first judged id that is not returned, but would be if both sides were written alike.

    >>> near_match(["a", "B"], ["a", "b"])
    NearMatch(judged='B', returned='b', query=0)
    """
    ours, theirs = {*judged}, {*returned}
    missing, others = ours - theirs, theirs - ours
    if not missing or not others or {*map(type, missing), *map(type, others)} <= {int}:
        return None
    alike = dict(zip(_all_alike(others), others, strict=True))
    pairs = ((item, alike[key]) for item, key in zip(missing, _all_alike(missing), strict=True) if key in alike)
    return min((NearMatch(*pair) for pair in pairs), key=str, default=None)


def _all_alike(ids: Collection[Any]) -> Sequence[object]:
    """Return ``written_alike`` of each id; plain ASCII texts differ in case only and are converted together."""
    joined = "\0" + "\0".join(ids) if {*map(type, ids)} == {str} else " "
    usual = joined.isascii() and joined.count("\0") == len(ids) and joined.split(None, 1) == [joined]
    if usual and not any(start in joined for start in _STARTS):
        return joined[1:].lower().split("\0")
    return [*map(written_alike, ids)]


def written_alike(item: object) -> object:
    """Return an id without what writing may change: blanks at its ends, case, Unicode form, leading zeros, bytes."""
    text = _decoded(item)
    if text is None:
        return item
    text = text.strip().strip(_MARK).casefold()
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return text.lstrip("0") or "0" if text.isdecimal() else text


def _is_text(item: str) -> bool:
    return len(item.split()) >= FEWEST_WORDS or len(re.findall(_CHINESE, item)) >= FEWEST_CHINESE


def _number(item: Any) -> float | None:
    if fits_double(item):
        return float(item)
    text = item.strip() if isinstance(item, str) else ""
    return float(text) if re.fullmatch(_NUMBER, text) else None


def _decoded(item: object) -> str | None:
    if isinstance(item, bytes):
        return item.decode("utf-8", "replace")
    printed = re.fullmatch(_PRINTED_BYTES, item) if isinstance(item, str) else None
    return printed[2] if printed else item if isinstance(item, str) else None


_REASONS: dict[Phrase, Callable[[object], Any]] = {
    Phrase("ids of one side are bytes", "其中一方的标识是字节串"): _decoded,
    Phrase("ids of one side have blanks at their ends", "其中一方的标识首尾有空格"): (
        lambda item: item.strip() if isinstance(item, str) else None
    ),
    Phrase("Unicode forms differ (NFC and NFD)", "Unicode 形式不同（NFC 与 NFD）"): (
        lambda item: unicodedata.normalize("NFC", item) if isinstance(item, str) else None
    ),
    Phrase("ids of one side have a byte order mark (U+FEFF)", "其中一方的标识带有字节顺序标记（U+FEFF）"): (
        lambda item: item.strip().strip(_MARK) if isinstance(item, str) else None
    ),
    Phrase("upper and lower case differ", "大小写不同"): (
        lambda item: item.strip().casefold() if isinstance(item, str) else None
    ),
    Phrase("1, 01 and 1.0 are different ids", "1、01 与 1.0 是不同的标识"): _number,
}
"""Differences between ids, and the function under which they are equal."""
