"""Audits: faults of public tools, re-created from their descriptions, are found with small counterexamples."""

import json
import math
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import audited_functions as functions
import rankgauge as rg
from audited_functions import RIGHT, UNDECIDED, WRONG, log2, mrr_in_input_order
from command_line import environment, here, process
from optional import needs, posix_only
from rankgauge import testing
from rankgauge.auditing import audit as audit_module
from rankgauge.auditing import forms, identification, program
from rankgauge.auditing.audit import _is_open, audit_program
from rankgauge.auditing.process import imported
from rankgauge.auditing.worlds import World, rescored_worlds, small_worlds
from rankgauge.reconciliation.rule_setting import RuleSetting
from worlds import THOROUGH


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(identification, "SEARCH_SECONDS", 0.5)


CASES = [*RIGHT, *WRONG, *UNDECIDED][:: 1 if THOROUGH > 1 else 3]
"""A third of the functions, which take four minutes of processor time; ``make audits`` runs all of them."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name}-{case.metric}")
def test_functions_get_the_verdict_they_deserve_and_what_is_wrong_is_said(case):
    if case.needs:
        needs(case.needs)
    result = rg.audit(case.function, case.metric, **case.options)

    assert result.verdict == case.verdict, result
    assert bool(result) == result.ok == (case.verdict == "acquitted")
    assert case.diagnosis in " / ".join(each.en for each in (*result.diagnosis, *result.untested))
    assert bool(result.broken) == (case.verdict == "accused")
    for broken in result.broken:
        assert broken.example.size <= case.largest, broken.law
        for world in getattr(broken.example, "worlds", [broken.example]):
            assert len(world.ranking) <= case.largest, broken.law
    for text in (*result.diagnosis, *result.untested):
        assert text.zh != text.en


def test_a_function_of_another_form_that_answers_only_empty_lists_is_not_accused():
    """Lists of dicts with lists are no known form; texts and numbers have no get."""

    def ndcg(golds, rankings):
        values = [log2([gold.get(item, 0) for item in ranked]) for gold, ranked in zip(golds, rankings, strict=False)]
        return sum(values) / len(values) if values else 0.0

    result = rg.audit(ndcg, "nDCG@10")
    assert result.verdict == "undecided"
    assert "no form of arguments gave a number" in result.untested[0].en


def test_a_result_may_name_the_metric_without_its_cutoff():
    def evaluate(expected, retrieved, k=5):
        hits = len({*expected} & {*retrieved[:k]})
        return {"precision": hits / k, "recall": hits / len({*expected}) if expected else 0.0, "mrr": 0.5}

    assert rg.audit(evaluate, "R@5").ok
    assert rg.audit(evaluate, "P@5").ok


FAULTS = {
    functions.average_precision_over_hits: ("AP", {"missed gold", "repeated items", "replaced"}),
    functions.ndcg_counting_copies: ("nDCG", {"bounds", "repeated items"}),
    functions.recall_counting_chunks: ("R@10", {"bounds", "repeated items"}),
    functions.ndcg_of_returned: ("nDCG@10", {"missed gold", "repeated items", "bounds"}),
    functions.ndcg_with_unsorted_ideal: ("nDCG", {"bounds"}),
    functions.ndcg_by_position: ("nDCG", {"answers"}),
    functions.precision_of_nothing: ("P", {"answers"}),
    functions.recall_is_success_at_one: ("R@10", {"missed gold"}),
    functions.reciprocal_rank_beyond_the_list: ("RR@10", {"answers"}),
    functions.recall_that_takes: ("R", {"unchanged"}),
    functions.reciprocal_rank_by_chance: ("RR", {"repeatable"}),
}


@pytest.mark.parametrize("function", FAULTS, ids=lambda function: function.__name__)
def test_faults_of_public_tools_break_the_laws_that_they_should(function):
    metric, laws = FAULTS[function]
    assert laws <= {broken.law for broken in rg.audit(function, metric).broken}


def test_an_order_of_ties_that_the_input_decides_is_a_fault_only_of_a_definition_with_another():
    """MTEB before August 2026: a constant scorer could reach 1."""
    free = rg.audit(mrr_in_input_order, "RR")
    assert free.ok
    assert "The order of items with equal scores is that of the input" in free.document().to_text()
    held = rg.audit(mrr_in_input_order, "RR", convention="mteb-mrr")
    assert "order of ties" in {broken.law for broken in held.broken}
    assert rg.audit(mrr_in_input_order, "RR", convention="mteb-mrr-2.18.18").ok


@pytest.mark.parametrize("convention", ["mteb-mrr", "mteb-mrr-2.18.18", "trec_eval-9"])
def test_ties_that_count_as_wins_are_a_fault_under_any_stated_definition(convention):
    result = rg.audit(functions.optimistic_reciprocal_rank, "RR", convention=convention)
    assert result.verdict == "accused"
    assert "ties count as wins" in result.diagnosis[0].en


def test_a_counterexample_shows_what_was_returned_and_what_is_right():
    [first] = (
        broken for broken in rg.audit(functions.ndcg_of_returned, "nDCG@10").broken if broken.law == "missed gold"
    )
    assert (first.law, str(first.example)) == ("missed gold", "judged {a: 1, b: 1}, returned [a], k = 2")
    assert first.returned == 1.0
    assert first.expected == pytest.approx(1 / (1 + 1 / math.log2(3)))
    assert "DCG" in first.steps().to_text()


def test_a_wrong_mean_is_shown_on_two_queries():
    [broken] = rg.audit(functions.reciprocal_ranks_not_averaged, "RR").broken
    assert broken.law == "several queries"
    assert str(broken.example).startswith(
        "q1: judged {d1: 0, d2: 1, d3: 0, d4: 0}, returned [d1, d2, d3, d4]; q2: judged"
    )
    assert (broken.returned, broken.expected, broken.steps()) == (1.5, 0.75, None)
    assert [*broken.to_dict()["example"]["judgments"]] == ["q1", "q2"]
    assert "q1：标注" in broken.row("zh")[2]


@pytest.mark.parametrize("convention", [None, "trulens", rg.Convention(ties="input")])
def test_the_best_value_where_nothing_is_relevant_is_a_fault(convention):
    """The place of the first hit among none is 0, and its reciprocal rank 1; a definition may leave such lists out."""
    result = rg.audit(functions.reciprocal_ranks_of_argmax, "RR", convention=convention)
    broken = {each.law: each for each in result.broken}["nothing is perfect"]
    assert (str(broken.example), broken.returned) == ("judged {a: 0}, returned [a]", 1.0)
    assert broken.row("en")[-1] == ("no value: 0/0" if convention == "trulens" else "0")
    assert "best value" in result.diagnosis[-1].en


def test_the_best_value_where_nothing_is_relevant_has_to_be_stated():
    assert rg.audit(functions.recall_of_nothing_is_perfect, "R", call="relevant, ranked").verdict == "accused"


def test_the_expected_value_is_that_of_the_metric_asked_for():
    """A tool's reciprocal ranks of all hits give 0.75 here."""
    values = [broken.expected for broken in rg.audit(functions.last_reciprocal_rank, "RR").broken]
    assert set(values) == {1.0}


