"""Caveats: what could change a verdict, with the number it would be otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rankgauge.comparison.pair import Pair, SystemPair
from rankgauge.comparison.verdict import interval_phrase
from rankgauge.errors import RankgaugeError, shown
from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.evaluation.ranking_values import JudgedShareCheck, unjudged_shares
from rankgauge.inputs.findings import Findings
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.number_texts import decimal, p_relation, percent
from rankgauge.segments import Bools, Floats
from rankgauge.stats.paired_tests import paired_t

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rankgauge.comparison.comparison import Comparison
    from rankgauge.conventions import Convention
    from rankgauge.evaluation.scores import Scores
    from rankgauge.judging.corrected import Corrected
    from rankgauge.judging.estimates import Estimate
    from rankgauge.matching.judgments import Judgments

FEW, SHARE = 3, 0.05
"""A difference is carried by at most this many queries, and at most this share of them (but one)."""
MANY_QUERIES, LARGE_FILE = 20_000, 64 << 20
"""Beyond this rankings are not evaluated a second time for a caveat."""
UNJUDGED_SHARE = 0.02
"""Smaller shares of unjudged items are not worth a caveat."""
ORDERED = {"id", "id-ascending", "input", "input-reversed", "random"}
"""Tie rules that choose one of the possible orders."""
MESSAGES = {
    "people": Phrase(
        "This is by the judge alone; corrected by labels of people the difference is {difference} ({interval}): "
        "{change}.",
        "以上仅凭评判模型；用人的标签修正后差异为 {difference}（{interval}）：{change}。",
    ),
    "same": Phrase("the verdict stays", "结论不变"),
    "flipped": Phrase(
        "These verdicts are by the judge alone; correction by labels of people changes {count:,} of {total:,}.",
        "以上结论仅凭评判模型；用人的标签修正后，{total:,} 个中有 {count:,} 个改变。",
    ),
    "missing": Phrase(
        "{count:# query has|# queries have} no results from {system} and {count:counts|count} as 0; without "
        "{count:it|them} {otherwise}.",
        "{count:,} 个查询没有来自 {system} 的结果，计为 0；若不计入，则{otherwise}。",
    ),
    "carried": Phrase(
        "{count:# query carries|# queries carry} the difference ({queries}): without {count:it|them} {otherwise}.",
        "差异主要来自 {count} 个查询（{queries}）：若不计入，则{otherwise}。",
    ),
    "ties": Phrase(
        "Scores are tied, and other orders of the tied items give differences from {low} to {high}.",
        "存在分数并列，并列物品的其他顺序给出的差异为 {low} 至 {high}。",
    ),
    "unjudged": Phrase(
        "Of the top {k}, {second_share} of {second} and {first_share} of {first} are not judged and count as not "
        "relevant; {reversal}with unjudged items removed {otherwise}.",
        "前 {k} 个物品中，{second} 有 {second_share}、{first} 有 {first_share} 未标注，按不相关计；{reversal}"
        "去掉未标注物品后{otherwise}。",
    ),
    "reversal": Phrase(
        "judging them could reverse the order ({first} {first_range}, {second} {second_range}); ",
        "若加以标注，可能逆转次序（{first} 为 {first_range}，{second} 为 {second_range}）；",
    ),
    "range": Phrase("from {low} to {high}", "{low} 至 {high}"),
    "otherwise": Phrase("the difference is {difference}, p {p}", "差异为 {difference}，p {p}"),
}


def caveats(comparison: Comparison, pair: SystemPair) -> list[Phrase]:
    """Return what could change the verdict on a pair; for a corpus-level metric only what labels of people say."""
    by_people = _by_people(comparison, pair)
    if not isinstance(pair, Pair) or pair.identical or pair.queries < 2:  # noqa: PLR2004 (no test)
        return by_people
    phrases = [*by_people, *_missing(comparison, pair), *_carried(comparison, pair)]
    again = _Again.of(comparison, pair)
    return phrases if again is None else [*phrases, *again.ties(), *again.unjudged()]


def _by_people(comparison: Comparison, pair: SystemPair) -> list[Phrase]:
    """The difference as corrected by labels of people."""
    if comparison.corrected is None:
        return []
    from rankgauge.judging.corrected_document import TEXTS  # noqa: PLC0415 (only for labels of people)

    corrected, change = _correction(comparison.corrected, pair)
    interval = interval_phrase(corrected.low, corrected.high, pair)
    values = {"difference": decimal(corrected.value, pair.settings.digits, "+"), "interval": interval}
    return [MESSAGES["people"].fill(**values, change=MESSAGES["same"] if change == "same" else TEXTS[change])]


def changed_by_people(comparison: Comparison, pairs: Sequence[SystemPair]) -> list[Phrase]:
    """Return how many of many verdicts change if they are corrected by labels of people."""
    if comparison.corrected is None:
        return []
    count = sum(_correction(comparison.corrected, pair)[1] != "same" for pair in pairs)
    return [MESSAGES["flipped"].fill(count=count, total=len(pairs))]


def _correction(corrected: Corrected, pair: SystemPair) -> tuple[Estimate, str]:
    """Return the corrected difference, and how it changes the verdict on the pair."""
    by_people = corrected.verdict(pair.first, pair.second, pair.metric)
    return by_people.corrected, by_people.change_from(int(np.sign(pair.difference)) * pair.significant)


def _missing(comparison: Comparison, pair: Pair) -> list[Phrase]:
    """Queries for which one system returned nothing, if they count as an empty list."""
    if comparison.scores is None:
        return []
    queries = comparison.values(pair.metric).queries
    systems_of: dict[tuple[bool, ...], list[str]] = {}  # both systems in one sentence if they lack the same queries
    for system in (pair.first, pair.second):
        missing = {*comparison.scores.missing_in(system)}
        systems_of.setdefault(tuple(query in missing for query in queries), []).append(shown(system, 200))
    phrases = []
    for lacking, systems in systems_of.items():
        without = np.array(lacking)
        if without.any() and (~without).sum() > 1:
            names = Phrase(" and ", " 和 ").join(Phrase(name, name) for name in systems)
            values = {"count": int(without.sum()), "system": names, "otherwise": _otherwise(pair, ~without)}
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
    difference = decimal((second - first).mean(), pair.settings.digits, "+")
    return MESSAGES["otherwise"].fill(difference=difference, p=p_relation(paired_t(first, second).p))


class _Again(NamedTuple):
    """The two systems of a pair, evaluated under other rules."""

    comparison: Comparison
    pair: Pair
    metric: Metric
    scores: Scores
    judgments: Judgments

    @classmethod
    def of(cls, comparison: Comparison, pair: Pair) -> _Again | None:
        """Return the pair, None if its rankings are not at hand, too large, or cannot be read again."""
        compared, scores = comparison.compared_input, comparison.scores
        metric = comparison.parsed_metrics.get(pair.metric)
        if compared is None or scores is None or metric is None or metric.definition.of_items:
            return None
        if len(compared.judgments.queries) > MANY_QUERIES:
            return None
        files = [compared.rankings[name].source.file for name in (pair.first, pair.second)]
        if any(file is not None and (file.is_one_shot or file.size >= LARGE_FILE) for file in files):
            return None
        return cls(comparison, pair, metric, scores, compared.judgments)

    def ties(self) -> list[Phrase]:
        """The range of the difference over all orders of tied items, if it holds another decision."""
        rules = self.scores.convention
        if rules.ties not in ORDERED or "RG212" not in {finding.code for finding in self.scores.findings}:
            return []
        best, worst = (self._values([self.metric], rules.replace(ties=ties)) for ties in ("best", "worst"))
        if best is None or worst is None:
            return []
        (first_best, second_best), (first_worst, second_worst) = best[0], worst[0]
        extremes = [(first_worst, second_best), (first_best, second_worst)]
        if all(_decides(self.pair, *values) for values in extremes):
            return []
        ends = sorted(float((second - first).mean()) for first, second in extremes)
        low, high = (decimal(end, self.pair.settings.digits, "+") for end in ends)
        return [MESSAGES["ties"].fill(low=low, high=high)]

    def unjudged(self) -> list[Phrase]:
        """The share of unjudged items in the top k, if judging or removing them could lead to another decision."""
        rules, k = self.scores.convention, self.metric.k
        if k is None or rules.unjudged != "nonrelevant" or not self._has_nonrelevant:
            return []
        evaluated = self._values([self.metric(judged_only=True)], rules)
        if evaluated is None:
            return []
        removed, judgments, names = evaluated[0], self.judgments, (self.pair.first, self.pair.second)
        rankings = map(self.comparison.loaded_ranking, names)
        shares = [unjudged_shares(ranking, judgments, rules, [k])[k] for ranking in rankings]
        if not max(shares) >= UNJUDGED_SHARE:
            return []
        reversal = self._reversal()
        if reversal is None and _decides(self.pair, *removed):
            return []
        first, second = (percent(round(share, 3)) for share in shares)
        values = {"first": self.pair.first, "second": self.pair.second, "k": k}
        values |= {"first_share": first, "second_share": second, "otherwise": _result(self.pair, *removed)}
        return [MESSAGES["unjudged"].fill(**values, reversal=reversal or Phrase("", ""))]

    @property
    def _has_nonrelevant(self) -> bool:
        """Whether non-relevant items are judged.

        Of clicks and purchases only relevant items are known: without the unjudged ones every list is perfect, and
        judging them could reverse any two systems.
        """
        judgments, grades = self.judgments, self.judgments.array
        if grades is None:
            grades = judgments.unanswered(np.arange(len(judgments.queries))).pool_grade
        return bool(JudgedShareCheck.nonrelevant(grades, self.scores.convention).any())

    def _reversal(self) -> Phrase | None:
        """Return the bounds of both means, if grades of unjudged items could reverse their order."""
        from rankgauge.analysis.unjudged import UnjudgedAnalysis  # noqa: PLC0415 (only for unjudged items)

        judgments, rules, names = self.judgments, self.scores.convention, (self.pair.first, self.pair.second)
        compared = self.comparison.compared_input
        if compared is None or judgments.array is not None or judgments.has_spans:
            return None
        try:
            analysis = UnjudgedAnalysis(judgments, [self.metric], rules, weights=compared.weights)
            for name in names:
                analysis.add(self.comparison.loaded_ranking(name), Findings())
        except RankgaugeError:  # such as a metric without known bounds
            return None
        bounds = analysis.bounds()[self.metric]
        if not bounds.reversible_pairs:
            return None
        ranges = {}
        for name, key in zip(names, ("first_range", "second_range"), strict=True):
            low, high = (decimal(end, self.pair.settings.digits) for end in bounds[name].range)
            ranges[key] = MESSAGES["range"].fill(low=low, high=high)
        return MESSAGES["reversal"].fill(first=names[0], second=names[1], **ranges)

    def _values(self, metrics: list[Metric], rules: Convention) -> list[tuple[Floats, Floats]] | None:
        """Return the values of both systems by each metric for the queries compared; None if one has none."""
        names = (self.pair.first, self.pair.second)
        try:
            evaluator = Evaluator(self.judgments, metrics, convention=rules)
            for name in names:
                evaluator.add(self.comparison.loaded_ranking(name))
            evaluator.findings = Findings()  # nobody asked for these metrics
            scores = evaluator.scores()
        except RankgaugeError:  # such as a metric that refuses a rule
            return None
        kept = {*self.comparison.values(self.pair.metric).queries}
        places = [place for place, query in enumerate(scores.queries) if query in kept]
        values = np.array([[scores.values(metric, name)[places] for name in names] for metric in metrics])
        return None if np.isnan(values).any() else [(first, second) for first, second in values]
