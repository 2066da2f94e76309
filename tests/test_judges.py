"""Judges: agreement, corrected metrics, and what is refused."""

import json
import warnings

import numpy as np
import polars as pl
import pytest

import rankgauge as rg

QUERIES = [f"q{number:03}" for number in range(120)]
METRICS = ["nDCG@10", "P@5", "AP"]


class World:
    """Grades by people of every item, grades of a judge that errs, two systems, and some labelled queries."""

    def __init__(self, seed=0, labelled=40, queries=QUERIES, items=15):
        random = np.random.default_rng(seed)
        self.truth = {
            q: dict(
                zip(map(str, range(items)), random.choice(4, items, p=[0.5, 0.25, 0.15, 0.1]).tolist(), strict=True)
            )
            for q in queries
        }
        self.judge = {
            q: {item: int(np.clip(grade + random.integers(-1, 2), 0, 3)) for item, grade in grades.items()}
            for q, grades in self.truth.items()
        }
        self.runs = {
            name: {q: self.order(grades, noise, random) for q, grades in self.truth.items()}
            for name, noise in (("old", 3.0), ("new", 1.0))
        }
        self.chosen = {*random.choice(queries, labelled, replace=False).tolist()}
        self.people = {q: grades for q, grades in self.truth.items() if q in self.chosen}

    @staticmethod
    def order(grades, noise, random):
        return sorted(grades, key=lambda item: -(grades[item] + noise * random.standard_normal()))


@pytest.fixture(scope="module")
def world():
    return World()


@pytest.fixture(scope="module")
def corrected(world):
    return rg.judges.correct(world.judge, world.people, world.runs, METRICS)


# Agreement


def test_numbers_of_an_agreement_work_as_floats(world):
    found = rg.judges.agreement(world.truth, world.judge)

    assert float(found.kappa) == found.kappa.value
    assert found.kappa.low < found.kappa.value < found.kappa.high
    assert found.queries == len(QUERIES)


def test_agreement_is_of_the_pairs_that_both_graded(world):
    found = rg.judges.agreement(world.people, world.judge)
    first = [grade for q in world.people for grade in world.people[q].values()]
    second = [world.judge[q][item] for q in world.people for item in world.people[q]]

    assert found.pairs.height == len(first)
    assert found.kappa_quadratic.value == pytest.approx(rg.stats.cohen_kappa(first, second, "quadratic"))
    assert found.alpha("interval").value == pytest.approx(
        rg.stats.krippendorff_alpha(np.column_stack([first, second]), "interval")
    )


def test_confusion_has_a_row_for_each_grade_of_the_first_rater():
    found = rg.judges.agreement({"q": {"a": 0, "b": 1, "c": 1}}, {"q": {"a": 1, "b": 1, "c": 0}})

    assert found.confusion.rows() == [("0", 0, 1), ("1", 1, 1)]


def test_agreement_at_a_threshold():
    people = {"q": {"a": 0, "b": 1, "c": 2, "d": 2}, "r": {"a": 0, "b": 2}}
    judge = {"q": {"a": 2, "b": 0, "c": 2, "d": 0}, "r": {"a": 0, "b": 3}}
    at = rg.judges.agreement(people, judge).at(2)

    assert float(at.sensitivity) == pytest.approx(2 / 3)
    assert float(at.specificity) == pytest.approx(2 / 3)
    assert (at.first_rate, at.second_rate) == (0.5, 0.5)


def test_intervals_resample_queries_not_pairs(world):
    whole = rg.judges.agreement(world.truth, world.judge).kappa
    copies = {f"{q}-{n}": grades for n in range(4) for q, grades in world.truth.items()}
    judged = {f"{q}-{n}": grades for n in range(4) for q, grades in world.judge.items()}
    inside = {
        q: {f"{item}-{n}": grade for n in range(4) for item, grade in grades.items()}
        for q, grades in world.truth.items()
    }
    judged_inside = {
        q: {f"{item}-{n}": grade for n in range(4) for item, grade in grades.items()}
        for q, grades in world.judge.items()
    }

    assert rg.judges.agreement(copies, judged).kappa.half_width == pytest.approx(whole.half_width / 2, rel=0.1)
    assert rg.judges.agreement(inside, judged_inside).kappa.half_width == pytest.approx(whole.half_width, rel=0.05)


