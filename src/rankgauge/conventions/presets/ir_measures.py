"""Presets of ir_measures and of the tools that it calls: cwl_eval with models of users, ndeval with subtopics."""

from __future__ import annotations

from functools import partial

from rankgauge.conventions.convention import DEFAULT
from rankgauge.conventions.presets.record import Preset, at_k, phrases
from rankgauge.conventions.presets.search import TREC_9
from rankgauge.rendering.language import Phrase

_ir_measures = partial(Preset, tool="ir_measures", versions="0.4.3")
_CWL = DEFAULT.replace(ties="input", user_depth=1000, duplicates="again")
_SCALED = {
    f"{name}(max_rel=4){cut}": f"{name}(max_grade=4){cut}"
    for name, cut in {
        "SDCG": "@{k}", "BPM": "@{k}", "NERR8": "@{k}", "NERR9": "@{k}", "NERR10": "", "NERR11": "", "INST": "",
        "INSQ": "",
    }.items()
}  # fmt: skip

IR_MEASURES = (
    _ir_measures(
        name="ir_measures",
        about=Phrase(
            "trec_eval 9 through pytrec_eval; judged queries without results count 0.",
            "经由 pytrec_eval 使用 trec_eval 9；没有结果的已标注查询记 0。",
        ),
        convention=TREC_9.replace(
            missing="zero", per_metric={name: {"missing": "skip"} for name in ("NumQ", "NumRel")}
        ),
        metrics={"AP": "AP", "RR": "RR", "nDCG": "nDCG", "Rprec": "Rprec", "Bpref": "bpref", "infAP": "infAP"}
        | {"SetP": "P", "SetR": "R", "SetF": "F", "SetRelP": "P(over='min(k,R)')", "SetAP": "SetAP"}
        | {"NumRet": "NumRet", "NumRelRet": "NumRelRet", "NumRel": "NumRel"}
        | at_k("{name}@{k}", AP="AP", P="P", R="R", nDCG="nDCG", Success="HR"),
        more_metrics=("IPrec", "NumQ"),
        notes=phrases(
            "RR@k, Judged@k and Compat come from other code with other ties: preset ir_measures-msmarco; RBP, SDCG, "
            "BPM, INST, INSQ, NERR and Accuracy: preset ir_measures-cwl; metrics of subtopics: preset ndeval.",
            "RR@k、Judged@k 与 Compat 出自另一段代码，并列规则不同：见 ir_measures-msmarco；RBP、SDCG、BPM、INST、"
            "INSQ、NERR、Accuracy 见 ir_measures-cwl；子主题指标见 ndeval。",
            "SetF(beta=b) weighs recall b times, not b squared times: F(beta=√b) here.",
            "SetF(beta=b) 中召回率的权重为 b 而不是 b 的平方：即本库的 F(beta=√b)。",
            "NumQ and NumRel count judged queries with results, and their relevant items.",
            "NumQ 与 NumRel 只计有结果的已标注查询及其相关物品。",
        ),
    ),
    _ir_measures(
        name="ir_measures-msmarco",
        about=Phrase(
            "RR@k, Judged@k and Compat, which other code computes: double precision, ties by ascending id.",
            "RR@k、Judged@k 与 Compat 由另一段代码计算：双精度，并列按 id 升序。",
        ),
        convention=DEFAULT.replace(
            ties="id-ascending", user_depth="lists", per_metric={"Judged": {"negative": "zero"}}
        ),
        metrics={"RR@{k}": "RR@{k}", "Judged@{k}": "Judged@{k}", "Compat": "Compat"},
        defects=phrases(
            "0.4.3: in the best list of Compat, items that were not returned have score 0, and equal scores follow the "
            "order of the judgments, so that negative or equal scores change it.",
            "0.4.3：在 Compat 的最佳列表中，未返回的物品分数视为 0，同分者按标注中的顺序，因此负分或同分会改变取值。",
        ),
        notes=phrases("Items with a negative grade count as judged.", "负等级的物品算作已标注。"),
    ),
    Preset(
        name="cwl_eval",
        tool="cwl_eval",
        versions="1.0.10 - 1.0.12",
        about=Phrase(
            "The C/W/L framework: expected utility per item of a user model, over the first 1,000 ranks.",
            "C/W/L 框架：用户模型下每个所见物品的期望效用，只算前 1000 名。",
        ),
        convention=_CWL.replace(max_grade=1, rel=">0"),
        metrics={
            "P@{k}": "P@{k}",
            "RR": "RR",
            "AP": "AP(over='hits')",
            "RBP@0.9": "RBP(p=0.9)",
            "NDCG-k@{k}": "SDCG@{k}",
            "BPM-Static-T=1.0-K={k}": "BPM@{k}",
            "INST-T=1.0": "INST",
            "INSQ-T=1.0": "INSQ",
            "NERR-EQ8@k={k}": "NERR8@{k}",
            "NERR-EQ9@k={k}": "NERR9@{k}",
            "NERR-EQ10@phi=0.9": "NERR10",
            "NERR-EQ11@T=1.0": "NERR11",
        },
        notes=phrases(
            "Items come in the order of the file; grades are gains from 0 to 1. P, RR, AP and RBP are those of grades "
            "0 and 1: with other gains the tool averages the gains.",
            "物品按文件中的顺序；等级即 0 到 1 的增益。P、RR、AP、RBP 对应 0、1 等级；其他增益时该工具取增益的平均。",
            "It prints values of topics, no mean.",
            "只输出各主题的值，不输出均值。",
        ),
        defects=phrases(
            "AP divides by the relevant items returned, not by all of them.",
            "AP 除以返回的相关物品数，而不是全部相关物品数。",
            "A sum of gains that should reach T can miss it by rounding (BPM).",
            "本应达到 T 的增益之和可能因舍入而略小（BPM）。",
        ),
    ),
    _ir_measures(
        name="ir_measures-cwl",
        about=Phrase(
            "RBP, SDCG, BPM, INST, INSQ, NERR8 to NERR11 and Accuracy, which other code computes (cwl_eval 1.0.12): "
            "double precision, ties in input order.",
            "RBP、SDCG、BPM、INST、INSQ、NERR8 至 NERR11 与 Accuracy 由另一段代码计算（cwl_eval 1.0.12）：双精度，"
            "并列按输入顺序。",
        ),
        convention=_CWL.replace(per_metric={"Accuracy": {"duplicates": "error"}}),
        metrics=_SCALED | {"RBP(rel=1)": "RBP", "Accuracy": "Accuracy", "Accuracy@{k}": "Accuracy@{k}"},
        notes=phrases(
            "Grades above max_rel are cut to it there, with a warning; here they are an error.",
            "高于 max_rel 的等级在该工具中被截断并警告；在本库中报错。",
        ),
        defects=phrases(
            "0.4.3: Accuracy divides by 0 if all returned items are relevant.",
            "0.4.3：返回的物品全部相关时 Accuracy 除以 0。",
        ),
    ),
    Preset(
        name="ndeval",
        tool="ndeval, pyndeval",
        versions="4.5, pyndeval 0.0.8",
        about=Phrase(
            "The diversity metrics of the TREC web tracks, also through ir_measures: ERR-IA and alpha-DCG are "
            "normalised.",
            "TREC web track 的多样性指标，ir_measures 也使用它：ERR-IA 与 alpha-DCG 经过归一化。",
        ),
        convention=DEFAULT.replace(ties="id-ascending", intent_over="ndeval"),
        metrics={
            "ERR-IA@{k}": "ERRIA@{k}",
            "nERR-IA@{k}": "nERRIA@{k}",
            "alpha-DCG@{k}": "alphaDCG@{k}",
            "alpha-nDCG@{k}": "alphanDCG@{k}",
            "NRBP": "NRBP",
            "nNRBP": "nNRBP",
            "MAP-IA": "APIA",
            "P-IA@{k}": "PIA@{k}",
            "strec@{k}": "StRecall@{k}",
        },
        notes=phrases(
            "pyndeval orders items by score, equal scores by ascending id; ndeval itself takes the rank column.",
            "pyndeval 按分数排序，同分按 id 升序；ndeval 本身以名次列为准。",
            "The cutoff is at most 20. ir_measures calls them ERR_IA, alpha_DCG, AP_IA, P_IA and so on.",
            "截断至多为 20。ir_measures 称之为 ERR_IA、alpha_DCG、AP_IA、P_IA 等。",
        ),
        defects=phrases(
            "ERR-IA and alpha-DCG are not normalised at cutoff 1 and can exceed 1 there.",
            "截断为 1 时 ERR-IA 与 alpha-DCG 没有归一化，可能超过 1。",
            "nNRBP of a query without relevant items is NaN.",
            "没有相关物品的查询的 nNRBP 为 NaN。",
        ),
    ),
)