def test_the_convention_found_gives_the_value_of_lists_without_relevant_items():
    result = rg.audit(functions.reciprocal_ranks_of_rows, "RR")
    rows = {"q": {"a": 0, "b": 0}}, {"q": {"a": 0.9, "b": 0.5}}
    assert rg.evaluate(*rows, "RR", convention=result.definition.convention).mean("RR") == 0.0


@pytest.mark.parametrize("k", [1, 2, 3, 10])
def test_the_counterexample_of_repeated_items_repeats_an_item(k):
    """A recall divided by k was shown on a list without repeats, where it was farthest from the definition."""

    def recall_of_k(relevant, ranked):
        return sum(item in relevant for item in ranked[:k]) / k

    broken = {each.law: each for each in rg.audit(recall_of_k, f"R@{k}").broken}
    assert ("repeated items" in broken) == (k > 1)
    assert k == 1 or broken["repeated items"].example.repeats


def right_ndcg(qrels, run, k):
    """nDCG as trec_eval computes it."""
    values = []
    for query, scores in run.items():
        order = sorted(sorted(scores, reverse=True), key=lambda item: -scores[item])[:k]
        ideal = log2(sorted(qrels[query].values(), reverse=True)[:k])
        values.append(log2([qrels[query].get(item, 0) for item in order]) / ideal if ideal else 0.0)
    return sum(values) / len(values)


def test_a_correct_metric_passes_and_its_definition_is_named():
    result = rg.audit(right_ndcg, "nDCG@10")
    assert result.ok
    assert result
    assert result.definition.preset == "trec_eval-9"
    assert result.differing == ("missing",)
    assert result.call == "judgments, ranking"


@pytest.mark.parametrize(("missing", "value"), [("skip", 1.0), ("zero", 0.5)])
def test_the_definition_says_what_becomes_of_a_query_that_is_not_in_the_ranking(missing, value):
    def hit_rate(gold, runs):
        queries = runs if missing == "skip" else gold
        return sum(bool({*gold[query]} & {*runs.get(query, ())}) for query in queries) / len(queries)

    definition = rg.audit(hit_rate, "HR", call="relevant by query, ranked by query").definition
    assert definition.convention.missing == missing
    scores = rg.evaluate({"q1": ["a"], "q2": ["b"]}, {"q1": ["a"]}, "HR", convention=definition.convention)
    assert scores.mean("HR") == value


@pytest.mark.parametrize(("missing", "does"), [("skip", "is left out"), ("zero", "counts as 0")])
def test_a_stated_rule_for_queries_without_a_ranking_is_compared(missing, does):
    def hit_rates(gold, runs):
        queries = runs if missing == "skip" else gold
        return {query: float(bool({*gold[query]} & {*runs.get(query, ())})) for query in queries if query in gold}

    call, other = "relevant by query, ranked by query", {"skip": "zero", "zero": "skip"}[missing]
    assert rg.audit(hit_rates, "HR", call=call, convention=rg.Convention(missing=missing)).ok
    result = rg.audit(hit_rates, "HR", call=call, convention=rg.Convention(missing=other))
    [broken] = result.broken
    assert broken.law == "lacking queries"
    assert (broken.returned, broken.expected) == ((1.0, 0.5) if missing == "skip" else (0.5, 1.0))
    assert [each.en for each in result.diagnosis] == [f"a judged query that is not in the ranking {does}"]
    [refused] = rg.audit(hit_rates, "HR", call=call, convention=rg.Convention(missing="error")).broken
    assert refused.row("en")[-1] == "a refusal"


def test_queries_without_relevant_items_that_are_left_out_are_named():
    def reciprocal_ranks(y_true, y_score):
        hits = functions.in_order(y_true, y_score) > 0
        ranks = [1 / (row.argmax() + 1) for row in hits if row.any()]
        return sum(ranks) / max(len(ranks), 1)

    free = rg.audit(reciprocal_ranks, "RR")
    assert (free.ok, "no_relevant" in free.differing) == (True, True)
    assert free.definition.convention.no_relevant == "skip"
    held = rg.audit(reciprocal_ranks, "RR", convention=rg.Convention(ties="input"))
    assert "a query without relevant items is left out" in [each.en for each in held.diagnosis]


def test_truth_without_grades_is_right_if_it_holds_relevant_rows_only():
    needs("pandas")
    result = rg.audit(functions.pandas_recall_of_pairs, "R@10")
    assert result.call == "relevant frame, ranking frame"
    assert "only if its judgments hold relevant rows only" in result.document().to_text()


