"""Fuzzer of input forms: the same judgments and ranking in two forms give the same digits and the same findings."""

from __future__ import annotations

import io
import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Self

import numpy as np

import rankgauge as rg
from fuzz.cases import Case, expect
from fuzz.file_bytes import COMPRESSIONS, FORMATS, Rows, file_bytes, frame_of, rows_of_judgments, rows_of_ranking
from fuzz.oracle import outcome
from fuzz.random_worlds import as_dicts, random_judgments, random_metrics, random_ranking, random_rules, weights_of

OF_FORM = {"RG105", "RG106", "RG109", "RG210", "RG304"}
"""Findings about the form itself: byte order marks, formats, missing tags, rank columns, scattered lines."""
UNTYPED = {"dicts", "rows", "lists of rows"}
"""Forms of a ranking that keep whole scores, which are refused as swapped for fractional grades."""
REFUSED = ("InputError", [])
"""Such a refusal, which has no code; a list has no scores that could be grades."""
NUMBER = {"judgments": "grade", "ranking": "score"}
FRAMES: dict[str, Callable[[Any], Any]] = {
    "polars": lambda frame: frame,
    "lazy": lambda frame: frame.lazy(),
    "categorical": lambda frame: frame.with_columns(
        frame["item"].cast(_categorical()), frame["query"].cast(_categorical())
    ),
    "pandas": lambda frame: frame.to_pandas(),
    "arrow": lambda frame: frame.to_arrow(),
}
LISTS: dict[str, Callable[[list[str]], Any]] = {
    "list": list,
    "tuple": tuple,
    "generator": lambda items: (item for item in items),
    "iterator": iter,
    "map": lambda items: map(str, items),
    "filter": lambda items: filter(None, items),
    "reversed": lambda items: reversed([*reversed(items)]),
    "array": np.array,
    "objects": lambda items: np.array(items, dtype=object),
}
"""Rankings without scores, best first."""
FILES = [*FORMATS, *(f"{form}.{ending}" for form in ("trec", "csv") for ending in COMPRESSIONS if ending)]
OPENED = ("path", "text path", "open file", "bytes")


def _categorical() -> Any:
    import polars as pl

    return pl.Categorical


def generate(random: Random) -> Case:
    """Return data, rules, metrics and a form for each side."""
    judgments = random_judgments(random, 5)
    ranking = random_ranking(random, judgments)
    rules = random_rules(random)
    listed = random.random() < 0.3
    if listed:
        ranking = {
            query: [[item, float(len(rows) - place)] for place, (item, _) in enumerate(rows)]
            for query, rows in ranking.items()
        }
    forms = ["dicts", "rows", "lists of rows", *FRAMES, *FILES]
    return {
        "judgments": judgments,
        "ranking": ranking,
        "rules": rules,
        "metrics": random_metrics(random, random.choice([1, 3, 6]), rules),
        "forms": [random.choice(forms), random.choice([*LISTS] if listed else forms)],
        "opened": random.choice(OPENED),
        "named": random.random() < 0.3,
        "verb": random.choice(["evaluate", "evaluate", "evaluate", "compare", "attribute", "explain"]),
    }


def check(case: Case) -> None:
    """Compare the forms with dicts."""
    judgments, ranking = case["judgments"], case["ranking"]
    with tempfile.TemporaryDirectory() as folder, Opened(Path(folder), case["opened"]) as opened:
        sides = [
            opened.side(rows_of_judgments(judgments), "judgments", case["forms"][0]),
            _lists(ranking, case["forms"][1])
            if case["forms"][1] in LISTS
            else opened.side(rows_of_ranking(ranking), "ranking", case["forms"][1]),
        ]
        found = outcome(lambda: answer(case, *sides))
    numbered = as_dicts(ranking)
    if case["forms"][1] not in UNTYPED:
        numbered = {query: {item: float(score) for item, score in rows.items()} for query, rows in numbered.items()}
    expected = outcome(lambda: answer(case, judgments, numbered))
    if expected == REFUSED and case["forms"][1] in LISTS:
        expected = outcome(lambda: answer(case, judgments, _lists(ranking, "list")))
    law = f"{case['verb']}: forms agree"
    kinds = f"{found[0]} instead of {expected[0]}"
    expect(found[0] == expected[0], f"{law}: {kinds}", f"{case['forms']}: {found} instead of {expected}")
    differing = difference(found[1], expected[1])
    place = differing.partition(":")[0]
    if place.startswith("/findings"):
        found_codes, expected_codes = (value[1]["findings"].items() for value in (found, expected))
        place = f"/findings {', '.join(sorted({code for code, _ in found_codes ^ expected_codes}))}"
    elif place.startswith("/values"):
        place = "/values"
    expect(not differing, f"{law} on {place}", f"{case['forms']} {differing}")


