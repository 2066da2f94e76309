"""Rules that nearly all tools answer alike, and a few do not."""

from __future__ import annotations

from rankgauge.conventions.rule import choice
from rankgauge.rendering.language import Phrase

NO_RELEVANT = choice(
    "computed",
    Phrase("nothing relevant", "无相关物品"),
    Phrase("What of a query for which no item is relevant?", "没有任何相关物品的查询怎么办？"),
    {
        "computed": Phrase(
            "each metric as its formula says; where that is 0/0, by the rule for it",
            "各指标按公式计算；若为 0/0，则按 0/0 的规则",
        ),
        "skip": Phrase("left out of the mean of every metric, and counted", "所有指标的均值都不计入，但报告个数"),
    },
    Phrase(
        "So the number of queries is the same for every metric; recommenders mostly leave such users out.",
        "这样每个指标的查询数都相同；推荐库大多剔除这样的用户。",
    ),
    quiet=True,
)
AP_AT = choice(
    "relevant",
    Phrase("AP at", "AP 取值处"),
    Phrase("At which ranks does AP take the precision?", "AP 在哪些名次上取精确率？"),
    {
        "relevant": Phrase("at those of the relevant items", "相关物品所在的名次"),
        "every": Phrase("at every rank down to k", "前 k 个名次的每一个"),
    },
    Phrase(
        "That is average precision; the mean over every rank, as in Elliot, is another metric of the same name.",
        "这才是平均精确率；对每个名次取平均（如 Elliot）是同名的另一个指标。",
    ),
    quiet=True,
)
RR_OF = choice(
    "relevant",
    Phrase("RR of", "RR 对象"),
    Phrase("The rank of which item does the reciprocal rank take?", "倒数排名取哪个物品的名次？"),
    {
        "relevant": Phrase("of the first relevant item", "首个相关物品"),
        "best": Phrase("of the first item with the best grade of all", "首个等级最高的物品"),
    },
    Phrase(
        "It asks when something relevant is found, not when the best is.",
        "它问的是何时找到相关物品，而不是最好的物品。",
    ),
    quiet=True,
)
COUNTS = choice(
    "sum",
    Phrase("counts", "计数"),
    Phrase("How do counts of all queries become one?", "各查询的计数如何汇总？"),
    {
        "sum": Phrase("they are added up", "相加"),
        "mean": Phrase("by their mean, like other metrics", "与其他指标一样取平均"),
    },
    Phrase("The number of items found in all is what a count is for.", "计数的意义就在于总数。"),
    quiet=True,
)
HIT_IF = choice(
    "returned",
    Phrase("hit if", "命中条件"),
    Phrase(
        "Which returned items can be hits of P, R, F, AP and RR?", "返回的哪些物品可以算作 P、R、F、AP、RR 的命中？"
    ),
    {
        "returned": Phrase("all of them", "全部"),
        "score>0": Phrase("only those with a score above 0", "只有分数大于 0 的"),
    },
    Phrase(
        "A score orders items; where it stands to 0 says nothing, above all for logits.",
        "分数只用来排序；与 0 的大小关系没有意义，对 logits 尤其如此。",
    ),
    quiet=True,
)
TIED_PAIRS = choice(
    "half",
    Phrase("tied pairs", "并列的对"),
    Phrase(
        "What is a relevant and a non-relevant item of equal score worth (AUC)?",
        "相关与不相关的物品分数相同时，这一对计多少（AUC）？",
    ),
    {
        "half": Phrase("half: the ROC curve goes straight through them", "一半：ROC 曲线在此处为直线"),
        "lost": Phrase("nothing: only a strictly higher score wins (strict)", "不计：分数严格更高才算赢（严格）"),
        "won": Phrase("all of it: a score as high is enough", "全计：分数不低即算赢"),
        "order": Phrase("as the rule for ties puts them in order", "按并列规则排出的先后"),
    },
    Phrase(
        "So AUC does not depend on the order of the rows, and all scores alike give 1/2.",
        "这样 AUC 与行的顺序无关，分数全部相同时为 1/2。",
    ),
    quiet=True,
)
STOP = choice(
    "exp2",
    Phrase("stop chance", "停止概率"),
    Phrase("With which chance does an item satisfy the reader (ERR)?", "读者在某物品处满意而停下的概率是多少（ERR）？"),
    {
        "exp2": Phrase("(2^grade - 1) / 2^top grade", "(2^等级 - 1) / 2^最高等级"),
        "grade": Phrase("the grade itself, which must lie from 0 to 1", "等级本身，须在 0 与 1 之间"),
    },
    Phrase("So Chapelle and others (2009) defined it.", "这是 Chapelle 等（2009）的定义。"),
    quiet=True,
)
