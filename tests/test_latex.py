"""A real LaTeX accepts every LaTeX output: pdflatex in English, xelatex in Chinese."""

import re
import shutil
import subprocess

import pytest

import rankgauge as rg
from command_line import here
from rankgauge.example import JUDGMENTS, SYSTEMS
from rankgauge.rendering.document import Document, Heading, Table, Value

PACKAGES = r"\usepackage{booktabs,amsmath,dcolumn,longtable}"
"""The packages that docs/paper-table.md names."""
TOO_WIDE = 1.5
"""Points by which a table or a formula may be wider than the lines of an article."""
PARAGRAPH = re.compile(r"Overfull \\hbox \(([\d.]+)pt too wide\) in paragraph at lines \d+--\d+\n(?! \[\])")
"""A line of text that is too wide; of a table TeX shows no content."""
METRICS = rg.metrics()
LISTED = [name for name, metric in METRICS.items() if not metric.definition.of_items]


def outputs(lang, folder):
    """Return the LaTeX of descriptions, explanations, values, comparisons, curves and reports."""
    (folder / "judgments.csv").write_text("query,item,grade\nq_1,a&b,2\nq_1,c,0\nq%2,c,1\n", encoding="utf-8")
    for name, scores in (("old_1", "1,2,3"), ("new#2", "3,2,1")):
        rows = zip(("q_1,a&b", "q_1,c", "q%2,c"), scores.split(","), strict=True)
        text = "query,item,score\n" + "".join(f"{row},{score}\n" for row, score in rows)
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    files = [folder / "judgments.csv", folder / "old_1.csv", folder / "new#2.csv"]
    commands = [
        *(["metrics", name] for name in METRICS),
        *(["explain", "2,0,1,0", "-m", name] for name in LISTED),
        ["metrics"],
        ["conventions"],
        ["eval", *files, "-m", "nDCG@10,AP"],
        ["compare", *files, "-m", "nDCG@10,AP"],
        ["compare", *files, "-m", "nDCG@10", "--compact"],
        ["curve", *files, "-m", "nDCG"],
        ["diff", *files, "-m", "AP"],
    ]
    texts = []
    for command in commands:
        result = here(*command, "-t", "latex", "--lang", lang)
        if result.code == 0:
            texts.append(result.out)
    assert len(texts) > len(commands) - 12, "some explanations need side information, the others have to work"

    def readable(by_query):
        return {query: rows for query, rows in by_query.items() if lang == "zh" or query.isascii()}

    judgments, systems = readable(JUDGMENTS), {name: readable(ranking) for name, ranking in SYSTEMS.items()}
    compared = rg.compare(judgments, systems, ["nDCG@5", "AP"], permutations=200, resamples=200)
    texts += [compared.to_latex(lang, compact=True), rg.Comparison.of(DIFFERENT, "AP").to_latex(lang, compact=True)]
    report = rg.report(judgments, systems, ["nDCG@5", "AP"], permutations=200, resamples=200)
    return "\n\n\\clearpage\n".join([*texts, report.to_latex(lang)])


DIFFERENT = {name: {query: shift + query / 50 for query in range(20)} for name, shift in (("a", 0.1), ("b", 0.3))}


