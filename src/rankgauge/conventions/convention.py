"""The Convention: every rule that can move a number, in one frozen record."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache, wraps
from typing import Any, TypeAlias

from rankgauge.conventions.denominators import AP_OVER, P_OVER, R_OVER
from rankgauge.conventions.discounts import JK_PHRASE, NAMED_DISCOUNTS, check_discount
from rankgauge.conventions.gains import NAMED_GAINS, check_gain
from rankgauge.conventions.order import TIES
from rankgauge.conventions.per_metric import PER_METRIC, PerMetric
from rankgauge.conventions.rule import (
    ABOVE,
    Above,
    Rule,
    above_zero,
    choice,
    level_or_above,
    number,
    number_or,
    whole_number,
    written,
)
from rankgauge.conventions.tool_rules import AP_AT, COUNTS, HIT_IF, NO_RELEVANT, RR_OF, STOP, TIED_PAIRS
from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.rendering.document import Document, Heading, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang


@dataclass(frozen=True)
class Convention:
    """Every rule that can move a number.

    Each field is a rule with named values; the default is what most careful tools agree on.
    A metric's own parameters win over the convention: ``nDCG(gain="exp2")`` is exponential under any.

    >>> Convention(gain="exp2").gain
    'exp2'
    >>> Convention(tie="mean")
    Traceback (most recent call last):
    ...
    rankgauge.errors.UnknownNameError: unknown rule 'tie'; did you mean 'ties'?
    >>> Convention(ties="alphabetical")
    Traceback (most recent call last):
    ...
    rankgauge.errors.ParameterError: ties must be one of 'id', 'id-ascending', 'input', 'input-reversed', 'mean', 'best', 'worst', 'together', 'random', not 'alphabetical'
    """  # noqa: E501

    gain: Any = field(
        default="linear",
        metadata={
            "rule": Rule(
                Phrase("gain", "增益"),
                Phrase("What is an item of a grade worth?", "某一等级的物品值多少？"),
                {name: phrase for name, (_, phrase) in NAMED_GAINS.items()}
                | {
                    "{grade: gain}": Phrase("a table from grade to gain", "等级到增益的对照表"),
                    "function": Phrase("your own function of an array of grades", "自定义函数：等级数组 → 增益数组"),
                },
                Phrase(
                    "The grade itself is what trec_eval, scikit-learn and Järvelin and Kekäläinen (2002) use, "
                    "and it does not explode on scales such as 0, 2, 4, 8, 16.",
                    "trec_eval、scikit-learn 与 Järvelin–Kekäläinen（2002）都直接取等级，遇到 0,2,4,8,16 也不会爆炸。",
                ),
                lambda _, value: check_gain(value),
            )
        },
    )
    discount: Any = field(
        default="log2(i+1)",
        metadata={
            "rule": Rule(
                Phrase("discount", "折扣"),
                Phrase("How much less does an item at rank i count?", "排在第 i 位的物品打多少折扣？"),
                {name: phrase for name, (_, phrase) in NAMED_DISCOUNTS.items()}
                | {
                    "jk(b)": JK_PHRASE,
                    "function": Phrase("your own function of an array of ranks", "自定义函数：名次数组 → 折扣系数数组"),
                },
                Phrase(
                    "Nearly every tool divides by log2(i+1); unlike log2(i) it tells rank 1 from rank 2.",
                    "几乎所有工具都除以 log2(i+1)；与 log2(i) 不同，它能区分第 1 位和第 2 位。",
                ),
                lambda _, value: check_discount(value),
            )
        },
    )
    ideal: str = choice(
        "judged",
        Phrase("ideal", "理想集合"),
        Phrase("Which items make up the ideal ranking?", "理想排序由哪些物品组成？"),
        {
            "judged": Phrase("all judged items, returned or not", "所有有标注的物品，无论是否被返回"),
            "returned": Phrase("only the items that were returned", "只用被返回的物品"),
            "full": Phrase(
                "k items as good as the best judged one, however many there are",
                "k 个与最好的已标注物品同样好的物品，无论实际有多少",
            ),
            "given": Phrase("grades handed in from outside (ideal=...)", "由外部给出（ideal=...）"),
        },
        Phrase(
            "With the returned items alone, a system that finds nothing but one poor item and puts it first scores 1.",
            "若只用返回的物品，系统只找到一个很差的物品并放在第一位也能得 1 分。",
        ),
    )
    ideal_cut: str = choice(
        "k",
        Phrase("ideal cut", "理想截断"),
        Phrase("Where does the ideal ranking end?", "理想排序截断在哪里？"),
        {
            "k": Phrase("at the metric's cutoff k", "在指标的截断 k 处"),
            "none": Phrase("nowhere: all of the ideal counts", "不截断：理想排序全部计入"),
            "returned": Phrase(
                "at the number of items returned (or at k where that is smaller)", "在返回的物品数处（k 更小时在 k 处）"
            ),
        },
        Phrase(
            "Cut at k, a perfect top k scores 1; cut at the number returned, short lists look better than they are.",
            "在 k 处截断，完美的前 k 个得 1 分；若按返回数截断，短列表会显得过好。",
        ),
    )
    p_over: str = P_OVER
    r_over: str = R_OVER
    ap_over: str = AP_OVER
    rel: float = number(
        1,
        Phrase("relevant from", "相关阈值"),
        Phrase("From which grade on does an item count as relevant?", "等级达到多少算相关？"),
        Phrase("grade {value} and above", "等级 ≥ {value}"),
        Phrase(
            "Grade 1 and more, as in trec_eval; ratings on a 1-5 scale need a level of their own.",
            "等级 ≥ 1，与 trec_eval 相同；1–5 分的评分需另设阈值。",
        ),
        {">x": Phrase("a text such as '>0.5': only grades above that", "文本，如 '>0.5'：只有大于该值的等级")},
        check=level_or_above,
    )
    max_grade: float = number(
        4,
        Phrase("top grade", "最高等级"),
        Phrase("What is the top of the grade scale (ERR, graded RBP)?", "等级的上限是多少（用于 ERR 与分级 RBP）？"),
        Phrase("grades go up to {value}", "等级最高为 {value}"),
        Phrase("Grades 0-4 are the scale of the web tracks for which ERR was made.", "ERR 最初用于 0–4 级标注。"),
        check=above_zero,
    )
    recall_point: str = choice(
        "ceil",
        Phrase("recall point", "召回点"),
        Phrase(
            "How many of R relevant items are a recall of p (interpolated precision)?",
            "R 个相关物品中多少个算达到召回率 p（插值精确率）？",
        ),
        {
            "ceil": Phrase("p x R rounded up: the recall is really reached", "p × R 向上取整：确实达到该召回率"),
            "trec_eval-9": Phrase(
                "the whole part of p x R + 0.9, as trec_eval 9", "p × R + 0.9 的整数部分（trec_eval 9）"
            ),
            "round": Phrase("p x R rounded to the nearest, as trec_eval 10", "p × R 四舍五入（trec_eval 10）"),
        },
        Phrase(
            "Rounded up is the definition; the others are its implementations.",
            "向上取整是定义本身，其余是各工具的实现。",
        ),
    )
    ties: str = TIES
    seed: int = field(
        default=0,
        metadata={
            "rule": Rule(
                Phrase("seed", "随机种子"),
                Phrase("Which shuffle does ties='random' use?", "ties='random' 用哪一种打乱？"),
                {},
                Phrase("Any fixed number makes the result repeatable.", "固定任意数即可重复结果。"),
                whole_number,
                Phrase("shuffle number {value}", "第 {value} 种打乱"),
            )
        },
    )
    undefined: Any = number(  # noqa: RUF009 (a dataclass field)
        0,
        Phrase("0/0", "0/0"),
        Phrase(
            "What is a metric whose denominator is 0, as when nothing is relevant?",
            "分母为 0（如没有相关物品）时取何值？",
        ),
        Phrase("it is {value}", "记为 {value}"),
        Phrase(
            "Most tools count 0; it keeps the number of queries the same for every metric.",
            "多数工具记 0；这样每个指标的查询数都相同。",
        ),
        {
            "nan": Phrase("not a number, and so is the mean", "非数值，均值也随之为非数值"),
            "skip": Phrase("left out of the mean, and counted", "不计入均值，但报告个数"),
            "error": Phrase("an error", "报错"),
        },
    )
    missing: str = choice(
        "zero",
        Phrase("missing queries", "缺失查询"),
        Phrase("What of a judged query for which nothing was returned?", "有标注但没有返回结果的查询怎么办？"),
        {
            "zero": Phrase("it counts as an empty list", "按空列表计"),
            "skip": Phrase("it is left out of the mean, and counted", "不计入均值，但报告个数"),
            "error": Phrase("an error", "报错"),
        },
        Phrase("A system must not gain by staying silent.", "系统不应因不作答而得利。"),
    )
    unjudged: Any = field(
        default="nonrelevant",
        metadata={
            "rule": Rule(
                Phrase("unjudged items", "未标注物品"),
                Phrase("What is a returned item without a judgment?", "返回了但没有标注的物品算什么？"),
                {
                    "nonrelevant": Phrase("not relevant", "不相关"),
                    "removed": Phrase("removed, the items below move up", "移除，后面的物品前移"),
                    "grade": Phrase("a number: judged at that grade", "一个数：按该等级处理"),
                },
                Phrase(
                    "What was not judged was mostly not relevant; how much is unjudged is reported.",
                    "未标注的大多不相关；未标注的比例会另行报告。",
                ),
                number_or("nonrelevant", "removed"),
                Phrase("judged at grade {value}", "按等级 {value} 处理"),
            )
        },
    )
    negative: str = choice(
        "unjudged",
        Phrase("negative grades", "负等级"),
        Phrase("What is a grade below 0?", "小于 0 的等级算什么？"),
        {
            "unjudged": Phrase("in the pool, but not judged, as TREC", "在标注池中但未标注，同 TREC"),
            "zero": Phrase("0", "0"),
            "keep": Phrase("as it is: it costs gain", "保持原值：会扣减增益"),
            "error": Phrase("an error", "报错"),
        },
        Phrase(
            "TREC files use -1 and -2 for items that no one judged and for spam.",
            "TREC 文件用 -1、-2 表示未标注或垃圾。",
        ),
    )
    score_precision: str = choice(
        "float64",
        Phrase("score precision", "分数精度"),
        Phrase("With how many digits are scores compared?", "分数比较时保留多少位？"),
        {
            "float64": Phrase("double precision", "双精度"),
            "float32": Phrase(
                "single precision: close scores become ties, as trec_eval 9",
                "单精度：相近的分数变成并列，同 trec_eval 9",
            ),
        },
        Phrase("Single precision silently ties scores that differ.", "单精度会把不同的分数悄悄变成并列。"),
    )
    averaging: str = choice(
        "mean",
        Phrase("averaging", "平均方式"),
        Phrase("How do the values of all queries become one?", "各查询的值如何汇总为一个？"),
        {
            "mean": Phrase("the arithmetic mean", "算术平均"),
            "geometric": Phrase("the geometric mean of max(value, 0.00001)", "max(值, 0.00001) 的几何平均"),
            "median": Phrase("the median", "中位数"),
            "weighted": Phrase("the mean weighted by the weights given for the queries", "按给定的查询权重加权平均"),
        },
        Phrase("Every query counts the same.", "每个查询权重相同。"),
    )
    no_relevant: str = NO_RELEVANT
    ap_at: str = AP_AT
    rr_of: str = RR_OF
    counts: str = COUNTS
    hit_if: str = HIT_IF
    stop: str = STOP
    tied_pairs: str = TIED_PAIRS
    per_metric: Any = PER_METRIC

    def __post_init__(self) -> None:
        for name, rule in RULES.items():
            object.__setattr__(self, name, rule.check(name, getattr(self, name)))
        object.__setattr__(self, "_hash", hash(tuple(getattr(self, name) for name in RULES)))

    def __hash__(self) -> int:
        """Computed once: conventions are looked up on every call."""
        return self._hash  # type: ignore[attr-defined]

    def __reduce__(self) -> tuple[Any, ...]:
        """By value: a hash of texts means nothing in another process."""
        return Convention, tuple(getattr(self, name) for name in RULES)

    def replace(self, **rules: Any) -> Convention:
        """The same convention with some rules changed.

        >>> Convention().replace(gain="exp2", rel=2).rel
        2
        """
        return replace(self, **rules) if rules else self

    def for_metric(self, name: str) -> Convention:
        """The convention as one metric follows it.

        >>> Convention(per_metric={"AP": {"undefined": 1}}).for_metric("AP").undefined
        1
        """
        return _of_metric(self, name) if self.per_metric else self

    def __str__(self) -> str:
        return self.line()

    def line(self, only: Iterable[str] | None = None, lang: str = "en") -> str:
        """The rules in one line; ``only`` names the rules that matter here.

        >>> Convention(gain="exp2").line(only=["gain", "discount"])
        'gain=exp2 · discount=log2(i+1)'
        """
        spoken = check_lang(lang)
        names = [
            name
            for name in (RULES if only is None else only)
            if not RULES[name].quiet or getattr(self, name) != getattr(DEFAULT, name)
        ]
        return " · ".join(f"{RULES[name].title.render(spoken)}={written(getattr(self, name))}" for name in names)

    def document(self, lang: str = "en", *, reasons: bool = True) -> Document:
        """The convention in full: every rule, the value in force, what it means, and why the default is so."""
        spoken = check_lang(lang)
        columns = _COLUMNS if reasons else _COLUMNS[:-1]
        rows = [
            [name, written(getattr(self, name)), self.meaning(name, spoken), rule.why.render(spoken)]
            for name, rule in RULES.items()
        ]
        table = Table([phrase.render(spoken) for phrase in columns], [row[: len(columns)] for row in rows])
        return Document([Heading(_TITLE.render(spoken)), table])

    def meaning(self, name: str, lang: Lang) -> str:
        """What the value of a rule means, in words."""
        rule, value = RULES[name], getattr(self, name)
        if isinstance(value, PerMetric):
            return rule.values["{metric: {rule: value}}" if value else "{}"].render(lang)
        if isinstance(value, Above):
            return ABOVE.render(lang, value=value)
        if isinstance(value, str):
            return rule.values["jk(b)" if value.startswith("jk(") else value].render(lang)
        if rule.number is not None:
            return rule.number.render(lang, value=value)
        return rule.values["function" if callable(value) else "{grade: gain}"].render(lang)

    def to_dict(self) -> dict[str, Any]:
        """The rules as plain values, functions by their names."""
        return {
            name: written(value)
            if callable(value) or isinstance(value, Above)
            else _plain(value)
            if isinstance(value, tuple)
            else value
            for name, value in ((name, getattr(self, name)) for name in RULES)
        }


def _plain(pairs: Any) -> Any:
    return {key: _plain(value) if isinstance(value, tuple) else value for key, value in pairs}


@lru_cache(maxsize=1024)
def _of_metric(convention: Convention, name: str) -> Convention:
    own = convention.per_metric.rules_of(name)
    return convention.replace(**own, per_metric={}) if own else convention


RULES: dict[str, Rule] = {rule.name: rule.metadata["rule"] for rule in fields(Convention)}
"""Every rule by the name of its field: the one table that help, documents and checks are made from."""


def _naming_the_rule(init: Callable[..., None]) -> Callable[..., None]:
    """What makes a convention, with an error of ours for a rule that there is not."""

    @wraps(init)
    def made(convention: Convention, *values: Any, **rules: Any) -> None:
        for name in rules:
            if name not in RULES:
                raise UnknownNameError.closest("rule", name, RULES)
        init(convention, *values, **rules)

    return made


Convention.__init__ = _naming_the_rule(Convention.__init__)  # type: ignore[method-assign]

_TITLE = Phrase("The rules in force", "当前生效的规则")
_COLUMNS = (
    Phrase("rule", "规则"),
    Phrase("value", "取值"),
    Phrase("meaning", "含义"),
    Phrase("why this default", "默认值的理由"),
)

DEFAULT = Convention()
"""The convention used when none is given."""

ConventionLike: TypeAlias = Convention | str | None
"""What every function takes as a convention: a Convention, the name of a preset, or None for the default."""


def check_convention(convention: ConventionLike) -> Convention:
    """Return the convention that a caller passed: a Convention, a preset by name, or the default for None."""
    if convention is None:
        return DEFAULT
    if isinstance(convention, str):
        from rankgauge.conventions.presets import preset  # noqa: PLC0415 (presets are made of conventions)

        return preset(convention)
    if not isinstance(convention, Convention):
        raise ParameterError.of(
            "convention", convention, "a Convention or the name of a preset, such as rg.Convention(gain='exp2')"
        )
    return convention
