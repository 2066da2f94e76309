"""Audits: faults of public tools, re-created from their descriptions, are found with small counterexamples."""

import json
import math
import random
import shutil
import sys
from xml.etree import ElementTree as ET

import pytest

import rankgauge as rg
from command_line import here
from optional import needs, posix_only
from rankgauge import testing
from rankgauge.auditing import definitions, program
from rankgauge.auditing.audit import audit_program
from rankgauge.auditing.worlds import small_worlds


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(definitions, "SEARCH_SECONDS", 0.1)


LARGEST = 4
"""Items of a counterexample."""


def log2(grades):
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


def average_precision_over_hits(ranked, relevant):
    """Haystack before 3.1: divided by the hits, and an item counts each time it is returned."""
    hits = total = 0
    for rank, item in enumerate(ranked, 1):
        if item in relevant:
            hits += 1
            total += hits / rank
    return total / hits if hits else 0.0


def ndcg_counting_copies(qrels, ranked):
    """Haystack before 3.1, TruLens 2.13.1, Weaviate: one item returned twice gives 1.63."""
    ideal = log2(sorted(qrels.values(), reverse=True))
    return log2([qrels.get(item, 0) for item in ranked]) / ideal if ideal else 0.0


def recall_counting_chunks(gold, retrieved, k):
    """Chunks of one document count again: recall 1.43."""
    return sum(item in gold for item in retrieved[:k]) / len(gold) if gold else 0.0


def ndcg_of_returned(targets, predictions, k):
    """MLflow: the ideal order is cut at the number of returned items, so one of five scores 1."""
    gains = [float(item in targets) for item in predictions[:k]]
    ideal = log2([1.0] * min(len(targets), len(gains)))
    return log2(gains) / ideal if ideal else 0.0


def mrr_in_input_order(qrels, run):
    """MTEB before August 2026: tied items keep the order of the input, so a constant scorer can reach 1."""
    [(query, scores)] = run.items()
    order = sorted(scores, key=lambda item: -scores[item])
    return next((1 / rank for rank, item in enumerate(order, 1) if qrels[query].get(item, 0) > 0), 0.0)


def ndcg_with_unsorted_ideal(judgments, ranked):
    """OpenSearch: the ideal order is that of the judgments, so values reach 1.31."""
    ideal = log2(judgments.values())
    return log2([judgments.get(item, 0) for item in dict.fromkeys(ranked)]) / ideal if ideal else 0.0


def ndcg_by_position(gold, ranked):
    """TruLens before 2.13.1: gold and list are compared place by place, whatever their lengths."""
    grades = sorted(gold.values(), reverse=True)
    gains = [gold.get(ranked[place], 0) for place in range(len(grades))]
    return log2(gains) / log2(grades) if any(grades) else 0.0


def precision_of_nothing(relevant, ranked):
    """An empty list is not a number."""
    ranked = list(dict.fromkeys(ranked))
    return sum(item in relevant for item in ranked) / len(ranked) if ranked else math.nan


def recall_is_success_at_one(relevant, ranked, k):
    """Weaviate's benchmark: at k = 1 recall is the number of hits."""
    hits = len({*relevant} & {*ranked[:k]})
    return float(hits) if k == 1 else hits / max(len(relevant), 1)


def reciprocal_rank_beyond_the_list(ranked, relevant, k=10):
    """The loop runs to k, whatever the length of the list."""
    for place in range(k):
        if ranked[place] in relevant:
            return 1 / (place + 1)
    return 0.0


def recall_that_takes(relevant, ranked):
    """Found items are taken out of the caller's list."""
    hits, all_relevant = 0, max(len(relevant), 1)
    for item in ranked:
        if item in relevant:
            relevant.remove(item)
            hits += 1
    return hits / all_relevant


def reciprocal_rank_by_chance(labels, scores):
    """Ties are broken at random."""
    order = sorted(range(len(scores)), key=lambda place: (-scores[place], random.random()))
    return next((1 / rank for rank, place in enumerate(order, 1) if labels[place] > 0), 0.0)


