"""A rule that changes a number is named wherever the number goes, also a rule that is added."""

from __future__ import annotations

import csv
import json
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

import rankgauge as rg
from rankgauge.conventions.rule import written
from rankgauge.conventions.texts import convention_of
from rankgauge.metric_core.description import can_be_passed
from rankgauge.reconciliation.equivalent_rules import simplified
from rankgauge.reconciliation.search_space import declared_values
from registries import RULES, SCORE_FORMATS, Stage

ROOT = Path(__file__).parent.parent


class World(NamedTuple):
    """Data on which some rules change a number."""

    judgments: Any
    ranking: Any
    options: Mapping[str, Any] = MappingProxyType({})


GRADED = World(
    {
        "tied": {"a": 3, "b": 0, "c": 1.5, "d": 2},
        "long": {"a": 0, "e": 2, "f": 1, "g": 1, "h": 1},
        "negative": {"a": -1, "h": 1, "i": 3, "j": 2},
        "short": {"k": 1, "l": 2},
        "nothing": {"a": 0, "x": 0},
        "missing": {"a": 1},
    },
    {
        "tied": {"b": 0.9, "a": 0.9, "x": 0.9, "c": 0.2, "d": -0.1},
        "long": {"y": 3.0, "e": 2.0, "f": 1.0, "a": -1.0, "z": -2.0, "g": -3.0},
        "negative": {"a": 0.3000000001, "i": 0.3, "z": 0.2},
        "short": {"k": -1.0},
        "nothing": {"a": 1.0},
    },
)
REPEATED = World({"q": {"a": 1, "b": 2, "c": 0}, "r": {"d": 1}}, {"q": ["a", "a", "b", "x", "x"], "r": ["c", "d"]})
CHANCES = World({"q": {"a": 0.5, "b": 1, "c": 0.25}}, {"q": ["c", "a", "b"]})
NOTHING = World({"q": {"a": 0}}, {"q": ["a"]})
TEXTS = World({"q": {"Paris": 1, "Rome": 1}}, {"q": ["Paris is large", "Berlin", "Rome"]})
SPANS = World({"q": {"d[0:10]": 1, "d[10:20]": 1}}, {"q": ["d[0:10]", "d[10:20]", "x[0:9]"]})
CHUNKS = World({"q": {"d1": 1, "d2": 1}}, {"q": ["d1_0", "d1_1", "d2_0"]}, {"units": "before last _"})
SUBTOPICS = World(
    {"q": {"a": 1, "b": 1}},
    {"q": ["b", "x", "a"]},
    {"side_information": rg.SideInformation(subtopics={"q": {"a": {"1": 1, "2": 1}, "b": {"1": 1}}})},
)
METRICS = ("nDCG@3", "P@3", "R@2", "AP@3", "RR", "ERR@2", "RBP@3", "IPrec@0.5", "AUC", "NumRel")
OF_SUBTOPICS = ("ERR-IA@2",)
OF_BUDGETS = ("P@12chars", "R@12chars", "R@2")


class Case(NamedTuple):
    """Where to look for the effect of a rule."""

    world: World = GRADED
    metrics: tuple[str, ...] = METRICS
    around: Mapping[str, Any] = MappingProxyType({})
    numbers: tuple[float, ...] = ()


CASES = {
    "rel": Case(numbers=(2, 0.5)),
    "recall_point": Case(metrics=("IPrec@0.35", "IPrec@0.4")),
    "max_grade": Case(numbers=(3,)),
    "denominator_plus": Case(numbers=(0.5,)),
    "undefined": Case(numbers=(1, 0.5)),
    "rounding": Case(numbers=(1,)),
    "unjudged": Case(numbers=(1,)),
    "unjudged_in_ideal": Case(around={"unjudged": 1}),
    "seed": Case(around={"ties": "random"}, numbers=(1, 2, 3)),
    "user_depth": Case(numbers=(2,)),
    "no_queries": Case(NOTHING, around={"no_relevant": "skip"}, numbers=(0,)),
    "duplicates": Case(REPEATED, around={"duplicates": "first"}),
    "k_counts": Case(REPEATED, around={"duplicates": "close-up"}),
    "stop": Case(CHANCES),
    "match": Case(TEXTS),
    "budget_end": Case(SPANS, OF_BUDGETS),
    "units": Case(CHUNKS, around={"duplicates": "close-up"}),
    "intent_over": Case(SUBTOPICS, OF_SUBTOPICS),
}
"""Rules that need other data, rules or numbers than the first world, all metrics and the named values."""
TRIED = [rule for rule in RULES if RULES[rule].stage is not None]  # per_metric consists of the others
NOT_SHOWN = {"error", "nan", "weighted", "given"}
"""Values that give no number, or need more than judgments and rankings."""


