"""Training with the real libraries: the numbers are those of rg.evaluate, and early stopping picks the best round.

All tests share a process, because these libraries are slow to import; some start another one.
"""

import inspect
import json
import os
import re
import runpy
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import rankgauge as rg

pytestmark = [
    pytest.mark.xdist_group("training"),
    pytest.mark.filterwarnings(
        "ignore:__array__ implementation doesn't accept a copy keyword:DeprecationWarning:keras"
    ),
    pytest.mark.filterwarnings("ignore:`isinstance.treespec, LeafSpec.` is deprecated:FutureWarning"),
    pytest.mark.filterwarnings("ignore:The '\\w+_dataloader' does not have many workers"),
]
TESTS = Path(__file__).parent
EXAMPLES = TESTS.parent / "examples"
METRICS = ["nDCG@5", "AP"]
TREES = {"objective": "lambdarank", "metric": "None", "min_data_in_leaf": 5, "num_threads": 1, "verbosity": -1}


def data(queries, seed):
    """Features, grades and the number of rows of each query."""
    random = np.random.default_rng(seed)
    sizes = random.integers(1, 12, queries)
    features = random.normal(size=(sizes.sum(), 4))
    grades = features @ [1, 0.5, 0, -0.5] + random.normal(size=len(features))
    return features, np.clip(np.round(grades), 0, 4).astype(int), sizes


def numbers(sizes):
    return np.repeat(np.arange(len(sizes)), sizes)


TRAIN, VALID = data(60, 1), data(40, 2)


def wanted(scores, metric="nDCG@5", **options):
    return rg.evaluate(VALID[1], np.asarray(scores), metric, groups=VALID[2], **options).mean(metric)


def test_lightgbm_reports_the_numbers_of_evaluate_and_its_own():
    lightgbm = pytest.importorskip("lightgbm")
    train = lightgbm.Dataset(TRAIN[0], TRAIN[1], group=TRAIN[2])
    valid = lightgbm.Dataset(VALID[0], VALID[1], group=VALID[2], reference=train)
    rounds = {}
    model = lightgbm.train(
        {**TREES, "metric": "ndcg", "eval_at": [5]},
        train,
        10,
        valid_sets=[valid],
        feval=[rg.lightgbm.feval(["AP", "FirstRank"]), rg.lightgbm.feval("nDCG@5", convention="lightgbm")],
        callbacks=[lightgbm.record_evaluation(rounds)],
    )
    rounds, scores = rounds["valid_0"], [model.predict(VALID[0], num_iteration=number) for number in range(1, 11)]
    np.testing.assert_allclose(rounds["AP"], [wanted(each, "AP") for each in scores], rtol=1e-12)
    np.testing.assert_allclose(rounds["FirstRank"], [wanted(each, "FirstRank") for each in scores], rtol=1e-12)
    np.testing.assert_allclose(rounds["nDCG@5"], rounds["ndcg@5"], rtol=1e-9)


def test_weights_are_ignored_with_one_warning():
    lightgbm, xgboost = pytest.importorskip("lightgbm"), pytest.importorskip("xgboost")
    weights = np.arange(len(VALID[1])) % 3
    for of_rows, of_groups, times in (
        (weights, weights[: len(VALID[2])], 1),
        (weights * 0 + 2, None, 0),
        (None, None, 0),
    ):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            valid = lightgbm.Dataset(VALID[0], VALID[1], group=VALID[2], weight=of_rows).construct()
            matrix = xgboost.DMatrix(*VALID[:2], qid=numbers(VALID[2]), weight=of_groups)
            scores = VALID[0][:, 0]
            feval, fit, custom = rg.lightgbm.feval("AP"), rg.lightgbm.eval_metric("AP"), rg.xgboost.custom_metric("AP")
            for _ in range(2):
                found = {feval(scores, valid)[0][1], fit(VALID[1], scores, of_rows, VALID[2])[0][1]}
                assert found | {custom(scores, matrix)[0][1]} == {wanted(scores, "AP")}
        ignored = [each for each in caught if each.category is rg.DataWarning and "ignores" in str(each.message)]
        assert len(ignored) == 3 * times
        assert {each.filename for each in ignored} <= {__file__}


