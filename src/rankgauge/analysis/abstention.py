"""`abstention`: whether the scores of a ranking tell which queries it answers well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
import polars as pl

from rankgauge.analysis.full_ranking import rows_by_score
from rankgauge.conventions.convention import ConventionLike
from rankgauge.errors import InputError
from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ARRAY_OPTIONS, ReadKeywords, ReadOptions
from rankgauge.matching.entrance import resolve_input
from rankgauge.matching.source_types import JudgmentsLike, RankingLike
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricLike, MetricsLike, parse
from rankgauge.rendering.document import Document, Paragraph, ShownAsDocument, Table
from rankgauge.rendering.language import Phrase, check_lang, plural
from rankgauge.rendering.number_texts import decimal
from rankgauge.rendering.plain import FrameResult, columns_of
from rankgauge.stats.abstention import abstention_nauc

REFUSED = dict.fromkeys(
    ARRAY_OPTIONS,
    Phrase("it reads scores by query; pass dicts, rows or a frame", "按查询读取分数；请传入字典、行或数据框"),
) | {"units": Phrase("it reads the scores as returned", "读取的是返回时的分数")}
"""Read options that do not apply."""
CONFIDENCES = {
    "max": Phrase("best score", "最高分"),
    "std": Phrase("standard deviation of the scores", "分数的标准差"),
    "diff1": Phrase("best minus second score", "最高分减次高分"),
}
MESSAGES = {
    "metric": Phrase("metric", "指标"),
    "how": Phrase(
        "Normalised area under the abstention curve over {count:# query|# queries}: 1 if leaving out the least "
        "confident queries raises the mean as much as leaving out the worst ones, 0 if it does not raise it.",
        "弃答曲线下的归一化面积，共 {count:,} 个查询：按置信度从低到高弃答，若均值的提升与依次去掉"
        "最差的查询相同则为 1，没有提升则为 0。",
    ),
}


@dataclass(frozen=True, repr=False)
class Abstention(ShownAsDocument, FrameResult):
    """The normalised areas under the abstention curves, as ``abstention`` returns them."""

    values: Mapping[Metric, Mapping[str, float]]
    """For each metric by the confidence of a query: ``max``, ``std`` or ``diff1`` of its scores."""
    queries: int

    def __repr__(self) -> str:
        queries = plural(self.queries, "# query", "# queries")
        return f"<Abstention of {queries} by {', '.join(map(str, self.values))}>"

    def nauc(self, metric: MetricLike, confidence: str = "max") -> float:
        """Return one area."""
        return self.values[parse(metric)][confidence]

    def frame_columns(self) -> Mapping[str, Sequence[Any]]:
        """One row for each metric, with its area by each confidence."""
        return columns_of({"metric": str(metric), **by} for metric, by in self.values.items())

    def document(self, lang: str = "en") -> Document:
        """Return a table of metrics and confidences."""
        checked = check_lang(lang)
        head = [MESSAGES["metric"].render(checked), *(phrase.render(checked) for phrase in CONFIDENCES.values())]
        rows = [[str(metric), *(_shown(by[name]) for name in CONFIDENCES)] for metric, by in self.values.items()]
        how = MESSAGES["how"].render(checked, count=self.queries)
        return Document([Table(head, rows, align="l" + "r" * len(CONFIDENCES)), Paragraph(how)])


def abstention(
    judgments: JudgmentsLike,
    ranking: RankingLike,
    metrics: MetricsLike | None = None,
    *,
    convention: ConventionLike = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Abstention:
    """Return how well the scores of a ranking tell which queries it answers well; takes what ``evaluate`` does.

    Queries without a ranking, and those without a value, are left out.

    Parameters
    ----------
    judgments, ranking
        Judgments and a ranking, as ``rg.evaluate`` takes them.
    metrics
        One or several metrics, as values or as text; None for nDCG@10.
    convention
        The rules: a Convention, or the name of a preset such as ``lightgbm``; None for the default.
    read_options, **read
        How data are read; see ReadOptions.

    Examples
    --------
    >>> import rankgauge as rg
    >>> judgments = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}}
    >>> ranking = {"q1": {"a": 0.9, "b": 0.1}, "q2": {"a": 0.8, "b": 0.2}, "q3": {"b": 0.5, "a": 0.4}}
    >>> rg.abstention(judgments, ranking, "RR").nauc("RR", "max")
    1.0
    """
    options = ReadOptions.of(abstention, read_options, read, REFUSED)
    verb_input = resolve_input("abstention", judgments, ranking, options, "one")
    source = verb_input.ranking.loaded(Findings())
    evaluator = Evaluator(verb_input.judgments, metrics, convention=convention, read_options=options)
    evaluator.add(source)
    scores = evaluator.scores()
    confidence = _confidences(rows_by_score(source, Findings()))
    areas = {}
    for metric in scores.metrics:
        values = {str(query): value for query, value in scores.per_query(metric).items()}
        known = [query for query in confidence if not np.isnan(values.get(query, np.nan))]
        if not known:
            raise InputError(f"abstention: {metric} has a value for no query of the ranking")
        columns = np.array([confidence[query] for query in known]).T
        of_queries = [values[query] for query in known]
        areas[metric] = {
            name: abstention_nauc(of_queries, column) for name, column in zip(CONFIDENCES, columns, strict=True)
        }
    return Abstention(areas, len(confidence))


def _confidences(rows: pl.DataFrame) -> dict[str, list[float]]:
    """Return the best score, the standard deviation of the scores, and the lead of the best one, by query."""
    score = pl.col("score")
    second = score.top_k(2).min()
    table = rows.group_by(pl.col("query").cast(pl.String), maintain_order=True).agg(
        max=score.max(), std=score.std(ddof=0), diff1=pl.when(pl.len() > 1).then(score.max() - second).otherwise(0.0)
    )
    return {query: numbers for query, *numbers in table.iter_rows()}


def _shown(area: float) -> str:
    return "-" if np.isnan(area) else decimal(area, 4)
