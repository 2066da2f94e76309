"""Reconcile: the values of tools, the rules that give a number, and the steps between two tools."""

import json
import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgauge as rg
from command_line import here, process
from rankgauge.reconciliation import printed_number, rule_setting
from rankgauge.reconciliation.tools import names_of
from registries import PRESETS
from worlds import pace, plain_metrics

FILMS, ALL_FILMS = [5, 3, 2, 1, 2], [5, 3, 2, 1, 2, 4, 0]

JUDGMENTS = {
    "a": {"1": 3, "2": 0, "3": 1, "4": 2},
    "b": {"1": 0, "5": 2, "6": 1},
    "c": {"7": 0},
    "d": {"8": 1, "9": 3},
    "e": {"1": 1},
}
RANKING = {
    "a": {"2": 0.9, "1": 0.9, "x": 0.9, "3": 0.2, "4": 0.1},
    "b": {"y": 3.0, "5": 2.0, "6": 2.0, "1": -1.0},
    "c": {"7": 1.0, "z": 0.5},
    "d": {"z": 0.3000000001, "9": 0.3, "8": 0.1},
}


@pytest.fixture(scope="module")
def films():
    return rg.reconcile(FILMS, metric="nDCG@5", ideal=ALL_FILMS)


@pytest.fixture(scope="module")
def small():
    return rg.reconcile(JUDGMENTS, RANKING, "nDCG@3")


# Values by tool


@pytest.mark.parametrize("metric", ["nDCG@3", "AP@3", "P@3", "R@3", "RR", "RR@3", "ERR@3", "HR@3", "nDCG", "AP", "F@3"])
def test_values_equal_those_of_evaluate(metric):
    found = rg.reconcile(JUDGMENTS, RANKING, metric)
    values = dict(zip([(tool.name, tool.metric_name) for tool in found.tools], found.values, strict=True))
    refused = {(tool.name, tool.metric_name) for tool in found.refused}

    for name, preset in PRESETS.items():
        for metric_name, ours in names_of(rg.parse(metric), preset):
            try:
                expected = rg.evaluate(JUDGMENTS, RANKING, ours, convention=name).mean(ours)
            except rg.RankgaugeError:
                assert (name, metric_name) in refused
                continue
            if (name, metric_name) in values:  # else another of its names is equivalent
                assert printed_number.nearly_equal(values[name, metric_name], expected), (name, metric_name)
    assert values["default", metric] == rg.evaluate(JUDGMENTS, RANKING, metric).mean(metric)


def test_every_preset_is_accounted_for(small):
    named = {tool.name for tool in (*small.tools, *small.refused)} | set(small.without_metric)

    assert named == {*PRESETS, "default"}
    assert "yahoo-ltrc" in small.without_metric


def test_tools_without_a_value_have_a_reason():
    negative = rg.reconcile({"q": {"a": -1, "b": 1}}, {"q": ["a", "b"]}, "nDCG@3")
    reasons = {tool.name: tool.refusal for tool in negative.refused}
    missing = rg.reconcile({"q": {"a": 1}, "r": {"a": 1}}, {"q": ["a"]}, "nDCG@3")

    assert "negative grades" in reasons["sklearn"]
    assert "no ranking (first 'r')" in {tool.name: tool.refusal for tool in missing.refused}["trec_eval-10"]
    assert "no ranking" in missing.document().to_text()


def test_groups_differ_by_the_fewest_rules(small):
    data = small._data
    assert len(small.groups) > 5
    assert [group.value for group in small.groups] == sorted((g.value for g in small.groups), reverse=True)
    for above, group in zip(small.groups, small.groups[1:], strict=False):
        assert group.before in {tool.own for tool in above.tools}
        assert group.after in {tool.own for tool in group.tools}
        changed = group.before.with_rules_of(group.after, group.rules)
        assert printed_number.nearly_equal(data.mean(changed), group.value)
        assert rule_setting.differing_rules(group.before, changed) == list(group.rules)
        for fewer in combinations(
            rule_setting.differing_rules(group.before, group.after), max(len(group.rules) - 1, 0)
        ):
            assert not printed_number.nearly_equal(
                data.mean(group.before.with_rules_of(group.after, fewer)), group.value
            )


