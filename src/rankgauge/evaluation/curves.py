"""`curve`: metrics over their cutoff, of many queries and several systems, in one pass over each ranking."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, TypeGuard, Unpack

import numpy as np

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.budget import UNITS
from rankgauge.conventions.rule import integer_from
from rankgauge.errors import ParameterError
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.inputs.findings import Findings, ShownWithFindings
from rankgauge.inputs.frame_kinds import column_array
from rankgauge.inputs.io.drawing import Figure
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.matching.entrance import resolve_input
from rankgauge.matching.from_list import read_grades
from rankgauge.matching.source_types import JudgmentsLike, RankingLike, RankingsLike, WeightsLike
from rankgauge.metric_core.definition import parameters_data
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricsLike, parse_all
from rankgauge.rendering.chart import Chart
from rankgauge.rendering.document import Document, Paragraph, Plot, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.rendering.number_texts import decimal
from rankgauge.rendering.plain import FrameResult, JsonResult, PlainData, finite_or_none
from rankgauge.side_information.side_information import SideInformationLike
from rankgauge.value_checks import is_listing

SCHEMA = 1
MAX_CUTOFFS = 10_000
MOST_BY_DEFAULT = 20
"""Last cutoff if none are given and no list is shorter."""
COLUMNS = ("system", "metric", "k", "value", "convention", "schema")
MESSAGES = {
    "rules": Phrase("{metric}: {rules}", "{metric}：{rules}"),
    "line": Phrase(
        "{name}: {first:.4f} at {unit}={low}, {last:.4f} at {unit}={high}",
        "{name}：{unit}={low} 时 {first:.4f}，{unit}={high} 时 {last:.4f}",
    ),
}


@dataclass(frozen=True, repr=False)
class Curves(ShownWithFindings, FrameResult, JsonResult):
    """The mean over all queries of each metric at each cutoff, for each system."""

    metrics: tuple[Metric, ...]
    cutoffs: tuple[int, ...]
    values: Mapping[tuple[str, Metric], tuple[float | None, ...]]
    convention: Convention
    findings: Findings
    provenance: PlainData
    """What the values were computed from, as in ``Scores``."""
    unit: str = "k"
    """What the cutoffs count: ``k`` items, or ``chars`` or ``tokens`` of a budget."""

    def _name(self, metric: Metric) -> str:
        return f"{metric}@{self.unit}"

    def _cut(self, metric: Metric) -> Metric:
        """Return the metric with a budget if it has one at every cutoff."""
        return metric if self.unit == "k" else metric @ f"1{self.unit}"

    def document(self, lang: str = "en", *, digits: int = 4) -> Document:
        """Return the numbers as a table, and the definition used."""
        language = check_lang(lang)
        rows = [
            [str(k), *("–" if value is None else decimal(value, digits) for value in row)]
            for k, *row in zip(self.cutoffs, *self.values.values(), strict=True)
        ]
        titles = [f"{system} {self._name(metric)}".strip() for system, metric in self.values]
        from rankgauge.rendering.chart import svg_element  # noqa: PLC0415 (markup is slow to load)

        table = Table([self.unit, *titles], rows, align="r" * (len(titles) + 1))
        chart = self.chart(language)
        plot = Plot(chart.title, svg_element(chart))
        return Document([plot, table, *map(Paragraph, self.rules(language))])

    def __repr__(self) -> str:
        systems = dict.fromkeys(system for system, _ in self.values)
        of_systems = f" of {', '.join(systems)}" if any(systems) else ""
        return f"<Curves{of_systems}: {', '.join(map(self._name, self.metrics))}>"

    def rules(self, lang: Lang) -> list[str]:
        """Return the definition used of each metric."""
        return [
            MESSAGES["rules"].render(
                lang, metric=self._name(metric), rules=self._cut(metric).short_line(self.convention, lang)
            )
            for metric in self.metrics
        ]

    def chart(self, lang: Lang) -> Chart:
        """Return a line chart with a description in words; lines name the metric if there are several."""
        several = len(self.metrics) > 1
        lines = {
            f"{system} {self._name(metric)}" if several else system: row
            for (system, metric), row in self.values.items()
        }
        sentences = []
        for name, row in lines.items():
            defined = [(k, value) for k, value in zip(self.cutoffs, row, strict=True) if value is not None]
            if defined:
                (low, first), (high, last) = defined[0], defined[-1]
                sentences.append(
                    MESSAGES["line"].render(lang, name=name, first=first, last=last, low=low, high=high, unit=self.unit)
                )
        title = ", ".join(map(self._name, self.metrics))
        return Chart(title, "; ".join([*sentences, *self.rules(lang)]), self.unit, self.cutoffs, lines)

    def plot(self, lang: str = "en") -> Figure:
        """Return the curves as a picture: a notebook shows it, ``save`` writes SVG, PNG or PDF."""
        from rankgauge.rendering.chart import to_svg  # noqa: PLC0415 (markup is slow to load)

        chart = self.chart(check_lang(lang))
        return Figure(chart.title, to_svg(chart))

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return a row per system, metric and cutoff, as columns."""
        named = any(system for system, _ in self.values)
        rows = [row[:4] for row in self.rows()]
        columns = {name: [*column] for name, column in zip(COLUMNS[:4], zip(*rows, strict=True), strict=True)}
        return columns if named else {name: column for name, column in columns.items() if name != "system"}

    def rows(self) -> list[tuple[str, str, int, float | None, str, int]]:
        """Return long rows with the columns ``COLUMNS``."""
        named = {metric: str(metric) if self.unit == "k" else self._name(metric) for metric in self.metrics}
        return [
            (system, named[metric], k, value, self._cut(metric).line(self.convention), SCHEMA)
            for (system, metric), row in self.values.items()
            for k, value in zip(self.cutoffs, row, strict=True)
        ]

    def to_dict(self) -> PlainData:
        """Return everything as plain data."""
        systems: dict[str, dict[str, list[float | None]]] = {}
        for (system, metric), row in self.values.items():
            systems.setdefault(system, {})[str(metric)] = [*row]
        rules, cutoffs = self.convention.to_dict(), [*self.cutoffs]
        definition = {"convention": rules, **parameters_data(self.metrics)}
        definition |= {} if self.unit == "k" else {"unit": self.unit}
        data = {"schema": SCHEMA, **definition, "cutoffs": cutoffs, "systems": systems}
        return data | {"provenance": self.provenance}


