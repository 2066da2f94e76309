"""User-visible text uses the field's own words (no retired words) and correct plurals."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import rankgauge as rg

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "rankgauge"
PAGES = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / "benchmarks").glob("*.md"),
    *(path for ending in ("js", "html") for path in SOURCE.rglob(f"*.{ending}")),
]

ENGLISH = {
    r"part(?:s|ed|ing)? (?:by|them|the two)": "separated by, make them differ",
    r"anew": "again, re-...",
    r"(?:un)?packed(?! binary)": "compressed, decompressed",
    r"roads?": "input path, source",
    r"settle[sd]?|settling": "apply rules, resolve",
    r"(?:that|which|where) there is not": "unknown",
    r"hears?|heard": "on_..., callback",
    r"(?:comes?|came) about": "is computed",
    r"mend(?:s|ed|ing)?": "fix",
    r"whole or not at all": "atomically",
    r"in force": "used, effective",
    r"of ours": "of rankgauge",
    r"say --": "pass --",
    r"mistake in rankgauge": "bug in rankgauge",
    r"false alarms?": "significance level, type I error",
    r"(?:told|tell|tells) (?:\w+ )?apart": "differ significantly",
    r"so many (?:queries|items|users|lists|rows|times)": "fewer than this",
    r"in the clothes": "compatible",
    r"(?:speaks?|spoken) (?:of|for|in)|language to speak": "describes, output language",
    r"stands? (?:at|in|there|beside|on)": "is",
    r"warmth": "cold start",
    r"wholes": "corpus-level values",
    r"(?:be|is|are|was) (?:to be )?said of": "say what it is",
    r"and (?:their|its) like": "and similar ...",
}
"""Retired words and what to write instead; matched as whole words, in any case."""
CHINESE = {
    "印出": "给出",
    "印在": "附在",
    "关卡": "门禁",
    "邮寄": "转发",
    "寄出": "转发",
    "折扣": "折损",
    "已定的": "特殊情形的处理",
    "怎么说": "给出的值",
    "超出准确率": "准确性以外的方面",
    "不泄漏的": "无泄漏的",
    "生效的规则": "所用规则",
    "的机会被发现": "可检出的最小差异",
    "处理器秒": "CPU 秒",
}
RETIRED = re.compile(rf"\b(?:{'|'.join(ENGLISH)})\b|{'|'.join(CHINESE)}", re.IGNORECASE)

NOUNS = (
    "queries|items|users|judgments|rows|lines|files|systems|metrics|grades|values|checks|topics|pairs|findings|lists|"
    "names|scores|labels|numbers|tools|presets"
)
COUNTED = re.compile(rf"\{{[^{{}}|]*\}}(?: (?:judged|other|more|relevant|unjudged))? (?:{NOUNS})\b")
"""A number in braces before a plural, which reads "1 queries"; ``{count:# query|# queries}`` and ``plural`` do not."""
ONE = re.compile(rf"(?<![\d.,@=^*/+(-])\b1 (?:{NOUNS})\b")

ALLOWED = {
    "comparison/verdict.py": "{queries:,} queries|{count} systems",  # one query and one system have their own messages
    "comparison/metric_comparison.py": "for all {} systems",  # at least two
    "estimation/sampled_correction.py": "sampled={} items",  # an argument, and at least two
    "evaluation/evaluator.py": "each of {} lists",  # from 20 queries
    "matching/convert.py": "{} files",  # the name of a format
    "inputs/formats/reader.py": "{} files",
    "preparation/event_rules.py": "part by",  # a key
    "CHANGELOG.md": "`rg.warmth`|`Metric.in_force(...)`, `.settled(...)`",  # former names
}
"""Legitimate matches by the end of the path: texts, separated by ``|``, that contain them."""


def literals(path: Path) -> Iterator[tuple[int, str]]:
    """Yield every string literal, docstring and f-string of a module, the values of f-strings as ``{}``."""
    inside: set[int] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            inside.update(id(part) for part in ast.walk(node) if part is not node)
            yield node.lineno, "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.lineno, node.value


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the texts of a module or the lines of a page, with line numbers."""
    if path.suffix == ".py":
        return literals(path)
    return enumerate(path.read_text(encoding="utf-8").splitlines(), 1)


def matches(pattern: re.Pattern[str]) -> list[str]:
    """Return every match that is not allowed, with its place."""
    found = []
    for path in [*sorted(SOURCE.rglob("*.py")), *PAGES]:
        allowed = [text for end, list_ in ALLOWED.items() if path.as_posix().endswith(end) for text in list_.split("|")]
        for line, text in texts(path):
            for word in allowed:
                text = text.replace(word, "")  # noqa: PLW2901
            for match in pattern.finditer(text):
                around = text[max(0, match.start() - 40) : match.end() + 40]
                found.append(f"{path.relative_to(ROOT)}:{line}: {around!r}")
    return found


def test_retired_words_are_not_used():
    assert matches(RETIRED) == []


def test_counts_before_plurals_have_a_singular():
    assert matches(COUNTED) == []


def test_one_is_followed_by_a_singular():
    assert matches(ONE) == []


@pytest.mark.parametrize("text", ["parted by commas", "the rules in force", "Drawn anew", "say --force", "印出定义"])
def test_a_retired_word_is_found(text):
    assert RETIRED.search(text)


@pytest.mark.parametrize("text", ["{count} queries", "{} judged items", "{len(rows):,} rows"])
def test_a_count_without_a_singular_is_found(text):
    assert COUNTED.search(text)


@pytest.mark.parametrize("text", ["{count:# query|# queries}", "nDCG@{k} of items", "{text}, lines"])
def test_a_correct_count_is_accepted(text):
    assert not COUNTED.search(text)


def english_only(path: Path) -> Iterator[str]:
    """Yield the places where a message of an error or a finding is a plain text, which has no Chinese."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case (
                ast.Raise(exc=ast.Call(func=ast.Name("InputError" | "ParameterError"), args=[message, *_]))
                | ast.Call(func=ast.Attribute(attr="add"), args=[ast.Constant(str()), message, *_])
            ) if is_plain(message):
                yield f"{path.relative_to(SOURCE)}:{node.lineno}"


def is_plain(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def test_messages_of_engines_are_in_both_languages():
    """Refusals of options were, errors in the data of DuckDB, Spark and torch were not."""
    assert [place for path in sorted((SOURCE / "engines").rglob("*.py")) for place in english_only(path)] == []


@pytest.mark.parametrize(
    ("ranking", "code"), [({"q": ["a", "a"]}, "RG301"), ({"x": ["a"]}, "RG403"), ({"q": {"a": math.inf}}, "RG203")]
)
def test_the_place_of_a_finding_is_chinese_in_chinese(ranking, code):
    scores = rg.evaluate({"q": {"a": 1, "b": 0}}, {"系统": {"q": ["b"]} | ranking}, "RR", lenient=True)
    examples = [finding.example("zh") for finding in scores.findings if finding.code == code]
    assert examples
    assert not any("ranking" in example or "：" not in example for example in examples), examples
