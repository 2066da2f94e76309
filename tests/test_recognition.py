"""What records, documents and texts are taken for, and the rows they have, when any value is replaced, as it is stored.

``python tests/test_recognition.py`` writes tests/data/malformed/shapes.json and guesses.json again; a change there is one that users see.
"""

import io
import json
from typing import Any

import pytest

import rankgauge as rg
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.codec import Confidence, Sample
from rankgauge.inputs.formats.reader import guess_format, read_file
from rankgauge.inputs.formats.registry import FORMATS
from rankgauge.inputs.shapes.recognition import recognise_document, recognise_record
from rankgauge.inputs.shapes.registry import SHAPES
from test_malformed_files import FOLDER, LINES, RECORDS, VALUES, Case, changed, kind, places, variants_of_lines

ENDINGS = ("", ".txt", ".csv", ".tsv", ".json", ".jsonl", ".inter")
ROLES = (None, "judgments", "ranking")


def answer(content: Any, ending: str) -> str:
    """The shape of a record or a document, by which fields, and the rows of each side; or why it is refused."""
    recognise, sides = recognise_document if ending == "json" else recognise_record, ROLES[1:]
    try:
        recognised = recognise(content, "file")
    except rg.InputError as error:
        return str(error).partition("\nremedy: ")[0]
    taken_for = "none"
    if recognised is not None:
        fit, sides = recognised.fit, recognised.fit.sides
        flags = [name for name in ("by_role", "whole_lists", "has_labels") if getattr(fit, name)]
        able = [name for name in ("lists", "at_once", "in_columns", "note") if getattr(fit, name) is not None]
        taken_for = f"{recognised.shape.name} ({', '.join(fit.evidence)}) {' '.join([*flags, *able])}"
    return "; ".join([taken_for, *(f"{side}: {rows(content, ending, side)}" for side in sides)])


def rows(content: Any, ending: str, side: Any) -> str:
    """The rows of one side of a file with the record or the document, and the codes of findings; or a message."""
    file, findings = io.BytesIO(json.dumps(content).encode()), Findings()
    file.name = f"x.{ending}"
    try:
        frame = read_file(file, side, findings=findings)
    except rg.InputError as error:
        return str(error).partition(";")[0].partition("\n")[0]
    return " ".join([*(f"{row[0]}/{row[1]}/{row[2]:g}" for row in frame.rows()), *(found.code for found in findings)])


def answers_of_records(case: Case) -> dict[str, list[str]]:
    """Of the first record, as it is and with the first value of each kind replaced, in the order of VALUES."""
    content = case.content if case.ending == "json" else case.content[0]
    first = {kind(path): path for path in reversed([*places(content)])}
    found = {"": [answer(content, case.ending)]}
    for path in reversed(first.values()):
        replaced = (changed(content, path, value) for value in VALUES)
        found["/".join(map(str, path))] = [answer(value, case.ending) for value in replaced]
    return found


def guesses_of(case: Case) -> dict[str, list[str]]:
    """What each variant of a text is taken for by its ending, without a side and with each, and how sure every format is."""
    guesses = {}
    for change, text in (("unchanged", case.content.encode()), *variants_of_lines(case)):
        for ending in ENDINGS if change == "unchanged" else ("", f".{case.ending}"):
            guesses[f"{change} {ending}".rstrip()] = [guess(Sample(text, f"file{ending}", role)) for role in ROLES]
    return guesses


def guess(sample: Sample) -> str:
    """The format, and the formats by how sure each is."""
    sure: dict[Confidence, list[str]] = {}
    for row in FORMATS:
        if row.signature is None and (confidence := row.codec.sniff(sample)):
            sure.setdefault(confidence, []).append(row.name)
    ranked = (f"{level.name.lower()} {' '.join(sure[level])}" for level in sorted(sure, reverse=True))
    return f"{guess_format(sample).name}: {', '.join(ranked)}"


TABLES: dict[str, tuple[dict[str, Case], Any]] = {
    "shapes": (RECORDS, answers_of_records),
    "guesses": (LINES, guesses_of),
}


def stored_form(found: dict[str, list[str]]) -> dict[str, Any]:
    """Each answer once, since few differ, and their numbers for every change."""
    answers = [*dict.fromkeys(answer for given in found.values() for answer in given)]
    return {
        "answers": answers,
        "given": {change: " ".join(str(answers.index(answer)) for answer in given) for change, given in found.items()},
    }


@pytest.mark.parametrize(("table", "name"), [(table, name) for table, (cases, _) in TABLES.items() for name in cases])
def test_changed_content_is_taken_for_what_is_stored(table, name):
    stored = json.loads((FOLDER / f"{table}.json").read_text(encoding="utf-8"))[name]
    cases, answers_of = TABLES[table]
    expected = {
        change: [stored["answers"][int(number)] for number in given.split()]
        for change, given in stored["given"].items()
    }
    assert answers_of(cases[name]) == expected


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_no_shape_fits_a_value_without_content(shape):
    values = [None, True, 0, 5, -1.5, "", "x", [], {}, (), [None], ["x"], [[]], [{}], [["x", 2]], {"x": None}, {"": {}}]
    assert [value for value in values if shape.fit(value) is not None] == []


@pytest.mark.parametrize(
    "text",
    ['{"query": "q", "relevant": ["一 %s 个"], "retrieved": ["a"]}', '{"query": "one two %s b", "relevant": ["a"]}'],
)
@pytest.mark.parametrize("number", ["6300", "1", "0.5"])
def test_a_number_among_the_words_of_a_record_makes_no_row_of_trec(text, number, tmp_path):
    (tmp_path / "b.jsonl").write_text(text % number + "\n", encoding="utf-8")
    assert rg.read(tmp_path / "b.jsonl", role=None).format == "jsonl"


if __name__ == "__main__":
    for table, (cases, answers_of) in TABLES.items():
        found = {name: stored_form(answers_of(case)) for name, case in cases.items()}
        text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
        (FOLDER / f"{table}.json").write_text(text, encoding="utf-8")
