"""Fingerprints: equal for the same content in every form, and different for any changed grade, rank or id."""

import gzip
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import rankgauge as rg
from command_line import here
from rankgauge.matching.fingerprints import id_hashes, mixed
from worlds import pace

NAMES = ("judgments", "queries", "ranking")
MASK = (1 << 64) - 1
SEED = np.random.default_rng(38)
JUDGED = {f"q{q}": {f"d{d}é": int(SEED.integers(0, 4)) for d in range(5)} for q in range(6)}
RANKED = {query: {f"d{d}é": float(SEED.integers(0, 5)) for d in SEED.permutation(9)} for query in JUDGED}


def fingerprints(judgments, ranking, **options):
    scores = rg.evaluate(judgments, ranking, ["nDCG@3", "AP"], fingerprint=True, **options)
    return tuple(scores.provenance[name] for name in NAMES)


def rows_of(nested):
    return [(query, item, number) for query, inner in nested.items() for item, number in inner.items()]


def frame(nested, number):
    return pl.DataFrame(rows_of(nested), schema=["query", "item", number], orient="row")


def as_written(nested, name, pattern, opener=open):
    with opener(name, "wt", encoding="utf-8") as file:
        file.writelines(pattern.format(query, item, number) for query, item, number in rows_of(nested))
    return str(name)


def files(folder):
    """The same world in files of several formats, compressed or not, in other orders and other writings of numbers."""
    shuffled = {query: dict(sorted(inner.items())) for query, inner in sorted(JUDGED.items(), reverse=True)}
    judged, ranked = frame(JUDGED, "grade"), frame(RANKED, "score")
    judged.write_parquet(folder / "j.parquet")
    ranked.write_parquet(folder / "r.parquet", compression="zstd")
    judged.write_ipc(folder / "j.arrow")
    scattered = ranked.sample(fraction=1.0, shuffle=True, seed=1)
    scattered.write_ndjson(folder / "r.jsonl")
    scattered.write_parquet(folder / "scattered.parquet", row_group_size=4)
    scattered.write_csv(folder / "scattered.csv")
    scattered.select(
        "query", pl.lit("Q0").alias("0"), "item", pl.lit(1).alias("1"), "score", pl.lit("t").alias("t")
    ).write_csv(folder / "scattered.txt", include_header=False, separator=" ")
    (folder / "j.json").write_text(json.dumps(JUDGED), encoding="utf-8")
    (folder / "r.json").write_text(json.dumps(RANKED), encoding="utf-8")
    return {
        "TREC": (
            as_written(JUDGED, folder / "qrels.txt", "{} 0 {} {}\n"),
            as_written(RANKED, folder / "run.txt", "{} Q0 {} 1 {} tag\n"),
        ),
        "TREC.gz": (
            as_written(shuffled, folder / "qrels.txt.gz", "{} 0 {} {}\n", gzip.open),
            as_written(RANKED, folder / "run.txt.gz", "{} Q0 {} 7 {:e} tag\n", gzip.open),
        ),
        "CSV": (
            as_written({"query": {"item": "grade"}, **JUDGED}, folder / "j.csv", "{},{},{}\n"),
            as_written({"query": {"item": "score"}, **RANKED}, folder / "r.csv", "{},{},{}\n"),
        ),
        "TSV": (
            as_written({"query": {"item": "grade"}, **shuffled}, folder / "j.tsv", "{}\t{}\t{}\n"),
            as_written({"query": {"item": "score"}, **RANKED}, folder / "r.tsv", "{}\t{}\t{}\n"),
        ),
        "Parquet": (str(folder / "j.parquet"), str(folder / "r.parquet")),
        "Arrow and JSONL": (str(folder / "j.arrow"), str(folder / "r.jsonl")),
        "scattered rows, Parquet": (str(folder / "j.parquet"), str(folder / "scattered.parquet")),
        "scattered rows, CSV": (str(folder / "j.parquet"), str(folder / "scattered.csv")),
        "scattered rows, TREC": (str(folder / "qrels.txt"), str(folder / "scattered.txt")),
        "JSON": (str(folder / "j.json"), str(folder / "r.json")),
    }


