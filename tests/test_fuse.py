"""Fusion: methods of papers against ranx, methods of products against their formulas, files, findings and output."""

import json
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from command_line import here
from rankgauge.fusion import methods, query_chunks
from rankgauge.fusion.norms import NORMS

RANX = json.loads((Path(__file__).parent / "data/fusion/ranx.json").read_text(encoding="utf-8"))
NAMES = {
    "wsum": "sum", "bordafuse": "borda", "w_bordafuse": "borda", "w_condorcet": "condorcet", "log_isr": "log-isr",
    "logn_isr": "logn-isr",
}  # fmt: skip
BM25 = {"q1": {"a": 12.0, "b": 9.0, "c": 3.0}, "q2": {"x": 4.0, "y": 4.0}}
DENSE = {"q1": {"b": 0.9, "d": 0.8}, "q2": {"y": 0.7, "z": 0.6, "x": 0.1}}
BOTH = {"bm25": BM25, "dense": DENSE}


def scores_of(fused):
    return fused.to_dict()["ranking"]


def ranx_calls():
    for number, world in enumerate(RANX["worlds"]):
        for result in world["results"]:
            yield pytest.param(world["runs"], result, id=f"{number}-{result['method']}-{result['norm']}")


@pytest.mark.parametrize(("runs", "result"), [*ranx_calls()])
def test_fused_scores_agree_with_ranx(runs, result):
    method = NAMES.get(result["method"], result["method"])
    reads_scores = methods.METHODS[method].norms is not None
    params = result["params"]
    fused = rg.fuse(
        runs,
        method,
        k=params.get("k"),
        p=params.get("gamma", params.get("sigma", params.get("phi"))),
        weights=params.get("weights"),
        norm=(result["norm"] or "none") if reads_scores else None,
    )

    ours = scores_of(fused)
    assert {query: {*items} for query, items in ours.items()} == {q: {*items} for q, items in result["values"].items()}
    for query, items in result["values"].items():
        for item, score in items.items():
            assert ours[query][item] == pytest.approx(score, rel=1e-9, abs=1e-9), (query, item)


def test_the_stored_values_cover_every_method_and_norm_of_ranx_without_training():
    used = {NAMES.get(result["method"], result["method"]) for world in RANX["worlds"] for result in world["results"]}
    norms = {result["norm"] for world in RANX["worlds"] for result in world["results"]}

    assert used == {*methods.PAPERS} - {"dbsf"}
    assert norms == {None, "min-max", "min-max-inverted", "max", "sum", "zmuv", "rank", "borda"}


def slow_ranks(items):
    """Rank by score, equal scores by id descending, as the default convention does."""
    return {
        item: rank for rank, item in enumerate(sorted(items, key=lambda item: (items[item], item), reverse=True), 1)
    }


def slow_min_max(items, constant, smallest=0.0):
    low, high = min(items.values()), max(items.values())
    if low == high:
        return dict.fromkeys(items, constant)
    return {item: (score - low) / (high - low) or smallest for item, score in items.items()}


def slow_dbsf(items):
    scores = [*items.values()]
    if len(scores) == 1 or min(scores) == max(scores):
        return dict.fromkeys(items, 0.5)
    mean = sum(scores) / len(scores)
    sd = math.sqrt(sum((score - mean) ** 2 for score in scores) / (len(scores) - 1))
    return {item: (score - (mean - 3 * sd)) / (6 * sd) for item, score in items.items()}


def slow_z_opensearch(items):
    scores = [*items.values()]
    mean = sum(scores) / len(scores)
    sd = math.sqrt(sum((score - mean) ** 2 for score in scores) / max(len(scores) - 1, 1))
    values = {}
    for item, score in items.items():
        if np.float32(score) == np.float32(mean):
            values[item] = max(scores)
        else:
            values[item] = (score - mean) / sd if score > mean else 0.001
    return values


def slow_l2(items):
    length = math.sqrt(sum(score**2 for score in items.values()))
    return {item: score / length for item, score in items.items()}


def slow_last_ranks(lists, number):
    """Rank the items that a list lacks behind it, in the order of their ranks in the lists, the first list first."""
    ranks = [slow_ranks(items) for items in lists]
    candidates = {item for items in lists for item in items}
    lacking = sorted(candidates - {*lists[number]}, key=lambda item: [own.get(item, math.inf) for own in ranks])
    return ranks[number] | {item: len(lists[number]) + place for place, item in enumerate(lacking, 1)}


