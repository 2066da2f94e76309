"""Entry point of reconciliation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankgauge.conventions import ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import ParameterError
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse

if TYPE_CHECKING:
    from rankgauge.inputs.sided_columns import Columns
    from rankgauge.reconciliation.reconciliation import Reconciliation


def reconcile(
    judgments: Any,
    ranking: Any = None,
    metric: str | Metric = "nDCG@10",
    *,
    convention: ConventionLike = None,
    ideal: Iterable[Any] | None = None,
    scores: Iterable[Any] | None = None,
    digits: int | None = None,
    groups: Sequence[int] | None = None,
    offsets: Sequence[int] | None = None,
    query_ids: Sequence[Any] | None = None,
    columns: Columns | None = None,
    format: str | Mapping[str, str] | None = None,  # noqa: A002 (the word that callers look for)
    lenient: bool = False,
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
    groups, offsets, query_ids, columns, format, lenient
        Read options, as for ``evaluate``.

    Examples
    --------
    >>> import rankgauge as rg
    >>> films = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5", ideal=[5, 4, 3, 2, 2, 1, 0])
    >>> [(group.shown, group.rules) for group in films.groups][:3]
    [('1.0000', ()), ('0.8783', ('gain',)), ('0.8617', ('gain',))]
    """
    from rankgauge.inputs.findings import Findings  # noqa: PLC0415
    from rankgauge.matching.read_options import ReadOptions  # noqa: PLC0415
    from rankgauge.reconciliation.reconciliation import Reconciliation  # noqa: PLC0415
    from rankgauge.reconciliation.source_reader import read, read_list  # noqa: PLC0415
    from rankgauge.reconciliation.tools import tools_with  # noqa: PLC0415

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
        data = read(judgments, ranking, ReadOptions(columns, format, groups, offsets, query_ids, lenient), findings)
    tools, without_metric = tools_with(parsed, data, own)
    return Reconciliation(parsed, data, tools, without_metric, findings, digits)
