"""Metrics of verdicts on nuggets and citations, whose values are read from files and never computed from a ranking."""

from __future__ import annotations

from typing import Any, NoReturn

from rankgauge.errors import ParameterError
from rankgauge.metric_core.definition import Definition
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.requirements import VERDICTS
from rankgauge.metric_core.summary import check_summary
from rankgauge.rendering.language import Phrase

NUGGETIZER, ALCE, SUPPORT = "pradeep2024", "gao2023", "thakur2025"
_TEXTS = {
    "strict_vital_score": (
        NUGGETIZER, Phrase("The share of the vital nuggets that the answer supports.", "回答所支持的关键要点的比例。")),
    "strict_all_score": (
        NUGGETIZER, Phrase("The share of all nuggets that the answer supports.", "回答所支持的全部要点的比例。")),
    "vital_score": (
        NUGGETIZER, Phrase("The share of the vital nuggets that the answer supports; partial support counts half.",
                           "回答所支持的关键要点的比例，部分支持计一半。")),
    "all_score": (
        NUGGETIZER, Phrase("The share of all nuggets that the answer supports; partial support counts half.",
                           "回答所支持的全部要点的比例，部分支持计一半。")),
    "citation_rec": (
        ALCE, Phrase("The share of the sentences of the answer that their citations support together.",
                     "回答中由其引用共同支持的句子的比例。")),
    "citation_prec": (
        ALCE, Phrase("The share of the citations of the answer that support their sentence.",
                     "回答的引用中支持所在句子者的比例。")),
    "weighted_precision_first_citation": (
        SUPPORT, Phrase("The mean support of the cited sentences by their first citation; partial support counts half.",
                        "有引用的句子由第一条引用支持的平均程度，部分支持计一半。")),
    "weighted_recall_first_citation": (
        SUPPORT, Phrase("The mean support of all sentences by their first citation; partial support counts half.",
                        "全部句子由第一条引用支持的平均程度，部分支持计一半。")),
    "weighted_precision_all_judged_citations": (
        SUPPORT, Phrase("The mean support of the cited sentences by their judged citations; partial support counts "
                        "half.", "有引用的句子由各条已判定引用支持的平均程度，部分支持计一半。")),
    "weighted_recall_all_judged_citations": (
        SUPPORT, Phrase("The mean support of all sentences by their judged citations; partial support counts half.",
                        "全部句子由各条已判定引用支持的平均程度，部分支持计一半。")),
    "hard_precision": (
        SUPPORT, Phrase("The share of the cited sentences that their first citation supports fully.",
                        "有引用的句子中第一条引用完全支持者的比例。")),
    "hard_recall": (
        SUPPORT, Phrase("The share of all sentences that their first citation supports fully.",
                        "全部句子中第一条引用完全支持者的比例。")),
}  # fmt: skip
"""The name that the tool writes, the reference, and the meaning."""


def _metric(name: str, cite: str, meaning: Phrase) -> Metric:
    def kernel(_: Any) -> NoReturn:
        message = Phrase(
            "{name} is a value of verdicts on answers, which is read from a file (rg.read_scores); it cannot be "
            "computed from judgments and a ranking",
            "{name} 是对回答的判定得出的值，只能从文件读取（rg.read_scores），不能由标注与排序结果算出",
        )
        raise ParameterError(message.fill(name=name))

    kernel.__name__, kernel.__doc__ = name, meaning.en
    definition = Definition(
        name=name, kernel=kernel, zh=meaning.zh, aliases=(), trec={}, cite=cite, bounds=(0.0, 1.0),
        higher_is_better=True, ties_mean=False, shared_ranks=True, mean_rank=True, ordered=True, best_first="grade",
        breaks={}, summary=check_summary("mean"), undefined=None, top_only=True, needs=(VERDICTS,), grades=False,
    )  # fmt: skip
    return Metric(definition)


VERDICT_METRICS = {name: _metric(name, cite, meaning) for name, (cite, meaning) in _TEXTS.items()}
"""The metrics by name; they are no entries of the registry, since nothing computes them."""