def mean_of(kind, pairs):
    if kind == "arithmetic":
        return sum(w * v for w, v in pairs) / sum(w for w, _ in pairs)
    pairs = [(w, v) for w, v in pairs if v > 0]
    if kind == "geometric":
        return math.exp(sum(w * math.log(v) for w, v in pairs) / sum(w for w, _ in pairs))
    return sum(w for w, _ in pairs) / sum(w / v for w, v in pairs)


def slow_product(method, lists, weights):
    """Compute what a product gives each item of one query, item by item."""
    product, _, kind = method.partition("-")
    candidates = {item for items in lists for item in items}
    if method in {"elasticsearch-rrf", "opensearch-rrf"}:
        values = [{item: 1 / (60 + rank) for item, rank in slow_ranks(items).items()} for items in lists]
    elif method == "qdrant-rrf":
        pairs = zip(weights, lists, strict=True)
        values = [{item: 1 / (rank / w + 2 - 1) for item, rank in slow_ranks(items).items()} for w, items in pairs]
        weights = [1] * len(lists)
    elif method in {"weaviate-ranked", "azure-rrf"}:
        values = [{item: 1 / (rank - 1 + 60) for item, rank in slow_ranks(items).items()} for items in lists]
    elif method == "vespa-rrf":
        values = [
            {item: 1 / (60 + rank) for item, rank in slow_last_ranks(lists, n).items()} for n in range(len(lists))
        ]
    elif method == "qdrant-dbsf":
        values = [*map(slow_dbsf, lists)]
    elif product == "opensearch":
        values = [slow_min_max(items, 1.0, 0.001) for items in lists]
        return {
            item: mean_of(kind, [(w, own.get(item, 0.0)) for w, own in zip(weights, values, strict=True)])
            for item in candidates
        }
    elif method == "elasticsearch-linear":
        values = lists
    else:
        constant = {"weaviate-relative": 1.0, "vespa-linear": 0.5}[method]
        values = [slow_min_max(items, constant) for items in lists]
        if method == "vespa-linear":
            values = [{item: own.get(item, min(own.values())) for item in candidates} for own in values]
    return {item: sum(w * own.get(item, 0.0) for w, own in zip(weights, values, strict=True)) for item in candidates}


SCORE = st.integers(1, 6).map(lambda number: number / 4)
LIST = st.dictionaries(st.sampled_from("abcdefg"), SCORE, min_size=1, max_size=6)


@pytest.mark.parametrize("method", methods.PRODUCTS)
@settings(max_examples=60)
@given(lists=st.lists(LIST, min_size=2, max_size=3), weighted=st.booleans())
def test_products_follow_their_formulas_with_ties_and_missing_items(method, lists, weighted):
    weights = [0.5, 0.3, 0.2][: len(lists)] if weighted and methods.PRODUCTS[method].weighted else None
    default = methods.PRODUCTS[method].weights if len(lists) == 2 else None
    expected = slow_product(method, lists, weights or default or [1.0] * len(lists))
    fused = rg.fuse([{"q": items} for items in lists], method, weights=weights)

    assert scores_of(fused)["q"] == pytest.approx(expected, rel=1e-12, abs=1e-12)


@settings(max_examples=60)
@given(items=LIST)
def test_norms_that_opensearch_and_elasticsearch_have_besides_their_defaults(items):
    def fused(method, norm):
        return scores_of(rg.fuse([{"q": items}, {"q": {"other": 1.0}}], method, norm=norm, weights=[1, 0]))["q"]

    def without_other(values):
        return {item: value for item, value in values.items() if item in items}

    z, l2 = slow_z_opensearch(items), slow_l2(items)
    assert without_other(fused("opensearch-arithmetic", "z")) == pytest.approx(z)
    assert without_other(fused("opensearch-harmonic", "l2")) == pytest.approx(l2)
    assert without_other(fused("elasticsearch-linear", "l2")) == pytest.approx(l2)
    assert without_other(fused("elasticsearch-linear", "min-max")) == pytest.approx(slow_min_max(items, 1.0))


def test_products_ship_their_own_windows_and_nothing_else():
    windows = {"elasticsearch": 10, "opensearch": 10, "qdrant": 10, "weaviate": 100, "azure": 50, "vespa": 100}
    lists = {str(n): {"q": [f"{n}-{place:03}" for place in range(200)]} for n in range(2)}
    for method in methods.PRODUCTS:
        assert len(rg.fuse(lists, method)) == 2 * windows[method.partition("-")[0]], method
    for method, parameter in [
        ("qdrant-dbsf", {"weights": [1, 2]}),
        ("weaviate-ranked", {"k": 10}),
        ("azure-rrf", {"k": 10}),
        ("opensearch-geometric", {"norm": "z"}),
        ("weaviate-relative", {"norm": "z"}),
        ("elasticsearch-rrf", {"norm": "min-max"}),
        ("vespa-rrf", {"missing": "zero"}),
    ]:
        with pytest.raises(rg.ParameterError):
            rg.fuse(BOTH, method, **parameter)


