"""Presets give the numbers of the tools themselves: values that the tools gave, stored by `make parity`."""

import importlib.util
import json
import sys
import tomllib
from pathlib import Path

import pytest

from registries import PRESETS

ROOT = Path(__file__).parent.parent
BY_DEFINITION = {
    "yahoo-ltrc", "burges-2005", "mcsherry-najork-2008", "ann-benchmarks", "longmemeval", "longmemeval-turns",
    "otto", "rre", "freshstack-coverage", "elasticsearch-154362", "amazon-personalize", "vertex-ai-search",
    "databricks-agent-evaluation",
}  # fmt: skip
"""Presets of papers, and of tools of which no value could be obtained."""
DATA = Path(__file__).parent / "data" / "parity"


def module(name):
    """A module of parity/, which has names in common with the tests."""
    spec = importlib.util.spec_from_file_location(f"parity_{name}", ROOT / "parity" / f"{name}.py")
    found = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


sys.path.append(str(ROOT / "parity"))  # for what they import of each other; names of the tests come first
compare, render, worlds = module("compare"), module("render"), module("worlds")
with pytest.MonkeyPatch.context() as patch:
    patch.setitem(sys.modules, "worlds", worlds)  # not that of the tests
    parity, audits = module("parity"), module("audits")
TABLE = tomllib.loads((ROOT / "parity" / "tools.toml").read_text(encoding="utf-8"))
TOOLS = {name: tool for name, tool in TABLE.items() if name != "environments"}
RESULTS = json.loads((ROOT / "parity" / "results.json").read_text(encoding="utf-8"))
AUDITS = json.loads((ROOT / "parity" / "audits.json").read_text(encoding="utf-8"))
STORED = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(DATA.glob("*.json"))
    if not path.name.startswith("worlds-")
}
RUNS = [
    pytest.param(run, id=f"{name}-{run['preset']}-{place}")
    for name, stored in STORED.items()
    for place, run in enumerate(stored["runs"])
]
WORLDS = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(DATA.glob("worlds-*.json"))}


@pytest.mark.parametrize("run", RUNS)
def test_a_preset_reproduces_the_values_of_its_tool(run):
    means = not any(isinstance(one, list) for metric in run["metrics"].values() for one in metric["values"])
    notation = [metric["ours"] for metric in run["metrics"].values()]
    convention = PRESETS[run["preset"]].convention.replace(**run.get("rules", {}))
    here = compare.ours(WORLDS[run["worlds"]], notation, convention, means=means)

    for name, metric in run["metrics"].items():
        found = compare.compared(metric["values"], here[metric["ours"]])
        assert found["largest"] <= metric["tolerance"], (name, found)
        assert found["values"] > 0


def test_the_pages_are_current():
    for lang, (name, _) in render.PAGES.items():
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == render.text(TOOLS, RESULTS, lang)


def test_the_table_agrees_and_is_large_enough():
    records = [one for part in RESULTS.values() for one in part["records"]]

    assert [render.disagreement(one) for one in records if not one["agree"]] == []
    assert all(one["worlds"] >= 1000 for one in records)
    assert all(one["values"] >= 700 for one in records)  # some tools refuse some of them, and say so in the table


def test_every_tool_of_the_table_has_an_adapter_a_preset_and_stored_values():
    for name, tool in TOOLS.items():
        assert (ROOT / "parity" / "tools" / f"{tool.get('adapter', name)}.py").exists()
        assert tool["environment"] in TABLE["environments"]
        assert {run.get("preset", tool["preset"]) for run in tool["runs"]} <= PRESETS.keys()
        assert name in RESULTS
        assert name in STORED or not RESULTS[name]["records"]
        for note in tool.get("exceptions", ()):
            assert note["en"]
            assert note["zh"]


def test_every_preset_is_on_the_page_with_how_it_was_verified():
    """Eleven presets once stood in neither table of the page."""
    found = [one for part in RESULTS.values() for one in part["records"]]
    verified = {name: render.proof(name, found, "en") for name in PRESETS}

    assert {how for how, *_ in verified.values()} <= {"run", "stored", "published", "definition"}
    assert {name for name, (how, *_) in verified.items() if how == "definition"} == BY_DEFINITION
    for name in PRESETS:
        assert f"| {name} ".replace("_", r"\_") in (ROOT / "docs" / "parity.md").read_text(encoding="utf-8")


