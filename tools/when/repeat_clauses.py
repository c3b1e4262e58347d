"""The words of what repeats, sorted: the rule, its hours, and the days of each clause (from, until, except).

Pure. A clause's word stands in front of its day in Chinese, Thai and English and behind it in Japanese; both are
sorted here. Must not know what day it is, nor what a day comes to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tools.when.facts import Facts
from tools.when.numbers import NotUnderstood
from tools.when.tokens import CLAUSES, Token

Days = list[tuple[str, list[Token]]]
"""Days, each with what stands in front of it: ``to``, ``and``, or nothing."""

_HOURS = frozenset({"clock", "part", "number", "lasting"})
_IN_DAYS = frozenset({"day", "week", "month", "year"})
_JOINTS = {"to": "to", "dash": "to", "and": "and", "list": "and"}


@dataclass(slots=True)
class Said:
    """What a text says, sorted."""

    rule: list[Token] = field(default_factory=list)
    clock: list[Token] = field(default_factory=list)
    main: Days = field(default_factory=list)
    days: dict[str, Days] = field(default_factory=lambda: {"start": [], "until": [], "except": []})
    lasting: Facts | None = None
    """How many days or weeks it goes on."""


def sorted_out(tokens: Sequence[Token]) -> Said:
    """Every token in its place. Raises NotUnderstood if nothing repeats."""
    sorter = _Sorter([token for token in tokens if token.kind not in ("fill", "from", "between")])
    said = sorter.sort()
    _ranges_moved(said)
    if not (any(token.facts.every or token.facts.workday for token in said.rule) or _several_weekdays(said)):
        raise NotUnderstood("nothing is said to repeat")
    return said


def _several_weekdays(said: Said) -> bool:
    """週一到週五, 月水金: what is on several days of the week is on them each week."""
    return len(said.main) == 1 and _weekdays(said.main[0][1]) > 1


def _weekdays(tokens: list[Token]) -> int:
    """How many days of the week, and nothing else, are named."""
    return len(tokens[0].facts.weekdays or ()) if tokens[0].facts.stated().keys() == {"weekdays"} else 0


def _is_hour(token: Token) -> bool:
    return token.kind == "facts" and token.facts.stated().keys() <= _HOURS


def _is_rule(token: Token) -> bool:
    facts = token.facts
    return bool(facts.every or facts.nths or facts.workday or facts.times)


class _Sorter:
    """Goes through the tokens once. ``clause`` is where a day belongs that comes now."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.said = Said()
        self.clause = "main"
        self.joint = ""
        self.last = ""
        """What came last: ``day``, ``hour``, ``rule``, or nothing."""

    def sort(self) -> Said:
        for index, token in enumerate(self.tokens):
            following = self.tokens[index + 1] if index + 1 < len(self.tokens) else None
            if token.kind in CLAUSES:
                self._clause(token, following)
            elif token.kind in _JOINTS:
                self._join(token, following)
            else:
                self._facts(token)
        return self.said

    def _clause(self, token: Token, following: Token | None) -> None:
        name = token.kind.removesuffix("_")
        before_hour = following is not None and _is_hour(following) and following.facts.lasting is None
        if not token.kind.endswith("_"):
            if before_hour:
                self._to_hour(token) if name == "until" and self.last == "hour" else None
                return
            if name == "until" and self.last == "day" and self.clause == "main":
                self._range(following)
            else:
                self.clause, self.joint, self.last = name, "", ""
        elif self.last == "hour":
            self._to_hour(token) if name == "start" and before_hour else None
        else:
            self._behind(name)

    def _range(self, following: Token | None) -> None:
        """每月1號到5號 are days of each month; else the day before 到 is where it begins."""
        day = self.said.main[-1][1]
        of_month = following is not None and all(each.facts.stated().keys() == {"dom"} for each in (*day, following))
        if of_month:
            self.joint = "to"
            return
        if all(token.facts.every == ("DAILY", 1) for token in self.said.rule):
            self.said.days["start"].append(("", self.said.main.pop()[1]))
        self.clause, self.joint, self.last = "until", "", ""

    def _behind(self, name: str) -> None:
        """The days that were named last belong to the clause whose word comes behind them."""
        if self.clause == "main":
            days = self.said.main
            if self.last != "day":
                raise NotUnderstood("a clause has no day")
            begins = max(index for index, (joint, _) in enumerate(days) if joint == "")
            if name != "except" and len(days) - begins > 1:
                begins = len(days) - 1
            self.said.days[name] += [("", days[begins][1]), *days[begins + 1 :]]
            del days[begins:]
        self.clause, self.joint, self.last = "main", "", ""

    def _to_hour(self, token: Token) -> None:
        self.said.clock.append(Token(token.start, token.end, "to", Facts()))

    def _join(self, token: Token, following: Token | None) -> None:
        if following is not None and _is_hour(following) and self.last == "hour":
            self.said.clock.append(token)
        else:
            self.joint = _JOINTS[token.kind]

    def _facts(self, token: Token) -> None:
        facts = token.facts
        number_of_month = facts.number is not None and self.joint and self.last == "day"
        if _is_rule(token) and not (self.clause == "except" and facts.weekdays and not facts.nths):
            self.said.rule.append(token)
            self.clause, self.last = "main", "rule"
        elif facts.lasting is not None and {unit for _, unit in facts.lasting} <= _IN_DAYS:
            self.said.lasting = facts
        elif _is_hour(token) and not number_of_month:
            self.said.clock.append(token)
            self.clause, self.last = "main", "hour"
        else:
            if number_of_month:
                token = Token(token.start, token.end, "facts", Facts(dom=facts.number))
            self._day(token)
        self.joint = ""

    def _day(self, token: Token) -> None:
        days = self.said.main if self.clause == "main" else self.said.days[self.clause]
        if self.last == "day" and not self.joint and days:
            days[-1][1].append(token)
        else:
            days.append((self.joint if self.last == "day" else "", [token]))
        self.last = "day"


def _ranges_moved(said: Said) -> None:
    """From one day to another is its beginning and its end; from Monday to Friday is every one of these."""
    main: Days = []
    for joint, tokens in said.main:
        if joint == "to" and _dom(tokens) and _dom(main[-1][1]):
            first, last = _dom(main.pop()[1]), _dom(tokens)
            main.append(("", [replace(tokens[0], facts=Facts(doms=tuple(range(first, last + 1))))]))
        elif joint == "to":
            said.days["start"].append(("", main.pop()[1]))
            said.days["until"].append(("", tokens))
        else:
            main.append((joint, tokens))
    said.main = main + _working_week(said.days["start"], said.days["until"])


def _dom(tokens: list[Token]) -> int:
    """The day of the month, if nothing else is named; else 0."""
    facts = tokens[0].facts
    return facts.dom or 0 if len(tokens) == 1 and facts.stated().keys() == {"dom"} else 0


def _working_week(start: Days, until: Days) -> Days:
    """月曜から金曜まで: from one day of the week to another is on each of them."""
    whole = [days.pop() for days in (start, until) if len(days) == 1 and _weekdays(days[0][1]) > 1]
    if whole:
        return whole
    if len(start) != 1 or not _weekdays(start[0][1]) or len(until) != 1 or not _weekdays(until[0][1]):
        return []
    (_, first), (_, last) = start.pop(), until.pop()
    begin, end = (tokens[0].facts.weekdays or (0,) for tokens in (first, last))
    days = tuple(sorted((begin[0] + step) % 7 for step in range((end[0] - begin[0]) % 7 + 1)))
    return [("", [replace(first[0], facts=Facts(weekdays=days))])]
