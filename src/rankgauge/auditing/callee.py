"""The side of a foreign function: what its signature says, and what a call gives. It runs where the function runs."""

from __future__ import annotations

import copy
import inspect
import math
import re
import time
import warnings
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import update_wrapper
from importlib import import_module
from importlib.util import find_spec
from itertools import repeat
from types import CodeType
from typing import Any

from rankgauge.auditing.forms import (
    BY_NAME,
    DICTS,
    PANDAS,
    POLARS,
    TORCH,
    changed,
    in_container,
    joined,
    query_name,
    sides,
    with_integers,
)
from rankgauge.auditing.program import Program, ProgramError
from rankgauge.auditing.time_limit import TooSlowError
from rankgauge.auditing.worlds import World
from rankgauge.errors import ParameterError, RankgaugeError
from rankgauge.rendering.language import Phrase

CUTOFF_NAMES = {"k", "topk", "kvalue", "at", "atk", "cutoff", "n", "top", "topn", "limit", "depth", "ks", "kvalues"}
LISTS = {"ks", "kvalues"}
"""Cutoffs that are passed as a list."""
LIBRARIES = (TORCH, PANDAS, POLARS)
"""Libraries whose arrays or frames a function may take."""
MESSAGE = 200
"""Characters of a message that are kept."""
METHODS = ("evaluate", "compute", "score")
OF_CLASS = Phrase(
    "function: {name} is a class that needs arguments ({error}); pass an instance",
    "function：{name} 是需要参数的类（{error}）；请传入实例",
)
CALLABLE = Phrase(
    "callable, or an object with evaluate, compute or score", "可调用对象，或带有 evaluate、compute 或 score 方法的对象"
)


