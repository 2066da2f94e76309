"""Presets of hosted services, by the definitions in their documentation."""

from __future__ import annotations

from rankgauge.conventions.convention import DEFAULT
from rankgauge.conventions.presets.record import Preset, at_k, phrases
from rankgauge.rendering.language import Phrase

_LISTS = DEFAULT.replace(gain="binary", ties="input")
_DOCUMENTED = phrases("By its documentation: the service could not be run.", "依据其文档：该服务无法在此运行。")

SERVICES = (
    Preset(
        name="amazon-personalize",
        tool="Amazon Personalize",
        versions="documentation of 2026",
        about=Phrase(
            "Offline metrics of a solution version: the newest interactions of each user are relevant.",
            "solution version 的离线指标：每个用户最近的交互为相关。",
        ),
        convention=_LISTS,
        metrics={
            "mean_reciprocal_rank_at_{k}": "RR@{k}",
            "normalized_discounted_cumulative_gain_at_{k}": "nDCG@{k}",
            "precision_at_{k}": "P@{k}",
            "coverage": "ItemCoverage",
        },
        notes=_DOCUMENTED
        + phrases(
            "k is 25 for the reciprocal rank, and 5, 10 and 25 for the others. The base of its logarithm does not "
            "matter in nDCG. coverage is over the items of the training data. What short lists are divided by and "
            "whether relevant items that were not recommended are in the ideal is assumed.",
            "倒数排名的 k 为 25，其余为 5、10、25。nDCG 与对数的底无关。coverage 除以训练数据中的物品数。"
            "列表较短时除以什么、未被推荐的相关物品是否在理想排序中，均为推断。",
        ),
    ),
    Preset(
        name="vertex-ai-search",
        tool="Vertex AI Search (Discovery Engine QualityMetrics)",
        versions="v1alpha - v1beta, 2026",
        about=Phrase(
            "Recall, precision and NDCG of documents at 1, 3, 5 and 10; of pages recall and NDCG.",
            "文档的召回率、精确率与 NDCG，k 为 1、3、5、10；页面只有召回率与 NDCG。",
        ),
        convention=_LISTS,
        metrics=at_k("{name}.top{k}", docRecall="R", docPrecision="P", docNdcg="nDCG", pageRecall="R", pageNdcg="nDCG"),
        notes=_DOCUMENTED
        + phrases(
            "For pages, pass the pages as items. Its examples have full lists, and say neither what precision is "
            "divided by for a shorter list nor whether relevant documents that were not retrieved are in the ideal.",
            "计算页面指标时请以页面为物品。其示例中列表都是满的，没有说明列表较短时精确率除以什么，"
            "也没有说明未检索到的相关文档是否在理想排序中。",
        ),
    ),
    Preset(
        name="databricks-agent-evaluation",
        tool="Databricks Agent Evaluation",
        versions="documentation of 2026",
        about=Phrase(
            "document_recall: the share of the expected doc_uri values that were retrieved.",
            "document_recall：期望的 doc_uri 中被检索到的比例。",
        ),
        convention=_LISTS.replace(duplicates="first", no_relevant="skip"),
        metrics={"retrieval/ground_truth/document_recall": "R"},
        notes=_DOCUMENTED
        + phrases(
            "Pass the doc_uri of every chunk as the item. Requests without expected documents are left out, which is "
            "assumed: its pages do not say so.",
            "请以每个文本块的 doc_uri 为物品。没有期望文档的请求不计入，这一点是推断，其页面没有说明。",
        ),
    ),
)
