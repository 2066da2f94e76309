"""Types of what verbs take: judgments, rankings, weights and attributes in every form that is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import IO, TYPE_CHECKING, Any, Protocol, TypeAlias, Union

if TYPE_CHECKING:
    import numpy as np

    from rankgauge.inputs.source import Source
    from rankgauge.matching.data import Data
    from rankgauge.matching.judgments import Judgments
    from rankgauge.matching.ranking import Ranking


class FrameLike(Protocol):
    """A table with named columns: a frame of pandas or polars, a relation of DuckDB."""

    @property
    def columns(self) -> Any:
        """Names of the columns."""


class ArrowLike(Protocol):
    """A table that hands its columns over as an Arrow stream, such as one of pyarrow."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the stream."""


class MatrixLike(Protocol):
    """A matrix of numbers: a sparse matrix of SciPy, or a tensor."""

    @property
    def shape(self) -> Any:
        """Number of rows and columns."""


PathType: TypeAlias = str | PathLike[str]
"""A path."""
FileLike: TypeAlias = PathType | IO[bytes]
"""A path, a glob, or an open binary file."""
ArrayLike: TypeAlias = Union[MatrixLike, "np.ndarray[Any, Any]"]
"""An array of NumPy, torch, JAX or CuPy, or a sparse matrix of SciPy."""
TableLike: TypeAlias = FrameLike | ArrowLike | FileLike
"""A frame, or a file with one."""
JudgmentsLike: TypeAlias = Union[Mapping[Any, Any], Iterable[Any], TableLike, ArrayLike, "Data", "Source", "Judgments"]
"""Judgments: ``{query: {item: grade}}``, ``{query: [relevant items]}``, rows of ``(query, item, grade)``, records, a
frame, a file, a matrix, or what ``rg.read`` returns."""
RankingLike: TypeAlias = Union[Mapping[Any, Any], Iterable[Any], TableLike, ArrayLike, "Data", "Source", "Ranking"]
"""A ranking: ``{query: {item: score}}``, ``{query: [items, best first]}``, rows of ``(query, item, score)``, records, a
frame, a file, a matrix, or what ``rg.read`` returns."""
RankingsLike: TypeAlias = Union[Mapping[str, RankingLike], Sequence[PathType], "Data"]
"""Rankings of several systems by their names, or a list of files, which are named after them."""
WeightsLike: TypeAlias = Mapping[Any, float]
"""Weights of queries: ``{query: weight}``."""
AttributesLike: TypeAlias = Mapping[Any, Mapping[str, Any]] | TableLike
"""Attributes of queries: ``{query: {attribute: value}}``, or a table with a query column."""
ById: TypeAlias = Mapping[Any, Any] | TableLike
"""Values by id: a dict, or a table with a column of ids."""
SideTableLike: TypeAlias = Mapping[Any, Any] | Iterable[Any] | TableLike | ArrayLike
"""A table of side information: a dict, a list, a frame, a matrix or a file."""
