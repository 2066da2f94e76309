"""The output language, and usage errors in it."""

from __future__ import annotations

import locale
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import pairwise

import click

from rankgauge.rendering.language import Lang, Phrase

LANGUAGES = ("auto", "en", "zh")
_LANGUAGE: ContextVar[Lang | None] = ContextVar("language", default=None)


def language() -> Lang:
    """Return the language of the running command line, or that of the environment."""
    return _LANGUAGE.get() or _of_environment()


@contextmanager
def output_language(arguments: Sequence[str]) -> Iterator[None]:
    """Use the language that ``--lang`` names anywhere among the arguments.

    It is looked up before the arguments are parsed, so that usage errors and ``--help`` follow it, too.
    """
    values = [value for option, value in pairwise(arguments) if option == "--lang"]
    values += [value.removeprefix("--lang=") for value in arguments if value.startswith("--lang=")]
    name = values[-1] if values else "auto"
    token = _LANGUAGE.set("zh" if name == "zh" else "en" if name == "en" else None)
    try:
        yield
    finally:
        _LANGUAGE.reset(token)


def _of_environment() -> Lang:
    name = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG")
    return "zh" if (name or locale.getlocale()[0] or "").lower().startswith(("zh", "chinese")) else "en"


def usage_error(en: str, zh: str, **values: object) -> click.UsageError:
    """Return a usage error in the output language."""
    return click.UsageError(Phrase(en, zh).render(language(), **values))


def bad_parameter(option: str, en: str, zh: str, **values: object) -> click.BadParameter:
    """Return an error about the value of one option or argument, in the output language."""
    return click.BadParameter(Phrase(en, zh).render(language(), **values), param_hint=option)
