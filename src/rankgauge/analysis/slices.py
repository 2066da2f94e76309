"""Slices: the same comparison for kinds of queries, and where a better mean hides a loss."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from numbers import Real
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.attributes import attribute_values
from rankgauge.inputs.findings import Findings
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.read_options import ReadKeywords, ReadOptions
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.document import Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Phrase, check_lang
from rankgauge.rendering.plain import finite_or_none
from rankgauge.segments import Floats, Ints
from rankgauge.stats.intervals import t_interval

if TYPE_CHECKING:
    import polars as pl

NO_VALUE = "(none)"
KINDS_AT_MOST = 12
"""A numeric attribute with no more values than this is not put into bins."""
DIFFICULTY = ("hard", "middle", "easy")
WORDS = {
    "title": Phrase("{metric} by {by}", "按 {by} 分组的 {metric}"),
    "slice": Phrase("slice", "分组"),
    "queries": Phrase("queries", "查询数"),
    "difference": Phrase("{system} − {baseline}", "{system} − {baseline}"),
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
    "interval note": Phrase(
        "Intervals are of the paired difference, by Student's t, for each slice alone.",
        "区间为配对差值的 Student t 区间，各组分别计算。",
    ),
    "judgments": Phrase("number of judgments", "标注数"),
    "difficulty": Phrase("difficulty (mean of all systems, terciles)", "难度（各系统均值的三分位）"),
}
LABELS = {"hard": Phrase("hard", "难"), "middle": Phrase("middle", "中"), "easy": Phrase("easy", "易")}
NONE = Phrase("(no value)", "（无值）")


@dataclass(frozen=True)
class Difference:
    """A system against the baseline, on some queries."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Slice:
    """Some queries, the mean of each system on them, and the difference of each from the baseline."""

    label: str
    queries: tuple[Any, ...]
    means: Mapping[str, float]
    differences: Mapping[str, Difference]

    @property
    def count(self) -> int:
        """How many queries."""
        return len(self.queries)


@dataclass(frozen=True)
class HiddenLoss:
    """A slice on which a system is worse although its mean is better."""

    system: str
    label: str
    certain: bool
    """Whether the interval of the slice excludes 0."""