def test_reciprocal_rank_fusion_by_hand():
    fused = rg.fuse(BOTH, weights={"bm25": 1, "dense": 2})

    assert fused.items("q1") == ["b", "d", "a", "c"]
    assert fused.score("q1", "b") == 1 / 62 + 2 / 61
    assert fused.score("q2", "y") == 1 / 61 + 2 / 61  # x and y tie: ids in descending order
    assert fused.score("q2", "x") == 1 / 62 + 2 / 63


@pytest.mark.parametrize(("missing", "expected"), [("zero", 1.0), ("skip", 1.0), ("min", 1.0 + 0.0)])
def test_rules_for_an_item_that_a_list_lacks(missing, expected):
    assert rg.fuse(BOTH, "sum", missing=missing).score("q1", "a") == expected


def test_missing_min_is_the_lowest_value_of_the_list():
    fused = rg.fuse(BOTH, "rrf", missing="min")

    assert fused.score("q1", "a") == 1 / 61 + 1 / 62
    assert fused.score("q1", "d") == 1 / 63 + 1 / 62


@given(lists=st.lists(LIST, min_size=2, max_size=4), method=st.sampled_from([*methods.PAPERS]))
def test_the_order_of_the_rankings_changes_nothing(lists, method):
    if method == "condorcet":  # circles are broken by the order in which items are seen
        return
    rankings = {str(number): {"q": items} for number, items in enumerate(lists)}
    turned = dict(reversed(rankings.items()))

    assert scores_of(rg.fuse(rankings, method)) == scores_of(rg.fuse(turned, method))


def test_tied_fused_scores_stay_ties():
    lists = [{"q": order} for order in ("abcdefg", "bcadefg", "cabdefg")]
    fused = rg.fuse([{q: [*items] for q, items in ranking.items()} for ranking in lists], k=1)

    assert len({fused.score("q", item) for item in "abc"}) == 1


def test_every_form_of_a_ranking_gives_the_same_fusion(tmp_path):
    run = tmp_path / "bm25.run"
    run.write_text("".join(f"{q} Q0 {d} 0 {s} x\n" for q, items in BM25.items() for d, s in items.items()))
    frame = pl.DataFrame(
        [(q, d, s) for q, items in BM25.items() for d, s in items.items()],
        orient="row",
        schema=["query", "item", "score"],
    )
    expected = scores_of(rg.fuse(BOTH))
    for form in (run, str(run), frame, frame.to_pandas(), [(*row,) for row in frame.iter_rows()], rg.read(run)):
        assert scores_of(rg.fuse({"bm25": form, "dense": DENSE})) == expected


