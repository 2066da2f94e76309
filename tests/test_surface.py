"""The structure of the project: public names, import rule, light import, and what a new metric needs."""

import ast
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import rankgauge as rg
from beyond_cases import BEYOND_CASES
from beyond_reference import BEYOND_REFERENCES
from cases import CASES
from command_line import here
from rankgauge.metric_core.references import REFERENCES as CITATIONS
from reference import REFERENCES
from span_reference import SPAN_CASES, SPAN_REFERENCES

SOURCE = Path(rg.__file__).parent
ROOT = SOURCE.parents[1]
STAGES = [
    "command_start",
    "errors",
    "value_checks",
    "segments",
    "rendering",
    "stats",
    "conventions",
    "inputs",
    "preparation",
    "matching",
    "metric_core",
    "side_information",
    "kernels",
    "evaluation",
    "analysis",
    "fusion",
    "judging",
    "pooling",
    "comparison",
    "leaderboards",
    "history",
    "gate",
    "tuning",
    "estimation",
    "reconciliation",
    "auditing",
]
EDGES = {
    "adapters",
    "cli",
    "compat",
    "engines",
    "example",
    "pytest_plugin",
    "reports",
    "serve",
    "testing",
    "trec_eval",
    "__main__",
}


def modules():
    for path in sorted(SOURCE.rglob("*.py")):
        yield path.relative_to(SOURCE).with_suffix("").parts, path


