"""The report without a browser: its numbers, its pictures, its formats, its texts, its command."""

import base64
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from command_line import here
from optional import posix_only
from rankgauge import reports
from rankgauge.example import JUDGMENTS, SYSTEMS, files

QUICK = {"permutations": 200, "resamples": 100}


def texts_of(source):
    """The texts that a report of query q1 with item 2 keeps."""
    return rg.report({"q1": {"2": 1}}, {"a": {"q1": ["2"]}}, "RR", texts=source, **QUICK).texts


def build_report(judgments=JUDGMENTS, rankings=SYSTEMS, metrics=("nDCG@5", "AP"), **options):
    return rg.report(judgments, rankings, metrics, **QUICK, **options)


def blocks(page):
    """The data of the page, decompressed."""
    scripts = re.findall(r'<script type="application/octet-stream" id="([\w-]+)">([^<]*)</script>', page)
    return {name: json.loads(gzip.decompress(base64.b64decode(text))) for name, text in scripts}


METRICS = [
    "nDCG@3",
    "nDCG(gain='exp2')@3",
    "AP",
    "RR",
    "P@3",
    "R@2",
    "F@3",
    "ERR@3",
    "RBP@3",
    "bpref",
    "Rprec",
    "Q",
    "AUC",
    "GMAP",
]


@pytest.mark.parametrize("ties", ["id", "mean"])
@pytest.mark.parametrize("metric", METRICS)
def test_every_row_equals_that_of_the_explanation(metric, ties):
    rules = rg.Convention(ties=ties)
    rankings = {**SYSTEMS, "equal": {query: dict.fromkeys(items, 1.0) for query, items in SYSTEMS["keywords"].items()}}
    try:
        report = build_report(rankings=rankings, metrics=metric, convention=rules)
    except rg.ParameterError:
        assert ties == "mean"
        return
    lists = report.contents.lists
    for place, query in enumerate(JUDGMENTS):
        data = lists.query(place)
        for system, ranking in enumerate(rankings.values()):
            explained = rg.explain(JUDGMENTS, ranking, metric, query, convention=rules)
            shown_sum = data["sums"][0][system]
            rows = [row for row in explained.steps.rows if row.factors is not None]
            assert shown_sum["value"] == explained.value
            assert shown_sum["total"] == explained.steps.total
            assert shown_sum["below"] == explained.below
            assert shown_sum["rest"] == explained.steps.rest
            assert [row[0] for row in shown_sum["rows"]] == [row.rank for row in rows]
            assert np.allclose(
                [row[-1] for row in shown_sum["rows"]], [row.contribution for row in rows], atol=1e-9, rtol=0
            )
            for row, shown in zip(rows, shown_sum["rows"], strict=True):
                assert np.allclose(shown[1:-1], row.factors, atol=1e-9, rtol=0) or not row.contribution
            if explained.ideal is not None:
                ideal = data["ideals"][0]
                shown = ideal[system] if len(ideal) > 1 else ideal[0]
                assert np.allclose(
                    [row[-1] for row in shown], [row.contribution for row in explained.ideal.rows], atol=1e-9
                )


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(0, 6) | st.integers(), min_size=1, max_size=60),
    st.sampled_from(["id", "input", "best", "worst", "random"]),
    st.data(),
)
def test_the_top_of_a_long_list_equals_that_of_the_complete_list(scores, ties, data):
    items = {f"d{n}": score for n, score in enumerate(scores)}
    judgments = {"q": {item: data.draw(st.integers(0, 2)) for item in [*items][::3]}}
    rules = rg.Convention(ties=ties)
    (query,) = next(rg.report(judgments, {"a": {"q": items}}, "P@20", convention=rules, **QUICK).chunks())
    explained = rg.explain(judgments, {"q": items}, "P@20", "q", convention=rules)
    assert [query["items"][item] for item in query["tops"][0]] == [row.item for row in explained.steps.rows]