@pytest.mark.parametrize(("lang", "program"), [("en", "pdflatex"), ("zh", "xelatex")])
def test_a_real_latex_accepts_every_output(lang, program, tmp_path):
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed (texlive-latex-recommended; texlive-xetex and texlive-lang-chinese)")
    language = r"\usepackage[T1]{fontenc}" if lang == "en" else r"\usepackage[fontset=fandol]{ctex}"
    head = [r"\documentclass{article}", language, PACKAGES, r"\begin{document}"]
    source = "\n".join([*head, outputs(lang, tmp_path), r"\end{document}"])
    (tmp_path / "paper.tex").write_text(source, encoding="utf-8")
    command = [program, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert result.returncode == 0, result.stdout[-2000:]
    missing = {line for line in result.stdout.splitlines() if "Missing character" in line}
    assert missing == set()
    wide = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt", result.stdout)]
    assert PARAGRAPH.findall(result.stdout) == []
    assert max(wide, default=0.0) < TOO_WIDE, sorted(wide)[-5:]


def test_a_document_names_its_packages_first():
    explained = rg.nDCG.explain([3, 2, 0])
    assert explained.to_latex().startswith("% needs \\usepackage{booktabs,amsmath,dcolumn}\n")
    assert explained.to_latex("zh").splitlines()[0].endswith("dcolumn,ctex}; compile with xelatex")


def test_tables_between_texts_stay_in_place_and_a_table_for_a_paper_floats():
    explained = rg.nDCG.explain([3, 2, 0]).to_latex()
    assert r"\begin{table}" not in explained
    assert "\\begin{center}\n\\textbf{The ideal order}\\\\*[1ex]\n\\begin{tabular}" in explained
    assert "\\begin{table}[ht]\n\\centering\n\\caption{" in rg.Comparison.of(DIFFERENT, "AP").to_latex(compact=True)


def test_symbols_and_results_are_mathematics():
    metric = here("metrics", "AP", "-t", "latex").out
    assert r"$\mathit{rel}_i$ & 1 if" in metric
    assert r"$R$ & the number" in metric
    explained = (rg.nDCG @ 2).explain([3, 2, 0]).to_latex()
    assert r"$\text{nDCG@2} = 4.261860 / 4.261860\ \text{(IDCG)} = 1.000000$" in explained


def systems_table(metrics, systems=5):
    values = [Value(f"0.{53 + place}00", marks="abe", best=place == 0) for place in range(systems)]
    rows = [["a", f"org_manual_ance_{place}", *[values[place]] * metrics] for place in range(systems)]
    return Table(["", "system", *[f"nDCG@{number}" for number in range(metrics)]], rows, caption="Systems")


def test_a_table_wider_than_the_line_gets_smaller_type_and_is_then_split():
    sizes = [(2, "", 1), (4, "footnotesize", 1), (5, "footnotesize", 1), (10, "scriptsize", 2)]
    for metrics, size, parts in sizes:
        latex = Document([systems_table(metrics)]).to_latex()
        assert re.findall(r"\\(\w+size)", latex) == [size][: bool(size)], metrics
        tables = re.findall(r"\\begin\{tabular\}\{(.*)\}", latex)
        assert len(tables) == parts
        assert sum(columns.count("D{") for columns in tables) == metrics
        assert latex.count(r"\begin{table}") == latex.count(r"\caption") == 1
        assert metrics > 5 or tables[0].startswith("ll"), "names that fit are not folded"


def test_a_table_longer_than_a_page_is_continued_on_the_next():
    short, long = (Document([systems_table(2, systems)]).to_latex() for systems in (20, 60))
    assert "longtable" not in short
    assert long.startswith("% needs \\usepackage{booktabs,amsmath,dcolumn,longtable}\n")
    assert r"\begin{table}" not in long
    head = long[long.index(r"\begin{longtable}") : long.index(r"\endfoot")]
    assert head.count(r"\multicolumn{1}{c}{nDCG@0}") == 2, "the title is repeated"
    assert head.count(r"\caption{Systems}") == 1
    assert r"\textbf{Systems}" in Document([Heading("Page"), systems_table(2, 60)]).to_latex()


def test_names_in_folded_columns_can_be_broken_at_their_signs():
    pair = "org_manual_ance_with_a_long_name - org_manual_bm25_with_another_long_name"
    latex = Document([Table([*"pqrstuvw"], [[pair, *["[+0.0107, +0.1027]"] * 7]], align="l" + "r" * 7)]).to_latex()
    assert r"\_\allowbreak{}manual\_\allowbreak{}" in latex
    assert "org\\_manual" in Document([Table(["pair", "x"], [[pair, "1"]])]).to_latex()