def test_the_definition_names_the_rules_that_differ_and_what_happens_to_copies():
    def exponential(ranked, grades):
        ideal = log2([2**grade - 1 for grade in sorted(grades.values(), reverse=True)])
        seen = dict.fromkeys(ranked)
        return log2([2 ** grades.get(item, 0) - 1 for item in seen]) / ideal if ideal else 0.0

    definition = rg.audit(exponential, "nDCG").definition
    assert definition.convention.gain == "exp2"
    assert definition.duplicates == "close-up"


def test_values_that_match_no_definition_are_shown_with_the_nearest():
    def half(relevant, ranked):
        return len({*relevant} & {*ranked}) / (len(relevant) + 0.5)

    result = rg.audit(half, "R")
    assert result.definition is None
    assert result.nearest.agreed < result.nearest.tried
    assert "No known definition" in result.document().to_text()


def test_a_definition_other_than_the_default_is_named_by_the_rules_that_matter():
    result = rg.audit(functions.apk, "AP@10")
    assert result.differing == ("ap_over",)
    assert result.to_dict()["differing"] == ["ap_over"]
    assert "not the default definition of AP@10: ap_over=min(R,k)." in str(result)
    assert "不是 AP@10 的默认定义：ap_over=min(R,k)" in result.document("zh").to_text()
    assert rg.audit(functions.recall_of_sets, "R@10").differing == ()
    assert rg.audit(functions.apk, "AP@10", convention=rg.Convention()).verdict == "accused"


@pytest.mark.parametrize("n", [15, 25, 30, 50, 100])
def test_hidden_cutoffs_are_seen_on_deep_lists(n):
    result = rg.audit(functions.reciprocal_rank_of_first(n), "RR")
    assert result.broken[0].example.size == n + 1
    assert f"only the first {n} items" in result.diagnosis[0].en


def test_a_cutoff_one_too_small_or_too_large_is_seen():
    def hit_rate(relevant, ranked, k):
        return functions.hit_rate(relevant, ranked, k + 1)

    assert rg.audit(hit_rate, "HR@200", call="relevant, ranked").verdict == "accused"

    def recall(relevant, ranked, k=10):
        return len({*ranked[: k - 1]} & {*relevant}) / max(len({*relevant}), 1)

    assert [each.en for each in rg.audit(recall, "R@10").diagnosis] == ["the cutoff is k - 1"]


def test_a_stated_definition_excuses_its_own_laws_only():
    lenient = rg.Convention(ap_over="hits", duplicates="again")
    assert rg.audit(functions.average_precision_over_hits, "AP", convention=lenient).ok
    broken = {
        each.law for each in rg.audit(functions.average_precision_over_hits, "AP", convention=rg.Convention()).broken
    }
    assert "definition" in broken
    testing.assert_equals_definition(functions.average_precision_over_hits, "AP", convention=lenient)
    with pytest.raises(AssertionError, match="average_precision_over_hits breaks"):
        testing.assert_equals_definition(functions.average_precision_over_hits, "AP")


def test_the_laws_that_a_stated_definition_breaks_are_named():
    result = rg.audit(functions.average_precision_over_hits, "AP", convention="haystack-2")
    assert [law.name for law in result.excused] == ["missed gold", "repeated items", "replaced"]
    assert "漏掉相关物品的列表不是满分；重复返回的物品只计一次" in result.document("zh").to_text()


def recall_rounded(relevant, ranked, k):
    return round(len({*relevant} & {*ranked[:k]}) / max(len(relevant), 1), 4)


def recall_over_k(relevant, ranked, k):
    return len({*relevant} & {*ranked[:k]}) / k


def test_rounded_values_are_recognised():
    """A function that rounds, and every program that prints four decimals, once had no known definition."""
    result = rg.audit(recall_rounded, "R@5")
    assert result.ok
    assert result.definition.decimals == 4
    assert "rounded to 4 decimals" in str(result.definition)


def test_recall_divided_by_k_is_recognised_as_precision():
    result = rg.audit(recall_over_k, "R@5")
    assert result.definition is None
    assert str(result.nearest.metric) == "P@5"
    assert "values of another metric, P@5" in result.document().to_text()
    assert "另一个指标 P@5" in result.document("zh").to_text()


def test_another_base_of_the_logarithm_is_a_constant_factor_and_not_a_known_definition():
    result = rg.audit(functions.dcg_with_natural_logarithm, "DCG@5")
    assert (result.verdict, result.definition) == ("accused", None)
    assert result.nearest.factor == pytest.approx(1 / math.log(2))
    assert "larger by a factor of 1.4427, nDCG unaffected" in " ".join(result.document().to_text().split())
    assert "变为 1.4427 倍" in result.diagnosis[0].zh
    doubled = rg.audit(lambda grades: 2 * log2(grades), "DCG")
    assert (doubled.verdict, doubled.nearest.factor) == ("undecided", 2.0)
    assert "2 times those of default" in doubled.document().to_text()


def test_a_definition_that_leaves_ties_to_the_sort_has_to_allow_the_values_of_ties():
    """A sort by score and id was said to take all items tied at k, on inputs where the values differ."""
    definition = rg.audit(functions.recall_from_least_grade, "R@10").definition
    assert definition.changes == ("ties",)
    assert definition.convention.ties == "id-ascending"


def test_auc_by_the_order_of_rows_is_right_only_as_the_stated_definition():
    [broken] = rg.audit(functions.auc_of_a_stable_sort, "AUC").broken
    assert (str(broken.example), broken.returned, broken.expected) == (
        "judged {a: 1, b: 0}, returned [a 1, b 1]",
        1.0,
        0.5,
    )
    assert rg.audit(
        functions.auc_of_a_stable_sort, "AUC", convention=rg.Convention(ties="input", tied_pairs="order")
    ).ok


