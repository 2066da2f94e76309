"""Slices of queries: counts, means, intervals, and losses that a better mean hides."""

import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rankgauge as rg
from worlds import pace


def values(old, new):
    """Two systems with these reciprocal ranks, 1 over whole numbers, for queries q0, q1, ..."""
    judgments = {f"q{place}": {"a": 1} for place in range(len(old))}
    lists = [
        {query: [*"xyzwv"[: rank - 1], "a"] for query, rank in zip(judgments, ranks, strict=True)}
        for ranks in (old, new)
    ]
    return judgments, rg.evaluate(judgments, dict(zip(("old", "new"), lists, strict=True)), "RR")


def test_intervals_of_a_slice_end_at_the_largest_difference():
    """Values from 0 to 1 differ by at most 1; Student's interval of 1, 1, 1 and 0 is 0.75 +- 3.182 x 0.25."""
    judgments = {f"q{place}": {"a": 1} for place in range(4)}
    new = {query: ["a"] for query in judgments}
    old = {query: ["x"] for query in judgments} | {"q3": ["a"]}
    scores = rg.evaluate(judgments, {"old": old, "new": new}, "HR@1")
    found = rg.slices(scores, "HR@1", "difficulty").overall.differences["new"]

    assert (found.mean, found.high) == (0.75, 1.0)
    assert found.low == pytest.approx(0.75 - stats.t.ppf(0.975, 3) * 0.25)


def test_slices_by_attribute_by_hand():
    """RR old 1, 1/2, 1/2, 1/2; new 1/2, 1, 1, 1: en (q0, q1) is level, zh gains 1/2."""
    _, scores = values([1, 2, 2, 2], [2, 1, 1, 1])
    attributes = {"q0": {"lang": "en"}, "q1": {"lang": "en"}, "q2": {"lang": "zh"}, "q3": {"lang": "zh"}}
    found = rg.slices(scores, "RR", "lang", attributes=attributes)

    assert [(one.label, one.count, one.means) for one in found] == [
        ("en", 2, {"old": 0.75, "new": 0.75}),
        ("zh", 2, {"old": 0.5, "new": 1.0}),
    ]
    assert [one.differences["new"].mean for one in found] == [0.0, 0.5]
    assert found.overall.differences["new"].mean == 0.25
    assert found.slices[0].queries == ("q0", "q1")


@pace(30)
@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5), st.sampled_from("abc")), min_size=1, max_size=12))
def test_slices_partition_the_queries_and_their_means_combine(rows):
    _, scores = values([row[0] for row in rows], [row[1] for row in rows])
    attributes = {f"q{place}": {"kind": row[2]} for place, row in enumerate(rows)}
    for by, given_ in (("kind", attributes), ("difficulty", None)):
        found = rg.slices(scores, "RR", by, attributes=given_)
        assert sorted(query for one in found for query in one.queries) == sorted(scores.queries)
        whole = sum(one.count * one.differences["new"].mean for one in found) / len(rows)
        assert whole == pytest.approx(found.overall.differences["new"].mean, abs=1e-12)
        for one in found:
            changes = [1 / row[1] - 1 / row[0] for place, row in enumerate(rows) if f"q{place}" in one.queries]
            if len(changes) > 1 and np.std(changes) > 1e-9:
                expected = np.clip(stats.ttest_1samp(changes, 0).confidence_interval(0.95), -1, 1)
                assert (one.differences["new"].low, one.differences["new"].high) == pytest.approx(tuple(expected))


def test_a_better_mean_can_hide_a_loss():
    """On long queries new is worse, each by a little; on short ones it is much better."""
    _, scores = values([2, 2, 2, 2, 2, 2, 1, 1, 1], [1, 1, 1, 1, 1, 1, 2, 2, 3])
    lengths = {f"q{place}": {"length": "short" if place < 6 else "long"} for place in range(9)}
    found = rg.slices(scores, "RR", "length", attributes=lengths)

    assert [(one.system, one.label, one.certain) for one in found.hidden_losses] == [("new", "long", True)]
    assert 'on "long" (3 queries) it is worse: -0.555556, and the interval excludes 0' in str(found)
    assert "但在“long”上（3 个查询）更差" in found.document("zh").to_text()
    assert rg.slices(scores, "RR", "length", attributes=lengths, baseline="new").hidden_losses == ()


