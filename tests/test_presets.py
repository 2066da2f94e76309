"""Every preset against the numbers that its tool gave, and the catalogue itself."""

import json
from math import log2
from pathlib import Path

import numpy as np
import pytest

import rankgauge as rg
from registries import PRESETS, RULES

DATA = json.loads((Path(__file__).parent / "data" / "tool_values.json").read_text(encoding="utf-8"))
LISTS = {name: (case["labels"], case["scores"]) for name, case in DATA["lists"].items()}


def rows(kind):
    return [
        pytest.param(row, id=f"{row['preset']}-{row['metric']}-{row.get('case', place)}")
        for place, row in enumerate(DATA[kind])
    ]


def rules_of(row):
    return PRESETS[row["preset"]].convention.replace(**row.get("but", {}))


def close(got, row):
    """Within the precision of the tool, or of the digits that were printed where those are fewer."""
    printed = str(row["value"])
    digits = len(printed.partition(".")[2]) if "." in printed else 12
    return got == pytest.approx(float(row["value"]), abs=max(PRESETS[row["preset"]].precision, 0.51 * 10**-digits))


@pytest.mark.parametrize("row", rows("list_values"))
def test_values_of_one_list(row):
    labels, scores = LISTS[row["case"]]
    labels = [min(label, 1) for label in labels] if row.get("binary") else labels
    labels = [(2**label - 1) / 8 for label in labels] if row.get("exp") else labels
    got = rg.parse(row["metric"]).of(labels, scores=scores, convention=rules_of(row))

    assert str(got) == "nan" if row["value"] == "nan" else close(got, row)


@pytest.mark.parametrize("row", rows("id_values"))
def test_lists_of_ids(row):
    got = rg.evaluate({"q": row["judged"]}, {"q": row["returned"]}, row["metric"], convention=rules_of(row))

    assert close(got.mean(row["metric"]), row)


@pytest.mark.parametrize("row", rows("mean_values"))
def test_values_of_five_users(row):
    users = DATA["five_users"]
    judged = {user: dict.fromkeys(items, 1) for user, items in users["relevant"].items() if user != row.get("without")}
    scores = rg.evaluate(judged, users["recommended"], row["metric"], convention=rules_of(row))
    got = scores.per_query(row["metric"])[row["user"]] if "user" in row else scores.mean(row["metric"])

    assert str(got) == "nan" if row["value"] == "nan" else close(got, row)


