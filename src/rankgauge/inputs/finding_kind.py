"""A kind of finding: its severity, meaning and remedy, and what lenient reading does about it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from rankgauge.rendering.language import Phrase

Severity = Literal["error", "warning", "note"]
"""An ``error`` prevents the evaluation, a ``warning`` should be checked, a ``note`` is for information."""

_NOTHING_TO_DO = Phrase("nothing to do", "无需处理")
_KEEPS = Phrase("makes no difference", "没有影响")


class FindingKind(NamedTuple):
    """One kind of finding: its severity, meaning and remedy, and what lenient reading does about it."""

    severity: Severity
    title: Phrase
    explanation: Phrase
    remedy: Phrase = _NOTHING_TO_DO
    lenient: Phrase = _KEEPS


DROPS = Phrase("drops the line", "丢弃该行")
STOPS = Phrase("raises the error as well", "同样报错")
