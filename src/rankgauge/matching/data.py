"""`read`: judgments and rankings of any known form, and how every verb takes them."""

from __future__ import annotations

import inspect
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, Unpack

from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import SIDES
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.io.paths import is_regular_file
from rankgauge.matching.data_side import DataSide
from rankgauge.matching.paired_files import RANKING_PARAMETERS, with_pairs
from rankgauge.matching.read_options import ReadKeywords, ReadOptions
from rankgauge.matching.sources import is_file, is_one_shot, is_path, read_table, replayable
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.inputs.formats.codec import Content
    from rankgauge.inputs.formats.file_groups import TextFiles
    from rankgauge.inputs.formats.reader import SourceInfo

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Data:
    """Judgments and rankings that ``rg.read`` recognised in one source; either may be missing."""

    judgments: DataSide | None
    rankings: Mapping[str, DataSide]
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

    @property
    def ranking(self) -> DataSide:
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
    source: Any, *, role: Role | None = None, read_options: ReadOptions | None = None, **read: Unpack[ReadKeywords]
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
    return _read_file(source, role, options) if is_file(source) else _read_object(source, role, options)


def read_both(source: Any, verb: str, options: ReadOptions) -> Data:
    """Return the data of a source that holds judgments and a ranking."""
    data = read(source, read_options=options)
    if data.judgments is None or not data.rankings:
        held = Phrase("a ranking", "排序结果") if data.judgments is None else Phrase("judgments", "标注")
        held_as = f"({describe(data.format, data.shape, data.reason)})"
        en = f"{data.name}: holds {held.en} only {held_as}; {verb} needs judgments and a ranking"
        zh = f"{data.name}：只有{held.zh}{held_as}；{verb} 需要标注与排序结果"
        both = Phrase("pass both, or a file that holds both", "请同时给出，或给出同时含有两者的文件")
        raise InputError((f"{en}: {both.en}", f"{zh}：{both.zh}"))
    return data


def _read_call(source: Any, role: Any) -> None:
    """Have the arguments of ``read`` that are not read options."""


def _read_file(source: Any, role: Role | None, options: ReadOptions) -> Data:
    from rankgauge.inputs.formats.file_groups import text_files  # noqa: PLC0415
    from rankgauge.inputs.formats.reader import inspect_source  # noqa: PLC0415 (loads polars)
    from rankgauge.inputs.formats.registry import strip_endings  # noqa: PLC0415

    side = role or "ranking"
    info = inspect_source(
        source, role=role, format=options.format_of(side), columns=options.columns_of(side), split=options.split
    )
    options = replace(options, split=info.split)
    stem = "stdin" if info.name == "<stdin>" else strip_endings(Path(info.name).name)
    description = describe(info.format, info.content.shape, info.content.reason.en)
    sides: dict[Role, dict[str, Any]] = {side: {stem: info.source} for side in info.content.sides}
    recognised = info.content.recognised
    if recognised is not None and recognised.shape.several_systems and "ranking" in sides:
        sides["ranking"] = _systems(info, options, stem)
    if len(sides) > 1 and is_one_shot(info.source):
        sides = _loaded(info, sides, options, stem)
    data = _data(sides, info.name, info.format, description, info.content, options)
    texts = text_files(source)
    return data if texts is None else replace(data, texts=texts)


def _systems(info: SourceInfo, options: ReadOptions, stem: str) -> dict[str, Any]:
    """Return the rankings of a source by the name of the system."""
    import polars as pl  # noqa: PLC0415

    from rankgauge.inputs.formats.reader import read_blocks  # noqa: PLC0415

    findings, lenient = Findings(), options.lenient
    blocks = read_blocks(
        info.source,
        "ranking",
        format=info.content.shape,
        findings=findings,
        lenient=lenient,
        by_system=True,
        split=options.split,
    )
    systems = pl.concat(blocks).partition_by("system", as_dict=True, include_key=False, maintain_order=True)
    if isinstance(info.source, io.BytesIO):
        info.source.seek(0)
    return {name or stem: frame for (name,), frame in systems.items()}


