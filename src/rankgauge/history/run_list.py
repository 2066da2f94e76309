"""Runs of a store as a table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

from rankgauge.history.run import LoggedRun
from rankgauge.history.run_rows import HEADS, RunRows, run_cells
from rankgauge.rendering.document import Document, Paragraph, Table
from rankgauge.rendering.language import Phrase, check_lang
from rankgauge.rendering.plain import PlainData, decimal

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
