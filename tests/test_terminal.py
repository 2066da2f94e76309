"""Tables on a terminal: no number is ever cut, at any width, whatever the names."""

import random
import re
from collections import Counter

import pytest

import rankgauge as rg
from command_line import display_width, here
from rankgauge.rendering import document as blocks
from rankgauge.rendering.document import Document
from rankgauge.rendering.text import fold

WIDTHS = (40, 60, 80, 120)
NAMES = (5, 30, 60)
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.])")
LEFT_OUT = {"en": re.compile(r"Left out at this width: (.+)\.$"), "zh": re.compile(r"宽度不足，未显示：(.+)。$")}


def data(length: int, systems: int = 4) -> tuple[dict, dict]:
    """Judgments, and rankings whose names have this length and no digits."""
    chance = random.Random(length)
    judgments = {f"q{n}": {f"d{m}": chance.choice((0, 0, 1, 2)) for m in range(15)} for n in range(25)}
    names = ["abcdefghij"[n] + "-" * (length - 2) + "abcdefghij"[n] for n in range(systems)]
    rankings = {
        name: {
            query: {item: chance.random() + 0.1 * place * grade for item, grade in judged.items()}
            for query, judged in judgments.items()
        }
        for place, name in enumerate(names)
    }
    return judgments, rankings


def documents(length: int, lang: str) -> dict[str, Document]:
    judgments, rankings = data(length)
    names = [*rankings]
    metrics = ["nDCG@10", "AP", "P@5", "RR"]
    scores = rg.evaluate(judgments, rankings, metrics)
    attribution = rg.attribute(judgments, rankings[names[0]], rankings[names[1]], "nDCG@10")
    return {
        "scores": scores.document(lang, per_query=False),
        "queries": scores.document(lang),
        "comparison": rg.compare(judgments, rankings, ["nDCG@10", "AP"]).document(lang),
        "attribution": attribution.document(lang),
        "explanation": (rg.nDCG @ 5).explain([3, 0, 2], items=["d" * length, "中" * length, "x"]).document(lang),
    }


@pytest.fixture(scope="module")
def every():
    return {(length, lang): documents(length, lang) for length in NAMES for lang in ("en", "zh")}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("length", NAMES)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_number_of_a_table_is_printed_in_full(every, width, length, lang):
    for name, document in every[length, lang].items():
        for table in document.blocks:
            if isinstance(table, blocks.Table):
                text = Document([table]).to_text(width)
                assert max(map(display_width, text.splitlines())) <= width, name
                if left_out := LEFT_OUT[lang].search(" ".join(text.split())):
                    text = text[: text.index(left_out[0][:8])]
                kept = kept_columns(table, left_out[1].split(", ") if left_out else [])
                printed = Counter(NUMBER.findall(text))
                for number in {n for row in table.rows for place in kept for n in NUMBER.findall(row[place])}:
                    expected = sum(NUMBER.findall(row[place]).count(number) for row in table.rows for place in kept)
                    assert printed[number] >= expected, (name, number)


def kept_columns(table: blocks.Table, left_out: list[str]) -> list[int]:
    """The columns of numbers that are shown once; those that identify the rows repeat."""
    names = {"".join(name.split()) for name in left_out}  # a name may be folded
    return [place for place, title in enumerate(table.columns) if "".join(title.split()) not in names]


@pytest.mark.parametrize("width", WIDTHS)
def test_paragraphs_keep_every_letter(every, width):
    for document in every[30, "zh"].values():
        for block in document.blocks:
            if isinstance(block, blocks.Paragraph):
                assert "".join(Document([block]).to_text(width).split()) == "".join(block.text.split())


def test_a_comparison_fits_80_columns_with_names_of_30_characters(every):
    text = every[30, "en"]["comparison"].to_text(80)

    assert max(map(len, text.splitlines())) <= 80
    assert "group" in text
    assert "corrected" in text
    assert "Left out at this width: median" in text


def test_rows_are_stacked_where_no_column_fits():
    table = blocks.Table(["name", "value"], [["a", "1" * 50], ["b", "2" * 50]], "lr")

    assert Document([table]).to_text(50).splitlines() == [
        "name: a", "value:", "1" * 50, "", "name: b", "value:", "2" * 50,
    ]  # fmt: skip


