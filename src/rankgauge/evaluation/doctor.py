"""The diagnosis of files: what they contain, how they fit together, and what to do about problems."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rankgauge.evaluation.profile import TOP, Coverage, Profile, coverage
from rankgauge.inputs.findings import Findings
from rankgauge.rendering.document import Block, Document, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase

SCHEMA = 1
WORDS = {
    "role": Phrase("role", "内容"),
    "judgments": Phrase("judgments", "标注"),
    "ranking": Phrase("ranking", "排序结果"),
    "format": Phrase("format", "格式"),
    "rows": Phrase("rows", "行数"),
    "queries": Phrase("queries", "查询数"),
    "sizes": Phrase("items per query", "每个查询的物品数"),
    "size": Phrase("{low} to {high}, median {middle}", "{low} 至 {high}，中位数 {middle}"),
    "grades": Phrase("grades", "等级"),
    "scores": Phrase("scores", "分数"),
    "range": Phrase("{low} to {high}", "{low} 至 {high}"),
    "tied": Phrase("rows with tied scores", "分数并列的行数"),
    "collapsing": Phrase("scores equal in single precision", "单精度下相等的分数"),
    "repeated": Phrase("duplicate rows", "重复的行数"),
    "answered": Phrase("judged queries with results", "有结果的已标注查询"),
    "unjudged top": Phrase(f"unjudged in the top {TOP}", f"前 {TOP} 个中未标注的比例"),
    "unjudged": Phrase("unjudged overall", "全部物品中未标注的比例"),
    "no findings": Phrase("Nothing suspicious was found.", "没有发现可疑之处。"),
}


def diagnose(profiles: Sequence[Profile]) -> Diagnosis:
    """Return the diagnosis of profiled files; if exactly one holds judgments, the rankings are matched with it."""
    judgments = [entry for entry in profiles if entry.info.role == "judgments" and entry.table is not None]
    rankings = [entry for entry in profiles if entry.info.role == "ranking" and entry.table is not None]
    return Diagnosis(profiles, [coverage(judgments[0], entry) for entry in rankings] if len(judgments) == 1 else [])


@dataclass(frozen=True)
class Diagnosis:
    """Profiles of files, and how well the judgments cover each ranking."""

    profiles: Sequence[Profile]
    coverages: Sequence[Coverage]

    @property
    def findings(self) -> Findings:
        """Findings of all files; those of a coverage only if no profile has the same code."""
        merged = Findings()
        for entry in self.profiles:
            merged.merge(entry.findings)
        codes = {finding.code for finding in merged}
        for result in self.coverages:
            merged.merge(Findings({finding.code: finding for finding in result.findings if finding.code not in codes}))
        return merged

    def document(self, lang: Lang) -> Document:
        """Return the diagnosis as a page."""
        blocks: list[Block] = [_profile_table(entry, lang) for entry in self.profiles]
        if self.coverages:
            blocks.append(_coverage_table(self.coverages, lang))
        findings = self.findings.table(lang, hidden={"RG106"})
        return Document([*blocks, findings if findings.rows else Paragraph(WORDS["no findings"].render(lang))])

    def to_dict(self) -> dict[str, Any]:
        """Return the diagnosis as plain data."""
        return {
            "schema": SCHEMA,
            "files": [entry.to_dict() for entry in self.profiles],
            "fits": [entry.to_dict() for entry in self.coverages],
            "findings": [
                {
                    "code": finding.code,
                    "severity": finding.severity,
                    "what": finding.title.en,
                    "count": finding.count,
                    "examples": [*finding.examples],
                    "remedy": finding.remedy.en,
                }
                for finding in self.findings
            ],
        }


def _profile_table(entry: Profile, lang: Lang) -> Table:
    info = entry.info
    low, middle, high = entry.sizes()
    rows = [
        ("role", WORDS[info.role].render(lang)),
        ("format", f"{info.format}, {info.compression}" if info.compression else info.format),
        ("rows", f"{entry.rows:,}"),
        ("queries", f"{len(entry.per_query):,}"),
        ("sizes", WORDS["size"].render(lang, low=f"{low:,}", middle=f"{middle:,g}", high=f"{high:,}")),
    ]
    if entry.rows and info.role == "judgments" and entry.grades:
        rows.append(("grades", " · ".join(f"{grade:g}: {count:,}" for grade, count in sorted(entry.grades.items()))))
    elif entry.rows:
        name = "scores" if info.role == "ranking" else "grades"
        rows.append((name, WORDS["range"].render(lang, low=f"{entry.low:g}", high=f"{entry.high:g}")))
    counts = (("tied", entry.tied), ("collapsing", entry.collapsing), ("repeated", entry.repeated))
    rows += [(name, f"{count:,} ({_percentage(count / entry.rows)})") for name, count in counts if count]
    return Table(["", ""], [[WORDS[name].render(lang), value] for name, value in rows], caption=info.name)


def _coverage_table(coverages: Iterable[Coverage], lang: Lang) -> Table:
    rows = [
        [
            entry.ranking,
            f"{entry.answered:,} / {entry.judged:,}",
            _percentage(entry.unjudged_top),
            _percentage(entry.unjudged),
        ]
        for entry in coverages
    ]
    titles = [WORDS[name].render(lang) for name in ("ranking", "answered", "unjudged top", "unjudged")]
    return Table(titles, rows, align="lrrr")


def _percentage(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.1%}"
