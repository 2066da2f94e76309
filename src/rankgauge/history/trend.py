"""Trend: a metric over the runs of a window, with the change of each from the latest comparable run before it."""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

from rankgauge.comparison.document import NOTES
from rankgauge.history.paired import PairedChange, Window
from rankgauge.history.run import LoggedRun, RunDifference, in_words, rescore_offer, run_differences
from rankgauge.history.run_rows import HEADS, TestedRuns, run_cells
from rankgauge.inputs.io.drawing import Figure
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.chart import Chart, to_text
from rankgauge.rendering.document import Block, Paragraph, Table
from rankgauge.rendering.element import Element
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.rendering.number_texts import decimal
from rankgauge.rendering.plain import PlainData, finite_or_none
from rankgauge.stats.intervals import bounded_interval
from rankgauge.stats.paired_tests import is_significant

State = Literal["first", "better", "worse", "same", "changed", "not comparable"]
"""What is known about the change from the latest comparable run."""
MESSAGES = {
    "title": Phrase("{metric} over {count:# run|# runs}", "{metric}：{count} 条记录"),
    "title of": Phrase("{metric} over {count:# run|# runs} of {name}", "{metric}：{name} 的 {count} 条记录"),
    "run": Phrase("run", "序号"),
    **HEADS,
    "interval": Phrase("{level} interval", "{level} 区间"),
    "change": Phrase("change", "变化"),
    "p": Phrase("p", "p"),
    "verdict": Phrase("to the comparable run before", "与前一条可比较的记录相比"),
    "first": Phrase("first", "首条"),
    "better": Phrase("better", "更好"),
    "worse": Phrase("worse", "更差"),
    "same": Phrase("no difference shown", "未显示差异"),
    "changed": Phrase("changed; not tested", "有变化；未检验"),
    "untested": Phrase(
        "Not tested: values of queries were not stored, or the metric is not their mean.",
        "未检验：未存各查询的值，或该指标不是它们的均值。",
    ),
    "judgments": Phrase("The judgments changed at run {number}: {offer}", "第 {number} 条记录起标注已改变：{offer}"),
    "not comparable": Phrase("not comparable: {differences}", "不可比较：{differences}"),
    "groups": Phrase(
        "{count:# group|# groups} of comparable runs; lines in the picture connect only these.",
        "可比较的记录分为 {count} 组；图中的线只连接同组的记录。",
    ),
    "line": Phrase("comparable runs {number}", "可比较的记录 {number}"),
}


class TrendPoint(NamedTuple):
    """A run of a trend, and the change from the latest comparable run before it."""

    run: LoggedRun
    mean: float
    low: float
    high: float
    """Ends of the interval of the mean."""
    state: State
    change: PairedChange | None
    """From the latest comparable run; None if there is none, or values of queries are missing."""
    reference: LoggedRun | None
    """That run."""
    differences: tuple[RunDifference, ...]
    """From the run before, where no run before is comparable."""
    group: int
    """Number of its group of comparable runs."""


