"""Compare ``rankgauge trec_eval`` with pytrec-eval-terrier (trec_eval 9.0.8) on small random data sets.

Run as ``python parity/trec_eval_worlds.py [count]``; ``pytrec-eval-terrier`` must be installed. The data sets have ties,
scores that differ only in double precision, unjudged items, negative grades, several levels, and topics that only one
file has. pytrec_eval runs in a separate process with a time limit, since it can abort or hang; inputs that cause this
are not generated, and its known errors are listed in ``KNOWN_FAULTS``.
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

from rankgauge.trec_eval.command import requested_lines
from rankgauge.trec_eval.options import Options
from rankgauge.trec_eval.qrels import evaluate_run
from rankgauge.trec_eval.topics import CRun

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
"""All measures that pytrec_eval supports, except runid, num_q and relstring, for which it returns no value."""
KNOWN_FAULTS = {
    "bpref above the top grade": "if no judged item reaches the level, bpref reads past the end of an array",
    "nothing left": "if only judged items count and none was returned, interpolated precision is NaN",
}


@dataclass
class Worlds:
    """A batch of data sets with distinct topic names."""

    level: int
    judged_only: bool
    judgments: dict[str, dict[str, int]] = field(default_factory=dict)
    run: dict[str, dict[str, float]] = field(default_factory=dict)


def random_worlds(count: int, seed: int) -> Iterator[Worlds]:
    """Generate data sets in batches, reproducibly for a seed."""
    for start in range(0, count, WORLDS_AT_A_TIME):
        chance = random.Random(f"{seed} {start}")
        batch = Worlds(level=chance.choice((1, 1, 2, 3)), judged_only=chance.random() < 0.25)
        for world in range(start, min(count, start + WORLDS_AT_A_TIME)):
            _add_world(batch, world, chance)
        yield batch


def _add_world(batch: Worlds, world: int, chance: random.Random) -> None:
    items = [f"d{number}" for number in range(chance.choice((1, 2, 3, 5, 8, 13, 30)))]
    scores = [chance.choice((0.5, 0.25, 1.0, 0.1, 0.1 + 1e-9, -2.0, 1e30, chance.random())) for _ in range(5)]
    grades = chance.choice(((0, 1), (0, 0, 0, 1), (-1, 0, 1), (-2, -1, 0, 1, 2, 3), (0, 1, 2, 4), (1,), (0,)))
    for number in range(chance.randint(1, 4)):
        topic = f"{world}.{number}"
        judged = chance.sample(items, chance.randint(1, len(items)))
        returned = chance.sample(items, chance.randint(1, len(items)))
        if chance.random() < 0.9:  # otherwise only the run has the topic
            batch.judgments[topic] = {item: chance.choice(grades) for item in judged}
            if max(batch.judgments[topic].values()) < 0:  # only negative grades: pytrec_eval can hang
                batch.judgments[topic][judged[0]] = 0
        if chance.random() < 0.9:  # otherwise only the judgments have the topic
            batch.run[topic] = {item: chance.choice((*scores, chance.random())) for item in returned}


def ours(batch: Worlds) -> dict[str, dict[str, float]]:
    """Return the values of rankgauge for each topic."""
    options = Options(measures=MEASURES, version=9, level=batch.level, judged_only=batch.judged_only)
    judged = [(topic, item, float(g)) for topic, grades in batch.judgments.items() for item, g in grades.items()]
    returned = [(topic, item, score) for topic, scores in batch.run.items() for item, score in scores.items()]
    judgments = pl.DataFrame(judged, schema=["query", "item", "grade"], orient="row").sort("query", maintain_order=True)
    run = CRun(pl.DataFrame(returned, schema=["query", "item", "score"], orient="row"))
    evaluated = evaluate_run(judgments, run, options, requested_lines(options))
    columns = {name: list(column) for name, column in evaluated.columns.items()}
    return {
        topic: {name: float(column[place]) for name, column in columns.items()}
        for place, topic in enumerate(evaluated.topics)
    }


def theirs(batch: Worlds) -> dict[str, dict[str, float]]:
    """Return the values of pytrec_eval, computed in a separate process."""
    done = subprocess.run(
        [sys.executable, __file__, "--peer"],
        input=json.dumps([batch.judgments, batch.run, batch.level, batch.judged_only]),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    values: dict[str, dict[str, float]] = json.loads(done.stdout)
    return values


def peer() -> None:
    """Run pytrec_eval: read data sets from standard input, write values to standard output."""
    import pytrec_eval  # noqa: PLC0415 (only in this process)

    judgments, run, level, judged_only = json.load(sys.stdin)
    evaluator = pytrec_eval.RelevanceEvaluator(judgments, MEASURES, level, judged_only)
    json.dump(evaluator.evaluate(run), sys.stdout)


def compare(batch: Worlds, counts: Counter[str]) -> list[str]:
    """Describe the differences; count the values compared and the known errors of pytrec_eval."""
    mine, other = ours(batch), theirs(batch)
    differences = [f"topics differ: {sorted({*mine} ^ {*other})}"] if {*mine} != {*other} else []
    for topic, expected in other.items():
        top = max(batch.judgments[topic].values())
        for name, value in expected.items():
            if name in {"bpref", "gm_bpref"} and top < batch.level:
                counts["bpref above the top grade"] += 1
            elif math.isnan(value) and batch.judged_only:
                counts["nothing left"] += 1
                if mine[topic][name] != 0:
                    differences.append(f"{topic} {name}: {mine[topic][name]!r}, should be 0")
            else:
                counts["compared"] += 1
                if not math.isclose(mine[topic][name], value, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
                    differences.append(
                        f"{topic} {name}: {mine[topic][name]!r}, pytrec_eval {value!r} (level {batch.level}, judged only: "
                        f"{batch.judged_only}, judgments {batch.judgments[topic]}, run {batch.run[topic]})"
                    )
    return differences


def main(count: int) -> int:
    """Compare random data sets; return exit status 1 if a value differs."""
    counts: Counter[str] = Counter()
    differences = [line for batch in random_worlds(count, seed=1) for line in compare(batch, counts)]
    for line in differences[:20]:
        print(line)
    print(f"data sets: {count:,}; {counts['compared']:,} values compared, {len(differences):,} differ")
    for fault, reason in KNOWN_FAULTS.items():
        print(f"  {counts[fault]:,} left out, {fault}: {reason}")
    return int(bool(differences))


if __name__ == "__main__":
    if "--peer" in sys.argv:
        peer()
    else:
        sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000))
