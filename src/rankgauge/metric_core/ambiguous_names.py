"""Names of metrics with several meanings in tools for RAG, and how to choose one of them."""

from __future__ import annotations

from rankgauge.errors import UnknownNameError
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
