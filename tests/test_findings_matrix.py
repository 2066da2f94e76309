"""Findings are the same for every form of input: every code of single values, rows and pairs, in every form.

A cell is the code itself, or the reason why it cannot occur in that form.
"""

import importlib
import json
import math
import sys
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from optional import needs
from registries import CODES

sys.path.insert(0, str(Path(__file__).parent.parent / "docs"))
finding_forms = importlib.import_module("finding_forms")

NAN, INF, BIG = math.nan, math.inf, 2**53
JUDGMENTS = [("q", "a", 1), ("q", "b", 0), ("r", "c", 1), ("r", "d", 0)]
RANKING = [("q", "a", 0.9), ("q", "b", 0.5), ("r", "d", 0.8), ("r", "c", 0.4)]
SAMPLED = [(f"u{user}", f"i{item}", 1 / (item + 1)) for user in range(12) for item in range(30)]


def first(row, rows):
    """The rows with another first one."""
    return [row, *rows[1:]]


POOLED = [(f"q{query}", item, grade) for query in range(12) for item, grade in (("a", 1), ("b", 0))]
WORLDS = {
    "RG101": (JUDGMENTS, []),
    "RG101 judgments": ([], RANKING),
    "RG201 text": (JUDGMENTS, first(("q", "a", "high"), RANKING)),
    "RG201 missing": (JUDGMENTS, first(("q", "a", None), RANKING)),
    "RG202": (JUDGMENTS, first(("q", "a", NAN), RANKING)),
    "RG203": (JUDGMENTS, first(("q", "a", INF), RANKING)),
    "RG204 text": (first(("q", "a", "good"), JUDGMENTS), RANKING),
    "RG204 infinite": (first(("q", "a", INF), JUDGMENTS), RANKING),
    "RG205": (first(("q", "a", 1.5), JUDGMENTS), RANKING),
    "RG206": ([*JUDGMENTS, ("q", "x", -1)], [*RANKING, ("q", "x", 0.1)]),
    "RG207": (first(("q", "a", 99), JUDGMENTS), RANKING),
    "RG208": (JUDGMENTS, [*RANKING, ("r", "", 0.1)]),
    "RG208 query": (JUDGMENTS, [*RANKING, ("", "a", 0.1)]),
    "RG208 missing": (JUDGMENTS, [*RANKING, ("r", None, 0.1)]),
    "RG208 judged": ([*JUDGMENTS, ("r", "", 1)], RANKING),
    "RG208 judged query": ([*JUDGMENTS, (None, "a", 1)], RANKING),
    "RG209": (JUDGMENTS, [*RANKING, ("r", "x" * 1500, 0.1)]),
    "RG210": (JUDGMENTS, [("q", "a", 0.5), ("q", "b", 0.9), *RANKING[2:]]),
    "RG211": (JUDGMENTS, first(("q", "a", 0.5000000001), RANKING)),
    "RG212": (JUDGMENTS, first(("q", "a", 0.5), RANKING)),
    "RG214": (JUDGMENTS, [("q", "a", BIG + 2), ("q", "b", BIG), ("r", "d", 8), ("r", "c", 4)]),
    "RG215": ([("q", 2.0**53, 1), ("q", 1.0, 0)], [("q", 2.0**53, 0.9), ("q", 1.0, 0.5)]),
    "RG216": ([("q", True, 1), ("q", False, 0)], [("q", True, 0.9), ("q", False, 0.5)]),
    "RG301": (JUDGMENTS, [*RANKING, ("r", "d", 0.1)]),
    "RG302": ([*JUDGMENTS, ("r", "d", 2)], RANKING),
    "RG303": ([*JUDGMENTS, ("r", "c", 1)], RANKING),
    "RG304": (JUDGMENTS, [RANKING[0], RANKING[2], RANKING[1], RANKING[3]]),
    "RG401": (JUDGMENTS, [("x", "a", 0.9)]),
    "RG402": (JUDGMENTS, RANKING[:2]),
    "RG403": (JUDGMENTS, [*RANKING, ("z", "a", 1.0)]),
    "RG404": ([*JUDGMENTS[:2], ("r", "c", 0), ("r", "d", 0)], RANKING),
    "RG405": ([("q", "a", 1), ("r", "c", 1)], RANKING),
    "RG406": ([(7, 1, 1), (7, 2, 0)], [("7", "1", 0.9), ("7", "2", 0.5)]),
    "RG407": ([(f"u{user}", "i0", 1) for user in range(12)], SAMPLED),
    "RG408": (JUDGMENTS, [("q", "docA", 0.9), ("r", "docC", 0.5)]),
    "RG409": (POOLED, [(f"q{query}", item, 1 / rank) for query in range(12) for rank, item in enumerate("axyb", 1)]),
    "RG410": (POOLED, [(f"q{query}", item, rank / 9) for query in range(12) for rank, item in enumerate("abx", 1)]),
    "RG411": ([*JUDGMENTS, ("q", "X", 1)], [*RANKING[:2], ("q", "x", 0.2), *RANKING[2:]]),
    "RG411 blanks": ([*JUDGMENTS, ("q", "x", 1)], [*RANKING[:2], ("q", "x ", 0.2), *RANKING[2:]]),
    "RG411 unicode": ([*JUDGMENTS, ("q", "\u00e9", 1)], [*RANKING[:2], ("q", "e\u0301", 0.2), *RANKING[2:]]),
    "RG411 zeros": ([*JUDGMENTS, ("q", "007", 1)], [*RANKING[:2], ("q", "7", 0.2), *RANKING[2:]]),
    "RG411 query": (JUDGMENTS, [*RANKING[:2], ("R", "d", 0.8), ("R", "c", 0.4)]),
    "RG413": ([("q", "a", 1), ("q", "b", 1), *JUDGMENTS[2:]], RANKING),
    "RG415": ([("q", "a", 0.9), ("q", "b", 0.2), ("r", "c", 0.7), ("r", "d", 0.0)], RANKING),
}
"""Judgments and a ranking for each code, and variants of it."""
METRICS = {"RG413": "AUC"}
"""The metrics of codes that depend on one; others are seen by any."""