TIED = {"scores": [1, 1]}
WORKED = [
    ("jarvelin-kekalainen-2002", "DCG@4", [3, 2, 3, 0], {}, 3 + 2 / 1 + 3 / log2(3)),
    ("jarvelin-kekalainen-2002", "nDCG@2", [1, 2], {}, (1 + 2) / (2 + 1)),
    ("yahoo-ltrc", "nDCG@10", [0, 0], {}, 0.5),
    ("yahoo-ltrc", "ERR", [0, 4], {}, 15 / 16 / 2),
    ("yahoo-ltrc", "nDCG@10", [0, 2], {}, (3 / log2(3)) / 3),
    ("gdeval", "nDCG@20", [0, 2], {}, (3 / log2(3)) / 3),
    ("gdeval", "ERR@20", [1, 4], {}, 1 / 16 + 15 / 16 * 15 / 16 / 2),
    ("ml_metrics", "AP@2", [1, 1, 0], {"relevant": 5}, 1),
    ("ml_metrics", "AP@10", [1, 0, 1], {"relevant": 4}, (1 + 2 / 3) / 4),
    ("torchmetrics-1.1.1", "nDCG", [0, 1], TIED, 1 / log2(3)),
    ("torchmetrics-1.1.1", "AP@2", [1, 0, 1], {"relevant": 3}, 1),
    ("torchmetrics-1.1.2", "nDCG", [0, 1], TIED, (1 + 1 / log2(3)) / 2),
    ("torchmetrics-1.1.2", "AP@2", [0, 1], TIED, 1 / 2),
    ("beir-custom", "R@2", [1, 1, 0], {"relevant": 5}, 1),
    ("beir-custom", "RR@2", [0, 1], TIED, 1 / 2),
    ("catboost-exp-position", "nDCG@2", [0, 2], {}, (3 / 2) / 3),
    ("catboost-exp-position", "nDCG@2", [2, 0], TIED, (3 / 2) / 3),
    ("cornac", "nDCG(discount='1/i')@3", [0, 1, 1], {}, (1 / 2 + 1 / 3) / (1 + 1 / 2)),
    ("cornac-map", "AP", [1, 0], TIED, 1 / 2),
    ("sklearn-ignore-ties", "nDCG", [1, 0], TIED, 1 / log2(3)),
    ("ms-marco", "RR@10", [0] * 10 + [1], {}, 0),
    ("trec_eval-9", "IPrec(recall=0.2)", [1, 1, 0], {"relevant": 6}, 1),  # int(1.2 + 0.9) = 2 of them
    ("trec_eval-10", "IPrec(recall=0.2)", [1, 0, 0, 1, 1, 1], {"relevant": 6}, 1),  # round(1.2) = 1
    ("ir_measures-msmarco", "RR@10", [1, 0], TIED | {"items": ["a", "b"]}, 1),
    ("ir_measures", "RR", [1, 0], TIED | {"items": ["a", "b"]}, 1 / 2),
    ("mteb", "nDCG@2", [0, 2], {}, 1 / log2(3)),
    ("mteb-mrr", "RR@5", [1, 0, 0], {"scores": [0.5, 0.5, 0.5], "items": ["a", "b", "c"]}, 1 / 3),
    ("mteb-mrr-2.18.18", "RR@5", [1, 0, 0], {"scores": [0.5, 0.5, 0.5], "items": ["a", "b", "c"]}, 1),
    ("beir", "AP@2", [1, 0, 1], {"relevant": 4}, 1 / 4),
    ("ranx", "nDCG(gain='exp2')@2", [0, 2], {}, 1 / log2(3)),
    ("pyvespa", "AP@2", [1, 0], {"relevant": 4}, 1 / 2),
    ("pyvespa", "nDCG@2", [0, 0.5], {}, 1 / log2(3)),
    ("spark", "AP@2", [1, 0], {"relevant": 4}, 1 / 2),
    ("spark", "P@4", [1, 0], {}, 1 / 4),
    ("evidently", "P@4", [1, 0], {}, 1 / 2),
    ("merlin", "R@2", [1, 0], {"relevant": 4}, 1 / 2),
    ("merlin", "AP@2", [1, 0], TIED | {"relevant": 4}, (1 + 1 / 2) / 2 / 2),
    ("rre", "P@3", [1, None, 0], {}, 0.67),
    ("rre", "P@10", [1, None, None], {}, 0.33),
    ("rre", "P@3", [-1], {}, 1),
    ("elasticsearch", "DCG@10", [-2], {}, 2**-2 - 1),
    ("opensearch", "nDCG@3", [3], {"ideal": [3, 0, -2]}, 1.06),  # 7 / (7 + 0 + (2^-2 - 1) / 2)
    ("quepid", "CG(gain='linear')@2", [3, 1, 2], {}, 3 + 1),
    ("longmemeval", "AllHit@5", [0], {}, 1),
    ("llama-index-granular", "R", [1, 1, 1, 0], {"relevant": 3}, 1),
    ("llama-index-granular", "RR", [1, 1, 1, 0], {"relevant": 3}, (1 + 1 / 2 + 1 / 3) / 3),
    ("llama-index-granular", "RR", [0, 0], {"relevant": 3}, 0),
    ("ragas-text", "AP", [1, 0, 1], {"relevant": 5}, (1 + 2 / 3) / (2 + 1e-10)),
    ("ragas-text-recall", "R", [1, 0, 1], {"relevant": 5}, 2 / 5),
    ("ragas-verdicts", "AP", [1, 1, 0], {}, 2 / (2 + 1e-10)),
    ("ragas-verdicts", "AP", [0, 0], {}, 0),
    ("ragas-verdicts", "P", [1, 0, 1, 1], {}, 3 / 4),
    ("deepeval", "AP", [0, 1, 1], {}, (1 / 2 + 2 / 3) / 2),
    ("deepeval", "P", [1, 0, 0], {}, 1 / 3),
    ("deepeval", "P", [], {}, 0),
    ("phoenix", "nDCG@3", [0, 0.5, 1], {}, (0.5 / log2(3) + 1 / 2) / (1 + 0.5 / log2(3))),
    ("phoenix", "P@4", [0.2, 0], {}, 1 / 4),
    ("sentence-transformers-reranking", "AP", [1, 0], TIED, 1 / 2),
    ("sentence-transformers-reranking", "nDCG@10", [1, 0], TIED, (1 + 1 / log2(3)) / 2),
    ("sentence-transformers-reranking", "RR@10", [1, 0], TIED, 1),
    ("longmemeval-turns", "AllHit@2", [1, 0, 1], {}, 0),
    ("freshstack", "R@2", [1, 0, 1], {}, 1 / 2),
    ("open-rag-eval", "AP@3", [1, 2, 3, 3], {}, (1 / 2 + 2 / 3) / 2),
    ("open-rag-eval", "P@5", [1, 2, 3], {}, 2 / 5),
    ("ragchecker", "P", [0, 1, 1], {}, 2 / 3),
    ("ann-benchmarks", "P@4", [1, 1, 0], {}, 2 / 4),
    ("esci", "nDCG", [0.1, 1, 0], {}, (0.1 + 1 / log2(3)) / (1 + 0.1 / log2(3))),
    ("esci", "nDCG", [None, 1], {}, 1),
    ("esci-2022-script", "nDCG", [0.1, 1, 0], {}, (0.01 + 1 / log2(3)) / (1 + 0.01 / log2(3))),
    ("otto", "R@20", [1, 0], {"relevant": 40}, 1 / 20),
    ("implicit", "AP@2", [0, 1], {"relevant": 5}, (1 / 2) / 2),
    ("implicit-precision", "P@4", [1, 0, 0, 0], {"relevant": 2}, 1 / 2),
    ("pytorch-metric-learning", "AP@2", [0, 1, 1], {}, (1 / 2) / 2),
    ("trectools-ndcg", "nDCG@2", [1, 0], TIED | {"items": ["a", "b"]}, 1),
    ("trectools", "RR", [1, 0], TIED | {"items": ["a", "b"]}, 1 / 2),
    ("trectools", "RBP(p=0.8)", [1, 0], TIED | {"items": ["a", "b"]}, (0.2 + 0.16) / 2),
    ("pyg", "AP@2", [1, 0, 1], {"relevant": 5}, 1 / 2),
    ("ogb", "RR", [1, 0, 0], {"scores": [1, 1, 2]}, 1 / 2.5),
    ("ogb", "HR@1", [1, 0], TIED, 0),
    ("ogb", "TPR(negatives=1, tied='lost')", [1, 0, 1], {"scores": [2, 1, 1]}, 1 / 2),
    ("lightfm", "RR", [1, 1, 0], {"scores": [1, 1, 0]}, 1 / 2),
    ("lightfm", "P@1", [1, 0], TIED, 0),
    ("spotlight", "RR", [1, 0, 1], {"scores": [2, 1, 1]}, (1 + 1 / 2.5) / 2),
    ("spotlight", "P@5", [1, 0], {}, 1 / 2),
    ("tfrs", "R@1", [0, 1], TIED, 1),
    ("tfrs-ids", "R@1", [0, 1], TIED, 0),
    ("torchrec", "nDCG(gain='exp2')@2", [1, 2], {}, (1 + 3 / log2(3)) / (3 + 1 / log2(3))),
    ("warprec", "AP@2", [1, 0], {"relevant": 4}, 1 / 2),
    ("warprec", "nDCG@2", [1, 2], {}, (3 + 7 / log2(3)) / (7 + 3 / log2(3))),
    ("qdrant-benchmark", "R", [1, 0], {"relevant": 4}, 1 / 4),
    ("qdrant-benchmark", "R", [0, 0], {}, 1),
    ("rag-ci", "P@5", [1, 0], {}, 1 / 2),
    ("rag-ci", "nDCG@2", [0, 1], {"relevant": 3}, (1 / log2(3)) / (1 + 1 / log2(3))),
    ("amazon-personalize", "nDCG@5", [0, 1], {"relevant": 2}, (1 / log2(3)) / (1 + 1 / log2(3))),
    ("amazon-personalize", "P@5", [1, 0], {}, 1 / 5),
    ("vertex-ai-search", "nDCG@3", [0, 1, 1], {}, (1 / log2(3) + 1 / 2) / (1 + 1 / log2(3))),  # its example: 0.693
    ("vertex-ai-search", "R@5", [1, 1, 1, 0, 0], {"relevant": 5}, 3 / 5),  # its examples, 0.6 and 0.8
    ("vertex-ai-search", "P@5", [1, 1, 1, 1, 0], {}, 4 / 5),
    ("databricks-agent-evaluation", "R", [1, 0], {"relevant": 4}, 1 / 4),
    ("elasticsearch-154362", "nDCG@10", [3], {"ideal": [3] * 5}, 1 / sum(1 / log2(i + 1) for i in range(1, 6))),
    ("pyg", "nDCG(gain='linear', discount='none', ideal_cut='none')@1", [1, 0, 2.5], {}, 1 / 3.5),
]


