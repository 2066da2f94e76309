"""Preferences and judgment groups as trec_eval evaluates them: worked cases, a slow reference, laws."""

import io
import random
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.trec_eval import grouped_judgments
from rankgauge.trec_eval import preferences as preference_measures

LINES = [line for measure in preference_measures.PREFERENCE_MEASURES for line in measure.lines()]
GROUP_LINES = [line for measure in grouped_judgments.GROUP_MEASURES for line in measure.lines()]

# Worked cases


def in_order(items):
    """A run of one query that returns these items, best first."""
    return {"q": {item: -place for place, item in enumerate(items)}}


def preferences(groups, ranking, **rules):
    columns = preference_measures.preference_columns(
        grouped_judgments.GroupedTopics({"q": groups}, in_order(ranking), ["q"], **rules), LINES
    )
    return {name: column.tolist()[0] for name, column in columns.items()}


TWO_PEOPLE = {
    "ann": {"0": [("b", 2), ("a", 1), ("x", 0), ("c", 0)]},
    "bob": {"first": [("a", 3), ("b", 2)], "second": [("x", 2), ("y", 1)]},
}
"""Under the ranking a, b, c (x and y were not returned):
ann prefers b>a (no), b>x (yes: x is not there), b>c (yes), a>x (yes), a>c (yes); bob prefers a>b (yes), x>y (neither)."""


def test_every_measure_by_hand():
    values = preferences(TWO_PEOPLE, "abc")

    assert values == pytest.approx(
        {
            "prefs_num_prefs_poss": 5 + 2,
            "prefs_num_prefs_ful": 4 + 1,
            "prefs_num_prefs_ful_ret": 2 + 1,  # b>c, a>c; a>b
            "prefs_simp": (4 + 1) / (5 + 2),
            "prefs_pair": (1 / 2 + 1 + 1 + 1 + 1 + 0) / 6,  # ab (one for, one against), bx, bc, ax, ac, xy
            "prefs_avgjg": (4 / 5 + 1 / 2) / 2,
            # ann has as many of level 0 as above; bob has 4 relevant items, 2 of them returned, so 4 imagined ones
            "prefs_avgjg_Rnonrel": (4 / 5 + (1 + 2 * 4) / (2 + 4 * 4)) / 2,
            "prefs_simp_ret": (2 + 1) / (3 + 1),  # b>a, b>c, a>c; a>b
            "prefs_pair_ret": (1 / 2 + 1 + 1) / 3,
            "prefs_avgjg_ret": (2 / 3 + 1 / 1) / 2,
            # of ann a, b and c were returned, so one is imagined; of bob a and b, so two; 4 items of bob are relevant
            "prefs_avgjg_Rnonrel_ret": ((2 + 2 * 1) / (3 + 2 * 1) + (1 + 2 * 2) / (1 + 4 * 2)) / 2,
            "prefs_simp_imp": (4 + 1) / (5 + 1),
            "prefs_pair_imp": (1 / 2 + 1 + 1 + 1 + 1) / 5,
            "prefs_avgjg_imp": (4 / 5 + 1 / 1) / 2,
        }
    )
    assert list(values) == [line.name for line in LINES] == list(preference_measures.PREFERENCE_MEANINGS)