def answer(case: Case, judgments: Any, ranking: Any) -> Any:
    """Return the numbers of the verb of a case, as text that distinguishes every bit, and the findings."""
    rules = rg.Convention(**case["rules"])
    options = {"convention": rules, "weights": weights_of(case["judgments"], case["rules"])}
    best = {query: [item for item, _ in rows] for query, rows in case["ranking"].items()}
    if case["verb"] == "evaluate":
        scores = rg.evaluate(judgments, {"s": ranking} if case["named"] else ranking, case["metrics"], **options)
        return {"values": _per_query(scores), "findings": _codes(scores.findings)}
    if case["verb"] == "compare":
        compared = rg.compare(
            judgments, {"s": ranking, "t": best}, case["metrics"][0], **options, permutations=50, resamples=50
        )
        return compared.pair("s", "t").to_dict()
    if case["verb"] == "attribute":
        found = rg.attribute(judgments, ranking, best, case["metrics"][0], **options)
        return found.means, sorted((str(c.query), c.first, c.second, c.contribution) for c in found.queries)
    del options["weights"]
    query = next(iter(case["judgments"]))
    return rg.explain(judgments, ranking, case["metrics"][0], query, **options).to_dict()


def _per_query(scores: rg.Scores) -> dict[str, dict[str, float]]:
    return {str(metric): scores.per_query(metric) for metric in scores.query_metrics}


def _codes(findings: Any) -> dict[str, int]:
    return {finding.code: finding.count for finding in findings if finding.code not in OF_FORM}


def difference(first: Any, second: Any, place: str = "") -> str:
    """Return where plain data differ in any bit, empty if they do not; NaN and None are both no number."""
    if isinstance(first, dict) and isinstance(second, dict):
        if [*map(str, first)] != [*map(str, second)]:
            return f"{place}: {[*first]} instead of {[*second]}"
        pairs = [(first[key], other, f"{place}/{key}") for key, other in zip(first, second.values(), strict=True)]
    elif isinstance(first, tuple | list) and isinstance(second, tuple | list) and len(first) == len(second):
        pairs = [
            (one, other, f"{place}/{number}") for number, (one, other) in enumerate(zip(first, second, strict=True))
        ]
    else:
        missing = [value is None or (isinstance(value, float) and math.isnan(value)) for value in (first, second)]
        return "" if all(missing) or first == second else f"{place}: {first} instead of {second}"
    return next(filter(None, (difference(*pair) for pair in pairs)), "")


def _lists(ranking: dict[str, list[list[Any]]], form: str) -> dict[str, Any]:
    return {query: LISTS[form]([item for item, _ in rows]) for query, rows in ranking.items()}


class Opened:
    """Sides of a call in their forms, with the files that they need."""

    def __init__(self, folder: Path, how: str) -> None:
        self.folder, self.how = folder, how
        self.files: list[Any] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for file in self.files:
            file.close()

    def side(self, rows: Rows, role: str, form: str) -> Any:
        """Return rows in a form."""
        if form == "dicts":
            return _grouped(rows)
        if form == "rows":
            return [*map(tuple, rows)]
        if form == "lists of rows":
            return [*map(list, rows)]
        if form in FRAMES:
            return FRAMES[form](frame_of(rows, NUMBER[role]))
        kind, _, compression = form.partition(".")
        if kind not in FORMATS or self.how not in OPENED:
            raise LookupError(f"no such form: {form} {self.how}")
        content = COMPRESSIONS[compression](file_bytes(rows, role, kind))
        if self.how == "bytes":
            return io.BytesIO(content)
        path = self.folder / f"{role}.{form}"
        path.write_bytes(content)
        if self.how == "open file":
            self.files.append(path.open("rb"))
            return self.files[-1]
        return str(path) if self.how == "text path" else path


def _grouped(rows: Rows) -> dict[str, dict[str, float]]:
    grouped: dict[str, dict[str, float]] = {}
    for query, item, number in rows:
        grouped.setdefault(query, {})[item] = number
    return grouped
