"""Labels of the top of the lists where the judge judged more: sheets that hold it, warnings, and files in wrong order."""

import json
import random
import re
import warnings

import numpy as np
import pytest

import rankgauge as rg
from command_line import here

DEPTH = 5


class World:
    """Grades by people and by a judge that errs, of 12 items for each query, and two lists of 8 items."""

    def __init__(self, queries=120, seed=3):
        draw = random.Random(seed)
        self.truth = {f"q{n}": {f"d{i}": draw.choice([0, 0, 0, 1, 1, 2]) for i in range(12)} for n in range(queries)}
        self.judge = {
            q: {item: max(0, min(2, grade + draw.choice([-1, 0, 0, 0, 1]))) for item, grade in grades.items()}
            for q, grades in self.truth.items()
        }
        self.runs = {
            name: {
                q: sorted(grades, key=lambda item: -(grades[item] + noise * draw.random()))[:8]
                for q, grades in self.truth.items()
            }
            for name, noise in (("old", 5), ("new", 4))
        }

    def drawn(self, seed, count=30):
        return random.Random(seed).sample(sorted(self.truth), count)

    def top(self, queries):
        """Labels of the top of the lists."""
        return {
            q: {item: self.truth[q][item] for run in self.runs.values() for item in run[q][:DEPTH]} for q in queries
        }


@pytest.fixture(scope="module")
def world():
    return World()


def pool(world, metric, seed=0, **options):
    given = {"purpose": "correct", "model": world.judge, "budget": 300, "max_grade": 2} | options
    return rg.pool(world.runs, metric=metric, seed=seed, **given)


@pytest.mark.parametrize("metric", ["nDCG@5", "R@5", "AP", "bpref", "Rprec"])
def test_a_sample_holds_all_that_the_judge_judged_if_the_metric_reads_it(world, metric):
    chosen = pool(world, metric)

    by_query = chosen.frame.group_by("query").len()
    assert {*by_query["len"]} == {12}
    assert by_query.height == 25  # 300 pairs
    tops = {(q, i) for run in world.runs.values() for q in by_query["query"] for i in run[q][: chosen.depth]}
    assert chosen.outlook.below == len({*chosen.pairs()} - tops) > 0
    assert f"{chosen.outlook.below} pairs below that depth" in chosen.document().to_text()
    assert f"判断过的 {chosen.outlook.below} 对" in chosen.document("zh").to_text()


@pytest.mark.parametrize("options", [{"metric": "P@5"}, {"metric": "DCG@5"}, {"metric": "R@5", "model": None}])
def test_a_sample_holds_the_top_alone_if_nothing_else_can_matter(world, options):
    chosen = pool(world, **options)

    tops = {(q, i) for run in world.runs.values() for q, items in run.items() for i in items[:DEPTH]}
    assert {*chosen.pairs()} <= tops
    assert chosen.outlook.below == 0


def test_a_sample_leaves_out_what_is_judged_already(world):
    judged = {q: {"d0": grades["d0"]} for q, grades in world.truth.items()}
    chosen = pool(world, "R@5", judgments=judged)

    assert "d0" not in {*chosen.frame["item"]}
    assert {*chosen.frame.group_by("query").len()["len"]} == {11}


def test_ids_of_another_type_are_the_same_items():
    runs = {"a": {n: [1, 2, 3] for n in range(30)}, "b": {n: [2, 1, 4] for n in range(30)}}
    model = {str(n): {str(i): (n + i) % 3 for i in range(1, 8)} for n in range(30)}
    chosen = rg.pool(runs, purpose="correct", model=model, metric="R@2", budget=70)

    assert {*chosen.frame.group_by("query").len()["len"]} == {7}


@pytest.mark.parametrize("metric", ["R@5", "nDCG@5"])
def test_sheets_of_a_pool_correct_without_bias(world, metric):
    truth = rg.evaluate(world.truth, world.runs, metric).mean(metric, "new")
    errors, covered = [], []
    for seed in range(25):
        chosen = pool(world, metric, seed)
        rows = [row | {"grade": world.truth[row["query"]][row["item"]]} for row in chosen.sheet(repeats=0).to_dicts()]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = rg.judges.correct(
                world.judge, chosen.labels([r | {"rater": "Anna"} for r in rows]), world.runs, metric
            )
        found = result.estimate(metric, "new")
        errors.append(found.value - truth)
        covered.append(found.low <= truth <= found.high)
        assert result.labelled_in_part == {}

    assert abs(np.mean(errors)) < 3 * np.std(errors, ddof=1) / 5
    assert np.mean(covered) >= 0.84


