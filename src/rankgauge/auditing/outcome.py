"""What a call of a foreign metric gave: a number, a refusal with a message, or a fault."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

from rankgauge.rendering.language import Lang, Phrase

Kind = Literal["value", "refusal", "fault"]
NAN = "nan"
TOO_SLOW = Phrase("no answer within {seconds:g} s", "{seconds:g} 秒内没有结果")
NO_NUMBER = Phrase("no number: {kind}", "不是数：{kind}")
NONE = NO_NUMBER.fill(kind="NoneType")
EMPTY = Phrase("an empty result", "结果为空")
ENDED = Phrase("the process ended with exit code {code}", "进程结束，退出码 {code}")
KILLED = Phrase("the process was ended by {signal}", "进程被 {signal} 终止")


class Outcome(NamedTuple):
    """What a call gave: a number, a refusal with a message, or a fault."""

    kind: Kind
    value: float = math.nan
    text: Phrase | str = ""
    """What was raised or is wrong; foreign messages are shown as they are."""

    def render(self, lang: Lang = "en") -> str:
        """Return the number, or what was raised."""
        if self.kind == "value":
            return f"{self.value:.6g}"
        return self.text.render(lang) if isinstance(self.text, Phrase) else self.text

    def __str__(self) -> str:
        return self.render()
