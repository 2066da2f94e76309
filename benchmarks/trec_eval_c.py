"""trec_eval in C without its source: the functions of version 9.0.8 in pytrec-eval-terrier, called in the order of its main function.

Usage: benchmarks/trec_eval_c.py -m ndcg_cut.10 -m map QRELS RUN

Reads the files, sorts, matches and computes with the C functions that the program itself consists of; Python only starts them, once
for each query and metric. Prints the means.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import POINTER, Structure, addressof, byref, c_char_p, c_double, c_int, c_long, c_void_p
from importlib.util import find_spec


class Argument(Structure):
    """A metric and its parameters."""

    _fields_ = (("metric", c_char_p), ("parameters", c_char_p))


class Options(Structure):
    """Options of a call; the last field leaves room for what is not set here."""

    _fields_ = (
        *((name, c_long) for name in ("per_query", "complete", "judged_only", "summary", "relational", "debug")),
        ("debug_query", c_char_p),
        *((name, c_long) for name in ("documents", "relevant_from", "most_items")),
        ("judgments", c_char_p),
        ("results", c_char_p),
        ("z_scores", c_long),
        ("arguments", POINTER(Argument)),
        ("rest", c_long * 16),
    )


class Value(Structure):
    """The value of a metric."""

    _fields_ = (("name", c_char_p), ("value", c_double))


class Values(Structure):
    """The values of a query, or their sums."""

    _fields_ = (
        ("query", c_char_p), ("queries", c_long), ("values", POINTER(Value)), ("count", c_long), ("most", c_long),
    )  # fmt: skip


class Metric(Structure):
    """The functions of a metric."""

    _fields_ = (
        ("name", c_char_p),
        ("explanation", c_char_p),
        ("start", ctypes.CFUNCTYPE(c_int, *[c_void_p] * 3)),
        ("compute", ctypes.CFUNCTYPE(c_int, *[c_void_p] * 5)),
        ("add", ctypes.CFUNCTYPE(c_int, *[c_void_p] * 4)),
        *((name, c_void_p) for name in ("average", "print_query", "print_mean", "parameters")),
        ("place", c_long),
    )


class Judged(Structure):
    """The judgments of a query."""

    _fields_ = (("query", c_char_p), ("format", c_char_p), ("content", c_void_p))


class Ranked(Structure):
    """The ranking of a query."""

    _fields_ = (("query", c_char_p), ("run", c_char_p), ("format", c_char_p), ("content", c_void_p))


class AllJudged(Structure):
    """The judgments of all queries."""

    _fields_ = (("count", c_long), ("most", c_long), ("queries", POINTER(Judged)))


class AllRanked(Structure):
    """The rankings of all queries."""

    _fields_ = (("count", c_long), ("most", c_long), ("queries", POINTER(Ranked)))


def means(metrics: list[str], qrels: str, run: str) -> list[tuple[str, float]]:
    """Return the means of metrics in the notation of trec_eval."""
    extension = find_spec("pytrec_eval_ext")
    if extension is None or extension.origin is None:
        sys.exit("install pytrec-eval-terrier")
    code = ctypes.CDLL(extension.origin)
    split = [metric.encode().partition(b".") for metric in metrics]
    arguments = (Argument * (len(split) + 1))(*((name, parameters or None) for name, _, parameters in split))
    options = Options(summary=1, relational=1, relevant_from=1, most_items=sys.maxsize, arguments=arguments)
    options.judgments, options.results = b"qrels", b"trec_results"
    judged, ranked = AllJudged(), AllRanked()
    for read, path, target in ((code.te_get_qrels, qrels, judged), (code.te_get_trec_results, run, ranked)):
        if read(byref(options), path.encode(), byref(target)) != 1:
            sys.exit(f"trec_eval cannot read {path}")
    chosen = [Metric.in_dll(code, f"te_meas_{name.decode()}") for name, *_ in split]
    sums = Values(query=b"all")
    for metric in chosen:
        metric.start(addressof(options), addressof(metric), addressof(sums))
    values = Values(values=(Value * sums.count)(*sums.values[: sums.count]), count=sums.count)
    place_of = {ranked.queries[place].query: place for place in range(ranked.count)}
    for number in range(judged.count):
        place = place_of.get(judged.queries[number].query)
        if place is None:
            continue
        for column in range(values.count):
            values.values[column].value = 0
        sides = addressof(judged.queries[number]), addressof(ranked.queries[place])
        for metric in chosen:
            if metric.compute(addressof(options), *sides, addressof(metric), addressof(values)) < 0:
                sys.exit(f"trec_eval cannot compute {metric.name.decode()}")
            metric.add(addressof(options), addressof(metric), addressof(values), addressof(sums))
        sums.queries += 1
    found = [sums.values[column] for column in range(sums.count)]
    return [(value.name.decode(), value.value / sums.queries) for value in found]


def main() -> None:
    """Print the means of the metrics after ``-m``."""
    *flags, qrels, run = sys.argv[1:]
    for name, mean in means(flags[1::2], qrels, run):
        print(f"{name}\tall\t{mean:.4f}")


if __name__ == "__main__":
    main()
