"""The metrics: one declaration each, in the file of its family, which also lists it in ``__all__``."""

from rankgauge.metrics import average, counts, experimental, first_hit, gain, incomplete, pairs, precision, user_models
from rankgauge.metrics.average import *
from rankgauge.metrics.counts import *
from rankgauge.metrics.experimental import *
from rankgauge.metrics.first_hit import *
from rankgauge.metrics.gain import *
from rankgauge.metrics.incomplete import *
from rankgauge.metrics.pairs import *
from rankgauge.metrics.precision import *
from rankgauge.metrics.user_models import *

__all__ = []
__all__ += average.__all__
__all__ += counts.__all__
__all__ += experimental.__all__
__all__ += first_hit.__all__
__all__ += gain.__all__
__all__ += incomplete.__all__
__all__ += pairs.__all__
__all__ += precision.__all__
__all__ += user_models.__all__
