"""Problems of an evaluation as the page shows them: names as uploaded, remedies that the page offers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from rankgauge.errors import RankgaugeError, Texts, texts
from rankgauge.inputs.codes import CODES, page_of
from rankgauge.inputs.finding_kind import DROPS
from rankgauge.inputs.findings import Findings
from rankgauge.rendering.language import Phrase
from rankgauge.serve.messages import PAGE, REMEDIES

SKIP = Phrase(
    f'or check "{PAGE["lenient"].en}" above and evaluate again', f"或勾选上方的“{PAGE['lenient'].zh}”，再重新评测"
)


def error_texts(error: Exception, job: Mapping[str, Any]) -> Texts:
    """Return the message of an error in English and Chinese; lines are separated by line breaks."""
    if isinstance(error, MemoryError):
        limit = f"{job['memory'] >> 20:,} MiB"
        return (
            f"one evaluation may use {limit} of memory, and this one needs more: start rankgauge serve with --memory",
            f"每次评测最多使用 {limit} 内存，而此次需要更多：请用更大的 --memory 启动 rankgauge serve",
        )
    if not isinstance(error, RankgaugeError | OSError):
        text = f"{type(error).__name__}: {str(error) or type(error).__name__}"
        return f"{text}; this is a bug in rankgauge", f"{text}；这是 rankgauge 的错误"
    both = error.texts if isinstance(error, RankgaugeError) else texts(str(error) or type(error).__name__)
    codes = getattr(error, "codes", ())
    on_page = [_on_page(text, place, codes) for place, text in enumerate(both)]
    skippable = bool(codes) and all(CODES[code].lenient == DROPS for code in codes)
    if skippable and PAGE["lenient"].en not in on_page[0]:
        on_page = [f"{text}\n{more}" for text, more in zip(on_page, SKIP, strict=True)]
    return as_uploaded(on_page[0], job), as_uploaded(on_page[1], job)


def _on_page(text: str, place: int, codes: Iterable[str]) -> str:
    """Replace what only commands and Python offer by what the page offers; a code is explained below the message."""
    for code in codes:
        if code in REMEDIES:
            text = text.replace(CODES[code].remedy[place], REMEDIES[code][place])
        lang = ("en", "zh")[place]
        for more in (f" (more: {page_of(code, lang)})", f"（详见：{page_of(code, lang)}）"):
            text = text.replace(more, "")
    return text


def explanations(codes: Iterable[str]) -> list[dict[str, Any]]:
    """Return the meaning of each code."""
    return [{"code": code, "text": list(CODES[code].explanation)} for code in dict.fromkeys(codes)]


def finding_lines(findings: Findings, job: Mapping[str, Any]) -> list[Texts]:
    """Return every finding that is more than a note, such as skipped rows, in a line."""
    shown = (finding for finding in findings if finding.severity != "note")
    return [
        (as_uploaded(f"{findings.line(finding, 'en')} [{finding.code}]", job),
         as_uploaded(f"{findings.line(finding, 'zh')} [{finding.code}]", job))
        for finding in shown
    ]  # fmt: skip


def as_uploaded(text: str, job: Mapping[str, Any]) -> str:
    """Write the names of files as they were uploaded."""
    for file in job["files"]:
        name = file["name"].replace("\\", r"\\")
        text = re.sub(rf"(?<![\w.-]){re.escape(file['stored'])}(?![\w-])", name, text)
    return text
