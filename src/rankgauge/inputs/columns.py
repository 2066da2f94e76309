"""Recognise the query, item and number columns of a table by the names common in search and recommendation."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from functools import lru_cache
from typing import TypeAlias

from rankgauge.errors import InputError, ParameterError, UnknownNameError, listed, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.list_names import LIST_NAMES, names_of
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.text import neutral

# Earlier groups win: in a table with `query_id` and `query`, the first is the id and the second the text.
_QUERY = (
    names_of("qid queryid topicid userid uid groupid sessionid searchid srchid 查询id 用户id 查询编号 用户编号"),
    ("query", "topic", "user", "group", "session", "q", "查询", "查询词", "用户"),
    names_of("questionid customerid visitorid clientid reviewerid playlistid impressionid requestid 问题id 提问id"),
    (
        "question",
        "querytext",
        "userquery",
        "searchtext",
        "sessiontype",
        "traceid",
        "问题",
        "提问",
        "查询文本",
        "用户问题",
    ),
)
USER_NAMES = {"用户", "用户id", "用户编号", "userid", "uid", "user", "customerid", "visitorid", "reviewerid"}
"""Names of query columns whose lists are those of users."""
_ITEM = (
    names_of(
        "docno docid documentid did corpusid pid passageid itemid iid movieid productid "
        "物品id 电影id 商品id 文档id 物品编号 电影编号 商品编号 文档编号"
    ),
    ("item", "doc", "document", "passage", "movie", "product", "asin", "物品", "电影", "商品", "文档"),
    names_of(
        "aid articleid objectid chunkid nodeid contextid parentasin entityid segmentid sku trackid songid newsid "
        "businessid isbn"
    ),
    ("docuri", "uri", "url"),
    ("id",),
)
WEAK_ITEM_NAMES = {"id"}
"""Names of item columns that mean something else in rows with lists."""
_GRADE = (
    ("rel", "relevance", "grade", "label", "judgment", "judgement", "qrel", "等级", "相关性", "相关度"),
    ("rating", "score", "weight", "评分", "得分"),
    ("overall", "queryrelevancelabel", "escilabel", "gain", "stars"),
    ("relevancescore", "relevant", "isrelevant", "clicked", "是否相关"),
)
_SCORE = (
    names_of("score sim similarity prediction predicted pred 得分 分数 预测得分 预测分数 预测分"),
    ("rating", "weight", "评分"),
    ("relevancescore", "logit"),
)
_RANK = (("rank", "position", "pos", "排名", "名次"), ("docposition", "ordinal"))
_TIME = (
    names_of(
        "timestamp time datetime date ts unixtime eventtime createdat ratedat "
        "时间 日期 时间戳 日期时间 评分时间 交互时间"
    ),
)

MAYBE_SYSTEM = names_of("run runid tag model modelname method recommender retriever 模型 方法")
"""Names of columns that are those of systems only if items are repeated otherwise: a product has a model, too."""
_SYSTEM = tuple((name,) for name in (*names_of("system systemname algorithm 系统 算法"), *MAYBE_SYSTEM))

COLUMN_NAMES: dict[Role, dict[str, tuple[tuple[str, ...], ...]]] = {
    "judgments": {"query": _QUERY, "item": _ITEM, "grade": _GRADE},
    "ranking": {"query": _QUERY, "item": _ITEM, "score": _SCORE, "rank": _RANK, "system": _SYSTEM},
    "interactions": {"query": _QUERY, "item": _ITEM, "grade": _GRADE, "time": _TIME},
}
"""The names recognised for each column of a role, normalised, in groups from specific to general."""

SPAN_NAMES: dict[str, tuple[str, ...]] = {
    "document": names_of("document documentid docid doc docno did documentname source filename file path uri url 文档"),
    "start": names_of(
        "start startindex startcharidx startchar startoffset spanstart charstart splitidxstart charstartidx begin 起始 "
        "起点 起始位置 开始位置"
    ),
    "end": names_of("end endindex endcharidx endchar endoffset spanend charend charendidx stop 结束 终点 结束位置"),
    "rank": names_of("rank position pos 排名 名次"),
    "group": ("group", "分组"),
    "text": names_of("text content pagecontent chunk passage excerpt"),
}
"""The names of the columns of spans: characters of a document, and what may come with them, normalised."""


SPAN_UNITS: dict[str, dict[str, tuple[str, ...]]] = {
    "chars": {"start": SPAN_NAMES["start"], "end": SPAN_NAMES["end"]},
    "bytes": {
        "start": names_of("startbyte bytestart byteoffsetstart startbyteoffset"),
        "end": names_of("endbyte byteend byteoffsetend endbyteoffset"),
    },
    "tokens": {
        "start": names_of("starttoken tokenstart starttokenidx starttokenindex"),
        "end": names_of("endtoken tokenend endtokenidx endtokenindex"),
    },
}
"""The names of the columns of offsets, by what they count."""
LENGTH_NAMES = {
    "chars": names_of("chars characters nchars numchars numcharacters charcount charlength length textlength 字符数"),
    "tokens": names_of("tokens ntokens numtokens tokencount tokenlength tokennumber 词元数"),
}
"""The names of the columns that hold the length of an item, normalised."""


def find_length(unit: str, names: Iterable[str]) -> str | None:
    """Return the name of the column with lengths in a unit, None if there is none.

    >>> find_length("tokens", ["chunk", "n_tokens"])
    'n_tokens'
    """
    return next((name for name in names if normalise_name(name) in LENGTH_NAMES[unit]), None)


def names_spans(words: Collection[str]) -> bool:
    """Whether normalised names are those of a document, the start and the end of a span."""
    return any(name in words for name in SPAN_NAMES["document"]) and any(
        all(any(name in words for name in names[kind]) for kind in ("start", "end")) for names in SPAN_UNITS.values()
    )


Columns: TypeAlias = Mapping[str, str | Mapping[str, str | None] | None]
"""The names that columns have in a table, by rankgauge's names; under a side, those of that side only. None for the
grade says that no column holds it: every row is relevant."""
SIDES: tuple[Role, Role] = ("judgments", "ranking")


COLUMN_NAME = ("the name of a column", "列名")


def check_columns(columns: Columns | None, known: Collection[str]) -> None:
    """Raise an error for a column that is not known."""
    if columns is not None and not isinstance(columns, Mapping):
        raise ParameterError.of("columns", columns, ("a mapping to column names", "到列名的映射"))
    for name, given in (columns or {}).items():
        if name not in (*known, *SIDES):
            raise UnknownNameError.closest(("key of columns", " columns 键"), name, (*known, *SIDES))
        if isinstance(given, Mapping) != (name in SIDES):
            mapping = "a mapping to column names", "到列名的映射"
            raise ParameterError.of(f"columns[{name!r}]", given, mapping if name in SIDES else COLUMN_NAME)
        named = given if isinstance(given, Mapping) else {name: given}
        for column, value in named.items():
            if column not in known:
                raise UnknownNameError.closest(
                    (f"key of columns of the {name}", f" columns[{name!r}] 键"), column, known
                )
            if value is None and column != "grade":
                raise ParameterError.of(f"columns[{column!r}]", value, COLUMN_NAME)


_SIDE_ONLY: dict[Role, Phrase] = {
    "judgments": Phrase("; if only the judgments have {name}: {columns}", "；若只有标注含有 {name}：{columns}"),
    "ranking": Phrase("; if only the ranking has {name}: {columns}", "；若只有排序结果含有 {name}：{columns}"),
}
MOST_FIELDS = 20_000
"""Most columns of a table and most fields of a record; an object with more goes from ids to values."""


def check_number_of_columns(names: Sized, place: str) -> None:
    """Raise an error if the header of a table, or a record of a file, has more columns than any data."""
    if len(names) > MOST_FIELDS:
        raise input_error(
            "RG111",
            Phrase(
                f"{place}: the header has {len(names):,} columns, more than {MOST_FIELDS:,}",
                f"{place}：表头有 {len(names):,} 列，而表格最多 {MOST_FIELDS:,} 列",
            ),
            Phrase("keep the columns of query, item and number", "只保留查询、物品与数值各列"),
        )


@lru_cache(maxsize=4096)
def normalise_name(name: str) -> str:
    """Return a name without case, whitespace and punctuation: ``Query_ID`` and ``query-id`` are the same name.

    >>> normalise_name(" Query-ID ")
    'queryid'
    """
    return re.sub(r"[\s_.\-]+", "", name).lower()


def looks_like_header(names: Sequence[str]) -> bool:
    """Whether the fields of a line name a query column and an item column."""
    words = {normalise_name(name) for name in names}
    has_query = any(words & set(group) for group in _QUERY)
    return has_query and (names_spans(words) or any(words & set(group) for group in _ITEM))


def looks_like_spans(names: Iterable[object]) -> bool:
    """Whether names of columns are those of a query, a document, a start and an end."""
    words = {normalise_name(name) for name in names if isinstance(name, str)}
    return names_spans(words) and any(words & {*group} for group in _QUERY)


def names_lists(names: Sequence[str]) -> bool:
    """Whether the fields of a line name a query column and a column of lists."""
    words = {normalise_name(name) for name in names}
    lists = {name for kind in ("judged", "ranked", "either") for group in LIST_NAMES[kind] for name in group}
    return bool(words & lists) and any(words & set(group) for group in _QUERY)


def recognise_columns(
    names: Sequence[str], role: Role, declared: Mapping[str, str] | None = None, place: str = ""
) -> dict[str, str]:
    """Map rankgauge's column names to those of a table; ``declared`` are those that the caller named.

    >>> recognise_columns(["userId", "movieId", "rating", "timestamp"], "judgments")
    {'query': 'userId', 'item': 'movieId', 'grade': 'rating'}
    """
    kinds, place = COLUMN_NAMES[role], place or role
    side = role if role in SIDES else None
    columns = check_given(names, declared or {}, tuple(kinds), place, side)
    kinds = {kind: groups for kind, groups in kinds.items() if kind in columns or kind not in (declared or {})}
    for kind in kinds:
        if kind not in {*columns, "system"} and not (kind == "score" and "rank" in columns):
            name = find_column(kind, [name for name in names if name not in columns.values()], place, role)
            columns |= {} if name is None else {kind: name}
    numbers = {"judgments": {"grade"}, "ranking": {"score", "rank"}, "interactions": set()}[role]
    if role == "ranking":
        check_no_distance(columns.get("score"), place)
    missing = [kind for kind in ("query", "item") if kind not in columns]
    if numbers & kinds.keys() and not numbers & columns.keys():
        missing.append(" or ".join(sorted(numbers, reverse=True)))
    if missing == ["score or rank"]:
        check_no_distance(next(filter(is_distance, names), None), place)
    if missing:
        raise missing_column_error(missing, names, role, place, side)
    return {kind: columns[kind] for kind in kinds if kind in columns}


DISTANCE = Phrase(
    "{place}: {name} is a distance by its name, and a smaller one is better, while items are ordered by score, the "
    "highest first",
    "{place}：从名称看 {name} 是距离，越小越好，而物品按分数从高到低排序",
)
NEGATED = Phrase(
    "pass minus the distance as the score, or ranks; rename it if larger values are better",
    "以距离的相反数作为分数，或给出名次；如果确实越大越好，请改名",
)


def is_distance(name: object) -> bool:
    """Whether a column is one of distances by its name.

    >>> [
    ...     name
    ...     for name in ("_distance", "L2 distance", "余弦距离", "dist", "district", "distances_ok")
    ...     if is_distance(name)
    ... ]
    ['_distance', 'L2 distance', '余弦距离', 'dist']
    """
    word = normalise_name(name) if isinstance(name, str) else ""
    return word == "dist" or word.endswith(("distance", "distances", "距离"))


def check_no_distance(name: object, place: str) -> None:
    """Raise an error for a column of distances in the place of the scores."""
    if is_distance(name):
        raise input_error("RG410", DISTANCE.fill(place=place, name=shown(name)), NEGATED)


_OF_LOGS = ("query", "item", "time")
"""The columns of a log without grades."""


def is_log(names: Sequence[str], declared: Mapping[str, str], place: str) -> bool:
    """Whether a table is a log without grades: a query and an item, at most a time, and no other column.

    Every row is relevant then, as in ``{query: {items}}``; another column could be a grade under an unknown name.

    >>> [is_log(["user_id", "item_id", name], {}, "judgments") for name in ("timestamp", "stars_given")]
    [True, False]
    """
    if len(names) > len(_OF_LOGS):
        return False
    columns = check_given(names, declared, tuple(COLUMN_NAMES["interactions"]), place)
    for kind in _OF_LOGS:
        if kind not in columns:
            left = [name for name in names if name not in columns.values()]
            columns |= {} if (name := find_column(kind, left, place, "interactions")) is None else {kind: name}
    return {"query", "item"} <= columns.keys() <= {*_OF_LOGS} and {*names} <= {*columns.values()}


def find_column(kind: str, names: Sequence[str], place: str, role: Role = "judgments") -> str | None:
    """Return the name of the query, item or another kind of column, or None; several candidates are an error.

    >>> find_column("item", ["movieId", "genre"], "genres.csv")
    'movieId'
    """
    words = [*map(normalise_name, names)]
    for group in LIST_NAMES[kind] if kind in LIST_NAMES else COLUMN_NAMES[role][kind]:
        matches = [name for name, word in zip(names, words, strict=True) if word in group]
        if len(matches) > 1:
            raise input_error(
                "RG111",
                Phrase(
                    f"{place}: columns {' and '.join(map(shown, matches))} could each be the {kind}",
                    f"{place}：列 {'、'.join(map(shown, matches))} 都可能是 {kind}",
                ),
                Phrase("name one: {columns}", "指明其中之一：{columns}").fill(
                    columns=given_columns({kind: matches[0]})
                ),
            )
        if matches:
            return matches[0]
    return None


def system_column(names: Iterable[str], declared: Mapping[str, str] | None) -> str | None:
    """Return the name of the column that names systems: the one declared, or the first with a name of such columns.

    >>> system_column(["Algorithm", "user", "item", "score"], None)
    'Algorithm'
    """
    if declared is not None and "system" in declared:
        return declared["system"]
    by_word = {normalise_name(name): name for name in names if name not in (declared or {}).values()}
    return next((by_word[word] for (word,) in _SYSTEM if word in by_word), None)


HEADER = Phrase(", or add a header line if the first row is data", "；若首行即数据，请加上表头")


def missing_column_error(
    missing: Sequence[str], names: Sequence[str], role: Role, place: str, side: Role | None = None
) -> InputError:
    """Return the error for columns that no name of the table matches; each is named once, with some of its names.

    The remedy names columns that both sides have, query and item, for the ``side`` only that lacks them.
    """
    kinds = [kind.split()[0] for kind in missing]
    few = len(kinds) > 1
    expected = [
        "/".join(name for group in COLUMN_NAMES[role][kind][:2] for name in group[: 2 if few else None])
        for kind in kinds
    ]
    example = given_columns(dict.fromkeys(kinds, "..."), side if {"query", "item"} & {*kinds} else None)
    ones = (
        Phrase("; if every row is relevant: {none}", "；若每行都相关：{none}").fill(none='columns={"grade": None}')
        if kinds == ["grade"]
        else Phrase("", "")
    )
    ones = Phrase("", "").join([HEADER, ones])
    return input_error(
        "RG111",
        Phrase(
            f"{place}: no column for {', '.join([*missing[:-2], ' and '.join(missing[-2:])])}; found {listed(names)}",
            f"{place}：缺少 {'、'.join(missing).replace(' or ', ' 或 ')} 列；现有 {listed(names)}",
        ),
        Phrase(
            f"name {'them' if few else 'it'}: {example}, or use a name such as {' and '.join(expected)}{ones.en}",
            f"指明{'这些列' if few else '该列'}：{example}；或改用可识别的列名，如 {'、'.join(expected)}{ones.zh}",
        ),
    )


def given_columns(columns: Mapping[str, str], side: Role | None = None) -> str:
    """Return an argument ``columns`` as a caller writes it, for one side only or for both."""
    named = columns if side is None else {side: columns}
    import json  # noqa: PLC0415 (only for messages)

    return f"columns={neutral(json.dumps(named, ensure_ascii=False))}"


def check_given(
    names: Sequence[str], declared: Mapping[str, str], allowed: Sequence[str], place: str, side: Role | None = None
) -> dict[str, str]:
    """Return the names of columns that a caller gave, as the table writes them; one that it lacks is an error.

    No name for the grade says that there is no such column. A name for both sides may be meant for the other ``side``.
    """
    if not isinstance(declared, Mapping):
        raise ParameterError.of("columns", declared, ("a mapping to column names", "到列名的映射"))
    columns: dict[str, str] = {}
    lowered = {name.strip().lower(): name for name in reversed(names)}
    for kind, column in declared.items():
        if kind not in allowed:
            raise ParameterError.of(
                "columns",
                kind,
                (f"a mapping from {', '.join(map(repr, allowed))}", f"从 {'、'.join(map(repr, allowed))} 出发的映射"),
            )
        if kind == "grade" and not column:
            continue
        name = column if column in names else lowered.get(str(column).strip().lower())
        if name is None:
            from difflib import get_close_matches  # noqa: PLC0415 (only for an unknown column)

            close = get_close_matches(str(column), names, n=1)
            en, zh = (f"; did you mean {shown(close[0])}?", f"；是否指 {shown(close[0])}？") if close else (".", "。")
            message = Phrase(
                f"{place}: no column {shown(column)} for {kind}{en} The columns are {listed(names)}",
                f"{place}：没有可作 {kind} 的列 {shown(column)}{zh}现有的列：{listed(names)}",
            )
            remedy = Phrase("name one of the columns: {columns}", "指明现有的某一列：{columns}")
            remedy = remedy.fill(columns=given_columns({kind: close[0] if close else "..."}, side))
            if side is not None:
                other: Role = "ranking" if side == "judgments" else "judgments"
                only = _SIDE_ONLY[other].fill(name=shown(column), columns=given_columns({kind: str(column)}, other))
                remedy = Phrase("", "").join([remedy, only])
            raise input_error("RG111", message, remedy)
        if list(names).count(name) > 1:
            message = Phrase(
                f"{place}: column {shown(name)} occurs more than once in {listed(names)}",
                f"{place}：列 {shown(name)} 在 {listed(names)} 中出现多次",
            )
            raise input_error("RG111", message, Phrase("rename one of the columns", "将其中一列改名"))
        columns[kind] = name
    return columns
