"""Slices: a comparison by groups of queries, and the groups where a better mean hides a loss."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.group_gaps import check_scores
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.attributes import attribute_values
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.matching.entrance import resolve_judgments
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.source_types import AttributesLike, JudgmentsLike
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricLike, parse
from rankgauge.rendering.document import Document, Heading, Paragraph, ShownAsDocument, Table
from rankgauge.rendering.language import Lang, Phrase, RowName, check_lang, naming_rows
from rankgauge.rendering.number_texts import decimal
from rankgauge.rendering.plain import FrameResult, JsonResult, PlainData, finite_or_none, frame_of
from rankgauge.segments import Floats, Ints
from rankgauge.stats.intervals import t_interval
from rankgauge.stats.samples import check_share
from rankgauge.value_checks import is_number

if TYPE_CHECKING:
    pass

NO_VALUE = "(none)"
MAX_VALUES = 12
"""Whole numbers are put into bins only if there are more distinct ones than this."""
FEWEST = 5
"""Bins of judgments with fewer queries are joined, if there are enough for two: their intervals say nothing."""
MESSAGES = {
    "title": Phrase("{metric} by {by}", "按 {by} 分组的 {metric}"),
    "slice": Phrase("slice", "分组"),
    "queries": Phrase("queries", "查询数"),
    "interval": Phrase("{level:.0%} interval", "{level:.0%} 区间"),
    "all": Phrase("all", "总体"),
    "hidden": Phrase(
        'The mean of {system} is better ({overall:+.6f}), but on "{label}" ({count:# query|# queries}) it is worse: '
        "{here:+.6f}, and the interval excludes 0.",
        "{system} 的总体均值更好（{overall:+.6f}），但在“{label}”上（{count:,} 个查询）更差：{here:+.6f}，"
        "且区间不含 0。",
    ),
    "perhaps": Phrase(
        'The mean of {system} is better ({overall:+.6f}), but on "{label}" ({count:# query|# queries}) it is worse: '
        "{here:+.6f}; the interval includes 0, so this may be chance.",
        "{system} 的总体均值更好（{overall:+.6f}），但在“{label}”上（{count:,} 个查询）偏低：{here:+.6f}，区间含 0，"
        "可能出于偶然。",
    ),
    "none": Phrase("No slice goes against the overall difference.", "没有与总体差异相反的分组。"),
    "note": Phrase(
        "Intervals are Student's t intervals of the paired difference, computed for each slice separately.",
        "区间为配对差值的 Student t 区间，各组分别计算。",
    ),
}
ATTRIBUTES = {
    "judgments": Phrase("number of judgments", "标注数"),
    "difficulty": Phrase("difficulty (mean of all systems, terciles)", "难度（各系统均值的三分位）"),
}
DIFFICULTY = {"hard": Phrase("hard", "难"), "middle": Phrase("middle", "中"), "easy": Phrase("easy", "易")}


def label_phrase(by: str, label: str) -> Phrase:
    """Return the label of a slice in both languages."""
    if by == "difficulty" and label in DIFFICULTY:
        return DIFFICULTY[label]
    return Phrase("(no value)", "（无值）") if label == NO_VALUE else Phrase(label, label)


@dataclass(frozen=True)
class Difference:
    """Mean difference of a system from the baseline, with its interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Slice:
    """A group of queries, the mean of each system on it, and the difference of each system from the baseline."""

    label: str
    queries: tuple[Any, ...]
    means: Mapping[str, float]
    differences: Mapping[str, Difference]

    @property
    def count(self) -> int:
        """Number of queries."""
        return len(self.queries)


@dataclass(frozen=True)
class HiddenLoss:
    """A slice on which a system is worse although its overall mean is better."""

    system: str
    label: str
    certain: bool
    """Whether the interval of the slice excludes 0."""


