"""Metrics of items: hand-worked values, slow loops, laws, input paths, and messages for missing tables."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from beyond_cases import BEYOND_CASES, SMALL
from beyond_reference import BEYOND_REFERENCES, ItemWorld, flattened, random_world
from registries import NEEDS

NAN = rg.Convention(undefined="nan")
WORLDS = [random_world(seed) for seed in range(40)]
DISCOUNTS = {"1/i": lambda rank: 1 / rank, "none": lambda _: 1}
VALUES = {
    "count": [True],
    "recommended": [True],
    "corrected": [True],
    "base": [10],
    "unit": ["users", "interactions", "most"],
    "head": [0.3, 1],
    "normalised": [True],
    "relevant": [False],
    "distance": ["jaccard", "hamming", "euclidean"],
    "likeness": ["overlap"],
    "rel": [2],
    "unreturned": ["left out"],
    "tied": ["lost", "won", "order"],
    "alpha": [0, 0.3, 1],
    "beta": [0.9],
    "divergence": ["js", "hellinger"],
    "discount": [*DISCOUNTS],
    "judged_only": [True],
    "over": ["ndeval"],
}
"""Values of each parameter to test in addition to its default."""
OF_ITEMS = {
    name: metric
    for name, metric in rg.metrics().items()
    if metric.definition.of_items and not metric.definition.of_spans
}
each_metric = pytest.mark.parametrize("name", OF_ITEMS)


def values_of(metrics: list[rg.Metric | str], world: ItemWorld) -> list[dict[str, float]]:
    scores = rg.evaluate(world.judgments, world.lists, metrics, side_information=world.side_information, convention=NAN)
    return [scores.per_query(metric) or {"all": scores.mean(metric)} for metric in metrics]


def values(metric: rg.Metric | str, world: ItemWorld) -> dict[str, float]:
    return values_of([metric], world)[0]


def agree(found: dict[str, float], expected: dict[str, float]) -> bool:
    return found.keys() == expected.keys() and all(
        math.isclose(found[user], expected[user], rel_tol=1e-11, abs_tol=1e-12)
        or (math.isnan(found[user]) and math.isnan(expected[user]))
        for user in expected
    )


@pytest.mark.parametrize("case", BEYOND_CASES, ids=lambda case: case.metric)
def test_values_are_the_hand_worked_ones(case):
    assert values(case.metric, SMALL) == pytest.approx(flattened(case.expected), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("case", BEYOND_CASES, ids=lambda case: case.metric)
def test_explanations_show_the_hand_worked_values(case):
    if not isinstance(case.expected, dict):
        with pytest.raises(rg.ParameterError, match="corpus-level metric"):
            rg.explain(SMALL.judgments, SMALL.lists, case.metric, "u", side_information=SMALL.side_information)
        return
    for user, value in case.expected.items():
        steps = rg.explain(SMALL.judgments, SMALL.lists, case.metric, user, side_information=SMALL.side_information)
        assert steps.value == pytest.approx(value, abs=1e-12, nan_ok=True)
        assert sum(row.contribution for row in steps.steps.rows) + (steps.steps.rest or 0) == pytest.approx(
            steps.steps.total
        )
        assert "…" not in steps.to_text("zh")


def variants(name):
    """The metric as it is, and with each parameter changed on its own."""
    parameters = OF_ITEMS[name].definition.parameters
    for k in (None, 1, 2, 5) if "k" in parameters else (None,):
        cut = {} if k is None else {"k": k}
        yield cut
        for parameter in parameters.keys() - {"k"}:
            for value in VALUES[parameter]:
                if parameters[parameter].rule or parameters[parameter].domain.accepts(value):
                    yield {**cut, parameter: value}


@each_metric
def test_kernel_equals_loop(name):
    every = [*variants(name)]
    for number, world in enumerate(WORLDS):
        all_found = values_of([OF_ITEMS[name](**chosen) for chosen in every], world)
        for chosen, found in zip(every, all_found, strict=True):
            given = {key: DISCOUNTS[value] if key == "discount" else value for key, value in chosen.items()}
            seen = world.only_judged() if given.pop("judged_only", False) else world
            expected = flattened(BEYOND_REFERENCES[name](seen, **given))
            assert agree(found, expected), (chosen, number, found, expected)


@each_metric
def test_values_stay_within_the_bounds(name):
    low, high = OF_ITEMS[name].definition.bounds
    bounded = [OF_ITEMS[name](**chosen) for chosen in variants(name) if not {"count", "over"} & {*chosen}]
    for world in WORLDS[:15]:
        for metric, found in zip(bounded, values_of(bounded, world), strict=True):
            assert all(math.isnan(value) or low - 1e-12 <= value <= high + 1e-12 for value in found.values()), metric


@each_metric
def test_the_order_of_users_and_tables_does_not_matter(name):
    for world in WORLDS[:15]:
        turned = ItemWorld(
            lists=dict(reversed(world.lists.items())),
            judgments=dict(reversed(world.judgments.items())),
            training=world.training[::-1],
            items=world.items[::-1],
            features=dict(reversed(world.features.items())),
            categories=dict(reversed(world.categories.items())),
            item_groups=dict(reversed(world.item_groups.items())),
            subtopics=dict(reversed(world.subtopics.items())),
            baseline=dict(reversed(world.baseline.items())),
        )
        assert agree(values(OF_ITEMS[name], turned), values(OF_ITEMS[name], world))


@each_metric
def test_every_input_form_gives_the_same_digits(name):
    """Dicts with scores, rows, frames with and without order, and a matrix whose columns are the items."""
    metric = OF_ITEMS[name] @ 2 if "k" in OF_ITEMS[name].definition.parameters else OF_ITEMS[name]
    for world in WORLDS[:6]:
        expected = values(metric, world)
        scored = {user: {item: -rank for rank, item in enumerate(items)} for user, items in world.lists.items()}
        rows = [(user, item, score) for user, items in scored.items() for item, score in items.items()]
        frame = pl.DataFrame(rows, schema=["user", "item", "score"], orient="row")
        for ranking in (scored, rows[::-1], frame, frame.sample(fraction=1, shuffle=True, seed=1).to_arrow()):
            found = rg.evaluate(
                world.judgments, ranking, metric, side_information=world.side_information, convention=NAN
            )
            assert agree(found.per_query(metric) or {"all": found.mean(metric)}, expected)


def as_numbers(world: ItemWorld) -> ItemWorld:
    """The same world with whole numbers for items and users."""
    number = {item: place for place, item in enumerate(world.items)}
    user_number = {user: place for place, user in enumerate(world.lists)}

    def renamed(table):
        return {number[item]: value for item, value in table.items()}

    def by_user(table, inner):
        return {user_number[user]: inner(value) for user, value in table.items()}

    def listed(items):
        return [number[item] for item in items]

    return ItemWorld(
        lists=by_user(world.lists, listed),
        judgments=by_user(world.judgments, renamed),
        training=[(user_number.get(user, 99 + ord(user[0])), number[item]) for user, item in world.training],
        items=[*number.values()],
        features=renamed(world.features),
        categories=renamed(world.categories),
        item_groups=renamed(world.item_groups),
        subtopics=by_user(world.subtopics, renamed),
        baseline=by_user(world.baseline, listed),
    )


@each_metric
def test_a_matrix_has_columns_for_items(name):
    metric = OF_ITEMS[name] @ 3 if "k" in OF_ITEMS[name].definition.parameters else OF_ITEMS[name]
    for world in map(as_numbers, WORLDS[:6]):
        labels, scores = (np.full((len(world.lists), len(world.items)), np.nan) for _ in range(2))
        for user, grades in world.judgments.items():
            labels[user, [*grades]] = [*grades.values()]
        for user, items in world.lists.items():
            scores[user, items] = -np.arange(len(items))
        found = rg.evaluate(
            labels, scores, metric, side_information=world.side_information, convention=NAN, lenient=True
        )
        assert agree(found.per_query(metric) or {"all": found.mean(metric)}, values(metric, world))


@each_metric
def test_integer_and_text_ids_match(name):
    for world in map(as_numbers, WORLDS[:4]):
        texts = {str(user): [*map(str, items)] for user, items in world.lists.items()}
        grades = {str(user): {str(item): g for item, g in some.items()} for user, some in world.judgments.items()}
        found = rg.evaluate(grades, texts, OF_ITEMS[name], side_information=world.side_information, convention=NAN)
        as_text = found.per_query(OF_ITEMS[name]) or {"all": found.mean(OF_ITEMS[name])}
        expected = {str(user): value for user, value in values(OF_ITEMS[name], world).items()}
        assert agree(as_text, expected)


@each_metric
def test_missing_side_information_is_named(name):
    for need in OF_ITEMS[name].definition.needs:
        if not NEEDS[need].tables:
            continue
        others = {"training", "items", "features", "categories", "item_groups", "subtopics", "baseline", "popularity"}
        known = {table: [] for table in others - {*NEEDS[need].tables}}
        with pytest.raises(
            rg.InputError, match=rf"{name} needs .*SideInformation\(\.\.\.\) with .*{NEEDS[need].tables[0]}="
        ):
            rg.evaluate({"u": {"a": 1}}, {"u": ["a"]}, name, side_information=rg.SideInformation(**known))


@each_metric
def test_grades_alone_are_not_enough(name):
    metric = OF_ITEMS[name]
    for call in (metric.of, metric.explain, *([metric.curve] if "k" in metric.definition.parameters else [])):
        with pytest.raises(rg.ParameterError, match=r"use rg\.evaluate"):
            call([1, 0])


TIED = {"q": {"a": 0.5, "b": 0.5, "c": 0.1}}


@pytest.mark.parametrize(("ties", "first"), [("id", "b"), ("input", "a"), ("best", "a"), ("worst", "b")])
def test_equal_scores_follow_the_rule_for_ties(ties, first):
    """The item that ranks first for accuracy is the one whose popularity counts."""
    popularity = {"a": 1, "b": 2, "c": 4}
    for ranking in (
        TIED,
        [("q", item, score) for item, score in TIED["q"].items()],
        pl.DataFrame({"query": "q", "item": ["a", "b", "c"], "score": [0.5, 0.5, 0.1]}),
    ):
        scores = rg.evaluate(
            {"q": {"a": 1}}, ranking, ["ARP@1", "P@1"], side_information=rg.SideInformation(popularity=popularity),
            convention=rg.Convention(ties=ties),
        )  # fmt: skip
        assert scores.mean("ARP@1") == popularity[first]
        assert scores.mean("P@1") == (first == "a")


@pytest.mark.parametrize(("unjudged", "firsts"), [("nonrelevant", "ab"), (0, "ab"), (1, "ba")])
def test_tied_items_are_ordered_by_the_grade_that_unjudged_items_have(unjudged, firsts):
    """As for accuracy: b is unjudged and a has the grade 0.5."""
    for ties, first in zip(("best", "worst"), firsts, strict=True):
        scores = rg.evaluate(
            {"q": {"a": 0.5}}, TIED, ["ARP@1", "CG@1"], convention=rg.Convention(ties=ties, unjudged=unjudged),
            side_information=rg.SideInformation(popularity={"a": 1, "b": 2, "c": 4}),
        )  # fmt: skip
        assert scores.mean("ARP@1") == {"a": 1, "b": 2}[first]
        assert scores.mean("CG@1") == (0.5 if first == "a" else float(unjudged if unjudged != "nonrelevant" else 0))


def test_the_mean_over_ties_has_no_closed_form():
    rules = rg.Convention(ties="mean")
    with pytest.raises(rg.ParameterError, match="no closed form"):
        rg.evaluate({"q": {"a": 1}}, TIED, "Entropy@1", convention=rules)

    untied = {"q": {"a": 0.5, "b": 0.4}}
    assert rg.evaluate({"q": {"a": 1}}, untied, "Entropy@1", convention=rules).mean("Entropy@1") == 0


def test_removed_items_do_not_count():
    rules = rg.Convention(unjudged="removed")
    known = rg.SideInformation(popularity={"a": 1, "b": 2, "c": 4})
    scores = rg.evaluate(
        {"q": {"b": 1, "c": 0}}, {"q": ["a", "b", "c"]}, "ARP@1", side_information=known, convention=rules
    )

    assert scores.mean("ARP@1") == 2


@pytest.mark.parametrize(("missing", "expected"), [("zero", 1 / 2), ("skip", 1)])
def test_users_without_a_list(missing, expected):
    rules = rg.Convention(missing=missing)
    scores = rg.evaluate({"u": {"a": 1}, "v": {"a": 1}}, {"v": ["a"]}, ["UserCoverage", "Entropy"], convention=rules)

    assert scores.mean("UserCoverage") == expected
    assert scores.missing == ("u",)


def test_the_interval_of_a_corpus_level_value_contains_it():
    world = ItemWorld(
        lists={f"u{n}": [f"i{n % 7}", f"i{n % 3}x"] for n in range(60)},
        judgments={f"u{n}": {"i0": 1} for n in range(60)},
        items=[*(f"i{n}" for n in range(7)), *(f"i{n}x" for n in range(3)), *"abcde"],
    )
    scores = rg.evaluate(
        world.judgments, world.lists, ["Gini@2", "ItemCoverage@2"], side_information=world.side_information
    )

    low, high = scores.interval("Gini@2")
    assert low < scores.mean("Gini@2") < high
    assert high - low < 0.2
    assert scores.interval("Gini@2") == (low, high)
    narrow = scores.interval("Gini@2", alpha=0.5)
    assert low < narrow.low < narrow.high < high
    assert scores.interval("ItemCoverage@2") == pytest.approx((10 / 15, 10 / 15))  # no sample lacks an item


def test_scores_mark_corpus_level_values():
    scores = rg.evaluate(
        SMALL.judgments, {"one": SMALL.lists}, ["Entropy", "ARP", "nDCG@2"], side_information=SMALL.side_information
    )

    assert scores.to_frame()["metric"].unique(maintain_order=True).to_list() == ["ARP", "nDCG@2"]
    assert scores.to_dict()["systems"]["one"]["mean"]["Entropy"] == pytest.approx(scores.mean("Entropy"))
    assert "–" in scores.document(per_query=True).to_text()
    assert scores.system("one").mean("Entropy") == scores.mean("Entropy")
    assert "all\t1.9219" in scores.to_trec()
    with pytest.raises(rg.ParameterError, match="corpus-level metric"):
        scores["Entropy"]


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ({"features": {"a": [1, 0]}}, "features: 1 of 2 recommended items are missing, first 'b'"),
        ({"features": {"a": [1, 0], "b": [1]}}, "have the same length"),
        ({"features": {"a": [1, math.inf], "b": [1, 2]}}, "item 'a' has a value that is not finite"),
        ({"categories": {"a": "x"}}, "categories: 1 of 2 recommended items are missing"),
        ({"categories": 7}, "categories of type int are not supported"),
    ],
)
def test_tables_that_do_not_match_the_items_are_refused(tables, words):
    with pytest.raises(rg.InputError, match=words):
        rg.evaluate({"u": {"a": 1}}, {"u": ["a", "b"]}, "ILD", side_information=rg.SideInformation(**tables))


@pytest.mark.parametrize(
    ("metric", "tables", "words"),
    [
        ("MIUF", {"training": []}, "training: no interactions"),
        ("MIUF", {"training": 7}, "training of type int is not supported"),
        ("ARP", {"popularity": {"a": "x"}}, "popularity: item 'a' has 'x'"),
        ("ARP", {"popularity": {"a": -1}}, "popularity: item 'a' has -1"),
        ("StRecall", {"subtopics": 7}, "subtopics of type int are not supported"),
        ("StRecall", {"subtopics": "no such file"}, "subtopics: no such file: cannot be read"),
        ("StRecall", {"subtopics": [("q", "s", "a", "x")]}, "subtopics: row 1 is"),
        ("Unexpectedness", {"baseline": 7}, "baseline: a ranking of type int"),
        ("RSP", {"item_groups": {"a": 1}, "training": [("u", "a")]}, "item_groups: 1 of 2 recommended items"),
    ],
)
def test_unreadable_tables_are_refused(metric, tables, words):
    with pytest.raises(rg.InputError, match=words):
        rg.evaluate({"u": {"a": 1}}, {"u": ["a", "b"]}, metric, side_information=rg.SideInformation(**tables))


def test_diversity_judgments_in_every_form(tmp_path):
    path = tmp_path / "diversity.qrels"
    path.write_text("1 s a 1\n1 t b 1\n1 t a 0\n", encoding="utf-8")
    rows = [("1", "s", "a", 1), ("1", "t", "b", 1), ("1", "t", "a", 0)]
    frame = pl.DataFrame(rows, schema=["qid", "subtopic", "docno", "rel"], orient="row")
    for subtopics in (path, str(path), rows, frame, {"1": {"a": {"s": 1, "t": 0}, "b": ["t"]}}):
        scores = rg.evaluate(
            {"1": {"a": 1}},
            {"1": ["a", "c", "b"]},
            "alpha-nDCG@3",
            side_information=rg.SideInformation(subtopics=subtopics),
        )
        assert scores.mean("alpha-nDCG@3") == pytest.approx((1 + 1 / 2) / (1 + 1 / math.log2(3)))


def test_forms_of_tables():
    lists, judgments = {"u": ["a", "b"]}, {"u": {"a": 1}}
    frame = pl.DataFrame({"item": ["a", "b"], "x": [1.0, 0.0], "y": [0.0, 1.0]})
    nested = pl.DataFrame({"item": ["a", "b"], "vector": [[1.0, 0.0], [0.0, 1.0]]})
    pairs = pl.DataFrame({"itemId": ["a", "b"], "genre": [["x"], ["y", "z"]]})
    for tables in (
        {"features": frame}, {"features": frame.to_pandas()}, {"features": nested}, {"features": (["a", "b"], np.eye(2))},
        {"categories": pairs}, {"categories": pairs.explode("genre", empty_as_null=True)}, {"categories": [("a", "x"), ("b", "y")]},
    ):  # fmt: skip
        assert rg.evaluate(judgments, lists, "ILD", side_information=rg.SideInformation(**tables)).mean("ILD") == 1

    log = pl.DataFrame({"user_id": [1, 1, 2], "item_id": ["a", "a", "b"], "when": [7, 8, 9]})
    for training in (log, log.to_pandas(), [(1, "a"), (1, "a"), (2, "b")], {1: ["a"], 2: {"b": 3.5}}):
        assert (
            rg.evaluate(judgments, lists, "MIUF", side_information=rg.SideInformation(training=training)).mean("MIUF")
            == 1
        )


def test_a_log_in_a_file(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("user,item,rating\n1,a,5\n2,b,1\n", encoding="utf-8")
    scores = rg.evaluate({"u": {"a": 1}}, {"u": ["a"]}, "MIUF", side_information=rg.SideInformation(training=path))

    assert scores.mean("MIUF") == 1


def test_the_size_of_the_catalogue_may_be_enough():
    known = rg.SideInformation(items=8)
    assert (
        rg.evaluate(SMALL.judgments, SMALL.lists, "ItemCoverage", side_information=known).mean("ItemCoverage") == 4 / 8
    )
    with pytest.raises(rg.InputError, match="items=3, but the lists have 4 distinct items"):
        rg.evaluate(SMALL.judgments, SMALL.lists, "ItemCoverage", side_information=rg.SideInformation(items=3))


def test_side_information_has_its_own_class():
    with pytest.raises(rg.ParameterError, match=r"side_information must be an rg\.SideInformation"):
        rg.evaluate({"u": {"a": 1}}, {"u": ["a"]}, "ARP", side_information=[("training", [])])
    assert repr(rg.SideInformation(items=3)) == "<SideInformation: items>"


@pytest.mark.parametrize("metric", ["ARP@2", "APLT@2", "ACLT(head=0.3)", "EFD", "PopREO@3"])
def test_counted_popularity_equals_popularity_from_the_log(metric):
    for world in WORLDS[:10]:
        known = rg.SideInformation(popularity=dict(world.users_of))
        scores = rg.evaluate(world.judgments, world.lists, metric, side_information=known, convention=NAN)
        assert agree(scores.per_query(metric) or {"all": scores.mean(metric)}, values(metric, world))


def test_cold_and_warm():
    log = pl.DataFrame({"user": [1, 1, 1, 2], "item": ["a", "b", "b", "a"]})

    assert rg.cold_start(log, ["1", 2, 3], warm=2) == {"1": "warm", 2: "cool", 3: "cold"}
    assert rg.cold_start(log, ["a", "b", "c"], of="item", warm=2) == {"a": "warm", "b": "cool", "c": "cold"}
    assert rg.cold_start([], ["u"]) == {"u": "cold"}
    with pytest.raises(rg.ParameterError, match="warm must be an integer of at least 1"):
        rg.cold_start(log, [], warm=0)


def test_groups_of_users():
    judgments = {user: {"a": 1} for user in "uvwx"}
    scores = rg.evaluate(judgments, {"u": ["a"], "v": ["b", "a"], "w": ["b", "a"], "x": []}, ["RR", "Entropy"])
    gaps = rg.group_gaps(scores, "RR", {"u": 1, "v": 2, "w": 2, "x": 3})

    assert gaps.means == {1: 1, 2: 0.5, 3: 0}
    assert (gaps.worst, gaps.gap, gaps.users) == (3, 1, {1: 1, 2: 2, 3: 1})
    assert gaps.mad == pytest.approx((0.5 + 1 + 0.5) / 3)
    with pytest.raises(rg.InputError, match="user 'u' has no group"):
        rg.group_gaps(scores, "RR", {})
    with pytest.raises(rg.InputError, match="Entropy has no value for each user"):
        rg.group_gaps(scores, "Entropy", {})


def test_flat_arrays_have_no_items():
    with pytest.raises(rg.InputError, match="flat arrays have no item ids"):
        rg.evaluate(np.array([1, 0]), np.array([0.5, 0.2]), "Entropy", groups=[2])


def test_hamming_distance_of_categories_does_not_depend_on_other_lists():
    """Two items of different categories out of three differ in two of three coordinates, whoever else is evaluated."""
    side = rg.SideInformation(categories={"a": "x", "b": "y", "c": "z"})
    metric = "ILD(distance='hamming')"
    for lists in ({"u": ["a", "b"]}, {"u": ["a", "b"], "v": ["c"]}):
        scores = rg.evaluate({user: {"a": 1} for user in lists}, lists, metric, side_information=side)
        assert scores.per_query(metric)["u"] == pytest.approx(2 / 3)


def test_side_information_may_be_a_dict_of_its_tables():
    training = [("u", "a"), ("v", "a")]
    known = rg.SideInformation(training=training)
    tables = {"training": training}
    call = {"u": {"a": 1}}, {"u": ["a"]}, "ARP@1"
    assert rg.evaluate(*call, side_information=tables).mean() == rg.evaluate(*call, side_information=known).mean() == 2
    assert rg.curve(*call, side_information=tables).rows() == rg.curve(*call, side_information=known).rows()
    with pytest.raises(rg.UnknownNameError, match="did you mean 'training'"):
        rg.evaluate(*call, side_information={"traning": training})
