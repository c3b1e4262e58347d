"""A workspace of Notion as state: what is kept, changed and answered, without HTTP.

It answers in the shapes of API version 2026-03-11 and refuses what Notion refuses.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from tests.emulators import notion_values as values
from tests.emulators.notion_shelves import BOT, INTEGRATION, PERSON, Json, Refusal, page_size, plain, uuid_of
from tests.emulators.notion_views import Views

__all__ = ["BOT", "INTEGRATION", "PERSON", "Refusal", "Workspace", "plain", "uuid_of"]
WORKSPACE = str(UUID("231674b6-2cc1-46bc-b742-c5c9fe4b9c73"))


@dataclass
class Workspace(Views):
    """``page`` makes the page that a person shares with the connection."""

    personal: bool = False
    """Whether the token is a personal access token, which acts as its owner, or an internal connection's."""

    def me(self) -> Json:
        limits = {"max_file_upload_size_in_bytes": self.upload_limit}
        owner: Json = {"type": "workspace", "workspace": True}
        if self.personal:
            owner = {"type": "user", "user": self.member(PERSON)}
        bot = {"owner": owner, "workspace_name": "Emulated", "workspace_id": WORKSPACE, "workspace_limits": limits}
        return {"object": "user", "id": BOT, "name": INTEGRATION, "avatar_url": None, "type": "bot", "bot": bot}

    def retrieve_user(self, id_: str) -> Json:
        if id_ == BOT:
            return self.me()
        self.found("user", {each: {} for each in self.people}, id_)
        return self.member(id_)

    def list_users(self, query: dict[str, str]) -> Json:
        users = [*(self.member(id_) for id_ in self.people), self.me()]
        return self.listed(users, query, "user", page_size(query.get("page_size", "100"), "query"))

    # ── what a person does to a table ─────────────────────────────────────────────────────────────────────────────

    def retype_column(self, source: str, name: str, kind: str) -> None:
        """A person makes a column something else: what stood in it is gone."""
        with self.by_a_person():
            self.update_source(source, {"properties": {name: {kind: {}}}})

    def remove_column(self, source: str, name: str) -> None:
        with self.by_a_person():
            self.update_source(source, {"properties": {name: None}})

    def second_source(self, database: str, title: str = "Another table") -> str:
        """A person adds a data source to the database; its id."""
        with self.by_a_person():
            named = [{"text": {"content": title}}]
            parent = {"type": "database_id", "database_id": database}
            return str(
                self.create_source({"parent": parent, "title": named, "properties": {"Name": {"title": {}}}})["id"]
            )

    def linked(self, home: str, title: str = "Linked") -> str:
        """A linked view of a table that stands elsewhere: a database without data sources, as far as the API shows."""
        with self.by_a_person():
            made = self._new_database(home, values.rich_text([{"text": {"content": title}}], "title"), [])
        return str(made["id"])

    def unshare(self, *ids: str) -> None:
        self.unshared.update(ids)
