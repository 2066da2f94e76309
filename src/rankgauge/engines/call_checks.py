"""Argument checks of the public engine calls: every error names the call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, signature
from typing import ParamSpec, TypeVar

from rankgauge.errors import ParameterError, UnknownNameError

Options = ParamSpec("Options")
Result = TypeVar("Result")

OUTSIDE_EVALUATE = {
    "grades": "only rg.evaluate converts grades",
    "weights": "only rg.evaluate weights queries",
    "side_information": "engines compute metrics of grades and ranks only",
    "progress": "no file is read",
    "format": "no file is read",
}
REFUSED_BY_ARRAYS = OUTSIDE_EVALUATE | {
    "columns": "arrays have none",
    "lenient": "invalid scores are always errors, and a NaN judgment means that an item is not judged",
    "groups": "pass query_ids",
    "offsets": "pass query_ids",
}
REFUSED_BY_TABLES = OUTSIDE_EVALUATE | dict.fromkeys(
    ("groups", "offsets", "query_ids"), "the query is a column of the table; name it in columns"
)


def checked_call(
    name: str, refused: Mapping[str, str], usage: str = ""
) -> Callable[[Callable[Options, Result]], Callable[Options, Result]]:
    """Decorate a public call so that positional arrays, refused options and unknown keywords raise errors that name it.

    ``refused`` maps options of ``rg.evaluate`` to the reason why this call does not take them. ``usage`` shows the call
    with its keywords.
    """

    def decorate(function: Callable[Options, Result]) -> Callable[Options, Result]:
        parameters = signature(function).parameters
        positional = sum(each.kind is not Parameter.KEYWORD_ONLY for each in parameters.values())

        @wraps(function)
        def call(*args: Options.args, **options: Options.kwargs) -> Result:
            if usage and len(args) > positional:
                raise ParameterError(
                    f"{name} takes arrays by keyword, because two arrays of one shape are easily swapped: {usage}"
                )
            for option in options.keys() - parameters.keys():
                if option in refused:
                    raise ParameterError(f"{name} takes no {option!r}: {refused[option]}")
                raise UnknownNameError.closest(f"keyword of {name}", option, parameters)
            return function(*args, **options)

        return call

    return decorate


def array_call(name: str, usage: str) -> Callable[[Callable[Options, Result]], Callable[Options, Result]]:
    """``checked_call`` for calls that take judgments and scores as arrays, by keyword."""
    return checked_call(name, REFUSED_BY_ARRAYS, f"{name}({usage})")


def table_call(name: str) -> Callable[[Callable[Options, Result]], Callable[Options, Result]]:
    """``checked_call`` for calls that take judgments and rankings as tables."""
    return checked_call(name, REFUSED_BY_TABLES)