def _loaded(info: SourceInfo, sides: Mapping[Role, Any], options: ReadOptions, stem: str) -> dict[Role, dict[str, Any]]:
    """Return both sides of a stream, which can be read only once, as frames."""
    from rankgauge.inputs.frames import judged_items  # noqa: PLC0415 (loads polars)

    content: Any = info.source.read()  # type: ignore[union-attr]
    loaded: dict[Role, dict[str, Any]] = {}
    for side, systems in sides.items():
        copy = io.BytesIO(content)
        copy.name = info.name
        is_stream = systems.get(stem) is info.source
        loaded[side] = (
            {stem: judged_items(read_table(copy, side, options, Findings(), by_group=True))} if is_stream else systems
        )
    return loaded


def _data(
    sides: Mapping[Role, Mapping[str, Any]],
    name: str,
    form: str,
    description: str,
    content: Content,
    options: ReadOptions,
) -> Data:
    held = {
        side: {system: DataSide(source, side, name, options, description) for system, source in systems.items()}
        for side, systems in sides.items()
    }
    judgments = next(iter(held.get("judgments", {}).values()), None)
    fit = None if content.recognised is None else content.recognised.fit
    more = {} if fit is None else {"metrics": fit.metrics, "convention": fit.convention, "texts": fit.texts}
    return Data(judgments, held.get("ranking", {}), name, form, content.shape, content.reason.en, **more)


def _read_object(source: Any, role: Role | None, options: ReadOptions) -> Data:
    from rankgauge.inputs.objects import content_of  # noqa: PLC0415 (loads polars)

    source, name = replayable(source), type(source).__name__
    content = content_of(source, role, options.columns_of(role or "ranking"))
    description = describe(name, content.shape, content.reason.en)
    sides: dict[Role, dict[str, Any]] = {side: {name: source} for side in content.sides}
    return _data(sides, name, name, description, content, options)


