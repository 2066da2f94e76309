"""A judging sheet that is served: labels are on the disk as soon as they are made, from any number of tabs."""

import json
import os
import signal
import subprocess
import sys
import threading

import pytest

import rankgauge as rg
from browser import started
from command_line import environment, here
from serving import Served, serving, until
from sheet_checks import sheet_check

pytest.importorskip("starlette", reason="starlette is not installed: make test installs it")
pytest.importorskip("uvicorn", reason="uvicorn is not installed: make test installs it")
pytestmark = pytest.mark.xdist_group("serve")

RANKINGS = {"r": {f"q{n}": [f"{n}-{letter}" for letter in "abcde"] for n in range(8)}}
POOL = rg.pool(RANKINGS, depth=5, max_grade=3)


@pytest.fixture
def sheet(tmp_path):
    path = tmp_path / "sheet.html"
    POOL.sheet(guideline="Be fair.").save(path)
    return path


def lines_of(path):
    return [json.loads(line) for line in path.with_suffix(".labels.jsonl").read_text(encoding="utf-8").splitlines()]


def label(row, grade, rater="Anna", **more):
    return {"query": row.query, "item": row.item, "repeat": row.repeat, "grade": grade, "rater": rater,
            "time": "2026-01-01T00:00:00Z", "pool_fingerprint": POOL.fingerprint, **more}  # fmt: skip


def test_labels_are_appended_as_they_are_made(sheet, tmp_path):
    rows = POOL.sheet().rows
    with serving(tmp_path / "server", str(sheet)) as server:
        assert server.ask("GET", "/").status == 200
        for number, row in enumerate(rows[:10]):
            assert server.post("/api/labels", label(row, number % 4))[0] == 200
            assert len(lines_of(sheet)) == number + 1
        server.post("/api/labels", label(rows[0], 3))
        server.post("/api/labels", label(rows[1], None, withdrawn=True))
        assert len(server.ask("GET", "/api/labels").body.splitlines()) == 12
    assert all(record["check"] == sheet_check(record) for record in lines_of(sheet))
    labels = POOL.labels(sheet.with_suffix(".labels.jsonl"))
    assert labels.frame.height == 9
    assert (
        labels.frame.filter((labels.frame["query"] == rows[0].query) & (labels.frame["item"] == rows[0].item))[
            "grade"
        ].item()
        == 3
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"grade": 4},
        {"grade": 1.0},
        {"grade": "1"},
        {"grade": True},
        {"rater": ""},
        {"item": "zzz"},
        {"pool_fingerprint": "0"},
    ],
)
def test_an_invalid_label_of_the_sheet_is_refused(sheet, tmp_path, wrong):
    with serving(tmp_path / "server", str(sheet)) as server:
        status, answer = server.post("/api/labels", label(POOL.sheet().rows[0], 1) | wrong)
        assert status == 422
        assert answer["error"]
        assert lines_of(sheet) == []


def test_the_probability_and_the_reason_come_from_the_sheet_and_not_from_the_request(sheet, tmp_path):
    with serving(tmp_path / "server", str(sheet)) as server:
        server.post("/api/labels", label(POOL.sheet().rows[0], 1, inclusion=0.001, reason="x", max_grade=9))
    assert [(record["inclusion"], record["reason"], record["max_grade"]) for record in lines_of(sheet)] == [
        (1.0, "depth", 3)
    ]


def test_requests_from_elsewhere_are_refused(sheet, tmp_path):
    with serving(tmp_path / "server", str(sheet)) as server:
        assert server.ask("GET", "/", cookie=None).status == 403
        assert server.ask("POST", "/api/labels", json.dumps(label(POOL.sheet().rows[0], 1))).status == 403
        assert server.ask("POST", "/api/evaluations", b"x", {"X-Rankgauge": "1"}).status == 404