def values_of(rule: str) -> list[Any]:
    """The values of a rule other than the default: those with a name, those it declares, and numbers."""
    named = [name for name in RULES[rule].values if can_be_passed(rule, name) and name not in NOT_SHOWN]
    tried = [*named, *RULES[rule].tried, *CASES.get(rule, Case()).numbers]
    return [value for value in dict.fromkeys(tried) if value != getattr(rg.Convention(), rule)]


class Change(NamedTuple):
    """A number that a value of a rule changes."""

    metric: rg.Metric
    rules: rg.Convention
    number: float


@cache
def means(rule: str, rules: rg.Convention) -> dict[rg.Metric, float]:
    """The means of the metrics of a case under these rules; those that the rules refuse are left out."""
    case, numbers = CASES.get(rule, Case()), {}
    for name in case.metrics:
        try:
            scores = rg.evaluate(
                case.world.judgments, case.world.ranking, name, convention=rules, **options(case, rules)
            )
        except rg.RankgaugeError:
            continue
        numbers[rg.parse(name)] = scores.mean(name)
    return numbers


def options(case: Case, rules: rg.Convention) -> dict[str, Any]:
    return {} if "units" in case.world.options and rules.units == "items" else case.world.options


@cache
def changes(rule: str, value: Any) -> list[Change]:
    """The numbers that the rule changes if it has this value."""
    around = rg.Convention(**CASES.get(rule, Case()).around)
    rules = around.replace(**{rule: value})
    before, after = means(rule, around), means(rule, rules)
    return [Change(metric, rules, number) for metric, number in after.items() if not same(number, before.get(metric))]


def same(first: float, second: float | None) -> bool:
    return second is not None and (first == second or (math.isnan(first) and math.isnan(second)))


def cases() -> list[Any]:
    return [pytest.param(rule, value, id=f"{rule}={written(value)}") for rule in TRIED for value in values_of(rule)]


@pytest.mark.parametrize("rule", TRIED)
def test_every_rule_changes_a_number_on_some_world(rule):
    assert any(changes(rule, value) for value in values_of(rule)), (
        f"give {rule} data in CASES on which it has an effect"
    )


@pytest.mark.parametrize(("rule", "value"), cases())
def test_a_rule_that_changes_a_number_is_printed_and_written(rule, value):
    case = CASES.get(rule, Case())
    for metric, rules, _ in changes(rule, value):
        printed = f"{RULES[rule].title.en}={written(getattr(rules, rule))}"
        assert printed in metric.line(rules).split(" · ")
        assert printed in metric.short_line(rules).split(" · ") or value == getattr(rg.Convention(), rule)
        assert rule in metric.definition.applicable_rules
    if changed := changes(rule, value):
        scores = rg.evaluate(*case.world[:2], str(changed[0].metric), convention=changed[0].rules, **case.world.options)
        row = next(csv.DictReader(SCORE_FORMATS["csv"](scores, False).decode().splitlines()))
        assert f"{RULES[rule].title.en}={written(getattr(changed[0].rules, rule))}" in row["convention"].split(" · ")
        assert json.loads(scores.to_json())["convention"][rule] == changed[0].rules.to_dict()[rule]


@pytest.mark.parametrize(("rule", "value"), cases())
def test_per_metric_obeys_a_rule_or_names_its_stage(rule, value):
    stage: Stage = RULES[rule].stage
    for metric, rules, number in changes(rule, value)[:3]:
        table = {metric.name: {rule: value}}
        own = CASES.get(rule, Case()).around
        if not RULES[rule].is_per_metric:
            with pytest.raises(rg.ParameterError, match=f"per_metric: {rule} changes {stage.value.en}"):
                rg.Convention(per_metric=table)
        elif rule == "ties" and rules.ties not in {"mean", "best", "worst", "together", "mean-rank"}:
            with pytest.raises(rg.ParameterError, match="orders the items of every metric alike"):
                rg.Convention(per_metric=table)
        else:
            assert same(means(rule, rg.Convention(**own, per_metric=table))[metric], number)