def test_a_tool_that_cannot_be_installed_is_reported_and_does_not_stop_the_others(tmp_path, monkeypatch, capsys):
    """Nor does it lose the results of its last run."""
    monkeypatch.setattr(parity, "DATA", tmp_path)
    monkeypatch.setattr(
        parity.environments, "make", lambda name, _: {"gone==1": "no version"} if name == "torch" else {}
    )
    monkeypatch.setattr(
        parity,
        "tool_values",
        lambda name, tool, count, missing: {"not_installed": "gone==1"} if missing else answers(tool),
    )
    (tmp_path / "results.json").write_text('{"ignite": {"records": []}}')
    monkeypatch.setattr(sys, "argv", ["parity.py", "ignite", "ranx", "--worlds", "1"])

    with pytest.raises(SystemExit, match="ranx ndcg@5"):  # the made-up values differ
        parity.main()

    printed = capsys.readouterr().out
    assert "ignite: not installed: gone==1" in printed
    assert "not installed, earlier results kept: ignite" in printed
    assert json.loads((tmp_path / "results.json").read_text()).keys() == {"ignite", "ranx"}


def test_a_missing_package_does_not_keep_the_others_from_being_installed(tmp_path, monkeypatch):
    calls = []

    def install(name, packages):
        calls.append((name, packages))
        return "no such version" if "gone==1" in packages else ""

    def create(folder, *, with_pip):
        assert with_pip
        (folder / "lib" / "python3" / "site-packages").mkdir(parents=True)

    groups = {"large": ["numpy"], "small": ["@large", "gone==1", "polars", "old --no-deps --pre"]}
    environments = parity.environments
    monkeypatch.setattr(environments, "FOLDER", tmp_path)
    monkeypatch.setattr(environments, "install", install)
    monkeypatch.setattr(environments.venv, "create", create)

    assert environments.make("small", groups) == {"gone==1": "no such version"}
    assert calls == [
        ("large", ["numpy"]),
        ("small", ["gone==1", "polars"]),
        ("small", ["gone==1"]),
        ("small", ["polars"]),
        ("small", ["old", "--no-deps", "--pre"]),
    ]
    base = tmp_path / ".venv-parity-small" / "lib" / "python3" / "site-packages" / "base.pth"
    assert base.read_text() == f"{tmp_path / '.venv-parity-large' / 'lib' / 'python3' / 'site-packages'}\n"


FAULTS = {
    "autorag": {"repeated items"},  # a repeated id adds a hit to its group
    "beir": {"answers"},  # ZeroDivisionError if no query has results, and in R_cap without relevant items
    "ignite": {"answers"},  # RuntimeError in HitRate if the list is shorter than k
    "ir_measures": {"definition"},  # equal scores stand in the best list of Compat in the order of the judgments
    "lenskit": {"answers"},  # ZeroDivisionError in AveragePrecision without relevant items
    "mlflow": {"repeated items"},  # repeated ids are renamed and added to the targets
    "mteb": {"answers"},  # ZeroDivisionError if no query has results
    "mteb_2_18_18": {"answers"},  # the same
    "pytorch_metric_learning": {"answers"},  # an error if k is larger than the list
    "torchmetrics": {"scores"},  # RetrievalAUROC takes a sigmoid first, which makes 1e6 and 2e6 equal
    "weaviate_qab": {"answers"},  # ZeroDivisionError without relevant ids
}
"""The laws that functions of a tool break first, against the preset of the tool; each checked by hand."""


def test_audits_of_the_tools_name_their_presets_and_find_only_known_faults():
    stored = [(name, each) for name, part in AUDITS.items() for each in part["audits"]]

    assert len(AUDITS) >= 45
    faults = {
        name: {each["broken"][0]["law"] for other, each in stored if other == name and each["broken"]}
        for name in AUDITS
    }
    assert {name: laws for name, laws in faults.items() if laws} == FAULTS
    unnamed = {each["metric"].partition("(")[0] for _, each in stored if not each["named"]}
    assert unnamed == {"Compat", "AUC"}  # AUC of a sigmoid


