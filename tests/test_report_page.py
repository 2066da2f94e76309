"""The report in a real browser: opened from disk, without a network, by mouse and by keyboard."""

import base64
import gzip
import json
import random

import polars as pl
import pytest

import rankgauge as rg
from browser import started
from rankgauge.example import JUDGMENTS, SYSTEMS

METRICS = ["nDCG@5", "AP", "RR"]
HOSTILE = [
    "</script><img src=x onerror=window.hacked=1>",
    "<b onmouseover=window.hacked=1>bold</b>",
    "=HYPERLINK(0)",
    "+1+1",
    "\x1b[31mred",
    "\u202egnp.exe",
    'a,b"c\nd',
    "{{7*7}} ${7*7} %s",
    "长" * 100,
    "x" * 200,
    "' & < > # ? =",
    "half \ud83d",
]

HALF, REPLACED = "\ud83d", "\ufffd"


def hostile_world():
    """Every id and every name is hostile; one of the systems has no results for some queries."""
    judgments = {query: {item: n % 4 for n, item in enumerate(HOSTILE)} for query in HOSTILE}
    rankings = {
        "<img src=x onerror=window.hacked=1>": dict.fromkeys(HOSTILE, HOSTILE[:7]),
        "=cmd|' /C calc'!A0\u202e\n": dict.fromkeys(HOSTILE[1:], HOSTILE[::-1][:9]),
    }
    texts = {key: f"<script>window.hacked=1</script>{key}" for key in HOSTILE}
    return judgments, rankings, texts


def large_world(queries=400, systems=6):
    chance = random.Random(3)
    judgments, rankings = {}, {f"system-{s}": {} for s in range(systems)}
    for q in range(queries):
        items = [f"d{chance.randrange(10**6)}-{n}" for n in range(40)]
        judgments[f"q{q}"] = {item: chance.choice([0, 0, 1, 2, 3]) for item in items[:12]}
        for s in range(systems):
            rankings[f"system-{s}"][f"q{q}"] = {
                item: judgments[f"q{q}"].get(item, 0) * s * 0.2 + chance.random() for item in items[:30]
            }
    return judgments, rankings


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def browser(folder):
    with started(folder) as browser:
        yield browser


def saved(folder, name, *arguments, **options):
    path = folder / f"{name}.html"
    rg.report(*arguments, permutations=1000, resamples=200, **options).save(path)
    return path


@pytest.fixture(scope="module")
def example(folder):
    texts = {"space opera": "films that play in space", "Dune": "a desert planet", "功夫片": "会打架的电影"}
    return saved(folder, "example", JUDGMENTS, SYSTEMS, METRICS, texts=texts)


@pytest.fixture(scope="module")
def large(folder):
    return saved(folder, "large", *large_world(), ["nDCG@10", "AP"])


@pytest.fixture(scope="module")
def hostile(folder):
    judgments, rankings, texts = hostile_world()
    return saved(folder, "hostile", judgments, rankings, ["nDCG@5", "RR"], texts=texts)


def test_the_page_opens_from_disk_without_network_and_errors(browser, example):
    browser.open(example)
    browser.picture("overview")

    assert browser.complaints() == []
    assert browser.loaded_from_elsewhere() == []
    assert "3 queries are too few" in browser.text(".verdict")
    assert len(browser.texts("section.metric:not([hidden]) figure svg.picture")) == 9
    assert browser.text("#list .count") == "3 of 3 queries"


def test_the_language_can_be_switched_at_any_time(browser, example):
    browser.open(example, "#q=heist")
    assert "How nDCG@5 of keywords is computed" in browser.text("#query")
    browser.click("#language")
    assert browser.run("return document.documentElement.lang") == "zh-CN"
    assert "keywords 的 nDCG@5 的计算过程" in browser.text("#query")
    browser.click("#query .back")
    browser.until("return document.getElementById('query').hidden")
    browser.picture("overview-zh")
    page = browser.text("body")
    assert [
        word for word in ("评测报告", "排行榜", "查找查询", "所用定义", "数据状况", "太少") if word not in page
    ] == []
    assert [word for word in ("Leaderboard", "Definition used", "Find a query") if word in page] == []
    assert "差异最大者在前" in browser.texts("#list option")
    browser.click("#language")
    assert "Leaderboard" in browser.text("body")
    assert browser.complaints() == []


