"""Documents: alignment with Chinese text, escaping of hostile ids in every format, messages with plurals."""

import re
import unicodedata
from importlib import import_module
from itertools import permutations
from pkgutil import walk_packages

import pytest

import rankgauge as rg
from command_line import here
from rankgauge.rendering.document import Document, Table
from rankgauge.rendering.language import Phrase

HOSTILE = [
    "</td><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a|b`c*d_e", "\x1b[31mred\x1b[0m", "\u202egnp.exe",
    "line\nbreak", "100% & \\cmd{x}_$y#", "=HYPERLINK(1)", "\x00nul", "]]>", "中文｜表格",
]  # fmt: skip


def page(item):
    return rg.nDCG.explain([1, 0], items=[item, "other"])


def width(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


@pytest.mark.parametrize("item", HOSTILE)
def test_ids_are_escaped_in_html(item):
    html = page(item).to_html()

    assert "<script" not in html
    assert "<img" not in html
    assert "\x1b" not in html
    assert "\u202e" not in html


@pytest.mark.parametrize("item", HOSTILE)
def test_text_has_no_control_characters(item):
    assert all(c.isprintable() or c == "\n" for c in page(item).to_text())


@pytest.mark.parametrize("item", HOSTILE)
def test_markdown_tables_keep_their_columns(item):
    rows = [line for line in page(item).to_markdown().splitlines() if line.startswith("|")]
    bars = {len(re.findall(r"(?<!\\)\|", row)) for row in rows[:4]}
    assert len(bars) == 1
    assert not any(re.search(r"(?<!\\)<", row) for row in rows)


@pytest.mark.parametrize("item", HOSTILE)
def test_ids_are_escaped_in_latex(item):
    latex = page(item).to_latex()

    assert "\\cmd" not in latex
    assert latex.count("&") - latex.count("\\&") == page("plain").to_latex().count("&")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_columns_are_aligned_with_chinese_text(lang):
    text = rg.nDCG.explain([3, 2, 1], items=["卧虎藏龙", "Hero", "功夫"]).to_text(lang)
    table = text.split("\n\n")[3].splitlines()[1:]

    assert len({width(line) for line in table}) == 1


def test_narrow_terminals_fold_instead_of_cropping():
    text = rg.nDCG.explain([3, 2], items=["a very long name of an item that does not fit", "b"]).to_text(width=60)
    rows = text.split("The list")[1].splitlines()

    assert max(map(width, rows)) <= 60
    assert "fit" in text


def test_long_lists_are_cut_and_counted():
    explained = (rg.P @ 200).explain([1] * 200)

    assert "150 more" in explained.to_text(limit=50)
    assert "另有 150 行" in explained.to_text("zh", limit=50)
    assert len(explained.to_dict()["steps"]["rows"]) == 200


def test_plain_data_have_a_limited_number_of_rows():
    """An ideal order may have as many rows as its cutoff: a million of them were 268 MB of JSON."""
    explained = rg.parse("nDCG(ideal='full')@20000").explain([1, 0])

    ideal = explained.to_dict()["ideal"]

    assert (len(ideal["rows"]), ideal["more_rows"]) == (10_000, 10_000)
    assert "more_rows" not in explained.to_dict()["steps"]


def test_unjudged_items_are_shown_as_such():
    explained = rg.nDCG.explain([1, None], items=["a", "b"])

    assert [row.grade for row in explained.steps.rows] == ["1", "–"]
    assert explained.steps.rows[1].factors is None


def test_tied_items_share_their_positions():
    explained = (rg.P @ 1).explain([1, None, 0], items=["a", "b", "c"], scores=[2, 2, 1], ties="mean")

    assert explained.steps.rows[0].item == "a | b"
    assert explained.value == 0.5


def test_undefined_values_are_reported():
    assert "0/0" in rg.AP.explain([0, 0]).to_text()
    assert rg.AP.explain([0], convention=rg.Convention(undefined="nan")).to_dict()["value"] is None


def test_notebooks_show_html():
    assert rg.P.explain([1])._repr_html_().startswith("<section")


def test_f_shows_its_parts():
    parts = {part.name: part.value for part in (rg.F @ 3).explain([1, 0, 1, 1], relevant=5).parts}

    assert parts == {"P@3": pytest.approx(2 / 3), "R@3": pytest.approx(2 / 5)}


def test_rbp_shows_its_residual():
    (part,) = rg.RBP(p=0.5).explain([1, None]).parts

    assert (part.name, part.value) == ("residual", 0.5)


def test_a_curve_returns_its_numbers():
    curve = (rg.nDCG @ 10).curve([3, 2, 3, 0, 1])

    assert len(curve) == 5
    assert list(curve) == [(rg.nDCG @ k).of([3, 2, 3, 0, 1]) for k in range(1, 6)]
    assert curve.at(5) == curve[-1] == pytest.approx(0.972364, abs=1e-6)
    assert "0.972364" in str(curve)
    with pytest.raises(rg.ParameterError, match="from 1 to 5"):
        curve.at(6)


def test_tied_items_show_their_own_grades():
    explained = rg.AP.explain([1, 0, 2], items=list("abc"), scores=[1, 1, 1], ties="mean")
    assert {row.grade for row in explained.steps.rows} == {"1 | 0 | 2"}

    removed = rg.Convention(ties="mean", unjudged="removed")
    explained = rg.RR.explain([None, 1, 0], items=list("abc"), scores=[3, 2, 1], convention=removed)
    assert [(row.item, row.grade) for row in explained.steps.rows] == [("b", "1"), ("c", "0")]


def test_reprs_are_short():
    assert repr(rg.P.explain([1])) == "<Explanation of P = 1.000000>"
    assert repr(rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, ["RR", "AP"])) == "<Scores of 1 query: RR, AP>"


