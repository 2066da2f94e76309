"""The local page in a real browser: the playground, rules that change its value, dropped files."""

import json
import re
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

import rankgauge as rg
from browser import started
from rankgauge import example
from registries import PRESETS
from serving import serving

pytest.importorskip("starlette", reason="starlette is not installed: make test installs it")
pytest.importorskip("uvicorn", reason="uvicorn is not installed: make test installs it")
pytestmark = pytest.mark.xdist_group("serve")

from rankgauge.serve.playground import PlaygroundRequest  # noqa: E402 (needs the extras checked above)

HOSTILE = "</script><img src=x onerror=window.hacked=1>"
NAMES = ["judgments.csv", f"{HOSTILE}\u202e.csv", "../../=cmd|' /C calc'!A0 很长的名字" + "x" * 150 + ".csv"]
QUIET = "return document.documentElement.dataset.loading === undefined"


def page_data(served, name):
    """What the page gives its script, by the name of the element."""
    page = served.ask("GET", "/").body
    return json.loads(re.search(rf'<script type="application/json" id="{name}">([^<]*)</script>', page)[1])


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("served")) as server:
        yield server


@pytest.fixture(scope="module")
def browser(tmp_path_factory, served):
    with started(tmp_path_factory.mktemp("browser"), offline=False) as browser:
        browser.driver.get(served.address)
        browser.until("return location.search === '' && document.getElementById('grades')")
        assert "token" not in browser.run("return document.referrer + location.href")
        yield browser


@pytest.fixture
def page(browser, served):
    """The page, freshly opened, after its first response."""

    def opened(anchor="", **looks):
        browser.open(served.base, anchor, **looks)
        browser.until(QUIET)
        return browser

    return opened


def wait_until_idle(browser):
    browser.until(QUIET)


def typed(browser, field, text):
    browser.run(
        "const box = document.getElementById(arguments[0]); box.value = arguments[1];"
        "document.documentElement.dataset.loading = '';"
        "box.dispatchEvent(new Event(box.tagName === 'SELECT' ? 'change' : 'input'))",
        field,
        text,
    )
    wait_until_idle(browser)


def choose(browser, rule, value):
    browser.run(
        "document.documentElement.dataset.loading = '';"
        "document.querySelector(`[data-rule=${arguments[0]}] input[value='${arguments[1]}']`).click()",
        rule,
        value,
    )
    wait_until_idle(browser)


def number(browser):
    return browser.text("#number-now")


# Playground


@pytest.mark.parametrize("place", range(7))
def test_the_numbers_on_the_screen_equal_those_of_the_library(page, served, place):
    examples = page_data(served, "start")["examples"]
    assert len(examples) == 7
    browser, example = page(), SimpleNamespace(**examples[place])
    browser.run(
        "document.documentElement.dataset.loading = ''; document.querySelectorAll('#examples button')[arguments[0]].click()",
        place,
    )
    wait_until_idle(browser)

    metric = rg.parse(example.metric if example.k is None else f"{example.metric}@{example.k}")
    grades, missed, scores = (
        [float(text) for text in part.split()] for part in (example.grades, example.missed, example.scores)
    )
    rules = rg.Convention(**{name: float(value) if value.isdigit() else value for name, value in example.rules.items()})
    explained = metric.explain(
        grades, ideal=[*grades, *missed] if missed else None, scores=scores or None, convention=rules
    )

    assert number(browser) == f"{explained.value:.6f}"
    rows = browser.run(
        "return [...document.querySelectorAll('#how table')].map((table) => [...table.tBodies[0].rows].map("
        "(row) => [...row.cells].map((cell) => cell.innerText)))"
    )
    for shown, steps in zip(rows, [explained.steps, *([explained.ideal] if explained.ideal else [])], strict=True):
        assert [float(row[-2]) for row in shown] == pytest.approx([row.contribution for row in steps.rows], abs=1e-6)
        assert [float(row[-1]) for row in shown] == pytest.approx([row.running for row in steps.rows], abs=1e-6)
    assert f"= {explained.value:.6f}" in browser.texts("#how .sum")[-1]
    assert browser.complaints() == []


