"""What findings say: the file and the line, which ranking, and why nothing matches."""

import datetime as dt
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from command_line import here

JUDGMENTS = {"q": {"a": 1, "b": 0}}
QRELS = "q 0 a 1\nq 0 b 0\nq2 0 c 1\n# a comment\nq2 0 c 0\nq 0 a 1\n"
RUNS = {
    "run.txt": "# a comment\nq Q0 a 1 2 t\nz Q0 a 1 1 t\nq2 Q0 c 1 1 t\n\nq2 Q0 c 1 .5 t\n",
    "run.csv": 'query,item,score\nq,a,2\nz,a,1\nq2,"c",1\nq2,c,.5\n',
    "run.tsv": "query\titem\tscore\nq\ta\t2\nz\ta\t1\nq2\tc\t1\nq2\tc\t.5\n",
    "run.jsonl": "".join(
        f'{{"query": "{query}", "item": "{item}", "score": {score}}}\n'
        for query, item, score in (("q", "a", 2), ("z", "a", 1), ("q2", "c", 1), ("q2", "c", 0.5))
    ),
}
PLACES = {
    "run.txt": ("run.txt:3", "run.txt:6"),
    "run.csv": ("run.csv:3", "run.csv:5"),
    "run.tsv": ("run.tsv:3", "run.tsv:5"),
    "run.jsonl": ("run.jsonl:2", "run.jsonl:4"),
    "run.parquet": ("run.parquet: row 2", "run.parquet: row 4"),
    "run.arrow": ("run.arrow: row 2", "run.arrow: row 4"),
}


def examples(scores):
    return {finding.code: finding.examples[0] for finding in scores.findings if finding.examples}


@pytest.fixture
def runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {**RUNS, "qrels.txt": QRELS}.items():
        Path(name).write_text(text)
    table = pl.read_csv("run.csv")
    table.write_parquet("run.parquet")
    table.write_ipc("run.arrow")


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize("name", PLACES)
def test_findings_about_rows_name_the_file_and_the_line(name):
    """D12: RG301, RG302, RG303 and RG403 named neither."""
    found = examples(rg.evaluate("qrels.txt", name, "RR", lenient=True))
    unjudged, repeated = PLACES[name]
    assert found["RG403"] == f"{unjudged}: query 'z' has no judgments"
    assert found["RG301"] == f"{repeated}: item 'c' is returned more than once (query 'q2')"
    assert found["RG302"] == "qrels.txt:5: item 'c' is judged more than once, with the grades 1 and 0 (query 'q2')"
    assert found["RG303"] == "qrels.txt:6: item 'a' is judged more than once (query 'q')"


@pytest.mark.usefixtures("runs")
def test_doctor_and_diff_name_the_line():
    """D12: also where the verb reads the file in another way."""
    out = here("doctor", "run.txt", "qrels.txt", "-t", "json").out
    for text in ("run.txt:6: item", "qrels.txt:5: item has several grades", "qrels.txt:6: item occurs more than once"):
        assert text in out
    assert "run.txt:6: item 'c'" in here("diff", "run.txt", "run.csv").err
    with pytest.raises(rg.InputError, match=r"run\.txt:6: item 'c'"):
        rg.compare({"q2": {"c": 1}}, {"A": "run.txt", "B": {"q2": ["c"]}}, "RR")


def test_findings_name_the_ranking_among_several():
    """D12: with several rankings it was unclear which one."""
    both = {"A": {"q": {"a": np.inf, "b": 1.0}, "z": ["a"]}, "B": [("q", "b", 1.0), ("q", "b", 2.0)]}
    found = examples(rg.evaluate(JUDGMENTS, both, "RR", lenient=True))
    assert found["RG203"].startswith("ranking 'A': ")
    assert found["RG403"].startswith("ranking 'A': ")
    assert found["RG301"].startswith("ranking 'B': ")


IDS = {
    "leading zero": (["1", "2"], ["01", "02"], "1, 01 and 1.0 are different ids"),
    "decimals": (["1", "2"], ["1.0", "2.0"], "1, 01 and 1.0 are different ids"),
    "bytes": (["a"], [b"a"], "ids of one side are bytes"),
    "printed bytes": (["a"], ["b'a'"], "ids of one side are bytes"),
    "case": (["A"], ["a"], "upper and lower case differ"),
    "blanks": (["a"], [" a"], "ids of one side have blanks at their ends"),
    "prefix": (["1", "7"], ["doc1", "doc2"], "the ids of the ranking have the prefix 'doc'"),
    "prefix of the judgments": (["doc1", "doc2"], ["1", "7"], "the ids of the judgments have the prefix 'doc'"),
    "suffix": (["a"], ["a.txt"], "the ids of the ranking have the suffix '.txt'"),
    "grades": (["a"], [1, 0, 2], "if these are grades, use the metric itself: rg.nDCG.of([3, 2, 0])"),
}


