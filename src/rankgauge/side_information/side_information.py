"""SideInformation: the tables that metrics need in addition to judgments and rankings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from inspect import Signature, signature
from typing import Any, ClassVar, Self, TypeAlias

from rankgauge.errors import MissingTableError, ParameterError, UnknownNameError
from rankgauge.matching.source_types import SideTableLike
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.requirements import NEEDS
from rankgauge.rendering.language import Phrase


@dataclass(frozen=True, kw_only=True, eq=False)
class SideInformation:
    """Tables for metrics beyond accuracy.

    Every table may also be a file: CSV, TSV, JSONL, Parquet or Arrow, compressed or not.

    Parameters
    ----------
    items
        The ids of all items of the catalogue, or their number. A file may have one id per line.
    training
        The training data of the systems: rows of ``(user, item)`` with or without a number, ``{user: [items]}``,
        a frame, a file, or a sparse matrix. A pair counts once.
    popularity
        ``{item: number of users}``; by default counted in the training data.
    features
        ``{item: vector}``, a frame of an item column and numbers, ``(ids, matrix)``, a matrix whose rows are items, or
        a file of NumPy: .npy such a matrix, .npz the arrays ``items`` and ``features``.
    categories
        ``{item: category or [categories]}``, rows of ``(item, category)``, or such a frame. In a text, ``|`` separates
        several categories; the texts of a list are taken as they are.
    item_groups
        ``{item: group}``, rows of ``(item, group)``, or such a frame.
    subtopics
        ``{query: {item: {subtopic: grade}}}``, rows of ``(query, subtopic, item, grade)``, a frame with these columns,
        or a TREC file of diversity judgments.
    baseline
        The recommendations of a baseline: a ranking in any form that ``evaluate`` takes.

    Examples
    --------
    >>> import rankgauge as rg
    >>> side = rg.SideInformation(categories={"a": ["drama"], "b": ["drama", "war"], "c": ["comedy"]})
    >>> ild = rg.ILD(distance="jaccard") @ 3
    >>> scores = rg.evaluate({"u": {"a": 1}}, {"u": ["a", "b", "c"]}, ["RR", ild], side_information=side)
    >>> round(scores.mean(ild), 6)  # ((1 - 1/2) + 1 + 1) / 3
    0.833333
    """

    items: SideTableLike | int | None = None
    training: SideTableLike | None = None
    popularity: SideTableLike | None = None
    features: SideTableLike | None = None
    categories: SideTableLike | None = None
    item_groups: SideTableLike | None = None
    subtopics: SideTableLike | None = None
    baseline: SideTableLike | None = None

    __signature__: ClassVar[Signature]

    def __new__(cls, **tables: object) -> Self:
        """Refuse an unknown table and name the closest."""
        for name in tables:
            if name not in cls.__dataclass_fields__:
                kind = Phrase("table of SideInformation", " SideInformation 的表")
                raise UnknownNameError.closest(kind, name, cls.__dataclass_fields__)
        return super().__new__(cls)

    def __repr__(self) -> str:
        tables = [field.name for field in fields(self) if getattr(self, field.name) is not None]
        return f"<SideInformation: {', '.join(tables) or 'no tables'}>"

    def check(self, metric: Metric) -> None:
        """Raise an error if a table that this metric needs is missing, saying how to pass it."""
        for name in metric.definition.needs or ():
            need = NEEDS[name]
            if need.tables and all(getattr(self, table) is None for table in need.tables):
                reason = f"{metric} needs {need.what.en}", f"{metric} 需要{need.what.zh}"
                raise MissingTableError(reason, need.how, need.tables)


NOTHING = SideInformation()
SideInformationLike: TypeAlias = SideInformation | Mapping[str, Any]
"""Side information as a record, or its tables by name."""


def check_side_information(side_information: object) -> SideInformation:
    """Return the side information that was passed, by name or as a record, or an empty one for None.

    >>> check_side_information({"items": 9})
    <SideInformation: items>
    """
    if side_information is None:
        return NOTHING
    if isinstance(side_information, Mapping):
        return SideInformation(**{str(name): table for name, table in side_information.items()})
    if not isinstance(side_information, SideInformation):
        expected = "an rg.SideInformation(training=..., features=..., ...)"
        raise ParameterError.of("side_information", side_information, expected)
    return side_information


# Editors and notebooks would show the keywords of __new__.
SideInformation.__signature__ = Signature([*signature(SideInformation.__init__).parameters.values()][1:])