def imported_stages(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "rankgauge" and len(parts) > 1:
                yield parts[1]


def test_a_file_imports_only_from_its_own_or_an_earlier_stage():
    backward = [
        f"{'/'.join(parts)} imports {stage}"
        for parts, path in modules()
        if parts[0] in STAGES
        for stage in imported_stages(path)
        if stage in EDGES or STAGES.index(stage) > STAGES.index(parts[0])
    ]

    assert backward == []


def test_every_file_belongs_to_a_stage_or_an_edge():
    assert {parts[0] for parts, _ in modules()} <= {*STAGES, *EDGES, "__init__"}


def test_files_stay_small():
    assert [str(path) for _, path in modules() if len(path.read_text(encoding="utf-8").splitlines()) > 420] == []


def test_import_is_light():
    code = (
        "import sys, numpy\n"
        "before = {*sys.modules}\n"
        "import rankgauge\n"
        "heavy = {'polars', 'scipy', 'pandas', 'click', 'jinja2', 'duckdb', 'pyspark', 'pyarrow', 'torch', 'jax', 'sklearn', 'pytrec_eval', 'ir_measures', 'ranx', 'mlflow', 'sentence_transformers'} & {name.split('.')[0] for name in sys.modules}\n"
        "heavy |= {'rankgauge.inputs', 'rankgauge.evaluation', 'hashlib', 'lzma', 'html.entities'} & {*sys.modules} - before\n"
        "sys.exit(repr(heavy) if heavy else 0)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (result.returncode, result.stderr) == (0, "")


def test_dicts_and_arrays_are_evaluated_without_polars():
    code = (
        "import sys\n"
        "import numpy as np\n"
        "import rankgauge as rg\n"
        "rg.evaluate({'q': {'a': 1}}, {'q': {'b': 2.0, 'a': 1.0}}, ['nDCG@10', 'AP'])\n"
        "rg.evaluate(np.array([[0, 1]]), np.array([[2.0, 1.0]]), 'RR')\n"
        "sys.exit('polars' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (result.returncode, result.stderr) == (0, "")


def test_public_names_are_complete():
    assert sorted(set(rg.__all__)) == sorted(rg.__all__)
    assert [name for name in rg.__all__ if not hasattr(rg, name)] == []
    assert [name for name in built_in() if name not in rg.__all__] == []


def test_metrics_are_found_by_their_aliases():
    aliases = {name for name in {*rg.__all__} - {*rg.metrics()} if isinstance(getattr(rg, name), rg.Metric)}
    for name in aliases:
        assert getattr(rg, name) is rg.parse(name)
    assert {"MAP", "MRR", "NDCG", "Precision", "Recall", "F1", "HitRate"} <= aliases


def dotted_names():
    """Every module of the library by its dotted name."""
    for parts, _ in modules():
        if parts[-1] != "__main__":
            yield ".".join(["rankgauge", *(parts[:-1] if parts[-1] == "__init__" else parts)])


def test_every_module_is_accessible_by_its_dotted_name():
    code = """
import functools, importlib, sys
hidden = []
for name in sys.argv[1:]:
    try:
        module = importlib.import_module(name)
    except ImportError as error:  # an extra that is not installed
        if str(error.name).startswith("rankgauge"):
            raise
        continue
    if functools.reduce(getattr, name.split(".")[1:], sys.modules["rankgauge"]) is not module:
        hidden.append(name)
import rankgauge
public = {*rankgauge.__all__, *rankgauge._NAMESPACES}
strange = [name for name in dir(rankgauge) if name not in public and not name.startswith("__")]
print(hidden, strange, [*public - {*dir(rankgauge)}])
"""
    command = [sys.executable, "-c", code, *dotted_names()]
    result = subprocess.run(command, capture_output=True, text=True, check=False)

    assert result.stderr == ""
    assert result.stdout == "[] [] []\n", "modules hidden by an attribute, stray names in dir, missing names in dir"


def test_dir_shows_the_public_names():
    code = "import rankgauge; print(sorted(name for name in dir(rankgauge) if not name.startswith('__')))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert result.stdout.strip() == str(sorted({*rg.__all__, *rg._NAMESPACES}))


@pytest.mark.parametrize("name", rg._NAMESPACES)
def test_dir_of_a_namespace_shows_its_public_names(name):
    try:
        module = getattr(rg, name)
    except ImportError:  # an extra that is not installed
        return
    assert dir(module) == sorted(module.__all__)
    assert [public for public in module.__all__ if not hasattr(module, public)] == []


PARTNERS_WORD = {"adapters/keras.py", "adapters/torchmetrics.py"}
"""Files that define the class under the name by which its framework knows it."""


def test_no_two_classes_share_a_name():
    files = {}
    for parts, path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and f"{'/'.join(parts)}.py" not in PARTNERS_WORD:
                files.setdefault(node.name, []).append("/".join(parts))

    assert {name: found for name, found in files.items() if len(found) > 1} == {}


def built_in():
    return {name: m for name, m in rg.metrics().items() if m.kernel.__module__.startswith("rankgauge.")}


def missing_of(metric):
    """What a metric still lacks, for the person who adds it."""
    definition, lacks = metric.definition, []
    family = inspect.getmodule(definition.kernel)
    if definition.name not in getattr(family, "__all__", [definition.name]):
        lacks.append(f"its name in __all__ of {family.__name__}")
    if not definition.formula:
        lacks.append("a formula (.. math::) in its docstring")
    if not definition.edge_cases.en:
        lacks.append("'Edge cases: ...' in its docstring")
    if ">>>" not in definition.example or "#" not in definition.example:
        lacks.append("an example with its arithmetic as a comment in its docstring")
    if not definition.zh:
        lacks.append("its meaning in Chinese (zh=)")
    if definition.edge_cases.zh == definition.edge_cases.en:
        lacks.append("its edge cases in Chinese (特殊情形：... in zh=)")
    if not definition.cite or (len(definition.cite.split()) == 1 and definition.cite not in CITATIONS):
        lacks.append("a reference (cite=)")
    cases, loops = (BEYOND_CASES, BEYOND_REFERENCES) if definition.of_items else (CASES, REFERENCES)
    cases, loops = (SPAN_CASES, SPAN_REFERENCES) if definition.of_spans else (cases, loops)
    if definition.name not in {rg.parse(case.metric).name for case in cases}:
        lacks.append(f"a hand-worked expectation in tests/{'beyond_' * definition.of_items}cases.py")
    if definition.name not in loops:
        lacks.append(f"a slow, obvious loop in tests/{'beyond_' * definition.of_items}reference.py")
    return lacks


def test_every_built_in_metric_is_complete():
    lacking = {name: lacks for name, metric in built_in().items() if (lacks := missing_of(metric))}

    assert lacking == {}, "\n".join(f"{name} lacks {', '.join(lacks)}" for name, lacks in lacking.items())


def test_a_metric_without_its_parts_gets_a_list_of_what_is_missing():
    @rg.metric()
    def Bare(j, *, k: rg.Cutoff = None):
        """A metric that is not finished."""
        return rg.total(j, k, judged=j.at(1.0 * j.known))

    try:
        lacks = " ".join(missing_of(Bare))
    finally:
        rg.unregister("Bare")
    for word in ("formula", "Edge cases", "example", "Chinese", "cite", "tests/cases.py", "tests/reference.py"):
        assert word in lacks


def test_a_custom_metric_has_every_feature_of_built_in_ones():
    @rg.metric(
        zh="前 k 个中最高的等级。", cite="RankLib, metric Best@k", aliases=("BestGrade",), trec={"best_cut": "Best@{}"}
    )
    def Best(j, *, k: rg.Cutoff = None, rel: float = rg.rule()):
        r"""The highest grade in the top k.

        .. math:: \max_{i \le k} g_i

        Edge cases: 0 for an empty list.

        >>> (Best @ 2).of([1, 0, 3])  # max(1, 0)
        1.0
        """
        first_best = j.at(1.0 * j.relevant(rel)) * j.reach(j.relevant(rel))
        return rg.total(j, k, gain=j.grade, first=first_best)

    try:
        assert rg.parse("Best(rel=2)@5") == Best(rel=2) @ 5
        assert rg.parse("bestgrade@5") == rg.parse("best_cut_5") == Best @ 5
        assert (Best(rel=3) @ 2).of([1, 3, 3]) == 3
        assert "The highest grade" in (Best @ 2).explain([1, 0]).to_text()
        assert "最高的等级" in (Best @ 2).explain([1, 0]).to_text("zh")
        assert list(Best(rel=2).curve([1, 2])) == [0, 2]
        assert rg.evaluate({"q": {"a": 2}}, {"q": ["a"]}, "Best@1").mean("Best@1") == 2
        with pytest.raises(rg.ParameterError, match="Best: k must be a whole number"):
            Best @ 0
    finally:
        rg.unregister("Best")
    assert "Best" not in rg.metrics()
    with pytest.raises(rg.UnknownNameError):
        rg.unregister("Best")


def test_nothing_evaluates_text_or_unpickles():
    forbidden = {"eval", "exec", "pickle", "marshal"}
    found = [
        f"{'/'.join(parts)}: {node.id if isinstance(node, ast.Name) else node.names[0].name}"
        for parts, path in modules()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Name) and node.id in forbidden)
        or (isinstance(node, ast.Import) and node.names[0].name in forbidden)
    ]

    assert found == []


def test_architecture_lists_every_file_with_its_purpose():
    result = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "architecture.py"), "--check"], capture_output=True, text=True, check=False
    )

    assert (result.returncode, result.stderr) == (0, "")


