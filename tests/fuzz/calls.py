"""Fuzzer of calls: public functions with odd values in place of arguments answer, or raise a RankgaugeError."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import polars as pl

import rankgauge as rg
from fuzz.cases import Case

JUDGMENTS = {"q": {"a": 1, "b": 0}, "r": {"a": 2, "c": 0, "d": 1}}
RANKING = {"q": {"b": 2.0, "a": 1.0}, "r": {"a": 2.0, "x": 1.0}}
OTHER = {"q": ["a", "b"], "r": ["x", "d", "a"]}
LOG = {"user": ["u", "u", "v", "v", "v"], "item": ["a", "b", "a", "c", "b"], "time": [1, 2, 3, 4, 5]}
VALUES = {"A": {1: 0.2, 2: 0.4, 3: 0.3}, "B": {1: 0.3, 2: 0.8, 3: 0.4}}
SCORES = rg.evaluate(JUDGMENTS, {"s": RANKING, "t": OTHER}, "AP")

ODD: dict[str, Callable[[], Any]] = {
    "None": lambda: None, "True": lambda: True, "0": lambda: 0, "-1": lambda: -1, "2.5": lambda: 2.5, "nan": lambda: math.nan,
    "inf": lambda: math.inf, "-inf": lambda: -math.inf, "10**400": lambda: 10**400, "2**63": lambda: 2**63, "1e-320": lambda: 1e-320,
    "text": lambda: "x", "empty text": lambda: "", "NUL": lambda: "\0", "surrogate": lambda: "\ud800", "bytes": lambda: b"x",
    "list": list, "dict": dict, "set": set, "nested": lambda: [[]], "object": object, "function": lambda: len, "type": lambda: int,
    "complex": lambda: 1j, "Decimal": lambda: Decimal("NaN"), "Fraction": lambda: Fraction(1, 3), "date": lambda: datetime(2020, 2, 2, tzinfo=UTC),
    "0-d": lambda: np.array(1.0), "no numbers": lambda: np.array([]), "texts": lambda: np.array([["a", "b"]]),
    "3-d": lambda: np.zeros((2, 2, 2)), "float32": lambda: np.float32(0.5), "int8": lambda: np.int8(3), "NaT": lambda: np.datetime64("NaT", "s"),
    "frame": pl.DataFrame, "wrong frame": lambda: pl.DataFrame({"a": [1]}), "iterator": lambda: iter([]), "range": lambda: range(3),
    "missing file": lambda: "missing.txt", "missing path": lambda: Path("missing.csv"), "folder": Path,
    "no grades": lambda: {"q": None}, "no items": lambda: {"q": {}}, "text items": lambda: {"q": "abc"}, "None id": lambda: {None: {"a": 1}},
    "None grade": lambda: {"q": {"a": None}}, "text grade": lambda: {"q": {"a": "x"}}, "huge grade": lambda: {"q": {"a": 10**400}},
    "NaN grade": lambda: {"q": {"a": math.nan}}, "complex grade": lambda: {"q": {"a": 1j}}, "dict item": lambda: {"q": [{}]},
    "list item": lambda: {"q": [["a"], ["b"]]}, "list grade": lambda: {"q": {"a": []}}, "array grade": lambda: {"q": {"a": np.ones(2)}},
    "two types": lambda: {"q": {1: 1, "1": 2}}, "tuple ids": lambda: {("q",): {("a",): 1}}, "deep": lambda: {"s": {"q": {"a": {"b": 1}}}},
    "short rows": lambda: [("q", "a")], "long rows": lambda: [("q", "a", 1, 2)], "list rows": lambda: [["q", [], 1]],
    "numbers": lambda: [1, 2, 3], "None rows": lambda: [(None, None, None)], "mixed": lambda: [1, "a", None], "texts list": lambda: ["a", "b"],
    "NaN list": lambda: [math.nan], "one name": lambda: {"a": 1}, "metric": lambda: rg.nDCG @ 3, "convention": rg.Convention,
}  # fmt: skip
"""Values that no argument is meant to have, by name, so that a case is plain data."""
SCALARS = ("None", "True", "0", "-1", "2.5", "nan", "inf", "-inf", "10**400", "2**63", "1e-320", "text", "empty text", "NUL",
           "surrogate", "float32", "int8", "Fraction")  # fmt: skip
"""Values for arguments that are not data; anything else there is a mistake that Python reports well enough."""
DATA = {
    "judgments", "ranking", "rankings", "first", "second", "values", "grades", "scores", "items", "ideal", "interactions",
    "training", "ids", "groups", "offsets", "query_ids", "mask", "different", "p", "reward", "propensity", "target", "ranks", "weights",
    "attributes", "estimate", "reference", "popularity", "categories", "prior", "fail_if", "depths", "clicks",
}  # fmt: skip
"""Arguments that are data."""

CALLS: dict[str, tuple[Callable[[], Callable[..., Any]], dict[str, Any]]] = {
    "evaluate": (lambda: rg.evaluate, {"judgments": JUDGMENTS, "ranking": RANKING, "metrics": "nDCG@3", "convention": None,
                 "weights": None, "columns": None, "format": None, "lenient": False, "groups": None, "query_ids": None, "grades": None,
                 "side_information": None, "read_options": None}),
    "arrays": (lambda: rg.evaluate, {"judgments": np.array([1, 0, 2]), "ranking": np.array([0.5, 0.1, 0.3]), "metrics": "RR", "groups": [2, 1]}),
    "query_ids": (lambda: rg.evaluate, {"judgments": np.array([1, 0]), "ranking": np.array([0.5, 0.1]), "metrics": "RR", "query_ids": [1, 1]}),
    "offsets": (lambda: rg.evaluate, {"judgments": np.array([1, 0]), "ranking": np.array([0.5, 0.1]), "metrics": "RR", "offsets": [0, 1, 2]}),
    "explain": (lambda: rg.explain, {"judgments": JUDGMENTS, "ranking": RANKING, "metric": "AP", "query": "q", "convention": None}),
    "compare": (lambda: rg.compare, {"judgments": JUDGMENTS, "rankings": {"s": RANKING, "t": OTHER}, "metrics": "AP", "baseline": "s",
                "alpha": 0.05, "correction": "holm", "permutations": 10, "resamples": 10, "seed": 0, "tie": 0.0, "power": 0.8, "digits": 4, "weights": None}),
    "comparison": (lambda: lambda values, metric: str(rg.Comparison.of(values, metric)), {"values": VALUES, "metric": "AP"}),
    "attribute": (lambda: rg.attribute, {"judgments": JUDGMENTS, "first": RANKING, "second": OTHER, "metric": "AP", "systems": ("a", "b")}),
    "diff": (lambda: rg.diff, {"first": RANKING, "second": OTHER, "k": 2, "p": 0.9}),
    "check": (lambda: rg.check, {"judgments": JUDGMENTS, "ranking": RANKING, "fail_if": "AP drops 0.1", "baseline": OTHER, "worst": 2}),
    "unjudged_bounds": (lambda: rg.unjudged_bounds, {"judgments": JUDGMENTS, "rankings": {"s": RANKING}, "metric": "AP", "max_grade": 2}),
    "reconcile": (lambda: rg.reconcile, {"judgments": JUDGMENTS, "ranking": RANKING, "metric": "nDCG@2"}),
    "slices": (lambda: lambda **given: rg.slices(SCORES, **given), {"metric": "AP", "by": "x", "attributes": {"q": {"x": 1}, "r": {"x": 2}},
               "baseline": "s", "bins": 2, "alpha": 0.1}),
    "group_gaps": (lambda: lambda **given: rg.group_gaps(SCORES.system("s"), **given), {"metric": "AP", "groups": {"q": "x", "r": "y"}}),
    "cold_start": (lambda: rg.cold_start, {"training": pl.DataFrame(LOG), "ids": ["u", "z"], "of": "user", "warm": 2}),
    "of": (lambda: (rg.nDCG @ 3).of, {"grades": [1, 0, 2], "scores": [3, 2, 1], "items": ["a", "b", "c"], "ideal": [2, 1, 0], "ties": "mean"}),
    "relevant": (lambda: rg.AP.of, {"grades": [1, 0], "relevant": 3}),
    "explain list": (lambda: rg.AP.explain, {"grades": [1, 0, 2], "scores": [3, 2, 1]}),
    "curve": (lambda: rg.P.curve, {"grades": [1, 0, 2], "scores": [3, 2, 1]}),
    "bounds": (lambda: rg.P.bounds, {"grades": [1, None, 2], "over": "unjudged", "grade": 2}),
    "parse": (lambda: rg.parse, {"text": "nDCG@3"}),
    "cutoff": (lambda: lambda k: rg.nDCG @ k, {"k": 3}),
    "parameters": (lambda: lambda gain, discount: rg.nDCG(gain=gain, discount=discount), {"gain": "exp2", "discount": "1/i"}),
    "persistence": (lambda: lambda p: rg.RBP(p=p).of([1, 0]), {"p": 0.5}),
    "convention": (lambda: rg.Convention, {"gain": "exp2", "ties": "mean", "rel": 1, "max_grade": 4, "seed": 0, "undefined": 0, "unjudged": 0}),
    "preset": (lambda: rg.preset, {"name": "lightgbm"}),
    "streaming": (lambda: _stream, {"judgments": np.array([[1, 0]]), "scores": np.array([[0.5, 0.1]]), "query_ids": None, "mask": None}),
    "coverage": (lambda: _coverage, {"items": 10, "training": None, "popularity": None, "categories": None}),
    "choose_k": (lambda: rg.choose_k, {"judgments": JUDGMENTS, "rankings": {"s": RANKING, "t": OTHER}, "metric": "nDCG", "k": [1, 2]}),
    "depths": (lambda: rg.choose_k, {"depths": {1: 5, 2: 3}, "cover": 0.9}),
    "correct_sampled": (lambda: rg.correct_sampled, {"ranks": [1, 3, 2], "metric": "nDCG@10", "sampled": 100, "catalogue": 1000, "gamma": 0.1,
                        "estimator": "bias-variance", "prior": None, "replacement": False}),
    "temporal": (lambda: rg.holdout.temporal, {"interactions": pl.DataFrame(LOG), "at": 3, "known_users": False, "columns": None}),
    "leave_one_out": (lambda: rg.holdout.leave_one_out, {"interactions": pl.DataFrame(LOG), "which": "random", "seed": 0}),
    "k_core": (lambda: rg.holdout.k_core, {"interactions": pl.DataFrame(LOG), "k": 1, "items": None}),
    "off-policy value": (lambda: rg.off_policy.value, {"reward": [1, 0], "propensity": [0.5, 0.5], "target": [0.5, 0.2], "estimator": "SNIPS",
                         "clip": None, "alpha": 0.1, "interval": "bootstrap", "resamples": 9, "seed": 0}),
    "paired_t": (lambda: rg.stats.paired_t, {"first": [1, 2, 3], "second": [2, 2, 5], "alternative": "less"}),
    "wilcoxon": (lambda: rg.stats.wilcoxon, {"first": [1, 2, 3], "second": [2, 2, 5], "alternative": "two-sided"}),
    "sign": (lambda: rg.stats.sign, {"first": [1, 2, 3], "second": [2, 2, 5], "tie": 0.1}),
    "randomisation": (lambda: rg.stats.randomisation, {"first": [1, 2, 3], "second": [2, 2, 5], "permutations": 9, "seed": 1}),
    "bootstrap": (lambda: rg.stats.bootstrap, {"first": [1, 2, 3], "second": [2, 2, 5], "level": 0.9, "resamples": 9, "seed": 1}),
    "t_interval": (lambda: rg.stats.t_interval, {"values": [1, 2, 3], "level": 0.9}),
    "bca_interval": (lambda: rg.stats.bca_interval, {"values": [1, 2, 3], "level": 0.9, "resamples": 9, "seed": 1}),
    "bootstrap_t_interval": (lambda: rg.stats.bootstrap_t_interval, {"values": [1, 2, 3], "level": 0.9, "resamples": 9, "seed": 1}),
    "wilson_interval": (lambda: rg.stats.wilson_interval, {"values": [1, 0, 1], "level": 0.9}),
    "holm": (lambda: rg.stats.holm, {"p": [0.1, 0.2]}),
    "tukey_hsd": (lambda: rg.stats.tukey_hsd, {"values": [[1, 2], [2, 3], [2, 5]]}),
    "randomised_tukey_hsd": (lambda: rg.stats.randomised_tukey_hsd, {"values": [[1, 2], [2, 3]], "permutations": 9, "seed": 1}),
    "queries_needed": (lambda: rg.stats.queries_needed, {"difference": 0.5, "deviation": 1.0, "alpha": 0.05, "power": 0.8}),
    "detectable_effect": (lambda: rg.stats.detectable_effect, {"queries": 10, "alpha": 0.05, "power": 0.8}),
    "kendall_tau": (lambda: rg.stats.kendall_tau, {"first": [1, 2, 3], "second": [2, 1, 3]}),
    "tau_ap": (lambda: rg.stats.tau_ap, {"estimate": [1, 2, 3], "reference": [2, 1, 3]}),
    "rbo": (lambda: rg.stats.rbo, {"first": ["a", "b"], "second": {"a": 1, "b": 2}, "p": 0.9}),
    "compact_letters": (lambda: rg.stats.compact_letters, {"different": [[False, True], [True, False]]}),
}  # fmt: skip
"""Public functions, each with arguments that it accepts."""


def _stream(**batch: Any) -> Any:
    scores = rg.StreamingScores("nDCG@3")
    scores.update(**batch)
    return scores.compute().mean("nDCG@3")


def _coverage(**tables: Any) -> Any:
    return rg.evaluate(JUDGMENTS, RANKING, "ItemCoverage@2", side_information=rg.SideInformation(**tables)).mean(
        "ItemCoverage@2"
    )


def generate(random: Random) -> Case:
    """Return a call with one or two arguments replaced."""
    name = random.choice([*CALLS])
    arguments = [*CALLS[name][1]]
    changed = random.sample(arguments, min(len(arguments), random.choice([1, 1, 1, 2])))
    return {"call": name, "changes": {argument: random.choice(odd_values(argument)) for argument in changed}}


def odd_values(argument: str) -> list[str]:
    """Return the names of the values that an argument is tried with."""
    return [*ODD] if argument in DATA else [*SCALARS]


def check(case: Case) -> None:
    """Call the function; only a RankgaugeError may leave it."""
    function, arguments = CALLS[case["call"]]
    function()(**{**arguments, **{name: ODD[value]() for name, value in case["changes"].items()}})
