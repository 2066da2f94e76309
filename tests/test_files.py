"""Reading files: every bad input has a decided outcome, and nothing is read wrong in silence."""

import bz2
import gzip
import importlib
import io
import json
import lzma
import math
import random
import re
import struct
import sys

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

import rankgauge as rg
from optional import needs
from reading import blocks, columns_read, counts, named, read_in_blocks_of, rows, rows_and_findings
from registries import CODES
from registries import FORMATS as REGISTRY

RUN = b"1 Q0 a 1 3.5 t\n1 Q0 b 2 2.5 t\n2 Q0 c 1 1.5 t\n"
RUN_ROWS = [("1", "a", 3.5), ("1", "b", 2.5), ("2", "c", 1.5)]
QRELS = b"1 0 a 1\n1 0 b 0\n2 0 c 2\n"
QRELS_ROWS = [("1", "a", 1.0), ("1", "b", 0.0), ("2", "c", 2.0)]


NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|infinity|nan)", re.IGNORECASE | re.ASCII)
"""What is read as a number."""


def run(data, *, name="run.txt", **options):
    """The rows of a ranking and the codes that were found, besides the guess of the format."""
    found, findings = rows_and_findings(named(data, name), "ranking", **options)
    return found, counts(findings)


def judgments(data, *, name="qrels.txt", **options):
    found, findings = rows_and_findings(named(data, name), "judgments", **options)
    return found, counts(findings)


# The bad inputs of the reference, one by one: (name, run, what strict says, rows and findings when lenient)

BAD_RUNS = {
    "NaN score": (
        b"1 Q0 a 1 nan t\n" + RUN,
        r"run\.txt:1: score 'nan' is NaN.*\(query '1', item 'a'\) \[RG202\]",
        RUN_ROWS, {"RG202": 1},
    ),
    "score is a word": (
        RUN + b"9 Q0 x 1 abc t\n",
        r"run\.txt:4: score 'abc' is not a number \(query '9', item 'x'\) \[RG201\]",
        RUN_ROWS, {"RG201": 1},
    ),
    "decimal comma": (RUN + b"9 Q0 x 1 3,5 t\n", r"run\.txt:4: score '3,5' is not a number", RUN_ROWS, {"RG201": 1}),
    "hexadecimal": (RUN + b"9 Q0 x 1 0x10 t\n", r"run\.txt:4: score '0x10'", RUN_ROWS, {"RG201": 1}),
    "underscore": (RUN + b"9 Q0 x 1 1_000 t\n", r"run\.txt:4: score '1_000'", RUN_ROWS, {"RG201": 1}),
    "foreign digits": (RUN + "9 Q0 x 1 ١ t\n".encode(), r"run\.txt:4: score '١'", RUN_ROWS, {"RG201": 1}),
    "quoted score": (RUN + b'9 Q0 x 1 "1.5" t\n', r"run\.txt:4: score", RUN_ROWS, {"RG201": 1}),
    "three columns": (
        RUN + b"9 Q0 x\n", r"run\.txt:4: expected at least 5 columns, found 3: '9 Q0 x' \[RG108\]", RUN_ROWS, {"RG108": 1},
    ),
    "cut off in the last score": (RUN + b"9 Q0 x 2 1", r"run\.txt:4: the file ends in a line of 5 columns, where others have 6: '9 Q0 x 2 1'", RUN_ROWS, {"RG108": 1}),
    "four columns": (RUN + b"9 Q0 x 1\n", r"run\.txt:4: expected at least 5 columns, found 4", RUN_ROWS, {"RG108": 1}),
    "header": (
        b"qid Q0 docid rank score tag\n" + RUN, r"run\.txt:1: a header line.*remedy: remove the line", RUN_ROWS, {"RG107": 1},
    ),
    "NUL byte": (RUN + b"9 Q0 x\0y 1 1.0 t\n", r"run\.txt:4: NUL byte", RUN_ROWS, {"RG104": 1}),
}  # fmt: skip


@pytest.mark.parametrize("block_bytes", [16, 1 << 20])
@pytest.mark.parametrize("case", BAD_RUNS)
def test_an_invalid_line_of_a_run_is_reported(case, block_bytes):
    data, message, rows, found = BAD_RUNS[case]

    with pytest.raises(rg.InputError, match="(?s)" + message):
        run(data, block_bytes=block_bytes, format="trec")
    assert run(data, lenient=True, block_bytes=block_bytes, format="trec") == (rows, found)


def test_a_binary_file_is_one_problem():
    """Random bytes were reported line by line, in dozens of lines."""
    data = np.random.default_rng(1).integers(0, 256, 100_000, dtype=np.uint8).tobytes()
    for lenient in (False, True):
        with pytest.raises(rg.InputError, match=r"run\.txt: not a text file \[RG104\]") as caught:
            run(data, lenient=lenient, format="trec")
        assert caught.value.codes == ("RG104",)


BAD_QRELS = {
    "grade is a word": (QRELS + b"3 0 d high\n", r"qrels\.txt:4: grade 'high' is not a number \(query '3', item 'd'\)", {"RG204": 1}),
    "grade is NaN": (QRELS + b"3 0 d nan\n", r"qrels\.txt:4: grade 'nan' is not a finite number", {"RG204": 1}),
    "grade is infinite": (QRELS + b"3 0 d inf\n", r"qrels\.txt:4: grade 'inf'", {"RG204": 1}),
    "header": (b"qid iter docid rel\n" + QRELS, r"qrels\.txt:1: a header line", {"RG107": 1}),
    "five columns": (QRELS + b"3 0 d 1 0.5\n", r"qrels\.txt:4: expected 4 columns, found 5", {"RG108": 1}),
    "five and three columns": (QRELS + b"3 0 d 1 0.5\n3 0 1\n", r"2 problems.*:4: expected 4 columns, found 5.*:5: expected 4 columns, found 3", {"RG108": 2}),
}  # fmt: skip