def test_every_message_of_the_script_exists_and_is_used():
    page = build_report().to_html()
    messages = json.loads(re.search(r'<script type="application/json" id="messages">([^<]*)</script>', page)[1])
    script = max(re.findall(r"<script>(.*?)</script>", page, re.DOTALL), key=len)
    assert {*re.findall(r'say\("([^"]+)"', script)} - {*messages} == set()
    quoted = {*re.findall(r'"([^"\n]+)"', script)} | {
        f"by {way}" for way in ("order", "gain", "loss", "size", "value", "query")
    }
    assert {*messages} - quoted == set()


def test_rows_after_the_top_are_added_up():
    judgments = {"q": {f"d{n}": 1 for n in range(40)}}
    report = build_report(judgments, {"a": {"q": [f"d{n}" for n in range(40)]}}, "AP")
    shown_sum = report.contents.lists.query(0)["sums"][0][0]
    assert len(shown_sum["rows"]) == 20
    assert sum(row[-1] for row in shown_sum["rows"]) + shown_sum["tail"] == shown_sum["total"] == 40


@settings(max_examples=10, deadline=None)
@given(
    st.dictionaries(
        st.text(min_size=1, max_size=6),
        st.dictionaries(st.text(min_size=1, max_size=6), st.integers(-1, 3), min_size=1, max_size=6),
        min_size=1,
        max_size=4,
    ),
    st.data(),
)
def test_data_with_any_ids_are_read_back_from_the_page(judgments, data):
    scores = st.dictionaries(st.text(min_size=1, max_size=6), st.floats(-9, 9), max_size=6)
    rankings = {name: {query: data.draw(scores) for query in judgments} for name in ("a", "b")}
    page = build_report(judgments, rankings, "nDCG@3").to_html()
    data_blocks = blocks(page)
    assert data_blocks["core"]["queries"] == [*judgments]
    for query, shown in zip(judgments, data_blocks["queries-0"], strict=True):
        for name, top in zip(rankings, shown["tops"], strict=True):
            assert {shown["items"][item] for item in top} == {*rankings[name][query]}
    for text in [*judgments, *(item for items in judgments.values() for item in items)]:
        if "<" in text or "&" in text:
            assert f">{text}<" not in page