@pytest.mark.parametrize("kind", IDS)
def test_no_item_in_common_is_a_warning_with_the_likely_reason(kind):
    """D13: the value was 0 with a note about something else, or none."""
    judged, returned, reason = IDS[kind]
    judgments = {"q": {**dict.fromkeys(judged, 1), "other": 0}}
    (finding,) = [
        finding for finding in rg.evaluate(judgments, {"q": returned}, "RR").findings if finding.code == "RG408"
    ]
    assert finding.severity == "warning"
    assert finding.examples[0].endswith(reason)
    if kind not in {"bytes", "grades"}:
        frame = pl.DataFrame({"query": "q", "item": returned, "score": [1.0] * len(returned)})
        for metric in ("RR", "P@1"):  # also if only the top item is looked at
            assert examples(rg.evaluate(judgments, frame, metric))["RG408"] == finding.examples[0]


def test_items_in_common_below_the_cutoff_give_no_warning():
    """Only rows down to the cutoff are joined."""
    frame = pl.DataFrame({"query": ["q", "q"], "item": ["x", "a"], "score": [2.0, 1.0]})
    for ranking in (frame, {"q": ["x", "a"]}):
        assert "RG408" not in examples(rg.evaluate(JUDGMENTS, ranking, "P@1"))


def test_no_query_in_common_names_the_likely_reason():
    """D13: as for items."""
    for ranking in ({"Q": ["a"]}, pl.DataFrame({"query": ["Q"], "item": ["a"], "score": [1.0]})):
        with pytest.raises(
            rg.InputError, match="'q' in the judgments, 'Q' in the ranking; upper and lower case differ"
        ):
            rg.evaluate(JUDGMENTS, ranking, "RR")
    with pytest.raises(rg.InputError, match="upper and lower case differ"):
        rg.reconcile(JUDGMENTS, {"Q": ["a"]}, "RR")


def test_whole_floats_are_integer_ids_in_dicts_as_in_tables():
    """D13: 1.0 and '1' were different."""
    scores = rg.evaluate({"q": {"1": 1}}, {"q": [1.0]}, "RR")
    assert scores.mean("RR") == 1.0
    assert "RG406" in examples(scores)


@pytest.mark.parametrize("row", [("q", "a"), ("q", "a", 1.0, "t")])
def test_tuples_of_the_wrong_length_are_refused_as_rows(row):
    """D18: the message was only that no query is in common."""
    with pytest.raises(rg.InputError, match="tuples are rows of"):
        rg.evaluate(JUDGMENTS, [row, row], "RR")


def test_check_names_the_query_without_a_value():
    """D18: "no value for any query", although one lacks it."""
    judgments, ranking = {"q": {"a": 1}, "r": {"a": 0}}, {"q": ["a"], "r": ["a"]}
    with pytest.raises(rg.InputError, match=r"AP has no value for query 'r' \(1 of 2\)"):
        rg.check(judgments, ranking, "AP < 0.1", convention=rg.Convention(undefined="nan"))
    with pytest.raises(rg.InputError, match="no value for any query"):
        rg.check({"r": {"a": 0}}, ranking, "AP < 0.1", convention=rg.Convention(undefined="nan"))


SWAPPED = {
    "dicts": ({"q": {"a": 0.9, "b": 0.5}}, {"q": {"a": 1, "b": 0}}),
    "rows": ([("q", "a", 0.9), ("q", "b", 0.5)], [("q", "a", 1), ("q", "b", 0)]),
    "matrix": (np.array([[0.9, 0.5, np.nan]]), np.array([[1, 0, 0]])),
}


@pytest.mark.parametrize("form", SWAPPED)
def test_swapped_judgments_and_rankings_are_detected_without_columns(form):
    """Fractions as judgments and small integers as scores are swapped; floats are read as they are."""
    judgments, ranking = SWAPPED[form]
    if form == "rows":  # columns named grade and score say which side is which
        frames = [
            pl.DataFrame(rows, ["query", "item", name], orient="row")
            for rows, name in zip(SWAPPED[form], ("grade", "score"), strict=True)
        ]
        assert rg.evaluate(*frames, "RR").mean("RR") == 0.0
    with pytest.raises(rg.InputError, match="look swapped"):
        rg.evaluate(judgments, ranking, "RR")
    if form == "matrix":
        assert rg.evaluate(judgments, ranking.astype(float), "RR").mean("RR") == 0.0
    else:
        assert rg.evaluate(judgments, {"q": {"a": 1.0, "b": 0.0}}, "RR").mean("RR") == 0.0
        assert rg.evaluate(ranking, judgments, "RR").mean("RR") == 1.0