def test_an_auc_of_one_half_without_pairs_is_another_value_of_0_by_0():
    """It was told that an unjudged item counts as relevant, with an expected value of 0/0."""

    def auc(labels, scores):
        won = [s for label, s in zip(labels, scores, strict=True) if label > 0]
        lost = [s for label, s in zip(labels, scores, strict=True) if label <= 0]
        pairs = [(a > b) + 0.5 * (a == b) for a in won for b in lost]
        return sum(pairs) / len(pairs) if pairs else 0.5

    result = rg.audit(auc, "AUC")
    assert result.ok
    assert result.differing == ("undefined",)
    assert "not the default definition of AUC: undefined=0.5" in result.document().to_text()
    for convention in ("default", "sklearn"):
        held = rg.audit(auc, "AUC", convention=convention)
        assert held.verdict == "accused"
        assert held.diagnosis[0].en.startswith("0/0 gives 0.5; the definition has another value there")
    assert rg.audit(auc, "AUC", convention=rg.Convention(undefined=0.5)).ok


def test_a_perfect_list_with_irrelevant_items_at_its_end_scores_1():
    [broken] = rg.audit(functions.average_precision_of_all_ranks, "AP").broken
    assert (broken.law, str(broken.example), broken.returned) == (
        "perfect",
        "judged {a: 1, b: 0}, returned [a, b]",
        0.75,
    )


def test_the_steps_of_an_example_are_shown_once():
    text = rg.audit(functions.recall_counting_chunks, "R@10").document().to_text()
    assert text.count("What the definition gives for: judged {a: 1}, returned [a, a], k = 2") == 1


class NoGoldError(Exception):
    """An error of this module."""


def test_an_exception_of_the_audited_package_is_a_refusal():
    """Azure AI Evaluation refuses empty judgments with an exception of its own."""

    def recall(relevant, ranked):
        if not relevant:
            raise NoGoldError("no relevant items")
        return len({*relevant} & {*ranked}) / len(relevant)

    assert rg.audit(recall, "R", call="relevant, ranked").ok


def test_refusals_are_not_faults_and_output_is_captured(capfd):
    def strict(labels, scores):
        print("working")  # noqa: T201
        if len(labels) < 2 or not any(labels):
            raise ValueError("too short")
        order = sorted(range(len(scores)), key=lambda place: -scores[place])
        return next(1 / rank for rank, place in enumerate(order, 1) if labels[place] > 0)

    result = rg.audit(strict, "RR", call="labels, scores")
    assert (result.verdict, result.calls.refused > 0, result.calls.failed) == ("acquitted", True, 0)
    assert result.printed
    assert capfd.readouterr().out == ""


def test_a_preset_that_drops_scores_excuses_nothing_unless_it_is_stated():
    function = functions.reciprocal_rank_of_positive_scores
    assert rg.audit(function, "RR").diagnosis[0].en == "ignores items with scores of 0 or below"
    convention = rg.preset("torchmetrics-1.7.4").replace(ties="input")
    assert rg.audit(function, "RR", convention=convention).verdict == "acquitted"


def test_a_call_without_an_end_in_a_form_that_was_only_tried_is_no_evidence():
    def auc(labels, scores):
        while isinstance(labels, dict):
            pass
        return functions.auc_of_ranks(labels, scores)

    result = rg.audit(auc, "AUC", timeout=0.2)
    assert (result.verdict, result.call) == ("acquitted", "labels, scores"), result


def test_a_function_that_hangs_or_exits_is_a_fault():
    def hangs(relevant, ranked):
        while len(ranked) == 3:
            pass
        if len(ranked) == 2:
            sys.exit(1)
        return float(bool({*relevant} & {*ranked}))

    result = rg.audit(hangs, "HR", timeout=0.5, call="relevant, ranked")
    assert [broken.returned for broken in result.broken if broken.law == "answers"] == ["SystemExit: 1"]


def test_faults_are_described_in_the_language_of_the_audit():
    def swallows(relevant, ranked):
        while len(ranked) == 1:
            try:
                while True:
                    pass
            except Exception:  # noqa: BLE001, S110 (an answer that takes too long is not for the function to catch)
                pass
        return float(bool({*relevant} & {*ranked}))

    slow = rg.audit(swallows, "HR", timeout=0.3, call="relevant, ranked")
    assert [broken.returned for broken in slow.broken if broken.law == "answers"] == ["no answer within 0.3 s"]
    assert "0.3 秒内没有结果" in slow.document("zh").to_text()
    assert "3 次调用没有结果后停止" in slow.document("zh").to_text()
    assert "参数被改动" in rg.audit(functions.recall_that_takes, "R").document("zh").to_text()
    assert "再次调用得" in rg.audit(functions.reciprocal_rank_by_chance, "RR").document("zh").to_text()
    other = rg.audit(lambda relevant, ranked: {}, "R", call="relevant, ranked")
    assert "结果为空" in other.document("zh").to_text()


def test_objects_and_wrong_calls():
    class Recall:
        def evaluate(self, qrels, run):
            [(query, gold)] = qrels.items()
            relevant = {item for item, grade in gold.items() if grade > 0}
            return {"found": len(relevant & {*run[query]}) / max(len(relevant), 1), "other": 0.0}

    for function in (Recall(), Recall):  # a class is instantiated; R is not the name of either value
        unknown = rg.audit(function, "R")
        assert (unknown.verdict, unknown.definition, unknown.broken) == ("undecided", None, ())
        assert "no form of arguments gave a number" in unknown.document().to_text()
    with pytest.raises(rg.ParameterError, match="callable"):
        rg.audit(3, "R")
    with pytest.raises(rg.ParameterError, match="needs arguments"):
        rg.audit(type("Two", (), {"__init__": lambda self, a: None}), "R")
    with pytest.raises(rg.InputError, match="program not found: 'no-such-program'"):
        audit_program(["no-such-program"], "R")
    with pytest.raises(rg.ParameterError, match="call"):
        rg.audit(functions.recall_that_takes, "R", call="anything")
    with pytest.raises(rg.ParameterError, match="items themselves"):
        rg.audit(functions.recall_that_takes, "Coverage")


