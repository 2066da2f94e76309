"""Things that are declared once: a statistic of compare, a card of a report, a setting, a command."""

import csv
import json

import pytest

import rankgauge as rg
from command_line import here
from rankgauge.comparison.statistics import PAIR_STATISTICS, SYSTEM_STATISTICS, Statistic
from rankgauge.rendering.document import Paragraph, Table
from rankgauge.rendering.language import Phrase
from rankgauge.reports.layout import CARDS, Card

VALUES = {"A": {query: (query % 5) / 10 for query in range(12)}, "B": {query: (query % 7) / 10 for query in range(12)}}
JUDGMENTS = {f"q{number}": {"a": 1, "b": 2} for number in range(8)}
RANKINGS = {
    "old": {query: ["x", "a", "b"] for query in JUDGMENTS},
    "new": {query: ["b", "a"] if number % 2 else ["a", "b"] for number, query in enumerate(JUDGMENTS)},
}


@pytest.fixture
def wilcoxon():
    """Show Wilcoxon's test, as a user of ARCHITECTURE.md would: one declaration."""
    statistic = Statistic(
        key="p wilcoxon",
        of=("query",),
        data={"p_signed_ranks": lambda pair: pair.wilcoxon.p},
        title=Phrase("p (Wilcoxon)", "p（Wilcoxon）"),
        text=lambda pair, _: f"{pair.wilcoxon.p:.3f}",
        test=Phrase("Wilcoxon's test, seed {seed}", "Wilcoxon 检验，种子 {seed}"),
        note=Phrase("Wilcoxon's test leaves ties out.", "Wilcoxon 检验不计持平。"),
    )
    PAIR_STATISTICS.append(statistic)
    yield statistic
    PAIR_STATISTICS.remove(statistic)


def test_a_statistic_is_declared_once(wilcoxon):
    compared = rg.compare(JUDGMENTS, RANKINGS, "RR", seed=7)
    (pair,) = compared.pairs()
    shown = wilcoxon.text(pair, "")

    english, chinese = compared.document("en").to_text(), compared.document("zh").to_text()
    assert "p (Wilcoxon)" in english
    assert shown in english
    assert "p: paired t test, randomisation test (all signs) and Wilcoxon's test, seed 7." in " ".join(english.split())
    assert "Wilcoxon's test leaves ties out." in english
    assert "p（Wilcoxon）" in chinese
    assert "Wilcoxon 检验，种子 7" in chinese
    assert "Wilcoxon 检验不计持平。" in chinese
    assert "p (Wilcoxon)" in compared.to_latex()
    assert compared.to_dict()["metrics"]["RR"]["pairs"][0]["p_signed_ranks"] == pair.wilcoxon.p
    page = rg.report(JUDGMENTS, RANKINGS, "RR")
    assert "p (Wilcoxon)" in page.to_html()
    assert "p (Wilcoxon)" in page.to_markdown()


@pytest.mark.usefixtures("wilcoxon", "example_folder")
def test_a_statistic_is_a_column_of_csv():
    text = here("compare", "judgments.csv", "keywords.csv", "embeddings.csv", "-t", "csv", "--quiet").out
    (row,) = csv.DictReader(text.splitlines())
    assert float(row["p_signed_ranks"]) == pytest.approx(0.25)


@pytest.mark.usefixtures("wilcoxon")
def test_a_statistic_of_queries_is_missing_from_corpus_level_metrics():
    information = rg.SideInformation(items=["a", "b", "x", "y"])
    compared = rg.compare(JUDGMENTS, RANKINGS, "ItemCoverage@1", side_information=information, resamples=99)
    (pair,) = compared.pairs()
    assert pair.to_dict()["p_signed_ranks"] is None
    assert "Wilcoxon" not in compared.document().to_text()


def test_statistics_have_one_key_and_one_name_each():
    for statistics in (SYSTEM_STATISTICS, PAIR_STATISTICS):
        keys = [statistic.key for statistic in statistics]
        names = [name for statistic in statistics for name in statistic.data]
        assert len({*keys}) == len(keys)
        assert len({*names}) == len(names)


@pytest.fixture
def effort():
    """Add a card, as a user of ARCHITECTURE.md would: one declaration."""

    def blocks(contents, lang):
        count, words = len(contents.scores.queries), Phrase("Queries judged by hand", "人工标注的查询")
        table = Table([Phrase("system", "系统").render(lang)], [[name] for name in contents.scores.systems])
        return [Paragraph(f"{words.render(lang)}: {count}"), table]

    card = Card("effort", Phrase("Judging effort", "标注工作量"), blocks)
    CARDS.append(card)
    yield card
    CARDS.remove(card)


@pytest.mark.usefixtures("effort")
@pytest.mark.parametrize("source", ["rankings", "values"])
def test_a_card_is_declared_once(source):
    given = (JUDGMENTS, RANKINGS, "RR") if source == "rankings" else (rg.evaluate(JUDGMENTS, RANKINGS, "RR"),)
    report = rg.report(*given)
    html = report.to_html()
    assert "Judging effort" in html
    assert "Queries judged by hand: 8" in html
    for text in (report.to_markdown(), report.to_latex()):
        assert "Judging effort" in text
        assert "Queries judged by hand: 8" in text
    assert "标注工作量" in report.to_markdown("zh")
    data = json.loads(report.to_json())["effort"]
    assert data == ["Queries judged by hand: 8", {"columns": ["system"], "rows": [["old"], ["new"]]}]


def test_cards_have_one_name_each():
    assert len({card.name for card in CARDS}) == len(CARDS)
