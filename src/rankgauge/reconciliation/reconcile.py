"""`reconcile`: the values that tools give for the same data, and why they differ."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Unpack

from rankgauge.conventions import ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import ParameterError
from rankgauge.inputs.findings import Findings
from rankgauge.matching.read_options import ReadKeywords, ReadOptions
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.reconciliation.reconciliation import Reconciliation
from rankgauge.reconciliation.source_reader import read as read_data
from rankgauge.reconciliation.source_reader import read_list
from rankgauge.reconciliation.tools import tools_with


def reconcile(
    judgments: Any,
    ranking: Any = None,
    metric: str | Metric = "nDCG@10",
    *,
    convention: ConventionLike = None,
    ideal: Iterable[Any] | None = None,
    scores: Iterable[Any] | None = None,
    digits: int | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Reconciliation:
    """Compare the values that tools give on the same data, and find the rules that make them differ.

    The result is a table of values and differing rules. ``explain("0.4537")`` finds the rules that give a number;
    ``between("sklearn", "lightgbm")`` goes from one tool to another, one rule at a time.

    Parameters
    ----------
    judgments, ranking
        As for ``evaluate``. Without a ranking, ``judgments`` is a list of grades, best rank first, with None for
        unjudged items.
    metric
        A metric. Rules that it sets itself apply to every tool.
    convention
        Your own rules, shown with the tools.
    ideal, scores
        For a list: the grades of all judged items, and the scores of the items, for ties.
    digits
        Digits of the values in the table; by default as many as distinguish them, at least four.
    read_options, **read
        How data are read, as for ``evaluate``.

    Examples
    --------
    >>> import rankgauge as rg
    >>> films = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5", ideal=[5, 4, 3, 2, 2, 1, 0])
    >>> [(group.shown, group.rules) for group in films.groups][:3]
    [('1.0000', ()), ('0.8783', ('gain',)), ('0.8617', ('gain',))]
    """
    options = ReadOptions.of(reconcile, read_options, read)
    parsed, findings = parse(metric), Findings()
    if parsed.definition.of_items:
        raise ParameterError(f"{parsed} depends on the items themselves; reconcile supports metrics of grades only")
    if parsed.definition.summary.weighs_queries:
        raise ParameterError(f"{parsed} has its own query weights; reconcile supports means over queries, such as AUC")
    own = None if convention is None else check_convention(convention)
    if ranking is None:
        data = read_list(judgments, ideal, scores)
    else:
        if ideal is not None or scores is not None:
            raise ParameterError("ideal and scores belong to a list of grades; omit them with judgments and a ranking")
        data = read_data(judgments, ranking, options, findings)
    tools, without_metric = tools_with(parsed, data, own)
    return Reconciliation(parsed, data, tools, without_metric, findings, digits)
