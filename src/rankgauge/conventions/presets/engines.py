"""Presets of search engines and of retrieval for language models."""

from __future__ import annotations

from rankgauge.conventions.convention import DEFAULT
from rankgauge.conventions.presets.record import SINGLE, Preset
from rankgauge.rendering.language import Phrase

_ENGINE = Phrase(
    "Items come in the order of the engine; pass them as a list, best first.",
    "物品按搜索引擎给出的顺序排列；请以列表形式传入，最好的在前。",
)

ENGINES = (
    Preset(
        name="elasticsearch",
        tool="Elasticsearch, OpenSearch _rank_eval",
        versions="2018 - 2026",
        about=Phrase(
            "The rank evaluation API: the ideal ends at the number of hits returned.",
            "排序评测 API：理想排序截断在返回的命中数处。",
        ),
        convention=DEFAULT.replace(gain="exp2", ideal_cut="returned", p_over="min(k,n)", ties="input"),
        metrics={
            "dcg": "DCG@10",
            "dcg(normalize)": "nDCG@10",
            "precision": "P@10",
            "recall": "R@10",
            "mean_reciprocal_rank": "RR@10",
            "expected_reciprocal_rank": "ERR@10",
        },
        notes=(
            _ENGINE,
            Phrase(
                "The default k is 10; expected_reciprocal_rank takes maximum_relevance (max_grade).",
                "k 默认为 10；expected_reciprocal_rank 需给出 maximum_relevance（即 max_grade）。",
            ),
        ),
        defects=(
            Phrase(
                "unknown_doc_rating is missing from the ideal, so nDCG can exceed 1.",
                "unknown_doc_rating 不计入理想排序，nDCG 可能超过 1。",
            ),
        ),
    ),
    Preset(
        name="opensearch",
        tool="OpenSearch Search Relevance Workbench",
        versions="3.1 (June 2025)",
        about=Phrase(
            "Judgments and experiments in OpenSearch; values rounded to two decimals.",
            "OpenSearch 中的标注与实验；取值保留两位小数。",
        ),
        convention=DEFAULT.replace(gain="exp2", p_over="min(k,n)", ties="input"),
        metrics={"NDCG@{k}": "nDCG@{k}", "MAP@{k}": "AP@{k}", "Precision@{k}": "P@{k}"},
        precision=5e-3,
        notes=(_ENGINE, Phrase("The value of each query is rounded to two decimals.", "每个查询的值都保留两位小数。")),
    ),
    Preset(
        name="quepid",
        tool="Quepid",
        versions="2025",
        about=Phrase(
            "Scorers of the Quepid workbench: the ideal of ndcg is not cut.", "Quepid 的评分器：ndcg 的理想排序不截断。"
        ),
        convention=DEFAULT.replace(
            gain="exp2", ideal_cut="none", p_over="min(k,n)", ties="input", per_metric={"AP": {"undefined": "nan"}}
        ),
        metrics={
            "ndcg@{k}": "nDCG@{k}",
            "ndcg_cut@{k}": "nDCG(ideal_cut='k')@{k}",
            "dcg@{k}": "DCG@{k}",
            "p@{k}": "P@{k}",
            "ap@{k}": "AP@{k}",
            "err@{k}": "ERR@{k}",
        },
        notes=(_ENGINE,),
    ),
    Preset(
        name="sentence-transformers",
        tool="sentence-transformers InformationRetrievalEvaluator",
        versions="5 - 6",
        about=Phrase(
            "Sets of relevant documents for each query; queries without any are dropped.",
            "每个查询一个相关文档集合；没有相关文档的查询被丢弃。",
        ),
        convention=DEFAULT.replace(
            gain="binary", ap_over="min(R,k)", ties="input", no_relevant="skip", score_precision="float32"
        ),
        metrics={
            "accuracy@{k}": "HR@{k}",
            "precision@{k}": "P@{k}",
            "recall@{k}": "R@{k}",
            "mrr@{k}": "RR@{k}",
            "ndcg@{k}": "nDCG@{k}",
            "map@{k}": "AP@{k}",
        },
        notes=(
            Phrase(
                "The order of equal scores depends on its heap and cannot be reproduced.",
                "分数相同者按堆中顺序排列，无法重现。",
            ),
        ),
    ),
    Preset(
        name="pyvespa",
        tool="pyvespa VespaEvaluator",
        versions="1.2",
        about=Phrase(
            "Sets of relevant documents, or grades from 0 to 1 for nDCG alone.",
            "相关文档集合；或 0 至 1 的等级（只算 nDCG）。",
        ),
        convention=DEFAULT.replace(ap_over="min(R,k)", rel=">0", ties="input", no_relevant="skip"),
        metrics={
            "accuracy@{k}": "HR@{k}",
            "precision@{k}": "P@{k}",
            "recall@{k}": "R@{k}",
            "mrr@{k}": "RR@{k}",
            "ndcg@{k}": "nDCG@{k}",
            "map@{k}": "AP@{k}",
        },
        notes=(_ENGINE,),
    ),
    Preset(
        name="mlflow",
        tool="MLflow retriever metrics",
        versions="3 (ac9005c)",
        about=Phrase(
            "Retrieved ids against target ids; the ideal ends at the number retrieved.",
            "检索到的 id 与目标 id；理想排序截断在检索到的数目处。",
        ),
        convention=DEFAULT.replace(gain="binary", ideal_cut="returned", p_over="min(k,n)", ties="input"),
        metrics={"precision_at_{k}": "P@{k}", "recall_at_{k}": "R@{k}", "ndcg_at_{k}": "nDCG@{k}"},
        precision=SINGLE,
        notes=(
            Phrase(
                "The default k is 3; with neither targets nor retrieved ids all values are 1.",
                "k 默认为 3；目标与检索结果都为空时取值为 1。",
            ),
        ),
        defects=(Phrase("Repeated ids are renamed and added to the targets.", "重复的 id 会被改名并加入目标。"),),
    ),
    Preset(
        name="llama-index",
        tool="LlamaIndex",
        versions="0.14 (d802122)",
        about=Phrase("Retrieved ids against expected ids, without a cutoff.", "检索到的 id 与期望的 id，没有截断。"),
        convention=DEFAULT.replace(gain="binary", ideal_cut="none", p_over="returned", ties="input", undefined="error"),
        metrics={"hit_rate": "HR", "mrr": "RR", "precision": "P", "recall": "R", "ap": "AP", "ndcg": "nDCG"},
        defects=(
            Phrase(
                "Repeated ids are counted again: nDCG reaches 1.63 and AP 2.",
                "重复的 id 会重复计数：nDCG 可达 1.63，AP 可达 2。",
            ),
        ),
    ),
    Preset(
        name="ml_metrics",
        tool="ml_metrics (Kaggle)",
        versions="0.1.4",
        about=Phrase("apk and mapk, as in many Kaggle competitions.", "apk 与 mapk，许多 Kaggle 竞赛使用。"),
        convention=DEFAULT.replace(ap_over="min(R,k)", ties="input"),
        metrics={"apk(k={k})": "AP@{k}", "mapk(k={k})": "AP@{k}"},
        notes=(Phrase("The default k is 10.", "k 默认为 10。"),),
        defects=(Phrase("Repeated actual items count in the denominator.", "实际列表中的重复物品计入分母。"),),
    ),
)