def test_lists_of_files_are_named_by_their_stems(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.run").write_text("q Q0 a 1 1.5 x\nq Q0 b 2 0.5 x\n")

    assert rg.fuse([tmp_path / "one.run", tmp_path / "two.run"]).names == ("one", "two")
    assert rg.fuse([DENSE, BM25]).names == ("1", "2")


def write_run(path, queries, seed, items=30):
    chance = np.random.default_rng(seed)
    with path.open("w") as file:
        for query in queries:
            for place, item in enumerate(chance.choice(60, items, replace=False)):
                file.write(f"{query} Q0 d{item} {place + 1} {100 - place} x\n")


@pytest.mark.parametrize("case", ["same order", "some missing", "other order", "other end"])
def test_large_files_are_fused_by_the_chunk(tmp_path, case):
    queries = [f"q{number:02}" for number in range(40)]
    others = {
        "same order": queries,
        "some missing": [query for number, query in enumerate(queries) if number % 3],
        "other order": queries[::-1],
        "other end": [*queries[:5], *(f"z{number}" for number in range(30))],
    }[case]
    write_run(tmp_path / "a.run", queries, 1)
    write_run(tmp_path / "b.run", others, 2)
    files = {name: str(tmp_path / f"{name}.run") for name in "ab"}
    frames = {name: rg.read(path).ranking.frame() for name, path in files.items()}
    blocks = {name: [*frame.iter_slices(70)] for name, frame in frames.items()}
    fused, expected = rg.fuse(files), rg.fuse(frames)

    def chunks():
        return query_chunks.chunks_in_order([iter(blocks[name]) for name in "ab"], 200)

    if case in {"other order", "other end"}:
        with pytest.raises(query_chunks.DifferentOrderError):
            [*chunks()]
    else:
        pieces = [*chunks()]
        assert len(pieces) > 3
        for number, name in enumerate("ab"):
            assert pl.concat([piece[number] for piece in pieces if piece[number].height]).equals(frames[name])
    ordered = [*query_chunks.chunks_sorted([lambda name=name: iter(blocks[name]) for name in "ab"], 200)]
    assert len(ordered) > 3
    seen = [sorted({*piece[0]["query"], *piece[1]["query"]}) for piece in ordered]
    assert all(not first or not second or first[-1] < second[0] for first, second in pairwise(seen))
    for number, name in enumerate("ab"):
        rows = pl.concat([piece[number] for piece in ordered])
        assert rows.sort("query", maintain_order=True).equals(frames[name].sort("query", maintain_order=True))
    assert scores_of(fused) == scores_of(expected)


def test_files_in_different_orders_are_sorted_on_disk(tmp_path, monkeypatch):
    queries = [f"q{number:02}" for number in range(40)]
    write_run(tmp_path / "a.run", queries, 1)
    write_run(tmp_path / "b.run", queries[::-1], 2)
    files = [tmp_path / "a.run", tmp_path / "b.run"]
    expected = scores_of(rg.fuse(files))

    def other_order(_):
        raise query_chunks.DifferentOrderError

    monkeypatch.setattr("rankgauge.fusion.fuse.chunks_in_order", other_order)
    fused = rg.fuse(files)

    assert scores_of(fused) == expected
    assert fused.queries == queries
    assert "RG807" in {finding.code for finding in fused.findings}
    with pytest.raises(rg.InputError, match="stream"), (tmp_path / "a.run").open("rb") as stream:
        rg.fuse([stream, tmp_path / "b.run"])


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: rg.fuse({"a": BM25}), "RG806"),
        (lambda: rg.fuse({"a": BM25, "b": {"other": ["x"]}}), "RG801"),
        (lambda: rg.fuse(BOTH, weights=[1, -0.5]), "RG805"),
        (lambda: rg.fuse(BOTH, weights=[0, 0]), "RG805"),
        (lambda: rg.fuse([{"q": {"a": math.inf, "b": 1.0}}, {"q": ["a"]}], "sum"), "RG804"),
        (lambda: rg.fuse([{"q": {"a": -1.0, "b": -2.0}}, {"q": {"a": 2.0}}], "sum", norm="max"), "RG804"),
        (lambda: rg.fuse([{"q": ["a", "b", "a"]}, {"q": ["a"]}]), "RG301"),
    ],
)
def test_unusable_input_has_a_code(call, code):
    with pytest.raises(rg.InputError) as error:
        call()

    assert error.value.codes == (code,)
    assert error.value.render("zh") != error.value.render("en")


def test_suspicious_input_is_a_finding():
    fused = rg.fuse([{"q": {"a": 1.0, "b": 1.0}}, {"q": {"a": 2.0, "b": 1.0}, "r": ["a"]}], "sum")

    assert {finding.code: finding.count for finding in fused.findings} == {"RG802": 1, "RG803": 2}
    assert "RG803" in str(fused)


def test_repeated_items_can_be_closed_up():
    rules = rg.Convention(duplicates="close-up")
    fused = rg.fuse([{"q": ["a", "b", "a", "c"]}, {"q": ["c"]}], convention=rules)

    assert fused.score("q", "c") == 1 / 63 + 1 / 61


@pytest.mark.parametrize("ties", ["id", "id-ascending", "input", "input-reversed"])
def test_the_convention_orders_tied_scores(ties):
    rules = rg.Convention(ties=ties)
    fused = rg.fuse([{"q": {"b": 1.0, "a": 1.0, "c": 1.0}}, {"q": {"z": 1.0}}], convention=rules, k=0)
    first = {"id": "c", "id-ascending": "a", "input": "b", "input-reversed": "c"}[ties]

    assert fused.score("q", first) == 1.0
    with pytest.raises(rg.ParameterError, match="ties"):
        rg.fuse(BOTH, convention=rg.Convention(ties="mean"))


