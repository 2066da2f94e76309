"""How data are read: one record of options for every verb, engine and command."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

import numpy as np

from rankgauge.conventions import RULES
from rankgauge.errors import InputError, ParameterError, UnknownNameError
from rankgauge.inputs.codes import Role
from rankgauge.inputs.columns import COLUMN_NAMES, LENGTH_NAMES, SIDES, Columns, check_columns
from rankgauge.inputs.frame_kinds import host_array
from rankgauge.inputs.grading import Grading
from rankgauge.inputs.units import Units
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Array, Segments
from rankgauge.value_checks import check_id_count, check_query_ids, is_listing, unhashable_id, unmasked

if TYPE_CHECKING:
    from rankgauge.inputs.span_ids import SpanIds

LABEL_COLUMNS = ("rater", "probability", "inclusion", "prompt_version", "reason")
"""The columns that labels have besides those of judgments."""
COLUMNS = ("query", "item", "grade", "score", "rank", "system", "time", "group", *LENGTH_NAMES, *LABEL_COLUMNS)
"""The columns that ``columns=`` can name."""
EXTRA_COLUMNS = {"judgments": ("time", "group", *LABEL_COLUMNS), "ranking": (*LENGTH_NAMES,)}
"""The columns that rows of a side may have besides those that every verb reads."""
NOT_TAKEN = Phrase("{call}() does not take {name}: {reason}", "{call}() 不接受 {name}：{reason}")
CUTOFFS = ("k", "ks", "cutoff", "cutoffs", "at", "topk", "top_k")
"""Names under which other libraries take the cutoff of a metric."""
NO_PEOPLE = Phrase(
    "{call} does not take people; labels of people correct the judgments of a model in compare and judges correct; "
    "to use the labels alone, pass them as the judgments",
    "{call} 不接受 people；用人的标签修正模型的标注请用 compare 或 judges correct；只用这些标签时，请将其作为标注给出",
)
CUTOFF = Phrase(
    "{call}() has no {name}: write the cutoff in the metric, as in 'P@5' or ['P@5', 'P@10']",
    "{call}() 没有参数 {name}：截断位置写在指标里，如 'P@5' 或 ['P@5', 'P@10']",
)
OUTPUTS = ("output", "out", "file", "path", "filename", "save_to")
"""Names under which other libraries take the file to write."""
OUTPUT = Phrase(
    "{call}() has no {name}, because it writes no file: save its result, as in rg.{call}(...).save(path)",
    "{call}() 没有参数 {name}，因为它不写文件：请保存其结果，如 rg.{call}(...).save(path)",
)
VALUE = Phrase(
    "{call}() has no {name}: call explain of its result, as in rg.reconcile(..., metric='nDCG@5').explain('0.83')",
    "{call}() 没有参数 {name}：请调用其结果的 explain，如 rg.reconcile(..., metric='nDCG@5').explain('0.83')",
)
SAVING_VERBS = ("evaluate", "report")
"""The verbs whose results have the method ``save``."""
RULE = Phrase(
    "{call}() has no {name}, which is a rule: pass convention=rg.Convention({name}=...)",
    "{call}() 没有参数 {name}；它是一条规则：请传入 convention=rg.Convention({name}=...)",
)
PRESET = Phrase(
    "{call}() has no preset: pass its name as convention=, as in convention='trec_eval-10'",
    "{call}() 没有参数 preset：预设的名称请用 convention= 传入，如 convention='trec_eval-10'",
)
ARRAY_OPTIONS = ("groups", "offsets", "query_ids")
"""The options that only flat arrays take."""


class SideOptions(NamedTuple):
    """What a caller said about the files of one side."""

    format: str | None = None
    """The file format, None if it is to be recognised."""
    shape: str | None = None
    """The shape of the records, which may be in several formats."""
    columns: Mapping[str, str] | None = None
    """The columns by rankgauge's names."""


RECOGNISED = SideOptions()
"""Everything is recognised."""


class ReadKeywords(TypedDict, total=False):
    """The fields of ``ReadOptions`` as keywords of a verb."""

    columns: Columns | None
    format: str | Mapping[str, str] | None
    lenient: bool
    groups: Sequence[int] | str | PathLike[str] | None
    offsets: Sequence[int] | None
    query_ids: Sequence[Any] | None
    grades: Grading | None
    units: Any
    split: str | None
    progress: bool | Callable[[str, int], None]
    spans: bool
    documents: Any
    tokens: Any


