"""Grades from behaviour: hand-worked values, composition, every form of data, and what is recorded."""

from datetime import date, datetime, timedelta

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.inputs.grading import Grading

g = rg.grades
FILMS = {"我": {"电影A": 5, "电影B": 4, "电影C": 3, "电影D": 1, "电影E": 4}}
ORDER = {"我": ["电影A", "电影B", "电影C", "电影D", "电影E"]}
EVENTS = pl.DataFrame(
    {
        "user": ["u", "u", "u", "v"],
        "item": ["a", "b", "a", "a"],
        "rating": [4.0, 3.0, 2.0, 5.0],
        "plays": [1, 3, 7, None],
        "time": [0, 10, 20, 20],
    }
)
RULES = [
    g.stars,
    g.table({5: 3, 4: 2, 1: 0}, otherwise=1),
    g.thresholds({10: 1}, below=-1),
    g.quantiles([0.25, 0.5]),
    g.quantiles(3, per="all"),
    g.cap(3.5),
    g.log(10),
    g.scale(0.5),
    g.decay(30, now=100),
    g.decay(timedelta(days=7)),
    g.merge("max"),
    g.combine({"plays": (0.5, g.log()), "rating": 2}),
    g.cap(10) >> g.log() >> g.stars,
]


def test_stars_to_ndcg_in_one_call():
    # 5, 4, 3, 1, 4 stars are grades 3, 2, 1, 0, 2: 5.535565 / 5.692536
    explained = rg.explain(FILMS, ORDER, "nDCG@5", "我", grades=g.stars)

    assert round(explained.value, 6) == 0.972425
    text = explained.to_text("zh")
    for words in ("理想排序", "nDCG@5 = 5.535565 / 5.692536 (IDCG) = 0.972425", "数值从 3 起为等级 1，从 4 起为 2"):
        assert words in text
    assert explained.to_dict()["grades"] == "thresholds({3: 1, 4: 2, 5: 3})"
    assert round(rg.evaluate(FILMS, ORDER, "nDCG@3", grades=g.stars).mean("nDCG@3"), 6) == 0.904977


def test_scores_carry_and_print_the_rule():
    scores = rg.evaluate(FILMS, ORDER, ["nDCG@5"], grades=g.stars)

    assert scores.grades == g.stars
    assert "Grades: values from 3 give grade 1, from 4 grade 2, from 5 grade 3, lower values 0" in str(scores)
    assert "等级：数值从 3 起为等级 1" in scores.to_markdown("zh")
    assert scores.to_dict()["grades"] == repr(g.stars)
    assert scores.system("").grades == g.stars
    assert "grades" not in rg.evaluate(FILMS, ORDER, "nDCG@5").to_dict()


@pytest.mark.parametrize(
    ("rule", "data", "expected"),
    [
        (g.stars, 5, 3),
        (g.stars, 4.5, 2),  # from 4 on
        (g.stars, [5, 4, 3, 2, 1], [3, 2, 1, 0, 0]),
        (g.table({1: 0, 5: 3}), (5, 1), [3, 0]),
        (g.table({1: 0}, otherwise=9), [1, 2], [0, 9]),
        (g.quantiles(4), [1, 2, 3, 4], [0, 1, 2, 3]),  # 0, 1/4, 2/4, 3/4 of the values are smaller
        (g.quantiles(4), [7, 7, 7], [0, 0, 0]),  # nothing is smaller
        (g.quantiles([0.5]), {"u": {"a": 1, "b": 9}, "v": {"a": 9}}, {"u": {"a": 0, "b": 1}, "v": {"a": 0}}),
        (g.quantiles([0.5], per="all"), {"u": {"a": 1, "b": 2}, "v": {"a": 9}}, {"u": {"a": 0, "b": 0}, "v": {"a": 1}}),
        (g.cap(10) >> g.log(), {"a": 3, "b": 1000}, {"a": 2, "b": float(np.log2(11))}),
        (g.log(10) >> g.scale(2), [99], [4]),  # 2 log10(100)
        (g.log(3), [8.0], [pytest.approx(2)]),
    ],
)
def test_rules_are_the_hand_worked_ones(rule, data, expected):
    assert rule(data) == expected


