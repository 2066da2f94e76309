"""The notation of metrics: one grammar for Python, the command line, reports and files.

    metric    = name [ "(" parameter { "," parameter } ")" ] [ "@" ( number | budget ) ]
    budget    = digits ( "chars" | "tokens" )
    parameter = word "=" value
    value     = number | quoted | word | table
    table     = "{" number ":" number { "," number ":" number } [ "," "other" ":" value ] "}"

The names of trec_eval (``ndcg_cut_10``, ``P.5``, ``recip_rank``) and of ir_measures (``nDCG(dcg='exp-log2')@10``,
``SetF``, ``IPrec@0.1``) are accepted as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias
from unicodedata import normalize

from rankgauge.conventions.gains import OTHER
from rankgauge.errors import NotationError, ParameterError, UnknownNameError, shown
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.registry import ON_CHANGE, find, is_ambiguous, is_known, names
from rankgauge.metric_core.tool_names import WHOLE_LIST, notation_of, other_spelling, translate
from rankgauge.rendering.language import Phrase

TOKEN = re.compile(
    r"""\s*(?:
    (?P<budget>[1-9][0-9]{0,14}(?:chars|tokens))(?![A-Za-z0-9_])
    | (?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![A-Za-z_0-9.])
    | (?P<quoted>'[^']*'|"[^"]*")
    | (?P<word>[A-Za-zα_\u4e00-\u9fff][A-Za-z0-9_\-.\u4e00-\u9fff]*)
    | (?P<sign>[(){}=,:@])
    )\s*""",
    re.VERBOSE,
)
WORDS = {"None": None, "True": True, "False": False}
LONGEST = 500
DEFAULT_METRIC = "nDCG@10"
"""The metric that every verb computes if none is given."""
CUTOFF = Phrase("a cutoff, as in @10, @4000chars or @1000tokens", "截断，如 @10、@4000chars 或 @1000tokens")
EXPECTED = Phrase("expected {expected}, found {found}", "应为{expected}，而不是 {found}")
ONE_METRIC = Phrase(
    "expected one metric, found {count}: {metrics}; call it once for each",
    "应为一个指标，而这里有 {count} 个：{metrics}；请对每个指标各调用一次",
)
OF_TOOL = Phrase(
    "unknown metric {name}, a function of {tool}: write {metric!r} with convention={preset!r}",
    "未知的指标 {name}，它是 {tool} 的函数：请写作 {metric!r}，并用 convention={preset!r}",
)
OPENING, CLOSING, SEPARATORS = "({", ")}", ",，、;；"


MetricLike: TypeAlias = str | Metric
"""A metric, or its text such as ``"nDCG@10"``; a measure of ir_measures is read by its text, too."""
MetricsLike: TypeAlias = MetricLike | Iterable[MetricLike]
"""One metric or several; a text may hold several, separated by commas."""


class Token(NamedTuple):
    """A token and its position in the text."""

    kind: str
    text: str
    place: int


def parse(text: MetricLike) -> Metric:
    """Parse a text such as ``nDCG@10`` as a metric; ``str`` of the metric returns it.

    >>> parse("nDCG(gain='exp2')@10")
    nDCG(gain='exp2')@10
    >>> parse("ndcg_cut_10"), parse("P.5"), parse("MAP"), parse("recip_rank")
    (nDCG@10, P@5, AP, RR)
    >>> parse("nDCG(dcg='exp-log2')@10"), parse("SetP(rel=2)"), parse("IPrec@0.1")
    (nDCG(gain='exp2', discount='log2(i+1)')@10, P(rel=2), IPrec(recall=0.1))
    >>> parse("nDGC@10")
    Traceback (most recent call last):
    ...
    rankgauge.errors.UnknownNameError: unknown metric 'nDGC'; did you mean 'nDCG'?
    """
    if isinstance(text, Metric):
        return text
    if not isinstance(text, str):
        if _is_measure(text):
            return parse(str(text))
        raise NotationError.of("a metric", text, "a metric or its text, such as nDCG@10")
    if len(text) > LONGEST:
        raise NotationError(
            f"the notation of a metric has at most {LONGEST} characters, not {len(text)}: {shown(text)}"
        )
    return _parse(normalize("NFKC", text))


@lru_cache(maxsize=256)
def _parse(text: str) -> Metric:
    try:
        return _Parser(notation_of(text.strip(), is_known) or text.rstrip()).metric()
    except (UnknownNameError, NotationError) as error:
        from rankgauge.conventions.presets import function_of_tool  # noqa: PLC0415 (only for an unknown name)

        own = None if is_ambiguous(text.strip()) else function_of_tool(text.strip())
        if own is not None:
            facts = {"name": shown(text), "tool": own[0].tool, "metric": own[1], "preset": own[0].name}
            raise UnknownNameError(OF_TOOL.fill(**facts)) from None
        meant = other_spelling(text, names())
        if meant is None or meant == text:
            raise
        try:
            meant = str(_Parser(meant).metric())
        except ParameterError:  # a level of relevance that the metric does not read
            raise error from None
        raise UnknownNameError(
            (
                f"unknown metric {shown(text)}; did you mean {meant!r}?",
                f"未知的指标 {shown(text)}；是否想用 {meant!r}？",
            )
        ) from None


ON_CHANGE.append(_parse.cache_clear)  # what a text meant may be outdated


def metric_or_default(metric: MetricLike | None) -> Metric:
    """Parse the metric of a call; None is the default metric.

    >>> metric_or_default(None), metric_or_default("AP")
    (nDCG@10, AP)
    """
    listed: Sequence[Any] = _split(metric) if isinstance(metric, str) else metric if isinstance(metric, list) else ()
    if len(listed) > 1:
        raise ParameterError(ONE_METRIC.fill(count=len(listed), metrics=", ".join(str(one).strip() for one in listed)))
    return parse(DEFAULT_METRIC if metric is None else metric)


def parse_all(metrics: MetricsLike | None) -> list[Metric]:
    """Parse one metric or several; a text may hold several, separated by commas; None is the default metric.

    >>> parse_all("RR"), parse_all(["AP", "P@5"]), parse_all("nDCG(gain={1: 1, 2: 3})@5, AP"), parse_all(None)
    ([RR], [AP, P@5], [nDCG(gain={1: 1, 2: 3})@5, AP], [nDCG@10])
    """
    metrics = DEFAULT_METRIC if metrics is None else metrics
    if not isinstance(metrics, str | Metric | Iterable) and not _is_measure(metrics):
        raise ParameterError.of(
            "metrics", metrics, ("one metric or more, as values or as text", "一个或多个指标，对象或文本均可")
        )
    listed = metrics if isinstance(metrics, Iterable) and not isinstance(metrics, str) else [metrics]
    texts = (
        part
        for metric in listed
        for part in (_split(normalize("NFKC", metric)) if isinstance(metric, str) else [metric])
    )
    parsed = [text if isinstance(text, Metric) else parse(text) for text in texts]
    if not parsed:
        raise ParameterError.of("metrics", metrics, ("one metric or more", "一个或多个指标"))
    return parsed


def _is_measure(value: object) -> bool:
    """Return whether a value is a measure of ir_measures, whose text is in our notation."""
    return hasattr(value, "SUPPORTED_PARAMS") and hasattr(value, "AT_PARAM")


def _split(text: str) -> list[str]:
    """Split a text at the commas outside brackets, among them those of Chinese keyboards."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in OPENING) - (letter in CLOSING)
        if depth == 0 and letter in SEPARATORS:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip()] or [text]