def test_your_own_rules_are_shown_with_the_tools():
    found = rg.reconcile(FILMS, metric="nDCG@5", ideal=ALL_FILMS, convention=rg.Convention(discount="1/i"))

    assert round(found.value("yours"), 6) == 0.878277
    assert found.value("yours") == found.value("catboost-position")


def test_a_parameter_of_the_metric_applies_to_all_tools():
    found = rg.reconcile(FILMS, metric="nDCG(gain='exp2')@5", ideal=ALL_FILMS)

    assert printed_number.nearly_equal(found.value("trec_eval-9"), found.value("lightgbm"))
    assert all(tool.setting.convention.gain == "exp2" for tool in found.tools)


def test_an_implicit_cutoff_of_a_tool_is_shown():
    grades = [0] * 40 + [1]
    found = rg.reconcile(grades, metric="nDCG")

    assert found.value("xgboost-2") == 0
    assert found.value("xgboost-1.7") > 0


# Which rules give a number


def test_a_value_rounded_before_dividing_is_recognised(films):
    explained = films.explain("0.827")

    assert [match.rounding.how for match in explained.matches] == ["terms"]
    first = explained.matches[0]
    assert (round(first.value, 6), first.rounding.above, first.rounding.below, first.rounding.last) == (
        0.829613,
        38.5,
        46.5,
        "truncated",
    )
    assert first.setting.rules() == {"k": 5, "gain": "exp2"}
    assert first.setting == rule_setting.RuleSetting.of(rg.nDCG @ 5, rg.Convention(gain="exp2"))
    text = explained.document().to_text()
    assert "No known tool gives 0.827; the nearest value is 0.829613" in text
    assert "38.5 / 46.5 = 0.827957, truncated instead of rounded" in text
    assert "38.5 / 46.5" in explained.document("zh").to_text()


def test_the_value_of_a_tool_matches_the_tool(films):
    assert films.explain("0.8329").matches[0].tool.name == "jarvelin-kekalainen-2002"
    assert films.explain("0.7834").matches[0].tool.name == "letor"
    assert films.explain(films.value("quepid")).matches[0].tool.name == "quepid"
    assert films.explain("0.78342").matches[0].rounding.how == "rounded"
    assert films.explain("78.34%").matches[0].tool.name == films.explain("78.34").matches[0].tool.name == "letor"


def test_truncated_digits_are_recognised(films):
    first = films.explain("0.82961").matches[0]  # 0.829613
    cut = films.explain("0.8534").matches[0]  # 0.853491 is rounded to 0.8535

    assert first.rounding.how == "rounded"
    assert (cut.rounding.how, cut.tool.name) == ("truncated", "default")


def test_a_number_without_a_match(films):
    explained = films.explain("0.5555")

    assert explained.matches == ()
    assert round(abs(explained.nearest.value - 0.5555), 3) == 0.002
    text = explained.document().to_text()
    assert "No definition gives 0.5555" in text
    assert "The nearest of all is 0.55" in text
    assert explained.to_dict()["explanations"] == []


def test_a_query_distinguishes_several_matches(small):
    explained = small.explain("0.50")

    assert len(explained.matches) > 1
    assert [match.deviations for match in explained.matches] == sorted(match.deviations for match in explained.matches)
    deciding = explained.deciding_query
    columns = [small._data.averaged_values(match.setting) for match in explained.matches[:5]]
    place = [*JUDGMENTS].index(deciding.query)
    np.testing.assert_array_equal([column[place] for column in columns], deciding.values)
    answered = [query for query in JUDGMENTS if RANKING.get(query)]
    spreads = {query: np.ptp([column[n] for column in columns]) for n, query in enumerate(JUDGMENTS)}
    assert spreads[deciding.query] == np.nanmax([spreads[query] for query in answered])


