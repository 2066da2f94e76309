"""Hold-out splits of interaction logs, with leakage checks.

A split depends only on users, items, times and the seed: the order of the rows does not matter, and the split of a
user does not depend on the other users in the log.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

import polars as pl

from rankgauge.conventions.rule import integer_from, whole_number
from rankgauge.errors import InputError, ParameterError, shown
from rankgauge.inputs.findings import Findings, warn_about
from rankgauge.inputs.frames import Interactions, is_frame, read_interactions, with_like_ids
from rankgauge.preparation.event_rules import Moment, moment_of, seconds_of
from rankgauge.rendering.language import Phrase, check_lang
from rankgauge.value_checks import is_listing

__all__ = ["Split", "check", "k_core", "leave_one_out", "only_items", "temporal", "without_seen"]


_ID = ["query", "item"]
WORDS = {
    "last": Phrase(
        "leave one out: the last interaction of each user is held out", "留一法：每个用户的最后一次交互用于测试"
    ),
    "random": Phrase(
        "leave one out: a random interaction of each user is held out (seed {seed})",
        "留一法：每个用户随机抽取一次交互用于测试（种子 {seed}）",
    ),
    "temporal": Phrase("temporal split: interactions from {at} are held out", "按时间划分：自 {at} 起的交互用于测试"),
    "known": Phrase(", for users with training data only", "，仅限有训练数据的用户"),
    "sizes": Phrase(
        "Training: {train:# interaction|# interactions}, {train_users:# user|# users}; "
        "test: {test:# interaction|# interactions}, {test_users:# user|# users}",
        "训练：{train_users:,} 个用户的 {train:,} 次交互；测试：{test_users:,} 个用户的 {test:,} 次交互",
    ),
    "stop": Phrase(". ", "。"),
    "RG505": Phrase("user {user} has a single interaction", "用户 {user} 只有一次交互"),
    "RG507": Phrase("user {user} has several items at the last time", "用户 {user} 在最后时间有多个物品"),
    "no training": Phrase("no interaction is left for training", "没有剩下任何用于训练的交互"),
    "no test": Phrase("no interaction is held out", "没有任何交互用于测试"),
    "times": Phrase("{side}; the times are from {first} to {last}", "{side}；时间范围为 {first} 至 {last}"),
}


@dataclass(frozen=True)
class Split:
    """Training and test rows with the caller's columns, the method of the split, and its leaks.

    The rows are frames of pandas, with their index, if the log was one, otherwise of polars.
    """

    train: Any
    test: Any
    findings: Findings
    method: Phrase
    users: tuple[int, int]

    def render(self, lang: str = "en") -> str:
        """Describe the method and the sizes."""
        users = {"train_users": self.users[0], "test_users": self.users[1]}
        sizes = WORDS["sizes"].fill(train=len(self.train), test=len(self.test), **users)
        return WORDS["stop"].join([self.method, sizes]).render(check_lang(lang))

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        return f"<Split: {len(self.train)} training rows, {len(self.test)} test rows>"


def leave_one_out(
    interactions: object,
    which: Literal["last", "random"] = "last",
    *,
    seed: int = 0,
    columns: Mapping[str, str] | None = None,
) -> Split:
    """Hold out one interaction of each user: the last one, or a random one.

    Among interactions at the same time, the one with the greatest item id is the last. Users with a single interaction
    stay in training. Leaks are in ``split.findings``: if a user chose an item twice, the earlier choice is in training
    (``without_seen`` removes such test rows).

    Parameters
    ----------
    interactions
        A frame of users, items and, for ``last``, times.
    which
        The interaction that is held out: ``last`` or ``random``.
    seed
        Seed of the random numbers; the same seed gives the same result.
    columns
        Names of the columns that are not recognised, by what they hold.

    Examples
    --------
    >>> import polars as pl, rankgauge as rg
    >>> log = pl.DataFrame({"user": ["u", "u", "v", "v", "w"], "item": [1, 2, 2, 1, 1], "time": [1, 2, 3, 4, 5]})
    >>> split = rg.holdout.leave_one_out(log)
    >>> split.test.rows()
    [('u', 2, 2), ('v', 1, 4)]
    >>> [(finding.code, finding.count) for finding in split.findings]
    [('RG504', 2), ('RG505', 1)]
    """
    seed = whole_number("seed", seed)
    log, tied = read_interactions(interactions, columns), pl.Series(dtype=pl.String)
    if which == "last":
        rows = _rows(log, log.timed("leave_one_out"))
        latest = rows.filter(pl.col("time") == pl.col("time").max().over("query"))
        held_out = _ordered(latest).group_by("query").agg(pl.col("row").last())
        tied = latest.group_by("query").agg(pl.col("item").n_unique()).filter(pl.col("item") > 1)["query"]
    elif which == "random":
        rows = _rows(log, log.time)
        by_user = _ordered(rows).group_by("query").agg("row")
        lists = zip(by_user["query"], by_user["row"].list.len(), strict=True)
        places = pl.Series([_random_number(seed, query) % length for query, length in lists], dtype=pl.Int64)
        held_out = by_user.with_columns(pl.col("row").list.get(pl.lit(places)))
    else:
        raise ParameterError.of("which", which, ("'last' or 'random'", "'last' 或 'random'"))
    held_out = held_out.join(rows.group_by("query").len(), on="query")
    too_few = held_out.filter(pl.col("len") == 1)
    tested = held_out.filter(pl.col("len") > 1)
    is_test = pl.int_range(log.frame.height, eager=True).is_in(tested["row"].cast(pl.Int64).implode())
    split = _split(log, ~is_test, is_test, WORDS[which].fill(seed=seed))
    for code, users in (("RG505", too_few["query"]), ("RG507", tied)):
        if len(users):
            split.findings.add(code, WORDS[code].fill(user=shown(users.sort()[0])), len(users))
    return split


def temporal(
    interactions: object,
    *,
    at: Moment | None = None,
    share: float | None = None,
    known_users: bool = False,
    columns: Mapping[str, str] | None = None,
) -> Split:
    """Hold out all interactions from one moment on, for all users.

    Parameters
    ----------
    interactions
        A frame with columns for user, item and time.
    at
        The moment: a number if the times are numbers, otherwise a date, also as text (``"2024-05-31"``).
    share
        Instead of the moment, the approximate share of interactions to hold out. The moment is then the time at which
        the last ``share`` of them begin; interactions at the same time stay together.
    known_users
        Hold out interactions only of users with training data.
    columns
        Names of columns that are not recognised.

    Examples
    --------
    >>> import polars as pl, rankgauge as rg
    >>> log = pl.DataFrame({"user": ["u", "u", "v", "w"], "item": [1, 2, 2, 1], "time": [1, 3, 2, 4]})
    >>> split = rg.holdout.temporal(log, at=3)
    >>> split.test.rows()
    [('u', 2, 3), ('w', 1, 4)]
    >>> print(split)
    temporal split: interactions from 3 are held out. Training: 2 interactions, 2 users; test: 2 interactions, 2 users
    >>> [str(finding.title.en) for finding in split.findings]
    ['test user without training']
    """
    log = read_interactions(interactions, columns)
    times = log.timed("temporal")
    if (at is None) == (share is None):
        raise ParameterError("temporal: pass either at= (a moment) or share= (of the interactions)")
    if at is not None:
        if isinstance(at, bool) or not isinstance(at, int | float | date | str) or at != at:  # noqa: PLR0124 (NaN, NaT)
            raise ParameterError.of("at", at, ("a number or a date", "数或日期"))
        moment = seconds_of(at, log.dated, "at")
    else:
        if not isinstance(share, float) or not 0 < share < 1:
            raise ParameterError.of("share", share, ("a number between 0 and 1", "0 与 1 之间的数"))
        if not len(times):
            raise InputError("interactions: the log is empty")
        moment = float(times.sort()[max(len(times) - max(round(share * len(times)), 1), 0)])
    train, test = times < moment, times >= moment
    method = WORDS["temporal"].fill(at=moment_of(moment, log.dated) if at is None else at)
    if known_users:
        test &= log.query.is_in(log.query.filter(train).unique().implode())
        method = Phrase("", "").join([method, WORDS["known"]])
    return _split(log, train, test, method)


def k_core(
    interactions: object, k: int = 5, *, items: int | None = None, columns: Mapping[str, str] | None = None
) -> Any:
    """Return the most interactions in which every user has k items and every item k (or ``items``) users.

    Repeated pairs of user and item count once. Rows and columns are otherwise unchanged, in a frame of pandas if
    ``interactions`` is one, otherwise of polars.

    >>> import polars as pl, rankgauge as rg
    >>> log = pl.DataFrame({"user": [1, 1, 2, 2, 3], "item": ["a", "b", "a", "b", "a"]})
    >>> rg.holdout.k_core(log, 2).rows()
    [(1, 'a'), (1, 'b'), (2, 'a'), (2, 'b')]
    """
    minimum = {"query": integer_from(1, "k", k), "item": k if items is None else integer_from(1, "items", items)}
    log = read_interactions(interactions, columns)
    rows = _pairs(log).with_row_index("row")
    pairs = rows.select(_ID).unique()
    while True:
        kept = pairs
        for name, least in minimum.items():
            kept = kept.filter(pl.len().over(name) >= least)
        if kept.height == pairs.height:
            return log.rows(rows.join(pairs, on=_ID, how="semi")["row"].sort())
        pairs = kept


def without_seen(rows: object, train: object, *, columns: Mapping[str, str] | None = None) -> Any:
    """Remove pairs of user and item that are in the training data from test data or a ranking.

    ``rows`` is a frame, ``{user: [items]}`` or ``{user: {item: score}}`` and is returned in the same form (frames other
    than those of pandas as frames of polars). ``columns``
    names columns of the training data, and of ``rows`` if it has them.

    >>> import polars as pl, rankgauge as rg
    >>> train = pl.DataFrame({"user": ["u", "v"], "item": ["a", "b"]})
    >>> rg.holdout.without_seen({"u": ["a", "b"], "v": {"a": 0.9, "b": 0.8}}, train)
    {'u': ['b'], 'v': {'a': 0.9}}
    """
    seen = _pairs(read_interactions(train, columns))
    if is_frame(rows):
        names = rows.collect_schema().names() if isinstance(rows, pl.LazyFrame) else getattr(rows, "columns", ())
        log = read_interactions(rows, {ours: name for ours, name in (columns or {}).items() if name in [*names]})
        pairs, seen = with_like_ids(_pairs(log), seen)
        return log.rows(pairs.with_row_index("row").join(seen, on=_ID, how="anti")["row"].sort())
    known: dict[str, set[str]] = {}
    for query, item in seen.iter_rows():
        known.setdefault(str(query), set()).add(str(item))
    return {
        query: _filtered(query, items, lambda item, has=known.get(str(query), frozenset()): str(item) not in has)
        for query, items in _rankings(rows).items()
    }


def only_items(rows: object, catalogue: Iterable[object], *, columns: Mapping[str, str] | None = None) -> Any:
    """Restrict test data or a ranking to the items of a catalogue, such as those in training or in stock.

    Parameters
    ----------
    rows
        A frame with a column of users and one of items, ``{user: [items]}`` or ``{user: {item: score}}``.
    catalogue
        The items that stay.
    columns
        Names of the columns that are not recognised, by what they hold.

    Examples
    --------
    >>> import rankgauge as rg
    >>> rg.holdout.only_items({"u": ["a", "b", "c"]}, ["c", "a"])
    {'u': ['a', 'c']}
    """
    if not is_listing(catalogue):
        raise ParameterError.of("catalogue", catalogue, ("a collection of item ids", "物品标识的集合"))
    allowed = {str(item) for item in catalogue}
    if is_frame(rows):
        log = read_interactions(rows, columns)
        return log.rows(log.item.cast(pl.String).is_in([*allowed]))
    return {
        query: _filtered(query, items, lambda item: str(item) in allowed) for query, items in _rankings(rows).items()
    }


def check(train: Any, test: Any, *, columns: Mapping[str, str] | None = None) -> Findings:
    """Report leakage from test data into training data, for splits that were made elsewhere.

    ``columns`` names the columns that are not recognised, by what they hold.

    >>> import polars as pl, rankgauge as rg
    >>> train = pl.DataFrame({"user": ["u", "u"], "item": [1, 2], "time": [1, 9]})
    >>> test = pl.DataFrame({"user": ["u", "x"], "item": [1, 1], "time": [5, 6]})
    >>> for finding in rg.holdout.check(train, test):
    ...     print(finding.code, finding.title.en)
    RG501 test item in training
    RG502 training after test for the same user
    RG503 test user without training
    RG504 training after the first test interaction
    """
    before, after = (read_interactions(side, columns) for side in (train, test))
    return _find_leaks(_timed_pairs(before), _timed_pairs(after), before.dated and after.dated)


def _split(log: Interactions, train: pl.Series, test: pl.Series, method: Phrase) -> Split:
    pairs = _timed_pairs(log)
    sides = [pairs.filter(rows) for rows in (train, test)]
    users = (sides[0]["query"].n_unique(), sides[1]["query"].n_unique())
    findings = _find_leaks(sides[0], sides[1], log.dated)
    emptied = [name for name, side in zip(("no training", "no test"), sides, strict=True) if not side.height]
    if pairs.height and emptied:
        empty = Findings()
        empty.add("RG506", _emptied(emptied[0], log))
        warn_about(empty)
        findings.merge(empty)
    return Split(log.rows(train), log.rows(test), findings, method, users)


def _emptied(side: str, log: Interactions) -> Phrase:
    """Return which side has no interaction, and the times of the log."""
    if log.time is None:
        return WORDS[side]
    first, last = (str(moment_of(time, log.dated)) for time in log.time.sort().gather([0, -1]))
    return WORDS["times"].fill(side=WORDS[side], first=first, last=last)


def _pairs(log: Interactions) -> pl.DataFrame:
    return pl.DataFrame({"query": log.query, "item": log.item})


def _timed_pairs(log: Interactions) -> pl.DataFrame:
    return _pairs(log) if log.time is None else _pairs(log).with_columns(log.time.alias("time"))


def _rows(log: Interactions, times: pl.Series | None) -> pl.DataFrame:
    """Return the sort key of each row with its number."""
    times = pl.zeros(log.frame.height, eager=True) if times is None else times
    rest = [
        name for name in log.rest if not (log.frame.schema[name].is_nested() or log.frame.schema[name] == pl.Object)
    ]
    others = [log.frame[name].alias(f"rest {place}") for place, name in enumerate(rest)]
    return pl.DataFrame([log.query, times.alias("time"), log.item, *others]).with_row_index("row")


def _ordered(rows: pl.DataFrame) -> pl.DataFrame:
    """Sort by user, time, item and the other columns, so that the order of the rows does not matter."""
    return rows.sort([name for name in rows.columns if name != "row"])


def _random_number(seed: int, user: object) -> int:
    """Return a number that depends only on the seed and the user."""
    text = str(user).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8, key=seed.to_bytes(16, "little")).digest(), "little")


def _rankings(rows: object) -> Mapping[object, object]:
    if not isinstance(rows, Mapping):
        raise InputError(
            f"rows of type {type(rows).__name__} are not supported; pass a frame, {{user: [items]}} or "
            "{user: {item: score}}"
        )
    return rows


def _filtered(query: Any, items: Any, keep: Any) -> object:
    if isinstance(items, Mapping):
        return {item: score for item, score in items.items() if keep(item)}
    if not is_listing(items):
        raise InputError(f"user {shown(query)}: expected a list of items or {{item: score}}, found {shown(items)}")
    return [item for item in items if keep(item)]


def _find_leaks(train: pl.DataFrame, test: pl.DataFrame, dated: bool) -> Findings:
    """Report test pairs in training, training after the test, and test users without training.

    Both frames have columns query and item, and optionally time: of dates in seconds.
    """
    findings = Findings()
    train, test = with_like_ids(train, test)
    seen = test.join(train.select(_ID).unique(), on=_ID, how="semi").sort(_ID)
    if seen.height:
        query, item = seen.select(_ID).row(0)
        query, item = shown(query), shown(item)
        example = f"user {query}, item {item} is in both", f"用户 {query}、物品 {item} 在两边都有"
        findings.add("RG501", example, seen.height)
    unknown = test.join(train, on="query", how="anti")["query"].unique().sort()
    if len(unknown):
        user = shown(unknown[0])
        findings.add("RG503", (f"user {user} is in the test data only", f"用户 {user} 只在测试数据中"), len(unknown))
    if "time" in train.columns and "time" in test.columns and test.height:
        _find_later_training(train, test, dated, findings)
    return findings


def _find_later_training(train: pl.DataFrame, test: pl.DataFrame, dated: bool, findings: Findings) -> None:
    """Report training rows after the first test of their user, or after the first test of all."""
    first_of_user = test.group_by("query").agg(pl.col("time").min().alias("first"))
    after_test = (
        train.join(first_of_user, on="query").filter(pl.col("time") > pl.col("first")).sort("query", "time", "item")
    )
    if after_test.height:
        query, item, time, first = after_test.select("query", "item", "time", "first").row(0)
        user, item, time, first = shown(query), shown(item), moment_of(time, dated), moment_of(first, dated)
        english = f"user {user}: item {item} at {time} is in training, but the first test is at {first}"
        chinese = f"用户 {user}：时间为 {time} 的物品 {item} 在训练数据中，而最早的测试时间为 {first}"
        findings.add("RG502", (english, chinese), after_test.height)
    first_test = float(test["time"].cast(pl.Float64).to_numpy().min())
    later = train.filter(pl.col("time") > first_test)
    if later.height:
        time = moment_of(first_test, dated)
        example = f"training continues after the first test at {time}", f"最早的测试（{time}）之后仍有训练数据"
        findings.add("RG504", example, later.height)
