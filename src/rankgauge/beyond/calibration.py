"""Calibration: whether a list has the mixture of categories that its user had."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgauge.beyond.lists import Lists
from rankgauge.match.segments import Floats, Ints
from rankgauge.metrics.declare import metric
from rankgauge.metrics.parameters import Cutoff, Positive, Probability, one_of
from rankgauge.metrics.sums import Sum, total

__all__ = ["Miscalibration"]

Divergence = Annotated[str, one_of("kl", "js", "hellinger")]


@metric(
    zh="校准偏差（Steck）：用户历史的类别分布与推荐列表的类别分布之间的散度，0 为完全校准。",
    aliases=("CKL", "Calibration"),
    cite="steck2018",
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    undefined="skip",
    needs=("categories", "training"),
)
def Miscalibration(
    lists: Lists, *, k: Cutoff = None, divergence: Divergence = "kl", alpha: Probability = 0.01, base: Positive = 2
) -> Sum:
    r"""Miscalibration: how far the categories of the top k are from those that the user had in training.

    .. math:: C_{KL}@k = \sum_g p(g) \log_b \frac{p(g)}{(1 - \alpha) \, q(g) + \alpha \, p(g)}

    Edge cases: an item gives each of its categories an equal part; p is the mean over what the user had, q over the
    top k; items of the training that have no category do not count; alpha keeps a missing category from being
    infinitely bad, and is not used by ``js`` (Jensen-Shannon) and ``hellinger``; 0/0, and left out, for a user
    without training and for an empty list.

    >>> import rankgauge as rg
    >>> known = rg.Background(categories={"a": "x", "b": "y", "c": "x"}, training={"u": ["a", "b"]})
    >>> metric = rg.Miscalibration(alpha=0.5) @ 1
    >>> scores = rg.evaluate({"u": {"a": 1}}, {"u": ["c"]}, metric, background=known)
    >>> round(scores.mean(metric), 6)  # 1/2 log2((1/2) / (3/4)) + 1/2 log2((1/2) / (1/4))
    0.207519
    """
    history, inside = lists.tables.history, lists.inside(k)
    had = _mixture(lists, history.first, history.second)
    shown = _mixture(lists, lists.segments.query[inside], lists.item[inside])
    both = (had.sum(axis=1) > 0) & (shown.sum(axis=1) > 0)
    p, q = (part / np.where(both, part.sum(axis=1), 1.0)[:, None] for part in (had, shown))
    match divergence:
        case "js":
            middle = (p + q) / 2
            apart = (_relative(p, middle) + _relative(q, middle)) / 2 / np.log(base)
        case "hellinger":
            apart = np.sqrt(((np.sqrt(p) - np.sqrt(q)) ** 2).sum(axis=1) / 2)
        case _:
            apart = _relative(p, (1 - alpha) * q + alpha * p) / np.log(base)
    found = total(lists, k).plus("divergence", np.where(both, apart, 0.0)).over("has both", both.astype(np.float64))
    return found.made_of(_shares(lists, had, shown))


def _shares(lists: Lists, had: Floats, shown: Floats) -> dict[str, Sum]:
    """The shares of the categories that occur, to be read; of one list, for many would have very many."""
    if lists.segments.count > 1:
        return {}
    return {
        f"{what}({name})": total(lists, 0).plus("", part[:, place]).over(where, part.sum(axis=1))
        for place, name in enumerate(lists.tables.categories.names[: had.shape[1]])
        if had[0, place] or shown[0, place]
        for what, part, where in (("p", had, "in training"), ("q", shown, "in the list"))
    }


def _mixture(lists: Lists, user: Ints, item: Ints) -> Floats:
    """How much of each category each user has in these items."""
    segments, category, _ = lists.tables.categories
    sizes = segments.sizes[item]
    count = int(category.max(initial=-1)) + 1
    begins = segments.offsets[:-1][item] - (np.cumsum(sizes) - sizes)
    kinds = category[np.arange(int(sizes.sum())) + np.repeat(begins, sizes)]
    weight = np.repeat(1 / np.maximum(sizes, 1), sizes)
    users = lists.segments.count
    flat = np.bincount(np.repeat(user, sizes) * count + kinds, weights=weight, minlength=users * count)
    return flat.astype(np.float64).reshape(users, count)


def _relative(p: Floats, q: Floats) -> Floats:
    """The Kullback-Leibler divergence of q from p, in nats."""
    ratio = np.divide(p, q, out=np.ones_like(p), where=p > 0)
    return np.maximum((p * np.log(ratio)).sum(axis=1), 0.0)