def test_a_table_with_raters_holds_several():
    rows = [
        ("q", item, rater, grade) for item in "abcd" for rater, grade in (("ann", 1), ("bo", item > "b"), ("cy", 1))
    ]
    table = pl.DataFrame(rows, schema=["query", "item", "rater", "grade"], orient="row")
    found = rg.judges.agreement(table)

    assert found.raters == ("ann", "bo", "cy")
    assert found.percent.value == pytest.approx(np.mean([1 / 3, 1 / 3, 1, 1]))
    with pytest.raises(rg.ParameterError, match="two raters"):
        _ = found.confusion


def test_agreement_between_people_is_reported_with_that_of_the_judge():
    rows = [("q", item, rater, int(grade)) for item in "abcd" for rater, grade in (("ann", 1), ("bo", item > "b"))]
    table = pl.DataFrame(rows, schema=["query", "item", "rater", "grade"], orient="row")
    found = rg.judges.agreement(table, {"q": dict.fromkeys("abcd", 1)})

    assert found.between_people is not None
    assert found.between_people.raters == ("ann", "bo")


@pytest.mark.parametrize(
    ("combine", "grade"), [("majority", 2), ("mean", 1.5), ("optimistic", 3), ("pessimistic", 0), ("adjudicated", 3)]
)
def test_grades_of_several_people_are_combined(combine, grade):
    rows = [("q", "a", rater, g) for rater, g in (("ann", 0), ("bo", 2), ("cy", 2), ("adjudicator", 3))]
    rows = rows[:3] + rows[3:] if combine == "adjudicated" else [*rows[:3], ("q", "a", "dan", 2)]
    if combine == "optimistic":
        rows[3] = ("q", "a", "dan", 3)
    labels = rg.judges.Labels(
        pl.DataFrame(rows, schema=["query", "item", "rater", "grade"], orient="row").with_columns(
            pl.col("grade").cast(pl.Float64), inclusion=None
        )
    )

    assert labels.combined(combine)["grade"].item() == grade


def test_a_tie_of_raters_goes_to_the_lower_grade():
    people = pl.DataFrame({"query": ["q", "q"], "item": ["a", "a"], "rater": ["x", "y"], "grade": [0, 3]})

    assert rg.judges.agreement(people, {"q": {"a": 0}}).pairs["grade_1"].to_list() == [0.0]


def test_disagreement_without_adjudication_stays_unjudged():
    rows = [("q", "a", "x", 0), ("q", "a", "y", 1), ("q", "b", "x", 1), ("q", "b", "y", 1)]
    people = pl.DataFrame(rows, schema=["query", "item", "rater", "grade"], orient="row")
    found = rg.judges.agreement(people, {"q": {"a": 0, "b": 1}}, combine="adjudicated")

    assert found.pairs["item"].to_list() == ["b"]


def test_an_unrateable_item_is_not_grade_0():
    people = pl.DataFrame(
        {"query": ["q"] * 3, "item": ["a", "b", "c"], "rater": ["x"] * 3, "grade": ["0", "unrateable", "1"]}
    )
    found = rg.judges.agreement(people, {"q": {"a": 0, "b": 1, "c": 1}})

    assert found.pairs["item"].to_list() == ["a", "c"]
    assert [finding.code for finding in found.findings] == ["RG608"]


def test_bias_by_grade_is_corrected_by_holm(world):
    biases = rg.judges.agreement(world.truth, world.judge).bias_by_grade

    assert [bias.group for bias in biases] == ["0", "1", "2", "3"]
    assert biases[0].difference.value > 0 > biases[-1].difference.value
    assert all(bias.p < 1e-6 for bias in (biases[0], biases[-1]))


def test_an_agreement_is_rendered_in_both_languages_and_json(world):
    found = rg.judges.agreement(world.people, world.judge)

    assert "kappa" in str(found)
    assert "人 与 评判模型 的一致性" in found.document("zh").to_text()
    assert json.dumps(found.to_dict())


# Corrected metrics


