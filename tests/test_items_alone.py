"""Metrics of items that read no grades: same values without matching, and without sorting the log."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg

ITEMS = 12
NEEDED_NO_MORE = {"RG305", "RG404", "RG407", "RG408", "RG409"}
"""Findings about copies below the cutoff and about relevance, which only concern metrics that read grades."""
WITHOUT_GRADES = {
    name: metric
    for name, metric in rg.metrics().items()
    if metric.definition.of_items and not metric.definition.of_spans and metric.definition.grades is False
}
RULES = {
    "default": rg.Convention(),
    "missing skipped": rg.Convention(missing="skip", undefined="skip"),
    "copies keep places": rg.Convention(duplicates="first", ties="input"),
    "copies close up": rg.Convention(duplicates="close-up", ties="input-reversed"),
    "copies again": rg.Convention(duplicates="again", ties="random"),
    "distinct items": rg.Convention(duplicates="set"),
    "single precision": rg.Convention(score_precision="float32", duplicates="close-up"),
    "unjudged graded": rg.Convention(unjudged=0, duplicates="close-up"),
    "best ties": rg.Convention(ties="best", duplicates="close-up"),
    "judged only": rg.Convention(unjudged="removed", duplicates="close-up"),
    "relevant only": rg.Convention(no_relevant="skip", duplicates="close-up"),
    "short lists": rg.Convention(short_list="zero", duplicates="close-up"),
}
Row = tuple[Any, Any, float]


def random_rows(seed: int, *, repeats: bool) -> tuple[list[Row], list[Row]]:
    """Judgments and a ranking: ties, users on one side only, rows in any order, ids as integers or text."""
    chance = np.random.default_rng(seed)
    name = str if chance.random() < 0.5 else int
    judgments, ranking = [], []
    for user in range(8):
        if user != 6:
            judged = chance.choice(ITEMS, chance.integers(1, 5), replace=False)
            judgments += [(name(user), name(item), int(chance.integers(0, 3))) for item in judged]
        if user != 5:
            returned = chance.choice(ITEMS, chance.integers(1, ITEMS), replace=repeats)
            scores = np.round(chance.random(len(returned)), 1 if chance.random() < 0.5 else 9)
            if chance.random() < 0.5:
                scores = -np.sort(-scores)
            ranking += [(name(user), name(item), float(score)) for item, score in zip(returned, scores, strict=True)]
    if chance.random() < 0.5:
        ranking = [ranking[place] for place in chance.permutation(len(ranking))]
    return judgments, ranking


def side_information(seed: int) -> rg.SideInformation:
    chance = np.random.default_rng(seed)
    log = [(user, item) for user, item in product(range(9), range(ITEMS)) if chance.random() < 0.3]
    return rg.SideInformation(
        items=range(ITEMS),
        training=log,
        baseline={user: [1, 2, user] if user > 2 else [1] for user in range(8)},
        features=chance.integers(0, 3, (ITEMS, 4)).astype(float),
        categories={item: [item % 3, item % 2 + 5] for item in range(ITEMS)},
        item_groups={item: item % 3 for item in range(ITEMS)},
    )


def as_frame(rows: list[Row], number: str) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["user", "item", number], orient="row")


def evaluated(judgments: Any, ranking: Any, metrics: list[Any], of: list[Any], **options: Any) -> tuple[Any, Any]:
    """Return the values ``of`` some of the metrics and the number of findings of each code, or the text of the error."""
    try:
        scores = rg.evaluate(judgments, ranking, metrics, **options)
    except rg.RankgaugeError as error:
        return str(error), {}
    values = {str(metric): (scores.per_query(metric), scores.mean(metric)) for metric in of}
    return repr(values), {finding.code: finding.count for finding in scores.findings}


@pytest.mark.parametrize("rules", RULES)
def test_values_do_not_depend_on_whether_another_metric_reads_grades(rules, tmp_path):
    """Without a metric that reads grades tables are not joined; nDCG and EPC at the same cutoff need the join."""
    for seed, (k, repeats) in enumerate(product((1, 3, 50, None), (False, RULES[rules].duplicates != "error"))):
        judgments, ranking = random_rows(seed, repeats=repeats)
        metrics = [metric if k is None else metric @ k for metric in [*WITHOUT_GRADES.values()][seed % 2 :: 2]]
        options = {"side_information": side_information(seed), "convention": RULES[rules]}
        frames = as_frame(judgments, "grade"), as_frame(ranking, "score")
        forms: list[tuple[Any, Any]] = [frames]
        if k == 1:
            forms.append((judgments, ranking))
        if k == 3:
            forms.append((tmp_path / "qrels.csv", tmp_path / "run.csv"))
            for frame, path in zip(*forms, strict=True):
                frame.write_csv(path)
        for form in forms:
            others = [metric if k is None else metric @ k for metric in (rg.nDCG, rg.EPC)]
            together, found = evaluated(*form, [*metrics, *others], of=metrics, **options)
            alone, found_alone = evaluated(*form, metrics, of=metrics, **options)
            assert alone == together
            assert found_alone.items() <= found.items()
            assert found.keys() - found_alone.keys() <= NEEDED_NO_MORE


def test_copies_below_the_cutoff_are_not_searched():
    """A repetition within the top k is an error; below it no metric of the call can change."""
    truth = as_frame([(1, 5, 1)], "grade")
    top, below = ([(1, item, -place) for place, item in enumerate(items)] for items in ([7, 7, 8], [7, 8, 8]))
    side = rg.SideInformation(items=10)
    with pytest.raises(rg.InputError, match="returned more than once"):
        rg.evaluate(truth, as_frame(top, "score"), "ItemCoverage@2", side_information=side)
    assert (
        rg.evaluate(truth, as_frame(below, "score"), "ItemCoverage@2", side_information=side).mean("ItemCoverage@2")
        == 0.2
    )
    with pytest.raises(rg.InputError, match="returned more than once"):
        rg.evaluate(truth, as_frame(below, "score"), ["ItemCoverage@2", "P@2"], side_information=side)


@pytest.mark.parametrize("form", [dict, pl.DataFrame])
def test_findings_about_relevance_need_a_metric_that_reads_it(form):
    truth = {user: {f"d{user}": 0} for user in range(12)}
    ranking = {user: [f"e{place}" for place in range(20)] for user in range(12)}
    if form is pl.DataFrame:
        truth = as_frame([(user, f"d{user}", 0) for user in range(12)], "grade")
        ranking = as_frame(
            [(user, item, -place) for user, items in ranking.items() for place, item in enumerate(items)], "score"
        )
    alone, together = (rg.evaluate(truth, ranking, metrics) for metrics in ("Entropy@3", ["Entropy@3", "P@3"]))
    assert not {finding.code for finding in alone.findings} & NEEDED_NO_MORE
    assert {finding.code for finding in together.findings} >= {"RG404", "RG408"}
    assert (alone.without_relevant, len(together.without_relevant)) == ((), 12)
    assert alone.mean("Entropy@3") == together.mean("Entropy@3")


def test_metric_of_items_reads_grades_unless_it_declares_otherwise():
    """A kernel of one's own that reads grades without a parameter for them keeps its values."""

    @rg.metric(needs=())
    def GradeSum(lists, *, k: rg.Cutoff = None):
        """The sum of the grades."""
        return rg.total(lists, k, grade=lists.grade)

    try:
        truth, ranking = as_frame([(1, 5, 3)], "grade"), as_frame([(1, 5, 0.5), (1, 6, 0.4)], "score")
        assert rg.evaluate(truth, ranking, "GradeSum@2").mean("GradeSum@2") == 3.0
    finally:
        rg.unregister("GradeSum")
    assert {"ItemCoverage", "ARP", "MIUF", "ILD", "Unseen"} <= WITHOUT_GRADES.keys()
    assert not {"Serendipity", "PopREO", "PooledAUC", "alpha_nDCG"} & WITHOUT_GRADES.keys()


