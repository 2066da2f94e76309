"""The commands explain, metrics, conventions, curve, doctor and convert."""

import io
import json
import math
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from command_line import here, raw
from rankgauge import example
from rankgauge.rendering import chart, formula
from registries import PRESETS, RULES

DEFINITIONS = [metric.definition for metric in rg.metrics().values()]

# explain


def test_a_list_is_explained_as_in_python():
    expected = (rg.nDCG @ 5).explain([3, 2, 3, 0, 1]).to_text()

    assert here("explain", "3,2,3,0,1", "-m", "nDCG@5", "--lang", "en").out == expected + "\n"
    assert here("explain", "3 2 3 0 1", "-m", "nDCG@5", "--lang", "en").out == expected + "\n"


def test_every_option_of_a_list_of_grades():
    given_here = ["--ideal", "2,1,1,0", "--scores", "0.5,0.5,0.1", "--items", "a,b,c", "--rule", "ties=mean"]
    data = json.loads(raw("explain", "1,-,2", "-m", "nDCG@2", *given_here, "-t", "json"))
    expected = (rg.nDCG @ 2).of(
        [1, None, 2], ideal=[2, 1, 1, 0], scores=[0.5, 0.5, 0.1], items=["a", "b", "c"], ties="mean"
    )

    assert data["value"] == expected
    assert json.loads(raw("explain", "1,0", "-m", "AP", "--relevant", 4, "-t", "json"))["value"] == 0.25
    assert len(json.loads(raw("explain", "1,0", "-m", "AP", "-m", "RR", "-t", "json"))) == 2


@pytest.mark.usefixtures("example_folder")
def test_a_query_of_files_is_explained():
    data = json.loads(
        raw("explain", "judgments.csv", "keywords.csv", "-m", "nDCG@5", "--query", "功夫片", "-t", "json")
    )
    expected = rg.explain(example.JUDGMENTS, example.SYSTEMS["keywords"], "nDCG@5", "功夫片")

    assert data["value"] == expected.value
    assert "理想排序" in here("explain", "judgments.csv", "keywords.csv", "--query", "heist", "--lang", "zh").out


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["judgments.csv", "keywords.csv"], 2, "more than one query; pass --query"),
        (["judgments.csv", "keywords.csv", "--query", "x"], 3, "is not in the judgments"),
        (["judgments.csv"], 3, "holds judgments only"),
        (["missing.csv"], 2, "if it is a file"),
        (["1,x,2"], 2, "not a list of numbers"),
        (["1,2", "--query", "q"], 2, "explain: --query is for files"),
        (["judgments.csv", "keywords.csv", "--ideal", "1"], 2, "explain: --ideal is for a list"),
        (["a", "b", "c"], 2, "pass a list of grades"),
        (["-", "-", "--query", "q"], 2, "only one file"),
    ],
)
def test_explain_refuses_wrong_arguments(arguments, code, words):
    result = here("explain", *arguments)

    assert (result.code, result.out) == (code, "")
    assert words in result.err


# metrics


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_list_names_every_metric(lang):
    text = here("metrics", "--lang", lang).out

    assert [one.name for one in DEFINITIONS if f"\n{one.name} " not in text] == []
    assert [one.name for one in DEFINITIONS if one.meaning.render(lang)[:8] not in text] == []


@pytest.mark.parametrize("name", [one.name for one in DEFINITIONS])
def test_the_page_of_a_metric_has_everything(name):
    definition = rg.parse(name).definition
    text = " ".join(here("metrics", name, "--lang", "en").out.split())

    assert definition.meaning.en in text
    assert formula.to_text(definition.formula) in text
    assert all(f"{law}:" in text for law in definition.breaks)
    assert all(parameter in text for parameter in definition.parameters)
    assert definition.reference in text
    assert json.loads(raw("metrics", name, "-t", "json"))["name"] == name


def test_metrics_are_found_by_a_word_or_an_alias():
    found = here("metrics", "precision").out

    assert "IPrec" in found
    assert "NumRet" not in found
    assert here("metrics", "MAP").out.startswith("AP\n")
    assert here("metrics", "ndcg").out.startswith("nDCG\n")
    assert "did you mean 'nDCG'" in here("metrics", "nDGC").err
    assert here("metrics", "nothing-like-this").code == 2


