"""Without an optional dependency, one sentence says what needs it and what to install, for every extra of the package."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

EXTRAS = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]
CALLS = """
import json, sys
from io import BytesIO
import numpy as np
import rankgauge as rg
from click.testing import CliRunner

cases, messages = json.loads(sys.argv[1]), {}
arrays = {"judgments": np.ones((1, 2)), "scores": np.ones((1, 2))}
qrels, run = {"q": {"a": 1}}, {"q": ["a"]}
for name, (call, blocked) in cases.items():
    for module in [*sys.modules]:
        if module.partition(".")[0] in blocked:
            del sys.modules[module]
    sys.modules.update(dict.fromkeys(blocked))
    try:
        exec(call)
    except rg.RankgaugeError as error:
        messages[name] = str(error)
    for module in blocked:
        del sys.modules[module]
print(json.dumps(messages))
"""
CASES = {
    "pandas": ("rg.evaluate(qrels, run, 'AP').to_pandas()", ["pandas"], "a pandas frame", "pandas"),
    "torch": ("rg.torch.evaluate(**arrays, metrics='AP')", ["array_api_compat"], "rg.torch", "array-api-compat"),
    "jax": ("rg.jax.evaluate(**arrays, metrics='AP')", ["jax"], "rg.jax", "jax"),
    "cupy": ("rg.cupy.evaluate(**arrays, metrics='AP')", ["cupy"], "rg.cupy", "cupy"),
    "duckdb": ("rg.duckdb.evaluate", ["pyarrow"], "rg.duckdb", "pyarrow"),
    "spark": ("rg.spark.evaluate", ["pyarrow"], "rg.spark", "pyarrow"),
    "sql": (
        "from rankgauge.engines.tables.sql import translate; translate('SELECT 1', 'snowflake')",
        ["sqlglot"],
        "dialect='snowflake'",
        "sqlglot",
    ),
    "torchmetrics": ("rg.torchmetrics", ["torchmetrics", "torch"], "rg.torchmetrics", "torch"),
    "keras": ("rg.keras", ["keras"], "rg.keras", "keras"),
    "sklearn": ("rg.sklearn.scorer('AP', query=0)", ["sklearn"], "rg.sklearn", "scikit-learn"),
    "hdf5": (
        "rg.evaluate(qrels, BytesIO(b'\\x89HDF\\r\\n\\x1a\\n' + bytes(90)), 'AP')",
        ["h5py"],
        "an HDF5 file",
        "h5py",
    ),
    "texts": (
        "rg.evaluate(qrels, run, 'AP', convention=rg.Convention(match='similar>=0.5'))",
        ["rapidfuzz"],
        "match='similar>=0.5'",
        "rapidfuzz",
    ),
    "ir_measures": (
        "from rankgauge.compat.ir_measures import register; register()",
        ["ir_measures"],
        "rankgauge.compat.ir_measures",
        "ir_measures",
    ),
    "mlflow": ("rg.mlflow.log_scores(rg.evaluate(qrels, run, 'AP'))", ["mlflow"], "rg.mlflow", "mlflow"),
    "sentence-transformers": (
        "rg.sentence_transformers.evaluator({}, {}, {})",
        ["sentence_transformers"],
        "rg.sentence_transformers",
        "sentence_transformers",
    ),
    "zstd": (
        "rg.evaluate(qrels, BytesIO(b'\\x28\\xb5\\x2f\\xfd' + bytes(20)), 'AP')",
        ["compression", "backports"],
        "a Zstandard file",
        "backports.zstd",
    ),
    "serve": (
        "from rankgauge.cli.serve import command; raise CliRunner().invoke(command, obj={}).exception",
        ["uvicorn", "starlette"],
        "rankgauge serve",
        "uvicorn",
    ),
    "lightgbm": ("rg.lightgbm.feval('AP')", ["lightgbm"], "", ""),
    "xgboost": ("rg.xgboost.custom_metric('AP')", ["xgboost"], "", ""),
}
"""What to call, the modules that cannot be imported, what needs them, and the package that is named; empty where the
library calls rankgauge, which imports nothing of it."""


@pytest.fixture(scope="module")
def messages():
    """The messages of all calls, from one new process, in which no optional library is loaded yet."""
    calls = json.dumps({name: case[:2] for name, case in CASES.items()})
    result = subprocess.run([sys.executable, "-c", CALLS, calls], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_every_extra_of_the_package_is_tried():
    others = {"pictures", "gzip"}  # programs and zlib do the same: test_plots_and_frames.py, test_files.py
    assert {*CASES} == {*EXTRAS} - others


@pytest.mark.parametrize("name", CASES)
def test_a_missing_extra_is_named_with_its_command(name, messages):
    _, _, feature, package = CASES[name]
    sentence = f"{feature} needs {package}, which is not installed: pip install 'rankgauge[{name}]'"

    assert messages.get(name, "").removeprefix("<file>: ") == (sentence if feature else "")
