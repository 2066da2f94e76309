"""Presets of tools that evaluate chunkers by spans of documents."""

from __future__ import annotations

from rankgauge.conventions.convention import DEFAULT
from rankgauge.conventions.presets.record import Preset, phrases
from rankgauge.rendering.language import Phrase

SPANS = (
    Preset(
        name="chunking_evaluation",
        tool="chunking_evaluation (Chroma)",
        versions="35440b84",
        about=Phrase(
            "Characters of excerpts in the top chunks, where denominators add up what overlaps.",
            "前几个文本块中片段的字符；分母把重叠部分各自累加。",
        ),
        convention=DEFAULT.replace(ties="input"),
        metrics={
            "recall@{k}": "SpanRecall(overlaps='each')@{k}",
            "precision@{k}": "SpanPrecision(overlaps='each')@{k}",
            "iou@{k}": "SpanIoU(overlaps='each')@{k}",
            "precision_omega": "SpanIoU(chunks='bordering')",
        },
        notes=phrases(
            "k is the argument retrieve, 5 by default. With -1, k is the number of chunks that border an excerpt, "
            "which differs from question to question: cut each list there before.",
            "k 即参数 retrieve，默认为 5。设为 -1 时，k 为与片段相接的文本块数，各问题不同：请事先截断每个列表。",
            "precision_omega takes all chunks of the corpus in place of the retrieved ones.",
            "precision_omega 以语料的全部文本块代替检索到的文本块。",
            "Chunks are searched for in the corpus by their text, at the first place where it occurs.",
            "文本块按其文本在语料中查找，取首次出现之处。",
        ),
    ),
    Preset(
        name="rag-ci-spans",
        tool="rag-ci with offsets",
        versions="0.7.1",
        about=Phrase(
            "A chunk is useful if it covers half of a required passage, also of one that was covered before.",
            "文本块覆盖某个必需片段的一半即为有用，此前已被覆盖的片段也算。",
        ),
        convention=DEFAULT.replace(
            match="covers>=0.5",
            ties="input",
            gain="binary",
            p_over="min(k,n)",
            duplicates="first",
            per_metric={"P": {"duplicates": "again"}, "nDCG": {"duplicates": "again"}},
        ),
        metrics={
            "recall@{k}": "R@{k}",
            "all_passages_recall@{k}": "AllHit@{k}",
            "precision@{k}": "P@{k}",
            "mrr@{k}": "RR@{k}",
            "ndcg@{k}": "nDCG@{k}",
        },
        notes=phrases(
            "Preset rag-ci is for ids. The default k is 10. A chunk that several steps return is counted once there; "
            "remove its copies before.",
            "按 id 时用预设 rag-ci。k 默认为 10。多个步骤返回的同一文本块在其中只计一次；请事先去重。",
            "Passages without offsets are compared by their words there; give documents= to find their offsets.",
            "没有偏移量的片段在其中按词比较；请传入 documents= 以找出偏移量。",
        ),
        defects=phrases(
            "Several chunks that cover one passage are each a gain, so that ndcg can exceed 1; the preset follows it.",
            "覆盖同一片段的多个文本块各计一次增益，ndcg 可能超过 1；预设与之一致。",
        ),
    ),
)
