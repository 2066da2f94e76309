"""Presets of information retrieval: evaluators and search engines."""

from __future__ import annotations

from functools import partial

from rankgauge.conventions.convention import DEFAULT
from rankgauge.conventions.presets.record import Preset, at_k, cut_or_not, phrases
from rankgauge.rendering.language import Phrase

_TREC_NAMES = {
    "map": "AP",
    "Rprec": "Rprec",
    "recip_rank": "RR",
    "ndcg": "nDCG",
    "bpref": "bpref",
    "infAP": "infAP",
    "11pt_avg": "IAP",
    "gm_map": "GMAP",
    "set_P": "P",
    "set_recall": "R",
    "set_F": "F",
} | at_k("{name}_{k}", map_cut="AP", P="P", recall="R", ndcg_cut="nDCG", success="HR")
_MORE = (
    "SetAP", "YAAP", "IPrec", "NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonrelRet", "Utility", "binG", "G",
    "nDCGrel", "RnDCG", "GMbpref")  # fmt: skip
_TREC = partial(Preset, metrics=_TREC_NAMES, more_metrics=_MORE)
_mteb = partial(Preset, tool="MTEB", precision=5e-6)
_OF_TREC_EVAL = {"RnDCG": {"no_relevant": "zero"}}
"""Rndcg is 0 if no item reaches the level; no other nDCG of trec_eval depends on it."""
TREC_9 = DEFAULT.replace(score_precision="float32", recall_point="trec_eval-9", missing="skip")
_ENGINE = phrases(
    "Items come in the order of the engine; pass them as a list, best first.",
    "物品按搜索引擎给出的顺序排列；请以列表形式传入，最好的在前。",
)

