"""Let the packages that people use write the samples in tests/data/formats, each in an environment of its own.

Run ``python parity/samples.py`` for all packages, or with the names of some. ``PARITY_ENVIRONMENTS`` is the folder of the
environments. Packages that cannot be installed keep their last samples.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from environments import ROOT, make, python_of

FOLDER = ROOT / "tests" / "data" / "formats"
VERSIONS = FOLDER / "versions.json"
ENVIRONMENTS = {
    "ragas": ["ragas==0.4.3", "langchain-community<0.4", "rapidfuzz"],
    "deepeval": ["deepeval"],
    "llama_index": ["llama-index-core<0.13"],
    "traces": [
        "opentelemetry-sdk", "opentelemetry-exporter-otlp-proto-common", "langchain-core", "langsmith",
        "openinference-instrumentation-langchain", "h5py",
    ],
    "haystack": ["haystack-ai"],
    "search": ["pytrec-eval-terrier", "ir_measures", "cwl-eval", "ranx"],
    "torch": ["torch", "mteb", "beir --no-deps", "datasets"],
    "mlflow": ["mlflow"],
    "trulens": ["trulens-core", "trulens-feedback"],
    "azure": ["azure-ai-evaluation"],
    "judges": ["umbrela --no-deps", "ragelo"],
}  # fmt: skip
PRODUCERS = {
    "ragas": ("ragas", "ragas"),
    "deepeval": ("deepeval", "deepeval"),
    "llama_index": ("llama_index", "llama-index-core"),
    "langchain": ("traces", "langchain-core"),
    "haystack": ("haystack", "haystack-ai"),
    "ranx": ("search", "ranx"),
    "ir_measures": ("search", "ir_measures"),
    "ir_datasets": ("search", "ir_datasets"),
    "beir": ("torch", "beir"),
    "datasets": ("torch", "datasets"),
    "mteb": ("torch", "mteb"),
    "mlflow": ("mlflow", "mlflow"),
    "opentelemetry": ("traces", "opentelemetry-sdk"),
    "openinference": ("traces", "openinference-instrumentation-langchain"),
    "h5py": ("traces", "h5py"),
    "trulens": ("trulens", "trulens-core"),
    "azure": ("azure", "azure-ai-evaluation"),
    "umbrela": ("judges", "umbrela"),
    "ragelo": ("judges", "ragelo"),
}
"""The environment and the package of each writer in sample_writers.py."""


def main(names: list[str]) -> None:
    """Write the samples of some packages, and the versions that wrote them."""
    versions = json.loads(VERSIONS.read_text()) if VERSIONS.exists() else {}
    for name in names or PRODUCERS:
        environment, package = PRODUCERS[name]
        failed = make(environment, ENVIRONMENTS)
        why = f"not installed: {failed}" if failed else write(name, environment)
        print(f"{name}: {why or 'written'}", file=sys.stderr)
        if not why:
            versions[name] = f"{package} {version_of(environment, package)}"
    VERSIONS.write_text(json.dumps(dict(sorted(versions.items())), indent=1) + "\n")


def write(name: str, environment: str) -> str:
    """Let a package write its samples in place of the last ones; return the reason if it cannot."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / name
        folder.mkdir()
        command = [python_of(environment), Path(__file__).with_name("sample_writers.py"), name, folder]
        done = subprocess.run(command, cwd=temporary, capture_output=True, text=True, check=False)
        if done.returncode:
            return done.stderr.strip().rpartition("\n")[2]
        shutil.rmtree(FOLDER / name, ignore_errors=True)
        shutil.copytree(folder, FOLDER / name)
    return ""


def version_of(environment: str, package: str) -> str:
    """Return the version of a package in an environment."""
    code = f"import importlib.metadata as m; print(m.version({package!r}))"
    return subprocess.run(
        [python_of(environment), "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


if __name__ == "__main__":
    main(sys.argv[1:])
