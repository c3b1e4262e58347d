"""Whether a model understands what the bot tells it: real-life utterances in four languages, and a table.

python -m tests.evals [--lang LANG] [--show]     asks the endpoint in OPENAI_BASE_URL, OPENAI_MODEL, OPENAI_API_KEY
python -m tests.evals --requests FOLDER          writes each request's body instead: <id>.json
python -m tests.evals --answers FILE [--show]    judges what a reader of those wrote down, a JSON line for each:
                                                 {"id": …, "calls": [{"tool": …, argument: …}], "text": …}

An endpoint is judged by its whole turn, with the tools really called; a reader by the first answer alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bot.engines.openai_chat import OpenAIChat
from tests.evals.bodies import FOLDER, Onlooker, asked, body, lived
from tests.evals.judge import Verdict, answer_of, arguments_in, judged

Case = Mapping[str, Any]
Judged = tuple[Case, Verdict, object]


def cases(language: str | None = None) -> list[dict[str, Any]]:
    """The set, or what of it is in one language."""
    lines = (FOLDER / "utterances.jsonl").read_text(encoding="utf-8").splitlines()
    return [each for each in map(json.loads, lines) if language in {None, each["language"]}]


async def each_said(chosen: Sequence[Case], endpoint: OpenAIChat | None = None):
    """Each case and what passed when it was said."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        lives = {each: await lived(each, folder) for each in {case["language"] for case in chosen}}
        for case in chosen:
            yield case, await asked(case, lives[case["language"]], folder, endpoint)


def turn_of(model: Onlooker) -> tuple[list[dict[str, Any]], str]:
    """The calls of a whole turn that were not refused, and its last words."""
    if not model.said:
        return [], ""
    last, _ = model.sent[-1]
    refused = {
        each["tool_call_id"] for each in last if each["role"] == "tool" and each["content"].startswith('{"error"')
    }
    own = last[len(model.sent[0][0]) :]
    entries = [entry for each in own for entry in each.get("tool_calls") or () if entry["id"] not in refused]
    calls = [
        {"tool": each["function"]["name"], "arguments": arguments_in(each["function"]["arguments"])} for each in entries
    ]
    return calls, model.said[-1].text


async def ask_endpoint(chosen: Sequence[Case]) -> list[Judged]:
    """What the endpoint of the environment makes of each."""
    endpoint = OpenAIChat(
        os.environ["OPENAI_BASE_URL"], os.environ.get("OPENAI_API_KEY", ""), os.environ["OPENAI_MODEL"]
    )
    await endpoint.start()
    found: list[Judged] = []
    try:
        async for case, model in each_said(chosen, endpoint):
            if model.trouble:
                sys.exit(f"{case['id']}: {model.trouble}")
            calls, text = turn_of(model)
            found.append((case, judged(case, calls, text, whole=True), calls or text))
    finally:
        await endpoint.close()
    return found


async def write_requests(chosen: Sequence[Case], folder: Path) -> None:
    """The bodies as files."""
    async for case, model in each_said(chosen):
        (folder / f"{case['id']}.json").write_bytes(body(model, os.environ.get("OPENAI_MODEL", "model")))


def judge_answers(chosen: Sequence[Case], lines: Iterable[str]) -> list[Judged]:
    """What a reader wrote down. A case without a line has no call."""
    written = {each["id"]: each for each in map(json.loads, filter(str.strip, lines))}
    found: list[Judged] = []
    for case in chosen:
        calls, text = answer_of(written.get(case["id"], {}))
        found.append((case, judged(case, calls, text), calls or text))
    return found


def table(found: Sequence[Judged]) -> str:
    """Right, wrong and no call, for each language and each kind."""
    rows: dict[tuple[str, str], Counter[str]] = {}
    for case, verdict, _ in found:
        for row in (("language", case["language"]), ("kind", case["kind"]), ("all", "")):
            rows.setdefault(row, Counter())[verdict] += 1
    lines = ["| | right | wrong | no call | of |", "| --- | --: | --: | --: | --: |"]
    for (_, name), counts in sorted(rows.items(), key=lambda row: ("language", "kind", "all").index(row[0][0])):
        lines.append(
            f"| {name or 'all'} | {counts['right']} | {counts['wrong']} | {counts['no call']} | {counts.total()} |"
        )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=Path, metavar="FOLDER")
    parser.add_argument("--answers", type=Path, metavar="FILE")
    parser.add_argument("--lang", choices=["zh-TW", "ja", "th", "en"])
    parser.add_argument("--show", action="store_true", help="print what was not right")
    given = parser.parse_args()
    chosen = cases(given.lang)
    if given.requests:
        given.requests.mkdir(parents=True, exist_ok=True)
        asyncio.run(write_requests(chosen, given.requests))
        return 0
    if given.answers:
        found = judge_answers(chosen, given.answers.read_text(encoding="utf-8").splitlines())
    elif missing := {"OPENAI_BASE_URL", "OPENAI_MODEL"} - set(os.environ):
        parser.error(f"set {', '.join(sorted(missing))}, or give --requests or --answers")
    else:
        found = asyncio.run(ask_endpoint(chosen))
    print(table(found))
    for case, verdict, said in found:
        if given.show and verdict != "right":
            print(f"{case['id']} {verdict}: {case['said']} -> {json.dumps(said, ensure_ascii=False)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