def test_input_is_evaluated_at_once(page):
    browser = page()
    typed(browser, "grades", "1 0 - 1")
    typed(browser, "metric", "AP")
    typed(browser, "missed", "1，0")

    assert number(browser) == f"{rg.AP.of([1, 0, None, 1], ideal=[1, 0, 1, 1, 0]):.6f}"
    assert "–" in browser.texts("#how table .grade")
    typed(browser, "metric", "P")
    typed(browser, "cutoff", "2")
    assert number(browser) == "0.500000"
    typed(browser, "grades", "one two")
    assert "entry 1 is 'one', not a number" in browser.text("#value")
    typed(browser, "grades", "")
    assert "enter the grades" in browser.text("#value")
    typed(browser, "grades", "2")
    assert number(browser) == "0.500000"
    assert [complaint for complaint in browser.complaints() if "422" not in complaint] == []


def test_a_changed_rule_shows_the_change_of_the_value(page):
    browser = page()
    browser.run(
        "document.documentElement.dataset.loading = ''; document.querySelectorAll('#examples button')[1].click()"
    )
    wait_until_idle(browser)
    choose(browser, "gain", "linear")
    films, everything = [5, 3, 2, 1, 2], [5, 3, 2, 1, 2, 4, 0]
    assert number(browser) == "0.853491"
    promised = browser.text("[data-rule=discount] input[value='log2(i)'] ~ .gives b")

    choose(browser, "discount", "log2(i)")

    value = rg.nDCG(discount="log2(i)", k=5).of(films, ideal=everything)
    assert (number(browser), promised) == (f"{value:.6f}", f"{value:.4f}")
    assert "0.853491 under the rules of rankgauge (default); your changes: −0.020569" in browser.text(".changed")
    assert "discount=log2(i)" in browser.text("#value")
    assert "discount = log2(i): none at rank 1" in browser.text("#how")
    browser.picture("serve-rule")
    choose(browser, "ideal", "returned")
    assert number(browser) == f"{rg.nDCG(discount='log2(i)', ideal='returned', k=5).of(films):.6f}"
    browser.run("document.documentElement.dataset.loading = ''; document.getElementById('reset').click()")
    wait_until_idle(browser)
    assert number(browser) == "0.853491"
    typed(browser, "convention", "lightgbm")
    assert number(browser) == "0.829613"


def test_every_option_shows_the_value_that_it_gives(page):
    browser = page()
    typed(browser, "grades", "2 - 0 3 -1")
    request = PlaygroundRequest.of({"grades": "2 - 0 3 -1", "metric": "nDCG@5"})
    shown = browser.run(
        "return [...document.querySelectorAll('#rules .choice')].map((choice) => [choice.closest('fieldset').dataset.rule,"
        "choice.querySelector('input').value, choice.querySelector('.gives b').textContent])"
    )

    assert len(shown) > 25
    for rule, text, promised in shown:
        value = json.loads(text) if re.fullmatch(r"-?[\d.]+", text) else text
        try:
            expected = f"{request.value(rg.Convention(**{rule: value})):.4f}"
        except rg.RankgaugeError:
            expected = "no value没有值"
        assert (rule, text, promised) == (rule, text, expected)


def test_the_values_of_tools_equal_those_of_reconcile(page):
    browser = page()
    browser.run(
        "document.documentElement.dataset.loading = ''; document.querySelectorAll('#examples button')[1].click()"
    )
    wait_until_idle(browser)
    choose(browser, "gain", "linear")
    browser.run("document.documentElement.dataset.loading = ''; document.getElementById('reset').click()")
    wait_until_idle(browser)
    expected = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5", ideal=[5, 3, 2, 1, 2, 4, 0])

    shown = browser.run(
        "return [...document.querySelector('#tools table').tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.innerText))"
    )
    assert [row[0] for row in shown] == [group.shown for group in expected.groups]
    assert all(tool.name in row[1] for row, group in zip(shown, expected.groups, strict=True) for tool in group.tools)
    assert browser.run("return document.getElementById('printed').offsetWidth") > 50  # the style of the report hid it
    browser.run("document.querySelector('#number button').click()")
    browser.until("return document.querySelector('#explanations table')", seconds=60)
    assert "No known tool gives 0.827" in browser.text("#explanations")
    browser.picture("serve-printed")
    assert browser.complaints() == []


