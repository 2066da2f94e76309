"""Splits of interactions: hand-worked, independent of the order of rows, and their leaks."""

import re
from datetime import datetime, time, timedelta

import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg

h = rg.holdout
ROWS = st.lists(st.tuples(st.sampled_from("uvwü"), st.integers(0, 5), st.integers(0, 9)), min_size=1, max_size=30)


def log(rows):
    return pl.DataFrame(rows, schema={"userId": pl.String, "movieId": pl.Int64, "timestamp": pl.Int64}, orient="row")


def codes(findings):
    return {finding.code: finding.count for finding in findings}


def test_leave_one_out_by_hand():
    # u's last is item 3 at 9; v's last at 5 are 1 and 2, and 2 is the greater; w has a single interaction
    split = h.leave_one_out(log([("u", 1, 3), ("u", 3, 9), ("v", 2, 5), ("v", 1, 5), ("w", 1, 1)]))

    assert split.test.rows() == [("u", 3, 9), ("v", 2, 5)]
    assert split.train.rows() == [("u", 1, 3), ("v", 1, 5), ("w", 1, 1)]
    assert codes(split.findings) == {"RG505": 1, "RG507": 1}
    assert str(split).startswith(
        "leave one out: the last interaction of each user is held out. Training: 3 interactions, 3 users"
    )
    assert (
        split.render("zh")
        == "留一法：每个用户的最后一次交互用于测试。训练：3 个用户的 3 次交互；测试：2 个用户的 2 次交互"
    )
    assert repr(split) == "<Split: 3 training rows, 2 test rows>"


def test_a_repeated_item_is_a_leak_that_can_be_removed():
    split = h.leave_one_out(log([("u", 1, 1), ("u", 2, 2), ("u", 1, 3)]))

    assert codes(split.findings) == {"RG501": 1}
    assert h.without_seen(split.test, split.train).height == 0


def test_temporal_split_by_time_and_by_share():
    rows = [("u", 1, 1), ("u", 2, 5), ("v", 1, 2), ("v", 3, 5), ("x", 1, 7)]
    split = h.temporal(log(rows), at=5)
    assert split.test.rows() == [("u", 2, 5), ("v", 3, 5), ("x", 1, 7)]
    assert codes(split.findings) == {"RG503": 1}
    # The last 0.4 of five rows begin at 5; the other row at 5 stays with them.
    assert h.temporal(log(rows), share=0.4).test.rows() == split.test.rows()
    known = h.temporal(log(rows), at=5, known_users=True)
    assert known.test.rows() == [("u", 2, 5), ("v", 3, 5)]
    assert codes(known.findings) == {}
    assert "for users with training data only" in str(known)


def test_temporal_split_of_dates():
    frame = pl.DataFrame(
        {
            "user": [1, 1],
            "item": [1, 2],
            "date": [datetime.fromisoformat("2024-01-01"), datetime.fromisoformat("2024-06-01")],
        }
    )
    assert h.temporal(frame, at=datetime.fromisoformat("2024-03-01")).test["item"].to_list() == [2]
    assert "2024-06-01" in str(h.temporal(frame, share=0.5))
    with pytest.raises(rg.ParameterError, match="at must be a date"):
        h.temporal(frame, at=5)
    assert h.temporal(frame, at="2024-03-01").test["item"].to_list() == [2]
    with pytest.raises(rg.ParameterError, match="a date such as 2024-05-31, not 'soon'"):
        h.temporal(frame, at="soon")


def test_only_public_names_are_listed():
    assert dir(rg.holdout) == rg.holdout.__all__
    assert dir(rg.grades) == rg.grades.__all__


