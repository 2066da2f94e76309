"""What reconcile prints: lines that fit, short names of results, and a question where only a number is given."""

import json
import math
import re

import pytest

import rankgauge as rg
from command_line import display_width, here

FILMS = ["reconcile", "5,3,2,1,2", "--ideal", "5,4,3,2,2,1,0", "-m", "nDCG@5"]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("more", [[], ["--value", "0.827"], ["--between", "sklearn", "lightgbm"]], ids=str)
def test_no_line_through_a_pipe_is_wider_than_120_columns(lang, more, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    result = here("--lang", lang, *FILMS, *more)
    assert max(display_width(line.rstrip()) for line in result.out.splitlines()) <= 120


def test_results_have_short_names():
    matches = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5", ideal=[5, 4, 3, 2, 2, 1, 0]).explain("0.827")
    assert repr(matches) == "<NumberMatches of 0.827 for nDCG@5: 1, likely>"
    assert repr(matches.matches[0]).startswith("<NumberMatch 0.829613: ranx and ")
    assert max(len(repr(result)) for result in (*matches.matches, *matches.slips)) < 200


def test_a_match_where_tools_are_dense_is_uncertain():
    """Numbers near the tools' values meet one of them more often than numbers anywhere."""
    films = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5", ideal=[5, 4, 3, 2, 2, 1, 0])
    first, second = (films.explain(number).matches[0] for number in ("0.830", "0.8296"))
    assert (first.tool.name, first.confidence, second.confidence) == ("ranx", "uncertain", "likely")


@pytest.mark.parametrize(
    ("grades", "metric", "number", "confidence"),
    [
        ([3, 2, 3, 0, 1], "nDCG@5", "0.972", "likely"),
        ([3, 2, 3, 0, 1], "DCG@5", "6.149", "likely"),
        ([5, 3, 2, 1, 4], "nDCG@5", "0.961", "likely"),
        ([3, 2, 1, 0, 2], "nDCG@3", "0.905", "likely"),
        ([3, 2, 3, 0, 1], "nDCG@5", "0.97", "uncertain"),
        ([1, 1, 0, 1, 0], "P@5", "0.6", "uncertain"),  # few values, which other rankings have, too
    ],
)
def test_a_number_that_the_default_gives_is_explained(grades, metric, number, confidence):
    result = rg.reconcile(grades, metric=metric).explain(number)
    assert (result.matches[0].tool.name, result.matches[0].confidence) == ("default", confidence)
    assert (result.explained, result.to_dict()["is_requested"]) == (True, True)
    text = str(result)
    assert text.split("\n\n")[1].startswith("default")
    assert "--ideal" not in text
    assert here("reconcile", ",".join(map(str, grades)), "-m", metric, "--value", number).code == 0


def test_a_number_that_only_other_tools_give_still_needs_more_decimals():
    result = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5").explain("0.998")
    assert (result.explained, result.to_dict()["is_requested"]) == (False, False)
    own = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5", convention="lightgbm").explain("0.998")
    assert (own.matches[0].tool.name, own.explained) == ("yours", True)


def test_a_match_with_more_steps_has_no_higher_confidence_than_an_unchanged_tool():
    matches = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5").explain("0.998").matches
    assert [match.deviations for match in matches] == sorted(match.deviations for match in matches)
    assert any(match.rounding.how == "sums" for match in matches)
    assert {match.confidence for match in matches if match.deviations} <= {"uncertain", "coincidence"}
    assert min(match.by_chance for match in matches) == min(
        match.by_chance for match in matches if not match.deviations
    )


@pytest.mark.parametrize(
    ("grades", "metric", "number"),
    [("4,5,2,3,1", "P@5", "0.8"), ("1,1,0,1,0", "P@5", "0.8"), ("5,3,2", "R@3", "0.67"), ("1,1,1", "HR@3", "0.5")],
)
def test_a_metric_that_no_order_changes_has_numbers_by_chance(grades, metric, number):
    arguments = ["reconcile", grades, "-m", metric, "--value", number]
    assert "nan" not in here(*arguments).out
    data = json.loads(here(*arguments, "-t", "json").out, parse_constant=pytest.fail)["values"][0]
    assert all(0 < count < math.inf for count in data["expected_by_chance"].values())


def test_a_note_names_a_metric_that_no_order_changes():
    result = rg.reconcile([4, 5, 2, 3, 1], metric="P@5").explain("0.8")
    assert "P@5 is the same for every order of the items" in " ".join(str(result).split())
    assert "无论物品如何排序，P@5 都相同" in result.document("zh").to_text(200)


def test_a_changed_rule_is_listed_before_slips_if_values_are_few():
    result = rg.reconcile([4, 5, 2, 3, 1], metric="P@3").explain("0.667")
    assert [(match.rules, match.confidence) for match in result.matches] == [(("rel",), "uncertain")]
    assert {slip.confidence for slip in result.slips} == {"uncertain"}
    text = str(result)
    assert text.index("relevant from = 3") < text.index("rank 1 of the list left out")


def test_a_single_number_is_not_a_list():
    result = here("reconcile", "0.83")
    assert result.code == 2
    assert "rankgauge reconcile 3,2,0,1 --value 0.83" in result.err
    assert here("reconcile", "3", "--ideal", "3,2").code == 0
    for pair in (("0.83", "3,2,0,1"), ("3,2,0,1", "0.83")):
        result = here("reconcile", *pair)
        assert (result.code, "rankgauge reconcile 3,2,0,1 --value 0.83" in result.err) == (2, True)
    result = here("reconcile", "0.83", "0.7125")  # neither is a list
    assert result.code == 2
    assert "rankgauge reconcile 3,2,0,1 --value 0.83 --value 0.7125" in " ".join(result.err.split())


def test_tools_are_shown_with_the_rules_of_their_presets():
    """Another rule that gives the same order of equal scores on these data does not take the place of their own."""
    judgments = {"q1": {"a": 1, "c": 2}, "q2": {"b": 1}}
    ranking = {"q1": {"a": 1.0, "b": 1.0, "c": 1.0}, "q2": {"a": 1.0, "b": 1.0}}
    for found in (
        rg.reconcile(judgments, ranking, "nDCG@5"),
        rg.reconcile(judgments, {query: dict(reversed(items.items())) for query, items in ranking.items()}, "nDCG@5"),
    ):
        orders = {tool.name: tool.own.convention.ties for tool in found.tools}
        tools = ("ranx", "lightgbm", "phoenix", "trulens", "pyvespa")
        assert {name: orders[name] for name in tools} == dict.fromkeys(tools, "input")
        groups = {tool["preset"]: tool for group in found.to_dict()["groups"] for tool in group["tools"]}
        assert groups["ranx"]["setting"]["rules"]["ties"] == "input"
    found = rg.reconcile(judgments, ranking, "nDCG@5")
    assert "id-ascending" not in found.between("trec_eval-9", "lightgbm").document().to_text()
    assert found.between("trec_eval-9", "lightgbm").steps[-1].after.convention.ties == "input"
    assert re.search(r"ties +input +", found.explain(f"{found.value('lightgbm'):.6f}").document().to_text())


def test_slips_are_not_rated_above_definitions():
    found = rg.reconcile([1, 0, 1, 0, 0, 1], metric="AP").explain("0.83")
    assert [match.setting.metric.k for match in found.matches] == [3]
    assert found.matches[0].confidence == "uncertain"
    assert {slip.confidence for slip in found.slips} == {"uncertain"}
    texts = [(slip.slip.render("en"), slip.right) for slip in found.slips]
    assert len(texts) == len({*texts})  # each slip once
    page = found.document().to_text()
    assert page.index("except k = 3") < page.index("A slip in one term")
    assert "near 0.83" in page
    assert "0.83 附近" in found.document("zh").to_text()


GIVEN = ["reconcile", "5,3,2,1,2", "--ideal", "5,3,2,1,2,4,0", "-m", "nDCG@5"]


def test_a_number_that_is_another_one_rounded_is_not_explained_again():
    result = here(*GIVEN, "--value", "0.83", "--value", "0.8296")
    assert result.out.startswith(
        "0.83 is 0.8296 rounded: the same definition gives both.\n\nWhich rules give nDCG@5 = "
    )
    assert (result.code, result.out.count("Which rules give")) == (0, 1)
    assert "uncertain" not in result.out
    chinese = here("--lang", "zh", *GIVEN, "--value", "0.8296", "--value", "0.83").out
    assert chinese.startswith("0.83 是 0.8296 四舍五入的结果：同一个定义给出这两个数。\n")


def test_a_number_that_a_likely_definition_of_another_one_gives_counts_as_explained():
    result = here(*GIVEN, "--value", "0.829", "--value", "0.8296")
    assert result.out.startswith("The same definition gives 0.8296 and 0.829 (truncated instead of rounded).\n")
    assert (result.code, result.out.count("Which rules give")) == (0, 2)
    values = json.loads(here(*GIVEN, "--value", "0.829", "--value", "0.8296", "-t", "json").out)["values"]
    assert [value.get("same_definition_as") for value in values] == ["0.8296", None]


def test_numbers_without_a_common_definition_are_explained_one_by_one():
    result = here(*GIVEN, "--value", "0.8296", "--value", "0.7")
    assert result.out.startswith("Which rules give nDCG@5 = 0.8296?")
    assert result.code == 1
    result = here(*GIVEN, "--value", "0.123", "--value", "0.1234")
    assert result.out.startswith("0.123 is 0.1234 rounded.\n")
    assert (result.code, result.out.count("Which rules give")) == (1, 2)


def test_an_unexplained_number_of_a_list_alone_points_to_the_items_that_were_not_returned():
    alone = ["reconcile", "5,3,2,1,2", "--value", "0.8296"]
    assert "--ideal 5,3,2,2,1,… (in Python ideal=[5, 3, 2, 2, 1, ...])." in " ".join(
        here(*alone, "-m", "nDCG@5").out.split()
    )
    assert "--ideal 5,3,2,2,1,…" in here("--lang", "zh", *alone, "-m", "nDCG@5").out
    assert "--ideal" not in here(*alone, "-m", "P@5").out  # what was not returned does not matter to it
    assert "--ideal" not in here(*GIVEN, "--value", "0.1234").out


@pytest.mark.parametrize(
    ("grades", "metric", "number", "hint"),
    [
        (
            [1, 0, 1, 0, 1],
            "AP",
            "0.57",
            "Possible: 1 more judged item of grade 1 that was not returned; with it, default gives 0.566667.",
        ),
        ([1, 0, 1, 0, 1], "AP", "0.45", "Possible: 2 more judged items of grade 1 that were not"),
        (
            [1, 0, 1, 1],
            "AUC",
            "0.83",
            "Possible: 3 more judged items of grade 0 that were not returned; with them, default gives",
        ),
        (
            [3, 2, 0, 1],
            "nDCG@5",
            "0.623",
            (
                "Possible: 3 more judged items of grades 3, 2 that were not returned; with them, default gives 0.623357. If "
                "judged items were not returned, pass the grades of all as the ideal: --ideal 3,2,1,0,…"
            ),
        ),
        ([3, 2, 0, 1], "nDCG@5", "0.71", None),  # between the values with one item of grade 1 and of grade 2
        ([1, 0, 1, 0, 1], "AP", "0.71", None),  # 0.7556 with three relevant items, 0.5667 with four
        ([1, 0, 1, 0, 1], "AP", "0.93", None),  # more relevant items only lower it
        ([3, 2, 0, 1], "nDCG@5", "0.999", None),
        ([1, 0, 0, 1], "R@4", "0.70", None),
    ],
)
def test_items_that_were_not_returned_are_named_only_where_they_can_give_the_number(grades, metric, number, hint):
    text = " ".join(str(rg.reconcile(grades, metric=metric).explain(number)).split())
    assert ("Possible: " in text) == (hint is not None)
    assert hint is None or hint in text


def test_the_advised_ideal_has_the_grades_of_the_list():
    """An ideal of other grades, as in an example, could give more than 1."""
    missed = rg.reconcile([3, 2, 0, 1], metric="nDCG@5").explain("0.623")
    assert missed.list_grades == (3, 2, 1, 0)
    assert (rg.nDCG @ 5).of([3, 2, 0, 1], ideal=missed.list_grades) <= 1
    assert (rg.nDCG @ 5).of([3, 2, 0, 1], ideal=[*missed.list_grades, *missed.missed.grades]) == missed.missed.value
    assert here("explain", "3,2,0,1", "--ideal", "3,2,1,0,…").code == 2  # the placeholder is to be replaced
    assert rg.reconcile([3, 2, 0, 1], metric="nDCG@5", ideal=[3, 2, 1]).explain("0.623").list_grades == ()


@pytest.mark.parametrize("metrics", [("-m", "nDCG@5", "-m", "AP"), ("-m", "nDCG@5,AP")])
def test_two_metrics_are_refused(metrics):
    assert "one metric, found 2: nDCG@5, AP" in here("reconcile", "5,3,2,1,2", *metrics).err
    assert "应为一个指标，而这里有 2 个" in here("--lang", "zh", "audit", "a:b", *metrics).err


def test_a_number_that_nothing_gives_may_be_of_another_metric():
    hint = "Only nDCG@10 was tried; if the number may be of another metric, name it: -m AP"
    assert hint in " ".join(here("reconcile", "1,0,1,0,1", "--value", "0.7555").out.split())
    assert "只尝试了 nDCG@10" in here("--lang", "zh", "reconcile", "1,0,1,0,1", "--value", "0.7555").out
    assert "Only AP" not in here("reconcile", "1,0,1,0,1", "--value", "0.7556", "-m", "AP").out


def test_a_number_between_1_and_2_is_no_percentage():
    page = here(*GIVEN, "--value", "1.2").out
    assert "The metric is at most 1; if 1.2 is a percentage, write 1.2%." in page
    assert "该指标不超过 1；若 1.2 是百分数，请写作 1.2%。" in here("--lang", "zh", *GIVEN, "--value", "1.2").out
    assert "at most 1" not in here(*GIVEN, "--value", "1.0").out


def test_a_note_explains_that_a_number_above_1_is_read_as_a_percentage():
    assert "82.96 is read as a percentage: 0.8296." in here(*GIVEN, "--value", "82.96").out
    assert "82.96 按百分数理解，即 0.8296。" in here("--lang", "zh", *GIVEN, "--value", "82.96").out
    for plain in ("82.96%", "0.8296"):
        assert "percentage" not in here(*GIVEN, "--value", plain).out