def test_lightgbm_stops_early_at_the_best_round():
    lightgbm = pytest.importorskip("lightgbm")
    train = lightgbm.Dataset(TRAIN[0], TRAIN[1], group=TRAIN[2])
    valid = lightgbm.Dataset(VALID[0], VALID[1], group=VALID[2], reference=train)
    for metric in ("nDCG@5", "FirstRank"):
        rounds = {}
        stopping = lightgbm.early_stopping(5, verbose=False)
        model = lightgbm.train(
            TREES,
            train,
            40,
            valid_sets=[valid],
            feval=rg.lightgbm.feval(metric),
            callbacks=[stopping, lightgbm.record_evaluation(rounds)],
            keep_training_booster=True,
        )
        values = [
            wanted(model.predict(VALID[0], num_iteration=number), metric)
            for number in range(1, model.current_iteration() + 1)
        ]
        best = np.argmax(values) if metric == "nDCG@5" else np.argmin(values)
        np.testing.assert_allclose(rounds["valid_0"][metric], values, rtol=1e-12)
        assert model.best_iteration == best + 1
        assert len(values) < 40


def test_lightgbm_ranker_and_cross_validation():
    lightgbm = pytest.importorskip("lightgbm")
    ranker = lightgbm.LGBMRanker(n_estimators=6, min_child_samples=5, n_jobs=1, verbosity=-1, metric="None")
    new = "eval_X" in inspect.signature(ranker.fit).parameters  # instead of eval_set
    valid = {"eval_X": (VALID[0],), "eval_y": (VALID[1],)} if new else {"eval_set": [(VALID[0], VALID[1])]}
    ranker.fit(
        TRAIN[0], TRAIN[1], group=TRAIN[2], **valid, eval_group=[VALID[2]], eval_metric=rg.lightgbm.eval_metric(METRICS)
    )
    assert ranker.evals_result_["valid_0"]["nDCG@5"][-1] == pytest.approx(wanted(ranker.predict(VALID[0])), rel=1e-12)
    folds = lightgbm.cv(
        TREES,
        lightgbm.Dataset(TRAIN[0], TRAIN[1], group=TRAIN[2]),
        2,
        nfold=3,
        stratified=False,
        feval=rg.lightgbm.feval("AP"),
    )
    assert len(folds["valid AP-mean"]) == 2
    with pytest.raises(rg.InputError, match="no groups"):
        lightgbm.train(
            {**TREES, "objective": "regression"},
            lightgbm.Dataset(TRAIN[0], TRAIN[1]),
            2,
            valid_sets=[lightgbm.Dataset(VALID[0], VALID[1])],
            feval=rg.lightgbm.feval("AP"),
        )


def matrices():
    xgboost = pytest.importorskip("xgboost")
    return xgboost, *(xgboost.DMatrix(x, y, qid=numbers(sizes)) for x, y, sizes in (TRAIN, VALID))


def test_xgboost_stops_at_the_best_round():
    xgboost, train, valid = matrices()
    settings = {"objective": "rank:ndcg", "eval_metric": "ndcg@5", "nthread": 1, "seed": 1}
    for metrics, metric in ((["AP", "nDCG@5"], "nDCG@5"), ("FirstRank", "FirstRank")):
        custom, rounds = rg.xgboost.custom_metric(metrics), {}
        model = xgboost.train(
            settings,
            train,
            40,
            evals=[(valid, "valid")],
            custom_metric=custom,
            maximize=custom.maximize,
            early_stopping_rounds=5,
            evals_result=rounds,
            verbose_eval=False,
        )
        result = rounds["valid"]
        scores = [model.predict(valid, iteration_range=(0, number + 1)) for number in range(len(result[metric]))]
        values = np.round([wanted(each, metric) for each in scores], 6)  # XGBoost keeps six digits
        np.testing.assert_allclose(result[metric], values, atol=1.1e-6)
        np.testing.assert_allclose(
            result["ndcg@5"], [wanted(each, convention="xgboost-2") for each in scores], atol=1e-6
        )
        assert model.best_iteration == (np.argmax(values) if custom.maximize else np.argmin(values))
        assert len(values) < 40


