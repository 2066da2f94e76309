"""Statistics of several systems by a metric with a value per query."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankgauge.comparison.settings import Settings
from rankgauge.segments import Floats
from rankgauge.stats.corrections import P_CORRECTIONS
from rankgauge.stats.paired_tests import paired_t
from rankgauge.stats.sign_flips import randomisation_p
from rankgauge.stats.tukey import TUKEY_PERMUTATIONS, randomised_tukey_hsd, tukey_hsd


def p_values(matrix: Floats, places: Sequence[tuple[int, int]], settings: Settings) -> Floats:
    """P-value of each pair of columns: of the t test, or of the randomisation test if that is not applicable."""
    p = np.array([paired_t(matrix[:, a], matrix[:, b]).p for a, b in places])
    for place in np.flatnonzero(np.isnan(p)).tolist():
        a, b = places[place]
        p[place] = randomisation_p(matrix[:, [b]] - matrix[:, [a]], settings.permutations, settings.seed)[0]
    return p


def corrected_p_values(matrix: Floats, places: Sequence[tuple[int, int]], settings: Settings) -> Floats:
    """Corrected p-value of each pair of columns; 1 if there is nothing to test.

    Tukey's corrections cover all pairs of systems, whichever are requested.
    """
    if settings.correction in P_CORRECTIONS:
        return P_CORRECTIONS[settings.correction](p_values(matrix, places, settings))
    if settings.correction == "tukey":
        result = tukey_hsd(matrix)
    else:
        permutations = min(settings.permutations, TUKEY_PERMUTATIONS)
        result = randomised_tukey_hsd(matrix, permutations=permutations, seed=settings.seed)
    p = np.array([result.p[a, b] for a, b in places])
    return np.where(np.isnan(p), 1.0, p)
