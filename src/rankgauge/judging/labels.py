"""Labels: grades of pairs of query and item by one or more raters, in one table whatever the source."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import polars as pl

from rankgauge.errors import ParameterError, UnknownNameError, check_choice, shown
from rankgauge.evaluation.score_formats import table_text
from rankgauge.inputs.findings import Findings, with_ids
from rankgauge.inputs.frames import with_like_ids
from rankgauge.inputs.sheet_labels import majority
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.inputs.read_options import ReadOptions


Combination: TypeAlias = Literal["majority", "mean", "adjudicated", "optimistic", "pessimistic"]
"""How the grades of several raters become one."""
PAIR = ["query", "item"]
SCHEMA: dict[str, Any] = {
    "rater": pl.String,
    "grade": pl.Float64,
    "probability": pl.Float64,
    "inclusion": pl.Float64,
    "time": pl.String,
    "prompt_version": pl.String,
    "reason": pl.String,
}
"""The columns of labels besides the query and the item."""
SUM_TOLERANCE = 1e-3
"""How far the probabilities of the grades of an item may be from 1: tools round them."""
ADJUDICATOR = "adjudicator"


@dataclass(frozen=True, eq=False, repr=False)
class Labels:
    """Grades of pairs of query and item.

    ``frame`` has the columns query, item, rater, grade (null where the rater could not tell), probability (of this
    grade), inclusion (probability of being chosen for labelling), time, prompt_version and reason; null where unknown.
    """

    frame: pl.DataFrame
    name: str = "labels"
    findings: Findings = field(default_factory=Findings)
    repeats: pl.DataFrame | None = None
    """Second labels of pairs that a sheet asked twice: query, item, rater and grade."""
    pool: str = ""
    """Fingerprint of the pool that the pairs were chosen in; empty if they do not come from a judging sheet."""

    @classmethod
    def of(cls, source: Any, options: ReadOptions, name: str) -> Labels:
        """Return labels as they are, and read any other source."""
        if isinstance(source, Labels):
            return source
        from rankgauge.judging.label_sources import read_labels  # noqa: PLC0415 (reads this module's names)

        return read_labels(source, options, name)

    @classmethod
    def checked(cls, frame: pl.DataFrame, name: str, findings: Findings, lenient: bool) -> Labels:
        """Return a table as labels, with all columns; report what cannot be used."""
        missing = [pl.lit(None, dtype=kind).alias(column) for column, kind in SCHEMA.items() if column not in frame]
        frame = frame.with_columns(missing).with_columns(pl.col(column).cast(kind) for column, kind in SCHEMA.items())
        frame = frame.select(*PAIR, *SCHEMA)
        frame = _without_repeats(frame, name, findings)
        _check_chances(frame, findings)
        unrateable = frame.filter(pl.col("grade").is_null())
        if unrateable.height:
            query, item = unrateable.row(0)[:2]
            example = with_ids(f"{name}: no grade was given", f"{name}：没有给出等级", query, item)
            findings.add("RG608", example, unrateable.height)
        findings.raise_errors(lenient)
        return cls(frame, name, findings)

    @classmethod
    def merged(cls, parts: Sequence[Labels]) -> Labels:
        """Return the labels of several sources as one; report a pair labelled twice, and labels of different pools."""
        if len(parts) == 1:
            return parts[0]
        findings, name = Findings(), ", ".join(part.name for part in parts)
        pools = list(dict.fromkeys(part.pool for part in parts if part.pool))
        for part in parts:
            findings.merge(part.findings)
        if len(pools) > 1:
            listed = ", ".join(map(shown, pools))
            findings.add("RG615", (f"labels of the pools {listed}", f"标签来自标注池 {listed}"), len(pools) - 1)
        frames = [part.frame for part in parts]
        if len({tuple(frame.schema[column] for column in PAIR) for frame in frames}) > 1:
            frames = [frame.with_columns(pl.col(PAIR).cast(pl.String)) for frame in frames]
        repeats = [part.repeats for part in parts if part.repeats is not None]
        merged = cls.checked(pl.concat(frames), name, findings, lenient=False)
        return replace(merged, repeats=pl.concat(repeats) if repeats else None, pool=next(iter(pools), ""))

    def disagreements(self) -> pl.DataFrame:
        """Return the pairs to which raters gave different grades, and the adjudicator none: as ``by_rater``."""
        rated = self.frame.filter(pl.col("grade").is_not_null())
        is_decided = (pl.col("rater") == ADJUDICATOR).fill_null(value=False).any()
        is_open = rated.group_by(PAIR).agg((pl.col("grade").n_unique() > 1) & ~is_decided)
        return self.by_rater().join(is_open.filter("grade"), on=PAIR, how="semi", maintain_order="left")

    def __repr__(self) -> str:
        raters = ", ".join(map(shown, self.raters)) or "1 rater"
        return f"<Labels {self.name}: {self.frame.height:,} of {raters}>"

    @property
    def raters(self) -> list[str]:
        """Names of the raters, in order of appearance; empty if none is named."""
        return self.frame["rater"].drop_nulls().unique(maintain_order=True).to_list()

    @property
    def has_probabilities(self) -> bool:
        """Whether each grade has a probability."""
        return self.frame["probability"].is_not_null().any()

    @property
    def has_inclusion(self) -> bool:
        """Whether pairs were drawn with known probabilities; a probability of 1 alone says nothing about the others."""
        return (self.frame["inclusion"] < 1).any()

    def of_rater(self, rater: str) -> Labels:
        """Return the labels of one rater."""
        if rater not in self.raters:
            raise UnknownNameError.closest(("rater", "评分者"), rater, self.raters)
        return replace(self, frame=self.frame.filter(pl.col("rater") == rater))

    def combined(self, raters: Combination = "majority", adjudicator: str = ADJUDICATOR) -> pl.DataFrame:
        """Return one grade for each pair: query, item, grade and inclusion; pairs without a grade are left out.

        Parameters
        ----------
        raters
            ``"majority"``: the most frequent grade, of several the lowest; ``"mean"``; ``"adjudicated"``: the grade of
            the adjudicator, or that on which all agree; ``"optimistic"``: the highest; ``"pessimistic"``: the lowest.
        adjudicator
            The rater who decides where others disagree.

        Examples
        --------
        >>> labels = Labels(
        ...     pl.DataFrame(
        ...         {
        ...             "query": ["q"] * 3,
        ...             "item": ["a"] * 3,
        ...             "rater": ["x", "y", "z"],
        ...             "grade": [0.0, 2.0, 2.0],
        ...             "inclusion": [None] * 3,
        ...         }
        ...     )
        ... )
        >>> [labels.combined(way)["grade"].item() for way in ("majority", "pessimistic")]
        [2.0, 0.0]
        """
        check_choice("raters", raters, get_args(Combination))
        rated = self.frame.filter(pl.col("grade").is_not_null())
        ways = {
            "majority": majority(),
            "mean": pl.col("grade").mean(),
            "optimistic": pl.col("grade").max(),
            "pessimistic": pl.col("grade").min(),
        }
        chosen = pl.col("grade").filter(pl.col("rater") == adjudicator).first()
        unanimous = pl.when(pl.col("grade").n_unique() == 1).then(pl.col("grade").first())
        grade = pl.coalesce(chosen, unanimous) if raters == "adjudicated" else ways[raters]
        pairs = rated.group_by(PAIR, maintain_order=True).agg(grade.alias("grade"), pl.col("inclusion").first())
        open_cases = pairs.filter(pl.col("grade").is_null())
        if open_cases.height:
            example = with_ids("raters disagree", "评分者意见不一", *open_cases.row(0)[:2])
            self.findings.add("RG610", example, open_cases.height)
        return pairs.filter(pl.col("grade").is_not_null())

    def export(self, to: str, combine: Combination = "majority") -> str:
        """Return the labels as text for another program.

        Parameters
        ----------
        to
            ``"trec"``: TREC qrels; ``"csv"``: a row for each label, with its rater; ``"quepid"``: the CSV of a Quepid
            book, a column for each rater; ``"workbench"``: JSON of the OpenSearch Search Relevance Workbench.
        combine
            How several raters become one, in formats that have one grade for a pair; see ``combined``.
        """
        check_choice("to", to, EXPORTS, "Labels.export")
        return EXPORTS[to](self, combine)

    def by_rater(self) -> pl.DataFrame:
        """Return a row per pair and a column per rater: grade_1, grade_2, ..."""
        tables = [self.frame.filter(pl.col("rater") == rater).select(*PAIR, "grade") for rater in self.raters]
        table = self.frame.select(PAIR).unique(maintain_order=True)
        for place, own in enumerate(tables, 1):
            column = own.unique(PAIR, keep="last", maintain_order=True).rename({"grade": f"grade_{place}"})
            table = table.join(column, on=PAIR, how="left")
        return table

    def identities(self) -> dict[tuple[str, str], Labels]:
        """Return the labels of each judge: model, and prompt version or time."""
        version = pl.coalesce("prompt_version", pl.col("time").str.slice(0, 10), pl.lit(""))
        keyed = self.frame.with_columns(version.alias("version"), pl.col("rater").fill_null(self.name))
        parts = keyed.partition_by("rater", "version", as_dict=True, maintain_order=True)
        return {
            (str(rater), str(at)): replace(self, frame=part.drop("version"), name=f"{rater} {at}".strip())
            for (rater, at), part in parts.items()
        }


def check_scale(frame: pl.DataFrame, scale: object, name: str, findings: Findings) -> None:
    """Report grades outside a scale ``(lowest, highest)``."""
    if scale is None:
        return
    ends = [*scale] if isinstance(scale, tuple | list) else []
    if len(ends) != len(PAIR) or not all(isinstance(end, int | float) for end in ends) or not ends[0] < ends[1]:
        allowed = "the lowest and the highest grade, such as (0, 4)", "最低与最高等级，如 (0, 4)"
        raise ParameterError.of("scale", scale, allowed)
    outside = frame.filter(~pl.col("grade").is_between(*ends))
    if outside.height:
        query, item, grade = outside.select(*PAIR, "grade").row(0)
        en = f"{name}: grade {grade:g} is not on the scale from {ends[0]:g} to {ends[1]:g}"
        zh = f"{name}：等级 {grade:g} 不在 {ends[0]:g} 到 {ends[1]:g} 之间"
        findings.add("RG607", with_ids(en, zh, query, item), outside.height)


def as_judgments(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return the columns that ``rg.evaluate`` takes."""
    return pairs.select(*PAIR, "grade")