def test_arrays_keep_their_shape_with_one_user_per_row():
    graded = g.quantiles([0.5])(np.array([[1, 2], [9, 9]]))

    assert graded.tolist() == [[0, 1], [0, 0]]


@pytest.mark.parametrize("shape", [(0,), (1,), (4,), (0, 3), (2, 0), (1, 1), (2, 3), (3, 2)])
def test_the_rows_of_an_array_are_graded_one_by_one(shape):
    rule = g.quantiles([0.4, 0.8])
    numbers = np.random.default_rng(3).integers(0, 6, shape) * 0.5
    expected = [rule(row.tolist()) for row in numbers] if len(shape) > 1 else rule(numbers.tolist())
    graded = rule(numbers)
    assert graded.shape == shape
    assert graded.tolist() == expected


def test_frames_become_judgments():
    once = EVENTS[[0, 1, 3]]
    assert g.stars(once).rows() == [("u", "a", 2.0), ("u", "b", 1.0), ("v", "a", 3.0)]
    assert g.stars(once.to_pandas()).rows() == g.stars(once).rows()
    assert g.stars(once.lazy()).rows() == g.stars(once).rows()
    renamed = once.rename({"rating": "how good"})
    assert g.stars(renamed, columns={"grade": "how good"}).rows() == g.stars(once).rows()


def test_decay_halves_and_records_the_reference_time():
    # (20 - time) / 10 half-lives: 4 / 4, 3 / 2, 2, 5
    assert g.decay(10)(EVENTS)["grade"].to_list() == [1.0, 1.5, 2.0, 5.0]
    assert g.decay(10, now=30)(EVENTS)["grade"].to_list() == [0.5, 0.75, 1.0, 2.5]
    scores = rg.evaluate(EVENTS[1:], {"u": ["a", "b"], "v": ["a"]}, "DCG", grades=g.decay(10))
    assert scores.grades == g.decay(10, now=20)
    assert "halved for every 10 before 20" in str(scores)


def test_decay_of_dates():
    days = [datetime.fromisoformat("2024-01-01"), datetime.fromisoformat("2024-01-08")]
    dated = pl.DataFrame({"user": [1, 1], "item": [1, 2], "rating": [4, 4], "date": days})
    week = timedelta(days=7)
    assert g.decay(week)(dated)["grade"].to_list() == [2.0, 4.0]
    assert g.decay(week, now=date(2024, 1, 15))(dated)["grade"].to_list() == [1.0, 2.0]
    zoned = dated.with_columns(pl.col("date").dt.replace_time_zone("UTC"))
    assert g.decay(week)(zoned)["grade"].to_list() == [2.0, 4.0]
    with pytest.raises(rg.ParameterError, match="half_life must be a timedelta"):
        g.decay(7)(dated)
    with pytest.raises(rg.ParameterError, match="now must be a date"):
        g.decay(week, now=7)(dated)


@pytest.mark.parametrize(("how", "of_a"), [("sum", 6.0), ("max", 4.0), ("mean", 3.0), ("count", 2.0), ("last", 2.0)])
def test_merged_ratings(how, of_a):
    of_b, of_v = (1.0, 1.0) if how == "count" else (3.0, 5.0)
    assert g.merge(how)(EVENTS).rows() == [("u", "a", of_a), ("u", "b", of_b), ("v", "a", of_v)]


def test_the_order_of_rules_matters():
    # u, a: 4 / 4 + 2 = 3; capped before it would be min(4, 2) / 4 + 2 = 2.5
    assert (g.decay(10) >> g.merge() >> g.cap(2))(EVENTS)["grade"].to_list() == [2.0, 1.5, 2.0]
    assert (g.cap(2) >> g.decay(10) >> g.merge())(EVENTS)["grade"].to_list() == [2.5, 1.0, 2.0]