@pytest.mark.parametrize(("rule", "value"), cases())
def test_the_command_line_takes_every_value_that_can_be_text(rule, value):
    assert convention_of(rules=[f"{rule}={value}"]) == rg.Convention(**{rule: value})


@pytest.mark.parametrize(
    "table", [{}, {"AP": {"undefined": 1, "ties": "mean"}, "nDCG": {"gain": {0: 0, 1: 3}, "rel": ">0.5"}}], ids=str
)
def test_the_command_line_takes_rules_of_single_metrics(table):
    convention = rg.Convention(per_metric=table)
    assert convention_of(rules=[f"per_metric={convention.per_metric}"]) == convention


@pytest.mark.parametrize("text", ["AP", "{AP}", "{AP: 1}", "{AP: {undefined}}", "{AP: {undefined: 1}", "{: {rel: 1}}"])
def test_rules_of_single_metrics_are_a_table(text):
    with pytest.raises(rg.ParameterError, match="per_metric"):
        convention_of(rules=[f"per_metric={text}"])


WORLDS = {"graded": GRADED, "repeated": REPEATED, "chances": CHANCES}


@cache
def reconciliation(world: str, metric: rg.Metric, around: rg.Convention) -> rg.Reconciliation:
    return rg.reconcile(WORLDS[world].judgments, WORLDS[world].ranking, metric, convention=around)


@pytest.mark.parametrize(("rule", "value"), cases())
def test_reconcile_finds_a_declared_value_or_the_rule_says_why_not(rule, value):
    declared, case = RULES[rule], CASES.get(rule, Case())
    if declared.unsearched is not None or value in declared.untried:
        assert declared.unsearched or declared.untried[value]
        return
    if value not in declared_values(rule):
        assert not isinstance(value, str), "a named value that reconcile neither tries nor refuses with a reason"
        return
    worlds = [name for name, world in WORLDS.items() if world is case.world]
    for (metric, rules, number), world in zip(changes(rule, value), worlds, strict=False):
        if not 0 <= number <= 1:
            continue
        found = reconciliation(world, metric, rg.Convention(**case.around))
        matches = found.explain(f"{number:.9f}").matches
        settings = [setting for match in matches for setting in (match.setting, *match.equivalent)]
        name_on_these_data = simplified(found._data, metric, rules).value(rule)
        assert name_on_these_data in {setting.value(rule) for setting in settings}


# Rules that are added as ARCHITECTURE.md says, to a copy of the library


class Edit(NamedTuple):
    """A text of a file, and what replaces it."""

    file: str
    old: str
    new: str

    @classmethod
    def before(cls, file: str, old: str, new: str) -> Edit:
        return cls(file, old, new + old)


class Addition(NamedTuple):
    """A rule that is added, and a number that it changes."""

    rule: str
    value: Any
    metric: str
    before: float
    after: float
    edits: tuple[Edit, ...]


def declaration(rule: str, declared: str, values: str = '{"none": Phrase("nothing", "无")}') -> str:
    return f"""    {rule}: Any = rule_field(
        "none",
        Phrase("{rule.replace("_", " ")}", "{rule} 标题"),
        Phrase("What does {rule} do?", "{rule} 有何作用？"),
        {values},
        Phrase("Because nothing should happen.", "因为不应有作用。"),
        {declared},
    )
"""