@pytest.mark.parametrize(("preset", "metric", "grades", "given", "value"), WORKED)
def test_hand_worked_values(preset, metric, grades, given, value):
    """Tools of which the tables have no numbers: the arithmetic that their code does."""
    assert rg.parse(metric).of(grades, **given, convention=preset) == pytest.approx(value, abs=1e-12)


def test_every_preset_is_checked_against_numbers():
    tables = {row["preset"] for kind in ("list_values", "id_values", "mean_values") for row in DATA[kind]}
    others = {"pytrec_eval", "cwl_eval", "ir_measures-cwl", "ndeval"}  # by the tool itself, in tests/data
    others.add("freshstack-coverage")  # by its definition, in test_rag_definitions.py
    others |= {"chunking_evaluation", "rag-ci-spans"}  # by the tools, in test_span_coverage.py

    assert {*PRESETS} - tables - {row[0] for row in WORKED} - others == set()


def test_otto_pools_the_hits_of_all_sessions():
    judgments, ranking = {"a": ["x", "y"], "b": ["z"]}, {"a": ["x"], "b": ["w", "z"]}
    assert rg.evaluate(judgments, ranking, "R@20", convention="otto").mean("R@20") == (1 + 1) / (2 + 1)


@pytest.mark.parametrize(
    ("preset", "weights", "value"),
    [("lightgbm", (1, 0.1), 0.3939), ("lightgbm", (1, 5), 0.8889), ("xgboost-2", (1, 5), 0.8889)],
)
def test_groups_with_weights(preset, weights, value):
    """Of LightGBM 4.7.0 and XGBoost 3.2.0: map@3 of a list with its one relevant item last, and of one without."""
    labels, scores = np.array([[0, 0, 1], [0, 0, 0]]), np.array([[3, 2, 1], [3, 2, 1]])
    rules = rg.preset(preset).replace(averaging="weighted")
    got = rg.evaluate(labels, scores, "AP@3", convention=rules, weights=dict(enumerate(weights)))

    assert got.mean("AP@3") == pytest.approx(value, abs=5e-5)


