"""Labels of single items with inclusion probabilities, and judges that give probabilities of grades."""

import itertools

import numpy as np
import polars as pl
import pytest

import rankgauge as rg

QUERIES = [f"q{number}" for number in range(60)]
ADDITIVE = ["P@5", "DCG@5", "CG@5", "NumRelRet@5", "P(rel=2)@5", "DCG(gain='exp2')@5", "P", "DCG"]


def grades(random, items=8):
    return {q: {f"d{item}": int(grade) for item, grade in enumerate(random.integers(0, 4, items))} for q in QUERIES}


def runs(random, truth):
    return {
        name: {
            q: [*random.permutation([*items])][: 6 + number]
            for number, (q, items) in enumerate(truth.items())
            for number in [number % 3]
        }
        for name in ("old", "new")
    }


def labels(truth, chances, drawn):
    rows = [(q, item, items[item], chances[q][item]) for q, items in truth.items() for item in items if drawn[q][item]]
    return pl.DataFrame(rows, schema=["query", "item", "grade", "inclusion"], orient="row")


@pytest.fixture(scope="module")
def world():
    random = np.random.default_rng(4)
    truth = grades(random)
    judge = {
        q: {i: int(np.clip(g + random.integers(-1, 2), 0, 3)) for i, g in items.items()} for q, items in truth.items()
    }
    return truth, judge, runs(random, truth), random


def test_all_items_labelled_give_the_value_of_people(world):
    truth, judge, rankings, _ = world
    chances = {q: dict.fromkeys(items, 1.0) for q, items in truth.items()}
    chances["q0"]["d7"] = 0.5  # and the judge is right about it
    everything = {q: dict.fromkeys(items, True) for q, items in truth.items()}
    people = labels(truth, chances, everything)
    judge = {**judge, "q0": {**judge["q0"], "d7": truth["q0"]["d7"]}}
    result = rg.judges.correct(judge, people, rankings, ADDITIVE)
    expected = rg.evaluate(truth, rankings, ADDITIVE)

    assert {*result.items} == {*result.metrics}
    for metric, system in itertools.product(ADDITIVE, rankings):
        found = result.estimate(metric, system)
        assert found.value == pytest.approx(expected.mean(metric, system), abs=1e-9)
        assert found.half_width == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("target", ["these queries", "queries like these"])
def test_the_difference_estimator_is_unbiased_and_covers(world, target):
    truth, judge, rankings, _ = world
    random = np.random.default_rng(11)
    chances = {q: {item: 0.15 + 0.2 * (judge[q][item] >= 2) for item in items} for q, items in truth.items()}
    aim = rg.evaluate(truth, rankings, ["DCG@5", "P@5"])
    truths = {m: (aim.mean(m, "old"), aim.mean(m, "new") - aim.mean(m, "old")) for m in ("DCG@5", "P@5")}
    inside, errors = [], []
    for _ in range(60):
        drawn = {q: {item: random.random() < chance for item, chance in items.items()} for q, items in chances.items()}
        result = rg.judges.correct(judge, labels(truth, chances, drawn), rankings, ["DCG@5", "P@5"], target=target)
        for metric, (value, difference) in truths.items():
            one, two = result.estimate(metric, "old"), result.difference("old", "new", metric)
            inside += [one.low <= value <= one.high, two.low <= difference <= two.high]
            errors.append((one.value - value) / (one.half_width / 2))

    assert np.mean(inside) > 0.88
    assert abs(np.mean(errors)) < 0.35


def test_labels_of_items_are_worth_more_with_a_judge(world):
    truth, judge, rankings, _ = world
    random = np.random.default_rng(12)
    chances = {q: dict.fromkeys(items, 0.3) for q, items in truth.items()}
    drawn = {q: {item: random.random() < 0.3 for item in items} for q, items in truth.items()}
    result = rg.judges.correct(judge, labels(truth, chances, drawn), rankings, "DCG@5")

    assert result.estimate("DCG@5", "old").labels_worth > result.estimate("DCG@5", "old").labels
    assert result.people_only("DCG@5", "old").half_width > result.estimate("DCG@5", "old").half_width
    assert "labelled items with inclusion probabilities" in str(result)


def partly(world):
    truth, judge, rankings, _ = world
    random = np.random.default_rng(13)
    chances = {q: dict.fromkeys(items, 0.3) for q, items in truth.items()}
    drawn = {q: {item: random.random() < 0.3 for item in items} for q, items in truth.items()}
    return judge, labels(truth, chances, drawn), rankings


@pytest.mark.parametrize("metric", ["nDCG@5", "AP", "HR@5", "R@5", "RR", "ERR@5"])
def test_metrics_that_do_not_add_up_over_items_are_refused(world, metric):
    with pytest.raises(rg.ParameterError, match="not a sum over items") as caught:
        rg.judges.correct(*partly(world), metric)
    assert "单个物品" in caught.value.render("zh")