def test_every_match_gives_the_number(small):
    for text in ("0.405", "0.55"):
        for match in small.explain(text).matches:
            value = rg.evaluate(JUDGMENTS, RANKING, match.setting.metric, convention=match.setting.convention).mean(
                match.setting.metric
            )
            assert printed_number.nearly_equal(value, match.value)
            assert printed_number.PrintedNumber.of(text).rounding_of(value) == match.rounding
            assert rule_setting.differing_rules(match.tool.setting, match.setting) == list(match.rules)


grade_lists = st.lists(st.integers(0, 3), min_size=1, max_size=6)
CHOICES = {
    "gain": ["linear", "exp2", "binary"],
    "discount": ["log2(i+1)", "log2(i)", "1/i"],
    "ideal": ["judged", "returned"],
    "ideal_cut": ["k", "none"],
    "ap_over": ["R", "min(R,k)", "hits"],
    "rel": [1, 2],
}
AROUND = [
    {},
    {"ties": "input"},
    {"ties": "mean"},
    {"ties": "worst"},
    {"unjudged": "removed"},
    {"undefined": 1},
    {"undefined": "skip"},
    {"no_relevant": "skip"},
    {"averaging": "median"},
    {"ties": "input", "undefined": 1},  # as LightGBM has them
]


@pace(8)
@given(st.data())
def test_a_printed_value_matches_its_convention(data):
    metric = data.draw(st.sampled_from(["nDCG@2", "AP@3", "P@2"]))
    judgments, ranking = {}, {}
    for query in ("p", "q")[: data.draw(st.integers(1, 2))]:
        grades = data.draw(grade_lists)
        judgments[query] = {f"d{place}": grade for place, grade in enumerate(grades)}
        items = data.draw(st.permutations([*judgments[query], "x"]))
        ranking[query] = {item: data.draw(st.integers(0, 3)) for item in items[: data.draw(st.integers(1, len(items)))]}
    moving = [rule for rule in CHOICES if rule in rg.parse(metric).definition.applicable_rules]
    formula = {rule: data.draw(st.sampled_from(CHOICES[rule])) for rule in moving}
    rules = rg.Convention(**formula, **data.draw(st.sampled_from(AROUND)))
    try:
        value = rg.evaluate(judgments, ranking, metric, convention=rules).mean(metric)
    except rg.RankgaugeError:  # such as ties='mean' without a closed form
        return
    if math.isnan(value):
        return

    explained = rg.reconcile(judgments, ranking, metric).explain(f"{value:.4f}")

    assert any(printed_number.nearly_equal(match.value, value) for match in explained.matches)
    for match in explained.matches[:3]:
        if match.rounding.how in {"rounded", "truncated"}:
            again = rg.evaluate(judgments, ranking, match.setting.metric, convention=match.setting.convention)
            assert printed_number.nearly_equal(again.mean(match.setting.metric), match.value)


def test_a_rule_that_matters_only_with_another_is_tried():
    judgments = {"p": {"a": 1, "b": 2}, "q": {"a": 1}}  # nothing of q is relevant from grade 2 on
    ranking = {"p": ["a", "b"], "q": ["a"]}
    rules = rg.Convention(rel=2, no_relevant="skip")

    explained = rg.reconcile(judgments, ranking, "AP").explain("0.5000")

    assert rg.evaluate(judgments, ranking, "AP", convention=rules).mean("AP") == 0.5
    settings = {setting for match in explained.matches for setting in (match.setting, *match.equivalent)}
    assert {setting.convention.no_relevant for setting in settings if setting.convention.rel == 2} >= {"skip"}


# From one tool to another


@pytest.mark.parametrize("pair", [("sklearn", "lightgbm"), ("trec_eval-9", "letor"), ("gdeval", "rectools")])
def test_the_steps_add_up(small, pair):
    transition = small.between(*pair)
    first, second = transition.values

    assert first == transition.steps[0].first
    assert second == transition.steps[-1].second
    assert math.isclose(sum(step.change for step in transition.steps), second - first, abs_tol=1e-12)
    assert [step.second for step in transition.steps[:-1]] == [step.first for step in transition.steps[1:]]
    for step in transition.steps:
        assert rule_setting.differing_rules(step.before, step.after) == list(step.rules)
        before, after = small._data.averaged_values(step.before), small._data.averaged_values(step.after)
        places = [[*JUDGMENTS].index(query) for query, _, _ in step.moved]
        np.testing.assert_array_equal([old for _, old, _ in step.moved], before[places])
        np.testing.assert_array_equal([new for _, _, new in step.moved], after[places])
    assert "In another order" in str(transition)