@pytest.mark.parametrize(
    ("groups", "ranking", "everything", "returned"),
    [
        # One list, R = 1: m stays. r>m is fulfilled; (m, m) and (n, m) are possible and are not.
        ({"g": {"0": [("r", 1), ("m", 0), ("n", 0)]}}, "rmn", 1 / 3, 1 / 3),
        ({"g": {"0": [("r", 1), ("m", 0), ("n", 0)]}}, "mrn", 0 / 3, 0 / 3),
        # R = 2: m and n stay. r>m, r>n, s>n are fulfilled, s>m is not; of the pairs (m, n or o) with (m or n) only (m, n).
        (
            {"g": {"0": [("r", 2), ("s", 2), ("m", 0), ("n", 0), ("o", 0)]}},
            "rmsno",
            (3 + 1) / (4 + 6),
            (3 + 1) / (4 + 6),
        ),
        # x is relevant and was not returned. All: R = 2 = N, so r>m, r>n yes and x>m, x>n no.
        # Returned: R = 1, m stays: r>m yes, (m, m) and (n, m) no.
        ({"g": {"0": [("r", 1), ("x", 1), ("m", 0), ("n", 0)]}}, "rmn", 2 / 4, 1 / 3),
        ({"g": {"0": [("r", 1), ("m", 0), ("n", 0), ("o", 0)]}}, "mnro", 0 / 4, 0 / 4),
        # A partial order, R = 1: n is left out, r>m remains.
        ({"g": {"0": [("r", 1), ("m", 0)], "1": [("r", 1), ("n", 0)]}}, "rmn", 1 / 1, 1 / 1),
        ({"g": {"0": [("r", 1), ("m", 0)], "1": [("r", 1), ("n", 0)]}}, "mrn", 0 / 1, 0 / 1),
        # r and x are relevant, r was returned: trec_eval keeps two of level 0 here, all that there are.
        ({"g": {"0": [("r", 1), ("m", 0), ("n", 0)], "1": [("x", 1), ("m", 0)]}}, "rmn", 2 / 3, 2 / 2),
        # Two lists, one of which is 0/0: nothing is relevant in it.
        ({"g": {"0": [("r", 1), ("m", 0)]}, "h": {"0": [("m", 0)]}}, "rm", 0, 0),
    ],
)
def test_as_many_nonrelevant_as_relevant_by_hand(groups, ranking, everything, returned):
    values = preferences(groups, ranking)

    assert values["prefs_avgjg_Rnonrel"] == pytest.approx(everything)
    assert values["prefs_avgjg_Rnonrel_ret"] == pytest.approx(returned)


def test_preferences_are_transitive_across_subgroups():
    # a>b in one, b>c in the other, so a>c: the ranking c, a, b fulfils a>b of three.
    values = preferences({"g": {"0": [("a", 2), ("b", 1)], "1": [("b", 9), ("c", 4)]}}, "cab")

    assert (values["prefs_num_prefs_poss"], values["prefs_num_prefs_ful"]) == (3, 1)


def test_a_preference_stated_twice_counts_once_in_a_partial_order_and_twice_in_a_list():
    once = preferences({"g": {"0": [("a", 1), ("b", 0)], "1": [("a", 1), ("b", 0)]}}, "ab")
    twice = preferences({"g": {"0": [("a", 1), ("b", 0), ("b", 0)]}}, "ab")

    assert (once["prefs_num_prefs_poss"], twice["prefs_num_prefs_poss"]) == (1, 2)


def grouped(groups, ranking, **rules):
    columns = grouped_judgments.group_columns(
        grouped_judgments.GroupedTopics({"q": groups}, in_order(ranking), ["q"], **rules), GROUP_LINES
    )
    return {name: column.tolist()[0] for name, column in columns.items()}


def test_every_measure_over_groups_by_hand():
    # c was not returned. ann: R = 1; bob: R = 2.
    values = grouped({"ann": {"a": 1, "b": 0}, "bob": {"a": 0, "b": 1, "c": 1}}, "ab")

    assert values["map_avgjg"] == pytest.approx((1 / 1 + (1 / 2) / 2) / 2)
    assert values["P_avgjg_5"] == pytest.approx((1 / 5 + 1 / 5) / 2)
    assert values["P_avgjg_1000"] == pytest.approx(1 / 1000)
    assert values["Rprec_mult_avgjg_0.20"] == pytest.approx((1 / 1 + 0 / 1) / 2)  # at int(1.1) = 1 and int(1.3) = 1
    assert values["Rprec_mult_avgjg_1.00"] == pytest.approx((1 / 1 + 1 / 2) / 2)  # at int(1.9) = 1 and int(2.9) = 2
    assert values["Rprec_mult_avgjg_2.00"] == pytest.approx((1 / 2 + 1 / 4) / 2)  # at int(2.9) = 2 and int(4.9) = 4
    assert len(values) == 1 + 9 + 10
    assert [measure.name for measure in grouped_judgments.GROUP_MEASURES] == list(grouped_judgments.GROUP_MEANINGS)


def test_options_reach_the_groups():
    groups = {"ann": {"a": 2, "b": 1, "m": -1}, "bob": {"b": 2}}
    judged_only = rg.Convention(unjudged="removed")
    level_2 = rg.Convention(rel=2)

    # z is judged by nobody, m by nobody either (its grade is negative), a by ann only.
    assert grouped(groups, "zmab")["map_avgjg"] == pytest.approx(((1 / 3 + 2 / 4) / 2 + (1 / 4) / 1) / 2)
    assert grouped(groups, "zmab", convention=judged_only)["map_avgjg"] == pytest.approx((1 + 1) / 2)
    assert grouped(groups, "zmab", convention=level_2)["map_avgjg"] == pytest.approx((1 / 3 + 1 / 4) / 2)
    assert grouped(groups, "zmab", depth=3)["map_avgjg"] == pytest.approx(((1 / 3) / 2 + 0) / 2)
    assert grouped({"ann": {"a": 0}}, "a") == dict.fromkeys(grouped(groups, ""), 0.0)  # nothing relevant


