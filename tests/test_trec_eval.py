"""The trec_eval clone: values, output, options and exit statuses."""

import gzip
import math
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from command_line import here, trec_eval_lines
from command_line import trec_eval_failure as status
from reading import read_in_blocks_of

DATA = Path(__file__).parent / "data/trec_eval"
PARITY = Path(__file__).parents[1] / "parity"
QRELS = "1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 a 1\n"
RUN = "1 Q0 b 1 0.9 mine\n1 Q0 x 2 0.8 mine\n1 Q0 c 3 0.7 mine\n"


@pytest.fixture
def files(tmp_path):
    """Topic 1 with ranks b (grade 0), x (unjudged), c (grade 2); topic 2 is missing from the run."""
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    return [str(tmp_path / "qrels"), str(tmp_path / "run")]


def values(*arguments):
    """Printed values by measure and topic."""
    printed = {}
    for line in trec_eval_lines(*arguments):
        name, topic, value = line.rstrip("\n").split("\t")
        printed[name.rstrip(), topic] = value
    return printed


def names_in_help():
    """The measures, nicknames and long options that the help lists."""
    text = "".join(trec_eval_lines("-h"))
    measures = re.search(r"^Measures: (.+)$", text, re.MULTILINE)[1].split()
    nicknames = re.search(r"Nicknames: (.+)$", text, re.MULTILINE)[1].split(", ")
    return measures, nicknames, re.findall(r"--\w+", text)


# Against trec_eval 9 (tests/data/trec_eval/make.py)


