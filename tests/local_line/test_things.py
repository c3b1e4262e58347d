"""Pictures, voice, films and files at the local LINE: sent from the page's side, fetched from the bot's."""

from __future__ import annotations

import base64

import pytest

from tests.shots import FILM, PDF, VOICE, photo


def b64(content: bytes) -> str:
    return base64.b64encode(content).decode()


async def heard(running) -> dict:
    while (event := await running.bot.event())["type"] != "message":
        pass
    return event["message"]


@pytest.mark.parametrize(
    ("said", "message", "kind"),
    [
        (
            {"audio": b64(VOICE)},
            {"type": "audio", "duration": 3000, "contentProvider": {"type": "line"}},
            "audio/x-m4a",
        ),
        ({"video": b64(FILM)}, {"type": "video", "duration": 3000, "contentProvider": {"type": "line"}}, "video/mp4"),
    ],
)
async def test_a_recording_is_prepared_before_it_is_there(running, said, message, kind):
    done = await running.say(**said)
    told = await heard(running)
    assert {name: told[name] for name in message} == message
    path = f"message/{done['message_id']}/content"
    assert (await running.api("GET", f"{path}/transcoding")).json() == {"status": "processing"}
    first, then = await running.api("GET", path), await running.api("GET", path)
    assert (first.status_code, first.content) == (202, b"")
    assert (then.status_code, then.headers["content-type"]) == (200, kind)
    assert (await running.api("GET", f"{path}/transcoding")).json() == {"status": "succeeded"}


async def test_a_file_has_its_name_and_size(running):
    done = await running.say(file={"name": "../合約.pdf", "content": b64(PDF)})
    told = await heard(running)
    assert (told["fileName"], told["fileSize"]) == ("../合約.pdf", len(PDF))
    assert "quoteToken" not in told
    assert (await running.api("GET", f"message/{done['message_id']}/content")).content == PDF
    assert (await running.api("GET", f"message/{done['message_id']}/content/transcoding")).status_code == 400


async def test_pictures_sent_together_come_in_no_order(running):
    await running.say(images=[b64(photo("red")), b64(photo("blue"))], total=3)
    sets = [(await heard(running))["imageSet"] for _ in range(2)]
    assert [each["index"] for each in sets] == [2, 1]
    assert len({each["id"] for each in sets}) == 1
    assert {each["total"] for each in sets} == {3}


@pytest.mark.parametrize(
    "wrong",
    [
        {"images": []},
        {"images": [b64(b"<svg/>")]},
        {"audio": "?"},
        {"file": {"name": "x"}},
        {"audio": b64(VOICE), "video": b64(FILM)},
        {"total": 3},
    ],
)
async def test_what_cannot_be_sent_is_refused_in_words(running, wrong):
    answer = await running.http.post("/local/say", json=wrong)
    assert answer.status_code == 400
    assert answer.json()["message"]