class Trend(TestedRuns):
    """A metric over time: every run of the window, and whether it changed from the latest comparable one."""

    def __init__(self, window: Window, metric: Metric, alpha: float, min_effect: float) -> None:
        super().__init__(window, metric, alpha, min_effect)
        groups = {key: number for number, key in enumerate(dict.fromkeys(window.keys))}
        self.groups = len(groups)
        self.points = tuple(self._point(window, place, groups[key]) for place, key in enumerate(window.keys))

    def _point(self, window: Window, place: int, group: int) -> TrendPoint:
        run, before = window.runs[place], window.before[place]
        mean, n, se = run.metrics[window.metric]
        value = math.nan if mean is None else mean
        spread = math.nan if se is None else se * math.sqrt(max(n, 1))
        ends = bounded_interval(value, spread, n, 1 - self.alpha, self.metric.definition.bounds) if n > 1 else None
        low, high = (math.nan, math.nan) if ends is None or se is None else ends
        if before is None:
            differences = run_differences(window.runs[place - 1], run, self.metric) if place else []
            state: State = "not comparable" if place else "first"
            return TrendPoint(run, value, low, high, state, None, None, tuple(differences), group)
        reference, change = window.runs[before], window.change(before, place, self.alpha)
        if change is not None:
            state = verdict(change, self.metric, self.alpha, self.min_effect)
        else:
            state = "same" if reference.metrics[window.metric].mean == mean else "changed"
        return TrendPoint(run, value, low, high, state, change, reference, (), group)

    def __repr__(self) -> str:
        return f"<Trend of {self.metric} over {len(self.points)} runs>"

    # Output

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each run."""
        return [
            {
                "id": point.run.id,
                "time": point.run.time,
                "name": point.run.name,
                "metric": str(self.metric),
                "mean": finite_or_none(point.mean),
                "low": finite_or_none(point.low),
                "high": finite_or_none(point.high),
                "group": point.group,
                "state": point.state,
                "reference": None if point.reference is None else point.reference.id,
                "difference": None if point.change is None else finite_or_none(point.change.difference),
                "p": None if point.change is None else finite_or_none(point.change.p),
                "differences": in_words(point.differences).en,
            }
            for point in self.points
        ]

    def to_dict(self) -> PlainData:
        """Return everything as plain data."""
        runs = [
            {
                **row,
                "differences": [difference._asdict() for difference in point.differences],
                "fields": point.run.fields,
            }
            for row, point in zip(self.rows(), self.points, strict=True)
        ]
        return {**self.settings(), "runs": runs}

    def plot_text(self, lang: Lang = "en", width: int = 72) -> str:
        """Return the means as a line chart for a terminal, with a line for each group of comparable runs."""
        lines: dict[str, list[float | None]] = {}
        for number in range(self.groups):
            name = str(self.metric) if self.groups == 1 else MESSAGES["line"].render(lang, number=number + 1)
            lines[name] = [
                point.mean if point.group == number and not math.isnan(point.mean) else None for point in self.points
            ]
        numbers = [*range(1, len(self.points) + 1)]
        return to_text(Chart(self.title(lang), "", MESSAGES["run"].render(lang), numbers, lines), width)

    def title(self, lang: Lang) -> str:
        """Return the title of the trend."""
        name, key = self._shared_name, "title of" if self._shared_name else "title"
        return MESSAGES[key].render(lang, metric=self.metric, count=len(self.points), name=name)

    @property
    def _shared_name(self) -> str:
        """The name of all runs, empty if they have several or none."""
        names = {point.run.name for point in self.points}
        return names.pop() if len(names) == 1 else ""

    def plot(self, lang: str = "en") -> Figure:
        """Return the picture: a notebook shows it, ``save`` writes SVG, PNG or PDF."""
        return Figure(self.title("en"), self.to_svg(check_lang(lang)))

    def to_svg(self, lang: Lang = "en") -> str:
        """Return the picture as SVG with a text alternative."""
        from rankgauge.history.trend_picture import trend_drawing  # noqa: PLC0415 (loads the styles)
        from rankgauge.rendering.svg import standalone  # noqa: PLC0415

        drawing, caption = trend_drawing(self)
        texts = Element("title", self.title(lang)), Element("desc", caption)
        return standalone(drawing.replace(*texts, *drawing.children), lang)

    def to_html(self, title: str = "", lang: Lang = "en") -> str:
        """Return one page in the style of the report, with the picture and the table."""
        from rankgauge.history.trend_picture import trend_page  # noqa: PLC0415 (loads the styles)

        return trend_page(self, title, lang)

    def blocks(self, lang: Lang, digits: int = 4) -> list[Block]:
        """Return the table and its notes."""
        level = f"{1 - self.alpha:.0%}"
        heads = ["run", *HEADS, "mean", "interval", "change", "p", "verdict"]
        names = [str(self.metric) if head == "mean" else MESSAGES[head].render(lang, level=level) for head in heads]
        rows = [
            [
                str(number),
                *run_cells(point.run),
                decimal(point.mean, digits),
                "" if math.isnan(point.low) else f"[{decimal(point.low, digits)}, {decimal(point.high, digits)}]",
                "" if point.change is None else decimal(point.change.difference, digits, "+"),
                "" if point.change is None or math.isnan(point.change.p) else f"{point.change.p:.3g}",
                MESSAGES[point.state].render(lang, differences=in_words(point.differences)),
            ]
            for number, point in enumerate(self.points, 1)
        ]
        notes = self.method_notes(lang) if self.family else []
        if any(point.state == "changed" for point in self.points):
            notes.append(Paragraph(MESSAGES["untested"].render(lang)))
        notes += map(Paragraph, self._offers(lang))
        if self.groups > 1:
            notes.append(Paragraph(MESSAGES["groups"].render(lang, count=self.groups)))
        without = [heads.index("name")] if self._shared_name else []
        names, align, *rows = (
            [cell for place, cell in enumerate(line) if place not in without] for line in (names, "rlllrlrrl", *rows)
        )
        optional = [] if without else [MESSAGES["interval"].render(lang, level=level)]
        left_out = NOTES["narrow"].render(lang, columns="{columns}")
        return [Table(names, rows, "".join(align), optional=optional, left_out=left_out), *notes]

    def _offers(self, lang: Lang) -> list[str]:
        """Return how the run before the last change of the judgments becomes comparable, unless it was scored again."""
        again = {point.run.parent for point in self.points}
        for number in range(len(self.points), 1, -1):
            before, point = self.points[number - 2], self.points[number - 1]
            offer = rescore_offer(before.run, point.differences)
            if offer is not None:
                is_open = before.run.id not in again
                return [MESSAGES["judgments"].render(lang, number=number, offer=offer)] if is_open else []
        return []


def verdict(change: PairedChange, metric: Metric, alpha: float, min_effect: float) -> State:
    """Return whether a change is significant and large enough, and in which direction."""
    significant = is_significant(change.p, change.queries, alpha)
    if not significant or not change.difference or abs(change.difference) < min_effect:
        return "same"
    return "better" if (change.difference > 0) == metric.definition.higher_is_better else "worse"