def test_session_weights_of_torchrec():
    """Of TorchRec 1.9.2: nDCG 1 and 0 with the weights 3 and 1 is 3 / 2 there, the weighted mean times the mean weight."""
    rules, weights = rg.preset("torchrec").replace(averaging="weighted"), {0: 3.0, 1: 1.0}
    got = rg.evaluate(np.array([[1, 0], [0, 0]]), np.array([[2, 1], [2, 1]]), "nDCG", convention=rules, weights=weights)

    assert got.mean("nDCG") * (3 + 1) / 2 == 3 / 2


def test_mean_ndcg_of_the_mslr_script():
    labels, scores = LISTS["A"]
    curve = rg.nDCG.curve(labels, scores=scores, convention="mslr")

    assert sum(curve.values) / len(curve.values) == pytest.approx(0.2879, abs=5e-5)


def lists_with_ties(seed, count):
    random = np.random.default_rng(seed)
    for _ in range(count):
        size = int(random.integers(2, 12))
        yield random.integers(0, 4, size), random.choice([0.1, 0.2, 0.25, 0.7, 0.9], size)


def test_values_equal_those_of_the_installed_scikit_learn():
    sklearn = pytest.importorskip("sklearn.metrics")
    for labels, scores in lists_with_ties(7, 60):
        given = {"scores": scores, "convention": "sklearn"}
        for k in (1, 3, None):
            assert (rg.nDCG @ k).of(labels, **given) == pytest.approx(
                sklearn.ndcg_score([labels], [scores], k=k), abs=1e-12
            )
            assert (rg.DCG @ k).of(labels, **given) == pytest.approx(
                sklearn.dcg_score([labels], [scores], k=k), abs=1e-12
            )
        if (binary := labels > 0).any():
            expected = sklearn.average_precision_score(binary, scores)
            got = rg.AP.of(labels, scores=scores, convention="sklearn-average-precision")
            assert got == pytest.approx(expected, abs=1e-12)


