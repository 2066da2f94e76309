"""Labels that were made with the sheet of a pool: of several assessors, checked against the pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from rankgauge.errors import ParameterError, shown
from rankgauge.inputs.findings import Findings, with_ids
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.inputs.source import is_file
from rankgauge.judging.labels import PAIR, Labels, check_scale
from rankgauge.pooling.pooled import Pool

NEAR = 1e-8
"""How far a probability in a file may be from that of the pool: programs print fewer digits."""


def pool_labels(pool: Pool, sources: Sequence[object]) -> Labels:
    """Return the labels of one or more files or frames as one; raise an error for what is not of this pool."""
    if not sources:
        raise ParameterError(
            ("Pool.labels: pass the labels of one or more assessors", "Pool.labels：请给出评分者的标签")
        )
    names = [str(source) if is_file(source) else f"labels {number}" for number, source in enumerate(sources, 1)]
    read = [Labels.of(source, ReadOptions(), name) for source, name in zip(sources, names, strict=True)]
    findings = Findings()
    for labels in read:
        if labels.pool and labels.pool != pool.fingerprint:
            en = f"{labels.name}: pool {shown(labels.pool)}, not {shown(pool.fingerprint)}"
            findings.add("RG615", (en, f"{labels.name}：标注池 {shown(labels.pool)}，而非 {shown(pool.fingerprint)}"))
    findings.raise_errors(lenient=False)
    merged = Labels.merged(read)
    findings.merge(merged.findings)
    frame = merged.frame.with_columns(pl.col(PAIR).cast(pl.String))
    chosen = pool.frame.select(*(pl.col(name).cast(pl.String) for name in PAIR), pl.col("inclusion").alias("chance"))
    joined = frame.join(chosen, on=PAIR, how="left", maintain_order="left")
    moved = (pl.col("inclusion") - pl.col("chance")).abs() > NEAR
    edited = joined.filter(pl.col("chance").is_null() | (pl.col("inclusion").is_not_null() & moved))
    if edited.height:
        query, item, chance = edited.select(*PAIR, "chance").row(0)
        texts = ("the pair is not in the pool", "该对不在标注池中")
        if chance is not None:
            texts = (f"its probability in the pool is {chance:g}", f"它在标注池中的入选概率为 {chance:g}")
        findings.add("RG616", with_ids(*texts, query, item), edited.height)
    check_scale(joined, (0, pool.max_grade), "labels", findings)
    findings.raise_errors(lenient=False)
    complete = joined.with_columns(pl.col("chance").alias("inclusion")).drop("chance")
    return replace(merged, frame=complete, name="labels", pool=pool.fingerprint, findings=findings)
