"""Web addresses in a model's text: live only if the person wrote them or they stand in the person's own records.

Pure. A network fetches a preview of every address it shows, so one that a model made up, or was talked into, would
carry words out of the chat. What a model put into a record in this very turn is not yet the person's own, and what
others wrote never is. Addresses that code builds never pass here, and nothing may be taken out of a text that has
passed: that could join what was parted. Must not know what an address is for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from bot.model_ports import Message
from bot.thinking.foreign import is_untrusted, own_part
from tools.collections import ITEMS
from tools.record import Change, Record

_FILES = "pdf|jpe?g|png|gif|heic|txt|csv|docx?|xlsx?|pptx?|mp[34]|m4a"
"""Endings that name a file, never a host."""

_NAME = "a-z0-9_\u00c0-\u024f\u0370-\u052f-"
"""What a host's name is written with. Han, kana and Thai stand before an address without a space: they end it."""

_REST = r"[^\s<>\"'「」（）()]"
_TOP = rf"(?!(?:{_FILES})\b)(?:[a-z]{{2,24}}|xn--[a-z0-9-]+)(?![{_NAME}])(?:\.[{_NAME}]++)*+"
_HOST = rf"(?<![{_NAME}])(?:[{_NAME}]++\.){{1,10}}{_TOP}"
_ADDRESS = re.compile(
    rf"(?:[a-z][a-z0-9+.-]{{0,30}}://|www\.){_REST}+"
    rf"|(?<![\w.+-])(?P<mail>[\w.+-]++@(?:[{_NAME}]++\.)+[{_NAME}]++)(?!:\d|/)"
    rf"|(?<![\w.])(?P<numbered>\d{{1,2}}\.(?=[a-z])(?![{_NAME}.]*[:/])[{_NAME}]++)(?!\.\w)"
    rf"|{_HOST}(?!://)(?::\d+)?(?:/{_REST}*)?"
    rf"|(?<![\w.])\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?::\d+)?/{_REST}*",
    re.IGNORECASE,
)
_SCHEMES = re.compile(r"(?:[a-z][a-z0-9+.-]{0,30}:/{2,}[:/]*)+", re.IGNORECASE)
_STOPS = re.compile("\\.|[\u3002\uff0e\uff61](?=[a-z0-9])", re.IGNORECASE)
_TAIL = ".,;:!?。，、；：！？…"

_ENDS = (re.compile("[。，、；：！？]"), re.compile("[^\u0000-\u052f]"))
"""Where an address may have ended that is written on without a space: before a stop of East Asian writing, or already
before the first sign of a script that no host is named in."""

_OF_OTHERS = frozenset({"totals", ITEMS})
"""What of a result with words of others holds no records of the person's."""

_PARTED = 20
"""So many known addresses of one text are parted from what is written on behind them, for each is a look at all that
follows."""


def only_known_links(text: str, known: Iterable[str]) -> str:
    """The text with every address that does not stand in ``known`` made into plain words (``example[.]com``)."""
    living = _living(known)
    shown: list[str] = []
    at = parted = 0
    while found := _ADDRESS.search(text, at):
        address = found[0].rstrip(_TAIL)
        shown.append(text[at : found.start()])
        at = found.start() + len(address)
        # A mail address fetches nothing, and "1.milk" is the first thing of a list.
        if found["mail"] or found["numbered"] or address in living:
            shown.append(address)
        elif parted < _PARTED and (own := next((part for part in _beginnings(address) if part in living), "")):
            shown.append(f"{own} ")  # lest it be read as one with what follows
            at = found.start() + len(own)
            parted += 1
        else:
            shown.append(_dead(address))
    return "".join([*shown, text[at:]])


def beyond(texts: Iterable[str], known: Iterable[str]) -> bool:
    """Whether these texts name an address that does not stand in ``known``."""
    living = _living(known)
    return any(address not in living for text in texts for address in _addresses(text))


def names_an_address(texts: Iterable[str]) -> bool:
    """Whether there is anything in these texts to be made into plain words."""
    return any(_ADDRESS.search(text) for text in texts)


