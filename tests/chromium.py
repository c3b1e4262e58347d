"""The browser in which tests and pictures look at the chat page."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, async_playwright

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

needs_chromium = pytest.mark.skipif(shutil.which(CHROMIUM) is None, reason="no Chromium here")


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A running browser."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        await browser.close()
