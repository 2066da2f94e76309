"""Presets of recommender libraries."""

from __future__ import annotations

from functools import partial

from rankgauge.conventions.convention import DEFAULT
from rankgauge.conventions.presets.record import SINGLE, Preset, at_k, cut_or_not, phrases
from rankgauge.rendering.language import Phrase

_LISTS = phrases("Recommendations are ordered; the caller orders equal scores.", "推荐列表已排好序；同分由调用者决定。")
_RECTOOLS_NAMES = at_k(
    "{name}(k={k})", Precision="P", Recall="R", F1Beta="F", HitRate="HR", MAP="AP", NDCG="nDCG", MRR="RR"
) | {
    "Precision(k={k}, r_precision=True)": "P(over='min(k,R)')@{k}",
    "MAP(k={k}, divide_by_k=True)": "AP(over='k')@{k}",
    "PartialAUC(k={k})": "PAUC(negatives={k}, scale='share')",
}
_rectools = partial(
    Preset,
    tool="RecTools",
    versions="0.19",
    defects=phrases("0.19.0: a relevant item listed twice counts twice.", "0.19.0：重复列出的相关物品会重复计数。"),
)
_cornac = partial(Preset, tool="Cornac", versions="3.0.1")
_implicit = partial(Preset, tool="implicit", versions="0.7")
_IMPLICIT_NOTES = _LISTS + phrases(
    "A stored 0 in test_user_items counts as relevant there: call eliminate_zeros() first.",
    "test_user_items 中显式存储的 0 在该工具中算作相关：请先调用 eliminate_zeros()。",
)
_BINARY = DEFAULT.replace(gain="binary", ties="input")
_PLAIN = _BINARY.replace(no_relevant="skip")

