"""Make the small judgments and run of this folder, and what pytrec-eval-terrier (trec_eval 9.0.8) says of them.

``python tests/data/trec_eval/make.py`` writes ``qrels.txt``, ``run.txt`` and ``expected.tsv`` anew, always the same. The data
have ties, scores that are equal in single precision only, unjudged items, negative grades, several levels, topics that
only one side has, and lines of one topic that do not stand together.
"""

from __future__ import annotations

import random
from importlib.metadata import version
from pathlib import Path

import pytrec_eval

FOLDER = Path(__file__).parent
SETTINGS = ((1, False), (2, False), (1, True))
"""Relevance level, and whether only judged items count."""
MEASURES = (
    "11pt_avg", "G", "P.1,3,10", "Rndcg", "Rprec", "Rprec_mult.0.2,0.6,1.4", "binG", "bpref", "gm_bpref", "gm_map", "infAP",
    "iprec_at_recall.0.0,0.2,0.3,0.5,0.8,1.0", "map", "map_cut.2,10", "ndcg", "ndcg_cut.3,10", "ndcg_rel",
    "num_nonrel_judged_ret", "num_rel", "num_rel_ret", "num_ret", "recall.3,10", "recip_rank", "relative_P.3,10", "set_F",
    "set_P", "set_map", "set_recall", "set_relative_P", "success.1,3", "utility",
)  # fmt: skip


def data() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Judgments and run."""
    chance = random.Random(7)
    judgments: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for topic in ("1", "10", "2", "Ä3", "only-judged", "only-run"):
        items = [f"{chance.choice(('ft', 'la', 'fr'))}-{number}" for number in range(18)]
        if topic != "only-run":
            judgments[topic] = {item: chance.choice((-2, -1, 0, 0, 0, 1, 1, 2, 3)) for item in chance.sample(items, 13)}
        if topic != "only-judged":
            run[topic] = {
                item: chance.choice((0.5, 0.25, 0.1, 0.1 + 1e-9, chance.random())) for item in chance.sample(items, 14)
            }
    return judgments, run


def main() -> None:
    """Write the three files."""
    judgments, run = data()
    qrels = [f"{topic} 0 {item} {grade}" for topic, grades in judgments.items() for item, grade in grades.items()]
    rows = [f"{topic} Q0 {item} 0 {score!r} small" for topic, scores in run.items() for item, score in scores.items()]
    random.Random(8).shuffle(rows)  # the lines of a topic need not stand together
    expected = [f"# pytrec-eval-terrier {version('pytrec-eval-terrier')}: level, judged only, topic, measure, value"]
    for level, judged_only in SETTINGS:
        values = pytrec_eval.RelevanceEvaluator(judgments, MEASURES, level, judged_only).evaluate(run)
        expected += [
            f"{level}\t{int(judged_only)}\t{topic}\t{name}\t{value!r}"
            for topic, named in values.items()
            for name, value in sorted(named.items())
        ]
    for name, text in (("qrels.txt", qrels), ("run.txt", rows), ("expected.tsv", expected)):
        (FOLDER / name).write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
