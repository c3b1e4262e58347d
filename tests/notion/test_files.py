"""Pictures and files of a record in its page: each once, whatever Notion answers; those it does not take are said."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.notion.house import OWNER, SOON, House
from tests.thorough import sample
from tools.attachment import Attachment
from tools.notion.file_ledger import NOTION_FILE
from tools.notion.files import LONGEST_REST, NotionFiles, kind_of, name_of, only_here
from tools.notion.ledger import NOTION_PAGE
from tools.sql.attachments import ATTACHED, SqlAttachments

JPEG = b"\xff\xd8\xff" + b"picture"
PDF = b"%PDF-1.7 a letter"


def files_of(house: House, **more: Any) -> NotionFiles:
    return NotionFiles(house.database, house.client, **({"now": house.now, "language": "zh-TW"} | more))


async def hold(house: House, ref: int, *contents: bytes, name: str = "") -> None:
    """The record holds these from now on."""
    shelf = SqlAttachments(house.database, OWNER, house.now)
    for number, content in enumerate(contents):
        kept = await shelf.keep(f"m{ref}.{number}.{len(content)}", name, content)
        assert kept.attachment is not None
        record = await house.memory().get(ref)
        assert record is not None
        await shelf.attach(record.id, [kept.attachment])


def media(house: House) -> list[tuple[str, str]]:
    """What stands in each page, in order: its type, and what it is called."""
    found = []
    for row in house.rows():
        for block in house.notion.blocks[row["id"]]:
            if not block["in_trash"]:
                inner = block[block["type"]]
                told = inner.get("file", {}).get("url", "").partition("?")[0].rpartition("/")[2]
                found.append((block["type"], told or "".join(each["plain_text"] for each in inner["rich_text"])))
    return found


async def in_notion(house: House, *contents: bytes, name: str = "") -> int:
    ref = await house.add("收據")
    await house.sync().push(OWNER, SOON)
    await hold(house, ref, *contents, name=name)
    house.notion.requests.clear()
    return ref


async def test_what_a_record_holds_stands_in_its_page_in_order_and_once(house):
    await in_notion(house, JPEG, PDF, JPEG + b"2")
    for _ in range(3):
        await files_of(house).bring()
    assert media(house) == [("image", "image.jpg"), ("pdf", "application.pdf"), ("image", "image.jpg")]
    assert len(house.notion.asked("POST /v1/file_uploads$")) == 3
    assert len(house.notion.asked("PATCH")) == 3
    assert [each["status"] for each in house.notion.uploads.values()] == ["uploaded"] * 3


async def test_nothing_is_asked_while_there_is_nothing_to_bring(house):
    await house.add("收據")
    await house.sync().push(OWNER, SOON)
    house.notion.requests.clear()
    assert await files_of(house).bring() > 0
    assert not house.notion.requests


async def test_a_record_that_has_no_page_yet_waits_for_it(house):
    ref = await house.add("收據")
    await hold(house, ref, JPEG)
    await files_of(house).bring()
    assert not house.notion.uploads
    await house.sync().push(OWNER, SOON)
    await files_of(house).bring()
    assert media(house) == [("image", "image.jpg")]


async def test_a_file_keeps_its_name(house):
    await in_notion(house, b"PK\x03\x04 a letter", name="回信.docx")
    await files_of(house).bring()
    assert media(house) == [("file", "回信.docx")]


async def test_what_the_workspace_does_not_take_is_said_in_the_page_and_to_the_operator(house, caplog):
    house.notion.upload_limit = 40
    await in_notion(house, b"\x00\x00\x00\x18ftypisom" + b"x" * 40, JPEG, name="生日.mp4")
    await files_of(house).bring()
    assert media(house) == [
        ("paragraph", "📎 生日.mp4 (0 KB)：只留在秘書那裡，Notion 放不下。"),
        ("image", "生日.mp4.jpg"),
    ]
    assert "is kept here only" in caplog.text
    assert len(house.notion.uploads) == 1


async def test_a_file_that_notion_refuses_is_said_too(house):
    await in_notion(house, JPEG)
    house.notion.fail("400", "POST /v1/file_uploads$", times=1)
    await files_of(house, language="en").bring()
    assert media(house) == [
        ("paragraph", "📎 image.jpg (0 KB): kept by your secretary alone; Notion does not take it.")
    ]


async def test_what_is_let_go_of_goes_and_what_people_put_there_stays(house):
    await in_notion(house, JPEG, PDF)
    await files_of(house).bring()
    (row,) = house.rows()
    house.notion.write_below(row["id"], "mine")
    await house.database.write(lambda c: c.execute(ATTACHED.delete().where(ATTACHED.c.place == 1)))
    await files_of(house).bring()
    assert media(house) == [("pdf", "application.pdf"), ("paragraph", "mine")]


async def test_a_picture_that_a_person_took_out_of_the_page_stays_out(house):
    await in_notion(house, JPEG)
    await files_of(house).bring()
    (row,) = house.rows()
    house.notion.blocks[row["id"]][0]["in_trash"] = True
    await files_of(house).bring()
    assert media(house) == []


async def test_a_record_that_was_deleted_gets_no_files_and_comes_back_with_them(house):
    ref = await in_notion(house, JPEG)
    await house.remove(ref)
    await house.sync().push(OWNER, SOON)
    await files_of(house).bring()
    assert not house.notion.uploads
    await house.undo()
    await house.sync().push(OWNER, SOON)
    await files_of(house).bring()
    assert media(house) == [("image", "image.jpg")]


async def test_another_page_of_the_record_gets_them_too(house):
    await in_notion(house, JPEG)
    await files_of(house).bring()
    (row,) = house.rows()
    house.notion.pages.pop(row["id"])
    await house.database.write(lambda c: c.execute(NOTION_PAGE.delete()))
    await house.sync().push(OWNER, SOON)
    await files_of(house).bring()
    assert media(house) == [("image", "image.jpg")]


async def test_a_store_that_forgot_what_it_sent_finds_it_in_the_page(house):
    await in_notion(house, JPEG, PDF)
    await files_of(house).bring()
    await house.database.write(lambda c: c.execute(NOTION_FILE.delete()))
    await files_of(house).bring()
    assert len(media(house)) == 2
    assert len(house.notion.uploads) == 2


async def test_bytes_that_are_gone_are_not_sent(house):
    await in_notion(house, JPEG)
    record = await house.memory().get(1)
    await SqlAttachments(house.database, OWNER, house.now).forget()
    await files_of(house).bring()
    assert record is not None
    assert media(house) == []


# ── whatever Notion answers ───────────────────────────────────────────────────────────────────────────────────────────

FAULTS = [
    ("429", {"retry_after": 1}), ("529", {}), ("409", {}), ("409", {"times": 4}), ("500", {}), ("502", {}),
    ("504", {}), ("504", {"saved": True}), ("dropped", {}), ("dropped", {"saved": True}), ("200 html", {"saved": True}),
    ("dropped", {"saved": True, "times": 3}), ("504", {"times": 7}),
]  # fmt: skip
ON = ["POST /v1/file_uploads$", "POST .*/send", "PATCH .*/children", "GET .*/children", "GET /v1/users/me"]
CASES = [(kind, how, on) for kind, how in FAULTS for on in ON]


@pytest.mark.parametrize(("kind", "how", "on"), sample(CASES, 6, 40))
async def test_a_day_with_any_fault_ends_as_a_day_without(house, kind, how, on):
    await in_notion(house, JPEG, PDF)
    house.notion.fail(kind, on, **how)
    for _ in range(12):
        house.clock.seconds += await files_of(house).bring()
    await house.notion.quiet()
    assert media(house) == [("image", "image.jpg"), ("pdf", "application.pdf")]


async def test_a_block_that_lands_late_is_taken_away_again(house):
    await in_notion(house, JPEG)
    house.notion.fail("504", "PATCH .*/children", saved=False)
    house.clock.seconds += await files_of(house).bring()
    await files_of(house).bring()
    (row,) = house.rows()
    (block,) = house.notion.blocks[row["id"]]
    house.notion.blocks[row["id"]].append({**block, "id": "0" * 8 + block["id"][8:]})  # the first attempt, after all
    assert len(media(house)) == 2
    house.clock.seconds += 91
    await files_of(house).bring()
    assert media(house) == [("image", "image.jpg")]


async def test_a_process_that_dies_between_the_steps_leaves_nothing_twice(house):
    await in_notion(house, JPEG, PDF)

    class Died(BaseException):
        pass

    class Dying(NotionFiles):
        async def _placed(self, *what: Any) -> None:
            raise Died

    with pytest.raises(Died):
        await Dying(house.database, house.client, now=house.now).bring()
    assert len(media(house)) == 1
    await files_of(house).bring()
    assert media(house) == [("image", "image.jpg"), ("pdf", "application.pdf")]


async def test_a_page_that_takes_nothing_is_tried_again_later_and_holds_up_no_other(house):
    await in_notion(house, JPEG)
    (first,) = house.rows()
    await in_notion(house, PDF)
    house.notion.fail("400", f"PATCH /v1/blocks/{first['id']}", times=2)
    await files_of(house).bring()
    assert media(house) == [("pdf", "application.pdf")]
    house.clock.seconds += 61
    await files_of(house).bring()
    house.clock.seconds += 61
    await files_of(house).bring()
    assert len(media(house)) == 1
    house.clock.seconds += 61
    await files_of(house).bring()
    assert len(media(house)) == 2


async def test_a_token_that_is_refused_ends_it_for_a_while(house):
    await in_notion(house, JPEG)
    house.notion.fail("401", "GET", times=1)
    assert await files_of(house).bring() == LONGEST_REST
    house.notion.fail("403", "POST /v1/file_uploads", times=1)
    assert await files_of(house).bring() == LONGEST_REST
    await files_of(house).bring()
    assert len(media(house)) == 1


async def test_one_process_is_at_it_at_a_time(house):
    await in_notion(house, JPEG)
    one, other = files_of(house, process="one"), files_of(house, process="other")
    assert await one._hold(timedelta(minutes=1))
    await other.bring()
    assert not house.notion.uploads
    house.clock.seconds += 61
    await other.bring()
    assert len(house.notion.uploads) == 1


async def test_a_store_in_trouble_is_waited_for(house):
    files = files_of(house)
    await house.database.close()
    assert await files.bring() > 0


@pytest.mark.parametrize(
    ("media_type", "name", "kind", "called"),
    [
        ("image/jpeg", "", "image", "image.jpg"),
        ("image/jpeg", "收據.jpg", "image", "收據.jpg"),
        ("image/png", "a.jpg", "image", "a.jpg.png"),
        ("application/pdf", "letter", "pdf", "letter.pdf"),
        ("audio/mp4", "", "audio", "audio.m4a"),
        ("video/mp4", "", "video", "video.mp4"),
        ("application/octet-stream", "notes.txt", "file", "notes.txt"),
        ("application/octet-stream", "x", "file", "x.bin"),
        ("application/zip", "", "file", "application.zip"),
        ("image/png", "a\nb" * 60, "image", None),
    ],
)
def test_a_file_is_called_so_that_its_type_is_known(media_type, name, kind, called):
    attachment = Attachment("0" * 64, media_type, 3 * 1024 * 1024, name)
    assert kind_of(attachment) == kind
    told = name_of(attachment)[0]
    assert called in (None, told)
    assert len(told) < 110
    for language in ("zh-TW", "ja", "th", "en", "auto"):
        assert "3.0 MB" in only_here(attachment, language)