def columns(rows, number):
    """Rows as columns, with ranks next to scores."""
    table = {"query": [], "item": [], number: []}
    for row in rows:
        for column, value in zip(table.values(), row, strict=True):
            column.append(value)
    if number == "score":
        table["rank"] = [place + 1 for place in range(len(rows))]
    return table


def as_dict(rows, _):
    nested = {}
    for query, item, number in rows:
        nested.setdefault(query, {})[item] = number
    return nested


def as_lists(rows, number):
    nested = {}
    for query, item, value in rows:
        if number == "score" or value:
            nested.setdefault(query, []).append(item)
    return nested


def delimited(separator, ending):
    def write(rows, number):
        table = columns(rows, number)
        lines = zip(*(map(lambda value: "" if value is None else str(value), column) for column in table.values()))  # noqa: B905, C417
        path = Path(f"{number}.{ending}")
        path.write_text("\n".join(separator.join(line) for line in [[*table], *lines]) + "\n")
        return path

    return write


def trec(rows, number):
    path = Path(f"{number}.trec")
    path.write_text(
        "".join(
            f"{query} 0 {item} {value}\n" if number == "grade" else f"{query} Q0 {item} {rank} {value} t\n"
            for rank, (query, item, value) in enumerate(rows, 1)
        )
    )
    return path


def jsonl(rows, number):
    path, table = Path(f"{number}.jsonl"), columns(rows, number)
    path.write_text("".join(json.dumps(dict(zip(table, row, strict=True))) + "\n" for row in zip(*table.values())))  # noqa: B905
    return path