def test_the_language_can_be_switched_at_any_time(page):
    browser = page()
    assert "How much is each item worth? The gain" in browser.text("body")
    browser.click("#language")
    text = browser.text("body")
    assert [
        word for word in ("练习场", "每个物品值多少", "理想排序", "各工具给出的值", "改一条规则") if word not in text
    ] == []
    assert [
        word
        for word in ("Playground", "How the number", "Which tool", "Change a rule", "discount")
        if word in text.replace("discount =", "")
    ] == []
    assert "rankgauge（默认）" in browser.texts("#convention option")
    browser.picture("serve-zh")
    choose(browser, "gain", "exp2")
    assert "修改规则带来的变化" in browser.text(".changed")
    browser.click("#language")
    assert "your changes" in browser.text(".changed")
    assert browser.complaints() == []


def test_a_clicked_item_moves_up(page):
    browser = page()
    assert browser.texts("#blocks button") == ["3", "2", "3", "0", "1"]
    for place in (4, 3):
        browser.run(
            f"document.documentElement.dataset.loading = ''; document.querySelectorAll('#blocks button')[{place}].click()"
        )
        wait_until_idle(browser)
    assert browser.run("return document.getElementById('grades').value") == "3 2 1 3 0"
    assert number(browser) == f"{(rg.nDCG @ 5).of([3, 2, 1, 3, 0]):.6f}"
    assert browser.run("return document.activeElement.dataset.place") == "2"


def test_rules_can_be_changed_by_keyboard(page):
    from selenium.webdriver.common.keys import Keys

    browser = page()
    before = number(browser)
    browser.run("document.querySelector('[data-rule=gain] input:checked').focus()")
    browser.run("document.documentElement.dataset.loading = ''")
    browser.press(Keys.ARROW_DOWN)
    wait_until_idle(browser)
    assert number(browser) == f"{rg.nDCG(gain='exp2', k=5).of([3, 2, 3, 0, 1]):.6f}" != before
    assert browser.run("return document.activeElement.value") == "exp2"


# Files


def drop(browser, files):
    """Drop files on the page."""
    browser.run(
        "const files = new DataTransfer();"
        "for (const [name, text] of arguments[0]) files.items.add(new File([text], name));"
        "for (const name of ['dragenter', 'dragover', 'drop']) document.getElementById('drop').dispatchEvent("
        "new DragEvent(name, { dataTransfer: files, bubbles: true, cancelable: true }))",
        files,
    )
    browser.until("return document.querySelectorAll('.held').length === arguments[0]", len(files))


def roles(browser):
    return browser.run("return [...document.querySelectorAll('.held select')].map((box) => box.value)")


def evaluated(browser, seconds=90):
    browser.run("document.querySelector('#sending [type=submit]').click()")
    return browser.until(
        "return document.querySelector('.evaluation[data-state=done], .evaluation[data-state=failed]')?.dataset.state",
        seconds=seconds,
    )


def clear(served):
    for evaluation in json.loads(served.ask("GET", "/api/evaluations").body):
        served.ask("DELETE", f"/api/evaluations/{evaluation['id']}", headers={"X-Rankgauge": "1"})


