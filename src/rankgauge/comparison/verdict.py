"""Verdicts: one sentence per comparison that a decision can be based on."""

from __future__ import annotations

import numpy as np

from rankgauge.comparison.pair import Pair, SystemPair
from rankgauge.rendering.language import Phrase, check_lang
from rankgauge.rendering.number_texts import decimal, p_relation, p_text, percent
from rankgauge.stats.paired_tests import least_queries, smallest_p

TINY = 0.1
"""A difference of fewer standard deviations is tiny: it takes 787 queries to detect one with 80 % power."""
SMALL, MEDIUM, LARGE = 0.2, 0.5, 0.8
"""Cohen's effect sizes."""
MANY = 10_000
"""With this many queries almost every difference is significant."""
MESSAGES = {
    "identical": Phrase(
        "{second} and {first} have the same {metric} on {queries:the only query|all # queries}: there is no "
        "difference.",
        "{second} 与 {first} 在全部 {queries:,} 个查询上的 {metric} 完全相同：没有差异。",
    ),
    "one query": Phrase(
        "One query says nothing about the difference between {second} and {first} on {metric} ({difference}).",
        "只有一个查询，无法判断 {second} 与 {first} 在 {metric} 上的差异（{difference}）。",
    ),
    "too few": Phrase(
        "{queries:,} queries are too few to distinguish {second} from {first} on {metric} ({difference}): even if all "
        "of them agreed, p could not fall below {smallest} in the randomisation test; at least {least} are needed.",
        "{queries:,} 个查询太少，无法区分 {second} 与 {first} 的 {metric}（{difference}）：即使全部一致，随机化检验的 "
        "p 也不会低于 {smallest}；至少需要 {least} 个查询。",
    ),
    "constant": Phrase(
        "{second} is {better} than {first} on {metric} by exactly {size} on every one of {queries:,} queries "
        "(randomisation p = {p_randomisation}); the t test is not applicable to constant differences.",
        "{second} 在全部 {queries:,} 个查询上的 {metric} 都恰好比 {first} {better} {size}（随机化检验 p = "
        "{p_randomisation}）；差异没有离散度，t 检验不适用。",
    ),
    "only t": Phrase(
        "{second} is {better} than {first} on {metric} by {size} ({margin}; {queries:,} queries, p {p_is}{among}), "
        "significant by the t test, but not by randomisation (p = {p_randomisation}): weak evidence.",
        "{second} 的 {metric} 比 {first} {better} {size}（{margin}；{queries:,} 个查询，p {p_is}{among}）："
        "t 检验显著，但随机化检验不显著（p = {p_randomisation}），证据较弱。",
    ),
    "only randomisation": Phrase(
        "The difference between {second} and {first} on {metric} is not significant ({difference}, {interval}; "
        "{queries:,} queries): p = {p_t} by the t test, which decides, but {p_randomisation} by randomisation.",
        "{second} 与 {first} 的 {metric} 差异不显著（{difference}，{interval}；{queries:,} 个查询）：以 t 检验为准，"
        "p = {p_t}；但随机化检验 p = {p_randomisation}。",
    ),
    "only uncorrected": Phrase(
        "The difference between {second} and {first} on {metric} is not significant ({difference}, {interval}; "
        "{queries:,} queries): p = {p} on its own, but {corrected} among {family:# comparison|# comparisons}.",
        "{second} 与 {first} 的 {metric} 差异不显著（{difference}，{interval}；{queries:,} 个查询）：单独看 p = {p}，"
        "但在 {family} 次比较中校正后为 {corrected}。",
    ),
    "tiny": Phrase(
        "{second} is {better} than {first} on {metric} by {size} ({margin}; {queries:,} queries, p {p_is}{among}): "
        "significant, but a tiny effect (d_z = {effect}).",
        "{second} 的 {metric} 比 {first} {better} {size}（{margin}；{queries:,} 个查询，p {p_is}{among}）：差异显著，"
        "但效应非常小（d_z = {effect}）。",
    ),
    "clear": Phrase(
        "{second} is {better} than {first} on {metric} by {size} ({margin}; {queries:,} queries, p {p_is}{among}): a "
        "{grade} effect (d_z = {effect}).",
        "{second} 的 {metric} 比 {first} {better} {size}（{margin}；{queries:,} 个查询，p {p_is}{among}）：{grade}"
        "效应（d_z = {effect}）。",
    ),
    "none": Phrase(
        "There is no evidence that {second} and {first} differ on {metric} ({difference}, {interval}; {queries:,} "
        "queries, p = {p}). That does not make them equal: {detectable}.",
        "没有证据表明 {second} 与 {first} 的 {metric} 有差异（{difference}，{interval}；{queries:,} 个查询，p = {p}）。"
        "这并不说明二者相同：{detectable}。",
    ),
    "detectable": Phrase(
        "the smallest difference detectable with {power} power is {size}", "功效 {power} 时可检出的最小差异为 {size}"
    ),
    "undetectable": Phrase(
        "no difference that {metric} allows is detectable with {power} power",
        "功效 {power} 时，{metric} 取值范围内的任何差异都检不出",
    ),
    "corpus": Phrase(
        "{second} is {better} than {first} on {metric} by {size} ({margin}; {queries:,} queries resampled, "
        "p {p_is}{among}).",
        "{second} 的 {metric} 比 {first} {better} {size}（{margin}；对 {queries:,} 个查询自助抽样，p {p_is}{among}）。",
    ),
    "no corpus": Phrase(
        "There is no evidence that {second} and {first} differ on {metric} ({difference}, {interval}; {queries:,} "
        "queries resampled, p = {p}). That does not make them equal.",
        "没有证据表明 {second} 与 {first} 的 {metric} 有差异（{difference}，{interval}；对 {queries:,} 个查询自助抽样，"
        "p = {p}）。这并不说明二者相同。",
    ),
    "no value": Phrase(
        "{second} and {first} cannot be compared on {metric}: one of them has no value.",
        "无法在 {metric} 上比较 {second} 与 {first}：其中一个没有值。",
    ),
    "leads": Phrase(
        "On {metric} {system} has the best {what} ({mean}) of {count} systems, and differs significantly from every "
        "other one ({family}).",
        "在 {metric} 上，{system} 的{what}（{mean}）在 {count} 个系统中最好，且与其余各系统均有显著差异（{family}）。",
    ),
    "shares": Phrase(
        "On {metric} {system} has the best {what} ({mean}) of {count} systems, but does not differ significantly from "
        "{others} ({family}).",
        "在 {metric} 上，{system} 的{what}（{mean}）在 {count} 个系统中最好，但与 {others} 无显著差异（{family}）。",
    ),
    "best differs": Phrase(
        "On {metric} {system} has the best {what} ({mean}) of {count} systems, and is significantly better than the "
        "baseline {baseline} ({family}).",
        "在 {metric} 上，{system} 的{what}（{mean}）在 {count} 个系统中最好，且显著优于基线 {baseline}（{family}）。",
    ),
    "best shares": Phrase(
        "On {metric} {system} has the best {what} ({mean}) of {count} systems, but does not differ significantly from "
        "the baseline {baseline} ({family}).",
        "在 {metric} 上，{system} 的{what}（{mean}）在 {count} 个系统中最好，但与基线 {baseline} "
        "无显著差异（{family}）。",
    ),
    "among": Phrase(" among {family} comparisons", "，对 {family} 个比较校正后"),
    "others": Phrase("{names} and {more} more", "{names} 等另外 {more} 个系统"),
    "many": Phrase(
        "With {queries:,} queries almost any difference is significant; judge it by its size.",
        "有 {queries:,} 个查询时几乎任何差异都显著；应以差异的大小来判断。",
    ),
    "interval": Phrase("{level} interval {low} to {high}", "{level} 区间 {low} 至 {high}"),
    "better": Phrase("better", "好"),
    "worse": Phrase("worse", "差"),
    "very small": Phrase("very small", "很小的"),
    "small": Phrase("small", "小"),
    "medium": Phrase("medium", "中等"),
    "large": Phrase("large", "大"),
}