def written(method, ending):
    def write(rows, number):
        path = Path(f"{number}.{ending}")
        getattr(pl.DataFrame(columns(rows, number)), method)(path)
        return path

    return write


def array(shape):
    """A matrix or a flat array: queries of equal length, NaN where a row is missing."""

    def make(rows, _):
        values = [NAN if value is None else value for *_, value in rows]
        return np.array(values).reshape(2 if len(values) < 36 else 12, -1) if shape == "matrix" else np.array(values)

    return make


def json_records(rows, number):
    path, table = Path(f"{number}.json"), columns(rows, number)
    path.write_text(json.dumps([dict(zip(table, row, strict=True)) for row in zip(*table.values())]))  # noqa: B905
    return path


FORMS = {
    "dict": as_dict,
    "lists": as_lists,
    "rows": lambda rows, _: list(rows),
    "pandas": lambda rows, number: pd.DataFrame(columns(rows, number)),
    "polars": lambda rows, number: pl.DataFrame(columns(rows, number)),
    "arrow table": lambda rows, number: pl.DataFrame(columns(rows, number)).to_arrow(),
    "relation": lambda rows, number: duckdb.from_arrow(pl.DataFrame(columns(rows, number)).to_arrow()),
    "trec": trec,
    "csv": delimited(",", "csv"),
    "tsv": delimited("\t", "tsv"),
    "json": json_records,
    "jsonl": jsonl,
    "parquet": written("write_parquet", "parquet"),
    "arrow": written("write_ipc", "arrow"),
    "matrix": array("matrix"),
    "flat": array("flat"),
}
FILE_ONLY = {"RG102", "RG103", "RG104", "RG105", "RG106", "RG107", "RG108", "RG109", "RG110", "RG111", "RG112", "RG113"}
HISTORIES = {"RG125"}
"""Codes of stored results, tested in test_history.py."""
GROUP_SIZES = {"RG126"}
"""Codes of flat arrays and files of group sizes, tested in test_data_set_files.py."""
VALUE_FILES = {"RG119", "RG120"}
"""Codes of values that were computed elsewhere, tested in test_robust_reading.py."""
RECORDS = {"RG114", "RG115", "RG116", "RG117", "RG118", "RG121", "RG122", "RG123", "RG124", "RG127", "RG306"}
"""Codes of records with lists, tested in test_shapes.py, test_self_contained.py and test_search_responses.py."""
"""Codes of bytes, lines and columns: each belongs to its format and is tested with it."""
INTERACTIONS = {"RG213", "RG501", "RG502", "RG503", "RG504", "RG505", "RG506", "RG507"}
"""Codes of interactions, which are always a frame."""
BY_RULE = {"RG305"}
"""RG301 under another value of the rule ``duplicates``."""
PRESETS = {"RG414"}
"""Codes of the named convention, whatever the data, tested in test_preset_coverage.py."""
SIDE_INFORMATION = {"RG412"}
"""Codes of tables that metrics read beside judgments and rankings, tested in test_beyond_files.py."""
SPANS = {"RG217", "RG218", "RG219", "RG220", "RG221", "RG222", "RG223", "RG224", "RG225"}
"""Codes of places in documents, tested in test_spans.py, test_span_tools.py and test_span_documents.py."""
OF_STAGES = {code for code in CODES if code[:3] in {"RG6", "RG7", "RG8"}}
"""Codes of fusion, tuning, leaderboards and judges, tested with each stage."""


def test_every_code_is_in_the_matrix():
    """D16: a new code must say in which forms it can occur."""
    assert (
        {world[:5] for world in WORLDS}
        | FILE_ONLY
        | RECORDS
        | INTERACTIONS
        | BY_RULE
        | SPANS
        | OF_STAGES
        | VALUE_FILES
        | HISTORIES
        | GROUP_SIZES
        | SIDE_INFORMATION
        | PRESETS
        == {*CODES}
    )


