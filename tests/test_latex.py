"""A real LaTeX accepts every LaTeX output: pdflatex in English, xelatex in Chinese."""

import re
import shutil
import subprocess

import pytest

import rankgauge as rg
from command_line import here
from rankgauge.example import JUDGMENTS, SYSTEMS

PACKAGES = r"\usepackage{booktabs,amsmath,dcolumn}"
"""The packages that docs/paper-table.md names."""
TOO_WIDE = 20.0
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
