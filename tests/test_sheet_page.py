"""The judging sheet in a real browser: by keys alone, after a reload, by several assessors, with hostile texts."""

import json

import pytest

import rankgauge as rg
from browser import started
from sheet_checks import sheet_check

Keys = pytest.importorskip(
    "selenium.webdriver.common.keys", reason="selenium is not installed: make test-all installs it"
).Keys
pytestmark = pytest.mark.xdist_group("sheet")

HOSTILE = '</script><img src=x onerror="window.hacked=1"><b>bold</b>\u202e\u0000 &amp; "\''
QUERIES = [f"q{number}" for number in range(4)]
ITEMS = [HOSTILE, "b", "c", "很长的" + "名" * 80]
RANKINGS = {"one": dict.fromkeys(QUERIES, ITEMS), "two": dict.fromkeys(QUERIES, ITEMS[::-1])}
TEXTS = {"q0": f"what is {HOSTILE}?", "b": f"line one\nline two\n{HOSTILE}", "c": "word " * 3000}


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with started(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


@pytest.fixture
def sheet(tmp_path):
    """A pool, and its sheet as a file."""
    rankings = {
        name: {q: [i.replace("\0", "") for i in items] for q, items in own.items()} for name, own in RANKINGS.items()
    }
    pool = rg.pool(rankings, depth=4, max_grade=3, seed=len(str(tmp_path)))
    path = tmp_path / "sheet.html"
    pool.sheet(texts=TEXTS, guideline=f"Be fair.\n{HOSTILE}", title=f"Films {HOSTILE}", repeats=0.2).save(path)
    return pool, path


def begin(browser, path, rater="", anchor="", **looks):
    browser.open(path, anchor, **looks)
    if rater:
        browser.run("document.getElementById('rater').value = ''")
    browser.press(rater, Keys.ENTER)
    browser.until("return 'judging' in document.documentElement.dataset")
    return browser


def question(browser):
    return browser.run(
        "const [query, item] = document.querySelectorAll('#asked-query .text, #item .text');"
        "return [query.textContent, item.textContent, document.getElementById('position').innerText]"
    )


def is_over(browser):
    return not browser.run("return document.getElementById('summary').hidden")


def forget(browser):
    browser.run("localStorage.clear()")


def saved(browser):
    browser.run("[...document.querySelectorAll('.save')].at(-1).click()")
    return [json.loads(line) for line in browser.downloaded().splitlines()]


def grades_of(pool):
    return {pair: number % 4 for number, pair in enumerate(pool.pairs())}


def test_a_sheet_is_judged_by_keys_alone_and_read_back(browser, sheet, tmp_path):
    pool, path = sheet
    begin(browser, path, "Anna")
    forget(browser)
    begin(browser, path, "Anna")
    rows = pool.sheet(repeats=0.2).rows
    wanted = grades_of(pool)
    for number, row in enumerate(rows):
        if number == 7:  # the browser is closed and opened again
            begin(browser, path)
        assert browser.text("#position").startswith(f"Question {number + 1} of {len(rows)}")
        browser.press(str(wanted[row.query, row.item]))
    assert is_over(browser)
    assert "100.0 %" in browser.text("#result")  # the same grade for every repetition

    records = saved(browser)
    file = tmp_path / "labels.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    labels = pool.labels(file)
    assert {(q, i): g for q, i, g in labels.frame.select("query", "item", "grade").iter_rows()} == wanted
    assert {*labels.frame["rater"]} == {"Anna"}
    assert {*labels.frame["reason"]} == {"depth"}
    assert labels.repeats.height == len(rows) - len(pool)
    assert labels.pool == pool.fingerprint
    assert all(record["check"] == sheet_check(record) for record in records)
    read = rg.read(file).judgments.frame()
    assert {(q, i): g for q, i, g in read.iter_rows()} == wanted
    assert browser.complaints() == []
    assert browser.loaded_from_elsewhere() == []


def test_keys_move_undo_and_say_that_one_cannot_tell(browser, sheet):
    pool, path = sheet
    forget(begin(browser, path, "x"))
    begin(browser, path, "Ben")
    first = question(browser)
    browser.press("3", "u")
    browser.press("9")  # not on the scale
    assert browser.text("#progress").startswith("2 of")
    browser.press(Keys.ARROW_LEFT)
    assert browser.run("return document.querySelector('#grades [aria-pressed=true]').dataset.grade") == "u"
    browser.press("z")
    assert browser.text("#progress").startswith("1 of")
    browser.press("z")
    assert question(browser) == first
    assert browser.text("#progress").startswith("0 of")
    browser.press("2")
    begin(browser, path)  # what was undone stays undone
    assert browser.text("#progress").startswith("1 of")
    browser.press("z")  # after a reload, the last label
    assert question(browser) == first

    browser.press("n", "odd: 很怪", Keys.ENTER, "1")
    browser.run("document.getElementById('keys').click()")
    browser.press("2")
    assert browser.text("#progress").startswith("1 of")
    browser.run("document.getElementById('keys').click(); document.getElementById('end').click()")
    assert [(record["grade"], record["note"]) for record in saved(browser)] == [(1, "odd: 很怪")]
    assert pool


def test_hostile_texts_stay_texts(browser, sheet):
    _, path = sheet
    forget(begin(browser, path, "x"))
    begin(browser, path, HOSTILE.replace("\0", "").replace("\u202e", ""))
    while not is_over(browser):
        assert (
            browser.run("return document.querySelectorAll('#item img, #asked-query img, #guideline img, b').length")
            == 0
        )
        browser.press("1")
    assert browser.run("return window.hacked") is None
    assert "\\u202e" in browser.run("return document.getElementById('guideline-text').textContent")
    assert browser.complaints() == []


def test_two_assessors_are_merged(browser, sheet, tmp_path):
    pool, path = sheet
    forget(begin(browser, path, "x"))
    files = {}
    for rater, grade in (("Anna", "2"), ("Ben", "1")):
        begin(browser, path, rater)
        browser.press("3")
        while not is_over(browser):
            browser.press(grade)
        files[rater] = tmp_path / f"{rater}.jsonl"
        files[rater].write_text("".join(json.dumps(r) + "\n" for r in saved(browser)), encoding="utf-8")
    foreign = tmp_path / "foreign.jsonl"
    lines = files["Anna"].read_text(encoding="utf-8").splitlines()
    other = json.loads(lines[0]) | {"pool_fingerprint": "0" * 16}
    edited = json.loads(lines[1]) | {"grade": 0}
    foreign.write_text("\n".join(map(json.dumps, (other, edited))), encoding="utf-8")
    browser.driver.find_element("id", "merge").send_keys(f"{files['Anna']}\n{foreign}")
    browser.until("return document.getElementById('merged').textContent")

    assert "1 label belongs to another pool" in browser.text("#merged")
    assert "1 label is invalid or edited" in browser.text("#merged")
    assert "Anna" in browser.text("#result")
    merged = tmp_path / "merged.jsonl"
    merged.write_text("".join(json.dumps(r) + "\n" for r in saved(browser)), encoding="utf-8")
    labels = pool.labels(merged)
    assert sorted(labels.raters) == ["Anna", "Ben"]
    assert labels.frame.height == 2 * len(pool)
    one = pool.labels(files["Anna"], files["Ben"])
    assert (
        one.frame.sort("rater", "query", "item")
        .select("rater", "query", "item", "grade")
        .equals(labels.frame.sort("rater", "query", "item").select("rater", "query", "item", "grade"))
    )
    agreed = rg.judges.agreement(str(merged))
    assert float(agreed.percent) == pytest.approx(1 / len(pool))


def test_two_tabs_of_one_assessor_do_not_overwrite_each_other(browser, sheet):
    _, path = sheet
    forget(begin(browser, path, "x"))
    begin(browser, path, "Anna")
    browser.driver.switch_to.new_window("tab")
    begin(browser, path, "Anna")
    browser.press(Keys.ARROW_RIGHT, "2")
    browser.driver.close()
    browser.driver.switch_to.window(browser.driver.window_handles[0])
    browser.press("1")
    begin(browser, path)

    assert browser.text("#progress").startswith("2 of")


def test_without_storage_the_page_says_that_nothing_is_kept(browser, sheet):
    _, path = sheet
    browser.open(path)
    browser.run("Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } })")
    browser.press("Anna", Keys.ENTER)
    browser.until("return 'judging' in document.documentElement.dataset")
    browser.press("1")
    assert "keeps nothing" in browser.text("#saved")
    browser.run("window.onbeforeunload = null; document.querySelector('.save').click()")
    browser.downloaded()


@pytest.mark.parametrize("lang", ["en", "zh-CN"])
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, False), (390, True)])
def test_the_page_fits_and_has_no_fault_that_axe_finds(browser, sheet, lang, width, dark):
    _, path = sheet
    begin(browser, path, "Anna", f"?lang={lang}", width=width, dark=dark)
    assert browser.overflow() <= 0
    assert browser.faults() == []
    browser.picture(f"sheet-{lang}-{width}-{'dark' if dark else 'light'}")
    browser.run("document.getElementById('end').click()")
    assert browser.overflow() <= 0
    assert browser.faults() == []


