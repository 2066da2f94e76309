"""Presets of tools for retrieval-augmented generation."""

from __future__ import annotations

from functools import partial

from rankgauge.conventions.convention import DEFAULT
from rankgauge.conventions.presets.record import SINGLE, Preset, at_k, phrases
from rankgauge.conventions.presets.search import TREC_9
from rankgauge.rendering.language import Phrase

_IDS = DEFAULT.replace(ties="input")
_ragas = partial(Preset, tool="ragas", versions="0.4.3")
_llama_index = partial(Preset, tool="LlamaIndex", versions="0.14 (d802122)")
_LLAMA_INDEX = _IDS.replace(gain="binary", ideal_cut="none", p_over="returned", undefined="error", duplicates="again")
_HAYSTACK = {
    "DocumentMAPEvaluator": "AP",
    "DocumentMRREvaluator": "RR",
    "DocumentNDCGEvaluator": "nDCG",
    "DocumentRecallEvaluator": "HR",
    "DocumentRecallEvaluator(mode='multi_hit')": "R",
}
_haystack = partial(
    Preset,
    tool="Haystack",
    metrics=_HAYSTACK,
    notes=phrases(
        "DocumentRecallEvaluator is a hit rate unless mode='multi_hit'.",
        "DocumentRecallEvaluator 是命中率，除非 mode='multi_hit'。",
        "Documents match by content unless document_comparison_field names another field; pass it as the item.",
        "文档默认按内容匹配；若用 document_comparison_field 指定其他字段，请以该字段作为物品。",
    ),
)
_freshstack = partial(Preset, tool="FreshStack", versions="2025 - 0.0.6")
_VERDICTS = phrases(
    "Pass the verdicts in rank order as grades: 1 for yes and 0 for no. No language model is called.",
    "请按名次把判定作为等级传入：是为 1，否为 0。本库不调用语言模型。",
)