@pytest.mark.parametrize(
    ("name", "metric", "convention"),
    [
        ("torchmetrics.functional.retrieval:retrieval_reciprocal_rank", "RR@10", "torchmetrics-1.7.4"),
        ("sklearn.metrics:average_precision_score", "AP", "sklearn-average-precision"),
        ("sklearn.metrics:roc_auc_score", "AUC", "sklearn"),
    ],
)
def test_tools_pass_under_their_own_definition(name, metric, convention):
    module, _, function = name.partition(":")
    call = "hits, scores" if function == "average_precision_score" else None
    result = rg.audit(getattr(needs(module), function), metric, convention=convention, call=call)
    assert result.ok, result.broken
    assert result.definition is not None


def test_a_metric_of_judged_items_is_held_to_its_own_values():
    def ndcg(judgments, ranking):
        [graded], [scored] = judgments.values(), ranking.values()
        judged = sorted(graded.keys() & scored.keys(), key=lambda item: (scored[item], item), reverse=True)
        return (rg.nDCG @ 5).of([graded[item] for item in judged], ideal=[*graded.values()])

    found = rg.audit(ndcg, "nDCG(judged_only=True)@5", convention="ir_measures", call="judgments, ranking")
    assert found.broken == ()


def test_a_stated_definition_has_its_own_rules_for_the_metric():
    counts_again = {"AP": {"ap_over": "hits", "duplicates": "again"}}
    for rules, verdict in ((counts_again, "acquitted"), ({"nDCG": counts_again["AP"]}, "accused")):
        convention = rg.Convention(per_metric=rules)
        assert rg.audit(functions.average_precision_over_hits, "AP", convention=convention).verdict == verdict


def test_an_empty_result_is_no_fault_where_the_definition_has_no_value():
    def of_judged_queries(qrels, run):
        return {query: functions.recall_of_scored_items(qrels[query], run[query]) for query in run if qrels[query]}

    assert rg.audit(of_judged_queries, "R@10", convention="pytrec_eval", call="judgments, ranking").ok


def test_labels_that_may_be_grades_have_to_be_stated_as_hits():
    """scikit-learn takes 1 and 2 for two classes, of which 1 is the positive one."""
    function = needs("sklearn.metrics").average_precision_score
    result = rg.audit(function, "AP", convention="sklearn-average-precision")
    assert (result.verdict, result.broken) == ("undecided", ())
    assert "counts only grade 1" in result.untested[0].en
    assert "state call='hits, scores'" in result.untested[0].en
    hits = rg.audit(lambda hits, k=5: sum(hits[:k]) / k, "P@5")
    assert (hits.verdict, hits.call) == ("acquitted", "hits")


def test_ids_are_integers_where_texts_are_refused():
    result = rg.audit(functions.precision_of_integers, "P@10")
    assert (result.call, result.integers) == ("relevant, ranked", True)
    assert "Ids are passed as integers" in result.document().to_text()
    assert not rg.audit(functions.recall_of_sets, "R@10").integers


def test_a_threshold_is_right_only_if_it_is_asked_for():
    [*broken] = rg.audit(functions.precision_from_grade_two, "P@10").broken
    assert broken
    assert rg.audit(functions.precision_from_grade_two, "P(rel=2)@10").ok
    assert rg.audit(functions.precision_from_grade_two, "P@10", convention=rg.Convention(rel=2)).ok
    assert rg.audit(functions.precision_of_grade_one, "P@10", convention=rg.Convention()).verdict == "accused"


def test_worlds_are_ordered_by_size_and_reproducible():
    sizes = [world.size for world in small_worlds()]
    assert sizes == sorted(sizes)
    assert [*small_worlds()] == [*small_worlds()]


def test_other_scores_keep_the_order_and_are_shown():
    scores = {score for world in rescored_worlds(10, few=False) for _, score in world.ranking}
    assert min(scores) < 0 < max(scores)
    assert {0.0, 1e6} <= scores
    assert all(world.items == sorted(world.items) for world in rescored_worlds(10, few=False))
    assert not any(world.ties for world in rescored_worlds(10, few=False))
    assert str(World((("a", 1.0),), (("a", -1.0),))) == "judged {a: 1}, returned [a -1]"


def test_rows_of_several_queries_come_in_another_order_or_lack_one():
    frame = forms.Frame({"query": ["q1", "q2", "q2"], "item": ["a", "a", "b"]})
    by_query = {"q1": ["a"], "q2": ["a", "b"]}
    for judgments, ranking in ((by_query, by_query), (frame, frame)):
        for side, place in (("judgments", 0), ("ranking", 1)):
            lacking = forms.changed((judgments, ranking), "judgments, ranking", "lacking", side)
            assert lacking[1 - place] is (judgments, ranking)[1 - place]
            left = lacking[place]
            assert left == {"q2": ["a", "b"]} or left.columns == {"query": ["q2", "q2"], "item": ["a", "b"]}
            turned = forms.changed((judgments, ranking), "judgments, ranking", "reversed", side)[place]
            assert [*turned] == ["q2", "q1"] or turned.columns == {"query": ["q2", "q2", "q1"], "item": ["b", "a", "a"]}


def test_a_query_beside_the_wrong_judgments_is_shown():
    [broken] = rg.audit(functions.reciprocal_ranks_by_position, "RR").broken
    assert (broken.law, broken.returned, broken.expected) == ("order of queries", 0.0, 0.75)
    assert "returned [d11, d21, d31, d41]; q2: judged {d12: 1" in str(broken.example)


