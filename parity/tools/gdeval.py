"""gdeval.pl, the copy in ir_measures, which prints no means: one call of Perl for all worlds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ir_measures
from trec_files import each_query, printed_for

from worlds import World

SCRIPT = Path(ir_measures.__file__).parent / "bin" / "gdeval.pl"


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``ndcg@5``; None for topics that the script omits."""
    return {metric: each_query(worlds, topic_values(metric, worlds)) for metric in metrics}


def topic_values(metric: str, worlds: Sequence[World]) -> dict[int, float]:
    """Return the value of each topic."""
    printed = printed_for(worlds, "perl", str(SCRIPT), last=metric.partition("@")[2])
    head, *rows = (line.split(",") for line in printed.splitlines())
    column = head.index(metric)
    return {int(row[1]): float(row[column]) for row in rows}


def version() -> str:
    """Return the version in the script."""
    return SCRIPT.read_text(encoding="utf-8").partition(chr(34) + "version ")[2].split()[0]
