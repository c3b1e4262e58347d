"""Pictures and voice at an OpenAI-compatible endpoint: sent as it wants them, refused in every way, never logged."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest
from starlette.responses import JSONResponse, PlainTextResponse, Response

from bot.ai_log import AiLog, Witnessed
from bot.engines.openai_chat import OpenAIChat
from bot.engines.openai_transcription import OpenAITranscription
from bot.model_ports import (
    AnswerUnreadable,
    Attempt,
    CannotHear,
    CannotSee,
    Completion,
    ModelUnavailable,
    PromptTooLong,
)
from bot.picture_reading import Reading
from bot.pictures import Gallery
from bot.redaction import Masked, Redactor
from bot.thinking.asking import PICTURE_BYTES
from bot.thinking.tool_loop import ToolLoop
from tests.emulators.openai import EARS, KEY, MODEL, OpenAI, error, hears, rate_limited, says, serving
from tests.fakes import Calendar, MemoryAllowance, MemoryTranscript, a_prompt
from tests.shots import VOICE, photo
from tools.record import StoreUnavailable

JPEG = photo(size=(400, 300))
ITEM = {"kind": "other", "title": "a cat"}


@dataclass
class Endpoints:
    """An EndpointsPort in memory."""

    kept: dict[str, dict[str, Any]] = field(default_factory=dict)
    down: bool = False

    async def learned(self, name: str) -> Mapping[str, Any]:
        if self.down:
            raise StoreUnavailable
        return self.kept.get(name, {})

    async def keep(self, name: str, learned: Mapping[str, Any]) -> None:
        if self.down:
            raise StoreUnavailable
        self.kept.setdefault(name, {}).update(learned)


@pytest.fixture
async def endpoint() -> AsyncIterator[OpenAI]:
    async with serving() as there:
        yield there


class Eyes:
    """A model that is shown pictures, and who looks on."""

    def __init__(self, endpoint: OpenAI, endpoints: Endpoints, allowance: MemoryAllowance | None = None) -> None:
        self.attempts: list[Attempt] = []
        self.log = AiLog(Redactor(()), Calendar())
        self.gallery = Gallery()

        def observe(attempt: Attempt) -> None:
            self.attempts.append(attempt)
            self.log.attempt(attempt)

        self.chat = OpenAIChat(
            endpoint.url, KEY, MODEL, endpoints=endpoints, pictures=self.gallery.address, observe=observe, timeout=15
        )
        masked = Masked(self.chat, Redactor(["a secret of ours"]))
        self.llm = Witnessed(ToolLoop(masked, MemoryTranscript(), allowance=allowance))

    async def read(self, *jpegs: bytes, words: str = "這是午餐") -> Reading:
        with self.gallery.showing(jpegs or [JPEG]) as shown:
            parts = [{"type": "image_url", "image_url": {"url": each}} for each in shown]
            said = {"role": "user", "content": [{"type": "text", "text": words}, *parts]}
            return await self.llm.ask(a_prompt(said), Reading)


@pytest.fixture
def endpoints() -> Endpoints:
    return Endpoints()


@pytest.fixture
async def eyes(endpoint: OpenAI, endpoints: Endpoints) -> AsyncIterator[Eyes]:
    each = Eyes(endpoint, endpoints)
    yield each
    await each.chat.close()


def reads(**more: Any) -> Response:
    return says(json.dumps({"items": [ITEM], **more}))


async def test_a_picture_is_sent_as_the_endpoint_wants_it_and_told_without_its_bytes(endpoint, eyes):
    endpoint.script(reads())
    reading = await eyes.read(words="a secret of ours sk-0123456789abcdefghij")
    assert reading.items[0].title == "a cat"
    sent = endpoint.requests[0]["messages"][-1]["content"]
    assert sent[0]["text"] == "••• •••"
    assert sent[1]["image_url"]["url"].startswith("data:image/jpeg;base64,/9j/")
    told = json.dumps(eyes.log.turns)
    assert f"<image {round(len(JPEG) / 1000)} kB>" in told or "<image " in told
    assert "base64" not in told
    assert len(told) < 6_000
    assert eyes.chat.bytes_per_token == 2.0, "of pictures nothing is learned about words"
    endpoint.check()


async def test_an_answer_that_does_not_fit_is_mended_once_with_the_pictures_still_in_sight(endpoint, eyes):
    endpoint.script(says('{"items":[]}'), reads())
    assert (await eyes.read()).items[0].title == "a cat"
    assert "data:image" in json.dumps(endpoint.requests[1])
    endpoint.script(says("a cat"), says("still a cat"))
    with pytest.raises(AnswerUnreadable):
        await eyes.read()
    endpoint.check()


REFUSALS = [
    error(400, None, "Invalid content type. image_url is only supported by certain models."),
    error(400, None, "Failed to deserialize: messages[1]: unknown variant `image_url`, expected `text`"),
    error(422, None, "messages.1.content: Input should be a valid string, image_url"),
    error(400, None, "messages[0].content must be a string"),
    error(404, None, "No endpoints found that support image input"),
    error(400, None, "At most 0 image(s) may be provided in one prompt."),
    error(400, "1210", "This model does not support vision"),
    error(500, None, "image input is not supported - hint: you may need to provide the mmproj"),
    error(400, None, "llama3 is not a multimodal model"),
    error(415, None, "images are not accepted by this model"),
]


@pytest.mark.parametrize("refusal", REFUSALS, ids=range(len(REFUSALS)))
async def test_that_it_takes_no_pictures_is_learned_from_one_refusal_and_kept(endpoint, endpoints, eyes, refusal):
    endpoint.script(refusal)
    for _ in range(2):
        with pytest.raises(CannotSee):
            await eyes.read()
    await eyes.chat.close()
    assert len(endpoint.requests) == 1
    assert [each["pictures"] for each in endpoints.kept.values()] == [False]

    again = Eyes(endpoint, endpoints)
    with pytest.raises(CannotSee):
        await again.read()
    endpoint.script(says("hello"))
    assert (await again.chat.complete([{"role": "user", "content": "hi"}], ())).text == "hello"
    await again.chat.close()
    endpoint.check()


@pytest.mark.parametrize(
    "refusal",
    [
        error(400, "image_parse_error", "You uploaded an unsupported image. Please make sure your image is valid."),
        error(400, None, "Invalid base64 image_url."),
        error(400, None, "image dimensions exceed the allowed size"),
    ],
)
async def test_a_picture_that_is_refused_for_itself_teaches_nothing(endpoint, endpoints, eyes, refusal):
    endpoint.script(refusal, reads())
    with pytest.raises(CannotSee):
        await eyes.read()
    assert (await eyes.read()).items
    assert endpoints.kept == {}


async def test_other_trouble_is_as_ever(endpoint, eyes):
    endpoint.script(error(400, "context_length_exceeded", "maximum context length is 8192 tokens"))
    with pytest.raises(PromptTooLong):
        await eyes.read()
    endpoint.script(rate_limited("0"), reads())
    assert (await eyes.read()).items
    endpoint.script(error(401, "invalid_api_key"))
    with pytest.raises(ModelUnavailable) as refused:
        await eyes.read()
    assert not isinstance(refused.value, CannotSee)


async def test_a_picture_that_is_not_shown_any_more_is_not_asked_about(endpoint, eyes):
    said = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "picture:gone"}}]}
    with pytest.raises(ModelUnavailable, match="cannot be written"):
        await eyes.chat.complete([said], ())
    assert endpoint.requests == []


async def test_pictures_count_towards_a_persons_day(endpoint, endpoints):
    allowance = MemoryAllowance()
    eyes = Eyes(endpoint, endpoints, allowance)
    endpoint.script(reads(), reads())
    await eyes.read(words="x")
    await eyes.read(JPEG, JPEG, JPEG, words="x")
    await eyes.chat.close()
    (_, day, one), (_, _, three) = allowance.reserved
    assert day == date(2026, 11, 30)
    assert three - one > 2 * PICTURE_BYTES / 2 * 0.99


async def test_words_alone_are_asked_as_ever(endpoint, eyes):
    endpoint.script(says("hello"))
    answer: Completion = await eyes.chat.complete([{"role": "user", "content": "picture:abc"}], ())
    assert answer.text == "hello"
    assert endpoint.requests[0]["messages"] == [{"role": "user", "content": "picture:abc"}]


# ── voice ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Ears:
    def __init__(self, url: str, endpoints: Endpoints, model: str = EARS, **more: Any) -> None:
        self.clock = Calendar()
        self.attempts: list[Attempt] = []
        given = {"endpoints": endpoints, "now": self.clock, "observe": self.attempts.append, "timeout": 5.0}
        self.transcription = OpenAITranscription(url, KEY, model, **(given | more))

    async def hear(self, sound: bytes = VOICE, kind: str = "audio/mp4") -> str:
        return await self.transcription.transcribe(sound, kind)


@pytest.fixture
async def ears(endpoint: OpenAI, endpoints: Endpoints) -> AsyncIterator[Ears]:
    each = Ears(endpoint.url, endpoints)
    yield each
    await each.transcription.close()


async def test_voice_is_uploaded_as_the_endpoint_wants_it_and_told_without_its_bytes(endpoint, ears):
    endpoint.heard.append(hears("  明天下午\n三點看牙醫 "))
    assert await ears.hear() == "明天下午 三點看牙醫"
    assert [(each["model"], each["name"], each["sound"]) for each in endpoint.voices] == [(EARS, "voice.m4a", VOICE)]
    [attempt] = ears.attempts
    assert attempt.sent == {"model": EARS, "file": "<audio 0 kB>"}
    assert (attempt.status, attempt.came, attempt.error) == (200, "明天下午 三點看牙醫", "")


@pytest.mark.parametrize("answer", [PlainTextResponse("plain words"), JSONResponse({"text": "plain words"})])
async def test_an_answer_in_either_shape_is_read(endpoint, ears, answer):
    endpoint.heard.append(answer)
    assert await ears.hear() == "plain words"


@pytest.mark.parametrize("answer", [JSONResponse({"text": None}), JSONResponse({}), JSONResponse([])])
async def test_an_answer_without_words_is_silence(endpoint, ears, answer):
    endpoint.heard.append(answer)
    assert await ears.hear() == ""


async def test_an_endpoint_without_ears_is_asked_again_a_day_later(endpoint, endpoints, ears, caplog):
    caplog.set_level(logging.WARNING)
    for _ in range(3):
        with pytest.raises(CannotHear):
            await ears.hear()
    assert len(ears.attempts) == 1
    assert "OPENAI_TRANSCRIBE_MODEL" in caplog.text
    ears.clock.move(days=1)
    endpoint.heard.append(hears("now"))
    assert await ears.hear() == "now"


async def test_a_model_that_is_not_there_is_no_ear(endpoint, endpoints):
    endpoint.heard.append(hears("never"))
    other = Ears(endpoint.url, endpoints, "whisper-9")
    with pytest.raises(CannotHear):
        await other.hear()
    await other.transcription.close()


async def test_a_refused_recording_is_that_recordings_fault(endpoint, endpoints, ears):
    endpoint.heard += [hears("never"), error(400, None, "Audio file might be corrupted or unsupported")]
    with pytest.raises(CannotHear):
        await ears.hear(b"short")
    endpoint.heard.pop(0)
    with pytest.raises(CannotHear):
        await ears.hear()
    assert endpoints.kept == {}
    with pytest.raises(CannotHear):
        await ears.hear(kind="application/octet-stream")


async def test_trouble_passes(endpoint, endpoints, ears):
    endpoint.heard += [error(500, None), hears("again")]
    with pytest.raises(ModelUnavailable) as down:
        await ears.hear()
    assert not isinstance(down.value, CannotHear)
    assert len(endpoint.heard) == 1, "one upload is counted, so one is made"
    assert await ears.hear() == "again"
    nobody = Ears("http://127.0.0.1:9/v1", endpoints)
    with pytest.raises(ModelUnavailable):
        await nobody.hear()
    await nobody.transcription.close()


async def test_without_a_store_it_hears_all_the_same(endpoint, endpoints, ears):
    endpoints.down = True
    with pytest.raises(CannotHear):
        await ears.hear()
    endpoint.heard.append(hears("words"))
    assert await ears.hear() == "words"


async def test_who_looks_on_cannot_break_it_and_a_cancelled_upload_is_told(endpoint, endpoints):
    def breaks(_: Attempt) -> None:
        raise RuntimeError

    endpoint.heard.append(hears("words"))
    odd = Ears(endpoint.url, endpoints, observe=breaks)
    assert await odd.hear() == "words"
    await odd.transcription.close()
    left = asyncio.Event()

    async def listens(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            await reader.read()
        writer.close()
        left.set()

    silent = await asyncio.start_server(listens, "127.0.0.1", 0)
    slow = Ears(f"http://127.0.0.1:{silent.sockets[0].getsockname()[1]}/v1", endpoints, timeout=0.2)
    with pytest.raises(ModelUnavailable):
        await slow.hear()
    await slow.transcription.close()
    await left.wait()
    silent.close()
    await silent.wait_closed()
