"""Comparison: the values of several systems on the same queries, and what they allow to say."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, get_args

import numpy as np

from rankgauge.analysis.attribution import Attribution, attribute
from rankgauge.analysis.slices import Slices, slices
from rankgauge.analysis.unjudged import UnjudgedBounds, unjudged_bounds
from rankgauge.comparison.corpus_level import CorpusComparison
from rankgauge.comparison.document import overall, page
from rankgauge.comparison.leaderboard import Agreement, DiscriminativePower, LeaderboardRow
from rankgauge.comparison.pair import Pair
from rankgauge.comparison.query_statistics import corrected_p_values, p_values
from rankgauge.comparison.settings import Settings
from rankgauge.comparison.values import Measured, Sources, Values, all_measured, as_number
from rankgauge.errors import InputError, ParameterError, UnknownNameError, shown
from rankgauge.evaluation.scores import Scores
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.document import Document
from rankgauge.rendering.language import Lang, check_lang
from rankgauge.segments import Floats
from rankgauge.stats.corrections import P_CORRECTIONS
from rankgauge.stats.intervals import bca_of_means, resampled_means, resamples_for, t_interval
from rankgauge.stats.rank_agreement import kendall_tau, rbo, tau_ap
from rankgauge.stats.rank_groups import compact_letters, rank_intervals, ranks
from rankgauge.stats.sign_flips import flips_for, randomisation_p, smallest_p

SCHEMA = 1
TWO = 2


class Comparison:
    """Several systems on the same queries; the baseline comes first in every difference.

    >>> both = Comparison.of({"A": {"q1": 0.5, "q2": 0.25}, "B": {"q1": 0.75, "q2": 0.5, "q3": 1.0}})
    >>> both.systems, both.metrics, both.baseline
    (('A', 'B'), ('value',), 'A')
    >>> both.values("value").queries  # A has no value for q3
    ('q1', 'q2')
    """

    def __init__(self, scores: Scores, *, baseline: str | None = None, settings: Settings | None = None) -> None:
        self._begin(scores, scores.systems, all_measured(scores), baseline, settings)

    @classmethod
    def of(
        cls,
        values: Mapping[str, Mapping[Any, float]],
        metric: str = "value",
        *,
        higher_is_better: bool = True,
        baseline: str | None = None,
        settings: Settings | None = None,
    ) -> Comparison:
        """Compare values that come from elsewhere: ``{system: {query: value}}``; NaN is no value."""
        systems = tuple(map(str, values))
        cls.check_systems(systems)
        queries = tuple(dict.fromkeys(query for column in values.values() for query in column))
        matrix = np.full((len(queries), len(systems)), np.nan)
        for place, (system, column) in enumerate(values.items()):
            matrix[:, place] = [as_number(column.get(query, np.nan), system, query) for query in queries]
        made = cls.__new__(cls)
        made._begin(None, systems, [Measured(metric, queries, matrix, higher_is_better)], baseline, settings)  # noqa: SLF001
        return made

    def _begin(
        self,
        scores: Scores | None,
        systems: tuple[str, ...],
        measured: Sequence[Measured],
        baseline: str | None,
        settings: Settings | None,
    ) -> None:
        self.check_systems(systems)
        self.scores = scores
        self.sources: Sources | None = None
        self.systems = systems
        self.settings = settings or Settings()
        self._measured = {one.name: one for one in measured}
        self.baseline = systems[0] if baseline is None else systems[self._place(baseline)]
        self._values: dict[str, Values] = {}
        self._resampled: dict[str, Floats] = {}
        self._boards: dict[str, tuple[LeaderboardRow, ...]] = {}
        self._tested: dict[tuple[str, bool], tuple[Pair, ...]] = {}
        self._corrected: dict[tuple[str, str | None], dict[tuple[int, int], float]] = {}
        self._wholes: dict[str, CorpusComparison] = {}

    @staticmethod
    def check_systems(systems: Sequence[str]) -> None:
        """Refuse what cannot be compared."""
        if len(systems) < TWO:
            raise ParameterError(f"compare: a comparison needs two systems or more, not {len(systems)}")

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics, in the order in which they were asked for."""
        return tuple(self._measured)

    def _of(self, metric: str | Metric | None) -> Measured:
        if metric is None:
            return next(iter(self._measured.values()))
        name = str(metric)
        if name not in self._measured and self.scores is not None:
            name = str(parse(metric))
        if name not in self._measured:
            raise UnknownNameError.closest("metric of this comparison", str(metric), self.metrics)
        return self._measured[name]

    def _place(self, system: str) -> int:
        if system not in self.systems:
            raise UnknownNameError.closest("system", str(system), self.systems)
        return self.systems.index(system)

    def values(self, metric: str | Metric | None = None) -> Values:
        """The queries for which every system has a value, and the matrix of queries by systems.

        A query that a system lacks (``missing="skip"``) or for which the metric is 0/0 is left out for all
        systems, so that every mean and every difference is over the same queries.
        """
        found = self._of(metric)
        if found.matrix is None:
            raise ParameterError(
                f"compare: {found.name} is one number of all queries together and has no values by query"
            )
        if found.name not in self._values:
            whole = ~np.isnan(found.matrix).any(axis=1)
            if not whole.any():
                lacking = int(np.isnan(found.matrix).sum(axis=0).argmax())
                raise InputError(
                    f"compare: no query has a value of {found.name} for all {len(self.systems)} systems; "
                    f"{shown(self.systems[lacking])} lacks most; leave it out or set missing='zero'"
                )
            kept = tuple(found.queries[place] for place in np.flatnonzero(whole))
            self._values[found.name] = Values(kept, found.matrix[whole])
        return self._values[found.name]

    def whole(self, metric: str | Metric | None = None) -> CorpusComparison | None:
        """The systems by a metric that is one number of all queries together; None where it has values by query."""
        name, scores = self._of(metric).name, self.scores
        if scores is None or self._of(metric).matrix is not None:
            return None
        if name not in self._wholes:
            self._wholes[name] = CorpusComparison.of(scores, name, self.settings)
        return self._wholes[name]

    def left_out(self, metric: str | Metric | None = None) -> dict[str, int]:
        """How many queries each system has no value for; those are left out for all."""
        if (matrix := self._of(metric).matrix) is None:
            return {}
        lacking = np.isnan(matrix).sum(axis=0)
        return {name: int(count) for name, count in zip(self.systems, lacking, strict=True) if count}

    def queries_left_out(self, metric: str | Metric | None = None) -> int:
        """How many queries some system has no value for."""
        matrix = self._of(metric).matrix
        return 0 if matrix is None else int(np.isnan(matrix).any(axis=1).sum())

    def resamples(self, metric: str | Metric | None = None) -> int:
        """How many bootstrap samples are drawn for this number of queries."""
        return resamples_for(len(self.values(metric).queries), self.settings.resamples)

    def flips(self, metric: str | Metric | None = None) -> int:
        """How many random sign flips are made for this number of queries."""
        return flips_for(len(self.values(metric).queries), self.settings.permutations)

    # One system

    def leaderboard(self, metric: str | Metric | None = None) -> tuple[LeaderboardRow, ...]:
        """The systems, best first, with what their order is worth.

        >>> both = Comparison.of({"A": {1: 0.1, 2: 0.3, 3: 0.2}, "B": {1: 0.2, 2: 0.5, 3: 0.1}})
        >>> [(one.system, one.rank, one.ranks, one.group) for one in both.leaderboard()]
        [('B', 1, (1, 2), 'a'), ('A', 2, (1, 2), 'a')]
        """
        name = self._of(metric).name
        if name not in self._boards:
            whole = self.whole(name)
            self._boards[name] = self._board(name) if whole is None else whole.leaderboard()
        return self._boards[name]

    def _board(self, metric: str) -> tuple[LeaderboardRow, ...]:
        found, matrix = self._of(metric), self.values(metric).matrix
        level, means = 1 - self.settings.alpha, matrix.mean(axis=0)
        resampled = self._resampled_means(found.name)
        taken = rank_intervals(resampled, found.higher_is_better, level)
        rank = ranks(means[None, :], found.higher_is_better)[0]
        order = np.lexsort((np.arange(len(rank)), rank))
        different = np.zeros((len(order), len(order)), dtype=bool)
        enough = smallest_p(len(matrix)) < self.settings.alpha
        for (first, second), p in self._corrections(found.name, None).items():
            different[first, second] = different[second, first] = enough and p < self.settings.alpha
        shared = compact_letters(different[np.ix_(order, order)])
        return tuple(
            LeaderboardRow(
                self.systems[place],
                float(means[place]),
                float(np.median(matrix[:, place])),
                float(matrix[:, place].std(ddof=1)) if len(matrix) > 1 else float("nan"),
                t_interval(matrix[:, place], level),
                bca_of_means(matrix[:, place], resampled[:, place], level),
                int(rank[place]),
                taken[place],
                group,
            )
            for place, group in zip(order, shared, strict=True)
        )

    def _resampled_means(self, name: str) -> Floats:
        if name not in self._resampled:
            matrix = self.values(name).matrix
            self._resampled[name] = resampled_means(matrix, self.resamples(name), self.settings.seed)
        return self._resampled[name]

    # Pairs

    def pair(self, first: str, second: str, metric: str | Metric | None = None) -> Pair:
        """The difference of the second system from the first.

        The corrected p-value is that among the pairs with the baseline where one of the two is the baseline, and that
        among all pairs otherwise.
        """
        a, b = self._place(first), self._place(second)
        if a == b:
            raise ParameterError(f"compare: {shown(first)} cannot be compared with itself")
        name = self._of(metric).name
        baseline = self.baseline if self.baseline in {first, second} else None
        if (whole := self.whole(name)) is not None:
            return whole.pairs([(a, b)], self._places(baseline))[0]
        return self._pairs(name, [(a, b)], self._corrections(name, baseline))[0]

    def pairs(self, metric: str | Metric | None = None, *, every: bool = False) -> tuple[Pair, ...]:
        """Each system against the baseline; with ``every``, each against every other one."""
        name = self._of(metric).name
        if (name, every) not in self._tested:
            baseline, whole = None if every else self.baseline, self.whole(name)
            places = self._places(baseline)
            self._tested[name, every] = (
                self._pairs(name, places, self._corrections(name, baseline))
                if whole is None
                else whole.pairs(places, places)
            )
        return self._tested[name, every]

    def _pairs(
        self, name: str, places: Sequence[tuple[int, int]], family: Mapping[tuple[int, int], float]
    ) -> tuple[Pair, ...]:
        matrix, settings, count = self.values(name).matrix, self.settings, len(self.systems)
        differences = np.column_stack([matrix[:, b] - matrix[:, a] for a, b in places])
        shuffled = randomisation_p(differences, self.flips(name), settings.seed)
        return tuple(
            Pair(
                self.systems[a],
                self.systems[b],
                name,
                matrix[:, a],
                matrix[:, b],
                settings,
                self._of(name).higher_is_better,
                float(p),
                self._bootstrap_of(name, a, b),
                family.get((a, b), family.get((b, a), float("nan"))),
                len(family) if settings.correction in P_CORRECTIONS else count * (count - 1) // 2,
            )
            for (a, b), p in zip(places, shuffled, strict=True)
        )

    def _bootstrap_of(self, name: str, a: int, b: int) -> Callable[[], Floats]:
        return lambda: self._resampled_means(name)[:, b] - self._resampled_means(name)[:, a]

    def _places(self, baseline: str | None) -> list[tuple[int, int]]:
        """Each system with the baseline, or all pairs."""
        count = len(self.systems)
        if baseline is None:
            return [(a, b) for a in range(count) for b in range(a + 1, count)]
        at = self._place(baseline)
        return [(at, b) for b in range(count) if b != at]

    def _corrections(self, name: str, baseline: str | None) -> dict[tuple[int, int], float]:
        """The corrected p-value of each pair with the baseline, or of all pairs."""
        if (name, baseline) not in self._corrected:
            places = self._places(baseline)
            found = corrected_p_values(self.values(name).matrix, places, self.settings)
            self._corrected[name, baseline] = dict(zip(places, found.tolist(), strict=True))
        return self._corrected[name, baseline]

    # Metrics and orders

    def discriminative_power(self, metric: str | Metric | None = None) -> DiscriminativePower:
        """How many pairs of these systems the metric tells apart (Sakai 2006), by the paired t test, uncorrected.

        >>> both = Comparison.of({"A": {1: 0.1, 2: 0.3, 3: 0.2}, "B": {1: 0.2, 2: 0.5, 3: 0.1}})
        >>> both.discriminative_power().share
        0.0
        """
        if (whole := self.whole(metric)) is None:
            levels = np.sort(p_values(self.values(metric).matrix, self._places(None), self.settings))
        else:
            levels = np.sort([pair.p for pair in whole.pairs(self._places(None), self._places(None))])
        return DiscriminativePower(float((levels < self.settings.alpha).mean()), tuple(levels.tolist()))

    def agreement(self, first: str | Metric, second: str | Metric) -> Agreement:
        """How much the orders of the systems by two metrics agree; the second is the reference of tau-AP."""
        sides = []
        for metric in (first, second):
            whole = self.whole(metric)
            means = self.values(metric).matrix.mean(axis=0) if whole is None else whole.values
            sides.append(means if self._of(metric).higher_is_better else -means)
        by_name = [dict(zip(self.systems, means.tolist(), strict=True)) for means in sides]
        return Agreement(kendall_tau(*sides), tau_ap(*sides), rbo(by_name[0], by_name[1]))

    # Where a difference comes from

    def attribution(self, first: str, second: str, metric: str | Metric | None = None) -> Attribution:
        """The difference of two systems (second minus first) as a sum over queries, and inside a query over items."""
        judgments, rankings, reading = self._read_from()
        scores = self._evaluated().system(first), self._evaluated().system(second)
        pair = rankings[first], rankings[second]
        rules, name = scores[0].convention, self._of(metric).name
        return attribute(judgments, *pair, name, systems=(first, second), convention=rules, scores=scores, **reading)

    def slices(self, by: str, metric: str | Metric | None = None, **options: Any) -> Slices:
        """The comparison by kinds of queries: an attribute, ``"judgments"`` or ``"difficulty"``; see ``slices``."""
        if by == "judgments" and options.get("attributes") is None:
            options = {"judgments": self._read_from()[0]} | options
        return slices(self._evaluated(), self._of(metric).name, by, **({"baseline": self.baseline} | options))

    def unjudged(self, metric: str | Metric | None = None, max_grade: float | None = None) -> UnjudgedBounds:
        """How far unjudged items could move each mean, and whether they could turn an order round."""
        judgments, rankings, reading = self._read_from()
        rules = self._evaluated().convention
        return unjudged_bounds(
            judgments, rankings, self._of(metric).name, max_grade=max_grade, convention=rules, **reading
        )

    def _read_from(self) -> Sources:
        if self.sources is None:
            raise ParameterError("compare: this needs judgments and rankings; compare those, not their scores")
        return self.sources

    def _evaluated(self) -> Scores:
        if self.scores is None:
            raise ParameterError("compare: this needs scores by query; compare rankings, or Scores, not values")
        return self.scores

    # For people

    def verdict(self, metric: str | Metric | None = None, lang: str = "en") -> str:
        """What the comparison amounts to, in a sentence: of the pair, or of the best of several systems."""
        return overall(self, self._of(metric).name, lang)

    def document(self, lang: str = "en", *, every: bool = False) -> Document:
        """The verdict, the leaderboard, the pairs and the rules in force, metric by metric."""
        return page(self, check_lang(lang), every=every)

    def table(self, lang: str = "en", *, every: bool = False) -> str:
        """The same as text."""
        return self.document(lang, every=every).to_text()

    def to_markdown(self, lang: str = "en", *, every: bool = False) -> str:
        """The same as Markdown."""
        return self.document(lang, every=every).to_markdown()

    def to_latex(self, lang: str = "en", *, every: bool = False) -> str:
        """The same as LaTeX with booktabs tables."""
        return self.document(lang, every=every).to_latex()

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(self.systems)}: {', '.join(self.metrics)}>"

    def _repr_html_(self) -> str:
        return self.document().to_html()

    # As data

    def to_dict(self, *, every: bool = False) -> dict[str, Any]:
        """Everything as plain data; what is not a number is None."""
        return {
            "schema": SCHEMA,
            "baseline": self.baseline,
            "settings": asdict(self.settings),
            "convention": self.scores.convention.to_dict() if self.scores is not None else None,
            "metrics": {
                name: {
                    "queries": self._counted(name),
                    "left_out": self.left_out(name),
                    "verdict": {lang: self.verdict(name, lang) for lang in get_args(Lang)},
                    "discriminative_power": self.discriminative_power(name).share,
                    "systems": [one.to_dict() for one in self.leaderboard(name)],
                    "pairs": [one.to_dict() for one in self.pairs(name, every=every)],
                }
                for name in self.metrics
            },
        }

    def _counted(self, metric: str) -> int:
        whole = self.whole(metric)
        return len(self.values(metric).queries) if whole is None else whole.queries

    def to_json(self, indent: int | None = None, *, every: bool = False) -> str:
        """Everything as JSON."""
        return json.dumps(self.to_dict(every=every), ensure_ascii=False, indent=indent)