RECOMMENDATION = (
    _rectools(
        name="rectools",
        about=Phrase(
            "The ideal of NDCG is k relevant items for every user, however many there are.",
            "NDCG 的理想排序对每个用户都是 k 个相关物品，无论实际有多少。",
        ),
        convention=_PLAIN.replace(ideal="full"),
        metrics=_RECTOOLS_NAMES,
        notes=_LISTS
        + phrases(
            "With fewer than k relevant items a perfect list is below 1.", "相关物品不足 k 个时，完美列表也低于 1。"
        ),
    ),
    _rectools(
        name="rectools-achievable",
        about=Phrase(
            "NDCG with divide_by_achievable=True: the ideal has as many items as are relevant.",
            "NDCG，divide_by_achievable=True：理想排序只含实际相关的物品。",
        ),
        convention=_PLAIN,
        metrics=_RECTOOLS_NAMES | {"NDCG(k={k}, divide_by_achievable=True)": "nDCG@{k}"},
        notes=_LISTS,
    ),
    Preset(
        name="replay",
        tool="RePlay",
        versions="0.22",
        about=Phrase("Metrics for pandas, polars and Spark.", "pandas、polars 与 Spark 上的指标。"),
        convention=_PLAIN.replace(ap_over="min(R,k)", ties="id"),
        metrics=at_k("{name}@{k}", Precision="P", Recall="R", HitRate="HR", MAP="AP", MRR="RR", NDCG="nDCG"),
        notes=phrases(
            "Equal scores: the higher item id first; numbers are compared as numbers there.",
            "分数相同：id 大者在前；数字 id 在该工具中按数值比较。",
        ),
        defects=phrases(
            "0.22.0: relevant items listed twice count twice with pandas and polars, once with Spark.",
            "0.22.0：重复列出的相关物品在 pandas 与 polars 中计两次，在 Spark 中计一次。",
        ),
    ),
    Preset(
        name="recpack",
        tool="RecPack",
        versions="0.3.6",
        about=Phrase(
            "Metrics on sparse matrices; HitK is the number of hits, averaged over users.",
            "稀疏矩阵上的指标；HitK 是命中个数，对用户取平均。",
        ),
        convention=_PLAIN.replace(ties="input-reversed", counts="mean"),
        metrics=at_k(
            "{name}K({k})",
            Precision="P",
            Recall="R",
            CalibratedRecall="R(over='min(k,R)')",
            Hit="NumRelRet",
            ReciprocalRank="RR",
            DCG="DCG(gain='linear')",
            NDCG="nDCG",
        ),
        notes=phrases("Equal scores: mostly the larger column first.", "分数相同：多为列号大者在前。"),
    ),
    Preset(
        name="recbole",
        tool="RecBole",
        versions="1.2.1",
        about=Phrase("Top-k metrics of the training framework.", "该训练框架的 top-k 指标。"),
        convention=_PLAIN.replace(ap_over="min(R,k)", score_precision="float32"),
        metrics=at_k("{name}@{k}", hit="HR", mrr="RR", map="AP", recall="R", ndcg="nDCG", precision="P"),
        precision=5e-5,
        notes=phrases(
            "Means are rounded to four decimals (metric_decimal_place).", "均值保留四位小数（metric_decimal_place）。"
        ),
        defects=phrases(
            "1.2.1: fails with NumPy 1.24 and later (np.float).", "1.2.1：在 NumPy 1.24 及以后会崩溃（np.float）。"
        ),
    ),
    Preset(
        name="elliot",
        tool="Elliot",
        versions="December 2025",
        about=Phrase(
            "Metrics of the experiment framework; its MAP is the mean of P@i over every rank i.",
            "该实验框架的指标；其 MAP 是每个名次 i 上 P@i 的平均。",
        ),
        convention=_PLAIN.replace(gain="exp2-rel", ap_over="k", ap_at="every", missing="skip"),
        metrics=at_k(
            "{name}@{k}",
            Precision="P",
            Recall="R",
            HR="HR",
            MAP="AP",
            nDCG="nDCG",
            nDCGRendle2020="nDCG(gain='binary-rel')",
            MRR="RR",
            F1="F",
        ),
        notes=phrases(
            "The relevance threshold is rel.",
            "相关阈值即 rel。",
            "Its successor WarpRec has MAP over min(k, R) at relevant ranks.",
            "其后继 WarpRec 的 MAP 在相关名次上取值，除以 min(k, R)。",
        ),
        defects=phrases("AUC and GAUC of the worst ranking are above 0.", "最差排序的 AUC 与 GAUC 大于 0。"),
    ),
    Preset(
        name="warprec",
        tool="WarpRec",
        versions="2025",
        about=Phrase(
            "Top-k metrics of the successor of Elliot: MAP over min(k, R), and nDCG with the gain 2^(grade + 1) - 1.",
            "Elliot 后继的 top-k 指标：MAP 除以 min(k, R)，nDCG 的增益为 2^(等级 + 1) - 1。",
        ),
        convention=_PLAIN.replace(
            gain={grade: 2 ** (grade + 1) - 1 if grade else 0 for grade in range(11)},
            ap_over="min(R,k)",
            rel=">0",
            score_precision="float32",
            no_queries=0,
        ),
        metrics=at_k(
            "{name}@{k}",
            Precision="P",
            Recall="R",
            HitRate="HR",
            MAP="AP",
            nDCG="nDCG",
            nDCGRendle2020="nDCG(gain='binary')",
            MRR="RR",
        ),
        precision=SINGLE,
        notes=phrases(
            "The gains are those of whole grades up to 10. F1 is computed from the means of precision and recall. The "
            "values it was compared with are those of functions rewritten from its repository, not of a release.",
            "增益只给出 10 以内的整数等级。F1 由精确率与召回率的均值算出。用来比较的值由依据其代码库重写的函数得出，"
            "并非由某个发布版本得出。",
        ),
    ),
    Preset(
        name="ms-recommenders",
        tool="Microsoft Recommenders",
        versions="1.2.1",
        about=Phrase(
            "Ranking metrics of python_evaluation, for users in both tables.",
            "python_evaluation 的排序指标，只计两表共有的用户。",
        ),
        convention=_PLAIN.replace(ap_over="min(R,k)", missing="skip", per_metric={"nDCG": {"missing": "zero"}}),
        metrics=at_k(
            "{name}(k={k})", precision_at_k="P", recall_at_k="R", map_at_k="AP", map="AP(over='R')", ndcg_at_k="nDCG"
        ),
        notes=phrases(
            "ndcg_at_k has score_type binary here; raw is gain='linear', exp is gain='exp2'.",
            "ndcg_at_k 这里取 score_type=binary；raw 即 gain='linear'，exp 即 gain='exp2'。",
        ),
        defects=phrases(
            "1.2.1: r_precision_at_k averages only users with a hit.",
            "1.2.1：r_precision_at_k 只对有命中的用户取平均。",
        ),
    ),
    _cornac(
        name="cornac",
        about=Phrase(
            "Metrics over all items that a model ranks; users without positives are excluded.",
            "对模型排序的全部物品计算；没有正例的用户被丢弃。",
        ),
        convention=_PLAIN,
        metrics=cut_or_not(
            "{name}(k={k})",
            "{name}()",
            Precision="P",
            Recall="R",
            FMeasure="F",
            NDCG="nDCG",
            NCRR="nDCG(discount='1/i', ideal_cut='returned')",
        )
        | {"HitRatio(k={k})": "HR@{k}", "AUC()": "AUC(tied='lost')", "MRR()": "RR"},
        notes=phrases(
            "The order of equal scores is not fixed.",
            "分数相同者顺序不定。",
            "MAP has other ties: preset cornac-map.",
            "MAP 的并列规则不同：见 cornac-map。",
        ),
        defects=phrases("3.0.1: MRR is an error if there is no hit.", "3.0.1：没有命中时 MRR 报错。"),
    ),
    _cornac(
        name="cornac-map",
        about=Phrase(
            "MAP over the whole ranking: equal scores all count at the rank of the last.",
            "对整个排序计算的 MAP：同分者都按最后一个的名次计。",
        ),
        convention=_PLAIN.replace(ties="together"),
        metrics={"MAP()": "AP"},
    ),
    Preset(
        name="spark",
        tool="Spark MLlib RankingMetrics",
        versions="3.0 - 4 (August 2026)",
        about=Phrase(
            "Rows of predicted and relevant items; a row without relevant items counts 0.",
            "每行为预测与相关物品；没有相关物品的行记 0。",
        ),
        convention=_BINARY.replace(ap_over="min(R,k)", missing="skip", duplicates="again"),
        metrics=at_k("{name}At({k})", precision="P", recall="R", ndcg="nDCG", meanAveragePrecision="AP")
        | {"meanAveragePrecision": "AP"},
        notes=_LISTS,
        defects=phrases(
            "4.x: with graded relevance the ideal uses labels in input order, not sorted.",
            "4.x：使用分级相关性时，理想排序按给定顺序而未排序。",
        ),
    ),
    Preset(
        name="evidently",
        tool="Evidently",
        versions="0.7",
        about=Phrase(
            "One table of users, items, scores and targets; only existing rows count.",
            "一张含用户、物品、分数、目标的表；只计表中的行。",
        ),
        convention=DEFAULT.replace(p_over="min(k,n)", ties="input", no_relevant="skip", missing="skip"),
        metrics={"PrecisionTopK(k={k})": "P@{k}", "RecallTopK(k={k})": "R@{k}"}
        | at_k("{name}(k={k})", HitRate="HR", MRR="RR", MAP="AP", NDCG="nDCG"),
        notes=phrases(
            "no_feedback_users=True counts users without relevant rows as 0: no_relevant='computed'.",
            "no_feedback_users=True 时没有相关行的用户记 0：no_relevant='computed'。",
            "Equal scores share a rank there.",
            "分数相同者在该工具中名次相同。",
        ),
        defects=phrases(
            "0.7.23: MAP depends on row order, and counts the last row of lists shorter than k again; it is AP for "
            "rows sorted by score and lists of at least k items.",
            "0.7.23：MAP 取决于行序，并重复计入短于 k 的列表的最后一行；行按分数排序且列表不少于 k 个物品时即为 AP。",
        ),
    ),
    Preset(
        name="lenskit",
        tool="LensKit",
        versions="2025.8",
        about=Phrase(
            "Lists of an output collection: ranks 1 and 2 are not discounted, recall and AP are capped.",
            "对输出列表计算：第 1、2 位不折损，召回率与 AP 封顶。",
        ),
        convention=_BINARY.replace(
            discount="log2(i)", p_over="min(k,n)", r_over="min(k,R)", ap_over="min(R,k,n)", missing="skip"
        ),
        metrics=cut_or_not(
            "{name}({k})",
            "{name}()",
            Precision="P",
            Recall="R",
            Hit="HR",
            RecipRank="RR",
            AveragePrecision="AP",
            NDCG="nDCG",
            DCG="DCG",
        ),
        notes=_LISTS
        + phrases(
            "gain='rating' there is gain='linear' here; values that are NaN count 0 in its summary.",
            "该工具的 gain='rating' 即 gain='linear'；NaN 在其汇总中记 0。",
        ),
    ),
    Preset(
        name="merlin",
        tool="NVIDIA Merlin Models",
        versions="23.12",
        about=Phrase(
            "Top-k metrics; its random order of equal scores is replaced by the exact mean.",
            "Top-k 指标；同分的随机顺序以精确平均代替。",
        ),
        convention=_BINARY.replace(r_over="min(k,R)", ap_over="min(R,k)", ties="mean", score_precision="float32"),
        metrics=at_k("{name}At({k})", Recall="R", Precision="P", AvgPrecision="AP", MRR="RR", NDCG="nDCG"),
        precision=SINGLE,
        notes=phrases("It needs at least k predictions.", "至少需要 k 个预测。"),
    ),
    Preset(
        name="rs_metrics",
        tool="rs_metrics",
        versions="0.6",
        about=Phrase(
            "Metrics for every user with ground truth; precision of an empty list is NaN, and so is its mean.",
            "对每个有真值的用户计算；空列表的精确率为 NaN，均值亦然。",
        ),
        convention=_BINARY.replace(
            p_over="min(k,n)", duplicates="again", per_metric={"P": {"undefined": "nan"}, "R": {"duplicates": "first"}}
        ),
        metrics=at_k("{name}(k={k})", precision="P", recall="R", hitrate="HR", mrr="RR", mapr="AP", ndcg="nDCG"),
        notes=_LISTS
        + phrases(
            "Users without ground truth are ignored: exclude them from the judgments.",
            "没有真值的用户不会出现：请勿放入标注。",
        ),
    ),
    _implicit(
        name="implicit",
        about=Phrase(
            "map and ndcg of ranking_metrics_at_k, averaged over users with test items.",
            "ranking_metrics_at_k 的 map 与 ndcg，对有测试物品的用户取平均。",
        ),
        convention=_PLAIN.replace(ap_over="min(R,k)", duplicates="again"),
        metrics=at_k("{name}(K={k})", map="AP", ndcg="nDCG"),
        notes=_IMPLICIT_NOTES
        + phrases(
            "auc(K=k) is LAUC(items=n)@k, where n is the number of items of the catalogue, for lists of at least k "
            "items without repeats.",
            "auc(K=k) 即 LAUC(items=n)@k，n 为物品总数；列表须至少有 k 个物品且没有重复。",
        ),
    ),
    _implicit(
        name="implicit-precision",
        about=Phrase(
            "precision of ranking_metrics_at_k: the hits of all users over the sum of min(k, R).",
            "ranking_metrics_at_k 的 precision：所有用户的命中数除以各用户 min(k, R) 之和。",
        ),
        convention=_PLAIN.replace(p_over="min(k,R)", duplicates="again", averaging="pooled"),
        metrics=at_k("{name}(K={k})", precision="P"),
        notes=_IMPLICIT_NOTES,
    ),
)
