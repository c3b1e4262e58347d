"""From what was asked and what the tools told to the final text, in the person's language.

Pure. Only numbers that stand in a result are said. What was changed is told by the receipts: nothing is repeated here.
Must not know how a message was understood beyond its plan.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from decimal import Decimal
from typing import Any, cast

from bot.engines.offline.chosen import fitting, is_one
from bot.engines.offline.plan import LOOKED_FOR, Plan, Wish
from bot.engines.offline.sentences import SENTENCES, Sentences
from bot.thinking.prompt import Stamp
from bot.voice.card_words import card_words
from bot.voice.dates import day_text
from bot.voice.record_text import Row, at, enumeration, money, short, timed_title
from tools.record import Language, day_of

_TOO_LATE = frozenset({"too_many_calls", "deadline"})
"""Errors by which a call was not even tried."""
MOST_LISTED = 10
MOST_LEFT_OUT = 5
"""Lines that are named one by one; of the others the number is told."""
Results = Sequence[tuple[Wish, Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class Speaker:
    """Answers one person: the stamp says when, where and in which language."""

    stamp: Stamp

    @property
    def language(self) -> Language:
        """One of ours; an unknown one is answered in English."""
        return cast("Language", self.stamp.language) if self.stamp.language in SENTENCES else "en"

    @property
    def words(self) -> Sentences:
        """The sentences of the person's language."""
        return SENTENCES[self.language]

    @property
    def now(self) -> datetime:
        """The present, in the person's zone."""
        return self.stamp.now.astimezone(self.stamp.zone)

    def not_understood(self, plan: Plan) -> str:
        """That it was not understood, and what would be."""
        if plan.needs_day is not None:
            return self.words.time_needs_day.format(ref=f"#{plan.needs_day}")
        if plan.asks:
            return {"ring": self.words.ask_ring, "list": self.words.ask_list, "move": self.words.ask_move}[plan.asks]
        if plan.bad_time:
            return self.words.time_not_read
        return self.words.only_a_word.format(what=short(plan.noun)) if plan.noun else self.words.lost

    def answer(self, results: Results, plan: Plan, not_called: Sequence[Wish] = ()) -> str:
        """The text beside the receipts; "" if these say everything. ``not_called`` are wishes there was no room for."""
        refused = [(wish, result["error"]) for wish, result in results if "error" in result]
        late = [wish for wish, error in refused if error.get("code") in _TOO_LATE]
        lines = [self._failed(wish, error) for wish, error in refused if wish not in late]
        lines += self._told([(wish, result) for wish, result in results if "error" not in result])
        lines += self._left_out(self.words.line_left_out, plan.left_out)
        lines += self._left_out(self.words.line_not_reached, [wish.line for wish in (*late, *not_called)])
        return "\n".join(dict.fromkeys(filter(None, lines)))

    def _left_out(self, sentence: str, said: Sequence[str]) -> list[str]:
        """What was not done, line by line; of many only how many more."""
        lines = list(dict.fromkeys(said))
        named = [sentence.format(what=short(line)) for line in lines[:MOST_LEFT_OUT]]
        more = len(lines) - len(named)
        return [*named, self.words.more_lines.format(n=more)] if more else named

    def _failed(self, wish: Wish, error: Mapping[str, Any]) -> str:
        """An honest word for a refusal, by its code and the argument it names."""
        code, paths = error.get("code"), {str(each.get("path", "")) for each in error.get("fields", ())}
        if code == "not_found":
            return self.words.no_ref
        if code == "nothing_changed":
            return self.words.already_so.format(ref=f"#{wish.arguments.get('ref')}")
        if code == "not_understood" or paths & {"when", "until", "remind_at"}:
            return self.words.time_not_read
        if "status" in paths:
            return card_words(self.language).never_done(f"#{wish.arguments.get('ref')}")
        if code == "bad_amount" or paths & {"amount", "currency"}:
            return self.words.amount_not_read
        return self.words.went_wrong

    def _told(self, results: Results) -> list[str]:
        agenda = [(wish, result) for wish, result in results if wish.about == "agenda"]
        lines = [self._agenda(agenda)] if agenda else []
        for wish, result in results:
            if wish.about in LOOKED_FOR:
                lines.append(self._candidates(wish, result))
            elif wish.about in ("find", "todo", "rings"):
                lines.append(self._list(wish, result))
            elif wish.about in ("spent", "earned", "net"):
                lines.append(self._sum(wish, result))
        return [self._ended(line) for line in lines]

    def _ended(self, line: str) -> str:
        return line if not line or line.endswith(("。", ".", "?")) else line + self.words.stop.strip()

    # ── lists ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _agenda(self, results: Results) -> str:
        """Clock times first, in order; what has only a day, or none, behind."""
        when = _named_days(results[0][0].words) or self.words.today
        zone = self.stamp.zone
        rows = [_row(record, self.now) for _, result in results for record in result["records"]]
        rows.sort(key=lambda row: _by_time(row, zone))
        total = sum(result["matched"] for _, result in results)
        if not rows:
            return self.words.nothing_at.format(when=when)
        one_day = len({row.when and day_of(row.when, zone) for row in rows}) == 1
        timed = [row for row in rows if isinstance(row.when, datetime) or not one_day]
        untimed = [row for row in rows if row not in timed]
        texts = [timed_title(row, self.now, self.language, clock_only=one_day) for row in timed]
        other = [timed_title(row, self.now, self.language, clock_only=True) for row in untimed]
        said = [self._row_of(texts), self.words.untimed.format(what=self._row_of(other)) if other else ""]
        what = self.words.stop.join(filter(None, said)) + self._more(total - len(rows))
        return self.words.listed.format(when=when, n=total, what=what)

    def _list(self, wish: Wish, result: Mapping[str, Any]) -> str:
        words = self.words
        pattern, empty = {
            "find": (words.found, words.nothing_found),
            "todo": (words.open_tasks, words.nothing_open),
            "rings": (words.rings, words.nothing_rings),
        }[wish.about]
        rows = [_row(record, self.now) for record in fitting(wish, result)]
        if not rows:
            return empty.format(what=short(wish.words))
        matched = len(rows) if wish.rings else result["matched"]
        return pattern.format(n=matched, what=self._rows(rows) + self._more(matched - len(rows)))

    def _candidates(self, wish: Wish, result: Mapping[str, Any]) -> str:
        """Only one would have been taken; none or several are told."""
        found = fitting(wish, result)
        if wish.about == "snooze" or not found:
            is_named = wish.words and wish.about != "snooze"
            none = self.words.nothing_found.format(what=short(wish.words)) if is_named else self.words.nothing_rings
            return "" if found and wish.about == "snooze" else none
        if is_one(wish, result):
            return ""
        return self.words.which_one.format(what=self._rows([_row(each, self.now) for each in found]))

    def _rows(self, rows: Sequence[Row]) -> str:
        return self._row_of([timed_title(row, self.now, self.language) for row in rows])

    def _row_of(self, texts: Sequence[str]) -> str:
        return enumeration(texts, self.words.comma, MOST_LISTED)

    def _more(self, count: int) -> str:
        return self.words.comma + self.words.more.format(n=count) if count > 0 else ""

    # ── totals ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _sum(self, wish: Wish, result: Mapping[str, Any]) -> str:
        """One figure per currency, never added across."""
        when = _named_days(wish.words) or self.words.now_period
        what = str(wish.arguments.get("category") or wish.arguments.get("keyword") or "")
        totals = result.get("totals") or []
        figures = [money(Decimal(str(each["value"])), each.get("currency"), self.language) for each in totals]
        if not result["matched"] or not figures:
            return self.words.nothing_spent.format(when=when, what=self._about(wish, what))
        pattern = {"spent": self.words.spent, "earned": self.words.earned, "net": self.words.net}[wish.about]
        said = pattern.format(
            when=when,
            what=self._about(wish, what),
            sum=self.words.comma.join(dict.fromkeys(figures)),
            n=result["matched"],
        )
        return said + self._largest(wish, result)

    def _about(self, wish: Wish, what: str) -> str:
        usual = {"spent": self.words.spending, "earned": self.words.income, "net": self.words.balance}[wish.about]
        return self.words.about.format(what=what or usual) if what or usual else ""

    def _largest(self, wish: Wish, result: Mapping[str, Any]) -> str:
        records = result.get("records") or []
        if wish.about != "spent" or result["matched"] < 2 or not records:  # noqa: PLR2004 - the only one is the sum
            return ""
        row = _row(records[0], self.now)
        when = day_text(day_of(row.when, self.stamp.zone), self.now.date(), self.language) if row.when else ""
        amount = "" if row.amount is None else f" {money(row.amount, row.currency, self.language)}"
        largest = at(when, f"{short(row.content)}{amount} #{row.ref}")
        return self.words.stop + self.words.most.format(what=largest)


_DAYS_AND_MONTHS = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|\b(?:january|february|april|june|july|august|september|october|november|december)\b"
)


def _named_days(words: str) -> str:
    """English writes days and months large, however somebody wrote them."""
    return _DAYS_AND_MONTHS.sub(lambda found: found[0].capitalize(), words)


def _row(record: Mapping[str, Any], now: datetime) -> Row:
    """A record as a tool told of it: times stand on the person's own clock."""
    when = record.get("when")
    amount = record.get("amount")
    return Row(
        ref=record["ref"],
        content=record["content"],
        when=None if when is None else _moment(when, now),
        amount=None if amount is None else Decimal(str(amount)),
        currency=record.get("currency"),
    )


def _moment(text: str, now: datetime) -> date | datetime:
    return datetime.fromisoformat(text).replace(tzinfo=now.tzinfo) if "T" in text else date.fromisoformat(text)


def _by_time(row: Row, zone: tzinfo) -> tuple[date, bool, str]:
    if row.when is None:
        return date.max, True, ""
    clock = row.when.isoformat() if isinstance(row.when, datetime) else ""
    return day_of(row.when, zone), not clock, clock
