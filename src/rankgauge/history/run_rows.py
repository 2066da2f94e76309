"""Results of a history: rows of runs in every format, how they were tested, and the list of runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

from rankgauge.evaluation.score_formats import table_text
from rankgauge.history.paired import Window
from rankgauge.history.run import LoggedRun
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, ShownAsDocument, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.rendering.number_texts import decimal
from rankgauge.rendering.plain import FrameResult, JsonResult, PlainData, columns_of
from rankgauge.stats.paired_tests import least_queries

HEADS = {"id": Phrase("id", "编号"), "time": Phrase("time", "时间"), "name": Phrase("name", "名称")}
FAMILY = Phrase(
    "p-values of paired t tests over queries are multiplied by {family}, the number of pairs of comparable runs in "
    "this window, so that the probability of a false positive in it is at most {alpha:g}. No difference is shown with "
    "fewer than {least:# query|# queries}.",
    "对各查询作配对 t 检验，p 值乘以 {family}，即窗口内可比较的记录对数；因此整个窗口出现误报的概率至多为 {alpha:g}。"
    "查询少于 {least} 个时不判定差异。",
)
LESS = Phrase("Changes smaller than {effect:g} count as none.", "小于 {effect:g} 的变化不计。")


class RunRows(ShownAsDocument, FrameResult, JsonResult):
    """Base class of results with a row for each run."""

    def rows(self) -> Iterable[dict[str, Any]]:
        """Return the rows."""
        raise NotImplementedError

    def to_dict(self) -> PlainData:
        """Return everything as plain data."""
        raise NotImplementedError

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return the rows as columns."""
        return columns_of(self.rows())

    def to_csv(self) -> str:
        """Return the rows as CSV; texts are safe for spreadsheets."""
        columns = self.frame_columns()
        return table_text(columns, zip(*columns.values(), strict=True), ",") if columns else ""


class TestedRuns(RunRows):
    """Base class of the changes of a metric over the runs of a window."""

    def __init__(self, window: Window, metric: Metric, alpha: float, min_effect: float) -> None:
        self.metric, self.alpha, self.min_effect, self.family = metric, alpha, min_effect, window.family

    def title(self, lang: Lang) -> str:
        """Return the title of the document."""
        raise NotImplementedError

    def blocks(self, lang: Lang, digits: int = 4) -> list[Block]:
        """Return what the document shows below its title."""
        raise NotImplementedError

    def document(self, lang: str = "en", *, digits: int = 4) -> Document:
        """Return a table of the changes, and how they were tested."""
        language = check_lang(lang)
        return Document([Heading(self.title(language)), *self.blocks(language, digits)])

    def settings(self) -> PlainData:
        """Return the metric, and how changes were tested."""
        tested = {"alpha": self.alpha, "min_effect": self.min_effect, "family": self.family}
        return {"schema": 1, "metric": str(self.metric), **tested}

    def method_notes(self, lang: Lang) -> list[Paragraph]:
        """Return how changes were tested."""
        family = FAMILY.render(lang, family=self.family, alpha=self.alpha, least=least_queries(self.alpha))
        less = [LESS.render(lang, effect=self.min_effect)] if self.min_effect else []
        return [*map(Paragraph, [family, *less])]


def run_cells(run: LoggedRun) -> list[str]:
    """Return the cells under ``HEADS``."""
    return [run.id[:8], run.time.replace("T", " ").removesuffix("Z"), run.name]


MESSAGES = {
    **HEADS,
    "commit": Phrase("commit", "提交"),
    "queries": Phrase("queries", "查询数"),
    "judgments": Phrase("judgments", "标注"),
    "none": Phrase("No runs.", "没有记录。"),
    "shown": Phrase("The last {count} of {all:# run|# runs}.", "共 {all} 条记录，显示最近 {count} 条。"),
    "one": Phrase("The last one of {all:# run|# runs}.", "共 {all} 条记录，显示最近一条。"),
}


@dataclass(frozen=True, repr=False)
class RunList(RunRows, Sequence[LoggedRun]):
    """Runs in the order of their times, with a column for each metric and field."""

    runs: tuple[LoggedRun, ...]
    total: int
    """Number of runs before the last ones were chosen."""

    @overload
    def __getitem__(self, place: int) -> LoggedRun: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[LoggedRun]: ...
    def __getitem__(self, place: int | slice) -> LoggedRun | Sequence[LoggedRun]:
        return self.runs[place]

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[LoggedRun]:
        return iter(self.runs)

    def __repr__(self) -> str:
        return f"<RunList of {len(self.runs)} {'run' if len(self.runs) == 1 else 'runs'}>"

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each run: identity, fingerprints, then the values of metrics and the fields."""
        for run in self.runs:
            yield {
                "id": run.id,
                "time": run.time,
                "name": run.name,
                "commit": run.commit,
                "version": run.version,
                "judgments": run.judgments,
                "queries": run.queries,
                "ranking": run.ranking,
                **{name: summary.mean for name, summary in run.metrics.items()},
                **{f"field {name}": str(value) for name, value in run.fields.items()},
            }

    def to_dict(self) -> PlainData:
        """Return the runs as plain data."""
        return {"schema": 1, "total": self.total, "runs": [run.to_dict() for run in self.runs]}

    def to_json(self, indent: int | None = None) -> str:
        """Return the runs as JSON; with an indent each run is a line, as in the store."""
        encode = json.JSONEncoder(ensure_ascii=False, default=str).encode  # fast only without an indent
        if indent is None:
            return encode(self.to_dict())
        outer, inner = " " * indent, " " * 2 * indent
        lines = f",\n{inner}".join(encode(run.to_dict()) for run in self.runs)
        runs = f"[\n{inner}{lines}\n{outer}]" if lines else "[]"
        return f'{{\n{outer}"schema": 1,\n{outer}"total": {self.total},\n{outer}"runs": {runs}\n}}'

    def document(self, lang: str = "en", *, digits: int = 4) -> Document:
        """Return the runs as a table."""
        language = check_lang(lang)
        if not self.runs:
            return Document([Paragraph(MESSAGES["none"].render(language))])
        metrics = [*dict.fromkeys(name for run in self.runs for name in run.metrics)]
        fields = [*dict.fromkeys(name for run in self.runs for name in run.fields)]
        has_commit = any(run.commit for run in self.runs)
        heads = [*HEADS, *(["commit"] if has_commit else []), "judgments"]
        rows = [
            [
                *run_cells(run),
                *([run.commit] if has_commit else []),
                (run.judgments or "?")[:6],
                *(_value(run, name, digits) for name in metrics),
                *(str(run.fields.get(name, "")) for name in fields),
            ]
            for run in self.runs
        ]
        names = [MESSAGES[head].render(language) for head in heads]
        align = "l" * len(heads) + "r" * len(metrics) + "l" * len(fields)
        blocks: list[Any] = [Table([*names, *metrics, *fields], rows, align=align)]
        if len(self.runs) < self.total:
            key = "one" if len(self.runs) == 1 else "shown"
            blocks.append(Paragraph(MESSAGES[key].render(language, count=len(self.runs), all=self.total)))
        return Document(blocks)


def _value(run: LoggedRun, metric: str, digits: int) -> str:
    mean = run.metrics[metric].mean if metric in run.metrics else None
    return "" if mean is None else decimal(mean, digits)
