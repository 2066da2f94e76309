"""What commands print at several widths, stored in tests/data/terminal; python tests/test_snapshots.py writes it again."""

import json
import os
import random
import re
import tempfile
from pathlib import Path
from unittest.mock import patch

import pytest

from command_line import here  # beside this file
from rankgauge.rendering.layout import cell_width

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


def snapshot(command: str) -> str:
    """Everything that a command prints: at each width with names of each length, then once in Chinese."""
    cases = [(length, width, "en") for length in NAMES for width in WIDTHS]
    cases = [case for case in cases if command != "reconcile" or case[0] == NAMES[0]]  # prints no names
    parts = []
    for length in NAMES:
        write_files(Path.cwd(), length)
        own = [case for case in cases if case[0] == length] + [(30, 80, "zh")] * (length == 30)
        for _, width, lang in own:
            title = f"#### {width} columns, names of {length} characters{', Chinese' * (lang == 'zh')}"
            parts.append(f"{title}\n\n{printed(command, length, width, lang)}")
    return "\n".join(parts)


@pytest.mark.parametrize("command", COMMANDS)
def test_output_is_as_stored(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert snapshot(command) == (FOLDER / f"{command}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", COMMANDS)
def test_stored_lines_fit_and_every_stored_number_is_in_the_data(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stored = (FOLDER / f"{command}.txt").read_text(encoding="utf-8")
    sections = dict(re.findall(r"#### (.+)\n\n((?:(?!####).*\n)*)", stored))
    assert len(sections) == (5 if command == "reconcile" else 13)
    for length in NAMES:
        write_files(tmp_path, length)
        data = rounded(json.loads(here(*arguments(command, length, "-t", "json")).out))
        whole = decimals(printed(command, length, None))
        assert whole <= data
        for title, text in sections.items():
            if f"of {length} characters" in title:
                lines = [line for line in text.splitlines() if not line.startswith("rankgauge explain ")]  # to copy
                assert max(map(cell_width, lines)) <= int(title.partition(" ")[0]), title
                shown = decimals(text)
                assert shown <= whole, title
                left_out = "Left out at this width" in text or "未显示" in text
                assert left_out or shown == whole, title
                assert not left_out or command == "compare", title


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
        for command in COMMANDS:
            (FOLDER / f"{command}.txt").write_text(snapshot(command), encoding="utf-8")


if __name__ == "__main__":
    write()
