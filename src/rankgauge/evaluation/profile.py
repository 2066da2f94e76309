"""What is in files of judgments and rankings: a look at each, and at how they fit together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import Any

import polars as pl

from rankgauge.errors import InputError, shown
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.detection import SourceInfo, inspect_source
from rankgauge.inputs.formats.reader import read_blocks
from rankgauge.inputs.grade_checks import note_odd_grades
from rankgauge.inputs.io.compression import Source
from rankgauge.inputs.query_blocks import whole_queries
from rankgauge.metric_core.notation import parse

MOST_GRADES = 50
"""Different grades of which the counts are kept; more are no scale but a measurement."""
TOP = 10


@dataclass
class Profile:
    """One file: what it is and what is in it."""

    look: SourceInfo
    findings: Findings = field(default_factory=Findings)
    per_query: dict[str, int] = field(default_factory=dict)
    numbers: dict[float, int] = field(default_factory=dict)
    """How often each grade occurs; empty for rankings, and for judgments with more than ``MOST_GRADES``."""
    low: float = float("inf")
    high: float = float("-inf")
    tied: int = 0
    """Rows of a ranking whose score another item of the query has, too."""
    collapsing: int = 0
    """Different scores of a query that are equal in single precision."""
    repeated: int = 0
    """Rows with a query and an item that stood before."""
    scattered: bool = False
    """Whether a query comes back after others."""

    @property
    def rows(self) -> int:
        """All rows that could be read."""
        return sum(self.per_query.values())

    def sizes(self) -> tuple[int, float, int]:
        """The fewest, the median and the most rows of a query."""
        counts = [*self.per_query.values()] or [0]
        return min(counts), median(counts), max(counts)

    def to_dict(self) -> dict[str, Any]:
        """The profile as plain data."""
        low, middle, high = self.sizes()
        look, ranking = self.look, self.look.role == "ranking"
        return {
            "file": look.name,
            "role": look.role,
            "format": look.format,
            "compression": look.compression or None,
            "rows": self.rows,
            "queries": len(self.per_query),
            "items_per_query": {"min": low, "median": middle, "max": high},
            "range": [self.low, self.high] if self.rows else None,
            "repeated": self.repeated,
            "scattered": self.scattered,
            **({"tied": self.tied, "float32_collapses": self.collapsing} if ranking else {}),
            **({} if ranking else {"grades": {f"{grade:g}": count for grade, count in sorted(self.numbers.items())}}),
        }


@dataclass(frozen=True)
class Fit:
    """A ranking beside judgments."""

    ranking: str
    judged: int
    answered: int
    unjudged_top: float
    """The share of the top items that nobody judged, over the answered queries."""
    unjudged: float
    findings: Findings

    def to_dict(self) -> dict[str, Any]:
        """The fit as plain data."""
        return {
            "ranking": self.ranking,
            "judged_queries": self.judged,
            "answered_queries": self.answered,
            f"unjudged_at_{TOP}": self.unjudged_top,
            "unjudged": self.unjudged,
        }


def profile(
    source: Source,
    *,
    role: Role | None = None,
    format: str | None = None,  # noqa: A002 (the word that callers look for)
    columns: Mapping[str, str] | None = None,
) -> Profile:
    r"""Read a file from end to end, a block at a time, and tell what is in it; nothing stops at what is wrong.

    >>> import io
    >>> seen = profile(io.BytesIO(b"q1 0 a 1\nq1 0 b 0\nq2 0 a 1"))
    >>> seen.look.role, seen.rows, seen.sizes(), seen.numbers[1]
    ('judgments', 3, (1, 1.5, 2), 2)
    """
    look = inspect_source(source, role=role, format=format, columns=columns)
    found = Profile(look)
    given = format or (None if look.format in {"trec", "letor"} and columns else look.format)
    blocks = read_blocks(look.source, look.role, format=given, columns=columns, findings=found.findings, lenient=True)
    for block, _ in whole_queries(blocks):
        _add(found, block)
    if look.role == "judgments" and found.low > 0 and found.rows:
        found.findings.add("RG405", f"{look.name}: all {found.rows:,} grades are above 0")
    if found.scattered:
        found.findings.add("RG304", f"{look.name}: a query comes back after others")
    return found


def fit(judgments: Any, rankings: Mapping[str, Any], **reading: Any) -> Iterator[Fit]:
    """How each ranking fits the judgments: queries in common, and what nobody judged."""
    top, whole = parse(f"Judged@{TOP}"), parse("Judged")
    for name, ranking in rankings.items():
        try:
            scores = evaluate(judgments, {name: ranking}, [top, whole], lenient=True, **reading)
        except InputError as error:
            if "RG401" not in error.codes:
                raise
            findings = Findings()
            findings.add("RG401", f"{name}: no query of it is judged")
            yield Fit(name, 0, 0, float("nan"), float("nan"), findings)
            continue
        missing = {*scores.missing}
        in_top, in_all = (
            fmean(1 - value for query, value in scores.per_query(metric).items() if query not in missing)
            for metric in (top, whole)
        )
        answered = len(scores.queries) - len(missing)
        yield Fit(name, len(scores.queries), answered, in_top, in_all, scores.findings)


def _add(found: Profile, block: pl.DataFrame) -> None:
    """Count a block of whole queries."""
    number = block.columns[2]
    counts = block.group_by("query", maintain_order=True).len()
    for query, count in counts.iter_rows():
        found.scattered = found.scattered or query in found.per_query
        found.per_query[query] = found.per_query.get(query, 0) + count
    found.scattered = found.scattered or len(block["query"].rle()) > counts.height
    values = block[number]
    found.low, found.high = min(found.low, values.min()), max(found.high, values.max())  # type: ignore[type-var, assignment]
    _note_repetitions(found, block, number)
    if found.look.role == "ranking":
        groups = block.group_by("query", "score").len()
        found.tied += int(groups.filter(pl.col("len") > 1)["len"].sum())
        single = groups.with_columns(pl.col("score").cast(pl.Float32)).select("query", "score").n_unique()
        found.collapsing += groups.height - single
        return
    for grade, count in values.value_counts().iter_rows():
        if grade in found.numbers or len(found.numbers) < MOST_GRADES:
            found.numbers[grade] = found.numbers.get(grade, 0) + count
    note_odd_grades(values.to_numpy(), lambda row: _place(found.look.name, block, row), found.findings)


def _note_repetitions(found: Profile, block: pl.DataFrame, number: str) -> None:
    once = block.select("query", "item").n_unique()
    repeated = block.height - once
    if not repeated:
        return
    found.repeated += repeated
    again = block.filter(pl.struct("query", "item").is_duplicated())
    place = _place(found.look.name, again, 0)
    if number == "score":
        found.findings.add("RG301", f"item more than once {place}", repeated)
        return
    same = block.height - block.n_unique()
    if same:
        found.findings.add("RG303", f"item more than once {place}", same)
    if repeated > same:
        found.findings.add("RG302", f"item with several grades {place}", repeated - same)


def _place(name: str, block: pl.DataFrame, row: int) -> str:
    query, item, _ = block.row(row)
    return f"({name}, query {shown(query)}, item {shown(item)})"
