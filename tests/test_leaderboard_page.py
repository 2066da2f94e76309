"""The page of a leaderboard: one file, in both languages, searched, sorted and compared in a real browser."""

import re

import numpy as np
import pytest

import rankgauge as rg
from browser import started
from command_line import here
from rankgauge.example import DATA_SETS, RESULTS

EXAMPLE = {system: dict(zip(DATA_SETS, values, strict=True)) for system, values in RESULTS.items()}
HOSTILE = {
    "</script><img src=x onerror=window.hacked=1>": {"<b>": 0.2, "y": 0.1, "z": 0.4},
    "\u202egnp.exe": {"<b>": 0.3, "y": 0.4, "z": 0.4},
    "长" * 60: {"<b>": 0.1, "y": 0.9},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("boards")


@pytest.fixture(scope="module")
def browser(folder):
    with started(folder) as browser:
        yield browser


def saved(folder, name, board):
    path = folder / f"{name}.html"
    path.write_text(board.to_html(), encoding="utf-8")
    return path


def test_a_page_needs_nothing_else_and_has_every_part():
    page = rg.leaderboard(EXAMPLE, baseline="keywords").to_html("Six systems")

    assert page.startswith("<!DOCTYPE html>")
    assert re.findall(r"(?:src|href)=\"(?!#)[^\"]*", page) == []
    assert "Content-Security-Policy" in page
    for part in ("Six systems", 'class="rank-bar"', 'id="map"', "Influence of each data set", "每个数据集的影响"):
        assert part in page


@pytest.mark.usefixtures("example_folder")
def test_the_command_writes_the_page(tmp_path):
    result = here("leaderboard", "results.csv", "-o", tmp_path / "board.html", "--title", "Mine", "--lang", "zh")

    assert result.code == 0
    assert '<html lang="zh-CN">' in (tmp_path / "board.html").read_text(encoding="utf-8")


def test_one_system_or_one_data_set_has_a_page():
    for results in ({"a": {"x": 0.1, "y": 0.2}}, {"a": {"x": 0.1}, "b": {"x": 0.2}}, {"a": {"x": 0.5}}):
        assert "</html>" in rg.leaderboard(results).to_html()


def test_the_board_is_searched_sorted_and_compared(browser, folder):
    browser.open(saved(folder, "example", rg.leaderboard(EXAMPLE)))
    assert browser.complaints() == []
    assert browser.loaded_from_elsewhere() == []
    assert browser.text("#count") == "6 systems"
    browser.run("const f = document.getElementById('search'); f.value = 'dense'; f.dispatchEvent(new Event('input'))")
    assert browser.text("#count") == "2 systems"
    browser.click("#ranks th:nth-child(2) button")
    assert browser.run("return document.querySelector('#ranks tbody tr td:nth-child(2)').textContent") == "dense large"
    browser.run(
        "const f = document.getElementById('second'); f.selectedIndex = 5; f.dispatchEvent(new Event('change'))"
    )
    assert "keywords minus reranker: −0.0958. The two systems are separable." in browser.text("#pair")
    assert "keywords is better on 0 data sets, worse on 12 and equal on 0." in browser.text("#pair")
    browser.click("#language")
    assert "这两个系统可以区分" in browser.text("#pair")
    assert "排行榜" in browser.text("h1")


def test_hostile_names_do_no_harm_and_narrow_screens_fit(browser, folder):
    page = saved(folder, "hostile", rg.leaderboard(HOSTILE, missing="loses"))
    for width in (390, 1280):
        browser.open(page, width=width, dark=width == 390)
        assert browser.overflow() <= 0
        assert browser.complaints() == []
        assert browser.run("return window.hacked") is None


def test_a_large_board_answers_at_once(browser, folder):
    random = np.random.default_rng(0)
    values = random.random((324, 41)) / 10 + np.linspace(0.8, 0.2, 324)[:, None]
    results = {f"model-{place}": dict(enumerate(row.tolist())) for place, row in enumerate(values)}
    browser.open(saved(folder, "large", rg.leaderboard(results, permutations=200, resamples=200)))

    assert len(browser.run("return document.querySelectorAll('#ranks tbody tr')")) == 324
    browser.run("document.querySelector('#ranks tbody tr:nth-child(300)').click()")
    assert "model-299" in browser.text("#pair") or "model-" in browser.text("#pair")
