"""Labels for other programs: TREC qrels, a long table, a Quepid book, and the OpenSearch Search Relevance Workbench."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import polars as pl

from rankgauge.errors import ParameterError, check_choice, shown
from rankgauge.evaluation.score_formats import table_text
from rankgauge.judging.labels import PAIR

if TYPE_CHECKING:
    from rankgauge.judging.labels import Combination, Labels


def export_labels(labels: Labels, to: str, combine: Combination = "majority") -> str:
    """Return labels in the format of another program; ``Labels.export`` says what the parameters are."""
    check_choice("to", to, EXPORTS, "Labels.export")
    return EXPORTS[to](labels, combine)


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