@pytest.mark.parametrize("block_bytes", [16, 1 << 20])
@pytest.mark.parametrize("case", BAD_QRELS)
def test_an_invalid_line_of_judgments_is_reported(case, block_bytes):
    data, message, found = BAD_QRELS[case]
    if block_bytes > 16 or "problems" not in message:  # small blocks stop before the second problem
        with pytest.raises(rg.InputError, match="(?s)" + message):
            judgments(data, block_bytes=block_bytes, format="trec")
    assert judgments(data, lenient=True, block_bytes=block_bytes, format="trec") == (QRELS_ROWS, found)


@pytest.mark.parametrize("block_bytes", [16, 1 << 20])
@pytest.mark.parametrize("word", ["caf\xe9".encode("latin-1"), "\u767d\u8272 \u8fd0\u52a8\u978b".encode("gb18030")])
def test_text_that_is_not_utf_8_is_refused_in_lenient_reading_as_well(word, block_bytes):
    """It was read as Latin-1, in which Chinese queries became others, which matched nothing."""
    data = RUN + b"9 Q0 " + word.replace(b" ", b"_") + b" 1 1.0 t\n"
    for lenient in (False, True):
        with pytest.raises(rg.InputError, match=r"(?s)run\.txt:4: not UTF-8.*GB18030") as caught:
            run(data, lenient=lenient, block_bytes=block_bytes, format="trec")
        assert caught.value.codes == ("RG103",)


FINE_RUNS = {
    "blank lines": (b"\n\n" + RUN.replace(b"\n", b"\n\n"), {}),
    "blank lines with blanks": (b" \t\n" + RUN.replace(b"\n", b"\n  \n"), {}),
    "BOM": (b"\xef\xbb\xbf" + RUN, {"RG105": 1}),
    "BOM within joined files": (RUN[:15] + b"\xef\xbb\xbf" + RUN[15:], {"RG105": 1}),
    "BOM before a blank line": (b"\xef\xbb\xbf\n" + RUN, {"RG105": 1}),
    "CRLF": (RUN.replace(b"\n", b"\r\n"), {}),
    "line ends of old Macs": (RUN.replace(b"\n", b"\r"), {}),
    "tabs": (RUN.replace(b" ", b"\t"), {}),
    "several blanks": (RUN.replace(b" ", b"   "), {}),
    "blanks and tabs": (RUN.replace(b" Q0", b"\t Q0\t"), {}),
    "one tab": (RUN.replace(b" Q0 b", b"\tQ0 b"), {}),
    "form feeds": (RUN.replace(b" ", b"\f\v"), {}),
    "leading blanks": (b"  " + RUN.replace(b"\n", b"\n "), {}),
    "trailing blanks": (RUN.replace(b"\n", b" \n"), {}),
    "double blank in one line": (RUN.replace(b"b 2 2.5", b"b  2 2.5"), {}),
    "comments": (b"# made by x\n" + RUN.replace(b"\n", b"\n  # why\n"), {}),
    "no final newline": (RUN[:-1], {}),
    "no tag and no final newline": (RUN.replace(b" t\n", b"\n")[:-1], {"RG109": 3}),
    "no tag": (RUN.replace(b" t\n", b"\n"), {"RG109": 3}),
    "no tag in one line": (RUN.replace(b"2.5 t\n", b"2.5\n"), {"RG109": 1}),
    "tag with blanks": (RUN.replace(b" t\n", b" my best run\n"), {}),
    "tag with blanks in one line": (RUN.replace(b"2.5 t\n", b"2.5 my best run\n"), {}),
    "scientific notation": (RUN.replace(b"3.5", b"35e-1").replace(b"2.5", b"+.25E1"), {}),
    "quotes in the tag": (RUN.replace(b" t\n", b' "t\n'), {}),
}


@pytest.mark.parametrize("block_bytes", [16, 1 << 20])
@pytest.mark.parametrize("case", FINE_RUNS)
def test_an_unusual_run_that_is_valid(case, block_bytes):
    data, found = FINE_RUNS[case]

    assert run(data, block_bytes=block_bytes) == (RUN_ROWS, found)


@pytest.mark.parametrize(
    ("id_", "what"),
    [('"', "quote"), ("a\u00a0b", "NBSP"), ("a\u3000b", "wide blank"), ("a#b", "hash"), ("文档", "Chinese"), ("a,b", "comma"),
     ("null", "null"), ("NA", "NA"), ("007", "zeros"), ("1e5", "number"), ("x\x1cy", "control"), ("\u2028", "line separator")],
)  # fmt: skip
def test_ids_stay_as_they_are(id_, what):
    line = f"{id_} Q0 {id_} 1 1.5 t\n"

    for data in (line, line.replace(" ", "\t"), line.replace(" ", "  "), RUN.decode() + line):
        assert run(data)[0][-1] == (id_, id_, 1.5), what
    assert judgments(f"{id_} 0 {id_} 1\n")[0] == [(id_, id_, 1.0)]


def test_a_very_long_id_is_read_and_noted():
    long = "x" * 200_000

    assert run(f"1 Q0 {long} 1 1.5 t\n") == ([("1", long, 1.5)], {"RG209": 1})
    assert run(f'query,item,score\n1,"{long}""",1.5\n')[0] == [("1", long + '"', 1.5)]