def test_a_tool_of_grades_up_to_1_is_audited_with_quarters_and_the_same_scale():
    """Quarters were compared with the values of whole grades, so functions of cwl_eval seemed wrong."""

    class Largest:
        def value(self, _, query):
            gain = max((query["judged"].get(item, 0) for item, _ in query["ranking"][:1]), default=0)
            return (2**gain - 1) / 2

    run = {"worlds": {"grades": "unit", "ties": True}}
    rules = audits.stated("cwl_eval", run)
    assert rules.max_grade == audits.QUARTERS
    assert audits.stated("cwl_eval", {}) == PRESETS["cwl_eval"].convention
    assert audits.stated("phoenix", run) == PRESETS["phoenix"].convention
    function = audits.black_box(Largest(), "gain", run)
    assert function({"q1": {"d1": 4}}, {"q1": {"d1": 1.0}}) == 0.5


def test_a_tool_is_audited_in_the_input_form_it_takes():
    asked = []

    class Recall:
        def value(self, _, query):
            asked.append(query)
            relevant = {item for item, grade in query["judged"].items() if grade}
            return len(relevant & {item for item, _ in query["ranking"]}) / len(relevant)

    for run, form in (
        ({"worlds": {"grades": "binary", "ties": True}, "needs_relevant": True}, "judgments, ranking"),
        ({"worlds": {"pool": "closed"}, "call": "grades"}, "grades"),
    ):
        assert audits.form_of(run) == form
        result = audits.rg.audit(audits.black_box(Recall(), "recall", run), "R", convention="trec_eval-9", call=form)
        kept = audits.record(result, "trec_eval-9", 0.0)
        assert kept["named"]
        assert {broken["law"] for broken in kept["broken"]} == (set() if "needs_relevant" in run else {"answers"})
        for broken in result.broken:
            assert audits.render.audit_page.world_of(broken.to_dict()["example"]) == broken.example
    assert {len(item) for query in asked for item in query["judged"]} <= {2, 3}


def answers(tool):
    """Made-up values of a tool for one world."""
    return {"version": "1", "values": [{metric: [-1.0] for metric in run["metrics"]} for run in tool["runs"]]}


def test_worlds_are_reproducible_and_have_the_requested_properties():
    kind = worlds.Kind(ties=True, missing=True)
    made = worlds.make_worlds(kind, 200)
    queries = [query for world in made for query in world]
    scores = [[score for _, score in query["ranking"]] for query in queries]

    assert made == worlds.make_worlds(kind, 200)
    assert any(len(set(one)) < len(one) for one in scores)
    assert any(not one for one in scores)
    assert any(not any(query["judged"].values()) for query in queries)
    assert any(item not in query["judged"] for query in queries for item, _ in query["ranking"])
    assert any(set(query["judged"]) - {item for item, _ in query["ranking"]} for query in queries)
    assert {grade for query in queries for grade in query["judged"].values()} == {0, 1, 2, 3, 4}
    grouped = worlds.Kind(grades="binary", repeats=True, groups=True)
    for query in (query for world in worlds.make_worlds(grouped, 50) for query in world):
        assert sorted(item for group in query["groups"] for item in group) == sorted(worlds.relevant_items(query))
    parts = [query for world in worlds.make_worlds(worlds.Kind(repeats=True, units=True), 50) for query in world]
    assert any(len(set(query["units"].values())) < len(query["units"]) for query in parts)
    assert all([*query["units"]] == [item for item, _ in query["ranking"]] for query in parts)
    single = [query for world in worlds.make_worlds(worlds.Kind(pool="closed", single=True), 50) for query in world]
    assert all(len(worlds.relevant_items(query)) == 1 for query in single)
    weighted = worlds.make_worlds(worlds.Kind(weights=True), 50)
    assert all(sum(query["weight"] for query in world) == pytest.approx(len(world)) for world in weighted)
    assert any(len({query["weight"] for query in world}) > 1 for world in weighted)
    closed = [query for world in worlds.make_worlds(worlds.Kind(pool="closed", least=2), 200) for query in world]
    assert all(set(query["judged"]) == {item for item, _ in query["ranking"]} for query in closed)
    assert all(len({score for _, score in query["ranking"]}) == len(query["ranking"]) >= 2 for query in closed)