def test_the_estimate_is_the_regression_of_the_values_by_people_on_those_by_the_judge(world, corrected):
    model = rg.evaluate(world.judge, world.runs, METRICS)
    people = rg.evaluate(world.truth, world.runs, METRICS)
    labelled = np.array([q in world.chosen for q in model.queries])
    for metric in METRICS:
        for system in world.runs:
            labels = np.where(labelled, people.values(metric, system), np.nan)
            expected = rg.stats.two_phase_mean(labels, model.values(metric, system))
            found = corrected.estimate(metric, system)
            assert [found.value, found.low, found.high] == pytest.approx(expected[:3], abs=1e-12)


def test_people_alone_have_nothing_unseen(world, corrected):
    """Their variance is that of a simple random sample of these queries."""
    values = rg.evaluate(world.people, world.runs, "AP").values("AP", "new")
    found = corrected.people_only("AP", "new")
    assert found.value == pytest.approx(values.mean())
    assert found.variance == pytest.approx(values.var(ddof=1) * (1 / 40 - 1 / 120), rel=1e-12)


def test_a_difference_is_corrected_as_one(world, corrected):
    model, people = (rg.evaluate(side, world.runs, "AP") for side in (world.judge, world.truth))
    labelled = np.array([q in world.chosen for q in model.queries])
    y, f = (scores.values("AP", "new") - scores.values("AP", "old") for scores in (people, model))
    expected = rg.stats.two_phase_mean(np.where(labelled, y, np.nan), f)

    found = corrected.difference("old", "new", "AP")
    assert [found.value, found.low, found.high] == pytest.approx(expected[:3], abs=1e-12)
    backwards = corrected.difference("new", "old", "AP")
    assert (backwards.value, backwards.low) == pytest.approx((-found.value, -found.high))


def test_people_alone_have_the_same_target(world, corrected):
    people = rg.evaluate(world.people, world.runs, "AP").values("AP", "old")
    alone = corrected.people_only("AP", "old")
    error = people.std(ddof=1) * np.sqrt(1 / 40 - 1 / 120)

    assert alone.value == pytest.approx(people.mean())
    assert alone.variance == pytest.approx(error**2)
    assert alone.labels_worth == pytest.approx(40)


def test_labels_worth_is_what_people_alone_would_need(world, corrected):
    found = corrected.estimate("AP", "old")
    spread = rg.evaluate(world.people, world.runs, "AP").values("AP", "old").var(ddof=1)

    assert spread * (1 / found.labels_worth - 1 / 120) == pytest.approx(found.variance)


def test_the_model_alone_is_its_mean(world, corrected):
    assert corrected.model_only("AP", "new").value == pytest.approx(
        rg.evaluate(world.judge, world.runs, "AP").mean("AP", "new")
    )


def test_a_perfect_judge_of_these_queries_has_no_error(world):
    result = rg.judges.correct(world.truth, world.people, world.runs, METRICS)
    truth = rg.evaluate(world.truth, world.runs, METRICS)

    for metric in METRICS:
        found = result.estimate(metric, "old")
        assert found.low == found.high == pytest.approx(truth.mean(metric, "old"), abs=1e-14)
        assert found.labels_worth == pytest.approx(len(QUERIES))
        assert result.difference("old", "new", metric).half_width == 0


def test_an_interval_without_width_says_what_it_does_not_know(world):
    people = {query: world.judge[query] for query in list(world.judge)[:30]}
    result = rg.judges.correct(world.judge, people, world.runs, "P@5", sample="random")

    assert "up to 10% (95 % upper limit)" in str(result)
    assert "至多可能有 10% 出错" in str(result.document("zh"))
    assert "no width" not in str(
        rg.judges.correct(world.judge, people, world.runs, "P@5", sample="random", target="queries like these")
    )


def test_queries_like_these_keep_the_error_of_the_sample_of_queries(world, corrected):
    wider = rg.judges.correct(world.judge, world.people, world.runs, METRICS, target="queries like these")

    assert wider.estimate("AP", "old").value == corrected.estimate("AP", "old").value
    assert wider.estimate("AP", "old").half_width > corrected.estimate("AP", "old").half_width
    assert "queries like these" in str(wider)