class _Parser:
    """A recursive-descent parser of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = self._tokens()
        self.next = 0

    def metric(self) -> Metric:
        name = self._take(Phrase("the name of a metric", "指标的名称"), "word").text
        metric = find(WHOLE_LIST.get(name, name), WHOLE_LIST)
        parameters = self._parameters() if self._skip("(") else {}
        at = metric.definition.at
        if self._skip("@"):
            if at in parameters or (at == "k" and "cutoff" in parameters):
                what = Phrase("the cutoff", "截断") if at == "k" else Phrase(at, at)
                message = Phrase(
                    "{what} is given twice, in parentheses and after @", "{what}在括号中与 @ 之后各给出一次"
                )
                raise self._error(message.fill(what=what))
            cutoff = self._take(CUTOFF, "number", "budget")
            parameters[at] = cutoff.text if cutoff.kind == "budget" else _number(cutoff.text)
        if self.next < len(self.tokens):
            text = shown(self.tokens[self.next].text)
            raise self._error(Phrase(f"{text} is unexpected", f"多余的 {text}"))
        parameters = translate(name, parameters, metric.definition.parameters)
        if at in parameters:
            metric = metric @ parameters.pop(at)
        return metric(**parameters) if parameters else metric

    def _parameters(self) -> dict[str, Any]:
        parameters: dict[str, object] = {}
        while not self._skip(")"):
            if parameters:
                self._expect(",", or_end=")")
            name = self._take(Phrase("the name of a parameter", "参数的名称"), "word").text
            if name in parameters:
                raise self._error(Phrase(f"the parameter {name} is given twice", f"参数 {name} 给出了两次"))
            self._expect("=")
            parameters[name] = self._value()
        return parameters

    def _value(self) -> Any:
        if self._skip("{"):
            return self._table()
        token = self._take(Phrase("a value", "取值"), "number", "quoted", "word")
        if token.kind == "number":
            return _number(token.text)
        return token.text[1:-1] if token.kind == "quoted" else WORDS.get(token.text, token.text)

    def _table(self) -> dict[Any, Any]:
        table: dict[object, object] = {}
        while not self._skip("}"):
            if table:
                self._expect(",", or_end="}")
            token = self._take(Phrase("a grade, or other", "等级或 other"), "number", "word")
            if token.kind == "word" and token.text != OTHER:
                text = shown(token.text)
                raise self._error(
                    Phrase(f"expected a grade or {OTHER}, found {text}", f"应为等级或 {OTHER}，而不是 {text}")
                )
            grade = token.text if token.kind == "word" else _number(token.text)
            if grade in table:
                raise self._error(Phrase(f"the grade {token.text} is given twice", f"等级 {token.text} 给出了两次"))
            self._expect(":")
            gain = Phrase("a gain", "增益")
            table[grade] = self._value() if grade == OTHER else _number(self._take(gain, "number").text)
        return table

    def _tokens(self) -> list[Token]:
        tokens, place = list[Token](), 0
        while place < len(self.text):
            match = TOKEN.match(self.text, place)
            if match is None or match.lastgroup is None:
                letter = shown(self.text[place])
                message = Phrase("unexpected character {letter}", "多余的字符 {letter}").fill(letter=letter)
                if tokens and tokens[-1].text == "@":
                    rest = re.split(r"[\s,()]", self.text[place:], maxsplit=1)[0]
                    message = EXPECTED.fill(expected=CUTOFF, found=shown(rest))
                raise NotationError(self._message(message, place))
            tokens.append(Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup)))
            place = match.end()
        if not tokens:
            raise NotationError(
                Phrase("the notation of a metric is empty; write for instance nDCG@10", "指标为空；请写如 nDCG@10")
            )
        return tokens

    def _take(self, expected: Phrase, *kinds: str) -> Token:
        if self.next >= len(self.tokens):
            raise self._error(Phrase("{expected} is missing at the end", "末尾缺少{expected}").fill(expected=expected))
        token = self.tokens[self.next]
        if token.kind not in kinds:
            raise self._error(EXPECTED.fill(expected=expected, found=shown(token.text)))
        self.next += 1
        return token

    def _skip(self, sign: str) -> bool:
        here = self.next < len(self.tokens) and self.tokens[self.next][:2] == ("sign", sign)
        self.next += here
        return here

    def _expect(self, sign: str, or_end: str = "") -> None:
        if not self._skip(sign):
            token = shown(self.tokens[self.next].text) if self.next < len(self.tokens) else ""
            en, zh = (f", found {token}", f"，而不是 {token}") if token else ("", "")
            signs = [repr(sign), *[repr(or_end)] * bool(or_end)]
            raise self._error(Phrase(f"expected {' or '.join(signs)}{en}", f"应为 {' 或 '.join(signs)}{zh}"))

    def _error(self, reason: Phrase) -> NotationError:
        place = self.tokens[self.next].place if self.next < len(self.tokens) else len(self.text)
        return NotationError(self._message(reason, place))

    def _message(self, reason: Phrase, place: int) -> Phrase:
        text = shown(self.text, LONGEST)
        return Phrase(
            f"{text} is not a metric: {reason.en} (at character {place + 1})",
            f"{text} 不是指标：{reason.zh}（第 {place + 1} 个字符处）",
        )


def _number(text: str) -> float:
    return int(text) if re.fullmatch(r"[+-]?\d+", text) else float(text)
