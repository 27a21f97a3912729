"""Shared by all tests: the commands run in the project of this checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("busy", suppress_health_check=[HealthCheck.too_slow], deadline=None)
settings.load_profile("busy")  # a busy machine is no fault of the code

ROOT = Path(__file__).resolve().parent.parent

os.environ.pop("REDIS_URL", None)  # the tests' crawls are in Redis only where they say so


@pytest.fixture(scope="session")
def within() -> Callable[[float, Callable[[], Any]], Any]:
    """Call something, and fail when it needs so many seconds of CPU three times; gives what the last call gave.

    The limits are there to tell linear from quadratic; a busy machine or a garbage collection may double a time.
    """

    def call(seconds: float, function: Callable[[], Any]) -> Any:
        taken = []
        for _ in range(3):
            started = time.process_time()
            given = function()
            taken.append(time.process_time() - started)
            if taken[-1] < seconds:
                return given
        return pytest.fail(f"took {taken} seconds of CPU, where {seconds} are allowed")

    return call


@pytest.fixture(scope="session")
def scrapy() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run ``scrapy ARGUMENTS…`` as a user does, in a process of its own."""

    def run(
        *arguments: str, timeout: float = 120, input: str | None = None, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
            "SCRAPY_SETTINGS_MODULE": "crawler_project.settings",
        }
        return subprocess.run(
            [sys.executable, "-m", "scrapy", *arguments],
            capture_output=True,
            text=True,
            timeout=timeout,
            input=input,
            cwd=cwd or ROOT,
            env=environment,
            check=False,
        )

    return run
