"""The interface of ranx: Qrels, Run, evaluate and compare, without numba and its compilation at the first call."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, Literal

import numpy as np

from rankgauge.compat.ranx_report import RanxReport as Report
from rankgauge.compat.ranx_tables import Numbers, Qrels, Run
from rankgauge.conventions.presets import PRESETS
from rankgauge.errors import DataWarning, InputError, ParameterError, UnknownNameError, shown
from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.inputs.findings import callers_level
from rankgauge.kernels.gain import DCG
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.language import plural
from rankgauge.segments import Floats
from rankgauge.stats.paired_tests import paired_t, randomisation
from rankgauge.stats.tukey import tukey_hsd

__all__ = ["Qrels", "Report", "Run", "compare", "evaluate"]

StatTest = Literal["student", "fisher", "tukey"]
OF_GAINS = ("dcg", "ndcg", "rbp")
"""Metrics for which a relevance level removes the gain of lower grades."""
_NAME = re.compile(r"(?P<name>[a-z_0-9-]+?)(?:@(?P<k>\d+)|\.(?P<p>\d+))?(?:-l(?P<level>\d+))?")
Arrays = Iterable[Any]
"""One array of rows ``[item, number]`` per query."""


def evaluate(
    qrels: Qrels | Numbers | Arrays,
    run: Run | Numbers | Arrays,
    metrics: str | Sequence[str],
    return_mean: bool = True,
    return_std: bool = False,
    threads: int = 0,  # noqa: ARG001 (there is nothing to set)
    save_results_in_run: bool = True,
    make_comparable: bool = False,
) -> Any:
    """Return the mean of a metric, or a dict of several; with ``return_mean=False`` the values of the queries.

    Parameters
    ----------
    qrels, run
        Tables, dicts, or one array of rows ``[item, number]`` per query; the rows of a run are ranked as they are.
    metrics
        One or several names of metrics.
    return_mean
        Whether means are returned instead of the values of the queries.
    return_std
        Whether the standard deviation is returned with the mean.
    threads
        Accepted for compatibility, and ignored.
    save_results_in_run
        Whether the values are also stored in the Run.
    make_comparable
        Whether queries that only one side has are added or removed, as in ranx.

    Examples
    --------
    >>> qrels, run = Qrels({"q1": {"a": 1, "b": 2}}), Run({"q1": {"b": 0.9, "c": 0.8, "a": 0.7}})
    >>> round(float(evaluate(qrels, run, "ndcg@5")), 6)
    0.950234
    >>> {name: float(mean) for name, mean in evaluate(qrels, run, ["precision@2", "mrr"]).items()}
    {'precision@2': 0.5, 'mrr': 1.0}
    """
    names = [metrics] if isinstance(metrics, str) else [*metrics]
    judged, results = Qrels.sorted_from(qrels), Run.sorted_from(run)
    if make_comparable:
        results.make_comparable(judged)
    if judged.keys() != results.keys():
        first = shown(min({*judged} ^ {*results}))
        raise InputError(
            f"the judgments and the run have different queries, first {first}; pass make_comparable=True to add empty "
            "results for missing queries and to remove those without judgments"
        )
    if isinstance(run, Run | Mapping):  # arrays are ranked as they are
        _warn_about_ties(judged, results)
    values = _values(judged, results, names)
    if save_results_in_run and isinstance(run, Run):
        for name, column in values.items():
            run.mean_scores[name] = np.mean(column)
            if return_std:
                run.std_scores[name] = np.std(column)
            run.scores[name].update(zip(results, column, strict=True))
    answers: dict[str, Any] = dict(values)
    if return_mean:
        for name, column in values.items():
            mean = np.mean(column)
            answers[name] = {"mean": mean, "std": np.std(column)} if return_std else mean
    return answers[names[0]] if len(names) == 1 else answers


def compare(
    qrels: Qrels,
    runs: Sequence[Run],
    metrics: str | Sequence[str],
    stat_test: StatTest = "student",
    n_permutations: int = 1000,
    max_p: float = 0.01,
    random_seed: int = 42,
    threads: int = 0,
    rounding_digits: int = 3,
    show_percentages: bool = False,
    make_comparable: bool = False,
) -> Report:
    """Evaluate several runs and test the differences of all pairs.

    Parameters
    ----------
    qrels, runs
        Qrels, and the Runs to compare.
    metrics
        One or several names of metrics.
    stat_test
        The test: ``student``, ``fisher`` or ``tukey``.
    n_permutations
        Number of random permutations of Fisher's test.
    max_p
        Significance level.
    random_seed
        Seed of the random numbers.
    threads
        Accepted for compatibility, and ignored.
    rounding_digits
        Decimals of the values in the report.
    show_percentages
        Whether the report shows percentages.
    make_comparable
        Whether queries that only one side has are added or removed, as in ranx.

    Examples
    --------
    >>> qrels = Qrels({"q1": {"a": 1}, "q2": {"b": 1}})
    >>> runs = [Run({"q1": {"a": 1}, "q2": {"b": 1}}, "one"), Run({"q1": {"a": 1}, "q2": {"c": 1}}, "two")]
    >>> report = compare(qrels, runs, "mrr")
    >>> report.results["two"], report.win_tie_loss["one", "two"]["mrr"]
    ({'mrr': 0.5}, {'W': 1, 'T': 1, 'L': 0})
    """
    if stat_test not in {"student", "fisher", "tukey"}:
        raise ParameterError.of("stat_test", stat_test, "'student', 'fisher' or 'tukey'")
    names = [metrics] if isinstance(metrics, str) else [*metrics]
    systems = [f"run_{number}" if run.name is None else run.name for number, run in enumerate(runs, 1)]
    if len({*systems}) < len(systems):
        raise ParameterError(f"the runs need different names, not {', '.join(systems)}")
    values: dict[str, dict[str, Floats]] = {}
    for system, run in zip(systems, runs, strict=True):
        system_values = evaluate(qrels, run, names, False, False, threads, True, make_comparable)
        values[system] = {names[0]: system_values} if len(names) == 1 else system_values
    p = {name: _p_values([values[system][name] for system in systems], stat_test, n_permutations, random_seed)
         for name in names}  # fmt: skip
    return Report(systems, names, values, p, max_p, rounding_digits, show_percentages, stat_test)


_WARNED: dict[Any, Any] = {}
"""The warnings that were shown, as Python keeps them for each module."""
_LINES: dict[str, int] = {}
"""The line of the first call that gave each of them."""


def _warn_about_ties(judged: Qrels, results: Run) -> None:
    """Warn once, whatever the line of the call, if equal scores could make ranx give another value."""
    tied = [query for query in results if _order_matters(results[query], judged[query])]
    if tied:
        text = (
            f"{plural(len(tied), '# query has', '# queries have')} equal scores, first {shown(tied[0])}: they keep the "
            "order of the input here, while ranx leaves their order undefined, so its digits may differ [RG212]"
        )
        frame = sys._getframe(callers_level() - 1)  # noqa: SLF001 (as warnings do)
        file, line = frame.f_code.co_filename, _LINES.setdefault(text, frame.f_lineno)
        warnings.warn_explicit(DataWarning(text, "RG212"), DataWarning, file, line, registry=_WARNED)


def _order_matters(scores: Mapping[str, float], grades: Mapping[str, float]) -> bool:
    """Return whether items with equal scores have different grades."""
    if len({*scores.values()}) == len(scores):
        return False
    seen: dict[float, float] = {}
    return any(seen.setdefault(score, grade := grades.get(item, 0)) != grade for item, score in scores.items())


def _p_values(columns: Sequence[Floats], test: StatTest, permutations: int, seed: int) -> Floats:
    """Return the p-value of every pair of systems."""
    if test == "tukey":
        return tukey_hsd(np.column_stack(columns)).p
    p = np.ones((len(columns), len(columns)))
    for first, second in combinations(range(len(columns)), 2):
        pair = columns[first], columns[second]
        result = (
            paired_t(*pair).p if test == "student" else randomisation(*pair, permutations=permutations, seed=seed).p
        )
        p[first, second] = p[second, first] = result
    return p


def _values(qrels: Qrels, run: Run, names: Sequence[str]) -> dict[str, Floats]:
    """Return the values of metrics of ranx, by query; those of one relevance level are evaluated together."""
    groups: dict[tuple[int, bool], dict[str, Metric]] = {}
    for name in names:
        metric, level, of_gains = _metric(name)
        groups.setdefault((level, of_gains and level > 1), {})[name] = metric
    values: dict[str, Floats] = {}
    for (level, removes_gains), metrics in groups.items():
        judgments = qrels.to_dict()
        if removes_gains:
            judgments = {
                query: {item: grade for item, grade in items.items() if grade >= level}
                for query, items in judgments.items()
            }
        rules = PRESETS["ranx"].convention.replace(missing="zero", rel=1 if removes_gains else level)
        scores = Evaluator(judgments, [*dict.fromkeys(metrics.values())], convention=rules)(run.to_dict())
        values |= {name: scores.values(metric) for name, metric in metrics.items()}
    return {name: values[name] for name in names}


def _metric(text: str) -> tuple[Metric, int, bool]:
    """Return the metric of a name, its relevance level, and whether that level removes gains."""
    parts = _NAME.fullmatch(text) if isinstance(text, str) else None
    known = PRESETS["ranx"].metrics
    if parts is None or (parts["p"] and parts["name"] != "rbp"):
        raise UnknownNameError.closest("metric of ranx", str(text), [*known, "bpref", "rbp.95"])
    name, level = parts["name"], int(parts["level"] or 1)
    if name == "rbp":
        if not (parts["p"] or parts["k"]):
            raise ParameterError("rbp needs the persistence, such as rbp.95")
        p = float(f"0.{parts['p'] or parts['k']}")
        return DCG(discount=lambda rank: (1 - p) * p ** (rank - 1)), level, True
    k = parts["k"] if parts["k"] and int(parts["k"]) else None
    notation = "bpref" if name == "bpref" else known.get(f"{name}@{{k}}" if k else name)
    if notation is None:
        raise UnknownNameError.closest("metric of ranx", text, [*known, "bpref", "rbp.95"])
    return parse(notation.replace("{k}", k or "")), level, name.startswith(OF_GAINS)