def test_equivalent_tools_have_no_steps(films):
    transition = films.between("lightgbm", "xgboost-2")

    assert transition.steps == ()
    assert "agree" in str(transition)
    with pytest.raises(rg.UnknownNameError, match="did you mean 'lightgbm'"):
        films.between("lightgmb", "sklearn")


# Forms of the data


def test_every_input_form_gives_the_same_result(small, tmp_path):
    (tmp_path / "j.csv").write_text(
        "query,item,grade\n" + "".join(f"{q},{i},{g}\n" for q, items in JUDGMENTS.items() for i, g in items.items())
    )
    (tmp_path / "r.csv").write_text(
        "query,item,score\n" + "".join(f"{q},{i},{s}\n" for q, items in RANKING.items() for i, s in items.items())
    )
    files = rg.reconcile(str(tmp_path / "j.csv"), str(tmp_path / "r.csv"), "nDCG@3")

    assert [(g.shown, g.rules) for g in files.groups] == [(g.shown, g.rules) for g in small.groups]
    explained = [
        rg.reconcile(*data, "RR@3").explain("0.40").to_dict()
        for data in ((JUDGMENTS, RANKING), (str(tmp_path / "j.csv"), str(tmp_path / "r.csv")))
    ]
    assert explained[0] == explained[1]


