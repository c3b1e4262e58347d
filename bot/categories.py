"""Somebody's list of categories, shown and changed by saying so: by code alone, with a receipt and a way back.

Must not know how a wish was recognised, or how an answer travels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.ports import Bubble, Button, Tap, Turn
from bot.thinking.foreign import heard_in
from bot.voice.category_commands import CategoryWish
from bot.voice.category_words import category_words, edit_text, list_text
from bot.voice.phrases import phrases_of
from bot.voice.receipt_words import receipt_words
from tools.categories import MOST, Categories, CategoriesPort, CategoryEdit, ListChangedSince, fits, usual
from tools.definition import Caller
from tools.filing import Learn, nobody_learns
from tools.record import MemoryPort, PersonId
from tools.when import find_times


@dataclass(frozen=True, slots=True)
class _Known:
    """The list a wish is about, and whose."""

    kept: CategoriesPort
    now: Categories
    caller: Caller

    def names(self) -> str:
        return receipt_words(self.caller.language).comma.join(self.now.names)


CategoriesOf = Callable[[PersonId], CategoriesPort] | None
"""The list of each owner; None where no list is kept."""


async def list_of(caller: Caller, words: str, categories_of: CategoriesOf) -> tuple[Categories, Learn]:
    """The list of whom a turn is about, which has these words, and how it learns."""
    standard = usual(caller.home)
    if categories_of is None:
        return replace(standard, said=words), nobody_learns
    kept = categories_of(caller.person)
    return replace(await kept.of(standard.standard), said=words), kept.learn


async def answer_about_categories(
    turn: Turn, caller: Caller, wish: CategoryWish | None, categories_of: CategoriesOf
) -> list[Bubble] | None:
    """What is said to such a wish; None if what it names are no categories, so that something else is meant. What was
    only heard changes nothing: nobody can be sure of each word."""
    if wish is None or categories_of is None or (wish.command != "show" and heard_in(turn.messages)):
        return None
    kept = categories_of(caller.person)
    known = _Known(kept, await kept.of(usual(caller.home).standard), caller)
    words = category_words(caller.language)
    if wish.command == "show":
        return [Bubble(list_text(known.now.names, known.now.taste.words, caller.language))]
    read = await _read(known, wish)
    if read is None:
        return None
    if caller.role == "guest":
        return [Bubble(phrases_of(caller.language).only_looks)]
    if isinstance(read, str):
        return [Bubble(read)]
    edit, becomes = read
    if not becomes.names:
        return [Bubble(words.last)]
    done = await kept.edit(turn.id, edit, becomes.taste)
    is_new = edit.kind == "learn" and known.now.find(edit.new) is None
    undo = Button(phrases_of(caller.language).undo, Tap.UNDO.on(turn.id))
    return [Bubble(edit_text(done, caller.language, is_new=is_new) + receipt_words(caller.language).stop, (undo,))]


_Read = tuple[CategoryEdit, Categories] | str | None
"""What is to be done and how the list is then; or why not; or nothing, if no category is meant."""


async def _read(known: _Known, wish: CategoryWish) -> _Read:
    words = category_words(known.caller.language)
    if len(known.now.names) >= MOST and (wish.command == "add" or known.now.find(wish.new) is None):
        return words.full if wish.command in {"add", "learn"} else None
    match wish.command:
        case "rename":
            return await _renamed(known, wish)
        case "merge":
            return await _merged(known, wish)
        case "learn":
            is_meant = wish.certain or known.now.find(wish.new)
            return _learnt(known, wish.old, wish.new) if is_meant else None
        case "add":
            return _added(known, wish.new)
    return await _dropped(known, wish.old)


async def _listed(known: _Known, name: str) -> str | None:
    """The name as the list has it, or as records bear it that were given it elsewhere."""
    return known.now.find(name) or (name if await known.kept.borne(name) else None)


async def _renamed(known: _Known, wish: CategoryWish) -> _Read:
    words, old = category_words(known.caller.language), known.now.find(wish.old)
    if old is None:
        return words.unknown(wish.old, known.names()) if wish.certain else None
    if wish.new == old:
        return words.already(old)
    there = next((name for name in known.now.names if name == wish.new), None)
    if there is not None:
        return await _merged(known, CategoryWish("merge", old, there))
    return CategoryEdit(kind="rename", old=old, new=wish.new), known.now.renamed(old, wish.new)


async def _merged(known: _Known, wish: CategoryWish) -> _Read:
    """What is no category yet is a word that counts as one from now on."""
    words, into = category_words(known.caller.language), known.now.find(wish.new)
    if into is None:
        return words.unknown(wish.new, known.names()) if wish.certain else None
    old = await _listed(known, wish.old)
    if old is None:
        return _learnt(known, wish.old, into)
    if old == into:
        return words.already(into)
    return CategoryEdit(kind="merge", old=old, new=into), known.now.merged(old, into)


def _learnt(known: _Known, word: str, name: str) -> _Read:
    """Under a category that is there, or else a new one."""
    if any(find_times(said, known.caller.now) for said in (word, name)):
        return None
    if not (fits(word) and fits(name)):
        return category_words(known.caller.language).unfit
    listed = known.now.find(name)
    now = known.now if listed else known.now.added(name)
    category = listed or name
    return CategoryEdit(kind="learn", old=word, new=category), now.taught(word, category)


def _added(known: _Known, name: str) -> _Read:
    words = category_words(known.caller.language)
    if not fits(name):
        return words.unfit
    if name in known.now.names:
        return words.already(name)
    return CategoryEdit(kind="add", old="", new=name), known.now.added(name)


async def _dropped(known: _Known, name: str) -> _Read:
    words, listed = category_words(known.caller.language), known.now.find(name)
    if listed is None:
        return words.unknown(name, known.names())
    if borne := await known.kept.borne(listed):
        return words.in_use(listed, borne)
    return CategoryEdit(kind="drop", old=listed, new=""), known.now.dropped(listed)


async def last_taken_back(turn: Turn, caller: Caller, memory: MemoryPort, categories_of: CategoriesOf) -> Bubble | None:
    """What is said when the last thing that was done was done to the list, and is taken back; else None."""
    if categories_of is None or (turn.resumed and await memory.changes(turn.id)):
        return None
    since = await memory.last_done_at()
    return _told(await categories_of(caller.person).undo(turn.id, since=since), caller)


async def edit_taken_back(turn: Turn, caller: Caller, categories_of: CategoriesOf, of_turn: str) -> Bubble | None:
    """The same of what a turn did to the list."""
    if categories_of is None:
        return None
    try:
        return _told(await categories_of(caller.person).undo(turn.id, of_turn), caller)
    except ListChangedSince:
        return Bubble(category_words(caller.language).since)


def _told(undone: CategoryEdit | None, caller: Caller) -> Bubble | None:
    if undone is None:
        return None
    words, stop = category_words(caller.language), receipt_words(caller.language).stop
    return Bubble(words.back(edit_text(undone, caller.language)) + stop)