def test_labels_of_the_top_alone_are_a_warning_and_another_target(world):
    metrics = ["nDCG@5", "R@5", "P@5"]
    with pytest.warns(rg.DataWarning, match=r"R@5 in 30 labelled queries.*RG613"):
        result = rg.judges.correct(world.judge, world.top(world.drawn(1)), world.runs, metrics, sample="random")

    assert {str(metric): count for metric, count in result.labelled_in_part.items()}["R@5"] == 30
    assert "P@5" not in map(str, result.labelled_in_part)
    assert result.to_dict()["labelled_in_part"]["R@5"] == 30
    assert re.search(r"For nDCG@5, R@5 with the labelled items only", result.document().to_text())
    assert "nDCG@5, R@5 只计有标签的物品" in result.document("zh").to_text()


def test_compare_says_that_labels_are_of_the_top_alone(world):
    with pytest.warns(rg.DataWarning, match="RG613"):
        found = rg.compare(world.judge, world.runs, "R@5", people=world.top(world.drawn(1)))

    assert "with the labelled items only" in found.document().to_text()


def test_the_command_compare_warns_even_if_quiet(world, tmp_path):
    files = {"judge": world.judge, "people": world.top(world.drawn(1)), **world.runs}
    for name, content in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    paths = {name: tmp_path / f"{name}.json" for name in files}
    given = paths["judge"], paths["old"], paths["new"], "-m", "R@5", "--people", paths["people"], "--quiet"

    assert here("compare", *given).err.count("RG613") == 1


def test_labels_of_every_item_give_no_warning(world):
    people = {q: world.truth[q] for q in world.drawn(1)}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = rg.judges.correct(world.judge, people, world.runs, ["nDCG@5", "R@5"], sample="random")

    assert "labelled items only" not in result.document().to_text()


def test_files_in_the_wrong_order_are_refused(world):
    people = {q: world.truth[q] for q in world.drawn(1)}
    with pytest.raises(rg.InputError, match="people labelled 120 queries, among them 30") as caught:
        rg.judges.correct(people, world.judge, world.runs, "P@5")

    assert caught.value.codes == ("RG621",)
    with pytest.raises(rg.InputError, match="RG621"):
        rg.judges.rate(people, world.judge, rel=1)


def test_labels_of_all_queries_of_the_judge_and_no_other_are_accepted(world):
    result = rg.judges.correct(world.judge, world.truth, world.runs, "P@5")

    assert result.label_counts[rg.parse("P@5")] == 120


def test_a_judge_that_widens_the_interval_is_named(world):
    draw = random.Random(1)
    useless = {q: {item: draw.choice([0, 1, 2]) for item in grades} for q, grades in world.truth.items()}
    people = {q: world.truth[q] for q in world.drawn(4)}
    result = rg.judges.correct(useless, people, world.runs, "P@5", sample="random")
    wider = [name for name in world.runs if result.estimate("P@5", name).labels_worth < 30]
    text = result.document().to_text()

    assert wider
    assert f"For {', '.join(f'P@5 {name}' for name in wider)} the labels are worth fewer than there are" in text
    assert "仅用人的标签，区间更窄" in result.document("zh").to_text()
    good = rg.judges.correct(world.judge, people, world.runs, "P@5", sample="random")
    assert "worth fewer" not in good.document().to_text()


def filled(world, sheet, unrateable=()):
    """Rows of a sheet with the grades of people."""
    pairs = {*unrateable}
    return [
        row
        | {"grade": "u" if (row["query"], row["item"]) in pairs else world.truth[row["query"]][row["item"]]}
        | {"rater": "Anna"}
        for row in sheet.to_dicts()
    ]


@pytest.mark.parametrize("options", [{"purpose": "compare"}, {"purpose": "find"}])
def test_labels_of_pairs_that_are_not_a_sample_are_refused(world, options):
    people = filled(world, rg.pool(world.runs, metric="P@5", budget=200, max_grade=2, **options).sheet(repeats=0))

    for call in (
        lambda: rg.judges.correct(world.judge, people, world.runs, "P@5"),
        lambda: rg.judges.rate(world.judge, people),
    ):
        with pytest.raises(rg.InputError, match="not a sample") as caught:
            call()
        assert caught.value.codes == ("RG605",)


def test_a_depth_pool_without_some_answers_has_labelled_queries(world):
    pool = rg.pool(world.runs, metric="P@5", depth=5, max_grade=2)
    people = filled(world, pool.sheet(repeats=0), [pair for pair in pool.pairs() if pair[0] == "q7"][:1])
    result = rg.judges.correct(world.judge, people, world.runs, "P@5")

    assert not result.items
    assert result.label_counts[result.metrics[0]] == len(world.truth) - 1
    truth = rg.evaluate(world.truth, world.runs, "P@5").mean("P@5", "old")
    assert result.estimate("P@5", "old").value == pytest.approx(truth, abs=0.01)
