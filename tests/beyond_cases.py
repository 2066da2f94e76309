"""Hand-worked values of metrics of the items themselves, all on one small world; each is arithmetic to be checked by eye."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2, nan, sqrt

from beyond_reference import ItemWorld

SMALL = ItemWorld(
    lists={"u": ["a", "b", "c"], "v": ["b", "d"]},
    judgments={"u": {"a": 1, "d": 1}, "v": {"b": 2, "c": 0, "d": 1}},
    # a had 3 users, b 2, c 1, and d none; 6 pairs of 4 users
    training=[("x", "a"), ("y", "a"), ("z", "a"), ("x", "b"), ("y", "b"), ("v", "c"), ("x", "a")],
    items=["a", "b", "c", "d", "e"],
    features={"a": [1, 0], "b": [1, 1], "c": [0, 3], "d": [1, 0], "e": [0, 0]},
    categories={"a": ["drama"], "b": ["drama", "war"], "c": ["comedy"], "d": ["war"], "e": []},
    item_groups={"a": "ours", "b": "theirs", "c": "ours", "d": "theirs", "e": "theirs"},
    subtopics={"u": {"a": {"s": 1}, "b": {"s": 1, "t": 1}, "d": {"t": 1}}, "v": {"b": {"s": 1}, "d": {"s": 1}}},
    baseline={"u": ["a", "b"], "v": ["a"]},
)


@dataclass(frozen=True)
class ItemCase:
    """A metric and what it is of the small world: for each user, or for all of them together."""

    metric: str
    expected: dict[str, float] | float


D2, D3 = 1 / log2(3), 1 / log2(4)
"""The default discount at the second and the third rank; at the first it is 1."""

BEYOND_CASES = [
    # Coverage
    ItemCase("ItemCoverage", 4 / 5),  # a, b, c, d of five
    ItemCase("ItemCoverage@1", 2 / 5),  # a, b
    ItemCase("ItemCoverage(count=True)@1", 2),
    ItemCase("Gini", (-4 * 0 - 2 * 1 + 0 * 1 + 2 * 1 + 4 * 2) / (5 * 5)),  # counts 0, 1, 1, 1, 2
    ItemCase("Gini(corrected=True)", 8 / (4 * 5)),
    ItemCase("Gini(recommended=True)", (-3 * 1 - 1 * 1 + 1 * 1 + 3 * 2) / (4 * 5)),
    ItemCase("ExposureGini(discount='1/i')@1", (2 * 1 + 4 * 1) / (5 * 2)),  # exposures 0, 0, 0, 1, 1
    ItemCase("Entropy", 2 / 5 * log2(5 / 2) + 3 * 1 / 5 * log2(5)),
    # Pooled: by place, a and b stand first, b and d second, c third; d of u was not returned, nor was c of v
    ItemCase("PooledAUC", (2 * 3 + 1 * (2 + 1 / 2) + 1 / 2) / (4 * 3)),
    ItemCase("PooledAUC(tied='lost')", (2 * 3 + 1 * 2 + 0) / (4 * 3)),
    ItemCase("PooledAUC(tied='won')", (2 * 3 + 1 * 3 + 1) / (4 * 3)),
    ItemCase("PooledAUC(unreturned='left out')", (2 * 2 + 1 * (1 + 1 / 2)) / (3 * 2)),
    # Popularity
    ItemCase("ARP", {"u": (3 + 2 + 1) / 3, "v": (2 + 0) / 2}),
    ItemCase("ARP(unit='users')@1", {"u": 3 / 4, "v": 2 / 4}),
    ItemCase("ARP(unit='interactions')@1", {"u": 3 / 6, "v": 2 / 6}),
    ItemCase("ARP(unit='most')@1", {"u": 3 / 3, "v": 2 / 3}),
    ItemCase("ACLT(head=0.5)", {"u": 2, "v": 2}),  # a alone has half of the 6 pairs
    ItemCase("APLT(head=0.5)", {"u": 2 / 3, "v": 2 / 2}),
    ItemCase("APLT(head=0.6)", {"u": 1 / 3, "v": 1 / 2}),  # a and b
    ItemCase("MIUF", {"u": (log2(4 / 3) + log2(4 / 2) + log2(4)) / 3, "v": (log2(4 / 2) + log2(4)) / 2}),
    ItemCase("MIUF(normalised=True)@2", {"u": (log2(4 / 3) + 1) / (2 * 2), "v": (1 + 2) / (2 * 2)}),
    ItemCase("EPC", {"u": (1 - 3 / 4) / (1 + D2 + D3), "v": ((1 - 2 / 4) + D2 * 1) / (1 + D2)}),
    ItemCase("EPC(relevant=False)@2", {"u": (1 / 4 + D2 * 2 / 4) / (1 + D2), "v": (2 / 4 + D2) / (1 + D2)}),
    ItemCase("EFD(discount='none')", {"u": log2(6 / 3) / 3, "v": (log2(6 / 2) + log2(6)) / 2}),
    # a is the head: u could get 1 and v 1 of it; tail b, c: u could get 2, v only b. Found: 1 of a; b twice, c once.
    ItemCase("PopRSP(head=0.5)", (3 / 3 - 1 / 2) / 2 / ((3 / 3 + 1 / 2) / 2)),
    # Relevant of the head: a of u, found. Of the tail: d of u, b and d of v; b and d of v were found.
    ItemCase("PopREO(head=0.5)", (1 / 1 - 2 / 3) / 2 / ((1 / 1 + 2 / 3) / 2)),
    # Diversity
    ItemCase("ILD", {"u": ((1 - 1 / sqrt(2)) + 1 + (1 - 1 / sqrt(2))) / 3, "v": 1 - 1 / sqrt(2)}),
    ItemCase("ILD(distance='jaccard')", {"u": (1 / 2 + 1 + 1 / 2) / 3, "v": 1 / 2}),
    ItemCase("ILD(distance='hamming')", {"u": (1 / 2 + 1 + 1) / 3, "v": 1 / 2}),
    ItemCase("ILD(distance='euclidean')", {"u": (1 + sqrt(1 + 9) + sqrt(1 + 4)) / 3, "v": 1}),
    ItemCase("CategoryCoverage@2", {"u": 2 / 2, "v": 2 / 2}),
    ItemCase("CategoryCoverage", {"u": 3 / 3, "v": 2 / 2}),
    ItemCase("Personalisation", 1 - 1 / sqrt(3 * 2)),
    ItemCase("Personalisation(likeness='overlap')@2", 1 - 1 / 2),
    ItemCase("Unseen", {"u": 3 / 3, "v": 2 / 2}),
    ItemCase("Unexpectedness", {"u": 1 / 3, "v": 2 / 2}),
    ItemCase("Serendipity", {"u": 0, "v": 2 / 2}),
    # By popularity a stands 1st, b 2nd, c 3rd of 5 items: b of v is expected at 4/5 and stands at 5/5; d at 4/5 for 0.
    ItemCase("PopSerendipity@2", {"u": (5 / 5 - 5 / 5) / 2, "v": ((5 / 5 - 4 / 5) + (4 / 5 - 0)) / 2}),
    # Intents: of u, a serves s; b serves s and t; d serves t. Of v, b and d serve s.
    ItemCase("StRecall@1", {"u": 1 / 2, "v": 1}),
    ItemCase("StRecall", {"u": 1, "v": 1}),
    ItemCase("PIA@2", {"u": (2 / 2 + 1 / 2) / 2, "v": 2 / 2}),
    ItemCase("APIA", {"u": ((1 + 2 / 2) / 2 + (1 / 2) / 2) / 2, "v": (1 + 2 / 2) / 2}),
    ItemCase("alphaDCG", {"u": 1 + D2 * (1 / 2 + 1), "v": 1 + D2 / 2}),
    # Best for u: b with 2, then d or a with a half each.
    ItemCase("alphanDCG", {"u": (1 + D2 * 3 / 2) / (2 + D2 / 2 + D3 / 2), "v": 1}),
    ItemCase("ERRIA@2", {"u": (1 / 2 + (1 / 4 + 1 / 2) / 2) / 2, "v": 1 / 2 + 1 / 4 / 2}),
    ItemCase("nERRIA@2", {"u": (1 + 3 / 2 / 2) / (2 + 1 / 2 / 2), "v": 1}),
    ItemCase("NRBP", {"u": 3 / 4 * (1 + 1 / 2 * 3 / 2) / 2, "v": 3 / 4 * (1 + 1 / 2 * 1 / 2)}),
    ItemCase("nNRBP(beta=0.25)", {"u": (1 + 1 / 4 * 3 / 2) / (2 + 1 / 4 * 1 / 2 + 1 / 16 * 1 / 2), "v": 1}),
    # Calibration: v had c, which is comedy, and gets drama and war: b is half of each, d is war. u was not in training.
    ItemCase("Miscalibration(alpha=0.25)", {"u": nan, "v": log2(1 / (1 / 4))}),
    ItemCase("Miscalibration(divergence='js')", {"u": nan, "v": 1}),
    ItemCase("Miscalibration(divergence='hellinger')", {"u": nan, "v": 1}),
    # Fairness: a and c are ours; b, d and e theirs. In the first two ranks, b stands at 2 for u; v has both for theirs.
    ItemCase("ExposureParity(discount='1/i')@2", (1 / 2) / ((1 / 2 + 1 + 1 / 2) / 3)),
    # Ours could be recommended to u twice and to v once (v had c), and was once; theirs 3 + 3 times, and was 3 times.
    ItemCase("RSP@2", (3 / 6 - 1 / 3) / 2 / ((3 / 6 + 1 / 3) / 2)),
    # Relevant of ours: a of u, found at 2. Of theirs: d of u, b and d of v: those of v were found.
    ItemCase("REO@2", (1 / 1 - 2 / 3) / 2 / ((1 / 1 + 2 / 3) / 2)),
    # For u, a and d deserve the mean of the first two places, 3/4 each, and nobody else anything; ours got 1, theirs 1/2.
    # For v, b and d deserve 3/2 together, and got it.
    ItemCase("EEL(discount='1/i')@2", {"u": (1 - 3 / 4) ** 2 + (1 / 2 - 3 / 4) ** 2, "v": 0}),
]
