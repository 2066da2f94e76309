"""The words of explanations in both languages."""

from __future__ import annotations

from rankgauge.render.language import Phrase

WORDS = {
    "list": Phrase("The list", "返回列表"),
    "ideal": Phrase("The ideal order", "理想排序"),
    "rank": Phrase("rank", "名次"),
    "item": Phrase("item", "物品"),
    "grade": Phrase("grade", "等级"),
    "contribution": Phrase("contribution", "贡献"),
    "running": Phrase("running sum", "累计"),
    "more rows": Phrase("{count} more", "另有 {count} 行"),
    "grades": Phrase("Grades: {rule}", "等级：{rule}"),
    "rules": Phrase("Definition in force: {rules}", "当前定义：{rules}"),
    "undefined": Phrase("{line} is 0/0: the convention makes it {value}", "{line} 为 0/0：按约定取 {value}"),
    "no value": Phrase("{line} is 0/0: there is no value", "{line} 为 0/0：没有值"),
    "left out": Phrase("{line}; nothing is relevant, so the query is left out", "{line}；没有相关物品，该查询不计入"),
    "returned": Phrase("items returned", "返回的物品数"),
    "in the top k": Phrase("items in the top k", "前 k 个物品数"),
    "relevant in all": Phrase("relevant items", "相关物品总数"),
    "all weight": Phrase("the weight of all ranks", "全部名次的权重"),
    "others": Phrase("the worth of all other items", "其余物品的价值"),
    "one": Phrase("one", "一"),
    "relevant not returned": Phrase("relevant items not returned", "未返回的相关物品"),
    "not returned": Phrase("pairs not returned, half each", "未返回的物品对，各计一半"),
}

FACTORS = {
    "gain": Phrase("gain", "增益"),
    "discount": Phrase("discount", "折扣系数"),
    "relevant": Phrase("relevant", "相关"),
    "judged": Phrase("judged", "已标注"),
    "first": Phrase("none above", "其前无相关"),
    "precision": Phrase("precision", "精确率"),
    "later_precisions": Phrase("sum of 1/i from here on", "自此往后 1/i 之和"),
    "interpolated": Phrase("interpolated precision", "插值精确率"),
    "reached": Phrase("recall reached", "达到召回点"),
    "points": Phrase("recall points", "召回点数"),
    "reciprocal": Phrase("1/rank", "1/名次"),
    "position": Phrase("its rank", "所在名次"),
    "weight": Phrase("weight", "权重"),
    "stop": Phrase("chance to stop", "停止概率"),
    "reach": Phrase("chance to get here", "到达概率"),
    "expected": Phrase("expected precision", "期望精确率"),
    "blended": Phrase("blended ratio", "混合比"),
    "below": Phrase("non-relevant below", "其后不相关数"),
    "not_beaten": Phrase("share not beaten", "未被超过的比例"),
    "nonrelevant": Phrase("judged not relevant", "判为不相关"),
    "hits": Phrase("relevant items returned", "返回的相关物品数"),
    "worth": Phrase("worth", "价值"),
    "nearness": Phrase("1/log2(2 + shortfall)", "1/log2(2 + 欠缺)"),
    "so_far": Phrase("nDCG so far", "至此的 nDCG"),
    "milestones": Phrase("sum of 1/IDCG at milestones from here", "其后各里程碑处 1/IDCG 之和"),
    "minus": Phrase("taken off", "扣除"),
}
