"""`agreement`: how far a judge and people, or several raters, agree on the same pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, Unpack

import numpy as np
import polars as pl

from rankgauge.conventions import Convention
from rankgauge.errors import ParameterError, shown
from rankgauge.inputs.findings import Findings, ShownWithFindings, input_error, warn_about
from rankgauge.inputs.frames import with_like_ids
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.judging.label_pair import note_other_scale, note_queries_without_judge
from rankgauge.judging.labels import ADJUDICATOR, PAIR, Combination, Labels, as_judgments, check_scale, side_by_side
from rankgauge.judging.number import (
    Bias,
    NamedNumbers,
    Number,
    ResampledCounts,
    clustered_mean,
    interval_settings,
    number_of,
    share,
    with_holm,
)
from rankgauge.matching.source_types import JudgmentsLike, RankingLike, RankingsLike
from rankgauge.rendering.document import Document
from rankgauge.rendering.language import Phrase, check_lang, plural
from rankgauge.rendering.plain import PlainData, finite_or_none
from rankgauge.segments import Floats, Ints
from rankgauge.stats.rater_agreement import (
    Level,
    RatingCounts,
    Statistic,
    Weights,
    alpha_of,
    distinct_grades,
    gwet_of,
    kappa_of,
    observed_agreement,
)

RESAMPLES = 2_000
MEASURES = ("percent", "kappa", "kappa_linear", "kappa_quadratic", "ac1", "ac2")
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")
RATERS = 2
LAST_RANKS = (1, 2, 3, 5, 10, 20, 50, 100)
"""Last ranks of the groups in which bias by rank is measured."""


class ThresholdAgreement(NamedTuple):
    """Agreement on which items have at least some grade; the second rater is measured against the first."""

    threshold: float
    kappa: Number
    sensitivity: Number
    """Share of the items that the first rater calls relevant that the second calls relevant."""
    specificity: Number
    """Share of the items that the first rater calls not relevant that the second calls not relevant."""
    first_rate: float
    second_rate: float
    """Share of the items that each calls relevant."""


@dataclass(frozen=True, eq=False, repr=False)
class RaterAgreement(ShownWithFindings, NamedNumbers):
    """Agreement of two or more raters on the pairs that at least two of them graded.

    Intervals resample queries, because items of one query are not independent. ``float()`` takes any of the numbers.
    """

    raters: tuple[str, ...]
    pairs: pl.DataFrame
    """Query, item and a column of grades for each rater: grade_1, grade_2, ..."""
    level: float = 0.95
    resamples: int = RESAMPLES
    seed: int = 0
    bias_by_rank: tuple[Bias, ...] = ()
    """How much higher the second rater grades, by the best rank of an item, if rankings were given."""
    between_people: RaterAgreement | None = None
    """Agreement of the people among themselves, if the first rater stands for several."""
    findings: Findings = field(default_factory=Findings)

    # Counts

    @cached_property
    def _ratings(self) -> Floats:
        return self.pairs.drop(PAIR).to_numpy().astype(np.float64)

    @cached_property
    def _query(self) -> tuple[Ints, int]:
        codes = self.pairs["query"].rank("dense").to_numpy().astype(np.int64) - 1
        return codes, int(codes.max(initial=-1)) + 1

    @cached_property
    def _all(self) -> tuple[RatingCounts, RatingCounts]:
        """The counts of all pairs, and those of bootstrap samples of the queries."""
        ratings = self._ratings
        counts = RatingCounts.of(distinct_grades(ratings, "agreement"), ratings, *self._query)
        return counts.total(), counts.resampled(self.resamples, self.seed)

    def _number(self, statistic: Statistic, low: float = -1.0, high: float = 1.0) -> Number:
        total, samples = self._all
        return number_of(float(statistic(total)), statistic(samples), self._query[1], self.level, (low, high))

    @property
    def queries(self) -> int:
        """Number of queries."""
        return self._query[1]

    @property
    def grades(self) -> tuple[float, ...]:
        """The distinct grades."""
        return tuple(self._all[0].grades.tolist())

    @cached_property
    def confusion(self) -> pl.DataFrame:
        """A row for each grade of the first rater, a column for each grade of the second, of pairs that both graded."""
        self._only_two("confusion")
        size, codes = len(self.grades), np.searchsorted(self.grades, self._ratings[self._complete])
        table = np.bincount(codes[:, 0] * size + codes[:, 1], minlength=size**2).reshape(size, size)
        columns = {f"{grade:g}": table[:, place] for place, grade in enumerate(self.grades)}
        return pl.DataFrame({self.raters[0]: [f"{grade:g}" for grade in self.grades], **columns})

    @property
    def _complete(self) -> Any:
        return ~np.isnan(self._ratings).any(axis=1)

    def _only_two(self, what: str) -> None:
        if len(self.raters) > RATERS:
            names = ", ".join(self.raters)
            en, zh = f"{what} is of two raters, not {len(self.raters)} ({names})", f"{what} 只针对两位评分者（{names}）"
            raise ParameterError((f"{en}; pass two of them", f"{zh}；请只给出其中两位"))

    # Numbers

    @cached_property
    def percent(self) -> Number:
        """Share of pairs of ratings that are equal."""
        return self._number(observed_agreement, 0.0)

    @property
    def base_rates(self) -> dict[str, dict[float, float]]:
        """Share of each grade, by rater."""
        counts = self._all[0].by_rater
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)  # a rater may have graded no pair
        return {
            rater: dict(zip(self.grades, row.tolist(), strict=True))
            for rater, row in zip(self.raters, shares, strict=True)
        }

    @cached_property
    def kappa(self) -> Number:
        """Cohen's kappa; Conger's for more than two raters."""
        return self._number(kappa_of)

    @cached_property
    def kappa_linear(self) -> Number:
        """Kappa in which a disagreement counts by the distance of the grades."""
        return self._number(lambda counts: kappa_of(counts, "linear"))

    @cached_property
    def kappa_quadratic(self) -> Number:
        """Kappa in which a disagreement counts by the squared distance of the grades."""
        return self._number(lambda counts: kappa_of(counts, "quadratic"))

    def kappas(self, weights: Weights = None) -> tuple[float, Floats]:
        """Return kappa, and that of bootstrap samples of the queries; the same queries have the same samples."""
        total, samples = self._all
        return float(kappa_of(total, weights)), kappa_of(samples, weights)

    def alpha(self, level: Level = "ordinal") -> Number:
        """Return Krippendorff's alpha: ``"nominal"``, ``"ordinal"``, ``"interval"`` or ``"ratio"``."""
        return self._number(lambda counts: alpha_of(counts, level))

    @cached_property
    def ac1(self) -> Number:
        """Gwet's AC1."""
        return self._number(gwet_of)

    @cached_property
    def ac2(self) -> Number:
        """Gwet's AC2 with squared distances of the grades."""
        return self._number(lambda counts: gwet_of(counts, "quadratic"))

    def at(self, threshold: float) -> ThresholdAgreement:
        """Return the agreement of two raters on which items have at least this grade."""
        self._only_two("agreement at a threshold")
        binary = np.where(np.isnan(self._ratings), np.nan, self._ratings >= threshold)[self._complete]
        codes = self._query[0][self._complete]
        counts = RatingCounts.of(np.array([0.0, 1.0]), binary, codes, self._query[1])
        total, resampled = counts.total(), counts.resampled(self.resamples, self.seed)
        kappa = number_of(float(kappa_of(total)), kappa_of(resampled), self._query[1], self.level)
        cells = np.column_stack([np.bincount(codes, column, self._query[1]) for column in _cells(binary)])
        both = ResampledCounts.of(cells, self.level, self.resamples, self.seed)
        rates = total.by_rater[:, 1] / total.by_rater.sum(axis=1)
        return ThresholdAgreement(
            threshold, kappa, both.number(share(3, 2, 3)), both.number(share(0, 0, 1)), *rates.tolist()
        )

    @cached_property
    def thresholds(self) -> tuple[ThresholdAgreement, ...]:
        """Agreement at each grade but the lowest."""
        return tuple(self.at(grade) for grade in self.grades[1:])

    @cached_property
    def bias_by_grade(self) -> tuple[Bias, ...]:
        """How much higher the second rater grades, by the grade that the first gave.

        Where raters disagree by chance alone, low grades look too high and high ones too low.
        """
        self._only_two("bias by grade")
        groups = [f"{grade:g}" for grade in self.grades]
        return self.bias(np.searchsorted(self.grades, np.nan_to_num(self._ratings[:, 0])), groups)

    def bias(self, group: Ints, names: Sequence[str]) -> tuple[Bias, ...]:
        """Return the mean difference, second minus first, of each group of pairs; -1 is no group."""
        difference = self._ratings[:, 1] - self._ratings[:, 0]
        rows = [np.flatnonzero(self._complete & (group == place)) for place in range(len(names))]
        return with_holm(
            (name, len(own), *clustered_mean(difference[own], self._query[0][own], self.level))
            for name, own in zip(names, rows, strict=True)
            if len(own)
        )

    # Output

    def numbers(self) -> dict[str, Number]:
        """Return the measures of agreement by name."""
        named = {name: getattr(self, name) for name in MEASURES}
        return named | {f"alpha_{level}": self.alpha(level) for level in LEVELS}

    def to_dict(self) -> PlainData:
        """Return plain data."""
        from rankgauge.judging.agreement_document import agreement_data  # noqa: PLC0415 (reads this module's names)

        data: dict[str, object] = finite_or_none(agreement_data(self))
        return data

    def document(self, lang: str = "en", digits: int = 4) -> Document:
        """Return the agreement with base rates, confusion and thresholds."""
        from rankgauge.judging.agreement_document import agreement_document  # noqa: PLC0415

        return agreement_document(self, check_lang(lang), digits)

    def __repr__(self) -> str:
        pairs = plural(self.pairs.height, "# pair", "# pairs")
        return f"<RaterAgreement of {', '.join(self.raters)}: {pairs}, kappa {self.kappa}>"


