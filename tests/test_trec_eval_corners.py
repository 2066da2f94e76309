"""Corner cases of the trec_eval clone, as C trec_eval 9.0.4 (and the source of 10.0) decides them."""

import warnings

import pytest

import rankgauge as rg
from command_line import trec_eval_failure, trec_eval_lines


@pytest.fixture
def trec_eval(tmp_path):
    """Run the clone on the text of two files and return its lines without padding."""
    return lambda *call: [" ".join(line.split()) for line in trec_eval_lines(*written(tmp_path, *call))]


@pytest.fixture
def refused(tmp_path):
    """Run the clone on the text of two files that it refuses, and return its exit status and message."""
    return lambda *call: trec_eval_failure(*written(tmp_path, *call))


def written(folder, flags, qrels, results):
    """Write two files and return the arguments of a call that reads them."""
    (folder / "qrels").write_text(qrels)
    (folder / "run").write_text(results)
    return [*flags.split(), folder / "qrels", folder / "run"]


def test_the_run_name_is_that_of_the_last_line(trec_eval):
    """It used to be that of the first line."""
    results = "1 Q0 a 1 2 first\n1 Q0 b 2 1 last more\n\n# a comment of six columns in all\n"
    assert trec_eval("-m runid", "1 0 a 1\n", results) == ["runid all last"]


def test_nan_in_a_file_of_norms_is_printed(trec_eval, tmp_path):
    """It used to be taken for a missing entry; a negative deviation divides as well."""
    (tmp_path / "norms").write_text("1 map 0.5 nan\n1 P_5 nan 0.1\n1 P_10 0 -0.5\n1 P_15 0.5 0\n1 recall_5 inf 1\n")
    printed = trec_eval(
        f"-q -n -Z {tmp_path / 'norms'} -m map -m P.5,10,15,20 -m recall.5", "1 0 a 1\n", "1 Q0 a 1 2 t\n"
    )
    assert printed == [
        "Zmap 1 nan", "ZP_5 1 nan", "ZP_10 1 -0.2000", "ZP_15 1 -1000000.0000", "ZP_20 1 -1000000.0000", "Zrecall_5 1 -inf",
    ]  # fmt: skip


def test_a_topic_that_begins_with_a_hash_is_a_topic_in_version_9(trec_eval):
    """It used to be dropped as a comment, which only version 10 has."""
    qrels, results = "#1 0 a 1\n2 0 a 1\n", "#1 Q0 a 1 2 t\n2 Q0 b 1 1 t\n"
    assert trec_eval("--compat 9 -q -m map", qrels, results) == ["map #1 1.0000", "map 2 0.0000", "map all 0.5000"]
    assert trec_eval("-q -m map", qrels, results) == ["map 2 0.0000", "map all 0.0000"]


def test_of_a_grade_the_leading_integer_is_read(trec_eval):
    """`1e1` used to be 10."""
    qrels, results = "1 0 a 1e1\n1 0 b 2.9\n1 0 c 0x2\n1 0 d -1e3\n1 0 e 12\n", "1 Q0 {} 1 {} t\n"
    ranking = "".join(results.format(item, -place) for place, item in enumerate("abcde"))
    assert trec_eval("-q -n -m relstring", qrels, ranking) == ["relstring 1 '120.>'"]


def test_scores_may_be_hexadecimal(trec_eval):
    ranking = "1 Q0 a 1 0x1 t\n1 Q0 b 2 0x1A t\n1 Q0 c 3 0x1p-2 t\n1 Q0 0x9 4 -0X.8 0xFF\n"
    assert trec_eval("-q -n -m relstring", "1 0 a 1\n1 0 b 2\n1 0 c 3\n1 0 0x9 4\n", ranking) == ["relstring 1 '2134'"]


