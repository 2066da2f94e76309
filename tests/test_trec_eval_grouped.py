"""Judgments by several assessors from files to the output of trec_eval, and the page about them."""

import os
from pathlib import Path

import pytest

from command_line import trec_eval_failure, trec_eval_lines
from rankgauge.trec_eval.grouped_judgments import GROUP_MEANINGS
from rankgauge.trec_eval.preferences import PREFERENCE_MEANINGS

# Golden output

GOLDEN = Path(os.environ.get("RANKGAUGE_DATA", "")) / "trec_eval_test" / "test"
needs_golden = pytest.mark.skipif(not os.environ.get("RANKGAUGE_DATA"), reason="RANKGAUGE_DATA is not set")


@needs_golden
@pytest.mark.parametrize(
    ("flags", "judged", "results", "expected"),
    [
        ("-m all_prefs -q -R prefs", "prefs.test", "prefs.results.test", "out.test.prefs"),
        ("-m all_prefs -q -R prefs", "prefs.comment.test", "prefs.results.test", "out.test.prefs"),
        ("-m all_prefs -q -R qrels_prefs", "qrels.test", "results.test", "out.test.qrels_prefs"),
        ("-m qrels_jg -q -R qrels_jg", "qrels.123", "results.test", "out.test.qrels_jg"),
        ("-m qrels_jg -q -R qrels_jg", "qrels.comments.123", "results.test", "out.test.qrels_jg"),
    ],
)
def test_output_equals_that_of_trec_eval_byte_for_byte(flags, judged, results, expected):
    output = "".join(trec_eval_lines(*flags.split(), GOLDEN / judged, GOLDEN / results))

    assert output.encode() == (GOLDEN / expected).read_bytes()


# Files


@pytest.mark.parametrize(
    ("form", "text", "words"),
    [
        ("prefs", "1 g s a 1\n1 g a 1\n", ":2: expected 5 columns, found 4: '1 g a 1'"),
        ("prefs", "1 g s a 1 extra\n", ":1: expected 5 columns, found 6"),
        ("qrels_prefs", "# x\n1\n", ":2: expected 4 columns, found 1"),
        ("prefs", "1 g s a good\n", ":1: grade 'good' is not a number (query '1', item 'a')"),
        ("prefs", "1 g s a nan\n", "grade 'nan' is not a finite number"),
        ("qrels_jg", "1 g a 1_0\n", "grade '1_0' is not a number"),
        ("qrels_jg", "1 g a 1\n1 g a 1\n", ":2: item 'a' is judged twice (query '1', group 'g')"),
        ("qrels_jg", "# nothing else\n", "nothing in it"),
        ("prefs", "", "nothing in it"),
    ],
)
def test_invalid_lines_are_named(tmp_path, form, text, words):
    code, message = trec_eval_failure(
        *written(tmp_path, f"-R {form} -m {'qrels_jg' if form == 'qrels_jg' else 'prefs'}", text, ONE_ANSWER)
    )

    assert code == 2
    assert words in message


# The command line

TWO_TOPICS = "1 g 0 a 1\n1 g 0 b 0\n2 g 0 a 1\n2 g 0 b 0\n"
ONE_ANSWER = "1 Q0 b 1 0.5 mine\n1 Q0 a 2 0.6 mine\n3 Q0 a 1 0.5 mine\n"


def written(folder, flags, judgments, ranking):
    """Write two files and return the arguments of a call that reads them."""
    (folder / "judgments").write_text(judgments, encoding="utf-8")
    (folder / "run").write_text(ranking, encoding="utf-8")
    return [*flags.split(), folder / "judgments", folder / "run"]


@pytest.fixture
def trec_eval(tmp_path):
    """Run the clone on the text of two files and return its lines without padding."""
    return lambda *call: [" ".join(line.split()) for line in trec_eval_lines(*written(tmp_path, *call))]


POSSIBLE, SIMPLE = "prefs_num_prefs_poss", "prefs_simp"


def test_lines_are_read_with_comments_blanks_tabs_and_ids_of_any_script(trec_eval):
    text = "# people\n\n  查询 ann\ts1   文档#1 2\r\n 查询 ann s1 b -0.5\n#end"
    run = "查询 Q0 文档#1 1 0.5 mine\n查询 Q0 b 2 0.4 mine\n"

    assert trec_eval(f"-q -n -R prefs -m {POSSIBLE} -m {SIMPLE}", text, run) == [
        f"{POSSIBLE} 查询 1",
        f"{SIMPLE} 查询 1.0000",
    ]
    # a grade of 1.7 is 1, and of -1 unjudged
    grades = "1 g a 1.7\n1 g b -1\n"
    assert trec_eval("-n -q -R qrels_jg -m map_avgjg -l1", grades, ONE_ANSWER) == ["map_avgjg 1 1.0000"]
    assert trec_eval("-n -q -R qrels_jg -m map_avgjg -l2", grades, ONE_ANSWER) == ["map_avgjg 1 0.0000"]


