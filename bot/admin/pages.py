"""The pages that are looked at: today, people, Notion, reminders, settings, doctor.

Each gathers what it shows, and writes it down. Must not know who may see it, or how anything is stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from markupsafe import Markup

from bot.admin.charts import Bar, Chart
from bot.admin.frame import ROOT, Visit, facts, pages_of, room, table
from bot.admin.pen import Inside, Pen
from bot.findings import Finding
from bot.notion_health import Kept
from bot.operator_ports import Answered, Company, FiguresPort, PersonRow, ReminderRow
from bot.setting_values import Seen
from tools.database import instant
from tools.notion.table import HeldUp
from tools.record import PersonId

DAY, DAYS = timedelta(days=1), 14
A_PAGE = 50
PATIENCE = 2.0
"""Seconds for what is asked of a network, in the middle of a page."""

STRANGERS = "{number} strangers knocked; of them no words are kept."

WHAT_IT_DOES = (
    "It looks at every credential, endpoint and setting: LINE is asked to test the webhook, and the model to answer "
    "one word. That takes some seconds."
)


@dataclass(frozen=True, slots=True)
class Pages:
    """What the pages are made from. ``notion`` is None where there is no Notion."""

    figures: FiguresPort
    now: Callable[[], datetime]
    owners: Callable[[], Awaitable[Sequence[PersonId]]]
    pushes_left: Callable[[], Awaitable[int | None]]
    notion: Callable[[], Awaitable[tuple[Kept, list[HeldUp]]]] | None
    settings: Sequence[Seen]
    examine: Callable[[], Awaitable[list[Finding]]]

    # ── today

    async def today(self, visit: Visit) -> str:
        now, h = self.now(), visit.pen
        first = now.astimezone(h.zone).date() - timedelta(days=DAYS - 1)
        since = datetime.combine(first, datetime.min.time(), h.zone)
        found, week, tokens, noted = await asyncio.gather(
            self.figures.since(now - DAY), self.figures.since(now - 7 * DAY), self.figures.model_days(first),
            self.figures.noted(since),
        )  # fmt: skip
        pushes = await self._pushes()
        usual, slow = _seconds(found.answered)
        used = next((each for each in tokens if each.day == now.astimezone(h.zone).date()), None)
        tiles: dict[str, Inside] = {
            "Turns answered": len(found.answered),
            "Usual wait (p50)": _lasting(usual),
            "Slow wait (p95)": _lasting(slow),
            "Turns that failed": _alarming(h, found.failed),
            "Calls of tools that failed": _alarming(h, found.failed_calls, f" / {found.calls:,}"),
        }
        now_tiles: dict[str, Inside] = {
            "Messages that wait": h("a", found.waiting, href=f"{ROOT}/inbox"),
            "Answers owed": h("a", found.owed, href=f"{ROOT}/inbox"),
            "Set aside": h("a", _alarming(h, found.set_aside), href=f"{ROOT}/inbox"),
            "Words that wait for the model": found.postponed,
            "Pushes left this month": pushes,
            "Requests to the model today": used.calls if used else 0,
            "Tokens counted today": used.tokens if used else 0,
        }
        days = [first + timedelta(days=n) for n in range(DAYS)]
        charts = [
            _hours(h, week.answered, now),
            _records(h, days, (each.astimezone(h.zone).date() for each in noted)),
            _model_chart(h, days, {each.day: float(each.tokens) for each in tokens}),
        ]  # fmt: skip
        return room(
            visit, "/", h.say("Today"),
            h("h2", h.say("The last 24 hours")), facts(h, tiles),
            h("h2", h.say("Now")), facts(h, now_tiles),
            h("h2", h.say("Over time")), h("div", [each.drawn(h) for each in charts], class_="charts"),
        )  # fmt: skip

    async def _pushes(self) -> str:
        try:
            left = await asyncio.wait_for(self.pushes_left(), PATIENCE)
        except TimeoutError:
            return "?"
        return "∞ / ?" if left is None else f"{left:,}"

    # ── people

    async def people(self, visit: Visit) -> str:
        return await self.people_told(visit)

    async def people_told(self, visit: Visit, told: Inside = None) -> str:
        """The same, below what has just come of a button."""
        h = visit.pen
        company, owners = await self.figures.company(), await self.owners()
        here = [each for each in company.people if each.removed_at is None]
        gone = [each for each in company.people if each.removed_at is not None]
        known = {each.id for each in here}
        here = [*(PersonRow(id=each, role="owner") for each in owners if each not in known), *here]
        removed: list[tuple[Inside, ...]] = [
            (_named(h, each), _role(h, each.role), h.moment(each.removed_at)) for each in gone
        ]
        invite = [
            visit.button("/people/invite", h.say("Invite a member"), role="member"),
            visit.button("/people/invite", h.say("Invite a guest, who only looks"), role="guest"),
        ]
        return room(
            visit, "/people", h.say("People"), told,
            h("div", invite, class_="row"),
            table(h, ("Who", "Role", "Language", "Since", ""), [_person(visit, each, owners) for each in here]),
            _invitations(h, company), _groups(h, company),
            h("h2", h.say("Removed")),
            table(h, ("Who", "Role", "Removed"), removed),
            h("p", h.say(STRANGERS, number=company.strangers), class_="quiet"),
        )  # fmt: skip

    # ── Notion

    async def mirror(self, visit: Visit) -> str:
        h = visit.pen
        if self.notion is None:
            return room(
                visit, "/notion", "Notion", h("p", h.say("Notion is not set: records stay in the local store."))
            )
        kept, held_up = await self.notion()
        told = kept.facts or {}
        tiles: dict[str, Inside] = {
            "Records that wait to go there": kept.waiting,
            "Records that Notion refuses": _alarming(h, kept.refused),
            "Pages there": kept.pages,
            "Last sent": h.moment(kept.pushed_at),
            "Last looked for edits": h.moment(_stored(told, "pulled_at")),
            "Last look at all pages": h.moment(_stored(told, "swept_at")),
        }
        rows: list[tuple[Inside, ...]] = [
            (f"#{each.ref}", h("code", each.owner), each.attempts, h.moment(each.next_at), each.why) for each in held_up
        ]
        return room(
            visit, "/notion", "Notion", facts(h, tiles),
            h("h2", h.say("What Notion refuses")),
            table(h, ("Record", "Whose", "Tries", "Tried again", "Why"), rows),
        )  # fmt: skip

    # ── what will ring

    async def reminders(self, visit: Visit) -> str:
        h = visit.pen
        found = await self.figures.reminders(most=A_PAGE + 1, skip=visit.place * A_PAGE)
        owners = await self.owners()
        rows = [_reminder(h, each, owners) for each in found[:A_PAGE]]
        return room(
            visit, "/reminders", h.say("Reminders"),
            table(h, ("When", "Whose", "Record", "Words"), rows),
            pages_of(visit, "/reminders", more=len(found) > A_PAGE),
            h("p", h.say("What members keep for themselves is not shown here."), class_="quiet"),
        )  # fmt: skip

    # ── settings and doctor

    async def seen(self, visit: Visit) -> str:
        h = visit.pen
        rows: list[tuple[Inside, ...]] = [
            (
                h("code", each.name),
                h("code", each.value) if each.value else h("span", h.say("empty"), class_="quiet"),
                "" if each.is_default else h.say("yes"),
                each.about,
            )
            for each in self.settings
        ]
        return room(visit, "/settings", h.say("Settings"), table(h, ("Name", "Value", "Set", "Meaning"), rows))

    async def doctor(self, visit: Visit) -> str:
        h = visit.pen
        button = visit.button("/doctor", h.say("Look now"))
        return room(visit, "/doctor", h.say("Doctor"), h("p", h.say(WHAT_IT_DOES)), button)

    async def examined(self, visit: Visit) -> str:
        """The doctor's findings, looked for now."""
        h = visit.pen
        marks = {"ok": "ok", "warn": "warn", "FAIL": "bad"}
        rows: list[tuple[Inside, ...]] = [
            (h("b", each.state, class_=marks[each.state]), each.what, each.said, each.next)
            for each in await self.examine()
        ]
        found = table(h, ("State", "What", "Found", "Next step"), rows)
        return room(visit, "/doctor", h.say("Doctor"), found, visit.button("/doctor", h.say("Look again")))