# conventions


def test_conventions_are_listed_shown_and_compared():
    listed = here("conventions", "--lang", "en").out

    assert all(name in listed for name in PRESETS)
    for name in ("trec_eval-9", "lightgbm", "recbole"):
        shown = here("conventions", "show", name, "--lang", "en").out
        assert all(f"\n{rule} " in shown for rule in RULES)
        compared = here("conventions", "diff", name, "--lang", "en").out
        assert [rule for rule in RULES if f"\n{rule}:" in compared] == [*PRESETS[name].differences]
    assert "exp2" in here("conventions", "show", "--rule", "gain=exp2").out
    assert "same rules" in here("conventions", "diff", "default", "default", "--lang", "en").out


def test_an_ideal_that_lacks_a_returned_grade_is_an_error_if_it_changes_the_value():
    for command in ("explain", "reconcile"):
        given = (command, "3,2", "-m", "nDCG@3", "--ideal", "3,1")
        assert "more items of grade 2" in here(*given, "--lang", "en").err
        assert "等级为 2 的物品更多" in here(*given, "--lang", "zh").err
    assert rg.nDCG.of([3, 2, 0], ideal=[3, 2]) == 1  # grades of 0 may be left out
    assert rg.nDCG.of([2, None], ideal=[2]) == 1
    assert rg.AP.of([3, 2], ideal=[1, 1, 1]) == pytest.approx(2 / 3)  # as many relevant items as it needs
    assert (rg.nDCG @ 2).of([3, 2, 1], ideal=[3, 2]) == 1  # the best two are all that counts


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("5,3,,1,2", "entry 3 is empty"),
        (",5,3", "entry 1 is empty"),
        ("1,,", "entry 2 is empty"),
        ("nan,1", "entry 1 is 'nan', not a number"),
        ("5,3,x,1", "entry 3 is 'x', not a number"),
    ],
)
def test_an_entry_that_is_no_number_is_named_in_every_list(text, reason):
    for grades in ((text,), ("1,2", "--ideal", text), ("1,2", "--scores", text)):
        assert reason in here("explain", *grades, "-m", "P", "--lang", "en").err
    assert f"第 {reason.split()[1]} 项" in here("explain", text, "-m", "P", "--lang", "zh").err


@pytest.mark.parametrize("text", ["1,0,1,", "1;0;1", "1, 0 1", "[1, 0, 1,]"])
def test_separators_of_a_list(text):
    assert here("explain", text, "-m", "AP", "-t", "json").out == here("explain", "1,0,1", "-m", "AP", "-t", "json").out


def test_the_values_of_a_rule_are_shown():
    page = here("conventions", "show", "gain", "--lang", "en").out
    assert "exp2" in page
    assert "Default: linear" in page
    assert "默认：linear" in here("conventions", "show", "gain", "--lang", "zh").out
    assert json.loads(raw("conventions", "show", "ties", "-t", "json"))["ties"]["default"] == "id"
    assert "rankgauge conventions show gain" in here("conventions", "gain").err
    assert "did you mean 'gain'" in here("conventions", "show", "gian", "--lang", "en").err
    for rule in rg.Convention().to_dict():
        for lang in ("en", "zh"):
            assert rule in here("conventions", "show", rule, "--lang", lang).out


def test_conventions_as_data():
    data = json.loads(raw("conventions", "diff", "trec_eval-9", "trec_eval-10", "-t", "json"))

    assert data["trec_eval-9"] == PRESETS["trec_eval-9"].convention.to_dict()


@pytest.mark.parametrize("arguments", [["diff"], ["show", "a", "b"], ["show", "nope"], ["--rule", "rel=2"], ["other"]])
def test_invalid_conventions_are_refused(arguments):
    assert here("conventions", *arguments).code == 2


# curve


