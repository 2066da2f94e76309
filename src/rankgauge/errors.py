"""Exceptions and their messages.

    RankgaugeError
    ├── ParameterError (ValueError)      an argument has a value that is not allowed
    │   ├── ExistingFileError            a file to be written exists already
    │   ├── UnknownNameError             an unknown name, with the closest known one
    │   └── NotationError                an invalid notation of a metric
    ├── InputError (ValueError)          invalid data
    │   └── MissingTableError            a metric needs side information
    ├── MissingExtraError (ImportError)  an optional dependency is not installed
    └── UndefinedError (ArithmeticError) a metric is 0/0 and the convention says undefined="error"

    DataWarning (UserWarning)            a finding about data that can change a conclusion

A message names the place, the value, the reason and what is expected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

Texts = tuple[str, str]
"""A message in English and in Chinese, such as a ``Phrase``."""
CLOSE = 0.65
"""Least similarity of a name that is suggested, which must not be much longer or shorter either."""
MANY_NAMES = 20
"""Names that an error lists; it lists all if there are not more than twice as many."""


class RankgaugeError(Exception):
    """Base class of all errors; the message is English unless ``render`` is asked for the Chinese."""

    def __init__(self, message: str | Texts = "") -> None:
        self.texts = texts(message)
        super().__init__(self.texts[0])

    def render(self, lang: str) -> str:
        """Return the message in the language, in English where there is no other."""
        return self.texts[lang == "zh"]


class ParameterError(RankgaugeError, ValueError):
    """An argument has a value that is not allowed."""

    @classmethod
    def of(cls, name: str | Texts, value: object, allowed: str | Texts, owner: str = "") -> ParameterError:
        """Build the message from the argument, its value and what is allowed."""
        (en, zh), (allowed_en, allowed_zh), before = texts(name), texts(allowed), owner and f"{owner}: "
        return cls(
            (
                f"{before}{en} must be {allowed_en}, not {shown(value)}",
                f"{before}{spaced(zh, '应为', allowed_zh)}，而不是 {shown(value)}",
            )
        )


class ExistingFileError(ParameterError):
    """A file to be written exists already, and was not to be replaced."""


class UnknownNameError(ParameterError):
    """An unknown name."""

    @classmethod
    def closest(cls, kind: str | Texts, name: str, known: Iterable[str], hint: str | Texts = "") -> UnknownNameError:
        """Suggest the names that continue this one after a hyphen, else the closest; list all if none is close."""
        known = [candidate for candidate in map(str, known) if candidate != name]
        alike = (text for text in known if abs(len(text) - len(str(name))) <= max(2, len(str(name)) // 2))
        close = closest_text(str(name), alike, CLOSE)
        more_en, more_zh = f" and {len(known) - MANY_NAMES} more", f" 等 {len(known)} 个"
        are_many = len(known) > 2 * MANY_NAMES
        listed = known[:MANY_NAMES] if are_many else known
        en = f"known: {', '.join(listed)}{more_en if are_many else ''}"
        zh = f"可用的有：{'、'.join(listed)}{more_zh if are_many else ''}"
        if close is not None:
            en, zh = f"did you mean {close!r}?", f"是否想用 {close!r}？"
        if len(longer := [candidate for candidate in known if candidate.startswith(f"{name}-")]) > 1:
            named = [*map(repr, longer)]
            en, zh = f"did you mean one of {', '.join(named)}?", f"是否想用 {'、'.join(named)} 之一？"
        kinds = KINDS.get(kind, (kind, f" {kind}")) if isinstance(kind, str) else kind
        more = texts(hint)
        return cls(
            (f"unknown {kinds[0]} {shown(name)}; {en}{more[0]}", f"未知的{kinds[1]} {shown(name)}；{zh}{more[1]}")
        )


class NotationError(ParameterError):
    """An invalid notation of a metric."""


class InputError(RankgaugeError, ValueError):
    """Invalid data; ``codes`` are the codes of the findings that explain why, if any."""

    def __init__(self, message: str | Texts, codes: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.codes = tuple(codes)


class MissingTableError(InputError):
    """A metric needs side information that is missing; one of ``tables`` would provide it."""

    def __init__(self, reason: Texts, how: Texts, tables: Iterable[str]) -> None:
        call = "side_information=rg.SideInformation(...)"
        super().__init__((f"{reason[0]}; pass {call} with {how[0]}", f"{reason[1]}；请给出 {call}：{how[1]}"))
        self.reason = reason
        self.tables = tuple(tables)


class MissingExtraError(RankgaugeError, ImportError):
    """An optional dependency is not installed."""


class DataWarning(UserWarning):
    """A finding about data that can change a conclusion; ``code`` is its code, such as RG408.

    ``warnings.filterwarnings("ignore", category=rankgauge.DataWarning)`` turns all of them off.
    """

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class UndefinedError(RankgaugeError, ArithmeticError):
    """A metric is 0/0 under ``undefined="error"``; ``place`` is the number of the first such query."""

    def __init__(self, message: str | Texts, place: int = 0) -> None:
        super().__init__(message)
        self.place = place


KINDS = {
    "metric": ("metric", "指标"),
    "rule": ("rule", "规则"),
    "preset": ("preset", "预设"),
    "system": ("system", "系统"),
    "attribute": ("attribute", "属性"),
    "measure": ("measure", "指标"),
    "gain": ("gain", "增益"),
    "discount": ("discount", "折损"),
    "correction": ("correction", "多重比较校正"),
}
"""What a name can be the name of, in English and in Chinese."""


def closest_text(text: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the known text that is most like a misspelt one, whatever its case, or None if none is close.

    >>> closest_text("winter cot", ["summer hat", "Winter coat"]), closest_text("boots", ["winter coat"])
    ('Winter coat', None)
    """
    import difflib  # noqa: PLC0415 (only for a misspelt name)

    lowered = {candidate.lower(): candidate for candidate in reversed([*known])}
    close = difflib.get_close_matches(text.lower(), lowered, n=1, cutoff=cutoff)
    return lowered[close[0]] if close else None


