"""The AI log as a file: for its owner's eyes, bounded, and in nobody's way whatever becomes of the disk."""

from __future__ import annotations

import json
import os
import resource
import stat
from pathlib import Path

import pytest

from bot.ai_log_file import AiLogFile, AiLogUnwritable, before, lines_of

FULL = Path("/dev/full")

needs_full = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ai.jsonl"


def line(number: int, size: int = 0) -> str:
    return json.dumps({"n": number, "text": "牛" * size}, ensure_ascii=False)


def numbers(path: Path) -> list[int]:
    return [each["n"] for each in lines_of(path)]


def test_lines_are_kept_in_order(path: Path):
    file = AiLogFile(path)
    for number in range(3):
        file.keep(line(number))
    assert numbers(path) == [0, 1, 2]


def test_it_is_made_for_its_owner_alone(path: Path):
    was = os.umask(0)
    try:
        AiLogFile(path, most_bytes=30).prove()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        for number in range(3):
            AiLogFile(path, most_bytes=30).keep(line(number, 5))
        assert [stat.S_IMODE(each.stat().st_mode) for each in (path, before(path))] == [0o600, 0o600]
    finally:
        os.umask(was)


def test_the_disk_is_not_filled_and_the_newest_lines_stay(path: Path):
    file = AiLogFile(path, most_bytes=2_000)
    for number in range(500):
        file.keep(line(number, 20))
        assert path.stat().st_size <= 2_000

    assert sum(each.stat().st_size for each in path.parent.iterdir()) <= 4_000
    kept = numbers(path)
    assert kept == list(range(kept[0], 500))
    assert len(kept) > 20


def test_a_line_that_is_longer_than_a_file_stands_alone(path: Path):
    file = AiLogFile(path, most_bytes=100)
    for number, size in enumerate([1, 200, 1]):
        file.keep(line(number, size))
    assert numbers(path) == [1, 2]


def test_a_file_that_is_moved_or_deleted_meanwhile_is_made_anew(path: Path):
    file = AiLogFile(path)
    file.keep(line(0))
    path.rename(path.with_suffix(".moved"))
    file.keep(line(1))
    path.unlink()
    file.keep(line(2))
    assert numbers(path) == [2]


def test_two_processes_may_write_to_the_same(path: Path):
    one, other = AiLogFile(path, most_bytes=300), AiLogFile(path, most_bytes=300)
    for number in range(40):
        (one if number % 2 else other).keep(line(number))
    kept = numbers(path)
    assert kept == list(range(kept[0], 40))


@pytest.mark.parametrize(
    ("name", "why"), [(".", "Is a directory"), ("none/ai.jsonl", "No such file"), ("x" * 300, "File name too long")]
)
def test_what_cannot_be_written_is_refused_at_the_start_in_one_sentence(tmp_path: Path, name: str, why: str):
    with pytest.raises(AiLogUnwritable, match=why) as told:
        AiLogFile(tmp_path / name).prove()
    assert str(told.value).startswith("AI_LOG_FILE /")
    assert "\n" not in str(told.value)


def test_a_pipe_that_nobody_reads_is_refused_and_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(AiLogUnwritable):
        AiLogFile(tmp_path / "pipe").prove()


@needs_full
def test_a_full_disk_is_told_once_and_ends_nothing(caplog):
    file = AiLogFile(FULL)
    file.prove()
    for number in range(3):
        file.keep(line(number))
    assert [each.getMessage() for each in caplog.records] == [
        "AI_LOG_FILE takes no lines (No space left on device): turns go on without it"
    ]


def test_a_folder_that_is_gone_ends_nothing_and_when_it_is_back_lines_are_kept_again(tmp_path: Path, caplog):
    folder = tmp_path / "logs"
    folder.mkdir()
    file = AiLogFile(folder / "ai.jsonl")
    file.keep(line(0))
    (folder / "ai.jsonl").unlink()
    folder.rmdir()
    file.keep(line(1))
    file.keep(line(2))
    folder.mkdir()
    file.keep(line(3))
    folder.joinpath("ai.jsonl").unlink()
    folder.rmdir()
    file.keep(line(4))
    assert len(caplog.records) == 2, "the trouble of each time is told"


def test_a_line_of_which_only_a_part_found_room_is_taken_back(path: Path, caplog):
    file = AiLogFile(path)
    file.keep(line(0))
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, most))
    try:
        file.keep(line(1, 200))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    file.keep(line(2))

    assert numbers(path) == [0, 2]
    assert len(path.read_bytes().splitlines()) == 2
    assert "takes no lines (no room for a whole line)" in caplog.text


def test_a_pipe_that_is_full_ends_nothing(caplog):
    reading, writing = os.pipe2(os.O_NONBLOCK)
    try:
        file = AiLogFile(Path(f"/proc/self/fd/{writing}"))
        file.keep("x" * 200_000)
        assert "takes no lines" in caplog.text
    finally:
        os.close(reading)
        os.close(writing)


def test_what_is_no_line_of_ours_is_passed_over(path: Path):
    deep = "[" * 200_000
    path.write_bytes(b'{"n": 1}\n\xff\xfe\n{"n": 2\n[1]\n\n' + deep.encode() + b'\n{"n": 3}')
    assert numbers(path) == [1, 3]
    assert numbers(path.with_name("none")) == []


def test_half_a_pair_is_written_as_its_number(path: Path):
    AiLogFile(path).keep(json.dumps({"n": "\ud800"}, ensure_ascii=False))
    assert [each["n"] for each in lines_of(path)] == ["\ud800"]
