"""Attribution: the difference between two systems as a sum over queries, and within a query over items."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from rankgauge.analysis.item_attribution import QueryBreakdown, query_breakdown
from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.evaluation.passes import of_spans
from rankgauge.evaluation.ranked_lists import ranked_lists
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.frame_kinds import is_pandas
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.matching.entrance import resolve_pair
from rankgauge.matching.source_types import JudgmentsLike, RankingLike, WeightsLike
from rankgauge.metric_core.definition import parameters_data
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricLike, metric_or_default
from rankgauge.rendering.document import Document, ShownAsDocument
from rankgauge.rendering.language import RowName, naming_rows, plural
from rankgauge.rendering.number_texts import decimal
from rankgauge.rendering.plain import FrameResult, PlainData, columns_of, frame_of
from rankgauge.segments import Floats

if TYPE_CHECKING:
    pass

SCHEMA = 1


class QueryChange(NamedTuple):
    """One query under both systems."""

    query: Any
    first: float
    second: float
    contribution: float
    """Contribution to the difference of the means."""

    @property
    def change(self) -> float:
        """The second value minus the first."""
        return self.second - self.first


class UnpairedQueries(NamedTuple):
    """The queries that have a value for one system only, and their contribution to the difference."""

    queries: tuple[Any, ...]
    contribution: float


@dataclass(frozen=True, eq=False, repr=False)
class Attribution(ShownAsDocument, FrameResult):
    """The difference of two means, second minus first, as a sum over queries, and that of a query as a sum over items.

    ``queries`` has a row for each query, the largest contribution first. The contributions add up to ``difference``,
    together with ``unpaired`` if a rule leaves out a query of one system only.
    """

    metric: Metric
    systems: tuple[str, str]
    means: tuple[float, float]
    queries: tuple[QueryChange, ...]
    unpaired: UnpairedQueries | None
    convention: Convention
    _read: Callable[[Sequence[Any]], dict[Any, QueryBreakdown]]
    from_pandas: bool = False
    """Whether a pandas frame was attributed."""
    rows: RowName = "queries"
    """What the rows are: queries, or users."""
    _breakdowns: dict[Any, QueryBreakdown] = field(default_factory=dict)

    @property
    def difference(self) -> float:
        """The second mean minus the first."""
        return self.means[1] - self.means[0]

    def fewest_queries(self, share: float = 0.8) -> tuple[QueryChange, ...]:
        """Return the fewest queries whose contributions add up to this share of the difference."""
        if not 0 < share <= 1:
            raise ParameterError.of("share", share, ("a number above 0 and at most 1", "大于 0 且不超过 1 的数"))
        sign = math.copysign(1.0, self.difference)
        chosen, explained = [], 0.0
        for change in sorted(self.queries, key=lambda change: -sign * change.contribution):
            if explained >= share * abs(self.difference) or sign * change.contribution <= 0:
                break
            chosen.append(change)
            explained += sign * change.contribution
        return tuple(chosen)

    def query(self, query: Hashable) -> QueryBreakdown:
        """Return the difference of one query, item by item; computed on first use."""
        return self.breakdowns([query])[0]

    def breakdowns(self, queries: Iterable[object] | None = None, top: int = 5) -> list[QueryBreakdown]:
        """Return the differences of several queries, by default the ``top`` ones, in one pass over the rankings."""
        names = [change.query for change in self.queries[:top] if change.change] if queries is None else list(queries)
        missing = [query for query in names if query not in self._breakdowns]
        if missing:
            self._breakdowns.update(self._read(missing))
        return [self._breakdowns[query] for query in names]

    def to_frame(self) -> Any:
        """Return a frame with a row for each query: of pandas if the judgments or a ranking were, else of polars."""
        ids = [change.query for change in self.queries]
        columns: dict[str, list[object]] = {"query": ids if len({*map(type, ids)}) == 1 else [*map(str, ids)]}
        for name in ("first", "second", "change", "contribution"):
            columns[name] = [getattr(change, name) for change in self.queries]
        return frame_of(columns, pandas=self.from_pandas)

    def items_frame(self, queries: Iterable[object] | None = None, top: int = 5) -> Any:
        """Return a frame with a row for each item of these queries, by default the ``top`` ones."""
        rows = [(str(part.query), item) for part in self.breakdowns(queries, top) for item in part.items]
        columns: dict[str, list[object]] = {
            "query": [query for query, _ in rows],
            "item": [str(item.item) for _, item in rows],
            "grade": [_number(item.grade) for _, item in rows],
            "kind": [item.kind for _, item in rows],
        }
        for name in ("first_rank", "second_rank", "first", "second", "change"):
            columns[name] = [_number(getattr(item, name)) for _, item in rows]
        return frame_of(columns, pandas=self.from_pandas)

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return a row per query, as columns."""
        return columns_of({**change._asdict(), "change": change.change} for change in self.queries)

    def to_dict(self, queries: Iterable[object] | None = None, top: int = 5) -> PlainData:
        """Return plain data, with the items of these queries, by default the ``top`` ones."""
        return {
            "schema": SCHEMA,
            "metric": str(self.metric),
            "systems": list(self.systems),
            "means": list(self.means),
            "difference": self.difference,
            "queries": [{**change._asdict(), "change": change.change} for change in self.queries],
            "unpaired": None if self.unpaired is None else self.unpaired._asdict(),
            "breakdowns": [part.to_dict() for part in self.breakdowns(queries, top)],
            "convention": self.convention.to_dict(),
            **parameters_data([self.metric]),
        }

    def to_json(self, queries: Iterable[object] | None = None, top: int = 5, indent: int | None = None) -> str:
        """Return ``to_dict`` as JSON."""
        return json.dumps(self.to_dict(queries, top), ensure_ascii=False, indent=indent, default=str)

    def document(
        self, lang: str = "en", *, queries: Iterable[object] | None = None, top: int = 5, limit: int = 10
    ) -> Document:
        """Return the ``limit`` largest contributions, and the items of these queries, by default the ``top`` ones."""
        from rankgauge.analysis.attribution_document import attribution_document  # noqa: PLC0415

        with naming_rows(self.rows):
            return attribution_document(self, lang, self.breakdowns(queries, top), limit)

    def to_text(self, lang: str = "en", width: int | None = None) -> str:
        """Return tables for a terminal."""
        return self.document(lang).to_text(width)

    def __repr__(self) -> str:
        count = plural(len(self.queries), "# query", "# queries")
        return f"<Attribution of {self.metric}: {decimal(self.difference, 6, '+')} over {count}>"