def test_infinite_scores_are_kept_with_a_warning():
    rows, found = run(b"1 Q0 a 1 inf t\n1 Q0 b 2 1e400 t\n1 Q0 c 3 -Infinity t\n")

    assert rows == [("1", "a", math.inf), ("1", "b", math.inf), ("1", "c", -math.inf)]
    assert found == {"RG203": 3}


def test_scores_keep_double_precision():
    assert run(b"1 Q0 a 1 0.1234567890123456 t\n1 Q0 b 2 0.1234567890123455 t\n")[0] == [
        ("1", "a", 0.1234567890123456),
        ("1", "b", 0.1234567890123455),
    ]


def test_valid_grades_that_are_noted():
    rows, found = judgments(b"1 0 a -1\n1 4.5 b 1.7\n1 0 c 4e9\n1 Q0 d 2.0\n")

    assert [row[2] for row in rows] == [-1, 1.7, 4e9, 2]
    assert found == {"RG205": 1, "RG206": 1, "RG207": 1}


@pytest.mark.parametrize("block_bytes", [1 << 20, 40])
def test_a_rank_that_contradicts_the_score_is_noted(block_bytes):
    listed_by_rank = b"1 Q0 a 1 1.5 t\n1 Q0 b 2 2.5 t\n2 Q0 a 1 9 t\n"
    listed_by_score = b"1 Q0 b 2 2.5 t\n1 Q0 a 1 1.5 t\n"

    assert run(listed_by_rank, block_bytes=block_bytes)[1] == {"RG210": 1}
    assert run(listed_by_rank.replace(b" ", b"  "))[1] == {"RG210": 1}
    assert run(listed_by_score)[1] == {"RG210": 1}
    assert run(b"1 Q0 b 2 1.5 t\n1 Q0 a 1 2.5 t\n")[1] == {}  # any order of lines will do
    assert run(RUN + b"3 Q0 x - 1 t\n3 Q0 y - 2 t\n")[1] == {}  # a rank that is no number says nothing


@pytest.mark.parametrize("data", [b"", b"\n", b" \n\t\n", b"# nothing\n", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)])
@pytest.mark.parametrize("lenient", [True, False])
def test_empty_files_are_refused(data, lenient):
    for read in (run, judgments):
        with pytest.raises(rg.InputError, match="has no data"):
            read(data, lenient=lenient)


@pytest.mark.parametrize("data", [b"query,item,score,grade\n", b"\n", b""])
def test_empty_tables_are_refused(data):
    for read in (run, judgments):
        with pytest.raises(rg.InputError, match="has no data"):
            read(data, format="csv")


def test_many_problems_are_reported_together():
    data = b"".join(b"1 Q0 d%d 1 x%d t\n" % (i, i) for i in range(20)) + b"1 Q0 e\n" + b"2 Q0 f 1 nan t\n"

    with pytest.raises(rg.InputError) as caught:
        run(data)
    message = str(caught.value)
    assert message.startswith("22 problems of 3 kinds:\nrun.txt:21: expected at least 5 columns, found 3")
    assert message.count("is not a number (") == 5
    for part in ("run.txt:1: score 'x0'", "and 15 more of this kind [RG201]", "run.txt:22: score 'nan'", "remedy: "):
        assert part in message
    assert run(data + RUN, lenient=True) == (RUN_ROWS, {"RG108": 1, "RG201": 20, "RG202": 1})


def test_strict_reading_stops_after_the_block_of_the_first_problem():
    data = RUN + b"9 Q0 x 1 abc t\n" + RUN * 1000
    before = []
    with pytest.raises(rg.InputError, match=r"run\.txt:4:"):
        before.extend(blocks(named(data, "run.txt"), "ranking", block_bytes=len(RUN) + 1))

    assert len(before) == 1


def test_line_numbers_count_all_lines():
    data = b"# comment\r\n\r\n" + RUN.replace(b"\n", b"\r\n") * 50 + b"9  Q0 x 1 abc t\r\n"
    for block_bytes in (16, 100, 1 << 20):
        with pytest.raises(rg.InputError, match=r"run\.txt:153: "):
            run(data, block_bytes=block_bytes)