@pytest.mark.parametrize(
    "rules",
    [
        {"unjudged": "removed"},
        {"p_over": "min(k,R)"},
        {"ties": "best"},
        {"rounding": 2},
        {"no_relevant": "skip"},
        {"averaging": "geometric"},
    ],
)
def test_rules_that_break_the_sum_are_refused(world, rules):
    with pytest.raises(rg.ParameterError, match=next(iter(rules))):
        rg.judges.correct(*partly(world), "P@5", convention=rg.Convention(**rules))


def test_every_label_needs_its_probability(world):
    judge, people, rankings = partly(world)
    people = people.with_columns(pl.when(pl.col("item") == "d1").then(None).otherwise("inclusion").alias("inclusion"))

    with pytest.raises(rg.InputError) as caught:
        rg.judges.correct(judge, people, rankings, "P@5")
    assert caught.value.codes == ("RG611",)


def test_a_probability_above_1_is_refused(world):
    judge, people, rankings = partly(world)
    with pytest.raises(rg.InputError) as caught:
        rg.judges.correct(judge, people.with_columns(inclusion=1.5), rankings, "P@5")
    assert caught.value.codes == ("RG611",)


def test_whole_queries_may_have_probabilities_of_their_own(world):
    truth, judge, rankings, _ = world
    chosen = QUERIES[::2]
    chances = {q: dict.fromkeys(items, 0.5) for q, items in truth.items()}
    drawn = {q: dict.fromkeys(items, q in chosen) for q, items in truth.items()}
    weighted = rg.judges.correct(judge, labels(truth, chances, drawn), rankings, "AP")
    plain = rg.judges.correct(judge, {q: truth[q] for q in chosen}, rankings, "AP", sample="random")

    assert weighted.estimate("AP", "old").value == pytest.approx(plain.estimate("AP", "old").value)
    assert weighted.estimate("AP", "old").half_width == pytest.approx(plain.estimate("AP", "old").half_width, rel=0.1)


# Probabilities of grades


def uncertain(world):
    truth, _, rankings, random = world
    rows = []
    for q, items in truth.items():
        for item in [*items][:4]:
            chances = random.dirichlet([1, 1, 1])
            rows += [(q, item, grade, float(chance)) for grade, chance in enumerate(chances)]
    model = pl.DataFrame(rows, schema=["query", "item", "grade", "probability"], orient="row")
    people = {q: {i: min(g, 2) for i, g in [*items.items()][:4]} for q, items in truth.items()}
    return model, people, rankings


def by_enumeration(model, ranking, metric, query, fixed=None):
    """Return the expected value of one query over all grades of its items."""
    own = model.filter(pl.col("query") == query)
    parts = [
        part.select("item", "grade", "probability").rows() for part in own.partition_by("item", maintain_order=True)
    ]
    total = 0.0
    for world in itertools.product(*parts):
        judged = {item: grade for item, grade, _ in world}
        value = rg.evaluate({query: judged}, {query: ranking[query]}, metric).mean(metric)
        if fixed is not None:  # AP with R relevant items, whatever the world
            value = value * sum(grade >= 1 for grade in judged.values()) / fixed
        total += value * float(np.prod([chance for _, _, chance in world]))
    return total


@pytest.mark.parametrize("metric", ["P@3", "DCG@3", "CG@3", "DCG(gain='exp2')", "P(rel=2)@3", "RR", "RR(rel=2)@3"])
def test_expected_values_are_those_of_all_grades(world, metric):
    model, people, rankings = uncertain(world)
    result = rg.judges.correct(model, people, rankings, metric, sample="random")
    values = result.model[rg.parse(metric), "old"].value

    assert result.expected
    for number in range(3):
        expected = by_enumeration(model, rankings["old"], metric, QUERIES[number])
        assert values[number] == pytest.approx(expected, abs=1e-12)


def test_expected_average_precision_divides_by_the_expected_number_of_relevant_items(world):
    model, people, rankings = uncertain(world)
    values = rg.judges.correct(model, people, rankings, "AP", sample="random").model[rg.AP, "old"].value
    relevant = model.filter(pl.col("grade") >= 1).group_by("query").agg(pl.col("probability").sum())
    for number in range(3):
        fixed = relevant.filter(pl.col("query") == QUERIES[number])["probability"].item()
        assert values[number] == pytest.approx(by_enumeration(model, rankings["old"], "AP", QUERIES[number], fixed))


def test_what_has_no_exact_expectation_is_refused(world):
    model, people, rankings = uncertain(world)
    for metric, rules in (("nDCG@5", {}), ("AP", {"ap_over": "hits"}), ("RR", {"rr_of": "best"})):
        with pytest.raises(rg.ParameterError, match="probability for each grade"):
            rg.judges.correct(model, people, rankings, metric, convention=rg.Convention(**rules), sample="random")


def test_independence_is_printed(world):
    model, people, rankings = uncertain(world)
    assert "independent" in str(rg.judges.correct(model, people, rankings, "RR", sample="random"))


def test_probabilities_must_add_up_to_1(world):
    model, people, rankings = uncertain(world)
    with pytest.raises(rg.InputError) as caught:
        rg.judges.correct(model.filter(pl.col("grade") > 0), people, rankings, "P@3")
    assert caught.value.codes == ("RG612",)