def test_a_multiple_below_rank_1_gives_0():
    lines = grouped_judgments.GROUP_MEASURES[2].lines("0.05,3")

    columns = grouped_judgments.group_columns(
        grouped_judgments.GroupedTopics({"q": {"ann": {"a": 1}}}, in_order("a"), ["q"]), lines
    )

    # at int(0.95) = 0, and at int(3.9) = 3
    assert {name: column.tolist() for name, column in columns.items()} == {
        "Rprec_mult_avgjg_0.05": [0],
        "Rprec_mult_avgjg_3.00": [pytest.approx(1 / 3)],
    }


def test_a_query_without_a_ranking_fulfils_nothing():
    columns = preference_measures.preference_columns(
        grouped_judgments.GroupedTopics({"q": TWO_PEOPLE}, {}, ["q"]), LINES
    )

    assert {name: column.tolist() for name, column in columns.items() if column.any()} == {"prefs_num_prefs_poss": [7]}
    assert not any(
        column.any()
        for column in grouped_judgments.group_columns(
            grouped_judgments.GroupedTopics({"q": {"g": {"a": 1}}}, {}, ["q"]), GROUP_LINES
        ).values()
    )
    assert (
        preference_measures.preference_columns(grouped_judgments.GroupedTopics({"q": TWO_PEOPLE}, {}, []), LINES)[
            "prefs_simp"
        ].tolist()
        == []
    )
    assert (
        grouped_judgments.group_columns(grouped_judgments.GroupedTopics({"q": {"g": {"a": 1}}}, {}, []), GROUP_LINES)[
            "map_avgjg"
        ].tolist()
        == []
    )


def test_ties_are_by_ascending_id_for_preferences_and_by_descending_id_for_groups():
    tied = {"q": {"a": 1.0, "b": 1.0}}

    simple = preference_measures.preference_columns(
        grouped_judgments.GroupedTopics({"q": {"g": {"0": [("a", 1), ("b", 0)]}}}, tied, ["q"]), LINES
    )["prefs_simp"]
    average = grouped_judgments.group_columns(
        grouped_judgments.GroupedTopics({"q": {"g": {"a": 1}}}, tied, ["q"]), GROUP_LINES
    )["map_avgjg"]

    assert (simple.tolist(), average.tolist()) == ([1.0], [0.5])


def test_single_precision_and_depth():
    scores = {"a": 1.0, "b": 1.0 + 1e-9, "文": 0.5}

    assert preference_measures.best_first(scores, rg.preset("trec_eval-10")) == ["b", "a", "文"]
    assert preference_measures.best_first(scores, rg.preset("trec_eval-9")) == ["a", "b", "文"]
    assert preferences({"g": {"0": [("a", 1), ("b", 0)]}}, "ba", depth=1)["prefs_num_prefs_ful"] == 0
    assert preferences({"g": {"0": [("a", 1), ("b", 0)]}}, "ab", depth=1)["prefs_num_prefs_ful_ret"] == 0


# A slow, obvious reference


def wanted_by(subgroups):
    """The pairs (better, worse) that a group states, and what follows from them."""
    pairs = [
        (better, worse)
        for lines in subgroups.values()
        for (better, high), (worse, low) in permutations(lines, 2)
        if high > low
    ]
    if len(subgroups) == 1:
        return pairs  # a line that stands there twice counts twice
    found = set(pairs)
    while more := {(a, d) for a, b in found for c, d in found if b == c} - found:
        found |= more
    return sorted(found)