@pytest.mark.usefixtures("example_folder")
def test_a_curve_is_the_metric_at_each_cutoff():
    data = json.loads(
        raw("curve", "judgments.csv", "keywords.csv", "--k", "1:5", "-m", "nDCG", "-m", "P", "-t", "json", "--quiet")
    )

    at_k = [f"{name}@{k}" for name in ("nDCG", "P") for k in range(1, 6)]
    scores = rg.evaluate(example.JUDGMENTS, example.SYSTEMS["keywords"], at_k)
    assert data["cutoffs"] == [1, 2, 3, 4, 5]
    for name in ("nDCG", "P"):
        assert data["systems"]["keywords"][name] == [scores.mean(f"{name}@{k}") for k in range(1, 6)]


@pytest.mark.usefixtures("example_folder")
def test_a_curve_in_every_format():
    files = ("judgments.csv", "keywords.csv", "embeddings.csv", "--k", "1:5", "--quiet")
    svg = ET.fromstring(raw("curve", *files, "-t", "svg"))  # noqa: S314 (our own)
    picture = here("curve", *files, "--plot", "--lang", "en").out

    assert [child.tag.rpartition("}")[2] for child in svg][:2] == ["title", "desc"]
    assert "0.9445 at k=5" in svg[1].text
    assert "* keywords\no embeddings" in picture
    assert "gain=linear" in picture
    assert here("curve", *files, "--lang", "en").out.count("\n") > 7
    assert raw("curve", *files, "-t", "tsv").decode().splitlines()[1].split("\t")[:3] == ["keywords", "nDCG", "1"]
    assert raw("curve", *files, "-t", "csv").decode().count("\n") == 11


@pytest.mark.parametrize("text", ["", "0", "5:1", "1:5:0", "a", "1:2:3:4", "-1", "1:999999"])
@pytest.mark.usefixtures("example_folder")
def test_invalid_cutoffs_are_refused(text):
    result = here("curve", "judgments.csv", "keywords.csv", f"--k={text}")

    assert result.code == 2
    assert "k must be" in result.err


