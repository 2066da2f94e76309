"""A pytest plugin: the fixture ``ranking_gate`` checks rankings against baselines saved beside the tests.

    def test_search(ranking_gate):
        ranking_gate(judgments, ranking, "nDCG@10 drops 0.01", "nDCG@10 < 0.4")

``pytest --save-ranking-baselines`` writes the scores of this run as ``ranking-baselines/TEST.json``; later runs compare
with them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from rankgauge.matching.source_types import JudgmentsLike, RankingLike

SAVE = "--save-ranking-baselines"
FOLDER = "ranking-baselines"
LINES = pytest.StashKey[list[str]]()


class RankingGate:
    """Checks rankings in one test; the baseline of the first check is ``TEST.json``, then ``TEST-2.json``, ..."""

    def __init__(self, node: pytest.Item) -> None:
        self._node = node
        self._checks = 0

    def __call__(
        self,
        judgments: JudgmentsLike,
        ranking: RankingLike,
        *conditions: Any,
        baseline: RankingLike | None = None,
        **options: Any,
    ) -> None:
        """Fail the test with the queries to look at if a condition is met; takes the keywords of ``check``."""
        __tracebackhide__ = True
        from rankgauge.gate.check import check  # noqa: PLC0415 (loaded only where a test uses it)
        from rankgauge.gate.conditions import parse_condition  # noqa: PLC0415

        self._checks += 1
        parsed = [parse_condition(condition) for condition in conditions]
        compares, saves = any(condition.compares for condition in parsed), self._node.config.getoption(SAVE)
        saved = self.baseline_path
        if compares and baseline is None and not saves:
            if not saved.is_file():
                pytest.fail(f"there is no baseline {saved}; run pytest {SAVE} once to save it", pytrace=False)
            baseline = str(saved)
        checked = [condition for condition in parsed if baseline is not None or not condition.compares]
        if checked:
            result = check(judgments, ranking, checked, baseline=baseline, **options)
            self._node.config.stash.setdefault(LINES, []).extend(
                [f"{self._node.name}: {check.line()}; {check.counted()}" for check in result.checks]
            )
            if not result:
                pytest.fail(result.to_text(), pytrace=False)
        if compares and baseline is None:
            self._save(judgments, ranking, [condition.metric for condition in parsed], options)

    @property
    def baseline_path(self) -> Path:
        """Where the baseline of the current check is saved."""
        name = re.sub(r"[^\w.\[\]-]+", "_", self._node.name)
        number = f"-{self._checks}" if self._checks > 1 else ""
        return self._node.path.parent / FOLDER / f"{self._node.path.stem}-{name}{number}.json"

    def _save(self, judgments: Any, ranking: Any, metrics: list[Any], options: dict[str, Any]) -> None:
        from rankgauge.evaluation.evaluate import evaluate  # noqa: PLC0415
        from rankgauge.inputs.io.atomic_file import atomic_write  # noqa: PLC0415

        reading = {name: value for name, value in options.items() if name != "worst"}
        scores = evaluate(judgments, ranking, [*dict.fromkeys(metrics)], **reading)
        self.baseline_path.parent.mkdir(exist_ok=True)
        with atomic_write(self.baseline_path, force=True) as file:
            file.write(f"{scores.to_json(indent=1)}\n".encode())
        self._node.config.stash.setdefault(LINES, []).append(f"{self._node.name}: saved {self.baseline_path}")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that saves baselines."""
    parser.getgroup("rankgauge").addoption(
        SAVE, action="store_true", help="save the scores that ranking_gate checks as the baselines of later runs"
    )


@pytest.fixture
def ranking_gate(request: pytest.FixtureRequest) -> RankingGate:
    """Check rankings against conditions; ``drops`` and ``rises`` compare with the baseline saved for this test."""
    return RankingGate(request.node)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """List the values that were checked."""
    if lines := config.stash.get(LINES, []):
        terminalreporter.section("ranking quality")
        for line in lines:
            terminalreporter.write_line(line)
