"""Work that can start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Ready(NamedTuple):
    """`run` is timed; `digest` says afterwards what came out, so that both sides are compared."""

    run: Callable[[], Any]
    digest: Callable[[Any], str]