def test_many_numbers_are_binned_with_stated_bounds():
    _, scores = values([1] * 20, [2] * 20)
    found = rg.slices(scores, "RR", "n", attributes={f"q{n}": {"n": n / 2} for n in range(20)}, bins=4)

    assert [(one.label, one.count) for one in found] == [
        ("0 ≤ x ≤ 2", 5),
        ("2 < x ≤ 4.5", 5),
        ("4.5 < x ≤ 7", 5),
        ("7 < x ≤ 9.5", 5),
    ]
    few = rg.slices(scores, "RR", "n", attributes={f"q{n}": {"n": n % 3} for n in range(19)})
    assert [(one.label, one.count) for one in few] == [("0", 7), ("1", 6), ("2", 6), ("(none)", 1)]
    assert "（无值）" in few.document("zh").to_text()


def test_slices_by_number_of_judgments_and_by_difficulty():
    judgments, scores = values([1, 1, 2, 4] * 5, [1, 2, 2, 4] * 5)
    for place in range(12, 20):
        judgments[f"q{place}"] |= dict.fromkeys("bcd"[: place - 11], 0)
    assert [(one.label, one.count) for one in rg.slices(scores, "RR", "judgments", judgments=judgments)] == [
        ("1", 12),
        ("2-4", 8),
    ]
    _, scores = values([1, 1, 2, 4], [1, 2, 2, 4])
    hard = rg.slices(scores, "RR", "difficulty")
    assert [(one.label, one.queries) for one in hard] == [
        ("hard", ("q2", "q3")),
        ("middle", ("q1",)),
        ("easy", ("q0",)),
    ]
    assert "难度" in hard.document("zh").to_text()


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet", "csv.gz", "frame", "pandas", "lazy"])
def test_attributes_are_equal_for_every_input_form(form, tmp_path):
    _, scores = values([1, 2], [2, 1])
    frame = pl.DataFrame({"lang": ["en", "zh"], "query_id": ["q0", "q1"], "n": [1, None]})
    path = tmp_path / f"attributes.{form}"
    match form:
        case "csv":
            frame.write_csv(path)
        case "csv.gz":
            import gzip

            path.write_bytes(gzip.compress(frame.write_csv().encode()))
        case "tsv":
            frame.write_csv(path, separator="\t")
        case "jsonl":
            frame.write_ndjson(path)
        case "parquet":
            frame.write_parquet(path)
    source = {"frame": frame, "pandas": frame.to_pandas(), "lazy": frame.lazy()}.get(form, str(path))
    found = rg.slices(scores, "RR", "lang", attributes=source)

    assert [(one.label, one.queries) for one in found] == [("en", ("q0",)), ("zh", ("q1",))]
    assert [one.label for one in rg.slices(scores, "RR", "n", attributes=source)] == ["1", "(none)"]


def test_wrong_attributes_are_refused(tmp_path):
    judgments, scores = values([1, 2], [2, 1])
    empty = tmp_path / "empty.csv"
    empty.write_text("")
    with pytest.raises(rg.UnknownNameError, match="unknown attribute 'lagn'; did you mean 'lang'"):
        rg.slices(scores, "RR", "lagn", attributes={"q0": {"lang": "en"}})
    with pytest.raises(rg.UnknownNameError, match="unknown attribute 'x'"):
        rg.slices(scores, "RR", "x", attributes=pl.DataFrame({"query": ["q0"], "lang": ["en"]}))
    with pytest.raises(rg.InputError, match="no column for query"):
        rg.slices(scores, "RR", "lang", attributes=pl.DataFrame({"lang": ["en"]}))
    with pytest.raises(rg.InputError, match="query 'q0' has two values for lang, 'en' and 'zh'"):
        rg.slices(scores, "RR", "lang", attributes=pl.DataFrame({"query": ["q0", "q0"], "lang": ["en", "zh"]}))
    with pytest.raises(rg.InputError, match=r"give \{query: \{attribute: value\}\}"):
        rg.slices(scores, "RR", "lang", attributes={"q0": "en"})
    with pytest.raises(rg.InputError, match="the file has no data"):
        rg.slices(scores, "RR", "lang", attributes=str(empty))
    with pytest.raises(rg.ParameterError, match="needs the judgments"):
        rg.slices(scores, "RR", "judgments")
    with pytest.raises(rg.ParameterError, match="'judgments' or 'difficulty'"):
        rg.slices(scores, "RR", "lang")
    with pytest.raises(rg.ParameterError, match="bins must be"):
        rg.slices(scores, "RR", "difficulty", bins=1)
    with pytest.raises(rg.UnknownNameError, match="unknown system"):
        rg.slices(scores, "RR", "difficulty", baseline="odl")
    with pytest.raises(rg.ParameterError, match="compare systems"):
        rg.slices(scores.system("old"), "RR", "difficulty")
    with pytest.raises(rg.ParameterError, match="arithmetic mean"):
        rg.slices(rg.evaluate(judgments, {"a": judgments, "b": judgments}, "NumRet"), "NumRet", "difficulty")


