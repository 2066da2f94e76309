"""Metrics of the items themselves as slow, obvious loops over a small world, in plain Python."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from statistics import fmean, pstdev
from typing import Any

import rankgauge as rg


@dataclass(frozen=True)
class ItemWorld:
    """Lists of users, best item first, and all that is known."""

    lists: Mapping[str, Sequence[str]]
    judgments: Mapping[str, Mapping[str, float]]
    training: Sequence[tuple[str, str]] = ()
    items: Sequence[str] = ()
    features: Mapping[str, Sequence[float]] = field(default_factory=dict)
    categories: Mapping[str, Sequence[str]] = field(default_factory=dict)
    item_groups: Mapping[str, str] = field(default_factory=dict)
    subtopics: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)
    baseline: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def side_information(self) -> rg.SideInformation:
        known = {
            name: getattr(self, name)
            for name in ("training", "items", "features", "categories", "item_groups", "subtopics", "baseline")
        }
        return rg.SideInformation(**{name: table for name, table in known.items() if table})

    def only_judged(self) -> ItemWorld:
        """The lists without items that have no judgment."""
        kept = {user: [item for item in items if item in self.judgments[user]] for user, items in self.lists.items()}
        return replace(self, lists=kept)

    def top(self, user: str, k: int | None) -> list[str]:
        return list(self.lists[user][:k])

    def relevant(self, user: str, item: str, rel: float = 1) -> bool:
        return self.judgments[user].get(item, -1) >= rel

    @property
    def users_of(self) -> Counter[str]:
        return Counter(item for _, item in set(self.training))

    @property
    def training_users(self) -> int:
        return len({user for user, _ in self.training})

    def had(self, user: str) -> set[str]:
        return {item for one, item in self.training if one == user}

    def head(self, share: float) -> set[str]:
        users_of = self.users_of
        limit, head = share * sum(users_of.values()), set()
        for item in sorted(users_of, key=lambda item: (-users_of[item], item)):
            if limit <= 0:
                break
            head.add(item)
            limit -= users_of[item]
        return head


def random_world(seed: int) -> ItemWorld:
    """Users, items and tables at random: short and empty lists, cold items and users, several categories."""
    chance = random.Random(seed)
    items = [f"i{number}" for number in range(chance.randrange(3, 9))]
    users = [f"u{number}" for number in range(chance.randrange(2, 6))]
    lists = {user: chance.sample(items, chance.randrange(len(items) + 1)) for user in users}
    lists[users[0]] = lists[users[0]] or [items[0]]
    training = [(user, item) for user in [*users[1:], "x", "y"] for item in items[1:] if chance.random() < 0.4]
    topics = ["s", "t", "v"]
    return ItemWorld(
        lists=lists,
        judgments={user: {item: chance.choice((0, 1, 2)) for item in items if chance.random() < 0.5} for user in users},
        training=training or [("x", items[1])],
        items=[*items, "never"],
        features={item: [chance.choice((0, 0, 1, 2)) for _ in range(3)] for item in items},
        categories={item: chance.sample(["a", "b", "c"], chance.randrange(1, 4)) for item in items},
        item_groups={**{item: chance.choice("gh") for item in items}, "never": "g"},
        subtopics={
            user: {item: {topic: chance.choice((0, 1)) for topic in topics if chance.random() < 0.6} for item in items}
            for user in users
        },
        baseline={user: chance.sample(items, 2) for user in users[1:]},
    )


Loop = Callable[..., dict[str, float] | float]
"""Of a world and parameters to the value of each user, NaN for 0/0, or to one value of all users."""
BEYOND_REFERENCES: dict[str, Loop] = {}


def loop(function: Loop) -> Loop:
    BEYOND_REFERENCES[function.__name__] = function
    return function


def over(top: float, below: float) -> float:
    return top / below if below else math.nan


def per_user(world: ItemWorld, value: Callable[[str], float]) -> dict[str, float]:
    return {user: value(user) for user in world.lists}


def mean_over(world: ItemWorld, k: int | None, value: Callable[[str, str], float]) -> dict[str, float]:
    """The mean of something over the items of the top k: of the user and the item."""
    return per_user(
        world, lambda user: over(sum(value(user, item) for item in world.top(user, k)), len(world.top(user, k)))
    )


def log2(rank: int) -> float:
    return 1 / math.log2(rank + 1)


# Pairs


@loop
def PooledAUC(world, *, unreturned="last", rel=1, tied="half"):
    places = []
    for user, items in world.lists.items():
        places += [(place, world.relevant(user, item, rel)) for place, item in enumerate(items)]
        if unreturned == "last":
            others = [item for item in world.judgments[user] if item not in items]
            places += [(math.inf, world.relevant(user, item, rel)) for item in others]
    pairs, won = 0, 0.0
    for place, relevant in places:
        for other, other_relevant in places:
            if relevant and not other_relevant:
                pairs += 1
                won += 1 if place < other else {"lost": 0, "won": 1}.get(tied, 0.5) if place == other else 0
    return over(won, pairs)


# Coverage


def counts(world: ItemWorld, k: int | None, discount: Callable[[int], float] = lambda _: 1) -> Counter[str]:
    found: Counter[str] = Counter()
    for user in world.lists:
        for rank, item in enumerate(world.top(user, k), 1):
            found[item] += discount(rank)
    return found


@loop
def ItemCoverage(world, *, k=None, count=False):
    covered = len({*counts(world, k)} & {*world.items})
    return covered if count else over(covered, len(world.items))


def gini(values: Sequence[float], corrected: bool) -> float:
    """By its other definition: the mean difference of two items over twice the mean."""
    n = len(values)
    if not sum(values):
        return math.nan
    if n == 1:
        return 0.0
    apart = sum(abs(one - other) for one in values for other in values)
    return apart / (2 * n * sum(values)) * (n / (n - 1) if corrected else 1)


@loop
def Gini(world, *, k=None, recommended=False, corrected=False, discount=lambda _: 1):
    found = counts(world, k, discount)
    return gini([found[item] for item in ([*found] if recommended else world.items)], corrected)


@loop
def ExposureGini(world, *, discount=log2, **given):
    return Gini(world, discount=discount, **given)


@loop
def Entropy(world, *, k=None, base=2):
    found = counts(world, k)
    everything = sum(found.values())
    return -sum(n / everything * math.log(n / everything, base) for n in found.values()) if found else math.nan


# Popularity


@loop
def ARP(world, *, k=None, unit="count"):
    users_of = world.users_of
    below = {
        "count": 1,
        "users": world.training_users,
        "interactions": sum(users_of.values()),
        "most": max(users_of.values()),
    }[unit]
    return mean_over(world, k, lambda _, item: users_of[item] / below)


@loop
def ACLT(world, *, k=None, head=0.8):
    return per_user(world, lambda user: len([item for item in world.top(user, k) if item not in world.head(head)]))


@loop
def APLT(world, *, k=None, head=0.8):
    return mean_over(world, k, lambda _, item: item not in world.head(head))


@loop
def MIUF(world, *, k=None, base=2, normalised=False):
    users, users_of = world.training_users, world.users_of
    most = math.log(users, base) if normalised else 1
    plain = mean_over(world, k, lambda _, item: -math.log(max(users_of[item], 1) / users, base))
    return {user: over(value, most) for user, value in plain.items()}


def expected(world, k, novelty, relevant, rel, discount):
    def one(user):
        ranked = [*enumerate(world.top(user, k), 1)]
        worth = [
            discount(rank) * novelty(item) for rank, item in ranked if not relevant or world.relevant(user, item, rel)
        ]
        return over(sum(worth), sum(discount(rank) for rank, _ in ranked))

    return per_user(world, one)


@loop
def EPC(world, *, k=None, relevant=True, rel=1, discount=log2):
    def novelty(item):
        return 1 - world.users_of[item] / world.training_users

    return expected(world, k, novelty, relevant, rel, discount)


@loop
def EFD(world, *, k=None, relevant=True, rel=1, discount=log2):
    def novelty(item):
        return -math.log2(max(world.users_of[item], 1) / sum(world.users_of.values()))

    return expected(world, k, novelty, relevant, rel, discount)


def spread(rates: Sequence[float]) -> float:
    return over(pstdev(rates), fmean(rates)) if rates else math.nan


def parity(world, k, groups: Sequence[set[str]]):
    rates = []
    for group in groups:
        possible = sum(len(group - world.had(user)) for user in world.lists)
        if possible:
            rates.append(sum(len({*world.top(user, k)} & group) for user in world.lists) / possible)
    return spread(rates)


def opportunity(world, k, rel, in_group: Sequence[Callable[[str], bool]]):
    rates = []
    for inside in in_group:
        liked = {
            user: {item for item in grades if world.relevant(user, item, rel) and inside(item)}
            for user, grades in world.judgments.items()
        }
        possible = sum(map(len, liked.values()))
        if possible:
            rates.append(sum(len({*world.top(user, k)} & liked[user]) for user in world.lists) / possible)
    return spread(rates)


@loop
def PopRSP(world, *, k=None, head=0.8):
    short = world.head(head)
    return parity(world, k, [short, {*world.users_of} - short])


@loop
def PopREO(world, *, k=None, head=0.8, rel=1):
    short = world.head(head)
    return opportunity(world, k, rel, [lambda item: item in short, lambda item: item not in short])


# Diversity


def cosine(one, other):
    length = math.hypot(*one) * math.hypot(*other)
    return 1 - sum(a * b for a, b in zip(one, other, strict=True)) / length if length else 1.0


def jaccard(one, other):
    mine, theirs = ({place for place, value in enumerate(some) if value} for some in (one, other))
    return 1 - len(mine & theirs) / len(mine | theirs) if mine | theirs else 0.0


def hamming(one, other):
    return sum(a != b for a, b in zip(one, other, strict=True)) / len(one)


DISTANCES = {"cosine": cosine, "jaccard": jaccard, "hamming": hamming, "euclidean": math.dist}


@loop
def ILD(world, *, k=None, distance="cosine"):
    def one(user):
        apart = [
            DISTANCES[distance](world.features[a], world.features[b]) for a, b in combinations(world.top(user, k), 2)
        ]
        return fmean(apart) if apart else math.nan

    return per_user(world, one)


@loop
def CategoryCoverage(world, *, k=None):
    def one(user):
        kinds = {kind for item in world.top(user, k) for kind in world.categories[item]}
        return over(len(kinds), len(world.top(user, k)) if k is None else k)

    return per_user(world, one)


@loop
def Personalisation(world, *, k=None, likeness="cosine"):
    tops = [{*world.top(user, k)} for user in world.lists]
    longest = max(map(len, tops)) if k is None else k
    alike = []
    for one, other in combinations(tops, 2):
        below = math.sqrt(len(one) * len(other)) if likeness == "cosine" else longest
        alike.append(len(one & other) / below if one and other else 0)
    return 1 - fmean(alike)


@loop
def Unseen(world, *, k=None):
    return mean_over(world, k, lambda user, item: item not in world.had(user))


@loop
def Unexpectedness(world, *, k=None):
    return mean_over(world, k, lambda user, item: item not in world.baseline.get(user, ()))


@loop
def Serendipity(world, *, k=None, rel=1):
    return mean_over(
        world, k, lambda user, item: item not in world.baseline.get(user, ()) and world.relevant(user, item, rel)
    )


@loop
def PopSerendipity(world, *, k=None, rel=1):
    levels = sorted({*world.users_of.values()}, reverse=True)
    size = len(world.items)

    def usual(item):
        return (size - levels.index(world.users_of[item])) / size if world.users_of[item] else 0

    def one(user):
        top = world.top(user, k)
        worth = [
            max((size + 1 - rank) / size - usual(item), 0)
            for rank, item in enumerate(top, 1)
            if world.relevant(user, item, rel)
        ]
        return over(sum(worth), len(top))

    return per_user(world, one)


# Intents


def topics_of(world, user, item, rel):
    return {topic for topic, grade in world.subtopics.get(user, {}).get(item, {}).items() if grade >= rel}


def all_topics(world, user, rel):
    return {topic for item in world.subtopics.get(user, {}) for topic in topics_of(world, user, item, rel)}


def novel_gains(world, user, items, rel, alpha):
    """The gain of each item: a subtopic is worth less each time it comes again."""
    seen: Counter[str] = Counter()
    gains = []
    for item in items:
        mine = topics_of(world, user, item, rel)
        gains.append(sum((1 - alpha) ** seen[topic] for topic in mine))
        seen.update(mine)
    return gains


def greedy(world, user, rel, alpha, k):
    left = sorted((item for item in world.subtopics.get(user, {}) if topics_of(world, user, item, rel)), reverse=True)
    order: list[str] = []
    while left and (k is None or len(order) < k):
        gains = [novel_gains(world, user, [*order, item], rel, alpha)[-1] for item in left]
        best = next(place for place, gain in enumerate(gains) if gain >= max(gains) * (1 - 1e-12))
        order.append(left.pop(best))
    return order


def weighed(world, user, items, rel, alpha, weight):
    return sum(gain * weight(rank) for rank, gain in enumerate(novel_gains(world, user, items, rel, alpha), 1))


def intent_aware(world, k, rel, alpha, weight, below):
    return per_user(world, lambda user: over(weighed(world, user, world.top(user, k), rel, alpha, weight), below(user)))


def over_ideal(world, k, rel, alpha, weight):
    return intent_aware(
        world,
        k,
        rel,
        alpha,
        weight,
        lambda user: weighed(world, user, greedy(world, user, rel, alpha, k), rel, alpha, weight),
    )


@loop
def StRecall(world, *, k=None, rel=1):
    def one(user):
        found = {topic for item in world.top(user, k) for topic in topics_of(world, user, item, rel)}
        return over(len(found), len(all_topics(world, user, rel)))

    return per_user(world, one)


@loop
def PIA(world, *, k=None, rel=1):
    def one(user):
        top, topics = world.top(user, k), all_topics(world, user, rel)
        below = len(top) if k is None else k
        return (
            fmean(sum(topic in topics_of(world, user, item, rel) for item in top) / below for topic in topics)
            if topics and below
            else math.nan
        )

    return per_user(world, one)


@loop
def APIA(world, *, k=None, rel=1):
    def precision(user, topic):
        relevant = [item for item in world.subtopics[user] if topic in topics_of(world, user, item, rel)]
        hits, worth = 0, 0.0
        for rank, item in enumerate(world.top(user, k), 1):
            if item in relevant:
                hits += 1
                worth += hits / rank
        return worth / len(relevant)

    def one(user):
        topics = all_topics(world, user, rel)
        return fmean(precision(user, topic) for topic in topics) if topics else math.nan

    return per_user(world, one)


@loop
def alphaDCG(world, *, k=None, alpha=0.5, rel=1, discount=log2, over="definition"):
    if over == "ndeval":
        return intent_aware(world, k, rel, alpha, discount, of_every_topic(world, k, rel, alpha, discount))
    return intent_aware(world, k, rel, alpha, discount, lambda _: 1)


def of_every_topic(world, k, rel, alpha, discount):
    """The value of as many items as count that are all relevant to every subtopic; 1 at cutoff 1."""

    def value(user):
        ranks = range(1, (len(world.lists[user]) if k is None else k) + 1)
        topics = len(all_topics(world, user, rel))
        if k == 1:
            return float(topics > 0)
        return topics * sum(discount(rank) * (1 - alpha) ** (rank - 1) for rank in ranks)

    return value


@loop
def alphanDCG(world, *, k=None, alpha=0.5, rel=1, discount=log2):
    return over_ideal(world, k, rel, alpha, discount)


@loop
def ERRIA(world, *, k=None, alpha=0.5, rel=1, over="definition"):
    if over == "ndeval":

        def reciprocal(rank):
            return 1 / rank

        return intent_aware(world, k, rel, alpha, reciprocal, of_every_topic(world, k, rel, alpha, reciprocal))
    return intent_aware(world, k, rel, alpha, lambda rank: alpha / rank, lambda user: len(all_topics(world, user, rel)))


@loop
def nERRIA(world, *, k=None, alpha=0.5, rel=1):
    return over_ideal(world, k, rel, alpha, lambda rank: alpha / rank)


@loop
def NRBP(world, *, k=None, alpha=0.5, beta=0.5, rel=1):
    return intent_aware(
        world,
        k,
        rel,
        alpha,
        lambda rank: (1 - (1 - alpha) * beta) * beta ** (rank - 1),
        lambda user: len(all_topics(world, user, rel)),
    )


@loop
def nNRBP(world, *, k=None, alpha=0.5, beta=0.5, rel=1):
    return over_ideal(world, k, rel, alpha, lambda rank: beta ** (rank - 1))


# Calibration


def mixture(world, items):
    found: Counter[str] = Counter()
    for item in items:
        for kind in world.categories.get(item, ()):
            found[kind] += 1 / len(world.categories[item])
    everything = sum(found.values())
    return {kind: part / everything for kind, part in found.items()}


def relative(p, q, base):
    return sum(part * (math.log(part / q[kind], base) if q[kind] else math.inf) for kind, part in p.items() if part)


@loop
def Miscalibration(world, *, k=None, divergence="kl", alpha=0.01, base=2):
    def one(user):
        p, q = mixture(world, world.had(user)), mixture(world, world.top(user, k))
        if not p or not q:
            return math.nan
        p, q = ({kind: some.get(kind, 0) for kind in {*p, *q}} for some in (p, q))
        if divergence == "js":
            middle = {kind: (p[kind] + q[kind]) / 2 for kind in p}
            return (relative(p, middle, base) + relative(q, middle, base)) / 2
        if divergence == "hellinger":
            return math.sqrt(sum((math.sqrt(p[kind]) - math.sqrt(q[kind])) ** 2 for kind in p) / 2)
        return relative(p, {kind: (1 - alpha) * q[kind] + alpha * p[kind] for kind in p}, base)

    return per_user(world, one)


# Fairness


def members(world):
    groups: dict[str, set[str]] = {}
    for item, group in world.item_groups.items():
        groups.setdefault(group, set()).add(item)
    return groups


def exposure_of(world, user, group, k, discount):
    return sum(discount(rank) for rank, item in enumerate(world.top(user, k), 1) if item in group)


@loop
def ExposureParity(world, *, k=None, discount=log2):
    each = [
        sum(exposure_of(world, user, group, k, discount) for user in world.lists) / len(group)
        for group in members(world).values()
    ]
    return over(min(each), max(each))


@loop
def RSP(world, *, k=None):
    return parity(world, k, [*members(world).values()])


@loop
def REO(world, *, k=None, rel=1):
    return opportunity(world, k, rel, [group.__contains__ for group in members(world).values()])


@loop
def EEL(world, *, k=None, rel=1, discount=log2):
    items = [*world.item_groups]

    def one(user):
        relevant = [item for item in items if world.relevant(user, item, rel)]
        places = [discount(rank) if k is None or rank <= k else 0 for rank in range(1, len(items) + 1)]
        first, rest = places[: len(relevant)], places[len(relevant) :]
        loss = 0.0
        for group in members(world).values():
            due = sum(fmean(first if item in relevant else rest) for item in group)
            loss += (exposure_of(world, user, group, k, discount) - due) ** 2
        return loss

    return per_user(world, one)


def flattened(value: dict[str, Any] | float) -> dict[str, float]:
    return value if isinstance(value, dict) else {"all": value}
