"""The sides that sources hold, judgments, a ranking or both, for verbs that look at rows as they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from rankgauge.errors import InputError, ParameterError
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import SIDES
from rankgauge.inputs.findings import Findings, no_splits
from rankgauge.inputs.formats.codec import Content
from rankgauge.inputs.formats.pairing import PAIRED, paired_ranking
from rankgauge.inputs.formats.reader import SourceInfo, inspect_source, read_blocks
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.io.paths import split_system
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.inputs.source import Source, is_file
from rankgauge.matching.data import Data, read, systems_of
from rankgauge.matching.systems import systems_in


@dataclass(frozen=True)
class SourceSide:
    """The judgments or the ranking of a source."""

    info: SourceInfo
    options: ReadOptions
    """How it is read, with the format and the split that were recognised."""
    table: pl.DataFrame | None = None
    """The rows of data in memory."""
    found: Findings = field(default_factory=Findings)
    """What was found in them."""

    def blocks(self, findings: Findings, *, lenient: bool, may_be_invalid: bool = False) -> Iterator[pl.DataFrame]:
        """Yield the rows as columns of query, item, and grade or score."""
        if self.table is not None:
            findings.merge(self.found)
            return iter([self.table])
        options = replace(self.options, lenient=lenient)
        return read_blocks(self.info.file, self.info.role, options, findings=findings, may_be_invalid=may_be_invalid)


def source_sides(sources: Sequence[Any], role: Role | None, options: ReadOptions) -> Iterator[SourceSide]:
    """Yield the sides of each source: that of the role, or those that its content tells.

    A source that could be judgments or a ranking is what the others lack; of several, the first is the judgments.
    """
    if role is not None and role not in SIDES:
        raise ParameterError.of("role", role, "'judgments' or 'ranking'")
    sources = [InputFile(source) if hasattr(source, "read") else source for source in sources]
    opened: dict[int, SourceInfo | Data] = {}
    roles: dict[int, Role | None] = dict.fromkeys(range(len(sources)), role)
    unclear = []
    for place, source in enumerate(sources):
        try:
            opened[place] = _opened(source, role, options)
        except InputError as error:
            if "RG114" not in error.codes or role is not None or len(sources) == 1:
                raise
            unclear.append(place)
    for place in unclear:
        has_judgments = any("judgments" in _held(source) for source in opened.values())
        roles[place] = "ranking" if has_judgments else "judgments"
        opened[place] = _opened(sources[place], roles[place], options)
    infos = [source for source in opened.values() if isinstance(source, SourceInfo)]
    in_rows = [info.split is not None and not info.content.names_splits for info in infos]
    if options.split is not None and in_rows and all(in_rows):
        raise no_splits(infos[0].name, options.split)
    for place in range(len(sources)):
        held = opened[place]
        if isinstance(held, Data):
            yield from _memory_sides(held, options)
        else:
            paired = _paired_table(held, infos) if roles[place] != "judgments" else None
            sides = _file_sides(held, roles[place], options)
            yield from sides if paired is None else [SourceSide(held, options, paired)]


def _opened(source: Any, role: Role | None, options: ReadOptions) -> SourceInfo | Data:
    """Return what is known of a file by its beginning, and what data in memory, or one system of a file, hold."""
    path, system = split_system(source)
    if system:
        (ranking,) = systems_in("read", None, source, options).values()
        return Data(None, {system: ranking}, f"{path}: {system}", Source.of(path, "ranking", options).format)
    return _inspect(source, role, options) if is_file(source) else read(source, role=role, read_options=options)


def _held(source: SourceInfo | Data) -> Sequence[Role]:
    """Return the sides that a source holds."""
    if isinstance(source, SourceInfo):
        return source.content.sides
    return [*(() if source.judgments is None else ("judgments",)), *(("ranking",) if source.rankings else ())]


def _file_sides(info: SourceInfo, role: Role | None, options: ReadOptions) -> Iterator[SourceSide]:
    sides = info.content.sides if role is None else (info.role,)
    if len(sides) > 1 and info.file.is_one_shot:
        info.file.load()
    for side in sides:
        of_side = inspect_source(info.file, role=side, options=replace(options, split=info.split))
        of_file = replace(options, format=of_side.format, split=info.split)
        frames = _systems(of_side, options) if side == "ranking" and of_side.content.names_systems else {}
        for system, frame in frames.items():
            yield SourceSide(replace(of_side, name=f"{of_side.name}: {system}"), of_file, frame)
        if not frames:
            yield SourceSide(of_side, of_file)


def _systems(info: SourceInfo, options: ReadOptions) -> dict[str, Any]:
    """Return the rankings of several systems; none if rows are invalid, which are reported for the whole file."""
    findings = Findings()
    frames = systems_of(info, replace(options, lenient=True), findings)
    return frames if len(frames) > 1 and not findings.errors else {}


def _paired_table(info: SourceInfo, infos: Iterable[SourceInfo]) -> pl.DataFrame | None:
    """Return the rows of a ranking whose lines refer to the only file of judgments of their form; None for others."""
    judged = [other.file for other in infos if other.format == PAIRED.get(info.format)]
    if len(judged) != 1 or judged[0].is_one_shot:
        return None
    return paired_ranking(judged[0], info.file, info.format)


def _memory_sides(data: Data, options: ReadOptions) -> Iterator[SourceSide]:
    for side in [*([] if data.judgments is None else [data.judgments]), *data.rankings.values()]:
        info = SourceInfo(side.value, data.name, side.role, data.format, "", None, Content((side.role,)))
        found = Findings()
        yield SourceSide(info, options, side.frame(found), found)


def _inspect(source: Any, role: Role | None, options: ReadOptions) -> SourceInfo:
    """Return what a file holds; the columns of one side tell the role of a file that is not recognised."""
    sides = [side for side in SIDES if side in (options.columns or {})]
    try:
        return inspect_source(source, role=role, options=options)
    except InputError as error:
        if "RG111" not in error.codes or len(sides) != 1:
            raise
        return inspect_source(source, role=sides[0], options=options)
