"""Findings about data: collected, counted, and raised together or shown as warnings of Python."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, get_args

from rankgauge.errors import DataWarning, InputError, RankgaugeError, Texts, shown, texts
from rankgauge.inputs.codes import CODES, page_of
from rankgauge.inputs.finding_kind import STOPS, Severity
from rankgauge.rendering.document import Document, Heading, Paragraph, ShownAsDocument, Table
from rankgauge.rendering.language import WORDS_OF_ROWS, Lang, Phrase, RowName, check_lang, naming_rows, plural
from rankgauge.rendering.plain import FrameResult, PlainData, columns_of

SHOWN = 5
"""Number of examples kept of each kind; the others are only counted."""

_HEADING = Phrase("Findings", "检查结果")
_NOTHING = Phrase("No findings.", "没有发现任何问题。")
_COLUMNS = {
    "code": Phrase("code", "代码"),
    "severity": Phrase("severity", "级别"),
    "finding": Phrase("finding", "问题"),
    "count": Phrase("count", "次数"),
    "first example": Phrase("first example", "首个示例"),
    "remedy": Phrase("remedy", "处理办法"),
}
CHOOSE_SPLIT = Phrase("choose one: split=...", "用 split=... 选择一个划分")
SIDE_NAMES = {"judgments": Phrase("judgments", "标注"), "ranking": Phrase("ranking", "排序结果")}
"""What findings call a side of which they know no file or name."""
NAMED_RANKING = Phrase("ranking {name}", "排序结果 {name}")
_IN_DOCUMENTS = frozenset({"RG402"})
"""Findings that documents mention anyway: judged queries without results."""
IN_DATA_NOTES = _IN_DOCUMENTS | {"RG409"}
"""Findings that the notes on the data mention: also the share of unjudged items."""
SEVERITIES = {"error": Phrase("error", "错误"), "warning": Phrase("warning", "警告"), "note": Phrase("note", "提示")}


@dataclass(frozen=True)
class Finding:
    """One kind of finding, with the number of occurrences and the first examples."""

    code: str
    severity: Severity
    title: Phrase
    remedy: Phrase
    count: int
    examples_texts: tuple[Texts, ...]
    """The first examples in both languages."""

    @property
    def examples(self) -> tuple[str, ...]:
        """The first examples."""
        return tuple(en for en, _ in self.examples_texts)

    def example(self, lang: Lang) -> str:
        """Return the first example, empty if there is none."""
        return self.examples_texts[0][lang == "zh"] if self.examples_texts else ""

    def to_dict(self) -> PlainData:
        """Return the finding as plain data, in English."""
        data = {"code": self.code, "severity": self.severity, "what": self.title.en, "count": self.count}
        return {**data, "examples": [*self.examples]}

    def __str__(self) -> str:
        """Return the kind of finding, then the examples, the number of others, and the remedy."""
        return f"{self.title.en}: {self.texts.en}"

    @property
    def texts(self) -> Phrase:
        """The message in both languages; the Chinese starts with the kind of problem if an example is English only."""
        more, code = self.count - len(self.examples_texts), self.code
        lines = [Phrase(f"{en} [{code}]", f"{zh} [{code}]") for en, zh in self.examples_texts]
        rest = [Phrase(f"and {more:,} more of this kind [{code}]", f"还有 {more:,} 处同类问题 [{code}]")][: more > 0]
        remedy = Phrase(
            f"remedy: {self.remedy.en} (more: {page_of(code, 'en')})",
            f"处理办法：{self.remedy.zh}（详见：{page_of(code, 'zh')}）",
        )
        joined = Phrase("\n", "\n").join([*lines, *rest, remedy])
        translated = all(en != zh for en, zh in self.examples_texts)
        return Phrase(joined.en, joined.zh if translated else f"{self.title.zh}：{joined.zh}")


@contextmanager
def reader_errors(place: str, expected: str = "") -> Iterator[None]:
    """Turn whatever a reader or a frame library raises into an InputError with the place and the reason.

    A panic of polars, which is no Exception, is one of the things they raise.
    """
    try:
        yield
    except (RankgaugeError, MemoryError):
        raise
    except BaseException as error:
        is_panic = type(error).__name__ == "PanicException"
        if not is_panic and not isinstance(error, Exception):
            raise
        text = str(error.strerror if isinstance(error, OSError) and error.strerror else error)
        reason = " ".join(text.splitlines()[:1]) or type(error).__name__
        reason = f"it is damaged (polars: {shown(reason, 120)})" if is_panic else reason[:300]
        what = f"{reason}{'; ' if expected else ''}{expected}"
        raise input_error("RG110", Phrase(f"{place}: cannot be read: {what}", f"{place}：无法读取：{what}")) from error


def no_splits(name: str, split: str) -> InputError:
    """Return the error for a split of data that name none."""
    message = Phrase(
        f"{name}: split {shown(split)} was asked for, but the data name no splits",
        f"{name}：指定了划分 {shown(split)}，但数据没有注明划分",
    )
    remedy = Phrase("leave split out, or pass the rows of that split", "去掉 split，或只给出该划分的行")
    return input_error("RG114", message, remedy)


def unknown_split(name: str, split: str, known: Iterable[object]) -> InputError:
    """Return the error for a split that is not among those of the data."""
    names = ", ".join(map(shown, known))
    message = Phrase(
        f"{name}: split {shown(split)} is not in it; it has {names}", f"{name}：没有划分 {shown(split)}；实有 {names}"
    )
    return input_error("RG114", message, CHOOSE_SPLIT)


def input_error(code: str, example: str | Texts, remedy: Phrase | None = None) -> InputError:
    """Return the error for a problem that stops even lenient reading, with the remedy of the code or its own."""
    finding = _finding(code, 1, (texts(example),))
    return InputError((finding if remedy is None else replace(finding, remedy=remedy)).texts, [code])


def with_ids(en: str, zh: str, query: object, item: object = None) -> Phrase:
    """Return a text followed by the query and the item that it is about.

    >>> with_ids("score is nan", "分数为 nan", "q", "d")
    Phrase(en="score is nan (query 'q', item 'd')", zh="分数为 nan（查询 'q'，物品 'd'）")
    """
    if item is None:
        return Phrase(f"{en} (query {shown(query)})", f"{zh}（查询 {shown(query)}）")
    query, item = shown(query), shown(item)
    return Phrase(f"{en} (query {query}, item {item})", f"{zh}（查询 {query}，物品 {item}）")


def _finding(code: str, count: int, examples: tuple[Texts, ...]) -> Finding:
    kind = CODES[code]
    return Finding(code, kind.severity, kind.title, kind.remedy, count, examples)


def _as_passed_over(finding: Finding) -> Finding:
    """Return an error as the warning that it is in lenient reading, which does what its code says."""
    if finding.severity != "error" or CODES[finding.code].lenient == STOPS:
        return finding
    does = CODES[finding.code].lenient
    remedy = Phrase(f"lenient reading {does.en}", f"宽松读取：{does.zh}")
    return replace(finding, severity="warning", remedy=remedy)


@dataclass(repr=False)
class Findings(ShownAsDocument, FrameResult):
    """Collected findings, iterated by severity and code.

    >>> findings = Findings()
    >>> findings.add("RG203", "run.txt:3: score inf (query '1', item 'd')")
    >>> [(finding.code, finding.count) for finding in findings]
    [('RG203', 1)]
    >>> findings.raise_errors(lenient=False)  # a warning does not raise
    """

    _by_code: dict[str, Finding] = field(default_factory=dict)
    rows: RowName = "queries"
    """What the lists or values belong to: users where the column that identifies them is named so."""
    lenient: bool = False
    """Whether reading was lenient, so that what would be an error is a warning."""
    where: dict[str, Callable[[Any, Any, int], str | Phrase]] = field(default_factory=dict)
    """By role, a function from a query, an item (None for any) and a number n to the place of their n-th occurrence."""

    _queries: dict[str, set[object]] = field(default_factory=dict, compare=False)
    """By code, the queries that were counted: each once, however many rankings it is in."""

    def place(self, role: str, query: object, item: object = None, occurrence: int = 1) -> Phrase:
        """Return where a query, or an item of it, is in the judgments or the ranking being read: a file and a line."""
        place = self.where[role](query, item, occurrence) if role in self.where else SIDE_NAMES.get(role, role)
        return place if isinstance(place, Phrase) else Phrase(place, place)

    def empty(self) -> Findings:
        """Return an empty collection that knows the same places."""
        return Findings(where=self.where, rows=self.rows)

    def add(self, code: str, example: str | Texts = "", count: int = 1, *, queries: Collection[object] = ()) -> None:
        """Count a finding, and keep its example if there are few: ``run.txt:17: score 'abc' is not a number``.

        Of a finding about queries those are counted that it was not added for before.
        """
        both = (example, example) if isinstance(example, str) else (example[0], example[1])
        counted = {code: set(queries)} if queries else {}
        finding = _finding(code, len(counted.get(code, ())) or count, (both,) if example else ())
        self.merge(Findings({code: finding}, _queries=counted))

    def merge(self, other: Findings) -> None:
        """Add the findings of another collection."""
        self.rows = self.rows if other.rows == "queries" else other.rows
        self.lenient |= other.lenient
        for code, finding in other._by_code.items():
            repeated = self._count_queries(code, other)
            if (known := self._by_code.get(code)) is not None:
                examples = (known.examples_texts + finding.examples_texts)[:SHOWN]
                count = known.count + finding.count - repeated
                finding = replace(known, count=count, examples_texts=examples)  # noqa: PLW2901
            self._by_code[code] = finding

    def _count_queries(self, code: str, other: Findings) -> int:
        """Note the queries of another collection, and return how many of them were known."""
        if code not in other._queries:
            return 0
        known, more = self._queries.setdefault(code, set()), other._queries[code]
        before = len(known)
        known |= more
        return before + len(more) - len(known)

    def without(self, codes: Container[str]) -> Findings:
        """Return the findings of other codes."""
        return Findings(
            {code: finding for code, finding in self._by_code.items() if code not in codes},
            lenient=self.lenient,
            _queries=self._queries,
        )

    def drain(self) -> Findings:
        """Return and remove everything collected since the last call."""
        drained = Findings(self._by_code, lenient=self.lenient, _queries=self._queries)
        self._by_code, self._queries = {}, {}
        return drained

    def __iter__(self) -> Iterator[Finding]:
        if not self._by_code:
            return iter(())
        order, findings = get_args(Severity), self._by_code.values()
        passed_over = map(_as_passed_over, findings) if self.lenient else findings
        return iter(sorted(passed_over, key=lambda finding: (order.index(finding.severity), finding.code)))

    def __len__(self) -> int:
        return len(self._by_code)

    def __repr__(self) -> str:
        return f"<Findings: {', '.join(f'{finding.code} x{finding.count:,}' for finding in self) or 'none'}>"

    @property
    def errors(self) -> list[Finding]:
        """Findings that prevent an evaluation, or would without lenient reading."""
        errors = (finding for finding in self._by_code.values() if finding.severity == "error")
        return sorted(errors, key=lambda finding: finding.code)

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return a row per kind of finding, as columns."""
        first = ({"first_example": finding.example("en"), "remedy": finding.remedy.en} for finding in self)
        rows = ({**finding.to_dict(), **more} for finding, more in zip(self, first, strict=True))
        return columns_of({name: value for name, value in row.items() if name != "examples"} for row in rows)

    def raise_errors(self, lenient: bool) -> None:
        """Raise one InputError for all errors so far; if lenient, only if one of them stops lenient reading, too."""
        self.lenient |= lenient
        errors = self.errors
        if not any(not lenient or CODES[finding.code].lenient == STOPS for finding in errors):
            return
        count = sum(finding.count for finding in errors)
        kinds = plural(len(errors), "# kind", "# kinds")
        heading = [Phrase(f"{count:,} problems of {kinds}:", f"{count:,} 处问题，共 {len(errors)} 类：")][: count > 1]
        joined = Phrase("\n", "\n").join([*heading, *(finding.texts for finding in errors)])
        raise InputError(joined, [finding.code for finding in errors])

    def first_example(self, finding: Finding, lang: Lang) -> str:
        """Return the first example of a finding, with the word for what the lists belong to."""
        query, other = (WORDS_OF_ROWS[rows][2 if lang == "zh" else 0] for rows in ("queries", self.rows))
        return re.sub(rf"{query} (?=['\d])", f"{other} ", finding.example(lang))

    def line(self, finding: Finding, lang: Lang) -> str:
        """Return a finding in one line: what it is, how often it occurs, and the first example."""
        count = f" x{finding.count:,}" if finding.count > 1 else ""
        with naming_rows(self.rows):
            title = finding.title.render(lang) + count
        parts = filter(None, [title, self.first_example(finding, lang)])
        return ("；" if lang == "zh" else "; ").join(" ".join(part.split()) for part in parts)

    def warning_lines(self, lang: Lang, mentioned: Container[str] = _IN_DOCUMENTS) -> list[str]:
        """Return the warnings, each in one line; those that are mentioned anyway are left out."""
        colon = "：" if lang == "zh" else ": "
        return [
            f"{SEVERITIES[finding.severity].render(lang)} {finding.code}{colon}{self.line(finding, lang)}"
            for finding in self
            if finding.severity != "note" and finding.code not in mentioned
        ]

    def with_warnings(self, document: Document) -> Document:
        """Return an English document followed by the warnings."""
        return Document([*document.blocks, *map(Paragraph, self.warning_lines("en"))])

    def document(self, lang: str = "en") -> Document:
        """Return the findings as a page."""
        checked = check_lang(lang)
        body = self.table(checked) if self._by_code else Paragraph(_NOTHING.render(checked))
        return Document([Heading(_HEADING.render(checked)), body])

    def table(self, lang: Lang, hidden: Container[str] = ()) -> Table:
        """Return the findings as a table, without those with a hidden code."""
        with naming_rows(self.rows):
            rows = [
                [
                    finding.code,
                    SEVERITIES[finding.severity].render(lang),
                    finding.title.render(lang),
                    f"{finding.count:,}",
                    self.first_example(finding, lang),
                    finding.remedy.render(lang),
                ]
                for finding in self
                if finding.code not in hidden
            ]
        return Table([title.render(lang) for title in _COLUMNS.values()], rows, align="lllrll", keys=[*_COLUMNS])


