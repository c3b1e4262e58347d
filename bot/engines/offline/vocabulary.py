"""What the offline engine has to recognise in every language: one field for each thing people say.

Patterns are regular expressions in the one alphabet of ``tools.alphabet``. Must not know any language.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

REFS: Final = r"#?\d{1,6}(?:\s*(?:[,、和與と&]|and|และ|\s)\s*#?\d{1,6})*"
"""Numbers of records in a row."""

NEVER: Final = r"(?!)"
"""For what a language does not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """One language's patterns. ``(?P<rest>…)`` is what the message is about, where a pattern names it."""

    note: str
    """In front: what follows is to be kept."""
    idea: str
    task: str
    remind: str
    """In front or behind: the person wants to be told in time."""
    alarm: str
    """A reminder that is about nothing but its time."""
    add_to_list: str
    """``thing`` and ``list``."""
    verbs: str
    """Begins (or in Japanese ends) something to be done."""
    happening: str
    """Something to attend."""
    done: str
    """``ref`` numbers that are finished."""
    delete: str
    edit: str
    """``ref``, and ``rest``: what it becomes."""
    find: str
    spent: str
    earned: str
    net: str
    agenda: str
    todo: str
    question: str
    command: str
    """Asks for something to be undone, changed or stopped, which is no new record."""
    unserved: str
    """Asks for what a secretary's notebook cannot give."""
    repeated: str
    """Happens again and again, or means everything: no single record says that."""
    income: str
    fixed_number: str
    """A number behind one of these is a name, no price."""
    filler: str
    """May be left out of what a question is about."""
    asked_of_money: str
    """Asks about spending, and may be left out of what a question is about, too."""
    finish: str
    """In front: ``rest`` names what is done."""
    drop: str
    """In front: ``rest`` names what is to be deleted."""
    everything: str
    """Means more than one thing, or what is no record: no single name says that."""
    small_talk: str
    """The whole of a message that asks for nothing."""
    categories: tuple[str, ...]
    """What names a thing of each standard category that is not income, in their order: food, transport, shopping,
    home, fun, health, education."""
    frame: str
    """Courtesy around a wish, in front or behind, which says nothing of what is wished: "could you … please"."""
    ringing: str
    """Names a record that rings: a reminder, an alarm; with what binds the noun to its sentence."""
    planned: str
    """Names what stands in a calendar, or the calendar."""
    listing: str
    """Names a list, or what stands on one."""
    bare_list: str
    """A list without a name of its own."""
    all_of: str
    """Every one of those that are found is meant."""
    timer: str
    """A device's, which is none of ours."""
    cancel: str
    """``thing`` is not wanted any more."""
    off_list: str
    """``thing`` is to be taken off a list."""
    tick: str
    """``thing`` has been done."""
    move: str
    """``what`` becomes ``rest``; ``change`` is the same without a word of what it becomes."""
    change: str
    snooze: str
    """What rings shall ring again a little later."""
    show: str
    """Asks to see or to know, wherever it stands."""
    when_is: str
    """Asks for the time of something."""
    edges: str
    """Around the name of a record, or between it and what it is: "all of my", "called"."""
    negated: str
    """In front or behind: the person does not want it, or tells that it is not so."""
    reported: str
    """In front: somebody else's words follow."""
    length: str
    """A stretch of time without a direction; ``from_now`` is how the same is said from now on, with a gap."""
    from_now: str
    make: str
    """Asks for something to be made, and says no more than what: a reminder, a list."""
    person: str = NEVER
    """In a short message: it speaks to somebody and names no thing."""
    topic: str = NEVER
    """What is left of a sentence around its subject once the time is taken out: 会議は10時, "at 3 to call"."""
    pays: str = NEVER
    """Begins something that is still to be paid, where the same words can ask what was spent on it."""
    spent_behind: str = NEVER
    """Between a thing and its price."""
    spent_on: str = NEVER
    """Between a price and its thing, in front."""
    before_time: str = NEVER
    """Binds a time to its sentence, in front of it."""
    after_time: str = NEVER
    """The same, behind it."""
    over: str = NEVER
    """Of what begins as something to do: it tells that it has been done (買了牛奶)."""
