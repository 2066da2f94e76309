"""`rate`: the share of relevant items by a judge, corrected for its errors on labelled items."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Unpack

import numpy as np
import polars as pl

from rankgauge.conventions.rule import number_or
from rankgauge.errors import ParameterError, check_choice
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.judging.agreement import RESAMPLES
from rankgauge.judging.label_pair import LabelPair
from rankgauge.judging.labels import ADJUDICATOR, PAIR, Combination, Labels
from rankgauge.judging.number import NamedNumbers, Number, ResampledCounts, interval_settings, number_table, share
from rankgauge.judging.sampling import check_random, check_reasons, item_patterns, query_patterns, unlabelled_items
from rankgauge.matching.source_types import JudgmentsLike
from rankgauge.rendering.document import Document, Heading, Paragraph, ShownAsDocument
from rankgauge.rendering.language import Phrase, check_lang
from rankgauge.segments import Floats
from rankgauge.stats.judge_rates import NO_INFORMATION, corrected_rates

TEXTS = {
    "title": Phrase("Share of items of grade {rel:g} and above", "等级不低于 {rel:g} 的物品比例"),
    "data": Phrase(
        "{items:# item|# items} by the judge, {labels:# label|# labels} of people, {queries:# query|# queries}. The "
        "share by the judge is corrected by its sensitivity and specificity (Rogan and Gladen 1978); intervals "
        "resample queries.",
        "评判模型判断了 {items:,} 个物品，人给出 {labels:,} 个标签，共 {queries:,} 个查询。评判模型给出的比例按其灵敏度"
        "与特异度修正（Rogan 与 Gladen 1978）；区间对查询重抽样。",
    ),
    "corrected": Phrase("corrected", "修正值"),
    "observed": Phrase("judge alone", "仅评判模型"),
    "people": Phrase("people alone", "仅人的标签"),
    "sensitivity": Phrase("sensitivity of the judge", "评判模型的灵敏度"),
    "specificity": Phrase("specificity of the judge", "评判模型的特异度"),
}


@dataclass(frozen=True, repr=False)
class RateEstimate(ShownAsDocument, NamedNumbers):
    """The share of relevant items by a judge, corrected for its errors."""

    rel: float
    corrected: Number
    observed: Number
    people: Number
    sensitivity: Number
    specificity: Number
    items: int
    labels: int
    queries: int
    findings: Findings = field(default_factory=Findings)

    @property
    def value(self) -> float:
        """The corrected share."""
        return self.corrected.value

    @property
    def low(self) -> float:
        """The lower end of its interval."""
        return self.corrected.low

    @property
    def high(self) -> float:
        """The upper end of its interval."""
        return self.corrected.high

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        counts = {"rel": self.rel, "items": self.items, "labels": self.labels, "queries": self.queries}
        return counts | {name: number.to_dict() for name, number in self.numbers().items()}

    def numbers(self) -> dict[str, Number]:
        """Return the numbers by name."""
        return {name: getattr(self, name) for name in ("corrected", "people", "observed", "sensitivity", "specificity")}

    def document(self, lang: str = "en", digits: int = 4) -> Document:
        """Return the rate with what it was corrected by."""
        checked = check_lang(lang)
        named = {TEXTS[name].render(checked): number for name, number in self.numbers().items()}
        counts = {"items": self.items, "labels": self.labels, "queries": self.queries}
        title = Heading(TEXTS["title"].render(checked, rel=self.rel))
        return Document(
            [title, Paragraph(TEXTS["data"].render(checked, **counts)), number_table(named, checked, digits)]
        )

    def __repr__(self) -> str:
        return f"<RateEstimate {self.corrected}>"


def rate(
    model: JudgmentsLike | Labels,
    people: JudgmentsLike | Labels,
    *,
    rel: float = 1,
    sample: Literal["random"] | None = None,
    combine: Combination = "majority",
    adjudicator: str = ADJUDICATOR,
    scale: tuple[float, float] | None = None,
    alpha: float = 0.05,
    resamples: int = RESAMPLES,
    seed: int = 0,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> RateEstimate:
    """Correct the share of items that a judge calls relevant by its errors on labelled items (Rogan and Gladen 1978).

    Parameters
    ----------
    model, people
        Model judgments of all items and labels of people for some, as for ``correct``.
    rel
        The lowest grade that counts as relevant.
    sample
        ``"random"`` states that the labelled items were drawn at random, so that this is not tested.
    combine, adjudicator, scale
        As for ``agreement``.
    alpha
        Significance level: intervals have the confidence level ``1 - alpha``.
    resamples, seed
        Number of bootstrap samples of the queries, and the seed of the random numbers.
    read_options, **read
        How data are read; see ReadOptions.

    Examples
    --------
    >>> import rankgauge as rg
    >>> judge = {f"q{n}": {"a": 1, "b": n % 2, "c": 0} for n in range(30)}
    >>> people = {f"q{n}": {"a": n % 5 > 0, "b": n % 2, "c": 0} for n in range(30) if n % 3 == 0}
    >>> found = rg.judges.rate(judge, people)
    >>> round(found.observed.value, 4), round(found.value, 4)
    (0.5, 0.4333)
    """
    options = ReadOptions.of(rate, read_options, read)
    check_choice("sample", sample, ("random", None))
    settings, rel = interval_settings(alpha, resamples, seed, "rate"), float(number_or()("rel", rel))
    sides = LabelPair.read(model, people, options, combine, adjudicator, scale)
    labels = sides.people.select(*PAIR, "inclusion", label="grade")
    pairs = sides.model.select(*PAIR, "grade").join(labels, on=PAIR, how="left", maintain_order="left")
    weight = pl.lit(1.0)
    if sides.by_people.has_inclusion:
        sides.check_chances()
        weight = 1 / pl.col("inclusion")
    judge, person = pl.col("grade") >= rel, pl.col("label") >= rel
    pairs = pairs.select("query", judge=judge, person=person, weight=weight)
    if sample is None and not sides.by_people.has_inclusion:
        _check_sample(sides, pairs)
    counts = _counts(pairs)
    resampled = ResampledCounts.of(counts, **settings)
    observed, sensitivity, specificity = share(1, 0), share(2, 3), share(4, 5)
    of_relevant, of_others = resampled.number(sensitivity), resampled.number(specificity)
    if not of_relevant.value + of_others.value > 1:
        raise ParameterError(NO_INFORMATION.fill(sensitivity=of_relevant.value, specificity=of_others.value))
    return RateEstimate(
        rel,
        resampled.number(lambda cells: corrected_rates(observed(cells), sensitivity(cells), specificity(cells))),
        resampled.number(observed),
        resampled.number(share(3, 3, 5)),
        of_relevant,
        of_others,
        pairs.height,
        pairs["person"].count(),
        len(counts),
        sides.findings,
    )


def _counts(pairs: pl.DataFrame) -> Floats:
    """Return for each query its items, those relevant by the judge, and those labelled, by judge and person.

    A label counts as many times as there are items like it: once divided by its inclusion probability.
    """
    judge, person, weight = pl.col("judge"), pl.col("person"), pl.col("weight")
    labelled = [judge & person, person, ~judge & ~person, ~person]
    columns = [pl.len().cast(pl.Float64).alias("items"), judge.sum().cast(pl.Float64).alias("positive")]
    columns += [weight.filter(cells).sum().alias(f"labelled {place}") for place, cells in enumerate(labelled)]
    return pairs.group_by("query", maintain_order=True).agg(columns).drop("query").to_numpy()


def _check_sample(sides: LabelPair, pairs: pl.DataFrame) -> None:
    """Raise an error, or report a warning, if the labelled items cannot be a random sample."""
    by_query = pairs.group_by("query", maintain_order=True).agg(
        pl.col("judge").mean(), known=pl.col("person").is_not_null().all()
    )
    whole = by_query["known"].to_numpy()
    check_reasons(sides.by_people.frame, is_complete=bool(whole.all()))
    patterns = query_patterns({"": (by_query["judge"].to_numpy().astype(np.float64), whole)}) if whole.any() else []
    patterns += item_patterns(unlabelled_items(sides.model.select(*PAIR, "grade"), sides.people, None))
    check_random(patterns, sides.findings)
