"""``scrapy serve``: a recorded collection over HTTP, for crawls that need no Internet."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import csv
import ipaddress
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand

from crawler_project.core.errors import ConfigurationError
from crawler_project.reports.printable import tell

if TYPE_CHECKING:
    from crawler_project.serving.server import OnRequest, RequestRecord
    from crawler_project.serving.virtual_web import VirtualWeb

_DEFAULT_PORT = 8000
_NAMED_BAD_LINES = 10


class Command(ScrapyCommand):
    """Serve a recorded collection."""

    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "PAGES.jsonl.zst [--port PORT]"

    def short_desc(self) -> str:
        return "Serve a recorded collection of pages under the names of its hosts"

    def long_desc(self) -> str:
        return (
            "Reads pages (JSON Lines with url and html, and optionally charset, status, headers and location; plain, "
            ".gz or .zst) and answers requests for them by their Host header, until Ctrl-C. A crawl with "
            "-s VIRTUAL_WEB=127.0.0.1:PORT finds all its hosts there, https addresses included."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--port", default=str(_DEFAULT_PORT), metavar="PORT", help="0 takes a free one (default: %(default)s)"
        )
        parser.add_argument(
            "--bind",
            default="127.0.0.1",
            metavar="ADDRESS",
            help="address to listen on; any but a loopback address lets others in (default: %(default)s)",
        )
        parser.add_argument(
            "--request-log", metavar="FILE.csv", type=Path, help="write host, path, start and end of each request"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        try:
            self._serve(args, opts)
        except ConfigurationError as error:
            tell(f"scrapy serve: {error}")
            self.exitcode = 2
        except KeyboardInterrupt:
            pass

    def _serve(self, args: list[str], opts: argparse.Namespace) -> None:
        from crawler_project.serving.virtual_web import load_virtual_web

        if len(args) != 1 or args[0].startswith("-"):
            got = " ".join(args) or "nothing"
            raise ConfigurationError(f"expected one collection, got {got}; usage: scrapy serve {self.syntax()}")
        port, address = _port(opts.port), _address(opts.bind)
        collection = load_virtual_web(Path(args[0]))
        _name_bad_lines(collection)
        with _request_log(opts.request_log) as on_request, asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(_serve_until_stopped(collection, address, port, on_request))


async def _serve_until_stopped(collection: VirtualWeb, address: str, port: int, on_request: OnRequest | None) -> None:
    from crawler_project.serving.server import start

    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C raises KeyboardInterrupt instead
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    try:
        server = await start(collection, address, port, on_request=on_request)
    except OSError as error:
        raise ConfigurationError(
            f"{address}:{port} cannot be listened on ({error.strerror}); choose another --port, or 0 for a free one"
        ) from error
    shown = f"[{address}]" if ":" in address else address
    sys.stdout.write(
        f"serving {len(collection)} pages of {len(collection.hosts)} hosts on http://{shown}:{server.port}; "
        f"crawl it with VIRTUAL_WEB=127.0.0.1:{server.port}\n"
    )
    sys.stdout.flush()
    await stop.wait()
    await server.close()


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:  # not made for Windows
        return None
    return uvloop.new_event_loop


def _port(value: str) -> int:
    if not value.isdecimal() or int(value) > 65535:
        raise ConfigurationError(f"--port={value!r} must be a number from 0 (a free port) to 65535")
    return int(value)


def _address(value: str) -> str:
    try:
        address = ipaddress.ip_address(value)
    except ValueError as error:
        raise ConfigurationError(f"--bind={value!r} must be an IP address, such as 127.0.0.1") from error
    if not address.is_loopback:
        tell(f"scrapy serve: {value} is no loopback address: others on the network can read the pages")
    return value


def _name_bad_lines(collection: VirtualWeb) -> None:
    for bad in collection.bad_lines[:_NAMED_BAD_LINES]:
        tell(f"scrapy serve: line {bad.number} is skipped: {bad.reason}")
    more = len(collection.bad_lines) - _NAMED_BAD_LINES
    if more > 0:
        tell(f"scrapy serve: {more} more lines are skipped")


@contextlib.contextmanager
def _request_log(path: Path | None) -> Iterator[OnRequest | None]:
    if path is None:
        yield None
        return
    try:
        file = path.open("w", encoding="utf-8", newline="")
    except OSError as error:
        raise ConfigurationError(f"--request-log={str(path)!r} cannot be written: {error.strerror}") from error
    with file:
        writer = csv.writer(file)
        writer.writerow(("host", "path", "start", "end"))

        def write(record: RequestRecord) -> None:
            writer.writerow((record.host, record.path, f"{record.start:.6f}", f"{record.end:.6f}"))

        yield write
