"""Figures as pictures: bars, drawn here as SVG, with the same figures as a table for who would rather read.

Pure. Must not know what the figures are of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bot.admin.frame import table
from bot.admin.pen import Pen

WIDTH, HEIGHT, FOOT, HEAD = 360, 120, 18, 14


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure, and a second one of the same kind that may be seen beside it: a slow turn beside a usual one."""

    label: str
    value: float
    second: float | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """What is drawn: ``names`` are those of the label, the figure and the second one; ``unit`` stands behind them."""

    title: str
    names: tuple[str, ...]
    bars: Sequence[Bar]
    unit: str = ""

    def drawn(self, h: Pen) -> Markup:
        """The picture, and the table under it."""
        most = max((max(each.value, each.second or 0) for each in self.bars), default=0)
        if not most:
            return h("figure", h("figcaption", self.title), h("p", h.say("Nothing yet."), class_="quiet"))
        step = WIDTH / len(self.bars)
        drawn = [part for at, bar in enumerate(self.bars) for part in self._bar(h, bar, at * step, step, most)]
        ground = HEIGHT - FOOT
        axis = h("line", x1=0, y1=ground, x2=WIDTH, y2=ground)
        scale = h("text", self.told(most), x=0, y=10)
        ends = [
            h("text", self.bars[0].label, x=0, y=HEIGHT - 4),
            h("text", self.bars[-1].label, x=WIDTH, y=HEIGHT - 4, text_anchor="end"),
        ]
        summary = f"{self.title}: {self.bars[-1].label} {self.told(self.bars[-1].value)}, max {self.told(most)}"
        # An attribute of SVG keeps its capital: written as one name, for the pen makes dashes of underlines.
        svg = h("svg", drawn, axis, scale, ends, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=summary)
        numbers = h("details", h("summary", h.say("As a table")), self._table(h))
        return h("figure", h("figcaption", self.title), svg, numbers)

    def told(self, value: float) -> str:
        """A figure as it is read."""
        number = f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:,.1f}"  # noqa: PLR2004 - two digits are enough
        return f"{number} {self.unit}".rstrip()

    def _bar(self, h: Pen, bar: Bar, x: float, step: float, most: float) -> list[Markup]:
        wide = step * 0.72
        parts = []
        if bar.second is not None:
            parts.append(self._rect(h, bar, bar.second, x, wide, most, "second"))
        parts.append(self._rect(h, bar, bar.value, x, wide, most, None))
        return parts

    def _rect(self, h: Pen, bar: Bar, value: float, x: float, wide: float, most: float, kind: str | None) -> Markup:
        high = (HEIGHT - FOOT - HEAD) * value / most
        second = "" if bar.second is None else f" / {self.told(bar.second)}"
        says = h("title", f"{bar.label}: {self.told(bar.value)}{second}")
        place = {"x": f"{x:.1f}", "y": f"{HEIGHT - FOOT - high:.1f}", "width": f"{wide:.1f}", "height": f"{high:.1f}"}
        return h("rect", says, class_=kind, **place)

    def _table(self, h: Pen) -> Markup:
        rows = []
        for bar in self.bars:
            seconds = () if bar.second is None else (self.told(bar.second),)
            rows.append((bar.label, self.told(bar.value), *seconds))
        return table(h, self.names, list(rows))
