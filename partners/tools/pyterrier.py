"""PyTerrier's ``pt.Experiment`` over runs in frames, on pytrec_eval and on the drop-in; Java is not started."""

from __future__ import annotations

from data import world

PACKAGE = "pyterrier"


def theirs() -> dict[str, float]:
    """Return the means and the values of queries of experiments with two systems."""
    import pandas as pd
    import pyterrier as pt
    from pyterrier.measures import AP, RR, P, nDCG

    measures = ["map", "recip_rank", "ndcg", "ndcg_cut_10", "num_rel_ret", "official", nDCG @ 5, AP(rel=2), P @ 3, RR]
    values = {}
    for seed in range(20):
        judgments, run = world(seed)
        _, other = world(seed + 1000)
        qrels = [(query, item, grade) for query, grades in judgments.items() for item, grade in grades.items()]
        topics = pd.DataFrame({"qid": [*judgments], "query": [*judgments]})
        systems = []
        for scores in (run, other):
            rows = [(query, item, score) for query, items in scores.items() for item, score in items.items()]
            frame = pd.DataFrame(rows, columns=["qid", "docno", "score"])
            systems.append(pt.model.add_ranks(frame))
        labels = pd.DataFrame(qrels, columns=["qid", "docno", "label"])
        for per_query in (False, True):
            table = pt.Experiment(systems, topics, labels, measures, names=["a", "b"], perquery=per_query)
            for place, row in enumerate(table.to_dict("records")):
                numbers = {name: value for name, value in row.items() if isinstance(value, float | int)}
                key = f"{row.get('name')} {row.get('qid', '')} {row.get('measure', '')}".strip()
                values |= {f"{seed} {key or place} {name}": float(value) for name, value in numbers.items()}
    return values


def ours() -> dict[str, float]:
    """Return the same with ``import pytrec_eval`` replaced."""
    import rankgauge.compat.pytrec_eval

    rankgauge.compat.pytrec_eval.install()
    return theirs()
