"""Mutate an area and count the mutants that no test notices: ``python -m mutants --only kernels``; see ``make mutants``."""

from __future__ import annotations

import argparse
import os
import random
import sys
from pathlib import Path

import pytest

from mutants.areas import AREAS, ROOT, Area
from mutants.mutations import mutants
from mutants.plugin import Session, say


def main() -> int:
    """Print the figures of every area; return 1 if fewer mutants than demanded were killed."""
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    parser.add_argument("--only", default="", help=f"one of {', '.join(AREAS)}; several run one after the other")
    parser.add_argument("--sample", type=int, default=0, help="number of mutants drawn at random; all by default")
    parser.add_argument("--files", default="", help="only files whose path contains this")
    parser.add_argument("--seed", type=int, default=0, help="seed of the sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants at a time")
    parser.add_argument("--budget", type=float, default=30, help="seconds of tests per mutant, the quickest first")
    parser.add_argument("--least", type=float, default=0, help="exit with 1 below this share of killed mutants")
    parser.add_argument("--log", type=Path, default=ROOT / ".mutants.log", help="file for a line on every mutant")
    given = parser.parse_args()
    names = tuple(filter(None, given.only.split(","))) or tuple(AREAS)
    if unknown := {*names} - {*AREAS}:
        parser.error(f"unknown area {', '.join(unknown)}; there are {', '.join(AREAS)}")
    return max(try_area(name, AREAS[name], given) for name in names)


def try_area(name: str, area: Area, given: argparse.Namespace) -> int:
    """Try the mutants of one area in a fork, since pytest runs only once in a process."""
    child = os.fork()
    if not child:
        os._exit(run(name, area, given))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def run(name: str, area: Area, given: argparse.Namespace) -> int:
    """Try the mutants of one area."""
    files = [path for path in area.files if given.files in str(path)]
    every = [mutant for path in files for mutant in mutants(path)]
    random.Random(given.seed).shuffle(every)
    chosen = every[: given.sample] if given.sample else every
    say(f"{name}: {len(chosen)} of {len(every)} mutants in {len(files)} files, seed {given.seed}")
    tests = [str(ROOT / "tests" / test) for test in area.tests]
    session = Session(chosen, tests, given.jobs, given.budget, given.log)
    doctests = [str(path) for path in files if ">>>" in path.read_text(encoding="utf-8")]
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-s", "--rootdir", str(ROOT)]
    pytest.main([*options, *tests, *doctests], plugins=[session])
    survived = sum(outcome == "survived" for _, outcome in session.outcomes)
    tried = len(session.outcomes)
    killed = (tried - survived) / max(tried, 1)
    say(f"{name}: {tried} mutants tried, {tried - survived} killed ({killed:.1%}), {survived} survived")
    return int(not tried or killed < given.least)


if __name__ == "__main__":
    sys.exit(main())