def test_queries_can_be_sorted_filtered_and_found(browser, large):
    browser.open(large)

    def first(count=3):
        return browser.run(
            "return [...document.querySelectorAll('.entry')].slice(0, arguments[0]).map((row) => row.children[3].innerText)",
            count,
        )

    def choose(state, value):
        browser.run(
            "const box = document.querySelector(`[data-state=${arguments[0]}]`); box.value = arguments[1];"
            "box.dispatchEvent(new Event('change'))",
            state,
            value,
        )

    def number(text):
        return float(text.replace("−", "-").replace("+", ""))

    choose("second", "1")
    choose("sort", "gain")
    gains = [number(text) for text in first(8)]
    assert gains == sorted(gains, reverse=True)
    assert gains[0] > 0
    choose("sort", "loss")
    assert number(first()[0]) < 0
    choose("show", "worse")
    worse = browser.text("#list .count")
    choose("show", "better")
    assert worse != browser.text("#list .count") != "400 of 400 queries"
    choose("show", "all")
    browser.run(
        "const box = document.getElementById('search'); box.value = 'q12'; box.dispatchEvent(new Event('input'))"
    )
    assert browser.text("#list .count") == "11 of 400 queries"
    browser.run(
        "const box = document.getElementById('search'); box.value = 'zz'; box.dispatchEvent(new Event('input'))"
    )
    assert "No query matches." in browser.text(".viewport")


def test_only_visible_rows_are_in_the_document(browser, large):
    browser.open(large)
    assert browser.run("return document.querySelectorAll('.entry').length") < 60
    browser.run("document.querySelector('.viewport').scrollTop = 1e9")
    browser.until("return document.querySelector('[data-row=\"399\"]') !== null")
    assert browser.run("return document.querySelectorAll('.entry').length") < 60


def test_metric_and_pair_can_be_changed(browser, large):
    browser.open(large)
    browser.click(".tab[data-metric='1']")
    browser.until("return document.querySelectorAll('section.metric:not([hidden]) svg.picture').length === 9")
    assert browser.texts("#summary .verdict")[1].startswith("On AP system-5 has the best mean")
    assert browser.text("section.metric:not([hidden]) h2").startswith("AP in detail")
    scatter = "section.metric:not([hidden]) figure[data-picture=scatter]"
    browser.run(
        "const box = document.querySelector(arguments[0] + ' select'); box.value = '4';"
        "box.dispatchEvent(new Event('change'))",
        scatter,
    )
    browser.until("return document.querySelector(arguments[0] + ' figcaption').innerText.includes('system-4')", scatter)
    assert browser.complaints() == []


def test_a_metric_opened_twice_while_it_loads_keeps_its_controls(browser, large):
    """Its pictures are loaded once, also if a second click, or the loading for print, comes before they are there."""
    browser.open(large)
    browser.run("for (const n of [1, 1, 0, 1]) document.querySelector(`.tab[data-metric='${n}']`).click()")
    browser.until("return 'complete' in document.documentElement.dataset")
    for metric in range(2):
        figures = f"section.metric[data-metric='{metric}'] figure[data-picture]"
        assert browser.run("return document.querySelectorAll(arguments[0]).length", figures) == browser.run(
            "return document.querySelectorAll(arguments[0] + ' .buttons details').length", figures
        )
    assert browser.complaints() == []


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("query", [*JUDGMENTS])
def test_the_contributions_on_the_screen_add_up_to_the_value(browser, example, query, metric):
    from urllib.parse import quote

    browser.open(example, f"#q={quote(query)}&m={quote(metric)}")
    for place, (system, ranking) in enumerate(SYSTEMS.items()):
        table = f"#query table.how[data-system='{place}']"
        rows = browser.run(
            "return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map("
            "(row) => [...row.cells].map((cell) => cell.innerText))",
            table,
        )
        foot = browser.run(
            "return [...document.querySelectorAll(arguments[0] + ' tfoot tr')].map((row) => row.cells[1].innerText)",
            table,
        )
        explained = rg.explain(JUDGMENTS, ranking, metric, query)
        assert sum(float(row[-2]) for row in rows) == pytest.approx(float(foot[0]), abs=5e-6)
        assert float(rows[-1][-1]) == pytest.approx(float(foot[0]), abs=2e-6)
        below = float(foot[1]) if explained.below is not None else 1.0
        assert float(foot[0]) / below == pytest.approx(float(foot[-1]), abs=2e-6)
        assert foot[-1] == f"{explained.value:.6f}"
        assert [row[1] for row in rows] == [row.item for row in explained.steps.rows], system


