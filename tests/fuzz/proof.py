"""Proof that the fuzzers find defects: each fix is removed from a copy of the library, and the defect found again."""

from __future__ import annotations

import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import rankgauge
from fuzz.campaign import Slice, run_slice, say

SOURCE = Path(rankgauge.__file__).parents[1]
SEED = 1
LIMIT = 5_000
"""Cases after which the proof fails."""


@dataclass(frozen=True)
class Reversion:
    """A defect that was fixed: the text of the fix, and what it is replaced with to have the defect again."""

    about: str
    fuzzer: str
    signature: str
    """Pattern of the signatures of its failures."""
    file: str
    fixed: str
    broken: str

    def apply(self, folder: Path) -> Path:
        """Return a copy of the library, in this folder, that has the defect."""
        copy = folder / "src"
        shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        path = copy / "rankgauge" / self.file
        text = path.read_text(encoding="utf-8")
        if text.count(self.fixed) != 1:
            raise LookupError(f"{self.file} does not contain {self.fixed!r} once; update fuzz/proof.py")
        path.write_text(text.replace(self.fixed, self.broken), encoding="utf-8")
        return copy


REVERSIONS = {
    "panics": Reversion(
        "a damaged Parquet or Arrow file raises a Rust panic",
        "files",
        "PanicException",
        "inputs/findings.py",
        'is_panic = type(error).__name__ == "PanicException"',
        "is_panic = False",
    ),
    "iterators": Reversion(
        "looking at a one-shot iterator uses up its first item",
        "forms",
        r"\w+: forms agree on /(values|\d|value)",
        "inputs/source.py",
        "    if isinstance(source, Iterator) and not is_file(source):\n        return replayable([*source])\n",
        "    for value in source.values() if isinstance(source, Mapping) else ():\n"
        "        next(value, None) if isinstance(value, Iterator) else None\n",
    ),
    "masks": Reversion(
        "the masks of arrays are ignored",
        "arrays",
        "masked arrays",
        "value_checks.py",
        "    mask = np.ma.getmaskarray(values)\n",
        "    return values.data\n",
    ),
    "shared ranks": Reversion(
        "the changes of items that share a rank do not add up to the change of the query",
        "relations",
        "attribution of items",
        "analysis/item_attribution.py",
        "    if computed.judged.is_ideal:\n        shares",
        "    if computed.judged is not judged and not isinstance(computed.judged, AveragedTies):\n        shares",
    ),
}


def prove(reversion: Reversion, seed: int = SEED, minimising: float = 20) -> Slice:
    """Return what the fuzzer finds in a library with the defect; it stops at the first failure with its signature."""
    with tempfile.TemporaryDirectory() as folder:
        source = reversion.apply(Path(folder))
        return run_slice(
            reversion.fuzzer, seed, 0, LIMIT, 600, source=source, minimising=minimising, until=reversion.signature
        )


def prove_all() -> bool:
    """Print how each defect is found, and return whether all are."""
    proved = True
    for name, reversion in REVERSIONS.items():
        started = time.monotonic()
        found = prove(reversion)
        proved &= bool(found.defects)
        say(f"{name}: {reversion.about}")
        for number, failure, case in found.defects.values():
            seconds = time.monotonic() - started
            say(f"  found by {reversion.fuzzer} in case {number} of seed {SEED} ({seconds:.0f} s with minimising)")
            say(f"  {failure.signature}\n  {case}")
        if not found.defects:
            say(f"  NOT FOUND in {found.checked} cases")
    return proved