def attribute(
    judgments: JudgmentsLike,
    first: RankingLike | None = None,
    second: RankingLike | None = None,
    metric: MetricLike | None = None,
    *,
    systems: tuple[str, str] = ("first", "second"),
    convention: ConventionLike = None,
    weights: WeightsLike | None = None,
    scores: tuple[Scores, Scores] | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Attribution:
    """Attribute the difference between two rankings to queries and items.

    Parameters
    ----------
    judgments, first, second
        As for ``evaluate``; the difference is second minus first.
    metric
        The metric of the difference; None for nDCG@10.
    systems
        Names of the two rankings.
    convention, weights
        As for ``evaluate``.
    scores
        The scores of both rankings, if they are known already.
    read_options, **read
        How data are read, as for ``evaluate``.

    Examples
    --------
    >>> import rankgauge as rg
    >>> judgments = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}
    >>> old, new = {"q1": ["a", "x", "b"], "q2": ["c"]}, {"q1": ["a", "b"], "q2": ["x", "c"]}
    >>> attribution = rg.attribute(judgments, old, new, "P@2")
    >>> [(change.query, change.contribution) for change in attribution.queries]  # q1 went from 1/2 to 2/2
    [('q1', 0.25), ('q2', 0.0)]
    >>> [(item.item, item.kind, item.change) for item in attribution.query("q1").items]
    [('b', 'entered', 0.5), ('a', 'stayed', 0.0)]
    """
    options = ReadOptions.of(attribute, read_options, read)
    if not isinstance(systems, tuple | list) or len(systems) != 2:  # noqa: PLR2004 (a pair)
        raise ParameterError.of("systems", systems, ("the names of the two rankings", "两个排序结果的名称"))
    rules, parsed = check_convention(convention), metric_or_default(metric)
    _check_attributable(parsed, rules)
    judged, pair = resolve_pair("attribute", judgments, (first, second), options, systems)
    evaluator = Evaluator(judged, parsed, convention=rules, read_options=options)
    rules = evaluator.rules
    rankings = [of_spans(ranking, evaluator.judgments).loaded(evaluator.findings) for ranking in pair]
    if scores is None:
        for ranking in rankings:
            evaluator.add(ranking)
        both = evaluator.scores(weights)
        scores = both.system(systems[0]), both.system(systems[1])
    means = scores[0].mean(parsed), scores[1].mean(parsed)
    if math.isnan(means[1] - means[0]):
        raise InputError(
            f"{parsed}: a mean is not a number, so there is no difference to attribute; "
            "set undefined to a number or to 'skip'"
        )
    queries, unpaired = _contributions(*scores, parsed, rules, weights)

    def read_breakdowns(names: Sequence[object]) -> dict[object, QueryBreakdown]:
        formed_by = parsed.list_convention(rules)
        old, new = (ranked_lists(evaluator.judgments, ranking, names, formed_by, Findings()) for ranking in rankings)
        return {query: query_breakdown(parsed, query, old[query], new[query], rules) for query in names}

    pandas = evaluator.judgments.from_pandas or any(map(is_pandas, (first, second)))
    pandas |= any(side.from_pandas for side in scores)
    return Attribution(
        parsed, systems, means, queries, unpaired, rules, read_breakdowns, pandas, scores[0].findings.rows
    )


def _check_attributable(metric: Metric, rules: Convention) -> None:
    """Refuse a metric whose difference is not a sum over queries, or whose value is not a sum over judged items."""
    if metric.definition.summary.under(rules).is_resampled:
        raise ParameterError(f"{metric}: its difference is not a sum over queries; attribute a metric of grades")
    if metric.definition.of_items:
        raise ParameterError(
            f"{metric} depends on the items themselves, judged or not, and cannot be attributed to items; attribute a "
            "metric of grades, or use per_query() for the difference of each query"
        )


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)


