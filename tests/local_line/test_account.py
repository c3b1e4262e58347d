"""The account's side of the local LINE: as strict as LINE about tokens and rich menus."""

from __future__ import annotations

import pytest
from linebot.v3.messaging import AsyncMessagingApiBlob, RichMenuRequest

from bot.line import rich_menu
from bot.line.setup import picture_of

PNG = picture_of("zh-TW")
MENU = rich_menu.menu("zh-TW", PNG)


def form_of(running, **changes: str) -> dict[str, str]:
    whole = {
        "grant_type": "client_credentials",
        "client_id": running.line.channel_id,
        "client_secret": running.line.secret,
        **changes,
    }
    return {name: value for name, value in whole.items() if value != "(absent)"}


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": "(absent)"}, "invalid_request"),
        ({"client_id": "(absent)"}, "invalid_request"),
        ({"client_id": ""}, "invalid_request"),
        ({"client_id": "1234567890"}, "invalid_client"),
        ({"client_secret": "(absent)"}, "invalid_request"),
        ({"client_secret": "wrong"}, "invalid_client"),
        ({"client_secret": "密"}, "invalid_client"),
    ],
)
async def test_no_token_is_issued_for_a_form_that_is_not_right(running, changes, error):
    refused = await running.http.post("/oauth2/v3/token", data=form_of(running, **changes))
    assert (refused.status_code, refused.json()["error"]) == (400, error)
    assert refused.json()["error_description"]


async def test_no_token_is_issued_for_what_is_no_form_or_names_a_thing_twice(running):
    as_json = await running.http.post("/oauth2/v3/token", json=form_of(running))
    twice = await running.http.post("/oauth2/v3/token", data={**form_of(running), "client_id": ["1", "2"]})

    assert [each.json()["error"] for each in (as_json, twice)] == ["invalid_request"] * 2


async def test_every_token_that_was_issued_ends_by_itself(running):
    tokens = []
    for _ in range(2):
        tokens.append((await running.http.post("/oauth2/v3/token", data=form_of(running))).json()["access_token"])
        running.clock.move(minutes=8)
    statuses = [
        (await running.http.get("/v2/bot/info", headers={"Authorization": f"Bearer {token}"})).status_code
        for token in tokens
    ]
    assert statuses == [401, 200]


async def test_the_channels_id_stays_over_a_restart(start_line, tmp_path):
    ids = []
    for _ in range(2):
        async with start_line(tmp_path / "line.db") as running:
            ids.append(running.line.channel_id)
    assert ids[0] == ids[1]
    assert ids[0].isdigit()


# ── rich menus ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_sdk_makes_a_menu_and_reads_it_back(running):
    api = running.sdk()
    made = await api.create_rich_menu(RichMenuRequest.from_dict(MENU))
    await AsyncMessagingApiBlob(running.client).set_rich_menu_image(
        made.rich_menu_id, bytearray(PNG), _headers={"Content-Type": "image/png"}
    )
    await api.set_default_rich_menu(made.rich_menu_id)

    assert (await api.get_default_rich_menu_id()).rich_menu_id == made.rich_menu_id
    assert (await api.get_rich_menu(made.rich_menu_id)).name == MENU["name"]
    assert [each.rich_menu_id for each in (await api.get_rich_menu_list()).richmenus] == [made.rich_menu_id]
    await api.cancel_default_rich_menu()
    assert (await running.api("GET", "user/all/richmenu")).status_code == 404
    await api.delete_rich_menu(made.rich_menu_id)
    assert (await api.get_rich_menu_list()).richmenus == []


async def with_menu(running) -> str:
    return (await running.api("POST", "richmenu", MENU)).json()["richMenuId"]


async def picture(running, menu: str, content: bytes, kind: str = "image/png") -> int:
    headers = {"Authorization": f"Bearer {running.line.access_token}", "Content-Type": kind}
    answer = await running.http.post(f"/v2/bot/richmenu/{menu}/content", content=content, headers=headers)
    return answer.status_code


async def test_a_menu_is_shown_only_with_its_picture(running):
    menu = await with_menu(running)
    assert (await running.api("POST", f"user/all/richmenu/{menu}")).status_code == 400
    assert (await running.api("GET", f"richmenu/{menu}/content")).status_code == 404
    assert await picture(running, menu, PNG) == 200
    assert (await running.api("GET", f"richmenu/{menu}/content")).content == PNG
    assert (await running.api("POST", f"user/all/richmenu/{menu}")).status_code == 200


async def test_a_picture_comes_once_in_its_size_and_kind(running):
    menu = await with_menu(running)
    smaller = PNG[:16] + (1200).to_bytes(4, "big") + PNG[20:]
    assert await picture(running, menu, smaller) == 400
    assert await picture(running, menu, b"GIF89a") == 400
    assert await picture(running, menu, PNG, "application/json") == 415
    assert await picture(running, menu, PNG + bytes(1024 * 1024)) == 413
    assert await picture(running, menu, PNG) == 200
    assert await picture(running, menu, PNG) == 400
    assert await picture(running, "richmenu-none", PNG) == 404


def changed(**fields: object) -> dict[str, object]:
    return {**MENU, **fields}


@pytest.mark.parametrize(
    ("menu", "where"),
    [
        (changed(chatBarText="x" * 15), "chatBarText"),
        (changed(name=""), "name"),
        (changed(size={"width": 2501, "height": 843}), "size.width"),
        (changed(size={"width": 2500, "height": 249}), "size.height"),
        (changed(size={"width": 1000, "height": 700}), "size"),
        (changed(areas=[]), "areas"),
        (changed(areas=MENU["areas"] * 4), "areas"),
        (changed(selected="no"), "selected"),
        (changed(extra=1), "extra"),
        (
            changed(
                areas=[{"bounds": {"x": 2400, "y": 0, "width": 200, "height": 9}, "action": MENU["areas"][0]["action"]}]
            ),
            "areas[0].bounds",
        ),
        (
            changed(areas=[{"bounds": MENU["areas"][0]["bounds"], "action": {"type": "message"}}]),
            "areas[0].action.text",
        ),
    ],
)
async def test_a_menu_beyond_a_limit_is_refused(running, menu, where):
    for path in ("richmenu", "richmenu/validate"):
        refused = await running.api("POST", path, menu)
        assert refused.status_code == 400
        assert where in [each["property"] for each in refused.json()["details"]]


async def test_a_menu_can_be_looked_through_before_it_is_made(running):
    assert (await running.api("POST", "richmenu/validate", MENU)).status_code == 200
    assert (await running.api("GET", "richmenu/list")).json() == {"richmenus": []}
    assert (await running.api("GET", "richmenu/richmenu-none")).status_code == 404
    assert (await running.api("DELETE", "richmenu/richmenu-none")).status_code == 404


async def test_a_thousand_menus_are_enough(start_line):
    async with start_line() as running:
        for _ in range(1000):
            running.line._api._account._menus[f"m{_}"] = None
        assert (await running.api("POST", "richmenu", MENU)).status_code == 400


async def test_a_webhook_that_was_never_set_is_not_found(start_line):
    async with start_line() as running:
        running.line._courier.webhook_url = ""
        assert (await running.api("GET", "channel/webhook/endpoint")).status_code == 404
