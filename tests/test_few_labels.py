"""Samples of fewer than 20 queries, what a judging sheet advises, and what a corrected difference is."""

import pytest

import rankgauge as rg
from command_line import here

QUERIES = [f"q{n}" for n in range(40)]
RANKINGS = {
    name: {query: [f"{query}{x}" for x in items] for query in QUERIES} for name, items in (("r", "abc"), ("s", "bcd"))
}
MODEL = {query: {f"{query}{x}": (n + place) % 3 for place, x in enumerate("abcd")} for n, query in enumerate(QUERIES)}


def people(count):
    return {query: {item: max(grade - (n % 4 == 0), 0) for item, grade in MODEL[query].items()}
            for n, query in enumerate(QUERIES[:count])}  # fmt: skip


def codes(findings):
    return {finding.code: finding for finding in findings}


def test_a_sample_of_few_queries_names_the_budget_for_twenty():
    few = rg.pool(RANKINGS, depth=3, budget=40, purpose="correct", model=MODEL)
    assert codes(few.findings)["RG622"].examples[0] == "10 queries are drawn; 20 need a budget of about 80 pairs"
    enough = rg.pool(RANKINGS, depth=3, budget=80, purpose="correct", model=MODEL)
    assert enough.frame["query"].n_unique() == 20
    assert "RG622" not in codes(enough.findings)


@pytest.mark.parametrize(
    "options", [{"purpose": "find"}, {"purpose": "compare"}, {"purpose": "correct", "unit": "items"}]
)
def test_other_pools_say_nothing_about_the_number_of_queries(options):
    chosen = rg.pool(RANKINGS, depth=3, budget=4, metric="DCG@3", **options)
    assert "RG622" not in codes(chosen.findings)


def test_few_queries_of_which_all_are_drawn_are_enough():
    rankings = {name: dict([*lists.items()][:5]) for name, lists in RANKINGS.items()}
    assert "RG622" not in codes(rg.pool(rankings, depth=3, budget=100, purpose="correct").findings)


@pytest.mark.parametrize("count", [8, 19])
def test_few_labelled_queries_are_a_warning(count):
    with pytest.warns(rg.DataWarning, match=f"nDCG@3: {count} labelled queries.*RG622"):
        rg.judges.correct(MODEL, people(count), RANKINGS, "nDCG@3", sample="random")


@pytest.mark.parametrize("count", [20, 30])
def test_twenty_labelled_queries_are_enough(count):
    result = rg.judges.correct(MODEL, people(count), RANKINGS, "nDCG@3", sample="random")
    assert "RG622" not in codes(result.findings)


def test_a_corrected_difference_is_explained_where_there_are_several_systems():
    result = rg.judges.correct(MODEL, people(30), RANKINGS, "nDCG@3", sample="random")
    assert "need not be the difference of the corrected means" in " ".join(str(result).split())
    assert "不一定等于两个修正均值之差" in "".join(result.document("zh").to_text().split())
    alone = rg.judges.correct(MODEL, people(30), RANKINGS["r"], "nDCG@3", sample="random")
    assert "corrected means" not in " ".join(str(alone).split())


@pytest.mark.parametrize(
    ("purpose", "advised", "fails"),
    [
        ("find", "rankgauge compare LABELS RANKING RANKING", "judges correct"),
        ("compare", "rankgauge compare LABELS RANKING RANKING", "judges correct"),
        ("correct", "rankgauge judges correct MODEL LABELS RANKING RANKING", "rankgauge compare"),
    ],
)
def test_the_last_page_of_a_sheet_advises_what_its_labels_are_for(purpose, advised, fails):
    page = rg.pool(RANKINGS, depth=3, budget=100, purpose=purpose).sheet().to_html()
    assert advised in page
    assert fails not in page
    assert "judges agree LABELS" in page
    assert "judges agree LABELS," not in page


@pytest.mark.parametrize("purpose", ["find", "compare", "correct"])
def test_the_advised_commands_work_with_the_labels(purpose, tmp_path):
    files = []
    for name, lists in RANKINGS.items():
        files.append(tmp_path / f"{name}.csv")
        rows = (f"{q},{item},{-rank}\n" for q, items in lists.items() for rank, item in enumerate(items))
        files[-1].write_text("query,item,score\n" + "".join(rows))
    model = tmp_path / "model.csv"
    model.write_text(
        "query,item,grade\n" + "".join(f"{q},{i},{grade}\n" for q, own in MODEL.items() for i, grade in own.items())
    )
    pool = rg.pool(RANKINGS, depth=3, budget=100, purpose=purpose, metric="DCG@3", max_grade=2)
    labels = []
    for rater in ("Anna", "Bo"):
        labels.append(tmp_path / f"{rater}.csv")
        rows = [f"{q},{i},{MODEL[q][i] - (rater == 'Bo' and MODEL[q][i] == 2)},{rater}\n" for q, i in pool.pairs()]
        labels[-1].write_text("query,item,grade,rater\n" + "".join(rows))
    if purpose == "correct":
        call = "judges", "correct", str(model), str(labels[0]), *map(str, files), "-m", "DCG@3"
        assert here("judges", "agree", str(labels[0]), str(model)).code == 0
    else:
        call = "compare", str(labels[0]), *map(str, files), "-m", "DCG@3"
        assert here("judges", "agree", *map(str, labels)).code == 0
    result = here(*call)
    assert result.code == 0, result.err