FAULTS = {
    average_precision_over_hits: ("AP", {"missed gold", "repeated items", "replaced"}),
    ndcg_counting_copies: ("nDCG", {"bounds", "repeated items"}),
    recall_counting_chunks: ("R@10", {"bounds", "repeated items"}),
    ndcg_of_returned: ("nDCG@10", {"missed gold", "repeated items", "bounds"}),
    mrr_in_input_order: ("RR", {"order of ties"}),
    ndcg_with_unsorted_ideal: ("nDCG", {"bounds"}),
    ndcg_by_position: ("nDCG", {"answers"}),
    precision_of_nothing: ("P", {"answers"}),
    recall_is_success_at_one: ("R@10", {"missed gold"}),
    reciprocal_rank_beyond_the_list: ("RR@10", {"answers"}),
    recall_that_takes: ("R", {"unchanged"}),
    reciprocal_rank_by_chance: ("RR", {"repeatable"}),
}


@pytest.mark.parametrize("function", FAULTS, ids=lambda function: function.__name__)
def test_faults_of_public_tools_are_found_with_small_counterexamples(function):
    metric, laws = FAULTS[function]
    result = rg.audit(function, metric)

    assert not result.ok
    assert not result
    found = {broken.law: broken for broken in result.broken}
    assert laws <= {*found}, [*found]
    for broken in found.values():
        assert broken.example.size <= LARGEST, broken.law
        assert len(broken.example.ranking) <= LARGEST, broken.law


def test_a_counterexample_shows_what_was_returned_and_what_is_right():
    [first] = (broken for broken in rg.audit(ndcg_of_returned, "nDCG@10").broken if broken.law == "missed gold")
    assert (first.law, str(first.example)) == ("missed gold", "judged {a: 1, b: 1}, returned [a], k = 2")
    assert first.returned == 1.0
    assert first.expected == pytest.approx(1 / (1 + 1 / math.log2(3)))
    assert "DCG" in first.steps().to_text()


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
    [(query, scores)] = run.items()
    order = sorted(sorted(scores, reverse=True), key=lambda item: -scores[item])[:k]
    ideal = log2(sorted(qrels[query].values(), reverse=True)[:k])
    return log2([qrels[query].get(item, 0) for item in order]) / ideal if ideal else 0.0


def test_a_correct_metric_passes_and_its_definition_is_named():
    result = rg.audit(right_ndcg, "nDCG@10")
    assert result.ok
    assert result
    assert result.definition.preset == "default"
    assert "trec_eval-9" in result.definition.tools
    assert result.call == "judgments, ranking"


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


def test_a_stated_definition_excuses_its_own_laws_only():
    lenient = rg.Convention(ap_over="hits", duplicates="again")
    assert rg.audit(average_precision_over_hits, "AP", convention=lenient).ok
    broken = {each.law for each in rg.audit(average_precision_over_hits, "AP", convention=rg.Convention()).broken}
    assert "definition" in broken
    testing.assert_equals_definition(average_precision_over_hits, "AP", convention=lenient)
    with pytest.raises(AssertionError, match="average_precision_over_hits breaks"):
        testing.assert_equals_definition(average_precision_over_hits, "AP")


def test_the_laws_that_a_stated_definition_breaks_are_named():
    result = rg.audit(average_precision_over_hits, "AP", convention="haystack-2")
    assert [law.name for law in result.excused] == ["missed gold", "repeated items", "replaced"]
    assert "漏掉相关物品的列表不是满分；重复返回的物品只计一次" in result.document("zh").to_text()


def recall_rounded(relevant, ranked, k):
    return round(len({*relevant} & {*ranked[:k]}) / max(len(relevant), 1), 4)


def recall_over_k(relevant, ranked, k):
    return len({*relevant} & {*ranked[:k]}) / k


def dcg_with_natural_logarithm(grades, k=5):
    return sum(grade / math.log(rank + 1) for rank, grade in enumerate(grades[:k], 1))


def test_rounded_values_are_recognised():
    """A function that rounds, and every program that prints four decimals, once had no known definition."""
    result = rg.audit(recall_rounded, "R@5")
    assert result.ok
    assert result.definition.decimals == 4
    assert "rounded to 4 decimals" in str(result.definition)
    assert rg.audit(recall_rounded, "R@5", convention="trec_eval-9").ok


