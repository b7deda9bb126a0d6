"""The app, served on a free port, and a Chromium that must find nothing wrong with it."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from tests.browser.chromium import LAUNCH_ARGS, find_chromium

ROOT = Path(__file__).parents[2]
START_SECONDS = 60
# Streamlit 1.67 asks for these two below a page's own path before it asks at the root, so every
# deep link logs two 404s. Anything else in the console is ours and fails the test.
KNOWN_404 = re.compile(r"/[a-z]+/_stcore/(health|host-config)$")

Scheme = Literal["light", "dark"]

# A busy machine may be slow; what never comes fails all the same.
expect.set_options(timeout=15_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark these tests `browser`; without a Chromium skip them, but in CI let them fail."""
    ours = [item for item in items if Path(__file__).parent in item.path.parents]
    missing = bool(ours) and find_chromium() is None
    for item in ours:
        item.add_marker("browser")
        if missing and os.environ.get("CI") != "true":
            item.add_marker(pytest.mark.skip(reason="no Chromium: set CHROMIUM or install one"))


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Start the Chromium that is there (overrides the fixture of pytest-playwright)."""
    path = find_chromium()
    assert path, "no Chromium found: set CHROMIUM to one, or install the package chromium"
    return {"executable_path": path, "headless": True, "args": LAUNCH_ARGS}


def free_port() -> int:
    """Give a port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., str]]:
    """Serve a Streamlit script on a free port: `serve(script)` gives its address; ends with us.

    `module` is one that runs Streamlit after it has changed something in the app.
    """
    servers: list[subprocess.Popen[bytes]] = []
    logs = tmp_path_factory.mktemp("servers")

    def start(script: Path = ROOT / "app.py", module: str = "streamlit") -> str:
        port = free_port()
        command = [sys.executable, "-m", module, "run", str(script)]
        options = [
            f"--server.port={port}",
            "--server.headless=true",
            "--server.fileWatcherType=none",
        ]
        log = logs / f"{port}.log"
        with log.open("wb") as sink:
            server = subprocess.Popen(
                command + options, cwd=ROOT, stdout=sink, stderr=subprocess.STDOUT
            )
        servers.append(server)
        address = f"http://127.0.0.1:{port}"
        _wait_until_healthy(address, server, log)
        return address

    yield start
    for server in servers:
        server.terminate()
        server.wait(20)


def _wait_until_healthy(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    give_up = time.monotonic() + START_SECONDS
    while time.monotonic() < give_up and server.poll() is None:
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
        else:
            return
    server.terminate()
    pytest.fail(f"the app did not start; its last words:\n{log.read_text()[-2000:]}")


@pytest.fixture(scope="session")
def app_url(serve: Callable[..., str]) -> str:
    """Serve the app once for the whole test run."""
    return serve()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open tabs whose console is watched: `new_page(scheme="dark", width=390)`.

    After the test no tab may have logged an error, thrown one, asked another machine for
    anything, or show an exception of Streamlit.
    """
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def create(
        scheme: Scheme = "light", width: int = 1280, height: int = 1000, **more: Any
    ) -> Page:
        viewport = {"width": width, "height": height}
        context = browser.new_context(color_scheme=scheme, viewport=viewport, **more)  # type: ignore[arg-type]
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: problems.extend(_console_problem(message)))
        page.on("pageerror", lambda error: problems.append(f"uncaught: {error}"))
        page.on("request", lambda request: problems.extend(_foreign_request(request.url)))
        return page

    yield create
    for context in contexts:
        for page in context.pages:
            n_exceptions = page.locator("[data-testid=stException]").count()
            problems += [f"{n_exceptions} exceptions shown at {page.url}"] * bool(n_exceptions)
        context.close()
    assert problems == []


def _console_problem(message: ConsoleMessage) -> list[str]:
    url = str(message.location.get("url", ""))
    known = "404" in message.text and KNOWN_404.search(url)
    return [f"console: {message.text} ({url})"] if message.type == "error" and not known else []


def _foreign_request(url: str) -> list[str]:
    ours = re.match(r"(https?|wss?)://(127\.0\.0\.1|localhost)[:/]|(data|blob|about):", url)
    return [] if ours else [f"asked another machine: {url}"]


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """Open one light tab, 1280 pixels wide."""
    return new_page()


@pytest.fixture
def open_page(app_url: str, page: Page) -> Callable[..., Page]:
    """Go to a page of the app and wait until it is drawn: `open_page("train", vocab_size=300)`.

    `tab=` takes another tab (of `new_page`), `at=` another server (of `serve`).
    """

    def go(name: str = "home", *, tab: Page | None = None, at: str = app_url, **query: Any) -> Page:
        target = tab or page
        path = "" if name == "home" else name
        target.goto(f"{at}/{path}" + (f"?{urlencode(query)}" if query else ""))
        wait_until_idle(target)
        return target

    return go


def wait_until_idle(page: Page) -> None:
    """Wait until the script of the page has run to its end and its title stands there."""
    expect(page.get_by_role("heading", level=1).first).to_be_visible(timeout=30_000)
    app = page.locator("[data-test-script-state]").first
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=60_000)


@pytest.fixture
def idle() -> Callable[[Page], None]:
    """Wait until the script of a page has run to its end: `idle(page)`."""
    return wait_until_idle