class Accumulator:
    """An object whose ``update`` takes one query after another, and whose ``compute`` gives the value of all."""

    def __init__(self, metric: Any) -> None:
        self._metric = metric
        update_wrapper(self, metric.update)

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Return the value of what one update takes."""
        return self.of_queries([(arguments, keywords)])

    def of_queries(self, queries: Iterable[tuple[Sequence[Any], Mapping[str, Any]]]) -> Any:
        """Return the value of several queries; every call starts with the state of the object that was passed."""
        metric = copy.deepcopy(self._metric)
        for arguments, keywords in queries:
            metric.update(*arguments, **keywords)
        return metric.compute()


def callable_of(function: Any) -> Callable[..., Any]:
    """Return what is called: the function, the instance of a class, or a method of an object."""
    if isinstance(function, type):
        try:
            function = function()
        except TypeError as error:
            raise ParameterError(OF_CLASS.fill(name=function.__qualname__, error=error)) from error
    if callable(function):
        return function
    if all(callable(getattr(function, name, None)) for name in ("update", "compute")):
        return Accumulator(function)
    for name in METHODS:
        if callable(method := getattr(function, name, None)):
            return method
    raise ParameterError.of("function", function, CALLABLE)


class Callee:
    """A function, and how to call it with a world."""

    def __init__(self, function: Any) -> None:
        self.function = callable_of(function)
        self.names, self.cutoff, self.by_keyword = _signature(self.function)

    def description(self) -> dict[str, Any]:
        """Return the names of the parameters, the cutoff among them, and the libraries that the function mentions."""
        mentioned = _mentioned(self.function)
        loaded = [name for name in LIBRARIES if name in mentioned]
        others = [name for name in LIBRARIES if name not in mentioned and find_spec(name) is not None]
        others = [] if isinstance(self.function, Program) else [*DICTS[1:], *others]
        accumulates = isinstance(self.function, Accumulator)
        description = {"names": self.names, "cutoff": self.cutoff, "accumulates": accumulates}
        return description | {"libraries": loaded, "other_libraries": others}

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Call the function with a world; once more, or several times, to see whether the answer stays the same."""
        start = time.process_time()
        reply, changed = self._call(request)
        seconds = time.process_time() - start
        for _ in range(request["again"] if reply["kind"] == "value" else 0):
            second, _ = self._call(request)
            if second != reply:
                return reply | {"changed": changed, "seconds": seconds, "second": second}
        return reply | {"changed": changed, "seconds": seconds}

    def _call(self, request: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
        worlds = [World(tuple(map(tuple, gold)), tuple(map(tuple, ranked)), k) for gold, ranked, k in request["worlds"]]
        worlds = [with_integers(world) for world in worlds] if request["integers"] else worlds
        parts, k = [BY_NAME[request["form"]].arguments(world) or () for world in worlds], worlds[0].k
        calls = parts if len(parts) == 1 or request["one by one"] else [joined(parts)]
        change = request.get("change")
        if change is not None:
            calls = [changed(arguments, request["form"], change, request["side"]) for arguments in calls]
        given = [
            tuple(map(in_container, arguments, repeat(request["way"]), sides(request["form"]))) for arguments in calls
        ]
        before = copy.deepcopy(given)
        passed = [self._passed(arguments, request["cutoff"], k) for arguments in given]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                [(positional, keywords), *others] = passed
                together: Any = self.function
                result = together.of_queries(passed) if others else self.function(*positional, **keywords)
                result = _awaited(result) if inspect.iscoroutine(result) else result
                value = number_of(
                    result, request["metric"], range(len(worlds) - (change == "lacking"), len(worlds) + 1)
                )
        except TooSlowError:
            return {"kind": "slow"}, False
        except ProgramError as error:
            return {"kind": error.kind, "texts": [*error.texts]}, False
        except BaseException as error:  # noqa: BLE001 (a foreign function may raise anything; all of it is a result)
            return self._raised(error), False
        differs = not _equal(given, before)
        if isinstance(result, Mapping | list | tuple) and not result:
            return {"kind": "empty"}, differs
        if value is None:
            return {"kind": "no number", "text": type(result).__name__}, differs
        return {"kind": "nan"} if math.isnan(value) else {"kind": "value", "value": value}, differs

    def _passed(self, given: Sequence[Any], cutoff_name: str | None, k: int | None) -> tuple[list[Any], dict[str, Any]]:
        """Return the positional arguments of a call, and those by keyword."""
        named = dict(zip(self.names, given, strict=False))
        keywords = {name: value for name, value in named.items() if name in self.by_keyword}
        positional = [*given[: len(given) - len(keywords)]]
        if k is not None and cutoff_name is not None:
            cutoff = [k] if _plain(cutoff_name) in LISTS else k
            if cutoff_name:
                keywords[cutoff_name] = cutoff
            else:
                positional.append(cutoff)
        return positional, keywords

    def _raised(self, error: BaseException) -> dict[str, Any]:
        """Describe an exception; one with a message that the function raises on purpose is a refusal."""
        message = _message(error)
        from_its_package = _package(type(error)) == _package(self.function)
        refused = bool(message) and (isinstance(error, ValueError | TypeError) or from_its_package)
        text = f"{type(error).__name__}: {message}".rstrip(": ")
        return {"kind": "refusal" if refused else "fault", "text": text}


def _awaited(coroutine: Coroutine[object, object, object]) -> object:
    import asyncio  # noqa: PLC0415 (slow to load, and rarely needed)

    return asyncio.run(coroutine)


def _message(error: BaseException) -> str:
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001 (a foreign class may fail in its own __str__)
        return ""
    return " ".join(text.split())[:MESSAGE]


def _package(thing: Any) -> str:
    return str(getattr(thing, "__module__", "")).partition(".")[0]


def _plain(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())


def _equal(first: Any, second: Any) -> bool:
    if isinstance(first, tuple | list) and isinstance(second, tuple | list):
        return len(first) == len(second) and all(map(_equal, first, second))
    if hasattr(first, "equals"):
        return bool(first.equals(second))
    try:
        same = first == second
        return bool(same.all()) if hasattr(same, "all") else bool(same)
    except (TypeError, ValueError, RuntimeError):  # arrays whose shape was changed
        return False


def _signature(function: Callable[..., Any]) -> tuple[list[str], str | None, set[str]]:
    """Return the names of required parameters, that of the cutoff (not among them), and those only for keywords."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return ["", ""], None, set()
    cutoff = next((name for name in parameters if _plain(name) in CUTOFF_NAMES), None)
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    names = [
        name
        for name, each in parameters.items()
        if each.kind not in several and each.default is inspect.Parameter.empty and name != cutoff
    ]
    order = [*parameters]
    by_keyword = {name for name in names if parameters[name].kind is inspect.Parameter.KEYWORD_ONLY}
    if cutoff is not None and order.index(cutoff) < max((order.index(name) for name in names), default=0):
        by_keyword |= {*names}  # a cutoff in front takes the place of an argument
    if any(each.kind is inspect.Parameter.VAR_POSITIONAL for each in parameters.values()) and not names:
        names = ["", ""]
    if cutoff is not None and parameters[cutoff].kind is inspect.Parameter.POSITIONAL_ONLY:
        cutoff = ""
    return names, cutoff, by_keyword


def _mentioned(function: Any) -> set[str]:
    """Return the names in the code of a function, its annotations, and the modules behind global names."""
    inner = inspect.unwrap(getattr(function, "__func__", function))
    code = getattr(inner, "__code__", None)
    if code is None and callable(function):
        code = getattr(type(function).__call__, "__code__", None)
    words = {*_words(code)} if isinstance(code, CodeType) else set()
    space = getattr(inner, "__globals__", {})
    modules = {getattr(space.get(name), "__name__", None) or "" for name in words}
    annotations = " ".join(map(str, getattr(inner, "__annotations__", {}).values()))
    roots = {str(name).partition(".")[0] for name in (*words, *modules, getattr(inner, "__module__", ""))}
    return roots | {*re.findall(r"\w+", annotations)}


def _words(code: CodeType) -> Iterable[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _words(constant)


def number_of(result: Any, metric_name: str = "", queries: Sequence[int] = (1,)) -> float | None:
    """Return the number in a result: itself, the only value of a container, or the value under the metric's name.

    A result with a value for each of several queries counts as their mean; there may be as many as ``queries`` says.

    >>> number_of({"q1": {"ndcg_cut_10": 0.5, "map": 0.1}}, "nDCG@10"), number_of([0.25]), number_of("x")
    (0.5, 0.25, None)
    >>> number_of({"q1": {"map": 0.5}, "q2": {"map": 0.25}}, "AP", queries=[2])
    0.375
    """
    whole = _number(result, metric_name, queries)
    return whole if whole is not None or max(queries) == 1 else _mean(result, metric_name, queries)


def _mean(result: Any, metric_name: str, queries: Sequence[int]) -> float | None:
    """Return the mean of the values of the queries, if a result has as many as it should; None if it has not."""
    if isinstance(result, Mapping):
        by_name = {str(name): value for name, value in result.items()}
        parts = [by_name[name] for name in map(query_name, range(max(queries))) if name in by_name]
    else:
        with suppress(Exception):
            result = result.to_numpy() if hasattr(result, "to_numpy") else result
            result = result.reshape(-1).tolist() if hasattr(result, "reshape") else result
        parts = [*result] if isinstance(result, list | tuple) else []
    values = [_number(part, metric_name, (1,)) for part in parts] if len(parts) in queries else [None]
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if len(known) == len(values) else None


def _number(result: Any, metric_name: str, queries: Sequence[int]) -> float | None:
    if isinstance(result, bool | int | float):
        return float(result)
    if isinstance(result, str):
        return None
    if isinstance(result, Mapping):
        named = _under_name(result, metric_name) if len(result) > 1 else [*result.values()]
        return number_of(named[0], metric_name, queries) if len(named) == 1 else None
    if isinstance(result, list | tuple):
        if len(result) > 1 and all(isinstance(part, Mapping) for part in result):
            named = [value for part in result for value in _under_name(part, metric_name)]
            return number_of(named[0], metric_name, queries) if len(named) == 1 else None
        return number_of(result[0], metric_name, queries) if len(result) == 1 else None
    return _number_in_array(result)


def _number_in_array(result: Any) -> float | None:
    """Return the only number of an array or a frame; None if it is masked."""
    if getattr(result, "mask", None) is not None and import_module("numpy").ma.is_masked(result):
        return None
    with suppress(Exception):
        if hasattr(result, "to_numpy"):
            result = result.to_numpy()
        return float(result.item() if hasattr(result, "item") else result)
    return None


def _under_name(values: Mapping[Any, Any], metric_name: str) -> list[Any]:
    wanted = _letters(metric_name)
    named = [value for name, value in values.items() if _letters(str(name)) == wanted]
    known = [] if named else [(_notation(str(name)), value) for name, value in values.items()]
    own, plain = (
        [value for name, value in known if name == each] for each in (metric_name, metric_name.partition("@")[0])
    )
    return named or own or plain


def _notation(name: str) -> str:
    """Return the metric that another tool calls by this name; empty if there is none."""
    from rankgauge.metric_core.notation import parse  # noqa: PLC0415 (slow to load, and rarely needed)

    try:
        return str(parse(name))
    except RankgaugeError:
        return ""


def _letters(name: str) -> str:
    """Return a metric's name without case, separators and the word cut: nDCG@10 and ndcg_cut_10 are alike."""
    return re.sub(r"[^a-z0-9]|cut|_at_", "", name.lower())
