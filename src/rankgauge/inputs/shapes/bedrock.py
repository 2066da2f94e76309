"""Bedrock RAG evaluation: the texts that were retrieved for the prompt of each conversation turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rankgauge.inputs.shapes.fields import at, hits_of, id_of, objects, required
from rankgauge.inputs.shapes.shape import Entry, Fit, ShapeError

PASSAGES = "output.retrievedPassages.retrievalResults"


def fit(row: Mapping[str, object]) -> Fit | None:
    """Return the fit of a conversation."""
    if not isinstance(row.get("conversationTurns"), list):
        return None
    evidence = ("conversationTurns", "prompt.content", PASSAGES)
    return Fit(_entries, evidence, ("ranking",))


def _entries(row: Mapping[str, object]) -> Iterable[Entry]:
    for number, turn in enumerate(objects(required(row, "conversationTurns"), "conversationTurns")):
        place = f"conversationTurns[{number}]"
        texts = [
            at(part, "text") for part in objects(required(turn, "prompt.content", place), f"{place}.prompt.content")
        ]
        if not texts:
            raise ShapeError(f"{place}.prompt.content", "the prompt has no text", "提示没有文本")
        results = objects(required(turn, PASSAGES, place), f"{place}.{PASSAGES}")
        ranked = hits_of([result.get("content", result) for result in results], f"{place}.{PASSAGES}", "score")
        yield Entry(id_of(texts[0], place), ranked=ranked, place=place)