def test_options_without_effect_are_refused():
    """An unknown format, and format or columns for data that have none, were ignored."""
    ranking = {"q": ["a"]}
    scores = rg.evaluate(JUDGMENTS, {"A": ranking, "B": ranking}, "RR")
    calls = (
        lambda **options: rg.evaluate(JUDGMENTS, ranking, "RR", **options),
        lambda **options: rg.compare(JUDGMENTS, {"A": ranking, "B": ranking}, "RR", **options),
        lambda **options: rg.diff(ranking, ranking, **options),
        lambda **options: rg.slices(scores, "RR", "judgments", judgments=JUDGMENTS, **options),
        lambda **options: rg.unjudged_bounds(JUDGMENTS, {"A": ranking}, "RR", **options),
    )
    for call in calls:
        for options, words in (
            ({"format": "csv"}, "format is for files"),
            ({"format": "cvs"}, "format must be one of"),
            ({"columns": {"query": "x"}}, "columns is for tables"),
        ):
            with pytest.raises(rg.ParameterError, match=words):
                call(**options)


def test_names_of_systems_that_are_equal_as_text_are_refused():
    """D17: one of 1 and '1' replaced the other in silence."""
    for call in (
        lambda: rg.Comparison.of({1: {"q": 1.0}, "1": {"q": 0.5}}),
        lambda: rg.evaluate(JUDGMENTS, {1: {"q": ["a"]}, "1": {"q": ["b"]}}, "RR"),
        lambda: rg.compare(JUDGMENTS, {1: {"q": ["a"]}, "1": {"q": ["b"]}}, "RR"),
    ):
        with pytest.raises(rg.ParameterError, match="1 and '1'"):
            call()


def test_times_and_propensities_that_are_not_numbers_are_refused():
    """D17: ``at=nan`` held out nothing, and a subnormal propensity gave an infinite weight."""
    log = pl.DataFrame({"user": ["u", "v"], "item": [1, 2], "time": [1, 2]})
    dated = log.with_columns(time=pl.Series([dt.date(2024, 1, 1), dt.date(2024, 1, 2)]))
    for frame, at in ((log, float("nan")), (dated, pd.NaT)):
        with pytest.raises(rg.ParameterError, match="at must be a number or a date"):
            rg.holdout.temporal(frame, at=at)
    with pytest.raises(rg.InputError, match="propensity"):
        rg.off_policy.value([1.0], [5e-324], [1.0])
    clicks = pl.DataFrame({"query": [1], "item": ["a"], "position": [1], "click": [1]})
    with pytest.raises(rg.ParameterError, match="examination of position 1"):
        rg.off_policy.clicked_dcg(clicks, {1: ["a"]}, {1: 5e-324})


@pytest.mark.parametrize("form", ["dict", "rows", "polars", "matrix"])
def test_integers_from_2_to_the_53_on_are_noted(form):
    """D17: different integers became ties in silence."""
    scores = [2**53 + 1, 2**53]
    ranking = {
        "dict": {"q": dict(zip("ab", scores, strict=True))},
        "rows": [("q", item, score) for item, score in zip("ab", scores, strict=True)],
        "polars": pl.DataFrame({"query": "q", "item": ["a", "b"], "score": scores}),
        "matrix": np.array([scores]),
    }[form]
    found = examples(rg.evaluate(np.array([[1, 0]]) if form == "matrix" else JUDGMENTS, ranking, "RR"))
    assert {"RG212", "RG214"} <= {*found}


def test_ties_below_the_cutoff_are_not_noted():
    """D16: RG212 was told for dicts only."""
    ranking = {"q": {"x": 3.0, "a": 1.0, "b": 1.0}}
    frame = pl.DataFrame(
        [("q", item, score) for item, score in ranking["q"].items()], ["query", "item", "score"], orient="row"
    )
    for source in (ranking, frame):
        assert "RG212" not in examples(rg.evaluate(JUDGMENTS, source, "P@1"))
        assert "RG212" in examples(rg.evaluate(JUDGMENTS, source, "P@2"))


def test_a_printed_finding_names_its_severity_and_code():
    ties = {"q": {"a": 0.5, "b": 0.5}}
    (finding,) = [found for found in rg.evaluate({"q": {"a": 1, "b": 0}}, ties, "AP").findings if found.code == "RG212"]
    assert str(finding).startswith("tied scores at judged items: query 'q' [RG212]\n")