@given(
    st.dictionaries(st.text(max_size=5), st.lists(st.none() | st.floats(-1e6, 1e6), min_size=1, max_size=30), min_size=1, max_size=4),
    st.integers(1, 120),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_any_chart_can_be_drawn(lines, width):
    shortest = min(map(len, lines.values()))
    drawn = chart.Chart(
        "t<&>", "d", "k", range(1, shortest + 1), {name: line[:shortest] for name, line in lines.items()}
    )

    text = chart.to_text(drawn, width)
    assert text.isprintable() or set(text) - {"\n"} <= set(filter(str.isprintable, text))
    ET.fromstring(chart.to_svg(drawn))  # noqa: S314 (our own)


# doctor


@pytest.mark.usefixtures("example_folder")
def test_doctor_finds_nothing_wrong_in_the_example():
    result = here("doctor", "judgments.csv", "keywords.csv", "--lang", "en")
    data = json.loads(raw("doctor", "judgments.csv", "keywords.csv", "-t", "json"))

    assert result.code == 0
    assert "0: 3 · 1: 2 · 2: 5 · 3: 6" in result.out
    assert [(one["role"], one["rows"], one["queries"]) for one in data["files"]] == [
        ("judgments", 16, 3),
        ("ranking", 15, 3),
    ]
    assert data["files"][1]["tied"] == 4
    [fit] = data["fits"]
    assert (fit["judged_queries"], fit["answered_queries"]) == (3, 3)
    assert math.isclose(fit["unjudged_at_10"], 2 / 15)


def test_doctor_reports_problems(example_folder):
    (example_folder / "j.qrels").write_text("q1 0 a 1\nq1 0 a 2\nq1 0 b 1\nq1 0 b 1\nq2 0 c x\nq3 0 d 50\n")
    (example_folder / "r.run").write_text("q1 Q0 a 1 1e-9 t\nq1 Q0 a 2 0 t\nq9 Q0 b 1 0.1 t\nq1 Q0 z 3 nan t\n")

    result = here("doctor", "j.qrels", "r.run", "-t", "json")

    codes = {one["code"]: one["count"] for one in json.loads(result.out)["findings"]}
    assert result.code == 1
    counts = {"RG302": 1, "RG303": 1, "RG204": 1, "RG207": 1, "RG301": 1, "RG202": 1}
    assert {code: codes.get(code) for code in counts} == counts
    assert {"RG402", "RG403", "RG405"} <= codes.keys()


def test_doctor_reports_files_that_do_not_belong_together(example_folder):
    (example_folder / "other.csv").write_text("query,item,score\nelsewhere,a,1\n")

    result = here("doctor", "judgments.csv", "other.csv", "--lang", "en")

    assert result.code == 1
    assert "RG401  error" in result.out


def test_doctor_reports_scores_that_tie_in_single_precision(tmp_path):
    (tmp_path / "run").write_text("q Q0 a 1 100000000.3 t\nq Q0 b 2 100000000.1 t\nq Q0 c 3 1 t\n")
    [file] = json.loads(raw("doctor", tmp_path / "run", "-t", "json"))["files"]

    assert (file["float32_collapses"], file["tied"], file["format"]) == (1, 0, "trec")


# convert


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet", "arrow", "csv.gz", "tsv.bz2", "jsonl.xz"])
def test_conversion_and_back_changes_no_digit(example_folder, ending):
    for name in ("judgments", "keywords"):
        assert here("convert", f"{name}.csv", "-o", f"{name}2.{ending}").code == 0
        assert here("convert", f"{name}2.{ending}", "-o", f"{name}3.csv").code == 0
    scores = [
        json.loads(raw("eval", f"judgments{n}", f"run=keywords{n}", "-m", "nDCG@5", "-t", "json", "--quiet"))["systems"]
        for n in (".csv", f"2.{ending}", "3.csv")
    ]

    assert scores[0] == scores[1] == scores[2]
    assert (example_folder / "judgments3.csv").read_text() == (example_folder / "judgments.csv").read_text()


def test_trec_files_are_ranked_by_score_also_where_queries_are_scattered(example_folder):
    (example_folder / "r.csv").write_text("query,item,score\nq1,a,0.5\nq2,b,0.1\nq1,c,0.9\nq1,d,0.30000000000000004\n")

    assert here("convert", "r.csv", "-o", "r.run", "--tag", "mine").code == 0
    assert (example_folder / "r.run").read_text().splitlines() == [
        "q1 Q0 c 1 0.9 mine",
        "q1 Q0 a 2 0.5 mine",
        "q1 Q0 d 3 0.30000000000000004 mine",
        "q2 Q0 b 1 0.1 mine",
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["keywords.csv", "k.run"], 3, "contains whitespace"),
        (["keywords.csv", "k.what"], 2, "is not that of a format"),
        (["keywords.csv", "judgments.csv"], 6, "already exists"),
        (["keywords.csv", "k.parquet.gz"], 2, "compressed internally"),
        (["keywords.csv", "-"], 2, "--to"),
        (["wrong.csv", "k.jsonl"], 3, "RG201"),
        (["unclear.csv", "k.jsonl"], 3, "no grade, score or rank"),
        (["empty.csv", "k.jsonl"], 4, "RG101"),
    ],
)
def test_a_failed_conversion_leaves_no_file_behind(example_folder, arguments, code, words):
    (example_folder / "wrong.csv").write_text("query,item,score\nq,a,1\nq,b,high\n")
    (example_folder / "unclear.csv").write_text("query,item,color\nq,a,1\n")
    (example_folder / "empty.csv").write_text("")
    before = sorted(path.name for path in example_folder.iterdir())

    result = here("convert", arguments[0], "-o", *arguments[1:])

    assert result.code == code
    assert words in result.err
    assert sorted(path.name for path in example_folder.iterdir()) == before


