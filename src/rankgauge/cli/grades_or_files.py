"""The sources of commands that take a typed list of grades, or judgments and a ranking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

from rankgauge.cli import values
from rankgauge.cli.console import write_message
from rankgauge.cli.localization import language, usage_error
from rankgauge.cli.options import EvaluationOptions, opened_file
from rankgauge.inputs.io.paths import is_regular_file
from rankgauge.rendering.language import Phrase

SECOND = Phrase(
    "{first} and {second} each hold judgments and a ranking; the ranking is that of {second}",
    "{first} 与 {second} 各含标注与排序结果；这里的排序结果取自 {second}",
)


@dataclass(frozen=True, kw_only=True)
class GradesOrFiles(EvaluationOptions):
    """A typed list of grades, or judgments and a ranking, and how they are evaluated."""

    sources: tuple[str, ...]
    ideal: str | None
    scores: str | None

    def grades(self, list_only: dict[str, object] | None = None, files_only: dict[str, object] | None = None) -> Any:
        """Return the typed grades, None for files; refuse the options of the other kind."""
        if len(self.sources) > 2:  # noqa: PLR2004 (judgments and a ranking)
            raise usage_error(
                "pass a list of grades (3,2,0), or judgments and one ranking",
                "请给出一串等级（3,2,0），或标注与一个排序结果",
            )
        is_list = len(self.sources) == 1 and not is_regular_file(self.sources[0])
        if is_list:
            others = {
                "format": self.format,
                "columns": self.columns,
                "lenient": self.lenient or None,
                "units": self.units,
                "documents": self.documents,
                "spans": self.spans or None,
            }
            others |= {"side-information": self.side_information or None, **(files_only or {})}
        else:
            others = {"ideal": self.ideal, "scores": self.scores, **(list_only or {})}
        for name, value in others.items():
            if value is not None:
                kinds = Phrase("files", "文件"), Phrase("a list of grades", "等级列表")
                raise usage_error(
                    "{command}: --{name} is for {wanted}, not for {given}",
                    "{command}：--{name} 用于{wanted}，不用于{given}",
                    command=click.get_current_context().info_name,
                    name=name,
                    wanted=kinds[not is_list],
                    given=kinds[is_list],
                )
        if is_list and not self.sources[0].strip():
            raise usage_error("the list of grades is empty", "等级列表是空的")
        return values.parse_grades(self.sources[0], "GRADES") if is_list else None

    def sides(self) -> tuple[Any, Any]:
        """Return the judgments and the ranking of the files; of two that hold both, the ranking of the second."""
        if len(self.sources) == 1:
            data = self.read_both(self.sources[0])
            return data.judgments, data.ranking
        judgments, ranking = map(opened_file, self.sources)
        files = {"": judgments, self.sources[1]: ranking}
        if self.sources[0] != self.sources[1]:
            from rankgauge.matching.data import read_same_judgments

            if (sides := read_same_judgments(files, self.read_options(*self.sources))) is not None:
                if not self.quiet:
                    write_message(SECOND.fill(first=self.sources[0], second=self.sources[1]).render(language()), "note")
                return sides[0], sides[1][self.sources[1]]
        return judgments, ranking

    def list_keywords(self) -> dict[str, Any]:
        """Return the numbers of ``--ideal`` and ``--scores`` as keywords."""
        texts = {"ideal": self.ideal, "scores": self.scores}
        return {name: None if text is None else values.parse_grades(text, f"--{name}") for name, text in texts.items()}
