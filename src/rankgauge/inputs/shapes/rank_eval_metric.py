"""The metric of a ``_rank_eval`` request, with the convention under which it is computed."""

from __future__ import annotations

from collections.abc import Mapping

from rankgauge.conventions.presets import preset

DEFAULT_K = 10


def metric_and_rules(setting: object) -> tuple[tuple[str, ...], object]:
    """Return the metric in our notation and its convention; nothing for a metric that is not known.

    >>> metric_and_rules({"dcg": {"k": 20, "normalize": True}})[0]
    ('nDCG@20',)
    """
    if not isinstance(setting, Mapping) or len(setting) != 1:
        return (), None
    (name, settings), rules = next(iter(setting.items())), preset("elasticsearch")
    settings = settings if isinstance(settings, Mapping) else {}
    k = settings.get("k", DEFAULT_K)
    threshold, unknown = settings.get("relevant_rating_threshold"), settings.get("unknown_doc_rating")
    names = {
        "precision": "P",
        "recall": "R",
        "mean_reciprocal_rank": "RR",
        "dcg": "nDCG" if settings.get("normalize") else "DCG",
        "expected_reciprocal_rank": f"ERR(max_grade={settings.get('maximum_relevance')})",
    }
    if name not in names or not isinstance(k, int):
        return (), None
    if isinstance(threshold, int | float):
        rules = rules.replace(rel=threshold)
    if settings.get("ignore_unlabeled"):
        rules = rules.replace(unjudged="removed-after-cut")
    if isinstance(unknown, int | float):
        rules = rules.replace(unjudged=unknown)
    return (f"{names[name]}@{k}",), rules
