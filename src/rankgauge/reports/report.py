"""`report`: one page with the results, every query and every rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Unpack

from rankgauge.comparison.settings import Settings
from rankgauge.conventions import ConventionLike
from rankgauge.matching.read_options import ReadKeywords, ReadOptions
from rankgauge.metric_core.metric import Metric
from rankgauge.reports.contents import gather
from rankgauge.reports.model import Report
from rankgauge.reports.texts import read_texts
from rankgauge.side_information.information import SideInformation
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
    side_information, weights
        As for ``evaluate``.
    read_options, **read
        How data are read, as for ``evaluate``.

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
    options = ReadOptions.of(report, read_options, read)
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
        side_information=side_information,
        weights=weights,
        options=options,
    )
    known = None if texts is None else read_texts(texts, found.lists.ids())
    return Report(found, texts=known, title=title, lang=lang)
