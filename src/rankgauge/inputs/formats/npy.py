"""Scores of the rows of a LETOR file as a NumPy array (``.npy``), in the same order."""

from __future__ import annotations

import io

import numpy as np
import polars as pl

from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.codec import Codec
from rankgauge.inputs.formats.pairing import alone, scored_rows


def pair(judged: pl.DataFrame, judged_name: str, content: bytes, name: str) -> pl.DataFrame:
    """Return the ranking: each judged row with its score."""
    try:
        scores = np.load(io.BytesIO(content), allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        en = f"{name}: not an array of numbers that np.save wrote: {error}"
        raise input_error("RG102", (en, f"{name}：不是 np.save 写出的数值数组：{error}")) from None
    return scored_rows(judged, judged_name, scores, name)


CODEC = Codec(read=alone, guess_role=lambda _: "ranking")
