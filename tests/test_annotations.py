"""Annotations say what a value is: few contain Any, and none of a public parameter does that could say more."""

import ast
import inspect
import re
from dataclasses import fields
from pathlib import Path
from typing import is_typeddict

import pytest

import rankgauge as rg
from rankgauge.comparison.settings import SettingKeywords, Settings

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


RESULTS = {"Findings", "Grading", "Units", "Report"}
"""Classes whose objects other public calls return, so that nobody has to import them."""


def public_modules():
    yield rg
    for name in dir(rg):
        try:
            value = getattr(rg, name)
        except rg.RankgaugeError:  # an optional library is missing
            continue
        if inspect.ismodule(value) and value.__name__.startswith("rankgauge") and not name.startswith("_"):
            yield value


def public_functions(public):
    for name, value in public.items():
        if inspect.isfunction(value):
            yield name, value
        elif inspect.isclass(value):
            makers = ((key, each.__func__) for key, each in vars(value).items() if isinstance(each, classmethod))
            yield from ((f"{name}.{key}", function) for key, function in makers if not key.startswith("_"))


def test_no_parameter_of_a_public_function_needs_an_object_of_a_class_that_is_not_public():
    public = {name: value for module in public_modules() for name, value in vars(module).items() if name[0] != "_"}
    public |= {name: getattr(rg, name) for name in rg.__all__}
    unknown = {}
    for name, function in public_functions(public):
        for parameter in inspect.signature(function).parameters.values():
            words = {*re.findall(r"[A-Za-z_]\w*", re.sub(r"'[^']*'", "", str(parameter.annotation)))} - {"None"}
            classes = {word for word in words if inspect.isclass(function.__globals__.get(word))}
            hidden = {
                word for word in classes - public.keys() - RESULTS if not is_typeddict(function.__globals__[word])
            }
            ours = {word for word in hidden if function.__globals__[word].__module__.startswith("rankgauge")}
            if ours and ours == words:
                unknown[f"{name}({parameter.name})"] = ours
    assert unknown == {}


def test_settings_are_keywords_everywhere():
    settings = {setting.name for setting in fields(Settings)}
    assert settings == {*SettingKeywords.__annotations__}
    for verb in (rg.compare, rg.report):
        assert settings <= {*inspect.signature(verb).parameters}
    values = {"A": {1: 0.1, 2: 0.3}, "B": {1: 0.2, 2: 0.5}}
    assert rg.Comparison.of(values, alpha=0.1, correction="bh").settings == Settings(alpha=0.1, correction="bh")