@dataclass(frozen=True)
class Slices:
    """A comparison by kinds of queries; ``overall`` has all of them."""

    metric: Metric
    by: str
    baseline: str
    level: float
    overall: Slice
    slices: tuple[Slice, ...]

    def __iter__(self) -> Iterator[Slice]:
        return iter(self.slices)

    def __len__(self) -> int:
        return len(self.slices)

    @property
    def hidden(self) -> tuple[HiddenLoss, ...]:
        """Where a better mean hides a loss."""
        sign = 1 if self.metric.definition.higher_is_better else -1
        return tuple(
            HiddenLoss(system, one.label, certain=here.high < 0 if sign > 0 else here.low > 0)
            for system, overall in self.overall.differences.items()
            for one in self.slices
            if sign * overall.mean > 0 > sign * (here := one.differences[system]).mean
        )

    def to_frame(self) -> pl.DataFrame:
        """A row for each slice and system as a polars frame; the baseline has no difference."""
        import polars as pl  # noqa: PLC0415

        nothing = Difference(math.nan, math.nan, math.nan)
        rows = [
            {"slice": one.label, "queries": one.count, "system": system, "mean": mean}
            | {
                {"mean": "difference"}.get(name, name): value
                for name, value in asdict(one.differences.get(system, nothing)).items()
            }
            for one in (*self.slices, self.overall)
            for system, mean in one.means.items()
        ]
        return pl.DataFrame(rows)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; what is not a number is None."""
        rows = [finite_or_none(asdict(one)) for one in (self.overall, *self.slices)]
        return {
            "metric": str(self.metric),
            "by": self.by,
            "baseline": self.baseline,
            "level": self.level,
            "overall": rows[0],
            "slices": rows[1:],
            "hidden": [asdict(one) for one in self.hidden],
        }

    def to_json(self, indent: int | None = None) -> str:
        """The same as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent, default=str)

    def document(self, lang: str = "en") -> Document:
        """The table to read, and what it hides."""
        spoken = check_lang(lang)
        others = [*self.overall.differences]
        systems = [self.baseline, *others]
        titles = [WORDS["slice"].render(spoken), WORDS["queries"].render(spoken), *systems]
        for system in others:
            titles.append(WORDS["difference"].render(spoken, system=system, baseline=self.baseline))
            titles.append(WORDS["interval"].render(spoken, level=self.level))
        rows = []
        for one in (*self.slices, self.overall):
            label = LABELS[one.label].render(spoken) if one.label in LABELS and self.by == "difficulty" else one.label
            label = NONE.render(spoken) if label == NO_VALUE else label
            cells = [WORDS["all"].render(spoken) if one is self.overall else label, str(one.count)]
            cells += [f"{one.means[system]:.6f}" for system in systems]
            for system in others:
                found = one.differences[system]
                ends = "–" if math.isnan(found.low) else f"{found.low:+.6f} … {found.high:+.6f}"
                cells += [f"{found.mean:+.6f}", ends]
            rows.append(cells)
        by = WORDS[self.by].render(spoken) if self.by in {"judgments", "difficulty"} else self.by
        table = Table(titles, rows, align="l" + "r" * (len(titles) - 1))
        notes = [*self._hidden_lines(spoken), WORDS["interval note"].render(spoken)]
        return Document(
            [Heading(WORDS["title"].render(spoken, metric=self.metric, by=by)), table, *map(Paragraph, notes)]
        )

    def _hidden_lines(self, lang: Any) -> list[str]:
        by_label = {one.label: one for one in self.slices}
        lines = [
            WORDS["hidden" if one.certain else "perhaps"].render(
                lang,
                system=one.system,
                label=one.label,
                overall=self.overall.differences[one.system].mean,
                count=by_label[one.label].count,
                here=by_label[one.label].differences[one.system].mean,
            )
            for one in self.hidden
        ]
        return lines or [WORDS["none"].render(lang)]

    def __str__(self) -> str:
        return self.document().to_text()

    def _repr_html_(self) -> str:
        return self.document().to_html()