def reference(groups, ranking):
    """Every measure, as its definition says it, in exact fractions."""
    judged = {item for subgroups in groups.values() for lines in subgroups.values() for item, _ in lines}
    returned = [item for item in ranking if item in judged]
    rank = {item: place for place, item in enumerate([*returned, *sorted(judged - {*returned})])}

    def kept(pairs, least):
        return [pair for pair in pairs if sum(item in returned for item in pair) >= least]

    def fulfilled(pairs):
        return [(a, b) for a, b in pairs if a in returned and rank[a] < rank[b]]

    def ratio(above, below):
        return Fraction(above, below) if below else Fraction(0)

    def mean(values):
        return sum(values, Fraction(0)) / len(values)

    wanted = {name: wanted_by(subgroups) for name, subgroups in groups.items()}
    values = {
        "prefs_num_prefs_poss": sum(map(len, wanted.values())),
        "prefs_num_prefs_ful": sum(len(fulfilled(pairs)) for pairs in wanted.values()),
        "prefs_num_prefs_ful_ret": sum(len(fulfilled(kept(pairs, 2))) for pairs in wanted.values()),
    }
    for scope, least in (("", 0), ("_ret", 2), ("_imp", 1)):
        sets = [kept(pairs, least) for pairs in wanted.values()]
        together = [pair for pairs in sets for pair in pairs]
        values["prefs_simp" + scope] = ratio(len(fulfilled(together)), len(together))
        values["prefs_avgjg" + scope] = mean([ratio(len(fulfilled(pairs)), len(pairs)) for pairs in sets])
        shares = []
        for two in combinations(sorted(judged), 2):
            about = [pair for pair in together if {*pair} == {*two}]
            if about:
                shares.append(ratio(len(fulfilled(about)), len(about)))
        values["prefs_pair" + scope] = mean(shares) if shares else Fraction(0)
    for scope, least in (("", 0), ("_ret", 2)):
        parts = [balanced(subgroups, wanted[name], rank, returned, least) for name, subgroups in groups.items()]
        values["prefs_avgjg_Rnonrel" + scope] = Fraction(0) if None in parts else mean(parts)
    return values


def balanced(subgroups, pairs, rank, returned, least):
    lines = [line for some in subgroups.values() for line in some]
    if len(subgroups) > 1:
        lines = [*dict(lines).items()]  # a partial order knows items, a list knows lines
    relevant = [item for item, level in lines if level > 0]
    others = sorted((item for item, level in lines if level <= 0), key=rank.get)
    r = len(relevant) if least == 0 else sum(item in returned for item in relevant)
    n = len(others) if least == 0 else sum(item in returned for item in others)
    extra = max(r - n, 0)
    if r < n and len(subgroups) > 1:
        gone = {*others[len(relevant) :]}
        pairs = [pair for pair in pairs if not gone & {*pair}]
    elif r < n:
        pairs = [pair for pair in pairs if pair[1] not in others]
        pairs += product([item for item, _ in lines], others[:r])
    pairs = [(a, b) for a, b in pairs if (a in returned) + (b in returned) >= least]
    done = sum(a in returned and rank[a] < rank[b] for a, b in pairs)
    below = len(pairs) + len(relevant) * extra
    return Fraction(done + sum(item in returned for item in relevant) * extra, below) if below else None


def random_groups(rng, *, people=3, items="abcdefgh", levels=4):
    """What some people think: each has a level for every item, and says it of some items in some subgroups."""
    groups = {}
    for person in range(rng.randint(1, people)):
        level = {item: rng.randrange(levels) for item in items}
        groups[f"p{person}"] = {
            f"s{part}": [(item, level[item]) for item in rng.sample(items, rng.randint(1, len(items)))]
            for part in range(rng.choice([1, 1, 2, 3]))
        }
        if rng.random() < 0.2:
            first = groups[f"p{person}"]["s0"]
            first.append(rng.choice(first))
    return groups


@pytest.mark.parametrize("seed", range(40))
def test_values_equal_those_of_the_reference(seed):
    rng = random.Random(seed)
    for _ in range(5):
        groups = random_groups(rng, levels=rng.choice([2, 3, 5]))
        ranking = rng.sample("abcdefghyz", rng.randint(0, 10))

        assert preferences(groups, ranking) == pytest.approx(
            {k: float(v) for k, v in reference(groups, ranking).items()}
        )


@pytest.mark.parametrize("seed", range(20))
def test_groups_are_averaged_over_the_metrics_of_the_library(seed):
    rng = random.Random(seed)
    groups = {
        f"p{person}": {item: rng.randint(-1, 2) for item in rng.sample("abcdefgh", rng.randint(1, 8))}
        for person in range(rng.randint(1, 4))
    }
    ranking = rng.sample("abcdefghyz", rng.randint(1, 10))
    values = grouped(groups, ranking)

    def mean_of(metric):
        return np.mean([rg.evaluate({"q": own}, {"q": ranking}, metric).mean(metric) for own in groups.values()])

    assert values["map_avgjg"] == pytest.approx(mean_of("AP"))
    assert values["P_avgjg_5"] == pytest.approx(mean_of("P@5"))
    for multiple in (0.2, 0.6, 1.0, 1.8):
        precisions = []
        for own in groups.values():
            cut = int(multiple * sum(grade > 0 for grade in own.values()) + 0.9)
            precisions.append(sum(own.get(item, 0) > 0 for item in ranking[:cut]) / cut if cut else 0)
        assert values[f"Rprec_mult_avgjg_{multiple:3.2f}"] == pytest.approx(np.mean(precisions))


