"""rankgauge: ranking metrics with a step-by-step explanation and the definition used.

>>> import rankgauge as rg
>>> round((rg.nDCG @ 5).of([3, 2, 3, 0, 1]), 6)
0.972364
"""

import rankgauge.command_start as _command_start  # noqa: F401, I001 (first: it acts while the others are loaded)

import typing as _typing
from importlib import import_module as _import_module
from types import ModuleType as _ModuleType

from rankgauge.conventions import Convention as Convention
from rankgauge.conventions import ConventionLike as ConventionLike
from rankgauge.errors import DataWarning as DataWarning
from rankgauge.errors import InputError as InputError
from rankgauge.errors import NotationError as NotationError
from rankgauge.errors import ParameterError as ParameterError
from rankgauge.errors import RankgaugeError as RankgaugeError
from rankgauge.errors import UndefinedError as UndefinedError
from rankgauge.errors import UnknownNameError as UnknownNameError
from rankgauge.kernels import *
from rankgauge.matching.judged_rankings import JudgedRankings as JudgedRankings
from rankgauge.matching.source_types import AttributesLike as AttributesLike
from rankgauge.matching.source_types import JudgmentsLike as JudgmentsLike
from rankgauge.matching.source_types import RankingLike as RankingLike
from rankgauge.matching.source_types import RankingsLike as RankingsLike
from rankgauge.matching.source_types import WeightsLike as WeightsLike
from rankgauge.metric_core.curve import Curve as Curve
from rankgauge.metric_core.declaration import metric as metric
from rankgauge.metric_core.explanation import Explanation as Explanation
from rankgauge.metric_core.metric import Bounds as Bounds
from rankgauge.metric_core.metric import Metric as Metric
from rankgauge.metric_core.notation import MetricLike as MetricLike
from rankgauge.metric_core.notation import MetricsLike as MetricsLike
from rankgauge.metric_core.notation import parse as parse
from rankgauge.metric_core.parameters import Cutoff as Cutoff
from rankgauge.metric_core.parameters import NonNegative as NonNegative
from rankgauge.metric_core.parameters import Positive as Positive
from rankgauge.metric_core.parameters import Probability as Probability
from rankgauge.metric_core.parameters import Share as Share
from rankgauge.metric_core.parameters import rule as rule
from rankgauge.metric_core.registry import metrics as metrics
from rankgauge.metric_core.registry import unregister as unregister
from rankgauge.metric_core.sums import Sum as Sum
from rankgauge.metric_core.sums import total as total
from rankgauge.side_information.side_information import SideInformation as SideInformation

if _typing.TYPE_CHECKING:
    from rankgauge import history as history
    from rankgauge import stats as stats
    from rankgauge.adapters import dvc as dvc
    from rankgauge.adapters import keras as keras
    from rankgauge.adapters import lightgbm as lightgbm
    from rankgauge.adapters import mlflow as mlflow
    from rankgauge.adapters import sentence_transformers as sentence_transformers
    from rankgauge.adapters import sklearn as sklearn
    from rankgauge.adapters import torchmetrics as torchmetrics
    from rankgauge.adapters import wandb as wandb
    from rankgauge.adapters import xgboost as xgboost
    from rankgauge.analysis.abstention import Abstention as Abstention
    from rankgauge.analysis.abstention import abstention as abstention
    from rankgauge.analysis.attribution import Attribution as Attribution
    from rankgauge.analysis.attribution import attribute as attribute
    from rankgauge.analysis.diff import diff as diff
    from rankgauge.analysis.instruction_following import p_mrr as p_mrr
    from rankgauge.analysis.slices import Slices as Slices
    from rankgauge.analysis.slices import slices as slices
    from rankgauge.analysis.unjudged import UnjudgedBounds as UnjudgedBounds
    from rankgauge.analysis.unjudged import unjudged_bounds as unjudged_bounds
    from rankgauge.auditing.audit import audit as audit
    from rankgauge.auditing.result import Audit as Audit
    from rankgauge.comparison.compare import compare as compare
    from rankgauge.comparison.comparison import Comparison as Comparison
    from rankgauge.conventions.presets import preset as preset
    from rankgauge.engines.arrays import cupy as cupy
    from rankgauge.engines.arrays import jax as jax
    from rankgauge.engines.arrays import torch as torch
    from rankgauge.engines.streaming.scores import StreamingScores as StreamingScores
    from rankgauge.engines.tables import duckdb as duckdb
    from rankgauge.engines.tables import spark as spark
    from rankgauge.estimation import off_policy as off_policy
    from rankgauge.estimation.cutoff import choose_k as choose_k
    from rankgauge.estimation.sampled_correction import correct_sampled as correct_sampled
    from rankgauge.evaluation.curves import Curves as Curves
    from rankgauge.evaluation.curves import curve as curve
    from rankgauge.evaluation.doctor import Diagnosis as Diagnosis
    from rankgauge.evaluation.doctor import doctor as doctor
    from rankgauge.evaluation.evaluate import evaluate as evaluate
    from rankgauge.evaluation.evaluate import explain as explain
    from rankgauge.evaluation.evaluator import Evaluator as Evaluator
    from rankgauge.evaluation.group_gaps import group_gaps as group_gaps
    from rankgauge.evaluation.scores import Scores as Scores
    from rankgauge.evaluation.value_files import read_scores as read_scores
    from rankgauge.fusion.fuse import fuse as fuse
    from rankgauge.fusion.fused_ranking import FusedRanking as FusedRanking
    from rankgauge.gate.check import check as check
    from rankgauge.gate.result import GateResult as GateResult
    from rankgauge.inputs.read_options import ReadOptions as ReadOptions
    from rankgauge.judging import judges as judges
    from rankgauge.leaderboards.board import Leaderboard as Leaderboard
    from rankgauge.leaderboards.leaderboard import leaderboard as leaderboard
    from rankgauge.matching.convert import convert as convert
    from rankgauge.matching.data import Data as Data
    from rankgauge.matching.data import read as read
    from rankgauge.pooling.pool import pool as pool
    from rankgauge.pooling.pooled import Pool as Pool
    from rankgauge.pooling.reusability import Reusability as Reusability
    from rankgauge.pooling.reusability import reusability as reusability
    from rankgauge.preparation import grades as grades
    from rankgauge.preparation import holdout as holdout
    from rankgauge.preparation import neighbours as neighbours
    from rankgauge.reconciliation.number_matches import NumberMatches as NumberMatches
    from rankgauge.reconciliation.reconcile import reconcile as reconcile
    from rankgauge.reconciliation.reconciliation import Reconciliation as Reconciliation
    from rankgauge.reports.report import report as report
    from rankgauge.side_information.cold_start import cold_start as cold_start
    from rankgauge.tuning.tune import tune as tune
    from rankgauge.tuning.tuning import Tuning as Tuning

