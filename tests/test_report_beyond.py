"""The report on metrics beyond accuracy: as data, and in a real browser."""

import numpy as np
import pytest

import rankgauge as rg
from browser import started
from command_line import here

RANDOM = np.random.default_rng(5)
ITEMS = [f"i{n}" for n in range(20)]
USERS = [f"u{n}" for n in range(15)]
JUDGMENTS = {
    user: {item: int(RANDOM.integers(0, 3)) for item in RANDOM.choice(ITEMS, 6, replace=False)} for user in USERS
}
SYSTEMS = {
    "wide": {user: RANDOM.choice(ITEMS, 8, replace=False).tolist() for user in USERS},
    "narrow": dict.fromkeys(USERS[1:], ITEMS[:6]),
    "short": {user: RANDOM.choice(ITEMS, 2, replace=False).tolist() for user in USERS},
}
KNOWN = rg.SideInformation(
    items=ITEMS,
    features={item: RANDOM.random(3).tolist() for item in ITEMS},
    training=[(user, item) for user in USERS for item in RANDOM.choice(ITEMS, 3, replace=False).tolist()],
    categories={item: [item[-1]] for item in ITEMS},
)
METRICS = ["nDCG@5", "ILD@3", "ItemCoverage@3", "Miscalibration@3", "Gini", "MIUF"]
CORPUS_LEVEL = {"ItemCoverage@3", "Gini"}


def build_report(systems=SYSTEMS, metrics=METRICS, **options):
    return rg.report(JUDGMENTS, systems, metrics, side_information=KNOWN, permutations=500, resamples=100, **options)


def test_contributions_of_every_query_add_up():
    """Rows, tail and rest of a query add up to its total, and total / normaliser is the value of evaluate."""
    report = build_report()
    scores = rg.evaluate(JUDGMENTS, SYSTEMS, METRICS, side_information=KNOWN)
    queries = [query for chunk in report.chunks() for query in chunk]
    for m, metric in enumerate(METRICS):
        if metric in CORPUS_LEVEL:
            continue
        for s, system in enumerate(SYSTEMS):
            for user, query in zip(USERS, queries, strict=True):
                steps, value = query["sums"][m][s], scores.per_query(metric, system)[user]
                added = sum(row[-1] for row in steps["rows"]) + steps["tail"] + (steps["rest"] or 0)
                assert added == pytest.approx(steps["total"], abs=1e-7)
                if np.isnan(value):
                    assert (steps["value"], steps["below"]) == (None, 0)
                elif steps["below"]:
                    assert steps["total"] / steps["below"] == pytest.approx(value) == steps["value"]


def test_data_of_corpus_level_metrics():
    data = build_report().data()

    assert {metric["name"]: metric["corpus"] for metric in data["metrics"]} == {
        name: name in CORPUS_LEVEL for name in METRICS
    }
    assert [values is None for values in data["values"]] == [name in CORPUS_LEVEL for name in METRICS]
    names = {metric: [picture.name for picture in pictures] for metric, pictures in build_report().pictures.items()}
    assert names["ItemCoverage@3"] == ["intervals", "curve"]
    assert names["ILD@3"][:4] == ["intervals", "distribution", "topics", "curve"]
    assert "bounds" not in names["ILD@3"]
    assert "bounds" in names["nDCG@5"]


@pytest.mark.parametrize("systems", [SYSTEMS, {"wide": SYSTEMS["wide"]}])
@pytest.mark.parametrize("metrics", [METRICS, METRICS[::-1], ["Gini@3"], ["GAUC"]])
def test_every_format_is_written(systems, metrics):
    report = build_report(systems, metrics)

    for text in (report.to_markdown(), report.to_markdown("zh"), report.to_latex()):
        assert "nan" not in text
        assert all(name.partition("@")[0] in text for name in metrics)
    assert report.to_html().startswith("<!DOCTYPE html>")


