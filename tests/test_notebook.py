"""Results in a notebook: a real kernel runs the example, and hostile names stay text."""

from pathlib import Path

import pytest

import rankgauge as rg
from optional import needs

nbformat = needs("nbformat")
nbclient = needs("nbclient")
needs("ipykernel")
EXAMPLE = Path(__file__).parents[1] / "examples" / "notebook.ipynb"
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """What each cell of the example shows, by the first line of its source."""
    notebook = nbformat.read(EXAMPLE, as_version=4)
    folder = tmp_path_factory.mktemp("notebook")
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    assert [*folder.iterdir()] == []
    return {
        cell.source.splitlines()[-1]: output.data
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    }


@pytest.mark.parametrize(
    ("cell", "kind", "word"),
    [
        ("scores", "text/html", "<b>0.944519</b>"),
        ("comparison", "text/html", "3 queries are too few"),
        ('rg.explain(JUDGMENTS, SYSTEMS["keywords"], "nDCG@5", "heist")', "text/html", "<math"),
        ("rg.nDCG.curve([3, 2, 0, 1])", "image/svg+xml", "<svg"),
        ("rg.nDCG.curve([3, 2, 0, 1])", "text/html", "<table"),
        ("scores.findings", "text/html", "RG212"),
        ('rg.diff(SYSTEMS["keywords"], SYSTEMS["embeddings"])', "text/html", "space opera"),
        ('rg.reconcile(JUDGMENTS, SYSTEMS["keywords"], metric="nDCG@5")', "text/html", "trec_eval"),
        ("report", "text/html", "<iframe"),
        ('report.picture("intervals")', "image/svg+xml", "<svg"),
        ('report.picture("differences").to_frame()', "text/html", "heist"),
    ],
)
def test_results_have_html(outputs, cell, kind, word):
    assert word in outputs[cell][kind]


def test_printed_results_are_short(outputs):
    texts = {cell: data["text/plain"] for cell, data in outputs.items() if "frame" not in cell and "wide" not in cell}
    assert {cell: text for cell, text in texts.items() if len(text) > 300} == {}


def hostile_results():
    judgments, ranking = {HOSTILE: {HOSTILE: 1, "b": 0}}, {HOSTILE: {"b": 1.0, HOSTILE: 1.0}}
    systems = {HOSTILE: ranking, "b": {HOSTILE: ["x", "b"]}}
    comparison, report = rg.compare(judgments, systems, "RR"), rg.report(judgments, systems, "RR")
    yield from (rg.evaluate(judgments, systems, "RR"), comparison, report, report.picture("intervals"))
    yield from (rg.explain(judgments, ranking, "RR"), comparison.scores.findings, rg.diff(ranking, systems["b"]))
    yield from (rg.reconcile(judgments, ranking, metric="RR"), rg.check(judgments, ranking, "RR < 0.9"))
    yield from (comparison.attribution(HOSTILE, "b"), comparison.unjudged(), comparison.paper_table())


@pytest.mark.parametrize("result", [*hostile_results()], ids=lambda result: type(result).__name__)
def test_hostile_names_are_escaped(result):
    shown = [getattr(result, name)() for name in ("_repr_html_", "_repr_svg_") if hasattr(result, name)]
    shown += [result.to_html()] if type(result).__name__ == "Document" else []
    assert shown
    for markup in shown:
        assert "<img" not in markup
    assert len(repr(result)) < 500 or type(result).__name__ == "Document"
