"""Declaring a metric: one decorator over one function, for built-in metrics and for yours."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rankgauge.errors import UnknownNameError
from rankgauge.metric_core.definition import Condition, Definition, Kernel, defaults_of
from rankgauge.metric_core.laws import LAWS
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.registry import register
from rankgauge.metric_core.requirements import NEEDS
from rankgauge.metric_core.summary import SummaryName, check_summary


def metric(
    *,
    zh: str = "",
    aliases: tuple[str, ...] = (),
    trec: Mapping[str, str] | None = None,
    cite: str = "",
    bounds: tuple[float, float] = (0.0, 1.0),
    higher_is_better: bool = True,
    ties_mean: Condition = True,
    ordered: Condition = True,
    best_first: str = "grade",
    breaks: Mapping[str, str] | None = None,
    summary: SummaryName = "mean",
    undefined: str | None = None,
    top_only: bool = True,
    needs: tuple[str, ...] | None = None,
) -> Callable[[Kernel], Metric]:
    """Make a metric of a kernel; the function's name, signature and docstring are the declaration.

    Parameters
    ----------
    zh
        The meaning in one Chinese sentence; the English one is the first of the docstring.
    aliases
        Other names under which the metric is found.
    trec
        trec_eval's names and the notation that each stands for, ``{}`` being its parameter.
    cite
        A key of ``REFERENCES``, or the reference itself.
    bounds
        The lowest and the highest value there can be.
    higher_is_better
        False for metrics such as the rank of the first relevant item.
    ties_mean
        False where ``ties="mean"`` has no closed form; asking for it is then an error.
    ordered
        False where moving a better item up can lower the value: no order of tied items is then known to be
        the best, and bounds are an error. Like ``ties_mean``, it can depend on the parameters.
    best_first
        What the best order of tied items puts first: the better ``grade``, ``judged`` items, or relevant items and
        then ``unjudged`` ones.
    breaks
        The laws of ``rankgauge.metric_core.laws`` that this metric does not keep, each with the reason.
    summary
        How the values of queries become one number: ``mean``, ``sum``, ``exp`` (of the mean), ``weighted`` by the
        weights that the kernel returns, or ``corpus`` for a metric with one value for all queries together.
    undefined
        What 0/0 is where the convention's number would make no sense: ``skip`` or ``nan``.
    top_only
        False where items after the cutoff k matter as well, beyond their number.
    needs
        Of a metric that looks at the items themselves: the tables of ``SideInformation`` that it needs, perhaps none.

    Examples
    --------
    >>> import rankgauge as rg
    >>> @rg.metric(zh="前 k 个中相关物品的个数")
    ... def Found(j, *, k: rg.Cutoff = None, rel: float = rg.rule()):
    ...     '''The number of relevant items in the top k.'''
    ...     return rg.total(j, k, relevant=j.at(j.relevant(rel)))
    >>> (Found @ 3).of([1, 0, 2, 1])
    2.0
    >>> rg.parse("Found(rel=2)@3")
    Found(rel=2)@3
    >>> rg.unregister("Found")
    """
    for need in needs or ():
        if need not in NEEDS:
            raise UnknownNameError.closest("need", need, NEEDS)
    for law in breaks or ():
        if law not in LAWS:
            raise UnknownNameError.closest("law", law, LAWS)

    def declare(kernel: Kernel) -> Metric:
        defaults_of(kernel)  # what cannot be a parameter is an error here and now
        definition = Definition(
            name=kernel.__name__,
            kernel=kernel,
            zh=zh,
            aliases=aliases,
            trec=dict(trec or {}),
            cite=cite,
            bounds=bounds,
            higher_is_better=higher_is_better,
            ties_mean=ties_mean if needs is None else False,  # which items share a place has no closed form
            ordered=ordered,
            best_first=best_first,
            breaks=dict(breaks or {}),
            summary=check_summary(summary),
            undefined=undefined,
            top_only=top_only,
            needs=needs,
        )
        return register(Metric(definition))

    return declare
