"""The metrics, each declared in the file of its family and listed in that file's ``__all__``."""

import sys as _sys
import typing as _typing

from rankgauge.kernels.aliases import *
from rankgauge.kernels.average import *
from rankgauge.kernels.calibration import *
from rankgauge.kernels.compatibility import *
from rankgauge.kernels.counts import *
from rankgauge.kernels.coverage import *
from rankgauge.kernels.cwl import *
from rankgauge.kernels.diversity import *
from rankgauge.kernels.experimental import *
from rankgauge.kernels.fairness import *
from rankgauge.kernels.first_hit import *
from rankgauge.kernels.gain import *
from rankgauge.kernels.incomplete import *
from rankgauge.kernels.intents import *
from rankgauge.kernels.pairs import *
from rankgauge.kernels.pooled import *
from rankgauge.kernels.popularity import *
from rankgauge.kernels.precision import *
from rankgauge.kernels.span_coverage import *
from rankgauge.kernels.user_models import *

if not _typing.TYPE_CHECKING:  # a type checker reads the star imports; mypy does not understand a computed list
    _families = [module for name, module in [*_sys.modules.items()] if name.startswith(f"{__name__}.")]
    __all__ = sorted({name for family in _families for name in getattr(family, "__all__", ())})  # noqa: PLE0605
