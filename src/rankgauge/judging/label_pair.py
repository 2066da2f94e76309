"""The two sides of a correction: model judgments of all queries, and labels of people for some."""

from __future__ import annotations

from typing import Any, NamedTuple

import polars as pl

from rankgauge.errors import shown
from rankgauge.inputs.findings import Findings, input_error, with_ids
from rankgauge.inputs.frames import with_like_ids
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.judging.labels import ADJUDICATOR, PAIR, Combination, Labels, check_scale
from rankgauge.rendering.language import Phrase


class LabelPair(NamedTuple):
    """Model judgments and labels of people, with one grade for each pair."""

    by_model: Labels
    by_people: Labels
    model: pl.DataFrame
    people: pl.DataFrame
    findings: Findings

    @classmethod
    def read(
        cls,
        model: Any,
        people: Any,
        options: ReadOptions,
        combine: Combination = "majority",
        adjudicator: str = ADJUDICATOR,
        scale: Any = None,
    ) -> LabelPair:
        """Read both sides; raise an error if they have nothing in common."""
        findings = Findings()
        by_model, by_people = Labels.of(model, options, "model"), Labels.of(people, options, "people")
        judged, labels = with_like_ids(*(side.combined(combine, adjudicator) for side in (by_model, by_people)))
        if by_model.has_probabilities:  # the most probable grade of each item
            likely = pl.col("grade").sort_by("probability", descending=True).first()
            rated = by_model.frame.filter(pl.col("grade").is_not_null())
            modes = rated.group_by(PAIR, maintain_order=True).agg(likely, pl.col("inclusion").first())
            judged, labels = with_like_ids(modes, labels)
        for side, table in ((by_model, judged), (by_people, labels)):
            findings.merge(side.findings)
            check_scale(table, scale, side.name, findings)
        findings.raise_errors(lenient=False)
        known = judged.select("query").unique()
        labelled = labels.join(known, on="query", how="semi")
        if not labels.join(judged, on=PAIR, how="semi").height:
            rows = [
                ", ".join(map(shown, table.select(PAIR).row(0))) if table.height else "–" for table in (judged, labels)
            ]
            en = f"no pair has a label and a model judgment: the model has ({rows[0]}), people have ({rows[1]})"
            zh = f"没有一对同时有标签和模型标注：模型有（{rows[0]}），人有（{rows[1]}）"
            raise input_error("RG604", Phrase(en, zh))
        if scale is None:
            note_other_scale(judged, labels, findings)
        outside = labels.join(known, on="query", how="anti")
        if outside.height and labelled["query"].n_unique() == known.height:
            counts = [labels["query"].n_unique(), known.height]
            en = "people labelled {people:# query|# queries}, among them {model:,}, which is all that the judge judged"
            zh = "人标注了 {people:,} 个查询，其中包含评判模型判断过的全部 {model:,} 个"
            raise input_error("RG621", Phrase(en, zh).fill(people=counts[0], model=counts[1]))
        note_queries_without_judge(judged, labels, findings)
        return cls(by_model, by_people, judged, labelled, findings)

    def check_chances(self) -> None:
        """Raise an error for a label without an inclusion probability, where others have one."""
        missing = self.people.filter(pl.col("inclusion").is_null())
        if missing.height:
            texts = "a label has no inclusion probability", "标签没有入选概率"
            raise input_error("RG611", with_ids(*texts, *missing.select(PAIR).row(0)))

    def with_model_grades(self) -> pl.DataFrame:
        """Return the labels with the grade of the model, null if it did not judge the item."""
        grades = self.model.select(*PAIR, pl.col("grade").alias("model_grade"))
        return self.people.join(grades, on=PAIR, how="left", maintain_order="left")


def note_queries_without_judge(model: pl.DataFrame, people: pl.DataFrame, findings: Findings) -> None:
    """Report labels of queries that the judge did not judge."""
    outside = people.join(model, on="query", how="anti")
    if outside.height:
        query = shown(outside["query"][0])
        findings.add("RG614", (f"query {query}", f"查询 {query}"), outside["query"].n_unique())


def note_other_scale(model: pl.DataFrame, people: pl.DataFrame, findings: Findings) -> None:
    """Report labels below or above all grades of the judge, if no scale was stated."""
    grades = model["grade"].to_numpy()
    least, most = float(grades.min()), float(grades.max())
    outside = people.filter(~pl.col("grade").is_between(least, most))
    if outside.height:
        query, item, grade = outside.select(*PAIR, "grade").row(0)
        en = f"grade {grade:g}, where the judge gave {least:g} to {most:g}"
        zh = f"等级 {grade:g}，而评判模型的等级为 {least:g} 到 {most:g}"
        findings.add("RG620", with_ids(en, zh, query, item), outside.height)