def test_a_row_of_a_latex_table_cannot_begin_with_an_option():
    assert "\n{}[1]" in rg.evaluate({"[1]": {"a": 1}}, {"[1]": ["a"]}, "RR").document(per_query=True).to_latex()


# Messages

FIELD = re.compile(r"\{(\w+)(?::[^{}]*)?\}")
SHOWN_FIELD = re.compile(r"\{(\w+)(?::(?![^{}#]*\|)[^{}]*)?\}")
"""A field of a message, unless it only chooses between a singular and a plural."""


def catalogues():
    """Every table of phrases in a module that can be imported without an extra."""
    for module in walk_packages(rg.__path__, "rankgauge."):
        try:
            members = vars(import_module(module.name))
        except ImportError:
            continue
        for name, table in members.items():
            if isinstance(table, dict) and table and all(isinstance(phrase, Phrase) for phrase in table.values()):
                yield f"{module.name}.{name}", table


def test_both_languages_have_the_same_values():
    tables = dict(catalogues())
    different = {
        key: phrase
        for table in tables.values()
        for key, phrase in table.items()
        for one, other in permutations((phrase.en, phrase.zh))
        if not {*SHOWN_FIELD.findall(one)} <= {*FIELD.findall(other)}
    }
    assert different.keys() <= {"some tools"}  # Chinese counts all of them, English the others
    assert len(tables) > 10


def test_reasons_of_refusals_are_chinese():
    """Refusals of engines were English only."""
    refusals = {
        key: reason for name, table in catalogues() if name.endswith(".REFUSED") for key, reason in table.items()
    }
    assert len(refusals) > 3
    assert [key for key, reason in refusals.items() if not re.search("[\u4e00-\u9fff]", reason.zh)] == []


def test_counts_have_the_right_plural():
    phrase = Phrase("{n:# query is|# queries are} left out{note}", "不计入 {n:,} 个查询{note}")
    note = Phrase(" for all", "（对所有系统）")

    assert [phrase.render("en", n=n, note="") for n in (0, 1, 2000)] == [
        "0 queries are left out",
        "1 query is left out",
        "2,000 queries are left out",
    ]
    assert phrase.fill(n=2000, note=note) == Phrase(
        "2,000 queries are left out for all", "不计入 2,000 个查询（对所有系统）"
    )
    assert phrase.fill(n=1, note="{braces}").en.endswith("{braces}")


# Formulas