def takes_data(verb: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Let a verb take what ``rg.read`` returns, or a file that holds both sides.

    ``verb(data, ...)`` is ``verb(data.judgments, data.rankings, ...)`` if the data have both, and so is ``verb(file)``
    without a ranking. Data in place of a ranking stand for the rankings in them.
    """
    signature = inspect.signature(verb)
    positional = [name for name, given in signature.parameters.items() if given.kind is given.POSITIONAL_OR_KEYWORD]

    @wraps(verb)
    def call(*args: Parameters.args, **keywords: Parameters.kwargs) -> Result:
        named = dict(zip(positional, args, strict=False))
        if len(args) > len(positional) or named.keys() & keywords.keys():
            return verb(*args, **keywords)  # raises the error of Python
        data = _data_of(verb, named | keywords)
        if data is not None:
            sides = _sides(verb, data, {**keywords, **dict.fromkeys(named.keys() - {"judgments"})}, positional)
            free = [name for name in positional if name not in sides]
            named = sides | dict(zip(free, args[1:], strict=False))
            keywords.update(_from_data(data, {**named, **keywords}, [*signature.parameters]))
            keywords.pop("judgments", None)
        if "judgments" in named:
            named, keywords = (with_pairs(given, named["judgments"]) for given in (named, keywords))  # type: ignore[assignment]
            keywords.update(_texts_beside(named["judgments"], keywords, [*signature.parameters]))
        named = {name: _rankings(verb, name, value) for name, value in named.items()}
        return verb(**named, **{name: _rankings(verb, name, value) for name, value in keywords.items()})  # type: ignore[call-arg, arg-type]

    return call


FORMATS_WITH_SYSTEMS = {"json", "jsonl", "parquet", "arrow"}
"""Formats whose records can name systems."""
_START = 64
"""Bytes that tell JSON, columns and compressed files from tables."""


def _data_of(verb: Callable[..., Any], arguments: Mapping[str, Any]) -> Data | None:
    """Return the data in place of judgments: as passed, or those of a file without a ranking beside it."""
    first = arguments.get("judgments")
    if isinstance(first, Data) or not is_path(first):
        return first if isinstance(first, Data) else None
    if any(arguments.get(name) is not None for name in RANKING_PARAMETERS):
        return None
    options = {name: arguments[name] for name in ReadKeywords.__annotations__ if name in arguments}
    return read_both(first, verb.__name__, ReadOptions.of(verb, arguments.get("read_options"), options))


def _sides(verb: Callable[..., Any], data: Data, given: Mapping[str, Any], positional: list[str]) -> dict[str, Any]:
    """Return the judgments and rankings of data under the names of the parameters."""
    if data.judgments is None:
        raise InputError(f"{verb.__name__}: {data!r} has no judgments; pass those of another source")
    sides: dict[str, Any] = {"judgments": data.judgments}
    free = [name for name in positional[1:] if name in RANKING_PARAMETERS]
    if not data.rankings or any(name in given and given[name] is not None for name in free):
        return sides
    if "second" in free:
        if len(data.rankings) != len(free):
            raise InputError(
                f"{verb.__name__}: {data!r} must have two rankings, not {len(data.rankings)}; pass two of them"
            )
        return sides | dict(zip(free, data.rankings.values(), strict=True))
    return sides | {free[0]: _one_or_all(free[0], data.rankings)}


def _one_or_all(parameter: str, rankings: Mapping[str, DataSide]) -> Any:
    """Return the rankings by name, or the only one for a parameter that takes one."""
    only = next(iter(rankings.values())) if len(rankings) == 1 else None
    return dict(rankings) if only is None or parameter == "rankings" else only


def _from_data(data: Data, arguments: Mapping[str, Any], parameters: list[str]) -> dict[str, Any]:
    """Return the arguments that data provide and the call does not: metrics with their convention, and texts."""
    more: dict[str, Any] = {}
    name = next((name for name in ("metrics", "metric") if name in parameters), "")
    if name and not arguments.get(name) and data.metrics:
        more[name] = [*data.metrics] if name == "metrics" else data.metrics[0]
        if arguments.get("convention") is None:
            more["convention"] = data.convention
    if "texts" in parameters and arguments.get("texts") is None and data.texts:
        more["texts"] = data.texts
    return more


def _texts_beside(judgments: Any, given: Mapping[str, Any], parameters: list[str]) -> dict[str, Any]:
    """Return the texts in a folder of judgments for a verb that shows texts, unless others are given."""
    if "texts" not in parameters or given.get("texts") is not None or not is_path(judgments):
        return {}
    from rankgauge.inputs.formats.file_groups import text_files  # noqa: PLC0415 (only for folders)

    texts = text_files(judgments)
    return {} if texts is None else {"texts": texts}


def _rankings(verb: Callable[..., Any], parameter: str, value: Any) -> Any:
    """Return an argument with the rankings of data in place of the data."""
    if parameter not in RANKING_PARAMETERS:
        return value
    if isinstance(value, Data) or _holds_systems(value):
        data = read(value, role="ranking")
        if not data.rankings:
            raise InputError(f"{verb.__name__}: {data!r} has no ranking")
        return _one_or_all(parameter, data.rankings)
    if not isinstance(value, Mapping) or {*map(type, value.values())} <= {dict, list}:
        return value
    if not any(isinstance(entry, Data) or _holds_systems(entry) for entry in value.values()):
        return value
    expanded: dict[str, Any] = {}
    for name, entry in value.items():
        systems = _rankings(verb, "rankings", entry)
        several = isinstance(systems, Mapping) and entry is not systems
        expanded |= (
            {name if len(systems) == 1 else f"{name}/{system}": side for system, side in systems.items()}
            if several
            else {name: entry}
        )
    return expanded


def _holds_systems(source: Any) -> bool:
    """Whether a regular file has records or a document that name the systems of its rankings."""
    if not is_regular_file(source):
        return False
    with Path(source).open("rb") as file:
        start = file.read(_START).lstrip()
    if start.isascii() and not start.startswith((b"{", b"[", b"PAR1", b"ARROW1")):
        return False  # a table or a TREC file, of which nothing more needs to be looked at
    from rankgauge.inputs.formats.reader import format_of, inspect_source  # noqa: PLC0415 (loads polars)

    try:
        if format_of(source) not in FORMATS_WITH_SYSTEMS:
            return False
        recognised = inspect_source(source, role="ranking").content.recognised
    except InputError:  # reported when it is read
        return False
    return recognised is not None and recognised.shape.several_systems
