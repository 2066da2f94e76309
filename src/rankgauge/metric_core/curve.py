"""Curve: the values of a metric over its cutoff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from rankgauge.errors import ParameterError
from rankgauge.rendering.document import Document, Heading, ShownAsDocument, Table
from rankgauge.rendering.language import check_lang
from rankgauge.rendering.number_texts import decimal
from rankgauge.rendering.plain import FrameResult

if TYPE_CHECKING:
    from rankgauge.inputs.io.drawing import Figure


class Curve(ShownAsDocument, FrameResult, Sequence[float]):
    """The values of a metric at the cutoffs 1, 2, 3, ...

    >>> curve = Curve("P", [1.0, 0.5])
    >>> list(curve), curve.at(k=2)
    ([1.0, 0.5], 0.5)
    """

    def __init__(self, metric: str, values: Sequence[float]) -> None:
        self.metric = metric
        self.values = tuple(values)

    @property
    def cutoffs(self) -> range:
        """The cutoffs of the values."""
        return range(1, len(self.values) + 1)

    def at(self, k: int) -> float:
        """Return the value at cutoff k."""
        if k not in self.cutoffs:
            raise ParameterError.of(
                "k",
                k,
                (f"a whole number from 1 to {len(self)}", f"1 至 {len(self)} 的整数"),
                f"the curve of {self.metric}",
            )
        return self.values[k - 1]

    def __len__(self) -> int:
        return len(self.values)

    @overload
    def __getitem__(self, place: int) -> float: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[float, ...]: ...

    def __getitem__(self, place: int | slice) -> float | tuple[float, ...]:
        return self.values[place]

    def __repr__(self) -> str:
        return f"Curve({self.metric!r}, {list(self.values)})"

    def document(self, lang: str = "en") -> Document:
        """Return the curve as a table."""
        check_lang(lang)
        rows = [[str(k), decimal(value, 6)] for k, value in zip(self.cutoffs, self.values, strict=True)]
        return Document([Heading(f"{self.metric}@k"), Table(["k", self.metric], rows, align="rr")])

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return a row per cutoff, as columns."""
        return {"k": [*self.cutoffs], "value": [*self.values]}

    def plot(self) -> Figure:
        """Return the curve as a picture: a notebook shows it, ``save`` writes SVG, PNG or PDF."""
        from rankgauge.inputs.io.drawing import Figure  # noqa: PLC0415 (writing files is slow to load)

        return Figure(f"{self.metric}@k", self.to_svg())

    def to_svg(self) -> str:
        """Return the curve as a picture."""
        from rankgauge.rendering.chart import Chart, to_svg  # noqa: PLC0415 (markup is slow to load)

        first, last = (f"{self.metric}@{k} = {self.at(k):.4f}" for k in (1, len(self)))
        return to_svg(Chart(f"{self.metric}@k", f"{first}; {last}", "k", self.cutoffs, {self.metric: self.values}))

    def _repr_svg_(self) -> str:
        return self.to_svg()
