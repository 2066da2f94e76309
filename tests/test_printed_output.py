"""What commands print on a terminal: it fits, nothing is cropped, and the numbers are those of the JSON.

One short output of each command is stored in tests/data/terminal; ``python tests/test_printed_output.py`` writes them again.
"""

import json
import os
import random
import re
import tempfile
from collections import Counter
from pathlib import Path
from unittest.mock import patch

import pytest

import rankgauge as rg
from command_line import display_width, here

FOLDER = Path(__file__).parent / "data" / "terminal"
WIDTHS = (40, 60, 80, 120)
NAMES = (5, 30, 60)
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e-?\d+)?(?!\w|\.\d)")
COMMANDS = {
    "eval": "eval judgments.csv {a}=a.csv {b}=b.csv {c}=c.csv -m nDCG@10,AP,P@5,RR",
    "compare": "compare judgments.csv {a}=a.csv {b}=b.csv {c}=c.csv -m nDCG@10 --permutations 1000",
    "check": "check judgments.csv a.csv --baseline b.csv --worst 3 --fail-if nDCG@10_drops_0.01 --fail-if AP_<_0.3",
    "explain": "explain judgments.csv c.csv -m nDCG@5 --query {query}",
    "reconcile": "reconcile 3,0,2,1 --ideal 3,3,2,1,0 -m nDCG@4 --between sklearn lightgbm",
}
RESULTS = {
    "eval": lambda data: [value for system in data["systems"].values() for value in system["mean"].values()],
    "compare": lambda data: [
        row[part]
        for result in data["metrics"].values()
        for row in (*result["systems"], *result["pairs"])
        for part in ("mean", "median", "difference", "interval_low", "interval_high")
        if part in row
    ],
    "check": lambda data: [
        row[part]
        for check in data["checks"]
        for row in (check, *check["worst"] * check["failed"])
        for part in ("value", "baseline", "before", "after", "change")
        if row.get(part) is not None
    ],
    "explain": lambda data: [
        data["value"],
        data["normaliser"]["value"],
        *(r["running"] for r in data["steps"]["rows"]),
    ],
    "reconcile": lambda data: [*data["values"].values(), *(step["change"] for step in data["steps"])],
}
"""The numbers of the JSON of a command that its output must show."""


def name(letter: str, length: int) -> str:
    """A name of this length without digits, in words as people write them."""
    return f"{letter}-{'-'.join(['system'] * 10)}"[: length - 2] + f"-{letter}"


def write_files(folder: Path, length: int) -> None:
    """Write judgments and three rankings; ids of queries and items have this length; c has no results for one query."""
    chance = random.Random(7)
    queries = {name(letter, length): [name(f"d{letter}{n}", length) for n in "pqrstuvw"] for letter in "klmnopqr"}
    grades = {(query, item): chance.choice((0, 0, 1, 2, 3)) for query, items in queries.items() for item in items}
    tables = {"judgments": ["query,item,grade", *(f"{query},{item},{g}" for (query, item), g in grades.items())]}
    for weight, system in enumerate("abc"):
        rows = [
            f"{query},{item},{chance.random() + 0.2 * weight * grade:.4f}" for (query, item), grade in grades.items()
        ]
        tables[system] = ["query,item,score", *(rows if system != "c" else rows[:-8])]
    for table, lines in tables.items():
        (folder / f"{table}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def arguments(command: str, length: int, *options: str) -> list[str]:
    words = {**{letter: name(letter, length) for letter in "abc"}, "query": name("k", length)}
    return [word.format(**words).replace("_", " ") for word in COMMANDS[command].split()] + ["--quiet", *options]


def printed(command: str, length: int, width: int | None, lang: str = "en") -> str:
    with patch.dict(os.environ, {"COLUMNS": str(width)} if width else {}):
        return here(*arguments(command, length, "--lang", lang)).out


def stored_cases() -> dict[str, tuple[str, str]]:
    """The stored outputs by file: every command in English at 80 columns, and one in Chinese."""
    return {f"{command}.txt": (command, "en") for command in COMMANDS} | {"eval.zh.txt": ("eval", "zh")}


@pytest.fixture(params=NAMES, ids=lambda length: f"names of {length}")
def length(request, tmp_path, monkeypatch):
    """The length of the names in the files of the folder where the test runs."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path, request.param)
    return request.param


@pytest.mark.parametrize("file", stored_cases())
def test_output_equals_the_stored_output(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path, NAMES[0])
    command, lang = stored_cases()[file]
    assert printed(command, NAMES[0], 80, lang) == (FOLDER / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("command", COMMANDS)
def test_output_fits_the_width_and_nothing_is_cropped(command, lang, length):
    whole = printed(command, length, None, lang)
    for width in WIDTHS:
        text = printed(command, length, width, lang)
        lines = [line for line in text.splitlines() if not line.startswith("rankgauge explain ")]  # to copy
        assert max(map(display_width, lines)) <= width
        if "Left out at this width" in text or "未显示" in text:
            assert command == "compare"
            assert decimals(text) <= decimals(whole)
        else:
            assert decimals(text) == decimals(whole)
            assert not letters(whole) - letters(text)


@pytest.mark.parametrize("command", COMMANDS)
def test_printed_numbers_and_json_agree(command, length):
    data = json.loads(here(*arguments(command, length, "-t", "json")).out)
    shown = decimals(printed(command, length, None))
    assert shown <= rounded(data)
    missing = [number for number in RESULTS[command](data) if not rounded(number) & shown]
    assert missing == []


def letters(text: str) -> Counter[str]:
    """How often each character occurs, without blanks and rules of tables."""
    return Counter(text) - Counter({character: text.count(character) for character in " \n─"})


def decimals(text: str) -> set[str]:
    """The measured numbers of a text: those with four decimals or more, and small p-values."""
    return {number for number in NUMBER.findall(text) if re.search(r"\.\d{4}|e-", number)}


def rounded(data: object) -> set[str]:
    """Every number of data, as the tables round it; those in sentences as they are."""
    if isinstance(data, dict) and isinstance(data.get("baseline"), float):
        data = {**data, "change": data["value"] - data["baseline"]}
    if isinstance(data, dict | list):
        return set().union(*map(rounded, data.values() if isinstance(data, dict) else data))
    if isinstance(data, str):
        return decimals(data)
    if isinstance(data, bool) or not isinstance(data, int | float):
        return set()
    return {format(data, spec) for spec in (".4f", "+.4f", ".6f", "+.6f", ".2g")}


def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_files(Path(folder), NAMES[0])
        for file, (command, lang) in stored_cases().items():
            (FOLDER / file).write_text(printed(command, NAMES[0], 80, lang), encoding="utf-8")


if __name__ == "__main__":
    write()


@pytest.mark.parametrize(
    ("missing", "en", "zh"), [("skip", "2 of 3 queries", "3 个查询中的 2 个"), ("zero", "\n3 queries", "3 个查询")]
)
def test_the_number_of_queries_is_that_of_the_mean(missing, en, zh):
    """A mean of 2 queries stood above 3 queries, while a check said 2 of 3."""
    judgments = {query: {"a": 1} for query in "pqr"}
    scores = rg.evaluate(judgments, {"p": ["a"], "q": ["x", "a"]}, "RR", convention=rg.Convention(missing=missing))
    assert scores.mean() == (1 + 1 / 2) / {"skip": 2, "zero": 3}[missing]
    assert en in scores.document().to_text()
    assert zh in scores.document("zh").to_text()
