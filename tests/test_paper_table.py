"""The table of a paper: marks of significance and decimals that are aligned."""

import random
import re

import pytest

import rankgauge as rg
from rankgauge.rendering.document import Document, Table


def comparison(systems, **settings):
    chance = random.Random(5)
    judgments = {f"q{n}": {f"d{m}": chance.choice((0, 0, 1, 2)) for m in range(12)} for n in range(25)}
    rankings = {
        name: {
            query: {item: chance.random() + 0.15 * place * grade for item, grade in grades.items()}
            for query, grades in judgments.items()
        }
        for place, name in enumerate(systems)
    }
    return rg.compare(judgments, rankings, ["nDCG@5", "Fallout@5"], **settings)


@pytest.fixture(scope="module")
def four():
    return comparison(["bm25_100%", "dense & co", "hybrid#1", "~x^2"])


def spelled(marks):
    """Marks without ranges: a–d is abcd."""
    return re.sub(r"(\w)–(\w)", lambda found: "".join(map(chr, range(ord(found[1]), ord(found[2]) + 1))), marks)


def test_superscripts_are_the_significant_pairs(four):
    (table,) = four.paper_table().blocks
    for place, metric in enumerate(four.metrics, 2):
        pairs = {(pair.first, pair.second): pair for pair in four.pairs(metric, all_pairs=True)}
        best = four.leaderboard(metric)[0].system
        for mark, name, *cells in table.rows:
            better = {
                table.rows[four.systems.index(other)][0]
                for other in four.systems
                if other != name
                and (pair := pairs.get((other, name)) or pairs[name, other]).significant
                and (pair.gain > 0) == (pair.second == name)
            }
            assert {*spelled(cells[place - 2].marks)} == better, mark
            assert cells[place - 2].best == (name == best)
            assert float(cells[place - 2]) == pytest.approx(four.scores.mean(metric, name), abs=5e-5)


def test_the_caption_names_the_test_and_the_correction(four):
    caption = four.paper_table().blocks[0].caption
    assert "25 queries" in caption
    assert "paired t test, p < 0.05; corrected for all 6 pairs: Holm" in caption
    pair = comparison(["a", "b"], alpha=0.01)
    assert "p < 0.01; one pair: nothing to correct" in pair.paper_table().blocks[0].caption
    assert "配对 t 检验" in pair.paper_table("zh").blocks[0].caption


def test_more_systems_than_letters_of_the_alphabet():
    (table,) = comparison([f"system {n}" for n in range(30)], permutations=200, resamples=200).paper_table().blocks
    marks = [row[0] for row in table.rows]
    assert (marks[0], marks[-1], len({*marks})) == ("1", "30", 30)


def test_values_are_marked_as_better_or_worse_than_a_baseline_and_decimals_are_aligned():
    compared = comparison([f"run{n:02}" for n in range(20)], baseline="run03", permutations=200, resamples=200)
    (table,) = compared.paper_table().blocks
    marks = {pair.second: "+" if pair.gain > 0 else "−" for pair in compared.pairs("nDCG@5") if pair.significant}
    assert {*marks.values()} == {"+", "−"}
    assert {name: value.marks for name, value, _ in table.rows if value.marks} == marks
    assert table.rows[0][0] == "run03"
    assert "+ and − mark values significantly better and worse than the baseline run03" in table.caption
    latex = compared.to_latex(compact=True)
    assert r"^{\mathrm{+}}" in latex
    assert r"^{\mathrm{-}}" in latex
    assert r"\begin{tabular}{lD{.}{.}{1.7}D{.}{.}{1.6}}" in latex
    assert len(latex.splitlines()) < 32


def test_without_significant_differences_there_are_no_marks_to_explain():
    """The caption explained superscripts, and letters named the systems, where no value had one."""
    two = rg.Comparison.of({"a": {"q1": 0.5, "q2": 0.4}, "b": {"q1": 0.4, "q2": 0.6}}, metric="AP")
    (table,) = two.paper_table().blocks

    assert [*table.columns] == ["system", "AP"]
    assert "No difference is significant (paired t test, p < 0.05" in table.caption
    assert "所有差异均不显著（配对 t 检验" in two.paper_table("zh").blocks[0].caption