def test_ppi_is_an_estimator(world):
    result = rg.judges.correct(
        world.judge, world.people, world.runs, "AP", estimator="ppi++", target="queries like these"
    )
    model, people = (rg.evaluate(side, world.runs, "AP").values("AP", "old") for side in (world.judge, world.truth))
    labelled = np.array([q in world.chosen for q in QUERIES])
    found = result.estimate("AP", "old")

    expected = rg.stats.ppi_mean(np.where(labelled, people, np.nan), model)
    assert [found.value, found.low, found.high] == pytest.approx(expected[:3], abs=1e-12)


@pytest.mark.parametrize(
    "rules",
    [
        {"undefined": "skip"},
        {"missing": "skip"},
        {"averaging": "weighted"},
        {"averaging": "pooled"},
        {"averaging": "geometric"},
        {"gain": "exp2", "ties": "mean"},
        {"no_relevant": "skip", "rel": 3},
    ],
)
def test_every_convention_gives_the_value_of_people_if_the_judge_is_perfect(world, rules):
    convention = rg.Convention(**rules)
    weights = {q: 1.0 + number % 3 for number, q in enumerate(QUERIES)} if "weighted" in rules.values() else None
    runs = {name: {q: items for q, items in run.items() if q != "q003"} for name, run in world.runs.items()}
    metrics = ["nDCG@10", "P@5"]
    result = rg.judges.correct(world.truth, world.people, runs, metrics, convention=convention, weights=weights)
    truth = rg.evaluate(world.truth, runs, metrics, convention=convention, weights=weights)

    for metric in metrics:
        found = result.estimate(metric, "new")
        assert found.value == pytest.approx(truth.mean(metric, "new"), abs=1e-9)
        assert found.half_width == pytest.approx(0, abs=1e-7)


def test_counts_are_added_up(world):
    result = rg.judges.correct(world.truth, world.people, world.runs, "NumRelRet@5")

    assert result.estimate("NumRelRet@5", "old").value == pytest.approx(
        rg.evaluate(world.truth, world.runs, "NumRelRet@5").mean("NumRelRet@5", "old")
    )


def test_only_the_top_k_needs_labels(world):
    top = {q: {i for run in world.runs.values() for i in run[q][:5]} for q in world.people}
    people = {q: {i: g for i, g in grades.items() if i in top[q]} for q, grades in world.people.items()}

    result = rg.judges.correct(world.judge, people, world.runs, "P@5")
    assert result.label_counts == {rg.parse("P@5"): 40}
    assert (
        result.estimate("P@5", "old").value
        == rg.judges.correct(world.judge, world.people, world.runs, "P@5").estimate("P@5", "old").value
    )


def test_strata_and_clusters_by_query(world):
    strata = {q: "ab"[number % 2] for number, q in enumerate(QUERIES)}
    by_strata = rg.judges.correct(world.judge, world.people, world.runs, "AP", strata=strata)
    by_clusters = rg.judges.correct(world.judge, world.people, world.runs, "AP", clusters={q: q[:-1] for q in QUERIES})

    assert by_strata.estimate("AP", "old").half_width > 0
    assert by_clusters.estimate("AP", "old").value == pytest.approx(
        rg.judges.correct(world.judge, world.people, world.runs, "AP").estimate("AP", "old").value
    )
    with pytest.raises(rg.InputError, match="has no value"):
        rg.judges.correct(world.judge, world.people, world.runs, "AP", strata={"q001": "a"})


def test_a_slice_is_the_result_on_its_queries(world):
    attributes = {q: {"lang": "zh" if number % 3 else "en"} for number, q in enumerate(QUERIES)}
    settings = {"strata": {q: number % 2 for number, q in enumerate(QUERIES)}, "sample": "random"}
    slices = rg.judges.correct(world.judge, world.people, world.runs, ["AP", "P@5"], **settings).slices(
        "lang", attributes=attributes
    )

    assert [*slices] == ["en", "zh"]
    for label, part in slices.items():
        own = {q for q in QUERIES if attributes[q]["lang"] == label}
        judge, people = ({q: grades for q, grades in side.items() if q in own} for side in (world.judge, world.people))
        runs = {name: {q: items for q, items in run.items() if q in own} for name, run in world.runs.items()}
        alone = rg.judges.correct(judge, people, runs, ["AP", "P@5"], **settings)
        for call in ("estimate", "people_only", "model_only"):
            assert getattr(part, call)("AP", "old").to_dict() == pytest.approx(
                getattr(alone, call)("AP", "old").to_dict(), nan_ok=True
            )
        assert part.difference("old", "new", "P@5") == alone.difference("old", "new", "P@5")
        assert str(part)


