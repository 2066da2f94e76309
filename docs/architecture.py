"""Write the table of files in ARCHITECTURE.md from the first line of each module's docstring.

Usage: docs/architecture.py [--check]
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "rankgauge"
PAGE = ROOT / "ARCHITECTURE.md"
BEGIN, END = "<!-- files: written by docs/architecture.py -->", "<!-- end of files -->"
ORDER = (
    "command_start.py", "errors.py", "value_checks.py", "segments.py", "rendering", "stats",
    "conventions", "inputs", "preparation", "matching", "metric_core", "side_information", "kernels", "evaluation",
    "analysis", "fusion", "judging", "pooling", "comparison", "leaderboards", "history", "gate", "tuning",
    "estimation", "reconciliation", "auditing", "reports", "engines", "adapters", "trec_eval", "compat", "serve",
    "cli", "example.py", "testing.py", "pytest_plugin.py", "__main__.py",
)  # fmt: skip
"""Stages in import order, then the edges."""


def purpose(path: Path) -> str:
    """Return the first sentence of a module's docstring."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split()).rstrip(".").replace("|", "\\|")


def rows(entry: str) -> list[str]:
    """Return the lines of one top-level file or folder."""
    path = SOURCE / entry
    if path.is_file():
        return [f"| `{entry}` | {purpose(path)} |"]
    lines = [f"| **`{entry}/`** | **{purpose(path / '__init__.py')}** |"]
    for file in sorted(path.rglob("*.py"), key=lambda file: (len(file.relative_to(path).parts), str(file))):
        name = file.relative_to(path).as_posix()
        if name == "__init__.py":
            continue
        if file.name == "__init__.py":
            lines.append(f"| **`{entry}/{name.removesuffix('/__init__.py')}/`** | **{purpose(file)}** |")
        else:
            lines.append(f"| `{file.name}` | {purpose(file)} |")
    return lines


def table() -> str:
    """Return the whole table."""
    entries = {path.name for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    unknown = entries - {*ORDER, "__init__.py"}
    if unknown:
        sys.exit(f"docs/architecture.py: add {', '.join(sorted(unknown))} to ORDER")
    lines = ["| file | purpose |", "|---|---|", *(line for entry in ORDER for line in rows(entry))]
    return "\n".join(lines)


def main() -> None:
    """Write the table, or check that it is current."""
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    current = f"{before}{BEGIN}\n{table()}\n{END}{after}"
    if "--check" in sys.argv:
        sys.exit(None if current == page else "ARCHITECTURE.md is out of date; run: make docs")
    PAGE.write_text(current, encoding="utf-8")


if __name__ == "__main__":
    main()
