"""What reading and matching found: collected, counted, and raised together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import get_args

from rankgauge.errors import InputError
from rankgauge.inputs.codes import CODES, Kind, Severity
from rankgauge.rendering.document import Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang

SHOWN = 5
"""How many examples of each kind are kept; the rest are counted."""

_HEADING = Phrase("Findings", "发现")
_NOTHING = Phrase("Nothing was found.", "没有发现任何问题。")
_COLUMNS = (
    Phrase("code", "代码"),
    Phrase("severity", "程度"),
    Phrase("what", "内容"),
    Phrase("count", "次数"),
    Phrase("first example", "第一个例子"),
    Phrase("remedy", "处理办法"),
)
_SEVERITIES = {"error": Phrase("error", "错误"), "warning": Phrase("warning", "警告"), "note": Phrase("note", "提示")}


@dataclass(frozen=True)
class Finding:
    """One kind of finding with how often it occurred and where it did first."""

    code: str
    severity: Severity
    title: Phrase
    remedy: Phrase
    count: int
    examples: tuple[str, ...]

    def __str__(self) -> str:
        """The examples, how many more there are, and the remedy, as an error message shows them."""
        lines = [f"{example} [{self.code}]" for example in self.examples]
        more = self.count - len(self.examples)
        if more > 0:
            lines.append(f"and {more:,} more of this kind [{self.code}]")
        return "\n".join([*lines, f"remedy: {self.remedy.en}"])


def input_error(code: str, example: str) -> InputError:
    """The error for a problem that no reading can go past, lenient or not."""
    return InputError(str(_finding(code, 1, (example,))), [code])


def _finding(code: str, count: int, examples: tuple[str, ...]) -> Finding:
    kind = CODES[code]
    return Finding(code, kind.severity, kind.title, kind.remedy, count, examples)


@dataclass
class Findings:
    """A collector: what was found, in order of severity and code.

    >>> found = Findings()
    >>> found.add("RG203", "run.txt:3: score inf (query '1', item 'd')")
    >>> [(finding.code, finding.count) for finding in found]
    [('RG203', 1)]
    >>> found.raise_errors(lenient=False)  # a warning is no error
    """

    _found: dict[str, Finding] = field(default_factory=dict)

    def add(self, code: str, example: str = "", count: int = 1) -> None:
        """Count a finding and keep its example while there are few.

        Parameters
        ----------
        code
            One of ``CODES``.
        example
            Place, value and reason: ``run.txt:17: score 'abc' is not a number``. Empty: only count.
        count
            How many occurrences this call stands for.
        """
        self._put(_finding(code, count, (example,) if example else ()))

    def merge(self, other: Findings) -> None:
        """Take over everything that another collector found."""
        for finding in other:
            self._put(finding)

    def taken(self) -> Findings:
        """Hand over everything that was found since the last call."""
        found, self._found = self._found, {}
        return Findings(found)

    def _put(self, finding: Finding) -> None:
        known = self._found.get(finding.code)
        if known is None:
            self._found[finding.code] = finding
            return
        examples = (known.examples + finding.examples)[:SHOWN]
        self._found[finding.code] = replace(known, count=known.count + finding.count, examples=examples)

    def __iter__(self) -> Iterator[Finding]:
        order = get_args(Severity)
        return iter(sorted(self._found.values(), key=lambda finding: (order.index(finding.severity), finding.code)))

    def __len__(self) -> int:
        return len(self._found)

    @property
    def errors(self) -> list[Finding]:
        """The findings that cannot be evaluated as they are."""
        return [finding for finding in self if finding.severity == "error"]

    def raise_errors(self, lenient: bool) -> None:
        """Raise one InputError that tells of all errors so far; in lenient mode do nothing."""
        errors = self.errors
        if lenient or not errors:
            return
        count = sum(finding.count for finding in errors)
        head = [f"{count:,} problems of {len(errors)} kind{'s' * (len(errors) > 1)}:"] if count > 1 else []
        raise InputError("\n".join([*head, *map(str, errors)]), [finding.code for finding in errors])

    def document(self, lang: Lang = "en") -> Document:
        """The findings as a table that can be written in every format."""
        lang = check_lang(lang)
        if not self._found:
            return Document([Heading(_HEADING.render(lang)), Paragraph(_NOTHING.render(lang))])
        rows = [
            [
                finding.code,
                _SEVERITIES[finding.severity].render(lang),
                finding.title.render(lang),
                f"{finding.count:,}",
                finding.examples[0] if finding.examples else "",
                finding.remedy.render(lang),
            ]
            for finding in self
        ]
        table = Table([column.render(lang) for column in _COLUMNS], rows, align="lllrll")
        return Document([Heading(_HEADING.render(lang)), table])


__all__ = ["CODES", "SHOWN", "Finding", "Findings", "Kind", "input_error"]
