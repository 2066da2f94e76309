"""What malformed Python objects, arrays and lists give: values and findings, or a message, as they are stored.

``python tests/test_malformed_objects.py`` writes tests/data/malformed/objects.json again.
"""

import itertools
import json
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from test_malformed_files import FOLDER, REMOVED, places

FILE = FOLDER / "objects.json"
GOLD = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}}
LISTS = {"q1": ["x", "a", "b"], "q2": ["c", "z"]}
SCORED = {"q1": {"x": 3.0, "a": 2.5, "b": 0.5}, "q2": {"c": 1.0, "z": 0.5}}
JUDGED_ROWS = [(query, item, grade) for query, own in GOLD.items() for item, grade in own.items()]
RANKED_ROWS = [(query, item, score) for query, own in SCORED.items() for item, score in own.items()]
OBJECTS = {
    "judgments by item": ("judgments", GOLD),
    "judged items": ("judgments", {query: [*own] for query, own in GOLD.items()}),
    "judged rows": ("judgments", JUDGED_ROWS),
    "judged records": ("judgments", [dict(zip(("query", "item", "grade"), row, strict=True)) for row in JUDGED_ROWS]),
    "scores by item": ("ranking", SCORED),
    "lists": ("ranking", LISTS),
    "pairs": ("ranking", {query: [*own.items()] for query, own in SCORED.items()}),
    "ranked rows": ("ranking", RANKED_ROWS),
    "ranked records": ("ranking", [dict(zip(("query", "item", "score"), row, strict=True)) for row in RANKED_ROWS]),
    "two systems": ("ranking", {"one": SCORED, "two": {"q1": {"a": 1.0}, "q2": {"z": 2.0, "c": 1.0}}}),
}
"""Objects that are read without an error, and their side."""
VALUES = (
    REMOVED, None, float("nan"), float("inf"), "x", "", "0.5", True, -1, 0.5, 2**63, b"a", (), {}, [["a", 2]], 10**400,
    {"a": None}, np.float32(0.25), np.array([1, 2]), -0.0, "a", {"a"}, 1e19,
)  # fmt: skip
"""What is put at the places, one after another."""
KEYS = (1, None, "", b"q", ("q", 1), 2.5)
"""What keys become, one after another."""
METRICS = ("nDCG@3", "NumRet")
NAN, INF = float("nan"), float("inf")
LABELS, SCORES = [[1, 0, 2], [0, 1, 0]], [[0.5, 2.0, 1.0], [0.25, 0.5, 0.5]]
ARRAYS = {
    "equal rows": (LABELS, SCORES),
    "not a number": (LABELS, [[0.5, NAN, 1.0], [0.25, 0.5, 0.5]]),
    "infinite": (LABELS, [[0.5, INF, 1.0], [0.25, -INF, -INF]]),
    "two not a number": (LABELS, [[0.5, 1, 1.0], [NAN, 0.5, NAN]]),
    "grade not a number": ([[1, NAN, 2], [0, 1, NAN]], SCORES),
    "infinite grade": ([[1, 0, INF], [0, 1, 0]], SCORES),
    "negative grade": ([[1, -1, 2], [0, 1, 0]], SCORES),
    "other widths": (LABELS, [[0.5, 2.0], [0.25, 0.5]]),
    "other heights": (LABELS, SCORES[:1]),
    "one row": (LABELS[0], SCORES[0]),
    "three dimensions": ([LABELS], [SCORES]),
    "empty": (np.empty((0, 3)), np.empty((0, 3))),
    "no columns": (np.empty((2, 0)), np.empty((2, 0))),
    "text": ([["a"]], [["b"]]),
    "booleans": ([[True, False, True], [False, True, False]], SCORES),
    "integers": (LABELS, [[3, 2, 1], [2**62, 2**62 + 1, 0]]),
    "complex": (LABELS, np.array(SCORES) * 1j),
    "dates": (LABELS, np.array([["2020-01-01"] * 3] * 2, "datetime64[D]")),
    "swapped": (SCORES, LABELS),
    "single precision": (LABELS, np.array(SCORES, np.float32)),
}
"""Grades and scores as arrays."""
LISTED = {
    "grades": {"grades": [2, 0, 1]},
    "no grades": {"grades": []},
    "unknown grade": {"grades": [2, None, 1]},
    "text": {"grades": ["a"]},
    "a text": {"grades": "21"},
    "a number": {"grades": 3},
    "not a number": {"grades": [1, NAN]},
    "infinite": {"grades": [INF]},
    "too large": {"grades": [10**400]},
    "boolean": {"grades": [True, False]},
    "matrix": {"grades": np.ones((2, 2))},
    "array of text": {"grades": np.array(["a"])},
    "ideal": {"grades": [1, 0], "ideal": [2, 1]},
    "ideal with None": {"grades": [1, 0], "ideal": [2, None]},
    "ideal as text": {"grades": [1, 0], "ideal": "2"},
    "relevant": {"grades": [1, 0], "relevant": 4},
    "both": {"grades": [1, 0], "relevant": 4, "ideal": [1]},
    "relevant below": {"grades": [1, 1], "relevant": 1},
    "relevant negative": {"grades": [1, 1], "relevant": -1},
    "relevant a fraction": {"grades": [1, 1], "relevant": 1.5},
    "relevant too large": {"grades": [1, 1], "relevant": 2**53},
    "scores": {"grades": [0, 2, 1], "scores": [1, 3, 2]},
    "tied scores": {"grades": [0, 2, 1], "scores": [1, 1, 2]},
    "few scores": {"grades": [0, 2, 1], "scores": [1, 3]},
    "scores not a number": {"grades": [0, 2], "scores": [NAN, 1]},
    "scores as text": {"grades": [0, 2], "scores": ["1", 1]},
    "scores None": {"grades": [0, 2], "scores": [None, 1]},
    "items": {"grades": [0, 2], "items": ["a", "b"]},
    "tied items": {"grades": [0, 2], "items": ["a", "b"], "scores": [1, 1]},
    "few items": {"grades": [0, 2], "items": ["a"]},
    "repeated items": {"grades": [0, 2], "items": ["a", "a"]},
    "lists as items": {"grades": [0, 2], "items": [["a"], "b"]},
    "negative": {"grades": [-1, 2]},
    "array": {"grades": np.array([0, 2, 1], np.int8)},
}
"""Arguments of a metric of one list."""
FRAMES = {
    "judgments": {"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "grade": [2, 0, 1]},
    "ranking": {"query": ["q1", "q1", "q2"], "item": ["x", "a", "c"], "score": [3.0, 2.5, 1.0]},
}
COLUMNS = {
    "null": [None, 1, 0],
    "text": ["1", "2", "b"],
    "numbers in text": ["1", "2", "3"],
    "booleans": [True, False, True],
    "infinite": [INF, 1.0, 0.0],
    "not a number": [1.0, NAN, 0.0],
    "lists": [[1], [2], [3]],
    "large": [2**62, 2**62 + 1, 1],
    "negative": [-1.0, 0.0, 2.0],
    "empty": ["", "a", "b"],
    "equal": [1, 1, 1],
}
"""Columns that replace one of a frame."""


def given(judgments: Any, rankings: Any) -> str:
    """What evaluating them gives: values and findings, or a message."""
    try:
        scores = rg.evaluate(judgments, rankings, METRICS)
    except rg.RankgaugeError as error:
        return message(error)
    if isinstance(scores, dict):
        return str({name: np.round(values, 4).tolist() for name, values in scores.items()})
    found = []
    for system in scores.systems:
        gains, returned = (scores.per_query(metric, system) for metric in scores.metrics)
        found += [f"{query}: {gains[query]:.4g} of {returned[query]:g}" for query in gains]
    return "; ".join([*found, *(f"{finding.code} {finding.count}" for finding in scores.findings)])


def message(error: rg.RankgaugeError) -> str:
    """The type and the text of an error, without the remedy and without what polars says."""
    text = f"{type(error).__name__}: {error}".partition("\nremedy: ")[0]
    return text.partition("records: cannot be read: ")[0]


def sides(side: str, value: Any) -> tuple[Any, Any]:
    return (value, LISTS) if side == "judgments" else (GOLD, value)


def variants(content: Any) -> Iterator[tuple[str, Any]]:
    """Objects with one change, by what was changed: the first and the last place of each kind, and its keys."""
    kinds: dict[Any, list[Any]] = {}
    for path in places(as_lists(content)):
        alike = ("*", *path[1:]) if isinstance(content, list) else (path[0] if "one" in content else "*", len(path))
        kinds.setdefault(alike, []).append(path)
    turn, keys = itertools.cycle(VALUES), itertools.cycle(KEYS)
    for same in kinds.values():
        for path in (same[0], *same[-1:] * 3):
            value = next(turn)
            yield f"{path} = {'removed' if value is REMOVED else repr(value)[:40]}", put(content, path, value)
        *above, last = same[-1]
        if isinstance(last, str):
            key = next(keys)
            yield f"key {same[-1]} = {key!r}", put(put(content, (*above, key), 1), same[-1], REMOVED)
    for value in (None, 5, "", [], {}, [None], [()], {"q1": None}, {"q1": {}}, {"q1": []}, {None: {"a": 1}}):
        yield f"all = {value!r}", value


def as_lists(content: Any) -> Any:
    """The same with lists instead of tuples."""
    if isinstance(content, dict):
        return {key: as_lists(value) for key, value in content.items()}
    return [*map(as_lists, content)] if isinstance(content, list | tuple) else content


def put(content: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy with another value at a place, or without it."""
    key, *inner = path
    value = put(content[key], tuple(inner), value) if inner else value
    changed = dict(content) if isinstance(content, dict) else [*content]
    if value is REMOVED:
        del changed[key]
    else:
        changed[key] = value
    return tuple(changed) if isinstance(content, tuple) else changed


def of_objects(name: str) -> dict[str, str]:
    side, content = OBJECTS[name]
    return {change: given(*sides(side, changed)) for change, changed in variants(content)}


def of_arrays() -> dict[str, str]:
    found = {name: given(*map(np.array, arrays)) for name, arrays in ARRAYS.items()}
    grades = {0: {1: 1, 2: 2}, 1: {0: 1}}
    for name, ranking in {"items": [[2, 1], [1, 0]], "scores": SCORES, "single": [[[1]]]}.items():
        found[f"dicts and {name}"] = given(grades, np.array(ranking))
    return found


def of_lists() -> dict[str, str]:
    def value(arguments: dict[str, Any]) -> str:
        try:
            return " ".join(
                f"{metric.of(**arguments):.5g}" for metric in (rg.nDCG @ 2, rg.AP, rg.RR) if usable(metric, arguments)
            )
        except rg.RankgaugeError as error:
            return message(error)

    return {name: value(arguments) for name, arguments in LISTED.items()}


def usable(metric: rg.Metric, arguments: dict[str, Any]) -> bool:
    """Whether a metric can use the arguments: nDCG needs the grades of all relevant items."""
    return metric.name != "nDCG" or "relevant" not in arguments or "ideal" in arguments


def of_frames() -> dict[str, str]:
    found = {}
    for side, columns in FRAMES.items():
        for name, (what, values) in itertools.product(columns, COLUMNS.items()):
            frame = pl.DataFrame(columns | {name: values}, strict=False)
            found[f"{side}: {name} {what}"] = given(*sides(side, frame))
        found[f"{side}: no rows"] = given(*sides(side, pl.DataFrame(columns).clear()))
        for name in columns:
            found[f"{side}: no {name}"] = given(*sides(side, pl.DataFrame(columns).drop(name)))
    return found


GROUPS = {name: (lambda name=name: of_objects(name)) for name in OBJECTS} | {
    "arrays": of_arrays,
    "one list": of_lists,
    "frames": of_frames,
}


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.filterwarnings("ignore")
def test_malformed_objects_give_the_stored_values_or_messages(group):
    assert GROUPS[group]() == json.loads(FILE.read_text(encoding="utf-8"))[group]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    found = {name: outcomes() for name, outcomes in GROUPS.items()}
    FILE.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def test_rows_of_numbers_alone_are_rows_if_they_name_a_query_and_an_item():
    """They were read as the grades and scores of numbered queries."""
    judgments = [{"query": 7, "item": 1, "grade": 1}]
    ranking = [{"query": 7, "item": 2, "score": 2}, {"query": 7, "item": 1, "score": 1}]
    assert rg.evaluate(judgments, ranking, "RR").per_query() == {7: 0.5}
    assert rg.evaluate([{1: 1, 2: 0}], [{1: 0.5, 2: 0.7}], "RR").per_query() == {0: 0.5}
    with pytest.raises(rg.InputError, match="RG216"):
        rg.evaluate(judgments, [{"query": True, "item": 1, "score": 1}], "RR")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [({"format": "csv"}, "format 用于文件"), ({"columns": {"query": "q"}}, "columns 用于表格与文件")],
)
def test_options_of_files_without_one_are_refused_in_both_languages(arguments, words):
    with pytest.raises(rg.ParameterError) as refused:
        rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "RR", **arguments)
    assert words in refused.value.render("zh")