def test_a_function_that_leaves_out_queries_need_not_have_a_value_without_any():
    function = functions.ndcg_of_queries_with_relevant_items
    free = rg.audit(function, "nDCG@10")
    assert (free.ok, free.definition.convention.no_relevant) == (True, "skip")
    held = rg.audit(function, "nDCG@10", convention=rg.Convention(no_relevant="computed"))
    assert "answers" in {each.law for each in held.broken}


HITS = 'NR == FNR { gold[$3] = $4; next } gold[$3] > 0 { hits++ } END { print "HR all", hits + 0 }'
HIT_QUERIES = """
NR == FNR { if (!($1 in hit)) { hit[$1] = 0; name[++queries] = $1 } gold[$1, $3] = $4; next }
gold[$1, $3] > 0 { hit[$1] = 1 }
END { for (query in hit) hits += hit[query]; print "HR all", """


@pytest.fixture
def awk():
    program = shutil.which("awk")
    if not program:
        pytest.skip("awk is not installed")
    return program


def test_a_program_is_audited_by_files(awk):
    result = audit_program([awk, HITS], "HR")
    assert "bounds" in {broken.law for broken in result.broken}


def test_a_program_that_averages_queries_of_one_file_is_acquitted(awk):
    result = audit_program([awk, HIT_QUERIES + "queries ? hits / queries : 0 }"], "HR")
    assert result.verdict == "acquitted", result


@pytest.mark.parametrize(
    ("value", "diagnosis"),
    [
        ("hits + 0", "adds up queries instead of averaging"),
        ("(hits > 0)", "leaves out queries without a hit"),
        ("hit[name[1]] + 0", "only the first query counts"),
        ("hit[name[queries]] + 0", "only the last query counts"),
    ],
)
def test_a_program_that_averages_otherwise_is_told_what_it_does(awk, monkeypatch, value, diagnosis):
    monkeypatch.setattr(audit_module, "SMALL_PROGRAM", 1)
    monkeypatch.setattr(audit_module, "LAWS", ())
    result = audit_program([awk, HIT_QUERIES + value + " }"], "HR")
    assert [each.law for each in result.broken] == ["several queries"]
    assert [each.en for each in result.diagnosis] == [diagnosis]


@posix_only
@pytest.mark.parametrize(
    ("script", "kind", "message"),
    [
        ("exit 3", "fault", "退出码 3，没有说明"),
        ("echo no results >&2; exit 2", "refusal", "no results"),
        ("echo 'Traceback (most recent call last):\n  x\nKeyError: 1' >&2; exit 1", "fault", "KeyError: 1"),
        ("kill -11 $$", "fault", "退出码 -11，没有说明"),
        ("echo nothing", "fault", "输出 'nothing\\n' 中没有数"),
    ],
)
def test_a_program_that_crashes_is_at_fault_and_one_with_a_message_refuses(script, kind, message):
    with pytest.raises(program.ProgramError) as error:
        program.Program(["sh", "-c", script])({"q1": {"a": 1}}, {"q1": {"a": 1.0}})
    assert (error.value.kind, error.value.texts[1]) == (kind, message)


def test_a_program_that_always_refuses_is_undecided_with_its_message(tmp_path):
    result = audit_program([sys.executable, str(tmp_path / "nope.py"), "{judgments}", "{ranking}"], "AP")
    assert (result.verdict, result.calls.answered) == ("undecided", 0)
    assert result.calls.tried < 20
    assert "can't open file" in result.untested[0].en


@pytest.mark.parametrize("words", [["{judgements}"], ["{judgments}", "{run}"]])
def test_a_misspelt_placeholder_is_an_error(words):
    with pytest.raises(rg.ParameterError, match=r"placeholder.*\{ranking\}|placeholder.*\{judgments\}"):
        audit_program([sys.executable, *words], "AP")


def test_other_text_in_braces_is_no_placeholder():
    program.check_placeholders(["awk", "{print}", "{judgments}", "{ranking}"])
    program.check_placeholders(["awk", "{print}"])


