"""Metrics of covered text: how many characters of the judged spans the top k contains, and how much else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np

from rankgauge.conventions.discounts import DiscountFunction
from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.parameters import Cutoff, choice, rule
from rankgauge.metric_core.sums import Sum, total
from rankgauge.segments import Floats
from rankgauge.side_information.item_lists import ItemLists

if TYPE_CHECKING:
    from rankgauge.side_information.span_coverage import SpanCoverage

Overlaps = Annotated[str, choice("once", "each")]
Chunks = Annotated[str, choice("all", "touching", "bordering")]

__all__ = ["SpanIoU", "SpanPrecision", "SpanRecall", "SpannDCG"]


@metric(
    zh="文本召回率：标准答案片段的字符中出现在前 k 个片段内的比例。"
    "特殊情形：每个字符只计一次，除非设 ``overlaps='each'``；没有相关片段时为 0/0。",
    aliases=("CharRecall", "TokenRecall", "CoverageRecall"),
    cite="smith2024",
    needs=("spans",),
    grades=False,
)
def SpanRecall(lists: ItemLists, *, k: Cutoff = None, rel: float = rule(), overlaps: Overlaps = "once") -> Sum:
    r"""Text recall: the share of the characters of the judged spans that are in one of the top k spans.

    .. math:: SpanRecall@k = \frac{|C_k \cap G|}{|G|}

    Edge cases: C are the characters of the top k and G those of the relevant spans; a character counts once, unless
    ``overlaps='each'`` adds up the judged spans in the denominator; 0/0 if nothing is relevant.

    >>> import rankgauge as rg
    >>> scores = rg.evaluate({"q": {"d[0:40]": 1}}, {"q": ["d[30:90]", "d[10:35]"]}, "SpanRecall@2")
    >>> scores.mean("SpanRecall@2")  # (10 + 20) / 40
    0.75
    """
    text = _coverage(lists, rel, k)
    judged = _coverage(lists, rel, k, each=True).judged if overlaps == "each" else text.judged
    return total(lists, k, new_characters=text.covered).over("characters judged", judged)


@metric(
    zh="文本精确率：前 k 个片段的字符中属于标准答案片段的比例。"
    "特殊情形：每个字符只计一次，除非设 ``overlaps='each'``；没有返回片段时为 0/0。",
    aliases=("CharPrecision", "TokenPrecision", "CoveragePrecision"),
    cite="smith2024",
    needs=("spans",),
    grades=False,
)
def SpanPrecision(lists: ItemLists, *, k: Cutoff = None, rel: float = rule(), overlaps: Overlaps = "once") -> Sum:
    r"""Text precision: the share of the characters of the top k spans that are in a judged span.

    .. math:: SpanPrecision@k = \frac{|C_k \cap G|}{|C_k|}

    Edge cases: as for SpanRecall; ``overlaps='each'`` adds up the lengths of the top k in the denominator; 0/0 if
    nothing was returned.

    >>> import rankgauge as rg
    >>> scores = rg.evaluate({"q": {"d[0:40]": 1}}, {"q": ["d[30:90]", "d[10:35]"]}, "SpanPrecision@2")
    >>> scores.mean("SpanPrecision@2")  # (10 + 20) / (60 + 20)
    0.375
    """
    text = _coverage(lists, rel, k)
    length = _coverage(lists, rel, k, each=True).length if overlaps == "each" else text.length
    return total(lists, k, new_characters=text.covered).over("characters returned", lists.segments.sum(length))


@metric(
    zh="文本交并比：前 k 个片段与标准答案片段的共同字符数除以二者合起来的字符数。"
    "特殊情形：每个字符只计一次，除非设 ``overlaps='each'``；设 ``chunks='touching'`` 时只计与标准答案有共同字符的"
    "片段，"
    "``'bordering'`` 还计紧邻的片段，对全部文本块即 chunking_evaluation 的 Precision Omega；"
    "两边都没有字符时为 0/0。",
    aliases=("IoU", "SpanJaccard"),
    cite="smith2024",
    needs=("spans",),
    grades=False,
)
def SpanIoU(
    lists: ItemLists, *, k: Cutoff = None, chunks: Chunks = "all", rel: float = rule(), overlaps: Overlaps = "once"
) -> Sum:
    r"""Text IoU: the characters that the top k and the judged spans share, over those that either has.

    .. math:: SpanIoU@k = \frac{|C_k \cap G|}{|C_k \cup G|}

    Edge cases: as for SpanRecall; ``overlaps='each'`` adds up lengths in the denominator; with
    ``chunks='touching'`` only spans that share a character with a judged one count, with ``'bordering'`` those next to
    one as well, which of all chunks is Precision Omega of chunking_evaluation; 0/0 if neither side has a character.

    >>> import rankgauge as rg
    >>> scores = rg.evaluate({"q": {"d[0:40]": 1}}, {"q": ["d[30:90]", "d[10:35]"]}, "SpanIoU@2")
    >>> round(scores.mean("SpanIoU@2"), 6)  # (10 + 20) / (60 + 20 + 10)
    0.333333
    """
    text = _coverage(lists, rel, k, each=overlaps == "each", chunks=chunks)
    once = text if overlaps == "once" else _coverage(lists, rel, k)
    missed = text.judged - lists.segments.sum(text.covered)
    below = lists.segments.sum(text.length) + missed
    return total(lists, k, new_characters=once.covered).over("characters of either", below)


@metric(
    zh="文本 nDCG：每个片段新覆盖的标准答案字符数按名次折损后求和，除以最佳排序的值。"
    "特殊情形：最佳排序为第一个片段覆盖全部标准答案；没有相关片段时为 0/0。",
    aliases=("CharNDCG", "TokenNDCG", "CoverageNDCG"),
    cite="jarvelin2002",
    needs=("spans",),
    grades=False,
)
def SpannDCG(lists: ItemLists, *, k: Cutoff = None, rel: float = rule(), discount: DiscountFunction = rule()) -> Sum:
    r"""Text nDCG: the characters of judged spans that each span is the first to contain, discounted by rank.

    .. math:: SpannDCG@k = \frac{1}{D(1) \, |G|} \sum_{i=1}^{k} D(i) \, |(C_i \setminus C_{i-1}) \cap G|

    Edge cases: best is a first span that contains all that is judged, since spans have any length; 0/0 if nothing is
    relevant.

    >>> import rankgauge as rg
    >>> scores = rg.evaluate({"q": {"d[0:40]": 1}}, {"q": ["d[0:10]", "e[0:9]", "d[10:40]"]}, "SpannDCG@3")
    >>> scores.mean("SpannDCG@3")  # (10 + 30 / log2(4)) / 40
    0.625
    """
    text = _coverage(lists, rel, k)
    below: Floats = text.judged * discount(np.ones(1))[0]
    return total(lists, k, new_characters=text.covered, discount=lists.of_rank(discount)).over("at rank 1", below)


def _coverage(lists: ItemLists, rel: float, k: int | None, *, each: bool = False, chunks: str = "all") -> SpanCoverage:
    from rankgauge.side_information.span_coverage import span_coverage  # noqa: PLC0415 (loads polars)

    return span_coverage(lists, rel, k, each=each, counted=chunks)
