"""`reconcile`, the call: light to import, because a folder of the same name must not take its place."""

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
    """What each tool says of the same data, and why they differ.

    The result is a table of values with the rules between them. Its ``explain("0.4537")`` says which rules give a
    number; ``between("sklearn", "lightgbm")`` goes from one tool to another, rule by rule.

    Parameters
    ----------
    judgments, ranking
        As ``evaluate`` takes them. Without a ranking, ``judgments`` is one list of grades, best rank first, with None
        for an item that nobody judged.
    metric
        One metric. A rule that it sets itself holds for every tool.
    convention
        Rules of your own, shown beside the tools.
    ideal, scores
        Of a list: the grades of all judged items, and the scores of the items, for ties.
    digits
        Of the values in the table; four or as many as tell them apart where it is not given.
    groups, offsets, query_ids, columns, format, lenient
        How data are read, as for ``evaluate``.

    Examples
    --------
    >>> import rankgauge as rg
    >>> films = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5", ideal=[5, 4, 3, 2, 2, 1, 0])
    >>> [(group.shown, group.rules) for group in films.groups][:3]
    [('1.0000', ()), ('0.8783', ('gain',)), ('0.8617', ('gain',))]
    """
    # What is not needed to have the name is loaded when it is called.
    from rankgauge.inputs.findings import Findings  # noqa: PLC0415
    from rankgauge.matching.read_options import ReadOptions  # noqa: PLC0415
    from rankgauge.reconciliation.reconciliation import Reconciliation  # noqa: PLC0415
    from rankgauge.reconciliation.source_reader import read, read_list  # noqa: PLC0415
    from rankgauge.reconciliation.tools import tools_with  # noqa: PLC0415

    asked, findings = parse(metric), Findings()
    if asked.definition.of_items:
        raise ParameterError(f"{asked} looks at the items themselves; tools are reconciled by metrics of grades")
    if asked.definition.summary.weighs_queries:
        raise ParameterError(f"{asked} weighs the queries by itself; tools are reconciled by means over queries: AUC")
    own = None if convention is None else check_convention(convention)
    if ranking is None:
        data = read_list(judgments, ideal, scores)
    else:
        if ideal is not None or scores is not None:
            raise ParameterError("ideal and scores belong to a list of grades; judgments and a ranking have both")
        data = read(judgments, ranking, ReadOptions(columns, format, groups, offsets, query_ids, lenient), findings)
    tools, lacking = tools_with(asked, data, own)
    return Reconciliation(asked, data, tools, lacking, findings, digits)
