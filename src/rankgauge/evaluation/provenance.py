"""Provenance: what values were computed from, when and how, and fingerprints of the content."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from rankgauge.conventions import Convention
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.matching.fingerprints import queries_fingerprint
from rankgauge.matching.judgments import Judgments
from rankgauge.rendering.command_line import COMMAND
from rankgauge.rendering.plain import PlainData
from rankgauge.side_information.side_information import NOTHING, SideInformation

NOT_RECORDED = {"progress", "groups", "offsets", "query_ids"}
"""Read options that say nothing about the values, or hold a number for each item."""
FILES = (str, os.PathLike, int)
"""Side information that has a name: files, and the number of items."""


def time_text(seconds: float) -> str:
    """Return a time as text.

    >>> time_text(0)
    '1970-01-01T00:00:00Z'
    """
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


@dataclass(frozen=True, eq=False)
class ScoresOrigin:
    """What scores were computed from; fingerprints of judgments are computed when they are first asked for."""

    options: ReadOptions
    judgments: Judgments | None = None
    rankings: Mapping[str, str] = field(default_factory=dict)
    """Names of the files of the rankings, by system."""
    ranked: Mapping[str, str] = field(default_factory=dict)
    """Fingerprints of the rankings, by system, if they were asked for."""
    side_information: SideInformation = NOTHING
    judged: str | None = None
    """The fingerprint of judgments that are not here, but in a database or a cluster."""
    stored: Mapping[str, Any] | None = None
    """The provenance of saved scores, as it was saved."""
    time: float = field(default_factory=time.time)
    """When they were computed, in seconds."""

    def of_system(self, name: str) -> ScoresOrigin:
        """Return the origin of the scores of one system."""
        origins = ({name: texts[name]} if name in texts else {} for texts in (self.rankings, self.ranked))
        return replace(self, rankings=next(origins), ranked=next(origins))

    def provenance(self, convention: Convention, systems: tuple[str, ...], queries: Sequence[Any]) -> PlainData:
        """Return the version, the time, the convention, fingerprints, names of inputs, read options and the command."""
        if self.stored is not None:
            return dict(self.stored)
        from rankgauge import __version__  # noqa: PLC0415 (the version of the package)

        one = len(systems) == 1
        names = self.rankings.get(systems[0], "") if one else dict(self.rankings)
        ranked = self.ranked.get(systems[0]) if one else (dict(self.ranked) or None)
        tables = {name: str(table) for name, table in vars(self.side_information).items() if isinstance(table, FILES)}
        inputs = {
            "judgments": "" if self.judgments is None else self.judgments.name,
            "ranking": names,
            "side_information": tables,
        }
        epoch = os.environ.get("SOURCE_DATE_EPOCH", "")  # makes files reproducible
        return {
            "version": __version__,
            "time": time_text(float(epoch) if epoch.isdecimal() else self.time),
            "convention": convention.to_dict(),
            "judgments": self.judged if self.judgments is None else self.judgments.fingerprint,
            "queries": queries_fingerprint(queries),
            "ranking": ranked,
            "inputs": {side: name for side, name in inputs.items() if name},
            "read_options": recorded_options(self.options),
            "command": COMMAND.get(),
        }


def recorded_options(options: ReadOptions) -> PlainData:
    """Return the read options that are not the default, as plain data.

    >>> recorded_options(ReadOptions(lenient=True, format="csv"))
    {'format': 'csv', 'lenient': True}
    """
    recorded = {entry.name: getattr(options, entry.name) for entry in fields(options) if entry.name not in NOT_RECORDED}
    chosen = {name: value for name, value in recorded.items() if value not in (None, False) and value != {}}
    for name in {"units", "documents"} & chosen.keys():
        chosen[name] = getattr(chosen[name], "source", chosen[name])
    return {name: value if isinstance(value, bool | str) else _plain(value) for name, value in chosen.items()}


def _plain(value: object) -> Any:
    if isinstance(value, Mapping) and len(value) <= 20:  # noqa: PLR2004 (columns and formats, not a table of units)
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, str | int | float):
        return value
    return str(value) if isinstance(value, os.PathLike) else f"<{type(value).__name__}>"
