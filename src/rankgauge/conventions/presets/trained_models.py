"""Presets of libraries that train recommenders and evaluate the scores of their models."""

from __future__ import annotations

from functools import partial

from rankgauge.conventions.convention import DEFAULT
from rankgauge.conventions.presets.record import SINGLE, Preset, at_k, phrases
from rankgauge.rendering.language import Phrase

_tfrs = partial(Preset, tool="TensorFlow Recommenders", versions="0.7", precision=SINGLE)
_TFRS_NOTES = phrases(
    "Every pair of a query and a relevant item is a row there: R, pooled, is the share of rows. With one relevant item "
    "for each query it is HR.",
    "该工具中每个（查询，相关物品）对为一行：合并计算的 R 即命中行的比例。每个查询只有一个相关物品时即 HR。",
)
TRAINED_MODELS = (
    Preset(
        name="lightfm",
        tool="LightFM",
        versions="1.17; lightfm-next 1.19",
        about=Phrase(
            "Ranks of the test items among all items: an item with the same prediction is above, relevant or not.",
            "测试物品在全部物品中的名次：预测值相同的物品一律算在其前，无论是否相关。",
        ),
        convention=DEFAULT.replace(
            ties="together",
            tied_pairs="lost",
            score_precision="float32",
            no_relevant="skip",
            per_metric={"AUC": {"undefined": "nan"}},
        ),
        metrics=at_k("{name}(k={k})", precision_at_k="P", recall_at_k="R")
        | {"reciprocal_rank": "RR", "auc_score": "AUC"},
        precision=SINGLE,
        notes=phrases(
            "An interaction stored as 0 counts as relevant there: call eliminate_zeros() first.",
            "显式存储的 0 在该工具中算作相关：请先调用 eliminate_zeros()。",
        ),
        defects=phrases(
            "auc_score takes relevant items with equal predictions for lost pairs: two of them above the only other "
            "item give 0.5 instead of 1.",
            "auc_score 把预测值相同的两个相关物品当作排错的一对：二者都在唯一的其他物品之前时，它给出 0.5 而不是 1。",
        ),
    ),
    Preset(
        name="spotlight",
        tool="Spotlight",
        versions="0.1",
        about=Phrase(
            "mrr_score is the mean of 1/rank over all test items of a user; equal predictions share the mean rank.",
            "mrr_score 为用户所有测试物品名次倒数的平均；预测值相同者取平均名次。",
        ),
        convention=DEFAULT.replace(
            rr_of="all", p_over="min(k,n)", no_relevant="skip", per_metric={"RR": {"ties": "mean-rank"}}
        ),
        metrics={
            "mrr_score": "RR",
            "precision_recall_score(k={k})[0]": "P@{k}",
            "precision_recall_score(k={k})[1]": "R@{k}",
        },
        notes=phrases(
            "Items of the training data are last in its lists: leave them out.",
            "训练数据中的物品在其列表中排在最后：请略去。",
            "The order of equal predictions is not fixed in precision_recall_score.",
            "precision_recall_score 中预测值相同者顺序不定。",
        ),
    ),
    _tfrs(
        name="tfrs",
        about=Phrase(
            "FactorizedTopK by scores: an item with the score of the k-th one is a hit.",
            "按分数计算的 FactorizedTopK：与第 k 个分数相同的物品也算命中。",
        ),
        convention=DEFAULT.replace(
            ties="input", tied_at_k="all", score_precision="float32", averaging="pooled", no_queries=0
        ),
        metrics={"top_{k}_categorical_accuracy": "R@{k}"},
        notes=_TFRS_NOTES,
    ),
    _tfrs(
        name="tfrs-ids",
        about=Phrase(
            "FactorizedTopK with true_candidate_ids: the ids of the first k candidates.",
            "给出 true_candidate_ids 的 FactorizedTopK：按前 k 个候选的 id 计算。",
        ),
        convention=DEFAULT.replace(ties="input", score_precision="float32", averaging="pooled", no_queries=0),
        metrics={"top_{k}_categorical_accuracy(true_candidate_ids)": "R@{k}"},
        notes=_TFRS_NOTES,
    ),
    Preset(
        name="torchrec",
        tool="TorchRec",
        versions="1.9",
        about=Phrase(
            "Session nDCG of the examples of a session, and gauc, the mean AUC of the sessions that have both labels.",
            "会话 nDCG（对会话中的样本计算），以及 gauc，即两种标签都有的会话的 AUC 均值。",
        ),
        convention=DEFAULT.replace(ties="input", no_queries=0.5, per_metric={"AUC": {"undefined": "skip"}}),
        metrics={
            "ndcg(k={k})": "nDCG@{k}",
            "ndcg": "nDCG",
            "ndcg(k={k}, exponential_gain=True)": "nDCG(gain='exp2')@{k}",
            "gauc": "AUC",
        },
        precision=SINGLE,
        notes=phrases(
            "It reports 1 - nDCG unless report_ndcg_as_decreasing_curve=False.",
            "除非 report_ndcg_as_decreasing_curve=False，它给出的是 1 - nDCG。",
            "The order of equal predictions is not fixed.",
            "预测值相同者顺序不定。",
            "gauc also leaves out sessions whose predictions are all equal, and weighs the pairs of examples if "
            "examples of a session differ in weight; no rule does: of the labels 1, 0, 0 with the predictions 0.5, "
            "0.6, 0.4 and the weights 1, 2, 1 it is 1/3, and the AUC is 1/2.",
            "gauc 还略去预测值全部相同的会话，并在同一会话的样本权重不同时对样本对加权，没有规则可以表达："
            "标签为 1、0、0，预测为 0.5、0.6、0.4，权重为 1、2、1 时，它是 1/3，而 AUC 是 1/2。",
            "Weights of sessions, in ndcg the largest of their examples: .replace(averaging='weighted'), times the "
            "mean weight, because it divides by the number of sessions: nDCG 1 and 0 with the weights 3 and 1 are 1.5.",
            "会话的权重（ndcg 取其样本权重中最大者）：.replace(averaging='weighted')，再乘以平均权重，"
            "因为它除以会话数：nDCG 为 1 与 0、权重为 3 与 1 时得 1.5。",
        ),
    ),
)
