"""Presets of libraries for gradient-boosted trees."""

from __future__ import annotations

from functools import partial

from rankgauge.conventions.convention import DEFAULT
from rankgauge.conventions.presets.record import Preset, at_k, cut_or_not, phrases
from rankgauge.rendering.language import Phrase

ROWS = phrases(
    "It sees only the rows passed to it: every judged item is in the list.",
    "它只看到传入的行：所有已标注物品都在排序结果中。",
)
_TREES = DEFAULT.replace(gain="exp2", ties="input", undefined=1, negative="error")
_XGBOOST = _TREES.replace(rel=">0", score_precision="float32")
_CATBOOST = DEFAULT.replace(
    ties="worst",
    undefined=1,
    ap_over="min(R,k)",
    p_over="min(k,n)",
    negative="keep",
    rel=">0.5",
    stop="grade",
    per_metric={"AP": {"undefined": 0}},
)
_catboost = partial(Preset, tool="CatBoost", versions="1.2", notes=ROWS)

BOOSTING = (
    Preset(
        name="lightgbm",
        tool="LightGBM",
        versions="4.7",
        about=Phrase(
            "ndcg and map of the training loop: 2^grade - 1, equal scores in row order, 1 without relevant rows.",
            "训练时的 ndcg 与 map：2^等级 - 1，同分按行序，没有相关行记 1。",
        ),
        convention=_TREES.replace(ap_over="min(R,k)", rel=">0.5"),
        metrics={"ndcg@{k}": "nDCG@{k}", "map@{k}": "AP@{k}", "auc": "PooledAUC"},
        notes=ROWS
        + phrases(
            "Another label_gain is a table: .replace(gain=[0, 1, 2, 3]).",
            "另设 label_gain 即对照表：.replace(gain=[0, 1, 2, 3])。",
            "eval_at is 1, 2, 3, 4, 5 by default.",
            "eval_at 默认为 1、2、3、4、5。",
            "auc takes the rows of all queries as one list; with labels of one class alone it is 1 there and NaN here.",
            "auc 把全部查询的行当作一个列表；只有一类标签时它为 1，这里为 NaN。",
        ),
        defects=phrases(
            "4.7.0: with weights, queries without gain add an unweighted 1, so ndcg can exceed 1.",
            "4.7.0：使用权重时，没有增益的查询不加权地计 1，ndcg 可能超过 1。",
        ),
    ),
    Preset(
        name="xgboost-1.7",
        tool="XGBoost",
        versions="1.7",
        about=Phrase(
            "ndcg, map and pre before 2.0: no default cutoff, map over all relevant.",
            "2.0 之前的 ndcg、map、pre：没有默认截断，map 除以全部相关数。",
        ),
        convention=_XGBOOST,
        metrics={"ndcg": "nDCG", "ndcg@{k}": "nDCG@{k}", "map": "AP", "map@{k}": "AP@{k}", "pre@{k}": "P@{k}"},
        notes=ROWS
        + phrases(
            "Names with a trailing - count 0 without relevant rows: undefined=0.",
            "名称末尾带 - 时，没有相关行记 0：undefined=0。",
        ),
        defects=phrases(
            "1.7: grades of 31 and above overflow, and ndcg exceeds 1.", "1.7：等级达到 31 时溢出，ndcg 超过 1。"
        ),
    ),
    Preset(
        name="xgboost-2",
        tool="XGBoost",
        versions="2.0 - 3.4",
        about=Phrase(
            "ndcg, map and pre since 2.0: without a cutoff they silently stop at 32.",
            "2.0 起的 ndcg、map、pre：不写截断时悄悄截断在 32。",
        ),
        convention=_XGBOOST.replace(ap_over="min(R,k)", p_over="min(k,n)"),
        metrics={"ndcg": "nDCG@32", "map": "AP@32", "pre": "P@32"} | at_k("{name}@{k}", ndcg="nDCG", map="AP", pre="P"),
        notes=ROWS
        + phrases(
            "Names with a trailing - count 0 without relevant rows: undefined=0.",
            "名称末尾带 - 时，没有相关行记 0：undefined=0。",
            "map and pre are for labels of 0 and 1: XGBoost refuses others, so the numbers here are no tool's.",
            "map 与 pre 只用于 0 和 1 的标签：遇到其他标签 XGBoost 报错，此处的数值不对应任何工具。",
            "ndcg_exp_gain=False, which metrics honour since 3.0.3, is gain='linear', negative='keep'.",
            "ndcg_exp_gain=False（3.0.3 起指标才遵守）即 gain='linear'、negative='keep'。",
        ),
        defects=phrases(
            "3.2.0: weighted groups without relevance add an unweighted 1; a mean above 1 is an error.",
            "3.2.0：没有相关行的加权组不加权地计 1；均值超过 1 时报错。",
            "3.2.0: auc with groups counts pairs of equal labels, so that no metric here has its values.",
            "3.2.0：分组 auc 把标签相同的对也计入，因此本库没有与之同值的指标。",
        ),
    ),
    _catboost(
        name="catboost",
        about=Phrase(
            "NDCG with type=Base: the target itself, equal scores with the worse target first.",
            "NDCG，type=Base：直接取目标值，同分时差者在前。",
        ),
        convention=_CATBOOST,
        metrics=cut_or_not(
            "{name}:top={k}",
            "{name}",
            DCG="DCG",
            NDCG="nDCG",
            MAP="AP",
            PrecisionAt="P",
            RecallAt="R",
            MRR="RR",
            ERR="ERR",
        ),
        notes=ROWS
        + phrases(
            "ERR uses the target itself as the probability to stop, so it must be from 0 to 1.",
            "ERR 直接以目标值为停止概率，须在 0 与 1 之间。",
            "QueryAUC has other ties: preset catboost-auc.",
            "QueryAUC 的并列规则不同：见 catboost-auc。",
        ),
        defects=phrases(
            "1.2.10: MAP, PrecisionAt and RecallAt ignore group weights.",
            "1.2.10：MAP、PrecisionAt、RecallAt 忽略组权重。",
        ),
    ),
    _catboost(
        name="catboost-exp",
        about=Phrase("NDCG with type=Exp: 2^target - 1.", "NDCG，type=Exp：2^目标值 - 1。"),
        convention=_CATBOOST.replace(gain="exp2"),
        metrics=cut_or_not("{name}:top={k};type=Exp", "{name}:type=Exp", DCG="DCG", NDCG="nDCG"),
    ),
    _catboost(
        name="catboost-position",
        about=Phrase(
            "NDCG with denominator=Position: the gain is divided by the rank.",
            "NDCG，denominator=Position：增益除以名次。",
        ),
        convention=_CATBOOST.replace(discount="1/i"),
        metrics=cut_or_not(
            "{name}:top={k};denominator=Position", "{name}:denominator=Position", DCG="DCG", NDCG="nDCG"
        ),
    ),
    _catboost(
        name="catboost-exp-position",
        about=Phrase("NDCG with type=Exp and denominator=Position.", "NDCG，type=Exp 且 denominator=Position。"),
        convention=_CATBOOST.replace(gain="exp2", discount="1/i"),
        metrics=cut_or_not(
            "{name}:top={k};type=Exp;denominator=Position",
            "{name}:type=Exp;denominator=Position",
            DCG="DCG",
            NDCG="nDCG",
        ),
    ),
    _catboost(
        name="catboost-auc",
        about=Phrase(
            "QueryAUC: tied pairs count half, and a query of one class counts 0.",
            "QueryAUC：并列的对计一半，只有一类的查询记 0。",
        ),
        convention=DEFAULT.replace(ties="mean", rel=">0.5"),
        metrics={"QueryAUC": "AUC"},
    ),
    Preset(
        name="ranklib",
        tool="RankLib",
        versions="2.x (e43f605)",
        about=Phrase("The Java library of LambdaMART and others.", "LambdaMART 等算法的 Java 库。"),
        convention=DEFAULT.replace(
            gain="exp2",
            p_over="min(k,n)",
            rel=">0",
            ties="input",
            negative="error",
            per_metric={name: {"fractions": "cut"} for name in ("nDCG", "DCG", "ERR")},
        ),
        metrics=cut_or_not("{name}@{k}", "{name}@0", NDCG="nDCG", DCG="DCG", P="P", RR="RR", ERR="ERR")
        | {"MAP": "AP", "NDCG": "nDCG@10", "DCG": "DCG@10", "P": "P@10", "ERR": "ERR@10"},
        notes=ROWS
        + phrases(
            "Without @k the cutoff is 10, with @0 there is none; -gmax is max_grade.",
            "不写 @k 时截断为 10，写 @0 则不截断；-gmax 即 max_grade。",
            "RR is a single-precision number: 1/3 is 0.3333333433.",
            "RR 为单精度数：1/3 是 0.3333333433。",
        ),
        defects=phrases(
            "2.18: RR without @k is always 0.",
            "2.18：不带 @k 的 RR 恒为 0。",
            "2.18: the ideal is cached by query id, so a second list of the same id can exceed 1.",
            "2.18：理想值按查询 id 缓存，同一 id 的第二个列表可能超过 1。",
        ),
    ),
)