def test_xgboost_refuses_metrics_that_are_not_means_and_missing_groups():
    xgboost, train, _ = matrices()
    ranker = xgboost.XGBRanker(eval_metric=rg.xgboost.custom_metric("AP"), n_estimators=2, n_jobs=1)
    with pytest.raises(rg.ParameterError, match="not a mean over queries"):
        ranker.fit(TRAIN[0], TRAIN[1], qid=numbers(TRAIN[2]), eval_set=[VALID[:2]], eval_qid=[numbers(VALID[2])])
    without = xgboost.DMatrix(*VALID[:2])
    with pytest.raises(rg.InputError, match="no groups"):
        xgboost.train({"nthread": 1}, train, 1, evals=[(without, "v")], custom_metric=rg.xgboost.custom_metric("AP"))


@pytest.fixture
def routing():
    sklearn = pytest.importorskip("sklearn")
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def folds():
    from sklearn.model_selection import GroupKFold

    return GroupKFold(3)


def by_hand(model, metric):
    """The mean of each fold, from predictions."""
    from sklearn.base import clone

    queries, values = numbers(TRAIN[2]), []
    for learn, test in folds().split(TRAIN[0], TRAIN[1], queries):
        scores = clone(model).fit(TRAIN[0][learn], TRAIN[1][learn]).predict(TRAIN[0][test])
        values.append(rg.evaluate(TRAIN[1][test], scores, metric, query_ids=queries[test].tolist()).mean(metric))
    return values


@pytest.mark.usefixtures("routing")
def test_scikit_learn_scores_folds_and_finds_the_best():
    from sklearn.linear_model import Ridge
    from sklearn.model_selection import GridSearchCV, cross_validate

    scoring = {"nDCG": rg.sklearn.scorer("nDCG@5"), "FirstRank": rg.sklearn.scorer("FirstRank")}
    params = {"groups": numbers(TRAIN[2])}
    result = cross_validate(Ridge(), TRAIN[0], TRAIN[1], cv=folds(), scoring=scoring, params=params)
    np.testing.assert_allclose(result["test_nDCG"], by_hand(Ridge(), "nDCG@5"), rtol=1e-12)
    np.testing.assert_allclose(-result["test_FirstRank"], by_hand(Ridge(), "FirstRank"), rtol=1e-12)

    grid = {"alpha": [0.01, 10, 1e3, 1e6]}
    search = GridSearchCV(Ridge(), grid, scoring=rg.sklearn.scorer("nDCG@5"), cv=folds())
    search.fit(TRAIN[0], TRAIN[1], groups=numbers(TRAIN[2]))
    means = [np.mean(by_hand(Ridge(alpha=alpha), "nDCG@5")) for alpha in grid["alpha"]]
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], means, rtol=1e-12)
    assert search.best_index_ == np.argmax(means)
    with pytest.raises(rg.InputError, match="the rows have no queries"):
        rg.sklearn.scorer("AP")(Ridge().fit(*TRAIN[:2]), *TRAIN[:2])


