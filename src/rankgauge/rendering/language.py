"""English and Chinese: a phrase holds both, a call picks one."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from rankgauge.errors import ParameterError

Lang = Literal["en", "zh"]
"""The languages that explanations and reports speak."""


class Phrase(NamedTuple):
    """One thing said in both languages."""

    en: str
    zh: str

    def render(self, lang: Lang, **values: object) -> str:
        """The phrase in one language, with ``{name}`` replaced by the value of that name."""
        text = self.zh if lang == "zh" else self.en
        return text.format(**values) if values else text


def check_lang(lang: str) -> Lang:
    """The language, or an error that lists the languages.

    >>> check_lang("zh")
    'zh'
    """
    if lang == "zh":
        return "zh"
    if lang == "en":
        return "en"
    raise ParameterError.of("lang", lang, " or ".join(map(repr, get_args(Lang))))