def test_dropped_files_are_evaluated_compared_and_explained(page, served):
    browser = page("#files")
    drop(browser, [*example.files().items()])
    browser.until("return [...document.querySelectorAll('.held select')].every((box) => box.value !== 'auto')")
    assert roles(browser) == ["judgments", "ranking", "ranking"]
    browser.run("document.getElementById('metrics-text').value = 'nDCG@5, AP'")
    assert evaluated(browser) == "done"
    browser.picture("serve-evaluated")

    scores = rg.evaluate(example.JUDGMENTS, example.SYSTEMS, ["nDCG@5", "AP"])
    text = browser.text(".evaluation")
    assert "3 queries are too few to distinguish embeddings from keywords" in text
    assert [f"{scores.system(name).mean('nDCG@5'):.4f}" in text for name in example.SYSTEMS] == [True, True]

    browser.click(".evaluation .main-button")
    browser.until("return !document.getElementById('view-report').hidden")
    browser.driver.switch_to.frame(browser.driver.find_element("id", "report-frame"))
    browser.until("return 'ready' in document.documentElement.dataset")
    browser.run("location.hash = '#q=heist'")
    browser.until("return document.querySelector('#query table.how')")
    assert "How nDCG@5 of keywords is computed" in browser.text("#query")
    assert (
        browser.run("try { return String(parent.document) } catch (reason) { return reason.name }") == "SecurityError"
    )
    browser.driver.switch_to.default_content()
    browser.picture("serve-report")
    browser.click("#view-report .back")
    browser.until("return document.getElementById('view-report').hidden")
    assert browser.complaints() == []
    assert {urlsplit(address).netloc for address in browser.loaded_from_elsewhere()} == {f"127.0.0.1:{served.port}"}
    clear(served)


def rules_of_files(browser):
    return browser.run(
        "return [...document.querySelectorAll('#files-rules fieldset')].map((field) => field.dataset.rule)"
    )


def choose_for_files(browser, rule, value):
    browser.run(
        "document.querySelector(`#files-rules [data-rule=${arguments[0]}] input[value='${arguments[1]}']`).click()",
        rule,
        value,
    )
    wait_until_idle(browser)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_single_rules_of_files_are_chosen_as_on_the_playground(page, served, dark):
    browser = page("#files", dark=dark)
    drop(browser, [*example.files().items()])
    browser.run("document.getElementById('metrics-text').value = 'nDCG@5'")
    browser.click("#single-rules summary")
    browser.until("return document.querySelector('#files-rules fieldset')")
    wait_until_idle(browser)
    metric = rg.nDCG @ 5
    assert {*rules_of_files(browser)} == {
        *metric.definition.applicable_rules,
        "missing",
        "score_precision",
        "averaging",
    }
    assert browser.texts("#files-rules .gives") == []
    choose_for_files(browser, "gain", "exp2")
    choose_for_files(browser, "ties", "mean")
    assert browser.text("#changed-rules code") == "gain=exp2 · ties=mean"
    assert browser.texts("#files-rules .current code")[:2] == ["exp2", "log2(i+1)"]
    assert browser.overflow() <= 0
    browser.picture(f"serve-files-rules-{'dark' if dark else 'light'}")
    assert evaluated(browser) == "done"

    scores = rg.evaluate(
        example.JUDGMENTS, example.SYSTEMS, "nDCG@5", convention=rg.Convention(gain="exp2", ties="mean")
    )
    text = browser.text(".evaluation")
    assert "gain=exp2 · ties=mean" in text
    assert [f"{scores.system(name).mean('nDCG@5'):.4f}" in text for name in example.SYSTEMS] == [True, True]
    clear(served)
    assert browser.complaints() == []