def test_values_equal_those_of_the_installed_pytrec_eval():
    pytrec_eval = pytest.importorskip("pytrec_eval")
    names = {
        "map",
        "map_cut_3",
        "P_3",
        "recall_3",
        "Rprec",
        "recip_rank",
        "ndcg",
        "ndcg_cut_3",
        "bpref",
        "success_1",
        "11pt_avg",
    }
    judgments, ranking = {}, {}
    for query, (labels, scores) in enumerate(lists_with_ties(3, 40)):
        judgments[f"q{query}"] = {f"d{item}": int(grade) - 1 for item, grade in enumerate(labels)} | {"other": 1}
        ranking[f"q{query}"] = {f"d{item}": float(score) + 1e-9 * item for item, score in enumerate(scores)}
    theirs = pytrec_eval.RelevanceEvaluator(judgments, names).evaluate(ranking)
    scores = rg.evaluate(judgments, ranking, sorted(names), convention="pytrec_eval")
    for name in names:
        ours = scores.per_query(name)
        assert ours == pytest.approx({query: values[name] for query, values in theirs.items()}, abs=1e-12), name


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_complete(name):
    one = PRESETS[name]

    assert one.name == name
    assert one.tool
    assert one.versions
    assert one.metrics
    for phrase in (one.about, *one.notes, *one.defects):
        assert phrase.en.endswith(".")
        assert phrase.zh.endswith("。")
    assert {*one.differences} == {
        rule for rule in RULES if getattr(one.convention, rule) != getattr(rg.Convention(), rule)
    }


@pytest.mark.parametrize("name", PRESETS)
def test_the_names_of_a_preset_are_metrics_that_run_under_it(name):
    one = PRESETS[name]

    for theirs, ours in one.metrics.items():
        assert theirs.count("{k}") == ours.count("{k}") or "[k]" in theirs, theirs
        metric = rg.parse(ours.replace("{k}", "3"))
        if metric.definition.of_items and metric.definition.needs != ("scores",):
            continue  # tests/test_beyond_agreement.py has these
        labels, scores = np.array([[1, 0, 1, 0]]), np.array([[4.0, 3, 2, 1]])
        rules = one.convention.replace(units="items", match="id")  # arrays have neither ids nor texts
        assert np.isfinite(rg.evaluate(labels, scores, metric, convention=rules).mean(metric))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_preset_is_a_document(lang):
    text = PRESETS["lightgbm"].document(lang).to_text()

    assert "exp2" in text
    assert "ndcg@{k}" in text
    assert ("Defect:" in text) == (lang == "en")


def test_a_preset_name_is_accepted_wherever_a_convention_is():
    grades = [0, 2, 1]
    named = rg.preset("lightgbm")

    assert rg.nDCG.of(grades, convention="lightgbm") == rg.nDCG(gain="exp2").of(grades)
    assert rg.nDCG.explain(grades, convention="lightgbm").convention.gain == "exp2"
    assert rg.nDCG.line("lightgbm") == rg.nDCG.line(named)
    assert (rg.nDCG @ 2).curve(grades, convention="lightgbm").values == (rg.nDCG @ 2).curve(
        grades, convention=named
    ).values
    scores = rg.evaluate({"q": {"a": 2}}, {"q": ["b", "a"]}, "nDCG", convention="lightgbm")
    assert scores.convention is named
    assert rg.explain({"q": {"a": 2}}, {"q": ["b", "a"]}, "nDCG", "q", convention="lightgbm").convention.gain == "exp2"


def test_an_unknown_preset_is_an_error_with_suggestions():
    with pytest.raises(rg.UnknownNameError, match="did you mean 'lightgbm'"):
        rg.evaluate({"q": {"a": 2}}, {"q": ["a"]}, "nDCG", convention="lightgmb")
    with pytest.raises(rg.ParameterError, match="the name of a preset"):
        rg.nDCG.of([1], convention=3)


def test_presets_are_immutable():
    with pytest.raises(TypeError):
        PRESETS["mine"] = PRESETS["lightgbm"]
    with pytest.raises(TypeError):
        PRESETS["lightgbm"].metrics["mine"] = "AP"
    with pytest.raises(AttributeError):
        PRESETS["lightgbm"].name = "mine"


def test_released_presets_do_not_change():
    """A preset is never edited: a rule of a tool that was wrong becomes a preset of another name.

    A new preset is entered in the stored file, which says what each released one holds.
    """
    released = json.loads((Path(__file__).parent / "data" / "presets.json").read_text(encoding="utf-8"))
    now = {name: {rule: one.convention.to_dict()[rule] for rule in one.differences} for name, one in PRESETS.items()}

    assert json.loads(json.dumps(now)) == released
