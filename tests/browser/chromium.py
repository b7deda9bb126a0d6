"""Where a Chromium for the browser tests is; `python -m tests.browser.chromium` prints it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# No sandbox: CI runs as root, where Chromium refuses to start with one, and only our own pages on
# this machine are opened. The others keep it from talking to anyone on its own.
LAUNCH_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_chromium() -> str | None:
    """Find a Chromium: $CHROMIUM, then the PATH, then what Playwright installed itself."""
    chosen = os.environ.get("CHROMIUM")
    if chosen:
        return shutil.which(chosen)
    on_path = (shutil.which(name) for name in NAMES)
    return next((path for path in on_path if path), None) or _of_playwright()


def _of_playwright() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


if __name__ == "__main__":
    found = find_chromium()
    print(f"Chromium: {found}" if found else "No Chromium found.")
    sys.exit(0 if found else 1)
