"""Findings about labels of people and model judgments, by their stable codes."""

from __future__ import annotations

from rankgauge.inputs.finding_kind import STOPS, FindingKind
from rankgauge.rendering.language import Phrase

LABEL_CODES: dict[str, FindingKind] = {
    "RG601": FindingKind(
        "error", Phrase("two labels of one rater for one pair", "同一评分者对同一对给出两个标签"),
        Phrase("It is unclear which of the two holds; counted twice, a rater would outvote others.",
               "无法判断以哪一个为准；若都计入，该评分者的意见会被重复计算。"),
        Phrase("keep one label for each rater, query and item, or give the raters different names",
               "每位评分者对每个查询与物品只保留一个标签，或为评分者使用不同的名称"),
        Phrase("keeps the first", "保留第一个"),
    ),
    "RG602": FindingKind(
        "warning", Phrase("label for an item that nobody retrieved", "标签所属的物品没有被任何系统返回"),
        Phrase("No ranking returned the item and the judge did not judge it. It counts among the relevant items and in "
               "the ideal ranking only.",
               "没有任何排序结果返回该物品，评判模型也没有判断它；它只影响相关物品数与理想排序。"),
        Phrase("check that the labels belong to these rankings and write ids the same way",
               "确认标签与这些排序结果属于同一套数据，且标识的写法一致"),
    ),
    "RG603": FindingKind(
        "error", Phrase("too few labelled queries", "有标签的查询太少"),
        Phrase("One labelled query has no spread, so nothing can be said about the error of an estimate. A query "
               "counts as labelled if people judged every item in the top k of its lists that the judge judged.",
               "只有一个有标签的查询时无从估计误差。若人对各列表前 k 个中评判模型判断过的物品都给出了标签，"
               "该查询才算有标签。"),
        Phrase("label whole queries, at least 20, or give the inclusion probability of each item",
               "请对整个查询给出标签（至少 20 个查询），或给出每个物品的入选概率"),
        STOPS,
    ),
    "RG604": FindingKind(
        "error", Phrase("labels and model judgments have nothing in common", "人的标签与模型标注没有共同之处"),
        Phrase("No pair of query and item has both a label and a model judgment, so there is nothing to compare.",
               "没有任何一对查询与物品同时有标签和模型标注，因此无从比较。"),
        Phrase("check that the files belong together and write ids the same way",
               "确认这些文件属于同一套数据，且标识的写法一致"),
        STOPS,
    ),
    "RG605": FindingKind(
        "error", Phrase("labels were not drawn at random", "标签不是随机抽取的"),
        Phrase("What people labelled differs systematically from what they did not, for example only items that the "
               "judge calls relevant. An estimate that takes it for a random sample is wrong, and its interval "
               "hides that.",
               "有标签与没有标签的部分有系统性差异，例如只标了评判模型认为相关的物品。"
               "若当作随机样本，估计是错的，区间也看不出来。"),
        Phrase("label a random sample, give the inclusion probabilities in a column, or pass sample='random' if you "
               "know that the sample is random",
               "请对随机样本给出标签，或用一列给出入选概率；若确知样本是随机的，可指定 sample='random'"),
        STOPS,
    ),
    "RG606": FindingKind(
        "warning", Phrase("labels may not be a random sample", "标签可能不是随机样本"),
        Phrase("What people labelled differs from what they did not by more than chance explains in 99 of 100 samples.",
               "有标签与没有标签的部分之间的差异，在 100 个随机样本中约有 99 个不会这么大。"),
        Phrase("check how the labelled queries were chosen; pass sample='random' if they were drawn at random",
               "检查有标签的查询是怎样选出的；若确为随机抽取，可指定 sample='random'"),
    ),
    "RG607": FindingKind(
        "error", Phrase("grade outside the scale", "等级超出量表"),
        Phrase("A grade that is not on the stated scale is a typing error or belongs to another scale.",
               "不在所给量表上的等级多半是笔误，或属于另一个量表。"),
        Phrase("correct the grade, or state the scale that holds", "更正该等级，或给出正确的量表"), STOPS,
    ),
    "RG608": FindingKind(
        "note", Phrase("unrateable item left unjudged", "无法评分的物品视为未标注"),
        Phrase("The rater, or the judge, gave no grade. It is not grade 0: the item stays unjudged.",
               "评分者或评判模型没有给出等级。这不等于等级 0：该物品视为未标注。"),
    ),
    "RG609": FindingKind(
        "warning", Phrase("query labelled in part", "查询只有部分标签"),
        Phrase("Some items in the top k that the judge judged have no label, so the value of the query by people is "
               "not known and it does not count as labelled.",
               "前 k 个中有评判模型判断过而没有标签的物品，该查询按人的判断应得多少不得而知，因此不算有标签。"),
        Phrase("label the other items, too, or give the inclusion probability of each item",
               "请补上其余物品的标签，或给出每个物品的入选概率"),
    ),
    "RG610": FindingKind(
        "note", Phrase("disagreement without adjudication", "意见不一而未经裁定"),
        Phrase("Raters disagree and no adjudicator decided, so the item stays unjudged.",
               "评分者意见不一且无人裁定，该物品视为未标注。"),
        Phrase("let the adjudicator decide, or pass combine='majority'", "请由裁定者决定，或指定 combine='majority'"),
    ),
    "RG611": FindingKind(
        "error", Phrase("invalid inclusion probability", "入选概率无效"),
        Phrase("An item that was labelled had a chance above 0 and at most 1 of being chosen; estimates divide by it.",
               "有标签的物品，其入选概率应大于 0 且不超过 1；估计要除以该概率。"),
        Phrase("take the probabilities from the file that chose the sample", "请使用抽样文件中的概率"), STOPS,
    ),
    "RG612": FindingKind(
        "error", Phrase("probabilities do not add up to 1", "概率之和不为 1"),
        Phrase("The probabilities of all grades of an item must add up to 1.", "一个物品各等级的概率之和应为 1。"),
        Phrase("give one row for each grade, with its probability", "每个等级一行，并给出其概率"), STOPS,
    ),
    "RG613": FindingKind(
        "warning", Phrase("people labelled fewer items than the judge", "人标注的物品少于评判模型"),
        Phrase("In labelled queries the judge also judged items outside the top k that have no label, and the value "
               "of these queries depends on them: through the ideal ranking, for example, or the number of relevant "
               "items. The estimate is what people would say if they labelled the same kind of items of all queries, "
               "not if they labelled all that the judge judged.",
               "在有标签的查询中，评判模型还判断了前 k 个之外没有标签的物品，"
               "而这些查询的值取决于它们（例如通过理想排序或相关物品数）。"
               "因此估计的是人对所有查询都标注同类物品时的值，而不是标注评判模型判断过的全部物品时的值。"),
        Phrase("label all items of these queries that the judge judged (rankgauge pool --for correct --model lists "
               "them), or use a metric of the top k alone, such as P",
               "请标注这些查询中评判模型判断过的全部物品（rankgauge pool --for correct --model 会列出它们），"
               "或改用只看前 k 个的指标，如 P"),
    ),
    "RG614": FindingKind(
        "warning", Phrase("labelled query without model judgments", "有标签的查询没有模型标注"),
        Phrase("Estimates and agreement are about the queries that the judge judged; this one is left out.",
               "估计与一致性针对评判模型判断过的查询，该查询不计入。"),
        Phrase("check that both files write query ids the same way", "确认两个文件的查询标识写法一致"),
    ),
    "RG615": FindingKind(
        "error", Phrase("labels of another pool", "标签属于另一个标注池"),
        Phrase("Labels carry the fingerprint of the pool that they were made for. Those of another pool were chosen in "
               "another way, so their probabilities do not hold here.",
               "标签带有所属标注池的指纹。另一个标注池的选取方式不同，其入选概率在此不成立。"),
        Phrase("pass the labels that were made with the sheet of this pool", "请使用由该标注池的标注页得到的标签"),
        STOPS,
    ),
    "RG616": FindingKind(
        "error", Phrase("label edited after it was made", "标签在生成后被改动"),
        Phrase("The check of the label does not match what it says, or the pair is not in the pool: a grade, an id or "
               "a probability was changed in another program.",
               "标签的校验值与内容不符，或该对不在标注池中：等级、标识或概率在其他程序中被改动过。"),
        Phrase("judge the pair again on the sheet, or remove the label", "请在标注页上重新标注，或删除该标签"), STOPS,
    ),
    "RG617": FindingKind(
        "warning", Phrase("last label incomplete", "最后一个标签不完整"),
        Phrase("The last line of the file ends in the middle: the program that wrote it was stopped. All labels before "
               "it are read.",
               "文件最后一行不完整：写入它的程序被中断。此前的标签均已读取。"),
        Phrase("judge the last pair again", "请重新标注最后一对"),
    ),
    "RG620": FindingKind(
        "warning", Phrase("label outside the grades of the judge", "标签超出评判模型的等级范围"),
        Phrase("A person gave a grade below or above every grade of the judge: a typing error, another scale, or a "
               "grade that the judge never gives.",
               "某个标签低于或高于评判模型给出的所有等级：可能是笔误、使用了另一个量表，或评判模型从不给出该等级。"),
        Phrase("state the scale with scale=(lowest, highest), so that other grades are errors",
               "用 scale=(最低, 最高) 给出量表，超出者即报错"),
    ),
    "RG621": FindingKind(
        "error", Phrase("labels of more queries than the judge has", "有标签的查询多于评判模型的查询"),
        Phrase("Every query of the judge has labels, and others have labels, too. There is nothing to correct, and the "
               "two files are probably swapped.",
               "评判模型的每个查询都有标签，另外还有别的查询有标签。此时没有什么可修正的，两个文件很可能互换了。"),
        Phrase("give the judgments of the model first, then the labels of people; if the order is right, evaluate with "
               "the labels alone", "先给出模型的标注，再给出人的标签；若次序无误，请直接用人的标签评估"),
        STOPS,
    ),
    "RG622": FindingKind(
        "warning", Phrase("fewer than 20 labelled queries", "有标签的查询少于 20 个"),
        Phrase("The coverage of the intervals was simulated for 20 labelled queries and more. Below, an interval is "
               "mostly too wide to decide anything, and too narrow if the judge is wrong on a few queries only, none "
               "of which was drawn.",
               "区间的覆盖率是在有标签的查询不少于 20 个时模拟验证的。更少时，区间通常宽得无法决策；"
               "若评判模型只在少数查询上出错而这些查询都未被抽中，区间又会过窄。"),
        Phrase("label at least 20 whole queries, drawn at random", "请随机抽取至少 20 个完整的查询并给出标签"),
    ),
}  # fmt: skip
