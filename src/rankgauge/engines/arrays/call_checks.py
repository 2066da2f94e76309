"""Argument checks of the calls that take arrays: every error names the call."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import ParamSpec, TypeVar

from rankgauge.errors import ParameterError, UnknownNameError

Options = ParamSpec("Options")
Result = TypeVar("Result")

REFUSED = {
    "columns": "arrays have none",
    "format": "no file is read",
    "progress": "no file is read",
    "lenient": "invalid scores are always errors, and a NaN judgment means that an item is not judged",
    "groups": "pass query_ids",
    "offsets": "pass query_ids",
    "query_ids": "pass one row per query",
    "read_options": "pass query_ids",
    "grades": "only rg.evaluate converts grades",
    "units": "arrays have no ids to roll up",
    "weights": "only rg.evaluate weights queries",
    "side_information": "engines compute metrics of grades and ranks only",
}
"""Options of ``rg.evaluate`` that calls with arrays do not take, and the reason."""


def array_call(name: str, usage: str) -> Callable[[Callable[Options, Result]], Callable[Options, Result]]:
    """Decorate a call so that positional arrays, refused options and unknown keywords are errors that name it.

    ``usage`` shows the required keywords.
    """

    def decorate(function: Callable[Options, Result]) -> Callable[Options, Result]:
        parameters = signature(function).parameters
        positional = sum(each.kind is not Parameter.KEYWORD_ONLY for each in parameters.values())

        @wraps(function)
        def call(*args: Options.args, **options: Options.kwargs) -> Result:
            if len(args) > positional:
                raise ParameterError(
                    f"{name}() takes arrays by keyword, because two arrays of one shape are easily swapped: "
                    f"{name}({usage})"
                )
            for option in options.keys() - parameters.keys():
                if option in REFUSED:
                    raise ParameterError(f"{name}() does not take {option}: {REFUSED[option]}")
                raise UnknownNameError.closest(f"argument of {name}()", option, parameters)
            return function(*args, **options)

        return call

    return decorate