def as_arrays_need(world):
    """The judgments in the order of the ranking, all queries with the same number of items."""
    judgments, ranking = WORLDS[world]
    grades = {(query, item): grade for query, item, grade in judgments}
    unjudged = 1 if world == "RG405" else 0
    judgments = [(query, item, grades.get((query, item), unjudged)) for query, item, _ in ranking]
    if len(ranking) % 2:
        judgments, ranking = [*judgments, ("r", "y", 0)], [*ranking, ("r", "y", 0.05)]
    return judgments, ranking


def in_duckdb(judgments, ranking, metric):
    con = tables(judgments, ranking)
    return rg.duckdb.evaluate(con, "judgments", "ranking", metric, lenient=True)


def in_sql(judgments, ranking, metric):
    con = tables(judgments, ranking)
    matched = con.sql(rg.duckdb.matching_sql(con, "judgments", "ranking", metric)).to_arrow_table()
    return rg.duckdb.evaluate_matched(matched, metric, lenient=True)


def tables(judgments, ranking):
    con = duckdb.connect()
    con.register("judgments", pl.DataFrame(columns(judgments, "grade")).to_arrow())
    con.register("ranking", pl.DataFrame(columns(ranking, "score")).drop("rank").to_arrow())
    return con


def prepared(judgments, ranking, metric):
    evaluator = rg.Evaluator(as_dict(judgments, "grade"), metric, lenient=True)
    evaluator({query: ["z"] for query, *_ in judgments})
    return evaluator(as_dict(ranking, "score"))


def matrices(judgments, ranking):
    return array("matrix")(judgments, "grade"), array("matrix")(ranking, "score")


def with_torch(judgments, ranking, metric):
    needs("array_api_compat")
    labels, scores = map(needs("torch").tensor, matrices(judgments, ranking))
    return rg.torch.evaluate(judgments=labels, scores=scores, metrics=metric)


def with_judged_items(judgments, ranking, metric):
    needs("array_api_compat")
    torch = needs("torch")
    labels, scores = map(torch.tensor, matrices(judgments, ranking))
    places = torch.arange(labels.shape[1]).expand(labels.shape)
    return rg.torch.evaluate(judgments=rg.torch.JudgedItems(places, labels), scores=scores, metrics=metric)


def with_jax(judgments, ranking, metric):
    jax = needs("jax")
    jax.config.update("jax_enable_x64", True)
    labels, scores = map(jax.numpy.asarray, matrices(judgments, ranking))
    return rg.jax.evaluate(judgments=labels, scores=scores, metrics=metric)


def streamed(judgments, ranking, metric, convert=np.asarray):
    streaming = rg.StreamingScores(metric)
    for labels, scores in zip(*matrices(judgments, ranking), strict=True):
        streaming.update(judgments=convert(labels[None, :]), scores=convert(scores[None, :]))
    return streaming


def streamed_torch(judgments, ranking, metric):
    needs("array_api_compat")
    return streamed(judgments, ranking, metric, needs("torch").tensor)


ENGINES = {
    "prepared": prepared,
    "duckdb": in_duckdb,
    "sql": in_sql,
    "torch": with_torch,
    "torch items": with_judged_items,
    "jax": with_jax,
    "streamed": streamed,
    "streamed torch": streamed_torch,
}
"""Functions of judgments, a ranking and a metric, from rows."""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("world", WORLDS)
def test_findings_are_equal_in_engines(world, engine):
    """RG211, RG214, RG408 and empty ids were not reported by rg.duckdb and rg.spark; RG404 and others not by rg.torch."""
    sides = as_arrays_need(world) if engine in finding_forms.NUMBERED else WORLDS[world]
    reported = reports(world, lambda: ENGINES[engine](*sides, METRICS.get(world, "RR")))
    assert reported == (not finding_forms.reason(world, engine))


def test_every_form_of_the_page_is_in_the_matrix():
    assert {*finding_forms.FORMS} == {*FORMS, *ENGINES, "spark"}