@pytest.mark.parametrize(
    "arguments",
    [
        {"method": "rff"}, {"method": None}, {"k": -1}, {"k": "60"}, {"k": True}, {"weights": [1]}, {"weights": "12"},
        {"weights": {"other": 1}}, {"weights": {"bm25": 1}}, {"norm": "max"}, {"missing": "last"}, {"depth": 0},
        {"depth": 2.5}, {"p": 0.5}, {"method": "rbc", "p": 2}, {"method": "sum", "norm": "log"},
        {"method": "sum", "missing": "share"}, {"units": "before last _"}, {"grades": None, "query_ids": [1]},
    ],
)  # fmt: skip
def test_arguments_are_checked(arguments):
    with pytest.raises(rg.ParameterError):
        rg.fuse(BOTH, **arguments)


@pytest.mark.parametrize("method", methods.METHODS)
def test_the_explanation_adds_up(method):
    fused = rg.fuse(BOTH, method)
    for lang in ("en", "zh"):
        text = fused.explain("q1", "b", lang).to_text()
        assert f"{fused.score('q1', 'b'):.10g}" in text
        assert method in text
    assert '"b"' in fused.explain("q1", "b").to_text()
    with pytest.raises(rg.InputError):
        fused.explain("nowhere")
    with pytest.raises(rg.InputError):
        fused.explain("q1", "nothing")


def test_a_fused_ranking_is_a_ranking_for_every_verb(tmp_path):
    fused = rg.fuse(BOTH)
    judgments = {"q1": {"b": 1}, "q2": {"x": 1}}

    assert rg.evaluate(judgments, fused, "RR").mean("RR") == 0.75
    assert rg.compare(judgments, {"fused": fused, "bm25": BM25}, "RR").systems == ("fused", "bm25")
    assert rg.diff(fused, BM25).queries
    assert scores_of(rg.fuse({"fused": fused, "bm25": BM25}))
    assert rg.check(judgments, fused, "RR < 0.1").checks
    for ending in ("run", "csv", "jsonl", "parquet", "tsv", "run.gz"):
        fused.write(tmp_path / f"fused.{ending}")
        assert scores_of(fused) == scores_of_file(tmp_path / f"fused.{ending}")
    with pytest.raises((FileExistsError, rg.RankgaugeError)):
        fused.write(tmp_path / "fused.csv")


def scores_of_file(path):
    frame = rg.read(path, role="ranking").ranking.frame()
    ranking = {}
    for query, item, score in frame.select("query", "item", "score").iter_rows():
        ranking.setdefault(query, {})[item] = score
    return ranking


def test_results_in_other_forms():
    fused = rg.fuse({"=1+1": BM25, "dense": DENSE}, "sum", norm="z")

    assert [*fused.to_pandas().columns] == ["query", "item", "score"]
    assert json.loads(fused.to_json())["fusion"] == {
        "method": "sum", "k": None, "p": None, "weights": [1.0, 1.0], "norm": "z", "missing": "zero", "depth": None,
    }  # fmt: skip
    assert rg.fuse({"a": {"=q": ["x"]}, "b": {"=q": ["x"]}}).to_csv().splitlines()[1].startswith("'=q")
    assert "norm=z" in str(fused)
    assert "归一化=z" in fused.document("zh").to_text()
    assert fused.queries == ["q1", "q2"]
    assert repr(fused) == "<FusedRanking of =1+1, dense: sum, 2 queries>"


def test_every_norm_and_rule_is_described():
    for norm in NORMS:
        assert f"norm={norm}" in rg.fuse(BOTH, "sum", norm=norm).document().to_text()


def test_the_command_writes_a_ranking(tmp_path):
    for name, ranking in BOTH.items():
        with (tmp_path / f"{name}.run").open("w") as file:
            file.writelines(f"{q} Q0 {d} 0 {s} x\n" for q, items in ranking.items() for d, s in items.items())
    files = [str(tmp_path / "bm25.run"), str(tmp_path / "dense.run")]
    target = tmp_path / "fused.run"

    assert here("fuse", *files, "--weights", "bm25=1,dense=2", "-o", target).code == 0
    assert scores_of_file(target) == scores_of(rg.fuse(files, weights=[1, 2]))
    assert here("fuse", *files, "--method", "sum", "--norm", "z").code == 0
    explained = here("fuse", *files, "--query", "q1", "--item", "b", "--lang", "zh")
    assert explained.code == 0
    assert "融合分数" in explained.out
    assert here("fuse", files[0]).code == 3
    assert here("fuse", *files, "--weights", "1,-1").code == 3
    assert here("fuse", *files, "--method", "rff").code == 2
    assert here("fuse", *files, "--weights", "1,x").code == 2
