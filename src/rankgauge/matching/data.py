"""`read`: what one source holds, judgments, rankings or both, in any known form."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import MAYBE_SYSTEM, SIDES, normalise_name, system_column
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.io.paths import file_name, split_system
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.inputs.records import grade_text
from rankgauge.inputs.source import Form, Source, form_of, is_file, replayable
from rankgauge.matching.source_types import JudgmentsLike, RankingLike
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.inputs.formats.codec import Content
    from rankgauge.inputs.formats.file_groups import TextFiles
    from rankgauge.inputs.formats.reader import SourceInfo


@dataclass(frozen=True, eq=False)
class Data:
    """Judgments and rankings that ``rg.read`` recognised in one source; either may be missing."""

    judgments: Source | None
    rankings: Mapping[str, Source]
    """The ranking of each system, by name."""
    name: str
    format: str
    """The format of the file (``"jsonl"``), or the type of the object."""
    shape: str = ""
    """The name of the shape of its records, empty for rows with one item."""
    reason: str = ""
    """Why it was taken for this shape."""
    metrics: tuple[str, ...] = ()
    """The metrics that the source names, which a verb computes unless others are given."""
    convention: Any = None
    """The convention under which the source means its metrics."""
    texts: Mapping[str, str] | TextFiles = field(default_factory=dict)
    """Texts of queries and items, for the report; of a folder, the files that have them."""
    has_columns: bool = False
    """Whether it is a table with named columns and a row for each item."""
    judges_returned_only: bool = False
    """Whether only returned items can have a grade, so that files of the same judgments differ."""

    @property
    def ranking(self) -> Source:
        """The only ranking; an error if there are several or none."""
        if len(self.rankings) != 1:
            names = ", ".join(map(shown, self.rankings)) or "none"
            raise InputError(f"{self.name}: expected one ranking, found {names}; pick one of data.rankings")
        return next(iter(self.rankings.values()))

    def __repr__(self) -> str:
        held = [*(["judgments"] if self.judgments else []), *(f"ranking {shown(name)}" for name in self.rankings)]
        return (
            f"<Data {self.name}: {' and '.join(held) or 'nothing'}; {describe(self.format, self.shape, self.reason)}>"
        )


def describe(form: str, shape: str, reason: str) -> str:
    """Return what a source was taken for, and why."""
    return f"{form}, {shape}, {reason}" if shape else form


def read(
    source: JudgmentsLike | RankingLike,
    *,
    role: Role | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Data:
    """Recognise what a source holds, and return its judgments and rankings.

    Parameters
    ----------
    source
        A file, an open file, a frame, a list of records, or a dict.
    role
        ``"judgments"`` or ``"ranking"``, for a source that could be either.
    read_options, **read
        How data are read, as for ``evaluate``.

    Examples
    --------
    >>> import rankgauge as rg
    >>> rows = [{"query": "q1", "relevant_ids": ["a"], "retrieved_ids": ["b", "a"]}]
    >>> data = rg.read(rows)
    >>> data
    <Data list: judgments and ranking 'list'; list, lists, recognised by query, relevant_ids, retrieved_ids>
    >>> rg.evaluate(data, metrics="RR").mean("RR")
    0.5
    """
    if isinstance(source, Data):
        return source
    options = ReadOptions.of(_read_call, read_options, read, call="read")
    if role is not None and role not in SIDES:
        raise ParameterError.of("role", role, "'judgments' or 'ranking'", "read")
    data = read_data(source, role, options)
    for side in (data.judgments, *data.rankings.values()):
        if side is not None and side.file is not None:
            side.file.close()  # until it is read
    return data


def _read_call(source: object, role: object) -> None:
    """Have the arguments of ``read`` that are not read options."""


def read_data(source: Any, role: Role | None, options: ReadOptions) -> Data:
    """Return what a source holds; a file stays open to be read."""
    if not is_file(source):
        return _of_object(source, role, options)
    from rankgauge.inputs.formats.reader import inspect_source  # noqa: PLC0415 (loads polars)

    return _of_file(inspect_source(source, role=role, options=options), options)


def read_both(source: object, verb: str, options: ReadOptions) -> Data:
    """Return the data of a source that holds judgments and a ranking."""
    data = read_data(source, None, options)
    if data.judgments is None or not data.rankings:
        held = Phrase("a ranking", "排序结果") if data.judgments is None else Phrase("judgments", "标注")
        held_as = f"({describe(data.format, data.shape, data.reason)})"
        en = f"{data.name}: holds {held.en} only {held_as}; {verb} needs judgments and a ranking"
        zh = f"{data.name}：只有{held.zh}{held_as}；{verb} 需要标注与排序结果"
        both = Phrase("pass both, or a file that holds both", "请同时给出，或给出同时含有两者的文件")
        if data.has_columns:
            both = Phrase("", "").join([both, COLUMNS_OF_BOTH])
        raise InputError((f"{en}: {both.en}", f"{zh}：{both.zh}"))
    return data


COLUMNS_OF_BOTH = Phrase(
    '; if each row has both, name the columns: columns={"grade": "...", "score": "..."}',
    '；若每行同时含有两者，请指明列：columns={"grade": "...", "score": "..."}',
)
JUDGED_OTHERWISE = Phrase(
    "{first} and {name} have different judgments of query {query}: item {item} has {ours} in the first and {theirs} in "
    "the second",
    "{first} 与 {name} 对查询 {query} 的标注不同：物品 {item} 在前者中{ours}，在后者中{theirs}",
)
GRADE, NO_GRADE = Phrase("grade {grade}", "等级为 {grade}"), Phrase("no grade", "没有等级")
NOT_JUDGED = Phrase(
    "{lacks} has no judgments of query {query}, which {has} has", "{lacks} 没有查询 {query} 的标注，而 {has} 有"
)
PASS_FIRST = Phrase(
    "pass the judgments to use as the first file: judgments {first} {name}",
    "请把要用的标注作为第一个文件：标注 {first} {name}",
)
"""What to do about sources with different judgments where the first argument is judgments."""


def read_same_judgments(
    files: Mapping[str, InputFile | str], options: ReadOptions
) -> tuple[Source, dict[str, Source]] | None:
    """Return the judgments that files share, and the ranking of each by name; None if one lacks either or is no file.

    Where files have the grades of returned items only, those of all files are taken together. Files with other
    judgments than the first are an error.
    """
    from rankgauge.inputs.formats.reader import inspect_source  # noqa: PLC0415 (loads polars)

    data = {}
    for name, file in files.items():
        if not isinstance(file, InputFile):
            return None
        try:
            info = inspect_source(file, options=options)
            if len(info.content.sides) == 1:
                return None
            data[name] = _of_file(info, options)
        except InputError:  # reported when it is read for its role
            return None
        if len(data[name].rankings) != 1:
            return None
    judgments = same_judgments([*data.values()], options)
    return None if judgments is None else (judgments, {name: one.ranking for name, one in data.items()})


def same_judgments(held: Sequence[Data], options: ReadOptions, remedy: Phrase = PASS_FIRST) -> Source | None:
    """Return the judgments that data share, all of which have some; an error with the remedy if they differ."""
    first, *others = held
    if not others:
        return first.judgments
    joined = {query: dict(grades) for query, grades in _grades_of(first, options).items()}
    in_part = all(one.judges_returned_only for one in held)
    for other in others:
        grades_of_other = _grades_of(other, options)
        different = _different(joined, grades_of_other, in_part=in_part)
        if different is not None:
            both = {"first": first.name, "name": other.name}
            reason = JUDGED_OTHERWISE.fill(
                query=shown(different), **both, **_conflict(joined, grades_of_other, different)
            )
            if different not in grades_of_other:
                reason = NOT_JUDGED.fill(query=shown(different), lacks=other.name, has=first.name)
            elif different not in joined:
                reason = NOT_JUDGED.fill(query=shown(different), lacks=first.name, has=other.name)
            raise InputError(Phrase("; ", "；").join([reason, remedy.fill(**both)]))
        for query, grades in grades_of_other.items():
            joined.setdefault(query, {}).update(grades)
    if not in_part:
        return first.judgments
    findings = Findings()
    names = tuple(one.name for one in held)
    findings.add("RG116", ", ".join(names))
    applied = replace(options, columns=None, format=None, split=None, grades=None)
    return Source(joined, "records", "judgments", applied, "dict", files=names, findings=findings)


def _different(
    judged: Mapping[Any, Mapping[Any, float]], others: Mapping[Any, Mapping[Any, float]], *, in_part: bool
) -> Any | None:
    """Return the first query with different judgments, None if there is none; ``in_part`` compares common items."""
    for query in {**judged, **others}:
        first, second = judged.get(query, {}), others.get(query, {})
        if in_part:
            if any(first[item] != second[item] for item in first.keys() & second.keys()):
                return query
        elif judged.get(query) != others.get(query):
            return query
    return None


def _conflict(
    judged: Mapping[Any, Mapping[Any, float]], others: Mapping[Any, Mapping[Any, float]], query: object
) -> dict[str, object]:
    """Return the first item of a query with different grades, and those grades; common items come first."""
    first, second = judged.get(query, {}), others.get(query, {})
    items = [*(item for item in first if item in second), *first, *second]
    item = next((item for item in items if first.get(item) != second.get(item)), None)
    grades = {"ours": first.get(item), "theirs": second.get(item)}
    texts = {side: NO_GRADE if grade is None else GRADE.fill(grade=grade_text(grade)) for side, grade in grades.items()}
    return {"item": shown(item), **texts}


def _grades_of(data: Data, options: ReadOptions) -> dict[Any, dict[Any, float]]:
    """Return the judgments of a source as grades by query and item."""
    from rankgauge.matching.judgments import Judgments  # noqa: PLC0415 (imports this stage)

    return Judgments(data.judgments, options, Findings()).dicts


def _of_file(info: SourceInfo, options: ReadOptions) -> Data:
    from rankgauge.inputs.formats.file_groups import text_files  # noqa: PLC0415 (only for files)

    options = options if info.split == options.split else replace(options, split=info.split)
    sides: dict[Role, dict[str, Any]] = {side: {file_stem(info.file): info.file} for side in info.content.sides}
    if len(sides) > 1 and info.file.is_one_shot:
        info.file.load()
    if "ranking" in sides and info.content.names_systems and (systems := systems_of(info, options, Findings())):
        sides["ranking"] = systems
        options = options if info.content.system is None else replace(options, columns=None, format=None)
    data = _data(sides, info.name, info.format, info.content, options)
    rankings = {system: replace(source, read_from=info.file) for system, source in data.rankings.items()}
    data = replace(data, rankings=rankings)
    texts = text_files(info.file.folder) if info.file.folder else None
    return data if texts is None else replace(data, texts=texts)


def titles_in(source: Source) -> Mapping[str, str]:
    """Return the titles of items that a JSON file holds beside its ranking, by id; the file is opened again."""
    file = source.file
    is_json = file is not None and any(getattr(kind, "name", "") == "json" for kind in file.recognised.values())
    if file is None or not is_json or not file.is_regular:
        return {}
    from rankgauge.inputs.formats.reader import inspect_source  # noqa: PLC0415 (loads polars)

    recognised = inspect_source(file.path, role="ranking").content.recognised
    return {} if recognised is None else recognised.fit.texts


def file_stem(file: InputFile) -> str:
    """Return the name of a system whose ranking a file is: without the folder and the endings."""
    from rankgauge.inputs.formats.registry import strip_endings  # noqa: PLC0415 (only for files)

    return "stdin" if file.name == "<stdin>" else strip_endings(file_name(file.name))


def names_file(path: str | os.PathLike[str]) -> bool:
    """Return whether a text is the path of a file, or the name of one that does not exist: with a format's ending."""
    from rankgauge.inputs.formats.registry import strip_endings  # noqa: PLC0415 (only for files)

    file = split_system(path)[0]
    return os.path.lexists(file) or strip_endings(name := file_name(os.fspath(file))) != name


