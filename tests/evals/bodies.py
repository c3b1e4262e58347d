"""What a model is sent for one utterance: the bot's own composition, over a store in which somebody has lived a while.

Each utterance is said in a copy of the same store, so that none knows of another. Must not know what a right answer is.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from bot.engines.openai_dialect import Dialect
from bot.engines.openai_messages import request, written
from bot.model_ports import ChatModelPort, Completion, Message, ModelUnavailable
from bot.voice.language import Fixed, Language
from tests.fakes import asks, says
from tests.talk import Talk
from tools.database import Database
from tools.definition import ToolDefinition
from tools.record import CallKey, Draft
from tools.repeating import begins
from tools.when import read_rule

FOLDER = Path(__file__).parent
PLACES: Mapping[Language, tuple[str, str]] = {
    "zh-TW": ("Asia/Taipei", "TWD"),
    "ja": ("Asia/Tokyo", "JPY"),
    "th": ("Asia/Bangkok", "THB"),
    "en": ("Europe/London", "GBP"),
}
NOON = datetime(2026, 11, 30, 12)  # noqa: DTZ001 - of each place
"""A Monday, the last day of a month."""


@dataclass(slots=True)
class Onlooker:
    """A ChatModelPort that lets ``asked`` answer, and remembers what it was sent and what it said."""

    asked: ChatModelPort | None = None
    script: list[Completion] = field(default_factory=list)
    sent: list[tuple[Sequence[Message], Sequence[ToolDefinition]]] = field(default_factory=list)
    said: list[Completion] = field(default_factory=list)
    trouble: str = ""
    """Why there was no answer."""
    bytes_per_token: float = 3.0

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolDefinition], *, may_call: bool = True
    ) -> Completion:
        self.sent.append((list(messages), list(tools)))
        if self.script:
            answer = self.script.pop(0)
        elif self.asked:
            answer = await self._answer(self.asked, messages, tools, may_call)
        else:
            answer = says("OK")
        self.said.append(answer)
        return answer

    async def _answer(
        self, endpoint: ChatModelPort, messages: Sequence[Message], tools: Sequence[ToolDefinition], may_call: bool
    ) -> Completion:
        try:
            return await endpoint.complete(messages, tools, may_call=may_call)
        except ModelUnavailable as unavailable:
            self.trouble = unavailable.reason
            raise


def place_of(language: Language) -> tuple[ZoneInfo, str]:
    zone, currency = PLACES[language]
    return ZoneInfo(zone), currency


def now_in(language: Language) -> datetime:
    return NOON.replace(tzinfo=place_of(language)[0])


def life(language: Language) -> list[dict[str, Any]]:
    """The records that are there: the n-th is #n."""
    lives: dict[str, list[dict[str, Any]]] = json.loads((FOLDER / "life.json").read_text(encoding="utf-8"))
    return lives[language]


def _draft(written: Mapping[str, Any], language: Language) -> Draft:
    zone, currency = place_of(language)
    fields = dict(written)
    if when := fields.get("when"):
        fields["when"] = datetime.fromisoformat(when).replace(tzinfo=zone) if "T" in when else _day(when)
    if "amount" in fields:
        fields |= {"amount": Decimal(str(fields["amount"])), "currency": currency}
    if rule := fields.pop("repeat", None):
        fields["repeat"] = begins(read_rule(rule, now_in(language)).rule, fields["when"], zone, ring=None)
    return Draft(**{**fields, "tags": tuple(fields.get("tags", ()))})


def _day(written: str) -> Any:
    return datetime.fromisoformat(written).date()


def _talk(database: Database, language: Language, model: Onlooker) -> Talk:
    zone, currency = place_of(language)
    talk = Talk(database, model, fixed=Fixed(language, zone, currency))
    talk.clock.now = now_in(language)
    return talk


async def lived(language: Language, folder: Path) -> Path:
    """A store with the records of this language's life, and one exchange in which the last of them was made."""
    path = folder / f"{language}.db"
    database = Database(f"sqlite:///{path}")
    await database.start()
    *records, last = life(language)
    model = Onlooker(
        script=[asks(("create_record", json.dumps(last["call"], ensure_ascii=False))), says(last["answer"])]
    )
    talk = _talk(database, language, model)
    talk.clock.move(minutes=-5)
    for number, record in enumerate(records, start=1):
        await talk.memory().record(_draft(record, language), CallKey("before", number), lambda _: {})
    await talk.says(last["said"])
    await database.close()
    return path


async def asked(
    case: Mapping[str, Any], lived_in: Path, folder: Path, endpoint: ChatModelPort | None = None
) -> Onlooker:
    """What passed between the bot and its model when this was said. Without an endpoint the model says OK."""
    path = shutil.copy(lived_in, folder / f"{case['id']}.db")
    database = Database(f"sqlite:///{path}")
    await database.start()
    try:
        model = Onlooker()
        talk = _talk(database, case["language"], model)
        talk._heard = 1
        for words, answer in case.get("before", ()):
            model.script = [says(answer)]
            await talk.says(words)
        model.asked, model.sent, model.said = endpoint, [], []
        await talk.says(case["said"])
        return model
    finally:
        await database.close()
        os.unlink(path)  # noqa: PTH108 - nothing waits meanwhile


def body(model: Onlooker, name: str) -> bytes:
    """The first request, byte by byte."""
    messages, tools = model.sent[0]
    return written(request(name, Dialect(), name, messages, tools, may_call=True))[1]
