"""The browser in which tests and pictures look at the chat page."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, async_playwright

PATIENCE = 60
"""Seconds for what is done with a browser: most calls of its driver have no end of their own."""

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def _has_thai() -> bool:
    """Without a font a browser draws boxes, which are wider than the words."""
    asked = shutil.which("fc-list")
    return bool(asked and subprocess.run([asked, ":lang=th"], capture_output=True, check=False).stdout)


needs_thai = pytest.mark.skipif(not _has_thai(), reason="no font here that has Thai")
needs_chromium = pytest.mark.skipif(shutil.which(CHROMIUM) is None, reason="no Chromium here")


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A running browser. Its end is not waited for for ever: the driver takes it with it."""
    async with asyncio.timeout(PATIENCE):
        playwright = await async_playwright().start()
    try:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS), timeout=PATIENCE * 1000)
        try:
            yield browser
        finally:
            async with asyncio.timeout(PATIENCE):
                await browser.close()
    finally:
        async with asyncio.timeout(PATIENCE):
            await playwright.stop()