def test_many_queries_give_the_matches_of_few():
    queries = 80  # more than are recomputed for every setting
    judgments = {f"q{n}": {f"{n % 7}{item}": (n * item) % 4 for item in range(6)} for n in range(queries)}
    ranking = {q: {item: float(int(item) % (2 + int(q[1:]) % 5)) for item in items} for q, items in judgments.items()}
    judgments["q3"]["x"] = -1
    del ranking["q9"]
    found = rg.reconcile(judgments, ranking, "nDCG(gain='exp2', discount='log2(i)')@3")

    points = [*found._space.points()]
    for setting, mean in points[:: max(1, len(points) // 60)]:
        scores = rg.evaluate(judgments, ranking, setting.metric, convention=setting.convention)
        assert printed_number.nearly_equal(scores.mean(setting.metric), mean), setting.rules()


@pytest.mark.parametrize("value", ["", "abc", "0.4.5", "nan", "--1"])
def test_values_that_are_not_numbers_are_refused(films, value):
    with pytest.raises(rg.ParameterError, match="a number as it was printed"):
        films.explain(value)


@pytest.mark.parametrize("value", ["1e999", "1e-999", "0." + "0" * 400 + "1", "1e308", "1e301", "50e-322%", "1e-307"])
def test_numbers_out_of_range_are_refused(films, value):
    with pytest.raises(rg.ParameterError, match="a number within the range of floats"):
        films.explain(value)


@pytest.mark.parametrize("value", ["1e300", "-1e300", "1e-300", "0.5"])
def test_numbers_and_values_near_the_end_of_the_range_do_not_overflow(value):
    """A printed 1e308 ended reconcile with a RuntimeWarning, called a bug."""
    grades = {"q": {"a": 1.7e308, "b": 1.0, "c": -1.7e308}}
    for metric in ("nDCG@2", "DCG"):
        matches = rg.reconcile(grades, {"q": ["b", "c", "a"]}, metric).explain(value)
        assert all(math.isfinite(chance) for chance in matches.expected_by_chance)
        assert str(matches)
        json.dumps(matches.to_dict(), allow_nan=False)


def test_every_metric_can_be_reconciled():
    for name, metric in plain_metrics().items():
        requested = metric @ 3 if "k" in metric.definition.parameters else metric
        found = rg.reconcile(JUDGMENTS, RANKING, requested)
        value = rg.evaluate(JUDGMENTS, RANKING, requested).mean(requested)
        assert printed_number.nearly_equal(found.value("default"), value), name
        assert str(requested) in found.document("zh").to_text()


def test_weighted_averages_are_refused():
    found = rg.reconcile(JUDGMENTS, RANKING, "RR", convention=rg.Convention(averaging="weighted"))

    assert [tool.name for tool in found.refused if "weights" in tool.refusal] == ["yours"]


def test_hostile_names_are_escaped():
    found = rg.reconcile(
        {"{x}\x1b[31m|": {"a": 1}, "r": {"a": 2, "b": 1}}, {"{x}\x1b[31m|": ["b", "a"], "r": ["b"]}, "nDCG@2"
    )

    for text in (found.between("sklearn", "letor"), found.explain("0.5")):
        assert "\x1b" not in str(text)


def test_empty_and_odd_lists():
    assert rg.reconcile([], metric="nDCG@5").value("default") == 0
    assert rg.reconcile([], metric="ERR@5").explain("0.5").matches == ()
    assert rg.reconcile([None, 1], metric="RR").value("default") == 0.5
    with pytest.raises(rg.ParameterError, match=r"for each of the grades \(2\), found 1"):
        rg.reconcile([1, 0], metric="RR", scores=[1])
    with pytest.raises(rg.ParameterError, match="belong to a list"):
        rg.reconcile(JUDGMENTS, RANKING, "RR", ideal=[1])
    with pytest.raises(rg.InputError, match="nor is any other"):
        rg.reconcile({"q": {"a": 1}}, {"r": ["a"]}, "RR")


# The command line


@pytest.mark.usefixtures("example_folder")
def test_command_line():
    table = here("reconcile", "judgments.csv", "keywords.csv", "-m", "nDCG@5")
    data = json.loads(here("reconcile", "judgments.csv", "keywords.csv", "-m", "nDCG@5", "-t", "json").out)
    found = rg.reconcile("judgments.csv", "keywords.csv", "nDCG@5")

    assert table.code == 0
    assert table.out.strip() == found.document().to_text(120).strip()
    assert [group["shown"] for group in data["groups"]] == [group.shown for group in found.groups]


@pytest.mark.usefixtures("example_folder")
def test_command_line_of_a_list():
    films = ("reconcile", "5,3,2,1,2", "--ideal", "5,4,3,2,2,1,0", "-m", "nDCG@5")
    explained, none = here(*films, "--value", "0.827"), here(*films, "--value", "0.5555", "--lang", "zh")
    several = json.loads(here(*films, "--value", "0.827", "--value", "0.8296", "-t", "json").out)
    between = here(*films, "--between", "sklearn", "letor", "-t", "md")

    assert (explained.code, none.code) == (0, 1)
    assert "rounding before" in explained.out
    assert "没有定义给出 0.5555" in none.out
    assert [entry["printed"] for entry in several["values"]] == ["0.827", "0.8296"]
    assert "| discount | log2(i+1) | log2(i) | 0.783423 | -0.046189 |" in between.out


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["3,2,1", "--value", "0.5", "--between", "sklearn", "letor"], 2, "not both"),
        (["3,2,1", "--value", "half"], 2, "a number as it was printed"),
        (["3,2,1", "--between", "sklearn", "lettor"], 2, "did you mean 'letor'?"),
        (["judgments.csv", "keywords.csv", "--ideal", "1"], 2, "reconcile: --ideal is for a list"),
        (["a", "b", "c"], 2, "pass a list of grades"),
        (["judgments.csv", "nothing.csv"], 3, "nothing.csv"),
    ],
)
def test_command_line_errors(arguments, code, words):
    result = here("reconcile", *arguments)

    assert result.code == code
    assert words in result.err