def _check_switch(name: str, value: object) -> None:
    if not isinstance(value, bool | np.bool_):
        raise ParameterError.of(name, value, ("True or False", "True 或 False"))


def _check_format(name: str | None) -> None:
    if name is not None and not _is_shape(name):
        from rankgauge.inputs.formats.registry import format_named  # noqa: PLC0415 (only for a format that is given)

        format_named(name)


def _is_shape(name: str | None) -> bool:
    if name is None:
        return False
    from rankgauge.inputs.shapes.registry import shape_named  # noqa: PLC0415 (only for a format that is given)

    return shape_named(name) is not None


def _check_counter(tokens: object) -> None:
    if tokens is not None and not callable(tokens) and not isinstance(tokens, Mapping):
        allowed = "a function of a text, or {item: number}", "文本的函数，或 {物品: 数目}"
        raise ParameterError.of("tokens", tokens, allowed)


@dataclass(frozen=True, eq=False)
class ReadOptions:
    """How judgments and rankings are read.

    Parameters
    ----------
    columns
        Column names that are not recognised: ``{"query": "session", "score": "p"}``. Names that hold for one side only
        go under ``"judgments"`` or ``"ranking"``: ``{"ranking": {"query": "session"}}``. ``{"grade": None}``: no column
        holds grades, and every row of the judgments is relevant. ``{"system": "variant"}``: a ranking for each value.
    format
        The file format, or one for each side under ``"judgments"`` and ``"ranking"``; recognised by content if None.
    lenient
        Skip invalid rows and count them instead of raising an error.
    groups, offsets, query_ids
        For flat arrays, exactly one of: the number of items of each query, or a file of these numbers (``.group``);
        where each query starts, and the end; the query of each item.
    grades
        A rule from ``rankgauge.grades`` that turns the numbers in the judgments (stars, clicks, seconds) into grades.
    units
        What each returned item belongs to: ``{chunk: document}``, a table of items and units (a frame or a file), or a
        rule for ids such as ``"before last _"`` or ``"before first #"``. Judgments name the units. Implies the rule
        ``units="rolled-up"`` and, where copies would be an error, ``duplicates="close-up"``.
    split
        The split of a folder with several, such as ``"test"``; of ESCI, the rows of that split. Judgments that name no
        splits are refused.
    progress
        Show a progress bar on a terminal while files are read; or a callback ``(ranking name, bytes read)``.
    spans
        Read excerpts and chunks that tools write with their document and offsets as spans, not by their own ids.
        Rankings always are if the judgments are spans.
    documents
        The texts of documents: ``{id: text}``, a table of ids and texts, or a folder. Spans are checked against them,
        texts without offsets found in them, and the tokens of spans counted.
    tokens
        For budgets such as ``R@1000tokens``: a function that counts the tokens of a text, or ``{item: number}``. A
        column such as ``tokens`` of the ranking needs neither.
    """

    columns: Columns | None = None
    format: str | Mapping[str, str] | None = None
    lenient: bool = False
    groups: Sequence[int] | str | PathLike[str] | None = None
    offsets: Sequence[int] | None = None
    query_ids: Sequence[Any] | None = None
    grades: Grading | None = None
    units: Any = None
    split: str | None = None
    progress: bool | Callable[[str, int], None] = False
    spans: bool = False
    documents: Any = None
    tokens: Any = None

    def __post_init__(self) -> None:
        _check_switch("lenient", self.lenient)
        _check_switch("spans", self.spans)
        _check_counter(self.tokens)
        if self.documents is not None:
            from rankgauge.inputs.documents import Documents  # noqa: PLC0415 (only for texts of documents)

            object.__setattr__(self, "documents", Documents.of(self.documents))
        if self.columns is not None:
            check_columns(self.columns, COLUMNS)
        for side in self.format if isinstance(self.format, Mapping) else ():
            if side not in SIDES:
                raise UnknownNameError.closest("key of format", side, SIDES)
        for name in self.format.values() if isinstance(self.format, Mapping) else [self.format]:
            _check_format(name)
        if self.grades is not None and not isinstance(self.grades, Grading):
            raise ParameterError.of(
                "grades",
                self.grades,
                ("a rule from rankgauge.grades, such as grades.stars", "rankgauge.grades 中的规则，如 grades.stars"),
            )
        if self.split is not None and not isinstance(self.split, str):
            raise ParameterError.of(
                "split", self.split, ("the name of a split, such as 'test'", "划分的名称，如 'test'")
            )
        if self.units is not None and not isinstance(self.units, Units):
            object.__setattr__(self, "units", Units(self.units))
        for name in self.for_flat_arrays:
            value = _sizes_in_file(getattr(self, name)) if name == "groups" else getattr(self, name)
            values = [*value] if isinstance(value, Iterator) else unmasked(value, name)
            object.__setattr__(self, name, _listed(values) if name == "query_ids" else _whole_numbers(name, values))

    @classmethod
    def of(
        cls,
        verb: Callable[..., Any],
        record: ReadOptions | None,
        keywords: Mapping[str, Any],
        refused: Mapping[str, Phrase] | None = None,
        call: str = "",
    ) -> ReadOptions:
        """Return the options of one call: a record, keywords, or both, of which the keywords win.

        ``refused`` maps options that mean nothing to this verb to the reason. ``call`` is its public name in messages,
        by default the name of the function.
        """
        call = call or verb.__name__
        names = [*ReadKeywords.__annotations__]
        for name in keywords:
            if name not in names:
                parameters = [parameter for parameter in inspect.signature(verb).parameters if parameter != "read"]
                raise _unknown_argument(call, name, [*parameters, *names])
        if record is not None and not isinstance(record, cls):
            raise ParameterError.of("read_options", record, "ReadOptions", call)
        for name, reason in (refused or {}).items():
            option = keywords.get(name, getattr(record, name, None))
            if option is not None and option is not False:
                raise ParameterError(NOT_TAKEN.fill(call=call, name=name, reason=reason))
        if record is None:
            return cls(**keywords) if keywords else READ_AS_IS
        return replace(record, **keywords) if keywords else record

    @property
    def span_ids(self) -> SpanIds | None:
        """What names the spans of records, None if they keep their own ids."""
        if not self.spans:
            return None
        from rankgauge.inputs.span_ids import SpanIds  # noqa: PLC0415 (only for spans)

        return SpanIds(self.documents)

    @property
    def for_flat_arrays(self) -> list[str]:
        """The names of the options given for flat arrays."""
        return [name for name in ARRAY_OPTIONS if getattr(self, name) is not None]

    def columns_of(self, side: Role | None, *others: str) -> dict[str, str] | None:
        """Return the column names given for one side, and for ``others`` that it may have; None if there are none.

        Other columns that rows of the side may have, which not every verb reads, are left out. A grade that no column
        holds has the name "".

        While the side is not known (None), they are those that hold for both.

        >>> ReadOptions(columns={"query": "session", "score": "p", "ranking": {"query": "sid"}}).columns_of("ranking")
        {'query': 'sid', 'score': 'p'}
        """
        if not self.columns:
            return None
        names = COLUMNS if side is None else (*COLUMN_NAMES[side], *others)
        both = {
            name: column or ""
            for name, column in self.columns.items()
            if name in names and not isinstance(column, Mapping)
        }
        of_side, unread = self.columns.get(side or ""), {*EXTRA_COLUMNS.get(side or "", ())} - {*names}
        if isinstance(of_side, Mapping):
            both |= {name: column or "" for name, column in of_side.items() if name not in unread}
        return both or None

    @property
    def time_column(self) -> str | None:
        """The name given for the column of times in judgments."""
        return (self.columns_of("judgments", "time") or {}).get("time")

    def side(self, side: Role | None) -> SideOptions:
        """Return what is said about the files of one side, or of both if it is not known."""
        if self.format is None and not self.columns:
            return RECOGNISED
        name = self.format_of(side)
        is_shape = _is_shape(name)
        return SideOptions(None if is_shape else name, name if is_shape else None, self.columns_of(side))

    def format_of(self, side: Role | None) -> str | None:
        """Return the format given for one side, or for both if it is not known; None if it is to be recognised."""
        return self.format.get(side or "") if isinstance(self.format, Mapping) else self.format

    def query_segments(self, labels: Array) -> tuple[Segments, Sequence[object] | None]:
        """Return the segment of each query, and the ids of the queries if they were given."""
        array_options = self.for_flat_arrays
        if labels.ndim != 1:
            raise InputError(f"labels must have one or two dimensions, not {labels.ndim}")
        if len(array_options) != 1:
            raise ParameterError(
                "flat arrays need exactly one of groups=[sizes], offsets=[starts and end] or query_ids=[one per item], "
                f"not {' and '.join(array_options) or 'none'}"
            )
        if self.groups is not None:
            sizes = np.asarray(self.groups)
            if (sizes < 0).any():
                raise ParameterError.of(
                    "each of groups", int(sizes[sizes < 0][0]), ("the number of items of a query", "一个查询的物品数")
                )
            if sizes.sum() != len(labels):
                wrong = f"{len(labels)}, not {sizes.sum()}{_other_option(sizes, labels)}"
                raise InputError(f"the sizes of the groups must add up to the number of labels, {wrong}")
            return Segments.of_sizes(sizes), None
        if self.offsets is not None:
            edges = np.asarray(self.offsets)
            if len(edges) == 0 or edges[0] != 0 or edges[-1] != len(labels) or (np.diff(edges) < 0).any():
                raise ParameterError(
                    f"offsets must rise from 0 to {len(labels)}, the number of labels; they go from "
                    f"{edges[0] if len(edges) else 'nothing'} to {edges[-1] if len(edges) else 'nothing'}"
                )
            return Segments(edges), None
        ids = self.query_ids or []
        check_id_count(len(ids), len(labels))
        try:
            counts = Counter(ids)
        except TypeError:
            raise unhashable_id(ids, "query_ids") from None
        return Segments.of_sizes(np.array([*counts.values()], dtype=np.int64)), [*counts]


