"""Presets of machine-learning tools and of evaluation scripts of data sets."""

from __future__ import annotations

from functools import partial

from rankgauge.conventions.convention import DEFAULT
from rankgauge.conventions.presets.boosting import ROWS
from rankgauge.conventions.presets.record import SINGLE, Preset, cut_or_not, phrases
from rankgauge.rendering.language import Phrase

_UNSTABLE = phrases(
    "Equal scores: its sort is unstable; here they are in input order.",
    "分数相同：该工具使用不稳定排序，这里按输入顺序。",
)
_sklearn = partial(Preset, tool="scikit-learn", versions="1.4 - 1.9")
_SKLEARN = DEFAULT.replace(ties="mean", negative="error", per_metric={"AUC": {"undefined": "nan"}})
_DEEP = DEFAULT.replace(gain="exp2", ties="input", score_precision="float32")
_TORCHMETRICS = DEFAULT.replace(ap_over="hits", ties="input", negative="keep", score_precision="float32")
_TORCH_MEAN = _TORCHMETRICS.replace(per_metric={"nDCG": {"ties": "mean"}})
_TORCH_ABOUT = Phrase(
    "Retrieval metrics with tied items averaged in nDCG; AP over the hits.",
    "检索指标，nDCG 对并列取平均；AP 除以命中数。",
)
_torchmetrics = partial(
    Preset,
    tool="TorchMetrics",
    precision=SINGLE,
    metrics=cut_or_not(
        "retrieval_{name}(top_k={k})",
        "retrieval_{name}",
        normalized_dcg="nDCG",
        average_precision="AP",
        precision="P",
        recall="R",
        reciprocal_rank="RR",
        hit_rate="HR",
        fall_out="Fallout",
    )
    | {
        "retrieval_precision(top_k={k}, adaptive_k=True)": "P(over='min(k,n)')@{k}",
        "retrieval_r_precision": "Rprec",
        "retrieval_auroc": "AUC",
    },
)
_TORCH_TIES = phrases(
    "The others take the order of torch.topk, which is not specified; here it is the input order.",
    "其余指标取决于 torch.topk 未规定的顺序，这里按输入顺序。",
)
_SCRIPT = DEFAULT.replace(gain="exp2", discount="log2(i)", ties="input", per_metric={"nDCG": {"short_list": "zero"}})
_script = partial(Preset, metrics={"NDCG@{k}": "nDCG@{k}", "P@{k}": "P@{k}", "MAP": "AP"}, precision=5e-5, notes=ROWS)
_ESCI = DEFAULT.replace(unjudged="removed", score_precision="float32")
_esci = partial(
    Preset,
    tool="ESCI (Amazon shopping queries)",
    versions="2022",
    metrics={"ndcg": "nDCG"},
    notes=phrases(
        "The letters E, S, C, I are the grades 1, 0.1, 0.01, 0, as they are read from the published files; another "
        "grade is an error. trec_eval is called with -c -J.",
        "字母 E、S、C、I 为等级 1、0.1、0.01、0，与从公开文件读入时相同；其他等级报错。以 -c -J 调用 trec_eval。",
    ),
)