@pytest.mark.parametrize("format_", ["trec", "csv", "jsonl"])
def test_an_invalid_line_late_in_a_large_block(format_):
    rows = [(str(place // 1000), f"d{place}", 1.0 * -place) for place in range(20_000)]
    write = {
        "trec": lambda query, item, score: f"{query} Q0 {item} 1 {score} t\n",
        "csv": lambda query, item, score: f'"{query}",{item},{score}\n',
        "jsonl": lambda query, item, score: f'{{"query": "{query}", "item": "{item}", "score": {score}}}\n',
    }[format_]
    lines = [write(*row) for row in rows]
    lines[15_000] = write("15", "d15000", '"abc"' if format_ == "jsonl" else "abc")
    text = ("query,item,score\n" if format_ == "csv" else "") + "".join(lines)

    with pytest.raises(rg.InputError, match=rf":{15_002 if format_ == 'csv' else 15_001}: score 'abc'"):
        run(text)
    assert run(text, lenient=True) == (rows[:15_000] + rows[15_001:], {"RG201": 1})


def test_utf16_is_named():
    with pytest.raises(rg.InputError, match="UTF-16"):
        run("1 Q0 a 1 3.5 t\n".encode("utf-16"), lenient=True)


# Hypothesis: a world written in any mix of ways reads back the same

IDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters="#\ufeff"), min_size=1, max_size=6)
SCORES = st.floats(allow_nan=False, allow_infinity=False)
WORLDS = st.lists(st.tuples(IDS, IDS, SCORES), min_size=1, max_size=12)
BLANKS = st.sampled_from([" ", "\t", "  ", " \t ", "\t\t", "\f "])
ENDS = st.sampled_from(["\n", "\r\n", " \n", "\n\n", "\n# note\n", "\n \t\n"])


@settings(max_examples=150, deadline=None)
@given(st.data(), WORLDS, st.integers(16, 200), st.booleans())
def test_runs_with_any_whitespace_are_read_back(data, world, block_bytes, regular):
    gaps = st.just(data.draw(st.sampled_from([" ", "\t"]))) if regular else BLANKS
    ends = st.just("\n") if regular else ENDS
    text = data.draw(st.sampled_from(["", "\ufeff"]))
    for place, (query, item, score) in enumerate(world):
        tag = data.draw(st.sampled_from([["tag"], ["my", "tag"], []]))
        last = tag
        fields = [query, "Q0", item, str(place), repr(score), *tag]
        text += data.draw(st.sampled_from(["", "", " ", "\t"])) if not regular else ""
        text += "".join(field + data.draw(gaps) for field in fields[:-1]) + fields[-1] + data.draw(ends)
    text = data.draw(st.sampled_from([text, text.rstrip()])) if last else text  # else it seems cut off

    assert run(text, block_bytes=block_bytes)[0] == world
    assert run(text, lenient=True, format="trec")[0] == world


@settings(max_examples=100, deadline=None)
@given(st.data(), WORLDS, st.integers(16, 200))
def test_judgments_with_any_whitespace_are_read_back(data, world, block_bytes):
    text = "".join(
        "".join(field + data.draw(BLANKS) for field in (query, "0", item)) + repr(grade) + data.draw(ENDS)
        for query, item, grade in world
    )

    assert judgments(text, block_bytes=block_bytes)[0] == world


PIECES = [
    "a",
    "1",
    ".",
    " ",
    " ",
    "\t",
    "\n",
    "\n",
    '"',
    "#",
    "-",
    "e",
    "\r",
    "\0",
    "é",
    "Q0 ",
    "1 Q0 d 1 ",
    "2.5",
    "nan",
    "\ufeff",
]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.lists(st.sampled_from(PIECES), max_size=30), st.integers(1, 60))
@example(["1 Q0 d  1 2.5 tag\n"], 16)
@example([" ", "\ufeff", " ", "1 Q0 d 1 "], 1)
def test_any_text_is_read_as_the_grammar_defines(pieces, block_bytes):
    """Against the obvious loop: split each line at ASCII blanks, take fields 0, 2 and 4."""
    text = "".join(pieces)
    assume(not text.startswith(("{", "[")))
    expected = []
    for raw in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        line = raw.lstrip("\ufeff").encode()
        fields = line.split()
        if len(fields) < 5 or b"\0" in line or fields[0].startswith(b"#") or not NUMBER.fullmatch(fields[4].decode()):
            continue
        if len(fields) == 5 and NUMBER.fullmatch(fields[3].decode()) and float(fields[3]) % 1:
            continue  # a score in the place of the rank
        if not math.isnan(float(fields[4])):
            expected.append((fields[0].decode(), fields[2].decode(), float(fields[4])))
    try:
        rows, _ = run(text, lenient=True, block_bytes=block_bytes, format="trec", may_be_invalid=True)
    except rg.InputError as error:
        assert "has no data" in str(error)
        rows = []

    assert rows == expected


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("0123456789.eE+-_xinfatyNI,"), min_size=1, max_size=8))
def test_polars_and_the_grammar_of_numbers_agree(text):
    regular = run(f"1 Q0 d 1 {text} t\n", lenient=True, may_be_invalid=True)
    careful = run(f"1 Q0 d 1  {text} t\n# to the slow way\n1 Q0\n", lenient=True, may_be_invalid=True)

    assert regular[0] == careful[0]
    assert bool(NUMBER.fullmatch(text)) == ("RG201" not in regular[1])


def test_numbers_are_read_to_the_last_digit():
    source_of_bits = random.Random(1)
    values = [struct.unpack("d", source_of_bits.randbytes(8))[0] for _ in range(3000)]
    values = [value for value in values if math.isfinite(value)]
    texts = [source_of_bits.choice(["%r", "%.25g", "%.17e"]) % value for value in values]
    rows, _ = run("".join(f"1 Q0 d 1 {text} t\n" for text in texts))

    assert [row[2] for row in rows] == [float(text) for text in texts]


# Every format and every compression

FRAME = pl.DataFrame({"query": ["1", "1", "2"], "item": ["a", "b", "c"], "score": [3.5, 2.5, 1.5]})


def written(writer, **options):
    buffer = io.BytesIO()
    getattr(FRAME, writer)(buffer, **options)
    return buffer.getvalue()