def files_by_name(rankings: Sequence[Any]) -> Any:
    """Return the files of a list by their names, as commands name them, and any other list as it is."""
    from rankgauge.inputs.formats.registry import names_of_files  # noqa: PLC0415 (only for files)

    are_paths = all(isinstance(path, str | os.PathLike) for path in rankings)
    if not are_paths or not any(map(names_file, rankings)):
        return rankings
    from pathlib import Path  # noqa: PLC0415 (loads urllib)

    return dict(zip(names_of_files([Path(path) for path in rankings]), rankings, strict=True))


def systems_of(info: SourceInfo, options: ReadOptions, findings: Findings) -> dict[str, object]:
    """Return the rankings of a file that names systems, as frames by name; none for a table of a single one."""
    import polars as pl  # noqa: PLC0415 (slow to import)

    from rankgauge.inputs.formats.reader import read_blocks  # noqa: PLC0415 (loads polars)

    if info.file.is_one_shot:
        info.file.load()
    column, stem = info.content.system, file_stem(info.file)
    read = partial(read_blocks, info.file, "ranking", column="system", keeps_empty=True)
    options = replace(options, split=info.split)
    if column is None:
        of_shape = replace(options, columns=None, format=info.content.shape)
        return _by_system(pl.concat(read(of_shape, findings=findings)), stem)
    known: set[str] = set()
    for block in read(replace(options, lenient=True), findings=Findings(), may_be_empty=True, may_be_invalid=True):
        known.update(block["system"])
        if len(known) > 1:
            rows = pl.concat(read(options, findings=findings))
            return _by_system(rows, stem) if _names_systems(rows, column, options) else {}
    return {}