RAG = (
    Preset(
        name="mlflow",
        tool="MLflow retriever metrics",
        versions="3.0 - 3.18",
        about=Phrase(
            "Retrieved ids against target ids; the ideal ends at the number retrieved.",
            "检索到的 id 与目标 id；理想排序截断在检索到的数目处。",
        ),
        convention=DEFAULT.replace(
            gain="binary",
            ideal_cut="returned",
            p_over="min(k,n)",
            ties="input",
            duplicates="first",
            per_metric={"P": {"duplicates": "again"}},
        ),
        metrics={"precision_at_{k}": "P@{k}", "recall_at_{k}": "R@{k}", "ndcg_at_{k}": "nDCG@{k}"},
        precision=SINGLE,
        notes=phrases(
            "The default k is 3. With neither targets nor retrieved ids, recall and ndcg are 1 there and 0 here: no "
            "rule tells such a query from one with retrieved ids, whose values are 0.",
            "k 默认为 3。目标与检索结果都为空时，recall 与 ndcg 在该工具中为 1，在本库中为 0："
            "没有规则把这样的查询与有检索结果（取值为 0）的查询区分开。",
        ),
        defects=phrases(
            "ndcg renames repeated ids and adds them to the targets; here they count once.",
            "ndcg 会把重复的 id 改名并加入目标；在本库中只计一次。",
        ),
    ),
    _llama_index(
        name="llama-index",
        about=Phrase("Retrieved ids against expected ids, without a cutoff.", "检索到的 id 与期望的 id，没有截断。"),
        convention=_LLAMA_INDEX.replace(per_metric={"P": {"duplicates": "set"}, "R": {"duplicates": "set"}}),
        metrics={"hit_rate": "HR", "mrr": "RR", "precision": "P", "recall": "R", "ap": "AP", "ndcg": "nDCG"},
        defects=phrases(
            "Repeated ids are counted again: nDCG reaches 1.63 and AP 2.",
            "重复的 id 会重复计数：nDCG 可达 1.63，AP 可达 2。",
        ),
    ),
    _llama_index(
        name="llama-index-granular",
        about=Phrase(
            "The granular forms of hit_rate and mrr: hits by expected ids, and the mean of 1/rank over the hits.",
            "hit_rate 与 mrr 的细粒度形式：命中数除以期望的 id 数，以及各命中名次倒数的平均。",
        ),
        convention=_LLAMA_INDEX.replace(rr_of="hits", undefined=0),
        metrics={"hit_rate(use_granular_hit_rate=True)": "R", "mrr(use_granular_mrr=True)": "RR"},
        notes=phrases(
            "Expected ids that are listed twice count twice in the tool.", "期望的 id 若重复列出，该工具会重复计数。"
        ),
    ),
    _ragas(
        name="ragas-id",
        about=Phrase(
            "Context precision and recall of sets of ids; undefined values are left out of the mean.",
            "按 id 集合计算的上下文精确率与召回率；无定义的值不计入均值。",
        ),
        convention=_IDS.replace(p_over="returned", undefined="skip", duplicates="set"),
        metrics={"id_based_context_precision": "P", "id_based_context_recall": "R"},
        notes=phrases("It does not say how many values it left out.", "该工具不说明略去了多少个值。"),
    ),
    _ragas(
        name="ragas-text",
        about=Phrase(
            "Context precision without a language model: texts that are similar to a reference, in rank order.",
            "不用语言模型的上下文精确率：与参考文本相似的文本，按名次计算。",
        ),
        convention=_IDS.replace(match="similar>=0.5", ap_over="hits", denominator_plus=1e-10, duplicates="again"),
        metrics={"non_llm_context_precision_with_reference": "AP"},
        notes=phrases(
            "A perfect list scores 0.9999999999, because 1e-10 is added to the denominator.",
            "分母另加 1e-10，因此完美的结果为 0.9999999999。",
        ),
    ),
    _ragas(
        name="ragas-text-recall",
        about=Phrase(
            "Context recall without a language model: reference texts similar to a returned one; here the threshold is "
            "strict.",
            "不用语言模型的上下文召回率：与某个返回文本相似的参考文本；此处阈值不含端点。",
        ),
        convention=_IDS.replace(match="similar>0.5", duplicates="first"),
        metrics={"non_llm_context_recall": "R"},
    ),
    _ragas(
        name="ragas-verdicts",
        about=Phrase(
            "Context precision and recall from stored verdicts per chunk or statement.",
            "由已存的各文本块或陈述的判定计算上下文精确率与召回率。",
        ),
        convention=_IDS.replace(
            ap_over="hits",
            p_over="returned",
            per_metric={"AP": {"denominator_plus": 1e-10}, "P": {"undefined": "skip"}},
        ),
        metrics={"context_precision": "AP", "context_utilization": "AP", "context_recall": "P"},
        notes=_VERDICTS
        + phrases(
            "context_recall is the share of reference statements with a yes.",
            "context_recall 是判定为是的参考陈述的比例。",
        ),
    ),
    Preset(
        name="deepeval",
        tool="deepeval",
        versions="4.1 - 4.3",
        about=Phrase(
            "Contextual precision, recall and relevancy from stored verdicts.",
            "由已存的判定计算 Contextual Precision、Recall 与 Relevancy。",
        ),
        convention=_IDS.replace(ap_over="hits", p_over="returned"),
        metrics={"Contextual Precision": "AP", "Contextual Recall": "P", "Contextual Relevancy": "P"},
        notes=_VERDICTS
        + phrases(
            "Contextual Relevancy pools the statements of all chunks of a question: pass them as one list.",
            "Contextual Relevancy 合并一个问题的所有文本块的陈述：请作为一个列表传入。",
        ),
    ),
    _haystack(
        name="haystack-2",
        versions="2.2 - 3.0",
        about=Phrase(
            "Evaluators of retrieved documents: MAP is divided by the hits, and repeated documents count again.",
            "检索文档的评测器：MAP 除以命中数，重复的文档重复计入。",
        ),
        convention=_IDS.replace(
            ap_over="hits", ideal_cut="none", duplicates="again", per_metric={"R": {"duplicates": "set"}}
        ),
        defects=phrases(
            "One of two relevant documents found first scores a MAP of 1; one document returned twice an nDCG of 1.63.",
            "两个相关文档中只找到一个且排第一时，MAP 为 1；同一文档返回两次时，nDCG 为 1.63。",
        ),
    ),
    _haystack(
        name="haystack-3.1",
        versions="3.1 - 3.4",
        about=Phrase(
            "Evaluators of retrieved documents since August 2026: MAP over all relevant documents, each counted once.",
            "检索文档的评测器，2026 年 8 月起：MAP 除以全部相关文档数，每个文档只计一次。",
        ),
        convention=_IDS.replace(ideal_cut="none", duplicates="first"),
    ),
    Preset(
        name="phoenix",
        tool="Arize Phoenix",
        versions="20.26",
        about=Phrase(
            "Evaluation scores of the returned documents; the ideal order is made of these alone.",
            "返回文档的评测分数；理想排序只由这些文档组成。",
        ),
        convention=_IDS.replace(ideal="returned", rel=">0"),
        metrics=at_k("{name}(k={k})", ndcg="nDCG", precision="P")
        | {"ndcg": "nDCG", "precision": "P", "hit": "HR", "reciprocal_rank": "RR"},
        notes=phrases(
            "A score that is missing makes the value missing; leave such queries out.",
            "有缺失的分数时取值缺失；请略去这样的查询。",
        ),
    ),
    Preset(
        name="trulens",
        tool="TruLens",
        versions="2.16",
        about=Phrase(
            "GroundTruthAgreement: retrieved texts against expected chunks; without k, k is the number retrieved.",
            "GroundTruthAgreement：检索到的文本与期望的文本块；未给出 k 时，k 取检索到的数目。",
        ),
        convention=_IDS.replace(
            ideal_cut="k or n",
            p_over="min(k,n)",
            undefined="skip",
            no_relevant="skip",
            duplicates="first",
            per_metric={"P": {"tied_at_k": "all", "duplicates": "again"}, "R": {"tied_at_k": "all"}},
        ),
        metrics=at_k("{name}(k={k})", ndcg_at_k="nDCG", precision_at_k="P", recall_at_k="R")
        | {"ndcg_at_k": "nDCG", "precision_at_k": "P", "recall_at_k": "R", "mrr": "RR", "ir_hit_rate": "HR"},
        notes=phrases(
            "Up to 2.13.1 repeated texts counted again in every metric, with a recall of up to 2.",
            "2.13.1 及之前重复的文本在各指标中都重复计入，召回率可达 2。",
        ),
    ),
    Preset(
        name="azure",
        tool="Azure AI Evaluation DocumentRetrievalEvaluator",
        versions="1.18",
        about=Phrase(
            "Labels from 0 to 4, and metrics of the first three documents.", "0 到 4 的标签，以及前三个文档的指标。"
        ),
        convention=_IDS.replace(gain="exp2", per_metric={"Fidelity": {"undefined": "nan"}}),
        metrics={
            "ndcg@3": "nDCG@3",
            "xdcg@3": "xDCG@3",
            "fidelity": "Fidelity",
            "top1_relevance": "CG(gain='linear')@1",
            "holes_ratio": "Unjudged",
        },
        defects=phrases(
            "Labels from 10 on are sorted as text and get wrong weights in fidelity.",
            "10 及以上的标签按文本排序，在 fidelity 中权重有误。",
        ),
    ),
    Preset(
        name="sentence-transformers-reranking",
        tool="sentence-transformers RerankingEvaluator",
        versions="5 - 6",
        about=Phrase(
            "Positives and negatives of each query; ties are together in map, averaged in ndcg, in input order in mrr.",
            "每个查询的正例与负例：并列在 map 中合在一起，在 ndcg 中取平均，在 mrr 中按输入顺序。",
        ),
        convention=_IDS.replace(
            gain="binary", no_relevant="skip", per_metric={"AP": {"ties": "together"}, "nDCG": {"ties": "mean"}}
        ),
        metrics={"map": "AP", "mrr@{k}": "RR@{k}", "ndcg@{k}": "nDCG@{k}"},
        notes=phrases(
            "The default k is 10. Queries without negatives are dropped as well; leave them out.",
            "k 默认为 10。没有负例的查询也会被丢弃；请略去。",
            "Positives come first in the input, so ties favour them in mrr.",
            "输入中正例在前，因此 mrr 中的并列对其有利。",
            "CrossEncoderRerankingEvaluator reverses the order of ties in mrr, so short lists favour negatives.",
            "CrossEncoderRerankingEvaluator 在 mrr 中颠倒并列的顺序，短列表因此对负例有利。",
        ),
    ),
    Preset(
        name="autorag",
        tool="AutoRAG",
        versions="0.3 (legacy)",
        about=Phrase(
            "Gold as groups of ids: any member of a group will do, and all groups are wanted.",
            "标准答案为若干组 id：每组命中任意一个即可，所有组都要找到。",
        ),
        convention=_IDS.replace(
            gain="binary",
            ideal_cut="returned",
            p_over="returned",
            rr_of="all",
            duplicates="first",
            per_metric={"nDCG": {"duplicates": "again"}},
        ),
        metrics={
            "retrieval_recall": "R",
            "retrieval_precision": "P",
            "retrieval_f1": "F",
            "retrieval_ndcg": "nDCG",
            "retrieval_mrr": "RR",
            "retrieval_map": "RR",
        },
        notes=phrases(
            "mrr is the mean over groups of 1/rank of the first member, and so is map while only one member of each "
            "group is returned, and once.",
            "mrr 为各组首个成员名次倒数的平均；若每组只返回一个成员且只返回一次，map 亦然。",
            "Further members of a group count again in its precision and its ideal, and here as copies.",
            "同组的其余成员在其 precision 与理想排序中重复计入，在本库中视为副本。",
        ),
    ),
    _freshstack(
        name="freshstack",
        about=Phrase(
            "Nuggets as subtopics: alpha-nDCG as ndeval, and recall as pytrec_eval.",
            "以信息点为子主题：alpha-nDCG 同 ndeval，召回率同 pytrec_eval。",
        ),
        convention=TREC_9.replace(intent_over="ndeval", missing="zero"),
        metrics={"alpha-nDCG@{k}": "alphanDCG@{k}", "Recall@{k}": "R@{k}"},
        notes=phrases(
            "Coverage has other ties: preset freshstack-coverage.", "Coverage 的并列规则不同：见 freshstack-coverage。"
        ),
    ),
    _freshstack(
        name="freshstack-coverage",
        about=Phrase(
            "The share of nuggets to which a document of the top k is relevant; ties in input order.",
            "前 k 个文档涵盖的信息点的比例；并列按输入顺序。",
        ),
        convention=_IDS.replace(missing="zero"),
        metrics={"Coverage@{k}": "StRecall@{k}"},
        precision=5e-6,
        notes=phrases(
            "Coverage of a query is rounded to five decimals. A nugget without a relevant document counts in its "
            "denominator there and not here, where a subtopic is known by its relevant items: n1 {a: 1}, n2 {b: 0} and "
            "the list a, b give 0.5 there and 1 here.",
            "单个查询的 Coverage 保留五位小数。没有相关文档的信息点在该工具中计入分母，在本库中不计，"
            "因为子主题由其相关物品给出：n1 {a: 1}、n2 {b: 0}、列表 a, b 时，前者为 0.5，后者为 1。",
        ),
    ),
    Preset(
        name="unitxt",
        tool="unitxt",
        versions="1.26",
        about=Phrase(
            "Retrieved ids against reference ids: AP over the hits, and repeated ids count again.",
            "检索到的 id 与参考 id：AP 除以命中数，重复的 id 重复计入。",
        ),
        convention=_IDS.replace(ap_over="hits", p_over="min(k,n)", duplicates="again"),
        metrics=at_k("{name}_at_{k}", precision="P", recall="R", match="HR") | {"mrr": "RR", "map": "AP"},
    ),
    Preset(
        name="open-rag-eval",
        tool="open-rag-eval",
        versions="November 2025",
        about=Phrase(
            "UMBRELA grades from 0 to 3, relevant from 2: precision over k, AP over the hits in the top k.",
            "UMBRELA 0 到 3 级，2 级起算相关：精确率除以 k，AP 除以前 k 个中的命中数。",
        ),
        convention=_IDS.replace(rel=2, ap_over="hits"),
        metrics={"precision@{k}": "P@{k}", "AP@{k}": "AP@{k}", "MRR": "RR"},
        notes=phrases(
            "Values at a k beyond the number of passages are left out of its output.", "k 超过段落数时，它不输出该值。"
        ),
    ),
    Preset(
        name="weaviate-qab",
        tool="Weaviate query-agent-benchmarking",
        versions="August 2026",
        about=Phrase(
            "Retrieved ids against gold ids; repeated ids count again.", "检索到的 id 与标准 id；重复的 id 重复计入。"
        ),
        convention=_IDS.replace(gain="binary", duplicates="again", undefined="error"),
        metrics={"recall@1": "HR@1"} | at_k("{name}@{k}", recall="R", precision="P", nDCG="nDCG", success="HR"),
        notes=phrases(
            "recall@1 is success, whatever the number of gold ids.", "recall@1 即是否命中，与标准 id 的个数无关。"
        ),
        defects=phrases(
            "alpha_ndcg assumes one new nugget per rank in its ideal, and can exceed 1.",
            "alpha_ndcg 的理想排序假定每个名次只新增一个信息点，可能超过 1。",
        ),
    ),
    Preset(
        name="rag-ci",
        tool="rag-ci",
        versions="2026",
        about=Phrase(
            "Retrieved chunks against required passages, by ids: where no chunk covers two passages, and no two chunks "
            "the same one.",
            "检索到的文本块与所需段落；任一文本块不同时覆盖两个段落、任一段落不被两个文本块覆盖时，即按 id 计算。",
        ),
        convention=_IDS.replace(
            gain="binary",
            p_over="min(k,n)",
            undefined="error",
            duplicates="again",
            per_metric={"R": {"duplicates": "first"}},
        ),
        metrics=at_k("{name}@{k}", recall="R", all_passages_recall="AllHit", precision="P", mrr="RR", ndcg="nDCG"),
        notes=phrases(
            "The default k is 10. A chunk covers a passage if it holds at least half of it; further chunks of a "
            "passage count again in precision and ndcg.",
            "k 默认为 10。文本块含有段落的一半以上即为覆盖；同一段落的其余文本块在 precision 与 ndcg 中重复计入。",
        ),
    ),
    Preset(
        name="ragchecker",
        tool="RAGChecker",
        versions="0.1",
        about=Phrase(
            "Shares of verdicts: chunks that entail a gold claim, and gold claims that a chunk entails; no order.",
            "判定的比例：蕴含某个标准论断的文本块，以及被某个文本块蕴含的标准论断；不看顺序。",
        ),
        convention=_IDS.replace(p_over="returned"),
        metrics={"context_precision": "P", "claim_recall": "P"},
        notes=_VERDICTS
        + phrases(
            "context_precision takes a verdict per chunk, claim_recall one per gold claim.",
            "context_precision 取每个文本块的判定，claim_recall 取每个标准论断的判定。",
        ),
    ),
)
