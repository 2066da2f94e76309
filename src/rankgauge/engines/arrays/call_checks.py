"""Argument checks of the calls that take arrays: every error names the call."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import ParamSpec, TypeVar

from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.inputs.read_options import NOT_TAKEN
from rankgauge.rendering.language import Phrase

Options = ParamSpec("Options")
Result = TypeVar("Result")

REFUSED = {
    "columns": Phrase("arrays have none", "数组没有列名"),
    **dict.fromkeys(("format", "progress"), Phrase("no file is read", "不读取文件")),
    "lenient": Phrase(
        "invalid scores are always errors, and a NaN judgment means that an item is not judged",
        "无效的分数总是错误，标注为 NaN 表示物品未标注",
    ),
    "groups": Phrase(
        "pass query_ids, such as np.repeat(np.arange(len(groups)), groups)",
        "请传入 query_ids，如 np.repeat(np.arange(len(groups)), groups)",
    ),
    **dict.fromkeys(("offsets", "read_options"), Phrase("pass query_ids", "请传入 query_ids")),
    "query_ids": Phrase("pass one row per query", "请每个查询传入一行"),
    "grades": Phrase("only rg.evaluate converts grades", "只有 rg.evaluate 转换等级"),
    "units": Phrase(
        "arrays have no ids to roll up; pass ids to rg.evaluate", "数组没有可归并的 id；请把 id 传给 rg.evaluate"
    ),
    **dict.fromkeys(
        ("spans", "documents", "tokens"), Phrase("spans and budgets are for rg.evaluate", "片段与预算请用 rg.evaluate")
    ),
    "weights": Phrase("only rg.evaluate weights queries", "只有 rg.evaluate 给查询加权"),
    "side_information": Phrase("engines compute metrics of grades and ranks only", "引擎只计算由等级和名次决定的指标"),
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
                    Phrase(
                        f"{name}() takes arrays by keyword, because two arrays of one shape are easily swapped: "
                        f"{name}({usage})",
                        f"{name}() 的数组须用关键字传入，因为形状相同的两个数组容易颠倒：{name}({usage})",
                    )
                )
            for option in options.keys() - parameters.keys():
                if option in REFUSED:
                    raise ParameterError(NOT_TAKEN.fill(call=name, name=option, reason=REFUSED[option]))
                raise UnknownNameError.closest(f"argument of {name}()", option, parameters)
            return function(*args, **options)

        return call

    return decorate