def test_huge_values_have_an_exponent_in_tables():
    """A grade of 1e308 filled the terminal with 308 digits."""
    judgments, ranking = {"q": {"a": 1e308, "b": 1}}, {"q": ["b", "a"]}
    printed = [
        rg.evaluate(judgments, ranking, "DCG").document(digits=4).to_text(),
        rg.explain(judgments, ranking, "DCG", "q").to_text(),
    ]
    assert "6.3093e+307" in printed[0]
    assert "DCG = 6.309298e+307" in printed[1]
    assert max(map(len, "\n".join(printed).splitlines())) < 200


def test_a_document_has_a_short_repr():
    """A REPL showed every block of a paper table as Python code."""
    both = rg.Comparison.of({"A": {"q1": 0.5, "q2": 0.2}, "B": {"q1": 0.7, "q2": 0.5}})
    assert repr(both.paper_table()) == "<Document of 1 block; print shows it>"


def test_names_stay_on_one_line_where_columns_of_texts_can_be_narrower():
    text = "see how far they could move the values with rankgauge.unjudged_bounds or --rule unjudged=skip"
    table = Table(["code", "finding", "example", "remedy"], [["RG409", *["some words that are folded"] * 2, text]])
    shown = Document([table]).to_text(80)
    assert "rankgauge.unjudged_bounds" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert "rankgauge.unjudged_bounds" not in Document([table]).to_text(45)  # narrower than the names allow


def test_a_small_page_fits_a_phone(tmp_path):
    for lang in ("en", "zh"):
        path = tmp_path / f"{lang}.html"
        assert here("explain", "3,2,0,1", "-m", "nDCG@10", "--lang", lang, "-o", path).code == 0
        page = path.read_text(encoding="utf-8")
        assert page.count("<table") == page.count('class="scrolls"') == 2, "a wide table scrolls on its own"
        assert ".scrolls,.formula{overflow-x:auto}" in page
        assert "th{word-break:keep-all}" in page, "a Chinese title is not broken"


SIGNED_ZERO = re.compile(r"(?<![\w.])[-−+]0(?:\.0+)?(?![\d.])%?")


def equal_systems():
    """Scores of systems whose differences are too small to be seen, of both signs."""
    first = {f"q{n}": 0.1 * n for n in range(8)}
    smaller, larger = ({query: value + change for query, value in first.items()} for change in (-1e-12, 1e-12))
    return rg.Scores.of_values(
        {name: {"AP": values} for name, values in zip("abc", (first, smaller, larger), strict=True)}
    )


def test_a_difference_that_is_rounded_to_zero_has_no_sign_in_any_output(example_folder):
    scores = equal_systems()
    each = {name: scores.system(name) for name in "abc"}
    results = [
        rg.compare(scores),
        rg.report(scores),
        rg.tune(scores),
        *(
            rg.check(each[name], fail_if=["AP drops 0.1", "AP drops significantly"], baseline=each["a"])
            for name in "bc"
        ),
        rg.check(each["b"], fail_if="AP drops 0.1", baseline=each["a"], conclusive=True),
        rg.attribute("judgments.csv", "keywords.csv", "keywords.csv", "nDCG@5"),
        rg.slices(scores, None, "part", attributes={query: {"part": query < "q4"} for query in each["a"].queries}),
        rg.leaderboard(
            {name: {"x": 0.5 + change, "y": 0.5} for name, change in zip("abc", (0, -1e-12, 1e-12), strict=True)},
            baseline="a",
        ),
        rg.leaderboard({"a": {"x": 0.5, "y": 0.2}, "b": {"x": 0.5 - 1e-12, "y": 0.2}}).compare("a", "b"),
    ]
    store = rg.history.open(example_folder / "equal.history.jsonl")
    for name in "abc":
        store.log(each[name], name="nightly")
    results += [store.trend("AP"), store.blame("AP")]
    for result in results:
        for lang in ("en", "zh"):
            text = result.document(lang).to_text()
            assert not SIGNED_ZERO.findall(text), (result, SIGNED_ZERO.findall(text))


def test_a_step_that_changes_nothing_has_no_sign():
    text = here("reconcile", "1,0,1,0,0", "-m", "AP", "--between", "ranx", "ragas-verdicts").out
    assert " 0.000000" in text
    assert not SIGNED_ZERO.search(text)