def test_slices_as_json():
    _, scores = values([1, 2, 2], [2, 1, 1])
    found = rg.slices(scores, "RR", "difficulty")

    data = json.loads(found.to_json())
    assert data["overall"]["differences"]["new"]["mean"] == pytest.approx(1 / 6)
    assert data["slices"][0]["differences"]["new"]["low"] is None  # one query has no interval
    frame = found.to_frame()
    assert frame.height == 2 * (len(found) + 1)
    assert math.isnan(frame["difference"][0])


def test_attributes_as_a_pandas_series():
    judgments = {f"q{n}": {"a": 1} for n in range(4)}
    systems = {"x": {f"q{n}": ["a"] for n in range(4)}, "y": {f"q{n}": ["b", "a"] for n in range(4)}}
    scores = rg.evaluate(judgments, systems, "RR")
    kinds = {query: "even" if int(query[1]) % 2 == 0 else "odd" for query in judgments}
    expected = rg.slices(scores, "RR", "kind", attributes={query: {"kind": kind} for query, kind in kinds.items()})
    for name in ("kind", None):
        assert rg.slices(scores, "RR", "kind", attributes=pd.Series(kinds, name=name)).slices == expected.slices
    with pytest.raises(rg.UnknownNameError, match="length"):
        rg.slices(scores, "RR", "kind", attributes=pd.Series(kinds, name="length"))
    with pytest.raises(rg.InputError, match="'q1' is in the index twice"):
        rg.slices(scores, "RR", "kind", attributes=pd.Series(["a", "b"], index=["q1", "q1"]))


def test_result_frames_have_the_type_of_the_input_frames():
    """Slices and attributions of pandas frames were polars frames."""
    pd = pytest.importorskip("pandas")
    judgments = pd.DataFrame({"query": ["q", "r"], "item": ["a", "a"], "grade": [1, 1]})
    old = pd.DataFrame({"query": ["q", "r", "r"], "item": ["a", "b", "a"], "score": [1.0, 2.0, 1.0]})
    new = pd.DataFrame({"query": ["q", "q", "r"], "item": ["b", "a", "a"], "score": [2.0, 1.0, 1.0]})
    found = rg.compare(judgments, {"old": old, "new": new}, "RR")
    by = found.slices("judgments").to_frame()
    attribution = rg.attribute(judgments, old, new, "RR")

    assert isinstance(by, pd.DataFrame)
    assert [*by.columns] == ["slice", "queries", "system", "mean", "difference", "low", "high"]
    for frame in (attribution.to_frame(), attribution.items_frame(), found.attribution("old", "new").to_frame()):
        assert isinstance(frame, pd.DataFrame)
    assert attribution.to_frame()["contribution"].sum() == pytest.approx(attribution.difference)
    assert not isinstance(rg.attribute({"q": {"a": 1}}, {"q": ["a"]}, {"q": ["b", "a"]}, "RR").to_frame(), pd.DataFrame)


def test_a_comparison_in_place_of_scores_is_refused():
    judgments, systems = {"q": {"a": 1}, "r": {"b": 1}}, {"x": {"q": ["a"], "r": ["b"]}, "y": {"q": ["c"], "r": ["b"]}}
    compared = rg.compare(judgments, systems, "RR")
    for call in (lambda: rg.slices(compared, None, "difficulty"), lambda: rg.group_gaps(compared, None, {"q": 1})):
        with pytest.raises(
            rg.ParameterError, match=r"scores must be Scores, such as .*Comparison\.scores, not <Comparison"
        ):
            call()