def kind_of(pair: SystemPair) -> str:
    """Return the key of the message that applies to a pair."""
    alpha = pair.settings.alpha
    if np.isnan(pair.difference):
        return "no value"
    if pair.identical:
        return "identical"
    if pair.queries == 1:
        return "one query"
    if pair.queries < least_queries(alpha):
        return "too few"
    if not isinstance(pair, Pair):
        return "corpus" if pair.significant else "only uncorrected" if pair.p < alpha else "no corpus"
    if np.isnan(pair.t.p):
        return "constant" if pair.significant else "only uncorrected"
    if pair.t.p >= alpha:
        return "only randomisation" if pair.randomisation < alpha else "none"
    if not pair.significant:
        return "only uncorrected"
    if pair.randomisation >= alpha:
        return "only t"
    return "tiny" if abs(pair.d_z) < TINY else "clear"


def verdict(pair: SystemPair, lang: str = "en") -> str:
    """Return the verdict on a pair with the numbers that support it.

    A size, its interval and d_z have the direction of the sentence, better or worse; a difference is signed.

    >>> import rankgauge as rg
    >>> first, second = [0.2, 0.4, 0.3, 0.5, 0.1, 0.3], [0.3, 0.8, 0.4, 0.7, 0.4, 0.5]
    >>> both = rg.Comparison.of({"A": dict(enumerate(first)), "B": dict(enumerate(second))}, "AP")
    >>> print(verdict(both.pair("A", "B")))
    B is better than A on AP by 0.2167 (95% interval 0.0940 to 0.3394; 6 queries, p = 0.0062): a large effect
    (d_z = 1.85).
    """
    language, settings = check_lang(lang), pair.settings
    kind = kind_of(pair)
    corrected = pair.p if np.isnan(pair.corrected) else pair.corrected
    digits = settings.digits
    low, high = pair.interval
    of_size = (low, high) if pair.difference > 0 else (-high, -low)
    text = MESSAGES[kind].render(
        language,
        first=pair.first,
        second=pair.second,
        metric=pair.metric,
        queries=pair.queries,
        difference=decimal(pair.difference, digits, "+"),
        size=decimal(abs(pair.difference), digits),
        interval=interval_phrase(low, high, pair),
        margin=interval_phrase(*of_size, pair),
        better=MESSAGES["better" if pair.gain > 0 else "worse"],
        p=p_text(pair.p),
        corrected=p_text(corrected),
        p_is=p_relation(corrected),
        family=pair.family,
        among=MESSAGES["among"].fill(family=pair.family) if pair.family > 1 else "",
        smallest=p_text(smallest_p(pair.queries)),
        least=least_queries(settings.alpha),
        **(_query_values(pair) if isinstance(pair, Pair) else {}),
    )
    if pair.queries >= MANY and kind not in {"identical", "none", "corpus", "no corpus", "no value"}:
        text += ("" if language == "zh" else " ") + MESSAGES["many"].render(language, queries=pair.queries)
    return text


def interval_phrase(low: float, high: float, pair: SystemPair) -> Phrase:
    """Return an interval of the level of the settings as a sentence gives it."""
    digits, level = pair.settings.digits, percent(1 - pair.settings.alpha)
    return MESSAGES["interval"].fill(level=level, low=decimal(low, digits), high=decimal(high, digits))


def _query_values(pair: Pair) -> dict[str, object]:
    """Return the numbers of a verdict that need values per query."""
    detectable = MESSAGES["undetectable" if pair.detectable > pair.widest else "detectable"]
    size, power = decimal(pair.detectable, pair.settings.digits), percent(pair.settings.power)
    return {
        "p_t": p_text(pair.t.p),
        "p_randomisation": p_text(pair.randomisation),
        "effect": decimal(abs(pair.d_z), 2),
        "grade": MESSAGES[_grade(abs(pair.d_z))],
        "detectable": detectable.fill(size=size, power=power, metric=pair.metric),
    }


def _grade(effect: float) -> str:
    if effect < SMALL:
        return "very small"
    return "small" if effect < MEDIUM else "medium" if effect < LARGE else "large"
