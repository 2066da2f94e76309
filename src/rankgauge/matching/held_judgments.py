"""Judgments that rankings hold beside them, for verbs that take rankings and work with or without judgments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankgauge.errors import InputError, shown
from rankgauge.inputs.io.input_file import InputFile
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.inputs.source import Source, check_distinct, is_file
from rankgauge.matching.data import Data, read_data, same_judgments
from rankgauge.matching.entrance import OPEN_FILES
from rankgauge.rendering.language import Phrase

PASS_JUDGMENTS = Phrase(
    "pass those to use as judgments= or --judgments", "请用 judgments= 或 --judgments 指定要用的标注"
)
"""What to do about sources with different judgments where judgments are an option."""


def with_held_judgments(rankings: object, options: ReadOptions) -> tuple[Any, Source | None]:
    """Return rankings of which those in files or data with both sides are data, and the judgments that these share."""
    named = rankings if isinstance(rankings, Mapping) else {"": rankings}
    check_distinct({f"ranking {shown(name)}": value for name, value in named.items()})
    sources = {
        name: _with_both_sides(value, options, keep_open=len(named) <= OPEN_FILES) for name, value in named.items()
    }
    held = [source for source in sources.values() if isinstance(source, Data) and source.judgments is not None]
    judgments = same_judgments(held, options, PASS_JUDGMENTS) if held else None
    return (sources if isinstance(rankings, Mapping) else sources[""]), judgments


def _with_both_sides(value: Any, options: ReadOptions, *, keep_open: bool) -> Any:
    """Return the data of a file that holds judgments and a ranking; of any other, the file that was looked at."""
    if not is_file(value):
        return value
    file = value if isinstance(value, InputFile) else InputFile(value)
    if file.path and not file.is_regular and not file.is_one_shot:
        return value  # a folder, a pattern or a missing file
    try:
        data = read_data(file, None, options)
    except InputError:  # reported when it is read as a ranking
        return file
    if not keep_open:
        file.close()
    return data if data.judgments is not None and data.rankings else file
