"""`drift`: the change of a judge between two prompts, models or dates, on the same pairs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Unpack

import numpy as np
import polars as pl

from rankgauge.errors import ParameterError
from rankgauge.inputs.findings import Findings, input_error
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.judging.agreement import RATERS, RESAMPLES, RaterAgreement
from rankgauge.judging.labels import ADJUDICATOR, PAIR, Combination, Labels, as_judgments, side_by_side
from rankgauge.judging.number import NamedNumbers, Number, clustered_mean, interval_settings, number_of, number_table
from rankgauge.matching.source_types import JudgmentsLike
from rankgauge.rendering.document import Document, Heading, Paragraph, ShownAsDocument
from rankgauge.rendering.language import Phrase, check_lang
from rankgauge.rendering.plain import finite_or_none
from rankgauge.stats.rater_agreement import Weights

TEXTS = {
    "title": Phrase("Drift from {before} to {after}", "从 {before} 到 {after} 的漂移"),
    "data": Phrase(
        "{pairs:# pair|# pairs} that both judged, {queries:# query|# queries}; intervals resample queries.",
        "两者都判断过的 {pairs:,} 对，共 {queries:,} 个查询；区间对查询重抽样。",
    ),
    "changed": Phrase("share of grades that changed", "等级改变的比例"),
    "shift": Phrase("mean change of the grade", "等级的平均变化"),
    "kappa_before": Phrase("kappa with people, before", "此前与人的 kappa"),
    "kappa_after": Phrase("kappa with people, after", "此后与人的 kappa"),
    "change": Phrase("change of kappa", "kappa 的变化"),
    "change_quadratic": Phrase("change of kappa, quadratic weights", "kappa 的变化（平方权重）"),
    "loss": Phrase("change of the mean distance to people", "与人的平均差距的变化"),
    "mcnemar": Phrase(
        "Right before and wrong after: {lost:,}; wrong before and right after: {gained:,}; McNemar's p = {p:.2g}, as "
        "if pairs were independent.",
        "此前对而此后错：{lost:,}；此前错而此后对：{gained:,}；McNemar p = {p:.2g}（视各对相互独立）。",
    ),
    "worse": Phrase("Agreement with people fell.", "与人的一致性下降。"),
    "better": Phrase("Agreement with people rose.", "与人的一致性上升。"),
    "same": Phrase("No change of agreement with people beyond chance.", "与人的一致性没有超出偶然的变化。"),
}


@dataclass(frozen=True, eq=False, repr=False)
class Drift(ShownAsDocument, NamedNumbers):
    """The change of a judge between two of its versions."""

    before: str
    after: str
    pairs: int
    queries: int
    changed: Number
    """Share of the grades that changed."""
    shift: Number
    """Mean change of the grade, after minus before."""
    agreements: tuple[RaterAgreement, RaterAgreement] | None = None
    """Agreement with people before and after, on the same pairs."""
    change: Number | None = None
    change_quadratic: Number | None = None
    """Change of kappa, plain and with quadratic weights."""
    loss: Number | None = None
    """Change of the mean distance to people: positive is worse."""
    discordant: tuple[int, int] | None = None
    """Pairs that were right before only, and after only."""
    p: float = float("nan")
    """p-value of McNemar's test, exact, as if pairs were independent."""
    findings: Findings = field(default_factory=Findings)

    @property
    def verdict(self) -> str:
        """``"better"``, ``"worse"`` or ``"same"``, by the interval of the change of kappa; empty without people."""
        if self.change is None:
            return ""
        return "same" if not self.change.excludes_zero else "better" if self.change.value > 0 else "worse"

    def numbers(self) -> dict[str, Number]:
        """Return the numbers by name."""
        numbers = {"changed": self.changed, "shift": self.shift}
        if self.agreements is not None:
            numbers |= {"kappa_before": self.agreements[0].kappa, "kappa_after": self.agreements[1].kappa}
        more = {name: getattr(self, name) for name in ("change", "change_quadratic", "loss")}
        return numbers | {name: number for name, number in more.items() if number is not None}

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        about = {"before": self.before, "after": self.after, "pairs": self.pairs, "queries": self.queries}
        numbers = {name: number.to_dict() for name, number in self.numbers().items()}
        more = {"discordant": self.discordant, "p": self.p, "verdict": self.verdict}
        data: dict[str, Any] = finite_or_none(about | numbers | more)
        return data

    def document(self, lang: str = "en", digits: int = 4) -> Document:
        """Return the change as a page."""
        checked = check_lang(lang)
        named = {TEXTS[name].render(checked): number for name, number in self.numbers().items()}
        title = TEXTS["title"].render(checked, before=self.before, after=self.after)
        data = TEXTS["data"].render(checked, pairs=self.pairs, queries=self.queries)
        table = number_table(named, checked, digits)
        lines = []
        if self.discordant is not None:
            lost, gained = self.discordant
            lines = [TEXTS["mcnemar"].render(checked, lost=lost, gained=gained, p=self.p)]
            lines.append(TEXTS[self.verdict].render(checked))
        return Document([Heading(title), Paragraph(data), table, *map(Paragraph, lines)])

    def __repr__(self) -> str:
        return f"<Drift from {self.before} to {self.after}: {self.verdict or self.changed}>"