def test_scikit_learn_finds_queries_in_a_column():
    pandas, _ = pytest.importorskip("pandas"), pytest.importorskip("sklearn")
    from sklearn.compose import make_column_transformer
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.model_selection import cross_validate
    from sklearn.pipeline import make_pipeline

    frame = pandas.DataFrame(TRAIN[0], columns=[*"abcd"]).assign(qid=numbers(TRAIN[2]))
    model = make_pipeline(make_column_transformer(("passthrough", [*"abcd"])), Ridge())
    split = [*folds().split(frame, TRAIN[1], frame["qid"])]
    for scorer, rows in ((rg.sklearn.scorer("AP", query="qid"), frame), (rg.sklearn.scorer("AP", query=4), frame)):
        result = cross_validate(model, rows, TRAIN[1], cv=split, scoring=scorer)
        np.testing.assert_allclose(result["test_score"], by_hand(Ridge(), "AP"), rtol=1e-12)
    rows = np.column_stack((TRAIN[0], numbers(TRAIN[2])))
    likely = LogisticRegression().fit(rows, TRAIN[1] > 1)
    score = rg.sklearn.scorer("AP", query=4, response_method="predict_proba")(likely, rows, TRAIN[1] > 1)
    chance = likely.predict_proba(rows)[:, 1]
    assert score == rg.evaluate((TRAIN[1] > 1).astype(int), chance, "AP", groups=TRAIN[2]).mean("AP")
    with pytest.raises(rg.ParameterError, match="which query each row belongs to"):
        rg.sklearn.scorer("AP")


def test_torchmetrics_accumulates_merges_and_resets():
    torchmetrics, torch = pytest.importorskip("torchmetrics"), pytest.importorskip("torch")
    scores, grades, queries = torch.tensor(VALID[0][:, 0]), torch.tensor(VALID[1]), torch.tensor(numbers(VALID[2]))
    metric = rg.torchmetrics.Metric(METRICS)
    halves = [queries < 15, queries >= 15]
    for half in halves:
        batch = metric(scores[half], grades[half], indexes=queries[half])
    last = rg.evaluate(VALID[1][halves[1].numpy()], VALID[0][halves[1].numpy(), 0], "AP", groups=VALID[2][15:])
    assert float(batch["AP"]) == pytest.approx(last.mean("AP"), rel=1e-12)
    assert {name: float(value) for name, value in metric.compute().items()} == pytest.approx(
        {name: wanted(VALID[0][:, 0], name) for name in METRICS}, rel=1e-12
    )
    other = rg.torchmetrics.Metric(METRICS)
    other.update(scores, grades, indexes=queries)
    metric.merge_state(other)
    assert metric.averages().count("AP") == 80
    ours = rg.torchmetrics.Metric("AP", convention="torchmetrics-1.7.4")
    several = torchmetrics.MetricCollection({"ours": ours, "theirs": torchmetrics.retrieval.RetrievalMAP()})
    both = several(scores, (grades > 0).long(), indexes=queries)
    assert float(both["ours"]) == pytest.approx(float(both["theirs"]), rel=1e-6)
    metric.reset()
    metric.to(torch.float16)
    metric.update(scores, grades, indexes=queries)
    assert float(metric.compute()["AP"]) == pytest.approx(wanted(VALID[0][:, 0], "AP"), rel=1e-12)
    assert metric.clone().averages().interval("AP") == metric.averages().interval("AP")
    metric.reset()
    assert np.isnan(metric.averages().mean("AP"))
    metric.update(scores[:2], grades[:2], torch.tensor([1, 2]))
    with pytest.raises(rg.InputError, match="ends one batch and begins the next"):
        metric.update(scores[:2], grades[:2], torch.tensor([2, 3]))
    with pytest.raises(rg.ParameterError, match="not a mean over queries"):
        rg.torchmetrics.Metric("GAUC")
    assert rg.torchmetrics.Metric("FirstRank").higher_is_better is False


def test_two_processes_compute_the_metric_of_all_queries(tmp_path):
    pytest.importorskip("torchmetrics")
    command = [sys.executable, str(TESTS / "two_processes.py")]
    place = {**os.environ, "PYTHONPATH": str(Path(rg.__file__).parents[1]), "GLOO_SOCKET_IFNAME": "lo"}
    both = [
        subprocess.Popen(
            [*command, str(rank), str(tmp_path / "meeting"), str(tmp_path / f"{rank}.json")],
            env=place,
            stderr=subprocess.PIPE,
        )
        for rank in (0, 1)
    ]
    assert [(each.communicate(timeout=300)[1].decode()[-3000:], each.returncode) for each in both] == [("", 0)] * 2
    epochs = [json.loads((tmp_path / f"{rank}.json").read_text()) for rank in (0, 1)]
    assert epochs[0] == epochs[1]
    for epoch in epochs[0]:
        for result, expected in epoch.values():
            assert result == pytest.approx(expected, rel=1e-6)


