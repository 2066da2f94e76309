"""The verdict in words: one sentence that somebody who decides can read, true to the numbers."""

from __future__ import annotations

from typing import Literal

import numpy as np

from rankgauge.comparison.pair import Pair, SystemPair
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.stats.sign_flips import smallest_p

TINY = 0.1
"""Below so many standard deviations a difference is tiny: it takes 787 queries to see one with 80 % power."""
SMALL, MEDIUM, LARGE = 0.2, 0.5, 0.8
"""Cohen's effect sizes."""
MANY = 10_000
"""From so many queries almost every difference is significant."""

Kind = Literal[
    "identical",
    "one query",
    "too few",
    "constant",
    "contradictory",
    "only uncorrected",
    "tiny",
    "clear",
    "none",
    "whole",
    "no whole",
    "no value",
]

WORDS = {
    "identical": Phrase(
        "{second} and {first} have the same {metric} on all {queries} queries: there is no difference.",
        "{second} 与 {first} 在全部 {queries} 个查询上的 {metric} 完全相同：没有差异。",
    ),
    "one query": Phrase(
        "One query says nothing about the difference between {second} and {first} on {metric} ({difference}).",
        "只有一个查询，无法判断 {second} 与 {first} 在 {metric} 上的差异（{difference}）。",
    ),
    "too few": Phrase(
        "{queries} queries are too few to tell {second} and {first} apart on {metric} ({difference}): even if all of "
        "them agreed, p could not fall below {smallest} in the randomisation test; at least {least} are needed.",
        "{queries} 个查询太少，无法区分 {second} 与 {first} 的 {metric}（{difference}）：即使全部一致，随机化检验的 p "
        "也不会低于 {smallest}；至少需要 {least} 个查询。",
    ),
    "constant": Phrase(
        "{second} is {better} than {first} on {metric} by exactly {size} on every one of {queries} queries "
        "(randomisation p = {p_randomisation}); the t test says nothing without spread.",
        "{second} 在全部 {queries} 个查询上的 {metric} 都恰好比 {first} {better} {size}（随机化检验 p = "
        "{p_randomisation}）；没有离散度，t 检验无法给出结论。",
    ),
    "contradictory": Phrase(
        "The tests do not agree whether {second} and {first} differ on {metric} ({difference}, {interval}; {queries} "
        "queries): p = {p_t} by the t test, {p_randomisation} by randomisation. Treat it as undecided.",
        "两种检验对 {second} 与 {first} 的 {metric} 是否有差异结论不一（{difference}，{interval}；{queries} 个查询）："
        "t 检验 p = {p_t}，随机化检验 p = {p_randomisation}。应视为尚无定论。",
    ),
    "only uncorrected": Phrase(
        "There is no sure difference between {second} and {first} on {metric} ({difference}, {interval}; {queries} "
        "queries): p = {p} alone, but {corrected} among {family} comparisons.",
        "不能确定 {second} 与 {first} 的 {metric} 有差异（{difference}，{interval}；{queries} 个查询）：单独看 "
        "p = {p}，但在 {family} 次比较中校正后为 {corrected}。",
    ),
    "tiny": Phrase(
        "{second} is {better} than {first} on {metric} by {size} ({interval}; {queries} queries, p = {corrected}): a "
        "real difference, but a tiny one (d_z = {effect}).",
        "{second} 的 {metric} 比 {first} {better} {size}（{interval}；{queries} 个查询，p = {corrected}）：差异真实"
        "存在，但非常小（d_z = {effect}）。",
    ),
    "clear": Phrase(
        "{second} is {better} than {first} on {metric} by {size} ({interval}; {queries} queries, p = {corrected}): a "
        "{grade} effect (d_z = {effect}).",
        "{second} 的 {metric} 比 {first} {better} {size}（{interval}；{queries} 个查询，p = {corrected}）：{grade}效应"
        "（d_z = {effect}）。",
    ),
    "none": Phrase(
        "There is no evidence that {second} and {first} differ on {metric} ({difference}, {interval}; {queries} "
        "queries, p = {p}). That does not make them equal: a difference of {detectable} would have been found with "
        "{power} chance.",
        "没有证据表明 {second} 与 {first} 的 {metric} 有差异（{difference}，{interval}；{queries} 个查询，p = {p}）。这"
        "并不说明二者相同：{detectable} 的差异有 {power} 的机会被发现。",
    ),
    "whole": Phrase(
        "{second} is {better} than {first} on {metric} by {size} ({interval}; {queries} queries drawn anew, "
        "p = {corrected}).",
        "{second} 的 {metric} 比 {first} {better} {size}（{interval}；对 {queries} 个查询自助抽样，p = {corrected}）。",
    ),
    "no whole": Phrase(
        "There is no evidence that {second} and {first} differ on {metric} ({difference}, {interval}; {queries} "
        "queries drawn anew, p = {p}). That does not make them equal.",
        "没有证据表明 {second} 与 {first} 的 {metric} 有差异（{difference}，{interval}；对 {queries} 个查询自助抽样，"
        "p = {p}）。这并不说明二者相同。",
    ),
    "no value": Phrase(
        "{second} and {first} cannot be compared on {metric}: one of them has no value.",
        "无法在 {metric} 上比较 {second} 与 {first}：其中一个没有值。",
    ),
    "leads": Phrase(
        "On {metric} {system} has the best {what} ({mean}) of {count} systems, and differs from every other one.",
        "在 {metric} 上，{system} 的{what}（{mean}）在 {count} 个系统中最好，且与其余各系统均有差异。",
    ),
    "shares": Phrase(
        "On {metric} {system} has the best {what} ({mean}) of {count} systems, but cannot be told apart from {others}.",
        "在 {metric} 上，{system} 的{what}（{mean}）在 {count} 个系统中最好，但与 {others} 无法区分。",
    ),
    "others": Phrase("{named} and {more} more", "{named} 等另外 {more} 个系统"),
    "many": Phrase(
        "With {queries} queries almost any difference is significant; judge it by its size.",
        "有 {queries} 个查询时几乎任何差异都显著；应以差异的大小来判断。",
    ),
    "interval": Phrase("{level} interval {low} to {high}", "{level} 区间 {low} 至 {high}"),
    "better": Phrase("better", "好"),
    "worse": Phrase("worse", "差"),
    "very small": Phrase("very small", "很小的"),
    "small": Phrase("small", "小"),
    "medium": Phrase("medium", "中等"),
    "large": Phrase("large", "大"),
}


