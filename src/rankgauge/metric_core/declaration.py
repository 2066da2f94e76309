"""The decorator that declares a metric, built-in or your own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rankgauge.errors import UnknownNameError
from rankgauge.metric_core.definition import Condition, Definition, Kernel, defaults_of
from rankgauge.metric_core.laws import LAWS
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.registry import register
from rankgauge.metric_core.requirements import NEEDS
from rankgauge.metric_core.summary import SummaryName, check_summary
from rankgauge.rendering.language import Phrase


def metric(
    *,
    zh: str = "",
    aliases: tuple[str, ...] = (),
    trec: Mapping[str, str] | None = None,
    cite: str = "",
    bounds: tuple[float, float] = (0.0, 1.0),
    higher_is_better: bool = True,
    ties_mean: Condition = True,
    shared_ranks: Condition = True,
    mean_rank: Condition = True,
    ordered: Condition = True,
    best_first: str = "grade",
    breaks: Mapping[str, str | Phrase] | None = None,
    summary: SummaryName = "mean",
    undefined: str | None = None,
    top_only: bool = True,
    needs: tuple[str, ...] | None = None,
    grades: Condition = True,
    at: str = "k",
) -> Callable[[Kernel], Metric]:
    """Turn a kernel into a metric; the function's name, signature and docstring are the declaration.

    Parameters
    ----------
    zh
        The Chinese text: the meaning in one sentence, then ``特殊情形：`` and the edge cases.
    aliases
        Other names of the metric.
    trec
        trec_eval's names with the notation of each; ``{}`` is its parameter.
    cite
        A key of ``REFERENCES``, or the reference itself.
    bounds
        The lowest and the highest possible value.
    higher_is_better
        False for metrics such as the rank of the first relevant item.
    ties_mean
        False if ``ties="mean"`` has no closed form; it is then an error.
    shared_ranks
        False if each item needs a rank of its own, as where places are counted: tied items that share one
        (``ties="together"`` or ``"mean-rank"``) are then an error. Like ``ties_mean``, it can depend on the parameters.
    mean_rank
        False if this holds for ``ties="mean-rank"`` only, under which more than k items can be in the top k.
    ordered
        False if moving a better item up can lower the value: the best order of tied items is then unknown, and
        ``bounds`` is an error. Like ``ties_mean``, it can depend on the parameters.
    best_first
        What the best order of tied items puts first: the better ``grade``, ``judged`` items, or relevant items and
        then ``unjudged`` ones.
    breaks
        The laws of ``rankgauge.metric_core.laws`` that the metric violates, each with the reason.
    summary
        How the values of queries become one number: ``mean``, ``sum``, ``exp`` (of the mean), ``weighted`` by the
        weights that the kernel returns, or ``corpus`` for a metric with one value for all queries together.
    undefined
        The value of 0/0 if a number makes no sense: ``skip`` or ``nan``.
    top_only
        False if items after the cutoff k matter, beyond their number.
    needs
        For a metric of items: the side information that it needs, possibly none.
    grades
        False if a metric of items reads no grades: rankings are then not matched with the judgments, which only say
        which queries count. Like ``ties_mean``, it can depend on the parameters.
    at
        The parameter that ``@`` sets.

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
    for what, names, known in (("need", needs, NEEDS), ("law", breaks, LAWS)):
        for name in names or ():
            if name not in known:
                raise UnknownNameError.closest(what, name, known)

    def declare(kernel: Kernel) -> Metric:
        defaults_of(kernel)  # raises now if a parameter is invalid
        definition = Definition(
            name=kernel.__name__,
            kernel=kernel,
            zh=zh,
            aliases=aliases,
            trec=dict(trec or {}),
            cite=cite,
            bounds=bounds,
            higher_is_better=higher_is_better,
            ties_mean=ties_mean if needs is None else False,  # no closed form over items
            shared_ranks=shared_ranks,
            mean_rank=mean_rank,
            ordered=ordered,
            best_first=best_first,
            breaks={law: Phrase(why, why) if isinstance(why, str) else why for law, why in (breaks or {}).items()},
            summary=check_summary(summary),
            undefined=undefined,
            top_only=top_only,
            needs=needs,
            grades=grades if needs is not None else True,
            at=at,
        )
        return register(Metric(definition))

    return declare