def test_rules_of_files_follow_the_metrics_and_the_tool(page):
    browser = page("#files")
    browser.run("document.getElementById('metrics-text').value = 'nDCG@5, PooledAUC'")
    browser.click("#single-rules summary")
    browser.until("return document.querySelector('#files-rules fieldset')")
    wait_until_idle(browser)
    assert {"gain", "rel", "undefined", "tied_pairs"} <= {*rules_of_files(browser)}
    choose_for_files(browser, "gain", "exp2")
    choose_for_files(browser, "rel", "3")
    for metrics, kept in (("AP, RR", "rel=3"), ("nDCG(gain='exp2')@5, PooledAUC", "rel=3"), ("DCG", "rel=3")):
        typed_metrics(browser, metrics)
        assert "gain" not in rules_of_files(browser) or metrics == "DCG"
        assert browser.text("#changed-rules").partition("\n")[0] == kept
    choose_for_files(browser, "gain", "exp2")
    browser.click("#changed-rules button")
    wait_until_idle(browser)
    assert browser.text("#changed-rules") == ""
    browser.run(
        "document.getElementById('files-convention').value = 'lightgbm';"
        "document.getElementById('files-convention').dispatchEvent(new Event('change'))"
    )
    wait_until_idle(browser)
    assert "exp2" in browser.texts("#files-rules [data-rule=gain] .current code")
    typed_metrics(browser, HOSTILE)
    assert "window.hacked" in browser.text("#files-rules .notice")
    assert browser.run("return [window.hacked, document.querySelectorAll('img').length]") == [None, 0]
    browser.click("#language")
    assert "修改单条规则" in browser.text("#single-rules")


def typed_metrics(browser, text):
    browser.run(
        "const box = document.getElementById('metrics-text'); box.value = arguments[0]; box.dispatchEvent(new Event('change'))",
        text,
    )
    wait_until_idle(browser)


def test_language_and_theme_are_shared_with_the_report(page, served):
    browser = page("#files")
    drop(browser, [*example.files().items()])
    assert evaluated(browser) == "done"
    browser.click("#theme")
    browser.click("#language")
    looks = "return [document.documentElement.dataset.theme, document.documentElement.lang]"
    assert browser.run(looks) == ["dark", "zh-CN"]
    browser.click(".evaluation .main-button")
    browser.until("return !document.getElementById('view-report').hidden")
    browser.driver.switch_to.frame(browser.driver.find_element("id", "report-frame"))
    browser.until("return 'ready' in document.documentElement.dataset")
    assert browser.run(looks) == ["dark", "zh-CN"]
    browser.driver.switch_to.default_content()
    browser.picture("serve-report-dark")
    browser.driver.switch_to.frame(browser.driver.find_element("id", "report-frame"))
    browser.click("#theme")
    browser.click("#language")
    assert browser.text("h1") == "Evaluation report"
    assert browser.run(looks) == ["light", "en"]
    browser.driver.switch_to.default_content()
    browser.until("return document.documentElement.dataset.theme === 'light' && document.documentElement.lang === 'en'")
    browser.driver.execute_async_script(
        "requestAnimationFrame(() => setTimeout(arguments[0], 300))"
    )  # also applied inside the frame
    browser.picture("serve-report-light")
    browser.run("postMessage({ theme: 'dark' }, '*')")  # messages from others are ignored
    browser.click("#view-report .back")
    browser.until("return document.getElementById('view-report').hidden")
    assert browser.run(looks) == ["light", "en"]
    assert browser.complaints() == []
    clear(served)


def test_hostile_ids_and_names_neither_run_nor_break_the_page(page, served):
    browser = page("#files")
    ids = [HOSTILE, "=HYPERLINK(0)", "\x1b[31m", "\u202egnp.exe", "{{7*7}}", "长" * 80]
    table = {kind: f"query,item,{kind}\n" for kind in ("grade", "score")}
    quoted = ['"' + text.replace('"', '""') + '"' for text in ids]
    rows = {
        kind: head + "".join(f"{q},{d},{n % 3}\n" for q in quoted for n, d in enumerate(quoted))
        for kind, head in table.items()
    }
    drop(browser, [*zip(NAMES, [rows["grade"], rows["score"], rows["score"]], strict=True)])
    assert evaluated(browser) == "done", browser.text(".evaluation")
    browser.picture("serve-hostile")

    assert browser.overflow() <= 0
    assert "</script><img src=x onerror=window.hacked=1>\\u202e.csv" in browser.text(".evaluation")
    browser.click(".evaluation .main-button")
    browser.driver.switch_to.frame(browser.driver.find_element("id", "report-frame"))
    browser.until("return 'ready' in document.documentElement.dataset")
    assert browser.run("return [window.hacked, document.querySelectorAll('img').length]") == [None, 0]
    browser.driver.switch_to.default_content()
    assert browser.run("return [window.hacked, document.querySelectorAll('img').length]") == [None, 0]
    typed(browser, "grades", HOSTILE)
    assert "<img" in browser.text("#value") or browser.run(
        "return document.getElementById('value').textContent.includes('<img')"
    )
    assert browser.run("return [window.hacked, document.querySelectorAll('img').length]") == [None, 0]
    browser.run("location.hash = '#files'")
    browser.size(390, 844)
    assert browser.overflow() <= 0
    assert [complaint for complaint in browser.complaints() if "422" not in complaint] == []
    clear(served)


