"""Rankings in files that refer to the judgments by position: the scores of a LETOR file, the predictions for MIND."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankgauge.matching.data_side import DataSide
from rankgauge.matching.read_options import ReadOptions
from rankgauge.matching.sources import is_one_shot, is_path

RANKING_PARAMETERS = ("ranking", "rankings", "first", "second", "baseline")


def with_pairs(arguments: Mapping[str, Any], judgments: Any) -> dict[str, Any]:
    """Return the arguments of a call with such rankings in place of their files."""
    source = judgments.source if isinstance(judgments, DataSide) else judgments
    if not is_path(source) or is_one_shot(source):
        return dict(arguments)
    options = arguments.get("read_options") or ReadOptions()
    given = arguments.get("format", options.format)
    form = given.get("ranking") if isinstance(given, Mapping) else given

    def paired(value: Any) -> Any:
        if isinstance(value, Mapping):
            return (
                {name: paired(entry) for name, entry in value.items()} if any(map(is_path, value.values())) else value
            )
        return _paired(source, value, form) if is_path(value) else value

    return {name: paired(value) if name in RANKING_PARAMETERS else value for name, value in arguments.items()}


def _paired(judgments: Any, ranking: Any, form: str | None) -> Any:
    from rankgauge.inputs.formats.pairing import paired_format, paired_ranking  # noqa: PLC0415 (loads polars)

    if not (known := paired_format(ranking, form)):
        return ranking
    frame = paired_ranking(judgments, ranking, known)
    return DataSide(frame, "ranking", str(ranking), ReadOptions(), known)
