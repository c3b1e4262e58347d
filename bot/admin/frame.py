"""What stands around each page: the head, the way to the other pages, the looks; and what a visit is.

Nothing is read but the style sheet, once. Must not know what is on a page.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final
from urllib.parse import urlencode

from markupsafe import Markup

from bot.admin.pen import Inside, Pen

ROOT: Final = "/admin"

ROOMS: Final = {
    "/": "Today",
    "/people": "People",
    "/inbox": "Inbox",
    "/log": "AI log",
    "/calls": "Tool calls",
    "/notion": "Notion",
    "/reminders": "Reminders",
    "/settings": "Settings",
    "/doctor": "Doctor",
}
"""The pages that all others lead to, and what they are called."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One request of somebody who is in: what they asked for, and what their forms must carry."""

    query: Mapping[str, str]
    form: Mapping[str, str]
    token: str
    pen: Pen

    @property
    def place(self) -> int:
        """How many pages of a long list come before the one that is asked for."""
        asked = self.query.get("page", "")
        return int(asked) if asked.isascii() and asked.isdigit() and len(asked) <= 4 else 0  # noqa: PLR2004 - no list is longer

    def button(self, path: str, label: str, *inside: Inside, **fields: str) -> Markup:
        """A form that does something."""
        h = self.pen
        hidden = [h("input", type="hidden", name=name, value=value) for name, value in fields.items()]
        return h("form", self.sealed, hidden, inside, h("button", label), method="post", action=f"{ROOT}{path}")

    def careful(self, path: str, label: str, sure: str, **fields: str) -> Markup:
        """The same for what cannot be taken back: it is opened first."""
        h = self.pen
        return h("details", h("summary", label), self.button(path, sure, **fields), class_="careful")

    @property
    def sealed(self) -> Markup:
        return self.pen("input", type="hidden", name="token", value=self.token)


@cache
def looks() -> str:
    """The one style sheet; it stands in each page, so that nothing else is ever fetched."""
    return files(__package__).joinpath("page.css").read_text("utf-8")


@cache
def looks_hash() -> str:
    """What a browser knows it by: https://www.w3.org/TR/CSP3/#grammardef-hash-source ."""
    return base64.b64encode(hashlib.sha256(looks().encode()).digest()).decode()


def page(h: Pen, title: str, *inside: Inside, way: Inside = None) -> str:
    """A whole page. ``way`` leads to the others."""
    head = h(
        "head",
        h("meta", charset="utf-8"),
        h("meta", name="viewport", content="width=device-width, initial-scale=1"),
        h("meta", name="color-scheme", content="light dark"),
        h("title", f"{title} · Secretary"),
        h("style", Markup(looks())),  # noqa: S704 - a file of ours
    )
    main = h("main", h("h1", title), inside)
    foot = h("footer", h.say("Times are those of {zone}.", zone=str(h.zone)))
    return Markup("<!doctype html>\n") + h("html", head, h("body", way, main, foot), lang=h.language)


def room(visit: Visit, here: str, title: str, *inside: Inside) -> str:
    """A page for who is in."""
    h = visit.pen
    links = [
        h("a", h.say(name), href=f"{ROOT}{path}", aria_current="page" if path == here else None)
        for path, name in ROOMS.items()
    ]
    return page(h, title, inside, way=h("nav", links, visit.button("/logout", h.say("Log out"))))


def pages_of(visit: Visit, path: str, *, more: bool, **fields: str) -> Markup:
    """The ways to newer and older rows of a list."""
    h, links = visit.pen, []
    for wanted, name, there in (
        (visit.place - 1, h.say("Newer"), visit.place > 0),
        (visit.place + 1, h.say("Older"), more),
    ):
        if there:
            links.append(h("a", name, href=f"{ROOT}{path}?{urlencode({**fields, 'page': wanted})}"))
    return h("p", links, class_="pages")


def table(h: Pen, headings: tuple[str, ...], rows: list[tuple[Inside, ...]]) -> Markup:
    """A table; on a narrow screen each cell says what it is, and rows stand under each other."""
    if not rows:
        return h("p", h.say("Nothing."), class_="quiet")
    said = [h.say(each) if each else "" for each in headings]
    head = h("thead", h("tr", (h("th", each, scope="col") for each in said)))
    body = h(
        "tbody",
        (h("tr", (h("td", cell, data_label=name) for cell, name in zip(row, said, strict=True))) for row in rows),
    )
    return h("table", head, body)


def facts(h: Pen, told: dict[str, Inside]) -> Markup:
    """Names and what is said to them."""
    return h("dl", (h("div", h("dt", h.say(name)), h("dd", value)) for name, value in told.items()))