def _contributions(
    first: Scores, second: Scores, metric: Metric, rules: Convention, weights: Mapping[object, float] | None
) -> tuple[tuple[QueryChange, ...], UnpairedQueries | None]:
    """Return the contribution of each query with two values, the largest first, and that of the other queries."""
    values = [scores.per_query(metric) for scores in (first, second)]
    old, new = ({query: value for query, value in side.items() if not math.isnan(value)} for side in values)
    pairs = [query for query in old if query in new]
    before, after = (np.array([side[query] for query in pairs]) for side in (old, new))
    added = _pair_contributions(before, after, pairs, metric, rules, weights)
    changes = [QueryChange(*row) for row in zip(pairs, before.tolist(), after.tolist(), added.tolist(), strict=True)]
    changes.sort(key=lambda change: -abs(change.contribution))
    others = tuple(query for query in values[0] | values[1] if (query in old) != (query in new))
    rest = second.mean(metric) - first.mean(metric) - math.fsum(added)
    return tuple(changes), UnpairedQueries(others, rest) if others else None


def _pair_contributions(
    before: Floats,
    after: Floats,
    queries: Sequence[object],
    metric: Metric,
    rules: Convention,
    weights: Mapping[object, float] | None,
) -> Floats:
    summary, count, change = metric.definition.summary, len(queries), after - before
    if not count or summary.adds_up(rules):
        return change
    if summary.is_exponential(rules):
        # exp(y) - exp(x) is (y - x) times the logarithmic mean of the two.
        before, after = summary.terms(before, rules), summary.terms(after, rules)
        x, y = before.mean(), after.mean()
        mean = math.exp(x) * (math.expm1(y - x) / (y - x)) if y != x else math.exp(x)
        return (after - before) * mean / count
    if rules.averaging == "median":
        raise ParameterError(f"{metric}: a difference of medians is not a sum over queries; use averaging='mean'")
    if rules.averaging == "weighted":
        share = np.array([float((weights or {})[query]) for query in queries])
        return change * share / share.sum()
    return change / count
