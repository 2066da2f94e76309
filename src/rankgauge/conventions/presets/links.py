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
)
