"""Cold start: users and items by the amount of their training data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np

from rankgauge.conventions.rule import integer_from
from rankgauge.errors import ParameterError
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.inputs.records import are_rows
from rankgauge.inputs.source import TABLES, Source, form_of
from rankgauge.matching.data import Data
from rankgauge.matching.entrance import resolve_judgments
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.source_types import JudgmentsLike, TableLike
from rankgauge.side_information.ids import Ids, distinct_pairs
from rankgauge.side_information.table_parsers import read_interactions
from rankgauge.value_checks import is_listing


def cold_start(
    training: TableLike | Iterable[Any], ids: JudgmentsLike, *, of: Literal["user", "item"] = "user", warm: int = 5
) -> dict[Any, str]:
    """Classify users or items as ``cold`` (not in the training data), ``cool`` (little data) or ``warm``.

    Parameters
    ----------
    training
        The training data, in any form of ``SideInformation(training=...)``. A pair counts once.
    ids
        The users or items to classify, such as ``scores.queries``, or judgments in any form, whose users or items are
        classified.
    of
        What the ids are.
    warm
        Number of interactions from which a user or item is warm.

    Examples
    --------
    >>> cold_start([("u", "a"), ("u", "b"), ("v", "a")], ["u", "v", "w"], warm=2)
    {'u': 'warm', 'v': 'cool', 'w': 'cold'}
    """
    if of not in {"user", "item"}:
        raise ParameterError.of("of", of, ("'user' or 'item'", "'user' 或 'item'"))
    integer_from(1, "warm", warm)
    if _are_judgments(ids):
        judgments = Judgments.of(resolve_judgments(ids, ReadOptions()), ReadOptions(), Findings())
        ids = judgments.queries if of == "user" else dict.fromkeys(judgments.columns()[1])
    if not is_listing(ids):
        raise ParameterError.of("ids", ids, ("a list of users or items, or judgments", "用户或物品的列表，或标注"))
    users, items = Ids(), Ids()
    user, item = (known.add(column) for known, column in zip((users, items), read_interactions(training), strict=True))
    pairs = distinct_pairs(user, item)
    known, numbers = (users, pairs.first) if of == "user" else (items, pairs.second)
    counts = np.append(np.bincount(numbers, minlength=len(known)), 0)
    wanted = Ids(ids)
    interactions = counts[wanted.find(known.names)]  # a missing id is at -1, the 0 at the end
    return {
        name: "cold" if count == 0 else "warm" if count >= warm else "cool"
        for name, count in zip(wanted.names, interactions.tolist(), strict=True)
    }


def _are_judgments(ids: Any) -> bool:
    """Whether ids are the users and items of judgments instead of a list of ids."""
    if isinstance(ids, Source | Data | Judgments) or form_of(ids) in TABLES or hasattr(ids, "tocsr"):
        return True
    if isinstance(ids, Mapping):
        return any(map(is_listing, ids.values()))
    is_list = isinstance(ids, list | tuple)
    return is_list and (any(isinstance(row, Mapping | tuple) for row in ids) or are_rows(ids))
