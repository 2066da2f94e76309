"""`reusability`: what happens to a ranking whose own finds were never judged."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isnan
from typing import Unpack

import numpy as np
import polars as pl

from rankgauge.conventions import ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.inputs.findings import Findings, input_error
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.judging.labels import PAIR, Labels
from rankgauge.judging.query_values import ranking_options
from rankgauge.matching.entrance import resolve_systems
from rankgauge.matching.source_types import JudgmentsLike, RankingsLike
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricLike, metric_or_default
from rankgauge.pooling.basis import PoolCandidates, systems_of
from rankgauge.rendering.document import Document, Heading, Paragraph, ShownAsDocument, Table
from rankgauge.rendering.language import Phrase, check_lang
from rankgauge.rendering.number_texts import decimal
from rankgauge.rendering.plain import FrameResult, PlainData, columns_of, finite_or_none
from rankgauge.segments import Floats
from rankgauge.stats.rank_agreement import kendall_tau
from rankgauge.stats.samples import check_whole

FEWEST = 3
TEXTS = {
    "title": Phrase("Reusability of the judgments by {metric}", "标注按 {metric} 的可复用性"),
    "what": Phrase(
        "For each ranking, the judged items that it alone has in its top {depth} are left out, as if it had not taken "
        "part in the pool.",
        "对每个排序结果，去掉只有它在前 {depth} 个中返回的已标注物品，如同它没有参与标注池。",
    ),
    "system": Phrase("left out", "被去掉的"),
    "unique": Phrase("unique items", "独有物品"),
    "mean": Phrase("mean", "均值"),
    "without": Phrase("without them", "去掉之后"),
    "rank": Phrase("rank", "名次"),
    "rank without": Phrase("rank without", "去掉后的名次"),
    "change": Phrase("largest change of rank", "名次的最大变化"),
    "tau": Phrase("tau", "tau"),
}


@dataclass(frozen=True)
class LeftOut:
    """What changes if the items that only one ranking contributed are not judged."""

    system: str
    unique: int
    """Number of judged items that it alone has in its top."""
    mean: float
    without: float
    """Mean of the ranking with all judgments, and without those of its own items."""
    rank: int
    rank_without: int
    largest_change: int
    """Largest change of rank of any ranking."""
    tau: float
    """Kendall's tau between the orders of all rankings before and after."""


@dataclass(frozen=True, repr=False)
class Reusability(ShownAsDocument, FrameResult):
    """How far judgments can be used for rankings that did not take part in the pool."""

    metric: Metric
    depth: int
    rows: tuple[LeftOut, ...]

    def __repr__(self) -> str:
        return f"<Reusability by {self.metric}: smallest tau {min(row.tau for row in self.rows):.4f}>"

    def __getitem__(self, system: str) -> LeftOut:
        return {row.system: row for row in self.rows}[system]

    def frame_columns(self) -> dict[str, list[object]]:
        """Return a row for each ranking, as columns."""
        return columns_of(asdict(row) for row in self.rows)

    def to_dict(self) -> PlainData:
        """Return plain data."""
        return {
            "metric": str(self.metric),
            "depth": self.depth,
            "rankings": [finite_or_none(asdict(row)) for row in self.rows],
        }

    def document(self, lang: str = "en", digits: int = 4) -> Document:
        """Return a table of the rankings."""
        checked = check_lang(lang)
        keys = ("system", "unique", "mean", "without", "rank", "rank without", "change", "tau")
        rows = [
            [row.system, f"{row.unique:,}", decimal(row.mean, digits), decimal(row.without, digits), str(row.rank),
             str(row.rank_without), str(row.largest_change), "–" if isnan(row.tau) else decimal(row.tau, digits)]
            for row in self.rows
        ]  # fmt: skip
        what = Paragraph(TEXTS["what"].render(checked, depth=f"{self.depth:,}"))
        table = Table([TEXTS[key].render(checked) for key in keys], rows, align="lrrrrrrr")
        return Document([Heading(TEXTS["title"].render(checked, metric=self.metric)), what, table])


def reusability(
    judgments: JudgmentsLike,
    rankings: RankingsLike,
    metric: MetricLike | None = None,
    *,
    depth: int = 10,
    convention: ConventionLike = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Reusability:
    """Leave out the judged items that only one ranking contributed, for each ranking (Zobel 1998).

    Parameters
    ----------
    judgments
        As for ``evaluate``.
    rankings
        ``{"name": ranking, ...}``, three or more, each as for ``evaluate``.
    metric
        One metric; nDCG@10 if None.
    depth
        Depth of the pool: an item belongs to a ranking that has it in its top ``depth``.
    convention
        The rules: a Convention, or the name of a preset.
    read_options, **read
        How data are read; see ReadOptions.

    Examples
    --------
    >>> import rankgauge as rg
    >>> rankings = {"a": {"q": ["x", "y"]}, "b": {"q": ["y", "x"]}, "c": {"q": ["z", "y"]}}
    >>> result = rg.reusability({"q": {"x": 0, "y": 1, "z": 1}}, rankings, "P@2", depth=2)
    >>> result["c"].unique, result["c"].mean, result["c"].without
    (1, 1.0, 0.5)
    """
    options, rules = ReadOptions.of(reusability, read_options, read), check_convention(convention)
    check_whole("depth", depth, 1, "reusability")
    parsed, findings = metric_or_default(metric), Findings()
    named = resolve_systems("reusability", rankings, ranking_options(options))
    if len(named) < FEWEST:
        message = Phrase("fewer than three rankings were given", "给出的排序结果少于三个")
        raise input_error("RG806", message)
    judged = Labels.of(judgments, options, "judgments").combined()
    candidates = PoolCandidates.read(named, judged, depth, rules, findings)
    findings.raise_errors(options.lenient)
    systems = systems_of(candidates, rules)
    own = candidates.judged

    def means(pairs: pl.DataFrame) -> Floats:
        scores = systems.scores(pairs, [parsed])
        return np.array([scores.mean(parsed, name) for name in candidates.names])

    sign = 1 if parsed.definition.higher_is_better else -1
    before, rows = means(own), []
    contributes = candidates.lists.ranks <= depth
    for column, name in enumerate(candidates.names):
        alone = candidates.lists.frame.filter(pl.Series(contributes[:, column] & (contributes.sum(axis=1) == 1)))
        kept = own.join(alone.select(PAIR), on=PAIR, how="anti", maintain_order="left")
        lost = own.filter(~own["query"].is_in(kept["query"].unique().to_list())).with_columns(
            pl.lit(0.0).alias("grade")
        )
        after = means(pl.concat([kept, lost]))  # a query all of whose items are gone has no relevant item
        places = [(sign * values[:, None] < sign * values).sum(axis=1) + 1 for values in (before, after)]
        change = np.abs(places[0] - places[1])
        rows.append(
            LeftOut(
                name,
                own.height - kept.height,
                float(before[column]),
                float(after[column]),
                int(places[0][column]),
                int(places[1][column]),
                int(change.max()),
                kendall_tau(before, after),
            )
        )
    return Reusability(parsed, depth, tuple(rows))