def test_one_system_has_intervals():
    html = build_report({"wide": SYSTEMS["wide"]}, ["ItemCoverage@3"]).to_html()
    low, high = rg.evaluate(JUDGMENTS, SYSTEMS["wide"], "ItemCoverage@3", side_information=KNOWN).interval(
        "ItemCoverage@3"
    )

    assert f"[{low:.4f}, {high:.4f}]" in html


def test_the_command_takes_tables(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [(user, item, grade) for user, grades in JUDGMENTS.items() for item, grade in grades.items()]
    (tmp_path / "j.csv").write_text("user,item,grade\n" + "".join(f"{u},{i},{g}\n" for u, i, g in rows))
    for name, lists in SYSTEMS.items():
        lines = [f"{user},{item},{-n}\n" for user, items in lists.items() for n, item in enumerate(items)]
        (tmp_path / f"{name}.csv").write_text("user,item,score\n" + "".join(lines))
    result = here(
        "report", "j.csv", "wide.csv", "narrow.csv", "-m", "P@3", "-m", "Gini@3", "--side-information", "items=20"
    )

    assert result.code == 0, result.err
    assert "Gini@3" in (tmp_path / "report.html").read_text(encoding="utf-8")


# In a browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def browser(folder):
    with started(folder) as browser:
        yield browser


@pytest.fixture(scope="module")
def page(folder):
    path = folder / "beyond.html"
    build_report().save(path)
    return path


def tab(browser, metric):
    browser.click(f"#metrics .tab[data-metric='{METRICS.index(metric)}']")
    browser.until("return !document.querySelector(arguments[0]).hidden && document.querySelector(arguments[0]).childElementCount",
                  f"section.metric[data-metric='{METRICS.index(metric)}']")  # fmt: skip


def seen(browser, selector):
    return browser.run(
        "const element = document.querySelector(arguments[0]); return element !== null && element.offsetHeight > 0",
        selector,
    )


def test_tabs_of_query_and_corpus_level_metrics(browser, page):
    browser.open(page)
    for metric in [*METRICS, *METRICS[::-1]]:
        tab(browser, metric)
        assert seen(browser, "#list .viewport") == (metric not in CORPUS_LEVEL), metric
        assert seen(browser, "#list .corpus-note") == (metric in CORPUS_LEVEL), metric
        assert "wide" in browser.text(f"section.metric[data-metric='{METRICS.index(metric)}'] table")
    tab(browser, "Gini")
    assert "Gini is a corpus-level value" in browser.text("#list")
    browser.click("#language")
    assert "全部查询的总体值" in browser.text("#list")
    assert browser.overflow() <= 0
    assert browser.complaints() == []


def test_the_list_of_a_user_by_a_metric_of_items(browser, page):
    browser.open(page, "#q=u3&m=ILD%403")
    shown = browser.texts("#query table.how tfoot tr.total td")
    scores = rg.evaluate(JUDGMENTS, SYSTEMS, "ILD@3", side_information=KNOWN)

    assert f"{scores.per_query('ILD@3', 'wide')['u3']:.6f}" in " ".join(shown)
    assert "distance to the items above" in browser.text("#query")
    browser.click("#language")
    assert "与其前各物品的距离之和" in browser.text("#query")
    assert browser.complaints() == []


def test_queries_have_no_corpus_level_values(browser, page):
    """Choosing such a metric closes the query; an address with both shows another metric."""
    browser.open(page, "#q=u3")
    tab(browser, "Gini")
    browser.until("return document.getElementById('query').hidden")
    assert seen(browser, "#list .corpus-note")
    browser.open(page, "#q=u3&m=Gini")
    assert "nDCG@5" in browser.text("#query")
    assert browser.complaints() == []


def test_reports_of_corpus_level_metrics_only(browser, folder):
    path = folder / "only.html"
    build_report(metrics=["Gini@3"]).save(path)
    browser.open(path, "#q=u3")

    assert seen(browser, "#list .corpus-note")
    assert browser.run("return document.getElementById('query').hidden")
    assert browser.complaints() == []