def side_by_side(tables: Sequence[pl.DataFrame], how: Literal["full", "inner"]) -> pl.DataFrame:
    """Return pairs of tables with a column of grades for each: grade_1, grade_2, ..."""
    named = [table.rename({"grade": f"grade_{place}"}) for place, table in enumerate(with_like_ids(*tables), 1)]
    joined = named[0]
    for table in named[1:]:
        joined = joined.join(table, on=PAIR, how=how, coalesce=True, maintain_order="left_right")
    return joined


def _without_repeats(frame: pl.DataFrame, name: str, findings: Findings) -> pl.DataFrame:
    """Return the first label of each rater for a pair; report others, and the same label given again."""
    is_graded = frame["probability"].is_not_null()
    key = [*PAIR, "rater", "prompt_version", "time"]
    same = frame.select(pl.struct(*key, "grade", "probability").is_first_distinct()).to_series()
    if not same.all():
        query, item = frame.filter(~same).select(*PAIR).row(0)
        text = Phrase(f"{name}: the same label is there more than once", f"{name}：同一标签出现多次")
        findings.add("RG303", with_ids(*text, query, item), int((~same).sum()))
        frame, is_graded = frame.filter(same), is_graded.filter(same)
    graded = [pl.when(is_graded).then(pl.col("grade")).alias("of")]
    repeated = frame.with_columns(graded).select(pl.struct(*key, "of").is_duplicated()).to_series()
    if not repeated.any():
        return frame
    query, item, rater = frame.filter(repeated).select(*PAIR, "rater").row(0)
    en, zh = ("the same rater", "同一评分者") if rater is None else (f"rater {shown(rater)}", f"评分者 {shown(rater)} ")
    example = with_ids(f"{name}: {en} labelled a pair twice", f"{name}：{zh}两次标注同一对", query, item)
    kept = frame.with_columns(graded).unique([*key, "of"], keep="first", maintain_order=True).drop("of")
    findings.add("RG601", example, frame.height - kept.height)
    return kept


