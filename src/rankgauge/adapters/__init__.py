"""Thin edges to libraries that train rankers: each has the shape that its library asks for, none computes a metric."""


def absent(library: str, extra: str) -> ImportError:
    """What to say where a library is not installed."""
    return ImportError(
        f"{library} is not installed, and this part of rankgauge needs it: pip install 'rankgauge[{extra}]'"
    )
