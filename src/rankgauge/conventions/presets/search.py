"""Presets of information retrieval."""

from __future__ import annotations

from rankgauge.conventions.convention import DEFAULT
from rankgauge.conventions.presets.record import Preset
from rankgauge.rendering.language import Phrase

_TREC_NAMES = {
    "map": "AP",
    "map_cut_{k}": "AP@{k}",
    "P_{k}": "P@{k}",
    "recall_{k}": "R@{k}",
    "Rprec": "Rprec",
    "recip_rank": "RR",
    "ndcg": "nDCG",
    "ndcg_cut_{k}": "nDCG@{k}",
    "bpref": "bpref",
    "infAP": "infAP",
    "success_{k}": "HR@{k}",
    "11pt_avg": "IAP",
    "gm_map": "GMAP",
}
_TREC_9 = DEFAULT.replace(score_precision="float32", recall_point="trec_eval-9", missing="skip")

SEARCH = (
    Preset(
        name="trec_eval-9",
        tool="trec_eval",
        versions="9.0 - 9.0.8",
        about=Phrase(
            "NIST's evaluator, in which TREC results were computed.", "NIST 的评测程序，TREC 的结果由它算出。"
        ),
        convention=_TREC_9,
        metrics=_TREC_NAMES,
        notes=(
            Phrase(
                "With -c, judged queries without results count 0: missing='zero'.",
                "使用 -c 时没有结果的已标注查询记 0：missing='zero'。",
            ),
            Phrase(
                "-l changes P, R, AP and similar metrics (rel=), never nDCG.",
                "-l 影响 P、R、AP 等（rel=），但从不影响 nDCG。",
            ),
        ),
        defects=(
            Phrase(
                "9.0.8: the ideal of ndcg is wrong for gains that differ by less than 1.",
                "9.0.8：增益相差小于 1 时 ndcg 的理想排序有误。",
            ),
            Phrase(
                "9.0.8: iprec_at_recall and 11pt_avg of an empty list are NaN.",
                "9.0.8：空列表的 iprec_at_recall 与 11pt_avg 为 NaN。",
            ),
        ),
    ),
    Preset(
        name="trec_eval-10",
        tool="trec_eval",
        versions="10.0",
        about=Phrase(
            "NIST's evaluator since 2026: double precision, another rounding of recall points.",
            "NIST 2026 年起的评测程序：双精度，召回点的取整方式不同。",
        ),
        convention=DEFAULT.replace(recall_point="round", missing="error"),
        metrics=_TREC_NAMES | {"dcg": "DCG", "ideal_dcg": "IDCG", "rbp": "RBP(p=0.9)"},
        notes=(
            Phrase(
                "A judged query without results stops the program; with -c it counts 0.",
                "已标注的查询没有结果时程序退出；使用 -c 则记 0。",
            ),
        ),
        defects=(
            Phrase("10.0: rbp reads uninitialised bounds of the gains.", "10.0：rbp 读取了未初始化的增益上下界。"),
        ),
    ),
    Preset(
        name="pytrec_eval",
        tool="pytrec_eval, pytrec-eval-terrier",
        versions="0.5 - 0.5.11",
        about=Phrase("trec_eval 9.0.8 called from Python.", "从 Python 调用 trec_eval 9.0.8。"),
        convention=_TREC_9,
        metrics=_TREC_NAMES,
        notes=(Phrase("gm_map of a query is ln(AP), as here.", "单个查询的 gm_map 为 ln(AP)，与本库相同。"),),
        defects=(
            Phrase(
                "0.5.11: an empty ranking has NaN for iprec_at_recall; grades that are all negative can hang it.",
                "0.5.11：空排序的 iprec_at_recall 为 NaN；全为负等级时可能死循环。",
            ),
        ),
    ),
    Preset(
        name="ir_measures",
        tool="ir_measures",
        versions="0.4.3",
        about=Phrase(
            "trec_eval 9 through pytrec_eval; judged queries without results count 0.",
            "经由 pytrec_eval 使用 trec_eval 9；没有结果的已标注查询记 0。",
        ),
        convention=_TREC_9.replace(missing="zero"),
        metrics={
            "AP": "AP",
            "AP@{k}": "AP@{k}",
            "P@{k}": "P@{k}",
            "R@{k}": "R@{k}",
            "RR": "RR",
            "nDCG": "nDCG",
            "nDCG@{k}": "nDCG@{k}",
            "Rprec": "Rprec",
            "Bpref": "bpref",
            "infAP": "infAP",
            "Success@{k}": "HR@{k}",
        },
        notes=(
            Phrase(
                "RR@k and Judged@k come from other code with other ties: preset ir_measures-msmarco.",
                "RR@k 与 Judged@k 出自另一段代码，并列规则不同：见 ir_measures-msmarco。",
            ),
        ),
    ),
    Preset(
        name="ir_measures-msmarco",
        tool="ir_measures",
        versions="0.4.3",
        about=Phrase(
            "RR@k and Judged@k, which other code computes: double precision, ties by ascending id.",
            "RR@k 与 Judged@k 由另一段代码计算：双精度，并列按 id 升序。",
        ),
        convention=DEFAULT.replace(ties="id-ascending"),
        metrics={"RR@{k}": "RR@{k}", "Judged@{k}": "Judged@{k}"},
    ),
    Preset(
        name="ranx",
        tool="ranx",
        versions="0.3.20 - 0.3.21",
        about=Phrase("Ranking metrics compiled by numba.", "以 numba 编译的排序指标。"),
        convention=DEFAULT.replace(
            recall_point="trec_eval-9", missing="error", negative="zero", ties="input", counts="mean"
        ),
        metrics={
            "hits@{k}": "NumRelRet@{k}",
            "hit_rate@{k}": "HR@{k}",
            "precision@{k}": "P@{k}",
            "recall@{k}": "R@{k}",
            "f1@{k}": "F@{k}",
            "r-precision": "Rprec",
            "mrr@{k}": "RR@{k}",
            "map@{k}": "AP@{k}",
            "dcg@{k}": "DCG@{k}",
            "dcg_burges@{k}": "DCG(gain='exp2')@{k}",
            "ndcg@{k}": "nDCG@{k}",
            "ndcg_burges@{k}": "nDCG(gain='exp2')@{k}",
        },
        notes=(
            Phrase(
                "Equal scores: the sort is unstable, so values with ties cannot be reproduced.",
                "分数相同：不稳定排序，并列时的取值无法重现。",
            ),
            Phrase("make_comparable=True is missing='zero'.", "make_comparable=True 即 missing='zero'。"),
            Phrase("Fractional grades are truncated to integers.", "小数等级会被截断为整数。"),
        ),
        defects=(
            Phrase(
                "0.3.21: evaluate(dict, dict) pairs queries by position, not by name.",
                "0.3.21：evaluate(dict, dict) 按位置而不是按名称配对查询。",
            ),
            Phrase(
                "0.3.21: bpref is NaN if no item is judged non-relevant.",
                "0.3.21：没有被判为不相关的物品时 bpref 为 NaN。",
            ),
            Phrase("0.3.21: rbp adds up grades and can exceed 1.", "0.3.21：rbp 直接累加等级，可能超过 1。"),
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
        convention=DEFAULT.replace(gain="exp2", missing="skip", negative="zero", no_relevant="skip"),
        metrics={"ndcg@{k}": "nDCG@{k}", "err@{k}": "ERR@{k}"},
        precision=5e-6,
        notes=(
            Phrase("It prints five decimals; the default cutoff is 20.", "输出五位小数；默认截断为 20。"),
            Phrase("Queries without a positive grade are excluded.", "没有正等级的查询不计入。"),
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
        convention=DEFAULT.replace(ties="input"),
        metrics={"MRR @10": "RR@10", "MRR @100": "RR@100"},
        notes=(
            Phrase(
                "The rank column decides; the doc script takes ranks beyond 100 into account.",
                "以名次列为准；文档版脚本会计入 100 名之后的名次。",
            ),
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
        convention=_TREC_9,
        metrics={"NDCG@{k}": "nDCG@{k}", "MAP@{k}": "AP@{k}", "Recall@{k}": "R@{k}", "P@{k}": "P@{k}"},
        precision=5e-6,
        notes=(
            Phrase("Means are rounded to five decimals.", "均值四舍五入到五位小数。"),
            Phrase(
                "ignore_identical_ids=True first removes items with the id of the query.",
                "ignore_identical_ids=True 会先移除 id 与查询相同的物品。",
            ),
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
    Preset(
        name="mteb",
        tool="MTEB",
        versions="2.x (August 2026)",
        about=Phrase(
            "Retrieval tasks: trec_eval 9 through pytrec_eval.", "检索任务：经由 pytrec_eval 使用 trec_eval 9。"
        ),
        convention=_TREC_9,
        metrics={
            "ndcg_at_{k}": "nDCG@{k}",
            "map_at_{k}": "AP@{k}",
            "recall_at_{k}": "R@{k}",
            "precision_at_{k}": "P@{k}",
            "mrr_at_{k}": "RR@{k}",
            "hit_rate_at_{k}": "HR@{k}",
        },
        precision=5e-6,
        defects=(
            Phrase(
                "2.x: top_k_accuracy appends only hits, so its mean is always 1.",
                "2.x：top_k_accuracy 只记录命中，均值恒为 1。",
            ),
        ),
    ),
)
