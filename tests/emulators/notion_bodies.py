"""What stands in the pages of a workspace of Notion: blocks, and the Markdown that they are read and written as.

https://developers.notion.com/guides/data-apis/enhanced-markdown
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from tests.emulators import notion_markdown as markdown
from tests.emulators import notion_values as values
from tests.emulators.notion_pages import Pages
from tests.emulators.notion_shelves import ARCHIVED, Json, Refusal, only, page_size, plain
from tests.emulators.notion_values import Invalid

MEDIA = {"file", "image", "pdf", "audio", "video"}
TEXT = {"paragraph", "heading_1", "heading_2", "heading_3", "bulleted_list_item", "numbered_list_item", "to_do",
        "toggle", "quote", "callout", "code"}  # fmt: skip
BYTES = 500_000
"""Of one request's body."""
HOLDING = TEXT - {"heading_1", "heading_2", "heading_3", "code"}
DEEPEST = 2
"""Levels below a block in one request."""


@dataclass
class Bodies(Pages):
    def texts(self, page_id: str) -> list[str]:
        """The lines that a person reads in a page."""
        living = [block for block in self.blocks.get(page_id, []) if not block["in_trash"]]
        return [plain(block[block["type"]]["rich_text"]) for block in living if "rich_text" in block[block["type"]]]

    def write_below(self, page_id: str, *lines: str) -> None:
        """A person writes paragraphs into a page."""
        with self.by_a_person():
            self.append(page_id, {"children": [
                {"paragraph": {"rich_text": [{"text": {"content": line}}]}} for line in lines
            ]})  # fmt: skip

    def content(self, body: Json) -> list[Json]:
        if len(json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")) > BYTES:
            raise Refusal(413, "validation_error", "Payload Too Large")
        if "markdown" in body:
            return self._blocks(markdown.blocks(body["markdown"]), limit=None)
        return self._blocks(body.get("children", []))

    def _placed(self, page_id: str, blocks: list[Json]) -> list[Json]:
        for each in blocks:
            each["parent"] = {"type": "page_id", "page_id": page_id}
        return blocks

    def _blocks(self, given: Any, limit: int | None = 100, at: str = "body.children", depth: int = 0) -> list[Json]:
        if not isinstance(given, list) or (limit is not None and len(given) > limit):
            size = len(given) if isinstance(given, list) else "undefined"
            raise Invalid(f"body failed validation: {at}.length should be ≤ `100`, instead was `{size}`.")
        return [self._block(each, f"{at}[{index}]", depth) for index, each in enumerate(given)]

    def _block(self, given: Json, at: str, depth: int) -> Json:
        kinds = given.keys() - {"object", "type"}
        if len(kinds) != 1 or given.get("type", *kinds) not in kinds:
            raise Invalid(f"body failed validation: {at} should have exactly one type.")
        (kind,) = kinds
        made, id_ = values.minute(self.now()), str(uuid4())
        within = self._within(kind, given[kind], f"{at}.{kind}", depth)
        if within:
            self.blocks[id_] = [{**each, "parent": {"type": "block_id", "block_id": id_}} for each in within]
        return {"object": "block", "id": id_, "type": kind, kind: self._inner(kind, given[kind], at),
                "created_time": made, "last_edited_time": made, "created_by": self.user(),
                "last_edited_by": self.user(), "has_children": bool(within), "in_trash": False}  # fmt: skip

    def _within(self, kind: str, given: Json, at: str, depth: int) -> list[Json]:
        """What stands inside a block."""
        if "children" not in given:
            return []
        if kind not in HOLDING or depth == DEEPEST:
            raise Invalid(f"body failed validation: {at}.children should be not present, instead was an array.")
        return self._blocks(given["children"], at=f"{at}.children", depth=depth + 1)

    def _count(self, made: list[Json]) -> int:
        return sum(1 + self._count(self.blocks.get(each["id"], [])) for each in made)

    def _inner(self, kind: str, given: Any, at: str) -> Json:
        if kind in MEDIA:
            return self._media(given, f"{at}.{kind}")
        if kind == "divider":
            return {}
        if kind not in TEXT or given.keys() - {"rich_text", "color", "checked", "language", "children", "icon"}:
            raise Invalid(f"body failed validation: {at}.{kind} should be not present.")
        text = values.rich_text(given.get("rich_text", []), f"{at}.{kind}.rich_text")
        inner: Json = {"rich_text": text, "color": given.get("color", "default")}
        if kind == "paragraph":
            inner["icon"] = None
        if kind == "to_do":
            inner["checked"] = given.get("checked", False)
        if kind == "code":
            inner["language"] = given.get("language", "plain text")
        return inner

    def _media(self, given: Json, at: str) -> Json:
        caption = values.rich_text(given.get("caption", []), f"{at}.caption")
        kinds = given.keys() & {"file_upload", "external"}
        if len(kinds) != 1 or given.get("type", *kinds) not in kinds:
            raise Invalid(f"body failed validation: {at} should have file_upload or external.")
        if "external" in kinds:
            return {"type": "external", "external": {"url": given["external"]["url"]}, "caption": caption}
        return {**self.attach(given["file_upload"].get("id"), at), "caption": caption}

    # ── blocks ────────────────────────────────────────────────────────────────────────────────────────────────────

    def children(self, id_: str, query: dict[str, str]) -> Json:
        size = page_size(query.get("page_size", "100"), "query")
        if id_ not in self.pages:
            self.find_block(id_)
            within = [block for block in self.blocks.get(id_, []) if not block["in_trash"]]
            return self.listed(within, query, "block", size)
        self.found("block", self.pages, id_)
        listed = [block for block in self.blocks.get(id_, []) if not block["in_trash"]]
        return self.listed([*listed, *self._below(id_)], query, "block", size)

    def _below(self, id_: str) -> Iterator[Json]:
        return (self._as_block(kind, each) for kind, each in self._inside(id_))

    def _inside(self, id_: str) -> Iterator[tuple[str, Json]]:
        for kind, shelf in (("child_page", self.pages), ("child_database", self.databases)):
            for each in shelf.values():
                above = each["parent"].get("page_id")
                if above and str(UUID(above)) == id_ and not each["in_trash"]:
                    yield kind, each

    def _as_block(self, kind: str, thing: Json) -> Json:
        held = thing["title"] if kind == "child_database" else next(
            value["title"] for value in thing["properties"].values() if value["type"] == "title"
        )  # fmt: skip
        made = values.minute(self.now())
        return {"object": "block", "id": thing["id"], "type": kind, kind: {"title": plain(held)},
                "parent": thing["parent"], "created_time": thing.get("created_time", made),
                "last_edited_time": thing.get("last_edited_time", made), "created_by": self.user(),
                "last_edited_by": self.user(), "has_children": self._has_children(thing["id"]),
                "in_trash": thing["in_trash"]}  # fmt: skip

    def _has_children(self, id_: str) -> bool:
        standing = any(not block["in_trash"] for block in self.blocks.get(id_, []))
        return standing or next(self._inside(id_), None) is not None

    def append(self, id_: str, body: Json) -> Json:
        only(body, {"children", "position"})
        page = self.found("block", self.pages, id_)
        if page["in_trash"]:
            raise Invalid(ARCHIVED)
        if "children" not in body:
            raise Invalid("body failed validation: body.children should be defined, instead was `undefined`.")
        made = self.content(body)
        at = self._position(id_, body.get("position"))
        self.make_room(self._count(made))
        self.blocks.setdefault(id_, [])[at:at] = self._placed(id_, made)
        self._wrote(page, made)
        return self.listed(made, {}, "block", 100)

    def _position(self, id_: str, given: Json | None) -> int:
        standing = self.blocks.get(id_, [])
        kind = (given or {"type": "end"}).get("type")
        if kind in {"start", "end"}:
            return 0 if kind == "start" else len(standing)
        if kind != "after_block":
            raise Invalid("body failed validation: body.position.type should be start, end or after_block.")
        after = given["after_block"]["id"] if given else ""
        ids = [each["id"] for each in standing]
        if after not in ids:
            raise Invalid(f"Block {after} is not a child of {id_}.")
        return ids.index(after) + 1

    def _wrote(self, page: Json, blocks: list[Json]) -> None:
        self.remember(page)
        page |= {"last_edited_time": values.minute(self.now()), "last_edited_by": self.user()}
        self._told("page.content_updated", page,
                   updated_blocks=[{"id": each["id"], "type": "block"} for each in blocks])  # fmt: skip

    def find_block(self, id_: str) -> Json:
        for kind, shelf in (("child_page", self.pages), ("child_database", self.databases)):
            if id_ in shelf:
                return self._as_block(kind, self.found("block", shelf, id_))
        everywhere = {block["id"]: block for blocks in self.blocks.values() for block in blocks}
        return self.found("block", everywhere, id_)

    def update_block(self, id_: str, body: Json) -> Json:
        block = self.find_block(id_)
        kind = block["type"]
        only(body, {"type", "in_trash", kind})
        if block["in_trash"] and body.get("in_trash") is not False:
            raise Invalid(ARCHIVED)
        if kind in body:
            block[kind] |= self._inner(kind, body[kind], "body")
        block["in_trash"] = body.get("in_trash", block["in_trash"])
        block |= {"last_edited_time": values.minute(self.now()), "last_edited_by": self.user()}
        return block

    def delete_block(self, id_: str) -> Json:
        if id_ in self.pages:
            self.update_page(id_, {"in_trash": True})
            return self.find_block(id_)
        if id_ in self.databases:
            self.update_database(id_, {"in_trash": True})
            return self.find_block(id_)
        block = self.find_block(id_)
        block["in_trash"] = True
        return block

    # ── Markdown ──────────────────────────────────────────────────────────────────────────────────────────────────

    def markdown(self, id_: str) -> Json:
        page = self.found("page", self.pages, id_)
        living = [block for block in self.blocks.get(page["id"], []) if not block["in_trash"]]
        return {"object": "page_markdown", "id": id_, "markdown": markdown.text(living), "truncated": False,
                "unknown_block_ids": []}  # fmt: skip

    def update_markdown(self, id_: str, body: Json) -> Json:
        page = self.found("page", self.pages, id_)
        if page["in_trash"]:
            raise Invalid(ARCHIVED)
        kind = body.get("type")
        if kind not in {"insert_content", "replace_content_range", "update_content", "replace_content"}:
            raise Invalid("body failed validation: body.type should be a known command.")
        only(body, {"type", kind})
        written = markdown.edited(self.markdown(id_)["markdown"], kind, body[kind])
        kept = [block for block in self.blocks.get(id_, []) if block["in_trash"]]
        made = self._same_blocks(id_, self._blocks(markdown.blocks(written), limit=None))
        self.make_room(max(0, len(made) - len(self.blocks.get(id_, []))))
        self.blocks[id_] = [*self._placed(id_, made), *kept]
        self._wrote(page, made)
        return self.markdown(id_)

    def _same_blocks(self, id_: str, made: list[Json]) -> list[Json]:
        """Blocks whose text did not change stay the blocks that they were."""
        standing: dict[str, list[Json]] = {}
        for block in self.blocks.get(id_, []):
            if not block["in_trash"]:
                standing.setdefault(markdown.text([block]), []).append(block)
        found = [standing.get(markdown.text([block]), []) for block in made]
        return [same.pop(0) if same else block for same, block in zip(found, made, strict=True)]