def test_a_click_on_a_number_shows_its_steps(browser, example):
    browser.open(example, "#q=space%20opera")
    assert browser.text("#query h2") == "space opera"
    assert "films that play in space" in browser.text("#query")
    table = "#query table.how[data-system='0']"
    browser.run(
        "document.querySelector(arguments[0] + ' tbody tr:nth-child(2) td:nth-last-child(2) button').click()", table
    )
    assert "3 (gain) × 0.630930 (discount) = 1.892789" in browser.text("#steps")
    browser.picture("steps")
    browser.press("\ue00c")  # Escape
    assert not browser.run("return document.getElementById('steps').open")
    browser.run("[...document.querySelectorAll(arguments[0] + ' tfoot button')].at(-1).click()", table)
    assert "nDCG@5 = 4.053348 / 6.323466 (IDCG) = 0.641001" in browser.text("#steps")
    browser.click("#steps .end button")
    browser.run("document.querySelectorAll(arguments[0] + ' tfoot button')[1].click()", table)
    assert "The ideal order" in browser.text("#steps")
    assert "6.323466" in browser.text("#steps")
    browser.click("#steps .end button")


def test_lines_connect_the_items_that_moved(browser, example):
    browser.open(example, "#q=space%20opera")
    paths = browser.run(
        "return [...document.querySelectorAll('.moves path')].map((path) => path.getAttribute('class').trim())"
    )
    assert sorted(paths) == ["counts", "fell", "fell counts", "rose counts"]
    browser.picture("query")


def test_a_link_to_an_unknown_query_shows_a_message(browser, example):
    browser.open(example, "#q=nothing%3Cimg%3E")
    assert "There is no query nothing<img> in this report." in browser.text("#query")
    assert browser.complaints() == []


def test_hostile_ids_neither_run_nor_break_the_page(browser, hostile):
    from urllib.parse import quote

    browser.open(hostile)
    for query in HOSTILE:
        browser.run("location.hash = arguments[0]", f"#q={quote(query.replace(HALF, REPLACED))}")
        browser.until(
            "return document.querySelector('#query h2')?.innerText === arguments[0]",
            "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in query),
        )
        assert browser.overflow() <= 0
    browser.picture("hostile")
    assert browser.run("return window.hacked") is None
    assert browser.run("return document.querySelectorAll('img, script:not([type])').length") == 1  # our own script
    assert browser.complaints() == []
    browser.size(390, 800)
    assert browser.overflow() <= 0
    browser.picture("hostile-phone")


def test_the_data_behind_a_picture_are_safe_in_a_spreadsheet(browser, hostile):
    import csv

    browser.open(hostile)
    browser.run("document.querySelector('figure[data-picture=scatter] .buttons').querySelectorAll('button')[0].click()")
    content = browser.downloaded()
    rows = [*csv.reader(content.splitlines(keepends=True))]
    assert rows[0][2] == "'=cmd|' /C calc'!A0\u202e\n"
    assert {row[0] for row in rows[1:]} == {
        (f"'{query}" if query[0] in "=+-@" else query).replace(HALF, REPLACED) for query in HOSTILE
    }
    assert [row for row in rows for cell in row[:1] if cell.startswith(("=", "+", "@"))] == []
    browser.run(
        "document.querySelector('figure[data-picture=intervals] .buttons').querySelectorAll('button')[1].click()"
    )
    assert {row["system"] for row in json.loads(browser.downloaded())} == {*hostile_world()[1]}