def allowed_names(names: Iterable[object]) -> Texts:
    """Return what is allowed where some names are.

    >>> allowed_names(["id", "mean"])
    ("one of 'id', 'mean'", "'id'、'mean' 之一")
    """
    written = [*map(repr, names)]
    return f"one of {', '.join(written)}", f"{'、'.join(written)} 之一"


def check_choice(name: str, value: object, names: Iterable[object], owner: str = "") -> None:
    """Raise an error that lists what is allowed if a value is none of it."""
    if value not in (allowed := [*names]):
        raise ParameterError.of(name, value, allowed_names(allowed), owner)


def texts(message: str | Texts) -> Texts:
    """Return a message in both languages; a text without translation is used for both."""
    return (message, message) if isinstance(message, str) else (message[0], message[1])


def spaced(*parts: str) -> str:
    """Join Chinese texts, with a space only beside a part that starts or ends in another script.

    >>> spaced("等级", "应为", "一列数"), spaced("k", "应为", "整数")
    ('等级应为一列数', 'k 应为整数')
    """
    joined = ""
    for part in parts:
        joined += " " * bool(joined and part and (joined[-1].isascii() or part[0].isascii())) + part
    return joined


def shown(value: object, limit: int = 60) -> str:
    """Format a value for a message: quoted, on one line, without control characters, shortened."""
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        value = getattr(value, "item", lambda: value)()
    try:
        text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    except ValueError:  # Python writes integers of at most 4,300 digits
        text = f"an integer of {value.bit_length():,} bits" if isinstance(value, int) else type(value).__name__
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def listed(names: Sequence[str], limit: int = 12) -> str:
    """Return names for a message, the first of many."""
    text = ", ".join(shown(name) for name in names[:limit])
    return f"{text}, … ({len(names)} in total)" if len(names) > limit else text


DISTRIBUTIONS = {"sklearn": "scikit-learn", "array_api_compat": "array-api-compat", "backports": "backports.zstd"}
"""Packages whose name on PyPI is not the name that is imported."""


@contextmanager
def extra(name: str, feature: str = "") -> Iterator[None]:
    """Raise ``MissingExtraError`` where an import in the block fails; ``feature`` needs it, by default ``rg.<name>``.

    >>> with extra("zstd", "a Zstandard file"):
    ...     import not_installed
    Traceback (most recent call last):
    ...
    rankgauge.errors.MissingExtraError: a Zstandard file needs not_installed, which is not installed:
        pip install 'rankgauge[zstd]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in {"", "rankgauge"}:
            raise
        raise MissingExtraError(
            f"{feature or f'rg.{name}'} needs {DISTRIBUTIONS.get(package, package)}, which is not installed: "
            f"pip install 'rankgauge[{name}]'"
        ) from error
