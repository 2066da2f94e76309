"""Compute the values of one partner in its environment: ``worker.py PARTNER theirs|ours`` prints them as JSON."""

from __future__ import annotations

import importlib.util
import json
import sys
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

MARK = "\n--- values ---\n"
TOOLS = Path(__file__).parent / "tools"


def tool(name: str) -> ModuleType:
    """Load ``tools/NAME.py``, which may have the name of the package that it calls."""
    spec = importlib.util.spec_from_file_location(f"partner_{name}", TOOLS / f"{name}.py")
    if spec is None or spec.loader is None:
        sys.exit(f"there is no partner {name!r}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def main(name: str, side: str) -> None:
    """Print the version of the package and the values of one side."""
    partner = tool(name)
    answer = {"version": version(partner.PACKAGE), "values": getattr(partner, side)()}
    if side == "theirs" and hasattr(partner, "stored"):
        answer["stored"] = partner.stored()
    print(MARK + json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
