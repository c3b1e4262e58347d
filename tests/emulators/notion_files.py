"""Files on their way into a workspace of Notion: made, sent within the hour, attached, and never over the limit.

https://developers.notion.com/reference/file-upload
"""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from tests.emulators import notion_values as values
from tests.emulators.notion_shelves import Json, Refusal, Shelves, only, page_size, public
from tests.emulators.notion_values import Invalid

LIFE = timedelta(hours=1)
"""From its making to its first attachment; then it stays."""
SINGLE = 20 * 1024 * 1024
NAME_BYTES = 900


@dataclass
class Files(Shelves):
    def create_upload(self, body: Json) -> Json:
        only(body, {"mode", "filename", "content_type", "number_of_parts", "external_url"})
        if body.get("mode", "single_part") != "single_part":
            raise Invalid("this emulator takes single_part uploads only")
        name, kind = body.get("filename"), body.get("content_type")
        if name is not None and not (isinstance(name, str) and 0 < len(name.encode()) <= NAME_BYTES):
            raise Invalid(f"body failed validation: body.filename should be at most {NAME_BYTES} bytes.")
        guessed = mimetypes.guess_type(name or "")[0]
        if name is not None and guessed is None and kind is None:
            raise Invalid(f"The filename {name!r} should have an extension, or a content_type beside it.")
        if kind is not None and guessed is not None and _family(kind) != _family(guessed):
            raise Invalid(f"The content_type {kind} does not match the extension of {name!r}.")
        id_, made = str(uuid4()), self.now()
        self.uploads[id_] = {
            "object": "file_upload", "id": id_, "created_time": values.minute(made), "created_by": self.author(),
            "last_edited_time": values.minute(made), "expiry_time": values.minute(made + LIFE),
            "upload_url": f"https://api.notion.com/v1/file_uploads/{id_}/send", "in_trash": False,
            "status": "pending", "filename": name, "content_type": kind or guessed, "content_length": None,
            "_expires": made + LIFE,
        }  # fmt: skip
        return self.uploads[id_]

    def upload(self, id_: str) -> Json:
        upload = self.found("file_upload", self.uploads, id_)
        if self._expired(upload):
            upload.update(status="expired", upload_url=None)
        return public(upload)

    def list_uploads(self, query: dict[str, str]) -> Json:
        found = [self.upload(id_) for id_ in reversed(self.uploads)]
        wanted = query.get("status")
        found = [each for each in found if wanted in (None, each["status"])]
        return self.listed(found, query, "file_upload", page_size(query.get("page_size", "100"), "query"))

    def send_upload(self, id_: str, name: str | None, kind: str | None, content: bytes) -> Json:
        upload = self.found("file_upload", self.uploads, id_)
        if self._expired(upload) or upload["status"] != "pending":
            status = "expired" if self._expired(upload) else upload["status"]
            raise Invalid(f"File upload {id_} cannot be sent: its status is {status}.")
        if len(content) > min(self.upload_limit, SINGLE):
            raise Refusal(413, "validation_error", "The file is larger than this workspace takes.")
        if not content:
            raise Invalid("body failed validation: body.file should be defined.")
        declared = upload["content_type"]
        if declared and kind and _family(declared) != _family(kind):
            raise Invalid(f"The content type {kind} of the file does not match {declared} of the file upload.")
        upload.update(status="uploaded", content_length=len(content), filename=upload["filename"] or name,
                      content_type=declared or kind, upload_url=None, _content=content)  # fmt: skip
        return upload

    def attach(self, id_: Any, at: str) -> Json:
        """The file as a page or block answers it; once attached it does not expire."""
        upload = self.uploads.get(str(id_))
        if upload is None:
            raise Refusal(404, "object_not_found", f"Could not find file_upload with ID: {id_}.")
        if upload["status"] != "uploaded" or self._expired(upload):
            raise Invalid(f"{at}.file_upload.id should be a file upload with status uploaded.")
        upload.update(expiry_time=None, _expires=None)
        ends = self.now() + timedelta(hours=1)
        address = f"https://prod-files-secure.s3.us-west-2.amazonaws.com/{id_}/{upload['filename']}?X-Amz-Expires=3600"
        return {"type": "file", "file": {"url": address, "expiry_time": values.minute(ends)}, "_upload": str(id_)}

    def _expired(self, upload: Json) -> bool:
        ends: datetime | None = upload["_expires"]
        return ends is not None and ends <= self.now()


def _family(kind: str) -> str:
    plain = kind.partition(";")[0].strip().lower()
    return {"image/jpg": "image/jpeg", "audio/x-m4a": "audio/mp4", "audio/m4a": "audio/mp4"}.get(plain, plain)
