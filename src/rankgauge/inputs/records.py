"""Judgments and rankings given as dicts, lists, sets, rows or sparse matrices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice, pairwise
from numbers import Real
from typing import Any

import numpy as np

from rankgauge.errors import InputError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import looks_like_spans
from rankgauge.inputs.findings import SIDE_NAMES, Findings, with_ids
from rankgauge.inputs.gold_groups import are_groups, grouped
from rankgauge.rendering.language import Phrase
from rankgauge.value_checks import is_listing, unhashable_id, unmasked

ROW = 3
"""Number of fields in a row: query, item, number."""
PAIR = 2
SHOWN_GRADES = 4
"""Grades of an item with several that a message shows."""
FLAT_LIST = Phrase(
    "{role}: a flat list of numbers cannot be read; pass np.array(...) and groups= or query_ids=. For the grades of "
    "one list, call (rg.nDCG @ 5).explain([...]) or .of([...]), or rg.reconcile([...], metric='nDCG@5'), with the "
    "grades of all judged items as ideal=[...]",
    "{side}：无法读取单层的数字列表；请传入 np.array(...) 与 groups= 或 query_ids=。对于单个列表的等级，请调用 "
    "(rg.nDCG @ 5).explain([...]) 或 .of([...])，或 rg.reconcile([...], metric='nDCG@5')，"
    "并用 ideal=[...] 给出所有已标注物品的等级",
)


class RepeatedItems(list[Any]):
    """The items of one query in input order, some of them more than once, and their scores."""

    def __init__(self, items: Iterable[Any], scores: Iterable[Any]) -> None:
        super().__init__(items)
        self.scores = [*scores]


def judgment_records(source: object, findings: Findings) -> dict[Any, Mapping[Any, Any]]:
    """Return judgments as ``{query: {item: grade}}``; items and rows without a grade have grade 1."""
    if hasattr(source, "tocsr"):
        matrix = source.tocsr()
        cells = [*zip(matrix.indices.tolist(), matrix.data.tolist(), strict=True)]
        return {query: dict(cells[start:end]) for query, (start, end) in enumerate(pairwise(matrix.indptr.tolist()))}
    return {
        query: grades if isinstance(grades, Mapping) else _relevant_items(grades, query, findings)
        for query, grades in _by_query(source, "judgments", "{query: {item: grade}}", findings).items()
    }


def ranking_records(source: object, findings: Findings) -> Mapping[Any, Any]:
    """Return a ranking as ``{query: {item: score} or [items]}``; rows with repeated items as ``RepeatedItems``."""
    if isinstance(source, np.ndarray) and source.ndim == 2:  # noqa: PLR2004 (a row for each query)
        if source.dtype.kind == "f":  # scores, one for each item
            return {query: dict(enumerate(scores)) for query, scores in enumerate(source.tolist())}
        return dict(enumerate(source.tolist()))  # items, best first
    return _by_query(source, "ranking", "{query: {item: score}}, {query: [items]}", findings)


def _by_query(source: object, role: Role, forms: str, findings: Findings) -> Mapping[object, object]:
    """Return a mapping unchanged, rows grouped by query, and lists numbered by query."""
    if isinstance(source, Mapping):
        return source
    if isinstance(source, Sequence) and not isinstance(source, str | bytes):
        if not are_rows(source) and not (role == "judgments" and _are_pairs(source)):
            _check_lists(source, role)
            return dict(enumerate(source))
        try:
            return _judged_rows(source, findings) if role == "judgments" else _scored_rows(source)
        except TypeError:
            raise unhashable_id((name for row in source for name in row[:2]), role) from None
    name, number = ("judgments", "grade") if role == "judgments" else ("a ranking", "score")
    if source is None:
        zh = "标注" if role == "judgments" else "排序结果"
        en = f"{role}: expected data, found None; pass {name}, or rg.read(...) of data that hold both sides"
        raise InputError((en, f"{zh}：应为数据，而不是 None；请给出{zh}，或对同时含有两者的数据使用 rg.read(...)"))
    raise InputError(
        f"{name} of type {type(source).__name__} cannot be read; give {forms}, rows of (query, item, {number}), a "
        "frame, a file or an array"
    )


def _check_lists(source: Sequence[Any], role: Role) -> None:
    """Raise an error for a list that holds neither rows nor the lists of queries."""
    if any(isinstance(row, tuple) and len(row) == PAIR and isinstance(row[1], Mapping | list) for row in source):
        raise InputError(f"{role}: pairs of a query and its items cannot be read; pass dict(pairs)")
    if {*map(type, source)} == {tuple}:
        number, row = next((number, row) for number, row in enumerate(source, 1) if len(row) != ROW)
        name = "grade" if role == "judgments" else "score"
        en = (
            f"{role}: tuples are rows of (query, item, {name}), and row {number} has {len(row)} fields: {shown(row)}; "
            "give each row three fields, or the items of a query as a list: [['a', 'b'], ['c']]"
        )
        zh = (
            f"{'标注' if role == 'judgments' else '排序结果'}：元组是 (query, item, {name}) 行，而第 {number} 行有 "
            f"{len(row)} 个字段：{shown(row)}；请让每行有三个字段，或用列表给出各查询的物品：[['a', 'b'], ['c']]"
        )
        raise InputError((en, zh), ["RG108"])
    if source and all(isinstance(number, Real) for number in source):
        raise InputError(FLAT_LIST.fill(role=role, side="标注" if role == "judgments" else "排序结果"))


def _judged_rows(rows: Sequence[Any], findings: Findings) -> dict[Any, dict[Any, Any]]:
    """Group judgments by query; an item that is judged twice is reported, and its first grade is kept.

    Rows without a grade are relevant.
    """
    queries: dict[Any, dict[Any, Any]] = {}
    for query, item, grade in (row if len(row) == ROW else (*row, 1) for row in rows):
        grades = queries.setdefault(query, {})
        if item not in grades:
            grades[item] = grade
        else:
            same = grades[item] == grade
            given = () if same else (grades[item], grade)
            findings.add("RG303" if same else "RG302", judged_again(SIDE_NAMES["judgments"], query, item, given))
    return queries


def _scored_rows(rows: Sequence[Any]) -> dict[object, object]:
    """Group a ranking by query."""
    by_item: dict[Any, Any] = {}
    current, scores = object(), dict[Any, Any]()
    for query, item, score in rows:
        if query is not current:  # rows of a query are mostly together, and looking it up costs more
            current, scores = query, by_item.setdefault(query, {})
        scores[item] = score
    if sum(map(len, by_item.values())) == len(rows):
        return by_item
    pairs: dict[Any, list[tuple[Any, Any]]] = {query: [] for query in by_item}
    for query, item, score in rows:
        pairs[query].append((item, score))
    return {
        query: scores if len(scores) == len(pairs[query]) else RepeatedItems(*zip(*pairs[query], strict=True))
        for query, scores in by_item.items()
    }


def are_rows(source: Sequence[Any]) -> bool:
    """Whether a list holds rows of (query, item, number) rather than lists of items."""
    if {*map(type, source)} == {tuple}:  # quicker than row by row
        return {*map(len, source)} == {ROW}
    return bool(source) and all(map(_is_row, source))


def _are_pairs(source: Sequence[Any]) -> bool:
    """Whether a list holds rows of a query and a relevant item."""
    return {*map(type, source)} == {tuple} and all(len(row) == PAIR and not is_listing(row[1]) for row in source)


def are_span_rows(source: Sequence[Any]) -> bool:
    """Whether a list holds records of spans, each with its query."""
    return bool(source) and all(isinstance(row, Mapping) and looks_like_spans(row) for row in source)


def _is_row(row: object) -> bool:
    """Whether an entry is a tuple of three fields, or a list of three that cannot be three items."""
    if not isinstance(row, tuple | list) or len(row) != ROW:
        return False
    query, item, number = row
    if isinstance(row, list) and isinstance(query, Real) and isinstance(item, Real):
        return isinstance(item, int) and isinstance(number, float)
    return isinstance(row, tuple) or isinstance(number, Real)


def is_missing_id(name: object) -> bool:
    """Whether an id is None, empty text or NaN."""
    return name is None or name == "" or name != name  # noqa: PLR0124 (NaN)


def without_missing_ids(rankings: Mapping[object, object], findings: Findings) -> Mapping[Any, Any]:
    """Return the rankings without queries whose id is missing or true or false, which are reported."""
    unusable = [query for query in rankings if is_missing_id(query) or isinstance(query, bool | np.bool_)]
    for query in unusable:
        place, name = findings.place("ranking", query), shown(query)
        example = Phrase(f"{place.en}: the query id is {name}", f"{place.zh}：查询的标识为 {name}")
        findings.add("RG208" if is_missing_id(query) else "RG216", example)
    return {query: items for query, items in rankings.items() if query not in unusable} if unusable else rankings


def listed_items(source: Iterable[object], query: object) -> list[Any]:
    """Return the items of a query; a labelled column of pandas could mean its labels or its values."""
    if isinstance(source, np.ndarray):
        items: list[object] = unmasked(source, f"query {shown(query)}: items").tolist()
        return items
    if hasattr(source, "index") and hasattr(source, "iloc") and [*source.index] != [*range(len([*source]))]:
        raise InputError(
            f"query {shown(query)}: a Series with labels could mean its labels or its values; pass series.to_dict() if "
            "the labels are items, series.to_list() if the values are"
        )
    return list(source)


def _relevant_items(source: object, query: object, findings: Findings) -> dict[Any, int]:
    """Return the relevant items of a query, each with grade 1; a list of texts among them is a group."""
    problem = shown(source)
    if is_listing(source):
        items = listed_items(source, query)
        if are_groups(items):
            if any(len({*group}) > 1 for group in items):
                example = with_ids("judgments: the relevant items come in groups", "标注：相关物品分组给出", query)
                findings.add("RG115", example)
            return grouped(items)
        if not items or not all(isinstance(item, tuple | list) for item in items):
            try:
                grades = dict.fromkeys(items, 1)
            except TypeError:
                raise unhashable_id(items, f"judgments: query {shown(query)}") from None
            if len(grades) < len(items):
                item = Counter(items).most_common(1)[0][0]
                findings.add("RG303", judged_again(SIDE_NAMES["judgments"], query, item), len(items) - len(grades))
            return grades
        problem = f"a list of {type(items[0]).__name__}s such as {shown(items[0])}"
    raise InputError(
        f"query {shown(query)}: its judgments are {problem}; give {{item: grade}}, a set of items, "
        "or a list of groups, each a list of texts"
    )


def judged_again(place: Phrase, query: object, item: object, grades: Collection[object] = ()) -> Phrase:
    """Return the example of a judgment that is repeated, with its grades if they differ."""
    name, numbers = shown(item), [*map(grade_text, islice(grades, SHOWN_GRADES))]
    en, zh = f"item {name} is judged more than once", f"物品 {name} 被标注多次"
    if len(numbers) > 1:
        en, zh = f"{en}, with the grades {' and '.join(numbers)}", f"{zh}，等级为 {'、'.join(numbers)}"
    return with_ids(f"{place.en}: {en}", f"{place.zh}：{zh}", query)


def grade_text(grade: object) -> str:
    """Return a grade for a message: 3 for 3.0."""
    return shown(int(grade) if isinstance(grade, float) and grade.is_integer() else grade)