def test_combine_adds_columns_and_ignores_missing_values():
    rule = g.combine({"plays": (2, g.log()), "rating": 0.5})
    # 2 log2(2) + 2, 2 log2(4) + 1.5, 2 log2(8) + 1, nothing + 2.5
    assert rule(EVENTS)["grade"].to_list() == [4.0, 5.5, 7.0, 2.5]
    merged = g.combine({"plays": 1}) >> g.merge()
    assert merged(EVENTS)["grade"].to_list() == [8.0, 3.0, 0.0]


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_a_rule_prints_the_call_that_creates_it_and_has_two_languages(rule):
    names = {name: getattr(g, name) for name in g.__all__} | {"datetime": __import__("datetime")}
    assert eval(repr(rule), names) == rule  # noqa: S307 (our own text)
    assert hash(eval(repr(rule), names)) == hash(rule)  # noqa: S307
    assert rule.render("en") != rule.render("zh")
    assert any("一" <= letter <= "鿿" for letter in rule.render("zh")) or rule == g.scale(0.5)
    with pytest.raises(rg.ParameterError, match="lang"):
        rule.render("fr")
    with pytest.raises(AttributeError):
        rule.anything = 1


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: g.table({}), "at least one entry"),
        (lambda: g.table({5: "three"}), "a finite number"),
        (lambda: g.thresholds({3: float("nan")}), "a finite number"),
        (lambda: g.quantiles(1), "an integer above 1"),
        (lambda: g.quantiles([0.5, 0.2]), "increasing"),
        (lambda: g.quantiles([1.5]), "between 0 and 1"),
        (lambda: g.quantiles(4, per="item"), "per must be"),
        (lambda: g.log(1), "a number above 1"),
        (lambda: g.decay(0), "above 0"),
        (lambda: g.decay(timedelta(0)), "longer than 0"),
        (lambda: g.merge("first"), "one of"),
        (lambda: g.combine({}), "a mapping"),
        (lambda: g.combine({"a": "b"}), "a weight"),
        (lambda: rg.evaluate(FILMS, ORDER, "RR", grades="stars"), "a rule from rankgauge.grades"),
        (lambda: g.combine({"plays": (1, g.merge())})(EVENTS), "merges rows"),
    ],
)
def test_wrong_parameters_are_refused(make, words):
    with pytest.raises(rg.ParameterError, match=words):
        make()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: g.table({5: 3})([5, 4]), r"value 4 is not in the table of grades \(1 in total\)"),
        (lambda: g.stars({"u": {"a": "good"}}), "item 'a' of 'u': 'good' is not a number"),
        (lambda: g.stars([1, None]), "index 1: None"),
        (lambda: g.log()([-1]), "-1 is below 0"),
        (lambda: g.decay(1)([1]), "needs the time"),
        (lambda: g.merge()([1]), "needs users and items"),
        (lambda: g.quantiles(2)(5), "needs users"),
        (lambda: g.decay(1, now=5)(EVENTS), "is after now=5"),
        (lambda: g.combine({"clicks": 1})(EVENTS), "no column 'clicks'"),
        (lambda: g.combine({"clicks": 1})([1]), "no column 'clicks'"),
        (lambda: g.stars(EVENTS.drop("rating")), "no column with the values to grade"),
        (lambda: g.stars(pd.DataFrame({"x": [1]})), "RG111"),
        (lambda: g.stars("text"), "cannot be read"),
        (lambda: g.decay(1)(EVENTS.with_columns(time=pl.lit("noon"))), "RG213"),
        (lambda: g.decay(1)(EVENTS.with_columns(time=pl.lit(None, dtype=pl.Int64))), "RG213"),
    ],
)
def test_wrong_data_are_refused(make, words):
    with pytest.raises(rg.InputError, match=words):
        make()