def test_everything_is_reachable_by_keyboard(browser, large):
    from selenium.webdriver.common.keys import Keys

    browser.open(large)
    browser.run("document.getElementById('search').focus()")
    for _ in range(5):
        browser.press(Keys.TAB)
        if browser.run("return document.activeElement.className") == "viewport":
            break
    assert browser.run("return document.activeElement.className") == "viewport"
    browser.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert browser.run("return document.activeElement.dataset.row") == "2"
    browser.press(Keys.END)
    assert browser.run("return document.activeElement.dataset.row") == "399"
    browser.press(Keys.HOME)
    browser.press(Keys.ENTER)
    browser.until("return !document.getElementById('query').hidden && document.querySelector('#query h2')")
    first = browser.text("#query h2")
    browser.press(Keys.ARROW_RIGHT)
    browser.until("return document.querySelector('#query h2').innerText !== arguments[0]", first)
    browser.press(Keys.ARROW_LEFT)
    browser.until("return document.querySelector('#query h2').innerText === arguments[0]", first)
    browser.press(Keys.ESCAPE)
    browser.until("return document.getElementById('query').hidden")


@pytest.mark.parametrize("anchor", ["", "#q=space%20opera"])
def test_a_phone_needs_no_sideways_scrolling(browser, example, anchor):
    browser.open(example, anchor, width=360, height=740)
    assert browser.overflow() <= 0
    browser.picture(f"phone{'-query' if anchor else ''}")
    browser.click("#language")
    assert browser.overflow() <= 0


def test_every_metric_and_every_query_is_printed(browser, example):
    """The PDF held one of three metrics and no queries."""
    browser.open(example, media="print")
    browser.until("return 'complete' in document.documentElement.dataset")
    assert browser.run("return getComputedStyle(document.querySelector('.tools')).display") == "none"
    assert browser.overflow() <= 0
    browser.run("dispatchEvent(new Event('beforeprint'))")
    seen = "return [...document.querySelectorAll(arguments[0])].filter((element) => element.offsetHeight).length"
    assert browser.run(seen, "section.metric") == browser.run(seen, "#printed-queries table") == len(METRICS)
    assert browser.run(seen, "section.metric figure") == len(browser.texts("section.metric figure")) > 20
    assert all(query in browser.text("#printed-queries") for query in JUDGMENTS)
    printed = browser.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
    assert len(printed["data"]) > 20_000


def test_numbers_of_the_list_of_queries_are_below_their_headers(browser, large):
    """Headers stood 35 px to the right of their numbers."""
    for width in (1280, 390):
        browser.open(large, width=width)
        edges = "return [...document.querySelectorAll(arguments[0] + ' > *')].map((cell) => cell.getBoundingClientRect().right)"
        head, entry = browser.run(edges, "#list .head"), browser.run(edges, ".entry")
        assert head[:4] == pytest.approx(entry[:4], abs=1)
        assert all(text for text in browser.texts(".entry > span")[:4])  # nothing is hidden on a phone


def test_a_phone_shows_that_tables_scroll_and_the_ends_of_names(browser, folder):
    judgments, rankings = large_world(queries=12, systems=3)
    judgments = {f"topic-2024-product-search-{q}": grades for q, grades in judgments.items()}
    systems = {
        f"dense-hybrid-rerank-{name}": {f"topic-2024-product-search-{q}": items for q, items in lists.items()}
        for name, lists in rankings.items()
    }
    browser.open(saved(folder, "phone", judgments, systems, ["nDCG@10", "AP", "P@5"]), width=390, height=800)
    browser.until("return document.querySelector('#summary .scrolls.more')")
    hint = "return getComputedStyle(document.querySelector('#summary .scrolls'), '::before').content"
    assert "Scroll sideways" in browser.run(hint)
    assert browser.text(".pointed") == "Tap the picture to see a query."
    inside = (
        "return [...document.querySelectorAll(arguments[0])].every((part) => part.offsetWidth > 0 && "
        "part.getBoundingClientRect().right <= innerWidth && part.scrollWidth <= part.clientWidth + 1)"
    )
    assert browser.run(inside, ".entry .ends > :last-child")
    assert browser.overflow() <= 0
    assert browser.complaints() == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("anchor", ["", "#q=space%20opera"], ids=["overview", "query"])