def test_printed_scores_and_comparisons_show_warnings_but_no_notes():
    judgments = {str(number): {"a": 1} for number in range(6)}
    rankings = {"x": {query: ["b"] for query in judgments}, "y": {query: ["a", "b"] for query in judgments}}
    warning = "warning RG408: no item in common; "
    assert str(rg.evaluate(judgments, rankings["x"], "AP")).splitlines()[-1] == (
        f"{warning}item 'a' in the judgments, 'b' in the ranking"
    )
    compared = rg.compare(judgments, rankings, "AP")
    assert warning in str(compared)
    assert warning in compared._repr_html_()
    assert warning not in compared.document().to_text()
    assert "RG4" not in str(rg.evaluate(judgments, rankings["y"], "AP"))
    assert "RG402" not in str(
        rg.evaluate(judgments, {"0": ["a"]}, "AP")
    )  # the notes say that 5 queries have no results


def unmatched(judged, returned):
    """What is found about items of which none is judged."""
    return rg.evaluate({"q": dict.fromkeys(judged, 1)}, {"q": returned}, "RR").findings


@pytest.mark.parametrize(("chunk", "rule"), [("d2_0", "_"), ("d2#p12", "#"), ("文档/2-7", "-")])
def test_chunks_of_judged_documents_are_recognised(chunk, rule):
    document = "文档/2" if rule == "-" else "d2"
    findings = unmatched(["x", document], ["y", chunk])
    (finding,) = [finding for finding in findings if finding.code == "RG408"]
    assert finding.examples[0].endswith(f"roll chunks up with --units (units=) 'before last {rule}'")
    assert f"--units（units=）'before last {rule}'" in findings.document("zh").to_text().replace("\n", "")
    assert "units" not in str(unmatched(["d2"], ["y_1", "z"]))


@pytest.mark.parametrize(
    ("gold", "chunk", "is_text"),
    [
        ("Returns are free.", "Our policy: Returns are free. Call us.", True),
        ("退货免费。", "我们的政策：退货免费。请致电。", True),
        ("7", "Chapter 7 is about returns.", False),
        ("doc7", "doc7_3", False),
    ],
)
def test_the_warning_about_texts_that_contain_the_gold_names_the_rule(gold, chunk, is_text):
    (finding,) = [finding for finding in unmatched([gold], [chunk]) if finding.code == "RG408"]
    assert ("match=contained" in finding.examples[0]) is is_text


def test_a_query_without_judgments_is_counted_once_for_all_rankings(tmp_path):
    judgments = {"q1": {"a": 1}, "q2": {"b": 1}}
    rankings = {name: {"q1": {"a": 1.0}, "q2": {"b": 1.0}, "x": {"c": 1.0}} for name in ("old", "new")}
    rankings["new"] |= {"y": {"c": 1.0}}
    files = [tmp_path / f"{name}.csv" for name in ("judgments", "old", "new")]
    for path, rows, column in zip(files, (judgments, *rankings.values()), ("grade", "score", "score"), strict=True):
        lines = [f"{query},{item},{value}\n" for query, items in rows.items() for item, value in items.items()]
        path.write_text(f"query,item,{column}\n{''.join(lines)}", encoding="utf-8")
    results = {
        "records": rg.evaluate(judgments, rankings),
        "files": rg.evaluate(files[0], files[1:]),
        "compare": rg.compare(judgments, rankings).scores,
        "doctor": rg.doctor(*files),
    }
    counts = {name: {each.code: each.count for each in result.findings} for name, result in results.items()}
    assert {name: codes["RG403"] for name, codes in counts.items()} == dict.fromkeys(results, 2)


def test_rows_skipped_by_lenient_reading_are_a_warning_everywhere(tmp_path):
    """The doctor and reports listed it as an error whose remedy was to read leniently, and the doctor ended with 1."""
    judgments, ranking = tmp_path / "ratings.csv", tmp_path / "new.csv"
    judgments.write_text("query,item,grade\nq,a,1\nq,b,\n", encoding="utf-8")
    ranking.write_text("query,item,score\nq,a,1\n", encoding="utf-8")
    strict, lenient = (rg.doctor(judgments, ranking, lenient=lenient).findings for lenient in (False, True))
    assert {finding.severity for finding in strict if finding.code == "RG204"} == {"error"}
    with pytest.warns(rg.DataWarning, match="RG204.*lenient reading drops the line"):
        scores = rg.evaluate(judgments, ranking, "RR", lenient=True)
    for findings in (lenient, scores.findings):
        [finding] = [finding for finding in findings if finding.code == "RG204"]
        assert finding.severity == "warning"
        assert finding.remedy.zh == "宽松读取：丢弃该行"
    assert [here("doctor", judgments, ranking, *flags).code for flags in ((), ("--lenient",))] == [1, 0]
