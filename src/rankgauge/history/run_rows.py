"""Results of a history: rows of runs in every format, and how the runs were tested."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rankgauge.evaluation.score_formats import table_text
from rankgauge.history.paired import Window
from rankgauge.history.run import LoggedRun
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, ShownAsDocument
from rankgauge.rendering.frame_result import FrameResult, columns_of
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.rendering.plain import JsonResult, PlainData
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
