"""Where the difference between two systems comes from: which queries, and inside a query which items."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from rankgauge.analysis.item_attribution import QueryBreakdown, break_down
from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.evaluation.ranked_lists import ranked_lists
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.matching.ranking import Ranking
from rankgauge.matching.read_options import ReadKeywords, ReadOptions
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.document import Document
from rankgauge.rendering.language import plural
from rankgauge.segments import Floats

if TYPE_CHECKING:
    import polars as pl

SCHEMA = 1
Reader = Callable[[Sequence[Any]], dict[Any, QueryBreakdown]]


class QueryChange(NamedTuple):
    """One query under both systems."""

    query: Any
    first: float
    second: float
    contribution: float
    """What it adds to the difference of the means."""

    @property
    def change(self) -> float:
        """The difference of its two values."""
        return self.second - self.first


class Unpaired(NamedTuple):
    """What the queries add that only one of the systems is scored on."""

    queries: tuple[Any, ...]
    contribution: float


class Attribution:
    """The difference of two means, second minus first, as a sum over queries; and of a query, as a sum over items.

    ``queries`` has a row for each query, the largest contribution first; they add up to ``difference`` (with
    ``unpaired``, where a rule leaves out a query of one system only).
    """

    def __init__(
        self,
        metric: Metric,
        systems: tuple[str, str],
        means: tuple[float, float],
        queries: Iterable[QueryChange],
        unpaired: Unpaired | None,
        convention: Convention,
        read: Reader,
    ) -> None:
        self.metric = metric
        self.systems = systems
        self.means = means
        self.queries = tuple(sorted(queries, key=lambda one: -abs(one.contribution)))
        self.unpaired = unpaired
        self.convention = convention
        self._read = read
        self._known: dict[Any, QueryBreakdown] = {}

    @property
    def difference(self) -> float:
        """The second mean minus the first."""
        return self.means[1] - self.means[0]

    def explaining(self, share: float = 0.8) -> tuple[QueryChange, ...]:
        """The fewest queries whose contributions add up to this share of the difference."""
        if not 0 < share <= 1:
            raise ParameterError.of("share", share, "a number above 0 and at most 1")
        towards = math.copysign(1.0, self.difference)
        found, sum_so_far = [], 0.0
        for one in sorted(self.queries, key=lambda one: -towards * one.contribution):
            if sum_so_far >= share * abs(self.difference) or towards * one.contribution <= 0:
                break
            found.append(one)
            sum_so_far += towards * one.contribution
        return tuple(found)

    def query(self, query: Any) -> QueryBreakdown:
        """The difference of one query, item by item; read from the rankings when it is first asked for."""
        return self.breakdowns([query])[0]

    def breakdowns(self, queries: Iterable[Any] | None = None, top: int = 5) -> list[QueryBreakdown]:
        """The same for several queries, the rankings being read once; without queries, for the top ones."""
        asked = [one.query for one in self.queries[:top] if one.change] if queries is None else list(queries)
        unknown = [query for query in asked if query not in self._known]
        if unknown:
            self._known.update(self._read(unknown))
        return [self._known[query] for query in asked]

    # As data

    def to_frame(self) -> pl.DataFrame:
        """A row for each query as a polars frame."""
        import polars as pl  # noqa: PLC0415

        names = [one.query for one in self.queries]
        return pl.DataFrame(
            {
                "query": names if len({*map(type, names)}) < 2 else [*map(str, names)],  # noqa: PLR2004
                "first": [one.first for one in self.queries],
                "second": [one.second for one in self.queries],
                "change": [one.change for one in self.queries],
                "contribution": [one.contribution for one in self.queries],
            }
        )

    def items_frame(self, queries: Iterable[Any] | None = None, top: int = 5) -> pl.DataFrame:
        """A row for each item of some queries (the top ones where none are named) as a polars frame."""
        import polars as pl  # noqa: PLC0415

        pairs = [(one.query, item) for one in self.breakdowns(queries, top) for item in one.items]
        numbers = ("first_rank", "second_rank", "first", "second", "change")
        rows = [
            (str(query), str(item.item), item.grade, item.kind, *(getattr(item, name) for name in numbers))
            for query, item in pairs
        ]
        kinds = {"query": pl.String, "item": pl.String, "grade": pl.Float64, "kind": pl.String}
        return pl.DataFrame(rows, schema={**kinds, **dict.fromkeys(numbers, pl.Float64)}, orient="row")

    def to_dict(self, queries: Iterable[Any] | None = None, top: int = 5) -> dict[str, Any]:
        """Everything as plain data, with the items of some queries (the top ones where none are named)."""
        return {
            "schema": SCHEMA,
            "metric": str(self.metric),
            "systems": list(self.systems),
            "means": list(self.means),
            "difference": self.difference,
            "queries": [{**one._asdict(), "change": one.change} for one in self.queries],
            "unpaired": None if self.unpaired is None else self.unpaired._asdict(),
            "breakdowns": [one.to_dict() for one in self.breakdowns(queries, top)],
            "convention": self.convention.to_dict(),
        }

    def to_json(self, queries: Iterable[Any] | None = None, top: int = 5, indent: int | None = None) -> str:
        """The same as JSON."""
        return json.dumps(self.to_dict(queries, top), ensure_ascii=False, indent=indent, default=str)

    # For people

    def document(
        self, lang: str = "en", *, queries: Iterable[Any] | None = None, top: int = 5, limit: int = 10
    ) -> Document:
        """What to read: the queries that matter most, and the items of some (the top ones where none are named)."""
        from rankgauge.analysis.attribution_document import page  # noqa: PLC0415 (written when it is read)

        return page(self, lang, self.breakdowns(queries, top), limit)

    def to_text(self, lang: str = "en", width: int | None = None) -> str:
        """As terminal tables."""
        return self.document(lang).to_text(width)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        count = plural(len(self.queries), "# query", "# queries")
        return f"<Attribution of {self.metric}: {self.difference:+.6f} over {count}>"

    def _repr_html_(self) -> str:
        return self.document().to_html()


def attribute(
    judgments: Any,
    first: Any,
    second: Any,
    metric: str | Metric,
    *,
    systems: tuple[str, str] = ("first", "second"),
    convention: ConventionLike = None,
    weights: Mapping[Any, float] | None = None,
    scores: tuple[Scores, Scores] | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Attribution:
    """Where the difference between two rankings comes from; takes judgments and rankings as ``evaluate`` does.

    Parameters
    ----------
    judgments, first, second
        As for ``evaluate``; the difference is second minus first.
    metric
        What to compare by.
    systems
        What to call the two.
    convention, weights
        As for ``evaluate``.
    scores
        The scores of both, where they are known already.
    read_options, **read
        How data are read, as for ``evaluate``.

    Examples
    --------
    >>> import rankgauge as rg
    >>> judgments = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}
    >>> old, new = {"q1": ["a", "x", "b"], "q2": ["c"]}, {"q1": ["a", "b"], "q2": ["x", "c"]}
    >>> difference = rg.attribute(judgments, old, new, "P@2")
    >>> [(one.query, one.contribution) for one in difference.queries]  # q1 went from 1/2 to 2/2
    [('q1', 0.25), ('q2', 0.0)]
    >>> [(one.item, one.kind, one.change) for one in difference.query("q1").items]
    [('b', 'entered', 0.5), ('a', 'stayed', 0.0)]
    """
    options = ReadOptions.of(attribute, read_options, read)
    rules, found = check_convention(convention), parse(metric)
    if found.definition.summary.is_resampled:
        raise ParameterError(f"{found}: its difference is not a sum over queries; attribute a metric of grades")
    if found.definition.of_items:
        raise ParameterError(
            f"{found} looks at the items themselves, judged or not, and what each adds is not parted; attribute a "
            "metric of grades, or take per_query() for the difference of each query"
        )
    evaluator = Evaluator.of(judgments, found, rules, None, options)
    judged = evaluator.judgments
    rankings = [
        Ranking.of(source, options, name).loaded(evaluator.findings)
        for source, name in zip((first, second), systems, strict=True)
    ]
    if scores is None:
        for ranking in rankings:
            evaluator.add(ranking)
        both = evaluator.scores(weights)
        scores = both.system(systems[0]), both.system(systems[1])
    means = scores[0].mean(found), scores[1].mean(found)
    queries, unpaired = _contributions(*scores, found, rules, weights)

    def read_breakdowns(asked: Sequence[Any]) -> dict[Any, QueryBreakdown]:
        old, new = (ranked_lists(judged, ranking, asked, rules, Findings()) for ranking in rankings)
        return {query: break_down(found, query, old[query], new[query], rules) for query in asked}

    return Attribution(found, systems, means, queries, unpaired, rules, read_breakdowns)


def _contributions(
    first: Scores, second: Scores, metric: Metric, rules: Convention, weights: Mapping[Any, float] | None
) -> tuple[list[QueryChange], Unpaired | None]:
    """What each query adds to the difference of the means, in the order of the judgments."""
    one, other = first.per_query(metric), second.per_query(metric)
    counts = {query for query, value in one.items() if not math.isnan(value + other.get(query, math.nan))}
    pairs = [query for query in one if query in counts]
    before, after = (np.array([values[query] for query in pairs]) for values in (one, other))
    difference = second.mean(metric) - first.mean(metric)
    if math.isnan(difference):
        raise InputError(
            f"{metric}: a mean is not a number, so there is no difference to explain; "
            "set undefined to a number or to 'skip'"
        )
    added = _added(before, after, pairs, metric, rules, weights)
    changes = [QueryChange(*row) for row in zip(pairs, before.tolist(), after.tolist(), added.tolist(), strict=True)]
    alone = tuple(query for query in {**one, **other} if query not in counts and not _left_out(query, one, other))
    return changes, Unpaired(alone, difference - math.fsum(added)) if alone else None


def _left_out(query: Any, one: Mapping[Any, float], other: Mapping[Any, float]) -> bool:
    return all(math.isnan(values.get(query, math.nan)) for values in (one, other))


def _added(
    before: Floats,
    after: Floats,
    pairs: Sequence[Any],
    metric: Metric,
    rules: Convention,
    weights: Mapping[Any, float] | None,
) -> Floats:
    """What each pair of values adds to the difference of the means."""
    count = len(pairs)
    if not count:
        return np.empty(0)
    summary = metric.definition.summary
    if summary.adds_up(rules):
        return after - before
    if summary.is_exponential(rules):
        return _of_exponential(summary.terms(before, rules), summary.terms(after, rules)) / count
    if rules.averaging == "median":
        raise ParameterError(
            f"{metric}: a difference of medians is not a sum over queries; use averaging='mean' to see where it "
            "comes from"
        )
    if rules.averaging == "weighted":
        share = np.array([float((weights or {})[query]) for query in pairs])
        return (after - before) * share / share.sum()
    return (after - before) / count


def _of_exponential(before: Floats, after: Floats) -> Floats:
    """Changes of logarithms in units of the mean: exp(y) - exp(x) is (y - x) times the logarithmic mean of the two."""
    x, y = before.mean(), after.mean()
    mean = math.exp(x) * (math.expm1(y - x) / (y - x)) if y != x else math.exp(x)
    return (after - before) * mean
