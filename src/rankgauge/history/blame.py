"""Blame: the runs at which a metric changed from the best comparable run before, and what else changed there."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import Any, Literal, NamedTuple

from rankgauge.history.paired import PairedChange, Window
from rankgauge.history.run import LoggedRun
from rankgauge.history.run_header import describing
from rankgauge.history.run_rows import HEADS, TestedRuns, run_cells
from rankgauge.history.trend import verdict
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.document import Block, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.number_texts import decimal, interval_text
from rankgauge.rendering.plain import PlainData, finite_or_none

NOTHING = "-"
MESSAGES = {
    "title": Phrase(
        "{metric}: {count:# change|# changes} in {runs:# run|# runs}", "{metric}：{runs} 条记录中有 {count} 处变化"
    ),
    **HEADS,
    "direction": Phrase("change", "变化"),
    "better": Phrase("better", "更好"),
    "worse": Phrase("worse", "更差"),
    "reference": Phrase("from the best before", "此前最好的记录"),
    "difference": Phrase("difference", "差异"),
    "interval": Phrase("simultaneous {level} interval", "{level} 联合区间"),
    "p": Phrase("p (corrected)", "p（已校正）"),
    "fields": Phrase("what changed since the comparable run before", "与前一条可比较的记录相比改变的内容"),
    "none": Phrase("Nothing that was recorded changed.", "记录的内容没有变化。"),
    "reference run": Phrase(
        "Each run is compared with the best comparable run since the last change.",
        "每条记录都与上次变化以来最好的可比较记录比较。",
    ),
    "untested": Phrase(
        "{count:# run was|# runs were} not tested: no comparable run before, or no stored values of queries whose mean "
        "the metric is.",
        "{count} 条记录未检验：此前没有可比较的记录，或未存以其均值为指标的各查询之值。",
    ),
}


class Alarm(NamedTuple):
    """A run at which the metric changed, the best comparable run before it, and the fields that changed."""

    run: LoggedRun
    reference: LoggedRun
    """The best comparable run before."""
    previous: LoggedRun
    """The latest comparable run before, from which fields are compared."""
    direction: Literal["better", "worse"]
    change: PairedChange
    fields: Mapping[str, tuple[Any, Any]]
    """Fields that changed since that run, with both values."""


class Blame(TestedRuns):
    """The runs at which a metric changed."""

    def __init__(self, window: Window, metric: Metric, alpha: float, min_effect: float) -> None:
        super().__init__(window, metric, alpha, min_effect)
        self.runs = tuple(window.runs)
        self.untested = 0
        """Runs that could not be compared with one before."""
        self.alarms = tuple(self._alarms(window))

    def _alarms(self, window: Window) -> list[Alarm]:
        alarms, best = [], dict[Hashable, int]()
        for place, key in enumerate(window.keys):
            reference = best.get(key)
            change = None if reference is None else window.change(reference, place, self.alpha)
            if change is None:
                self.untested += place > 0
            elif (state := verdict(change, self.metric, self.alpha, self.min_effect)) in {"better", "worse"}:
                direction: Literal["better", "worse"] = "better" if state == "better" else "worse"
                run, best_run, previous = (window.runs[at or 0] for at in (place, reference, window.before[place]))
                alarms.append(Alarm(run, best_run, previous, direction, change, changed_fields(previous, run)))
                del best[key]  # the reference restarts here
            if key not in best or self._is_better(window, place, best[key]):
                best[key] = place
        return alarms

    def _is_better(self, window: Window, place: int, best: int) -> bool:
        old, new = (window.runs[at].metrics[window.metric].mean for at in (best, place))
        if old is None or new is None:
            return old is None
        return new > old if self.metric.definition.higher_is_better else new < old

    def __repr__(self) -> str:
        return f"<Blame of {self.metric}: {len(self.alarms)} changes in {len(self.runs)} runs>"

    # Output

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each change."""
        return [
            {
                "id": alarm.run.id,
                "time": alarm.run.time,
                "name": alarm.run.name,
                "metric": str(self.metric),
                "direction": alarm.direction,
                "reference": alarm.reference.id,
                **{name: finite_or_none(value) for name, value in alarm.change._asdict().items()},
                "fields": fields_text(alarm.fields),
            }
            for alarm in self.alarms
        ]

    def to_dict(self) -> PlainData:
        """Return everything as plain data."""
        fields = [{name: [*pair] for name, pair in alarm.fields.items()} for alarm in self.alarms]
        alarms = [{**row, "fields": changed} for row, changed in zip(self.rows(), fields, strict=True)]
        return {**self.settings(), "runs": len(self.runs), "untested": self.untested, "alarms": alarms}

    def title(self, lang: Lang) -> str:
        """Return the title of the document."""
        return MESSAGES["title"].render(lang, metric=self.metric, count=len(self.alarms), runs=len(self.runs))

    def blocks(self, lang: Lang, digits: int = 4) -> list[Block]:
        """Return the table and its notes."""
        heads = [*HEADS, "direction", "difference", "interval", "p", "reference", "fields"]
        level = f"{1 - self.alpha:.0%}"
        rows = [
            [
                *run_cells(alarm.run),
                MESSAGES[alarm.direction].render(lang),
                decimal(alarm.change.difference, digits, "+"),
                _interval(alarm.change, digits),
                f"{alarm.change.p:.3g}",
                alarm.reference.id[:8],
                fields_text(alarm.fields) or MESSAGES["none"].render(lang),
            ]
            for alarm in self.alarms
        ]
        table = [Table([MESSAGES[head].render(lang, level=level) for head in heads], rows, align="lrllrrrll")]
        notes = [Paragraph(MESSAGES["reference run"].render(lang)), *self.method_notes(lang)]
        notes += [Paragraph(MESSAGES["untested"].render(lang, count=self.untested))] if self.untested else []
        return [*(table if rows else []), *notes]


def _interval(change: PairedChange, digits: int) -> str:
    return "" if math.isnan(change.low) else interval_text((change.low, change.high), f"+.{digits}f")


def changed_fields(before: LoggedRun, after: LoggedRun) -> dict[str, tuple[Any, Any]]:
    """Return what differs between two runs: their fields, the commit, the version, and names of inputs.

    Parameters
    ----------
    before, after
        The runs.
    """
    described = [_described(run) for run in (before, after)]
    names = dict.fromkeys([*described[0], *described[1]])
    pairs = {name: (described[0].get(name), described[1].get(name)) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def fields_text(fields: Mapping[str, tuple[Any, Any]]) -> str:
    """Return changed fields as one text.

    >>> fields_text({"model": ("small", "large"), "chunk": (None, "512")})
    'model: small → large, chunk: - → 512'
    """
    shown = {name: [NOTHING if value is None else str(value) for value in pair] for name, pair in fields.items()}
    return ", ".join(f"{name}: {before} → {after}" for name, (before, after) in shown.items())


def _described(run: LoggedRun) -> dict[str, Any]:
    """Return everything that is known about a run and may explain a change."""
    own = {"commit": run.commit or None, "version": run.version, "file": run.inputs.get("judgments")}
    return {**describing(run.others.get("ir_metadata") or {}), **run.fields, **own}
