"""The page of a trend in a real browser: both languages, dark, and a phone; hostile names stay text."""

import pytest

import rankgauge as rg
from browser import started

JUDGED = {f"q{n}": {"a": 1} for n in range(12)}
GOOD = {query: ["a"] for query in JUDGED}
BAD = {query: ["b", "a"] if n % 3 else ["a"] for n, query in enumerate(JUDGED)}
HOSTILE = "</script><img src=x onerror=window.hacked=1>" + "长" * 80


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    store = rg.history.open(tmp_path_factory.mktemp("history") / "rankgauge.history.jsonl")
    for ranking in (GOOD, GOOD, BAD, GOOD):
        store.log(JUDGED, ranking, "RR", name=HOSTILE, model=HOSTILE)
    store.log({"q0": {"a": 1}}, {"q0": ["a"]}, "RR", name="main")
    return store


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with started(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_a_trend_opens_switches_its_language_and_fits(browser, store, tmp_path, width, dark):
    page = tmp_path / "trend.html"
    page.write_text(store.trend("RR").to_html(), encoding="utf-8")
    browser.open(page, width=width, dark=dark)

    assert browser.text("h1") == "Results over time"
    browser.click("#language")
    assert browser.text("h1") == "结果的历史"
    assert "更差" in browser.run("return document.querySelector('svg.picture').textContent")
    assert browser.overflow() <= 0
    assert browser.run("return window.hacked") is None
    assert browser.complaints() == []
    assert browser.run("return document.querySelectorAll('svg .up, svg .down').length") == 4  # two changes and the key


def test_the_card_of_a_report_has_a_picture_and_hides_the_runs(browser, store, tmp_path):
    page = tmp_path / "report.html"
    rg.report(JUDGED, {"new": GOOD}, "RR", history=store).save(page)
    browser.open(page)

    assert browser.run("return document.querySelector('#history details').open") is False
    assert "RR: 2 changes in 5 runs" in browser.text("#history")
    browser.click("#language")
    assert "更好" in browser.run("return document.querySelector('#history svg.picture').textContent")
    assert browser.complaints() == []


def test_the_picture_of_a_trend_is_a_file_with_its_own_style_and_a_text_alternative(store, tmp_path):
    trend = store.trend("RR")
    trend.plot("zh").save(tmp_path / "trend.svg")

    text = (tmp_path / "trend.svg").read_text(encoding="utf-8")
    assert text == trend.to_svg("zh")
    assert f"<title>{trend.title('zh')}</title><desc>RR" in text
    assert "<style>" in text
    assert "var(--" not in text


def test_a_trend_of_many_runs_is_drawn_without_a_point_for_each(store):
    long = rg.history.open(store.path.with_name("long.history.jsonl"))
    line = store.runs()[0].line()
    runs = (line.replace(store.runs()[0].id, f"run{number:04}") for number in range(400))
    long.path.write_text("".join(runs), encoding="utf-8")

    assert long.trend("RR", last=None).to_html().count('class="fill') == 0