def test_as_a_process_from_a_pipe(example_folder):
    ranking = (example_folder / "keywords.csv").read_bytes()
    arguments = ("reconcile", "judgments.csv", "-", "-m", "AP@3", "--between", "trec_eval-9", "spark", "-t", "json")

    result = process(*arguments, cwd=example_folder, stdin=ranking)

    data = json.loads(result.stdout.decode("utf-8"))
    total = data["values"]["second"] - data["values"]["first"]
    assert result.returncode == 0
    assert math.isclose(sum(step["change"] for step in data["steps"]), total, abs_tol=1e-12)


def test_a_changed_rule_may_make_tools_refuse_the_data():
    found = rg.reconcile([5, 3, 2], metric="ERR@5")  # grades go up to 4
    value = rg.evaluate({"q": {"a": 5, "b": 3, "c": 2}}, {"q": ["a", "b", "c"]}, rg.ERR(max_grade=5) @ 5)

    assert found.tools == ()
    first = found.explain(f"{value.mean(rg.ERR(max_grade=5) @ 5):.6f}").matches[0]
    assert (first.rules, first.setting.convention.max_grade) == (("max_grade",), 5)


def test_a_number_that_no_definition_can_compute_is_refused():
    with pytest.raises(rg.InputError, match="@5: no definition has a value for these data"):
        rg.reconcile([5, 3, 2], metric="ERR(max_grade=4)@5").explain("0.5")


PARTLY = {
    "q1": {"a": 3, "b": 2, "c": 0, "d": 1},
    "q2": {"a": 1, "b": 0, "c": 2, "f": 3},
    "q3": {"x": 1, "y": 2, "z": 0},
}
RETURNED = {"q1": {"a": 0.9, "c": 0.8, "d": 0.7}, "q2": {"b": 0.9, "a": 0.5, "c": 0.4}, "q3": {"z": 3.0, "x": 2.0}}


def test_tools_of_arrays_that_only_got_the_returned_items_are_named():
    """ndcg_score of the retrieved items knows no others, so that its ideal is their best order."""
    graded = {query: [PARTLY[query].get(item, 0) for item in items] for query, items in RETURNED.items()}
    value = np.mean([(rg.nDCG @ 10).of(grades, ideal=grades) for grades in graded.values()])
    result = rg.reconcile(PARTLY, RETURNED, "nDCG@10").explain(f"{value:.4f}")
    names = {tool.name for tool in result.of_returned}

    assert "sklearn" in names
    assert names == {*result.to_dict()["of_returned"]}
    text = " ".join(result.document().to_text().split())
    assert "sklearn" in text
    assert f"give {value:.4f} if only the returned items are passed to them" in text
    assert "若只传入返回的物品" in result.document("zh").to_text()
    recall = rg.reconcile(PARTLY, RETURNED, "R@10").explain("1.0000")
    assert any(tool.name.startswith("torchmetrics") for tool in recall.of_returned)
    whole = {query: {item: PARTLY[query][item] for item in items} for query, items in RETURNED.items()}
    assert rg.reconcile(whole, RETURNED, "nDCG@10").explain(f"{value:.4f}").of_returned == ()


@pytest.mark.parametrize(("text", "share"), [("83", 0.83), ("83.3", 0.833), ("7", 0.07)])
def test_a_number_above_1_is_read_as_a_percentage(text, share):
    result = rg.reconcile([3, 2, 0, 1], metric="nDCG@5").explain(text)
    assert (result.printed.is_share, result.printed.value) == (True, pytest.approx(share))
    assert f"{text} is read as a percentage: {share}." in result.document().to_text()


def test_the_query_to_ask_for_was_answered():
    """A query without results is left out by some definitions, but the other side has no value for it either."""
    judgments = PARTLY | {"q4": {"a": 1}}
    rankings = RETURNED | {"q4": {}}
    for value in ("0.37", "0.36", "0.49"):
        deciding = rg.reconcile(judgments, rankings, "nDCG@10").explain(value).deciding_query
        if deciding is not None:
            assert deciding.query != "q4"
            assert not np.isnan(deciding.values).any()
    without = rg.reconcile(judgments, RETURNED, "nDCG@10").explain("0.37").deciding_query
    assert without is None or without.query != "q4"