READ_AS_IS = ReadOptions()
"""Everything is recognised, and an invalid row is an error."""


def _listed(ids: object) -> list[Any]:
    """Return ids as Python objects."""
    if not is_listing(ids):
        raise ParameterError.of("query_ids", ids, ("a list with the query of each item", "列出每个物品所属查询的列表"))
    values = host_array(ids)
    listed = values.tolist() if isinstance(values, np.ndarray) else [*values]
    if not {*map(type, listed)} <= {int, str}:
        check_query_ids(listed)
    return listed


def _sizes_in_file(groups: object) -> object:
    """Return the sizes in a file of group sizes, and anything else unchanged."""
    if not isinstance(groups, str | PathLike):
        return groups
    from rankgauge.inputs.formats.group_sizes import read_group_sizes  # noqa: PLC0415 (only for files)

    return read_group_sizes(groups)


def _whole_numbers(name: str, given: object) -> Array:
    """Return group sizes or offsets as integers; raise an error for anything but a list of whole numbers."""
    try:
        numbers = np.asarray(given)
    except (TypeError, ValueError):  # lists of different lengths
        numbers = np.empty((0, 0))
    if numbers.ndim != 1:
        raise ParameterError.of(name, given, ("a list of whole numbers", "整数的列表"))
    if numbers.dtype.kind not in "iuf" and len(numbers):
        raise ParameterError.of(f"each of {name}", numbers.tolist()[0], ("a whole number", "整数"))
    wrong = ~np.isfinite(numbers) | (numbers != np.floor(numbers)) if numbers.dtype.kind == "f" else np.zeros(0, bool)
    if wrong.any():
        raise ParameterError.of(f"each of {name}", numbers[wrong][0].item(), ("a whole number", "整数"))
    return numbers.astype(np.int64)


