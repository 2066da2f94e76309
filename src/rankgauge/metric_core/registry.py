"""The registry of metrics: by name, alias and trec_eval name, and names that tools use for different metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.verdict_metrics import VERDICT_METRICS
from rankgauge.rendering.language import Phrase

PRECISION = Phrase(
    "{name} has five meanings; write the one you want:\n"
    "- the share of the different returned ids that are relevant: P with the preset ragas-id\n"
    "- a verdict for each chunk, in rank order: AP(over='hits') with the preset ragas-verdicts or deepeval\n"
    "- chunks similar to a reference text, in rank order: AP(over='hits') with the preset ragas-text\n"
    "- the share of useful chunks, in any order: P with the preset ragchecker\n"
    "- one verdict for all chunks together (autoevals): HR of a list of one",
    "{name} 有五种含义，请写明要哪一种：\n"
    "- 返回的不同 id 中相关者的比例：P，预设 ragas-id\n"
    "- 每个文本块一个判定，按名次：AP(over='hits')，预设 ragas-verdicts 或 deepeval\n"
    "- 与参考文本相似的文本块，按名次：AP(over='hits')，预设 ragas-text\n"
    "- 有用的文本块的比例，不看顺序：P，预设 ragchecker\n"
    "- 对全部文本块只给一个判定（autoevals）：只含一个判定的列表的 HR",
)
RECALL = Phrase(
    "{name} has four meanings; write the one you want:\n"
    "- the share of relevant ids that were returned: R with the preset ragas-id\n"
    "- the share of reference texts similar to a returned one: R with the preset ragas-text-recall\n"
    "- the share of statements of the reference answer that the chunks support, from a list of verdicts: P with the "
    "preset ragas-verdicts or deepeval\n"
    "- the share of gold claims that a chunk entails, from a list of verdicts: P with the preset ragchecker",
    "{name} 有四种含义，请写明要哪一种：\n"
    "- 相关 id 中被返回者的比例：R，预设 ragas-id\n"
    "- 与某个返回文本相似的参考文本的比例：R，预设 ragas-text-recall\n"
    "- 参考答案中得到文本块支持的陈述的比例（判定列表）：P，预设 ragas-verdicts 或 deepeval\n"
    "- 被某个文本块蕴含的标准论断的比例（判定列表）：P，预设 ragchecker",
)
RELEVANCE = Phrase(
    "{name} is the share of relevant statements or chunks in a list of verdicts: P with the preset deepeval; ragas's "
    "context_relevance is the mean of two judges, and autoevals counts characters, which no list of grades gives",
    "{name} 是判定列表中相关的陈述或文本块的比例：P，预设 deepeval；ragas 的 context_relevance 为两个评审的平均，"
    "autoevals 按字符计算，均不能由等级列表得出",
)
ANSWERS = Phrase(
    "{name} judges an answer, not a ranking. From stored verdicts of its statements, it is P of the list: "
    "rg.P.of([1, 0, 1]); no language model is called here",
    "{name} 评判的是回答而不是排序。若已存有各陈述的判定，它就是该列表的 P：rg.P.of([1, 0, 1])；本库不调用语言模型",
)
DIVERSITY = Phrase(
    "{name} is not one metric; did you mean 'ILD', the mean distance of the items of a list, from features or "
    "categories? Others: alphanDCG (subtopics of a query), ItemCoverage and CategoryCoverage",
    "{name} 不是单一的指标；是否想用 'ILD'（列表内物品的平均距离，依据特征或类别）？其他的有："
    "alphanDCG（查询的子主题）、ItemCoverage 与 CategoryCoverage",
)
MEANINGS = {
    **dict.fromkeys(
        (
            "contextprecision", "contextualprecision", "contextprecisionwithreference", "contextutilization",
            "llmcontextprecisionwithreference", "llmcontextprecisionwithoutreference", "retrievalprecision",
        ),
        PRECISION,
    ),
    **dict.fromkeys(("contextrecall", "contextualrecall", "llmcontextrecall"), RECALL),
    **dict.fromkeys(
        ("contextrelevancy", "contextrelevance", "contextualrelevancy", "retrievalrelevance"), RELEVANCE
    ),
    **dict.fromkeys(("diversity", "多样性"), DIVERSITY),
    **dict.fromkeys(
        ("faithfulness", "groundedness", "answerrelevancy", "answercorrectness", "hallucination"), ANSWERS
    ),
}  # fmt: skip
"""By the name in lower case, without spaces, dashes and underscores."""


def is_ambiguous(name: str) -> bool:
    """Whether tools use a name for different metrics."""
    return _meaning(name) is not None


def _meaning(name: str) -> Phrase | None:
    return MEANINGS.get(name.lower().translate({ord(mark): None for mark in " -_"}))


def check_ambiguous(name: str) -> None:
    """Raise an error that lists the meanings of a name that tools use for different metrics."""
    meaning = _meaning(name)
    if meaning is not None:
        raise UnknownNameError((meaning.render("en", name=name), meaning.render("zh", name=name)))


CHINESE_NAMES = {
    "精确率": "P", "查准率": "P", "召回率": "R", "查全率": "R", "命中率": "HR", "平均精度": "AP", "平均精确率": "AP",
    "平均精度均值": "AP", "平均精确率均值": "AP",
    "倒数排名": "RR", "平均倒数排名": "RR", "归一化折损累计增益": "nDCG", "折损累计增益": "DCG", "累计增益": "CG",
    "覆盖率": "ItemCoverage", "物品覆盖率": "ItemCoverage", "商品覆盖率": "ItemCoverage", "目录覆盖率": "ItemCoverage",
    "用户覆盖率": "UserCoverage", "类别覆盖率": "CategoryCoverage", "类目覆盖率": "CategoryCoverage",
    "新颖性": "MIUF", "新颖度": "MIUF", "惊喜性": "Serendipity", "惊喜度": "Serendipity",
    "流行度": "ARP", "平均流行度": "ARP", "基尼系数": "Gini", "信息熵": "Entropy",
}  # fmt: skip
"""Names of metrics in Chinese, as they can be written instead of the names here: ``精确率@3``."""
_METRICS: dict[str, Metric] = {}
_NAMES: dict[str, Metric] = {}  # names and aliases
_LOWER: dict[str, Metric] = {}  # lower-case forms; the first declared wins
_TREC: dict[str, str] = {}
ON_CHANGE: list[Callable[[], None]] = []
"""What is called when a metric was registered or removed."""


def metrics() -> Mapping[str, Metric]:
    """Return every metric by name, built-in and your own.

    >>> metrics()["nDCG"] @ 10
    nDCG@10
    """
    return MappingProxyType(_METRICS)


def trec_names() -> Mapping[str, str]:
    """Return the trec_eval names and the notation of each."""
    return MappingProxyType(_TREC)


def register(metric: Metric) -> Metric:
    """Register a metric; a name that is taken is an error."""
    definition = metric.definition
    for name in (definition.name, *definition.aliases):
        if name in _NAMES:
            raise ParameterError(f"metric {definition.name}: the name {name!r} belongs to {_NAMES[name].name}")
    for name in definition.trec:
        if name in _TREC:
            raise ParameterError(f"metric {definition.name}: the trec_eval name {name!r} is taken")
    _METRICS[definition.name] = metric
    _TREC.update(definition.trec)
    _enter_names(metric)
    for on_change in ON_CHANGE:
        on_change()
    return metric


def unregister(name: str) -> None:
    """Remove the metric of a name, for instance one declared in a test or a notebook."""
    if name not in _METRICS:
        raise UnknownNameError.closest("metric", name, _METRICS)
    for trec_name in _METRICS.pop(name).definition.trec:
        del _TREC[trec_name]
    _NAMES.clear()
    _LOWER.clear()
    for metric in _METRICS.values():
        _enter_names(metric)
    for on_change in ON_CHANGE:
        on_change()


def find(name: str, other_names: Iterable[str] = ()) -> Metric:
    """Return the metric of this name or alias; case matters only if two names differ by case alone.

    ``other_names`` can be suggested instead of an unknown name as well.
    """
    metric = _find(name)
    if metric is None:
        check_ambiguous(name)
        single = (trec_name for trec_name, notation in _TREC.items() if "{}" not in notation)  # not ndcg_cut
        known = dict.fromkeys([*_METRICS, *_NAMES, *other_names, *single, *CHINESE_NAMES])
        raise UnknownNameError.closest("metric", name, known)
    return metric


def names() -> list[str]:
    """Return the names and aliases of all metrics."""
    return [*_NAMES]


def is_known(name: str) -> bool:
    """Return whether a metric has this name or alias."""
    return _find(name) is not None


def _find(name: str) -> Metric | None:
    name = CHINESE_NAMES.get(name, name)
    lower = name.lower()
    return _NAMES.get(name) or _NAMES.get(lower) or _LOWER.get(lower) or VERDICT_METRICS.get(lower)


def check_names(names: Iterable[str]) -> None:
    """Raise an error if ``per_metric`` of a convention names an unknown metric."""
    for name in names:
        if name not in _METRICS:
            raise UnknownNameError.closest("metric of per_metric", name, _METRICS)


def _enter_names(metric: Metric) -> None:
    for name in (metric.definition.name, *metric.definition.aliases):
        _NAMES[name] = metric
        _LOWER.setdefault(name.lower(), metric)
