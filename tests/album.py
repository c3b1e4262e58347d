"""A conversation in which things are sent that are no words, with scripted eyes and ears."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from bot.model_ports import ChatModelPort, Prompt
from bot.ports import LaneId, Media, Turn
from tests.fakes import MemoryAllowance
from tests.shots import photo
from tests.talk import Talk
from tools.attachment import Failure
from tools.database import Database
from tools.definition import Caller


class Eyes:
    """An AskPort with a script: items, or what is raised."""

    def __init__(self, *steps: Any) -> None:
        self.steps = list(steps)
        self.prompts: list[Prompt] = []

    async def ask(self, prompt: Prompt, model: type[BaseModel]) -> Any:
        self.prompts.append(prompt)
        step = self.steps.pop(0)
        if isinstance(step, Exception):
            raise step
        return model.model_validate(step if isinstance(step, dict) else {"items": step})

    def shown(self) -> int:
        content = self.prompts[-1].user["content"]
        return sum(1 for each in content if each["type"] == "image_url")


class Ears:
    """A TranscriptionPort with a script."""

    def __init__(self, *steps: str | Exception) -> None:
        self.steps = list(steps)
        self.heard: list[str] = []

    async def transcribe(self, audio: bytes, media_type: str) -> str:
        self.heard.append(media_type)
        step = self.steps.pop(0)
        if isinstance(step, Exception):
            raise step
        return step


class Album(Talk):
    """A conversation in which things are sent. ``contents`` is what LINE holds, by message id."""

    def __init__(
        self,
        database: Database,
        model: ChatModelPort | None = None,
        *,
        eyes: Eyes | None = None,
        ears: Ears | None = None,
        address: str = "https://bot.example",
        spent: MemoryAllowance | None = None,
        **more: Any,
    ) -> None:
        super().__init__(database, model, eyes=eyes, ears=ears, address=address, spent=spent, **more)
        self.eyes = eyes

    async def brings(self, content: bytes | Failure, kind: str = "image", **fields: Any) -> LaneId:
        """Something that LINE holds arrives, and waits."""
        key = f"m{len(self.contents)}"
        self.contents[key] = content
        return await self.hears(**({"kind": kind, "message_id": key, "media": Media()} | fields))

    async def shows(self, content: bytes | Failure = b"", kind: str = "image", **fields: Any) -> str:
        """The same, and it is answered."""
        await self.brings(content or photo(), kind, **fields)
        return await self.answers()

    async def calls(self, turn: Turn) -> Caller:
        """Who speaks in this turn."""
        return await self.use_case._caller(await self.use_case._person(turn), turn)

    async def answers(self) -> str:
        sent = len(self.channel.sent)
        await self.use_case.run(await self.takes())
        return "\n".join(each.text for _, bubbles in self.channel.sent[sent:] for each in bubbles)

    async def held(self) -> list[tuple[str, str]]:
        return [(each.record.content, each.attachment.media_type) for each in await self.store().held(limit=50)]