def kind_of(pair: SystemPair) -> Kind:
    """What the numbers of a pair amount to."""
    alpha = pair.settings.alpha
    if np.isnan(pair.difference):
        return "no value"
    if pair.identical:
        return "identical"
    if pair.queries == 1:
        return "one query"
    if smallest_p(pair.queries) >= alpha:
        return "too few"
    if not isinstance(pair, Pair):
        return "whole" if pair.significant else "only uncorrected" if pair.p < alpha else "no whole"
    if np.isnan(pair.t.p):
        return "constant" if pair.significant else "only uncorrected"
    if (pair.t.p < alpha) != (pair.randomisation < alpha):
        return "contradictory"
    if pair.t.p >= alpha:
        return "none"
    if not pair.significant:
        return "only uncorrected"
    return "tiny" if abs(pair.d_z) < TINY else "clear"


def verdict(pair: SystemPair, lang: str = "en") -> str:
    """One sentence for one pair, with what it needs to be believed.

    >>> first, second = np.array([0.2, 0.4, 0.3, 0.5, 0.1, 0.3]), np.array([0.3, 0.8, 0.4, 0.7, 0.4, 0.5])
    >>> print(verdict(Pair("A", "B", "AP", first, second)))
    B is better than A on AP by 0.2167 (95% interval 0.0940 to 0.3394; 6 queries, p = 0.0062): a large effect
    (d_z = 1.85).
    """
    spoken, settings = check_lang(lang), pair.settings
    kind = kind_of(pair)
    interval = WORDS["interval"].render(
        spoken, level=percent(1 - settings.alpha), low=f"{pair.interval.low:.4f}", high=f"{pair.interval.high:.4f}"
    )
    text = WORDS[kind].render(
        spoken,
        first=pair.first,
        second=pair.second,
        metric=pair.metric,
        queries=f"{pair.queries:,}",
        difference=f"{pair.difference:+.4f}",
        size=f"{abs(pair.difference):.4f}",
        interval=interval,
        better=WORDS["better" if pair.gain > 0 else "worse"].render(spoken),
        p=p_text(pair.p),
        corrected=p_text(pair.p if np.isnan(pair.corrected) else pair.corrected),
        family=pair.family,
        power=percent(settings.power),
        smallest=p_text(smallest_p(pair.queries)),
        least=int(np.floor(1 - np.log2(settings.alpha))) + 1,
        **(_query_values(pair, spoken) if isinstance(pair, Pair) else {}),
    )
    if pair.queries >= MANY and kind not in {"identical", "none", "whole", "no whole", "no value"}:
        text += ("" if spoken == "zh" else " ") + WORDS["many"].render(spoken, queries=f"{pair.queries:,}")
    return text


def _query_values(pair: Pair, lang: Lang) -> dict[str, object]:
    """Return the numbers of a verdict that need values per query."""
    return {
        "p_t": p_text(pair.t.p),
        "p_randomisation": p_text(pair.randomisation),
        "effect": f"{pair.d_z:.2f}",
        "grade": WORDS[_grade(abs(pair.d_z))].render(lang),
        "detectable": f"{pair.detectable:.4f}",
    }


def _grade(effect: float) -> str:
    if effect < SMALL:
        return "very small"
    return "small" if effect < MEDIUM else "medium" if effect < LARGE else "large"


def p_text(p: float) -> str:
    """A p-value as people read it.

    >>> p_text(0.04321), p_text(0.00012), p_text(1.2e-9), p_text(1.0), p_text(float("nan"))
    ('0.0432', '0.00012', '1.2e-09', '1', '-')
    """
    if np.isnan(p):
        return "-"
    return f"{p:.4f}".rstrip("0").rstrip(".") if p >= 0.001 else f"{p:.2g}"  # noqa: PLR2004


def percent(share: float) -> str:
    """A share in percent.

    >>> percent(0.95), percent(0.999)
    ('95%', '99.9%')
    """
    return f"{share * 100:.10g}%"
