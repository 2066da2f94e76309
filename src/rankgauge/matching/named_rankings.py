"""The rankings of a call by name, and the refusal of input that could mean two things."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rankgauge.errors import ParameterError, shown
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.ranking import Ranking
from rankgauge.matching.read_options import ReadOptions
from rankgauge.matching.sources import are_several, check_distinct, check_names, check_options, check_order, replayable


def named_rankings(
    verb: str, judgments: Any, ranking: Any, options: ReadOptions, *, one: bool = False
) -> dict[str, Ranking]:
    """Return the rankings of a call by name, a single one under an empty name; refuse ambiguous input.

    With ``one``, several rankings are an error.
    """
    check_distinct({"judgments": judgments, "ranking": ranking})
    ranking = replayable(ranking) if isinstance(ranking, Mapping | Iterator) else ranking
    if not are_several(ranking, judgments.array if isinstance(judgments, Judgments) else judgments):
        if not isinstance(judgments, Judgments) and not isinstance(ranking, Ranking):
            check_options(options, judgments, ranking)
            check_order(judgments, ranking, options)
        return {"": Ranking.of(ranking, options)}
    check_names(ranking)
    if one:
        raise ParameterError(f"{verb} takes one ranking, not several ({', '.join(map(str, ranking))}); pass one")
    if not isinstance(judgments, Judgments):
        check_options(options, judgments, *ranking.values())
        check_order(judgments, next(iter(ranking.values())), options)
    check_distinct({f"ranking {shown(name)}": source for name, source in ranking.items()})
    empty = len(ranking) > 1
    return {str(name): Ranking.of(source, options, str(name), may_be_empty=empty) for name, source in ranking.items()}
