"""Definitions from papers."""

from __future__ import annotations

from rankgauge.conventions.convention import DEFAULT
from rankgauge.conventions.presets.record import Preset, at_k, phrases
from rankgauge.rendering.language import Phrase

CLASSICS = (
    Preset(
        name="jarvelin-kekalainen-2002",
        tool="Järvelin and Kekäläinen",
        versions="2002",
        about=Phrase(
            "Cumulated gain as first defined: ranks below the base of the logarithm are not discounted.",
            "累计增益的最初定义：名次小于对数底的位置不折损。",
        ),
        convention=DEFAULT.replace(discount="jk(2)"),
        metrics={"CG[k]": "CG@{k}", "DCG[k]": "DCG@{k}", "nDCG[k]": "nDCG@{k}"},
        notes=phrases(
            "The base is a parameter: preset(name).replace(discount='jk(10)') has base 10.",
            "对数的底由使用者选择：preset(name).replace(discount='jk(10)') 即底为 10。",
            "The paper does not define the value for an ideal of 0.",
            "论文没有说明理想值为 0 时如何处理。",
        ),
    ),
    Preset(
        name="burges-2005",
        tool="Burges et al. (RankNet)",
        versions="2005",
        about=Phrase(
            "The nDCG of learning to rank: exponential gain, logarithm of the rank plus one; its base cancels.",
            "排序学习中的 nDCG：指数增益，除以名次加一的对数；底数在归一化时抵消。",
        ),
        convention=DEFAULT.replace(gain="exp2"),
        metrics={"NDCG@{k}": "nDCG@{k}"},
    ),
    Preset(
        name="mcsherry-najork-2008",
        tool="McSherry and Najork",
        versions="2008",
        about=Phrase(
            "Tied items are averaged: the value is the exact mean over all orders.",
            "并列物品取平均：取值为所有排列的精确平均。",
        ),
        convention=DEFAULT.replace(ties="mean"),
        metrics=at_k("{name}@{k}", precision="P", recall="R", F1="F", NDCG="nDCG") | {"AP": "AP", "RR": "RR"},
    ),
)
