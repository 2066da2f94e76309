"""`report`: one page with the results, every query and every rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Unpack

from rankgauge.comparison.settings import Settings
from rankgauge.conventions import ConventionLike
from rankgauge.matching.read_options import ReadKeywords, ReadOptions
from rankgauge.metric_core.metric import Metric
from rankgauge.reports.contents import collect
from rankgauge.reports.model import Report
from rankgauge.reports.texts import read_texts
from rankgauge.side_information.side_information import SideInformation
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
    side_information: SideInformation | None = None,
    weights: Mapping[Any, float] | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Report:
    """Return a report that can be saved as one page, with the steps to every number.

    Parameters
    ----------
    judgments
        As for ``evaluate``.
    rankings
        ``{"name": ranking, ...}``, one or more, each as for ``evaluate``.
    metrics
        One or several metrics; the page opens with the first.
    baseline
        The system that the others are compared with; the first by default.
    convention
        The rules, or the name of a preset.
    texts
        Texts of queries and items: ``{id: text}``, or a file (JSONL, CSV, TSV) with an id and a text.
    attributes, by
        Attributes of queries, and the names of those by which differences are sliced, as for ``slices``.
    title, lang
        Title and language of the page; readers can switch the language.
    alpha, correction, permutations, resamples, seed
        As for ``compare``.
    side_information, weights
        As for ``evaluate``.
    read_options, **read
        How data are read, as for ``evaluate``.

    Examples
    --------
    >>> import rankgauge as rg
    >>> from rankgauge.example import JUDGMENTS, SYSTEMS
    >>> report = rg.report(JUDGMENTS, SYSTEMS, ["nDCG@5", "AP"])
    >>> report
    <Report of keywords, embeddings: nDCG@5, AP>
    >>> report.to_html().startswith("<!DOCTYPE html>")
    True
    """
    options = ReadOptions.of(report, read_options, read)
    settings = Settings(alpha, correction, permutations, resamples, seed)
    contents = collect(
        judgments,
        rankings,
        metrics,
        baseline=baseline,
        convention=convention,
        settings=settings,
        attributes=attributes,
        by=by,
        side_information=side_information,
        weights=weights,
        options=options,
    )
    shown_texts = None if texts is None else read_texts(texts, contents.lists.ids())
    return Report(contents, texts=shown_texts, title=title, lang=lang)
