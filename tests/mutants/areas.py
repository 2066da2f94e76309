"""The areas of the library that are mutated, the tests, and what is left out because it cannot change a number."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "rankgauge"

AREAS = {
    "kernels": ("kernels/*.py",),
    "rules": ("conventions/*.py", "matching/apply_rules.py"),
    "matching": ("matching/*.py",),
    "statistics": ("stats/*.py", "comparison/*.py"),
    "readers": ("inputs/**/*.py",),
}
"""The files to mutate, by the name of the area."""

LEFT_OUT = """
annotations audit cli_help cli_language cli_output cli_process costs docs duckdb examples extras formula fuse fuzz
history history_gate history_trackers language latex leaderboard_page leaderboard_real_data names nightly_use notebook package plots_and_frames
reconcile reconcile_numbers reconcile_output reconcile_real_data reconcile_tools render report_beyond
report_data report_page report_pictures serve serve_page serve_playground serve_sheet sheet_page simulation site
spark spark_matrix surface svg terminal training trec_eval_data trec_eval_grouped trec_eval_prefs typing
"""
"""Tests of other parts of the library: of pages, texts, processes and other commands."""


NO_NUMBERS = {"__init__.py", "drawing.py"}
"""Files that are not mutated: those without code, and the one that renders pictures."""


def tests() -> list[str]:
    """The tests as arguments of pytest, with the examples in docstrings."""
    left_out = {f"test_{name}.py" for name in LEFT_OUT.split()}
    files_with_tests = [str(path) for path in sorted((ROOT / "tests").glob("test_*.py")) if path.name not in left_out]
    examples = [str(path) for area in AREAS for path in files(area) if ">>>" in path.read_text(encoding="utf-8")]
    return [
        *files_with_tests,
        f"{ROOT}/tests/test_docs.py::test_the_example_of_a_metric_runs",
        *dict.fromkeys(examples),
    ]


def files(area: str) -> list[Path]:
    """The files of an area that have code, in the order of their names."""
    return sorted({path for pattern in AREAS[area] for path in PACKAGE.glob(pattern) if path.name not in NO_NUMBERS})


SUBJECTS = {
    "conventions/": ("test_conventions.py", "test_rule_laws.py", "test_rule_values.py"),
    "formats/registry.py": ("test_files.py", "test_malformed_files.py", "test_format_matrix.py"),
    "shapes/registry.py": ("test_shapes.py", "test_malformed_files.py"),
}
"""Files of tests of declarations: tests reach them through a table, whose lines all other tests execute as well."""
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

TEXT_CALLS = {"Phrase", "broken", "plural", "shown", "warn"}
"""Calls whose arguments are texts for people."""
TEXT_NAMES = {"en", "zh"}
"""Names of texts for people."""
TEXT_METHODS = {"__repr__", "__str__", "_repr_html_"}
EXAMPLES = 4
"""Examples per Hypothesis test."""
SLOW = 0.5
"""Seconds after which a test is too slow to be run for many mutants."""
WAITING = 60
"""Seconds by the clock after which a test that waits for something is left out."""
SAVING = 60
"""Seconds after which recordings are saved before all are made."""
BUDGET = 20
"""Seconds of tests per mutant, measured without a mutant."""
MOST_FILES = 12
"""Files of tests for a mutant that acts on import."""
TIMES, SLACK = 5, 2
"""How many times its seconds, and how many seconds in addition, a test may take with a mutant."""