def test_the_page_has_one_policy_one_style_and_one_script():
    page = build_report().to_html()
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)[1]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        (inside,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert re.findall(r"<[^>]+\s(?:on\w+|style|src)=", page.split("<script")[0]) == []
    assert re.findall(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function", page) == []
    assert (
        re.findall(
            r"https?://(?!www\.w3\.org/(?:2000/svg|1998/Math/MathML))",
            page.replace('xmlns="http://www.w3.org/2000/svg"', ""),
        )
        == []
    )
    assert page == build_report().to_html()  # the same input, the same file


def test_the_page_without_its_data_is_small():
    chance = np.random.default_rng(5)
    judgments = {f"q{q}": {f"d{n}": int(chance.integers(0, 4)) for n in range(8)} for q in range(150)}
    rankings = {
        f"system-{s}": {q: {f"d{n}": float(chance.random()) for n in range(12)} for q in judgments} for s in range(10)
    }
    page = build_report(judgments, rankings, ["nDCG@10", "AP", "P@5"]).to_html()
    bare = re.sub(r'(octet-stream" id="[\w-]+">)[^<]*', r"\1", page)
    assert len(bare.encode()) < 200_000


def test_every_picture_has_a_caption_and_data():
    report = build_report()
    for pictures in report.pictures.values():
        assert [picture.name for picture in pictures] == [
            "intervals",
            "distribution",
            "topics",
            "curve",
            "unjudged",
            "bounds",
            "slices-1",
        ]
        for picture in pictures:
            ET.fromstring(picture.drawing.markup("en"))  # noqa: S314 (written by this library)
            assert picture.caption.en != picture.caption.zh
            assert {len(row) for row in picture.rows} == {len(picture.columns)}
    (pair,) = report.pair_pictures["AP"].values()
    assert [picture.name for picture in pair] == ["differences", "scatter"]


def test_the_numbers_in_the_pictures_equal_those_of_the_library():
    report = build_report()
    scores = rg.evaluate(JUDGMENTS, SYSTEMS, [f"nDCG@{k}" for k in range(1, 11)])
    curve = next(picture for picture in report.pictures["nDCG@5"] if picture.name == "curve")
    for system, k, mean, low, high in curve.rows:
        assert mean == scores.mean(f"nDCG@{k}", system)
        assert (low, high) == scores.interval(f"nDCG@{k}", system)
    intervals = report.pictures["nDCG@5"][0]
    compared = rg.compare(JUDGMENTS, SYSTEMS, "nDCG@5", permutations=200, resamples=100)
    assert [row[:2] for row in intervals.rows] == [[row.system, row.mean] for row in compared.leaderboard()]
    bounds = next(picture for picture in report.pictures["AP"] if picture.name == "bounds")
    expected = rg.unjudged_bounds(JUDGMENTS, SYSTEMS, "AP")
    assert {tuple(row[:3]) for row in bounds.rows} == {(p.system, p.unjudged, p.mean) for p in expected.systems}
    topics = report.picture("topics", "AP")
    scores = rg.evaluate(JUDGMENTS, SYSTEMS, "AP")
    for query, *values in topics.rows:
        assert values == [scores.per_query("AP", system)[query] for system in topics.columns[1:]]
    means = [np.mean(values) for _, *values in topics.rows]
    assert means == sorted(means)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_pictures_as_files(example_folder, lang):
    arguments = ["judgments.csv", "keywords.csv", "embeddings.csv", "-m", "AP", "--lang", lang, "-o", "page.html"]
    result = here("report", *arguments, "--pictures", "drawn")
    assert result.code == 0
    drawn = {path.name: path for path in (example_folder / "drawn").iterdir()}
    assert "AP-scatter-embeddings.svg" in drawn
    for path in (path for path in drawn.values() if path.suffix == ".svg"):
        text = path.read_text(encoding="utf-8")
        ET.fromstring(text)  # noqa: S314 (written by this library)
        assert "var(" not in text
        assert 'class="t"' not in text
    for ending in ("png", "pdf"):  # all of them, or a note that says that none could be written
        images = {name.removesuffix(f".{ending}") for name in drawn if name.endswith(f".{ending}")}
        assert images == {name.removesuffix(".svg") for name in drawn if name.endswith(".svg")} or not images
        assert (ending.upper() in result.err) == (not images)
    assert all(path.stat().st_size > 300 for path in drawn.values())


def test_the_head_says_what_was_evaluated_when_and_from_which_files(tmp_path, monkeypatch):
    for name, text in files().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    paths = {name: tmp_path / f"{name}.csv" for name in SYSTEMS}
    report = build_report(tmp_path / "judgments.csv", paths, date="2026-01-31")
    head = re.search(r'<section id="summary".*?</section>', report.to_html(), re.DOTALL)[0]
    for text in (
        "2026-01-31",
        "16 judgments of 3 queries (judgments.csv)",
        "keywords.csv",
        "embeddings.csv",
        "3 个查询的",
    ):
        assert text in head
    assert str(tmp_path) not in head
    assert "Date: 2026-01-31" in report.to_markdown()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert build_report().contents.origin.date == "1970-01-02"
    assert "Date" not in build_report(date=None).to_markdown()
    assert "passed from memory" in build_report(date=None).to_markdown()
    with pytest.raises(rg.ParameterError, match="date"):
        build_report(date=3)


def test_the_verdict_of_every_metric_is_in_the_head_with_all_values_intervals_and_marks():
    chance = np.random.default_rng(5)
    judgments = {f"q{q}": {f"d{n}": int(chance.integers(0, 3)) for n in range(8)} for q in range(30)}
    rankings = {
        name: {q: {d: grade * skill + chance.random() for d, grade in items.items()} for q, items in judgments.items()}
        for name, skill in (("low", 0.0), ("high", 3.0), ("middle", 0.4))
    }
    report = build_report(judgments, rankings, ["nDCG@5", "AP", "RR"])
    head = re.search(r'<section id="summary".*?</section>', report.to_html(), re.DOTALL)[0]
    compared = report.contents.comparison
    for metric in compared.metrics:
        assert compared.verdict(metric) in head
        for row in compared.leaderboard(metric):
            assert f"{row.mean:.4f}" in head
            assert f"[{row.interval.low:.4f}, {row.interval.high:.4f}]" in head
    table = head.partition("<tbody>")[2]
    assert re.findall(r'<bdi title="(\w+)"', table) == ["high", "middle", "low"]
    assert "<sup>2,3</sup>" in table  # high is significantly better than 2, middle, and 3, low


def test_metrics_that_prefer_different_systems_are_named_in_the_head():
    judgments = {f"q{q}": {"a": 1, "b": 1, "c": 0, "d": 0} for q in range(4)}
    rankings = {
        "first": {query: ["a", "c", "d", "b"] for query in judgments},
        "both": {query: ["c", "a", "b"] for query in judgments},
    }
    disagreement = "The metrics disagree on the best system: first by RR; both by R@3."
    assert disagreement in build_report(judgments, rankings, ["RR", "R@3"]).to_html()
    assert "disagree" not in build_report(judgments, rankings, ["RR", "P@1"]).to_html()


def test_more_pairs_than_anybody_reads_are_not_in_the_page(monkeypatch):
    """The tables of all pairs of 126 runs took a minute, two gigabytes and three quarters of the page."""
    rankings = {f"system {n}": SYSTEMS["keywords" if n % 2 else "embeddings"] for n in range(4)}
    report = build_report(rankings=rankings)

    assert "All pairs (6)" in report.to_html()
    monkeypatch.setattr(reports.cards, "MANY_PAIRS", 5)
    page = report.to_html()
    assert "All pairs (6)" not in page
    assert "The table of all pairs (6): rankgauge compare --all-pairs -t csv" in page


def test_markdown_and_latex_tables():
    report = build_report(rankings={"a|b_c": SYSTEMS["keywords"], "100%": SYSTEMS["embeddings"]})
    assert "| 1 | 100% | 0.9445 |" in report.to_markdown()
    assert r"a\|b\_c" in report.to_markdown()
    assert "too few" in report.to_markdown()
    assert "太少" in report.to_markdown("zh")
    latex = report.to_latex()
    assert r"\toprule" in latex
    assert r"100\%" in latex
    assert "nDCG" in build_report(rankings={"only": SYSTEMS["keywords"]}).to_markdown()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.jsonl", '{"id": "q1", "text": "one"}\n\n{"id": 2, "text": "two"}\n'),
        ("t.jsonl", '{"_id": "q1", "title": "one"}\n{"_id": "2", "title": "two"}\n{"_id": "x", "title": "other"}\n'),
        ("t.csv", 'id,text\nq1,one\n2,"two"\n'),
        ("t.tsv", "q1\tone\n2\ttwo\n"),
        ("t.tsv", "\ufeffdocno\tcontents\nq1\tone\n2\ttwo\nbroken\n"),
    ],
)
def test_texts_are_read_from_files(tmp_path, name, content):
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert texts_of(tmp_path / name) == {"q1": "one", "2": "two"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file has no data"),
        ('{"id": 1}\n', "expected a column named one of text"),
        ('{"id": 1, "text": "a"}\n{oops\n', "t.txt:2: .* is not JSON"),
        ("a,b,c\n1,2,3\n", "expected a column named one of id"),
    ],
)
def test_invalid_texts_are_refused_with_a_reason(tmp_path, content, message):
    (tmp_path / "t.txt").write_text(content, encoding="utf-8")
    with pytest.raises(rg.InputError, match=message):
        texts_of(tmp_path / "t.txt")


