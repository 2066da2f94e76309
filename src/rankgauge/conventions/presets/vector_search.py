"""Presets of vector search and agent memory."""

from __future__ import annotations

from rankgauge.conventions.convention import DEFAULT
from rankgauge.conventions.presets.record import Preset, at_k, phrases
from rankgauge.rendering.language import Phrase

_IDS = DEFAULT.replace(ties="input")

VECTOR_SEARCH = (
    Preset(
        name="longmemeval",
        tool="LongMemEval",
        versions="2024 - 2026",
        about=Phrase(
            "Sessions that hold the evidence of a question; ranks 1 and 2 have the same discount.",
            "含有问题依据的会话；第 1 名与第 2 名的折损相同。",
        ),
        convention=_IDS.replace(gain="binary", discount="log2(i)", per_metric={"AllHit": {"undefined": 1}}),
        metrics=at_k("{name}@{k}", recall_any="HR", recall_all="AllHit", ndcg_any="nDCG"),
        notes=phrases(
            "Leave out questions whose id ends in _abs and, as run_retrieval.py does, those without target turns; its "
            "tables print recall_all, which is 1 without evidence.",
            "请略去 id 以 _abs 结尾的问题，以及（同 run_retrieval.py）没有目标轮次的问题；"
            "其表格给出的是 recall_all，没有依据时为 1。",
        ),
    ),
    Preset(
        name="longmemeval-turns",
        tool="LongMemEval",
        versions="2024 - 2026",
        about=Phrase(
            "Retrieved turns rolled up to sessions: k grows until k different sessions are seen.",
            "检索到的轮次归并为会话：k 增大到出现 k 个不同会话为止。",
        ),
        convention=_IDS.replace(
            units="rolled-up", duplicates="first", k_counts="different", per_metric={"AllHit": {"undefined": 1}}
        ),
        metrics=at_k("{name}@{k}", recall_any="HR", recall_all="AllHit"),
        notes=phrases(
            "Pass units='before last _'. Its ndcg_any counts every turn of a session, also in the ideal: not here.",
            "请传入 units='before last _'。其 ndcg_any 逐轮计数，理想排序亦然，故未收入。",
        ),
    ),
    Preset(
        name="vectordbbench",
        tool="VectorDBBench",
        versions="2.0",
        about=Phrase(
            "Recall of a vector index against the exact neighbours; repeated ids count once.",
            "向量索引相对于精确近邻的召回率；重复的 id 只计一次。",
        ),
        convention=_IDS.replace(duplicates="first"),
        metrics={"recall({k})": "P@{k}", "ndcg({k})": "nDCG(discount='none')@{k}"},
        notes=phrases(
            "For ndcg, judge the exact neighbour at rank i with grade 1/log2(i+1).",
            "计算 ndcg 时，请将精确列表第 i 个近邻的等级设为 1/log2(i+1)。",
            "Before 2.0 repeated ids counted again in recall: .replace(duplicates='again').",
            "2.0 之前重复的 id 在 recall 中重复计入：.replace(duplicates='again')。",
        ),
        defects=phrases(
            "ndcg takes ranks from the exact list, so the order of the returned neighbours does not matter.",
            "ndcg 的名次取自精确列表，因此返回的近邻的顺序不起作用。",
        ),
    ),
    Preset(
        name="qdrant-benchmark",
        tool="Qdrant vector-db-benchmark",
        versions="2022 - 2026",
        about=Phrase(
            "mean_precisions: the share of the exact neighbours among the returned ids; 1 if there are none.",
            "mean_precisions：返回的 id 中精确近邻的个数除以其总数；没有精确近邻时为 1。",
        ),
        convention=_IDS.replace(duplicates="first", undefined=1),
        metrics={"mean_precisions": "R"},
        notes=phrases(
            "With top=k it takes the first k exact neighbours and divides by k: pass these as the relevant ids.",
            "给出 top=k 时，它只取前 k 个精确近邻并除以 k：请只把这些作为相关的 id。",
        ),
    ),
    Preset(
        name="ann-benchmarks",
        tool="ann-benchmarks",
        versions="2024 - 2026",
        about=Phrase(
            "Recall of a vector index by distance: neighbours no farther than the exact k-th one count.",
            "按距离计算的向量索引召回率：不比精确的第 k 个近邻更远者计入。",
        ),
        convention=_IDS,
        metrics=at_k("{name}(count={k})", knn="P", epsilon="P", largeepsilon="P"),
        notes=phrases(
            "Labels come from rg.neighbours.within_distance: margin 0.001, or 0.01 and 0.1 with relative=True.",
            "标签由 rg.neighbours.within_distance 给出：margin 为 0.001；或 relative=True 时为 0.01 与 0.1。",
        ),
    ),
)
