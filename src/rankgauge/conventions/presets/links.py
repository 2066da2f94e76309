"""Presets of link prediction and metric learning."""

from __future__ import annotations

from rankgauge.conventions.convention import DEFAULT
from rankgauge.conventions.presets.record import SINGLE, Preset, at_k, phrases
from rankgauge.rendering.language import Phrase

LINKS = (
    Preset(
        name="pyg",
        tool="PyTorch Geometric (PyG)",
        versions="2.8",
        about=Phrase(
            "LinkPred metrics: the first k predicted nodes of each source node that has labels; links that are "
            "predicted twice count twice.",
            "LinkPred 指标：每个有标签的源节点的前 k 个预测节点；重复预测的链接重复计数。",
        ),
        convention=DEFAULT.replace(
            gain="binary",
            ap_over="min(R,k)",
            rel=">0",
            ties="input",
            duplicates="again",
            no_relevant="skip",
            no_queries=0,
        ),
        metrics=at_k(
            "LinkPred{name}(k={k})", Precision="P", Recall="R", F1="F", MAP="AP", NDCG="nDCG", MRR="RR", HitRatio="HR"
        )
        | {
            "LinkPredNDCG(k={k}, weighted=True)": "nDCG(gain='linear')@{k}",
            "LinkPredRecall(k={k}, weighted=True)": "nDCG(gain='linear', discount='none', ideal_cut='none')@{k}",
        },
        precision=SINGLE,
        notes=phrases(
            "A label of weight 0 or less is no label; without weights, every label counts 1.",
            "权重不大于 0 的标签不算标签；不给权重时，每个标签计 1。",
        ),
        defects=phrases(
            "2.8.1: -1 as padding of a short list is the last node of the row before, and can be a hit there; pad "
            "with a number that no node has.",
            "2.8.1：用 -1 填充短列表会指向上一行的最后一个节点，可能被算作命中；请用任何节点都没有的编号填充。",
        ),
    ),
    Preset(
        name="ogb",
        tool="Open Graph Benchmark (OGB)",
        versions="1.3",
        about=Phrase(
            "Link prediction: a positive has the mean of its optimistic and its pessimistic rank among its negatives; "
            "hits@K counts the positives above the K-th negative.",
            "链接预测：正例在其负例中的名次取乐观与悲观名次的平均；hits@K 计排在第 K 个负例之前的正例。",
        ),
        convention=DEFAULT.replace(ties="mean-rank", undefined="nan"),
        metrics={
            "mrr_list": "RR",
            "hits@{k}_list": "HR@{k}",
            "hits@{k}": "TPR(negatives={k}, tied='lost')",
            "rocauc": "AUC",
        },
        precision=SINGLE,
        notes=phrases(
            "mrr_list and hits@K_list have one positive for each query; pass a positive with its negatives as a query. "
            "hits@K and rocauc take all positives and negatives as one list.",
            "mrr_list 与 hits@K_list 的每个查询只有一个正例；请把一个正例与其负例作为一个查询。"
            "hits@K 与 rocauc 把全部正例与负例当作一个列表。",
        ),
        defects=phrases(
            "1.3.6: mrr of NumPy arrays is an error; pass tensors.", "1.3.6：传入 NumPy 数组时 mrr 报错；请传入张量。"
        ),
    ),
    Preset(
        name="pytorch-metric-learning",
        tool="pytorch-metric-learning",
        versions="2.9",
        about=Phrase(
            "AccuracyCalculator: the nearest references of each query; those of its class are relevant.",
            "AccuracyCalculator：每个查询的最近参考样本，与其同类者为相关。",
        ),
        convention=DEFAULT.replace(ties="input", score_precision="float32", no_relevant="skip"),
        metrics={
            "precision_at_1": "P@1",
            "r_precision": "Rprec",
            "mean_average_precision": "AP",
            "mean_average_precision(k={k})": "AP@{k}",
            "mean_reciprocal_rank": "RR",
            "mean_reciprocal_rank(k={k})": "RR@{k}",
        },
        precision=SINGLE,
        notes=phrases(
            "mean_average_precision_at_r is AP@k where every query has R = k relevant references; with different R, "
            "evaluate the queries of each R by themselves.",
            "每个查询都有 R = k 个相关参考时，mean_average_precision_at_r 即 AP@k；R 不同时，请按 R 分别评测。",
            "avg_of_avgs=True averages the means of the classes: averaging='weighted', each query weighted with 1 over "
            "the number of queries of its class.",
            "avg_of_avgs=True 对各类的均值取平均：averaging='weighted'，查询的权重为 1 除以同类查询数。",
        ),
        defects=phrases(
            "2.9.0: mean_reciprocal_rank alone is an error; include another metric as well.",
            "2.9.0：只计算 mean_reciprocal_rank 会报错；请同时加入另一个指标。",
        ),
    ),
)