def test_long_texts_are_cut():
    assert texts_of({"2": "x" * 1000, "other": "x"}) == {"2": "x" * 400 + "…"}


def test_a_missing_ranking_and_an_empty_list_are_shown():
    judgments = {"q1": {"a": 1}, "q2": {"b": 2}, "q3": {"c": 0}}
    page = build_report(
        judgments, {"old": {"q1": ["a"], "q2": []}, "new": {"q1": ["x"], "q3": ["c"]}}, "nDCG@5"
    ).to_html()
    queries = blocks(page)["queries-0"]
    assert queries[1]["tops"] == [[], []]
    assert queries[1]["missed"] == [["b", 2]]
    assert "no results for 1 judged query<" in page


def test_queries_that_are_left_out_have_no_value():
    judgments = {"q1": {"a": 1}, "q2": {"b": 2}, "q3": {"c": 1}}
    rankings = {"old": {"q1": ["a"], "q2": ["b"]}, "new": {"q1": ["x", "a"], "q2": ["b"], "q3": ["c"]}}
    core = blocks(build_report(judgments, rankings, "RR", convention=rg.Convention(missing="skip")).to_html())["core"]
    assert core["values"] == [[[1, 1, None], [0.5, 1, 1]]]


def test_arrays_and_ids_that_are_numbers():
    labels, scores = np.array([[1, 0, 2], [0, 0, 1]]), np.array([[0.1, 0.5, 0.9], [0.3, 0.2, 0.1]])
    data_blocks = blocks(build_report(labels, {"a": scores, "b": -scores}, "nDCG@2").to_html())
    assert data_blocks["core"]["queries"] == ["0", "1"]
    assert data_blocks["queries-0"][0]["items"] == ["2", "1", "0"]


