"""Fuzzers: random input for the whole library, and what must hold for it.

A fuzzer is a module with two functions: ``generate(random)`` returns a case, which is plain data, and ``check(case)``
raises an exception if the library does anything but answer correctly or refuse with a RankgaugeError. A case is
determined by the seed, the name of its fuzzer and its number.
"""

from importlib import import_module
from types import ModuleType

FUZZERS = {
    "files": "damaged files of every format, read by the library and by several commands",
    "options": "random command lines",
    "records": "damaged spans, judging sheets, labels and history stores, read by commands; spans in two forms",
    "forms": "the same data in two input forms: equal numbers and findings",
    "arrays": "types, masks, strides and dimensions of arrays",
    "calls": "public functions with odd values in place of arguments",
    "relations": "changes of the data whose effect on the values is known",
}
"""The fuzzers, each a module of this folder, and what they try."""


def fuzzer(name: str) -> ModuleType:
    """Return the module of a fuzzer."""
    return import_module(f"fuzz.{name}")
