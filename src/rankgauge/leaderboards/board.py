"""The leaderboard: aggregates of systems over data sets, the ranks that they may have, and how robust these are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.evaluation.score_formats import table_text
from rankgauge.inputs.findings import Findings, ShownWithFindings
from rankgauge.leaderboards import robustness, uncertainty
from rankgauge.leaderboards.aggregates import (
    AGGREGATES,
    Aggregate,
    AggregateName,
    Contributions,
    MissingRule,
    filled,
    standard_scale,
    weighted_means,
)
from rankgauge.leaderboards.document import board_data, board_document, board_rows, board_table, mark_notes
from rankgauge.leaderboards.pair import BoardPair, board_pair
from rankgauge.leaderboards.results import Results
from rankgauge.leaderboards.robustness import Influence, SubsetShare
from rankgauge.leaderboards.uncertainty import Resampling, Rows, Uncertainty
from rankgauge.rendering.document import Document, Paragraph
from rankgauge.rendering.language import check_lang, plural
from rankgauge.rendering.plain import FrameResult, JsonResult, columns_of, finite_or_none
from rankgauge.segments import Floats, Ints
from rankgauge.stats.intervals import Interval
from rankgauge.stats.rank_groups import neighbour_groups, rank_sets
from rankgauge.stats.strengths import ELO

Target = Literal["queries", "data sets"]


@dataclass(eq=False, repr=False)
class Leaderboard(ShownWithFindings, FrameResult, JsonResult):
    """Systems over many data sets, best first."""

    results: Results
    """The systems of the board and their values."""
    aggregate: AggregateName
    missing: MissingRule
    target: Target
    families: Mapping[str, str] = field(default_factory=dict)
    """Family of each data set; data sets that are in none are families of their own."""
    baseline: str | None = None
    resampling: Resampling = field(default_factory=lambda: Resampling(0.05, 2_000, 2_000, 0))
    left_out: Sequence[str] = ()
    """Systems without a value on every data set, which ``missing="complete"`` leaves out."""

    # Data

    @property
    def findings(self) -> Findings:
        """What was noticed in the results."""
        return self.results.findings

    @property
    def alpha(self) -> float:
        """Significance level of all pairs together."""
        return self.resampling.alpha

    @property
    def definition(self) -> Aggregate:
        """The aggregate and how it is computed."""
        return AGGREGATES[self.aggregate]

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher aggregate is better."""
        by_definition = self.definition.higher_is_better
        return self.results.higher_is_better if by_definition is None else by_definition

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, best first."""
        return tuple(self.results.systems[place] for place in self.order)

    @property
    def data_sets(self) -> tuple[str, ...]:
        """The data sets, in the order of the results."""
        return self.results.data_sets

    @cached_property
    def sign(self) -> float:
        """1, or -1 if lower values are better."""
        return 1.0 if self.results.higher_is_better else -1.0

    @cached_property
    def units(self) -> tuple[str, ...]:
        """What counts once: the data sets, or the families that are averaged first."""
        if self.aggregate == "family mean" or not self.families:
            return self.data_sets
        return tuple(dict.fromkeys(self._family))

    @cached_property
    def _family(self) -> list[str]:
        return [self.families.get(name, name) for name in self.data_sets]

    @cached_property
    def unit_values(self) -> Floats:
        """Values of the systems on the units, higher is better; NaN where one is missing."""
        values = self.sign * self.results.means
        if self.units == self.data_sets:
            return values
        return self._averaged(self._kept(values))

    def _averaged(self, values: Floats) -> Floats:
        """Return values on data sets as values on units; under "present", of the members of a family that are there."""
        if self.units == self.data_sets:
            return values
        members = np.array(self._family) == np.array(self.units)[:, None]
        known = ~np.isnan(values)
        counts = known @ members.T.astype(np.float64)
        sums = np.where(known, values, 0.0) @ members.T
        wanted = counts > 0 if self.missing == "present" else counts == members.sum(axis=1)
        return np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=wanted)

    @cached_property
    def unit_weights(self) -> Floats:
        """Weight of each unit: equal, or in a mean of family means equal for all families."""
        if self.aggregate != "family mean":
            return np.full(len(self.units), 1 / len(self.units))
        return self._data_set_weights()

    @cached_property
    def contributions(self) -> Contributions:
        """What each unit contributes to each system, in the order of the results."""
        if self.missing == "bounds" and self.definition.of_queries:  # values at their lowest and at their highest
            values = self.sign * self.results.means
            low = self._averaged(filled(values))
            high = low if self.results.complete else self._averaged(filled(values, with_highest=True))
            return Contributions(low, high)
        return self.definition.contributions(self.unit_values, self.missing)

    @cached_property
    def _means(self) -> tuple[Floats, Floats, Floats]:
        """Mean contributions, low and high, and the effects of the units that were taken out."""
        low, effects = weighted_means(self.contributions.low, self.unit_weights)
        high = low
        if self.contributions.high is not self.contributions.low:
            high, _ = weighted_means(self.contributions.high, self.unit_weights)
        return low, high, effects

    @cached_property
    def scores(self) -> Floats:
        """Mean contribution of each system, in the order of the results; the middle where values are missing."""
        low, high, _ = self._means
        return low if high is low else (low + high) / 2

    @cached_property
    def order(self) -> Ints:
        """Places of the systems in the results, best first; equal ones in the order of the results."""
        return np.argsort(self.ranks, kind="stable")

    @cached_property
    def ranks(self) -> Ints:
        """Rank of each system, in the order of the results; equal ones share the better rank."""
        return robustness.rounded_ranks(self.scores[None, :])[0]

    def shown(self, scores: Floats) -> Floats:
        """Return mean contributions as the numbers of the aggregate."""
        if self.definition.higher_is_better is None:
            return self.sign * scores
        return self.definition.shown(scores, len(self.results.systems), len(self.units))

    def place(self, system: str) -> int:
        """Return the place of a system in the results."""
        if system in self.left_out:
            en = f"{system} lacks data sets and was left out; pass missing='loses', 'present' or 'bounds'"
            raise ParameterError((en, f"{system} 缺少数据集，已被排除；请使用 missing='loses'、'present' 或 'bounds'"))
        if system not in self.results.systems:
            raise UnknownNameError.closest("system", str(system), self.results.systems)
        return self.results.systems.index(system)

    # Answers

    def values(self) -> dict[str, float]:
        """Return the aggregate of each system, best first."""
        return self._by_system(self.shown(self.scores).tolist())

    def _by_system(self, column: Sequence[Any]) -> dict[str, Any]:
        return {self.results.systems[place]: column[place] for place in self.order}

    def value_bounds(self) -> dict[str, Interval]:
        """Return the lowest and highest aggregate that the missing values leave possible; equal if none is missing."""
        ends = sorted(map(self.shown, self._means[:2]), key=lambda column: float(np.nansum(column)))
        return self._by_system([Interval(*pair) for pair in zip(*(end.tolist() for end in ends), strict=True)])

    def elo(self, mean: float = 1500.0) -> dict[str, float]:
        """Return Bradley-Terry strengths on the scale of Elo ratings; needs ``aggregate="bradley-terry"``."""
        if self.aggregate != "bradley-terry":
            raise ParameterError.of("aggregate", self.aggregate, "'bradley-terry'", "elo")
        return self._by_system((mean + ELO * self.scores).tolist())

    @cached_property
    def uncertainty(self) -> Uncertainty:
        """How certain the board is, with what is resampled under its target."""
        if self.target == "data sets" or not self.results.has_queries:
            if self.target == "queries":
                return self._of_deviations()
            if len(self.units) == 1:
                return uncertainty.without_rows(self.scores, self.alpha)
            low, high, _ = self.contributions
            low_rows = np.ascontiguousarray(low.T)
            high_rows = low_rows if high is low else np.ascontiguousarray(high.T)
            strata = np.unique(self._family, return_inverse=True)[1] if self.aggregate == "family mean" else None
            groups = np.zeros(len(self.units), dtype=np.int64) if strata is None else strata
            return uncertainty.of_rows(
                Rows(low_rows, high_rows, self.unit_weights, groups, self._means[2]), self.resampling
            )
        return uncertainty.of_rows(self._query_rows(), self.resampling)

    def _data_set_weights(self) -> Floats:
        """Return the weight of each data set, also inside families that are averaged first."""
        counts = np.array([self._family.count(name) for name in self._family])
        return 1 / (counts * len({*self._family}))

    def _scales(self) -> Floats:
        """Return the factor of each data set that turns values into contributions."""
        if self.aggregate != "z":
            return np.ones(len(self.data_sets))
        unit_scales = dict(zip(self.units, standard_scale(self._kept(self.unit_values))[1], strict=True))
        names = self.data_sets if self.units == self.data_sets else self._family
        return np.array([unit_scales[name] for name in names])

    def _kept(self, values: Floats) -> Floats:
        return filled(values) if self.missing == "loses" else values

    def _query_rows(self) -> Rows:
        """Return the queries of all data sets; a missing data set has what the rule says for all its queries."""
        values, scales = self.sign * self.results.means, self._scales()
        low = {"loses": filled, "bounds": filled}.get(self.missing, lambda table: table)(values)
        high = filled(values, with_highest=True) if self.missing == "bounds" else low
        heavy = self._data_set_weights()
        lows: list[Floats] = []
        highs: list[Floats] = []
        weights: list[float] = []
        strata: list[int] = []
        for place, matrix in sorted(self.results.per_query.items()):
            queries, absent = self.sign * matrix, np.isnan(matrix).all(axis=0)
            for column, rows in ((low, lows), (high, highs)):
                rows.append(scales[place] * np.where(absent, column[:, place], queries))
            weights += [heavy[place] / len(matrix)] * len(matrix)
            strata += [place] * len(matrix)
        low_rows = np.concatenate(lows)
        high_rows = low_rows if high is low or self.results.complete else np.concatenate(highs)
        _, effects = weighted_means(low_rows.T, np.array(weights))
        return Rows(low_rows, high_rows, np.array(weights), np.array(strata), effects)

    def _of_deviations(self) -> Uncertainty:
        """Return the uncertainty of means of which the number of queries and their standard deviation are known."""
        counts, deviations = self.results.counts, self.results.deviations
        squares = np.nan_to_num(np.square(deviations) / counts)  # type: ignore[arg-type]
        factors = (self._data_set_weights() * self._scales()) ** 2
        return uncertainty.of_deviations(self.scores, squares @ factors, self.resampling)

    def separable(self, first: str, second: str, *, marginal: bool = False) -> bool:
        """Whether two systems differ, simultaneously over all pairs; with ``marginal`` for this pair alone."""
        places = self.place(first), self.place(second)
        better = self.uncertainty.marginally_better if marginal else self.uncertainty.better
        return bool(better[places] or better[places[::-1]])

    def rank_sets(self, *, marginal: bool = False) -> dict[str, tuple[int, int]]:
        """Return the best and worst rank of each system.

        They hold for all systems together; with ``marginal`` they are the percentiles of the ranks of each system in
        resamples, which are narrower and hold for one system at a time.
        """
        if marginal:
            best, worst = self.uncertainty.marginal_ranks
            return self._by_system([*zip(best.tolist(), worst.tolist(), strict=True)])
        return self._by_system(rank_sets(self.uncertainty.better.T))

    def possible_firsts(self, *, marginal: bool = False) -> list[str]:
        """Return the systems that may be the best one."""
        return [system for system, (best, _) in self.rank_sets(marginal=marginal).items() if best == 1]

    def intervals(self) -> dict[str, Interval]:
        """Return the marginal interval of each system's aggregate: percentiles of resamples, of level 1 - alpha."""
        ends = sorted(map(self.shown, self.uncertainty.marginal_ends()), key=lambda column: float(np.nansum(column)))
        return self._by_system([Interval(*pair) for pair in zip(*(end.tolist() for end in ends), strict=True)])

    def groups(self) -> dict[str, tuple[int, int]]:
        """Return the first and last group of each system: neighbours in a group are not separable from one another."""
        better = self.uncertainty.better[np.ix_(self.order, self.order)]
        return dict(zip(self.systems, neighbour_groups(better | better.T), strict=True))

    def compare(self, first: str, second: str) -> BoardPair:
        """Return the difference of two systems with its intervals, and their wins by data set."""
        return board_pair(self, first, second)

    # Robustness

    def influence(self) -> list[Influence]:
        """Return what changes if one data set is left out, the most influential one first."""
        return [*self._influence]

    def subsets(self, first: str, second: str, size: int, *, samples: int = 10_000) -> SubsetShare:
        """Return the share of all subsets of ``size`` data sets in which the first system beats the second."""
        return robustness.subsets(self, first, second, size, samples)

    def agreement(self) -> dict[str, float]:
        """Return Kendall's tau between the order of this board and that of every other aggregate."""
        return dict(self._agreement)

    @cached_property
    def _influence(self) -> list[Influence]:
        return robustness.influence(self)

    @cached_property
    def _agreement(self) -> dict[str, float]:
        return robustness.agreement(self)

    # Output

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """A row per system, best first, with all digits."""
        return board_rows(self)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data; None for what is not a number."""
        return board_data(self)

    def to_csv(self) -> str:
        """Return a row per system as CSV, safe for spreadsheets."""
        return table_text(self.rows[0], (finite_or_none([*row.values()]) for row in self.rows), ",")

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return a row per system, best first, as columns."""
        return columns_of(self.rows)

    def to_html(self, title: str = "", lang: str = "en") -> str:
        """Return one page to open or forward: the board, rank intervals, a heat map, the influence of data sets."""
        from rankgauge.leaderboards.page import board_page  # noqa: PLC0415 (the table of HTML entities is slow to load)

        return board_page(self, title, check_lang(lang))

    def document(self, lang: str = "en", *, top: int | None = None, digits: int | None = None) -> Document:
        """Return the board, its rules, what is certain and how robust it is; ``top`` limits the number of systems."""
        return board_document(self, check_lang(lang), top, digits)

    def to_latex(self, lang: str = "en", *, top: int | None = None, digits: int | None = None) -> str:
        """Return the table as LaTeX: the best value bold, * for systems that may be the best."""
        language = check_lang(lang)
        table = board_table(self, language, top, digits, drawn=False)
        return Document([table, *map(Paragraph, mark_notes(self, language))]).to_latex()

    def __repr__(self) -> str:
        systems = plural(len(self.systems), "# system", "# systems")
        data_sets = plural(len(self.data_sets), "# data set", "# data sets")
        return f"<Leaderboard of {systems} on {data_sets}: {self.aggregate}>"
