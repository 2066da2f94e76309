"""Random small worlds through pytrec-eval-terrier (trec_eval 9.0.8) and through the clone, measure by measure.

Run as ``python parity/trec_eval_worlds.py [worlds]``; ``pytrec-eval-terrier`` must be installed. A world has ties,
scores that differ only in double precision, unjudged items, negative grades, several levels, and topics that only one
side has. The peer runs in a process of its own with a time limit, for it can abort or hang; what makes it do so, and
what it gets wrong, is left out of the worlds or named in ``KNOWN_FAULTS``.
"""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import polars as pl

from rankgauge.trec_eval.formats import requested_lines
from rankgauge.trec_eval.options import Options
from rankgauge.trec_eval.qrels import evaluate_frames
from rankgauge.trec_eval.results import Results

TOLERANCE = 1e-9
WORLDS_AT_A_TIME = 100
PATIENCE_S = 120
CUTOFFS = "1,2,3,4,5,7,10,20"
MEASURES = (
    "11pt_avg", "G", f"P.{CUTOFFS}", "Rndcg", "Rprec", "Rprec_mult.0.2,0.5,0.7,1.0,1.3,2.0,3.5", "binG", "bpref",
    "gm_bpref", "gm_map", "infAP", "iprec_at_recall.0.0,0.1,0.2,0.25,0.3,0.5,0.6,0.75,0.8,0.9,1.0", "map",
    f"map_cut.{CUTOFFS}", "ndcg", f"ndcg_cut.{CUTOFFS}", "ndcg_rel", "num_nonrel_judged_ret", "num_rel", "num_rel_ret",
    "num_ret", f"recall.{CUTOFFS}", "recip_rank", f"relative_P.{CUTOFFS}", "set_F", "set_P", "set_map", "set_recall",
    "set_relative_P", f"success.{CUTOFFS}", "utility",
)  # fmt: skip
"""All that the peer supports, except runid, num_q and relstring, for which it returns no value of their own."""
KNOWN_FAULTS = {
    "bpref above the top grade": "where no judged item reaches the level, its bpref reads past the end of an array",
    "nothing left": "where judged items only are asked for and none was returned, its interpolated precision is NaN",
}


@dataclass
class Worlds:
    """Some worlds at once; their topics have names of their own."""

    level: int
    judged_only: bool
    judgments: dict[str, dict[str, int]] = field(default_factory=dict)
    run: dict[str, dict[str, float]] = field(default_factory=dict)


def random_worlds(count: int, seed: int) -> Iterator[Worlds]:
    """Worlds, some at a time, the same for the same seed."""
    for start in range(0, count, WORLDS_AT_A_TIME):
        chance = random.Random(f"{seed} {start}")
        some = Worlds(level=chance.choice((1, 1, 2, 3)), judged_only=chance.random() < 0.25)
        for world in range(start, min(count, start + WORLDS_AT_A_TIME)):
            _add_world(some, world, chance)
        yield some


def _add_world(some: Worlds, world: int, chance: random.Random) -> None:
    items = [f"d{number}" for number in range(chance.choice((1, 2, 3, 5, 8, 13, 30)))]
    scores = [chance.choice((0.5, 0.25, 1.0, 0.1, 0.1 + 1e-9, -2.0, 1e30, chance.random())) for _ in range(5)]
    grades = chance.choice(((0, 1), (0, 0, 0, 1), (-1, 0, 1), (-2, -1, 0, 1, 2, 3), (0, 1, 2, 4), (1,), (0,)))
    for number in range(chance.randint(1, 4)):
        topic = f"{world}.{number}"
        judged = chance.sample(items, chance.randint(1, len(items)))
        returned = chance.sample(items, chance.randint(1, len(items)))
        if chance.random() < 0.9:  # else a topic that only the run has
            some.judgments[topic] = {item: chance.choice(grades) for item in judged}
            if max(some.judgments[topic].values()) < 0:  # only negative grades: the peer can hang
                some.judgments[topic][judged[0]] = 0
        if chance.random() < 0.9:  # else a topic that only the judgments have
            some.run[topic] = {item: chance.choice((*scores, chance.random())) for item in returned}


def ours(some: Worlds) -> dict[str, dict[str, float]]:
    """The values of the clone for each topic."""
    options = Options(measures=MEASURES, version=9, level=some.level, judged_only=some.judged_only)
    judged = [(topic, item, float(g)) for topic, grades in some.judgments.items() for item, g in grades.items()]
    returned = [(topic, item, score) for topic, scores in some.run.items() for item, score in scores.items()]
    judgments = pl.DataFrame(judged, schema=["query", "item", "grade"], orient="row").sort("query", maintain_order=True)
    results = Results("peer", pl.DataFrame(returned, schema=["query", "item", "score"], orient="row"))
    evaluated = evaluate_frames(judgments, results, options, requested_lines(options))
    columns = {name: list(column) for name, column in evaluated.columns.items()}
    return {
        topic: {name: float(column[place]) for name, column in columns.items()}
        for place, topic in enumerate(evaluated.topics)
    }


def theirs(some: Worlds) -> dict[str, dict[str, float]]:
    """The values of the peer, which runs in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--peer"],
        input=json.dumps([some.judgments, some.run, some.level, some.judged_only]),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    values: dict[str, dict[str, float]] = json.loads(done.stdout)
    return values


def peer() -> None:
    """Be the peer: worlds come in on standard input, values go out."""
    import pytrec_eval  # noqa: PLC0415 (only in this process)

    judgments, run, level, judged_only = json.load(sys.stdin)
    evaluator = pytrec_eval.RelevanceEvaluator(judgments, MEASURES, level, judged_only)
    json.dump(evaluator.evaluate(run), sys.stdout)


def compare(some: Worlds, counts: Counter[str]) -> list[str]:
    """What differs, in words; counts what was compared and what the peer is known to get wrong."""
    mine, other = ours(some), theirs(some)
    differences = [f"topics differ: {sorted({*mine} ^ {*other})}"] if {*mine} != {*other} else []
    for topic, expected in other.items():
        top = max(some.judgments[topic].values())
        for name, value in expected.items():
            if name in {"bpref", "gm_bpref"} and top < some.level:
                counts["bpref above the top grade"] += 1
            elif math.isnan(value) and some.judged_only:
                counts["nothing left"] += 1
                if mine[topic][name] != 0:
                    differences.append(f"{topic} {name}: {mine[topic][name]!r}, should be 0")
            else:
                counts["compared"] += 1
                if not math.isclose(mine[topic][name], value, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
                    differences.append(
                        f"{topic} {name}: {mine[topic][name]!r}, peer {value!r} (level {some.level}, judged only: "
                        f"{some.judged_only}, judgments {some.judgments[topic]}, run {some.run[topic]})"
                    )
    return differences


def main(count: int) -> int:
    """Compare so many worlds; the exit status is 1 where anything differs."""
    counts: Counter[str] = Counter()
    differences = [one for some in random_worlds(count, seed=1) for one in compare(some, counts)]
    for one in differences[:20]:
        print(one)
    print(f"{count:,} worlds: {counts['compared']:,} values compared, {len(differences):,} differ")
    for fault, reason in KNOWN_FAULTS.items():
        print(f"  {counts[fault]:,} left out, {fault}: {reason}")
    return int(bool(differences))


if __name__ == "__main__":
    if "--peer" in sys.argv:
        peer()
    else:
        sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000))
