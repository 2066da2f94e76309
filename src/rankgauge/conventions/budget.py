"""Budgets: a cutoff by the length of text instead of the number of items."""

from __future__ import annotations

import re
from typing import NamedTuple

from rankgauge.rendering.language import Phrase

WRITTEN = re.compile(r"([1-9][0-9]{0,14})(chars|tokens)")
UNITS = {"chars": Phrase("characters", "字符"), "tokens": Phrase("tokens", "词元")}
"""What budgets count, by the name in the notation."""


class Budget(NamedTuple):
    """So many characters or tokens from the top of the list, as a context window holds them.

    >>> Budget.of("4000chars"), Budget.of("1000tokens").unit
    (4000chars, 'tokens')
    """

    amount: int
    unit: str

    @classmethod
    def of(cls, text: str) -> Budget | None:
        """Return the budget that a text names, None if it names none."""
        written = WRITTEN.fullmatch(text)
        return None if written is None else cls(int(written[1]), written[2])

    def __str__(self) -> str:
        return f"{self.amount}{self.unit}"

    def __repr__(self) -> str:
        return str(self)
