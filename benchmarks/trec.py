"""TREC files: nDCG@10, AP and RR of 6,980 queries with 1,000 items, as in the development set of MS MARCO."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

from contest import OURS, Contest, Goal, Options, Scenario, Tool, Values, mean, times

QUERIES = 6980
MORE = f"{OURS}, 30 metrics"
CLONE = f"{OURS} trec_eval"
PROGRAM = "trec_eval"
"""NIST's program, named by the variable TREC_EVAL or on the path."""
METRICS = ["nDCG@10", "AP", "RR"]
MEASURES = ["-m", "ndcg_cut.10", "-m", "map", "-m", "recip_rank"]
THIRTY = [
    *(f"nDCG@{k}" for k in (1, 3, 5, 10, 20, 100)),
    *(f"P@{k}" for k in (1, 5, 10, 20, 100)),
    *(f"R@{k}" for k in (5, 10, 100, 1000)),
    *(f"HR@{k}" for k in (1, 5, 10)),
    *("AP", "AP@10", "AP@100", "RR", "RR@10", "nDCG", "DCG@10", "Rprec", "bpref", "ERR@10", "RBP", "F@10"),
]


def rankgauge(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Evaluate the files."""
    import rankgauge as rg

    qrels, run, metrics = folder / options["qrels"], folder / options.get("run", "run.txt"), options["metrics"]

    def call() -> Values:
        scores = rg.evaluate(qrels, run, metrics)
        return {metric: scores.per_query(metric) if per_query else scores.mean(metric) for metric in metrics}

    return call


def thirty_metrics(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Evaluate the files with thirty metrics."""
    return rankgauge(folder, {**options, "metrics": THIRTY}, per_query)


def ir_measures(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Evaluate with its own readers and its default provider, pytrec_eval."""
    import ir_measures as ir

    names = {ir.nDCG @ 10: "nDCG@10", ir.AP: "AP", ir.RR: "RR"}

    def call() -> Values:
        qrels = ir.read_trec_qrels(str(folder / options["qrels"]))
        run = ir.read_trec_run(str(folder / "run.txt"))
        if not per_query:
            return {names[metric]: value for metric, value in ir.calc_aggregate(list(names), qrels, run).items()}
        found: Values = {name: {} for name in names.values()}
        for one in ir.iter_calc(list(names), qrels, run):
            found[names[one.measure]][one.query_id] = one.value
        return found

    return call


def ranx(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Evaluate with its own readers, which build its compiled dictionaries."""
    from ranx import Qrels, Run, evaluate

    names = {"ndcg@10": "nDCG@10", "map": "AP", "mrr": "RR"}

    def call() -> Values:
        qrels = Qrels.from_file(str(folder / options["qrels"]), kind="trec")
        run = Run.from_file(str(folder / "run.txt"), kind="trec")
        found = evaluate(qrels, run, list(names))
        if per_query:
            return {name: {str(query): float(v) for query, v in run.scores[key].items()} for key, name in names.items()}
        return {name: float(found[key]) for key, name in names.items()}

    return call


def pytrec_eval(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Evaluate with its own parsers and the C code of trec_eval."""
    import pytrec_eval as pt

    names = {"ndcg_cut_10": "nDCG@10", "map": "AP", "recip_rank": "RR"}

    def call() -> Values:
        with (folder / options["qrels"]).open() as judgments, (folder / "run.txt").open() as ranking:
            evaluator = pt.RelevanceEvaluator(pt.parse_qrel(judgments), {"ndcg_cut.10", "map", "recip_rank"})
            found = evaluator.evaluate(pt.parse_run(ranking))
        values = {name: {query: row[key] for query, row in found.items()} for key, name in names.items()}
        return values if per_query else {name: mean(of) for name, of in values.items()}

    return call


def trec_eval(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Run NIST's program."""
    path = os.environ.get("TREC_EVAL") or shutil.which(PROGRAM)
    if path is None:
        raise ImportError(f"{PROGRAM} is not on the path, and TREC_EVAL does not name it")

    def call() -> Values:
        command = [path, *MEASURES, *(["-q"] if per_query else []), folder / options["qrels"], folder / "run.txt"]
        return printed_values(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines())

    return call


def clone(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Run the command with trec_eval's arguments and output, in this process."""
    from rankgauge.trec_eval.command import run

    paths = str(folder / options["qrels"]), str(folder / "run.txt")
    return lambda: printed_values(run([*MEASURES, "-c", *(["-q"] if per_query else []), *paths]))


def printed_values(lines: Iterable[str]) -> Values:
    """Return the values that trec_eval prints with four digits: of each topic if there are any, else the means."""
    names = {"ndcg_cut_10": "nDCG@10", "map": "AP", "recip_rank": "RR"}
    topics: Values = {name: {} for name in names.values()}
    means: Values = {}
    for line in lines:
        name, topic, value = line.split()
        if topic == "all":
            means[names[name]] = float(value)
        else:
            topics[names[name]][topic] = float(value)
    return topics if topics["AP"] else means


def polars_scan(folder: Path, _: Options, __: bool) -> Callable[[], Values]:
    """Sum the score column: a lower bound for any reader."""
    import polars as pl

    types = dict.fromkeys(("query", "q0", "document", "rank", "score", "tag"), pl.String) | {"score": pl.Float64}

    def call() -> Values:
        table = pl.scan_csv(folder / "run.txt", separator=" ", has_header=False, schema=types)
        return {"sum": table.select(pl.col("score").sum()).collect(engine="streaming").item()}

    return call


def gunzip(folder: Path, _: Options, __: bool) -> Callable[[], Values]:
    """Decompress the file with the gzip module and discard the content."""

    def call() -> Values:
        with gzip.open(folder / "run.txt.gz", "rb") as file:
            while file.read(1 << 20):
                pass
        return {}

    return call


TOOLS = {
    OURS: Tool(rankgauge, ("rankgauge", "numpy", "polars")),
    MORE: Tool(thirty_metrics, ("rankgauge",)),
    "ir_measures": Tool(ir_measures, ("ir_measures", "pytrec-eval-terrier")),
    "ranx": Tool(ranx, ("ranx", "numba"), orders_ties=False),
    "pytrec_eval": Tool(pytrec_eval, ("pytrec-eval-terrier",)),
    # Printed values have four digits, so they are not compared.
    CLONE: Tool(clone, ("rankgauge",), compares=False),
    PROGRAM: Tool(trec_eval, compares=False),
    "polars scan": Tool(polars_scan, ("polars",), compares=False),
    "gunzip": Tool(gunzip, compares=False),
}
PEERS = (OURS, "ir_measures", "ranx", "pytrec_eval")
ONE = {"qrels": "one.qrels", "metrics": METRICS}
FEW = {"qrels": "few.qrels", "metrics": METRICS}
"""6 to 16 judged items per query, 11 on average."""
GRADED = {"qrels": "graded.qrels", "metrics": METRICS}


def make(folder: Path, factor: float) -> None:
    """Write the files; the compressed one only if compressing takes less than a minute."""
    from data import trec_files

    trec_files(folder, max(10, round(QUERIES * factor)), gz=factor <= 1)


def make_checks(folder: Path) -> dict[str, Path]:
    """Write small files without ties and with many ties."""
    from data import trec_files

    for name, tied in (("plain", 0.0), ("tied", 0.3)):
        trec_files(folder / name, 60, 200, tied, gz=True)
    return {"plain": folder / "plain", "tied": folder / "tied"}


EVERYWHERE = [(case, size) for case in ("one judged", "graded") for size in ("1x", "4x", "16x")]


def flat(case: str, size: str) -> Goal:
    """Return the goal that memory does not grow with the file."""
    text = f"{case}, {size}: peak memory at most 1.25 times that of 1x"
    return Goal(text, (case, size, OURS), 1.25, (case, "1x", OURS), what="peak_mb")


SCENARIO = Scenario(
    name="trec",
    title="From TREC files",
    text=(
        "nDCG@10, AP and RR of 6,980 queries with 1,000 items (1x), in the order of descending scores, 3 % of them tied; "
        "one judged item per query, or about 55 with grades 0-3. The time includes reading the files."
    ),
    tools=TOOLS,
    contests=(
        Contest("one judged", "1x", 1, (*PEERS, CLONE, PROGRAM, "polars scan"), ONE),
        Contest("graded", "1x", 1, (*PEERS, MORE, CLONE, PROGRAM, "polars scan"), GRADED),
        Contest("graded, gz", "1x", 1, (OURS, "gunzip"), {**GRADED, "run": "run.txt.gz"}),
        Contest("one judged", "4x", 4, (OURS, "polars scan"), ONE, growth=True),
        Contest("graded", "4x", 4, (*PEERS, CLONE, PROGRAM, "polars scan"), GRADED, growth=True),
        Contest("one judged", "16x", 16, (OURS, "polars scan"), ONE, growth=True),
        Contest("graded", "16x", 16, (OURS, CLONE, "polars scan"), GRADED, growth=True),
    ),
    goals=(
        *(times("ir_measures", case, "1x", 10, tools=TOOLS) for case in ("one judged", "graded")),
        *(times("ranx", case, "1x", 15, tools=TOOLS) for case in ("one judged", "graded")),
        *(times(PROGRAM, case, "1x", 8, tools=TOOLS) for case in ("one judged", "graded")),
        Goal(
            f"graded, 1x: {CLONE}: peak memory under 250 MB", ("graded", "1x", CLONE), 250, what="peak_mb", unit=" MB"
        ),
        *(
            Goal(
                f"{case}, {size}: at most 3 times the time of polars summing the score column",
                (case, size, OURS),
                3,
                (case, size, "polars scan"),
            )
            for case, size in EVERYWHERE
        ),
        Goal("30 metrics in at most twice the time of 3", ("graded", "1x", MORE), 2, ("graded", "1x", OURS)),
        Goal(
            "from gz in at most 1.4 times the time of decompression",
            ("graded, gz", "1x", OURS),
            1.4,
            ("graded, gz", "1x", "gunzip"),
        ),
        *(
            Goal(f"{case}, {size}: peak memory under {limit} MB", (case, size, OURS), limit, what="peak_mb", unit=" MB")
            for case, size in EVERYWHERE
            for limit in [300 if (case, size) == ("graded", "16x") else 250]
        ),
        *(flat(case, size) for case, size in EVERYWHERE if size != "1x"),
    ),
    data="trec",
    make=make,
    make_checks=make_checks,
)
