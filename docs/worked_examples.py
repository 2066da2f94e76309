"""Worked examples of five tutorials as data: input, correct values, printed values, and why they differ.

``docs/generate.py`` turns them into pages and ``tests/test_docs.py`` recomputes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rankgauge import Convention, Metric, parse
from rankgauge.conventions import DEFAULT
from rankgauge.rendering.language import Phrase

MEAN = None
"""Used as the index of a list: the mean over all lists of the example."""
NO_NOTE = Phrase("", "")


@dataclass(frozen=True)
class ExampleList:
    """A returned list, best item first, with what is known about items that were not returned."""

    grades: tuple[int, ...]
    items: tuple[str, ...] | None = None
    ideal: tuple[int, ...] | None = None
    relevant: int | None = None

    def keywords(self, metric: Metric) -> dict[str, Any]:
        """Return the keyword arguments of a call on this list."""
        values = {
            "items": self.items,
            "ideal": self.ideal if "ideal" in metric.definition.rules else None,
            "relevant": self.relevant,
        }
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items() if value}


@dataclass(frozen=True)
class Figure:
    """A number of an example: the correct value to six digits, and the digits printed in the tutorial."""

    metric: str
    right: float
    printed: str = ""
    differs: bool = False
    of: int | None = 0
    name: str = ""


@dataclass(frozen=True)
class WorkedExample:
    """One example of a tutorial."""

    key: str
    document: str
    place: str
    title: Phrase
    setting: Phrase
    rankings: tuple[ExampleList, ...]
    figures: tuple[Figure, ...]
    note: Phrase = NO_NOTE
    convention: Convention = DEFAULT
    explained: tuple[int, ...] = (-1,)
    """Indices of the figures that are explained step by step."""

    def values(self, figure: Figure) -> list[float]:
        """Compute a figure with the library: the value of one list, or of each list to be averaged."""
        metric = parse(figure.metric)
        chosen = self.rankings if figure.of is MEAN else self.rankings[figure.of : figure.of + 1]
        return [metric.of(each.grades, convention=self.convention, **each.keywords(metric)) for each in chosen]

    def computed(self, figure: Figure) -> float:
        """Compute the value of a figure with the library."""
        values = self.values(figure)
        return sum(values) / len(values)


FILMS = (5, 3, 2, 1, 2)
ALL_SEVEN_FILMS = (5, 3, 2, 1, 2, 4, 0)
FIVE_GOODS = ExampleList((4, 5, 2, 3, 1), items=("B", "A", "D", "C", "E"))
STARS = ExampleList((3, 2, 1, 0, 2), items=("A", "B", "C", "D", "E"))
FIVE_QUERIES = ((0, 1, 0), (1, 0, 0), (0, 0, 0), (0, 0, 1), (0, 0, 0))

DOCUMENT_000 = (
    WorkedExample(
        key="000-ndcg",
        document="000",
        place="§4.2",
        title=Phrase("nDCG of five items", "五个物品的 nDCG"),
        setting=Phrase(
            "Grades 5, 3, 2, 1, 4; linear gain; discount log2(i+1); k = 5; the ideal order consists of the same items.",
            "相关性等级 5、3、2、1、4；线性增益；折损 log2(i+1)；k = 5；理想排序由同样的物品组成。",
        ),
        rankings=(ExampleList((5, 3, 2, 1, 4), items=("A", "B", "C", "D", "E")),),
        figures=(
            Figure("DCG@5", 9.870877, "8.738", differs=True),
            Figure("IDCG@5", 10.271925, "10.199", differs=True),
            Figure("nDCG@5", 0.960957, "0.857", differs=True),
        ),
        note=Phrase(
            "The formulas and additions are correct, but some terms are not: 3/log2(3) is 1.893 and not "
            "1.585, 2/log2(4) is 1 and not 0.861, 4/log2(6) is 1.547 and not 0.861; in the ideal order, 4/log2(3) "
            "is 2.524 and not 2.322, 3/log2(4) is 1.5 and not 1.585, 1/log2(6) is 0.387 and not 0.431.",
            "该文的公式与加法都对，错在单项：3/log2(3) 应为 1.893 而非 1.585，2/log2(4) 应为 1 而非 0.861，"
            "4/log2(6) 应为 1.547 而非 0.861；理想排序中 4/log2(3) 应为 2.524 而非 2.322，3/log2(4) 应为 1.5 "
            "而非 1.585，1/log2(6) 应为 0.387 而非 0.431。",
        ),
    ),
    WorkedExample(
        key="000-code",
        document="000",
        place="§5",
        title=Phrase("the functions dcg_at_k and ndcg_at_k", "函数 dcg_at_k 与 ndcg_at_k"),
        setting=Phrase(
            "The code uses its sorted input as the ideal order, which is the rule ideal='returned'. For the grades of "
            "§4.2 this makes no difference.",
            "该代码把传入的列表排序后当作理想排序，写成规则就是 ideal='returned'。用 §4.2 的等级时结果不变。",
        ),
        rankings=(ExampleList((5, 3, 2, 1, 4)),),
        figures=(Figure("DCG@5", 9.870877), Figure("nDCG(ideal='returned')@5", 0.960957)),
        note=Phrase(
            "The code has no output and does not run: it imports math but calls np, and np.asfarray was removed in "
            "NumPy 2. If the ideal order consists of returned items only, missing a good item has no cost.",
            "该代码没有给出结果，也无法运行：只导入了 math，却调用 np；而且 np.asfarray 已从 NumPy 2 中移除。"
            "理想排序只取返回的物品时，漏掉好物品不会扣分。",
        ),
    ),
)

DOCUMENT_001 = (
    WorkedExample(
        key="001-ndcg",
        document="001",
        place="nDCG@k",
        title=Phrase("nDCG@3 with a given ideal order", "理想排序由外部给出的 nDCG@3"),
        setting=Phrase(
            "Grades 3, 2, 0, 1 at k = 3; gain 2^grade - 1; the ideal top three are given as 3, 3, 2.",
            "相关性等级 3、2、0、1，k = 3；增益为 2^等级 - 1；理想排序的前三个等级给定为 3、3、2。",
        ),
        rankings=(ExampleList((3, 2, 0, 1), ideal=(3, 3, 2)),),
        figures=(
            Figure("DCG(gain='exp2')@3", 8.892789),
            Figure("IDCG(gain='exp2')@3", 12.916508),
            Figure("nDCG(gain='exp2')@3", 0.688482),
        ),
        note=Phrase(
            "The document gives the three formulas without computing them.", "该文只列出三个算式，没有算出结果。"
        ),
    ),
    WorkedExample(
        key="001-own-ideal",
        document="001",
        place="nDCG@k",
        title=Phrase("the same list with an ideal order of its own items", "同一列表，理想排序取自身物品"),
        setting=Phrase(
            "Grades 3, 2, 0, 1 at k = 3; gain 2^grade - 1; the ideal order is that of the list itself, 3, 2, 1.",
            "相关性等级 3、2、0、1，k = 3；增益为 2^等级 - 1；理想排序取自列表自身，即 3、2、1。",
        ),
        rankings=(ExampleList((3, 2, 0, 1)),),
        figures=(Figure("nDCG(gain='exp2')@3", 0.946768),),
        note=Phrase(
            "Not in the document: the choice of the ideal order changes the value from 0.688 to 0.947.",
            "该文没有这一算法：理想排序的取法不同，结果就从 0.688 变为 0.947。",
        ),
    ),
    WorkedExample(
        key="001-hr",
        document="001",
        place="HR@k",
        title=Phrase("the hit rate of five queries", "五次查询的命中率"),
        setting=Phrase(
            "Five queries, three of which have a relevant item in the top 3. The document gives only the counts; "
            "the lists here are one example with these counts.",
            "五次查询，其中三次的前 3 个结果里有相关物品。该文只给出次数，这里的列表是符合这些次数的一种。",
        ),
        rankings=tuple(ExampleList(grades) for grades in FIVE_QUERIES),
        figures=(
            Figure("HR@3", 1.0, of=0),
            Figure("HR@3", 0.0, of=2),
            Figure("HR@3", 0.6, "0.6", of=MEAN, name="HR@3"),
        ),
        explained=(0, 1),
    ),
)

DOCUMENT_002 = (
    WorkedExample(
        key="002-map",
        document="002",
        place="§1",
        title=Phrase("MAP of two topics", "两个主题的 MAP"),
        setting=Phrase(
            "Topic 1 has 4 relevant pages, found at ranks 1, 2, 4 and 7; topic 2 has 5, of which three are found, "
            "at ranks 1, 3 and 5.",
            "主题 1 有 4 个相关网页，排在第 1、2、4、7 位；主题 2 有 5 个，只找到 3 个，排在第 1、3、5 位。",
        ),
        rankings=(ExampleList((1, 1, 0, 1, 0, 0, 1), relevant=4), ExampleList((1, 0, 1, 0, 1), relevant=5)),
        figures=(
            Figure("AP", 0.830357, "0.83", of=0),
            Figure("AP", 0.453333, "0.45", of=1),
            Figure("AP", 0.641845, "0.64", of=MEAN, name="MAP"),
        ),
        explained=(0, 1),
    ),
    WorkedExample(
        key="002-mrr",
        document="002",
        place="§2",
        title=Phrase("MRR of three queries", "三个查询的 MRR"),
        setting=Phrase("The first relevant answers are at ranks 3, 2 and 1.", "首个相关答案分别排在第 3、2、1 位。"),
        rankings=(ExampleList((0, 0, 1)), ExampleList((0, 1, 0)), ExampleList((1, 0, 0))),
        figures=(
            Figure("RR", 0.333333, of=0),
            Figure("RR", 0.5, of=1),
            Figure("RR", 1.0, of=2),
            Figure("RR", 0.611111, "0.61", of=MEAN, name="MRR"),
        ),
        explained=(0, 1, 2),
    ),
    WorkedExample(
        key="002-dcg",
        document="002",
        place="§3.1",
        title=Phrase("CG and DCG of five films", "五部电影的 CG 与 DCG"),
        setting=Phrase(
            "Ratings 5, 3, 2, 1, 2. CG adds the ratings, DCG uses the gain 2^grade - 1 and the discount log2(i+1).",
            "评分 5、3、2、1、2。CG 直接把评分相加，DCG 的增益为 2^等级 - 1，折损为 log2(i+1)。",
        ),
        rankings=(ExampleList(FILMS),),
        figures=(Figure("CG@5", 13.0, "13"), Figure("DCG(gain='exp2')@5", 38.507743, "38.5")),
        explained=(0, 1),
    ),
    WorkedExample(
        key="002-ndcg",
        document="002",
        place="§3.2",
        title=Phrase("nDCG with an ideal order of seven films", "以七部电影为理想集合的 nDCG"),
        setting=Phrase(
            "The same five films; the ideal order consists of all seven films that the user rated (5, 3, 2, 1, 2, 4, "
            "0), cut at 5.",
            "同样的五部电影；理想排序取用户评过分的全部七部（5、3、2、1、2、4、0），截断在第 5 位。",
        ),
        rankings=(ExampleList(FILMS, ideal=ALL_SEVEN_FILMS),),
        figures=(
            Figure("DCG@5", 38.507743, "38.5"),
            Figure("IDCG@5", 46.416534, "46.5", differs=True),
            Figure("nDCG@5", 0.829613, "0.827", differs=True),
        ),
        convention=Convention(gain="exp2"),
        note=Phrase(
            "Every term was rounded to one digit before adding, which turns 46.417 into 46.5, and the quotient "
            "38.5/46.5 = 0.82796 was truncated instead of rounded.",
            "各项先四舍五入到一位小数再相加，46.417 就成了 46.5；商 38.5/46.5 = 0.82796 又被直接截去尾数而非四舍五入。",
        ),
    ),
    WorkedExample(
        key="002-returned-ideal",
        document="002",
        place="§3.3",
        title=Phrase("variant: an ideal order of the five returned films", "变体：理想排序只取返回的五部"),
        setting=Phrase(
            "Grades 5, 3, 2, 1, 2; gain 2^grade - 1; the ideal order consists of the returned films only.",
            "相关性等级 5、3、2、1、2；增益为 2^等级 - 1；理想排序只由返回的电影组成。",
        ),
        rankings=(ExampleList(FILMS),),
        figures=(Figure("nDCG@5", 0.997729),),
        convention=Convention(gain="exp2", ideal="returned"),
        note=Phrase(
            "The document describes this variant without computing it. The choice of the normaliser alone changes "
            "0.830 to 0.998.",
            "该文只描述了这种取法，没有计算。仅归一化的取法不同，就把 0.830 变成了 0.998。",
        ),
    ),
    WorkedExample(
        key="002-linear",
        document="002",
        place="§3.3",
        title=Phrase("variant: linear gain", "变体：线性增益"),
        setting=Phrase(
            "Ideal order of all seven films; the gain is the grade itself.",
            "理想排序取全部七部电影，增益直接取相关性等级。",
        ),
        rankings=(ExampleList(FILMS, ideal=ALL_SEVEN_FILMS),),
        figures=(Figure("nDCG@5", 0.853491),),
        convention=Convention(gain="linear"),
        note=Phrase(
            "Described but not computed in the document. The choice of the gain alone changes 0.830 to 0.853.",
            "该文只作描述，没有计算。仅增益的取法不同，就把 0.830 变成了 0.853。",
        ),
    ),
    WorkedExample(
        key="002-linear-log2i",
        document="002",
        place="§3.3",
        title=Phrase("variant: linear gain, discount log2(i)", "变体：线性增益，折损 log2(i)"),
        setting=Phrase(
            "Ideal order of all seven films, linear gain; rank 1 is not discounted, later ranks are divided by "
            "log2(i).",
            "理想排序取全部七部电影，线性增益；第 1 位不折损，其后除以 log2(i)。",
        ),
        rankings=(ExampleList(FILMS, ideal=ALL_SEVEN_FILMS),),
        figures=(Figure("nDCG@5", 0.832923),),
        convention=Convention(gain="linear", discount="log2(i)"),
        note=Phrase(
            "Described but not computed in the document. Compared with the previous variant, the discount alone "
            "changes 0.853 to 0.833.",
            "该文只作描述，没有计算。与上一变体相比，仅折损的取法不同，就把 0.853 变成了 0.833。",
        ),
    ),
    WorkedExample(
        key="002-exp2-log2i",
        document="002",
        place="§3.3",
        title=Phrase("variant: gain 2^grade - 1, discount log2(i)", "变体：增益 2^等级 - 1，折损 log2(i)"),
        setting=Phrase(
            "Ideal order of all seven films, gain 2^grade - 1; rank 1 is not discounted, later ranks are divided by "
            "log2(i).",
            "理想排序取全部七部电影，增益为 2^等级 - 1；第 1 位不折损，其后除以 log2(i)。",
        ),
        rankings=(ExampleList(FILMS, ideal=ALL_SEVEN_FILMS),),
        figures=(Figure("nDCG@5", 0.783423),),
        convention=Convention(gain="exp2", discount="log2(i)"),
        note=Phrase(
            "Described but not computed in the document. With both the gain and the discount changed, the value is "
            "0.783.",
            "该文只作描述，没有计算。增益与折损都换一种取法，同样的五部电影得 0.783。",
        ),
    ),
    WorkedExample(
        key="002-x",
        document="002",
        place="§3.3",
        title=Phrase("X = 1, 0, 2, 2, 1", "X = 1、0、2、2、1"),
        setting=Phrase(
            "Grades 1, 0, 2, 2, 1; gain 2^grade - 1; the ideal order is that of X itself, 2, 2, 1, 1, 0.",
            "相关性等级 1、0、2、2、1；增益为 2^等级 - 1；理想排序 2、2、1、1、0 取自 X 自身。",
        ),
        rankings=(ExampleList((1, 0, 2, 2, 1)),),
        figures=(Figure("nDCG@5", 0.717594),),
        convention=Convention(gain="exp2", ideal="returned"),
        note=Phrase("The document gives the ideal order but no value.", "该文只给出理想排序，没有数值。"),
    ),
)

DOCUMENT_003 = (
    WorkedExample(
        key="003-precision",
        document="003",
        place="§4.1",
        title=Phrase("P@3 and P@5 of five goods", "五件商品的 P@3 与 P@5"),
        setting=Phrase(
            "The order B, A, D, C, E with the grades 4, 5, 2, 3, 1. The document does not say which grades are "
            "relevant; shown for the levels 3 and 2.",
            "顺序 B、A、D、C、E，相关性等级 4、5、2、3、1。该文没有说明等级达到多少算相关，这里分别取 3 与 2。",
        ),
        rankings=(FIVE_GOODS,),
        figures=(
            Figure("P(rel=3)@3", 0.666667, "0.667"),
            Figure("P(rel=3)@5", 0.6, "0.8", differs=True),
            Figure("P(rel=2)@3", 1.0, "0.667", differs=True),
            Figure("P(rel=2)@5", 0.8, "0.8"),
        ),
        explained=(1, 3),
        note=Phrase(
            "The two printed values use different levels: 0.667 grades of at least 3, 0.8 grades of at least 2.",
            "文中的两个值用了两个不同的阈值：0.667 对应等级 ≥ 3，0.8 对应等级 ≥ 2。",
        ),
    ),
    WorkedExample(
        key="003-precision-code",
        document="003",
        place="§5.1",
        title=Phrase("the function precision_at_k", "函数 precision_at_k"),
        setting=Phrase("The code is called with 1, 1, 0, 1, 0.", "以 1、1、0、1、0 调用该代码。"),
        rankings=(ExampleList((1, 1, 0, 1, 0), items=("B", "A", "D", "C", "E")),),
        figures=(Figure("P@3", 0.666667, "0.6666666666666666"), Figure("P@5", 0.6, "0.8", differs=True)),
        note=Phrase(
            "The code is correct and prints 0.6, since 3/5 is 0.6. The value 0.8 is not its output.",
            "代码本身没有错，运行结果是 0.6，因为 3/5 等于 0.6；0.8 并不是它的输出。",
        ),
    ),
    WorkedExample(
        key="003-ndcg",
        document="003",
        place="§4.2",
        title=Phrase("nDCG@5 of five goods", "五件商品的 nDCG@5"),
        setting=Phrase(
            "The order B, A, D, C, E with the grades 4, 5, 2, 3, 1; gain 2^grade - 1; k = 5.",
            "顺序 B、A、D、C、E，相关性等级 4、5、2、3、1；增益为 2^等级 - 1；k = 5。",
        ),
        rankings=(FIVE_GOODS,),
        figures=(
            Figure("DCG(gain='exp2')@5", 39.460411, "38.23", differs=True),
            Figure("IDCG(gain='exp2')@5", 45.642829, "44.41", differs=True),
            Figure("nDCG(gain='exp2')@5", 0.864548, "0.861", differs=True),
        ),
        note=Phrase(
            "log2(4), log2(5) and log2(6) are 2, 2.322 and 2.585; they were printed as 2.585, 3.17 and 3.459.",
            "log2(4)、log2(5)、log2(6) 应为 2、2.322、2.585，该文写成了 2.585、3.17、3.459。",
        ),
    ),
    WorkedExample(
        key="003-ndcg-code",
        document="003",
        place="§5.2",
        title=Phrase("the functions dcg_at_k and ndcg_at_k", "函数 dcg_at_k 与 ndcg_at_k"),
        setting=Phrase(
            "The code is called with the grades 4, 5, 2, 3, 1 and sorts them to obtain the ideal order.",
            "以相关性等级 4、5、2、3、1 调用该代码，理想排序由它们排序得到。",
        ),
        rankings=(FIVE_GOODS,),
        figures=(Figure("nDCG(gain='exp2', ideal='returned')@5", 0.864548, "0.8607594936708861", differs=True),),
        note=Phrase(
            "The code is correct and prints 0.8645. The digits in its comment agree neither with this nor with §4.2.",
            "代码本身没有错，运行结果约为 0.8645；注释里的数字既与它不符，也与 §4.2 不符。",
        ),
    ),
)

DOCUMENT_004 = (
    WorkedExample(
        key="004-cg",
        document="004",
        place="§1",
        title=Phrase("CG at two cutoffs", "两个截断处的 CG"),
        setting=Phrase("Grades 3, 2, 0, 1; linear gain.", "相关性等级 3、2、0、1；线性增益。"),
        rankings=(ExampleList((3, 2, 0, 1)),),
        figures=(Figure("CG@2", 5.0, "5"), Figure("CG@4", 6.0, "6")),
    ),
    WorkedExample(
        key="004-dcg",
        document="004",
        place="§2",
        title=Phrase("DCG@4", "DCG@4"),
        setting=Phrase(
            "Grades 3, 2, 3, 0; linear gain; discount log2(i+1).", "相关性等级 3、2、3、0；线性增益；折损 log2(i+1)。"
        ),
        rankings=(ExampleList((3, 2, 3, 0)),),
        figures=(Figure("DCG@4", 5.761860, "5.762"),),
    ),
    WorkedExample(
        key="004-ndcg",
        document="004",
        place="§3",
        title=Phrase("nDCG@5", "nDCG@5"),
        setting=Phrase(
            "Grades 3, 2, 3, 0, 1; linear gain; the ideal order consists of the same items.",
            "相关性等级 3、2、3、0、1；线性增益；理想排序由同样的物品组成。",
        ),
        rankings=(ExampleList((3, 2, 3, 0, 1)),),
        figures=(
            Figure("DCG@5", 6.148712, "6.149"),
            Figure("IDCG@5", 6.323466, "6.324", differs=True),
            Figure("nDCG@5", 0.972364, "0.972"),
        ),
        note=Phrase(
            "Only the last digit of the IDCG differs: the document adds rounded terms, here the sum is rounded.",
            "只有 IDCG 的末位不同：该文先四舍五入各项再相加，这里相加之后才四舍五入。",
        ),
    ),
    WorkedExample(
        key="004-films",
        document="004",
        place="k = 5",
        title=Phrase("nDCG@5 of five films", "五部电影的 nDCG@5"),
        setting=Phrase(
            "Stars are converted to grades: 5 stars to 3, 4 stars to 2, 3 stars to 1, fewer to 0. The films A to E "
            "have the grades 3, 2, 1, 0, 2; linear gain.",
            "星级换算为相关性等级：5 星为 3，4 星为 2，3 星为 1，更少为 0。"
            "电影 A 到 E 的等级为 3、2、1、0、2；线性增益。",
        ),
        rankings=(STARS,),
        figures=(
            Figure("DCG@5", 5.535565, "5.536"),
            Figure("IDCG@5", 5.692536, "5.693"),
            Figure("nDCG@5", 0.972425, "0.972"),
        ),
    ),
    WorkedExample(
        key="004-films-3",
        document="004",
        place="k = 3",
        title=Phrase("nDCG@3 of the same films", "同样电影的 nDCG@3"),
        setting=Phrase(
            "The films and grades of the previous example, cut at 3.", "电影与等级同上一例，截断在第 3 位。"
        ),
        rankings=(STARS,),
        figures=(
            Figure("DCG@3", 4.761860, "4.762"),
            Figure("IDCG@3", 5.261860, "5.262"),
            Figure("nDCG@3", 0.904977, "0.905"),
        ),
        note=Phrase(
            "The numbers agree, but the comment below them is wrong: film C is after B and before E, not before both.",
            "数字一致，但其后的评语有误：电影 C 排在 B 之后、E 之前，并非排在二者之前。",
        ),
    ),
)

WORKED_EXAMPLES: tuple[WorkedExample, ...] = (*DOCUMENT_000, *DOCUMENT_001, *DOCUMENT_002, *DOCUMENT_003, *DOCUMENT_004)
"""All worked examples of the five tutorials, in order."""