def systems_of_frame(source: Source, findings: Findings) -> dict[str, object]:
    """Return the rankings of a frame with a column that names systems; none for a single one."""
    from rankgauge.inputs.frames import column_names  # noqa: PLC0415 (loads polars)

    column = system_column(column_names(source.value), source.options.columns_of("ranking"))
    if column is None or source.is_clean:
        return {}
    rows = source.rows(findings, "system", keeps_empty=True)
    return _by_system(rows, source.name) if _names_systems(rows, column, source.options) else {}


def _names_systems(rows: pl.DataFrame, column: str, options: ReadOptions) -> bool:
    """Whether the values of a column are several systems; a model may be one of items, which then are not repeated."""
    if rows["system"].n_unique() < 2:  # noqa: PLR2004 (a single one)
        return False
    is_declared = "system" in (options.columns_of("ranking") or {})
    is_certain = is_declared or normalise_name(column) not in MAYBE_SYSTEM
    return is_certain or bool(rows.select("query", "item").is_duplicated().any())


def _by_system(rows: pl.DataFrame, unnamed: str) -> dict[str, object]:
    from rankgauge.inputs.frames import ranked_items  # noqa: PLC0415 (loads polars)

    systems = rows.partition_by("system", as_dict=True, include_key=False, maintain_order=True)
    return {name or unnamed: ranked_items(frame) for (name,), frame in systems.items()}