@pytest.mark.parametrize("name", [int, str])
@pytest.mark.parametrize("order", ["sorted", "by user", "repeated", "shuffled"])
def test_log_counts_a_pair_once_in_every_order(order, name):
    """A log whose pairs are known to be distinct is not sorted; the values are those of its rows in any other form."""
    chance = np.random.default_rng(3)
    log = [(user, item) for user, item in product(range(30), range(ITEMS)) if chance.random() < 0.4]
    if order == "by user":
        log = sorted(log, key=lambda pair: (pair[0] * 7 % 30, -pair[1]))
    elif order == "repeated":
        log = sorted([*log, *log[::5]])
    elif order == "shuffled":
        log = [log[place] for place in chance.permutation(len(log))]
    log = [(name(user), name(item)) for user, item in log]
    judgments, ranking = random_rows(1, repeats=False)
    metrics = [
        "ARP@3",
        "ARP(unit='users')@3",
        "ARP(unit='interactions')@3",
        "MIUF@3",
        "APLT@3",
        "Unseen@3",
        "PopRSP@3",
        "Gini@3",
    ]
    distinct = sorted({*log}, key=lambda pair: (int(pair[0]), int(pair[1])))
    forms = pl.DataFrame(log, schema=["user", "item"], orient="row"), log, distinct
    scores = [
        rg.evaluate(judgments, ranking, metrics, side_information=rg.SideInformation(training=form)) for form in forms
    ]
    assert len({repr([values.mean(metric) for metric in metrics]) for values in scores}) == 1
