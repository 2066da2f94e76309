"""The entrance of every verb: what a caller passed becomes judgments and named rankings; ambiguous input is refused."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any, Literal, NamedTuple

from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.frame_kinds import is_array, is_column
from rankgauge.inputs.io.compression import open_bytes
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.read_options import RECOGNISED, ReadOptions
from rankgauge.inputs.records import are_rows, are_span_rows
from rankgauge.inputs.source import MATRIX, TABLES, Source, check_distinct, form_of, is_file, replayable
from rankgauge.matching.data import Data, files_by_name, names_file, read_both, read_same_judgments, titles_in
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.ranking import Ranking
from rankgauge.matching.systems import are_flat_scores, check_names, pick_one, systems_in
from rankgauge.rendering.language import Phrase
from rankgauge.value_checks import is_listing

PAIR = ("the first ranking", "the second ranking")
"""What messages call the rankings of a verb that takes two."""
OPEN_FILES = 64
"""Files of one call that stay open until they are read; more are closed, and opened again."""
UNUSED = Phrase(
    "{files}; to use both, merge them: rankgauge judges export {first} {given} --to csv > merged.csv",
    "{files}；若要同时使用，请先合并：rankgauge judges export {first} {given} --to csv > merged.csv",
)
"""Which files hold judgments beside a ranking, and how to use them as well."""
SWAPPED = {
    "ranking": Phrase(
        "the arguments look swapped: {first} holds a ranking and {second} holds judgments; pass the judgments first, "
        "or name the columns to read them as they are",
        "两个参数的顺序似乎反了：{first} 是排序结果，{second} 是标注；请先给标注，或指明列名",
    ),
    "neither": Phrase(
        "the arguments may be swapped: {first} has neither grades nor scores, and the numbers of {second} are grades "
        "by their name; pass the judgments first, or name the columns to read them as they are, such as "
        'columns={{"grade": None, "score": "rating"}}',
        "两个参数的顺序可能反了：{first} 既无等级也无分数，而 {second} 中的数按列名是等级；请先给标注，或指明列名，"
        '如 columns={{"grade": None, "score": "rating"}}',
    ),
}
"""The message about judgments and a ranking in swapped order, by what the first holds."""
TWO_MEANINGS = Phrase(
    "nested lists of numbers can mean two things: labels and scores by position, as in scikit-learn, or item ids; pass "
    "np.array(labels) and np.array(scores) for the former (of rows of different lengths one after another, with "
    "groups=[3, 2, ...]), {query: {item: grade}} and {query: [items]} for the latter",
    "嵌套的数列有两种含义：按位置的标签与分数（如 scikit-learn），或物品 id；前者请给出 np.array(labels) 与 "
    "np.array(scores)（各行长度不同时首尾相接，并用 groups=[3, 2, ...]），后者请给出 {查询: {物品: 等级}} 与 "
    "{查询: [物品]}",
)
Count = Literal["one", "any", "named"]
"""How many rankings a verb takes: one, one or several by name, or those by name only."""


class VerbInput(NamedTuple):
    """The judgments and rankings of a call, and what data of ``rg.read`` say besides."""

    judgments: Source | Judgments
    rankings: dict[str, Ranking]
    """By name; a single ranking without a name has an empty one."""
    data: Data | None = None

    @property
    def files(self) -> tuple[str, str] | None:
        """The paths of the judgments and the only ranking, or of two files that hold both; None if one has none."""
        judgments, ranking = self.judgments, self.ranking.source
        if not isinstance(judgments, Source) or not isinstance(ranking, Source) or ranking.file is None:
            return None
        held = judgments.files or (judgments.file.path if judgments.file else "",)
        path = ranking.file.path
        judged = [name for name in held if name != path] or [*held]
        return (judged[0], path) if len(judged) == 1 and judged[0] and path else None

    @property
    def ranking(self) -> Ranking:
        """The only ranking."""
        return next(iter(self.rankings.values()))

    def metric(self, argument: object, convention: object) -> tuple[Any, Any]:
        """Return the metric of a verb that takes one, and the convention."""
        metrics, convention = self.metrics(argument, convention)
        return metrics if metrics is argument else metrics[0], convention

    def metrics(self, argument: object, convention: object) -> tuple[Any, Any]:
        """Return metrics and convention of the call; data that name metrics provide both if none are given."""
        if argument is not None or self.data is None or not self.data.metrics:
            return argument, convention
        return self.data.metrics, self.data.convention if convention is None else convention

    def texts(self, argument: object) -> Any:
        """Return the texts of the call, or those of the data, the rankings or the folder of the judgments."""
        if argument is not None:
            return argument
        if self.data is not None and self.data.texts:
            return self.data.texts
        titles = {key: text for ranking in self.rankings.values() for key, text in titles_in(ranking.source).items()}
        if titles:
            return titles
        file = self.judgments.file if isinstance(self.judgments, Source) else None
        if file is None or not file.folder:
            return None
        from rankgauge.inputs.formats.file_groups import text_files  # noqa: PLC0415 (only for folders)

        return text_files(file.folder)


def resolve_input(verb: str, judgments: Any, rankings: Any, options: ReadOptions, count: Count = "any") -> VerbInput:
    """Return the judgments and rankings of a call; a file or data with both sides need no rankings.

    ``{"name": ranking}`` names rankings, each in any form that a single one may have; those in a list of files are
    named after them. A file that names systems is several rankings.
    """
    rankings = files_by_name(rankings) if isinstance(rankings, list | tuple) else rankings
    if rankings is None and (files := _files_of_both(judgments, must_be_named=count != "named")):
        judgments, rankings = _shared_judgments(verb, files, options)
    data = judgments if isinstance(judgments, Data) else None
    if rankings is None and data is None and (is_file(judgments) or _are_records(judgments)):
        data = read_both(judgments, verb, options)
    if data is not None:
        _check_no_metric(verb, data, rankings)
        judgments, rankings = _judgments_of(verb, data), data if rankings is None and data.rankings else rankings
    if not isinstance(judgments, str) or not isinstance(rankings, str) or judgments == rankings:
        named = rankings if count == "named" and isinstance(rankings, Mapping) else {}
        ranking_sources = {f"ranking {shown(name)}": value for name, value in named.items()} or {"ranking": rankings}
        check_distinct({"judgments": judgments} | ranking_sources)
    judged = judgments if isinstance(judgments, Judgments) else Source.of(judgments, "judgments", options)
    sources = _named_sources(verb, judged, rankings, options, count)
    first = next(iter(sources.values()))
    if isinstance(judged, Source) and isinstance(first, Source):
        if options.format is not None or options.columns:
            _check_options(options, (judged, *sources.values()))
        _check_order(judged, first, options)
        judged = _noting_unused(judged, sources)
    many = len(sources) > 1
    systems = {name: Ranking.of(source, options, name, may_be_empty=many) for name, source in sources.items()}
    return VerbInput(judged, systems, data)


def _are_records(source: object) -> bool:
    """Whether an object is a frame or a list of records, which may hold both sides."""
    if isinstance(source, list | tuple):
        return bool(source) and isinstance(source[0], Mapping)
    return not isinstance(source, Judgments) and form_of(source) == "frame"


def resolve_pair(
    verb: str, judgments: object, pair: tuple[object, object], options: ReadOptions, names: tuple[str, str]
) -> tuple[Source | Judgments, list[Ranking]]:
    """Return the judgments and two rankings under these names; data that hold both need no rankings."""
    data = judgments if isinstance(judgments, Data) else None
    if pair[0] is None and pair[1] is None and (data is not None or is_file(judgments)):
        data = data or read_both(judgments, verb, options)
        if len(data.rankings) != len(pair):
            raise InputError(f"{verb}: {data!r} must have two rankings, not {len(data.rankings)}; pass two of them")
        first, second = data.rankings.values()
        pair = first, second
    judgments = judgments if data is None else _judgments_of(verb, data)
    check_distinct({"judgments": judgments} | dict(zip(PAIR, pair, strict=True)))
    judged = judgments if isinstance(judgments, Judgments) else Source.of(judgments, "judgments", options)
    return judged, resolve_rankings(verb, pair, options, judged, names)


def resolve_rankings(
    verb: str,
    rankings: Sequence[Any],
    options: ReadOptions,
    judgments: Source | Judgments | None = None,
    names: Sequence[str] = ("", ""),
) -> list[Ranking]:
    """Return rankings of which each is a single one, with or without judgments beside them."""
    check_distinct(dict(zip(PAIR, rankings, strict=False)))
    sources: list[Any] = []
    for value in rankings:
        systems = systems_in(verb, judgments, value, options)
        if len(systems) > 1:
            raise pick_one(verb, value, systems)
        sources += systems.values()
    if judgments is None:
        _check_options(options, sources)
    return [Ranking.of(source, options, name) for source, name in zip(sources, names, strict=False)]


def resolve_judgments(judgments: object, options: ReadOptions) -> Source | Judgments:
    """Return the judgments of a verb that needs nothing else."""
    if isinstance(judgments, Judgments):
        return judgments
    source = Source.of(judgments.judgments if isinstance(judgments, Data) else judgments, "judgments", options)
    _check_options(options, [source])
    return source


def resolve_systems(verb: str, rankings: object, options: ReadOptions) -> dict[str, Ranking]:
    """Return the rankings of a verb that takes several by name, and no judgments."""
    named = rankings if isinstance(rankings, Mapping) else {"": rankings}
    check_distinct({f"ranking {shown(name)}": value for name, value in named.items()})
    sources = _named_sources(verb, None, rankings, options, "named")
    _check_options(options, [source for source in sources.values() if isinstance(source, Source)])
    return {name: Ranking.of(source, options, name, may_be_empty=True) for name, source in sources.items()}


def _files_of_both(value: object, *, must_be_named: bool) -> dict[str, Any]:
    """Return files by name if that is what a list or a mapping holds; for some verbs one text must name a file."""
    named = files_by_name(value) if isinstance(value, list | tuple) else value
    if not isinstance(named, Mapping) or not all(isinstance(file, str | os.PathLike) for file in named.values()):
        return {}
    return {**named} if not must_be_named or any(map(names_file, named.values())) else {}


def _shared_judgments(verb: str, files: Mapping[str, Any], options: ReadOptions) -> tuple[Source, dict[str, Source]]:
    """Return the judgments that files share, and the ranking of each."""
    check_distinct({f"ranking {shown(name)}": file for name, file in files.items()})
    sides = read_same_judgments({name: InputFile(file) for name, file in files.items()}, options)
    if sides is None:
        held = [read_both(file, verb, options) for file in files.values()]  # raises the error of a file that lacks one
        several = next(data.name for data in held if len(data.rankings) > 1)
        en = f"{verb}: {several} holds several rankings; pass it alone"
        raise InputError((en, f"{verb}：{several} 含有多个排序结果；请单独给出"))
    return sides


def _check_no_metric(verb: str, data: Data, ranking: object) -> None:
    """Raise an error for a metric in the place of the ranking, which data with both sides do not need."""
    texts = [ranking] if isinstance(ranking, str) else ranking if isinstance(ranking, list | tuple) else []
    if data.rankings and texts and all(isinstance(text, str) and not os.path.lexists(text) for text in texts):
        value = shown(ranking)
        message = Phrase(
            f"{verb}: {value} is in the place of the ranking, and no file; the data hold one: pass None there, or "
            "name what follows, such as metrics=...",
            f"{verb}：{value} 处在排序结果的位置，且不是文件；数据中已有排序结果：该处请给 None，或写明其后的参数名，"
            "如 metrics=...",
        )
        raise ParameterError(message)


def _judgments_of(verb: str, data: Data) -> Source:
    if data.judgments is None:
        raise InputError(f"{verb}: {data!r} has no judgments; pass those of another source")
    return data.judgments


def _named_sources(
    verb: str, judgments: Source | Judgments | None, rankings: Any, options: ReadOptions, count: Count
) -> dict[str, Any]:
    """Return the rankings of a call by name, with those of data and of files that name systems in their place."""
    rankings = replayable(rankings) if isinstance(rankings, Mapping | Iterator) else rankings
    array = judgments.array if isinstance(judgments, Judgments) else None
    flat = array is not None or (isinstance(judgments, Source) and judgments.form == "array")
    if not flat and isinstance(rankings, Mapping) and any(map(_are_scores, rankings.values())):
        flat = isinstance(judgments, Source) and judgments.format == "letor"
    given = rankings
    if not isinstance(rankings, Mapping) or (count != "named" and not are_several(rankings, flat=flat)):
        systems = systems_in(verb, judgments, rankings, options)
        if len(systems) == 1 and count != "named":
            return {"": next(iter(systems.values()))}
        rankings = rankings if "" in systems else systems
    if count == "named":
        _check_named(rankings, verb, flat=flat)
    check_names(rankings)
    if count == "one":
        raise pick_one(verb, given, rankings)
    check_distinct({f"ranking {shown(name)}": value for name, value in rankings.items()})
    sources: dict[str, Any] = {}
    for name, value in rankings.items():
        systems = systems_in(verb, judgments, value, options)
        several = len(systems) > 1
        sources |= {f"{name}/{system}" if several else str(name): source for system, source in systems.items()}
        if len(sources) > OPEN_FILES:
            for source in systems.values():
                source.close()
    return sources


def are_several(source: object, *, flat: bool = False) -> bool:
    """Return whether a mapping names rankings, not queries.

    An empty value counts as an empty ranking if another value is a ranking; ``flat`` arrays are rankings if the
    judgments are an array.
    """
    if not isinstance(source, Mapping) or not source:
        return False
    filled = (value for value in source.values() if not (isinstance(value, Mapping | list | tuple) and not value))
    are_rankings = (_is_ranking(value, flat=flat) for value in filled)
    return next(are_rankings, False) and all(are_rankings)


def _is_ranking(value: object, *, flat: bool) -> bool:
    """Return whether a value is a ranking of many queries, not that of one."""
    if isinstance(value, Mapping):
        hits = value.get("hits")
        is_response = isinstance(hits, Mapping) and isinstance(hits.get("hits"), list)
        return not is_response and all(is_listing(inner) for inner in value.values())
    if is_array(value):
        return flat or value.ndim == MATRIX
    if is_column(value) or (flat and _are_scores(value)):
        return flat
    if isinstance(value, list | tuple):
        return are_rows(value) or are_span_rows(value)
    return isinstance(value, Source | Data | Ranking) or form_of(value) != "records"


def _are_scores(value: object) -> bool:
    """Return whether a value is flat scores of rows; a list of whole numbers could be one of ids."""
    return are_flat_scores(value) and (not isinstance(value, list | tuple) or any(isinstance(n, float) for n in value))


def _check_named(rankings: object, verb: str, *, flat: bool) -> None:
    """Raise an error for anything but a mapping from names to rankings, such as ``{query: [items]}``.

    Lists of scores are rankings where judgments are rows without ids, ``flat``.
    """
    if isinstance(rankings, str | os.PathLike) and names_file(rankings) and not os.path.lexists(rankings):
        open_bytes(rankings)  # raises the error of a file that does not exist
    if not isinstance(rankings, Mapping) or not rankings:
        raise ParameterError.of(
            "rankings",
            rankings,
            ("{'name': ranking, ...} or a list of files", "{'名称': 排序结果, ...}，或文件的列表"),
            verb,
        )
    for name, value in rankings.items():
        entries = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
        if entries and all(isinstance(entry, str | Real) for entry in entries) and not (flat and _are_scores(value)):
            remedy = "pass {'name': {query: [items]}}"
            en = f"{verb}: {shown(name)} holds the ranking of one query, {shown(value)}; {remedy}"
            zh = f"{verb}：{shown(name)} 是单个查询的排序结果 {shown(value)}；请给出 {{'名称': {{查询: [物品]}}}}"
            raise ParameterError((en, zh))


def _check_options(options: ReadOptions, sources: Iterable[Source]) -> None:
    """Raise an error for options of files or tables if no source is one."""
    forms = {"file" if source.description else source.form for source in sources}
    if options.format is not None and "file" not in forms:
        raise ParameterError(
            ("format is for files, and no file is given; remove it", "format 用于文件，而这里没有文件；请去掉")
        )
    if options.columns and not forms & TABLES:
        en = "columns is for tables and files, and none is given; remove it"
        raise ParameterError((en, "columns 用于表格与文件，而这里都没有；请去掉"))


def _check_order(judgments: Source, ranking: Source, options: ReadOptions) -> None:
    """Raise an error for nested lists of numbers, and for judgments and a ranking passed in swapped order."""
    if judgments.form not in TABLES and ranking.form not in TABLES:
        lengths = [_lengths_of_rows(source.value) for source in (judgments, ranking)]
        if all(lengths) and (lengths[0] == lengths[1] or all(len({*rows}) == 1 for rows in lengths)):
            raise InputError(TWO_MEANINGS)
    elif options.columns or options.format or judgments.form not in TABLES or ranking.form not in TABLES:
        return
    elif (role := _role_of(judgments)) in SWAPPED and _role_of(ranking) == "judgments":
        places = zip((judgments, ranking), ("the first", "the second"), ("第一个", "第二个"), strict=True)
        first, second = (_place(source, *place) for source, *place in places)
        raise InputError(SWAPPED[role].fill(first=first, second=second))


def _noting_unused(judged: Source, sources: Mapping[str, Source]) -> Source:
    """Return the judgments of a call with a note about rankings in files that hold others, which are not used."""
    path = None if judged.file is None else judged.file.path
    files = [
        source.name
        for source in sources.values()
        if source.file is not None and not source.description and source.file.path != path and source.file.holds_both
    ]
    if judged.description or not files:
        return judged
    findings, names = Findings(), {"files": ", ".join(files), "first": files[0], "given": judged.name or "LABELS"}
    findings.add("RG127", UNUSED.fill(**names), len(files))
    if judged.findings is not None:
        findings.merge(judged.findings)
    return replace(judged, findings=findings)


def _place(source: Source, en: str, zh: str) -> Phrase:
    """Return the path of a source, or which argument it is."""
    return Phrase(en, zh) if source.file is None else Phrase(str(source.file), str(source.file))


def _lengths_of_rows(source: object) -> list[int]:
    """Return the length of each row of a list of lists of numbers; nothing of another source."""
    if not isinstance(source, list) or not all(isinstance(row, list) and row for row in source):
        return []
    return [*map(len, source)] if all(isinstance(cell, Real) for row in source for cell in row) else []


def _role_of(source: Source) -> Role | Literal["neither"] | None:
    """Return what a regular file or a frame holds, as far as its columns tell; ``neither`` if they have no numbers."""
    if source.description:
        return None  # the caller asked what it is
    try:
        from rankgauge.inputs.column_roles import role_of_columns  # noqa: PLC0415
        from rankgauge.inputs.columns import is_log  # noqa: PLC0415

        if source.file is not None:
            from rankgauge.inputs.formats.reader import inspect_source, suggested_format  # noqa: PLC0415 (loads polars)

            if not source.file.is_regular or suggested_format(source.file, None, RECOGNISED).is_document:
                return None  # all of it would have to be read
            info = inspect_source(source.file)
            names, role = [*info.content.columns], info.role
        else:
            frame = source.value
            names = frame.collect_schema().names() if hasattr(frame, "collect_schema") else [*frame.columns]
            role = role_of_columns(names, "frame")
        return "neither" if names and is_log(names, {}, "frame") else role
    except (InputError, OSError, AttributeError, TypeError, ValueError) as error:
        return "neither" if "RG111" in getattr(error, "codes", ()) else None
