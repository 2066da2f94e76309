"""Without an optional dependency, one sentence says what needs it and what to install."""

import subprocess
import sys

import pytest

BLOCK = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocker())
import numpy as np
import rankgauge as rg
arrays = {{"judgments": np.ones((1, 2)), "scores": np.ones((1, 2))}}
try:
    {call}
except rg.RankgaugeError as error:
    print(error)
"""
CASES = {
    "torch": (
        "rg.torch.evaluate(**arrays, metrics='AP')",
        ["array_api_compat"],
        "rg.torch needs array-api-compat, which is not installed: pip install 'rankgauge[torch]'",
    ),
    "jax": (
        "rg.jax.evaluate(**arrays, metrics='AP')",
        ["jax"],
        "rg.jax needs jax, which is not installed: pip install 'rankgauge[jax]'",
    ),
    "cupy": (
        "rg.cupy.evaluate(**arrays, metrics='AP')",
        ["cupy"],
        "rg.cupy needs cupy, which is not installed: pip install 'rankgauge[cupy]'",
    ),
    "duckdb": (
        "rg.duckdb.evaluate",
        ["pyarrow"],
        "rg.duckdb needs pyarrow, which is not installed: pip install 'rankgauge[duckdb]'",
    ),
    "spark": (
        "rg.spark.evaluate",
        ["pyarrow"],
        "rg.spark needs pyarrow, which is not installed: pip install 'rankgauge[spark]'",
    ),
    "sql": (
        "from rankgauge.engines.tables.sql import translate; translate('SELECT 1', 'snowflake')",
        ["sqlglot"],
        "dialect='snowflake' needs sqlglot, which is not installed: pip install 'rankgauge[sql]'",
    ),
    "torchmetrics": (
        "rg.torchmetrics",
        ["torchmetrics", "torch"],
        "rg.torchmetrics needs torch, which is not installed: pip install 'rankgauge[torchmetrics]'",
    ),
    "keras": ("rg.keras", ["keras"], "rg.keras needs keras, which is not installed: pip install 'rankgauge[keras]'"),
    "sklearn": (
        "rg.sklearn.scorer('AP', query=0)",
        ["sklearn"],
        "rg.sklearn needs scikit-learn, which is not installed: pip install 'rankgauge[sklearn]'",
    ),
    "zstd": (
        "from io import BytesIO; rg.evaluate({'q': {'a': 1}}, BytesIO(b'\\x28\\xb5\\x2f\\xfd' + bytes(20)), 'AP')",
        ["compression", "backports"],
        "a Zstandard file needs backports.zstd, which is not installed: pip install 'rankgauge[zstd]'",
    ),
    "serve": (
        (
            "from click.testing import CliRunner; from rankgauge.cli.serve import command; "
            "raise CliRunner().invoke(command, obj={}).exception"
        ),
        ["uvicorn", "starlette"],
        "rankgauge serve needs uvicorn, which is not installed: pip install 'rankgauge[serve]'",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_missing_extra_is_named_with_its_command(name):
    call, blocked, sentence = CASES[name]
    code = BLOCK.format(blocked=blocked, call=call)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert result.returncode == 0, result.stderr
    assert result.stdout.strip().endswith(sentence)
