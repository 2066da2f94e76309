"""The check of a label of a judging sheet, from its description: FNV-1a with 64 bits of what the label says."""

import math


def sheet_check(label):
    """Return 16 hexadecimal digits: fields are separated by the unit separator, and inclusion counts in billionths."""
    grade = "withdrawn" if label.get("withdrawn") else "u" if label["grade"] is None else str(label["grade"])
    inclusion = math.floor(label["inclusion"] * 1e9 + 0.5)
    before, after = ("query", "item", "rater"), ("repeat", "reason")
    fields = [*(label[name] for name in before), grade, *(label[name] for name in after), inclusion]
    hashed = 14695981039346656037
    for byte in "\x1f".join(map(str, [*fields, label["max_grade"], label["pool_fingerprint"]])).encode():
        hashed = (hashed ^ byte) * 1099511628211 % 2**64
    return f"{hashed:016x}"