def run(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "rankgauge", *arguments],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
    )


@pytest.mark.parametrize(
    ("arguments", "environment", "words"),
    [
        (
            ["demo"],
            {"LANG": "en_US.UTF-8", "LC_ALL": ""},
            ["nDCG@5", "The ideal order", "Definition used", "rankgauge report"],
        ),
        (["demo"], {"LC_ALL": "zh_CN.UTF-8"}, ["理想排序", "所用定义", "规则"]),
    ],
)
def test_command_line(arguments, environment, words):
    result = run(*arguments, **environment)

    assert (result.returncode, result.stderr) == (0, b"")
    assert [word for word in words if word not in result.stdout.decode()] == []


@pytest.mark.parametrize(
    ("arguments", "encoding", "words"),
    [
        (["demo", "--lang", "zh"], "gbk", ["理想排序"]),
        (["demo", "--lang", "en"], "ascii", ["The ideal order"]),
        (["--version"], "utf-8", [rg.__version__]),
        (["--help"], "utf-8", ["demo"]),
    ],
)
def test_command_line_in_an_encoding(arguments, encoding, words):
    result = here(*arguments, encoding=encoding)

    assert (result.code, result.err) == (0, "")
    assert [word for word in words if word not in result.out] == []


def test_command_line_usage_error():
    result = here("demo", "--lang", "fr")

    assert result.code == 2
    assert "'fr' is not one of 'auto', 'en', 'zh'" in result.err