FORMATS = {
    "trec": lambda: RUN,
    "csv": lambda: written("write_csv"),
    "tsv": lambda: written("write_csv", separator="\t"),
    "jsonl": lambda: written("write_ndjson"),
    "parquet": lambda: written("write_parquet"),
    "arrow": lambda: written("write_ipc", compression="uncompressed"),
    "arrow stream": lambda: written("write_ipc_stream"),
    "semicolons": lambda: written("write_csv", separator=";"),
    "quoted csv": lambda: written("write_csv", quote_style="always"),
    "csv with BOM and CRLF": lambda: b"\xef\xbb\xbf" + written("write_csv").replace(b"\n", b"\r\n"),
}
"""Written when they are needed: a process that has started polars' threads cannot be forked, as `make mutants` does."""
PACKERS = {"plain": bytes, "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


@pytest.mark.parametrize(
    "format_", ["trec", "csv", "tsv", "jsonl", "semicolons", "quoted csv", "csv with BOM and CRLF"]
)
def test_regular_files_take_the_fast_path(monkeypatch, format_):
    for row in REGISTRY:
        if isinstance(row.codec.parser, type):
            monkeypatch.setattr(row.codec.parser, "parse_exactly", None)

    assert run(FORMATS[format_]())[0] == RUN_ROWS


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_in_every_compression(tmp_path, format_, packer):
    path = tmp_path / "misleading.name.txt"
    path.write_bytes(PACKERS[packer](FORMATS[format_]()))
    for place in (path, str(path), named(path.read_bytes(), "x")):
        for block_bytes in (16, 1 << 20):
            seen = []
            assert rows(place, "ranking", block_bytes=block_bytes, on_read=seen.append) == RUN_ROWS
            assert seen == sorted(seen)
            assert seen[-1] == path.stat().st_size
            if hasattr(place, "seek"):
                place.seek(0)


@pytest.mark.parametrize("format_", FORMATS)
def test_judgments_in_every_format(format_):
    if format_ == "trec":
        return
    assert judgments(FORMATS[format_]())[0] == RUN_ROWS  # BEIR calls the grade `score`


@pytest.mark.parametrize("packer", ["gz", "bz2", "xz"])
def test_archives_of_several_members(packer):
    pack = PACKERS[packer]

    assert run(pack(RUN) + pack(RUN[:20]) + pack(b"") + pack(RUN[20:]))[0] == RUN_ROWS * 2
    assert run(gzip.compress(RUN) + b"\0" * 512)[0] == RUN_ROWS  # padding of tapes and blocks


@pytest.mark.parametrize("packer", ["gz", "bz2", "xz"])
@pytest.mark.parametrize("lenient", [True, False])
def test_a_damaged_archive_is_an_error(packer, lenient):
    whole = PACKERS[packer]("".join(f"1 Q0 {i} {i} {random.random()} t\n" for i in range(5000)).encode())
    cut, garbage = whole[:-9], whole + b"garbage"
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 0x55
    for broken in (cut, whole[: len(whole) // 2], whole[:12], garbage, bytes(flipped)):
        with pytest.raises(rg.InputError, match=r"run\.txt: the .* archive is damaged or truncated.*bytes read.*RG102"):
            run(broken, lenient=lenient, format="trec")


@pytest.mark.parametrize("installed", [True, False])
def test_gzip_is_the_same_with_and_without_the_faster_module(installed, monkeypatch):
    if installed:
        needs("isal")
    else:
        monkeypatch.setitem(sys.modules, "isal", None)
        monkeypatch.setitem(sys.modules, "isal.isal_zlib", None)
    lines = b"".join(b"q%d Q0 d%d 1 %d.5 t\n" % (number // 10, number, number) for number in range(200_000))
    packed = gzip.compress(lines[:99]) + bytes(7) + gzip.compress(lines[99:])
    assert run(packed)[0] == run(lines)[0]
    flipped = bytearray(packed)
    flipped[-6] ^= 0x55  # the checksum
    for broken in (packed[:-3], bytes(flipped), packed + b"garbage"):
        with pytest.raises(rg.InputError, match=r"the gzip archive is damaged or truncated: .* \(.*RG102"):
            run(broken, format="trec")


def zstd_module():
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError:
            continue
    return None


def test_zstd_works_or_says_what_to_install():
    zstd = zstd_module()
    if zstd is None:
        with pytest.raises(rg.InputError, match=r"run\.txt: .*backports\.zstd, .*pip install 'rankgauge\[zstd\]'"):
            run(b"\x28\xb5\x2f\xfd" + b"\0" * 20)
        return
    packed = zstd.compress(RUN)
    assert run(packed + packed)[0] == RUN_ROWS * 2
    with pytest.raises(rg.InputError, match="RG102"):
        run(packed[:-3], format="trec")


def test_standard_input_and_text_files(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(RUN))))
    assert rows("-", "ranking") == RUN_ROWS
    accented = "1 Q0 é文 1 3.5 t\n" * 50
    for block_bytes in (16, 1 << 20):
        assert rows(io.StringIO(accented), "ranking", block_bytes=block_bytes) == [("1", "é文", 3.5)] * 50
    path = tmp_path / "run.txt"
    path.write_text(accented, encoding="utf-8")
    with path.open(encoding="latin-1") as file:
        assert rows(file, "ranking")[0] == ("1", "é文", 3.5)
        assert not file.closed


def test_a_lone_surrogate_is_an_error_not_a_crash():
    with pytest.raises(rg.InputError, match=r"RG10[34]"):
        rows(io.StringIO("1 Q0 \ud800 1 3.5 t\n"), "ranking")
    with pytest.raises(rg.InputError, match=r"RG10[34]"):
        run('{"query": "1", "item": "\\ud800", "score": 1}\n')


def test_files_that_cannot_be_opened_are_reported(tmp_path):
    with pytest.raises(rg.InputError, match="No such file"):
        rg.read(tmp_path / "none")
    with pytest.raises(rg.ParameterError, match="format must be one of 'trec'"):
        run(RUN, format="xls")
    with pytest.raises(rg.ParameterError, match="columns cannot be used"):
        run(RUN, format="trec", columns={"query": "a"})


# Tables

BAD_TABLES = {
    "score is a word": ("csv", "query,item,score\n1,a,3.5\n1,b,abc\n", r":3: score 'abc' is not a number \(query '1', item 'b'\)", {"RG201": 1}),
    "decimal comma": ("csv", "query,item,score\n1,a,3.5\n1,b,3,5\n", r":3: expected 3 columns, found 4", {"RG108": 1}),
    "too many, one empty": ("csv", "query,item,score\n1,a,3.5\n1,b,3,,5\n", r":3: expected 3 columns, found 5", {"RG108": 1}),
    "too few": ("csv", "query,item,score,tag\n1,a,3.5,t\n1,b,2\n", r":3: expected 4 columns, found 3", {"RG108": 1}),
    "empty id": ("csv", "query,item,score\n1,a,3.5\n1,,2\n", r":3: the item id is empty", {"RG208": 1}),
    "empty score": ("csv", "query,item,score\n1,a,3.5\n1,b,\n", r":3: score is missing", {"RG201": 1}),
    "NaN": ("tsv", "query\titem\tscore\n1\ta\t3.5\n1\tb\tNaN\n", r":3: score 'NaN'", {"RG202": 1}),
    "lone quote": ("csv", 'query,item,score\n"1",a,3.5\n1,c,"', r":3: not a record", {"RG110": 1}),
    "open quote": ("csv", 'score,query,item\n3.5,1,a\n2,1,"b\n', r":3: not a record", {"RG110": 1}),
    "not JSON": ("jsonl", '{"query": 1, "item": "a", "score": 3.5}\n{"query": 1, "item"\n', r":2: not JSON", {"RG110": 1}),
    "not an object": ("jsonl", '{"query": 1, "item": "a", "score": 3.5}\n[1]\n', r":2: not a JSON object", {"RG110": 1}),
    "key missing": ("jsonl", '{"query": 1, "item": "a", "score": 3.5}\n{"query": 1, "item": 2}\n', r":2: score is missing", {"RG201": 1}),
    "key twice": ("jsonl", '{"query":1,"item":"a","score":3.5}\n{"query":1,"item":"b","score":1,"score":2}\n', r":2: not JSON: a key", {"RG110": 1}),
    "JSON NaN": ("jsonl", '{"query": 1, "item": "a", "score": 3.5}\n{"query": 1, "item": 2, "score": NaN}\n', r":2: score 'nan'", {"RG202": 1}),
    "nested id": ("jsonl", '{"query": 1, "item": "a", "score": 3.5}\n{"query": 1, "item": null, "score": 1}\n', r":2: the item id", {"RG208": 1}),
}  # fmt: skip


@pytest.mark.parametrize("block_bytes", [16, 1 << 20])
@pytest.mark.parametrize("case", BAD_TABLES)
def test_an_invalid_row_of_a_table_is_reported(case, block_bytes):
    format_, text, message, found = BAD_TABLES[case]

    with pytest.raises(rg.InputError, match=r"t\.x" + message):
        run(text, name="t.x", block_bytes=block_bytes, format=format_)
    assert run(text, name="t.x", lenient=True, block_bytes=block_bytes) == ([("1", "a", 3.5)], found)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(st.text(min_size=1, max_size=5), st.text(min_size=1, max_size=5), SCORES), min_size=1, max_size=10
    ),
    st.sampled_from(["csv", "tsv", "jsonl"]),
    st.integers(16, 200),
)
def test_tables_of_any_ids_read_back(world, format_, block_bytes):
    assume(not any(set(query + item) & {"\0", "\r"} for query, item, _ in world))
    assume(all((query + item).isprintable() or format_ == "jsonl" for query, item, _ in world))
    assume(not any("\ufeff" in query for query, _, _ in world))
    frame = pl.DataFrame(world, schema=["query", "item", "score"], orient="row")
    if format_ == "jsonl":
        text = "".join(json.dumps(row) + "\n" for row in frame.to_dicts())
    else:
        text = frame.write_csv(separator="\t" if format_ == "tsv" else ",", float_scientific=True)

    assert run(text, block_bytes=block_bytes, format=format_)[0] == world


def test_newlines_and_quotes_within_csv_fields():
    text = 'query,item,score\n"q\n1","a ""x"", b",1.5\n' + 'q2,5" disk,2.5\n' * 3

    for block_bytes in (16, 40, 1 << 20):
        assert run(text, block_bytes=block_bytes)[0] == [("q\n1", 'a "x", b', 1.5)] + [("q2", '5" disk', 2.5)] * 3


def test_a_rank_without_a_score_orders():
    assert run("query,item,rank\n1,a,1\n1,b,2\n")[0] == [("1", "a", -1.0), ("1", "b", -2.0)]
    assert run('{"q": 1, "doc": "a", "rank": 1}\n')[0] == [("1", "a", -1.0)]


def test_a_table_without_header_takes_positions():
    positions = {"query": "1", "item": "2", "rank": "3"}

    assert run("300\t77\t1\n300\t78\t2\n", columns=positions)[0] == [("300", "77", -1.0), ("300", "78", -2.0)]
    with pytest.raises(rg.InputError, match=r'(?s)no column for query.*columns=\{"ranking": \{"query"'):
        run("300\t77\t1\n", name="run.tsv")


def test_parquet_values_are_checked(tmp_path):
    frame = pl.DataFrame({"qid": [1.0, 1.0, None, 2.0], "docid": [7, 8, 9, 10], "score": [1.5, math.nan, 1.0, None]})
    path = tmp_path / "run.parquet"
    frame.write_parquet(path)
    found, findings = rows_and_findings(path, "ranking", lenient=True)

    assert found == [("1", "7", 1.5)]
    assert counts(findings) == {"RG201": 1, "RG202": 1, "RG208": 1}
    with pytest.raises(rg.InputError, match=r"run\.parquet: row 3: an id is empty"):
        rows(path, "ranking")
    for broken in ({"qid": [1.5], "docid": ["a"], "score": [1]}, {"qid": ["a"], "docid": ["a"], "score": [[1]]}):
        pl.DataFrame(broken).write_parquet(path)
        with pytest.raises(rg.InputError, match="RG111"):
            rows(path, "ranking", lenient=True)
    path.write_bytes(b"PAR1 and no more")
    with pytest.raises(rg.InputError, match="cannot be read"):
        rows(path, "ranking", lenient=True)
    with pytest.raises(rg.InputError, match="RG110"):
        rg.read(path)


def test_doctor_takes_a_letor_file_and_its_scores(tmp_path):
    """The lines of the scores refer to the rows of the LETOR file, wherever it is among the sources."""
    letor, scores = tmp_path / "letor.txt", tmp_path / "scores.txt"
    letor.write_text("2 qid:1 1:0.1\n0 qid:1 1:0.2\n1 qid:2 1:0.5\n", encoding="utf-8")
    scores.write_text("0.5\n0.3\n0.3\n", encoding="utf-8")
    for sources in ((letor, scores), (scores, letor)):
        diagnosis = rg.doctor(*sources)
        assert {(entry.info.role, entry.rows) for entry in diagnosis.profiles} == {("judgments", 3), ("ranking", 3)}
        assert (diagnosis.coverages[0].answered, diagnosis.coverages[0].unjudged) == (2, 0)
    with pytest.raises(rg.InputError, match="by position"):
        rg.doctor(scores)
    scores.write_text("0.5\n0.3\n", encoding="utf-8")
    with pytest.raises(rg.InputError, match=r"has 2 scores, but .* has 3 rows.*\nremedy: predict every row of "):
        rg.doctor(letor, scores)
    scores.write_text("0.5\nnan\n0.3\n", encoding="utf-8")
    with pytest.raises(rg.InputError, match=r"scores\.txt: row 2: score 'nan' is NaN"):
        rg.evaluate(letor, scores)


def test_letor_files():
    text = "2 qid:10 1:0.5 2:0.1 #docid = GX1 inc = 1\n0 qid:10 1:0.5 # docid = GX2\n1 qid:11 1:1\n"

    assert judgments("2 qid:10 1:0.5\n0 qid:10 1:0.5\n1 qid:11\n")[0] == [
        ("10", "1", 2),
        ("10", "2", 0),
        ("11", "3", 1),
    ]
    assert judgments(text, lenient=True) == ([("10", "GX1", 2.0), ("10", "GX2", 0.0)], {"RG208": 1})
    with pytest.raises(
        rg.InputError, match=r"qrels\.txt:1: no qid.*\nremedy: write the number .* to qrels\.txt\.query"
    ):
        judgments("2 1:0.5 2:0.1\n")
    with pytest.raises(rg.InputError, match="LETOR files hold judgments, not a ranking"):
        run(text)


# Names of columns and formats


@pytest.mark.parametrize(
    ("names", "role", "expected"),
    [
        ("query-id corpus-id score", "judgments", ["query-id", "corpus-id", "score"]),
        ("userId movieId rating timestamp", "judgments", ["userId", "movieId", "rating"]),
        ("QID DOCNO REL", "judgments", ["QID", "DOCNO", "REL"]),
        ("topic iter docno rel", "judgments", ["topic", "docno", "rel"]),
        ("label qid doc_id f1", "judgments", ["qid", "doc_id", "label"]),
        ("query_id query doc_id doc relevance", "judgments", ["query_id", "doc_id", "relevance"]),
        ("user item prediction", "ranking", ["user", "item", "prediction"]),
        ("qid Q0 docid rank sim tag", "ranking", ["qid", "docid", "sim"]),
        ("user_id item_id rank", "ranking", ["user_id", "item_id", "rank"]),
        ("group pid weight", "ranking", ["group", "pid", "weight"]),
    ],
)
def test_columns_in_the_words_of_three_communities(names, role, expected):
    assert columns_read(names.split(), role) == expected


@pytest.mark.parametrize(
    ("names", "role", "columns", "error", "message"),
    [
        ("user_id qid item score", "ranking", None, rg.InputError,
         r"(?s)'user_id' and 'qid' could each be the query .*remedy: name one: columns="),
        ("qid x", "judgments", None, rg.InputError,
         r"(?s)no column for item and grade; found 'qid', 'x' \[.*or use a name such as docno"),
        ("qid item score", "ranking", {"item": "itm"}, rg.InputError, "no column 'itm' for item; did you mean 'item'"),
        ("qid item score", "ranking", {"ranking": {"grade": "score"}}, rg.ParameterError,
         "columns must be a mapping from 'query', 'item', 'score', 'rank'"),
        ("qid qid item score", "ranking", None, rg.InputError, "'qid' and 'qid'"),
    ],
)  # fmt: skip
def test_ambiguous_columns_are_refused(names, role, columns, error, message):
    with pytest.raises(error, match=message):
        columns_read(names.split(), role, columns=columns)


def test_columns_are_named_whatever_their_case():
    assert columns_read(["a", "b", "c"], "ranking", columns={"query": "A", "item": "b", "rank": "c"}) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("head", "name", "role", "expected"),
    [
        (b"1\t0\ta\t1\n", "qrels.dev.tsv", "judgments", "trec"),
        (b"1\tQ0\ta\t1\t2.5\tt\n", "run.tsv", "ranking", "trec"),
        (b"1\ta\t1\n", "run.tsv", "ranking", "tsv"),
        (b"1,a,1\n", "x", "ranking", "csv"),
        (b"1, 0, a, 1\n", "x", "judgments", "csv"),
        (b"{ Q0 [ 1 2.5 tag\n", "x", "ranking", "trec"),
        (b"0\tQ0\t0\t0\t0.0\ttag\n", "x", "ranking", "trec"),
        (b"qid\tdocid\trel\n", "qrels", "judgments", "tsv"),
        (b'\n# c\n{"a": 1}', "qrels", "judgments", "jsonl"),
        (b"1 qid:3 1:2", "x", "judgments", "letor"),
        (b"0.5 1:2 3:4", "x", "judgments", "letor"),
    ],
)
def test_formats_are_guessed(head, name, role, expected):
    assert rg.read(named(head, name), role=role).format == expected