def objects():
    judged, ranked = frame(JUDGED, "grade"), frame(RANKED, "score")
    backwards = {query: dict(reversed(inner.items())) for query, inner in reversed(RANKED.items())}
    return {
        "rows": (rows_of(JUDGED), rows_of(RANKED)),
        "floats": (
            {query: {item: float(grade) for item, grade in own.items()} for query, own in JUDGED.items()},
            RANKED,
        ),
        "other order": (dict(reversed(JUDGED.items())), backwards),
        "polars": (judged, ranked),
        "lazy": (judged.lazy(), ranked.lazy()),
        "shuffled": (
            judged.sample(fraction=1.0, shuffle=True, seed=2),
            ranked.sample(fraction=1.0, shuffle=True, seed=3),
        ),
        "pandas": (judged.to_pandas(), ranked.to_pandas()),
        "float32": (judged.with_columns(pl.col("grade").cast(pl.Float32)), ranked),
        "int8": (judged.with_columns(pl.col("grade").cast(pl.Int8)), ranked),
        "arrow": (judged.to_arrow(), ranked.to_arrow()),
        "dicts and frame": (JUDGED, ranked),
        "frame and dicts": (judged, RANKED),
        "ranked lists": (JUDGED, {query: by_rank(inner) for query, inner in RANKED.items()}),
    }


def by_rank(scores):
    """Items by descending score, ties by descending id: the order of the default rule."""
    return sorted(sorted(scores, reverse=True), key=lambda item: -scores[item])


def test_every_form_and_format_of_one_world_has_the_same_fingerprints(tmp_path):
    expected = fingerprints(JUDGED, RANKED)

    different = {name for name, pair in {**objects(), **files(tmp_path)}.items() if fingerprints(*pair) != expected}

    assert all(len(text) == 32 and int(text, 16) for text in expected)
    assert different == set()


def test_a_streamed_file_with_scattered_lines_has_the_same_fingerprint(tmp_path, monkeypatch):
    """It begins again when the lines of a query turn out not to be together."""
    monkeypatch.setattr("rankgauge.inputs.io.input_file.SMALL_FILE", 0)
    scattered = files(tmp_path)["Arrow and JSONL"]

    assert fingerprints(*scattered) == fingerprints(JUDGED, RANKED)


def test_ids_are_compared_as_text():
    numbers = {7: {1: 1, 2: 0}, 8: {3: 2}}
    texts = {"7": {"1": 1, "2": 0}, "8": {"3": 2}}
    sparse = scipy.sparse.csr_matrix(np.array([[0, 1, 2], [3, 0, 0]]))
    ranked = {7: [2, 1], 8: [3, 9]}

    assert fingerprints(numbers, ranked) == fingerprints(texts, {"7": ["2", "1"], "8": ["3", "9"]})
    assert fingerprints(
        pd.DataFrame({"query": [7.0, 7.0, 8.0], "item": [1, 2, 3], "grade": [1, 0, 2]}), ranked
    ) == fingerprints(numbers, ranked)
    assert fingerprints(sparse, {0: [1, 2], 1: [0]}) == fingerprints({0: {1: 1, 2: 2}, 1: {0: 3}}, {0: [1, 2], 1: [0]})


def test_arrays_have_the_fingerprints_of_dicts_with_their_places_as_ids():
    labels = np.array([[0, 2, np.nan, 1], [3, 0, 1, 0]])
    scores = np.array([[0.1, 0.7, 0.3, 0.2], [0.4, 0.3, 0.9, 0.8]])
    judged = {
        row: {place: grade for place, grade in enumerate(own) if not np.isnan(grade)} for row, own in enumerate(labels)
    }
    ranked = {row: dict(enumerate(own)) for row, own in enumerate(scores.tolist())}

    matrix = fingerprints(labels, scores)

    assert matrix == fingerprints(judged, ranked)
    assert matrix == fingerprints(labels.ravel(), scores.ravel(), groups=[4, 4])
    assert matrix[0] != fingerprints(labels[:, ::-1], scores)[0]


@pytest.mark.parametrize("ties", ["id", "input", "mean", "best", "worst"])
def test_a_large_flat_array_has_the_fingerprint_of_its_matrix(ties):
    generator = np.random.default_rng(4)
    labels, scores = generator.integers(0, 3, (300, 700)).astype(float), generator.integers(0, 90, (300, 700)) / 90

    matrix = fingerprints(labels, scores, convention=rg.Convention(ties=ties))

    assert matrix == fingerprints(
        labels.ravel(), scores.ravel(), groups=[700] * 300, convention=rg.Convention(ties=ties)
    )


