"""Gold items found by rule: which judged items a returned one stands for, by id, by text or as member of a group."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.conventions.order import DECIDED_BY_GRADES
from rankgauge.conventions.relevance import similarity_level
from rankgauge.errors import InputError, ParameterError, UnknownNameError, extra, shown
from rankgauge.inputs.columns import find_column, missing_column_error
from rankgauge.inputs.gold_groups import grouped_rows, members_of
from rankgauge.inputs.records import RepeatedItems, listed_items
from rankgauge.inputs.source import Source
from rankgauge.rendering.language import Phrase
from rankgauge.value_checks import fits_double, is_listing

ARTICLES = r"\b(a|an|the)\b"
WITHOUT_SPACES = (
    "([\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff])"
)
"""Chinese characters and kana, of which texts are written without spaces: each is a word."""
Likeness = Callable[[Any, Any], float]
"""From a judged and a returned item to a number, 0 if they do not match."""


class _Punctuation(dict[int, str | int | None]):
    """What becomes of a character in ``str.translate``, found when it is first met: punctuation goes.

    Wide punctuation, after which no space is written, becomes one.
    """

    def __missing__(self, code: int) -> str | int | None:
        character = chr(code)
        is_mark = not character.isalnum() and character.isascii() and character.isprintable() and character != " "
        if is_mark or unicodedata.category(character).startswith("P"):
            self[code] = " " if unicodedata.east_asian_width(character) in "FW" else None
        else:
            self[code] = code
        return self[code]


PUNCTUATION = _Punctuation()


class FoundItems(RepeatedItems):
    """Returned items as the judged items they stand for, and the grades of further ones that each stands for."""

    def __init__(self, items: Sequence[Any], scores: Sequence[Any], further: Sequence[Sequence[float] | None]) -> None:
        super().__init__(items, scores)
        self.chunks: Sequence[Any] = ()
        """The returned spans, where the items are judged ones."""
        self.further = {item: [*grades] for item, grades in zip(items, further, strict=True) if grades}


def check_match(convention: Convention) -> None:
    """Refuse rules under which it is open which of two texts is found first."""
    if convention.ties in {*DECIDED_BY_GRADES, "input-reversed"}:
        raise ParameterError(
            Phrase(
                f"match={convention.match!r} and gold groups take equal scores in input order, and the convention says "
                f"ties={convention.ties!r}; use another rule for ties",
                f"match={convention.match!r} 与成组的标注按输入顺序处理相同的分数，而约定为 ties={convention.ties!r}；"
                "请换用其他并列规则",
            )
        )


def found_records(
    judged: Mapping[object, Mapping[object, object]], rankings: Mapping[object, object], convention: Convention
) -> dict[Any, Any]:
    """Return ``{query: {item: score} or [items]}`` with judged items in place of the returned ones that match them."""
    check_match(convention)
    likeness = likeness_of(convention.match)
    return {
        query: _found(query, judged[query], returned, likeness) if query in judged else returned
        for query, returned in rankings.items()
    }


def _found(query: Any, grades: Mapping[Any, Any], returned: Any, likeness: Likeness) -> object:
    if isinstance(returned, Mapping):
        items, scores = [*returned], [*returned.values()]
    elif isinstance(returned, RepeatedItems):
        items, scores = [*returned], returned.scores
    elif is_listing(returned):
        items = listed_items(returned, query)
        scores = [1 / (1 + place) for place in range(len(items))]
    else:
        return returned
    order = np.argsort([-_points(score) for score in scores], kind="stable").tolist()
    names, further = found_items(query, grades, items, order, likeness)
    of_same_grade = ([grades[name]] * count for name, count in zip(names, further, strict=True) if count)
    return FoundItems(names, scores, [next(of_same_grade) if count else None for count in further])


def _points(score: Any) -> float:
    """Return a score as a number; what is not a number comes last, and is reported when the list is read."""
    return float(score) if fits_double(score) and score == score else -np.inf  # noqa: PLR0124 (NaN)


def found_items(
    query: Any, grades: Mapping[Any, Any], items: Sequence[Any], order: Any, likeness: Likeness
) -> tuple[list[object], list[int]]:
    """Return the judged item that each returned one stands for, and how many further ones it is the first to match.

    In rank order, an item stands for the judged item most like it that no item above matches. If all that it matches
    were found, it is a copy of the item that found the one most like it. An item without a match stands for itself.

    >>> found_items("q", {"a b": 1, "c": 1}, ["a b c", "c", "x"], range(3), lambda gold, text: float(gold in text))
    (['a b', 'a b', 'x'], [1, 0, 0])
    """
    names, further = [*items], [0] * len(items)
    found_as: dict[Any, Any] = {}
    for place in order:
        likely = [(likeness(gold, items[place]), gold) for gold in grades]
        matches = [gold for value, gold in sorted(likely, key=lambda pair: -pair[0]) if value > 0]
        if not matches:
            continue
        new = [gold for gold in matches if gold not in found_as]
        names[place] = new[0] if new else found_as[matches[0]]
        if len(new) > 1:
            if len({grades[gold] for gold in new}) > 1:
                item = shown(items[place])
                raise InputError(
                    Phrase(
                        f"query {shown(query)}: {item} matches judged items of different grades; give them one grade, "
                        "or a stricter rule match",
                        f"查询 {shown(query)}：{item} 与等级不同的多个已标注物品匹配；"
                        "请将其设为同一等级，或使用更严格的 match",
                    )
                )
            further[place] = len(new) - 1
        found_as |= dict.fromkeys(new, names[place])
    return names, further


def likeness_of(match: str) -> Likeness:
    """Return how the rule ``match`` compares a judged and a returned item."""
    if match == "id":
        return lambda gold, item: float(item in members_of(gold))
    if match == "contained":
        return _contained
    level = similarity_level(match)
    with extra("texts", f"match={match!r}"):
        from rapidfuzz.distance import Levenshtein  # noqa: PLC0415 (an extra)

    def similar(gold: object, item: object) -> float:
        best = max(1 - Levenshtein.normalized_distance(str(member), str(item)) for member in members_of(gold))
        return best if best >= level else 0.0

    return similar


def _contained(gold: object, item: object) -> float:
    text = f" {normalised(str(item))} "
    lengths = [len(words) for member in members_of(gold) if (words := normalised(str(member))) and f" {words} " in text]
    return float(max(lengths, default=0))


def normalised(text: str) -> str:
    """Return a text in lower case, without punctuation and articles, with single spaces between words.

    >>> normalised("The  Eiffel-Tower, Paris!"), normalised("长江，全长6300公里。")
    ('eiffeltower paris', '长 江 全 长 6300 公 里')
    """
    words = re.sub(WITHOUT_SPACES, r" \1 ", text.lower().translate(PUNCTUATION))
    return " ".join(re.sub(ARTICLES, " ", words).split())


def grouped_judgments(source: Source, columns: Mapping[str, str]) -> dict[object, dict[object, object]]:
    """Return the judgments of a table with a column of groups; rows without a group stand for themselves."""
    from rankgauge.inputs.frames import as_polars  # noqa: PLC0415 (loads polars)

    if source.form == "frame":
        frame = as_polars(source.value)
    else:
        from rankgauge.inputs.formats.table_files import parse_table, read_content  # noqa: PLC0415 (only for files)

        frame = parse_table(
            *read_content(source.value if source.file is None else source.file.source, "judgments"), "judgments"
        )
    named: dict[str, Any] = {
        kind: columns.get(kind) or find_column(kind, frame.columns, "judgments") for kind in ("query", "item", "grade")
    }
    named["group"] = columns["group"]
    if missing := [kind for kind in ("query", "item") if named[kind] is None]:
        raise missing_column_error(missing, frame.columns, "judgments", "judgments")
    for name in filter(None, named.values()):
        if name not in frame.columns:
            raise UnknownNameError.closest("column", name, frame.columns)
    present = [name for name in named.values() if name is not None]
    rows = frame.select(present).iter_rows(named=True)
    return grouped_rows(
        (
            row[named["query"]],
            row[named["item"]],
            1.0 if named["grade"] is None else row[named["grade"]],
            row[named["group"]],
        )
        for row in rows
    )
