"""Mutate areas of the library and count the mutants that no test notices: ``python -m mutants --only kernels``; see ``make mutants``."""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from pathlib import Path

from mutants.areas import AREAS, ROOT, Area
from mutants.equivalent import reasons
from mutants.mutations import Mutant, mutants
from mutants.trials import try_all


def main() -> int:
    """Print the figures of every area; return 1 if fewer mutants than demanded were killed."""
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    parser.add_argument("--only", default="", help=f"areas, separated by commas: {', '.join(AREAS)}; all by default")
    parser.add_argument("--sample", type=int, default=0, help="number of mutants drawn at random; all by default")
    parser.add_argument("--files", default="", help="only files whose path contains this")
    parser.add_argument("--seed", type=int, default=0, help="seed of the sample")
    parser.add_argument("--least", type=float, default=0, help="exit with 1 below this share of killed mutants")
    parser.add_argument("--log", type=Path, default=ROOT / ".mutants.log", help="file with a line for every mutant")
    given = parser.parse_args()
    names = tuple(filter(None, given.only.split(","))) or tuple(AREAS)
    if unknown := {*names} - {*AREAS}:
        parser.error(f"unknown area {', '.join(unknown)}; there are {', '.join(AREAS)}")
    return max([try_area(name, AREAS[name], given) for name in names])


def try_area(name: str, area: Area, given: argparse.Namespace) -> int:
    """Try the mutants of one area, except those that are equivalent or that the log has as killed."""
    files = [path for path in area.files if given.files in str(path)]
    every = [mutant for path in files for mutant in mutants(path)]
    random.Random(given.seed).shuffle(every)
    chosen = [mutant for mutant in every[: given.sample or None] if mutant.is_code()]
    say(f"{name}: {len(chosen)} of {len(every)} mutants in {len(files)} files, seed {given.seed}")
    explained = reasons()
    logged = given.log.read_text(encoding="utf-8").splitlines() if given.log.exists() else []
    killed = {line.removeprefix("killed ") for line in logged if line.startswith("killed ")}
    outcomes = Counter(killed=0, equivalent=0, survived=0)
    remaining: list[Mutant] = []
    for mutant in chosen:
        if mutant.key in explained:
            outcomes["equivalent"] += 1
        elif str(mutant) in killed:
            outcomes["killed"] += 1
        else:
            remaining.append(mutant)
    for mutant, outcome in try_all(remaining, area.test_paths(files)):
        outcomes[outcome] += 1
        with given.log.open("a", encoding="utf-8") as log:
            log.write(f"{outcome} {mutant}\n")
        if outcome == "survived":
            say(f"survived {mutant}")
    share = outcomes["killed"] / max(outcomes["killed"] + outcomes["survived"], 1)
    counts = ", ".join(f"{number} {outcome}" for outcome, number in outcomes.items())
    say(f"{name}: {len(chosen)} mutants, {counts}; {share:.1%} killed of those that are not equivalent")
    return int(share < given.least)


def say(text: str) -> None:
    """Write a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