def reports(world, evaluate):
    """Whether an evaluation reports the finding of a world; one that the form cannot express does not."""
    try:
        return world[:5] in codes_of(evaluate)
    except (rg.ParameterError, pl.exceptions.PolarsError, TypeError, ValueError):
        return False


def codes_of(evaluate):
    """The codes of the findings of an evaluation, or of the error that it raises."""
    try:
        return {finding.code for finding in evaluate().findings}
    except rg.InputError as error:
        return {*error.codes}


@pytest.mark.parametrize(
    ("grades", "metrics", "rel", "expected"),
    [
        ((0.9, 0.2), ["AP", "RR"], 1, {"RG404", "RG415"}),  # all grades are above 0, but none is relevant
        ((0.9, 0.2), ["nDCG"], 1, {"RG404"}),  # which reads the grades themselves
        ((0.9, 0.2), ["AP", "RR"], 0.5, set()),
        ((0.9, 0.2), ["AP"], 0.1, {"RG405"}),
        ((0.9, 0.2), ["AP(rel=0.5)"], 1, {"RG404"}),  # the rule of the data, not of the metric
        ((0.9, 0.2), ["AP(rel=0.5)", "RR"], 1, {"RG404", "RG415"}),
        ((0, 0), ["AP"], 1, {"RG404"}),  # nobody found anything relevant
        ((1, 0), ["AP"], 2, {"RG404", "RG415"}),
        ((1, 2), ["AP"], 1, {"RG405"}),
        ((0.5, 2), ["AP"], 1, set()),  # 0.5 is judged, and not relevant
    ],
)
@pytest.mark.parametrize("form", ["dict", "rows", "pandas", "polars", "trec", "csv", "jsonl", "parquet", "matrix"])
def test_notes_on_relevance_follow_the_threshold(form, grades, metrics, rel, expected, tmp_path, monkeypatch):
    """AP and RR were 0 with two notes: no relevant items, and no non-relevant ones."""
    monkeypatch.chdir(tmp_path)
    judgments = [(query, item, grade) for query in "qr" for item, grade in zip("ab", grades, strict=True)]
    ranking = [(query, item, score) for query in "qr" for item, score in (("a", 0.7), ("b", 0.3))]
    sides = FORMS[form](judgments, "grade"), FORMS[form](ranking, "score")
    codes = codes_of(lambda: rg.evaluate(*sides, metrics, convention=rg.Convention(rel=rel)))
    assert codes & {"RG404", "RG405", "RG415"} == expected


def test_the_warning_of_the_threshold_names_grade_metrics_and_remedy():
    with pytest.warns(
        rg.DataWarning, match=r"grade 0\.9 is below rel=1.*for AP, P@1 \[RG415\]; set rel.*AP\(rel=0\.5\)"
    ):
        rg.evaluate({"q": {"a": 0.9, "b": 0.2}}, {"q": ["a"]}, ["AP", "nDCG", "P@1"])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("world", WORLDS)
def test_findings_are_equal_for_every_input_form(world, form, tmp_path, monkeypatch):
    """D16: RG201, RG202, RG206, RG208, RG209, RG210, RG211, RG212 and RG405 depended on the form."""
    monkeypatch.chdir(tmp_path)
    judgments, ranking = as_arrays_need(world) if form in finding_forms.ARRAYS else WORLDS[world]
    options = {"lenient": True}
    if form == "flat":
        queries = len(ranking) // (30 if world == "RG407" else 3 if world == "RG410" else max(1, len(ranking) // 2))
        options["groups"] = [len(ranking) // queries] * queries if queries else []

    def evaluate():
        made = FORMS[form](judgments, "grade"), FORMS[form](ranking, "score")
        return rg.evaluate(*made, METRICS.get(world, "RR"), **options)

    assert reports(world, evaluate) == (not finding_forms.reason(world, form))
