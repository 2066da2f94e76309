"""DataSide: the judgments of a source, or the ranking of one system in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings
from rankgauge.matching.read_options import ReadOptions

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class DataSide:
    """One side of data that were recognised by ``rg.read``: judgments, or a ranking; a file is read when needed."""

    source: Any
    role: Role
    name: str
    """The name of the file, or the type of the object."""
    options: ReadOptions
    description: str

    def options_for(self, options: ReadOptions) -> ReadOptions:
        """Return the options of a call, with the columns, format and split that this side was recognised with."""
        own = self.options
        lenient, split = options.lenient or own.lenient, options.split or own.split
        return replace(options, columns=own.columns, format=own.format, lenient=lenient, split=split)

    def frame(self) -> pl.DataFrame:
        """Return all rows as a polars frame of query, item, and grade or score."""
        from rankgauge.matching.sources import read_table  # noqa: PLC0415 (this module is imported there)

        findings = Findings()
        frame = read_table(self.source, self.role, self.options, findings)
        findings.raise_errors(self.options.lenient)
        return frame

    def __repr__(self) -> str:
        return f"<{self.role} of {self.name}: {self.description}>"
