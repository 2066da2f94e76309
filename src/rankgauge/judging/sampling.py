"""Whether labels can be a random sample: labelled and unlabelled queries and items compared by what the judge says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import polars as pl

from rankgauge.inputs.findings import Findings, input_error
from rankgauge.judging.labels import PAIR
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools, Floats, Ints

REFUSED = 1e-5
"""p-value below which labels are refused."""
STRUCTURE = 2e-4
"""Probability in a random sample, over all such patterns, below which a missing range of grades or ranks is refused."""
WARNED = 0.01

TEXTS = {
    "no label below": Phrase(
        "no label where {what} is below {bound:g}, though {missing:,} of {total:,} unlabelled ones are",
        "{what}低于 {bound:g} 的都没有标签，而 {total:,} 个无标签的中有 {missing:,} 个低于它",
    ),
    "no label above": Phrase(
        "no label where {what} is above {bound:g}, though {missing:,} of {total:,} unlabelled ones are",
        "{what}高于 {bound:g} 的都没有标签，而 {total:,} 个无标签的中有 {missing:,} 个高于它",
    ),
    "differs": Phrase(
        "{what} is {labelled:.4g} on average where there are labels and {unlabelled:.4g} where not, p = {p:.1g}",
        "有标签与无标签部分的{what}不同（平均 {labelled:.4g} 与 {unlabelled:.4g}），p = {p:.1g}",
    ),
    "grade": Phrase("the judge's grade of an item", "评判模型给物品的等级"),
    "rank": Phrase("the rank of an item", "物品的名次"),
    "value": Phrase("{name} by the judge", "按评判模型计算的 {name}"),
    "share": Phrase("the share of relevant items of a query by the judge", "按评判模型计算的查询相关物品比例"),
}


SELECTED = {
    "compare": Phrase(
        "the judging sheet has the pairs that decide a comparison, not a sample",
        "标注页中是决定比较结果的那些对，而不是样本",
    ),
    "rrf": Phrase(
        "the judging sheet has the best pairs by reciprocal rank fusion, not a sample",
        "标注页中是倒数排名融合最靠前的那些对，而不是样本",
    ),
}
"""Reasons of a judging sheet for pairs that are no sample."""


class Pattern(NamedTuple):
    """A difference between what is labelled and what is not, and its probability in a random sample."""

    p: float
    is_structure: bool
    message: Phrase


def check_random(patterns: Iterable[Pattern], findings: Findings) -> None:
    """Raise an error if labels are no random sample, and report a warning if they hardly are."""
    listed = [*patterns]
    for is_structure, limit in ((True, STRUCTURE), (False, REFUSED)):
        own = [pattern for pattern in listed if pattern.is_structure == is_structure]
        worst = min(own, default=None)
        if worst is not None and worst.p * len(own) < limit:
            raise input_error("RG605", worst.message)
    worst = min((pattern for pattern in listed if not pattern.is_structure), default=None)
    if worst is not None and worst.p * sum(not pattern.is_structure for pattern in listed) < WARNED:
        findings.add("RG606", worst.message)


def check_reasons(labels: pl.DataFrame, *, is_complete: bool) -> None:
    """Raise an error for labels of a sheet whose pairs were chosen by what they decide or by their ranks."""
    reasons = [*labels["reason"].filter(labels["reason"].is_in([*SELECTED])).unique(maintain_order=True)]
    if reasons and not is_complete:
        raise input_error("RG605", SELECTED[reasons[0]])


def query_patterns(values: Mapping[str, tuple[Floats, Bools]]) -> list[Pattern]:
    """Compare labelled and unlabelled queries by values of the judge, under their names."""
    patterns = []
    for name, (column, labelled) in values.items():
        known = ~np.isnan(column)
        group = np.zeros(int(known.sum()), dtype=np.int64)
        what = TEXTS["value"].fill(name=name) if name else TEXTS["share"]
        patterns += _patterns(column[known], labelled[known], group, what)
    return patterns


def item_patterns(items: pl.DataFrame) -> list[Pattern]:
    """Compare labelled and unlabelled items within each query: query, grade, labelled, and a rank if known."""
    if not items.height:
        return []
    group = items["query"].rank("dense").to_numpy().astype(np.int64) - 1
    labelled = items["labelled"].to_numpy().astype(bool)
    patterns = []
    for name in ("grade", "rank"):
        if name in items.columns:
            column = items[name].cast(pl.Float64).to_numpy()
            known = ~np.isnan(column)
            patterns += _patterns(column[known], labelled[known], group[known], TEXTS[name])
    return patterns


def unlabelled_items(model: pl.DataFrame, people: pl.DataFrame, ranks: pl.DataFrame | None) -> pl.DataFrame:
    """Return the items of queries that are labelled in part, within the lists if ranks are given."""
    items = model if ranks is None else model.join(ranks, on=PAIR, how="inner")
    items = items.join(people.select(*PAIR, pl.lit(1).alias("labelled")), on=PAIR, how="left")
    items = items.with_columns(pl.col("labelled").is_not_null())
    share = pl.col("labelled").mean().over("query")
    return items.filter((share > 0) & (share < 1))


def _patterns(values: Floats, labelled: Bools, group: Ints, what: Phrase) -> list[Pattern]:
    """Return the differences of a number between labelled and unlabelled things, drawn within groups."""
    if not labelled.any() or labelled.all() or len(np.unique(values)) < 2:  # noqa: PLR2004
        return []
    rest = values[~labelled]
    p = _rank_sum_p(values, labelled, group)
    means = {"labelled": float(values[labelled].mean()), "unlabelled": float(rest.mean())}
    patterns = [Pattern(p, False, TEXTS["differs"].fill(what=what, p=p, **means))]
    for key, bound, outside in (
        ("no label below", float(values[labelled].min()), values < values[labelled].min()),
        ("no label above", float(values[labelled].max()), values > values[labelled].max()),
    ):
        message = TEXTS[key].fill(what=what, bound=bound, missing=int(outside.sum()), total=len(rest))
        patterns.append(Pattern(_none_drawn(outside, labelled, group), True, message))
    return patterns


def _none_drawn(outside: Bools, labelled: Bools, group: Ints) -> float:
    """Return the probability that a random sample of each group has none of the things outside a range."""
    from scipy.special import gammaln  # noqa: PLC0415

    size, drawn, absent = (np.bincount(group, weights) for weights in (None, labelled, outside))
    left = size - absent
    log = gammaln(left + 1) - gammaln(left - drawn + 1) - gammaln(size + 1) + gammaln(size - drawn + 1)
    return float(np.exp(log.sum()))


def _rank_sum_p(values: Floats, labelled: Bools, group: Ints) -> float:
    """Two-sided p-value of the rank-sum test within groups, with the normal distribution."""
    from scipy.special import ndtr  # noqa: PLC0415

    frame = pl.DataFrame({"group": group, "value": values})
    ranks = frame.select(pl.col("value").rank("average").over("group")).to_series().to_numpy()
    size, drawn = np.bincount(group).astype(np.float64), np.bincount(group, labelled)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(group, ranks) / size
        spread = np.bincount(group, (ranks - mean[group]) ** 2) / (size - 1)
        variance = np.nansum(drawn * (size - drawn) / size * spread)
    if variance <= 0:
        return 1.0
    z = float((ranks - mean[group])[labelled].sum() / np.sqrt(variance))
    return float(2 * ndtr(-abs(z)))
