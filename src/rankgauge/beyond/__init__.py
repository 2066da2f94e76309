"""What lies beyond accuracy: metrics of the items themselves, declared as all others are."""

from rankgauge.beyond import calibration, coverage, diversity, fairness, intents, pooled, popularity
from rankgauge.beyond.calibration import *
from rankgauge.beyond.coverage import *
from rankgauge.beyond.diversity import *
from rankgauge.beyond.fairness import *
from rankgauge.beyond.intents import *
from rankgauge.beyond.pooled import *
from rankgauge.beyond.popularity import *

__all__ = []
__all__ += calibration.__all__
__all__ += coverage.__all__
__all__ += diversity.__all__
__all__ += fairness.__all__
__all__ += intents.__all__
__all__ += pooled.__all__
__all__ += popularity.__all__
