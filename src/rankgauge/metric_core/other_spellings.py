"""Spellings of metrics in other tools, such as ``MRR_10`` and ``map-l2``, which are suggested but not accepted."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SPELLING = re.compile(
    r"(?:(?:cosine|cos_sim|dot|euclidean|manhattan|max)[_-])?"  # the similarity, in sentence-transformers
    r"(?P<name>[a-z][a-z _-]*?)"
    r"(?:[_-]l(?P<level>\d))?"  # the level of relevance, in ranx
    r"(?:[ _-]?(?:at|cut)?[ _-]?@? ?(?P<k>[1-9]\d{0,8}))?"
    r"(?:[_-]l(?P<late>\d))?",  # the level after the cutoff
    re.IGNORECASE,
)
_PERSISTENCE = re.compile(r"rbp\.(?P<p>\d+)(?P<k>@\d+)?", re.IGNORECASE)
"""RBP with the digits of its persistence, in ranx."""
_NAMES = {
    "fmeasure": "F", "fscore": "F", "burges": "DCG(gain='exp2')", "dcgburges": "DCG(gain='exp2')",
    "ndcgburges": "nDCG(gain='exp2')",
}  # fmt: skip
"""Names without separators that no metric has here."""


def other_spelling(text: str, known: Iterable[str]) -> str | None:
    """Return what a text means where other tools write it so, None if it is not recognised.

    >>> [other_spelling(text, ["RR", "MRR", "AP", "MAP", "HitRate"]) for text in ("MRR_10", "map-l2@5", "Hit Rate@3")]
    ['MRR@10', 'MAP(rel=2)@5', 'HitRate@3']
    >>> [other_spelling(text, ["MAP"]) for text in ("map@5-l2", "rbp.95", "map_at_10")]
    ['MAP(rel=2)@5', 'RBP(p=0.95)', 'MAP@10']
    """
    if (rbp := _PERSISTENCE.fullmatch(text.strip())) is not None:
        return f"RBP(p=0.{rbp['p']}){rbp['k'] or ''}"
    spelling = _SPELLING.fullmatch(text.strip())
    if spelling is None:
        return None
    plain = _letters(spelling["name"])
    name = _NAMES.get(plain) or next((name for name in known if _letters(name) == plain), None)
    if name is None:
        return None
    number = spelling["level"] or spelling["late"]
    level = f"(rel={number})" if number and "(" not in name else ""
    return name + level + (f"@{spelling['k']}" if spelling["k"] else "")


def _letters(name: str) -> str:
    return re.sub(r"[ _-]", "", name).lower()