def _check_chances(frame: pl.DataFrame, findings: Findings) -> None:
    """Report inclusion probabilities that are none, and probabilities of grades that do not add up to 1."""
    wrong = frame.filter(~(pl.col("inclusion") > 0) | (pl.col("inclusion") > 1))
    if wrong.height:
        query, item, chance = wrong.select(*PAIR, "inclusion").row(0)
        text = f"inclusion probability {chance:g}", f"入选概率为 {chance:g}"
        findings.add("RG611", with_ids(*text, query, item), wrong.height)
    judged = frame.filter(pl.col("probability").is_not_null())
    sums = judged.group_by([*PAIR, "rater"], maintain_order=True).agg(pl.col("probability").sum())
    wrong = sums.filter((pl.col("probability") - 1).abs() > SUM_TOLERANCE)
    if wrong.height:
        query, item, _, total = wrong.row(0)
        text = f"probabilities add up to {total:g}", f"各等级的概率之和为 {total:g}"
        findings.add("RG612", with_ids(*text, query, item), wrong.height)


def _grade(value: float) -> str:
    return f"{value:g}"


def _trec(labels: Labels, combine: Combination) -> str:
    """Return TREC qrels; ids with blanks cannot be written."""
    rows = labels.combined(combine).select(*PAIR, "grade").iter_rows()
    lines = []
    for query, item, grade in rows:
        for value in (str(query), str(item)):
            if not value or value.split() != [value]:
                en = f"Labels.export: id {shown(value)} has blanks, which separate columns of TREC files; export csv"
                zh = f"Labels.export：标识 {shown(value)} 含空白，而 TREC 文件以空白分列；请导出 csv"
                raise ParameterError((en, zh))
        lines.append(f"{query} 0 {item} {_grade(grade)}\n")
    return "".join(lines)


