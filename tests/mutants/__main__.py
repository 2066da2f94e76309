"""Mutate areas of the library and count the mutants that no test notices: ``python -m mutants --only kernels``; see ``make mutants``."""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from pathlib import Path

from mutants.areas import AREAS, ROOT, files, tests
from mutants.equivalent import reasons
from mutants.mutations import Mutant, mutants
from mutants.trials import try_all

COLUMNS = (
    "area",
    "mutants in all",
    "tried",
    "killed",
    "equivalent (explained)",
    "survived",
    "killed of those not equivalent",
)


def main() -> int:
    """Print the table of all areas; return 1 if fewer mutants than demanded were killed."""
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    parser.add_argument("--only", default="", help=f"areas, separated by commas: {', '.join(AREAS)}; all by default")
    parser.add_argument(
        "--sample", type=int, default=0, help="number of mutants of each area drawn at random; all by default"
    )
    parser.add_argument("--files", default="", help="mutate only files whose path contains this")
    parser.add_argument(
        "--tests", default="", help="run only tests of files whose path contains one of these, separated by commas"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the sample")
    parser.add_argument(
        "--least", type=float, default=0, help="exit with 1 if less than this share is killed in an area"
    )
    parser.add_argument(
        "--control",
        action="store_true",
        help="leave the code as it is: a mutant that is killed shows a test that fails by itself",
    )
    parser.add_argument("--log", type=Path, default=ROOT / ".mutants.log", help="file with a line for every mutant")
    given = parser.parse_args()
    names = tuple(filter(None, given.only.split(","))) or tuple(AREAS)
    if unknown := {*names} - {*AREAS}:
        parser.error(f"unknown area {', '.join(unknown)}; there are {', '.join(AREAS)}")
    rows = try_areas(names, given)
    for row in (COLUMNS, ("---",) * len(COLUMNS), *(row for row, _ in rows)):
        say(f"| {' | '.join(map(str, row))} |")
    shares = [share for _, share in rows]
    return int(max(shares) > 0 if given.control else min(shares) < given.least)


def try_areas(names: tuple[str, ...], given: argparse.Namespace) -> list[tuple[tuple[object, ...], float]]:
    """Try the mutants of some areas, except those that are equivalent or that the log has as killed: a row for each area."""
    every = {
        name: [mutant for path in files(name) if given.files in str(path) for mutant in mutants(path)] for name in names
    }
    explained = reasons()
    logged = given.log.read_text(encoding="utf-8").splitlines() if given.log.exists() and not given.control else []
    killed = {line.removeprefix("killed ") for line in logged if line.startswith("killed ")}
    outcomes: dict[str, Counter[str]] = {name: Counter() for name in names}
    remaining: dict[Mutant, list[str]] = defaultdict(list)
    for name in names:
        random.Random(given.seed).shuffle(every[name])
        for mutant in every[name][: given.sample or None]:
            if not mutant.is_code():
                continue
            if mutant.key in explained:
                outcomes[name]["equivalent"] += 1
            elif str(mutant) in killed:
                outcomes[name]["killed"] += 1
            else:
                remaining[mutant].append(name)
    chosen_tests = [path for path in tests() if any(part in path for part in given.tests.split(","))]
    for mutant, outcome in try_all([*remaining], chosen_tests, given.control):
        for name in remaining[mutant]:
            outcomes[name][outcome] += 1
        if not given.control:
            with given.log.open("a", encoding="utf-8") as log:
                log.write(f"{outcome} {mutant}\n")
        if (outcome == "survived") != given.control:
            say(f"{outcome} {mutant}")
    return [row(name, len(every[name]), outcomes[name]) for name in names]


def row(name: str, number: int, outcomes: Counter[str]) -> tuple[tuple[object, ...], float]:
    """The row of an area in the table, and the share of killed mutants."""
    killed, equivalent, survived = (outcomes[outcome] for outcome in ("killed", "equivalent", "survived"))
    share = killed / max(killed + survived, 1)
    return (name, number, outcomes.total(), killed, equivalent, survived, f"{share:.0%}"), share


def say(text: str) -> None:
    """Write a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