def agreement(
    *raters: JudgmentsLike | Labels,
    rankings: RankingLike | RankingsLike | None = None,
    combine: Combination = "majority",
    adjudicator: str = ADJUDICATOR,
    scale: tuple[float, float] | None = None,
    alpha: float = 0.05,
    resamples: int = RESAMPLES,
    seed: int = 0,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> RaterAgreement:
    """Measure how far two or more raters agree on the same pairs of query and item.

    Parameters
    ----------
    *raters
        Labels or judgments of each rater: first people, then the judge, which is measured against them. One table with
        a column of raters holds them all.
    rankings
        One ranking, or several as ``{"name": ranking}``: the bias of the second rater by rank.
    combine
        How several people of one source become one: ``"majority"``, ``"mean"``, ``"adjudicated"``, ``"optimistic"`` or
        ``"pessimistic"``.
    adjudicator
        The rater who decides where others disagree, for ``combine="adjudicated"``.
    scale
        The lowest and the highest grade; others are an error.
    alpha
        Significance level: intervals have the confidence level ``1 - alpha``.
    resamples, seed
        Number of bootstrap samples of the queries, and the seed of the random numbers.
    read_options, **read
        How data are read; see ReadOptions.

    Examples
    --------
    >>> import rankgauge as rg
    >>> people = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 0, "b": 1, "d": 2}}
    >>> judge = {"q1": {"a": 2, "b": 1, "c": 1}, "q2": {"a": 0, "b": 1, "d": 1}}
    >>> found = rg.judges.agreement(people, judge)
    >>> round(float(found.kappa), 4), round(float(found.percent), 4)
    (0.5, 0.6667)
    """
    options = ReadOptions.of(agreement, read_options, read)
    settings = interval_settings(alpha, resamples, seed, "agreement")
    sources = [Labels.of(source, options, name) for source, name in zip(raters, _names(len(raters)), strict=True)]
    findings = Findings()
    for source in sources:
        check_scale(source.frame, scale, source.name, findings)
        findings.merge(source.findings)
    findings.raise_errors(options.lenient)
    if len(sources) == 1:
        return _between(sources[0], settings, findings)
    tables = [as_judgments(source.combined(combine, adjudicator)) for source in sources]
    named = [source.raters[0] for source in sources if len(source.raters) == 1]
    names = named if len({*named}) == len(sources) else [source.name for source in sources]
    if len(tables) == RATERS:
        judge, person = with_like_ids(tables[1], tables[0])
        note_queries_without_judge(judge, person, findings)
        if scale is None:
            note_other_scale(judge, person, findings)
    people = _between(sources[0], settings, Findings()) if len(sources[0].raters) >= RATERS else None
    found = _agreement(side_by_side(tables, "full"), names, settings, findings, people)
    warn_about(findings)
    return found if rankings is None else replace(found, bias_by_rank=_bias_by_rank(found, rankings, options))


def _bias_by_rank(found: RaterAgreement, rankings: Any, options: ReadOptions) -> tuple[Bias, ...]:
    """Return the bias by the best rank of an item in any of the lists."""
    from rankgauge.judging.query_values import RankedSystems  # noqa: PLC0415 (evaluates)

    pairs = found.pairs.select(*PAIR, grade="grade_1")
    systems = RankedSystems.of("agreement", pairs, rankings, Convention(), None, None, options)
    ranks = pairs.join(systems.best_ranks(pairs, None), on=PAIR, how="left", maintain_order="left")["rank"]
    edges = np.searchsorted(np.array(LAST_RANKS), ranks.fill_null(0).to_numpy())
    names = [f"{low + 1}–{high}" if low + 1 < high else f"{high}" for low, high in pairwise((0, *LAST_RANKS))]
    group = np.where(ranks.is_null().to_numpy(), len(names) + 1, edges)
    return found.bias(group, [*names, f"> {LAST_RANKS[-1]}", "–"])


def _names(count: int) -> list[str]:
    if count < 1:
        raise ParameterError(("agreement: pass labels of two raters or more", "agreement：请给出至少两位评分者的标签"))
    return (
        [["people", "judge"], ["labels"]][count == 1]
        if count <= RATERS
        else [f"rater {n}" for n in range(1, count + 1)]
    )


def _between(labels: Labels, settings: dict[str, object], findings: Findings) -> RaterAgreement:
    """Return the agreement of the raters of one table."""
    if len(labels.raters) < RATERS:
        en = f"{labels.name}: one rater cannot agree with anybody; pass a second one, or a table with a column rater"
        zh = f"{labels.name}：只有一位评分者，无从比较；请再给出一位，或给出带 rater 列的表"
        raise ParameterError((en, zh))
    return _agreement(labels.by_rater(), labels.raters, settings, findings)


def _agreement(
    joined: pl.DataFrame,
    names: Sequence[str],
    settings: dict[str, Any],
    findings: Findings,
    people: RaterAgreement | None = None,
) -> RaterAgreement:
    columns = [f"grade_{place}" for place in range(1, len(names) + 1)]
    pairs = joined.filter(pl.sum_horizontal(pl.col(name).is_not_null().cast(pl.Int32) for name in columns) >= RATERS)
    if not pairs.height:
        graded = [joined.drop_nulls(name).select(PAIR) for name in columns]
        few = [", ".join(map(shown, table.row(0))) if table.height else "–" for table in graded]
        en = f"no pair has two grades: {names[0]} has ({few[0]}), {names[-1]} has ({few[-1]})"
        zh = f"没有一对查询与物品有两个等级：{names[0]} 有（{few[0]}），{names[-1]} 有（{few[-1]}）"
        raise input_error("RG604", Phrase(en, zh))
    return RaterAgreement(tuple(names), pairs, between_people=people, findings=findings, **settings)


def _cells(binary: Floats) -> list[Floats]:
    """Return whether each pair is (0, 0), (0, 1), (1, 0) or (1, 1) by the first and the second rater."""
    code = (binary[:, 0] * 2 + binary[:, 1]).astype(np.int64)
    return [(code == cell).astype(np.float64) for cell in range(4)]
