"""The words in formulas, in Chinese."""

from __future__ import annotations

import re

from rankgauge.rendering.language import Lang

CHINESE = {
    "relevant": "相关", "non-relevant": "不相关", "above": "先于", "below": "晚于", "tied with": "同分于",
    "gain": "增益", "discount": "折损", "tied pairs": "并列的对",
}  # fmt: skip
_WORDS = re.compile(r"(?<=\\text\{)([^{}]*)(?=\})")


def chinese(words: str) -> str:
    """Return words of a formula in Chinese, with the blanks around them; others stay."""
    found = words.strip()
    return words.replace(found, CHINESE.get(found, found)) if found else words


def translated(latex: str, lang: Lang) -> str:
    r"""Return the LaTeX of a formula with its words in a language.

    >>> translated(r"\#\{ s : s \text{ below } r \}", "zh")
    '\\#\\{ s : s \\text{ 晚于 } r \\}'
    """
    return latex if lang == "en" else _WORDS.sub(lambda words: chinese(words[0]), latex)
