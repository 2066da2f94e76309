"""Real runs and judgments with trec_eval's own values, where RANKGAUGE_DATA names the folder that holds them."""

import gzip
import os
from pathlib import Path

import pytest

import rankgauge as rg

FOLDER = Path(os.environ.get("RANKGAUGE_DATA", ""))
if not os.environ.get("RANKGAUGE_DATA"):
    pytest.skip("RANKGAUGE_DATA is not set", allow_module_level=True)

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
MEASURES = [
    "map", "Rprec", "bpref", "recip_rank", "infAP", "11pt_avg", "ndcg", "num_ret", "num_rel", "num_rel_ret", "set_P",
    "set_recall", "set_F", *(f"success_{k}" for k in (1, 5, 10)), *(f"iprec_at_recall_{i / 10:.2f}" for i in range(11)),
    *(f"{name}_{k}" for name in ("P", "recall", "relative_P", "ndcg_cut", "map_cut") for k in CUTOFFS),
]  # fmt: skip
LIKE_TREC_EVAL_9 = rg.Convention(score_precision="float32", recall_point="trec_eval-9", missing="skip")
RUNS = [
    *((path, "cast21/trec-cast-qrels-docs.2021.qrel", path.stem) for path in sorted(FOLDER.glob("cast21/*.run"))),
    *((path, "robust03/qrels.robust03.txt", path.stem[6:]) for path in sorted(FOLDER.glob("robust03/runs/*.gz"))),
]


@pytest.mark.parametrize(("run", "qrels", "name"), RUNS, ids=[name for _, _, name in RUNS])
def test_values_equal_those_of_trec_eval_9_to_the_printed_digit(run, qrels, name):
    expected = {}
    folder = run.parent if run.suffix == ".run" else run.parents[1]
    with gzip.open(folder / "expected" / f"{name}.trec_eval-9.0.4.txt.gz", "rt") as file:
        for line in file:
            measure, query, value = line.split()[:3]
            expected[measure, query] = value

    scores = rg.evaluate(FOLDER / qrels, run, MEASURES, convention=LIKE_TREC_EVAL_9)
    compared, different = 0, []
    for measure in MEASURES:
        for query, value in scores.per_query(measure).items():
            printed = expected[measure, query]
            shown = f"{value:.4f}" if "." in printed else f"{value:.0f}"
            compared += 1
            if shown != printed:
                different.append((measure, query, shown, printed))
    assert different == []
    assert compared == len(MEASURES) * len(scores.per_query("map"))


@pytest.mark.parametrize(
    "path", sorted((FOLDER / "robust03" / "expected").glob("*.gz"))[:2], ids=lambda path: path.name
)
def test_the_output_of_trec_eval_gives_its_means(path):
    means = rg.read_scores(path, ["AP", "Rprec", "P@10"]).means()
    with gzip.open(path, "rt") as lines:
        printed = {name.strip(): value for name, query, value in (line.split("\t") for line in lines) if query == "all"}

    for metric, name in {"AP": "map", "Rprec": "Rprec", "P@10": "P_10"}.items():
        assert means[metric] == pytest.approx(float(printed[name]), abs=6e-5)


def test_group_sizes_of_lightgbm():
    rows = rg.read(FOLDER / "ltr" / "lightgbm_lambdarank" / "rank.test").judgments.frame()
    sizes = [int(line) for line in (FOLDER / "ltr" / "lightgbm_lambdarank" / "rank.test.query").read_text().split()]

    assert rows["query"].unique_counts().to_list() == sizes
