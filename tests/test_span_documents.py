"""Spans and the texts of their documents: random texts found by brute force, and texts that are elsewhere than said."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import rankgauge as rg

LETTERS = ["a", "b", "é", "🙂", "𝒳", "\r\n", " "]
GUIDE = "Zoë 🙂 meets Max.\r\nMax meets Zoë 𝒳 again."
MAX = {"query": "q", "document": "guide", "start": 12, "end": 15, "text": "Max"}


def random_texts(random, documents):
    """Return rows of texts that occur in documents, perhaps several times."""
    rows = []
    for _ in range(int(random.integers(1, 12))):
        name = str(random.choice([*documents]))
        start = int(random.integers(0, len(documents[name]) - 1))
        text = documents[name][start : start + int(random.integers(1, 9))]
        rows.append({"query": "q", "document": name, "text": text})
    return rows


def placed(rows, documents):
    """Return rows with the first place of each text, each place once, and the number of texts with several."""
    spans, several = {}, set()
    for row in rows:
        whole, text = documents[row["document"]], row["text"]
        places = [place for place in range(len(whole)) if whole[place : place + len(text)] == text]
        spans[row["document"], places[0], places[0] + len(text)] = row
        if len(places) > 1:
            several.add((row["document"], text))
    offsets = [{**row, "start": start, "end": end, "text": None} for (_, start, end), row in spans.items()]
    return [*spans.values()], offsets, len(several)


@pytest.mark.filterwarnings("ignore::rankgauge.DataWarning")
@pytest.mark.parametrize("form", ["records", "frame", "csv", "jsonl"])
def test_random_texts_are_found_where_brute_force_finds_them(form, tmp_path):
    random, metrics = np.random.default_rng(5), ["R", "P", "AP", "SpanRecall", "R@7chars", "SpanIoU@9chars"]
    for _ in range(25):
        documents = {name: "".join(random.choice(LETTERS, 25)) for name in ("d", "é🙂")}
        sides = [placed(random_texts(random, documents), documents) for _ in range(2)]
        texts, spans = ([side[place] for side in sides] for place in (0, 1))
        sources = texts
        if form == "frame":
            sources = [pl.DataFrame(rows) for rows in texts]
        if form in {"csv", "jsonl"}:
            sources = [tmp_path / f"{side}.{form}" for side in ("gold", "chunks")]
            for rows, path in zip(texts, sources, strict=True):
                frame = pl.DataFrame(rows)
                frame.write_csv(path) if form == "csv" else frame.write_ndjson(path)
        scores = rg.evaluate(*sources, metrics, documents=documents, spans=True)
        assert scores.means() == rg.evaluate(*spans, metrics).means(), (documents, texts)
        found = sum(finding.count for finding in scores.findings if finding.code == "RG223")
        assert found == sum(side[2] for side in sides)


@pytest.mark.parametrize("side", ["judgments", "ranking"])
@pytest.mark.parametrize("form", ["records", "frame", "csv", "jsonl"])
def test_offsets_in_bytes_are_found_by_the_text_of_the_document(side, form, tmp_path):
    """The text is ASCII, so that its length says nothing."""
    start = len(GUIDE[:12].encode())
    rows = [{**MAX, "document": "guide"}, {**MAX, "start": start, "end": start + 3}]
    source = rows
    if form == "frame":
        source = pl.DataFrame(rows)
    elif form != "records":
        source = tmp_path / f"rows.{form}"
        frame = pl.DataFrame(rows)
        frame.write_csv(source) if form == "csv" else frame.write_ndjson(source)
    sides = (source, [MAX]) if side == "judgments" else ([MAX], source)
    with pytest.raises(rg.InputError, match=r"row 2: .* is 'Max' in bytes of UTF-8.* \[RG219\]"):
        rg.evaluate(*sides, "R", documents={"guide": GUIDE})


def test_a_text_that_its_document_does_not_have_there_is_a_warning():
    chunks = [{**MAX, "text": " Max"}, {**MAX, "start": 0, "end": 3, "text": "Zoë"}]
    with pytest.warns(rg.DataWarning, match=r"row 1: the document has 'Max' at 'guide\[12:15\]'.* \[RG225\]"):
        scores = rg.evaluate([MAX], chunks, "R", documents={"guide": GUIDE})
    assert scores.mean() == 1.0
    assert [(each.code, each.count) for each in scores.findings if each.severity == "warning"] == [("RG225", 1)]


def test_the_texts_of_chunks_of_tools_are_compared_with_their_documents():
    def chunk(start, text):
        return {"q": [{"page_content": text, "metadata": {"source": "guide", "start_index": start}}]}

    in_bytes = len(GUIDE[:12].encode())
    assert rg.evaluate([MAX], chunk(12, "Max"), "R", documents={"guide": GUIDE}).mean() == 1.0
    with pytest.raises(rg.InputError, match="RG219"):
        rg.evaluate([MAX], chunk(in_bytes, "Max"), "R", documents={"guide": GUIDE})
    with pytest.warns(rg.DataWarning, match="RG225"):
        rg.evaluate([MAX], chunk(10, "Max"), "R", documents={"guide": GUIDE})
