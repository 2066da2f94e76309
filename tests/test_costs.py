"""The cost of a number follows the data, not the cutoff or the number of relevant items."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import rankgauge as rg
from huge_cutoffs import ALL, CONVENTIONS, HUGE, METRICS
from optional import needs_proc
from rankgauge.matching.from_list import rank_list
from registries import takes_ties
from worlds import graded_metrics

HARMONIC = 21.300481502347944
"""1 + 1/2 + 1/3 + ... + 1/HUGE."""
OVER_K = {"P", "ListFill", "CategoryCoverage", "Unjudged", "PIA"}
"""Metrics that divide by k."""
BY_DEPTH = {"SDCG", "BPM", "NERR8", "NERR9", "xDCG"}
"""Metrics of a user who reads down to k: their denominators grow with it."""
OWN_DENOMINATOR = {"P": {"returned"}}
"""The conventions under which they do not."""
WITH_CUTOFF = [name for name, metric in rg.metrics().items() if "k" in metric.definition.parameters]
UNCUT_IDEAL = {"G", "IDCG", "nDCG", "nDCGrel", "RnDCG", "nERR"}
"""Metrics that add up the whole ideal order without a cutoff."""


@cache
def computed(what: str) -> dict[str, list[float]]:
    """The values that a process with little memory prints."""
    script = Path(__file__).with_name("huge_cutoffs.py")
    run = subprocess.run(
        [sys.executable, script, what], capture_output=True, text=True, timeout=200, check=False, env=os.environ
    )
    assert run.returncode == 0, run.stderr[-2000:]
    values: dict[str, list[float]] = json.loads(run.stdout)
    return values


@needs_proc
@pytest.mark.parametrize("name", WITH_CUTOFF)
def test_a_cutoff_of_a_billion_costs_no_more_than_the_longest_list(name):
    values = computed("metrics")
    of_spans = rg.parse(name).definition.of_spans
    for rules in [rules for rules, convention in CONVENTIONS.items() if not of_spans or convention.ties == "id"]:
        small, huge = values[f"{name} {rules}"]
        if name in {"AP", "GMAP"} and rules == "every rank":
            later = values[f"R {rules}"][0] * (HARMONIC - sum(1 / rank for rank in range(1, ALL + 1)))
            assert huge == pytest.approx(small + later, rel=1e-12) or name == "GMAP"
        elif name in OVER_K and rules not in OWN_DENOMINATOR.get(name, ()):
            assert huge * HUGE == pytest.approx(small * ALL, rel=1e-12), rules
        elif name in BY_DEPTH:
            assert 0 <= huge <= small, rules
        elif name == "F" and rules != "returned":
            assert 0 < huge < ALL / HUGE, rules  # 2 h / (k + R)
        else:
            assert huge == pytest.approx(small, rel=1e-12, nan_ok=True), rules


@needs_proc
@pytest.mark.parametrize("engine", ["numpy", "streaming", "duckdb", "torch", "jax"])
def test_a_cutoff_of_a_billion_costs_no_more_in_any_engine(engine):
    values = {name: pair for name, pair in computed("engines").items() if name.endswith(f" {engine}")}
    if not values:
        pytest.skip(f"{engine} is not installed")
    small, huge = zip(*(values[f"{name} {engine}"] for name in METRICS if name not in {"AP", "P"}), strict=True)
    assert huge == pytest.approx(small, rel=1e-12)
    assert values[f"P {engine}"][1] * HUGE == pytest.approx(values[f"P {engine}"][0] * ALL)


@pytest.mark.parametrize("name", graded_metrics())
def test_a_number_of_relevant_items_costs_no_more_than_the_list(name):
    metric = rg.parse(name)
    if name in UNCUT_IDEAL:
        with pytest.raises(rg.ParameterError, match="would end at rank 99,999,998, and the limit is 1,000,000 in all"):
            metric.of([1, 0, 2], relevant=10**8)
        if "k" not in metric.definition.parameters:
            return
        metric = metric @ 3
    value = metric.of([1, 0, 2], relevant=10**8)
    assert math.isfinite(value) or name == "FirstRank"
    assert rg.NumRel.of([1, 0, 2], relevant=10**8) == 10**8


@pytest.mark.parametrize("name", graded_metrics())
@pytest.mark.parametrize(
    "rules", [{}, {"ties": "mean"}, {"ties": "together"}, {"ideal": "full"}, {"unjudged": 2}, {"rel": -1}], ids=str
)
def test_a_number_of_relevant_items_equals_a_list_of_them(name, rules):
    metric, convention = rg.parse(name), rg.Convention(**rules)
    level = convention.rel

    def value(k=None, **others):
        ranked = rank_list([1, None, 0, 2, 1], scores=[4, 3, 3, 3, 1], rel=level, convention=convention, **others)
        return float((metric if k is None else metric @ k).values(ranked.judged, convention)[0])

    relevant = 7 if level < 0 else 6
    try:
        assert value(relevant=relevant) == pytest.approx(value(unreturned=[level] * 3), rel=1e-15, nan_ok=True)
    except rg.ParameterError:
        assert not takes_ties(metric, convention)
    else:
        if "k" in metric.definition.parameters and takes_ties(metric @ 6, convention):
            assert value(k=6, relevant=relevant) == pytest.approx(value(k=6, unreturned=[level] * 3), nan_ok=True)


def test_the_harmonic_number_after_the_table_continues_the_one_in_it():
    metric = rg.AP(at="every")
    values = [(metric @ k).of([1, 0]) for k in (65535, 65536, 65537, 65538)]
    assert np.diff(values) == pytest.approx([1 / 65536, 1 / 65537, 1 / 65538], rel=1e-8)


def test_a_full_ideal_has_a_limit_named_in_the_message():
    full = rg.nDCG(ideal="full")
    assert 0 < (full @ 1_000_000).of([1, 0]) < 1
    with pytest.raises(rg.ParameterError, match="rank 1,000,001, and the limit is 1,000,000 in all; set a smaller"):
        (full @ 1_000_001).of([1, 0])
    judgments = np.ones((101, 2))
    with pytest.raises(rg.ParameterError, match="1,000,000 in 101 queries at once, and the limit is 100,000,000"):
        rg.evaluate(judgments, judgments, full @ 1_000_000)


@pytest.mark.parametrize("k", [2**53, 10**30, 10**400, 10**5000], ids=lambda k: f"2^{k.bit_length()}")
def test_a_cutoff_that_is_not_exact_in_double_precision_is_refused(k):
    with pytest.raises(rg.ParameterError, match=r"below 2\^53, or None for no cutoff, not \S+"):
        rg.P @ k
    with pytest.raises(rg.ParameterError, match=r"below 2\^53, not \S+"):
        rg.AP.of([1], relevant=k)