def test_many_tabs_and_two_servers_do_not_overwrite_each_other(sheet, tmp_path):
    rows = POOL.sheet().rows
    with serving(tmp_path / "one", str(sheet)) as one, serving(tmp_path / "two", str(sheet)) as two:

        def judge(server, rater):
            for row in rows:
                assert server.post("/api/labels", label(row, 2, rater))[0] == 200

        threads = [
            threading.Thread(target=judge, args=(server, f"{name}{n}"))
            for server, name in ((one, "a"), (two, "b"))
            for n in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(lines_of(sheet)) == 6 * len(rows)
    assert len({(r["rater"], r["query"], r["item"], r["repeat"]) for r in lines_of(sheet)}) == 6 * len(rows)


def killed_server(sheet, folder):
    folder.mkdir(exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "rankgauge", "serve", str(sheet)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True, cwd=folder, env=environment(TMPDIR=str(folder)),
    )  # fmt: skip
    return process, Served(process, process.stdout.readline().strip(), folder)


def test_a_killed_server_loses_nothing_that_it_confirmed(sheet, tmp_path):
    rows, confirmed = POOL.sheet().rows, []
    process, server = killed_server(sheet, tmp_path / "server")

    def judge():
        try:
            for turn in range(1000):
                row = rows[turn % len(rows)]
                if server.post("/api/labels", label(row, turn % 4, f"Anna{turn // len(rows)}"))[0] == 200:
                    confirmed.append((row.query, row.item, row.repeat, turn % 4))
        except Exception:  # noqa: BLE001 (the server is gone)
            return

    thread = threading.Thread(target=judge)
    thread.start()
    until(lambda: len(confirmed) > 30)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    thread.join()
    process.stdout.close()

    file = sheet.with_suffix(".labels.jsonl")
    written = [(r["query"], r["item"], r["repeat"], r["grade"]) for r in map(json.loads, file.read_text().splitlines())]
    assert written[: len(confirmed)] == confirmed
    assert len(written) <= len(confirmed) + 1
    with file.open("ab") as broken:
        broken.write(b'{"query": "q0", "it')  # as if it had been killed in the middle of a line
    with serving(tmp_path / "again", str(sheet)) as again:
        assert again.post("/api/labels", label(rows[0], 1, "Ben"))[0] == 200
    assert len(lines_of(sheet)) == len(written) + 1


def test_a_page_continues_after_its_server_was_killed(sheet, tmp_path):
    Keys = pytest.importorskip("selenium.webdriver.common.keys", reason="selenium is not installed").Keys
    rows = POOL.sheet().rows
    with started(tmp_path, offline=False) as browser:
        process, server = killed_server(sheet, tmp_path / "one")
        browser.driver.get(server.address)
        browser.until("return location.search === '' && document.getElementById('rater')")
        browser.press("Anna", Keys.ENTER)
        browser.until("return 'judging' in document.documentElement.dataset")
        for number in range(6):
            browser.press(str(number % 4))
        browser.until("return document.getElementById('saved').innerText.includes('labels.jsonl')")
        assert [record["grade"] for record in lines_of(sheet)] == [0, 1, 2, 3, 0, 1]
        process.kill()
        process.wait()
        browser.press("2")  # pressed while there is no server
        browser.until("return document.getElementById('saved').innerText.includes('Saving 1 label')")
        port = str(server.port)
        with serving(tmp_path / "two", str(sheet), "--port", port) as again:
            browser.driver.switch_to.new_window("tab")
            browser.driver.get(again.address)
            browser.until("return location.search === '' && document.getElementById('rater')")
            until(lambda: len(lines_of(sheet)) == 7)  # the first tab sends it again
            browser.press(Keys.ENTER)
            browser.until("return 'judging' in document.documentElement.dataset")
            assert browser.text("#position").startswith("Question 8 of")
            browser.press("z")
            until(lambda: len(lines_of(sheet)) == 8)
            assert lines_of(sheet)[-1]["withdrawn"]
        process.stdout.close()
    assert len(rows) > 8


@pytest.mark.parametrize(
    ("content", "code"), [("", 4), ("<html></html>", 3), ('<script type="application/json" id="sheet">{}</script>', 3)]
)
def test_a_file_that_is_not_a_sheet_is_refused(tmp_path, content, code):
    path = tmp_path / "page.html"
    path.write_text(content, encoding="utf-8")
    result = here("serve", path)

    assert result.code == code
    assert "sheet" in result.err


def test_a_sheet_that_was_edited_is_refused(sheet):
    sheet.write_text(sheet.read_text(encoding="utf-8").replace('"0-a"', '"0-z"'), encoding="utf-8")
    result = here("serve", sheet)

    assert result.code == 3
    assert "RG615" in result.err