@pytest.mark.parametrize(("lang", "bold", "marks"), [("en", "bold", "marks after a value"), ("zh", "粗体", "标记")])
def test_the_plain_text_table_mentions_neither_bold_type_nor_superscripts(lang, bold, marks):
    good, bad = {str(q): ["a", "b"] for q in range(30)}, {str(q): ["b", "a"] for q in range(30)}
    comparison = rg.compare({str(q): {"a": 1} for q in range(30)}, {"good": good, "bad": bad | {"1": ["a"]}}, "RR")
    document = comparison.paper_table(lang)

    assert bold not in document.to_text()
    assert marks in document.to_text()
    assert bold in document.to_text(styled=True)
    assert bold in document.to_markdown()
    assert bold in document.to_latex()


def test_the_caption_has_the_definition_the_queries_without_results_and_the_unjudged_share():
    judgments = {f"q{n}": {"a": 1, "b": 0, "c": 0} for n in range(20)}
    full = {query: ["a", "x", "b", "c"] for query in judgments}
    partial = {query: items[::-1] for query, items in full.items() if query not in {"q3", "q4"}}
    compared = rg.compare(judgments, {"BM25": full, "GTE": partial}, "nDCG@4")
    caption = compared.paper_table().blocks[0].caption
    assert "Definitions: nDCG@4: gain=linear" in caption
    assert "ties=id" in caption
    assert "unjudged items=nonrelevant" in caption
    assert "GTE has no results for 2 of 20 queries (counted as an empty list)" in caption
    assert "BM25 has no" not in caption
    assert "Unjudged in the top 4: BM25 25%, GTE 25%." in caption
    chinese = compared.paper_table("zh").blocks[0].caption
    assert "GTE 在 20 个查询中有 2 个没有结果" in chinese
    assert "定义：nDCG@4：" in chinese
    assert "GTE: 2 judged queries have no results (counted as an empty list), first 'q3'" in compared.to_latex()


def test_the_caption_names_the_systems_with_many_unjudged_items_only():
    """The shares of 20 systems, most of them small, made the caption longer than the table."""
    judgments = {f"q{n}": {"a": 1, "b": 0} for n in range(20)}
    full, wide = (dict.fromkeys(judgments, items) for items in (["a", "b"], ["a", "x"]))
    rankings = {f"S{n}": full for n in range(8)} | {"wide": wide}
    many, few = (rg.compare(judgments, systems, "P@2") for systems in (rankings, dict([*rankings.items()][-3:])))
    assert "Unjudged in the top 2: wide 50%, others below 5%." in many.paper_table().blocks[0].caption
    assert "前 2 个中未标注的比例：wide 50%、其余均低于 5%。" in many.paper_table("zh").blocks[0].caption
    assert "Unjudged in the top 2: S6 0%, S7 0%, wide 50%." in few.paper_table().blocks[0].caption
    column = rg.compare(judgments, rankings, ["P@2", "Judged@2"]).paper_table().blocks[0].caption
    assert "Unjudged in the top" not in column


def test_how_much_is_judged_is_neither_bold_nor_marked():
    judgments = {f"q{n}": {"a": 1, "b": 0} for n in range(30)}
    good, bad = (dict.fromkeys(judgments, items) for items in (["a", "b"], ["x", "b"]))
    compared = rg.compare(judgments, {"bad": bad, "good": good}, ["RR", "Judged@2"])
    (table,) = compared.paper_table().blocks
    assert [(row[2].best, row[3].best) for row in table.rows] == [(False, False), (True, False)]
    assert [row[3].marks for row in table.rows] == ["", ""]
    assert "Judged@2 says how complete the judgments are" in table.caption
    (values, *_) = compared.scores.document().blocks
    assert not any(getattr(row[2], "best", False) for row in values.rows)


@pytest.mark.parametrize(
    ("caption", "markdown"),
    [
        ("P@3 on 2 queries. Definitions: k.", "**P@3 on 2 queries.** Definitions: k."),
        ("两个查询上的 P@3。所用定义：k。", "**两个查询上的 P@3。**所用定义：k。"),
        ("The list", "**The list**"),
    ],
)
def test_only_the_first_sentence_of_a_caption_is_bold(caption, markdown):
    assert Document([Table(["a"], [["1"]], caption=caption)]).to_markdown().startswith(markdown + "\n\n| a |")