LEARNING = (
    _sklearn(
        name="sklearn",
        about=Phrase("dcg_score and ndcg_score: tied items are averaged.", "dcg_score 与 ndcg_score：并列物品取平均。"),
        convention=_SKLEARN,
        metrics=cut_or_not("{name}_score(k={k})", "{name}_score", dcg="DCG", ndcg="nDCG") | {"roc_auc_score": "AUC"},
        notes=ROWS + phrases("A list of one item is an error there.", "只有一个物品的列表在该工具中会报错。"),
    ),
    _sklearn(
        name="sklearn-ignore-ties",
        about=Phrase(
            "dcg_score and ndcg_score with ignore_ties=True: the last of equal scores first.",
            "dcg_score 与 ndcg_score，ignore_ties=True：同分时靠后的在前。",
        ),
        convention=_SKLEARN.replace(ties="input-reversed"),
        metrics=cut_or_not(
            "{name}_score(k={k}, ignore_ties=True)", "{name}_score(ignore_ties=True)", dcg="DCG", ndcg="nDCG"
        ),
        notes=ROWS
        + phrases(
            "Its sort is not stable: the order of equal scores depends on the processor and cannot be reproduced.",
            "其排序不稳定：同分的顺序取决于处理器，无法重现。",
        ),
    ),
    _sklearn(
        name="sklearn-average-precision",
        versions="0.19 - 1.9",
        about=Phrase(
            "average_precision_score: equal scores are one threshold and all count at the rank of the last.",
            "average_precision_score：同分视为同一阈值，都按最后一个的名次计。",
        ),
        convention=_SKLEARN.replace(ties="together"),
        metrics={"average_precision_score": "AP", "roc_auc_score": "AUC"},
        notes=ROWS
        + phrases(
            "label_ranking_average_precision_score has the same value, but 1 without relevant items: undefined=1.",
            "label_ranking_average_precision_score 取值相同，但没有相关物品时为 1：undefined=1。",
        ),
    ),
    Preset(
        name="tf-ranking",
        tool="TensorFlow Ranking",
        versions="0.5.5",
        about=Phrase(
            "Its random order of equal scores is replaced by the exact mean over all orders.",
            "它对同分物品随机排序；这里以所有排列的精确平均代替。",
        ),
        convention=_DEEP.replace(ties="mean", p_over="min(k,n)", unjudged="removed"),
        metrics=cut_or_not(
            "{name}Metric(topn={k})",
            "{name}Metric()",
            NDCG="nDCG",
            DCG="DCG",
            MeanAveragePrecision="AP",
            Precision="P",
            Recall="R",
            MRR="RR",
            Hits="HR",
        ),
        precision=SINGLE,
        notes=ROWS
        + phrases(
            "Labels below 0 are padding: removed.",
            "小于 0 的标签是填充：移除。",
            "keras-rs follows the same rules.",
            "keras-rs 遵循同样的规则。",
        ),
        defects=phrases(
            "0.5.5: the weight of a list without relevance depends on the batch.",
            "0.5.5：没有相关物品的列表的权重取决于所在批次。",
        ),
    ),
    Preset(
        name="rax",
        tool="Rax",
        versions="0.4",
        about=Phrase(
            "Ranking metrics for JAX, without the key that shuffles ties.", "JAX 的排序指标，不使用打乱并列的 key。"
        ),
        convention=_DEEP.replace(p_over="min(k,n)", negative="keep"),
        metrics=cut_or_not(
            "{name}_metric(topn={k})",
            "{name}_metric()",
            ndcg="nDCG",
            dcg="DCG",
            ap="AP",
            precision="P",
            recall="R",
            mrr="RR",
        ),
        precision=SINGLE,
        notes=ROWS
        + phrases(
            "With key= ties are shuffled: ties='mean' has their mean.", "给出 key= 时打乱并列：ties='mean' 为其均值。"
        ),
    ),
    Preset(
        name="allrank",
        tool="allRank",
        versions="1.4",
        about=Phrase(
            "ndcg and dcg for slates in PyTorch: 1 without relevant items.",
            "PyTorch 列表的 ndcg 与 dcg：没有相关物品时为 1。",
        ),
        convention=_DEEP.replace(undefined=1, unjudged="removed", rr_of="best"),
        metrics=cut_or_not("{name}@{k}", "{name}(ats=None)", ndcg="nDCG", dcg="DCG", mrr="RR"),
        precision=SINGLE,
        notes=ROWS
        + _UNSTABLE
        + phrases(
            "mrr uses the item with the best label.",
            "mrr 取标签最高的物品。",
            "A label of -1 is padding: removed.",
            "标签 -1 是填充：移除。",
        ),
        defects=phrases(
            "mrr of a list of zeros is 1 in a batch with others and 0 alone.",
            "全零列表的 mrr 在混合批次中为 1，单独时为 0。",
        ),
    ),
    Preset(
        name="ignite",
        tool="PyTorch-Ignite rec_sys",
        versions="0.5.5",
        about=Phrase(
            "NDCG with exponential gain; lists without relevant items are excluded.",
            "指数增益的 NDCG；没有相关物品的列表不计入。",
        ),
        convention=_DEEP.replace(no_relevant="skip", negative="zero"),
        metrics={"NDCG(top_k=[{k}])": "nDCG@{k}", "HitRate(top_k=[{k}])": "HR@{k}"},
        precision=SINGLE,
        notes=ROWS
        + phrases(
            "ignore_zero_hits=False is no_relevant='computed'; gain linear_rank is gain='linear'.",
            "ignore_zero_hits=False 即 no_relevant='computed'；linear_rank 即 gain='linear'。",
        ),
    ),
    _torchmetrics(
        name="torchmetrics-1.1.1",
        versions="before 1.1.2",
        about=Phrase(
            "Retrieval metrics before tied items were averaged in nDCG.", "nDCG 尚未对并列取平均时的检索指标。"
        ),
        convention=_TORCHMETRICS,
        notes=ROWS + _UNSTABLE,
    ),
    _torchmetrics(
        name="torchmetrics-1.1.2",
        versions="1.1.2",
        about=_TORCH_ABOUT,
        convention=_TORCH_MEAN,
        notes=ROWS + _TORCH_TIES,
    ),
    _torchmetrics(
        name="torchmetrics-1.2",
        versions="1.2 - 1.7.3",
        about=_TORCH_ABOUT,
        convention=_TORCH_MEAN,
        notes=ROWS + _TORCH_TIES,
    ),
    _torchmetrics(
        name="torchmetrics-1.7.4",
        versions="1.7.4 - 1.9",
        about=Phrase(
            "As 1.2, but items with a score of 0 or less do not count as hits in precision, recall, AP and RR.",
            "同 1.2，但分数不大于 0 的物品不算精确率、召回率、AP 与倒数排名的命中。",
        ),
        convention=_TORCH_MEAN.replace(hit_if="score>0"),
        notes=ROWS
        + phrases(
            "Logits below 0 count as not retrieved; shift them above 0 to compare.",
            "小于 0 的 logits 视为未检索到；比较前请平移到 0 以上。",
        )
        + _TORCH_TIES,
    ),
    _script(
        name="letor",
        tool="LETOR evaluation scripts",
        versions="3.0, 4.0",
        about=Phrase(
            "Exponential gain with the discount of 2002: ranks 1 and 2 are not discounted.",
            "指数增益配 2002 年的折损：第 1、2 位不折损。",
        ),
        convention=_SCRIPT,
        notes=ROWS
        + phrases(
            "MeanNDCG is the mean of nDCG.curve(...), that is of NDCG@i over every rank i.",
            "MeanNDCG 是 nDCG.curve(...) 的平均，即每个名次 i 上 NDCG@i 的平均。",
        ),
    ),
    _script(
        name="mslr",
        tool="MSLR-WEB evaluation script",
        versions="2010",
        about=Phrase(
            "As LETOR, with grades 0-4; P and MAP count grade 2 and above.",
            "同 LETOR，等级 0–4；P 与 MAP 以等级 ≥ 2 为相关。",
        ),
        convention=_SCRIPT.replace(rel=2),
    ),
    Preset(
        name="yahoo-ltrc",
        tool="Yahoo! Learning to Rank Challenge evaluate.py",
        versions="2010",
        about=Phrase(
            "NDCG@10 and ERR on grades 0-4; 0.5 without relevant items.",
            "NDCG@10 与 0–4 级的 ERR；没有相关物品时为 0.5。",
        ),
        convention=DEFAULT.replace(gain="exp2", ties="input", undefined=0.5),
        metrics={"NDCG": "nDCG@10", "ERR": "ERR"},
        notes=ROWS
        + phrases(
            "One copy of the script has 1 instead of 0.5: .replace(undefined=1).",
            "另一份脚本用 1 而不是 0.5：.replace(undefined=1)。",
        ),
    ),
    _esci(
        name="esci",
        about=Phrase(
            "Shopping queries: gains 1, 0.1, 0.01 and 0 for exact, substitute, complement and irrelevant products.",
            "购物查询：完全匹配、替代、互补、不相关商品的增益为 1、0.1、0.01、0。",
        ),
        convention=_ESCI.replace(gain={1: 1, 0.1: 0.1, 0.01: 0.01, 0: 0}),
    ),
    _esci(
        name="esci-2022-script",
        about=Phrase(
            "The published script, which swaps the gains of substitutes and complements.",
            "已发布的脚本，其中替代与互补的增益互换。",
        ),
        convention=_ESCI.replace(gain={1: 1, 0.1: 0.01, 0.01: 0.1, 0: 0}),
    ),
    Preset(
        name="otto",
        tool="OTTO (Kaggle)",
        versions="2022",
        about=Phrase(
            "Recall@20 pooled over sessions: the hits of all of them over the sum of min(20, R).",
            "对全部会话合并计算的 Recall@20：命中总数除以 min(20, R) 之和。",
        ),
        convention=DEFAULT.replace(r_over="min(k,R)", averaging="pooled", ties="input", duplicates="first"),
        metrics={"recall@20": "R@20"},
        notes=phrases(
            "The score is 0.10 clicks + 0.30 carts + 0.60 orders, each evaluated by itself.",
            "总分为 0.10 点击 + 0.30 加购 + 0.60 下单，三者分别计算。",
            "Without any event of a type the published formula divides by 0; here the value is 0.",
            "若某类事件一个也没有，公布的公式会除以 0；在本库中取 0。",
        ),
    ),
)
