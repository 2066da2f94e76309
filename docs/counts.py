"""Counts in pages that people write: each phrase is declared here, and ``make docs`` writes its numbers.

Console blocks after a line ``<!-- output written by make docs -->`` are run again as well.
"""

from __future__ import annotations

import io
import re
import shlex
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import rankgauge as rg
from rankgauge.cli import run
from rankgauge.cli.console import prepare_streams
from rankgauge.conventions.presets import PRESETS

ROOT = Path(__file__).parents[1]
PHRASES = {
    "README.md": ("{metrics} metrics for search,", "more than [{tools} tools and versions]"),
    "README.zh-CN.md": ("排序学习的 {metrics} 个指标", "{tools} 多个工具与版本"),
    "docs/index.md": ("more than {tools} tools and versions",),
    "docs/index.zh-CN.md": ("{tools} 多个工具及版本",),
    "docs/tour.md": (
        "There are {metrics} metrics, {of_items} of which",
        "each of more than {tools} tools and versions",
    ),
    "docs/tour.zh-CN.md": ("共有 {metrics} 个指标，其中 {of_items} 个", "{tools} 多个工具与版本"),
    "docs/why-numbers-differ.md": ("the rules of more than {tools} tools and versions",),
    "docs/why-numbers-differ.zh-CN.md": ("{tools} 多个工具及版本",),
}
"""The phrases of each page that have a count."""
CONSOLE = re.compile(
    r"(<!-- output written by make docs -->\n\n?```console\n\$ rankgauge ([^\n]*)\n)(.*?)(```\n)", re.DOTALL
)


def counts() -> dict[str, int]:
    """Return the numbers that phrases name."""
    metrics = rg.metrics().values()
    tools = [name for name in PRESETS if not re.search(r"-\d{4}$", name)]  # the others are definitions of papers
    return {
        "metrics": len(metrics),
        "of_items": sum(metric.definition.of_items for metric in metrics),
        "tools": len(tools) // 10 * 10,
    }


def with_counts(name: str, text: str) -> str:
    """Return a page with the current counts; a phrase that it lacks is an error."""
    values = counts()
    for phrase in PHRASES[name]:
        parts = re.split(r"\{(\w+)\}", phrase)
        pattern = "".join(r"[\d,]+" if place % 2 else re.escape(part) for place, part in enumerate(parts))
        written = "".join(f"{values[part]:,}" if place % 2 else part for place, part in enumerate(parts))
        if not re.search(pattern, text):
            raise ValueError(f"{name}: no phrase such as {written!r}; change it in docs/counts.py, too")
        text = re.sub(pattern, lambda _, written=written: written, text)
    return CONSOLE.sub(lambda match: f"{match[1]}{output(match[2], name)}\n{match[4]}", text)


def output(command: str, name: str) -> str:
    """Return what a command prints, in the language of the page."""
    language = "zh" if ".zh-CN." in name else "en"
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n")
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        prepare_streams()
        run([*shlex.split(command), "--lang", language])
        out.flush()
    return out.buffer.getvalue().decode().rstrip("\n")


def counted_pages() -> dict[str, str]:
    """Return the pages with the current counts."""
    return {name: with_counts(name, (ROOT / name).read_text(encoding="utf-8")) for name in PHRASES}