def test_recall_divided_by_k_is_recognised_as_precision():
    result = rg.audit(recall_over_k, "R@5")
    assert result.definition is None
    assert str(result.nearest.metric) == "P@5"
    assert "values of another metric, P@5" in result.document().to_text()
    assert "另一个指标 P@5" in result.document("zh").to_text()


def test_another_base_of_the_logarithm_is_a_constant_factor_and_dcg_has_no_bounds():
    result = rg.audit(dcg_with_natural_logarithm, "DCG@5")
    assert result.ok
    assert result.nearest.factor == pytest.approx(1 / math.log(2))
    assert "1.4427 times those of default" in result.document().to_text()


def test_the_steps_of_an_example_are_shown_once():
    text = rg.audit(recall_counting_chunks, "R@10").document().to_text()
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
    assert {broken.law for broken in result.broken} == {"order of ties"}
    assert result.printed
    assert capfd.readouterr().out == ""


def test_a_function_that_hangs_or_exits_is_a_fault():
    def hangs(relevant, ranked):
        while len(ranked) == 3:
            pass
        if len(ranked) == 2:
            sys.exit(1)
        return float(bool({*relevant} & {*ranked}))

    result = rg.audit(hangs, "HR", timeout=0.005, call="relevant, ranked")
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

    slow = rg.audit(swallows, "HR", timeout=0.002, call="relevant, ranked")
    assert [broken.returned for broken in slow.broken if broken.law == "answers"] == ["no answer within 0.002 s"]
    assert "0.002 秒内没有结果" in slow.document("zh").to_text()
    assert "参数被改动" in rg.audit(recall_that_takes, "R").document("zh").to_text()
    assert "再次调用得" in rg.audit(reciprocal_rank_by_chance, "RR").document("zh").to_text()
    with pytest.raises(rg.InputError) as error:
        rg.audit(lambda relevant, ranked: {}, "R", call="relevant, ranked")
    assert "不是数：dict" in error.value.render("zh")


def test_objects_and_wrong_calls():
    class Recall:
        def evaluate(self, qrels, run):
            [(query, gold)] = qrels.items()
            relevant = {item for item, grade in gold.items() if grade > 0}
            return {"recall": len(relevant & {*run[query]}) / max(len(relevant), 1), "other": 0.0}

    with pytest.raises(rg.InputError, match="no form of arguments gave a number"):
        rg.audit(Recall(), "R")  # R is not the name of either value
    with pytest.raises(rg.ParameterError, match="callable"):
        rg.audit(3, "R")
    with pytest.raises(rg.InputError, match="no form of arguments"):
        rg.audit(Recall, "R")  # the class is instantiated
    with pytest.raises(rg.ParameterError, match="needs arguments"):
        rg.audit(type("Two", (), {"__init__": lambda self, a: None}), "R")
    with pytest.raises(rg.InputError, match="the program printed no number: FileNotFoundError"):
        audit_program(["no-such-program"], "R")
    with pytest.raises(rg.ParameterError, match="call"):
        rg.audit(recall_that_takes, "R", call="anything")
    with pytest.raises(rg.ParameterError, match="items themselves"):
        rg.audit(recall_that_takes, "Coverage")


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
    result = rg.audit(getattr(needs(module), function), metric, convention=convention)
    assert result.ok, result.broken
    assert result.definition is not None


def test_worlds_are_ordered_by_size_and_reproducible():
    sizes = [world.size for world in small_worlds()]
    assert sizes == sorted(sizes)
    assert [*small_worlds()] == [*small_worlds()]


HITS = 'NR == FNR { gold[$3] = $4; next } gold[$3] > 0 { hits++ } END { print "HR all", hits + 0 }'


def test_a_program_is_audited_by_files():
    needs_program = shutil.which("awk")
    if not needs_program:
        pytest.skip("awk is not installed")
    result = audit_program([needs_program, HITS], "HR")
    assert "bounds" in {broken.law for broken in result.broken}


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
    assert (error.value.outcome.kind, error.value.outcome.render("zh")) == (kind, message)


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
