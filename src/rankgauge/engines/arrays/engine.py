"""From judgments and scores on a device to Scores, without a copy of the scores.

Rules and kernels are those of ``rg.evaluate``; they run on the device through ``DeviceArray``. Only the values of the
queries return to the host.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import Parameter, signature
from typing import Any, ParamSpec, TypeVar

import numpy as np

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.engines.arrays.device_array import DeviceArray
from rankgauge.engines.arrays.judged_items import JudgedItems, count_ranks, match_counts, place_items
from rankgauge.engines.arrays.libraries import Library, WrongAfterAllError
from rankgauge.engines.arrays.torch_library import Torch
from rankgauge.engines.metric_columns import column_count, compute_columns, parse_supported, to_scores
from rankgauge.errors import InputError, ParameterError, UnknownNameError
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import NOT_TAKEN
from rankgauge.matching.from_arrays import match_dense, match_flat
from rankgauge.matching.matched import Matched
from rankgauge.metric_core.metric_plan import matching_rules
from rankgauge.metric_core.notation import MetricsLike
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Segments
from rankgauge.value_checks import check_query_ids

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


USAGE = "judgments=..., scores=..., metrics=..."
CHUNK_ITEMS = 64_000_000
"""Items matched together: enough to keep a device busy, few enough for its memory."""
MATRIX = 2


class ArrayEngine:
    """Evaluation of the arrays of one library."""

    def __init__(self, library: type[Library]) -> None:
        self._library = library

    def evaluate(
        self,
        *,
        judgments: Any,
        scores: Any,
        metrics: MetricsLike | None = None,
        query_ids: Any = None,
        convention: ConventionLike = None,
    ) -> Scores:
        """Evaluate every query on the device that holds the scores.

        Parameters
        ----------
        judgments
            Grades in an array of the shape of ``scores``, NaN where an item is not judged. With torch also
            ``JudgedItems``, for few judged items per row: their ranks are counted in one pass, and nothing is sorted.
        scores
            One row per query; or, with ``query_ids``, the items of all queries in one dimension. Scores of half and
            single precision are compared without conversion; sums use double precision.
        metrics
            One or several metrics, as values or as text.
        query_ids
            The query of each item of flat arrays, in ascending order.
        convention
            A Convention, or the name of a preset.
        """
        parsed, rules, depth = parse_supported(metrics, convention)
        needed = matching_rules(parsed, rules)
        library = self._library.holding(scores)

        def evaluated(library: Library) -> Scores:
            findings = Findings()
            with library.active_device():
                chunks, queries = match_arrays(library, judgments, scores, query_ids, needed, findings, depth)
                parts = []
                for matched in chunks:
                    findings.raise_errors(lenient=False)
                    parts.append(library.columns_to_host(compute_columns(matched, parsed, rules)))
            findings.raise_errors(lenient=False)
            none = np.empty((column_count(parsed, rules), 0))
            columns = parts[0] if len(parts) == 1 else [*np.concatenate([none, *parts], axis=1)]
            return to_scores(queries, columns, parsed, rules, findings)

        try:
            return evaluated(library.postponing())
        except WrongAfterAllError:  # again, to say what is wrong
            return evaluated(library)


def match_arrays(
    library: Library,
    judgments: Any,
    scores: Any,
    query_ids: Any,
    rules: Convention,
    findings: Findings,
    depth: int | None,
) -> tuple[Iterable[Matched], Sequence[object]]:
    """Chunks of queries, one after another, and the ids of all queries."""
    check_dimensions(judgments.grades if isinstance(judgments, JudgedItems) else judgments, scores)
    rows = range(len(scores))
    if isinstance(judgments, JudgedItems):
        if not isinstance(library, Torch):
            en = "JudgedItems need torch; pass judgments of the shape of the scores"
            raise ParameterError((en, "JudgedItems 需要 torch；请传入与 scores 形状相同的 judgments"))
        placed = place_items(library, judgments, scores.shape[1])  # asks the device before it counts
        counts = count_ranks(scores, judgments, rules)
        matched = match_counts(library, placed, counts, scores.shape[1], rules, findings)
        return [matched], rows
    check_shapes(judgments, scores)
    labels: Any = DeviceArray(judgments, library)
    points: Any = DeviceArray(scores, library)
    if query_ids is None:
        if len(scores.shape) != MATRIX:
            en = f"scores have the shape {tuple(scores.shape)}; pass one row per query, or query_ids"
            raise InputError((en, f"scores 的形状为 {tuple(scores.shape)}；请每个查询传入一行，或传入 query_ids"))
        blocks = match_dense(labels, points, rules, findings, depth, at_a_time=CHUNK_ITEMS)
        return (matched for _, matched in blocks), rows
    groups, names = _query_groups(query_ids, library)
    blocks = match_flat(labels, points, groups, rules, findings, at_a_time=CHUNK_ITEMS)
    return (matched for _, matched in blocks), names


def check_dimensions(*arrays: Any) -> None:
    """Refuse a single number in place of an array."""
    if any(len(array.shape) == 0 for array in arrays):
        en = "judgments and scores must be arrays with one row per query, or with query_ids; found one number"
        raise InputError((en, "judgments 和 scores 应为每个查询一行的数组，或另给 query_ids；实为单个数"))


def check_shapes(judgments: Any, scores: Any) -> None:
    """Refuse judgments and scores of different shapes."""
    shapes = tuple(judgments.shape), tuple(scores.shape)
    if shapes[0] != shapes[1]:
        en = f"judgments have the shape {shapes[0]} and scores {shapes[1]}; pass one score per judgment"
        raise InputError((en, f"judgments 的形状为 {shapes[0]}，scores 为 {shapes[1]}；请为每个标注传入一个分数"))


def _query_groups(query_ids: Any, library: Library) -> tuple[Segments, list[object]]:
    """The items of each query of flat arrays, and the ids of the queries."""
    if not hasattr(query_ids, "shape"):
        en = "query_ids: expected integers in an array of the same library as the scores, found a list"
        raise InputError((en, "query_ids：应为与 scores 同一个库的整数数组，实为列表"))
    ids: Any = DeviceArray(query_ids, library)
    if not len(ids):
        raise InputError(
            Phrase("query_ids are empty, so there is nothing to evaluate", "query_ids 为空，没有可评测的内容")
        )
    check_query_ids(ids[:1].tolist())  # a mask is in no order
    if (ids[1:] < ids[:-1]).any():
        en = "query_ids are not in ascending order; sort judgments, scores and query_ids by query"
        raise InputError((en, "query_ids 不是升序；请按查询对 judgments、scores 和 query_ids 排序"))
    ends = np.append(np.flatnonzero(ids[1:] != ids[:-1]) + 1, len(ids))
    groups = Segments(np.concatenate(([0], ends)))
    names = ids[groups.offsets[:-1]].tolist()
    check_query_ids(names)
    return groups, names
