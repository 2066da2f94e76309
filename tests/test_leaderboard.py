"""Leaderboards: aggregates, missing values, input forms, findings and output."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from command_line import here
from rankgauge.example import DATA_SETS, RESULTS, results_file

VALUES = {"a": {"x": 0.9, "y": 0.8, "z": 0.7}, "b": {"x": 0.6, "y": 0.8, "z": 0.9}, "c": {"x": 0.3, "y": 0.2, "z": 0.5}}
EXAMPLE = {system: dict(zip(DATA_SETS, values, strict=True)) for system, values in RESULTS.items()}
GAPS = {"a": {"x": 0.9, "y": 0.8}, "b": {"x": 0.6, "y": 0.8, "z": 0.9}, "c": {"x": 0.3, "y": 0.2, "z": 0.5}}


def codes(board):
    return {finding.code for finding in board.findings}


@pytest.mark.parametrize(
    ("aggregate", "expected"),
    [
        ("mean", {"a": 2.4 / 3, "b": 2.3 / 3, "c": 1 / 3}),
        ("mean rank", {"a": (1 + 1.5 + 2) / 3, "b": (2 + 1.5 + 1) / 3, "c": 3}),
        ("borda", {"a": 2 + 1.5 + 1, "b": 1 + 1.5 + 2, "c": 0}),
        ("win rate", {"a": 4.5 / 6, "b": 4.5 / 6, "c": 0}),
    ],
)
def test_aggregates_have_their_hand_worked_values(aggregate, expected):
    board = rg.leaderboard(VALUES, aggregate=aggregate)

    assert board.values() == pytest.approx(expected)
    assert list(board.values()) == ["a", "b", "c"]


def test_the_z_score_is_the_mean_distance_in_standard_deviations():
    table = np.array([[*row.values()] for row in VALUES.values()])
    expected = ((table - table.mean(axis=0)) / table.std(axis=0)).mean(axis=1)

    assert rg.leaderboard(VALUES, aggregate="z").values() == pytest.approx(dict(zip("abc", expected, strict=True)))


def test_bradley_terry_has_strengths_and_an_elo_scale():
    board = rg.leaderboard(
        {"a": {"x": 2, "y": 2, "z": 2, "w": 1}, "b": {"x": 1, "y": 1, "z": 1, "w": 2}}, aggregate="bradley-terry"
    )

    assert board.values() == pytest.approx({"a": 3**0.5, "b": 3**-0.5})  # odds of 3 to 1
    assert board.elo()["a"] - board.elo()["b"] == pytest.approx(400 * np.log10(3))
    with pytest.raises(rg.ParameterError, match="bradley-terry"):
        rg.leaderboard(VALUES).elo()


def test_a_system_that_never_loses_has_a_finite_strength_and_the_board_says_how():
    board = rg.leaderboard({"a": {"x": 2, "y": 2}, "b": {"x": 1, "y": 1}}, aggregate="bradley-terry")

    assert 1 < board.values()["a"] < 100
    assert "half a win and half a loss" in board.document().to_text()


def test_lower_values_can_be_better():
    board = rg.leaderboard(VALUES, higher_is_better=False)

    assert next(iter(board.values().items())) == ("c", pytest.approx(1 / 3))
    assert rg.leaderboard(VALUES, higher_is_better=False, aggregate="mean rank").values()["c"] == 1


def test_families_are_averaged_first_and_count_once():
    values = {"a": {"p1": 0.2, "p2": 0.4, "q": 0.9}, "b": {"p1": 0.4, "p2": 0.6, "q": 0.6}}
    families = {"p": ["p1", "p2"]}

    averaged = rg.leaderboard(values, families=families)
    assert averaged.values() == pytest.approx({"a": (0.3 + 0.9) / 2, "b": (0.5 + 0.6) / 2})
    assert averaged.units == ("p", "q")
    assert (
        rg.leaderboard(values, families={"p1": "p", "p2": "p"}, aggregate="family mean").values() == averaged.values()
    )
    assert rg.leaderboard(values, families=families, aggregate="borda").values() == pytest.approx({"a": 1, "b": 1})
    del values["b"]["p1"]
    assert rg.leaderboard(values, families=families, missing="loses").values()["b"] == pytest.approx((0.4 + 0.6) / 2)
    assert rg.leaderboard(values, families=families, missing="present").values()["b"] == pytest.approx((0.6 + 0.6) / 2)
    assert rg.leaderboard(values, families=families, missing="bounds").values()["b"] == pytest.approx((0.4 + 0.6) / 2)
    with pytest.raises(rg.UnknownNameError, match="p3"):
        rg.leaderboard(values, families={"p3": "p"})
    with pytest.raises(rg.ParameterError, match="families"):
        rg.leaderboard(values, aggregate="family mean")


def test_complete_leaves_out_systems_and_says_how_many():
    board = rg.leaderboard(GAPS)

    assert (board.systems, board.left_out) == (("b", "c"), ("a",))
    assert "RG709" in codes(board)
    assert "1 system was left out" in board.document().to_text()
    with pytest.raises(rg.ParameterError, match="was left out"):
        board.separable("a", "b")


def test_a_missing_value_that_loses_is_the_worst_of_its_data_set():
    assert rg.leaderboard(GAPS, missing="loses").values()["a"] == pytest.approx((0.9 + 0.8 + 0.5) / 3)
    points = rg.leaderboard(GAPS, missing="loses", aggregate="borda").values()
    assert points == pytest.approx({"a": 2 + 1.5, "b": 1 + 1.5 + 2, "c": 0 + 0 + 1})  # mteb: no points for z


def test_present_compares_systems_on_common_data_sets():
    board = rg.leaderboard(GAPS, missing="present")

    # Least squares: value = system + data set, with an indicator for each.
    rows = [[s == one for one in "abc"] + [d == one for one in "xyz"] for s, d, _ in long_rows(GAPS)]
    fitted = np.linalg.lstsq(np.array(rows, dtype=float), [value for _, _, value in long_rows(GAPS)])[0]
    values = board.values()
    assert values["a"] - values["b"] == pytest.approx(fitted[0] - fitted[1])
    assert values["b"] - values["c"] == pytest.approx(fitted[1] - fitted[2])
    assert values["b"] == pytest.approx(fitted[1] + fitted[3:].mean())


def test_bounds_hold_for_every_value_that_may_be_missing():
    board = rg.leaderboard(GAPS, missing="bounds")

    assert board.value_bounds()["a"] == pytest.approx(((0.9 + 0.8 + 0.5) / 3, (0.9 + 0.8 + 0.9) / 3))
    assert board.value_bounds()["b"] == pytest.approx((2.3 / 3, 2.3 / 3))
    with pytest.raises(rg.ParameterError, match="bounds"):
        rg.leaderboard(GAPS, missing="bounds", aggregate="z")


def long_rows(values):
    return [(system, data_set, value) for system, row in values.items() for data_set, value in row.items()]


def test_every_input_form_gives_the_same_digits(tmp_path):
    rows = long_rows(EXAMPLE)
    records = [dict(zip(("system", "data_set", "value"), row, strict=True)) for row in rows]
    wide = pd.DataFrame(EXAMPLE).T
    (tmp_path / "long.csv").write_text(results_file(), encoding="utf-8")
    (tmp_path / "long.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    (tmp_path / "nested.json").write_text(json.dumps(EXAMPLE), encoding="utf-8")
    (tmp_path / "records.json").write_text(json.dumps(records), encoding="utf-8")
    wide.rename_axis("model").to_csv(tmp_path / "wide.csv")
    wide.T.rename_axis("task").to_csv(tmp_path / "turned.csv")
    pl.DataFrame(records).write_parquet(tmp_path / "long.parquet")
    forms = [rows, records, pd.DataFrame(records), pl.DataFrame(records), wide, wide.rename_axis("model").reset_index()]
    forms += [tmp_path / name for name in ("long.csv", "long.jsonl", "nested.json", "records.json", "wide.csv")]
    forms += [str(tmp_path / "turned.csv"), tmp_path / "long.parquet"]

    expected = rg.leaderboard(EXAMPLE)
    for form in forms:
        board = rg.leaderboard(form)
        assert (board.values(), board.rank_sets()) == (expected.values(), expected.rank_sets())


def scores_of(random, queries=8):
    values = {system: {f"q{n}": float(random.random()) for n in range(queries)} for system in ("a", "b", "c")}
    return rg.Scores.of_values({system: {"nDCG@10": column} for system, column in values.items()})


def test_values_of_queries_come_from_scores_tables_and_folders(tmp_path):
    random = np.random.default_rng(0)
    scores = {name: scores_of(random) for name in ("news", "law", "code")}
    nested = {
        system: {name: own.per_query("nDCG@10", system) for name, own in scores.items()} for system in ("a", "b", "c")
    }
    rows = [
        {"model": system, "dataset": name, "qid": query, "score": value}
        for system, cells in nested.items()
        for name, column in cells.items()
        for query, value in column.items()
    ]
    named, by_system = tmp_path / "named", tmp_path / "by system"
    named.mkdir()
    for name, own in scores.items():
        (named / f"{name}.json").write_text(own.to_json(), encoding="utf-8")
        for system in own.systems:
            (by_system / system).mkdir(parents=True, exist_ok=True)
            (by_system / system / f"{name}.json").write_text(
                json.dumps({q: {"nDCG@10": v} for q, v in own.per_query("nDCG@10", system).items()}), encoding="utf-8"
            )

    expected = rg.leaderboard(scores)
    assert expected.target == "queries"
    for form in (
        nested,
        pd.DataFrame(rows),
        named,
        by_system,
        {s: {n: scores[n] for n in scores} for s in ("a", "b", "c")},
    ):
        board = rg.leaderboard(form)
        assert board.values() == pytest.approx(expected.values(), abs=1e-15)
        assert (board.rank_sets(), board.target) == (expected.rank_sets(), "queries")


def test_judgments_and_rankings_are_evaluated_under_the_convention():
    judgments = {"q": {"d1": 3, "d2": 1}, "r": {"d1": 1}}
    good, bad = {"q": ["d1", "d2"], "r": ["d1"]}, {"q": ["d2", "d1"], "r": ["d9", "d1"]}
    cells = {"good": {"x": (judgments, good)}, "bad": {"x": (judgments, bad)}}

    board = rg.leaderboard(cells, metric="nDCG@10", convention=rg.Convention(gain="exp2"))

    assert (
        board.values()
        == rg.evaluate(judgments, {"good": good, "bad": bad}, "nDCG@10", convention=rg.Convention(gain="exp2"))
        .to_pandas()
        .groupby("system")["value"]
        .mean()
        .sort_values(ascending=False)
        .to_dict()
    )
    assert rg.leaderboard(cells).results.metric == "nDCG@10"


def mteb_file(folder, model, revision, task, entries, splits=("test",)):
    path = folder / model / revision / f"{task}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"task_name": task, "scores": dict.fromkeys(splits, entries)}), encoding="utf-8")
    (path.parent / "model_meta.json").write_text(json.dumps({"name": f"org/{model}"}), encoding="utf-8")


def test_results_of_mteb_are_read_by_model_and_task(tmp_path):
    for model, offset in (("one", 0.0), ("two", 0.1)):
        mteb_file(tmp_path, model, "r1", "News", [{"main_score": 0.5 + offset, "ndcg_at_5": 0.1}])
        mteb_file(
            tmp_path, model, "r1", "Sts", [{"main_score": 0.2, "ndcg_at_5": 0.3}, {"main_score": 0.4, "ndcg_at_5": 0.5}]
        )

    assert rg.leaderboard(tmp_path).values() == pytest.approx({"org/two": 0.45, "org/one": 0.4})
    assert rg.leaderboard(tmp_path, metric="nDCG@5").values() == pytest.approx({"org/one": 0.25, "org/two": 0.25})
    mteb_file(tmp_path, "one", "r2", "News", [{"main_score": 0.9}])
    mteb_file(tmp_path, "one", "r2", "Sts", [{"main_score": 0.9}])
    assert set(rg.leaderboard(tmp_path).values()) == {"org/two", "org/one@r1", "org/one@r2"}


def test_several_folders_of_mteb_are_read_together(tmp_path):
    for model, value in (("one", 0.5), ("two", 0.75)):
        for task in ("News", "Sts"):
            mteb_file(tmp_path, model, "r1", task, [{"main_score": value}])
    folders = {name: tmp_path / name for name in ("one", "two")}
    expected = rg.leaderboard(tmp_path).to_dict()

    assert rg.leaderboard(folders).to_dict() == expected
    assert json.loads(here("leaderboard", *folders.values(), "-t", "json").out) == expected
    for folder in folders.values():
        (folder / "r1" / "model_meta.json").unlink()
    assert rg.leaderboard(folders).values() == {"two": 0.75, "one": 0.5}
    named = here("leaderboard", folders["one"], f"other={folders['two']}", "-t", "csv").out
    assert {line.split(",")[1] for line in named.splitlines()[1:]} == {"one", "other"}
    mteb_file(tmp_path, "two", "r2", "News", [{"main_score": 0.25}])
    (tmp_path / "two" / "r2" / "model_meta.json").unlink()
    assert {*rg.leaderboard(folders, missing="present").systems} == {"one", "two@r1", "two@r2"}


def test_several_tables_of_which_each_is_a_system(tmp_path):
    for name, value in (("a", 0.5), ("b", 0.25)):
        (tmp_path / f"{name}.csv").write_text(f"data_set,value\nx,{value}\ny,{value + 0.5}\n")
        (tmp_path / f"{name}.txt").write_text(f"map\tq1\t{value}\nmap\tq2\t{value}\n")
    tables, values = ([tmp_path / f"{name}{ending}" for name in "ab"] for ending in (".csv", ".txt"))

    assert rg.leaderboard({path.stem: path for path in tables}).values() == {"a": 0.75, "b": 0.5}
    assert '"a"' in here("leaderboard", *tables, "-t", "json").out
    with pytest.raises(rg.InputError, match="found the columns 'data_set', 'value'"):
        rg.leaderboard(tables[0])
    both = rg.leaderboard({"a": {"z": values[0]}, "b": {"z": values[1]}})
    assert both.values() == {"a": 0.5, "b": 0.25}


def test_results_of_beir_and_reports_of_ranx_are_read(tmp_path):
    beir, ranx = tmp_path / "beir", tmp_path / "ranx"
    ranx.mkdir()
    for data_set, offset in (("scifact", 0.0), ("nfcorpus", 0.2)):
        report = {"metrics": ["ndcg@10", "map"], "model_names": ["bm25", "dense"]}
        for system, value in (("bm25", 0.3), ("dense", 0.4)):
            (beir / system).mkdir(parents=True, exist_ok=True)
            result = {"ndcg": {"NDCG@1": 0.1, "NDCG@10": value + offset}, "map": {"MAP@10": 0.2}}
            (beir / system / f"{data_set}.json").write_text(json.dumps(result), encoding="utf-8")
            report[system] = {"scores": {"ndcg@10": value + offset, "map": 0.1}}
        (ranx / f"{data_set}.json").write_text(json.dumps(report), encoding="utf-8")

    for folder in (beir, ranx):
        assert rg.leaderboard(folder).values() == pytest.approx({"dense": 0.5, "bm25": 0.4})
        assert rg.leaderboard(folder).results.metric == "nDCG@10"


@pytest.mark.parametrize(
    ("results", "code"),
    [
        ({"a": {"x": 1.0, "y": 0.5}}, "RG703"),
        ({"a": {"x": 1.0}, "b": {"x": 0.5}}, "RG704"),
        (
            {"a": {"x": {"q": 1.0}, "y": {"q": 0.5, "r": 0.1}}, "b": {"x": {"q": 1.0}, "y": {"q": 0.4, "r": 0.1}}},
            "RG705",
        ),
        (
            {
                "a": {"x": {"q": 1.0, "r": 0.5}, "y": {"q": 1.0, "r": 0.5}},
                "b": {"x": {"q": 1.0}, "y": {"q": 1.0, "r": 0.5}},
            },
            "RG706",
        ),
        ({"a": {"x": 0.5, "y": 50.0}, "b": {"x": 0.6, "y": 55.0}}, "RG707"),
        ({"a": {"x": 0.5, "y": 0.4}, "b": {"x": 0.6}}, "RG709"),
    ],
)
def test_limits_of_the_conclusions_are_reported_with_the_board(results, code):
    board = rg.leaderboard(results)

    assert code in codes(board)
    assert board.document("zh").to_text() != board.document("en").to_text()


@pytest.mark.parametrize(
    ("results", "code"),
    [
        ([("a", "x", 1.0), ("a", "x", 2.0), ("b", "x", 1.0)], "RG702"),
        (pd.DataFrame({"model": ["a", "a"], "x": [1.0, 2.0], "y": [1.0, 2.0]}), "RG702"),
        (pd.DataFrame([["a", 1.0, 2.0], ["b", 2.0, 3.0]], columns=["model", "x", "x"]), "RG702"),
        ({"a": {"x": float("inf")}}, "RG701"),
        ({"a": {"x": "high"}}, "RG701"),
        ([("a", "x", "high"), ("b", "x", "1")], "RG701"),
        ({"a": {"x": 1.0}, "b": {"y": 1.0}}, "RG711"),
        ({"a": {"x": None}}, "RG101"),
        (pd.DataFrame({"left": ["a"], "right": ["b"]}), "RG111"),
        ([("a", "", 1.0)], "RG208"),
    ],
)
def test_unusable_results_are_refused_with_a_code(results, code):
    with pytest.raises(rg.InputError) as error:
        rg.leaderboard(results)

    assert any(one.startswith(code) for one in error.value.codes)
    assert error.value.render("zh") != error.value.render("en")


def test_a_file_with_two_columns_of_one_name_is_refused(tmp_path):
    (tmp_path / "wide.csv").write_text("model,x,x\na,1,2\nb,2,3\n", encoding="utf-8")

    with pytest.raises(rg.InputError, match="two columns are named 'x'"):
        rg.leaderboard(tmp_path / "wide.csv")


def test_files_of_spreadsheets_and_of_pairs_are_read(tmp_path):
    (tmp_path / "sheet.csv").write_bytes("\ufeffModel;Task;Score\na;x;0.5\na;y;0.6\nb;x;0.4\nb;y;\n".encode())
    assert rg.leaderboard(tmp_path / "sheet.csv", missing="loses").values() == pytest.approx({"a": 0.55, "b": 0.5})

    (tmp_path / "qrels").write_text("1 0 a 1\n2 0 b 1\n", encoding="utf-8")
    for name, first in (("good", "a"), ("poor", "c")):
        rows = [*[f"1 Q0 {first} 1 3 t", "1 Q0 a 2 2 t"][first == "a" :], "2 Q0 b 1 1 t"]
        (tmp_path / name).write_text("\n".join(rows), encoding="utf-8")
    pairs = {name: {"x": [str(tmp_path / "qrels"), str(tmp_path / name)]} for name in ("good", "poor")}
    (tmp_path / "runs.json").write_text(json.dumps(pairs), encoding="utf-8")
    assert rg.leaderboard(tmp_path / "runs.json", metric="RR").values() == {"good": 1.0, "poor": 0.75}


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"aggregate": "median"}, "aggregate"),
        ({"missing": "zero"}, "missing"),
        ({"target": "users"}, "target"),
        ({"target": "queries"}, "values of queries"),
        ({"alpha": 1.5}, "alpha"),
        ({"baseline": "d"}, "'d'"),
        ({"seed": -1}, "seed"),
        ({"columns": 3}, "columns"),
    ],
)
def test_arguments_that_are_not_allowed_are_named(settings, word):
    with pytest.raises(rg.RankgaugeError, match=word):
        rg.leaderboard(VALUES, **settings)


def test_aggregates_of_ranks_do_not_take_resampled_queries():
    scores = {name: scores_of(np.random.default_rng(1)) for name in ("x", "y", "z")}

    assert rg.leaderboard(scores, aggregate="borda").target == "data sets"
    with pytest.raises(rg.ParameterError, match="data set by data set"):
        rg.leaderboard(scores, aggregate="borda", target="queries")


def test_columns_and_metrics_of_a_table_are_chosen():
    rows = [
        {"checkpoint": s, "suite": d, "points": v, "measure": m} for m in ("AP", "RR") for s, d, v in long_rows(VALUES)
    ]
    columns = {"system": "checkpoint", "data_set": "suite", "value": "points"}

    assert rg.leaderboard(rows, columns=columns, metric="AP").values() == rg.leaderboard(VALUES).values()
    with pytest.raises(rg.InputError, match="metric=") as error:
        rg.leaderboard(rows, columns=columns)
    assert error.value.codes == ("RG114",)
    with pytest.raises(rg.UnknownNameError, match="points"):
        rg.leaderboard(rows, columns=columns | {"value": "point"}, metric="AP")


def test_a_pair_is_compared_over_data_sets():
    pair = rg.leaderboard(EXAMPLE).compare("keywords", "reranker")

    assert (pair.wins, pair.ties, pair.losses, pair.separable) == (12, 0, 0, True)
    assert pair.difference == pytest.approx(np.mean(RESULTS["reranker"]) - np.mean(RESULTS["keywords"]))
    assert 0 < pair.interval.low < pair.marginal.low < pair.difference < pair.marginal.high < pair.interval.high
    assert pair.sign_p == pytest.approx(2 * 0.5**12)
    assert pair.without_one.low < pair.difference < pair.without_one.high
    assert "The two systems are separable." in str(pair)


def test_wins_by_data_set_have_their_own_tests():
    random = np.random.default_rng(3)
    base = {name: random.random(40) for name in ("x", "y", "z")}
    lift = {"x": 0.2, "y": 0.0, "z": 0.3}
    results = {
        "old": {name: dict(enumerate(column.tolist())) for name, column in base.items()},
        "new": {
            n: dict(enumerate((c + lift[n] + 0.05 * random.standard_normal(40)).tolist())) for n, c in base.items()
        },
    }
    rows = {row.data_set: row for row in rg.leaderboard(results).compare("old", "new").by_data_set}

    assert rows["x"].p < 1e-6 > rows["z"].p
    assert rows["y"].p > 0.01
    assert rows["x"].winner == "new"


def test_the_share_of_subsets_is_exact_for_few_and_sampled_for_many():
    board = rg.leaderboard({"a": {"x": 1, "y": 0, "z": 0, "w": 1}, "b": {"x": 0, "y": 0.4, "z": 0.4, "w": 0}})

    share = board.subsets("a", "b", 2)  # gaps 1, -.4, -.4, 1: only {y, z} is lost
    assert (share.share, share.ties, share.subsets, share.exact) == (5 / 6, 0, 6, True)
    random = np.random.default_rng(0)
    many = {s: dict(enumerate((random.random(60) + lift).tolist())) for s, lift in (("a", 0.05), ("b", 0.0))}
    sampled = rg.leaderboard(many).subsets("a", "b", 20)
    assert (sampled.subsets, sampled.exact) == (10_000, False)
    assert sampled.share + rg.leaderboard(many).subsets("b", "a", 20).share == pytest.approx(1)
    with pytest.raises(rg.ParameterError, match="1 to 4"):
        board.subsets("a", "b", 5)


def test_influence_finds_the_data_set_that_decides():
    values = {
        "a": {"x": 0.9, "y": 0.5, "z": 0.5},
        "b": {"x": 0.1, "y": 0.6, "z": 0.6},
        "c": {"x": 0.1, "y": 0.1, "z": 0.1},
    }
    first = rg.leaderboard(values).influence()[0]

    assert (first.data_set, first.first, first.first_changes, first.largest_change) == ("x", "b", True, 1)


def test_output_has_every_format():
    board = rg.leaderboard(EXAMPLE, baseline="keywords")
    data, frame = json.loads(board.to_json()), board.to_pandas()

    assert data["systems"][0]["system"] == frame["system"][0] == "reranker"
    assert data["better_than"]["reranker"] == ["dense large", "sparse", "dense small", "keywords"]
    assert board.to_csv().splitlines()[0].startswith("rank,system,value,low,high,best_rank,worst_rank")
    assert r"\mathbf{0}.\mathbf{5663}^{\mathrm{*}}" in board.to_latex()
    assert "├●┤" in str(board)
    assert "├" not in board.to_latex()
    assert "| reranker |" in board.document().to_markdown()
    assert board.document(top=2).to_text().count("dense") == rg.leaderboard(EXAMPLE).document(top=2).to_text().count(
        "dense"
    )


def test_hostile_names_are_neutral_in_every_format():
    values = {"=cmd()": {"<i>": 0.2, "y": 0.1}, "\x1b[31mred": {"<i>": 0.3, "y": 0.4}, "名称|x": {"<i>": 0.1, "y": 0.9}}
    board = rg.leaderboard(values)

    assert "'=cmd()" in board.to_csv()
    assert "\x1b" not in str(board)
    assert "<i>" not in board.document().to_html()
    assert r"名称\|x" in board.document().to_markdown()


@pytest.mark.usefixtures("example_folder")
def test_the_command_writes_the_board_and_a_pair():
    result = here("leaderboard", "results.csv", "--aggregate", "borda", "--missing", "loses", "--lang", "zh")
    assert (result.code, "Borda 积分" in result.out) == (0, True)
    assert json.loads(here("leaderboard", "results.csv", "-t", "json").out)["possible_firsts"] == ["reranker", "hybrid"]
    pair = here("leaderboard", "results.csv", "--pair", "keywords,reranker", "-t", "csv").out
    assert pair.splitlines()[1].startswith("news,0.656,0.742")
    assert here("leaderboard", "results.csv", "--pair", "keywords").code == 2
    assert here("leaderboard", "missing.csv").code == 3


def test_a_long_table_without_its_value_column_is_refused_by_its_columns():
    rows = [{"system": system, "data_set": data_set} for system in ("a", "b") for data_set in ("x", "y")]
    with pytest.raises(rg.InputError, match=r"found the columns 'system', 'data_set'.*RG111"):
        rg.leaderboard(rows)


def test_columns_that_were_left_out_are_named_only_where_some_were():
    text = str(rg.leaderboard({"a": {"x": 0.3, "y": 0.5}, "b": {"x": 0.4, "y": 0.2}}))

    assert "Columns left out" not in text
    assert "{columns}" not in text


def test_equal_systems_have_no_tau():
    equal = {"one": {"a": 0.1, "b": 0.2}, "two": {"a": 0.2, "b": 0.1}}
    text = str(rg.leaderboard(equal))
    assert "nan" not in text
    assert "1–2" in text.splitlines()[1]