def test_a_slice_with_one_label_has_no_interval(corrected):
    labelled = [
        q
        for q, is_labelled in zip(corrected.queries, corrected.labelled[corrected.metrics[0]], strict=True)
        if is_labelled
    ]
    part = corrected.slices("first", attributes={q: {"first": q == labelled[0]} for q in QUERIES})["True"]

    assert len(part.queries) == part.estimate("AP", "old").labels == 1
    assert np.isnan(part.estimate("AP", "old").low)
    assert "–" in str(part)


def test_verdicts_list_the_pairs_that_flip(corrected):
    verdict = corrected.verdicts("AP")[0]

    assert (verdict.first, verdict.second, verdict.change) == ("old", "new", "same")
    assert corrected.leaderboard_agreement("AP").tau == 1


def test_a_judge_that_favours_a_system_is_found(world):
    favoured = {
        q: {item: max(grade, 3 * (item in world.runs["old"][q][:5])) for item, grade in grades.items()}
        for q, grades in world.truth.items()
    }
    result = rg.judges.correct(favoured, world.people, world.runs, "nDCG@5")

    assert result.verdicts()[0].flips
    bias = {row.group: row for row in result.bias_by_system("nDCG@5")}
    assert bias["old"].difference.low > 0
    assert bias["old"].p < 0.001


def test_one_ranking_needs_no_name(world):
    result = rg.judges.correct(world.judge, world.people, world.runs["old"], "AP")

    assert (
        result.estimate("AP").value
        == rg.judges.correct(world.judge, world.people, world.runs, "AP").estimate("AP", "old").value
    )


def test_input_forms_give_the_same_digits(world, tmp_path):
    def table(grades):
        return pl.DataFrame(
            [(q, item, grade) for q in grades for item, grade in grades[q].items()],
            schema=["query", "item", "grade"],
            orient="row",
        )

    run = pl.DataFrame(
        [(q, item, -rank) for q, items in world.runs["old"].items() for rank, item in enumerate(items)],
        schema=["query", "item", "score"],
        orient="row",
    )
    expected = rg.judges.correct(world.judge, world.people, world.runs["old"], METRICS).rows()
    paths = [tmp_path / name for name in ("model.csv", "people.csv", "run.csv")]
    for frame, path in zip(
        (table(world.judge), table(world.people).with_columns(rater=pl.lit("ann")), run), paths, strict=True
    ):
        frame.write_csv(path)

    assert rg.judges.correct(table(world.judge), table(world.people), run, METRICS).rows() == expected
    assert rg.judges.correct(*paths, METRICS).rows() == expected
    assert (
        rg.judges.correct(
            table(world.judge).to_pandas(), table(world.people).to_pandas(), run.to_pandas(), METRICS
        ).rows()
        == expected
    )


def test_a_result_is_a_document_a_frame_and_json(corrected):
    assert "these 120 queries" in str(corrected)
    assert "这 120 个查询" in corrected.document("zh").to_text()
    assert corrected.to_frame().height == len(corrected.to_pandas()) == 6
    assert json.loads(corrected.to_json())["verdicts"][0]["change"] == "same"


# What is refused


def codes_of(call, *arguments, **keywords):
    with pytest.raises(rg.InputError) as caught:
        call(*arguments, **keywords)
    assert caught.value.render("zh") != caught.value.render("en")
    return caught.value.codes


def test_labels_only_where_the_judge_gave_2_or_more_are_refused(world):
    people = {
        q: {item: grade for item, grade in grades.items() if world.judge[q][item] >= 2}
        for q, grades in world.truth.items()
    }

    assert codes_of(rg.judges.correct, world.judge, people, world.runs, "P@5") == ("RG605",)