def test_parts_of_a_table_of_numbers_repeat_its_first_column():
    text = (rg.nDCG @ 5).explain([3, 0, 2]).document().to_text(40)

    assert text.count("rank") == 4  # two lists, each in two parts


def test_stacked_rows_show_every_cell():
    table = blocks.Table(["name", "a", "b"], [["x" * 40, "1" * 40, "2"]], "lrr", optional=["b"], left_out="{columns}")

    assert Document([table]).to_text(40).splitlines()[-1] == "b: 2"


def test_bold_cells_leave_no_blanks_on_the_lines_of_a_folded_name():
    table = blocks.Table(["name", "value"], [["word " * 8, blocks.Value("1", best=True)], ["x", "2"]], "lr")

    assert not any(
        line.endswith((" ", "\x1b[0m\x1b[0m")) for line in Document([table]).to_text(20, styled=True).splitlines()
    )


def test_best_values_are_marked():
    judgments, rankings = data(5)
    document = rg.evaluate(judgments, rankings, ["AP", "RR"]).document(per_query=False)
    best = f"{max(rg.evaluate(judgments, {'x': ranking}, 'AP').mean('AP') for ranking in rankings.values()):.6f}"

    assert f"\x1b[1m{best}\x1b[0m" in document.to_text(80, styled=True)
    assert "\x1b" not in document.to_text(80)
    assert f"**{best}**" in document.to_markdown()
    assert rf"\textbf{{{best}}}" in document.to_latex()
    assert f"<b>{best}</b>" in document.to_html()


def test_equal_values_are_not_marked():
    scores = rg.evaluate({"q": {"a": 1}}, {"x": {"q": ["a"]}, "y": {"q": ["a"]}}, "AP")
    (table, *_) = scores.document(per_query=False).blocks

    assert not any(isinstance(cell, blocks.Value) for row in table.rows for cell in row)


def test_texts_fold_at_spaces_and_long_words_anywhere():
    assert fold("中文的长句子", 5) == ["中文", "的长", "句子"]
    assert fold("ab abcdefgh x", 4) == ["ab", "abcd", "efgh", "x"]


def test_lists_of_users_are_called_users(tmp_path):
    rows = ["user_id,item_id,rating", *(f"u{n},i{n % 3},{n % 2 + 1}" for n in range(6))]
    (tmp_path / "ratings.csv").write_text("\n".join(rows))
    ranking = "\n".join(["user_id,item_id,score", *(f"u{n},i{m},{m}" for n in range(5) for m in range(3))])
    (tmp_path / "query.csv").write_text(ranking)
    files = tmp_path / "ratings.csv", {"query": tmp_path / "query.csv", "b": tmp_path / "query.csv"}
    scores = rg.evaluate(*files, "RR")
    assert "6 users" in str(scores)
    assert "1 judged user has no results" in str(scores)
    assert "6 个用户" in scores.document("zh").to_text()
    assert "query" in str(scores).splitlines()[2]  # the name of the system
    both = rg.compare(*files, "RR").document().to_text()
    assert "all 6 users" in both
    assert "queries" not in both
    assert "1 query" in str(rg.evaluate({"u": {"a": 1}}, {"u": ["a"]}, "RR"))
    findings = scores.findings.document().to_text(200)
    assert "judged user without results" in findings
    assert "user 'u5'" in findings
    assert "用户 'u5'" in scores.findings.document("zh").to_text(200)
    result = here("eval", files[0], tmp_path / "query.csv", "-m", "RR")
    assert "judged user without results; query: user 'u5'" in result.err  # the system is called query


def test_a_wide_table_is_not_divided_between_a_value_and_its_interval():
    """A column whose title occurs more than once says something of the one before it."""
    columns = ["from", "kappa", "interval", "sensitivity", "interval", "specificity", "interval", "relevant"]
    table = blocks.Table(columns, [["1", *["0.3672", "0.3010 … 0.4335"] * 3, "0.6481"]], align="r" * 8)
    for width in range(48, 120):
        lines = Document([table]).to_text(width).splitlines()
        titles = [line.split() for line in lines if line.lstrip().startswith("from")]
        assert titles
        assert all(
            title[place - 1] in {"kappa", "sensitivity", "specificity"}
            for title in titles
            for place, word in enumerate(title)
            if word == "interval"
        )


def test_a_path_is_broken_after_its_signs():
    assert fold("/shared/data/cast21/org_convdr.run", 14) == ["/shared/data/", "cast21/org_", "convdr.run"]