def drift(
    before: JudgmentsLike | Labels,
    after: JudgmentsLike | Labels | None = None,
    people: JudgmentsLike | Labels | None = None,
    *,
    combine: Combination = "majority",
    adjudicator: str = ADJUDICATOR,
    alpha: float = 0.05,
    resamples: int = RESAMPLES,
    seed: int = 0,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Drift:
    """Measure how a judge changed between two prompts, models or dates, on the same pairs.

    Parameters
    ----------
    before, after
        Model judgments of the two versions; or one table whose columns ``rater``, ``prompt_version`` or ``time`` tell
        two judges apart.
    people
        Labels of people: the drift is then the change of agreement with them.
    combine, adjudicator
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
    >>> people = {f"q{n}": {"a": 1, "b": 0, "c": n % 2} for n in range(20)}
    >>> old = {f"q{n}": {"a": 1, "b": 0, "c": n % 2} for n in range(20)}
    >>> new = {f"q{n}": {"a": 1, "b": n % 3 == 0, "c": n % 2} for n in range(20)}
    >>> found = rg.judges.drift(old, new, people)
    >>> found.verdict, found.discordant
    ('worse', (7, 0))
    """
    options = ReadOptions.of(drift, read_options, read)
    settings = interval_settings(alpha, resamples, seed, "drift")
    level = settings["level"]
    first, second = _versions(before, after, options)
    labels = None if people is None else Labels.of(people, options, "people")
    sides = [first, second, *([labels] if labels is not None else [])]
    tables = [as_judgments(side.combined(combine, adjudicator)) for side in sides]
    joined = side_by_side(tables, "inner")
    if not joined.height:
        names = ", ".join(side.name for side in sides)
        raise input_error("RG604", Phrase(f"no pair is in all of {names}", f"没有一对同时出现在 {names} 中"))
    codes = joined["query"].rank("dense").to_numpy().astype(np.int64) - 1
    grades = joined.drop(PAIR).to_numpy().astype(np.float64)
    findings = Findings()
    for side in sides:
        findings.merge(side.findings)
    found: dict[str, Any] = {
        "changed": _within(clustered_mean((grades[:, 0] != grades[:, 1]).astype(np.float64), codes, level)[0]),
        "shift": clustered_mean(grades[:, 1] - grades[:, 0], codes, level)[0],
    }
    if labels is not None:
        found |= _against_people(joined, grades, codes, (first.name, second.name), settings)
    return Drift(first.name, second.name, joined.height, int(codes.max()) + 1, findings=findings, **found)


def _within(share: Number) -> Number:
    """Return a share with its interval within 0 and 1."""
    return Number(share.value, max(share.low, 0.0), min(share.high, 1.0))


def _versions(before: Any, after: Any, options: ReadOptions) -> tuple[Labels, Labels]:
    if after is not None:
        return Labels.of(before, options, "before"), Labels.of(after, options, "after")
    versions = [*Labels.of(before, options, "judge").identities().values()]
    if len(versions) != RATERS:
        names = ", ".join(version.name for version in versions)
        en = f"drift compares two judges, found {len(versions)} ({names}); pass two tables, or one with two judges"
        raise ParameterError(
            (en, f"drift 比较两个评判者，实有 {len(versions)} 个（{names}）；请给出两张表，或一张含两个评判者的表")
        )
    return versions[0], versions[1]


def _against_people(
    joined: pl.DataFrame, grades: Any, codes: Any, names: tuple[str, str], settings: dict[str, Any]
) -> dict[str, Any]:
    """Return the change of the agreement with people."""
    from scipy.special import bdtr  # noqa: PLC0415

    level = settings["level"]
    agreements = tuple(
        RaterAgreement(("people", name), joined.select(*PAIR, grade_1="grade_3", grade_2=column), **settings)
        for name, column in zip(names, ("grade_1", "grade_2"), strict=True)
    )

    def change(weights: Weights) -> Number:
        """Return the change of kappa; both versions share the samples of queries."""
        values, samples = zip(*(own.kappas(weights) for own in agreements), strict=True)
        groups = agreements[0].queries
        return number_of(values[1] - values[0], samples[1] - samples[0], groups, level, (-2.0, 2.0))

    right = grades[:, :2] == grades[:, 2:]
    lost, gained = int((right[:, 0] & ~right[:, 1]).sum()), int((right[:, 1] & ~right[:, 0]).sum())
    distance = np.abs(grades[:, 1] - grades[:, 2]) - np.abs(grades[:, 0] - grades[:, 2])
    return {
        "agreements": agreements,
        "change": change(None),
        "change_quadratic": change("quadratic"),
        "loss": clustered_mean(distance, codes, level)[0],
        "discordant": (lost, gained),
        "p": min(1.0, 2 * float(bdtr(min(lost, gained), lost + gained, 0.5))) if lost + gained else 1.0,
    }