@pytest.mark.parametrize(
    ("flags", "lines"),
    [
        ("--compat 9", [f"{POSSIBLE} 1 1", f"{SIMPLE} 1 1.0000", f"{POSSIBLE} all 1", f"{SIMPLE} all 1.0000"]),
        ("--compat 9 -c", [f"{POSSIBLE} 1 1", f"{SIMPLE} 1 1.0000", f"{POSSIBLE} all 1", f"{SIMPLE} all 0.5000"]),
        (
            "-c",
            [
                *(f"{POSSIBLE} 1 1", f"{SIMPLE} 1 1.0000", f"{POSSIBLE} 2 1", f"{SIMPLE} 2 0.0000"),
                *(f"{POSSIBLE} all 2", f"{SIMPLE} all 0.5000"),
            ],
        ),
        ("-c -n -M0", [f"{POSSIBLE} 1 1", f"{SIMPLE} 1 0.0000", f"{POSSIBLE} 2 1", f"{SIMPLE} 2 0.0000"]),
        ("-D1.1 -n -J", [f"{POSSIBLE} 1 1", f"{SIMPLE} 1 1.0000"]),
    ],
)
def test_topics_missing_from_the_run(trec_eval, flags, lines):
    assert trec_eval(f"-q -R prefs -m {POSSIBLE} -m {SIMPLE} {flags}", TWO_TOPICS, ONE_ANSWER) == lines


def test_qrels_are_read_as_preferences_and_as_groups(trec_eval):
    qrels = "1 ann a 1\n1 ann b 0\n1 bob a 0\n1 bob b 2\n"

    assert trec_eval("-R qrels_prefs -m prefs", qrels, ONE_ANSWER) == [
        "runid all mine", "num_q all 1", f"{POSSIBLE} all 2", "prefs_num_prefs_ful all 1", "prefs_num_prefs_ful_ret all 1",
        "prefs_simp all 0.5000", "prefs_pair all 0.5000", "prefs_avgjg all 0.5000",
    ]  # fmt: skip
    assert trec_eval("-R qrels_jg -m map_avgjg -m P_avgjg.1", qrels, ONE_ANSWER) == [
        "map_avgjg all 0.7500",  # (1 + 1/2) / 2
        "P_avgjg_1 all 0.5000",
    ]
    assert trec_eval("-R qrels_jg -m map_avgjg -l2 -J", qrels, ONE_ANSWER) == ["map_avgjg all 0.2500"]  # (0 + 1/2) / 2


@pytest.mark.parametrize(
    ("flags", "judgments", "ranking", "status", "words"),
    [
        ("-R prefs -m prefs", TWO_TOPICS, ONE_ANSWER, 4, "1 judged topic is not in the run, first '2'"),
        ("-R prefs -m prefs", "9 g 0 a 1\n", ONE_ANSWER, 4, "no topic in common"),
        ("-R prefs -m prefs -D1.7", TWO_TOPICS, ONE_ANSWER, 7, "topic '7' is not in the judgments"),
        ("-R prefs -m prefs", "1 g a 1\n", ONE_ANSWER, 2, ":1: expected 5 columns, found 4"),
        ("-R qrels_jg -m qrels_jg", "1 g a 1\n1 g a 1\n", ONE_ANSWER, 2, "item 'a' is judged twice"),
        ("-R prefs -m prefs", "1 g 0 a 1\n1 g 0 a 0\n", ONE_ANSWER, 4, "item 'a' has the levels 1 and 0"),
        ("-R prefs -m prefs", "1 g 0 a 1\n", "1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n", 4, "item 'a' more than once in topic '1'"),
        ("-R prefs -m map", TWO_TOPICS, ONE_ANSWER, 4, "map: requires judgments in the format qrels"),
        ("-m prefs_simp", TWO_TOPICS, ONE_ANSWER, 4, "requires judgments in the format prefs or qrels_prefs"),
    ],
)
def test_exit_statuses_and_messages(tmp_path, flags, judgments, ranking, status, words):
    code, message = trec_eval_failure(*written(tmp_path, flags, judgments, ranking))

    assert code == status
    assert words in message


def test_help_explains_the_measures():
    output = "".join(trec_eval_lines("-h", "-R", "prefs", "-m", "all_prefs"))

    assert [name for name, meaning in PREFERENCE_MEANINGS.items() if meaning.en not in output] == []


# The page


@pytest.mark.parametrize(("ending", "lang"), [(".md", "en"), (".zh-CN.md", "zh")])
def test_the_page_explains_every_measure_and_its_examples_are_right(tmp_path, ending, lang):
    page = (Path(__file__).parents[1] / "docs" / f"trec_eval-preferences{ending}").read_text(encoding="utf-8")
    blocks = [part.partition("```")[0] for part in page.split("```text\n")[1:]]
    for name, text in zip(("prefs.txt", "run.txt", "", "qrels.txt", ""), blocks, strict=True):
        if name:
            (tmp_path / name).write_text(text)
    commands = [part.partition("`")[0].split() for part in page.split("`rankgauge trec_eval ")[1:]]
    calls = [[str(tmp_path / word) if word.endswith(".txt") else word for word in words] for words in commands]

    assert "".join(trec_eval_lines(*calls[0])[2:]) == blocks[2]  # after runid and num_q
    assert "".join(trec_eval_lines(*calls[1])) == blocks[4]
    for name, meaning in {**PREFERENCE_MEANINGS, **GROUP_MEANINGS}.items():
        assert f"| `{name}` | {meaning.render(lang)} |\n" in page
