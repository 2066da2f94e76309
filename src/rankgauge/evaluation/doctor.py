"""`doctor`: what files contain, how well they fit together, and what to do about problems."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import fmean, median
from typing import Any, Unpack

import polars as pl

from rankgauge.errors import DataWarning, InputError, ParameterError
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.evaluation.value_recognition import refuse_values
from rankgauge.inputs.codes import Role
from rankgauge.inputs.findings import Findings, with_ids
from rankgauge.inputs.formats.line_search import find_place
from rankgauge.inputs.formats.reader import SourceInfo
from rankgauge.inputs.grade_checks import note_unusual_grades, row_place
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.inputs.table_rows import whole_queries
from rankgauge.matching.source_sides import SourceSide, source_sides
from rankgauge.matching.source_types import JudgmentsLike, RankingLike
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.document import Block, Document, Paragraph, ShownAsDocument, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang, plural
from rankgauge.rendering.plain import FrameResult, JsonResult, PlainData, columns_of

MOST_GRADES = 50
"""Number of different grades that are counted; more are a measurement, not a scale."""
TOP = 10
SCHEMA = 1
NO_SOURCE = Phrase("doctor: pass one or more files, frames or dicts", "doctor：请给出一个或多个文件、数据框或字典")
MESSAGES = {
    "role": Phrase("role", "内容"),
    "judgments": Phrase("judgments", "标注"),
    "ranking": Phrase("ranking", "排序结果"),
    "format": Phrase("format", "格式"),
    "shape": Phrase("shape", "形式"),
    "rows": Phrase("rows", "行数"),
    "queries": Phrase("queries", "查询数"),
    "sizes": Phrase("items per query", "每个查询的物品数"),
    "size": Phrase("{low} to {high}, median {middle}", "{low} 至 {high}，中位数 {middle}"),
    "grades": Phrase("grades", "等级"),
    "scores": Phrase("scores", "分数"),
    "range": Phrase("{low} to {high}", "{low} 至 {high}"),
    "tied": Phrase("rows with tied scores", "分数并列的行数"),
    "collapsing": Phrase("scores equal in single precision", "单精度下相等的分数"),
    "repeated": Phrase("duplicate rows", "重复的行数"),
    "answered": Phrase("judged queries with results", "有结果的已标注查询"),
    "unjudged top": Phrase(f"unjudged in the top {TOP}", f"前 {TOP} 个中未标注的比例"),
    "unjudged": Phrase("unjudged overall", "全部物品中未标注的比例"),
    "no findings": Phrase("Nothing suspicious was found.", "没有发现可疑之处。"),
}


@dataclass
class Profile:
    """What one file contains."""

    info: SourceInfo
    findings: Findings = field(default_factory=Findings)
    table: pl.DataFrame | None = None
    """All rows, if they are kept."""
    per_query: dict[str, int] = field(default_factory=dict)
    """Number of rows of each query."""
    grades: dict[float, int] = field(default_factory=dict)
    """Number of rows of each grade, for at most ``MOST_GRADES`` grades; empty for rankings."""
    low: float = float("inf")
    high: float = float("-inf")
    tied: int = 0
    """Rows of a ranking that share their score with another item of the query."""
    collapsing: int = 0
    """Different scores of a query that are equal in single precision."""
    repeated: int = 0
    """Rows whose query and item occurred before."""
    scattered: bool = False
    """Whether the rows of a query are not together."""

    @property
    def rows(self) -> int:
        """Number of valid rows."""
        return sum(self.per_query.values())

    def sizes(self) -> tuple[int, float, int]:
        """Return the smallest, median and largest number of rows of a query."""
        counts = [*self.per_query.values()] or [0]
        return min(counts), median(counts), max(counts)

    def to_dict(self) -> PlainData:
        """Return the profile as plain data."""
        low, middle, high = self.sizes()
        info, is_ranking = self.info, self.info.role == "ranking"
        grades = {f"{grade:g}": count for grade, count in sorted(self.grades.items())}
        return {
            "file": info.name,
            "role": info.role,
            "format": info.format,
            "compression": info.compression or None,
            **({"shape": info.content.shape, "reason": info.content.reason.en} if info.content.shape else {}),
            "rows": self.rows,
            "queries": len(self.per_query),
            "items_per_query": {"min": low, "median": middle, "max": high},
            "range": [self.low, self.high] if self.rows else None,
            "repeated": self.repeated,
            "scattered": self.scattered,
            **({"tied": self.tied, "float32_collapses": self.collapsing} if is_ranking else {"grades": grades}),
        }


@dataclass(frozen=True)
class Coverage:
    """How well judgments cover a ranking."""

    ranking: str
    judged: int
    """Number of judged queries."""
    answered: int
    """Number of judged queries that the ranking has results for."""
    unjudged_top: float
    """Share of the top items of all queries that are not judged."""
    unjudged: float
    """Share of all items that are not judged."""
    findings: Findings

    def to_dict(self) -> PlainData:
        """Return the coverage as plain data."""
        return {
            "ranking": self.ranking,
            "judged_queries": self.judged,
            "answered_queries": self.answered,
            f"unjudged_at_{TOP}": self.unjudged_top,
            "unjudged": self.unjudged,
        }


def doctor(
    *sources: JudgmentsLike | RankingLike,
    role: Role | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Diagnosis:
    r"""Inspect judgments and rankings, and report what is suspicious and what to do about it.

    If exactly one source holds judgments, the rankings are matched with them. Invalid rows are reported, not raised.

    Parameters
    ----------
    *sources
        Files, open files, frames, lists of records, or what ``rg.read`` returns: judgments, rankings, or both in one.
    role
        ``"judgments"`` or ``"ranking"``, for sources that could be either; of several such sources, the first is the
        judgments unless another source is.
    read_options, **read
        How data are read, as for ``evaluate``.

    Examples
    --------
    >>> import io, rankgauge as rg
    >>> ranking = rg.read({"q1": ["b", "a"]}, role="ranking")
    >>> diagnosis = rg.doctor(io.BytesIO(b"q1 0 a 1\nq1 0 b 0\nq2 0 a 1"), ranking)
    >>> [(profile.info.role, profile.rows) for profile in diagnosis.profiles]
    [('judgments', 3), ('ranking', 2)]
    >>> diagnosis.coverages[0].answered
    1
    """
    options = ReadOptions.of(doctor, read_options, read)
    if not sources:
        raise ParameterError(NO_SOURCE)
    for source in sources:
        refuse_values(source)
    several = len(sources) > 1
    return diagnose([profile(side, keep_table=several) for side in source_sides(sources, role, options)])


def profile(side: SourceSide, *, keep_table: bool = False) -> Profile:
    """Read a side block by block, without stopping at errors, and summarise what it contains."""
    info = side.info
    result = Profile(info)
    if side.table is None:
        result.findings.where[info.role] = partial(find_place, info.file, info.role, side.options)
    blocks = side.blocks(result.findings, lenient=True, may_be_invalid=True)
    kept = []
    for block, _ in whole_queries(blocks):
        _add_block(result, block)
        if keep_table:
            kept.append(block)
    result.findings.lenient = side.options.lenient and result.rows > 0  # the profile itself stops at nothing
    if kept:
        result.table = pl.concat(kept)
    if info.role == "judgments" and result.low > 0 and result.rows:
        grades_are = plural(result.rows, "the only grade is", "all # grades are")
        every = "唯一的等级" if result.rows == 1 else f"全部 {result.rows:,} 个等级"
        result.findings.add("RG405", (f"{info.name}: {grades_are} above 0", f"{info.name}：{every}均大于 0"))
    if result.scattered:
        en, zh = "the rows of a query are not together", "同一查询的行不连续"
        result.findings.add("RG304", (f"{info.name}: {en}", f"{info.name}：{zh}"))
    return result


def coverage(judgments: Profile, ranking: Profile) -> Coverage:
    """Return how well judgments cover a ranking; both profiles have kept their tables."""
    name, metrics = ranking.info.name, [parse(f"Judged@{TOP}"), parse("Judged")]
    rows: list[pl.DataFrame] = [entry.table for entry in (judgments, ranking) if entry.table is not None]
    try:
        with warnings.catch_warnings():  # the findings are what a diagnosis shows
            warnings.simplefilter("ignore", DataWarning)
            scores = evaluate(rows[0], {name: rows[1]}, metrics, lenient=True)
    except InputError as error:
        if "RG401" not in error.codes:
            raise
        findings = Findings()
        findings.add("RG401", (f"{name}: none of its queries is judged", f"{name}：没有一个查询有标注"))
        return Coverage(name, len(judgments.per_query), 0, float("nan"), float("nan"), findings)
    missing = {*scores.missing}
    sizes = {query: ranking.per_query[query] for query in scores.queries if query not in missing}
    in_top, in_all = (
        fmean((1 - scores.per_query(metric)[query] for query in sizes), [min(size, depth) for size in sizes.values()])
        for metric, depth in zip(metrics, (TOP, math.inf), strict=True)
    )
    scores.findings.lenient = judgments.findings.lenient
    return Coverage(name, len(scores.queries), len(scores.queries) - len(missing), in_top, in_all, scores.findings)


def _add_block(result: Profile, block: pl.DataFrame) -> None:
    """Add a block of whole queries to a profile."""
    number = block.columns[2]
    counts = block.group_by("query", maintain_order=True).len()
    for query, count in counts.iter_rows():
        result.scattered = result.scattered or query in result.per_query
        result.per_query[query] = result.per_query.get(query, 0) + count
    result.scattered = result.scattered or len(block["query"].rle()) > counts.height
    values = block[number]
    result.low = min(result.low, values.min())  # type: ignore[type-var, assignment]
    result.high = max(result.high, values.max())  # type: ignore[type-var, assignment]
    _count_duplicates(result, block, number)
    if result.info.role == "ranking":
        groups = block.group_by("query", "score").len()
        result.tied += int(groups.filter(pl.col("len") > 1)["len"].sum())
        single = groups.with_columns(pl.col("score").cast(pl.Float32)).select("query", "score").n_unique()
        result.collapsing += groups.height - single
        return
    for grade, count in values.value_counts().iter_rows():
        if grade in result.grades or len(result.grades) < MOST_GRADES:
            result.grades[grade] = result.grades.get(grade, 0) + count
    note_unusual_grades(values.to_numpy(), lambda row: row_place(block, row, result.info.name), result.findings)


def _count_duplicates(result: Profile, block: pl.DataFrame, number: str) -> None:
    repeated = block.height - block.select("query", "item").n_unique()
    if not repeated:
        return
    result.repeated += repeated
    duplicates = block.filter(pl.struct("query", "item").is_duplicated())
    same = block.height - block.n_unique()

    def report(code: str, problem: Phrase, rows: pl.DataFrame, count: int) -> None:
        query, item, _ = rows.row(0)
        place = result.findings.place(result.info.role, query, item, 2)
        result.findings.add(
            code, with_ids(f"{place.en}: {problem.en}", f"{place.zh}：{problem.zh}", query, item), count
        )

    again = Phrase("item occurs more than once", "物品出现多次")
    if number == "score":
        report("RG301", again, duplicates, repeated)
        return
    if same:
        report("RG303", again, duplicates.filter(duplicates.is_duplicated()), same)
    if repeated > same:
        several = duplicates.filter(pl.col(number).n_unique().over("query", "item") > 1)
        report("RG302", Phrase("item has several grades", "物品有多个等级"), several, repeated - same)


def diagnose(profiles: Sequence[Profile]) -> Diagnosis:
    """Return the diagnosis of profiled files; if exactly one holds judgments, the rankings are matched with it."""
    judgments = [entry for entry in profiles if entry.info.role == "judgments" and entry.table is not None]
    rankings = [entry for entry in profiles if entry.info.role == "ranking" and entry.table is not None]
    return Diagnosis(profiles, [coverage(judgments[0], entry) for entry in rankings] if len(judgments) == 1 else [])


@dataclass(frozen=True, repr=False)
class Diagnosis(ShownAsDocument, FrameResult, JsonResult):
    """Profiles of files, and how well the judgments cover each ranking."""

    profiles: Sequence[Profile]
    coverages: Sequence[Coverage]

    @property
    def findings(self) -> Findings:
        """Findings of all files; those of a coverage only if no profile has the same code."""
        merged = Findings()
        for entry in self.profiles:
            merged.merge(entry.findings)
        codes = {finding.code for finding in merged}
        for result in self.coverages:
            merged.merge(result.findings.without(codes))
        return merged

    def frame_columns(self) -> Mapping[str, Sequence[Any]]:
        """One row for each file; for a ranking with its coverage by the judgments."""
        fits = {result.ranking: result.to_dict() for result in self.coverages}
        return columns_of(
            {name: value for name, value in entry.to_dict().items() if not isinstance(value, dict | list)}
            | dict(zip(("items_min", "items_median", "items_max"), entry.sizes(), strict=True))
            | {"low": entry.low, "high": entry.high}
            | {name: value for name, value in fits.get(entry.info.name, {}).items() if name != "ranking"}
            for entry in self.profiles
        )

    def document(self, lang: str = "en") -> Document:
        """Return the diagnosis as a page."""
        language = check_lang(lang)
        blocks: list[Block] = [_profile_table(entry, language) for entry in self.profiles]
        if self.coverages:
            blocks.append(_coverage_table(self.coverages, language))
        findings = self.findings.table(language, hidden={"RG106"})
        return Document([*blocks, findings if findings.rows else Paragraph(MESSAGES["no findings"].render(language))])

    def __repr__(self) -> str:
        return f"<Diagnosis of {', '.join(profile.info.name for profile in self.profiles)}>"

    def to_dict(self) -> PlainData:
        """Return the diagnosis as plain data."""
        return {
            "schema": SCHEMA,
            "files": [entry.to_dict() for entry in self.profiles],
            "fits": [entry.to_dict() for entry in self.coverages],
            "findings": [{**finding.to_dict(), "remedy": finding.remedy.en} for finding in self.findings],
        }


def _profile_table(entry: Profile, lang: Lang) -> Table:
    info = entry.info
    low, middle, high = entry.sizes()
    rows = [
        ("role", MESSAGES[info.role].render(lang)),
        ("format", f"{info.format}, {info.compression}" if info.compression else info.format),
        *([("shape", f"{info.content.shape}: {info.content.reason.render(lang)}")] if info.content.shape else []),
        ("rows", f"{entry.rows:,}"),
        ("queries", f"{len(entry.per_query):,}"),
        ("sizes", MESSAGES["size"].render(lang, low=f"{low:,}", middle=f"{middle:,g}", high=f"{high:,}")),
    ]
    if entry.rows and info.role == "judgments" and entry.grades:
        rows.append(("grades", " · ".join(f"{grade:g}: {count:,}" for grade, count in sorted(entry.grades.items()))))
    elif entry.rows:
        name = "scores" if info.role == "ranking" else "grades"
        rows.append((name, MESSAGES["range"].render(lang, low=f"{entry.low:g}", high=f"{entry.high:g}")))
    counts = (("tied", entry.tied), ("collapsing", entry.collapsing), ("repeated", entry.repeated))
    rows += [(name, f"{count:,} ({_percentage(count / entry.rows)})") for name, count in counts if count]
    return Table(["", ""], [[MESSAGES[name].render(lang), value] for name, value in rows], caption=info.name)


def _coverage_table(coverages: Iterable[Coverage], lang: Lang) -> Table:
    rows = [
        [
            entry.ranking,
            f"{entry.answered:,} / {entry.judged:,}",
            *map(_percentage, (entry.unjudged_top, entry.unjudged)),
        ]
        for entry in coverages
    ]
    titles = [MESSAGES[name].render(lang) for name in ("ranking", "answered", "unjudged top", "unjudged")]
    return Table(titles, rows, align="lrrr")


def _percentage(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.1%}"
