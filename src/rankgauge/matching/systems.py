"""Rankings of several systems in one source: found by a column that names systems, and picked by path/system."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from numbers import Real
from typing import Any

from rankgauge.errors import InputError, ParameterError, UnknownNameError, shown
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.io.paths import split_system
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.inputs.source import Source
from rankgauge.matching.data import Data, sources_of, systems_of, systems_of_frame
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.ranking import Ranking
from rankgauge.rendering.language import Phrase

ONE_RANKING = Phrase(
    "{verb}: expected one ranking, found several ({systems}); pass one of them",
    "{verb}：只能给出一个排序结果，而这里有多个（{systems}）；请给出其中一个",
)
EXAMPLE = Phrase(": {path}/{system}", "：{path}/{system}")
NO_SYSTEMS = Phrase(
    "{path}: the file does not name systems; pass it without /{system}",
    "{path}：文件中没有系统的名称；请去掉 /{system}",
)


def systems_in(
    verb: str, judgments: Source | Judgments | None, value: object, options: ReadOptions
) -> Mapping[str, Any]:
    """Return the rankings in one: those of data, or of a file that names systems; else the only one, without a name."""
    if isinstance(value, Ranking):
        return {"": value}
    if isinstance(value, Data):
        if not value.rankings:
            raise InputError(f"{verb}: {value!r} has no ranking")
        return {name: Source.of(side, "ranking", options) for name, side in value.rankings.items()}
    path, system = split_system(value)
    if system:
        systems = systems_in(verb, judgments, path, options)
        if not any(systems):
            raise InputError(NO_SYSTEMS.fill(path=path, system=system))
        if system not in systems:
            raise UnknownNameError.closest(Phrase("system", "系统"), system, systems)
        return {"": systems[system]}
    source, findings = Source.of(value, "ranking", options), Findings()
    frames: Mapping[str, object] = systems_of_frame(source, findings) if source.form == "frame" else {}
    is_single = source.file is not None and (source.file.is_regular or source.file.is_one_shot)
    if (is_single or source.file is None) and not source.description and isinstance(judgments, Source):
        paired = _paired(source, judgments)
        if paired is not None:
            return {"": paired}
    if source.file is not None and is_single and not source.description:
        frames = _frames(source, source.file, findings)
    return sources_of(frames, source, findings) if frames else {"": source}


def _paired(source: Source, judgments: Source) -> Source | None:
    """Return the rows of a file, or of flat scores, that refer to those of the judgments; None for anything else."""
    file, judged = source.file, judgments.file
    if judged is None or judged.is_one_shot or (file is None and not are_flat_scores(source.value)):
        return None
    from rankgauge.inputs.formats.reader import suggested_format  # noqa: PLC0415 (loads polars)

    try:
        form = "scores" if file is None else suggested_format(file, "ranking", source.options.side("ranking")).name
        judged_form = judgments.format
    except (InputError, OSError, ValueError):  # reported when it is read
        return None
    from rankgauge.inputs.formats import pairing  # noqa: PLC0415 (loads polars)

    if form not in pairing.PAIRED or judged_form not in {pairing.PAIRED[form], ""}:
        return None
    if file is None:
        rows = pairing.scored_rows(pairing.judged_rows(judged, form), judged.name, source.value, source.name)
    else:
        rows = pairing.paired_ranking(judged, file, form)
    (paired,) = sources_of({"": rows}, source, Findings()).values()
    return replace(paired, names_items=not pairing.are_row_numbers(rows["item"]))


def are_flat_scores(value: Any) -> bool:
    """Return whether a value is an array, a Series or a flat list of numbers."""
    if isinstance(value, list | tuple):
        return bool(value) and all(isinstance(number, Real) for number in value)
    return hasattr(value, "__array__") and not hasattr(value, "columns") and bool(getattr(value, "shape", ()))


def _frames(source: Source, file: InputFile, findings: Findings) -> Mapping[str, object]:
    """Return the rankings of a file as frames if it names systems, else none."""
    from rankgauge.inputs.formats.reader import inspect_source, suggested_format  # noqa: PLC0415 (loads polars)

    try:
        form = suggested_format(file, "ranking", source.options.side("ranking"))
        info = None if form.codec.inspect is None else inspect_source(file, role="ranking", options=source.options)
    except (InputError, OSError, ValueError):  # reported when it is read
        return {}
    if info is not None and info.content.names_systems:
        return systems_of(info, source.options, findings)
    return {}


def pick_one(verb: str, given: object, systems: Iterable[object]) -> ParameterError:
    """Return the error of several rankings where one is expected, which says how to pick one of a file."""
    names = [*map(str, systems)]
    path = given.path if isinstance(given, InputFile) else given if isinstance(given, str | os.PathLike) else ""
    example = EXAMPLE.fill(path=path, system=names[0]) if path else Phrase("", "")
    message = ONE_RANKING.fill(verb=verb, systems=", ".join(map(shown, names)))
    return ParameterError(Phrase("", "").join([message, example]))


def check_names(systems: Mapping[Any, Any]) -> None:
    """Raise an error for names of systems that are the same as text, such as 1 and '1'."""
    texts: dict[str, Any] = {}
    for name in systems:
        if texts.setdefault(str(name), name) is not name:
            first, second = shown(texts[str(name)]), shown(name)
            en = f"{first} and {second} are the same name of a system; rename one"
            raise ParameterError((en, f"{first} 与 {second} 是同一个系统名称；请改名"))
