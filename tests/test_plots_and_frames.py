"""Results as pictures for a notebook or a file, and as frames of pandas and polars."""

import re
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from command_line import here
from rankgauge import example
from rankgauge.example import JUDGMENTS, SYSTEMS
from rankgauge.inputs.io import drawing
from rankgauge.rendering.document import ShownAsDocument

SCORES = rg.evaluate(JUDGMENTS, SYSTEMS, ["nDCG@5", "AP"])
COMPARISON = rg.compare(JUDGMENTS, SYSTEMS, ["nDCG@5", "AP"])
FIRST = SYSTEMS["keywords"]


def averages():
    streaming = rg.StreamingScores(["RR", "AP"])
    streaming.update(judgments=np.array([[1, 0, 1]]), scores=np.array([[0.9, 0.5, 0.1]]))
    return streaming.compute()


BOARD = rg.leaderboard({"a": {"x": 0.1, "y": 0.5}, "b": {"x": 0.2, "y": 0.7}})
TOOLS = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5", ideal=[5, 4, 3, 2, 2, 1, 0])
EDGES = {"__main__", "adapters", "cli", "compat", "engines", "pytest_plugin", "serve", "testing", "trec_eval"}
"""Parts whose results are those of other stages, or that load other libraries."""
RESULTS = {
    "scores": SCORES,
    "comparison": COMPARISON,
    "curve": rg.curve(JUDGMENTS, SYSTEMS, "nDCG", k=[1, 5]),
    "curve of a list": rg.nDCG.curve([3, 2, 0, 1]),
    "explanation": rg.nDCG.explain([3, 2, 0, 1]),
    "findings": SCORES.findings,
    "slices": rg.slices(SCORES, "AP", "difficulty"),
    "group gaps": rg.group_gaps(SCORES, "AP", {query: len(query) for query in JUDGMENTS}, "keywords"),
    "unjudged": COMPARISON.unjudged(),
    "attribution": COMPARISON.attribution("keywords", "embeddings"),
    "diff": rg.diff(FIRST, SYSTEMS["embeddings"]),
    "check": rg.check(JUDGMENTS, FIRST, "AP < 0.2"),
    "leaderboard": BOARD,
    "pair of a leaderboard": BOARD.compare("a", "b"),
    "doctor": rg.doctor(rg.read(JUDGMENTS, role="judgments"), rg.read(FIRST, role="ranking")),
    "reconcile": TOOLS,
    "number": TOOLS.explain("0.8535"),
    "transition": TOOLS.between("trec_eval-9", "lightgbm"),
    "audit": rg.audit(lambda grades: grades.index(1) / 7 if 1 in grades else 0.0, "RR"),
    "choose_k": rg.choose_k(depths=[1, 2, 2, 10]),
    "abstention": rg.abstention(JUDGMENTS, FIRST, "nDCG@5"),
    "off-policy": rg.off_policy.value([1, 0], [0.5, 0.5], [1, 0], estimator="IPS"),
    "sampled": rg.correct_sampled([1, 2, 5], "RR", sampled=9, catalogue=20),
    "streaming": averages(),
}
PICTURES = {
    "scores": SCORES.plot,
    "distribution": lambda: SCORES.plot("distribution", "AP"),
    "comparison": COMPARISON.plot,
    "one system": lambda: rg.evaluate(JUDGMENTS, FIRST, "AP").plot(),
    "curve": RESULTS["curve"].plot,
    "curve of a list": RESULTS["curve of a list"].plot,
}


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_every_result_with_rows_is_a_frame(result):
    pandas, polars = result.to_pandas(), result.to_polars()
    assert isinstance(pandas, pd.DataFrame)
    assert isinstance(polars, pl.DataFrame)
    assert [*pandas.columns] == polars.columns
    assert len(pandas) == polars.height > 0


def test_no_result_is_without_frames():
    for module in walk_packages(rg.__path__, "rankgauge."):
        if module.name.split(".")[1] not in EDGES:
            import_module(module.name)
    results = [result for result in subclasses(ShownAsDocument) if not result.__subclasses__()]
    without = [result.__name__ for result in results if not hasattr(result, "to_pandas")]
    assert [name for name in without if name != "RanxReport"] == []  # which has the attributes of ranx