def run(*arguments, cwd):
    return subprocess.run(
        [sys.executable, "-m", "rankgauge", *arguments],
        capture_output=True,
        check=False,
        cwd=cwd,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(Path(rg.__file__).parents[1]), "LC_ALL": "C.UTF-8"},
    )


def test_the_command(tmp_path):
    for name, text in files().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "kinds.csv").write_text("query,kind\nspace opera,film\n功夫片,电影\nheist,film\n", encoding="utf-8")
    both = ["report", "judgments.csv", "keywords.csv", "embeddings.csv", "-m", "nDCG@5", "--permutations", "100"]
    done = run(*both, "-o", "r.html", "--attributes", "kinds.csv", "--by", "kind", "--title", "A & B", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<title>A &amp; B</title>" in page
    assert "Difference by kind" in page
    again = run(*both, "-o", "r.html", cwd=tmp_path)
    assert again.returncode == 6
    assert "already exists" in again.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "r.pdf"], "the ending implies no format that report writes"),
        (["--by", "kind"], "--by needs --attributes"),
    ],
)
def test_the_command_refuses_invalid_options(tmp_path, arguments, message):
    done = run("report", "judgments.csv", "keywords.csv", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr


@posix_only
def test_judgments_may_come_from_standard_input(tmp_path):
    for name, text in files().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    call = "{} report {} keywords.csv -m AP -t md -o -"
    program = f"{sys.executable} -m rankgauge"
    environment = {**os.environ, "PYTHONPATH": str(Path(rg.__file__).parents[1])}
    pages = [
        subprocess.run(script, shell=True, capture_output=True, check=True, cwd=tmp_path, env=environment).stdout  # noqa: S602
        for script in (call.format(program, "judgments.csv"), "cat judgments.csv | " + call.format(program, "-"))
    ]
    named, unnamed = (page.decode().splitlines() for page in pages)
    assert "Judgments: 16 judgments of 3 queries (judgments.csv)" in named
    assert "Judgments: 16 judgments of 3 queries (standard input)" in unnamed
    assert named[7:14] == unnamed[7:14]  # then findings name the file
