"""Metrics of the items themselves against other tools, whose values `make parity` has written down."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DATA = Path(__file__).parent / "data" / "beyond"
SPEC = importlib.util.spec_from_file_location("parity_beyond", ROOT / "parity" / "beyond.py")
beyond = sys.modules[SPEC.name] = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(beyond)
WORLDS = beyond.item_worlds(json.loads((DATA / "worlds.json").read_text(encoding="utf-8")))


def stored(tool):
    return json.loads((DATA / f"{tool}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("one", beyond.COMPARISONS, ids=lambda one: f"{one.tool} {one.theirs}")
def test_values_equal_those_of_the_tool(one):
    found = beyond.record(one, WORLDS, stored(one.tool))
    assert found["agree"], found


def test_every_tool_is_compared():
    results = json.loads((ROOT / "parity" / "beyond.json").read_text(encoding="utf-8"))
    assert results["errors"] == {}
    assert all(one["agree"] and one["values"] for one in results["records"])
    assert [(one["tool"], one["theirs"]) for one in results["records"]] == [
        (one.tool, one.theirs) for one in beyond.COMPARISONS
    ]
