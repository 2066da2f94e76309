"""Annotations say what a value is: few contain Any, and none of a public parameter does that could say more."""

import ast
import inspect
from pathlib import Path

import pytest

import rankgauge as rg

SOURCE = Path(rg.__file__).parent
MOST = 8
"""Annotations of a hundred that may contain Any."""
NAMED = {
    "judgments": "JudgmentsLike",
    "ranking": "RankingLike",
    "rankings": "RankingsLike",
    "first": "RankingLike",
    "second": "RankingLike",
    "baseline": "RankingLike",
    "metric": "MetricLike",
    "metrics": "MetricsLike",
    "convention": "ConventionLike",
    "weights": "WeightsLike",
}
"""Parameters of verbs and the types that an editor shows for them."""


def annotations(tree):
    """Yield the annotations of arguments, returns and variables."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = node.args
            arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
            yield from (each.annotation for each in arguments if each is not None and each.annotation is not None)
            if node.returns is not None:
                yield node.returns
        elif isinstance(node, ast.AnnAssign):
            yield node.annotation


def contains_any(annotation):
    """Return whether an annotation contains Any."""
    names = (node.id if isinstance(node, ast.Name) else getattr(node, "attr", "") for node in ast.walk(annotation))
    return "Any" in names


def test_few_annotations_contain_any():
    found = [
        contains_any(annotation)
        for path in SOURCE.rglob("*.py")
        for annotation in annotations(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert 100 * sum(found) / len(found) <= MOST


VERBS = [
    "abstention", "attribute", "check", "choose_k", "compare", "convert", "curve", "diff", "doctor", "evaluate", "explain",
    "reconcile", "report", "slices", "unjudged_bounds",
]  # fmt: skip


@pytest.mark.parametrize("verb", VERBS)
def test_parameters_of_verbs_have_types_that_an_editor_shows(verb):
    parameters = inspect.signature(getattr(rg, verb)).parameters
    vague = {
        name: parameter.annotation
        for name, parameter in parameters.items()
        if parameter.annotation in ("Any", "object", inspect.Parameter.empty)
    }
    assert vague == {}
    for name in parameters.keys() & NAMED.keys():
        if verb != "slices" or name != "baseline":
            assert NAMED[name] in parameters[name].annotation, name


@pytest.mark.parametrize("name", [*dict.fromkeys(NAMED.values()), "AttributesLike"])
def test_types_of_parameters_are_public(name):
    assert name in rg.__all__
