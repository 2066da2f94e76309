"""Findings about splits of interactions into training and test data, by their codes."""

from __future__ import annotations

from rankgauge.inputs.finding_kind import FindingKind
from rankgauge.rendering.language import Phrase

SPLIT_CODES = {
    "RG501": FindingKind(
        "warning", Phrase("test item in training", "测试物品出现在训练数据中"),
        Phrase("The model was trained on this very pair of user and item; finding it again proves little.",
               "模型训练时已见过这一对用户与物品；再次命中说明不了什么。"),
        Phrase("remove the pair from one side (rankgauge.holdout.without_seen), unless repeated choices are the task",
               "从其中一侧去除该对（rankgauge.holdout.without_seen），除非任务就是预测重复行为"),
    ),
    "RG502": FindingKind(
        "warning", Phrase("training after test for the same user", "同一用户的训练数据晚于测试数据"),
        Phrase("The model learns from later actions of this user, which were unknown at the time of the test.",
               "模型学到了该用户之后的行为，而这些行为在测试时尚不可知。"),
        Phrase("split by time, or hold out the last interactions", "按时间划分，或留出最后的交互"),
    ),
    "RG503": FindingKind(
        "warning", Phrase("test user without training", "测试用户没有训练数据"),
        Phrase("A model of past behaviour knows nothing about this user; the value mixes two questions.",
               "基于历史行为的模型对该用户一无所知，所得数值混淆了两个问题。"),
        Phrase("leave such users out (known_users=True), or report them separately",
               "去掉这些用户（known_users=True），或单独报告"),
    ),
    "RG504": FindingKind(
        "note", Phrase("training after the first test interaction", "训练数据晚于最早的测试交互"),
        Phrase("Later actions of other users influence the model (trends, popularity), although each user's own order "
               "is respected.",
               "其他用户之后的行为会影响模型（趋势、流行度），尽管每个用户自身的先后顺序没有被打乱。"),
        Phrase("split by time for all users together (rankgauge.holdout.temporal)",
               "对所有用户按同一时间点划分（rankgauge.holdout.temporal）"),
    ),
    "RG505": FindingKind(
        "note", Phrase("user with too few interactions to test", "交互太少而无法测试的用户"),
        Phrase("Holding out an item would leave nothing to learn from, so all interactions stay in training.",
               "若留出物品就没有可学习的内容，因此全部交互留在训练数据中。"),
        Phrase("nothing to do, or filter such users first (rankgauge.holdout.k_core)",
               "无需处理，或先过滤这些用户（rankgauge.holdout.k_core）"),
    ),
    "RG506": FindingKind(
        "warning", Phrase("one side of a split is empty", "划分的一侧为空"),
        Phrase("Without test data nothing can be evaluated, and without training data nothing can be learned.",
               "没有测试数据就无法评测，没有训练数据就无法学习。"),
        Phrase("choose a moment after the first interaction and not after the last one, or a share",
               "选择晚于首次交互且不晚于末次交互的时间点，或改用比例（share）"),
    ),
    "RG507": FindingKind(
        "note", Phrase("user with several items at the last time", "最后时间有多个物品的用户"),
        Phrase("The times do not say which of them was last, so the one with the greatest id is held out, as in every "
               "order of the rows.",
               "时间无法说明哪一个最后，因此留出标识最大的物品；与各行的顺序无关。"),
        Phrase("give finer times, or split by time (rankgauge.holdout.temporal), which keeps them together",
               "给出更精确的时间，或按时间划分（rankgauge.holdout.temporal），使它们在同一侧"),
    ),
}  # fmt: skip
