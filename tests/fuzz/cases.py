"""Cases: plain data that determines one call of the library and what is expected of it."""

from random import Random
from typing import Any

Case = dict[str, Any]


class BrokenError(AssertionError):
    """Something that must hold for every case does not hold for this one."""

    def __init__(self, law: str, detail: str = "") -> None:
        super().__init__(f"{law}: {detail}")
        self.law = law


def random_of(seed: int, fuzzer: str, number: int) -> Random:
    """Return the random numbers of one case, which do not depend on those before it."""
    return Random(f"{seed} {fuzzer} {number}")


def expect(holds: bool, law: str, detail: object = "") -> None:
    """Raise an error that names the law, unless it holds."""
    if not holds:
        raise BrokenError(law, str(detail))
