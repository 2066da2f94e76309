"""Lines of values without a header: the output of trec_eval and ir_measures, and leaderboards of Auto-Judge."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from rankgauge.errors import InputError, NotationError, RankgaugeError, shown
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.io.lines import NUMBER
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.language import Phrase

Row = tuple[str, str, str, float]
"""System (empty if the file has one), metric, query and value."""
MEAN = {"all", "amean"}
"""Queries of rows that hold a mean."""
MTEB = re.compile(r"(ndcg|map|mrr|recall|precision|hit_rate)_at_(\d+)")
"""Names of metrics of MTEB."""
_OTHER_LINES = {"runid", "relstring"}
_LINES = {
    "trec_eval": ("measure, query and value", "指标、查询与值", (None, 0, 1, 2)),
    "ir_measures": ("query, measure and value", "查询、指标与值", (None, 1, 0, 2)),
    "by_measure": ("run, measure, topic and value", "系统、指标、主题与值", (0, 1, 2, 3)),
    "by_run": ("run, topic, measure and value", "系统、主题、指标与值", (0, 2, 1, 3)),
    "by_topic": ("topic, run, measure and value", "主题、系统、指标与值", (1, 2, 0, 3)),
}
"""Lines without a header: their columns in words, and the places of system, metric, query and value."""
_LEADERBOARDS = ("by_measure", "by_run", "by_topic")
_FIRST = 30
"""Lines among which a leaderboard has a measure that is known here; it has others, too."""


def form_of_lines(text: str) -> str | None:
    """Return the form of lines of values without a header, None if they are other lines."""
    first, *more = text.splitlines()[:_FIRST] or [""]
    if (form := _line_form(first)) is not None:
        return form
    forms = (_line_form(line) for line in more if line.count("\t") == 3)  # noqa: PLR2004
    return next((form for form in forms if form in _LEADERBOARDS), None)


def _line_form(line: str) -> str | None:
    """Return the form of a line of values without a header, None if it is another line."""
    fields = _fields(line)
    for form, (_, _, places) in _LINES.items():
        _, metric, query, value = places
        if len(fields) != value + 1:
            continue
        is_value = bool(NUMBER.fullmatch(fields[value].encode()))
        if form == "by_run" and (fields[query] in {"0", "Q0"} or "." not in fields[value]):  # TREC judgments
            continue
        if is_metric(fields[metric]) and (is_value or form == "trec_eval"):
            return form
        if form == "trec_eval" and fields[0] in _OTHER_LINES:
            return form
    return None


def _fields(line: str) -> list[str]:
    """Return the fields of a line; four without tabs are those of a leaderboard, which may have blanks between them."""
    fields = line.split()
    return fields if "\t" not in line and len(fields) == 4 else [field.strip() for field in line.split("\t")]  # noqa: PLR2004


@cache
def is_metric(name: str) -> bool:
    """Whether a metric has this name here or in MTEB."""
    try:
        parse(name)
    except (NotationError, RankgaugeError):
        return MTEB.fullmatch(name) is not None
    return True


def line_values(text: str, name: str, form: str) -> Iterator[Row]:
    """Yield the values of lines without a header; those of all queries are means."""
    if form == "by_run" and any(line.partition("\t")[0] in MEAN for line in text.splitlines()):
        form = "by_topic"
    count, (en, zh, (system, metric, query, value)) = 0, _LINES[form]
    for number, line in enumerate(text.splitlines(), 1):
        fields = _fields(line)
        if not line.strip() or fields[0] in _OTHER_LINES:
            continue
        if len(fields) != value + 1 or not NUMBER.fullmatch(fields[value].encode()):
            en = f"{name}:{number}: expected {en} separated by tabs, found {shown(line)}"
            raise input_error("RG110", (en, f"{name}:{number}：应为以制表符分隔的{zh}，实为 {shown(line)}"))
        if fields[query] not in MEAN:
            count += 1
            yield "" if system is None else fields[system], fields[metric], fields[query], float(fields[value])
    if not count:
        raise means_only(name, "ir_measures -q" if form == "ir_measures" else "trec_eval -q")


def means_only(name: str, remedy: str) -> InputError:
    """Return the error for a file of means."""
    message = Phrase(
        f"{name}: has means, but no values by query, which a comparison needs; write them: {remedy}",
        f"{name}：只有均值，没有比较所需的各查询的值；请输出各查询的值：{remedy}",
    )
    return InputError(message, ["RG101"])