def test_no_serious_accessibility_problem(browser, example, anchor, dark):
    browser.open(example, anchor, dark=dark)
    browser.picture(f"{'query' if anchor else 'overview'}-{'dark' if dark else 'light'}")
    assert browser.faults() == []
    if anchor:
        browser.click("#query table.how button")
        assert browser.faults() == []


def test_one_system_and_one_query(browser, folder):
    path = saved(
        folder, "one", {"heist": JUDGMENTS["heist"]}, {"keywords": {"heist": SYSTEMS["keywords"]["heist"]}}, "nDCG@5"
    )
    browser.open(path)
    assert "With one system there is nothing to compare." in browser.text(".verdict")
    assert browser.text("#list .count") == "1 of 1 query"
    browser.click(".entry")
    browser.until("return document.querySelector('#query table.how')")
    browser.picture("one-system")
    assert browser.complaints() == []


def test_thousands_of_queries_open_at_once_and_scroll_smoothly(browser, folder):
    judgments, rankings = large_world(queries=40, systems=10)
    report = rg.report(judgments, rankings, "nDCG@10", permutations=100, resamples=100)
    page, data = report.to_html(), report.data()
    data["queries"] = [f"q{n}" for n in range(7000)]  # the same forty, repeated
    data["values"] = [[column * 175 for column in metric] for metric in data["values"]]
    data["pictures"] = [{}]
    head, mark, rest = page.partition('id="core">')
    path = folder / "thousands.html"
    compressed = base64.b64encode(gzip.compress(json.dumps(data).encode())).decode()
    path.write_text(head + mark + compressed + rest[rest.index("<") :], encoding="utf-8")

    ready = [float(browser.open(path).run("return document.documentElement.dataset.ready")) for _ in range(3)]
    assert min(ready) < 2000  # a quarter of a second on an idle machine
    assert browser.text("#list .count") == "7,000 of 7,000 queries"
    a_step = browser.run(
        "const list = document.querySelector('.viewport'), from = performance.now();"
        "for (let n = 0; n < 50; n++) { list.scrollTop += 3000; list.dispatchEvent(new Event('scroll')); }"
        "return (performance.now() - from) / 50"
    )
    assert a_step < 100  # milliseconds; three on an idle machine


def test_a_report_about_users_says_users_but_keeps_ids():
    """The verdict said users, and titles, captions and the list said queries."""
    rows = [(user, item, float(user * item % 4)) for user in range(8) for item in range(5)]
    judged = pl.DataFrame(rows, ["user_id", "item_id", "rating"], orient="row")
    ranked = pl.DataFrame(rows, ["user_id", "item_id", "score"], orient="row")
    report = rg.report(judged, {"query expansion": ranked, "new": ranked.with_columns(-pl.col("score"))}, "nDCG@3")
    page = report.to_html()
    for text in ("2 systems · 8 users · nDCG@3", "Difference of each user, sorted", "Find a user", "各用户的差异"):
        assert text in page
    assert "Difference of each query" not in page
    assert "user expansion" not in page + report.to_markdown()
    assert "Baseline: query expansion" in report.to_markdown()
    assert (
        "Difference of each query, sorted"
        in rg.report(
            {"q": {"a": 1}, "p": {"a": 1}}, {"x": {"q": ["a"], "p": ["b"]}, "y": {"q": ["b"], "p": ["a"]}}, "RR"
        ).to_html()
    )


def test_a_baseline_that_nobody_named_is_called_the_first_system():
    """The head of a report on 20 systems had the file that is first in the alphabet as its baseline."""
    judgments = {f"q{n}": {"a": 1} for n in range(8)}
    rankings = {name: {query: ["a", "b"] if name < "B" else ["b", "a"] for query in judgments} for name in "ABC"}
    assert "Baseline: A (the first system: no baseline was named)" in rg.report(judgments, rankings, "RR").to_markdown()
    assert "A（未指定基线，取第一个系统）" in rg.report(judgments, rankings, "RR").to_html()
    assert "Baseline: A\n" in rg.report(judgments, rankings, "RR", baseline="A").to_markdown()
    assert "Baseline: A\n" in rg.report(judgments, {name: rankings[name] for name in "AB"}, "RR").to_markdown()
