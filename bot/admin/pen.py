"""HTML out of values. Whatever is put in is text: masked, made visible, escaped; only what was written here is not.

Pure. Must not know what a page says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo

from markupsafe import Markup, escape

from bot.admin.words import ZH
from bot.inbox_command import visible

Inside = str | int | Markup | Iterable["Inside"] | None
"""What stands in an element: text, elements, several of them, or nothing."""

CUT = 20_000
"""Signs of one text; a page is to be read."""

_EMPTY = frozenset({"br", "input", "link", "meta"})


@dataclass(frozen=True, slots=True)
class Pen:
    """Writes for one visitor. ``mask`` takes out what nobody may see."""

    mask: Callable[[str], str]
    language: str
    zone: tzinfo

    def __call__(self, tag: str, *inside: Inside, **attributes: str | int | bool | None) -> Markup:
        """An element. A name that Python keeps for itself stands with ``_`` behind it (``class_``)."""
        told = "".join(self._attribute(name, value) for name, value in attributes.items())
        end = "" if tag in _EMPTY else f"{self.text(inside)}</{tag}>"
        return Markup(f"<{tag}{told}>{end}")  # noqa: S704 - the tag is ours, the rest is escaped: here and nowhere else

    def text(self, inside: Inside) -> Markup:
        """What may stand in an element."""
        match inside:
            case None:
                return Markup()
            case Markup():
                return inside
            case str():
                return escape(self.shown(inside))
            case int():
                return escape(f"{inside:,}")
        return Markup().join(map(self.text, inside))

    def shown(self, text: str) -> str:
        """The text as it may be seen: masked whole, and then cut; what would steer a screen as its number."""
        masked = self.mask(text)
        return visible(masked if len(masked) <= CUT else f"{masked[:CUT]}… (+{len(masked) - CUT:,})")

    def say(self, english: str, **values: str | int) -> str:
        """One of our own sentences, in the visitor's language. Raises KeyError for one without a translation."""
        said = ZH[english] if self.language == "zh-TW" else english
        return said.format(**values) if values else said

    def moment(self, at: datetime | None) -> str:
        """A time on the visitor's calendar; a dash for none."""
        return f"{at.astimezone(self.zone):%Y-%m-%d %H:%M:%S}" if at else "–"

    def _attribute(self, name: str, value: str | int | bool | None) -> str:
        if value is None or value is False:
            return ""
        written = name.rstrip("_").replace("_", "-")
        return f" {written}" if value is True else f' {written}="{escape(self.shown(str(value)))}"'
