"""Records for experiment trackers, and headers of TREC runs in the history."""

import gzip
import json
from types import SimpleNamespace

import pytest

import rankgauge as rg
from rankgauge.history.run_header import run_header

SCORES = rg.evaluate({"q": {"a": 1}}, {"q": ["b", "a"]}, ["RR", "nDCG@10"], fingerprint=True)
RUN = """# ir_metadata.start
# tag: {tag}
# platform:
#   hardware:
#     cpu:
#       model: 'x {tag}'
# method:
#   automatic: true
#   retrieval:
#     - name: {method}
#       k1: 0.9
# ir_metadata.end
q Q0 a 1 2.0 t
q Q0 b 2 1.0 t
"""


def test_weights_and_biases_gets_means_with_convention_and_fingerprints():
    logged, config = [], {}
    config_of_run = SimpleNamespace(update=lambda data, allow_val_change: config.update(data, kept=allow_val_change))
    run = SimpleNamespace(log=lambda means, step: logged.append((means, step)), config=config_of_run)

    rg.wandb.log_scores(SCORES, run, prefix="test", step=3)

    assert logged == [({"test/RR": 0.5, "test/nDCG@10": SCORES.mean("nDCG@10")}, 3)]
    assert config["rankgauge"]["judgments"] == SCORES.provenance["judgments"]
    assert config["rankgauge"]["convention"] == SCORES.convention.to_dict()


def test_an_object_that_is_not_a_run_is_refused():
    with pytest.raises(rg.ParameterError, match="run must be the run that"):
        rg.wandb.log_scores(SCORES, "run")


def test_dvc_gets_a_file_of_numbers_with_the_provenance(tmp_path):
    rg.dvc.write_metrics(SCORES, tmp_path / "metrics.json")

    written = json.loads((tmp_path / "metrics.json").read_text(encoding="utf-8"))

    provenance = json.loads((tmp_path / "metrics.provenance.json").read_text(encoding="utf-8"))
    assert (written["RR"], written["rankgauge"]["ranking"]) == (0.5, SCORES.provenance["ranking"])
    assert (written["rankgauge"]["convention"], provenance) == ("default", SCORES.provenance)


@pytest.mark.parametrize("opener", [open, gzip.open])
def test_headers_of_runs_are_read(tmp_path, opener):
    with opener(tmp_path / "run", "wt") as file:
        file.write(RUN.format(tag="one", method="bm25"))

    header = run_header(str(tmp_path / "run"))

    assert header["method.retrieval.0.name"] == "bm25"
    assert header["method.retrieval.0.k1"] == "0.9"
    assert header["platform.hardware.cpu.model"] == "x one"


def test_a_run_without_a_header_has_no_entries(tmp_path):
    (tmp_path / "run").write_text("q Q0 a 1 2.0 t\n")

    assert run_header(str(tmp_path / "run")) == run_header(None) == run_header("missing") == {}


def test_the_file_of_tirex_tracker_beside_a_run_is_read(tmp_path):
    packages = "".join(f"    - package{n}==1\n" for n in range(30))
    text = f"implementation:\n  python:\n    packages:\n{packages}method:\n  description: k1=0.9\n  name: bm25\n"
    (tmp_path / "ir-metadata.yml").write_text(text)
    (tmp_path / "run").write_text("q Q0 a 1 2.0 t\n")

    header = run_header(str(tmp_path / "run"))
    (tmp_path / "ir-metadata.yml").write_text(text.replace("package7==1", "package7==2"))
    changed = run_header(str(tmp_path / "run"))

    assert (header["method.name"], header["method.description"]) == ("bm25", "k1=0.9")
    assert header["implementation.python.packages"].startswith("30 entries, ")
    assert {name for name in header if header[name] != changed[name]} == {"implementation.python.packages"}


def test_lines_of_metadata_are_not_reported_as_rows(tmp_path):
    (tmp_path / "run").write_text(RUN.format(tag="one", method="bm25").replace("#     cpu:", "# number of cores : 2 3"))

    findings = rg.evaluate({"q": {"a": 1}}, str(tmp_path / "run"), "RR").findings
    assert "RG113" not in {finding.code for finding in findings}


def test_a_run_whose_ranking_is_kept_has_the_name_and_the_header_of_its_file(tmp_path):
    (tmp_path / "run").write_text(RUN.format(tag="one", method="bm25"))

    run = rg.history.open(tmp_path / "h.jsonl").log({"q": {"a": 1}}, str(tmp_path / "run"), "RR", keep_ranking=True)

    assert run.inputs == {"ranking": str(tmp_path / "run")}
    assert run.others["ir_metadata"]["method.retrieval.0.name"] == "bm25"


def test_what_changed_in_headers_is_named_and_the_platform_is_not(tmp_path):
    store = rg.history.open(tmp_path / "h.jsonl")
    judged = {"q": {"a": 1}}
    for method in ("bm25", "dense"):
        (tmp_path / method).write_text(RUN.format(tag="one", method=method))
        store.log(judged, str(tmp_path / method), "RR")
    first, second = store.runs()

    from rankgauge.history.blame import changed_fields

    assert changed_fields(first, second) == {"method.retrieval.0.name": ("bm25", "dense")}