def subclasses(base):
    return {*base.__subclasses__()}.union(*map(subclasses, base.__subclasses__()))


def test_a_comparison_is_a_frame_with_full_precision():
    row = COMPARISON.to_polars().row(0, named=True)
    assert row["metric"] == "nDCG@5"
    assert row["difference"] == COMPARISON.pair("keywords", "embeddings").difference


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_results_are_drawn_for_notebooks_and_files(picture, tmp_path):
    drawn = picture()
    assert drawn._repr_svg_().startswith("<svg")
    drawn.save(tmp_path / "picture.svg")
    assert (tmp_path / "picture.svg").read_text(encoding="utf-8") == drawn.to_svg()
    with pytest.raises(rg.ParameterError, match="already exists"):
        drawn.save(tmp_path / "picture.svg")


def test_the_pictures_of_scores_are_those_of_the_report():
    report = rg.report(SCORES, date=None)
    assert SCORES.plot().to_svg() == report.picture("intervals").to_svg()
    assert COMPARISON.plot("scatter").to_svg("zh") == report.picture("scatter").to_svg("zh")


def test_an_unknown_picture_is_an_error_that_lists_the_pictures():
    with pytest.raises(rg.UnknownNameError, match="did you mean 'intervals'"):
        SCORES.plot("interval")


@pytest.mark.parametrize("ending", ["png", "pdf"])
def test_png_and_pdf_are_rendered_by_a_program(ending, tmp_path, monkeypatch):
    """The program is a stand-in that copies the drawing and notes how it was called."""
    program = tmp_path / "rsvg-convert"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nopen(sys.argv[sys.argv.index('-o') + 1], 'w').write(' '.join(sys.argv[1:5]))"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    SCORES.plot().save(tmp_path / f"picture.{ending}")
    zoom = 2 if ending == "png" else 1
    assert (tmp_path / f"picture.{ending}").read_text() == f"-f {ending} -z {zoom}"


def test_without_a_renderer_the_remedy_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(drawing, "renderer", lambda _: None)
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    with pytest.raises(rg.RankgaugeError, match=r"PDF; install rsvg-convert .* pip install 'rankgauge\[pictures\]'"):
        SCORES.plot().save(tmp_path / "picture.pdf")
    assert [*Path(tmp_path).iterdir()] == []


