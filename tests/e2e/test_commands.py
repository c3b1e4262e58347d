"""Commands given wrong settings, wrong files and wrong input: one readable message, and never a traceback."""

from __future__ import annotations

import asyncio
import socket
import sys
from pathlib import Path

import pytest

from tests.bot_process import BotProcess

Told = tuple[int, str, str]


async def bot(
    folder: Path,
    *arguments: str,
    talk: bytes = b"",
    cwd: Path | None = None,
    cold: bool = False,
    **settings: str,
) -> Told:
    """A command run to its end: exit code, output, errors."""
    return await BotProcess(folder, cold=cold, **settings).command(*arguments, talk=talk, cwd=cwd)


def is_one_message(told: Told, *words: str) -> bool:
    code, out, err = told
    return (
        (code, out) == (1, "") and "Traceback" not in err and "Error" not in err and all(word in err for word in words)
    )


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"PORT": "65535"}, ["- PORT: "]),
        ({"DATABASE_URL": "sqlite:////dev/null/x.db"}, ["/dev/null/x.db.lock", "set DATABASE_URL"]),
        ({"DATABASE_URL": "sqlite:////proc/x.db"}, ["/proc/x.db.lock", "set DATABASE_URL"]),
        ({"DATABASE_URL": "postgresql://127.0.0.1:abc/x"}, ["- DATABASE_URL: has no port"]),
        ({"DATABASE_URL": "sqlite://:abc/x"}, ["DATABASE_URL is no address"]),
        ({"HOST": "192.0.2.1"}, ["HOST 192.0.2.1 is no address of this machine"]),
        (
            {"PORT": "x", "LINE_CHANNEL_SECRET": "a b"},
            ["- PORT: ", "- LINE_CHANNEL_SECRET: ", "LINE_CHANNEL_SECRET needs"],
        ),
    ],
)
async def test_a_wrong_setting_ends_in_one_message(tmp_path: Path, settings: dict[str, str], words: list[str]):
    told = await bot(tmp_path, **settings)

    assert is_one_message(told, *words), told


async def test_a_start_where_nothing_can_be_written_ends_in_one_message(tmp_path: Path):
    told = await bot(tmp_path, cwd=Path("/proc"), DATABASE_URL="")

    assert is_one_message(told, "/proc/secretary.db.lock", "set DATABASE_URL"), told


async def test_a_file_of_settings_in_utf_16_ends_in_one_message(tmp_path: Path):
    (tmp_path / ".env").write_text("OPENAI_MODEL=x\n", "utf-16")

    told = await bot(tmp_path)

    assert is_one_message(told, "save .env as UTF-8"), told


@pytest.mark.parametrize("command", ["serve", "chat"])
async def test_a_damaged_file_of_the_local_line_ends_in_one_message(tmp_path: Path, command: str):
    (tmp_path / "bot-local-line.db").write_bytes(b"no database " * 1_000)

    told = await bot(tmp_path, command)

    assert is_one_message(told, f"move {tmp_path / 'bot-local-line.db'} away"), told


@pytest.mark.parametrize("command", ["serve", "chat"])
async def test_a_library_that_does_not_load_ends_in_one_message(tmp_path: Path, command: str):
    (tmp_path / "linebot.py").write_text("raise ImportError('half of it is missing')\n")

    code, _, err = await bot(tmp_path, command, cold=True)

    assert (code, "Traceback" in err) == (1, False), err
    assert err.endswith("A library does not load (half of it is missing): install the requirements anew.\n")


# ── the terminal chat ─────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_line_that_is_no_text_is_answered_and_the_next_one_too(tmp_path: Path):
    code, out, err = await bot(tmp_path, "chat", talk=b"\xff\xfe bad\n\xe5\x8d\x88\xe9\xa4\x90 120\n")

    assert (code, err) == (0, "")
    assert "#1" in out
    assert "120" in out


@pytest.mark.parametrize(
    ("terminal", "greeting"),
    [("ja_JP.UTF-8", "秘書です"), ("th_TH", "เลขา"), ("fr_FR.UTF-8", "secretary"), ("C.UTF-8", "秘書")],
)
async def test_the_chat_greets_in_the_language_of_the_terminal(tmp_path: Path, terminal: str, greeting: str):
    code, out, err = await bot(tmp_path, "chat", LANG=terminal)

    assert (code, err) == (0, "")
    assert greeting in out


async def test_a_line_too_long_for_line_is_refused_and_the_next_one_answered(tmp_path: Path):
    code, out, err = await bot(tmp_path, "chat", talk=f"{'x' * 10_001}\n午餐 120\n".encode())

    assert code == 1
    assert err.startswith("xxxxxxxxxxxxxxxxxxxx…: ")
    assert len(err.splitlines()) == 1
    assert "#1" in out


async def test_the_chat_ends_quietly_when_nobody_reads_on(tmp_path: Path):
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "chat"),
        cwd=tmp_path,
        env=BotProcess(tmp_path).environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    assert process.stderr
    await asyncio.wait_for(process.stdout.readline(), 60)
    process._transport.get_pipe_transport(1).close()  # as `| head -1` does

    process.stdin.write("午餐 120\n晚餐 300\n".encode())
    err = await asyncio.wait_for(process.stderr.read(), 60)
    process.stdin.close()

    assert (await asyncio.wait_for(process.wait(), 60), err) == (1, b"")


@pytest.mark.parametrize(
    ("streams", "said"),
    [
        ("<&-", "needs an input"),
        ("> /dev/full", "input or output fails (No space left on device)"),
    ],
)
async def test_streams_that_are_none_end_in_one_message(tmp_path: Path, streams: str, said: str):
    process = await asyncio.create_subprocess_shell(
        f"'{sys.executable}' -m bot chat {streams}",
        cwd=tmp_path,
        env=BotProcess(tmp_path).environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    _, err = await asyncio.wait_for(process.communicate(), 60)

    assert (process.returncode, said in err.decode(), len(err.splitlines())) == (1, True, 1), err.decode()


async def test_the_chat_says_why_it_is_off_with_line(tmp_path: Path):
    told = await bot(tmp_path, "chat", LINE_CHANNEL_SECRET="s" * 32, LINE_CHANNEL_ACCESS_TOKEN="t" * 20)

    assert is_one_message(told, "off while LINE is configured"), told


async def test_an_unknown_command_is_told_the_known_ones(tmp_path: Path):
    code, _, err = await bot(tmp_path, "nurse", cold=True)

    assert (code, "Traceback" in err, "serve" in err) == (2, False, True)


async def test_the_log_names_misspelt_settings_once_with_the_one_that_was_meant_and_never_their_value(tmp_path):
    (tmp_path / ".env").write_text("NOTIONTOKEN=hidden-value\nOPENAI_MODLE=hidden-too\n")
    bot = BotProcess(tmp_path, OPENAI_MODLE="hidden-too")
    with socket.create_server(("127.0.0.1", bot.port)):
        code, out, err = await bot.command("serve", cwd=tmp_path)
    told = out + err
    assert code == 1, "the port is taken, so that it ends"
    assert told.count("OPENAI_MODLE is no setting, and what it says is not heeded: is OPENAI_MODEL meant?") == 1
    assert told.count("NOTIONTOKEN is no setting, and what it says is not heeded: is NOTION_TOKEN meant?") == 1
    assert "hidden" not in told