@given(
    st.lists(
        st.tuples(st.text("ab é功\"',;=+-@#\t", min_size=1, max_size=4), st.text("xyz 1", min_size=1, max_size=3), st.floats(allow_nan=False, allow_infinity=False)),
        min_size=1, max_size=12,
    ),
    st.sampled_from(["csv", "tsv", "jsonl", "parquet", "arrow"]),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_conversion_preserves_any_ids_and_scores(rows, to):
    rows = [(query, item, score) for query, item, score in rows if query.strip() and item.strip()] or [("q", "i", 1.0)]
    source = io.BytesIO(b"".join(json.dumps({"query": q, "item": i, "score": s}).encode() + b"\n" for q, i, s in rows))
    there, back = io.BytesIO(), io.BytesIO()

    rg.convert(source, there, to=to, role="ranking", format="jsonl")
    there.seek(0)
    rg.convert(there, back, to="jsonl", role="ranking", format=to)

    found = [json.loads(line) for line in back.getvalue().decode().splitlines()]
    assert [(row["query"], row["item"], row["score"]) for row in found] == rows


@pytest.mark.usefixtures("example_folder")
def test_commas_separate_metrics_and_grades_also_those_of_a_chinese_keyboard():
    assert (
        here("eval", "judgments.csv", "keywords.csv", "-m", "nDCG@5,AP").out
        == here("eval", "judgments.csv", "keywords.csv", "-m", "nDCG@5", "-m", "AP").out
    )
    assert (
        here("explain", "5，3，2", "-m", "nDCG@3，AP").out == here("explain", "5,3,2", "-m", "nDCG@3", "-m", "AP").out
    )


def test_the_curve_of_a_list_of_grades():
    data = json.loads(here("curve", "3,-,0,1", "-m", "nDCG,P", "--k", "1:4", "-t", "json").out)["systems"][""]
    for metric in (rg.nDCG, rg.P):
        assert data[str(metric)] == [(metric @ k).of([3, None, 0, 1]) for k in range(1, 5)]
    assert list(rg.curve([3, None, 0, 1], metrics="P").values.values()) == [tuple(data["P"])]
    wrong = here("curve", "judgments.csv")
    assert (wrong.code, "pass judgments and a ranking" in wrong.err) == (2, True)


def test_the_curve_of_a_list_ends_with_it():
    assert json.loads(here("curve", "3,2,3,0,1", "-t", "json").out)["cutoffs"] == [1, 2, 3, 4, 5]
    assert rg.curve(np.array([3, 2])).cutoffs == (1, 2)
    assert rg.curve([1] * 30).cutoffs == tuple(range(1, 21))
    assert rg.curve([3, 2], k="1:4").cutoffs == (1, 2, 3, 4)
    assert rg.curve({1: {"a": 1}}, {1: ["a"]}).cutoffs == (1,)
    with pytest.raises(rg.InputError, match="must be a finite number"):
        rg.curve([3, float("nan")])


def test_a_list_pasted_from_python_is_read():
    assert here("explain", "[3, 2, 3]").out == here("explain", "3,2,3").out
    assert here("explain", "[5, None, 3]", "--ideal", "(5, 3)").out == here("explain", "5,-,3", "--ideal", "5,3").out


def test_commands_name_the_file_that_they_wrote(example_folder):
    written = here("eval", "judgments.csv", "keywords.csv", "embeddings.csv", "-q", "-o", "scores.csv")
    assert (
        written.err.splitlines(keepends=True)[-1]
        == f"wrote scores.csv ({(example_folder / 'scores.csv').stat().st_size / 1000:.3g} kB)\n"
    )
    converted = here("convert", "keywords.csv", "-o", "keywords.tsv", "--lang", "zh")
    assert "已写入 keywords.tsv（" in converted.err
    report = here("report", "judgments.csv", "keywords.csv", "-m", "AP", "--pictures", "drawn", "-o", "-")
    assert re.search(r"wrote \d+ files to drawn \([\d.]+ kB in all\)", report.err)


def test_doctor_counts_judged_queries_that_a_ranking_lacks(tmp_path):
    """It said 0 / 0 where 0 of 1 judged query has results."""
    (tmp_path / "j.csv").write_text("query,item,grade\nq,a,1\n", encoding="utf-8")
    (tmp_path / "r.csv").write_text("query,item,score\nz,a,1\n", encoding="utf-8")
    assert "0 / 1" in here("doctor", tmp_path / "j.csv", tmp_path / "r.csv").out


def test_a_report_holds_its_command_line(tmp_path):
    files = [tmp_path / f"{name}.csv" for name in ("judgments", "old", "new")]
    for path, column in zip(files, ("grade", "score", "score"), strict=True):
        path.write_text(f"query,item,{column}\nq,a,1\nq,b,0\n", encoding="utf-8")
    page = tmp_path / "report.html"
    assert here("report", *files, "-m", "nDCG@3", "-o", page).code == 0
    assert re.search(r"<code>rankgauge report .*judgments\.csv.* -m nDCG@3 -o .*</code>", page.read_text("utf-8"))