class Cairo:
    """A stand-in for cairosvg."""

    svg2pdf = staticmethod(lambda svg: b"%PDF " + svg[:4])
    svg2png = staticmethod(lambda svg, scale: b"\x89PNG " + svg[:4])


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
@pytest.mark.parametrize(
    "call",
    [
        "eval judgments.csv keywords.csv",
        "compare judgments.csv keywords.csv embeddings.csv",
        "curve judgments.csv keywords.csv -k 1:3",
        "curve 3,0,1 -k 1:3",
        "tune judgments.csv keywords.csv embeddings.csv --folds 3 --grid k=10,60",
    ],
)
def test_commands_write_their_picture(call, ending, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(drawing, "renderer", lambda _: None)
    monkeypatch.setitem(sys.modules, "cairosvg", Cairo)
    for name, content in example.files().items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    assert here(*call.split(), "-o", f"figure.{ending}").code == 0
    start = {"svg": b"<svg", "png": b"\x89PNG <svg", "pdf": b"%PDF <svg"}[ending]
    assert (tmp_path / f"figure.{ending}").read_bytes().startswith(start)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_chinese_is_drawn_with_a_chinese_font(lang, tmp_path, monkeypatch):
    """Cairosvg draws boxes for characters that the first font of a list lacks."""
    program = tmp_path / "fc-match"
    program.write_text("#!/bin/sh\necho -n 'WenQuanYi Zen Hei'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "cairosvg", SimpleNamespace(svg2pdf=lambda svg: svg))
    COMPARISON.plot("differences").save(tmp_path / "picture.pdf", lang=lang)
    drawn = (tmp_path / "picture.pdf").read_text(encoding="utf-8")
    styles = re.findall(r"<text (?:style=\"font-family:'([^']*)'\" )?[^>]*>([^<]*)<", drawn)
    assert {font for font, text in styles if text.isascii() or "−" in text} == {""}
    assert {font for font, text in styles if "查询" in text} == ({"WenQuanYi Zen Hei"} if lang == "zh" else set())


def test_the_report_writes_its_pictures_for_latex(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(drawing, "renderer", lambda _: None)
    monkeypatch.setitem(sys.modules, "cairosvg", Cairo)
    for name, content in example.files().items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    assert (
        here("report", "judgments.csv", "keywords.csv", "embeddings.csv", "-m", "AP", "--pictures", "figures").code == 0
    )
    assert {path.suffix for path in Path("figures").iterdir()} == {".svg", ".png", ".pdf"}
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    result = here("report", "judgments.csv", "keywords.csv", "-m", "AP", "--pictures", "svg", "--force")
    assert "not written as PNG or PDF: install rsvg-convert" in result.err
    assert {path.suffix for path in Path("svg").iterdir()} == {".svg"}


def test_other_endings_are_refused(tmp_path):
    with pytest.raises(rg.ParameterError, match=r"one of \.svg, \.png, \.pdf, not '\.jpg'"):
        SCORES.plot().save(tmp_path / "picture.jpg")


def test_a_paper_table_shows_itself():
    table = COMPARISON.paper_table()
    assert "keywords" in str(table)
    assert "Document(" not in str(table)
    assert table._repr_html_().startswith("<section")


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_a_log_without_grades_has_relevant_rows_only(frame):
    log = frame({"user_id": [1, 1, 2], "item_id": [10, 11, 12], "timestamp": [5, 6, 7]})
    returned = frame({"user_id": [1, 1, 2, 2], "item_id": [13, 10, 12, 14], "score": [0.9, 0.8, 0.7, 0.6]})
    sets = rg.evaluate({1: {10, 11}, 2: {12}}, {1: [13, 10], 2: [12, 14]}, ["RR", "R"])
    assert rg.evaluate(log, returned, ["RR", "R"]).means() == sets.means()


def test_a_log_with_another_column_is_refused_because_it_may_be_the_grade():
    log = pd.DataFrame({"user_id": [1], "item_id": [10], "enjoyment": [3]})
    with pytest.raises(rg.InputError, match="no column for grade"):
        rg.evaluate(log, {1: [10]}, "RR")


def test_curves_end_with_the_longest_list():
    """20 rows for lists of three items had 17 rows alike."""
    judgments, lists = {"q": {"a": 1}, "r": {"a": 1}}, {"q": ["b", "a"], "r": ["a", "b", "c"]}
    assert rg.curve(judgments, lists, "P").cutoffs == (1, 2, 3)
    assert rg.curve(judgments, lists, "P", k=[1, 7]).cutoffs == (1, 7)
    assert rg.curve({"q": {"a": 1}}, {"q": [f"d{n}" for n in range(30)]}, "P").cutoffs == (*range(1, 21),)
    assert rg.curve({"q": {"a": 1}}, {"q": []}, "P").cutoffs == (1,)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_of_curves_has_their_picture(lang):
    """Other formats have the numbers alone."""
    document = rg.curve({"q": {"a": 1}}, {"q": ["b", "a"]}, "P").document(lang)
    assert document.to_html().count("<svg") == 1
    assert "<polyline" in document.to_html()
    assert document.to_text().startswith("k     P@k\n")
    assert document.to_markdown().startswith("| k | P@k |")
    assert "svg" not in document.to_latex()


def test_axes_of_curves_have_round_numbers():
    """Ticks were 0.2 and 0.4, and 1, 4, 7 up to 19 and 20."""
    judgments, lists = {"q": {"a": 1, "b": 1}}, {"q": ["a", "b", *(f"d{n}" for n in range(18))]}
    svg = rg.curve(judgments, lists, "P").plot().to_svg()
    labels = [float(text) for text in re.findall(r"<text[^>]*>([0-9.]+)<", svg)]
    assert labels == [0.2, 0.4, 0.6, 0.8, 1, 1, 5, 10, 15, 20]


def test_the_picture_of_a_comparison_names_its_metric():
    compared = rg.compare({"q": {"a": 1}, "r": {"b": 1}}, {"x": {"q": ["a"]}, "y": {"r": ["b"]}}, "RR")
    assert ">RR: y − x<" in compared.plot().to_svg()
