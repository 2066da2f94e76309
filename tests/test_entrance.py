"""What callers pass is resolved once: how often files are opened and looked at, and how far a call reaches."""

from __future__ import annotations

import builtins
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from command_line import here
from rankgauge.inputs.formats import jsonl, reader

SOURCE = Path(rg.__file__).parent
JUDGED = {f"q{query}": {f"d{item}": item % 3 for item in range(7)} for query in range(5)}
SYSTEMS = {
    "first": {query: {f"d{item}": 1 - item / 9 for item in range(8)} for query in JUDGED},
    "second": {query: {f"d{item}": 1 - (item * 3 % 8) / 9 for item in range(8)} for query in JUDGED},
}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Judgments and two rankings as TREC files."""
    texts = {"judgments": "".join(f"{q} 0 {d} {grade}\n" for q, items in JUDGED.items() for d, grade in items.items())}
    for name, ranking in SYSTEMS.items():
        lines = [f"{q} Q0 {d} 1 {score:.3f} {name}\n" for q, scores in ranking.items() for d, score in scores.items()]
        texts[name] = "".join(lines)
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    return [str(tmp_path / f"{name}.txt") for name in texts]


@contextmanager
def counted_opens(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """Count how often each path is opened."""
    opened: Counter[str] = Counter()
    real = builtins.open

    def counting(path: Any, *rest: Any, **keywords: Any) -> Any:
        if isinstance(path, str | os.PathLike):
            opened[os.fspath(path)] += 1
        return real(path, *rest, **keywords)

    with monkeypatch.context() as patched:
        patched.setattr(builtins, "open", counting)
        yield opened


CALLS: dict[str, Callable[[str, str, str], Any]] = {
    "evaluate": lambda judgments, first, _: rg.evaluate(judgments, first, ["nDCG@10", "AP"]),
    "evaluate several": lambda judgments, *both: rg.evaluate(judgments, dict(zip("ab", both, strict=True)), "AP"),
    "explain": lambda judgments, first, _: rg.explain(judgments, first, "AP", "q1"),
    "compare": lambda judgments, *both: rg.compare(judgments, dict(zip("ab", both, strict=True)), "AP").document(),
    "report": lambda judgments, *both: rg.report(judgments, dict(zip("ab", both, strict=True)), "AP").to_html(),
    "check": lambda judgments, first, second: rg.check(judgments, first, "AP drops 0.9", baseline=second),
    "attribute": lambda judgments, *both: rg.attribute(judgments, *both, "AP").document(),
    "diff": lambda _, *both: rg.diff(*both),
    "unjudged_bounds": lambda judgments, *both: rg.unjudged_bounds(judgments, dict(zip("ab", both, strict=True)), "AP"),
    "reconcile": lambda judgments, first, _: rg.reconcile(judgments, first, "AP").document(),
    "curve": lambda judgments, first, _: rg.curve(judgments, first, "P", k=[1, 5]),
    "eval command": lambda *paths: here("eval", *paths),
    "compare command": lambda *paths: here("compare", *paths, "-m", "nDCG@10"),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_call_opens_each_file_once(call: str, files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with counted_opens(monkeypatch) as opened:
        CALLS[call](files[0], files[1], files[2])

    counts = {path: opened[path] for path in files if opened[path]}
    assert counts
    assert [path for path, count in counts.items() if count > 1] == []


def test_a_large_file_is_opened_again_only_for_caveats(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rankgauge.inputs.io.input_file.SMALL_FILE", 0)
    with counted_opens(monkeypatch) as opened:
        both = rg.compare(files[0], {"a": files[1], "b": files[2]}, "nDCG@10")
    assert [opened[path] for path in files] == [1, 1, 1]
    with counted_opens(monkeypatch) as opened:
        both.document()
    assert [opened[path] for path in files] == [0, 1, 1]


def test_a_format_is_recognised_once_for_each_question(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the judgments it is also asked what they are, to notice swapped arguments."""
    asked: Counter[tuple[str, str | None]] = Counter()
    real = reader.guess_format

    def counting(sample: Any, **keywords: Any) -> Any:
        asked[Path(sample.name).stem, sample.role] += 1
        return real(sample, **keywords)

    monkeypatch.setattr(reader, "guess_format", counting)
    rg.compare(files[0], {"a": files[1], "b": files[2]}, "nDCG@10").document()

    assert asked == {
        ("judgments", None): 1,
        ("judgments", "judgments"): 1,
        ("first", "ranking"): 1,
        ("second", "ranking"): 1,
    }


def reached(call: Callable[[], Any]) -> set[tuple[str, str]]:
    """Return the functions of rankgauge that a warm call runs, without comprehensions and lambdas."""
    functions: set[tuple[str, str]] = set()
    place = f"{SOURCE}{os.sep}"

    def note(frame: Any, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(place) and not code.co_name.startswith("<"):
            functions.add((code.co_filename.removeprefix(place), getattr(code, "co_qualname", code.co_name)))

    call()
    before = sys.getprofile()
    sys.setprofile(note)
    threading.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(before)
        threading.setprofile(None)  # type: ignore[arg-type]
    return functions


def test_evaluate_on_two_files_stays_short(files: list[str]) -> None:
    functions = reached(lambda: rg.evaluate(files[0], files[1], ["nDCG@10", "AP"]))

    assert len(functions) < 217
    assert len({module for module, _ in functions}) < 41


def test_compare_on_three_files_stays_short(files: list[str]) -> None:
    functions = reached(lambda: rg.compare(files[0], {"a": files[1], "b": files[2]}, "nDCG@10").document())

    assert len(functions) < 470
    assert len({module for module, _ in functions}) < 72


def test_records_of_a_tool_are_recognised_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        f'{{"user_input": "question {n}", "retrieved_contexts": ["a{n}", "b{n}"], "reference_contexts": ["b{n}"]}}\n'
        for n in range(4)
    ]
    (tmp_path / "answers.jsonl").write_text("".join(lines), encoding="utf-8")

    recognised, real = [], jsonl.recognise_record

    def counting(record: Any, *rest: Any) -> Any:
        recognised.append(record)
        return real(record, *rest)

    monkeypatch.setattr(jsonl, "recognise_record", counting)
    scores = rg.evaluate(rg.read(tmp_path / "answers.jsonl"), metrics="RR")

    assert scores.per_query("RR") == {f"question {n}": 0.5 for n in range(4)}
    assert len(recognised) == 1


def test_a_command_parses_its_metric_once(files: list[str]) -> None:
    calls: Counter[str] = Counter()
    here("compare", *files, "-m", "nDCG@10")  # imports the modules

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code is rg.parse.__code__:
            calls[str(frame.f_locals["text"])] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        here("compare", *files, "-m", "nDCG@10")
    finally:
        sys.setprofile(before)

    assert calls == {"nDCG@10": 1}
