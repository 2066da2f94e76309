"""Profiles of files as a page: what is in them, how they fit, what is suspicious and what to do."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rankgauge.evaluation.profile import TOP, Fit, Profile
from rankgauge.inputs.findings import Findings
from rankgauge.rendering.document import Block, Document, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase

SCHEMA = 1
WORDS = {
    "role": Phrase("what", "内容"),
    "judgments": Phrase("judgments", "标注"),
    "ranking": Phrase("ranking", "排序"),
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
    "repeated": Phrase("repeated rows", "重复的行"),
    "fit": Phrase("ranking", "排序"),
    "answered": Phrase("judged queries answered", "有结果的已标注查询"),
    "holes top": Phrase(f"unjudged in the top {TOP}", f"前 {TOP} 个中未标注"),
    "holes": Phrase("unjudged in all", "全部中未标注"),
    "code": Phrase("code", "代码"),
    "what": Phrase("what was found", "发现的情况"),
    "do": Phrase("what to do", "如何处理"),
    "error": Phrase("error", "错误"),
    "warning": Phrase("warning", "警告"),
    "note": Phrase("note", "提示"),
    "fine": Phrase("Nothing suspicious was found.", "没有发现可疑之处。"),
}


@dataclass(frozen=True)
class Checkup:
    """All that a look at some files showed."""

    profiles: Sequence[Profile]
    fits: Sequence[Fit]

    @property
    def findings(self) -> Findings:
        """What was found in any of the files, each place once."""
        merged = Findings()
        for one in self.profiles:
            merged.merge(one.findings)
        known = {finding.code for finding in merged}
        for one_fit in self.fits:
            for finding in one_fit.findings:
                if finding.code not in known:
                    for place, example in enumerate(finding.examples or ("",)):
                        merged.add(finding.code, example, finding.count - len(finding.examples) + 1 if not place else 1)
        return merged

    def document(self, lang: Lang) -> Document:
        """The page to read."""
        blocks: list[Block] = [_profile_table(one, lang) for one in self.profiles]
        if self.fits:
            blocks.append(_fit_table(self.fits, lang))
        found = [finding for finding in self.findings if finding.code != "RG106"]
        rows = [
            [
                f"{finding.code} {WORDS[finding.severity].render(lang)}",
                f"{finding.title.render(lang)}{f' ×{finding.count:,}' if finding.count > 1 else ''}"
                + (f"; {finding.examples[0]}" if finding.examples else ""),
                finding.remedy.render(lang),
            ]
            for finding in found
        ]
        if rows:
            blocks.append(Table([WORDS[name].render(lang) for name in ("code", "what", "do")], rows))
        else:
            blocks.append(Paragraph(WORDS["fine"].render(lang)))
        return Document(blocks)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "schema": SCHEMA,
            "files": [one.to_dict() for one in self.profiles],
            "fits": [one.to_dict() for one in self.fits],
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


def _profile_table(one: Profile, lang: Lang) -> Table:
    """One file, a property a row."""
    look = one.look
    low, middle, high = one.sizes()
    rows = [
        ("role", WORDS[look.role].render(lang)),
        ("format", f"{look.format}, {look.compression}" if look.compression else look.format),
        ("rows", f"{one.rows:,}"),
        ("queries", f"{len(one.per_query):,}"),
        ("sizes", WORDS["size"].render(lang, low=f"{low:,}", middle=f"{middle:,g}", high=f"{high:,}")),
    ]
    if one.rows and look.role == "judgments" and one.numbers:
        rows.append(("grades", " · ".join(f"{grade:g}: {count:,}" for grade, count in sorted(one.numbers.items()))))
    elif one.rows:
        name = "scores" if look.role == "ranking" else "grades"
        rows.append((name, WORDS["range"].render(lang, low=f"{one.low:g}", high=f"{one.high:g}")))
    counts = (("tied", one.tied), ("collapsing", one.collapsing), ("repeated", one.repeated))
    rows += [(name, f"{count:,} ({_share(count / one.rows)})") for name, count in counts if count]
    return Table(["", ""], [[WORDS[name].render(lang), value] for name, value in rows], caption=look.name)


def _fit_table(fits: Iterable[Fit], lang: Lang) -> Table:
    rows = [
        [one.ranking, f"{one.answered:,} / {one.judged:,}", _share(one.unjudged_top), _share(one.unjudged)]
        for one in fits
    ]
    titles = [WORDS[name].render(lang) for name in ("fit", "answered", "holes top", "holes")]
    return Table(titles, rows, align="lrrr")


def _share(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.1%}"
