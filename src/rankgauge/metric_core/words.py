"""Labels of explanations in English and Chinese."""

from __future__ import annotations

from rankgauge.rendering.language import Phrase

WORDS = {
    "list": Phrase("The list", "排序结果"),
    "ideal": Phrase("The ideal order", "理想排序"),
    "rank": Phrase("rank", "名次"),
    "item": Phrase("item", "物品"),
    "grade": Phrase("grade", "等级"),
    "contribution": Phrase("contribution", "贡献"),
    "running": Phrase("running sum", "累计"),
    "with": Phrase("with", "其中"),
    "more rows": Phrase("{count} more", "另有 {count} 行"),
    "copy": Phrase("{item} (copy)", "{item}（副本）"),
    "repeated": Phrase(
        "Repeated items: {count:# later copy|# later copies}; {rule}: {meaning}.",
        "重复物品：之后的副本有 {count} 个；{rule}：{meaning}。",
    ),
    "tied": Phrase(
        "Tied scores: {count:# item|# items} with the score of another; {rule}: {meaning}.",
        "分数并列：{count} 个物品的分数与其他物品相同；{rule}：{meaning}。",
    ),
    "grades": Phrase("Grades: {rule}", "等级：{rule}"),
    "rules": Phrase("Definition used: {rules}", "所用定义：{rules}"),
    "undefined": Phrase("{line} is 0/0; the rule for 0/0 gives {value}", "{line} 为 0/0，按规则取 {value}"),
    "undefined title": Phrase("{metric} is undefined (0/0)", "{metric} 没有定义（0/0）"),
    "threshold": Phrase(
        "Every item is relevant, so that there is no pair to compare. Set a threshold that separates the grades, such "
        "as rel={grade} (--rule rel={grade}).",
        "所有物品都相关，没有可比较的物品对。请设置能区分等级的阈值，如 rel={grade}（--rule rel={grade}）。",
    ),
    "all relevant": Phrase(
        "Every item counts as relevant. If the lowest grades mean not relevant, set a threshold such as rel={grade:g} "
        "(--rule rel={grade:g}).",
        "所有物品都算作相关。若最低的等级表示不相关，请设置阈值，如 rel={grade:g}（--rule rel={grade:g}）。",
    ),
    "scores": Phrase(
        "All grades lie between 0 and 1. If these are scores, pass the grades as the list and these as the scores "
        "(--scores).",
        "所有等级都在 0 与 1 之间。若这些是分数，请以等级作为列表，用 --scores 给出这些分数。",
    ),
    "one grade": Phrase(
        "Every item is relevant, so that there is no pair to compare: add items that are not.",
        "所有物品都相关，没有可比较的物品对：请加入不相关的物品。",
    ),
    "no value": Phrase("{line} is 0/0: no value", "{line} 为 0/0，没有值"),
    "no_relevant": Phrase("Nothing is relevant, so the query is excluded.", "没有相关物品，该查询不计入。"),
    "no_relevant zero": Phrase("Nothing is relevant, so the value is {value}.", "没有相关物品，取值为 {value}。"),
    "short_list": Phrase(
        "Fewer than k items were returned, so the value is {value}.", "返回的物品不足 k 个，取值为 {value}。"
    ),
    "tied_at_k": Phrase("The item at rank k is tied, so k is {k}.", "第 k 位物品有并列，k 取 {k}。"),
    "k_counts": Phrase("Items repeat, so the cutoff is at rank {k}.", "有重复物品，截断在第 {k} 位。"),
    "rounding": Phrase("Rounded: {value}", "四舍五入：{value}"),
    "another rule": Phrase("{rule} gives {value}", "按 {rule} 取 {value}"),
    "returned": Phrase("items returned", "返回的物品数"),
    "in the top k": Phrase("items in the top k", "前 k 个物品数"),
    "relevant in all": Phrase("relevant items", "相关物品总数"),
    "all weight": Phrase("weight of all ranks", "全部名次的权重"),
    "others": Phrase("utility of all other items", "其余物品的效用"),
    "one": Phrase("one", "一"),
    "relevant not returned": Phrase("relevant items not returned", "未返回的相关物品"),
    "covered": Phrase("enough items", "物品数足够"),
    "divergence": Phrase("divergence of the categories", "类别分布的散度"),
    "squared differences": Phrase("squared differences of the groups", "各组差值的平方和"),
    "in training": Phrase("in training", "历史中"),
    "in the list": Phrase("in the list", "列表中"),
    "greedy ideal": Phrase("greedy ideal order", "贪心理想排序"),
    "has both": Phrase("training and list have categories", "历史与列表均有类别"),
    "pairs": Phrase("pairs", "物品对数"),
    "characters judged": Phrase("characters judged", "标准答案的字符数"),
    "characters returned": Phrase("characters returned", "返回的字符数"),
    "characters of either": Phrase("characters of either", "两者合计的字符数"),
    "at rank 1": Phrase("characters judged at rank 1", "标准答案全在第 1 位"),
    "subtopics": Phrase("subtopics", "子主题数"),
    "k × subtopics": Phrase("k × subtopics", "k × 子主题数"),
    "sum of discounts": Phrase("sum of discounts", "折损系数之和"),
    "weight of all judged items": Phrase("weight of all judged items", "全部已标注物品的权重"),
    "ideal gain": Phrase("ideal gain", "理想增益"),
    "ideal ERR": Phrase("ideal ERR", "理想 ERR"),
    "not returned": Phrase("pairs not returned", "未返回的物品对"),
    "not returned, and the scale": Phrase("items not returned, and the scale", "未返回的物品，以及尺度换算"),
    "residual": Phrase("residual", "剩余量"),
    "rest": Phrase("other items, tied", "其余物品，视为并列"),
}

