"""Scores: a value for each query and metric, and the rules that made them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import ParameterError, UnknownNameError
from rankgauge.match.segments import Floats
from rankgauge.metrics.metric import Metric
from rankgauge.metrics.notation import parse
from rankgauge.render.document import Document, Paragraph, Table
from rankgauge.render.language import Phrase, check_lang

SCHEMA = 1
FLOOR = 1e-5
WORDS = {
    "queries": Phrase("{count} queries", "{count} 个查询"),
    "missing": Phrase(
        "{count} judged queries have no ranking ({rule}), first {first}",
        "{count} 个有标注的查询没有返回结果（{rule}），首个为 {first}",
    ),
    "left out": Phrase("{metric}: {count} queries left out (0/0)", "{metric}：{count} 个查询未计入（0/0）"),
    "rule": Phrase("{metric}: {rules}", "{metric}：{rules}"),
    "query": Phrase("query", "查询"),
    "all": Phrase("all", "总体"),
}


class Scores:
    """The values of one system: a table of query by metric, with the convention in force.

    Queries stand in the order of the judgments. ``missing`` names the judged queries without a ranking.
    """

    def __init__(
        self,
        queries: Sequence[Any],
        values: Mapping[Metric, Floats],
        convention: Convention,
        missing: Sequence[Any] = (),
        weights: Floats | None = None,
    ) -> None:
        self.queries = tuple(queries)
        self.metrics = tuple(values)
        self.convention = convention
        self.missing = tuple(missing)
        self._values = dict(values)
        self._weights = weights

    def __getitem__(self, metric: str | Metric) -> Floats:
        """The values of all queries, in their order."""
        found = parse(metric)
        if found not in self._values:
            raise UnknownNameError.closest("metric of these scores", str(metric), map(str, self.metrics))
        return self._values[found].copy()

    def per_query(self, metric: str | Metric) -> dict[Any, float]:
        """The value of each query."""
        return dict(zip(self.queries, self[metric].tolist(), strict=True))

    def mean(self, metric: str | Metric) -> float:
        """The values of all queries as one, as the convention averages; what was left out does not count.

        Counts are added up and GMAP is the exponential of its mean, under every convention.
        """
        found, values = parse(metric), self[metric]
        left_out = self._left_out(found)
        if left_out.all():
            return float("nan")
        kept = values[~left_out]
        match found.definition.summary, self.convention.averaging:
            case "sum", _:
                return float(kept.sum())
            case "exp", _:
                return float(np.exp(kept.mean()))
            case _, "geometric":
                return float(np.exp(np.log(np.maximum(kept, FLOOR)).mean()))
            case _, "median":
                return float(np.median(kept))
            case _, "weighted":
                if self._weights is None:
                    raise ParameterError("averaging='weighted' needs weights={query: weight}")
                return float(np.average(kept, weights=self._weights[~left_out]))
        return float(kept.mean())

    def _left_out(self, metric: Metric) -> np.ndarray[Any, np.dtype[np.bool_]]:
        undefined = np.isnan(self._values[metric])
        skips = self.convention.undefined == "skip" or metric.definition.undefined == "skip"
        return undefined if skips else np.zeros(len(undefined), dtype=bool)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; what is not a number is None."""

        def plain(value: float) -> float | None:
            return None if np.isnan(value) else value

        return {
            "schema": SCHEMA,
            "convention": self.convention.to_dict(),
            "missing": list(self.missing),
            "mean": {str(metric): plain(self.mean(metric)) for metric in self.metrics},
            "per_query": {
                str(query): {str(metric): plain(float(self._values[metric][place])) for metric in self.metrics}
                for place, query in enumerate(self.queries)
            },
        }

    def to_json(self, indent: int | None = None) -> str:
        """Everything as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

    def document(self, lang: str = "en", *, per_query: bool = True) -> Document:
        """The table to read, with the definition in force under it."""
        spoken = check_lang(lang)
        rows = [[WORDS["all"].say(spoken), *(f"{self.mean(metric):.6f}" for metric in self.metrics)]]
        if per_query:
            rows = [
                [str(query), *(f"{self._values[metric][place]:.6f}" for metric in self.metrics)]
                for place, query in enumerate(self.queries)
            ] + rows
        names = [WORDS["query"].say(spoken), *map(str, self.metrics)]
        notes = [WORDS["queries"].say(spoken, count=len(self.queries))]
        if self.missing:
            notes.append(
                WORDS["missing"].say(
                    spoken,
                    count=len(self.missing),
                    rule=self.convention.meaning("missing", spoken),
                    first=self.missing[0],
                )
            )
        notes += [
            WORDS["left out"].say(spoken, metric=metric, count=count)
            for metric in self.metrics
            if (count := int(self._left_out(metric).sum()))
        ]
        rules = [
            WORDS["rule"].say(spoken, metric=metric, rules=metric.line(self.convention, spoken))
            for metric in self.metrics
        ]
        return Document([Table(names, rows, align="l" + "r" * len(self.metrics)), *map(Paragraph, [*notes, *rules])])

    def __str__(self) -> str:
        return self.document().to_text()
