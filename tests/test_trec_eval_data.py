"""The trec_eval clone against output of trec_eval itself, if RANKGAUGE_DATA names the folder with the data."""

import gzip
import os
from pathlib import Path

import pytest

from command_line import trec_eval_lines

FOLDER = Path(os.environ.get("RANKGAUGE_DATA", ""))
if not os.environ.get("RANKGAUGE_DATA"):
    pytest.skip("RANKGAUGE_DATA is not set", allow_module_level=True)

GOLDEN = FOLDER / "trec_eval_test/test"
PARAMETERS = (
    "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 -m Rprec_mult.5.0,0.2,0.35 "
    "-mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 -mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4 -msuccess.2,5,20"
)
COMMANDS = [
    ("", "qrels.test", "results.test", "out.test"),
    ("", "qrels.test.with-comments", "results.test", "out.test"),
    ("", "qrels.comment.test", "results.comment.test", "out.comment.test"),
    ("-m all_trec", "qrels.test", "results.test", "out.test.a"),
    ("-m all_trec -q", "qrels.test", "results.test", "out.test.aq"),
    ("-m all_trec -q -c", "qrels.test", "results.trunc", "out.test.aqc"),
    ("-m all_trec -q -c -M100", "qrels.test", "results.trunc", "out.test.aqcM"),
    ("-m all_trec -mrelstring.20 -q -l2", "qrels.rel_level", "results.test", "out.test.aql"),
    (PARAMETERS, "qrels.test", "results.test", "out.test.meas_params"),
    (f"-q -m all_trec -Z {GOLDEN / 'zscores_file'}", "qrels.test", "results.test", "out.test.aqZ"),
]
RUNS = [
    *(
        (path, FOLDER / "cast21/trec-cast-qrels-docs.2021.qrel", path.parent / "expected", path.stem)
        for path in sorted(FOLDER.glob("cast21/*.run"))
    ),
    *(
        (path, FOLDER / "robust03/qrels.robust03.txt", path.parents[1] / "expected", path.stem[6:])
        for path in sorted(FOLDER.glob("robust03/runs/*.gz"))
    ),
]
ALL_OF_9 = ["-q", "-m", "all_trec", "--compat", "9"]


@pytest.mark.parametrize(
    ("flags", "qrels", "results", "expected"), COMMANDS, ids=[flags or q for flags, q, *_ in COMMANDS]
)
def test_the_golden_files_of_trec_eval_10_byte_for_byte(flags, qrels, results, expected):
    printed = "".join(trec_eval_lines(*flags.split(), GOLDEN / qrels, GOLDEN / results))
    assert printed == (GOLDEN / expected).read_text(encoding="utf-8")


@pytest.mark.parametrize(("path", "qrels", "folder", "name"), RUNS, ids=[name for *_, name in RUNS])
def test_output_for_real_runs_equals_that_of_trec_eval_9(path, qrels, folder, name):
    with gzip.open(folder / f"{name}.trec_eval-9.0.4.txt.gz", "rt") as file:
        golden = file.readlines()
    assert trec_eval_lines(*ALL_OF_9, qrels, path) == golden
