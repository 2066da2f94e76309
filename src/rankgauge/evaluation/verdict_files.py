"""Stored verdicts on answers: nuggets that an answer supports, and citations that support a sentence, as values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rankgauge.errors import shown
from rankgauge.inputs.findings import input_error
from rankgauge.rendering.language import Phrase

ASSIGNMENTS = {"support": 1.0, "partial_support": 0.5, "not_support": 0.0, "failed": 0.0, "fail": 0.0}
"""What an answer earns for a nugget; AutoNuggetizer counts a failed assignment as no support."""
SUPPORT = {2: 1.0, 1: 0.5, 0: 0.0}
"""What a citation earns by its grade; -1 is a citation that was not judged."""
UNJUDGED = -1
_PEOPLE, _AUTOMATIC = "sentence_recall_score", "automatic_recall_scores"
ALCE_KEYS = (_PEOPLE.encode(), _AUTOMATIC.encode())
"""What the file of ALCE's human evaluation holds."""


def holds_verdicts(record: Mapping[str, Any]) -> bool:
    """Whether a record is an answer with verdicts on its nuggets or citations."""
    return _of_nuggets(record) or _of_citations(record)


def verdict_values(record: Mapping[str, Any], place: Phrase) -> dict[str, float]:
    """Return the values of an answer with verdicts, by metric; none for another record."""
    if _of_nuggets(record):
        return _nugget_values(record["nuggets"], place)
    return _support_values(record["sentences"], place) if _of_citations(record) else {}


def _of_nuggets(record: Mapping[str, Any]) -> bool:
    """Whether these are nuggets of an answer, not of a retrieved passage."""
    nuggets = record.get("nuggets")
    return isinstance(nuggets, list) and "docid" not in record and all(_has(nugget, "assignment") for nugget in nuggets)


def _of_citations(record: Mapping[str, Any]) -> bool:
    sentences = record.get("sentences")
    if not isinstance(sentences, list) or not all(_has(sentence, "citations") for sentence in sentences):
        return False
    return all(_has(citation, "support") for sentence in sentences for citation in sentence["citations"] or [])


def _has(entry: object, key: str) -> bool:
    return isinstance(entry, Mapping) and key in entry


def _nugget_values(nuggets: Sequence[Mapping[str, Any]], place: Phrase) -> dict[str, float]:
    """Return the scores of AutoNuggetizer: over vital or all nuggets, strict or with half for partial support."""
    earned = [_looked_up(ASSIGNMENTS, str(nugget.get("assignment")).lower(), place) for nugget in nuggets]
    vital = [worth for nugget, worth in zip(nuggets, earned, strict=True) if nugget.get("importance") == "vital"]
    return {
        "strict_vital_score": _mean(map(float, (worth == 1 for worth in vital))),
        "strict_all_score": _mean(map(float, (worth == 1 for worth in earned))),
        "vital_score": _mean(vital),
        "all_score": _mean(earned),
    }


def _support_values(sentences: Sequence[Any], place: Phrase) -> dict[str, float]:
    """Return the precision and recall of TREC RAG: means over the cited, or all, sentences with judged citations."""
    first: list[float | None] = []
    judged: list[float | None] = []
    for sentence in sentences:
        citations = sentence["citations"] or []
        grades = [citation.get("support") for citation in citations]
        known = [_looked_up(SUPPORT, grade, place) for grade in grades if grade != UNJUDGED]
        if not citations:  # counts for recall only
            first.append(None)
            judged.append(None)
            continue
        if grades[0] != UNJUDGED:
            first.append(known[0])
        if known:
            judged.append(_mean(known))
    cited = [worth for worth in first if worth is not None]
    full = [float(worth == 1) for worth in cited]
    every = [worth for worth in judged if worth is not None]
    return {
        "weighted_precision_first_citation": _mean(cited),
        "weighted_recall_first_citation": sum(cited) / max(len(first), 1),
        "weighted_precision_all_judged_citations": _mean(every),
        "weighted_recall_all_judged_citations": sum(every) / max(len(judged), 1),
        "hard_precision": _mean(full),
        "hard_recall": sum(full) / max(len(first), 1),
    }


def alce_values(document: Mapping[str, Any], name: str) -> Iterator[tuple[str, str, str, float]]:
    """Yield the citation recall and precision of ALCE's human evaluation: ``{data set: {model: {question: answer}}}``.

    The verdicts of people are read, and those of the automatic evaluation where an answer has no others. A citation
    of a sentence that its citations do not support together counts as unnecessary, as in ALCE's own analysis.
    """
    for dataset, models in document.items():
        for model, answers in models.items():
            for question, answer in answers.items():
                if question == "overall_results":
                    continue
                query = question if len(document) == 1 else f"{dataset}/{question}"
                try:
                    recall, precision = _alce_answer(answer)
                except (KeyError, TypeError, AttributeError, ValueError):
                    message = Phrase(
                        f"{name}: {dataset}.{model}.{question}: expected sentences with {_PEOPLE} and citations with "
                        "citation_precision_score",
                        f"{name}：{dataset}.{model}.{question}：应为含 {_PEOPLE} 的句子与含 "
                        "citation_precision_score 的引用",
                    )
                    raise input_error("RG110", message) from None
                yield model, "citation_rec", query, recall
                yield model, "citation_prec", query, precision


def _alce_answer(answer: Mapping[str, Any]) -> tuple[float, float]:
    sentences = answer["sentences"]
    if all(_PEOPLE in sentence for sentence in sentences):
        supported = [float(sentence[_PEOPLE]) for sentence in sentences]
        grades = [[entry["citation_precision_score"] for entry in sentence["citations"]] for sentence in sentences]
    else:
        supported = [float(score) for score in answer[_AUTOMATIC]]
        grades = answer["automatic_citation_precision_scores"]
    useful = [
        float(min(grade, 1)) if whole else 0.0
        for whole, passage_grades in zip(supported, grades, strict=True)
        for grade in passage_grades
    ]
    return _mean(supported), _mean(useful)


def _looked_up(worth: Mapping[Any, float], verdict: object, place: Phrase) -> float:
    if isinstance(verdict, bool | list | dict) or verdict not in worth:
        expected = ", ".join(map(str, worth))
        en = f"{place.en}: {shown(verdict)} is no verdict; expected one of {expected}"
        raise input_error("RG110", (en, f"{place.zh}：{shown(verdict)} 不是判定；应为 {expected} 之一"))
    return worth[verdict]


def _mean(values: Any) -> float:
    listed = [*values]
    return sum(listed) / len(listed) if listed else 0.0
