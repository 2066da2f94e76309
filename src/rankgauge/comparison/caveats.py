"""Caveats: what could change a verdict, with the number it would be otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rankgauge.comparison.number_texts import p_relation, percent
from rankgauge.comparison.pair import Pair, SystemPair
from rankgauge.errors import RankgaugeError, shown
from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.kernels.incomplete import Judged
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats
from rankgauge.stats.paired_tests import paired_t

if TYPE_CHECKING:
    from rankgauge.comparison.comparison import Comparison

FEW, SHARE = 3, 0.05
"""A difference is carried by at most this many queries, and at most this share of them (but one)."""
MANY_QUERIES, LARGE_FILE = 20_000, 64 << 20
"""Beyond this rankings are not evaluated a second time for a caveat."""
UNJUDGED_SHARE = 0.02
"""Smaller shares of unjudged items are not worth a second evaluation."""
ORDERED = {"id", "id-ascending", "input", "input-reversed", "random"}
"""Tie rules that choose one of the possible orders."""
MESSAGES = {
    "missing": Phrase(
        "{count:# query has|# queries have} no results from {system} and {count:counts|count} as 0; without "
        "{count:it|them} {otherwise}.",
        "{count:,} 个查询没有来自 {system} 的结果，计为 0；若不计入，则为 {otherwise}。",
    ),
    "carried": Phrase(
        "{count:# query carries|# queries carry} the difference ({queries}): without {count:it|them} {otherwise}.",
        "差异主要来自 {count} 个查询（{queries}）：若不计入，则为 {otherwise}。",
    ),
    "ties": Phrase(
        "Scores are tied, and other orders of the tied items give differences from {low} to {high}.",
        "存在分数并列，并列物品的其他顺序给出的差异为 {low} 至 {high}。",
    ),
    "unjudged": Phrase(
        "Of the top {k}, {second_share} of {second} and {first_share} of {first} are not judged and count as not "
        "relevant; with unjudged items removed {otherwise}.",
        "前 {k} 个物品中，{second} 有 {second_share}、{first} 有 {first_share} 未标注，按不相关计；去掉未标注物品后为 "
        "{otherwise}。",
    ),
    "otherwise": Phrase("{difference}, p {p}", "{difference}，p {p}"),
}


def caveats(comparison: Comparison, pair: SystemPair) -> list[Phrase]:
    """Return what could change the verdict on a pair; nothing for a corpus-level metric."""
    if not isinstance(pair, Pair) or pair.identical or pair.queries < 2:  # noqa: PLR2004 (no test)
        return []
    phrases = [*_missing(comparison, pair), *_carried(comparison, pair)]
    again = _Again(comparison, pair)
    return phrases + ([*again.ties(), *again.unjudged()] if again.possible else [])


def _missing(comparison: Comparison, pair: Pair) -> list[Phrase]:
    """Queries for which one system returned nothing, if they count as an empty list."""
    if comparison.scores is None:
        return []
    phrases = []
    for system in (pair.first, pair.second):
        missing = {*comparison.scores.missing_in(system)}
        without = np.array([query in missing for query in comparison.values(pair.metric).queries])
        if without.any() and (~without).sum() > 1:
            count = int(without.sum())
            values = {"count": count, "system": shown(system, 200), "otherwise": _otherwise(pair, ~without)}
            phrases.append(MESSAGES["missing"].fill(**values))
    return phrases


def _carried(comparison: Comparison, pair: Pair) -> list[Phrase]:
    """The few queries without which a significant difference would not be one."""
    if not pair.significant:
        return []
    order = np.argsort(-np.sign(pair.difference) * pair.differences, kind="stable")
    for count in range(1, min(FEW, max(1, int(SHARE * pair.queries))) + 1):
        kept = np.ones(pair.queries, dtype=bool)
        kept[order[:count]] = False
        if not _decides(pair, pair.values_first[kept], pair.values_second[kept]):
            queries = comparison.values(pair.metric).queries
            names = ", ".join(str(queries[place]) for place in order[:count].tolist())
            return [MESSAGES["carried"].fill(count=count, queries=names, otherwise=_otherwise(pair, kept))]
    return []


def _decides(pair: Pair, first: Floats, second: Floats) -> bool:
    """Whether these values give the same decision: the same sign, and significant as before."""
    difference, p = float((second - first).mean()), paired_t(first, second).p
    same_sign = np.sign(difference) == np.sign(pair.difference) or not pair.significant
    return bool(same_sign and (p < pair.settings.alpha) == (pair.t.p < pair.settings.alpha))


def _otherwise(pair: Pair, kept: Bools) -> Phrase:
    return _result(pair, pair.values_first[kept], pair.values_second[kept])


def _result(pair: Pair, first: Floats, second: Floats) -> Phrase:
    difference = f"{(second - first).mean():+.{pair.settings.digits}f}"
    return MESSAGES["otherwise"].fill(difference=difference, p=p_relation(paired_t(first, second).p))


class _Again:
    """The two systems of a pair, evaluated under other rules."""

    def __init__(self, comparison: Comparison, pair: Pair) -> None:
        self._comparison, self._pair = comparison, pair
        self._metric = comparison.parsed_metrics.get(pair.metric)

    @property
    def possible(self) -> bool:
        """Whether the rankings are at hand, small enough and can be read again."""
        compared = self._comparison.compared_input
        if compared is None or self._metric is None or self._metric.definition.of_items:
            return False
        if len(compared.judgments.queries) > MANY_QUERIES:
            return False
        files = [compared.rankings[name].source.file for name in (self._pair.first, self._pair.second)]
        return all(file is None or (not file.is_one_shot and file.size < LARGE_FILE) for file in files)

    def ties(self) -> list[Phrase]:
        """The range of the difference over all orders of tied items, if it holds another decision."""
        scores = self._comparison.scores
        if scores is None or scores.convention.ties not in ORDERED:
            return []
        if "RG212" not in {finding.code for finding in scores.findings}:
            return []
        best, worst = self._values(self._metric, ties="best"), self._values(self._metric, ties="worst")
        if best is None or worst is None:
            return []
        extremes = [(worst[0], best[1]), (best[0], worst[1])]
        if all(_decides(self._pair, *values) for values in extremes):
            return []
        ends = sorted(float((second - first).mean()) for first, second in extremes)
        low, high = (f"{end:+.{self._pair.settings.digits}f}" for end in ends)
        return [MESSAGES["ties"].fill(low=low, high=high)]

    def unjudged(self) -> list[Phrase]:
        """The share of unjudged items in the top k, if removing them leads to another decision."""
        scores = self._comparison.scores
        if scores is None or self._metric is None or self._metric.k is None:
            return []
        if scores.convention.unjudged != "nonrelevant":
            return []
        judged = self._values(Judged @ self._metric.k)
        if judged is None:
            return []
        shares = [1 - float(values.mean()) for values in judged]
        removed = self._values(self._metric, unjudged="removed") if max(shares) >= UNJUDGED_SHARE else None
        if removed is None or _decides(self._pair, *removed):
            return []
        first, second = (percent(round(share, 3)) for share in shares)
        names = {"first": self._pair.first, "second": self._pair.second, "k": self._metric.k}
        otherwise = _result(self._pair, *removed)
        return [MESSAGES["unjudged"].fill(**names, first_share=first, second_share=second, otherwise=otherwise)]

    def _values(self, metric: Metric | None, **rules: object) -> tuple[Floats, Floats] | None:
        """Return the values of both systems under other rules for the queries compared; None if there are none."""
        compared, scores = self._comparison.compared_input, self._comparison.scores
        if compared is None or scores is None or metric is None:
            return None
        changed = scores.convention.replace(**rules)
        try:
            evaluator = Evaluator(compared.judgments, [metric], convention=changed)
            for name in (self._pair.first, self._pair.second):
                evaluator.add(self._comparison.loaded_ranking(name))
            changed_scores = evaluator.scores()
        except RankgaugeError:  # such as a metric that refuses a rule
            return None
        kept = {*self._comparison.values(self._pair.metric).queries}
        places = [place for place, query in enumerate(changed_scores.queries) if query in kept]
        first, second = (changed_scores.values(metric, name)[places] for name in (self._pair.first, self._pair.second))
        return None if np.isnan(first).any() or np.isnan(second).any() else (first, second)