class ShownWithFindings(ShownAsDocument):
    """Base class of results that print as a document, with the warnings about the data they were computed from."""

    if TYPE_CHECKING:

        @property
        def findings(self) -> Findings:
            """What was noticed in the data."""

    def printed_document(self) -> Document:
        """Return the document and the warnings about the data."""
        return self.findings.with_warnings(self.document())


_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 (pathlib loads urllib)


def warn_about(findings: Findings) -> None:
    """Warn about every finding that should be checked, at the line of the caller's own code.

    Python shows a warning once for each place and text, so a loop does not repeat it.

    >>> findings = Findings()
    >>> findings.add("RG408", "a1")
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_about(findings)
    >>> print(caught[0].message)
    no item in common; a1 [RG408]; write the items of both sides the same way (more: rankgauge codes RG408)
    """
    for finding in findings:
        if finding.severity == "warning":
            code = finding.code
            text = f"{findings.line(finding, 'en')} [{code}]; {finding.remedy.en} (more: {page_of(code, 'en')})"
            warnings.warn(DataWarning(text, code), stacklevel=callers_level())


def callers_level() -> int:
    """Return the stack level of the first caller outside this package, for ``warn`` in the function that asks."""
    level, frame = 1, sys._getframe(1)  # noqa: SLF001 (Python 3.11 has no skip_file_prefixes)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    return level