def curve(
    judgments: JudgmentsLike | Sequence[float | None],
    ranking: RankingLike | RankingsLike | None = None,
    metrics: MetricsLike | None = None,
    k: str | int | Iterable[int] | None = None,
    *,
    convention: ConventionLike = None,
    side_information: SideInformationLike | None = None,
    weights: WeightsLike | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Curves:
    """Compute metrics at many cutoffs at once, of one ranking or of several.

    Parameters
    ----------
    judgments, ranking
        As for ``evaluate``; or a list of grades alone, best rank first, with None for unjudged items.
    metrics
        One or several metrics, as values or as text, whose own cutoffs are replaced; None for nDCG.
    k
        The cutoffs: a text such as ``"1:20"``, ``"10:100:10"`` or ``"1,5,10"``, or a list of whole numbers. Budgets
        end with their unit: ``"1000:8000:1000chars"``. None for 1 to 20, at most to the length of
        the longest list.
    convention, side_information, weights, read_options, **read
        As for ``evaluate``.

    Examples
    --------
    >>> import rankgauge as rg
    >>> result = rg.curve({"q": {"a": 1, "b": 1}}, {"mine": {"q": ["a", "x", "b"]}}, "P", k=[1, 2])
    >>> result.values["mine", rg.P]
    (1.0, 0.5)
    >>> rg.curve([1, None, 0, 1], metrics="P").values["", rg.P]
    (1.0, 0.5, 0.3333333333333333, 0.5)
    """
    options, by_default = ReadOptions.of(curve, read_options, read), k is None
    judgments = column_array(judgments)
    if ranking is None and _is_list(judgments):
        judgments, ranking = _sides_of(judgments)
    k, unit = _with_unit(range(1, MOST_BY_DEFAULT + 1) if k is None else k)
    cutoffs = cutoffs_of(k)
    end = "" if unit == "k" else unit
    at: dict[int, int | str] = {cutoff: f"{cutoff}{end}" if end else cutoff for cutoff in cutoffs}
    verb_input = resolve_input("curve", judgments, ranking, options)
    metrics, convention = verb_input.metrics(metrics, convention)
    plain = tuple(
        dict.fromkeys(metric.without_budget if metric.k is None else metric @ None for metric in parse_all(metrics))
    )
    scores = evaluate(
        verb_input.judgments,
        verb_input.rankings,
        [metric @ at[cutoff] for metric in plain for cutoff in cutoffs],
        convention=convention,
        side_information=side_information,
        weights=weights,
        read_options=options,
    )
    if by_default:
        cutoffs = [cutoff for cutoff in cutoffs if cutoff <= max(scores.longest, 1)]
    values = {
        (system, metric): tuple(finite_or_none(scores.mean(metric @ at[cutoff], system)) for cutoff in cutoffs)
        for system in scores.systems
        for metric in plain
    }
    return Curves(plain, tuple(cutoffs), values, scores.convention, scores.findings, scores.provenance, unit)


def _is_list(judgments: object) -> TypeGuard[Sequence[float | None]]:
    """Return whether judgments are a list or an array of grades."""
    if isinstance(judgments, np.ndarray):
        return judgments.ndim == 1 and judgments.dtype.kind in "biuf"
    if not isinstance(judgments, list | tuple) or not judgments:
        return False
    return all(grade is None or isinstance(grade, Real) for grade in judgments)


def _sides_of(grades: Sequence[float | None]) -> tuple[dict[str, dict[str, float]], dict[str, Any]]:
    """Return a list of grades as the judgments and the ranking of one query."""
    read_grades(grades)
    judged = {str(rank): grade for rank, grade in enumerate(grades, 1) if grade is not None}
    return {"grades": judged}, {"": {"grades": [str(rank) for rank in range(1, len(grades) + 1)]}}


def _with_unit(k: str | int | Iterable[int]) -> tuple[str | int | Iterable[int], str]:
    """Return cutoffs without the unit of a budget at their end, and the unit, ``k`` if there is none.

    >>> _with_unit("1000:8000:1000chars"), _with_unit("5tokens,10tokens"), _with_unit([1, 2])
    (('1000:8000:1000', 'chars'), ('5,10', 'tokens'), ([1, 2], 'k'))
    """
    if isinstance(k, str):
        for unit in UNITS:
            if k.strip().endswith(unit):
                return k.replace(unit, ""), unit
    return k, "k"


def cutoffs_of(k: str | int | Iterable[int]) -> list[int]:
    """Return the cutoffs of a text, ``1:20``, ``10:100:10``, ``1,5,10`` or several of these, or of a list.

    >>> cutoffs_of("1:3,10:20:5"), cutoffs_of([5, 1])
    ([1, 2, 3, 10, 15, 20], [1, 5])
    """
    if isinstance(k, str):
        return _cutoffs_in(k)
    listed = [k] if isinstance(k, int) else [*k] if is_listing(k) else []
    if not 1 <= len(listed) <= MAX_CUTOFFS:
        raise ParameterError.of(
            "k", k, ("a text such as 1:20, or a list of whole numbers", "1:20 这样的文本，或整数的列表")
        )
    return sorted({integer_from(1, "each of k", cutoff) for cutoff in listed})


def _cutoffs_in(text: str) -> list[int]:
    """Parse a text of cutoffs."""
    cutoffs: set[int] = set()
    for piece in text.split(","):
        numbers = re.fullmatch(r"([0-9]+)(?::([0-9]+)(?::([0-9]+))?)?", piece.strip())
        if numbers is None:
            raise ParameterError.of(
                "k", text, ("written as 1:20, 10:100:10 or 1,5,10", "1:20、10:100:10 或 1,5,10 的形式")
            )
        low, high, step = int(numbers[1]), int(numbers[2] or numbers[1]), int(numbers[3] or 1)
        if low < 1 or high < low or step < 1 or (high - low) // step >= MAX_CUTOFFS:
            raise ParameterError.of(
                "k",
                text,
                (
                    f"whole numbers from 1, ascending, at most {MAX_CUTOFFS:,} of them",
                    f"从 1 起递增的整数，至多 {MAX_CUTOFFS:,} 个",
                ),
            )
        cutoffs.update(range(low, high + 1, step))
    return sorted(cutoffs)