def check_keras(result, backend):
    assert result["backend"] == backend
    np.testing.assert_allclose(result["history"], result["wanted"], atol=2e-7)
    assert result["best"] == np.argmax(result["wanted"])
    assert result["mean"] == pytest.approx(max(result["wanted"]), abs=1e-9)
    assert result["again"] == pytest.approx(result["mean"], abs=1e-6)
    assert result["count"] == 30


@pytest.fixture(autouse=True)
def _keras_in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("KERAS_BACKEND", "torch")
    monkeypatch.setenv("KERAS_HOME", str(tmp_path))


def test_keras_on_torch(tmp_path):
    pytest.importorskip("torch")
    pytest.importorskip("keras")
    check_keras(runpy.run_path(str(TESTS / "keras_training.py"))["train"](tmp_path), "torch")
    tables = rg.Convention(gain={0: 0, 1: 3}, per_metric={"AP": {"gain": [0, 2], "undefined": "skip"}})
    config = json.loads(json.dumps(rg.keras.Metric("AP", convention=tables).get_config()))
    assert rg.keras.Metric.from_config(config).convention == tables
    with pytest.raises(rg.ParameterError, match="sample weights"):
        rg.keras.Metric("AP").update_state(np.ones((1, 2)), np.ones((1, 2)), np.ones(1))
    with pytest.raises(rg.ParameterError, match="not a mean over queries"):
        rg.keras.Metric("GAUC")


def test_keras_on_jax(tmp_path):
    pytest.importorskip("jax")
    pytest.importorskip("keras")
    place = {**os.environ, "KERAS_BACKEND": "jax", "PYTHONPATH": str(Path(rg.__file__).parents[1])}
    command = [sys.executable, str(TESTS / "keras_training.py"), str(tmp_path)]
    result = subprocess.run(command, env=place, capture_output=True, check=False, timeout=300)
    assert (result.stderr.decode()[-3000:], result.returncode) == ("", 0)
    check_keras(json.loads(result.stdout.decode().splitlines()[-1]), "jax")


def test_lightning_stops_at_the_best_epoch(capsys):
    lightning, torch = pytest.importorskip("lightning"), pytest.importorskip("torch")
    example = runpy.run_path(str(EXAMPLES / "lightning_ranker.py"))
    features, grades, mask = example["lists"](2).tensors
    there, values, logged = mask.numpy(), [], []

    class Evaluate(lightning.Callback):
        def on_validation_epoch_end(self, _, module):
            with torch.no_grad():
                scores = module(features).double().numpy()[there]
            options = {"query_ids": np.nonzero(there)[0], "convention": rg.Convention(gain="exp2")}
            values.append(rg.evaluate(grades.numpy()[there], scores, "nDCG@10", **options).mean("nDCG@10"))

        def on_validation_end(self, trainer, _):
            logged.append(float(trainer.callback_metrics["nDCG@10"]))

    model, stopping = example["train"](Evaluate())
    np.testing.assert_allclose(logged, values, atol=1e-6)
    assert float(stopping.best_score) == pytest.approx(max(values), abs=1e-6)
    assert stopping.stopped_epoch == np.argmax(values) + 3
    example["report"](model)
    assert "on 200 test lists" in capsys.readouterr().out


@pytest.mark.parametrize("page", ["training.md", "training.zh-CN.md"])
def test_the_examples_of_the_page_run(page, tmp_path):
    for library in ("torchmetrics", "keras", "lightgbm", "xgboost", "sklearn"):
        pytest.importorskip(library)
    text = (TESTS.parent / "docs" / page).read_text(encoding="utf-8")
    blocks = [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if ">>>" not in block]
    script = tmp_path / "page.py"
    script.write_text("\n".join(["import rankgauge as rg", *blocks]), encoding="utf-8")
    made = runpy.run_path(str(script))

    assert len(blocks) == 5
    assert 0 < float(made["metric"](made["booster"].predict(made["valid"]), made["valid"])[-1][1]) < 1


