"""Checks of judgments, scores and query ids that are arrays of one library."""

from __future__ import annotations

import numpy as np

from rankgauge.engines.arrays.device_array import DeviceArray
from rankgauge.engines.arrays.judged_items import MATRIX, JudgedItems, check_judged_items
from rankgauge.engines.arrays.libraries import Library, Native, is_from
from rankgauge.engines.arrays.torch_library import Torch
from rankgauge.errors import InputError, ParameterError
from rankgauge.inputs.frame_kinds import column_array
from rankgauge.matching.score_checks import SOME, check_not_swapped
from rankgauge.segments import all_right
from rankgauge.value_checks import check_id_count


def check_arrays(library: Library, judgments: Native, scores: Native, query_ids: Native = None) -> Native:
    """Refuse arrays that do not belong together; return ``query_ids`` as an array of the library."""
    few = isinstance(judgments, JudgedItems)
    if few and not isinstance(library, Torch):
        en = "JudgedItems need torch; pass judgments of the shape of the scores"
        raise ParameterError((en, "JudgedItems 需要 torch；请传入与 scores 形状相同的 judgments"))
    for array in judgments if few else (judgments,):
        library.check("judgments", array)
    check_dimensions(judgments.grades if few else judgments, scores)
    if few and query_ids is not None:
        raise ParameterError(COMPLETE_ROWS)
    if not few:
        check_shapes(judgments, scores)
    shape = tuple(scores.shape)
    if query_ids is None:
        if len(shape) != MATRIX:
            en = f"scores have the shape {shape}; pass one row per query, or query_ids"
            raise InputError((en, f"scores 的形状为 {shape}；请每个查询传入一行，或传入 query_ids"))
        if few:
            check_judged_items(judgments, scores)
        return None
    if len(shape) != 1:
        en = f"scores have the shape {shape}; query_ids are for flat arrays, so pass either rows or query_ids"
        raise InputError((en, f"scores 的形状为 {shape}，而 query_ids 用于一维数组；请只用行或只用 query_ids"))
    ids = _on_device(library, query_ids)
    if len(ids.shape) != 1:
        en = f"query_ids have the shape {tuple(ids.shape)}; pass the query of each item in one dimension"
        raise InputError((en, f"query_ids 的形状为 {tuple(ids.shape)}；请用一维数组给出每个物品的查询"))
    check_id_count(len(ids), len(scores))
    return ids


COMPLETE_ROWS = (
    "JudgedItems describe complete rows, so they take neither query_ids nor mask",
    "JudgedItems 描述完整的行，因此不能再给 query_ids 或 mask",
)


def _on_device(library: Library, query_ids: Native) -> Native:
    """Query ids as an array of the library."""
    if is_from(query_ids, *library.packages):
        return query_ids
    try:
        ids = np.asarray(column_array(query_ids))
    except ValueError:  # lists of different lengths
        ids = np.empty(0, dtype=object)
    if ids.dtype.kind not in "iufb":
        en = "query_ids: expected integers; pass the numbers of the ids: np.unique(query_ids, return_inverse=True)[1]"
        zh = "query_ids：应为整数；请传入各标识的编号：np.unique(query_ids, return_inverse=True)[1]"
        raise InputError((en, zh))
    return library.native(ids.astype(np.int64) if ids.dtype.kind == "u" else ids)


def check_dimensions(*arrays: Native) -> None:
    """Refuse a single number in place of an array."""
    if any(len(array.shape) == 0 for array in arrays):
        en = "judgments and scores must be arrays with one row per query, or with query_ids; found one number"
        raise InputError((en, "judgments 和 scores 应为每个查询一行的数组，或另给 query_ids；实为单个数"))


def check_shapes(judgments: Native, scores: Native) -> None:
    """Refuse judgments and scores of different shapes."""
    shapes = tuple(judgments.shape), tuple(scores.shape)
    if shapes[0] != shapes[1]:
        en = f"judgments have the shape {shapes[0]} and scores {shapes[1]}; pass one score per judgment"
        raise InputError((en, f"judgments 的形状为 {shapes[0]}，scores 为 {shapes[1]}；请为每个标注传入一个分数"))


def check_sides(library: Library, grades: Native, scores: Native) -> None:
    """Refuse judgments and scores that look swapped; the numbers are copied to the host only if they may be."""
    if library.dtype_of(grades).kind != "f":
        return
    known, points = (_first_numbers(library, array) for array in (grades, scores))
    fractions, whole, missing = np.floor(known) != known, np.floor(points) == points, np.isnan(known)
    fractions, whole, missing = (np.logical_and.reduce(each, None) for each in (fractions, whole, missing))
    if not all_right(~(fractions & whole & ~missing)):
        check_not_swapped(known.tolist(), [points.tolist()])


def _first_numbers(library: Library, array: Native) -> Native:
    """The first numbers of an array."""
    numbers: Native = DeviceArray(array, library)
    return numbers[: -(-SOME // max(1, int(np.prod(numbers.shape[1:]))))].ravel()[:SOME]