SEARCH = (
    _TREC(
        name="trec_eval-9",
        tool="trec_eval",
        versions="9.0 - 9.0.8",
        about=Phrase(
            "NIST's evaluator, in which TREC results were computed.", "NIST 的评测程序，TREC 的结果由它算出。"
        ),
        convention=TREC_9.replace(fractions="cut", per_metric=_OF_TREC_EVAL),
        notes=phrases(
            "With -c, judged queries without results count 0: missing='zero'.",
            "使用 -c 时没有结果的已标注查询记 0：missing='zero'。",
            "-l changes P, R, AP and similar metrics (rel=), never nDCG.",
            "-l 影响 P、R、AP 等（rel=），但从不影响 nDCG。",
        ),
        defects=phrases(
            "9.0.8: the ideal of ndcg is wrong for gains that differ by less than 1.",
            "9.0.8：增益相差小于 1 时 ndcg 的理想排序有误。",
            "9.0.8: iprec_at_recall and 11pt_avg of an empty list are NaN.",
            "9.0.8：空列表的 iprec_at_recall 与 11pt_avg 为 NaN。",
        ),
    ),
    _TREC(
        name="trec_eval-10",
        tool="trec_eval",
        versions="10.0",
        about=Phrase(
            "NIST's evaluator since 2026: double precision, another rounding of recall points.",
            "NIST 2026 年起的评测程序：双精度，召回点的取整方式不同。",
        ),
        convention=DEFAULT.replace(recall_point="round", missing="error", fractions="cut", per_metric=_OF_TREC_EVAL),
        metrics=_TREC_NAMES
        | {"dcg": "DCG", "ideal_dcg": "IDCG", "rbp": "RBP(p=0.9, graded=True, max_grade='largest')"},
        notes=phrases(
            "A judged query without results stops the program; with -c it counts 0.",
            "已标注的查询没有结果时程序退出；使用 -c 则记 0。",
        ),
        defects=phrases("10.0: rbp reads uninitialised bounds of the gains.", "10.0：rbp 读取了未初始化的增益上下界。"),
    ),
    _TREC(
        name="pytrec_eval",
        tool="pytrec_eval, pytrec-eval-terrier",
        versions="0.5 - 0.5.11",
        about=Phrase("trec_eval 9.0.8 called from Python.", "从 Python 调用 trec_eval 9.0.8。"),
        convention=TREC_9.replace(per_metric=_OF_TREC_EVAL),
        notes=phrases("gm_map of a query is ln(AP), as here.", "单个查询的 gm_map 为 ln(AP)，与本库相同。"),
        defects=phrases(
            "0.5.11: an empty ranking has NaN for iprec_at_recall; grades that are all negative can hang it.",
            "0.5.11：空排序的 iprec_at_recall 为 NaN；全为负等级时可能死循环。",
        ),
    ),
    Preset(
        name="ranx",
        tool="ranx",
        versions="0.3.20 - 0.3.21",
        about=Phrase("Ranking metrics compiled by numba.", "以 numba 编译的排序指标。"),
        convention=DEFAULT.replace(
            recall_point="trec_eval-9", missing="error", fractions="cut", negative="zero", ties="input", counts="mean"
        ),
        metrics=cut_or_not(
            "{name}@{k}",
            "{name}",
            hits="NumRelRet",
            hit_rate="HR",
            precision="P",
            recall="R",
            f1="F",
            mrr="RR",
            map="AP",
            dcg="DCG",
            dcg_burges="DCG(gain='exp2')",
            ndcg="nDCG",
            ndcg_burges="nDCG(gain='exp2')",
        )
        | {"r-precision": "Rprec"},
        more_metrics=("bpref",),
        notes=phrases(
            "Equal scores: the sort is unstable, so values with ties cannot be reproduced.",
            "分数相同：不稳定排序，并列时的取值无法重现。",
            "make_comparable=True is missing='zero'.",
            "make_comparable=True 即 missing='zero'。",
        ),
        defects=phrases(
            "0.3.21: evaluate(dict, dict) pairs queries by position, not by name.",
            "0.3.21：evaluate(dict, dict) 按位置而不是按名称配对查询。",
            "0.3.21: bpref is NaN if no item is judged non-relevant.",
            "0.3.21：没有被判为不相关的物品时 bpref 为 NaN。",
            "0.3.21: rbp adds up grades and can exceed 1.",
            "0.3.21：rbp 直接累加等级，可能超过 1。",
        ),
    ),
    Preset(
        name="gdeval",
        tool="gdeval.pl",
        versions="1.2a - 1.3",
        about=Phrase(
            "The script of the TREC web tracks: exponential gain, ERR on grades 0-4.",
            "TREC web track 的脚本：指数增益，ERR 的等级为 0–4。",
        ),
        convention=DEFAULT.replace(
            gain="exp2", missing="skip", negative="zero", no_relevant="skip", no_queries=0, duplicates="again"
        ),
        metrics={"ndcg@{k}": "nDCG@{k}", "err@{k}": "ERR@{k}"},
        precision=5e-6,
        notes=phrases(
            "It prints five decimals; the default cutoff is 20.",
            "输出五位小数；默认截断为 20。",
            "Queries without a positive grade are excluded.",
            "没有正等级的查询不计入。",
        ),
    ),
    Preset(
        name="ms-marco",
        tool="MS MARCO",
        versions="msmarco_passage_eval, msmarco_doc_eval",
        about=Phrase(
            "MRR@10 over all judged queries, in the order of the rank column.",
            "对全部已标注查询计算 MRR@10，顺序取自名次列。",
        ),
        convention=DEFAULT.replace(ties="input", duplicates="again"),
        metrics={"MRR @10": "RR@10", "MRR @100": "RR@100"},
        notes=phrases(
            "The scripts ignore the grade column: every judged item is relevant to them. Keep only relevant ones.",
            "脚本不看等级列：所有已标注的物品都算相关。请只保留相关的。",
            "The rank column decides; the doc script takes ranks beyond 100 into account.",
            "以名次列为准；文档版脚本会计入 100 名之后的名次。",
            "Repeated passages get a warning and count.",
            "重复的段落只给出警告，仍然计入。",
        ),
    ),
    Preset(
        name="beir",
        tool="BEIR",
        versions="2.2",
        about=Phrase(
            "EvaluateRetrieval.evaluate: trec_eval 9 through pytrec_eval.",
            "EvaluateRetrieval.evaluate：经由 pytrec_eval 使用 trec_eval 9。",
        ),
        convention=TREC_9,
        metrics={"NDCG@{k}": "nDCG@{k}", "MAP@{k}": "AP@{k}", "Recall@{k}": "R@{k}", "P@{k}": "P@{k}"},
        precision=5e-6,
        notes=phrases(
            "Means are rounded to five decimals.",
            "均值四舍五入到五位小数。",
            "ignore_identical_ids=True first removes items with the id of the query.",
            "ignore_identical_ids=True 会先移除 id 与查询相同的物品。",
        ),
    ),
    Preset(
        name="beir-custom",
        tool="BEIR",
        versions="2.2",
        about=Phrase(
            "EvaluateRetrieval.evaluate_custom: MRR, capped recall and accuracy, averaged over all judged queries.",
            "EvaluateRetrieval.evaluate_custom：MRR、封顶召回率与准确率，对全部已标注查询取平均。",
        ),
        convention=DEFAULT.replace(ties="input", r_over="min(k,R)", undefined="error"),
        metrics={"MRR@{k}": "RR@{k}", "R_cap@{k}": "R@{k}", "Accuracy@{k}": "HR@{k}"},
        precision=5e-6,
    ),
    _mteb(
        name="mteb",
        versions="2.0 - 2.26",
        about=Phrase(
            "Retrieval tasks: trec_eval 9 through pytrec_eval.", "检索任务：经由 pytrec_eval 使用 trec_eval 9。"
        ),
        convention=TREC_9,
        metrics=at_k("{name}_at_{k}", ndcg="nDCG", map="AP", recall="R", precision="P", hit_rate="HR"),
        notes=phrases(
            "MRR comes from other code with other ties: presets mteb-mrr and mteb-mrr-2.18.18.",
            "MRR 出自另一段代码，并列规则不同：见 mteb-mrr 与 mteb-mrr-2.18.18。",
            "Means are rounded to five decimals.",
            "均值四舍五入到五位小数。",
        ),
        defects=phrases(
            "2.x: top_k_accuracy appends only hits, so its mean is always 1.",
            "2.x：top_k_accuracy 只记录命中，均值恒为 1。",
        ),
    ),
    _mteb(
        name="mteb-mrr",
        versions="2.18.19 - 2.26",
        about=Phrase(
            "MRR of retrieval tasks since August 2026: double precision, ties by descending id.",
            "检索任务的 MRR，2026 年 8 月起：双精度，并列按 id 降序。",
        ),
        convention=DEFAULT.replace(missing="skip"),
        metrics={"mrr_at_{k}": "RR@{k}"},
    ),
    _mteb(
        name="mteb-mrr-2.18.18",
        versions="2.0 - 2.18.18",
        about=Phrase(
            "MRR of retrieval tasks before August 2026: double precision, ties in input order.",
            "检索任务的 MRR，2026 年 8 月之前：双精度，并列按输入顺序。",
        ),
        convention=DEFAULT.replace(missing="skip", ties="input"),
        metrics={"mrr_at_{k}": "RR@{k}"},
        notes=phrases(
            "If all scores are equal, a relevant item that comes first in the input has an MRR of 1.",
            "若分数全部相同，而相关物品在输入中排在最前，MRR 即为 1。",
        ),
    ),
    Preset(
        name="elasticsearch",
        tool="Elasticsearch, OpenSearch _rank_eval",
        versions="2018 - 2026",
        about=Phrase(
            "The rank evaluation API: the ideal ends at the number of hits returned.",
            "排序评测 API：理想排序截断在返回的命中数处。",
        ),
        convention=DEFAULT.replace(
            gain="exp2", ideal_cut="returned", p_over="min(k,n)", ties="input", unjudged_in_ideal="no", negative="keep"
        ),
        metrics={
            "dcg": "DCG@10",
            "dcg(normalize)": "nDCG@10",
            "precision": "P@10",
            "recall": "R@10",
            "mean_reciprocal_rank": "RR@10",
            "expected_reciprocal_rank": "ERR@10",
        },
        notes=_ENGINE
        + phrases(
            "The default k is 10; expected_reciprocal_rank takes maximum_relevance (max_grade).",
            "k 默认为 10；expected_reciprocal_rank 需给出 maximum_relevance（即 max_grade）。",
            "ignore_unlabeled=true of precision is .replace(unjudged='removed-after-cut').",
            "precision 的 ignore_unlabeled=true 即 .replace(unjudged='removed-after-cut')。",
            "unknown_doc_rating=1 is .replace(unjudged=1) for dcg; it is missing from the ideal, so nDCG can exceed 1.",
            "unknown_doc_rating=1 即对 dcg 使用 .replace(unjudged=1)；它不计入理想排序，nDCG 可能超过 1。",
        ),
    ),
    Preset(
        name="elasticsearch-154362",
        tool="Elasticsearch _rank_eval",
        versions="announced in 2026 (pull request 154362)",
        about=Phrase(
            "The announced nDCG of the rank evaluation API: the ideal ends at k.",
            "排序评测 API 已提出的 nDCG 修改：理想排序截断在 k 处。",
        ),
        convention=DEFAULT.replace(
            gain="exp2", p_over="min(k,n)", ties="input", unjudged_in_ideal="no", negative="keep"
        ),
        metrics={"dcg(normalize)": "nDCG@10"},
        notes=_ENGINE,
    ),
    Preset(
        name="opensearch",
        tool="OpenSearch Search Relevance Workbench",
        versions="3.1 (June 2025)",
        about=Phrase(
            "Judgments and experiments in OpenSearch; values rounded to two decimals.",
            "OpenSearch 中的标注与实验；取值保留两位小数。",
        ),
        convention=DEFAULT.replace(gain="exp2", p_over="min(k,n)", rel=">0", ties="input", rounding=2, negative="keep"),
        metrics={"NDCG@{k}": "nDCG@{k}", "MAP@{k}": "AP@{k}", "Precision@{k}": "P@{k}"},
        notes=_ENGINE + phrases("Ratings are real numbers, often from 0 to 1.", "评分为实数，多在 0 与 1 之间。"),
    ),
    Preset(
        name="quepid",
        tool="Quepid",
        versions="2025",
        about=Phrase(
            "Scorers of the Quepid workbench: the ideal of ndcg is not cut.", "Quepid 的评分器：ndcg 的理想排序不截断。"
        ),
        convention=DEFAULT.replace(
            gain="exp2",
            ideal_cut="none",
            p_over="min(k,n)",
            rel=">0",
            ties="input",
            per_metric={"AP": {"undefined": "nan"}},
        ),
        metrics=at_k(
            "{name}@{k}",
            ndcg="nDCG",
            ndcg_cut="nDCG(ideal_cut='k')",
            dcg="DCG",
            cg="CG(gain='linear')",
            p="P",
            ap="AP",
            err="ERR",
            rr="RR",
        ),
        notes=_ENGINE,
        defects=phrases(
            "dcg and cg are NaN if a document of the top k is not rated; here it adds 0.",
            "前 k 个中有未评分的文档时，dcg 与 cg 为 NaN；在本库中这样的文档计 0。",
        ),
    ),
    Preset(
        name="rre",
        tool="Rated Ranking Evaluator",
        versions="1.x (2021)",
        about=Phrase(
            "Precision over k or the number of hits, rounded to two decimals; every listed document is relevant.",
            "精确率除以 k 与命中数中较小者，保留两位小数；列出的文档都算相关。",
        ),
        convention=DEFAULT.replace(p_over="min(k,n)", rel=-1000, ties="input", rounding=2, negative="keep"),
        metrics={"P@{k}": "P@{k}"},
        notes=_ENGINE
        + phrases(
            "Its other metrics round each term (NDCG, AP), round up (Recall), or take the best document returned (RR), "
            "which no rule here does. Without hits and without judgments it gives 1.",
            "其他指标逐项取舍（NDCG、AP）、向上取整（Recall）或取返回的最佳文档（RR），"
            "本库没有这样的规则。既无命中又无标注时取 1。",
        ),
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
            gain="binary",
            ap_over="min(R,k)",
            ties="input",
            no_relevant="skip",
            score_precision="float32",
            duplicates="again",
        ),
        metrics=at_k("{name}@{k}", accuracy="HR", precision="P", recall="R", mrr="RR", ndcg="nDCG", map="AP"),
        notes=phrases(
            "The order of equal scores depends on its heap and cannot be reproduced.",
            "分数相同者按堆中顺序排列，无法重现。",
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
        convention=DEFAULT.replace(ap_over="min(R,k)", rel=">0", ties="input", duplicates="again"),
        metrics=at_k("{name}@{k}", accuracy="HR", precision="P", recall="R", mrr="RR", ndcg="nDCG", map="AP"),
        notes=_ENGINE
        + phrases(
            "With sets, queries whose set is empty are dropped: no_relevant='skip'; with grades they count 0.",
            "使用集合时，集合为空的查询被丢弃：no_relevant='skip'；使用等级时记 0。",
        ),
    ),
    Preset(
        name="ml_metrics",
        tool="ml_metrics (Kaggle)",
        versions="0.1.4",
        about=Phrase("apk and mapk, as in many Kaggle competitions.", "apk 与 mapk，许多 Kaggle 竞赛使用。"),
        convention=DEFAULT.replace(ap_over="min(R,k)", ties="input", undefined=1, duplicates="first"),
        metrics={"apk(k={k})": "AP@{k}", "mapk(k={k})": "AP@{k}"},
        notes=phrases(
            "The default k is 10.",
            "k 默认为 10。",
            "Nothing relevant: 1 in the released package; later code in its repository has 0: undefined=0.",
            "没有相关物品时，已发布的包取 1；其代码库中后来的代码取 0：undefined=0。",
        ),
        defects=phrases("Repeated actual items count in the denominator.", "实际列表中的重复物品计入分母。"),
    ),
    Preset(
        name="trectools",
        tool="trectools",
        versions="0.0.50",
        about=Phrase("TrecEval, over the topics of the run.", "TrecEval，对运行中的主题计算。"),
        convention=DEFAULT.replace(rel=">0", missing="skip", per_metric={"RBP": {"ties": "mean"}}),
        metrics=at_k("get_{name}(depth={k})", precision="P", recall="R", map="AP", reciprocal_rank="RR")
        | {"get_rbp(p=0.8)": "RBP(p=0.8)"},
        defects=phrases(
            "0.0.50: bpref is 0 without judged non-relevant items; RBP ties equal scores of neighbouring topics.",
            "0.0.50：没有被标注为不相关的物品时 bpref 为 0；RBP 把相邻主题首尾的相同分数当作并列。",
        ),
    ),
    Preset(
        name="trectools-ndcg",
        tool="trectools",
        versions="0.0.50",
        about=Phrase("NDCG of files: equal scores by ascending id.", "文件的 NDCG：同分按 id 升序。"),
        convention=DEFAULT.replace(ties="id-ascending", rel=">0", missing="skip"),
        metrics={"get_ndcg(depth={k})": "nDCG@{k}", "get_ndcg(depth={k}, trec_eval=False)": "nDCG(gain='exp2')@{k}"},
    ),
)