FACTORS = {
    "gain": Phrase("gain", "增益"),
    "discount": Phrase("discount", "折损系数"),
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
    "stop": Phrase("probability to stop", "停止概率"),
    "chances_to_stop": Phrase("sum of stop probabilities", "各子主题停止概率之和"),
    "reach": Phrase("probability to get here", "到达概率"),
    "expected": Phrase("expected precision", "期望精确率"),
    "blended": Phrase("blended ratio", "混合比"),
    "below": Phrase("non-relevant below", "其后不相关数"),
    "area": Phrase("area", "面积"),
    "ahead_of_the_rest": Phrase("ranks above the mean of the other items", "领先其余物品平均名次"),
    "not_beaten": Phrase("share not outranked", "未被超过的比例"),
    "nonrelevant": Phrase("judged not relevant", "判为不相关"),
    "hits": Phrase("relevant items returned", "返回的相关物品数"),
    "worth": Phrase("utility", "效用"),
    "nearness": Phrase("1/log2(2 + shortfall)", "1/log2(2 + 欠缺)"),
    "so_far": Phrase("nDCG so far", "至此的 nDCG"),
    "milestones": Phrase("sum of 1/IDCG at milestones from here", "其后各里程碑处 1/IDCG 之和"),
    "minus": Phrase("subtracted", "扣除"),
    "percentile": Phrase("percentile rank", "百分位名次"),
    "popularity": Phrase("popularity", "流行度"),
    "tail": Phrase("in the tail", "属长尾"),
    "novelty": Phrase("novelty", "新颖度"),
    "distance_to_those_above": Phrase("distance to the items above", "与其前各物品的距离之和"),
    "new_categories": Phrase("new categories", "新类别数"),
    "unseen": Phrase("unseen", "未见过"),
    "unexpected": Phrase("unexpected", "出乎意料"),
    "surprise": Phrase("ranks above its popularity", "名次高于其流行度的程度"),
    "new_characters": Phrase("new characters", "新覆盖的字符数"),
    "new_subtopics": Phrase("new subtopics", "新子主题数"),
    "subtopics": Phrase("subtopics", "子主题数"),
    "precision_over_R": Phrase("sum of precision / R", "精确率 / R 之和"),
}


def word(name: str) -> Phrase:
    """Return the label of a term or divisor; a formula is its own label."""
    return WORDS.get(name, Phrase(name, name))


def factor_name(name: str) -> Phrase:
    """Return the label of a factor."""
    return FACTORS.get(name, Phrase(name.replace("_", " "), name.replace("_", " ")))