def slices(
    scores: Scores,
    metric: str | Metric,
    by: str,
    *,
    attributes: Any = None,
    judgments: Any = None,
    baseline: str | None = None,
    bins: int = 4,
    level: float = 0.95,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Slices:
    """The means of several systems on slices of the queries.

    Parameters
    ----------
    scores
        Of two systems or more, as ``evaluate(judgments, {"old": ..., "new": ...}, ...)`` gives.
    metric
        One of the metrics of the scores.
    by
        The name of an attribute; or ``"judgments"``, how many judgments a query has (give ``judgments`` as well); or
        ``"difficulty"``, the mean of all systems in terciles.
    attributes
        ``{query: {attribute: value}}``, or a frame or file (CSV, TSV, JSONL, Parquet, Arrow) with a column of queries.
    judgments
        As for ``evaluate``.
    baseline
        The system that others are compared with; the first where none is named.
    bins
        Into how many parts numbers are put, by quantiles, where there are many of them.
    level
        Of the intervals.
    read_options, **read
        How ``judgments`` are read, as for ``evaluate``.

    Examples
    --------
    >>> import rankgauge as rg
    >>> judgments = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}, "q4": {"a": 1}}
    >>> old = {query: ["x", "a"] for query in judgments}
    >>> new = {"q1": ["a"], "q2": ["a"], "q3": ["a"], "q4": ["x", "y", "a"]}
    >>> found = rg.slices(
    ...     rg.evaluate(judgments, {"old": old, "new": new}, "RR"),
    ...     "RR",
    ...     "lang",
    ...     attributes={"q1": {"lang": "en"}, "q2": {"lang": "en"}, "q3": {"lang": "zh"}, "q4": {"lang": "zh"}},
    ... )
    >>> [(one.label, one.count, round(one.differences["new"].mean, 3)) for one in found]
    [('en', 2, 0.5), ('zh', 2, 0.167)]
    """
    options = ReadOptions.of(slices, read_options, read)
    found = parse(metric)
    if len(scores.systems) < 2:  # noqa: PLR2004
        raise ParameterError("slices compare systems: evaluate two or more, as {'old': ..., 'new': ...}")
    if not found.definition.summary.is_mean(scores.convention):
        raise ParameterError(f"{found}: slices are given for an arithmetic mean over queries only")
    if not isinstance(bins, int) or bins < 2:  # noqa: PLR2004
        raise ParameterError.of("bins", bins, "a whole number of at least 2")
    first = scores.systems[0] if baseline is None else scores.system(baseline).systems[0]
    columns = {name: scores.system(name)[found] for name in scores.systems}
    matrix = np.column_stack([*columns.values()])
    kept = np.flatnonzero(~np.isnan(matrix).any(axis=1))
    if not len(kept):
        raise InputError(f"{found}: no query has a value for every system")
    queries = [scores.queries[place] for place in kept]
    columns = {name: column[kept] for name, column in columns.items()}
    if attributes is not None:
        grouped = _by_values(attribute_values(attributes, by, queries), bins)
    elif by == "difficulty":
        grouped = _terciles(matrix[kept].mean(axis=1))
    elif by == "judgments":
        if judgments is None:
            raise ParameterError("by='judgments' needs the judgments: judgments=...")
        counts = Judgments.of(judgments, options, Findings()).counts
        grouped = _by_values(counts[kept].tolist(), bins)
    else:
        raise ParameterError.of("by", by, "'judgments' or 'difficulty' where no attributes are given")

    def cut(label: str, rows: Ints) -> Slice:
        values = {name: column[rows] for name, column in columns.items()}
        return Slice(
            label,
            tuple(queries[row] for row in rows),
            {name: float(column.mean()) for name, column in values.items()},
            {name: _difference(values[name] - values[first], level) for name in values if name != first},
        )

    everything = cut("all", np.arange(len(queries)))
    return Slices(found, by, first, level, everything, tuple(cut(label, rows) for label, rows in grouped.items()))


def _difference(differences: Floats, level: float) -> Difference:
    return Difference(float(differences.mean()), *t_interval(differences, level))


def _by_values(values: Sequence[Any], bins: int) -> dict[str, Ints]:
    """The rows of each value; of many numbers, of each bin between quantiles."""
    known = [value for value in values if value is not None]
    numbers = all(isinstance(value, Real) and not isinstance(value, bool) for value in known)
    none = {NO_VALUE: np.array([row for row, value in enumerate(values) if value is None], dtype=np.int64)}
    if numbers and len({*known}) > max(bins, KINDS_AT_MOST if all(float(v).is_integer() for v in known) else bins):
        column = np.array([math.nan if value is None else float(value) for value in values])
        grouped = _binned(column, bins)
    else:
        order = sorted({*known}) if numbers else sorted({*known}, key=lambda value: (str(type(value)), str(value)))
        grouped = {
            f"{value:g}" if numbers and not isinstance(value, bool) else str(value): np.array(
                [row for row, other in enumerate(values) if other is not None and other == value], dtype=np.int64
            )
            for value in order
        }
    return {**grouped, **{label: rows for label, rows in none.items() if len(rows)}}


def _binned(column: Floats, bins: int) -> dict[str, Ints]:
    """The rows between quantiles; a bin has its upper bound, and bounds that coincide make one bin of several."""
    real = column[~np.isnan(column)]
    edges = np.unique(np.quantile(real, np.linspace(0, 1, bins + 1), method="inverted_cdf"))
    grouped = {}
    for place, (low, high) in enumerate(pairwise(edges.tolist())):
        inside = (column > low) & (column <= high) if place else (column >= low) & (column <= high)
        grouped[f"{low:g} ≤ x ≤ {high:g}" if place == 0 else f"{low:g} < x ≤ {high:g}"] = np.flatnonzero(inside)
    return grouped


def _terciles(means: Floats) -> dict[str, Ints]:
    """The queries in three parts of equal size (but for rounding), by the mean of all systems."""
    parts = np.array_split(np.argsort(means, kind="stable"), len(DIFFICULTY))
    return {label: np.sort(rows) for label, rows in zip(DIFFICULTY, parts, strict=True) if len(rows)}
