"""Programs as metrics: a command line that reads two TREC files and prints a number."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from rankgauge.auditing.outcome import Kind
from rankgauge.auditing.time_limit import TooSlowError
from rankgauge.errors import Texts, UnknownNameError, texts
from rankgauge.rendering.language import Phrase

MESSAGE = 200
"""Characters of a program's output that are shown."""
CRASH = re.compile(r"^Traceback |^panic: |^Exception in thread|panicked at|core dumped", re.MULTILINE)
"""Errors that a program did not foresee, as Python, Go, Java, Rust and the shell print them."""
PLACEHOLDERS = ("judgments", "ranking")
PLACEHOLDER = Phrase("placeholder", "占位符")
EXIT_CODE = Phrase("exit code {code} without a message", "退出码 {code}，没有说明")
NOTHING_PRINTED = Phrase("no number in the output {output!r}", "输出 {output!r} 中没有数")


def check_placeholders(words: Sequence[str]) -> None:
    """Raise an error for a misspelt placeholder; other text in braces, as in a script of awk, is left alone."""
    names = [name for word in words for name in re.findall(r"\{([a-z_]+)\}", word)]
    one_missing = len({*names} & {*PLACEHOLDERS}) == 1
    for name in names:
        if name not in PLACEHOLDERS and (one_missing or get_close_matches(name, PLACEHOLDERS)):
            known = [f"{{{each}}}" for each in PLACEHOLDERS]
            raise UnknownNameError.closest(PLACEHOLDER, f"{{{name}}}", known)


class ProgramError(Exception):
    """A program gave no number: it refused, or it is at fault."""

    def __init__(self, kind: Kind, message: str | Texts) -> None:
        self.kind, self.texts = kind, texts(message)
        super().__init__(self.texts[0])


class Program:
    """A command line that reads two TREC files and prints a number, as a function of dicts.

    ``{judgments}`` and ``{ranking}`` in its words stand for the files; without them the files are appended.
    """

    def __init__(self, words: Sequence[str], timeout: float = 5.0) -> None:
        self._words, self._timeout = [*words], timeout
        self.__qualname__ = " ".join(Path(word).name for word in words if "{" not in word)

    @staticmethod
    def _filled(word: str, files: Mapping[str, Path]) -> str:
        for name, path in files.items():
            word = word.replace(f"{{{name}}}", str(path))
        return word

    def __call__(
        self, judgments: Mapping[str, Mapping[str, float]], ranking: Mapping[str, Mapping[str, float]]
    ) -> float:
        """Run the program on files, and return the last number that it prints."""
        with tempfile.TemporaryDirectory(prefix="rankgauge-") as folder:
            files = {"judgments": Path(folder, "judgments.txt"), "ranking": Path(folder, "ranking.txt")}
            lines = [f"{q} 0 {item} {grade:g}\n" for q, items in judgments.items() for item, grade in items.items()]
            files["judgments"].write_text("".join(lines), encoding="utf-8", newline="\n")
            ranked = [
                f"{q} Q0 {item} {rank} {score!r} audited\n"
                for q, items in ranking.items()
                for rank, (item, score) in enumerate(sorted(items.items(), key=lambda pair: -pair[1]), 1)
            ]
            files["ranking"].write_text("".join(ranked), encoding="utf-8", newline="\n")
            words = [self._filled(word, files) for word in self._words]
            if words == self._words:
                words += [str(path) for path in files.values()]
            try:
                ran = subprocess.run(  # noqa: S603 (the caller names the program)
                    words,
                    capture_output=True,
                    encoding="utf-8",
                    errors="replace",
                    timeout=self._timeout,
                    check=False,
                    stdin=subprocess.DEVNULL,
                )
            except subprocess.TimeoutExpired:
                raise TooSlowError from None
        if ran.returncode:
            message = ran.stderr.strip().rpartition("\n")[2][-MESSAGE:]
            crashed = ran.returncode < 0 or not message or CRASH.search(ran.stderr)
            text = message or EXIT_CODE.fill(code=ran.returncode)
            raise ProgramError("fault" if crashed else "refusal", text)
        numbers = re.findall(
            r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|nan|inf)(?![\w.])", ran.stdout, re.IGNORECASE
        )
        if not numbers:
            raise ProgramError("fault", NOTHING_PRINTED.fill(output=ran.stdout[-MESSAGE:]))
        return float(numbers[-1])
