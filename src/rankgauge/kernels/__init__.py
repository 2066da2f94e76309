"""The metrics, each declared in the file of its family and listed in that file's ``__all__``."""

from rankgauge.kernels import (
    aliases,
    average,
    calibration,
    counts,
    coverage,
    diversity,
    experimental,
    fairness,
    first_hit,
    gain,
    incomplete,
    intents,
    pairs,
    pooled,
    popularity,
    precision,
    user_models,
)
from rankgauge.kernels.aliases import *
from rankgauge.kernels.average import *
from rankgauge.kernels.calibration import *
from rankgauge.kernels.counts import *
from rankgauge.kernels.coverage import *
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
from rankgauge.kernels.user_models import *

__all__ = []
__all__ += aliases.__all__
__all__ += average.__all__
__all__ += calibration.__all__
__all__ += counts.__all__
__all__ += coverage.__all__
__all__ += diversity.__all__
__all__ += experimental.__all__
__all__ += fairness.__all__
__all__ += first_hit.__all__
__all__ += gain.__all__
__all__ += incomplete.__all__
__all__ += intents.__all__
__all__ += pairs.__all__
__all__ += pooled.__all__
__all__ += popularity.__all__
__all__ += precision.__all__
__all__ += user_models.__all__