def texts_of(changes: Sequence[Change]) -> list[str]:
    """What a receipt of these changes may repeat."""
    return [
        text for change in changes for record in (change.before, change.after) if record for text in _texts_in(record)
    ]


def own_texts(records: Iterable[Record | None]) -> list[str]:
    """The texts of those records that hold no words of others."""
    return [text for record in records if record and record.origin == "own" for text in _texts_in(record)]


def _living(known: Iterable[str]) -> set[str]:
    """The addresses that stand in these texts. Where Han, kana or Thai are written on right behind one, nobody knows
    whether they belong to it: it is one with them and without."""
    whole = {address for source in known for address in _addresses(source)}
    return whole | {part for address in whole for part in _beginnings(address)}


def _beginnings(address: str) -> Iterator[str]:
    """The longer one first."""
    for end in _ENDS:
        found = end.search(address)
        part = address[: found.start()].rstrip(_TAIL) if found else ""
        if _ADDRESS.fullmatch(part):
            yield part


def _addresses(source: str) -> Iterator[str]:
    """Byte for byte, and as a whole: a longer address is another one."""
    return (found[0].rstrip(_TAIL) for found in _ADDRESS.finditer(source))


def _dead(address: str) -> str:
    """Without any scheme, so that none is left to join what stands before it, and without a whole host: some networks
    read a full stop of another script in it."""
    return _STOPS.sub("[.]", _SCHEMES.sub("", address))


# ── what is a person's own ────────────────────────────────────────────────────────────────────────────────────────


def own_words(words: str, history: Sequence[Message], turn: Sequence[Message], changes: Sequence[Change]) -> list[str]:
    """The texts that are the person's own: ``words`` of now and of the ``history``, and those of their records, as the
    results in the ``turn`` and the ``changes`` of the turn show them."""
    before = set(own_texts(change.before for change in changes))
    made = {text for change in changes if change.after for text in _texts_in(change.after)}
    written = [own_part(str(message["content"])) for message in history if message["role"] == "user"]
    results = [str(message["content"]) for message in turn if message["role"] == "tool"]
    found = [text for result in results for text in _strings(result, made) if not _is_made(text, made)]
    return [words, *written, *before, *found]


def _texts_in(record: Record) -> Iterator[str]:
    """Everything in a record that somebody worded."""
    yield record.content
    yield from record.tags
    yield from (note.text for note in record.notes)
    if record.category:
        yield record.category


def _is_made(text: str, made: Collection[str]) -> bool:
    """Also where only its beginning is shown."""
    beginning = text.removesuffix("…")
    return any(each.startswith(beginning) for each in made)


def _strings(result: str, made: Collection[str]) -> Iterator[str]:
    """Every text in a tool's result, as it was before it became JSON; of one with words of others only the records that
    are the person's own. One that was cut is taken as it is, unless it may hold what the model made, or others."""
    mixed = is_untrusted(result)
    try:
        waiting = [json.loads(result)]
    except ValueError:
        waiting = [] if made or mixed else [result]
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case {"origin": "others"}:
                pass
            case dict() as inner:
                waiting += [each for name, each in inner.items() if not (mixed and name in _OF_OTHERS)]
            case list() as inner:
                waiting += inner


# ── what the operator opened ──────────────────────────────────────────────────────────────────────────────────────


def opened_links(messages: Iterable[Message], tools: Collection[str]) -> list[str]:
    """The addresses of what was found in the collections that these tools search: each stands where the operator said
    that links stand. What else is written there is other people's words."""
    called: dict[str, str] = {}
    found: list[str] = []
    for message in messages:
        called |= {each["id"]: each["function"]["name"] for each in message.get("tool_calls") or ()}
        if message["role"] == "tool" and called.get(message["tool_call_id"]) in tools:
            found += _links(str(message["content"]))
    return found


def _links(result: str) -> Iterator[str]:
    try:
        told = json.loads(result)
    except ValueError:
        return
    yield from (each["link"] for each in told.get(ITEMS, ()) if "link" in each)