NUMBER = 'check=number_or("none"), number=Phrase("{value}", "{value}"), quiet=True'
GRADE_CAP = Addition(
    "grade_cap",
    1,
    "nDCG@2",
    (1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3)),
    1,
    (
        Edit.before(
            "conventions/relevance.py",
            "    unjudged: Unjudged = rule_field(",
            declaration("grade_cap", f"{NUMBER}, stage=Stage.GRADES, changes=np.minimum, tried=(1,)"),
        ),
    ),
)
HIT_WORTH = Addition(
    "hit_worth",
    "half",
    "P@2",
    1,
    0.5,
    (
        Edit.before(
            "conventions/variants.py",
            "    ap_at: AveragePrecisionAt = rule_field(",
            declaration("hit_worth", "stage=Stage.FORMULA", '{"none": Phrase("1", "1"), "half": Phrase("½", "½")}'),
        ),
        Edit(
            "kernels/precision.py",
            'over: str = rule("p_over"), hit_if: str = rule()\n)',
            'over: str = rule("p_over"), hit_if: str = rule(), hit_worth: str = rule()\n)',
        ),
        Edit(
            "kernels/precision.py",
            "relevant=j.at(j.hits(rel, hit_if))).over(*precision_base",
            'relevant=j.at(j.hits(rel, hit_if)) / (2 if hit_worth == "half" else 1)).over(*precision_base',
        ),
    ),
)
VALUE_CAP = Addition(
    "value_cap",
    0.25,
    "P@2",
    1,
    0.25,
    (
        Edit.before(
            "conventions/summaries.py",
            "    undefined: Undefined = rule_field(",
            declaration("value_cap", f"{NUMBER}, stage=Stage.AFTER, tried=(0.25,)"),
        ),
        Edit.before(
            "metric_core/sums.py",
            '    if rules.rounding != "none":',
            '    if rules.value_cap != "none":\n'
            "        values = np.minimum(values, rules.value_cap)\n"
            '        yield "value_cap", values\n',
        ),
    ),
)
ADDITIONS = (GRADE_CAP, HIT_WORTH, VALUE_CAP)
CHECKS = """
import sys
import rankgauge as rg
from rankgauge.conventions.texts import convention_of
from rankgauge.evaluation.score_formats import FORMATS
from rankgauge.__main__ import main
import generate

rule, value, metric, before, after = sys.argv[1], eval(sys.argv[2]), sys.argv[3], *map(float, sys.argv[4:6])
printed = f"{rule.replace('_', ' ')}={value}"
judgments, ranking = {"q": {"a": 1, "b": 2}}, {"q": ["a", "b"]}
changed, parsed = rg.Convention(**{rule: value}), rg.parse(metric)
close = lambda one, other: abs(one - other) < 1e-12
scores = rg.evaluate(judgments, ranking, metric, convention=changed)
assert close(rg.evaluate(judgments, ranking, metric).mean(metric), before)
assert close(scores.mean(metric), after)
assert close(parsed.of([1, 2], convention=changed), after)
assert printed in parsed.line(changed) and printed in parsed.short_line(changed) and printed in str(scores)
assert printed in str(parsed.explain([1, 2], convention=changed))
assert printed in FORMATS["csv"](scores, False).decode() and scores.to_dict()["convention"][rule] == value
single = rg.Convention(per_metric={parsed.name: {rule: value}})
assert close(rg.evaluate(judgments, ranking, metric, convention=single).mean(metric), after)
assert convention_of(rules=[f"{rule}={value}"]) == changed
matches = rg.reconcile(judgments, ranking, metric).explain(f"{after:.6f}").matches
assert value in {s.value(rule) for m in matches for s in (m.setting, *m.equivalent)}
assert f"## `{rule}`" in generate.conventions_page("en") and f"#{rule})" in generate.conventions_page("zh")
sys.argv = ["rankgauge", "eval", *sys.argv[6:], "-m", metric, "--rule", f"{rule}={value}"]
main()
"""


@pytest.mark.parametrize("addition", ADDITIONS, ids=[addition.rule for addition in ADDITIONS])
def test_a_rule_added_to_at_most_two_files_appears_everywhere(addition, tmp_path):
    library = tmp_path / "src" / "rankgauge"
    shutil.copytree(ROOT / "src" / "rankgauge", library, ignore=shutil.ignore_patterns("__pycache__"))
    for file, old, new in addition.edits:
        text = (library / file).read_text(encoding="utf-8")
        assert old in text, f"{file} has changed: change the edits of {addition.rule} accordingly"
        (library / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    assert len({file for file, *_ in addition.edits}) <= 2
    (tmp_path / "qrels.txt").write_text("q 0 a 1\nq 0 b 2\n")
    (tmp_path / "run.txt").write_text("q Q0 a 1 2 t\nq Q0 b 2 1 t\n")
    numbers = [addition.metric, repr(addition.before), repr(addition.after)]
    files = [str(tmp_path / "qrels.txt"), str(tmp_path / "run.txt")]
    result = subprocess.run(
        [sys.executable, "-c", CHECKS, addition.rule, repr(addition.value), *numbers, *files],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path / "src"), str(ROOT / "docs")]), "COLUMNS": "120"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert f"{addition.rule.replace('_', ' ')}={addition.value}" in result.stdout