def _csv(labels: Labels, _: Combination) -> str:
    """Return a row for each label, with its rater, probability of being chosen and reason."""
    columns = [*PAIR, "rater", "grade", "inclusion", "time", "reason"]
    rows = labels.frame.select(columns).with_columns(pl.col("grade").map_elements(_grade, pl.String)).iter_rows()
    return table_text(columns, rows, ",")


def _quepid(labels: Labels, _: Combination) -> str:
    """Return the CSV of a Quepid book: a column for each rater, whose cells are ratings, empty or unrateable."""
    frame = labels.frame.select(*PAIR, pl.col("rater").fill_null("rater"), "grade")
    answers = {
        (query, item, rater): "unrateable" if grade is None else int(grade) if grade == int(grade) else grade
        for query, item, rater, grade in frame.iter_rows()
    }
    raters, pairs = frame["rater"].unique(maintain_order=True).to_list(), frame.select(PAIR).unique(maintain_order=True)
    rows = (
        [query, item, *(answers.get((query, item, rater)) for rater in raters)] for query, item in pairs.iter_rows()
    )
    return table_text(["query", "docid", *raters], rows, ",")


def _workbench(labels: Labels, combine: Combination) -> str:
    """Return the judgments of the Search Relevance Workbench: ratings as text, by query."""
    table = labels.combined(combine).with_columns(pl.col("grade").map_elements(_grade, pl.String))
    by_query: dict[str, list[dict[str, str]]] = {}
    for query, item, grade in table.select(*PAIR, "grade").iter_rows():
        by_query.setdefault(str(query), []).append({"docId": str(item), "rating": grade})
    ratings = [{"query": query, "ratings": listed} for query, listed in by_query.items()]
    return json.dumps({"judgmentRatings": ratings}, ensure_ascii=False, indent=2) + "\n"


EXPORTS: dict[str, Callable[[Labels, Combination], str]] = {
    "trec": _trec,
    "csv": _csv,
    "quepid": _quepid,
    "workbench": _workbench,
}
"""The formats by name."""
