"""Input that once hung, took minutes or was read silently wrong: forks, long ids, many queries, wide headers."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import rankgauge as rg

FORK = """
import multiprocessing, sys
import rankgauge as rg

def read(_):
    try:
        return rg.evaluate("j.csv", "r.csv", "RR").mean("RR")
    except rg.RankgaugeError as error:
        return str(error)

def count(_):
    return rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "RR").mean("RR")

if __name__ == "__main__":
    if sys.argv[1] == "after":
        read(0)
    with multiprocessing.get_context(sys.argv[2]).Pool(1) as pool:
        print(pool.map(read, [0])[0], pool.map(count, [0])[0])
"""


@pytest.fixture(autouse=True)
def _in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
@pytest.mark.parametrize(
    ("when", "method", "expected"),
    [("after", "fork", "get_context('spawn')"), ("after", "spawn", "1.0 1.0"), ("before", "fork", "1.0 1.0")],
)
def test_a_forked_process_refuses_to_read_instead_of_hanging(when, method, expected):
    Path("program.py").write_text(FORK)
    Path("j.csv").write_text("query,item,grade\nq,a,1\n")
    Path("r.csv").write_text("query,item,score\nq,a,1\n")

    command = [sys.executable, "program.py", when, method]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)

    assert expected in finished.stdout
    assert finished.stdout.strip().endswith("1.0")  # dicts need no threads


def test_long_ids_are_compared_from_their_ends():
    long = "x" * 200_000

    def reason(returned):
        findings = rg.evaluate({"q": {long: 1}}, {"q": [returned]}, "RR").findings
        return next(finding.examples[0] for finding in findings if finding.code == "RG408")

    assert "suffix" not in reason("y" * 200_000)
    assert "have the prefix 'doc'" in reason("doc" + long)


def test_many_small_queries_of_a_json_file_are_read_together(monkeypatch):
    Path("j.json").write_text(json.dumps({f"q{n}": {"a": 1, "b": 0} for n in range(1000)}))
    Path("r.json").write_text(json.dumps({f"q{n}": ["b", "a"] for n in range(1000)}))
    members = "rankgauge.inputs.formats.json_values.JsonValues.members"
    monkeypatch.setattr(members, lambda _: pytest.fail("read member by member"))

    assert rg.evaluate("j.json", "r.json", "RR").mean("RR") == 0.5


@pytest.mark.parametrize("fault", ['"q1": {"a": 1}, "q1": {"b": 1}', '"q1": {"a": 1', '"q1": {"a": 1}} 7'])
def test_a_fault_in_a_json_object_is_still_found_at_its_line(fault):
    Path("j.json").write_text("{\n" + '"q0": {"a": 1},\n' + fault + ("}" if not fault.endswith("7") else ""))

    with pytest.raises(rg.InputError, match=r"j\.json"):
        rg.evaluate("j.json", {"q1": ["a"]}, "RR")


def test_a_header_of_very_many_columns_is_refused():
    Path("r.csv").write_text("query,item,score," + ",".join(f"c{n}" for n in range(20_000)) + "\n")

    with pytest.raises(rg.InputError, match="the header has 20,003 columns"):
        rg.evaluate({"q": {"a": 1}}, "r.csv", "RR")


def test_values_from_elsewhere_are_checked():
    """NaN and empty values were dropped from the mean in silence, and AP 35 was accepted."""
    Path("values.csv").write_text("query,AP,RR\nq1,0.5,1\nq2,nan,\nq3,35,0.5\nq4,-0.5,0.25\n")

    scores = rg.read_scores("values.csv")

    found = {finding.code: finding.count for finding in scores.findings}
    assert found["RG119"] == 2
    assert found["RG120"] == 2


def test_a_numeric_tag_is_not_read_as_the_score():
    """Without a rank, the score stood in its place, and the tag ordered the items."""
    Path("t.run").write_text("q Q0 a 0.9 7\nq Q0 b 0.8 9\n")
    with pytest.raises(rg.InputError, match=r"t\.run:1: 5 columns, of which the 4th is no rank") as refused:
        rg.evaluate({"q": {"a": 1}}, "t.run", "RR")
    assert {*refused.value.codes} == {"RG108"}

    Path("t.run").write_text("q Q0 a 1 0.9\nq Q0 b 2 0.8\n")
    assert rg.evaluate({"q": {"a": 1}}, "t.run", "RR").mean("RR") == 1


def test_a_byte_order_mark_in_an_id_is_named():
    Path("r.csv").write_text("query,item,score\nq,\ufeffa,2\nq,b,1\n", encoding="utf-8")

    with pytest.warns(rg.DataWarning, match="RG411"):
        findings = rg.evaluate({"q": {"a": 1, "b": 0}}, "r.csv", "RR").findings
    assert "U+FEFF" in str(next(finding for finding in findings if finding.code == "RG411").examples)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "json"])
def test_a_header_with_more_columns_than_any_data_is_refused_in_every_text_format(tmp_path, ending):
    names = [f"c{number}" for number in range(30_000)]
    record = dict.fromkeys(names, 1)
    content = {
        "csv": ",".join(names) + "\n",
        "tsv": "\t".join(names) + "\n",
        "jsonl": json.dumps(record) + "\n",
        "json": json.dumps([record]),
    }
    path = tmp_path / f"wide.{ending}"
    path.write_text(content[ending])

    with pytest.raises(rg.InputError, match="the header has 30,000 columns, more than 20,000") as refused:
        rg.evaluate({"q": {"a": 1}}, path, "RR")
    assert refused.value.codes == ("RG111",)