def changes():
    """Single changes, with the fingerprints that they change."""
    one = JUDGED["q0"]
    yield "grade", {**JUDGED, "q0": {**one, "d1é": one["d1é"] + 1}}, RANKED, {"judgments"}
    yield "fraction", {**JUDGED, "q0": {**one, "d1é": one["d1é"] + 1e-12}}, RANKED, {"judgments"}
    yield "item", {**JUDGED, "q0": {**one, "d1e": 1}}, RANKED, {"judgments"}
    yield "query", {**JUDGED, "q9": {"d": 1}}, RANKED, {"judgments", "queries"}
    yield "swapped", {**JUDGED, "q0": JUDGED["q1"], "q1": one}, RANKED, {"judgments"}
    order = by_rank(RANKED["q0"])
    lists = {query: by_rank(inner) for query, inner in RANKED.items()}
    yield "rank", JUDGED, {**lists, "q0": [order[1], order[0], *order[2:]]}, {"ranking"}
    yield "last", JUDGED, {**lists, "q0": order[:-1]}, {"ranking"}
    yield "id", JUDGED, {**lists, "q0": [*order[:-1], "other"]}, {"ranking"}
    yield "of query", JUDGED, {**lists, "q0": lists["q1"], "q1": order}, {"ranking"}


@pytest.mark.parametrize("change", [*changes()], ids=lambda change: change[0])
def test_any_changed_grade_rank_or_id_changes_its_fingerprint(change):
    _, judged, ranked, expected = change

    pairs = zip(NAMES, fingerprints(judged, ranked), fingerprints(JUDGED, RANKED), strict=True)

    assert {name for name, after, before in pairs if after != before} == expected


def test_only_queries_that_are_evaluated_count():
    assert fingerprints(JUDGED, {**RANKED, "unjudged": ["x"]}) == fingerprints(JUDGED, RANKED)


def test_a_dict_that_is_changed_later_keeps_the_fingerprint_of_what_was_evaluated():
    judged = {query: dict(grades) for query, grades in JUDGED.items()}
    scores = rg.evaluate(judged, RANKED)
    judged["q0"]["d1é"] = 99

    assert scores.provenance["judgments"] == rg.evaluate(JUDGED, RANKED).provenance["judgments"]


def test_an_array_that_is_changed_later_has_no_fingerprint():
    labels = np.eye(3)
    scores = rg.evaluate(labels, np.ones((3, 3)))
    labels[:] = labels[::-1].copy()

    assert scores.provenance["judgments"] is None


TEXTS = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=20)


@given(st.dictionaries(TEXTS, st.dictionaries(TEXTS, st.floats(-5, 5), min_size=1, max_size=4), min_size=1, max_size=4))
@pace(60)
def test_random_judgments_have_the_same_fingerprint_as_dicts_and_as_a_frame(judged):
    ranked = {next(iter(judged)): ["x"]}

    assert fingerprints(judged, ranked) == fingerprints(frame(judged, "grade"), ranked)


def slow_hash(text):
    """The hash of one id, byte by byte and with Python's own numbers."""

    def mix(number):
        number = (number + 0x9E3779B97F4A7C15) & MASK
        number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        number = (number ^ (number >> 27)) * 0x94D049BB133111EB & MASK
        return number ^ (number >> 31)

    content = text.encode()
    result = mix(len(content))
    for start in range(0, len(content), 8):
        result = mix(result ^ int.from_bytes(content[start : start + 8], "little"))
    return result


@given(st.lists(TEXTS, max_size=12))
@pace(60)
def test_hashes_of_columns_are_those_of_a_slow_loop(texts):
    assert id_hashes(texts).tolist() == [*map(slow_hash, texts)]


def test_the_mix_is_that_of_splitmix64():
    assert int(mixed(np.array([0], dtype=np.uint64))[0]) == 0xE220A8397B1DCDAF  # its first output for the seed 0


def test_fingerprints_of_this_version_are_those_of_the_next():
    assert fingerprints({"q": {"a": 1}}, {"q": ["b", "a"]}) == (
        "294cefbb90665af06d7af21ad221d1cd",
        "857b5c8795ce0e9c3668f2e6f442b408",
        "2ad5d573f7daccfcdd98cb8124f78915",
    )