@pytest.mark.parametrize(("flags", "status"), [("", 4), ("-c", 7), ("--compat 9", 7), ("--compat 9 -c", 7)])
def test_no_topic_in_common(refused, flags, status):
    """Version 10 stops at the first missing topic; it used to be status 7."""
    code, message = refused(flags, "1 0 a 1\n", "2 Q0 a 1 1 t\n")
    assert code == status
    assert "no topic in common" in message


def test_a_first_topic_with_negative_grades_only_ends_with_status_4(trec_eval, refused):
    """16 of 1,500 random data sets ended with status 4 in C and with 0 here."""
    results = "1 Q0 a 1 1 t\n2 Q0 a 1 1 t\n"
    code, message = refused("--compat 9", "1 0 a -1\n2 0 a 1\n", results)
    assert code == 4
    assert "topic '1' is evaluated first and has no grade of 0 or more" in message
    later = trec_eval("--compat 9 -q -m map", "1 0 a 1\n2 0 a -1\n", results)
    assert later == ["map 1 1.0000", "map 2 0.0000", "map all 0.5000"]
    assert trec_eval("--compat 9 -m num_q", "1 0 a -1\n", results) == ["num_q all 1"]


def test_a_negative_level_is_refused(refused):
    """C takes unjudged items for relevant in some measures then: recall is 1.5 where the clone said 1."""
    code, message = refused("-l -1", "1 0 a 1\n", "1 Q0 a 1 1 t\n")
    assert code == 1
    assert "-l -1: must be at least 0" in message


def test_scores_too_large_for_single_precision_give_no_warning(trec_eval):
    """They are all infinite there, so that ids decide; NumPy used to write a RuntimeWarning to standard error."""
    results = "1 Q0 a 1 1e39 t\n1 Q0 b 2 2e39 t\n1 Q0 c 3 -1e300 t\n"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert trec_eval("--compat 9 -m recip_rank", "1 0 a 1\n", results) == ["recip_rank all 0.5000"]
        assert trec_eval("-m recip_rank", "1 0 b 1\n", results) == ["recip_rank all 1.0000"]


def test_eval_and_trec_eval_have_the_same_relevance_level(trec_eval):
    """Rndcg is 0 for a topic without items of the level in trec_eval; `--rule rel=2` used to ignore that."""
    qrels, results = (
        "1 0 a 1\n1 0 b 0\n2 0 a 2\n2 0 b 1\n",
        "".join(f"{topic} Q0 {item} 1 {score} t\n" for topic in "12" for item, score in (("b", 2), ("a", 1))),
    )
    printed = trec_eval("-q -l 2 -m Rndcg -m num_rel -m map --compat 9", qrels, results)
    judgments = {"1": {"a": 1, "b": 0}, "2": {"a": 2, "b": 1}}
    names = ("num_rel", "map", "Rndcg")
    rules = rg.preset("trec_eval-9").replace(rel=2)
    scores = rg.evaluate(judgments, {topic: {"b": 2, "a": 1} for topic in "12"}, names, convention=rules)
    for name in names:
        form = "{:g}" if name == "num_rel" else "{:.4f}"
        for topic, value in scores.per_query(name).items():
            assert f"{name} {topic} {form.format(value)}" in printed
        assert f"{name} all {form.format(scores.mean(name))}" in printed
    assert "Rndcg 1 0.0000" in printed


def test_eval_reports_a_comment_that_reads_like_a_row(tmp_path):
    """A topic whose id begins with # used to disappear without a note."""
    (tmp_path / "qrels").write_text("# topic 0 item 1\n#1 0 a 1\n2 0 a 1\n")
    (tmp_path / "run").write_text("2 Q0 a 1 1 t\n#1 Q0 a 1 1 t\n")
    scores = rg.evaluate(str(tmp_path / "qrels"), str(tmp_path / "run"), "AP")
    found = [str(finding) for finding in scores.findings if finding.code == "RG113"]
    assert len(found) == 1
    assert "2 comments" in found[0] or "qrels:2: skipped: '#1 0 a 1'" in found[0]
    assert sum(finding.count for finding in scores.findings if finding.code == "RG113") == 2