def test_an_ending_belongs_to_one_format():
    endings = [ending for row in REGISTRY for ending in row.endings]
    assert len(endings) == len(set(endings))


@pytest.mark.parametrize("format_", [row.name for row in REGISTRY])
def test_a_format_is_written_if_it_is_declared_to_be(format_):
    file = io.BytesIO()
    if next(row for row in REGISTRY if row.name == format_).writable:
        rg.convert(FRAME, file, to=format_, role="ranking")
        assert rows(named(file.getvalue(), "run"), "ranking", format=format_) == RUN_ROWS
        return
    with pytest.raises(rg.ParameterError, match="to must be one of"):
        rg.convert(FRAME, file, to=format_, role="ranking")


def test_a_json_array_holds_rows():
    assert judgments(b'[{"query": 1, "item": "a", "grade": 2},\n {"query": 1, "item": "b", "grade": 0}]')[0] == [
        ("1", "a", 2),
        ("1", "b", 0),
    ]
    with pytest.raises(rg.InputError, match="no column for item and grade"):
        judgments(b'[{"query": 1}]')


# The findings themselves


def test_every_code_has_both_languages():
    for code, kind in CODES.items():
        assert code.startswith("RG")
        for phrase in (kind.title, kind.explanation, kind.remedy, kind.lenient):
            assert phrase.en, code
            assert any("\u4e00" <= letter <= "\u9fff" for letter in phrase.zh), code