def _other_option(numbers: Array, labels: Array) -> str:
    """Return which option takes these numbers, if there is one for each label or they ascend to the end."""
    if len(numbers) == len(labels):
        return "; there is one for each label: if they name its query, pass query_ids="
    ascending = len(numbers) > 1 and bool((np.diff(numbers) >= 0).all())
    if ascending and numbers[-1] == len(labels):
        start = "" if numbers[0] == 0 else " with a 0 before them"
        return f"; they ascend to the number of labels: if they are ends of queries, pass offsets={start}"
    return ""


def _unknown_argument(call: str, name: str, known: Sequence[str]) -> UnknownNameError:
    """Return the error for an argument that a call does not have, with the one to pass instead."""
    if name == "people":
        return UnknownNameError(NO_PEOPLE.fill(call=call))
    if name in CUTOFFS and {"metrics", "metric"} & {*known}:
        return UnknownNameError(CUTOFF.fill(call=call, name=name))
    if name in {"value", "values"} and call == "reconcile":
        return UnknownNameError(VALUE.fill(call=call, name=name))
    if name in OUTPUTS and call in SAVING_VERBS:
        return UnknownNameError(OUTPUT.fill(call=call, name=name))
    if "convention" in known and (name in RULES or name == "preset"):
        return UnknownNameError((RULE if name in RULES else PRESET).fill(call=call, name=name))
    return UnknownNameError.closest(f"argument of {call}()", name, known)