# Laws

SHARES = [f"prefs_{kind}{scope}" for kind in ("simp", "pair", "avgjg") for scope in ("", "_ret", "_imp")]
worlds = st.integers(0, 2**32).map(random.Random)


@given(worlds)
def test_the_best_order_is_worth_1_and_its_reverse_0(rng):
    level = {item: rng.randrange(4) for item in "abcdef"}
    groups = {"g": {f"s{part}": [(i, level[i]) for i in rng.sample("abcdef", 4)] for part in range(rng.randint(1, 3))}}
    best = sorted(level, key=level.get, reverse=True)
    values, reverse = preferences(groups, best), preferences(groups, best[::-1])

    if values["prefs_num_prefs_poss"]:
        assert {values[name] for name in SHARES} == {1.0}
        assert {reverse[name] for name in SHARES} == {0.0}
    assert values["prefs_num_prefs_poss"] == values["prefs_num_prefs_ful"] == values["prefs_num_prefs_ful_ret"]


@given(worlds)
def test_values_keep_their_laws(rng):
    groups, ranking = random_groups(rng), rng.sample("abcdefgh", rng.randint(0, 8))
    values = preferences(groups, ranking)
    complete = preferences(groups, [*ranking, *sorted({*"abcdefgh"} - {*ranking})])

    assert all(0 <= values[name] <= 1 for name in values if "num" not in name)
    assert values["prefs_num_prefs_ful_ret"] <= values["prefs_num_prefs_ful"] <= values["prefs_num_prefs_poss"]
    assert values["prefs_simp"] <= values["prefs_simp_imp"]
    assert all(complete[f"prefs_{kind}{scope}"] == complete[f"prefs_{kind}"]
               for kind in ("simp", "pair", "avgjg") for scope in ("_ret", "_imp"))  # fmt: skip
    if len(groups) == 1:
        assert values["prefs_avgjg"] == pytest.approx(values["prefs_simp"])
        if all(len({*lines}) == len(lines) for lines in groups["p0"].values()):
            assert values["prefs_pair"] == pytest.approx(values["prefs_simp"])


@given(worlds)
def test_neither_the_order_of_lines_nor_unjudged_items_matter(rng):
    groups, ranking = random_groups(rng), rng.sample("abcdefgh", rng.randint(0, 8))
    lines = [
        f"q {person} {part} {item} {level}\n"
        for person, parts in groups.items()
        for part, some in parts.items()
        for item, level in some
    ]
    rng.shuffle(lines)
    shuffled = grouped_judgments.read_preferences(io.StringIO("".join(lines)))["q"]
    with_others = [item for place, item in enumerate(ranking) for item in (f"unjudged{place}", item)]

    assert preferences(shuffled, with_others) == preferences(groups, ranking)


# Contradictions


@pytest.mark.parametrize(
    ("subgroups", "words"),
    [
        ({"s": [("a", 1), ("a", 2)]}, "query 'q', group 'g', subgroup 's': item 'a' has the levels 1 and 2"),
        ({"s": [("a", 1), ("a", 2)], "t": [("b", 1)]}, "subgroup 's': item 'a' has the levels 1 and 2"),
        ({"s": [("a", 2), ("b", 1)], "t": [("b", 2), ("a", 1)]}, "'a' is preferred to 'b' and vice versa"),
        (
            {"s": [("a", 2), ("b", 1)], "t": [("b", 2), ("c", 1)], "u": [("c", 2), ("a", 1)]},
            "'a' is preferred to 'b' and vice versa, directly or indirectly",
        ),
        ({"s": [("a", 1), ("b", 0)], "t": [("b", 1), ("c", 0)]}, "item 'b' has level 0 in one subgroup and a higher"),
    ],
)
def test_contradictions_within_a_group_are_named(subgroups, words):
    with pytest.raises(rg.InputError, match=words):
        preferences({"g": subgroups}, "ab")