def test_every_input_path_applies_the_rule(tmp_path):
    ratings = {"u": {"a": 5, "b": 3}, "v": {"a": 4}}
    ranking = {"u": ["b", "a"], "v": ["b", "a"]}
    rows = [(user, item, stars) for user, items in ratings.items() for item, stars in items.items()]
    frame = pl.DataFrame(rows, schema=["user", "item", "rating"], orient="row")
    path = tmp_path / "ratings.csv"
    frame.write_csv(path)
    expected = rg.evaluate(g.stars(ratings), ranking, "nDCG@2").per_query("nDCG@2")

    for form in (ratings, rows, frame, frame.to_pandas(), str(path)):
        assert rg.evaluate(form, ranking, "nDCG@2", grades=g.stars).per_query("nDCG@2") == expected
    labels, scores = np.array([5, 3, 4, 1]), np.array([0.1, 0.9, 0.5, 0.6])
    dense = rg.evaluate(labels.reshape(2, 2), scores.reshape(2, 2), "nDCG@2", grades=g.stars)["nDCG@2"]
    flat = rg.evaluate(labels, scores, "nDCG@2", grades=g.stars, groups=[2, 2])["nDCG@2"]
    by_id = rg.evaluate(labels, scores, "nDCG@2", grades=g.stars, query_ids=["x", "x", "y", "y"])["nDCG@2"]
    assert dense.tolist() == flat.tolist() == by_id.tolist()


def test_findings_about_grades_refer_to_the_graded_values():
    found = rg.evaluate({"u": {"a": 4.5, "b": 1}}, {"u": ["a"]}, "RR", grades=g.stars).findings
    assert [finding.code for finding in found] == []  # 4.5 is no grade, and 1 star makes a grade of 0
    with pytest.raises(rg.InputError, match="RG204"):
        rg.evaluate({"u": {"a": "x"}}, {"u": ["a"]}, "RR", grades=g.stars)
    lenient = rg.evaluate({"u": {"a": "x", "b": 5}}, {"u": ["b"]}, "RR", grades=g.stars, lenient=True)
    assert lenient.mean("RR") == 1
    with pytest.raises(rg.InputError, match="RG204"):
        rg.evaluate(EVENTS[:2].with_columns(rating=pl.Series([None, 1])), {"u": ["b"]}, "RR", grades=g.stars)


NUMBERS = st.floats(0, 1e6).map(lambda number: round(number, 3))


@settings(deadline=None, max_examples=40, derandomize=True)
@given(st.lists(NUMBERS, max_size=20), st.sampled_from([g.stars, g.cap(9), g.log(), g.scale(3), g.quantiles(4)]))
def test_a_larger_number_never_has_a_smaller_grade(numbers, rule):
    graded = rule(numbers)
    assert all(
        b >= a for (x, a) in zip(numbers, graded, strict=True) for (y, b) in zip(numbers, graded, strict=True) if y >= x
    )


@settings(deadline=None, max_examples=40, derandomize=True)
@given(st.lists(NUMBERS, min_size=1, max_size=20), st.integers(2, 6))
def test_quantiles_agree_with_a_slow_loop(numbers, parts):
    shares = [part / parts for part in range(1, parts)]
    slow = [sum(sum(y < x for y in numbers) / len(numbers) >= share for share in shares) for x in numbers]
    assert g.quantiles(parts)(numbers) == slow


@settings(deadline=None, max_examples=40, derandomize=True)
@given(st.lists(NUMBERS, max_size=9), st.permutations(range(3)))
def test_chaining_is_associative(numbers, order):
    a, b, c = ([g.cap(50), g.log(), g.scale(2)][place] for place in order)
    assert ((a >> b) >> c) == (a >> (b >> c))
    assert (a >> b >> c)(numbers) == c(b(a(numbers)))


@settings(deadline=None, max_examples=40, derandomize=True)
@given(st.permutations(range(EVENTS.height)))
def test_the_order_of_rows_does_not_matter(order):
    rule = g.decay(7) >> g.merge() >> g.log() >> g.quantiles(3)
    assert sorted(rule(EVENTS[order]).rows()) == sorted(rule(EVENTS).rows())


