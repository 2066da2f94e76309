"""Numbers printed by trec_eval match trec_eval, if RANKGAUGE_DATA names the folder with the data."""

import gzip
import os
from pathlib import Path

import pytest

import rankgauge as rg

FOLDER = Path(os.environ.get("RANKGAUGE_DATA", "")) / "cast21"
if not os.environ.get("RANKGAUGE_DATA"):
    pytest.skip("RANKGAUGE_DATA is not set", allow_module_level=True)


@pytest.mark.parametrize("run", ["org_convdr", "org_manual_bm25"])
@pytest.mark.parametrize("name", ["ndcg_cut_10", "map", "P_5", "recip_rank"])
def test_a_number_of_trec_eval_matches_it(run, name):
    text = gzip.decompress((FOLDER / "expected" / f"{run}.trec_eval-9.0.4.txt.gz").read_bytes()).decode()
    printed = next(line.split()[2] for line in text.splitlines() if line.split()[:2] == [name, "all"])
    found = rg.reconcile(FOLDER / "trec-cast-qrels-docs.2021.qrel", FOLDER / f"{run}.run", name)

    explained = found.explain(printed)

    first = explained.matches[0]
    assert (first.rules, first.rounding.how) == ((), "rounded")
    assert next(tool.name for tool in first.tools if tool.name != "default") == "trec_eval-9"
    assert explained.explained
