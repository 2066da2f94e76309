"""How the data are to be read, as the caller said; tables of whatever source."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.errors import InputError, ParameterError, UnknownNameError
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.records import are_rows
from rankgauge.inputs.sided_columns import SIDES, Columns, check_columns, columns_of
from rankgauge.segments import Segments

if TYPE_CHECKING:
    import polars as pl

COLUMNS = ("query", "item", "grade", "score", "rank", "time")
"""What a caller can say of columns."""


@dataclass
class ReadOptions:
    """How the data are to be read, as the caller said."""

    columns: Columns | None = None
    format: str | Mapping[str, str] | None = None
    """Of both sides, or of each under "judgments" and "ranking"."""
    groups: Sequence[int] | None = None
    offsets: Sequence[int] | None = None
    query_ids: Sequence[Any] | None = None
    lenient: bool = False

    def __post_init__(self) -> None:
        check_columns(self.columns, COLUMNS)
        for side in self.format if isinstance(self.format, Mapping) else ():
            if side not in SIDES:
                raise UnknownNameError.closest("key of format", side, SIDES)

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> ReadOptions:
        """From the options of ``evaluate``, some of which are not about reading."""
        return cls(
            **{
                name: value
                for name, value in options.items()
                if name not in {"weights", "progress", "side_information"}
            }
        )

    def columns_of(self, side: Role, *others: str) -> dict[str, str] | None:
        """What the caller said of the columns of one side, and of others that it may have."""
        return columns_of(self.columns, side, others) or None

    def format_of(self, side: Role) -> str | None:
        """The format of one side, None where it is to be guessed."""
        return self.format.get(side) if isinstance(self.format, Mapping) else self.format


def is_file(source: object) -> bool:
    """Whether the object names a file or is one."""
    return isinstance(source, str | PathLike) or hasattr(source, "read")


def is_table(source: object) -> bool:
    """Whether the object is a table of some library."""
    if isinstance(source, Mapping | list | tuple | np.ndarray):
        return False
    from rankgauge.inputs.frames import is_frame  # noqa: PLC0415

    return is_frame(source)


def is_ranking(value: Any) -> bool:
    """Whether a value is a whole ranking of many queries, not that of one."""
    if isinstance(value, Mapping):
        return bool(value) and all(isinstance(inner, Mapping | list | tuple | np.ndarray) for inner in value.values())
    if isinstance(value, np.ndarray):
        return value.ndim == 2  # noqa: PLR2004 (a matrix)
    return is_file(value) or (are_rows(value) if isinstance(value, list | tuple) else is_table(value))


def read_table(source: Any, side: Role, reading: ReadOptions, findings: Findings) -> pl.DataFrame:
    """A frame or a file as the columns query, item and grade or score."""
    if not is_file(source):
        from rankgauge.inputs.frames import read_frame  # noqa: PLC0415

        return read_frame(source, side, reading.columns_of(side), findings, reading.lenient)
    if side == "ranking":
        import polars as pl  # noqa: PLC0415

        return pl.concat([*ranking_frames(source, reading, findings)])
    from rankgauge.inputs.formats.reader import read_judgments  # noqa: PLC0415

    return read_judgments(
        source,
        format=reading.format_of(side),
        columns=reading.columns_of(side),
        findings=findings,
        lenient=reading.lenient,
    )


def ranking_frames(
    source: Any, reading: ReadOptions, findings: Findings, read: Callable[[int], None] | None = None
) -> Iterator[pl.DataFrame]:
    """A ranking from a file, block by block; ``read`` hears how many bytes were read."""
    from rankgauge.inputs.formats.reader import read_blocks  # noqa: PLC0415

    return read_blocks(
        source,
        "ranking",
        format=reading.format_of("ranking"),
        columns=reading.columns_of("ranking"),
        findings=findings,
        lenient=reading.lenient,
        progress=read,
    )


def listed(ids: Any) -> list[Any]:
    """Ids as Python's own objects."""
    return [] if ids is None else ids.tolist() if isinstance(ids, np.ndarray) else list(ids)


def groups_of(labels: np.ndarray[Any, Any], reading: ReadOptions) -> tuple[Segments, Sequence[Any] | None]:
    """Where each query of flat arrays begins and ends, and the ids of the queries where they were given."""
    given = [name for name in ("groups", "offsets", "query_ids") if getattr(reading, name) is not None]
    if len(given) != 1:
        raise ParameterError(
            "flat arrays need exactly one of groups=[sizes], offsets=[starts and end] or query_ids=[one an item], "
            f"not {' and '.join(given) or 'none'}"
        )
    if reading.groups is not None:
        sizes = np.asarray(reading.groups, dtype=np.int64)
        if (sizes < 0).any():
            raise ParameterError.of("each of groups", int(sizes[sizes < 0][0]), "the number of items of a query")
        return Segments.of_sizes(sizes), None
    if reading.offsets is not None:
        edges = np.asarray(reading.offsets, dtype=np.int64)
        if len(edges) == 0 or edges[0] != 0 or edges[-1] != len(labels) or (np.diff(edges) < 0).any():
            raise ParameterError(
                f"offsets must rise from 0 to {len(labels)}, the number of labels; they go from "
                f"{edges[0] if len(edges) else 'nothing'} to {edges[-1] if len(edges) else 'nothing'}"
            )
        return Segments(edges), None
    ids = listed(reading.query_ids)
    if len(ids) != len(labels):
        raise InputError(f"query_ids has {len(ids)} entries for {len(labels)} labels; give one for each")
    counts: dict[Any, int] = {}
    for query in ids:
        counts[query] = counts.get(query, 0) + 1
    return Segments.of_sizes(np.array([*counts.values()], dtype=np.int64)), [*counts]