def test_labels_of_the_best_queries_only_are_refused(world):
    values = rg.evaluate(world.judge, world.runs["old"], "AP").per_query("AP")
    best = sorted(values, key=values.get)[-40:]

    assert codes_of(rg.judges.correct, world.judge, {q: world.truth[q] for q in best}, world.runs, "AP") == ("RG605",)
    stated = rg.judges.correct(world.judge, {q: world.truth[q] for q in best}, world.runs, "AP", sample="random")
    assert stated.label_counts[rg.parse("AP")] == 40


def test_one_labelled_query_is_refused(world):
    assert codes_of(rg.judges.correct, world.judge, {"q001": world.truth["q001"]}, world.runs, "AP") == ("RG603",)


def test_ids_that_do_not_match_are_refused(world):
    people = {q: {f"doc-{item}": grade for item, grade in grades.items()} for q, grades in world.people.items()}

    assert codes_of(rg.judges.correct, world.judge, people, world.runs, "AP") == ("RG604",)
    assert codes_of(rg.judges.agreement, world.judge, people) == ("RG604",)


def test_a_judge_without_grades_is_refused(world):
    unrated = [{"query": "q001", "item": "d1", "rater": "model", "grade": None}]

    assert codes_of(rg.judges.correct, unrated, world.people, world.runs, "AP") == ("RG604",)


def test_two_labels_of_one_person_for_one_pair_are_refused():
    people = pl.DataFrame({"query": ["q"] * 2, "item": ["a"] * 2, "rater": ["ann"] * 2, "grade": [0, 1]})

    assert codes_of(rg.judges.agreement, people, {"q": {"a": 0}}) == ("RG601",)
    assert rg.judges.agreement(people, {"q": {"a": 0}}, lenient=True).pairs["grade_1"].to_list() == [0]


@pytest.mark.parametrize("form", ["frame", "records", "csv", "judgments", "probabilities"])
def test_a_label_that_is_there_twice_is_no_conflict(form, tmp_path):
    rows = [("q", "a", 1), ("q", "b", 0), ("q", "a", 1)]
    frame = pl.DataFrame(rows, schema=["query", "item", "grade"], orient="row")
    chances = [
        {"query": q, "item": i, "grade": g, "probability": p} for q, i, _ in rows for g, p in ((0, 0.25), (1, 0.75))
    ]
    frame.write_csv(tmp_path / "labels.csv")
    labels = {
        "frame": frame,
        "records": frame.with_columns(rater=pl.lit("ann")).to_dicts(),
        "csv": tmp_path / "labels.csv",
        "judgments": frame,
        "probabilities": pl.DataFrame(chances),
    }[form]

    agreement = rg.judges.agreement(labels, {"q": {"a": 1, "b": 0}})

    assert agreement.pairs.height == 2
    assert "RG303" in {finding.code for finding in agreement.findings}


def test_a_grade_outside_the_scale_is_refused(world):
    people = {**world.people, "q001": {**world.truth["q001"], "0": 7}}

    assert codes_of(rg.judges.correct, world.judge, people, world.runs, "AP", scale=(0, 3)) == ("RG607",)
    assert codes_of(rg.judges.agreement, people, world.judge, scale=(0, 3)) == ("RG607",)
    with pytest.raises(rg.ParameterError, match="scale"):
        rg.judges.agreement(people, world.judge, scale=3)


def test_without_a_scale_a_label_above_all_grades_of_the_judge_is_a_warning(world):
    people = {**world.people, "q001": {**world.truth["q001"], "0": 7}}

    with pytest.warns(rg.DataWarning, match="grade 7, where the judge gave 0 to 3"):
        result = rg.judges.correct(world.judge, people, world.runs, "AP")

    assert {finding.code: finding.count for finding in result.findings}["RG620"] == 1


@pytest.mark.parametrize("form", ["dict", "rows", "frame", "json", "csv"])
def test_agreement_warns_where_a_correction_does(form, world, tmp_path):
    people = {**world.people, "q001": {**world.truth["q001"], "0": 7}, "elsewhere": {"0": 1}}
    rows = [(query, item, grade) for query, items in people.items() for item, grade in items.items()]
    frame = pl.DataFrame(rows, schema=["query", "item", "grade"], orient="row")
    frame.write_csv(tmp_path / "people.csv")
    (tmp_path / "people.json").write_text(json.dumps(people), encoding="utf-8")
    forms = {
        "dict": people,
        "rows": rows,
        "frame": frame,
        "json": tmp_path / "people.json",
        "csv": tmp_path / "people.csv",
    }

    for verb in (rg.judges.agreement, lambda labels, judge: rg.judges.correct(judge, labels, world.runs, "AP")):
        with pytest.warns(rg.DataWarning, match="RG620"):
            found = verb(forms[form], world.judge)
        counts = {finding.code: finding.count for finding in found.findings}
        assert (counts["RG620"], counts["RG614"]) == (1, 1)