def rows_of_labels(seed: int, ties: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels, scores = rng.integers(0, 4, (6, 7)), rng.random((6, 7))
    if ties:
        scores = scores.round(1)
    labels[0] = 0
    return labels, scores, rng.random(6)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_the_ranking_scores_of_scikit_learn_have_its_signatures_and_values(seed, ties):
    metrics = pytest.importorskip("sklearn.metrics")
    labels, scores, weights = rows_of_labels(seed, ties)
    for name in ("ndcg_score", "dcg_score", "label_ranking_average_precision_score"):
        ours, theirs = getattr(rg.sklearn, name), getattr(metrics, name)
        assert [*inspect.signature(ours).parameters] == [*inspect.signature(theirs).parameters]
        options = [{}] if name.startswith("label") else [{}, {"k": 3}, {"k": 50}]
        options += [{"ignore_ties": True, "k": 4}] * (not ties and not name.startswith("label"))
        options += [{"log_base": 10}] * (name == "dcg_score")
        given = labels > 1 if name.startswith("label") else labels
        for option in options:
            for weight in (None, weights):
                expected = theirs(given, scores, sample_weight=weight, **option)
                assert ours(given, scores, sample_weight=weight, **option) == pytest.approx(expected, abs=1e-12)
                assert ours(given.tolist(), scores.tolist(), **option) == ours(given, scores, **option)


def test_the_ranking_scores_refuse_the_input_that_scikit_learn_refuses():
    scipy_sparse = pytest.importorskip("scipy.sparse")
    labels, scores, _ = rows_of_labels(0, ties=False)
    binary = (labels > 1).astype(int)
    average = rg.sklearn.label_ranking_average_precision_score
    assert average(scipy_sparse.csr_array(binary), scores) == average(binary, scores)
    assert rg.sklearn.dcg_score(-labels, scores) == pytest.approx(-rg.sklearn.dcg_score(labels, scores))
    for call, match in (
        (lambda: rg.sklearn.ndcg_score(-labels, scores), "y_true contains -.*needs labels of at least 0"),
        (lambda: rg.sklearn.ndcg_score(labels, scores[:, 1:]), "must be of one shape"),
        (lambda: rg.sklearn.ndcg_score(labels[0], scores[0]), "must be of one shape"),
        (lambda: rg.sklearn.ndcg_score(labels[:, :1], scores[:, :1]), "at least 2"),
        (lambda: rg.sklearn.ndcg_score(labels, scores * np.nan), "y_score contains NaN"),
        (lambda: rg.sklearn.ndcg_score(labels, scores, k=0), "k"),
        (lambda: rg.sklearn.ndcg_score(labels, scores, sample_weight=[1]), "one weight for each row, 6 in all"),
        (lambda: rg.sklearn.ndcg_score(labels, scores, sample_weight=[0] * 6), "add up to 0"),
        (lambda: rg.sklearn.dcg_score(labels, scores, log_base=1), "log_base must be a number above 1"),
        (lambda: average(labels, scores), "a label is 0 or 1, not"),
    ):
        with pytest.raises(ValueError, match=match):
            call()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_adapters_of_the_two_apis_of_lightgbm_name_each_other(language):
    grades, scores = np.array([1, 0]), np.array([0.2, 0.1])

    class Dataset:
        def get_group(self):
            return [2]

    for call, other in (
        (lambda: rg.lightgbm.feval("RR")(grades, scores), "rg.lightgbm.eval_metric(...)"),
        (lambda: rg.lightgbm.eval_metric("RR")(scores, Dataset()), "rg.lightgbm.feval(...)"),
    ):
        with pytest.raises(rg.ParameterError) as error:
            call()
        assert other in error.value.render(language)
