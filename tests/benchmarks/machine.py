"""What the numbers were measured on."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = (
    *("numba", "numpy", "tokenizers", "gigabpe", "rustbpe", "bpeasy"),
    *("tiktoken", "quicktok-v1", "gigatoken"),
)


def n_cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def describe() -> dict[str, str]:
    """Name the processor, the system, Python, the libraries and the day."""
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "not installed"
    return {
        "processor": _processor(),
        "cores": str(n_cores()),
        "system": platform.platform(),
        "python": platform.python_version(),
        **versions,
        "measured": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "load": " ".join(f"{n:.1f}" for n in os.getloadavg()) if hasattr(os, "getloadavg") else "",
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    fields = {}
    if info.exists():
        lines = info.read_text(encoding="utf-8", errors="replace").splitlines()
        fields = {key.strip(): value.strip() for key, _, value in (x.partition(":") for x in lines)}
    name = fields.get("model name") or platform.processor() or platform.machine()
    if "cpu family" in fields:  # some names tell little more than the maker
        name += f" (family {fields['cpu family']}, model {fields.get('model', '?')})"
    return name