def test_every_leak_is_reported():
    train = log([("u", 1, 1), ("u", 2, 9), ("v", 1, 8)])
    test = log([("u", 1, 5), ("u", 3, 6), ("v", 2, 9), ("x", 1, 7)])
    # u and item 1 on both sides; u's item 2 at 9 after its first test at 5; x only tested; 9 and 8 after 5
    assert codes(h.check(train, test)) == {"RG501": 1, "RG502": 1, "RG503": 1, "RG504": 2}
    texts = " ".join(example for finding in h.check(train, test) for example in finding.examples)
    assert "user 'u': item 2 at 9 is in training, but the first test is at 5" in texts
    as_text = test.with_columns(pl.col("movieId").cast(pl.String))
    assert codes(h.check(train, as_text))["RG501"] == 1
    assert codes(h.check(train.drop("timestamp"), test)) == {"RG501": 1, "RG503": 1}


def test_candidates_are_sampled_from_the_catalogue():
    frame = log([("u", 1, 1), ("u", 2, 2)])
    assert h.only_items(frame, [2, 7]).rows() == [("u", 2, 2)]
    assert h.only_items({"u": {"a": 0.5, "b": 0.4}}, {"b"}) == {"u": {"b": 0.4}}
    assert h.without_seen({"u": [1, 2, 3], "x": [1]}, frame) == {"u": [3], "x": [1]}
    ranking = pl.DataFrame({"user": ["u", "u"], "item": [1, 9], "score": [0.9, 0.1]})
    assert h.without_seen(ranking, frame).rows() == [("u", 9, 0.1)]
    other = frame.rename({"movieId": "film"})
    for rows in (ranking, ranking.lazy(), ranking.to_pandas()):
        left = h.without_seen(rows, other, columns={"item": "film"})
        assert {name: left[name].to_list() for name in left.columns} == {"user": ["u"], "item": [9], "score": [0.1]}
    assert h.without_seen({"u": [1, 9]}, other, columns={"item": "film"}) == {"u": [9]}


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: h.leave_one_out(log([("u", 1, 1)]), "first"), rg.ParameterError, "'last' or 'random'"),
        (lambda: h.leave_one_out(log([("u", 1, 1)]), seed=-1), rg.ParameterError, "seed"),
        (lambda: h.leave_one_out(pl.DataFrame({"user": [1], "item": [1]})), rg.InputError, "needs a time column"),
        (lambda: h.leave_one_out(pl.DataFrame({"user": [None], "item": [1], "time": [1]})), rg.InputError, "RG208"),
        (lambda: h.k_core(pl.DataFrame({"user": [[1]], "item": [1]})), rg.InputError, "has type List"),
        (lambda: h.leave_one_out([1, 2]), rg.InputError, "give a frame"),
        (lambda: h.temporal(log([("u", 1, 1)])), rg.ParameterError, "either at="),
        (lambda: h.temporal(log([("u", 1, 1)]), share=2.0), rg.ParameterError, "share"),
        (lambda: h.temporal(log([]), share=0.5), rg.InputError, "the log is empty"),
        (lambda: h.temporal(log([("u", 1, 1)]), at="noon"), rg.ParameterError, "a number, or a date"),
        (lambda: h.k_core(log([("u", 1, 1)]), 0), rg.ParameterError, "at least 1"),
        (lambda: h.only_items({}, "abc"), rg.ParameterError, "a collection"),
        (lambda: h.only_items([1], [1]), rg.InputError, "not supported"),
        (lambda: h.without_seen({"u": "abc"}, log([("u", 1, 1)])), rg.InputError, "user 'u'"),
    ],
)
def test_error_messages(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_frames_of_pandas_give_frames_of_pandas_with_their_rows():
    frame = pd.DataFrame(
        {
            "user": pd.Categorical(["u", "u", "v", "v", "w"]),
            "item": [1, 2, 2, 1, 1],
            "time": pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05"]),
        },
        index=[50, 40, 30, 20, 10],
    )
    split, temporal = h.leave_one_out(frame), h.temporal(frame, share=0.2)
    for part, index in (
        (split.train, [50, 30, 10]),
        (split.test, [40, 20]),
        (temporal.train, [50, 40, 30, 20]),
        (temporal.test, [10]),
        (h.k_core(frame, 2), [50, 40, 30, 20]),
        (h.without_seen(frame, split.train), [40, 20]),
        (h.only_items(frame, [2]), [40, 30]),
    ):
        pd.testing.assert_frame_equal(part, frame.loc[index])
    assert str(split) == str(h.leave_one_out(pl.from_pandas(frame)))


def test_empty_logs():
    assert h.leave_one_out(log([])).test.height == 0
    assert h.k_core(log([])).height == 0
    assert len(h.check(log([]), log([]))) == 0


@settings(deadline=None, max_examples=40, derandomize=True)
@given(ROWS, st.randoms(), st.integers(0, 3))
def test_splits_do_not_depend_on_the_order_of_rows(rows, random, seed):
    shuffled = random.sample(rows, len(rows))
    for split in (
        h.leave_one_out,
        lambda frame: h.leave_one_out(frame, "random", seed=seed),
        lambda frame: h.temporal(frame, share=0.3),
    ):
        first, second = split(log(rows)), split(log(shuffled))
        assert sorted(first.test.rows()) == sorted(second.test.rows())
        assert sorted(first.train.rows()) == sorted(second.train.rows())
        assert [*first.findings] == [*second.findings]
        assert sorted(first.train.rows() + first.test.rows()) == sorted(rows)


@settings(deadline=None, max_examples=40, derandomize=True)
@given(ROWS)
def test_the_split_of_a_user_does_not_depend_on_other_users(rows):
    together = h.leave_one_out(log(rows), "random", seed=5).test
    for user in {row[0] for row in rows}:
        alone = h.leave_one_out(log([row for row in rows if row[0] == user]), "random", seed=5).test
        assert together.filter(pl.col("userId") == user).rows() == alone.rows()


def test_different_seeds_give_different_splits():
    frame = log([("u", item, item) for item in range(50)])
    items = {h.leave_one_out(frame, "random", seed=seed).test["movieId"][0] for seed in range(20)}
    assert len(items) > 10


@settings(deadline=None, max_examples=40, derandomize=True)
@given(ROWS)
def test_after_removal_no_test_item_is_in_training(rows):
    split = h.leave_one_out(log(rows))
    cleaned = h.without_seen(split.test, split.train)
    assert "RG501" not in codes(h.check(split.train, cleaned))
    known = {row[:2] for row in split.train.rows()}
    assert cleaned.rows() == [row for row in split.test.rows() if row[:2] not in known]


@settings(deadline=None, max_examples=40, derandomize=True)
@given(ROWS)
def test_a_temporal_split_has_no_future(rows):
    assert not {"RG502", "RG504"} & codes(h.temporal(log(rows), at=5).findings).keys()


@settings(deadline=None, max_examples=40, derandomize=True)
@given(ROWS, st.integers(1, 3), st.integers(1, 3))
def test_a_k_core_is_a_fixed_point_and_the_largest(rows, k, items):
    core = h.k_core(log(rows), k, items=items)
    assert h.k_core(core, k, items=items).rows() == core.rows()
    pairs = {row[:2] for row in rows}
    while True:  # slow reference: remove users and items with too few, until none is left
        users = {user for user, _ in pairs if sum(other == user for other, _ in pairs) < k}
        things = {item for _, item in pairs if sum(other == item for _, other in pairs) < items}
        if not users and not things:
            break
        pairs = {(user, item) for user, item in pairs if user not in users and item not in things}
    assert core.rows() == [row for row in rows if row[:2] in pairs]


TEXTS = ["2024-01-02", "2024-01-01T23:30", "2024-01-02 09:00:00+08:00", "2024-01-02 01:00:00.5", "2024-01-03"]


@pytest.mark.parametrize("library", [pl.DataFrame, pd.DataFrame])
def test_times_written_as_text_are_parsed_as_dates(library):
    """`pd.read_csv` leaves dates as text, and the whole of `rg.holdout` refused them."""
    parts = ("02 00:00:00", "01 23:30:00", "02 01:00:00", "02 01:00:00.500", "03 00:00:00")
    dates = [datetime.fromisoformat(f"2024-01-{part}") for part in parts]
    rows = {"用户": ["u", "u", "v", "v", "w"], "商品": [*"abcde"]}
    as_text, as_dates = (library({**rows, "时间": times}) for times in (TEXTS, dates))
    for split in (h.leave_one_out, lambda log: h.leave_one_out(log, "random"), lambda log: h.temporal(log, share=0.4)):
        of_text, of_dates = split(as_text), split(as_dates)
        assert list(of_text.test["商品"]) == list(of_dates.test["商品"])
        assert [str(finding) for finding in of_text.findings] == [str(finding) for finding in of_dates.findings]
    assert list(h.leave_one_out(as_text).test["商品"]) == ["a", "d"]
    assert list(h.leave_one_out(as_text).test["时间"]) == [TEXTS[0], TEXTS[3]]
    assert list(h.temporal(as_text, at="2024-01-02 01:00").test["商品"]) == ["c", "d", "e"]
    decay = rg.grades.decay(timedelta(days=1))
    graded = (
        decay(log.assign(评分=1) if library is pd.DataFrame else log.with_columns(评分=1))
        for log in (as_text, as_dates)
    )
    assert next(graded)["grade"].to_list() == next(graded)["grade"].to_list()


@pytest.mark.parametrize(
    "text", ["昨天", "2024-13-01", "01/02/2024", "20240102", "1704067200", "2024/05-01", "2024年13月1日", "", None]
)
def test_text_that_is_not_a_date_is_refused_with_its_row_where_times_are_needed(text):
    frame = pl.DataFrame({"user": ["u", "u"], "item": ["a", "b"], "time": ["2024-01-01", text]})
    with pytest.raises(rg.InputError, match="RG213") as caught:
        h.leave_one_out(frame)
    en, zh = caught.value.texts
    assert f"interactions: time is {text!r} (row 2)" in en
    assert f"time 为 {text!r}（第 2 行）" in zh
    assert "pd.to_datetime" in en
    assert "pd.to_datetime" in zh
    assert h.k_core(frame, 1).height == 2


@pytest.mark.parametrize(
    "form", ["2024/0{}/01", "2024/{}/1", "2024年{}月1日", "2024.0{}.01", "2024年0{}月01日 18:30", "2024-0{}-01"]
)
def test_dates_with_the_year_first_are_dates(form):
    """They were RG213 with a remedy, pd.to_datetime(frame[name]), that some versions of pandas refuse."""
    frame = pl.DataFrame({"user": [*"uuu"], "item": [*"abc"], "time": [form.format(month) for month in (5, 9, 6)]})
    assert h.leave_one_out(frame).test["item"].to_list() == ["b"]
    assert h.leave_one_out(frame.to_pandas()).test["item"].to_list() == ["b"]
    assert h.temporal(frame, at="2024-06-01").test["item"].to_list() == ["b", "c"]


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_a_tie_of_the_last_time_is_noted_and_decided_by_the_item(library):
    rows = [("a", "x", 1), ("a", "y", 2), ("a", "z", 2), ("b", "x", 1), ("b", "y", 2), ("c", "x", 1), ("c", "x", 1)]
    for order in (rows, rows[::-1]):
        columns = dict(zip(["user", "item", "time"], map(list, zip(*order, strict=True)), strict=True))
        split = h.leave_one_out(library(columns))
        assert {*zip(split.test["user"], split.test["item"], strict=True)} == {("a", "z"), ("b", "y"), ("c", "x")}
        (tied,) = [finding for finding in split.findings if finding.code == "RG507"]
        assert (tied.count, tied.examples) == (1, ("user 'a' has several items at the last time",))
        random = h.leave_one_out(library(columns), "random")
        assert "RG507" not in codes(random.findings)


def test_different_grades_of_one_item_name_merge():
    frame = pl.DataFrame({"user": ["u", "u"], "item": ["a", "a"], "grade": [1, 3]})
    with pytest.raises(rg.InputError, match=r"grades\.merge\('max'\)"):
        rg.evaluate(frame, {"u": ["a"]}, "DCG@1")
    assert rg.evaluate(frame, {"u": ["a"]}, "DCG@1", grades=rg.grades.merge("max")).mean() == 3


def test_the_remedy_for_other_texts_works():
    frame = pd.DataFrame({"user": ["u", "u"], "item": ["a", "b"], "time": ["31.05.2024", "01.06.2024"]})
    with pytest.raises(rg.InputError, match="RG213") as caught:
        h.leave_one_out(frame)
    for text in caught.value.texts:
        call = re.search(r"format='[^']*'", text)[0]
        frame["time"] = pd.to_datetime(["31.05.2024", "01.06.2024"], format=call.split("'")[1])
        assert h.leave_one_out(frame).test["item"].to_list() == ["b"]


def test_rows_are_counted_from_1_in_every_message():
    """A log counted them from 0, judgments from 1."""
    with pytest.raises(rg.InputError, match=r"row 2\b"):
        h.leave_one_out(pl.DataFrame({"user": ["u", None], "item": ["a", "b"], "time": [1, 2]}))
    with pytest.raises(rg.InputError, match=r"row 2\b"):
        rg.evaluate(pl.DataFrame({"user": ["u", None], "item": ["a", "b"], "grade": [1, 2]}), {"u": ["a"]}, "RR")
    for training in (pl.DataFrame({"user": ["u", None], "item": ["a", "b"]}), [("u", "a"), (None, "b")]):
        with pytest.raises(rg.InputError, match=r"row 2\b"):
            rg.cold_start(training, ["u"])


def test_no_message_about_times_shows_a_series():
    frame = pl.DataFrame({"user": ["u"], "item": ["a"], "time": [time(3)]})
    with pytest.raises(rg.InputError, match=r"time has type Time, first datetime.time\(3, 0\) \[RG213\]"):
        h.leave_one_out(frame)


def test_findings_about_dates_show_dates():
    times = [datetime.fromisoformat(f"2024-01-0{day}") for day in (1, 5, 3, 4)]
    frame = pl.DataFrame({"user": ["u", "u", "v", "v"], "item": [*"abab"], "time": times})
    found = {finding.code: str(finding) for finding in h.check(frame[[1, 3]], frame[[0, 2]])}
    assert (
        "item 'b' at 2024-01-05 00:00:00 is in training, but the first test is at 2024-01-01 00:00:00" in found["RG502"]
    )
    assert "after the first test at 2024-01-01 00:00:00" in found["RG504"]
    numbers = frame.with_columns(time=pl.Series([1, 5, 3, 4]))
    found = {finding.code: str(finding) for finding in h.check(numbers[[1, 3]], numbers[[0, 2]])}
    assert "item 'b' at 5 is in training, but the first test is at 1" in found["RG502"]


@pytest.mark.parametrize(
    ("at", "side"), [(9, "no interaction is held out"), (1, "no interaction is left for training")]
)
def test_a_split_with_an_empty_side_is_reported(at, side):
    """A moment after the end of the log gave an empty test without a word."""
    frame = log([("u", 1, 1), ("u", 2, 5), ("v", 1, 2)])
    with pytest.warns(rg.DataWarning, match="RG506"):
        split = h.temporal(frame, at=at)
    (finding,) = [finding for finding in split.findings if finding.code == "RG506"]
    assert f"{side}; the times are from 1 to 5" in str(finding)
    dates = frame.with_columns(timestamp=pl.Series(["2024-01-01", "2024-01-05", "2024-01-02"]))
    with pytest.warns(rg.DataWarning, match="from 2024-01-01 00:00:00 to 2024-01-05 00:00:00"):
        h.temporal(dates, at="2025-03-15")
    with pytest.warns(rg.DataWarning, match="no interaction is held out"):
        h.leave_one_out(pl.DataFrame({"user": ["u"], "item": ["a"]}), "random")
