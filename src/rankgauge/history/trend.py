"""Trend: a metric over the runs of a window, with the change of each from the latest comparable run before it."""

from __future__ import annotations

import json
import math
from typing import Any, Literal, NamedTuple

from rankgauge.evaluation.score_formats import table_text
from rankgauge.history.comparability import RunDifference, in_words, rescore_offer, run_differences
from rankgauge.history.paired import PairedChange, Window
from rankgauge.history.run import LoggedRun
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.chart import Chart, to_svg, to_text
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, ShownAsDocument, Table
from rankgauge.rendering.frame_result import FrameResult, columns_of
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.rendering.plain import PlainData, decimal, finite_or_none
from rankgauge.stats.intervals import bounded_interval
from rankgauge.stats.paired_tests import is_significant, least_queries

State = Literal["first", "better", "worse", "same", "changed", "not comparable"]
"""What is known about the change from the latest comparable run."""
MESSAGES = {
    "title": Phrase("{metric} over {count:# run|# runs}", "{metric}：{count} 条记录"),
    "run": Phrase("run", "序号"),
    "id": Phrase("id", "编号"),
    "time": Phrase("time", "时间"),
    "name": Phrase("name", "名称"),
    "interval": Phrase("{level} interval", "{level} 区间"),
    "change": Phrase("change", "变化"),
    "p": Phrase("p (corrected)", "p（已校正）"),
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
    "family": Phrase(
        "p-values of paired t tests are multiplied by {family}, the number of pairs of comparable runs in this window, "
        "so that the probability of a false positive in it is at most {alpha:g}. No difference is shown with "
        "fewer than {least:# query|# queries}.",
        "配对 t 检验的 p 值乘以 {family}，即窗口内可比较的记录对数；因此整个窗口出现误报的概率至多为 {alpha:g}。"
        "查询少于 {least} 个时不判定差异。",
    ),
    "groups": Phrase(
        "{count:# group|# groups} of comparable runs; lines in the picture connect only these.",
        "可比较的记录分为 {count} 组；图中的线只连接同组的记录。",
    ),
    "line": Phrase("comparable runs {number}", "可比较的记录 {number}"),
    "less": Phrase("Changes smaller than {effect:g} count as none.", "小于 {effect:g} 的变化不计。"),
    "description": Phrase(
        "{metric} from {first:.4f} (first run) to {last:.4f} (last run).",
        "{metric}：从 {first:.4f}（首条）到 {last:.4f}（末条）。",
    ),
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


class Trend(ShownAsDocument, FrameResult):
    """A metric over time: every run of the window, and whether it changed from the latest comparable one."""

    def __init__(self, window: Window, metric: Metric, alpha: float, min_effect: float) -> None:
        self.metric, self.alpha, self.min_effect, self.family = metric, alpha, min_effect, window.family
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

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return a row per run, as columns."""
        return columns_of(self.rows())

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
        settings = {"alpha": self.alpha, "min_effect": self.min_effect, "family": self.family}
        return {"schema": 1, "metric": str(self.metric), **settings, "runs": runs}

    def to_json(self, indent: int | None = None) -> str:
        """Return everything as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent, default=str)

    def to_csv(self) -> str:
        """Return a row for each run as CSV."""
        columns = self.frame_columns()
        return table_text(columns, zip(*columns.values(), strict=True), ",")

    def chart(self, lang: Lang = "en") -> Chart:
        """Return the means as a line chart, with a line for each group of comparable runs."""
        lines: dict[str, list[float | None]] = {}
        for number in range(self.groups):
            name = str(self.metric) if self.groups == 1 else MESSAGES["line"].render(lang, number=number + 1)
            lines[name] = [
                point.mean if point.group == number and not math.isnan(point.mean) else None for point in self.points
            ]
        first, last = self.points[0].mean, self.points[-1].mean
        description = MESSAGES["description"].render(lang, metric=self.metric, first=first, last=last)
        return Chart(
            self.title(lang), description, MESSAGES["run"].render(lang), [*range(1, len(self.points) + 1)], lines
        )

    def title(self, lang: Lang) -> str:
        """Return the title of the trend."""
        return MESSAGES["title"].render(lang, metric=self.metric, count=len(self.points))

    def plot_text(self, lang: Lang = "en", width: int = 72) -> str:
        """Return the picture for a terminal."""
        return to_text(self.chart(lang), width)

    def to_svg(self, lang: Lang = "en") -> str:
        """Return the picture as SVG."""
        return to_svg(self.chart(lang))

    def to_html(self, title: str = "", lang: Lang = "en") -> str:
        """Return one page in the style of the report, with the picture and the table."""
        from rankgauge.history.page import trend_page  # noqa: PLC0415 (loads the styles)

        return trend_page(self, title, lang)

    def document(self, lang: str = "en", *, digits: int = 4) -> Document:
        """Return a table with a row for each run, and how the changes were tested."""
        language = check_lang(lang)
        return Document([Heading(self.title(language)), *self.blocks(language, digits)])

    def blocks(self, lang: Lang, digits: int = 4) -> list[Block]:
        """Return the table and its notes."""
        level = f"{1 - self.alpha:.0%}"
        heads = ["run", "id", "time", "name", "mean", "interval", "change", "p", "verdict"]
        names = [str(self.metric) if head == "mean" else MESSAGES[head].render(lang, level=level) for head in heads]
        rows = [
            [
                str(number),
                point.run.id[:8],
                point.run.time.replace("T", " ").removesuffix("Z"),
                point.run.name,
                decimal(point.mean, digits),
                "" if math.isnan(point.low) else f"[{decimal(point.low, digits)}, {decimal(point.high, digits)}]",
                "" if point.change is None else f"{point.change.difference:+.{digits}f}",
                "" if point.change is None or math.isnan(point.change.p) else f"{point.change.p:.3g}",
                MESSAGES[point.state].render(lang, differences=in_words(point.differences)),
            ]
            for number, point in enumerate(self.points, 1)
        ]
        tested = {"family": self.family, "alpha": self.alpha, "least": least_queries(self.alpha)}
        notes = [Paragraph(MESSAGES["family"].render(lang, **tested))] if self.family else []
        if self.min_effect:
            notes.append(Paragraph(MESSAGES["less"].render(lang, effect=self.min_effect)))
        if any(point.state == "changed" for point in self.points):
            notes.append(Paragraph(MESSAGES["untested"].render(lang)))
        notes += map(Paragraph, self._offers(lang))
        if self.groups > 1:
            notes.append(Paragraph(MESSAGES["groups"].render(lang, count=self.groups)))
        return [Table(names, rows, align="rlrlrrrrl"), *notes]

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
