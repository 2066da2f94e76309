"""Calibration: whether the categories of a list match those of the user's history."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np

from rankgauge.metric_core.declaration import metric
from rankgauge.metric_core.parameters import Cutoff, Positive, Probability, choice
from rankgauge.metric_core.sums import Sum, total
from rankgauge.segments import Floats, Ints
from rankgauge.side_information.item_lists import ItemLists

__all__ = ["Miscalibration"]

Divergence = Annotated[str, choice("kl", "js", "hellinger")]


@metric(
    zh="校准偏差（Steck）：用户历史的类别分布与推荐列表的类别分布之间的散度，0 为完全校准。"
    "特殊情形：物品的权重在其各类别间平分；p 为该用户训练物品的平均，q 为前 k 个的平均；没有类别的训练物品不计"
    "；alpha 避免缺失的类别使散度无穷大，``js``（Jensen-Shannon）与 ``hellinger`` 不使用它；没有训练物品的用户"
    "与空结果为 0/0，不计入。",
    aliases=("CKL", "Calibration"),
    cite="steck2018",
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    undefined="skip",
    needs=("categories", "training"),
    grades=False,
)
def Miscalibration(
    lists: ItemLists, *, k: Cutoff = None, divergence: Divergence = "kl", alpha: Probability = 0.01, base: Positive = 2
) -> Sum:
    r"""Miscalibration: the divergence between the categories of the top k and those of the user's training items.

    .. math:: C_{KL}@k = \sum_g p(g) \log_b \frac{p(g)}{(1 - \alpha) \, q(g) + \alpha \, p(g)}

    Edge cases: an item splits its weight equally over its categories; p is the mean over the training items of the
    user, q over the top k; training items without a category do not count; alpha keeps a missing category from
    being infinitely bad and is not used by ``js`` (Jensen-Shannon) and ``hellinger``; 0/0, and excluded, for a user
    without training items and for an empty list.

    >>> import rankgauge as rg
    >>> side = rg.SideInformation(categories={"a": "x", "b": "y", "c": "x"}, training={"u": ["a", "b"]})
    >>> metric = rg.Miscalibration(alpha=0.5) @ 1
    >>> scores = rg.evaluate({"u": {"a": 1}}, {"u": ["c"]}, metric, side_information=side)
    >>> round(scores.mean(metric), 6)  # 1/2 log2((1/2) / (3/4)) + 1/2 log2((1/2) / (1/4))
    0.207519
    """
    apart, both = np.zeros(lists.segments.count), np.zeros(lists.segments.count)
    for users, had, shown in _mixtures(lists, k):
        known = (had.sum(axis=1) > 0) & (shown.sum(axis=1) > 0)
        p, q = (part[known] / part[known].sum(axis=1, keepdims=True) for part in (had, shown))
        match divergence:
            case "js":
                middle = (p + q) / 2
                each = (_relative(p, middle) + _relative(q, middle)) / 2 / np.log(base)
            case "hellinger":
                each = np.sqrt(((np.sqrt(p) - np.sqrt(q)) ** 2).sum(axis=1) / 2)
            case _:
                each = _relative(p, (1 - alpha) * q + alpha * p) / np.log(base)
        apart[users][known] = each
        both[users] = known
    return total(lists, k).plus("divergence", apart).over("has both", both).made_of(_shares(lists, k))


def _shares(lists: ItemLists, k: int | None) -> dict[str, Sum]:
    """Return the shares of the categories for the explanation of a single list."""
    if lists.segments.count != 1:
        return {}
    _, had, shown = next(_mixtures(lists, k))
    return {
        f"{what}({name})": total(lists, 0).plus("", part[:, place]).over(where, part.sum(axis=1))
        for place, name in enumerate(lists.tables.categories.names[: had.shape[1]])
        if had[0, place] or shown[0, place]
        for what, part, where in (("p", had, "in training"), ("q", shown, "in the list"))
    }


def _mixtures(lists: ItemLists, k: int | None) -> Iterator[tuple[slice, Floats, Floats]]:
    """Iterate over chunks of users with the category weights of their history and of their lists."""
    history, inside = lists.tables.history, lists.inside(k)
    sides = ((history.first, history.second), (lists.segments.query[inside], lists.item[inside]))
    for users in lists.user_chunks(lists.tables.category_count):
        rows = [slice(*np.searchsorted(user, (users.start, users.stop))) for user, _ in sides]
        had, shown = (
            _mixture(lists, user[chunk] - users.start, item[chunk], users.stop - users.start)
            for (user, item), chunk in zip(sides, rows, strict=True)
        )
        yield users, had, shown


def _mixture(lists: ItemLists, user: Ints, item: Ints, users: int) -> Floats:
    """Return the weight of each category in the items of each user."""
    place, category = lists.tables.categories_of(item)
    count = lists.tables.category_count
    weight = 1 / np.maximum(lists.tables.categories.segments.sizes[item], 1)
    flat = np.bincount(user[place] * count + category, weights=weight[place], minlength=users * count)
    return flat.astype(np.float64).reshape(users, count)


def _relative(p: Floats, q: Floats) -> Floats:
    """Return the Kullback-Leibler divergence of q from p in nats."""
    ratio = np.divide(p, q, out=np.ones_like(p), where=p > 0)
    return np.maximum((p * np.log(ratio)).sum(axis=1), 0.0)
