"""The areas of the library that are mutated, the tests for each, and what is left out because it cannot change a number."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "rankgauge"


class Area(NamedTuple):
    """Files to mutate, and the tests that have to notice."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]

    @property
    def files(self) -> list[Path]:
        """The files with code, in the order of their names."""
        return sorted(path for pattern in self.sources for path in PACKAGE.glob(pattern) if path.name != "__init__.py")

    def test_paths(self, files: list[Path]) -> list[str]:
        """The tests as arguments of pytest, with the examples in the docstrings of the files."""
        examples = [path for path in files if ">>>" in path.read_text(encoding="utf-8")]
        return [*(str(ROOT / "tests" / test) for test in self.tests), *map(str, examples)]


AREAS = {
    "kernels": Area(
        ("kernels/*.py",),
        (
            "test_cases.py",
            "test_reference.py::test_kernel_equals_loop",
            "test_reference.py::test_kernel_equals_loop_as_declared",
            "test_docs.py::test_the_example_of_a_metric_runs",
            "test_conventions.py",
            "test_beyond.py",
            "test_auc.py",
            "test_beyond_values.py",
            "test_metric_values.py",
        ),
    ),
    "rules": Area(
        ("conventions/*.py", "matching/apply_rules.py"),
        (
            "test_cases.py",
            "test_rules.py",
            "test_grades.py",
            "test_ties.py",
            "test_conventions.py",
            "test_duplicates.py",
            "test_summary.py",
            "test_apply_rules.py",
            "test_gains_and_discounts.py",
            "test_rule_values.py",
            "test_rule_laws.py",
        ),
    ),
    "matching": Area(
        ("matching/*.py",),
        (
            "test_matching_result.py",
            "test_ties.py",
            "test_grades.py",
            "test_duplicates.py",
            "test_row_blocks.py",
            "test_apply_rules.py",
        ),
    ),
    "statistics": Area(
        ("stats/*.py", "comparison/*.py"),
        (
            "test_compare_statistics.py",
            "test_compare.py",
            "test_compare_corpus.py",
            "test_caveats.py",
            "test_paper_table.py",
        ),
    ),
    "readers": Area(
        ("inputs/**/*.py",), ("test_files.py", "test_compression.py", "test_input_errors.py", "test_findings.py")
    ),
}

OPERATORS = tuple(
    f"core/{name}"
    for name in (
        "NumberReplacer",
        "AddNot",
        "ReplaceAndWithOr",
        "ReplaceOrWithAnd",
        "ReplaceTrueWithFalse",
        "ReplaceFalseWithTrue",
        "ReplaceBreakWithContinue",
        "ReplaceContinueWithBreak",
        "ZeroIterationForLoop",
        "ReplaceUnaryOperator_USub_UAdd",
        "ReplaceUnaryOperator_Delete_Not",
        "ReplaceUnaryOperator_Delete_Invert",
        *(
            f"ReplaceComparisonOperator_{change}"
            for change in ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Lt_Gt", "Gt_Lt", "Eq_NotEq", "NotEq_Eq")
        ),
        "ReplaceComparisonOperator_Is_IsNot",
        "ReplaceComparisonOperator_IsNot_Is",
        *(
            f"ReplaceBinaryOperator_{change}"
            for change in ("Add_Sub", "Sub_Add", "Mul_Div", "Div_Mul", "FloorDiv_Div", "Mod_FloorDiv", "Pow_Mul")
        ),
        "ReplaceBinaryOperator_BitOr_BitAnd",
        "ReplaceBinaryOperator_BitAnd_BitOr",
    )
)
"""One or two close replacements of each operator; the remaining ones of Cosmic Ray mostly raise an error at once."""

TEXT_CALLS = {"Phrase", "broken", "plural", "warn"}
"""Calls whose arguments are texts for people."""
TEXT_METHODS = {"__repr__", "__str__", "_repr_html_"}
EXAMPLES = 4
"""Examples per Hypothesis test."""
SLOW = 1
"""Seconds after which a test is too slow to be run for many mutants."""
BUDGET = 6
"""Seconds of tests per mutant, measured without a mutant."""