# ── figures ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _seconds(answered: Sequence[Answered]) -> tuple[float | None, float | None]:
    """What half of them took at most, and what nearly all did."""
    took = sorted(each.seconds for each in answered)
    if not took:
        return None, None
    return took[(len(took) - 1) // 2], took[min(len(took) - 1, len(took) * 95 // 100)]


def _lasting(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    return f"{seconds:.1f} s" if seconds < 100 else f"{seconds / 60:.0f} min"  # noqa: PLR2004 - no tenths of what is long


def _alarming(h: Pen, number: int, more: str = "") -> Markup:
    return h("span", f"{number:,}{more}", class_="bad" if number else "ok")


def _hours(h: Pen, answered: Sequence[Answered], now: datetime) -> Chart:
    """How long turns took, in the parts of a week."""
    part = timedelta(hours=12)
    bars = []
    for n in range(13, -1, -1):
        until = now - n * part
        of_part = [each for each in answered if until - part < each.delivered_at <= until]
        usual, slow = _seconds(of_part)
        bars.append(Bar(f"{(until - part).astimezone(h.zone):%m-%d %H:%M}", usual or 0.0, slow or 0.0))
    return Chart(h.say("How long turns took"), ("From", "Usual wait (p50)", "Slow wait (p95)"), bars, "s")


def _records(h: Pen, days: Sequence[date], of: Iterable[date]) -> Chart:
    counts = dict.fromkeys(days, 0)
    for each in of:
        if each in counts:
            counts[each] += 1
    return Chart(
        h.say("Records noted each day"),
        ("Day", "Records"),
        [Bar(f"{day:%m-%d}", number) for day, number in counts.items()],
    )


def _model_chart(h: Pen, days: Sequence[date], tokens: dict[date, float]) -> Chart:
    bars = [Bar(f"{day:%m-%d}", tokens.get(day, 0.0)) for day in days]
    return Chart(h.say("Tokens counted each day"), ("Day", "Tokens"), bars)


# ── people, reminders ─────────────────────────────────────────────────────────────────────────────────────────────


def _role(h: Pen, role: str) -> str:
    return h.say({"owner": "Owner", "member": "Member", "guest": "Guest"}.get(role, "Somebody"))


def _named(h: Pen, person: PersonRow) -> list[Inside]:
    return [person.name or None, " ", h("code", person.id)]


def _person(visit: Visit, person: PersonRow, owners: Sequence[PersonId]) -> tuple[Inside, ...]:
    h = visit.pen
    role = "owner" if person.id in owners else person.role
    remove = (
        visit.careful("/people/remove", h.say("Remove…"), h.say("Remove for good"), key=person.key)
        if person.key
        else None
    )
    speaks = " · ".join(filter(None, [person.language, person.zone]))
    return _named(h, person), _role(h, role), speaks, h.moment(person.since), remove


def _invitations(h: Pen, company: Company) -> list[Inside]:
    if not company.invitations:
        return []
    rows: list[tuple[Inside, ...]] = [(_role(h, role), h.moment(until)) for role, until in company.invitations]
    return [h("h2", h.say("Open invitations")), table(h, ("For", "Until"), rows)]


def _groups(h: Pen, company: Company) -> list[Inside]:
    if not company.groups:
        return []
    states = {
        "asked": "waits for the owner's word",
        "enabled": "has a list",
        "leaving": "is being left",
        "left": "left",
    }
    rows: list[tuple[Inside, ...]] = [
        (each.name or "–", h.say(states[each.state]), h.moment(each.since), ", ".join(each.members))
        for each in company.groups
    ]
    return [h("h2", h.say("Groups")), table(h, ("Name", "State", "Since", "Members"), rows)]


def _reminder(h: Pen, reminder: ReminderRow, owners: Sequence[PersonId]) -> tuple[Inside, ...]:
    is_shown = reminder.person in owners or not reminder.person.startswith("U")
    words: Inside = reminder.content if is_shown else "–"
    return h.moment(reminder.at), h("code", reminder.person), f"#{reminder.ref}", words


def _stored(told: Mapping[str, str], name: str) -> datetime | None:
    value = told.get(name, "")
    return instant(int(value)) if value.isascii() and value.isdigit() else None
