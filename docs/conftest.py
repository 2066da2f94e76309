"""What the tests leave out: modules that need Sphinx, and pages whose examples need a package that is missing."""

import re
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent


def can_run(page: Path) -> bool:
    """Return whether everything that the examples of a page import is installed."""
    packages = re.findall(r"^>>> (?:import|from) (\w+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    return all(find_spec(package) is not None for package in packages)


collect_ignore = [f"website/{name}.py" for name in ("__main__", "check", "conf", "snippets", "sphinx_extension")]
collect_ignore += [page.name for page in HERE.glob("*.md") if not can_run(page)]