def test_custom_rules_can_be_chained():
    class Squared(Grading):
        def apply(self, signals):
            return signals.__class__(signals.value**2), self

        def describe(self, lang):
            return f"squared ({lang})"

    assert (Squared() >> g.cap(10))([2, 4]) == [4, 10]
    with pytest.raises(TypeError):
        g.stars >> 3


@pytest.mark.parametrize(
    ("metric", "rules", "grade"),
    [("ERR@1", {}, 30), ("ERR@1", {"stop": "grade"}, 2), ("ERR@1", {"negative": "keep"}, -1), ("NERR8@1", {}, 30)],
)
def test_grades_off_the_scale_are_refused_wherever_their_item_is(metric, rules, grade):
    """Frames have no row for an item below the cutoff, so that its grade was refused in dicts only."""
    judgments, ranking = {"q": {"a": 1, "b": grade}}, {"q": {"a": 2.0, "b": 1.0}}
    frames = [
        pl.DataFrame(
            [(query, item, float(value)) for query, row in rows.items() for item, value in row.items()],
            names,
            orient="row",
        )
        for rows, names in ((judgments, ["query", "item", "grade"]), (ranking, ["query", "item", "score"]))
    ]
    for forms in ((judgments, ranking), frames, (judgments, {"q": ["a"]})):
        with pytest.raises(rg.InputError, match=f"grade {grade} is not"):
            rg.evaluate(*forms, metric, convention=rg.Convention(**rules))


EVENTS_BY_KIND = {"点击": 1, "收藏": 2, "购买": 3}


@pytest.mark.parametrize("form", ["pandas", "polars", "dict", "records", "csv", "jsonl", "text and time"])
def test_kinds_of_events_become_grades(form, tmp_path):
    """A table of grades took numbers only, and refused texts by the name of a parameter."""
    rows = [("u", "a", "点击"), ("u", "b", "购买"), ("v", "a", "收藏")]
    names, rule = ("用户", "商品", "行为"), g.table(EVENTS_BY_KIND)
    records = [dict(zip(names, row, strict=True)) for row in rows]
    sources = {
        "pandas": pd.DataFrame(records),
        "polars": pl.DataFrame(records),
        "dict": {"u": {"a": "点击", "b": "购买"}, "v": {"a": "收藏"}},
        "records": records,
        "csv": tmp_path / "events.csv",
        "jsonl": tmp_path / "events.jsonl",
        "text and time": pd.DataFrame(records).assign(时间="2024-01-01"),
    }
    pl.DataFrame(records).write_csv(sources["csv"])
    pl.DataFrame(records).write_ndjson(sources["jsonl"])
    columns = None if form == "dict" else {"judgments": {"grade": "行为"}}
    ranking = {"u": ["a", "b"], "v": ["a"]}
    scores = rg.evaluate(sources[form], ranking, "DCG", grades=rule, columns=columns)
    assert scores.per_query("DCG") == {"u": pytest.approx(1 + 3 / np.log2(3)), "v": 2}


def test_tables_of_texts():
    rule = g.table(EVENTS_BY_KIND)
    assert rule("购买") == 3
    assert rule(np.array([["点击", "收藏"]])).tolist() == [[1, 2]]
    assert (rule >> g.scale(2))(["收藏", " 购买 "]) == [4, 6]
    assert g.table(EVENTS_BY_KIND, otherwise=0)(["浏览", "点击"]) == [0, 1]
    assert eval(repr(rule), {"table": g.table}) == rule  # noqa: S307 (the call that creates it)
    assert rule.render("zh") == "点击 对应等级 1，收藏 对应等级 2，购买 对应等级 3"
    with pytest.raises(
        rg.InputError, match=r"value '浏览' is not in the table of grades \(1 in total\), which has 点击"
    ):
        rule(["浏览"])
    for make in (lambda: g.table({"a": 1, 2: 3}), lambda: g.table({"a": "b"}), lambda: g.log() >> rule):
        with pytest.raises(rg.ParameterError):
            make()
    with pytest.raises(rg.ParameterError, match="a rule of numbers"):
        g.combine({"行为": (1, rule)})
