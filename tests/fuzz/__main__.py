"""Run the fuzzers for some minutes, or replay a saved case: ``python -m fuzz --minutes 10``; see ``make fuzz``."""

from __future__ import annotations

import argparse
import secrets
import sys
from pathlib import Path

from fuzz import FUZZERS, corpus, fuzzer
from fuzz.campaign import Campaign, say
from fuzz.oracle import judge
from fuzz.proof import prove_all


def main() -> int:
    """Return 1 if a case failed."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5, help="how long to run")
    parser.add_argument("--seed", type=int, help="seed of the cases; another one in every run by default")
    parser.add_argument("--only", default="", help=f"some of {', '.join(FUZZERS)}, separated by commas")
    parser.add_argument("--corpus", type=Path, default=corpus.CORPUS, help="folder for failing cases")
    parser.add_argument("--replay", type=Path, help="check one saved case")
    parser.add_argument("--proof", action="store_true", help="show that the fuzzers find defects that were fixed")
    given = parser.parse_args()
    if given.proof:
        return int(not prove_all())
    if given.replay:
        return replay(given.replay)
    names = tuple(filter(None, given.only.split(","))) or tuple(FUZZERS)
    if unknown := {*names} - {*FUZZERS}:
        parser.error(f"unknown fuzzer {', '.join(unknown)}; there are {', '.join(FUZZERS)}")
    seed = secrets.randbelow(1 << 32) if given.seed is None else given.seed
    say(f"seed {seed}, {given.minutes:g} minutes: {', '.join(names)}")
    campaign = Campaign(seed, names, given.corpus)
    campaign.run(60 * given.minutes)
    return int(campaign.failed)


def replay(path: Path) -> int:
    """Check a saved case and print how it fails."""
    name, case = corpus.load(path)
    failure = judge(fuzzer(name).check, case).failure
    say(f"{path.name}: {'passes' if failure is None else failure.message}")
    return int(failure is not None)


if __name__ == "__main__":
    sys.exit(main())