def sources_of(frames: Mapping[str, object], source: Source, findings: Findings) -> dict[str, Source]:
    """Return frames by system as sources; the rows that lenient reading left out are reported with the first."""
    options, name = replace(source.options, columns=None, format=None, split=None), source.name
    whole = Source(None, "frame", "ranking", options, name, f"rows of {name}", read_from=source.given_file)
    sources = {system: replace(whole, value=rows, form=form_of(rows)) for system, rows in frames.items()}
    first, left_out = next(iter(sources)), Findings({finding.code: finding for finding in findings.errors})
    return sources | {first: replace(sources[first], findings=left_out)}


def _data(
    sides: Mapping[Role, Mapping[str, object]], name: str, form: str, content: Content, options: ReadOptions
) -> Data:
    description = describe(form, content.shape, content.reason.en)
    held = {
        side: {system: _source(value, side, options, name, description) for system, value in systems.items()}
        for side, systems in sides.items()
    }
    judgments = next(iter(held.get("judgments", {}).values()), None)
    fit = None if content.recognised is None else content.recognised.fit
    more = {} if fit is None else {"metrics": fit.metrics, "convention": fit.convention, "texts": fit.texts}
    noted = fit is not None and fit.note is not None and fit.note[0] == "RG116"
    if content.judges_returned_only and judgments is not None:
        findings = Findings()
        findings.add("RG116", name)
        judgments = replace(judgments, findings=findings)
    more |= {"judges_returned_only": noted or content.judges_returned_only, "has_columns": bool(content.columns)}
    return Data(judgments, held.get("ranking", {}), name, form, content.shape, content.reason.en, **more)


def _source(value: object, role: Role, options: ReadOptions, name: str, description: str) -> Source:
    """Return one side: a file, or an object that a call makes a table of with its options."""
    file = value if isinstance(value, InputFile) else None
    form: Form = "object" if file is None else "file"
    return Source(value, form, role, options, name, description, is_held=True, file=file)


def _content_as(source: object, options: ReadOptions, role: Role | None) -> Content:
    from rankgauge.inputs.objects import content_of  # noqa: PLC0415 (loads polars)

    return content_of(source, role, options.columns_of(role))


def _of_object(source: object, role: Role | None, options: ReadOptions) -> Data:
    from rankgauge.inputs.formats.codec import Content  # noqa: PLC0415 (loads polars)

    source, name = replayable(source), type(source).__name__
    both = None if role else Content.of_both(partial(_content_as, source, options), options.columns)
    content = both or _content_as(source, options, role)
    sides: dict[Role, dict[str, object]] = {side: {name: source} for side in content.sides}
    if content.system is not None and (systems := systems_of_frame(Source.of(source, "ranking", options), Findings())):
        sides["ranking"], options = systems, replace(options, columns=None)
    return _data(sides, name, name, content, options)
