"""Recorded answers of many endpoints, those of them that speak Chat Completions.

They lie in the folder that SECRETARY_LLM_STREAMS names, else in the folder of recorded material. Which protocol a
recording is of is seen by its shape.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("SECRETARY_SHARED", ROOT.parent / "shared"))
FOLDER = Path(os.environ.get("SECRETARY_LLM_STREAMS", SHARED / "fixtures" / "llm-streams"))

Json = dict[str, Any]


def recorded(kind: str) -> list[Any]:
    """Every recording of this kind that is ours, as parameters."""
    files = sorted(FOLDER.glob("*.json"))
    records = [(file, json.loads(file.read_text(encoding="utf-8"))) for file in files]
    ours = [
        pytest.param(record, id=file.stem) for file, record in records if record["kind"] == kind and is_ours(record)
    ]
    absent = pytest.mark.skip(reason="no folder of recorded answers (SECRETARY_LLM_STREAMS)")
    return ours or [pytest.param({}, id="none", marks=absent)]


def is_ours(record: Json) -> bool:
    if record["kind"] == "error":
        return record.get("api") == "openai-chat" and isinstance(record["body"], dict) and "error" in record["body"]
    if record["kind"] == "response":
        return has_choice(record["body"], "message")
    return any(has_choice(each.get("data"), "delta") for each in record["chunks"])


def has_choice(body: Any, name: str) -> bool:
    choices = body.get("choices") if isinstance(body, dict) else None
    return isinstance(choices, list) and bool(choices) and isinstance(choices[0].get(name), dict)


def as_sent(record: Json) -> bytes:
    """The bytes of a recorded stream, as its endpoint sent them."""
    sent = b""
    for each in record["chunks"]:
        if "comment" in each:
            sent += f"{each['comment']}\n\n".encode()
            continue
        data = each["data"]
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        sent += (f"event: {each['event']}\n" if each.get("event") else "").encode() + f"data: {text}\n\n".encode()
    return sent