def test_intervals_stay_within_the_bounds_of_the_metric(world):
    """Nearly all queries have a hit, so a symmetric interval around their share would exceed 1."""
    result = rg.judges.correct(world.judge, world.people, world.runs, ["HR@2", "HR@3", "HR@5"], sample="random")
    estimates = [
        own for m in result.metrics for s in world.runs for own in (result.estimate(m, s), result.people_only(m, s))
    ]

    assert all(estimate.value <= 1 and estimate.high <= 1 for estimate in estimates)
    assert any(estimate.high == 1 and estimate.low < estimate.value < 1 for estimate in estimates)


def test_labels_of_single_items_do_not_warn_about_items_without_a_label(world):
    random = np.random.default_rng(4)
    rows = [
        {"query": q, "item": i, "grade": g, "inclusion": 0.2}
        for q, grades in world.truth.items()
        for i, g in grades.items()
        if random.random() < 0.2
    ]

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rg.judges.correct(world.judge, rows, world.runs, "P@5")


def test_a_label_for_an_item_that_nobody_retrieved_is_reported(world):
    people = {q: {**grades, "elsewhere": 1} for q, grades in world.people.items()}
    result = rg.judges.correct(world.judge, people, world.runs, "AP")

    assert {finding.code: finding.count for finding in result.findings}["RG602"] == 40


def test_queries_that_are_labelled_in_part_do_not_count(world):
    random = np.random.default_rng(5)
    half = [*world.people][::2]
    people = {
        q: {i: g for i, g in grades.items() if q not in half or random.random() < 0.5}
        for q, grades in world.people.items()
    }
    result = rg.judges.correct(world.judge, people, world.runs, "AP")

    assert result.label_counts[rg.parse("AP")] == 20
    assert {finding.code: finding.count for finding in result.findings}["RG609"] == 20


def test_labelled_queries_that_the_judge_does_not_know_are_reported(world):
    people = {**world.people, "elsewhere": {"0": 1}}
    result = rg.judges.correct(world.judge, people, world.runs, "AP")

    assert "RG614" in {finding.code for finding in result.findings}


@pytest.mark.parametrize(
    "given", [{"target": "all"}, {"estimator": "ppi"}, {"sample": "chosen"}, {"combine": "best"}, {"alpha": 2}]
)
def test_unknown_choices_are_refused(world, given):
    with pytest.raises(rg.ParameterError):
        rg.judges.correct(world.judge, world.people, world.runs, "AP", **given)


def test_corpus_level_metrics_are_refused(world):
    with pytest.raises(rg.ParameterError, match="corpus-level"):
        rg.judges.correct(world.judge, world.people, world.runs, "PooledAUC")
    with pytest.raises(rg.ParameterError, match="median"):
        rg.judges.correct(world.judge, world.people, world.runs, "AP", convention=rg.Convention(averaging="median"))


def test_several_systems_need_a_name(corrected):
    with pytest.raises(rg.ParameterError, match="several systems"):
        corrected.estimate("AP")
    with pytest.raises(rg.UnknownNameError):
        corrected.estimate("AP", "olt")
    with pytest.raises(rg.UnknownNameError):
        corrected.estimate("RR", "old")


def test_systems_with_the_same_value_have_no_order_to_compare():
    model = {f"q{number}": {"a": 1, "b": 0} for number in range(8)}
    people = {query: model[query] for query in [*model][:5]}
    lists = {"A": {query: ["a"] for query in model}, "B": {query: ["a", "b"] for query in model}}
    corrected = rg.judges.correct(model, people, lists, "P@1", sample="random")
    assert "P@1: all systems have the same value" in str(corrected)
    assert "tau nan" not in str(corrected)
    assert json.loads(corrected.to_json())["leaderboards"]["P@1"]["tau"] is None