def expected_of(level, judged_only):
    rows = [line.split("\t") for line in (DATA / "expected.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    return {
        (topic, name): float(value)
        for own_level, own_judged, topic, name, value in rows
        if (int(own_level), own_judged == "1") == (level, judged_only)
    }


@pytest.mark.parametrize(("level", "judged_only"), [(1, False), (2, False), (1, True)])
def test_output_equals_that_of_trec_eval_9(level, judged_only, tmp_path):
    """With ten digits as z-scores for a mean of 0 and a deviation of 1e-6."""
    expected = expected_of(level, judged_only)
    cutoffs = {}
    for _, name in expected:
        measure, _, number = name.rpartition("_")
        if number.replace(".", "").isdigit():
            cutoffs.setdefault(measure, []).append(number)
    plain = {name for _, name in expected} - {f"{m}_{number}" for m, numbers in cutoffs.items() for number in numbers}
    measures = [*plain, *(f"{measure}.{','.join(sorted({*numbers}))}" for measure, numbers in cutoffs.items())]
    flags = ["-q", "-n", "--compat", "9", f"-l{level}", *(["-J"] if judged_only else [])]
    arguments = [*flags, *(f"-m{name}" for name in measures), str(DATA / "qrels.txt"), str(DATA / "run.txt")]
    of_means = {key: value for key, value in expected.items() if key[1].startswith("gm_")}
    of_topics = {key: value for key, value in expected.items() if key not in of_means}

    (tmp_path / "norms").write_text("".join(f"{topic} {name} 0 1e-6\n" for topic, name in expected), encoding="utf-8")
    got = {
        (topic, name[1:]): float(text) / 1e6
        for (name, topic), text in values("-Z", tmp_path / "norms", *arguments).items()
    }
    assert got.keys() == of_topics.keys()
    assert [key for key in got if not math.isclose(got[key], of_topics[key], rel_tol=1e-9, abs_tol=1e-9)] == []

    means = values(*[flag for flag in arguments if flag != "-n"])
    for name in {name for _, name in of_means}:
        logarithms = [value for (_, measure), value in of_means.items() if measure == name]
        assert means[name, "all"] == f"{math.exp(sum(logarithms) / len(logarithms)):.4f}"

    printed = {
        f"{name:<22}\t{topic}\t{value:.0f}\n" if name.startswith("num_") else f"{name:<22}\t{topic}\t{value:6.4f}\n"
        for (topic, name), value in of_topics.items()
    }
    assert {*trec_eval_lines(*arguments)} == printed


def test_topics_are_sorted_by_bytes():
    printed = values("-q", "--compat", "9", "-m", "map", DATA / "qrels.txt", DATA / "run.txt")
    assert [topic for _, topic in printed] == ["1", "10", "2", "Ä3", "all"]


def test_random_data_agree_with_pytrec_eval():
    pytest.importorskip("pytrec_eval")
    sys.path.insert(0, str(PARITY))
    from trec_eval_worlds import compare, random_worlds

    counts = Counter()
    assert [one for some in random_worlds(200, seed=2) for one in compare(some, counts)] == []
    assert counts["compared"] > 20_000


# What each measure says


@pytest.mark.parametrize(
    ("measure", "name", "value"),
    [
        ("map", "map", (1 / 3) / 2),
        ("yaap", "yaap", math.log((1 + 1 / 3) / (1 + 2 - 1 / 3))),
        ("rbp", "rbp", 0.1 * 0.9**2 * 2 / 2),
        ("rbp.p=0.5", "rbp_p=0.5", 0.5 * 0.5**2),
        ("rbp.2=4,p=0.5", "rbp_2=4,p=0.5", 0.5 * 0.5**2),
        ("rbp_resid", "rbp_resid", 0.9**3 + 0.1 * 0.9),
        ("unj.2,5", "unj_5", 1 / 5),
        ("dcg", "dcg", 2 / math.log2(4)),
        ("ideal_dcg", "ideal_dcg", 2 + 1 / math.log2(3)),
        ("ndcg.1=0.2,2=0.9", "ndcg_1=0.2,2=0.9", (0.9 / 2) / (0.9 + 0.2 / math.log2(3))),
        ("ndcg.0=-1", "ndcg_0=-1", (-1 + 2 / 2) / (2 + 1 / math.log2(3))),
        ("set_F.4", "set_F_4", 5 * (1 / 3) * (1 / 2) / (4 / 3 + 1 / 2)),
        ("utility.1,-1,-1,0.5", "utility_1,-1,-1,0.5", 1 - 2 - 1 + 0.5 * (10 - 3 - 1)),
        ("11pt_avg.0.5,1", "11pt_avg_0.5,1", (1 / 3 + 0) / 2),
    ],
)
def test_hand_worked_values(files, measure, name, value):
    assert values("-q", "-n", "-c", "-N10", "-m", measure, *files)[name, "1"] == f"{value:6.4f}"


def test_relstring_and_counts(files):
    printed = values("-qcm", "relstring.2", "-mnum_ret", "-mnum_nonrel_judged_ret", *files)
    assert printed == {
        ("num_ret", "1"): "3", ("relstring_2", "1"): "'0-'", ("num_nonrel_judged_ret", "1"): "1",
        ("num_ret", "2"): "0", ("relstring_2", "2"): "''", ("num_nonrel_judged_ret", "2"): "0",
        ("num_ret", "all"): "3", ("num_nonrel_judged_ret", "all"): "1",
    }  # fmt: skip


def test_signs_of_relstring(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 12\n1 0 b -1\n1 0 c 9\n")
    (tmp_path / "run").write_text("".join(f"1 Q0 {item} 1 {9 - place} x\n" for place, item in enumerate("abcd")))
    files = [str(tmp_path / "qrels"), str(tmp_path / "run")]
    assert values("-qmrelstring", *files)["relstring", "1"] == "'>.9-'"
    assert values("-qJmrelstring", *files)["relstring", "1"] == "'>9'"
    assert values("-qJM2", "-mrelstring", *files)["relstring", "1"] == "'>'"


def test_a_topic_with_negative_grades_only_has_values(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 0\n2 0 a -1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 0.5 x\n2 Q0 a 1 0.5 x\n")
    printed = values("-q", "-m", "all_trec", str(tmp_path / "qrels"), str(tmp_path / "run"))
    assert (printed["num_rel", "2"], printed["map", "2"], printed["ndcg", "2"]) == ("0", "0.0000", "0.0000")


def test_a_level_above_all_grades(files):
    printed = values("-c", "-l7", "-m", "bpref", "-m", "num_rel", "-m", "ndcg", "-m", "Rndcg", *files)
    assert printed["bpref", "all"] == "0.0000"
    assert printed["Rndcg", "all"] == "0.0000"
    assert printed["ndcg", "all"] == f"{1 / (2 + 1 / math.log2(3)) / 2:.4f}"  # all grades count, whatever the level


# Where the versions differ


def test_missing_topics(files):
    code, message = status(*files)
    assert code == 4
    assert "'2'" in message
    assert "-c" in message
    assert values("--compat", "9", "-mnum_q", "-mmap", *files) == {("num_q", "all"): "1", ("map", "all"): "0.1667"}
    for version in "9", "10":
        printed = values("--compat", version, "-c", "-mnum_q", "-mmap", "-mgm_map", *files)
        assert printed == {("num_q", "all"): "2", ("map", "all"): "0.0833", ("gm_map", "all"): "0.0013"}


def test_lines_of_missing_topics_and_yaap(files):
    nine, ten = (values("--compat", version, "-q", "-c", "-m", "yaap", *files) for version in ("9", "10"))
    assert nine == {("yaap", "1"): "-0.6931", ("yaap", "all"): f"{math.log(0.5) / 2:.4f}"}
    assert ten == {("yaap", "1"): "-0.6931", ("yaap", "2"): f"{math.log(1 / 2):.4f}", ("yaap", "all"): "-0.6931"}


def test_with_all_topics_the_summary_counts_relevant_items_of_every_level(files):
    printed = values("-q", "-c", "-l2", "-m", "num_rel", *files)
    assert printed == {("num_rel", "1"): "1", ("num_rel", "2"): "0", ("num_rel", "all"): "3"}


def test_scores_equal_in_single_precision(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 0.100000001 x\n1 Q0 b 2 0.1 x\n")
    files = [str(tmp_path / "qrels"), str(tmp_path / "run")]
    assert values("-m", "recip_rank", *files)["recip_rank", "all"] == "1.0000"
    assert values("--compat", "9", "-m", "recip_rank", *files)["recip_rank", "all"] == "0.5000"


def test_measures_of_each_version(files):
    assert status("--compat", "9", "-m", "unj", *files)[0] == 1
    names = {name for name, _ in values("--compat", "9", "-m", "all_trec", *files)}
    assert not names & {"unj_5", "rbp", "rbp_resid", "dcg", "ideal_dcg", "yaap"}


# Options


def test_combined_flags_and_long_names_are_the_same(files):
    short = trec_eval_lines("-qncM2", "-l2", "-mP.5,3", "-JN9", *files)
    long = ["--query_eval_wanted", "--nosummary", "--complete_rel_info_wanted", "--Max_retrieved_per_topic", "2"]
    long += ["--level_for_rel=2", "--measure", "P.5,3", "--Judged_docs_only", "--Number_docs_in_coll", "9"]
    assert short == trec_eval_lines(*long, *files)
    assert short == trec_eval_lines(*files, *long)
    assert [line.split()[0] for line in short] == ["P_3", "P_5"] * 2


def test_one_topic_only(files):
    assert values("-D1.1", "-m", "num_q", *files) == {("num_q", "all"): "1"}
    assert status("-D1.77", *files)[0] == 7


def test_the_first_parameters_of_a_measure_count(files):
    assert {name for name, _ in values("-c", "-mP.3", "-mP.9", "-mofficial", "-mset", *files)} >= {"P_3", "set_P"}
    assert [name for name, _ in values("-c", "-mP.3", "-mP.9", "-mP", *files)] == ["P_3"]


def test_zscores(files, tmp_path):
    (tmp_path / "norms").write_text("1 map 0.1 0.1\n1 P_5 0.2 0\n1 num_ret 1 2\n")
    arguments = [
        "-q",
        "--compat",
        "9",
        "-Z",
        str(tmp_path / "norms"),
        "-mmap",
        "-mP.5,10",
        "-mnum_ret",
        "-mnum_q",
        *files,
    ]
    printed = [line for line in trec_eval_lines(*arguments) if "\t1\t" in line]
    assert printed == [
        f"Z{'num_ret':<22}\t1\t1.0000\n",
        f"Z{'map':<22}\t1\t{(1 / 6 - 0.1) / 0.1:.4f}\n",
        f"Z{'P_5':<22}\t1\t0.0000\n",
        f"Z{'P_10':<22}\t1\t-1000000.0000\n",
    ]
    (tmp_path / "norms").write_text("1 map 0.1\n")
    code, message = status(*arguments)
    assert code == 2
    assert "norms:1" in message


def test_compressed_files_and_fractional_grades(files, tmp_path):
    compressed = tmp_path / "run.gz"
    compressed.write_bytes(gzip.compress(RUN.encode()))
    assert trec_eval_lines("-c", files[0], str(compressed)) == trec_eval_lines("-c", *files)
    (tmp_path / "qrels").write_text("1 0 a 1.7\n1 0 b -0.5\n1 0 c 1e300\n")
    (tmp_path / "run").write_text("".join(f"1 Q0 {item} 1 {9 - place} x\n" for place, item in enumerate("abc")))
    assert values("-qnmrelstring", *files)["relstring", "1"] == "'101'"  # as C reads an integer


# How it ends


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["-m", "ndgc"], 1, ["ndgc", "did you mean 'ndcg'"]),
        (["-m", "P."], 1, ["parameters are missing"]),
        (["-l", "two"], 1, ["-l 'two'"]),
        (["--compat", "8"], 1, ["9 and 10"]),
        (["-x"], 1, ["-x", "usage"]),
        (["third"], 1, ["two files", "3"]),
        (["-m", "P.0"], 2, ["cutoff 0"]),
        (["-m", "P.5,5"], 2, ["twice"]),
        (["-m", "P.a"], 2, ["'a'"]),
        (["-m", "ndcg.1"], 2, ["name=number"]),
        (["-m", "ndcg.x=1"], 2, ["'x'"]),
        (["-m", "utility.1"], 2, ["4 parameters"]),
        (["-m", "rbp.p=2"], 2, ["between 0 and 1"]),
        (["-R", "nonsense"], 2, ["nonsense", "qrels"]),
        (["-T", "nonsense"], 2, ["trec_results"]),
        (["-Z", "/no/such/file"], 2, ["/no/such/file"]),
    ],
)
def test_invalid_arguments(files, arguments, code, words):
    ended, message = status("-c", *arguments, *files)
    assert ended == code
    assert all(word in message for word in words), message


@pytest.mark.parametrize(
    ("qrels", "results", "code", "words"),
    [
        ("1 0 a 1\n", "7 Q0 a 1 0.5 x\n", 7, ["no topic in common"]),
        ("1 0 a 1\n", "1 Q0 a 1 0.5\n", 2, ["column 6"]),
        ("1 0 a\n", RUN, 2, ["qrels:1"]),
        (QRELS, "1 Q0 a 1 high x\n", 2, ["run:1", "'high'"]),
        (QRELS, "", 2, ["has no data"]),
        (
            QRELS,
            RUN + RUN,
            4,
            ["more than once", "remedy: remove the duplicate; rankgauge eval has a rule for copies ("],
        ),
        ("query,item,grade\n1,a,1\n", RUN, 2, ["this command reads TREC files only", "rankgauge eval reads other"]),
        (QRELS + QRELS, RUN, 4, ["more than once"]),
        (QRELS + "1 0 a 2\n", RUN, 4, ["more than once"]),
    ],
)
def test_invalid_files(tmp_path, qrels, results, code, words):
    (tmp_path / "qrels").write_text(qrels)
    (tmp_path / "run").write_text(results)
    ended, message = status("-c", str(tmp_path / "qrels"), str(tmp_path / "run"))
    assert ended == code
    assert all(word in message for word in words), message


def test_a_run_is_evaluated_while_it_is_read(tmp_path, monkeypatch):
    """The run was held in memory as a whole: 560 MB for a file of 260 MB."""
    from rankgauge.trec_eval import qrels as module

    lines = [f"{topic} Q0 d{item} 0 {9 - item} mine\n" for topic in range(1, 41) for item in range(9)]
    (tmp_path / "qrels").write_text("".join(f"{topic} 0 d{topic % 9} 1\n" for topic in range(1, 41)))
    (tmp_path / "run").write_text("".join(lines))
    (tmp_path / "scattered").write_text("".join(lines[5:] + lines[:5]))
    paths = [str(tmp_path / name) for name in ("qrels", "run", "scattered")]
    at_once = trec_eval_lines("-q", *paths[:2])
    read_in_blocks_of(1024, monkeypatch)
    chunks, compute = [], module.apply_rules
    monkeypatch.setattr(module, "apply_rules", lambda *given: (chunks.append(1), compute(*given))[1])
    assert trec_eval_lines("-q", *paths[:2]) == at_once
    assert len(chunks) > 3
    assert trec_eval_lines("-q", paths[0], paths[2]) == at_once


@pytest.mark.parametrize("qrels", ["1 0 a 1\n1 0 a 1\n", "2 0 a 1\n"])
def test_an_invalid_line_of_the_run_is_reported_before_any_result(tmp_path, qrels):
    (tmp_path / "qrels").write_text(qrels)
    (tmp_path / "run").write_text(RUN + RUN + "1 Q0 short\n")
    code, message = status(str(tmp_path / "qrels"), str(tmp_path / "run"))
    assert code == 2
    assert "run:7: expected at least 5 columns" in message


def test_every_measure_is_explained_and_every_nickname_known():
    measures, nicknames, _ = names_in_help()
    assert len(measures) == 40
    text = "".join(trec_eval_lines("-h", *(f"-m{name}" for name in measures)))
    assert [name for name in measures if f"\n{name}\n    " not in text] == []
    for nickname in (name for name in nicknames if "prefs" not in name and "jg" not in name):
        described = "".join(trec_eval_lines("-h", f"-m{nickname}"))
        assert [name for name in re.findall(r"^(\w+)\n    ", described, re.MULTILINE) if name not in measures] == []


@pytest.mark.parametrize("ending", [".md", ".zh-CN.md"])
def test_the_pages_name_every_measure_nickname_and_option(ending):
    pages = (PARITY.parent / "docs" / f"{page}{ending}" for page in ("trec_eval", "trec_eval-preferences"))
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    names = [name for kind in names_in_help() for name in kind]
    assert [name for name in names if not re.search(rf"(`|-m ){re.escape(name)}\b", text)] == []


def command(*arguments, **how):
    line = [sys.executable, "-m", "rankgauge", "trec_eval", *arguments]
    return subprocess.run(line, capture_output=True, text=True, encoding="utf-8", check=False, **how)


def test_the_command_reads_standard_input(files):
    given = command("-qcM100", "-m", "P.5,7,3", files[0], "-", input=RUN)
    assert (given.returncode, given.stderr) == (0, "")
    assert given.stdout == "".join(trec_eval_lines("-qcM100", "-m", "P.5,7,3", *files))


@pytest.mark.parametrize(
    ("arguments", "code", "out", "err"),
    [
        (["-h", "-m", "map"], 0, "Average precision", ""),
        (["-v"], 0, "", "10.0"),
        (["-m", "nonsense", "a", "b"], 1, "", "unknown measure 'nonsense'"),
        (["/no/such/qrels", "/no/such/run"], 2, "", "/no/such/qrels"),
    ],
)
def test_exit_statuses_of_the_command(arguments, code, out, err):
    ended = command(*arguments)
    assert ended.returncode == code, ended.stderr
    assert out in ended.stdout
    assert err in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_closed_pipe_is_not_an_error(files):
    line = [sys.executable, "-m", "rankgauge", "trec_eval", "-q", "-c", "-m", "P." + ",".join(map(str, range(1, 2000)))]
    with subprocess.Popen([*line, *files], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait(60)


def test_rbp_residual_adds_up_as_c_does(tmp_path):
    """The weights are multiplied and the unjudged ones added in rank order, so that the printed digit agrees."""
    chance = random.Random(3)
    judgments, run, expected = [], [], {}
    for topic in range(400):
        weight, total, unjudged = 1.0, 0.0, 0
        for place in range(chance.randint(1, 8)):
            run.append(f"{topic} Q0 d{place} 0 {100 - place} r")
            if chance.random() < 0.5:
                judgments.append(f"{topic} 0 d{place} {chance.randint(0, 1)}")
            else:
                total, unjudged = total + weight, unjudged + 1
            weight *= 0.9
        judgments.append(f"{topic} 0 other 1")
        expected["rbp_resid", str(topic)] = f"{weight + (1 - 0.9) * total if unjudged else 0.0:6.4f}"
    for name, lines in (("qrels", judgments), ("run", run)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    printed = values("-q", "-n", "-m", "rbp_resid", str(tmp_path / "qrels"), str(tmp_path / "run"))
    assert {key: value for key, value in printed.items() if key[1] != "all"} == expected


def test_swapped_files_are_named(tmp_path):
    (tmp_path / "run").write_text("1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n", encoding="utf-8")
    (tmp_path / "qrels").write_text("1 0 a 1\n", encoding="utf-8")
    result = here("trec_eval", str(tmp_path / "run"), str(tmp_path / "qrels"))
    assert result.code == 2
    assert "the arguments look swapped: " in result.err