def test_what_the_command_cannot_do_is_told_with_what_it_can(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    Path("mine_7.py").write_text(
        "def recall(relevant, ranked):\n    return sum(x in relevant for x in ranked) / max(len(relevant), 1)\n"
        "def other():\n    pass\n"
    )
    assert "mine_7.py: recall, other; write mine_7.py:recall" in here("audit", "mine_7.py", "-m", "R").err
    assert "did you mean 'recall'?" in here("audit", "mine_7:recal", "-m", "R").err
    assert (
        "did you mean 'relevant, ranked'?" in here("audit", "mine_7:recall", "-m", "R", "--call", "relevant,rank").err
    )
    assert len(here("audit", "mine_7:recall", "-m", "R", "--call", "xyz").err) < 400
    assert here("audit", "mine_7:recall", "-m", "R").code == 1
    assert here("audit", "mine_7:recall", "-m", "R", "--rule", "duplicates=again").code == 0


def test_input_that_is_not_known_is_no_fault():
    """They were accused of breaking a law with grades in place of ranks, and of a KeyError in every call."""

    def mrr(ranks):
        return sum(1 / rank if rank else 0 for rank in ranks) / max(len(ranks), 1)

    def hit_rate(ranks, k=10):
        return sum(0 < rank <= k for rank in ranks) / len(ranks) if ranks else 0.0

    def precision(df):
        return float((df.sort_values("分数").head(5)["标注"] > 0).mean())

    for function, metric in ((mrr, "RR"), (hit_rate, "HR@10")):
        result = rg.audit(function, metric)
        assert result.verdict == "undecided"
        assert result.untested[0].en.startswith("a list of ranks (ranks) is no known form of call")
    result = rg.audit(precision, "P@5", call="frame")
    assert result.verdict == "undecided"
    assert "the function answered KeyError: '分数'" in result.untested[0].en
    assert "query, query_id, qid, user_id, user, userID; item" in result.untested[1].en


def test_the_command(tmp_path, monkeypatch):
    (tmp_path / "own_metrics.py").write_text(
        "def hit(relevant, ranked, k=10):\n    return float(bool({*relevant} & {*ranked[:k]}))\n"
        "def recall(relevant, ranked, k=10):\n    return sum(x in relevant for x in ranked[:k]) / len(relevant)\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert here("audit", "own_metrics:hit", "--as", "HR@10").code == 0
    failed = here("audit", "own_metrics:recall", "--as", "R@10", "-t", "json")
    assert failed.code == 1
    data = json.loads(failed.out)
    assert data["ok"] is False
    assert data["broken"][0]["returned"] == 2.0
    cases = ET.fromstring(here("audit", "own_metrics:recall", "--as", "R@10", "-t", "junit").out)  # noqa: S314
    assert len(cases.findall(".//failure")) == len(data["broken"])
    chinese = here("--lang", "zh", "audit", "own_metrics:recall", "--as", "R@10")
    assert "重复返回的物品只计一次" in chinese.out
    assert "返回 [a, a]" in " ".join(chinese.out.split())
    for wrong in (
        ["audit", "--as", "AP"],
        ["audit", "nothing", "--as", "AP"],
        ["audit", "own_metrics:x", "--as", "AP"],
    ):
        assert here(*wrong).code in {2, 3}


def test_the_figures_of_the_pages_are_those_of_the_functions():
    right, wrong = functions.figures().values()
    assert sum(right) + sum(wrong) >= 60
    assert sum(right) * 2 >= sum(right) + sum(wrong) - 2
    diagnosed = sum(bool(case.diagnosis) for case in WRONG)
    for name, table, line in zip(
        ("audit.md", "audit.zh-CN.md"),
        functions.tables(),
        (f"{diagnosed} have a known", f"，{diagnosed} 个的"),
        strict=True,
    ):
        page = (Path(__file__).parents[1] / "docs" / name).read_text(encoding="utf-8")
        assert table in page
        assert line in page


class UnprintableError(BaseException):
    def __str__(self):
        raise RuntimeError("no text")


def hit_rate_that_fails(how):
    def hit_rate(relevant, ranked):
        if not ranked:
            how()
        return float(bool({*relevant} & {*ranked}))

    return hit_rate


def raise_unprintable():
    raise UnprintableError


def crash():
    import ctypes

    ctypes.string_at(0)


@posix_only
@pytest.mark.parametrize(
    ("how", "returned"),
    [
        (lambda: os._exit(3), "the process ended with exit code 3"),
        (lambda: sys.exit(4), "SystemExit: 4"),
        (lambda: os.kill(os.getpid(), 9), "the process was ended by SIGKILL"),
        (crash, "the process was ended by SIGSEGV"),
        (raise_unprintable, "UnprintableError"),
    ],
)
def test_a_crash_is_a_result(how, returned):
    result = rg.audit(hit_rate_that_fails(how), "HR", call="relevant, ranked")
    assert result.verdict == "accused"
    assert [broken.returned for broken in result.broken] == [returned]
    assert result.definition is not None


@posix_only
def test_output_of_the_function_and_its_children_is_contained(capfd):
    def hit_rate(relevant, ranked):
        os.write(1, b"one")
        print("two")  # noqa: T201
        subprocess.run([sys.executable, "-c", "print(3)"], check=True)
        return float(bool({*relevant} & {*ranked}))

    result = rg.audit(hit_rate, "HR", call="relevant, ranked", total_timeout=4)
    assert result.printed
    assert capfd.readouterr() == ("", "")


def test_all_calls_together_have_a_limit():
    def hit_rate(relevant, ranked):
        time.sleep(0.1)
        return float(bool({*relevant} & {*ranked}))

    result = rg.audit(hit_rate, "HR", call="relevant, ranked", total_timeout=3)
    assert result.verdict == "undecided"
    assert "the time was up after 3 s" in result.untested[0].en


@posix_only
def test_modules_that_the_first_call_imports_do_not_count(tmp_path, monkeypatch):
    for number in range(6):
        (tmp_path / f"slow_part_{number}.py").write_text("import time\ntime.sleep(0.5)\n")
    (tmp_path / "slow_whole.py").write_text("".join(f"import slow_part_{number}\n" for number in range(6)))
    monkeypatch.syspath_prepend(str(tmp_path))

    def hit_rate(relevant, ranked):
        import slow_whole  # noqa: F401

        return float(bool({*relevant} & {*ranked}))

    result = rg.audit(hit_rate, "HR", call="relevant, ranked", timeout=1.5)
    assert result.calls.failed == 0
    assert result.calls.answered > 0


@pytest.mark.parametrize(
    "function", [functions.reciprocal_rank, lambda relevant, ranked: float(ranked[:1] == relevant)]
)
def test_without_forks_a_function_is_imported_by_a_new_interpreter_or_called_here(function, monkeypatch):
    monkeypatch.delattr(os, "fork", raising=False)
    monkeypatch.setattr(audit_module, "LAW_SECONDS", 1.0)
    result = rg.audit(function, "RR", call="relevant, ranked")
    assert result.calls.answered > 100
    assert result.ok == (function is functions.reciprocal_rank)


SCRIPT = """
import rankgauge as rg

def recall(relevant, ranked):
    return len({*relevant} & {*ranked}) / max(len(relevant), 1)

print(rg.audit(recall, "R").verdict, rg.audit(lambda gold, found: recall(found, gold) * 1.0, "R").verdict)
"""


def test_functions_of_a_script_on_standard_input_are_audited():
    ran = subprocess.run(
        [sys.executable, "-"], input=SCRIPT, capture_output=True, text=True, check=True, env=environment()
    )
    assert ran.stdout.split() == ["acquitted", "accused"]


@posix_only
def test_a_command_over_the_limit_is_a_result(tmp_path):
    (tmp_path / "slow_metric.py").write_text(
        "import os, time\nos.write(1, b'loading')\n"
        "def recall(relevant, ranked):\n    os.write(1, b'noise')\n    time.sleep(60)\n"
        "def undecided(grades):\n    hits = [rank for rank, grade in enumerate(grades, 1) if grade]\n"
        "    return sum(place / rank for place, rank in enumerate(hits, 1)) / max(len(hits), 1)\n"
    )
    limits = ["--timeout", "0.4", "-t", "json"]
    program = process("audit", "--command", "sh -c 'sleep 60'", "-m", "R@10", *limits, cwd=tmp_path)
    function = process("audit", "slow_metric:recall", "-m", "R@10", "--call", "relevant, ranked", *limits, cwd=tmp_path)
    for ran in (program, function):
        assert ran.returncode == 1
        assert json.loads(ran.stdout)["broken"][0]["returned"] == "no answer within 0.4 s"
    undecided = process("audit", "slow_metric:undecided", "--as", "AP", "-t", "json", cwd=tmp_path)
    assert undecided.returncode == 5
    assert json.loads(undecided.stdout)["verdict"] == "undecided"


THREADS = """
import polars as pl
import audited_functions
import rankgauge as rg

pl.DataFrame({"a": range(100_000)}).lazy().group_by(pl.col("a") % 7).agg(pl.len()).collect()
print(rg.audit(audited_functions.polars_hit_rate, "HR", call="judgments frame, ranking frame", timeout=2).verdict)
"""


def test_a_library_whose_threads_a_fork_lacks_gets_a_new_interpreter():
    paths = os.pathsep.join([str(Path(__file__).parent), environment()["PYTHONPATH"]])
    ran = subprocess.run(
        [sys.executable, "-c", THREADS], capture_output=True, text=True, check=True, env=environment(PYTHONPATH=paths)
    )
    assert ran.stdout.split() == ["acquitted"]


@pytest.mark.parametrize("separator", [":", "::"])
def test_a_file_outside_the_current_folder_finds_the_modules_beside_it(separator, tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "here").mkdir()
    (tmp_path / "elsewhere" / "beside_9.py").write_text("RELEVANT_FROM = 1\n")
    (tmp_path / "elsewhere" / "my-metrics.py").write_text(
        "from beside_9 import RELEVANT_FROM\ndef first(grades):\n    return float(grades[0] >= RELEVANT_FROM)\n"
    )
    monkeypatch.chdir(tmp_path / "here")
    for folder in ("../elsewhere", str(tmp_path / "elsewhere")):
        result = here("audit", f"{folder}/my-metrics.py{separator}first", "-m", "P@1", "--call", "grades")
        assert result.code == 0, result.err
    (tmp_path / "elsewhere" / "__init__.py").write_text("")
    (tmp_path / "elsewhere" / "of_package.py").write_text("from .beside_9 import RELEVANT_FROM\nvalue = float\n")
    assert imported("../elsewhere/of_package.py:value") is float
    assert "no-such.py cannot be imported: FileNotFoundError" in here("audit", "../no-such.py:first", "-m", "P@1").err


@posix_only
def test_a_function_of_the_current_folder_is_imported_again_after_a_call_without_an_end(tmp_path):
    (tmp_path / "hanging_metric.py").write_text(
        "def hit(relevant, ranked):\n    while len(ranked) > 2:\n        pass\n"
        "    return float(bool({*relevant} & {*ranked}))\n"
    )
    ran = process(
        "audit", "hanging_metric:hit", "-m", "HR", "--call", "relevant, ranked", "--timeout", "0.5", "-t", "json",
        cwd=tmp_path,
    )  # fmt: skip
    assert ran.returncode == 1, ran.stderr
    assert json.loads(ran.stdout)["broken"][0]["returned"] == "no answer within 0.5 s"


def test_a_function_is_also_named_by_its_file(tmp_path, monkeypatch):
    (tmp_path / "metrics").mkdir()
    (tmp_path / "metrics" / "ours.py").write_text("def first(grades):\n    return float(grades[0] > 0)\n")
    monkeypatch.chdir(tmp_path)
    result = here("audit", "metrics/ours.py:first", "--as", "P@1", "-t", "json")
    assert result.code in {0, 5}, result.err
    assert "cannot be imported" not in result.err


def test_a_function_of_long_lists_is_audited_in_the_form_stated():
    """Evidently's nDCG@5, which leaves out shorter lists, was undecided after the first few inputs."""

    def precision(labels, scores):
        if len(labels) < 5 or {*labels} - {0, 1}:
            raise ValueError("too few items, or a grade that is not binary")
        order = sorted(range(len(labels)), key=lambda item: -scores[item])
        return sum(labels[item] for item in order[:5]) / 5

    result = rg.audit(precision, "P@5", convention="ranx", call="labels, scores")
    assert result.nearest is not None
    assert "ranx" in result.nearest.tools


def test_an_order_of_ties_that_is_left_to_the_sort_is_open_without_a_mean():
    """AP@5 of TorchMetrics, whose topk is not stable, was accused of one list with ties."""
    world = World((("a", 1.0), ("b", 0.0), ("c", 1.0)), (("a", 3.0), ("b", 3.0), ("c", 3.0)), 5)
    rules = rg.preset("torchmetrics-1.7.4").for_metric("AP")
    assert _is_open(world, RuleSetting(rg.parse("AP@5"), rules))  # a, b, c and c, b, a have one value, b, a, c another