def test_invalid_files_are_reported(page, tmp_path):
    browser = page("#files")
    browser.run("document.querySelector('#sending [type=submit]').click()")
    assert "Add files first." in browser.text("#complaint")
    paths = [tmp_path / "judgments.csv", tmp_path / "run.csv"]
    paths[0].write_text("query,item,grade\nq,a,high\n", encoding="utf-8")
    paths[1].write_text("query,item,score\nq,a,1\n", encoding="utf-8")
    browser.driver.find_element("id", "chosen").send_keys("\n".join(map(str, paths)))
    browser.until("return document.querySelectorAll('.held').length === 2")
    assert not browser.run("return !document.getElementById('complaint').hidden")
    browser.run("document.getElementById('metrics-text').value = 'nDGC@5'")
    browser.run("document.querySelector('#sending [type=submit]').click()")
    browser.until("return !document.getElementById('complaint').hidden")
    assert "did you mean 'nDCG'" in browser.text("#complaint")
    browser.run("document.getElementById('metrics-text').value = 'nDCG@5'")
    assert evaluated(browser) == "failed"
    assert "judgments.csv:2" in browser.text(".evaluation")
    browser.click(".evaluation button")
    browser.until("return document.querySelector('.evaluation') === null")
    browser.click(".held button")
    assert len(browser.texts(".held")) == 1


# Appearance


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("view", ["playground", "files"])
def test_no_serious_accessibility_problem(page, view, dark):
    browser = page(f"#{view}", dark=dark)
    if view == "files":
        drop(browser, [*example.files().items()])
        browser.click("#single-rules summary")
        browser.until("return document.querySelector('#files-rules fieldset')")
    else:
        browser.run("document.querySelector('#rules details').open = true")
        choose(browser, "gain", "exp2")
    browser.picture(f"serve-{view}-{'dark' if dark else 'light'}")
    assert browser.faults() == []


@pytest.mark.parametrize("view", ["playground", "files"])
def test_a_phone_needs_no_sideways_scrolling(page, view):
    browser = page(f"#{view}", width=360, height=740)
    assert browser.overflow() <= 0
    browser.picture(f"serve-{view}-phone")
    browser.click("#language")
    assert browser.overflow() <= 0


def test_each_grade_has_its_own_colour(page):
    """Grades 4 and 5 had the same colour."""
    browser = page()
    typed(browser, "grades", "0 1 2 3 4 5 6 7 8 9 10")
    colours = browser.run(
        "return [...document.querySelectorAll('#blocks .grade')].map((block) => getComputedStyle(block).backgroundColor)"
    )
    assert len(colours) == len({*colours}) == 11


def test_menus_are_grouped_by_family_and_by_field(page):
    browser = page()
    groups = "return [...document.querySelectorAll(`#${arguments[0]} optgroup`)].map((group) => [group.label, group.children.length])"
    presets = browser.run(groups, "convention")
    assert {"Search", "Recommendation"} < {label for label, _ in presets}
    assert sum(count for _, count in presets) == len(PRESETS)
    assert dict(browser.run(groups, "metric"))["Cumulated gain"] >= 4
    browser.click("#language")
    assert "累计增益" in {label for label, _ in browser.run(groups, "metric")}


CAPTURED = (
    "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (text) => { window.copied = text; }}})"
)


