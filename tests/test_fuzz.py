"""The fuzzers: a short run of each, the saved cases, and the minimiser."""

import pytest

from fuzz import FUZZERS, corpus, fuzzer
from fuzz.campaign import run_slice
from fuzz.minimiser import minimise
from fuzz.oracle import judge
from fuzz.proof import REVERSIONS, prove

CASES = {"files": 400, "options": 60, "forms": 120, "arrays": 250, "calls": 600, "relations": 150}
"""Cases of each fuzzer in a test run: about five seconds each."""
SEED = 1
OPEN: dict[str, str] = {
    "evaluate: forms agree on /findings RG211": "RG211 is missing for dicts",
    "evaluate: forms agree on /findings RG212": "RG212 is counted differently for dicts",
    "evaluate: forms agree on /findings RG211, RG212": "both",
    "TypeError in scores.check_last_query": "odd data",
    "TypeError in off_policy_estimate.bootstrap": "odd data",
    "TypeError in records.<dictcomp>": "odd data",
    "TypeError in read_options.of": "odd data",
    "AttributeError in scores.check_last_query": "odd data",
    "AttributeError in columns.check_columns": "odd data",
    "AttributeError in columns._check_given": "odd data",
    "TypeError in records._judged_rows": "odd data",
    "TypeError in full_ranking._frame_of": "odd data",
    "OverflowError in from_dicts.check_grades": "odd data",
    "TypeError in copies.scores_with_copies": "odd data",
    "OverflowError in from_dicts._flat_scores": "odd data",
    "IndexError in columns.<listcomp>": "odd data",
    "TypeError in read_options.query_segments": "odd data",
    "ValueError in off_policy_estimate.bootstrap": "odd data",
    "AttributeError in read_options._whole_numbers": "odd data",
    "OverflowError in off_policy._column": "odd data",
    "ValueError in full_ranking._frame_of": "odd data",
    "OverflowError in full_ranking._frame_of": "odd data",
    "RuntimeWarning in apply_rules._pool": "odd data",
    "IndexError in ranking._array_chunks": "odd data",
    "OverflowError in from_list._read_scores": "odd data",
    "TypeError in scores.batch_moments": "odd data",
    "TypeError in table_parsers.read_items": "odd data",
    "TypeError in table_parsers.read_pairs": "odd data",
    "OverflowError in event_rules.seconds_of": "odd data",
    "RuntimeWarning in off_policy_estimate.effective": "odd data",
    "TypeError in off_policy_estimate._sums": "odd data",
    "IndexError in off_policy_estimate.bootstrap": "odd data",
}
"""Signatures of defects that are known and not fixed yet, with what is wrong."""


@pytest.mark.parametrize("name", FUZZERS)
def test_a_short_run_finds_nothing(name):
    found = run_slice(name, SEED, 0, CASES[name], seconds=120)
    defects = {signature: entry for signature, entry in found.defects.items() if signature not in OPEN}

    assert not defects, "\n\n".join(
        f"case {number}: {failure.message}\n{case}" for number, failure, case in defects.values()
    )
    assert found.checked > 0
    if name in {"forms", "arrays", "relations"}:
        assert found.refused < found.checked / 2, "most cases are refused, so little is checked"


@pytest.mark.parametrize("name", REVERSIONS)
def test_a_defect_is_found_again_when_its_fix_is_removed(name):
    found = prove(REVERSIONS[name], minimising=0)

    assert found.defects, f"{found.checked} cases did not show that {REVERSIONS[name].about}"


@pytest.mark.parametrize("path", corpus.paths(), ids=lambda path: path.stem)
def test_saved_cases_pass(path):
    name, case = corpus.load(path)
    verdict = judge(fuzzer(name).check, case)

    assert verdict.failure is None, verdict.failure


def test_a_failing_case_is_minimised():
    case = {"rows": [[1, "abc"], [7, "xyz"], [3, "b"]], "flag": True}
    smallest = minimise(case, lambda smaller: "x" in str(smaller.get("rows")))

    assert smallest == {"rows": [["x"]]}
