"""`report`, the call: light to import, because a folder of the same name must not take its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankgauge.conventions import ConventionLike
    from rankgauge.metric_core.metric import Metric
    from rankgauge.reports.model import Report
    from rankgauge.stats.corrections import Correction


def report(
    judgments: Any,
    rankings: Mapping[str, Any],
    metrics: str | Metric | Iterable[str | Metric],
    *,
    baseline: str | None = None,
    convention: ConventionLike = None,
    texts: Mapping[Any, str] | str | PathLike[str] | None = None,
    attributes: Any = None,
    by: Sequence[str] = (),
    title: str = "",
    lang: str = "en",
    alpha: float = 0.05,
    correction: Correction = "holm",
    permutations: int = 100_000,
    resamples: int = 10_000,
    seed: int = 0,
    **reading: Any,
) -> Report:
    """One page that people can open, mail or attach, with every number's steps inside.

    Parameters
    ----------
    judgments
        As for ``evaluate``.
    rankings
        ``{"name": ranking, ...}``, one or more, each as for ``evaluate``.
    metrics
        One or several metrics; the page opens with the first.
    baseline
        The system that the others are compared with; the first where none is named.
    convention
        The rules in force.
    texts
        Of queries and items: ``{id: text}``, or a file (JSONL, CSV, TSV) with an id and a text.
    attributes, by
        Of queries, and the names of those by which differences are sliced, as for ``slices``.
    title, lang
        Of the page; readers can switch the language.
    alpha, correction, permutations, resamples, seed
        As for ``compare``.
    reading
        Whatever else ``evaluate`` takes: ``columns``, ``format``, ``lenient``.

    Examples
    --------
    >>> import rankgauge as rg
    >>> from rankgauge.example import JUDGMENTS, SYSTEMS
    >>> made = rg.report(JUDGMENTS, SYSTEMS, ["nDCG@5", "AP"])
    >>> made
    <Report of keywords, embeddings: nDCG@5, AP>
    >>> made.to_html().startswith("<!DOCTYPE html>")
    True
    """
    from rankgauge.comparison.settings import Settings  # noqa: PLC0415
    from rankgauge.reports.contents import gather  # noqa: PLC0415
    from rankgauge.reports.model import Report  # noqa: PLC0415
    from rankgauge.reports.texts import read_texts  # noqa: PLC0415

    settings = Settings(alpha, correction, permutations, resamples, seed)
    found = gather(
        judgments,
        rankings,
        metrics,
        baseline=baseline,
        convention=convention,
        settings=settings,
        attributes=attributes,
        by=by,
        **reading,
    )
    known = None if texts is None else read_texts(texts, found.lists.ids())
    return Report(found, texts=known, title=title, lang=lang)
