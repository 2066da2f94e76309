"""The judging sheet: the pairs of a pool in the order in which an assessor sees them, with their texts, and blind."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypedDict

import numpy as np

from rankgauge.errors import ParameterError, allowed_names
from rankgauge.evaluation.score_formats import table_text
from rankgauge.inputs.io.atomic_file import atomic_write
from rankgauge.inputs.texts import TextsLike, query_key, read_texts
from rankgauge.judging.labels import PAIR
from rankgauge.pooling.pooled import Pool
from rankgauge.rendering.language import Lang, check_lang, plural
from rankgauge.stats.samples import check_share

FORMATS = {".html": "html", ".htm": "html", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
"""Formats of a sheet by the ending of its file."""
REPEATS = 0.05
FEWEST_FOR_REPEATS = 10
"""Pairs from which on some are shown twice."""
LONGEST_TEXT = 20_000
"""Longer texts of items are cut to this number of characters."""


SheetRecord: TypeAlias = dict[str, Any]
"""One row of a sheet in CSV or JSONL."""


class SheetRow(NamedTuple):
    """One question to the assessor."""

    query: Any
    item: Any
    repeat: int
    """1 if the pair was asked before, so that the assessor can be compared with himself."""
    reason: str
    inclusion: float


class SheetOptions(TypedDict, total=False):
    """The options of a sheet; ``Pool.sheet`` says what they are."""

    texts: TextsLike | None
    guideline: str
    title: str
    repeats: float
    lang: str


@dataclass(frozen=True, eq=False, repr=False)
class Sheet:
    """The pairs of a pool in the order in which they are judged."""

    rows: tuple[SheetRow, ...]
    fingerprint: str
    max_grade: int
    title: str = ""
    guideline: str = ""
    lang: Lang = "en"
    texts: Mapping[str, str] = field(default_factory=dict)
    is_part: bool = False
    """Whether it asks for some pairs of the pool only."""

    def __repr__(self) -> str:
        return f"<Sheet of pool {self.fingerprint}: {plural(len(self.rows), '# question', '# questions')}>"

    def query_text(self, query: object) -> str:
        """Return the text of a query, empty if it is not known."""
        return self.texts.get(query_key(str(query)), self.texts.get(str(query), ""))

    def item_text(self, item: object) -> str:
        """Return the text of an item, empty if it is not known."""
        return self.texts.get(str(item), "")

    def to_dicts(self) -> list[SheetRecord]:
        """Return a row for each question, with empty fields for the assessor."""
        return [*self._records()]

    def _records(self) -> Iterator[SheetRecord]:
        for row in self.rows:
            texts = {"query_text": self.query_text(row.query), "item_text": self.item_text(row.item)}
            answer = {"grade": None, "rater": None, "note": None}
            yield {
                "query": row.query, "item": row.item, **texts, **answer, "repeat": row.repeat, "reason": row.reason,
                "inclusion": row.inclusion, "max_grade": self.max_grade, "pool_fingerprint": self.fingerprint,
            }  # fmt: skip

    def to_csv(self) -> str:
        """Return the sheet for a spreadsheet, with ids and texts that it does not run as formulas."""
        records = self.to_dicts()
        columns = [*records[0]] if records else [*PAIR]
        return table_text(columns, (record.values() for record in records), ",")

    def to_jsonl(self) -> str:
        """Return a JSON object per question."""
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in self._records())

    def to_html(self) -> str:
        """Return the sheet as one page that works without a network."""
        from rankgauge.pooling.page import page  # noqa: PLC0415 (reads this module's names)

        return page(self)

    def save(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write the sheet atomically, as HTML, CSV or JSONL by the ending of the path."""
        name = FORMATS.get(Path(path).suffix.lower())
        if name is None:
            raise ParameterError.of("path", str(path), allowed_names(f"*{ending}" for ending in FORMATS), "Sheet.save")
        with atomic_write(path, force=force) as file:
            file.write(getattr(self, f"to_{name}")().encode())


def sheet_of(
    pool: Pool,
    *,
    texts: TextsLike | None = None,
    guideline: str = "",
    title: str = "",
    repeats: float = REPEATS,
    lang: str = "en",
) -> Sheet:
    """Return the sheet of a pool; ``Pool.sheet`` says what the parameters are."""
    share = 0.0 if repeats == 0 else check_share("repeats", repeats, "sheet")
    random = np.random.default_rng(pool.seed)
    pairs = pool.frame.select(*PAIR, "reason", "inclusion")
    asked = [SheetRow(query, item, 0, reason, chance) for query, item, reason, chance in pairs.iter_rows()]
    count = max(1, round(share * len(asked))) if share and len(asked) >= FEWEST_FOR_REPEATS else 0
    chosen = np.sort(random.choice(len(asked), count, replace=False)).tolist() if count else []
    again = [asked[number]._replace(repeat=1) for number in chosen]
    rows = [*_shuffled(asked, random), *_shuffled(again, random)]
    wanted = {str(row.query) for row in rows} | {str(row.item) for row in rows}
    known = {} if texts is None else read_texts(texts, wanted, LONGEST_TEXT)
    return Sheet(tuple(rows), pool.fingerprint, pool.max_grade, title, guideline, check_lang(lang), known)


def _shuffled(rows: list[SheetRow], random: np.random.Generator) -> list[SheetRow]:
    """Return the rows query by query, in random order within each."""
    by_query: dict[object, list[SheetRow]] = {}
    for row in rows:
        by_query.setdefault(row.query, []).append(row)
    return [own[place] for own in by_query.values() for place in random.permutation(len(own))]