def test_a_link_restores_list_metric_rules_and_language(page):
    browser = page()
    browser.run(CAPTURED)
    browser.click("#language")
    for field, text in {"grades": "5 3 2 1 2", "missed": "4 0", "metric": "DCG", "cutoff": "4"}.items():
        typed(browser, field, text)
    typed(browser, "convention", "lightgbm")
    choose(browser, "discount", "1/i")
    shown = browser.text("#value")
    browser.click("#copy-link")
    address = browser.until("return window.copied")

    browser = page(address[address.index("#") :])
    assert browser.text("#value") == shown
    assert "DCG@4" in shown
    assert browser.run("return document.documentElement.lang") == "zh-CN"
    browser = page("#playground?grades=1+x&metric=nothing&convention=nobody&rule=broken&lang=fr")
    assert "entry 2 is 'x'" in browser.text("#value")


def test_the_steps_can_be_copied_as_markdown(page):
    browser = page()
    browser.run(CAPTURED)
    browser.click("#copy-steps")
    copied = browser.until("return window.copied")
    assert copied == rg.nDCG(k=5).explain([3, 2, 3, 0, 1]).document().to_markdown()
    browser.run("navigator.clipboard.writeText = () => Promise.reject()")
    browser.click("#copy-steps")
    assert browser.until("return document.querySelector('#copied textarea')?.value") == copied


def test_no_empty_cards_are_left_by_an_error(page):
    browser = page()
    shown = (
        "return [...document.querySelectorAll('#view-playground > .card')].filter((card) => card.offsetHeight).length"
    )
    before = browser.run(shown)
    typed(browser, "grades", "5 x")
    assert browser.run(shown) == before - 3


def test_errors_are_in_the_language_of_the_page(page):
    """An invalid grade was reported in English on the Chinese page."""
    browser = page()
    typed(browser, "grades", "3 x")
    assert "entry 2 is 'x', not a number" in browser.text("#value")
    browser.click("#language")
    assert browser.text("#value") == "第 2 项 'x' 不是数；请用逗号、分号或空格分隔各数，未标注的物品写作 -"


def test_every_message_of_the_script_exists_in_both_languages(served):
    used = {*re.findall(r'\bsay\("([^"]+)"', served.ask("GET", "/script.js").body)} | {
        "auto",
        "judgments",
        "ranking",
        "texts",
        "stop",
        "remove",
    }
    words = page_data(served, "messages")

    assert used - {*words} == set()
    assert all(english and chinese for english, chinese in words.values())


BLANK = "query,item,grade\nq,a,2\nq,b,\nq,c,\np,a,1\n"
RANKED = "query,item,score\nq,a,2\nq,b,1\nq,c,0\np,b,2\np,a,1\n"


def test_an_error_has_lines_and_names_the_checkbox_of_the_page(page, served):
    """The page showed a literal \\n and told people to pass --lenient."""
    browser = page("#files")
    drop(browser, [("team.csv", BLANK), ("run.csv", RANKED)])
    assert evaluated(browser) == "failed"
    for language, box in (("en", "Skip and count invalid rows"), ("zh", "跳过无效的行并计数")):
        text = browser.text(".evaluation .notice")
        assert "\\n" not in text, language
        assert "--lenient" not in text
        assert "rankgauge codes" not in text
        assert box in text
        assert any(line.startswith("team.csv:3") for line in text.splitlines())
        assert "RG204" in browser.text(".evaluation details")
        browser.picture(f"serve-error-{language}")
        browser.click("#language")
    clear(served)


def test_a_lenient_result_counts_the_rows_that_it_skipped(page):
    browser = page("#files")
    browser.click("#lenient")
    drop(browser, [("team.csv", BLANK), ("run.csv", RANKED)])
    assert evaluated(browser) == "done"
    assert "x2; team.csv:3: grade is missing" in browser.text(".evaluation .caveat")
    browser.click("#language")
    assert "team.csv:3：等级缺失" in browser.text(".evaluation .caveat")
    browser.picture("serve-lenient-zh")