def test_findings_of_several_files_are_counted_together_and_errors_come_first(tmp_path):
    for name, content in {
        "a<b>.txt": b"\xef\xbb\xbf" + RUN + b"3 Q0 a 1 x t\n" * 3,
        "b.txt": RUN + b"3 Q0 a 1 x t\n" * 2,
    }.items():
        (tmp_path / name).write_bytes(content)
    diagnosis = rg.doctor(tmp_path / "a<b>.txt", tmp_path / "b.txt", role="ranking")

    assert [(finding.code, finding.severity, finding.count) for finding in diagnosis.findings][:2] == [
        ("RG201", "error", 5),
        ("RG105", "note", 1),
    ]
    assert [finding.code for finding in diagnosis.findings.errors] == ["RG201"]
    (error,) = diagnosis.findings.errors
    assert [text.rpartition("/")[2].partition(": ")[0] for text in error.examples] == [
        "a<b>.txt:4", "a<b>.txt:5", "a<b>.txt:6", "b.txt:4", "b.txt:5"
    ]  # fmt: skip
    assert "<b>" not in diagnosis.findings.document("en").to_html()
    assert "分数不是数字" in diagnosis.findings.document("zh").to_text()


def test_blocks_read_ahead_report_findings_once_and_in_order(tmp_path, monkeypatch):
    """The next block is parsed in a thread while one is matched; findings of both are collected."""
    lines = [f"q{query} Q0 d{item} {item} {9 - item} mine\n" for query in range(60) for item in range(9)]
    lines[4] = lines[3]  # in the first block
    lines[-3] = "q59 Q0 short\n"  # in the last one
    path, qrels = tmp_path / "run.txt", {f"q{query}": {"d1": 1} for query in range(60)}
    path.write_text("".join(lines))
    read_in_blocks_of(1024, monkeypatch)
    with pytest.raises(
        rg.InputError, match=r"run\.txt:538: expected at least 5 columns, found 3"
    ):  # before it is matched
        rg.evaluate(qrels, path, "RR")
    scores = rg.evaluate(qrels, path, "RR", lenient=True)
    counts = {finding.code: finding.count for finding in scores.findings}
    assert (counts["RG301"], counts["RG108"]) == (1, 1)
    assert scores.mean("RR") == 0.5


@pytest.mark.parametrize("read", [lambda path: rg.evaluate(path, path), rg.doctor, rg.read])
def test_column_names_in_another_encoding_are_not_reported_as_missing_columns(read, tmp_path):
    """The remedy was to name columns, although no name could be read."""
    path = tmp_path / "judgments.csv"
    path.write_bytes("用户,电影,分数\n张三,电影一,1\n".encode("gb18030"))
    with pytest.raises(rg.InputError, match=r"judgments\.csv:1: not UTF-8 text(.|\n)*iconv(.|\n)*GB18030") as error:
        read(path)
    assert error.value.codes == ("RG103",)
