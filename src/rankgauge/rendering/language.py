"""Messages in English and Chinese: a phrase holds both, and a call picks one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from string import Formatter
from typing import Any, Literal, NamedTuple, cast, get_args

from rankgauge.errors import ParameterError
from rankgauge.rendering.number_texts import format_number

Lang = Literal["en", "zh"]
"""The languages of explanations and reports."""


class Phrase(NamedTuple):
    """A message in both languages.

    In a template ``{name}`` is replaced by a value, and ``{count:# query|# queries}`` by the singular or the plural,
    with the number in place of ``#``. Values that are phrases themselves are rendered in the same language.

    >>> Phrase("{n:# query has|# queries have} no results", "{n:,} 个查询没有返回结果").render("en", n=1)
    '1 query has no results'
    """

    en: str
    zh: str

    def render(self, lang: Lang, **values: object) -> str:
        """Return the message in one language with the values filled in."""
        text = self.zh if lang == "zh" else self.en
        rows = _ROWS.get()
        if rows != "queries" and self.en != self.zh:  # a name is the same in both languages
            one, several, chinese = WORDS_OF_ROWS[rows]
            text = (
                text.replace("查询", chinese) if lang == "zh" else _QUERY.sub(partial(_other_word, one, several), text)
            )
        return _format(text, lang, values)

    def fill(self, **values: object) -> Phrase:
        """Return the phrase with the values filled in, in both languages.

        >>> Phrase("{n:# query|# queries}", "{n} 个查询").fill(n=3)
        Phrase(en='3 queries', zh='3 个查询')
        """
        return FilledPhrase(self.render("en", **values), self.render("zh", **values))

    def join(self, parts: Iterable[Phrase]) -> Phrase:
        """Return the phrases joined by this one, in both languages."""
        filled = zip(*(part.fill() for part in parts), strict=True)
        return FilledPhrase(*(mark.join(texts) for mark, texts in zip(self, filled, strict=True)))


class FilledPhrase(Phrase):
    """A phrase with values, such as names, whose words stay as they are: "query expansion" is not a user."""

    __slots__ = ()

    def render(self, lang: Lang, **values: object) -> str:
        """Return the message in one language with the values filled in."""
        return _format(self.zh if lang == "zh" else self.en, lang, values)

    def __repr__(self) -> str:
        return f"Phrase(en={self.en!r}, zh={self.zh!r})"


RowName = Literal["queries", "users", "data sets"]
"""What the rows of values are."""
WORDS_OF_ROWS: dict[RowName, tuple[str, str, str]] = {
    "queries": ("query", "queries", "查询"),
    "users": ("user", "users", "用户"),
    "data sets": ("data set", "data sets", "数据集"),
}
"""The words for one and for several rows, and the Chinese one."""
_ROWS: ContextVar[RowName] = ContextVar("rows", default="queries")
_QUERY = re.compile(r"(?<!\{)\b([Qq])uer(y|ies)\b(?!=)")


@contextmanager
def naming_rows(rows: RowName) -> Iterator[None]:
    """Say users or data sets in place of queries in all messages rendered inside, where the rows are these.

    >>> with naming_rows("users"):
    ...     Phrase("{n:# query|# queries} of {name}", "").render("en", n=2, name="query-expansion")
    '2 users of query-expansion'
    """
    token = _ROWS.set(rows)
    try:
        yield
    finally:
        _ROWS.reset(token)


def _other_word(one: str, several: str, query: re.Match[str]) -> str:
    word = several if query[2] == "ies" else one
    return word.capitalize() if query[1] == "Q" else word


def _format(text: str, lang: Lang, values: Mapping[str, object]) -> str:
    filled = {name: value.render(lang) if isinstance(value, Phrase) else value for name, value in values.items()}
    return _TEMPLATES.vformat(text, (), filled) if values else text


class _Templates(Formatter):
    """Format strings with plurals."""

    def format_field(self, value: Any, format_spec: str) -> object:
        if "|" in format_spec:
            return plural(value, *format_spec.split("|"))
        return format_number(value, format_spec) if isinstance(value, float) else format(value, format_spec)


_TEMPLATES = _Templates()


def plural(count: int, singular: str, plural_form: str) -> str:
    """Return the singular or the plural, with the count in place of ``#``.

    >>> plural(1, "# query", "# queries"), plural(2000, "# query", "# queries"), plural(0, "is", "are")
    ('1 query', '2,000 queries', 'are')
    """
    return (singular if count == 1 else plural_form).replace("#", f"{count:,}")


def check_lang(lang: str) -> Lang:
    """Return the language, or raise an error that lists the languages.

    >>> check_lang("zh")
    'zh'
    """
    if lang not in get_args(Lang):
        raise ParameterError.of("lang", lang, " or ".join(map(repr, get_args(Lang))))
    return cast("Lang", lang)
