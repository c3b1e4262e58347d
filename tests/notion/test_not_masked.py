"""What cannot be masked does not go to Notion: that record waits, the others go, and the operator is told."""

from __future__ import annotations

import pytest

from tests.notion.house import OWNER, SOON
from tools.notion.show import Show
from tools.record import Note

SECRET = "hunter2-hunter2"


def breaks_on_a_secret(text: str) -> str:
    if SECRET in text:
        raise ValueError(f"cannot mask {text}")
    return text


@pytest.mark.parametrize(
    "where",
    [{"content": SECRET}, {"category": SECRET}, {"tags": (SECRET,)}, {"notes": True}],
    ids=lambda each: next(iter(each)),
)
async def test_a_record_that_cannot_be_masked_stays_here_and_the_others_go(house, caplog, where):
    notes = {"notes": (Note(house.now(), SECRET),)} if "notes" in where else where
    await house.add(**notes)
    await house.add("買牛奶")
    state = await house.sync(show=Show(redact=breaks_on_a_secret)).push(OWNER, SOON)

    assert house.titles() == ["買牛奶"]
    assert SECRET not in repr(house.notion.requests) + repr(house.notion.pages)
    assert state.waiting == 1
    assert "#1 is not sent to Notion: secrets could not be masked in it" in caplog.text
    assert SECRET not in caplog.text


async def test_a_page_that_is_there_is_left_as_it_was_and_follows_when_masking_works_again(house, clock):
    ref = await house.add("買牛奶")
    broken = house.sync(show=Show(redact=breaks_on_a_secret))
    await broken.push(OWNER, SOON)
    await house.revise(ref, content=f"買牛奶 {SECRET}")
    await broken.push(OWNER, SOON)
    assert house.titles() == ["買牛奶"]

    await broken.close()
    clock.seconds += 3600
    await house.sync(show=Show(redact=lambda text: text.replace(SECRET, "•••"))).push(OWNER, SOON)
    assert house.titles() == ["買牛奶 •••"]


async def test_it_is_tried_again_ever_more_rarely(house, clock, caplog):
    await house.add(SECRET)
    sync = house.sync(show=Show(redact=breaks_on_a_secret))
    for _ in range(30):
        await sync.push(OWNER, SOON)
        clock.seconds += 60
    assert 2 <= caplog.text.count("is not sent to Notion") <= 6