@pytest.mark.parametrize("metrics", [["nDCG@3", "AP", "P@5", "bpref"], ["nDCG(ideal='full')@2", "Success@1"]])
@pytest.mark.parametrize("rules", [{}, {"ties": "mean"}, {"unjudged": 0.5}, {"k_counts": "returned"}, {"rel": 2}])
def test_asking_for_a_fingerprint_changes_no_value(metrics, rules):
    convention = rg.Convention(**rules)
    for judged, ranked in objects().values():
        plain, marked = (
            rg.evaluate(judged, ranked, metrics, convention=convention, fingerprint=asked) for asked in (False, True)
        )
        assert {name: plain.per_query(name) for name in metrics} == {name: marked.per_query(name) for name in metrics}
        assert plain.provenance["ranking"] is None


def test_provenance_records_inputs_convention_and_options(tmp_path):
    paths = files(tmp_path)["CSV"]

    provenance = rg.evaluate(*paths, "RR", convention="trec_eval-9", lenient=True).provenance

    assert provenance["version"] == rg.__version__
    assert provenance["convention"] == rg.preset("trec_eval-9").to_dict()
    assert provenance["inputs"] == {"judgments": paths[0], "ranking": paths[1]}
    assert provenance["read_options"] == {"lenient": True}
    assert provenance["time"].endswith("Z")


def test_each_of_several_rankings_has_its_fingerprint():
    scores = rg.evaluate(JUDGED, {"a": RANKED, "b": {"q0": ["d1é"]}}, fingerprint=True)

    assert set(scores.provenance["ranking"]) == {"a", "b"}
    assert scores.system("a").provenance["ranking"] == fingerprints(JUDGED, RANKED)[2]


def test_saved_json_has_the_provenance_and_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files(tmp_path)

    saved = json.loads(here("eval", "j.csv", "r.csv", "-m", "RR", "-t", "json", "--fingerprint").out)

    assert tuple(saved["provenance"][name] for name in NAMES) == fingerprints(JUDGED, RANKED)
    assert saved["provenance"]["command"] == "rankgauge eval j.csv r.csv -m RR -t json --fingerprint"


@pytest.mark.parametrize(
    "words", [("compare", "-t", "json"), ("curve", "-t", "json"), ("check", "--fail-if", "RR < 0.1", "-t", "json")]
)
def test_json_of_every_verb_has_the_provenance(words, example_folder):
    files = ("judgments.csv", "keywords.csv", *(["embeddings.csv"] if words[0] == "compare" else []))
    command, *more = words

    data = json.loads(here(command, *files, *more).out)["provenance"]

    assert data["judgments"] == rg.evaluate(example_folder / "judgments.csv", {"heist": ["x"]}).provenance["judgments"]
    assert data["command"].startswith(f"rankgauge {command}")


@pytest.mark.parametrize("systems", [RANKED, {"a": RANKED, "b": {"q0": ["d1é"]}}])
def test_values_of_queries_may_be_kept_in_parquet(systems, tmp_path):
    judged = {**JUDGED, "all": {"x": 1}}
    scores = rg.evaluate(judged, systems, ["AP", "RR"])
    scores.save(tmp_path / "s.json", parquet=True)

    saved = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))
    read = rg.read_scores(tmp_path / "s.json")

    assert (saved["per_query_file"], "per_query" in saved) == ("s.parquet", False)
    assert [read.per_query("AP", name) for name in read.systems] == [
        scores.per_query("AP", name) for name in scores.systems
    ]
    (tmp_path / "s.parquet").unlink()
    with pytest.raises(rg.InputError, match="keep both files together"):
        rg.read_scores(tmp_path / "s.json")


def test_saved_scores_with_parquet_are_a_baseline(tmp_path):
    rg.evaluate(JUDGED, RANKED, "AP").save(tmp_path / "s.json", parquet=True)

    assert rg.check(JUDGED, RANKED, "AP drops 0.1", baseline=tmp_path / "s.json").passed


def test_weights_and_side_information_are_named():
    weights = dict.fromkeys(JUDGED, 2)
    side = rg.SideInformation(items=40)
    given = {"convention": rg.Convention(averaging="weighted"), "weights": weights, "side_information": side}
    weighted = rg.evaluate(JUDGED, RANKED, "ItemCoverage@3", **given).provenance

    assert weighted["inputs"] == {"side_information": {"items": "40"}}
    assert len(weighted["weights"]) == 32
    assert "weights" not in rg.evaluate(JUDGED, RANKED).provenance