def test_five_thousand_pairs_are_judged_and_kept(browser, tmp_path):
    ranking = {f"q{n}": [f"{n}-{m}" for m in range(50)] for n in range(100)}
    texts = {f"{n}-{m}": "a passage of some words " * 40 for n in range(100) for m in range(50)}
    path = tmp_path / "sheet.html"
    rg.pool({"r": ranking}, depth=50).sheet(texts=texts).save(path)
    forget(begin(browser, path, "x"))
    begin(browser, path, "Anna")
    browser.run(
        "for (let n = 0; n < 5000; n++)"
        "document.dispatchEvent(new KeyboardEvent('keydown', { key: String(n % 5), bubbles: true }))"
    )
    assert browser.text("#progress").startswith("5,000 of 5,250")
    begin(browser, path)
    assert browser.text("#progress").startswith("5,000 of 5,250")


def test_a_file_is_kept_up_to_date_by_few_writes(browser, sheet):
    pool, path = sheet
    forget(begin(browser, path, "x"))
    begin(browser, path, "Anna")
    browser.run(
        "window.files = []; Object.defineProperty(navigator, 'webdriver', { get: () => false });"
        "window.showSaveFilePicker = async () => ({ createWritable: async () => "
        "({ write: async (text) => window.files.push(text), close: async () => {} }) });"
        "document.querySelector('.save').click()"
    )
    browser.until("return window.files.length === 1")
    browser.run(
        "for (let n = 0; n < 9; n++)"
        "document.dispatchEvent(new KeyboardEvent('keydown', { key: String(n % 4), bubbles: true }))"
    )
    browser.until("return window.files.at(-1).split('\\n').length === 10")
    assert browser.run("return window.files.length") <= 3
    browser.press("z")
    browser.until("return window.files.at(-1).split('\\n').length === 9")
    records = [json.loads(line) for line in browser.run("return window.files.at(-1)").splitlines()]
    assert [record["grade"] for record in records] == [0, 1, 2, 3, 0, 1, 2, 3]
    assert all(record["check"] == sheet_check(record) for record in records)
    assert "file" in browser.text("#saved")
    assert pool