__version__ = "0.1.0"

_DEFINITIONS = {
    "analysis.abstention": "Abstention abstention",
    "analysis.attribution": "Attribution attribute",
    "analysis.diff": "diff",
    "analysis.instruction_following": "p_mrr",
    "analysis.slices": "Slices slices",
    "analysis.unjudged": "UnjudgedBounds unjudged_bounds",
    "auditing.audit": "audit",
    "auditing.result": "Audit",
    "comparison.compare": "compare",
    "comparison.comparison": "Comparison",
    "conventions.presets": "preset",
    "engines.streaming.scores": "StreamingScores",
    "estimation.cutoff": "choose_k",
    "estimation.sampled_correction": "correct_sampled",
    "evaluation.curves": "Curves curve",
    "evaluation.doctor": "Diagnosis doctor",
    "evaluation.evaluate": "evaluate explain",
    "evaluation.evaluator": "Evaluator",
    "evaluation.group_gaps": "group_gaps",
    "evaluation.scores": "Scores",
    "evaluation.value_files": "read_scores",
    "fusion.fuse": "fuse",
    "fusion.fused_ranking": "FusedRanking",
    "gate.check": "check",
    "gate.result": "GateResult",
    "matching.convert": "convert",
    "leaderboards.board": "Leaderboard",
    "leaderboards.leaderboard": "leaderboard",
    "matching.data": "Data read",
    "inputs.read_options": "ReadOptions",
    "pooling.pool": "pool",
    "pooling.pooled": "Pool",
    "pooling.reusability": "Reusability reusability",
    "reconciliation.number_matches": "NumberMatches",
    "reconciliation.reconcile": "reconcile",
    "reconciliation.reconciliation": "Reconciliation",
    "reports.report": "report",
    "side_information.cold_start": "cold_start",
    "tuning.tune": "tune",
    "tuning.tuning": "Tuning",
}
"""Modules and the public names they define; loaded on first use, so that `import rankgauge` stays fast."""

_FOLDERS = {
    "": "history stats",
    "adapters.": "dvc keras lightgbm mlflow sentence_transformers sklearn torchmetrics wandb xgboost",
    "engines.arrays.": "cupy jax torch",
    "engines.tables.": "duckdb spark",
    "estimation.": "off_policy",
    "judging.": "judges",
    "preparation.": "grades holdout neighbours",
}
"""Folders and their public modules, for which users write `rg.torch` or `rg.stats`. Not in `__all__`: a star import of
`torch` would hide the library itself."""

if not _typing.TYPE_CHECKING:  # type checkers read the imports above: every name has its type, and a typo is an error
    _NAMESPACES = {name: f"rankgauge.{folder}{name}" for folder, names in _FOLDERS.items() for name in names.split()}
    _LAZY = {name: f"rankgauge.{module}" for module, names in _DEFINITIONS.items() for name in names.split()}
    _eager = [name for name, value in globals().items() if not isinstance(value, _ModuleType)]
    __all__ = sorted({*_LAZY, *(name for name in _eager if not name.startswith("_"))})  # noqa: PLE0605

    def __getattr__(name: str) -> object:
        if name in _NAMESPACES:
            module = _import_module(_NAMESPACES[name])
            module.__dir__ = lambda: module.__all__
            return module
        if name not in _LAZY:
            raise AttributeError(f"module 'rankgauge' has no attribute {name!r}")
        value = globals()[name] = getattr(_import_module(_LAZY[name]), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*__all__, *_NAMESPACES, *(name for name in globals() if name.startswith("__"))})
