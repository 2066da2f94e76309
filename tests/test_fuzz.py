"""The fuzzers: a short run of each, the saved cases, and the minimiser."""

import pytest

from fuzz import FUZZERS, corpus, fuzzer
from fuzz.campaign import run_slice
from fuzz.minimiser import minimise
from fuzz.oracle import judge
from fuzz.proof import REVERSIONS, prove
from optional import needs_proc

pytestmark = needs_proc

CASES = {"files": 250, "options": 40, "records": 60, "forms": 80, "arrays": 160, "calls": 400, "relations": 90}
"""Cases of each fuzzer in a test run: a few seconds each."""
SEED = 1
OPEN: dict[str, str] = {}
"""Signatures of defects that are known and not fixed yet, with what is wrong."""


@pytest.mark.parametrize("name", FUZZERS)
def test_a_short_run_finds_no_failure(name):
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