@dataclass(frozen=True, repr=False)
class Slices(ShownAsDocument, FrameResult, JsonResult):
    """A comparison by groups of queries; ``overall`` is that of all queries."""

    metric: Metric
    by: str
    baseline: str
    alpha: float
    overall: Slice
    slices: tuple[Slice, ...]
    from_pandas: bool = False
    """Whether pandas frames were evaluated."""
    rows: RowName = "queries"
    """What the queries are called."""

    def __repr__(self) -> str:
        return f"<Slices of {self.metric} by {self.by}: {', '.join(part.label for part in self.slices)}>"

    def __iter__(self) -> Iterator[Slice]:
        return iter(self.slices)

    def __len__(self) -> int:
        return len(self.slices)

    @property
    def hidden_losses(self) -> tuple[HiddenLoss, ...]:
        """The slices on which a system with a better mean is worse."""
        sign = 1 if self.metric.definition.higher_is_better else -1
        return tuple(
            HiddenLoss(system, part.label, certain=here.high < 0 if sign > 0 else here.low > 0)
            for system, overall in self.overall.differences.items()
            for part in self.slices
            if sign * overall.mean > 0 > sign * (here := part.differences[system]).mean
        )

    def to_frame(self) -> Any:
        """Return the rows of ``to_polars``, of pandas if the scores are."""
        return frame_of(self.frame_columns(), pandas=self.from_pandas)

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return a row for each slice and system, as columns; the baseline has no difference."""
        none = Difference(math.nan, math.nan, math.nan)
        columns = ("slice", "queries", "system", "mean", "difference", "low", "high")
        rows = [
            (part.label, part.count, system, mean, *astuple(part.differences.get(system, none)))
            for part in (*self.slices, self.overall)
            for system, mean in part.means.items()
        ]
        return dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True))

    def to_dict(self) -> PlainData:
        """Return plain data; NaN becomes None."""
        overall, *rows = (finite_or_none(asdict(part)) for part in (self.overall, *self.slices))
        return {
            "metric": str(self.metric),
            "by": self.by,
            "baseline": self.baseline,
            "alpha": self.alpha,
            "overall": overall,
            "slices": rows,
            "hidden": [asdict(loss) for loss in self.hidden_losses],
        }

    def document(self, lang: str = "en") -> Document:
        """Return a table of the slices, and the losses that a better mean hides."""
        with naming_rows(self.rows):
            return self._document(check_lang(lang))

    def _document(self, checked: Lang) -> Document:
        others = [*self.overall.differences]
        systems = [self.baseline, *others]
        titles = [MESSAGES["slice"].render(checked), MESSAGES["queries"].render(checked), *systems]
        for system in others:
            titles += [f"{system} − {self.baseline}", MESSAGES["interval"].render(checked, level=1 - self.alpha)]
        rows = []
        for part in (*self.slices, self.overall):
            label = MESSAGES["all"] if part is self.overall else label_phrase(self.by, part.label)
            cells = [label.render(checked), str(part.count), *(decimal(part.means[system], 6) for system in systems)]
            for system in others:
                mean, low, high = astuple(part.differences[system])
                cells += [
                    decimal(mean, 6, "+"),
                    "–" if math.isnan(low) else f"{decimal(low, 6, '+')} … {decimal(high, 6, '+')}",
                ]
            rows.append(cells)
        by = ATTRIBUTES[self.by].render(checked) if self.by in ATTRIBUTES else self.by
        title = MESSAGES["title"].render(checked, metric=self.metric, by=by)
        table = Table(titles, rows, align="l" + "r" * (len(titles) - 1))
        notes = [*self._loss_lines(checked), MESSAGES["note"].render(checked)]
        return Document([Heading(title), table, *map(Paragraph, notes)])

    def _loss_lines(self, lang: Lang) -> list[str]:
        by_label = {part.label: part for part in self.slices}
        lines = [
            MESSAGES["hidden" if loss.certain else "perhaps"].render(
                lang,
                system=loss.system,
                label=loss.label,
                overall=self.overall.differences[loss.system].mean,
                count=by_label[loss.label].count,
                here=by_label[loss.label].differences[loss.system].mean,
            )
            for loss in self.hidden_losses
        ]
        return lines or [MESSAGES["none"].render(lang)]


def slices(
    scores: Scores,
    metric: MetricLike | None,
    by: str,
    *,
    attributes: AttributesLike | None = None,
    judgments: JudgmentsLike | None = None,
    baseline: str | None = None,
    bins: int = 4,
    alpha: float = 0.05,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Slices:
    """Compare two or more systems on groups of queries.

    Parameters
    ----------
    scores
        Scores of two or more systems, as ``evaluate(judgments, {"old": ..., "new": ...}, ...)`` returns them.
    metric
        One of the metrics of the scores; None for the first.
    by
        The name of an attribute; ``"judgments"``, the number of judgments of a query (pass ``judgments``, too); or
        ``"difficulty"``, terciles of the mean of all systems.
    attributes
        ``{query: {attribute: value}}``, or a frame or file (CSV, TSV, JSONL, Parquet, Arrow) with a query column.
    judgments
        As for ``evaluate``.
    baseline
        The system that the others are compared with, by default the first.
    bins
        Number of quantile bins for the number of judgments and for an attribute with many different numbers.
    alpha
        Significance level; intervals have the level 1 - alpha.
    read_options, **read
        How ``judgments`` are read, as for ``evaluate``.

    Examples
    --------
    >>> import rankgauge as rg
    >>> judgments = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}, "q4": {"a": 1}}
    >>> old = {query: ["x", "a"] for query in judgments}
    >>> new = {"q1": ["a"], "q2": ["a"], "q3": ["a"], "q4": ["x", "y", "a"]}
    >>> by_language = rg.slices(
    ...     rg.evaluate(judgments, {"old": old, "new": new}, "RR"),
    ...     "RR",
    ...     "lang",
    ...     attributes={"q1": {"lang": "en"}, "q2": {"lang": "en"}, "q3": {"lang": "zh"}, "q4": {"lang": "zh"}},
    ... )
    >>> [(part.label, part.count, round(part.differences["new"].mean, 3)) for part in by_language]
    [('en', 2, 0.5), ('zh', 2, 0.167)]
    """
    options = ReadOptions.of(slices, read_options, read)
    check_scores(scores, "slices")
    parsed = scores.metrics[0] if metric is None else parse(metric)
    if len(scores.systems) < 2:  # noqa: PLR2004
        raise ParameterError("slices compare systems: evaluate two or more, as {'old': ..., 'new': ...}")
    if not parsed.definition.summary.is_mean(scores.convention):
        raise ParameterError(f"{parsed}: slices need an arithmetic mean over queries")
    if not isinstance(bins, int) or bins < 2:  # noqa: PLR2004
        raise ParameterError.of("bins", bins, ("a whole number of at least 2", "不小于 2 的整数"))
    first = scores.systems[0] if baseline is None else scores.system(baseline).systems[0]
    matrix = np.column_stack([scores.system(name)[parsed] for name in scores.systems])
    complete = np.flatnonzero(~np.isnan(matrix).any(axis=1))
    if not len(complete):
        raise InputError(f"{parsed}: no query has a value for every system")
    queries = [scores.queries[place] for place in complete.tolist()]
    columns = dict(zip(scores.systems, matrix[complete].T, strict=True))
    if attributes is not None:
        groups = groups_by_value(attribute_values(attributes, by, queries), bins)
    elif by == "difficulty":
        groups = _terciles(matrix[complete].mean(axis=1))
    else:
        groups = _count_bins(_judgment_counts(by, judgments, options)[complete], bins)
    level, (least, most) = 1 - check_share("alpha", alpha, "slices"), parsed.definition.bounds
    cut = partial(_slice, columns=columns, queries=queries, baseline=first, level=level, widest=most - least)
    overall = cut("all", np.arange(len(queries)))
    parts = tuple(cut(label, rows) for label, rows in groups.items())
    return Slices(parsed, by, first, alpha, overall, parts, scores.from_pandas, scores.findings.rows)


def _judgment_counts(by: str, judgments: object, options: ReadOptions) -> Ints:
    """Return the number of judgments of each query, by which queries are grouped if ``by`` asks for it."""
    if by != "judgments":
        raise ParameterError.of(
            "by",
            by,
            (
                "'judgments' or 'difficulty' where no attributes are given",
                "'judgments' 或 'difficulty'（未给出属性时）",
            ),
        )
    if judgments is None:
        raise ParameterError("by='judgments' needs the judgments: judgments=...")
    return Judgments.of(resolve_judgments(judgments, options), options, Findings()).counts


def _slice(
    label: str,
    rows: Ints,
    *,
    columns: Mapping[str, Floats],
    queries: Sequence[object],
    baseline: str,
    level: float,
    widest: float,
) -> Slice:
    """Return the means of all systems on some queries, and their differences to the baseline."""
    values = {name: column[rows] for name, column in columns.items()}
    changes = {name: column - values[baseline] for name, column in values.items() if name != baseline}
    return Slice(
        label,
        tuple(queries[row] for row in rows),
        {name: float(column.mean()) for name, column in values.items()},
        {name: _difference(change, level, widest) for name, change in changes.items()},
    )


def _difference(changes: Floats, level: float, widest: float) -> Difference:
    """Return the mean of changes with its interval, cut at the widest difference that the metric allows."""
    mean = float(changes.mean())
    return Difference(mean, *t_interval(changes, level).cut(mean, (-widest, widest)))


def groups_by_value(values: Sequence[Any], bins: int) -> dict[str, Ints]:
    """Return the rows of each value, or of each bin between quantiles if there are many numbers."""
    known = [value for value in values if value is not None]
    are_numbers = all(map(is_number, known))
    most = max(bins, MAX_VALUES) if are_numbers and all(float(value).is_integer() for value in known) else bins
    if are_numbers and len({*known}) > most:
        groups = _binned(np.array([math.nan if value is None else float(value) for value in values]), bins)
    else:
        rows: dict[Any, list[int]] = {}
        for row, value in enumerate(values):
            rows.setdefault(value, []).append(row)
        order = sorted({*known}) if are_numbers else sorted({*known}, key=lambda value: (str(type(value)), str(value)))
        groups = {f"{value:g}" if are_numbers else str(value): np.array(rows[value]) for value in order}
    without = np.array([row for row, value in enumerate(values) if value is None], dtype=np.int64)
    return groups | ({NO_VALUE: without} if len(without) else {})


def _binned(column: Floats, bins: int) -> dict[str, Ints]:
    """Return the rows between quantiles; a bin includes its upper bound, and equal bounds make one bin of several.

    >>> {label: len(rows) for label, rows in _binned(np.array([9.0, 10, 10, 10, 10, 10, 11, 12]), 4).items()}
    {'9 ≤ x ≤ 10': 6, '10 < x ≤ 12': 2}
    """
    edges = np.unique(np.quantile(column[~np.isnan(column)], np.linspace(0, 1, bins + 1), method="inverted_cdf"))
    first, last = edges[:2].tolist()
    groups = {f"{first:g} ≤ x ≤ {last:g}": np.flatnonzero((column >= first) & (column <= last))}
    for low, high in pairwise(edges[1:].tolist()):
        groups[f"{low:g} < x ≤ {high:g}"] = np.flatnonzero((column > low) & (column <= high))
    return groups


def _count_bins(counts: Ints, bins: int) -> dict[str, Ints]:
    """Return the rows of whole numbers between quantiles; a bin of a few rows is joined to its neighbour.

    >>> {label: len(rows) for label, rows in _count_bins(np.repeat([3, 4, 5, 9], [40, 30, 2, 28]), 4).items()}
    {'3': 40, '4': 30, '5-9': 30}
    """
    least = max(len(counts) / (2 * bins), min(FEWEST, len(counts) / 2))
    uppers = np.unique(np.quantile(counts, np.linspace(0, 1, bins + 1)[1:], method="inverted_cdf"))
    parts = [np.flatnonzero(np.searchsorted(uppers, counts) == place) for place in range(len(uppers))]
    joined: list[Ints] = []
    for rows in parts:
        if joined and (len(rows) < least or len(joined[-1]) < least):
            joined[-1] = np.sort(np.concatenate([joined[-1], rows]))
        else:
            joined.append(rows)
    ends = [(int(counts[rows].min()), int(counts[rows].max())) for rows in joined]
    return {str(low) if low == high else f"{low}-{high}": rows for (low, high), rows in zip(ends, joined, strict=True)}


def _terciles(means: Floats) -> dict[str, Ints]:
    """Return the queries in three parts of equal size (up to rounding), by the mean of all systems."""
    parts = np.array_split(np.argsort(means, kind="stable"), len(DIFFICULTY))
    return {label: np.sort(rows) for label, rows in zip(DIFFICULTY, parts, strict=True) if len(rows)}
