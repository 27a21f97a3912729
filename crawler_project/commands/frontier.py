"""``scrapy frontier``: look into a crawl's frontier, pause it, send back what failed, move it, delete it."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.settings import Settings

from crawler_project.core.errors import ConfigurationError, StateError
from crawler_project.core.values import Entry
from crawler_project.reports.printable import tell

if TYPE_CHECKING:
    import redis

    from crawler_project.frontier.embedded_frontier import EmbeddedFrontier
    from crawler_project.frontier.redis_operator import RedisOperator

_USAGE = "ACTION [ARGUMENT] --crawl NAME [--redis URL] | --jobdir DIR"
_ACTIONS = {
    "status": ("", "the crawl in one screen"),
    "pause": ("", "no worker gets a URL until resume; what is leased is finished"),
    "resume": ("", "go on"),
    "peek": ("[COUNT]", "the URLs that come next (10)"),
    "dead": ("", "URLs that failed too often, with their reasons"),
    "requeue": ("[URL …]", "queue dead URLs again in their old places: these, or with --yes all"),
    "drop-host": ("HOST --yes", "drop all that is queued on a host, and follow no more links to it"),
    "export": ("FILE", "the whole frontier as a file (pause the crawl first)"),
    "import": ("FILE", "make the crawl --crawl NAME of such a file"),
    "delete": ("--yes", "remove all keys of the crawl"),
}
_OF_A_JOBDIR = ("status", "peek", "dead", "requeue")


class Command(ScrapyCommand):
    """Do one thing with one frontier."""

    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return _USAGE

    def short_desc(self) -> str:
        return "Look into a crawl's frontier, pause it, requeue, export, delete"

    def long_desc(self) -> str:
        actions = "; ".join(
            f"{name} {argument}: {text}".replace(" :", ":") for name, (argument, text) in _ACTIONS.items()
        )
        return f"Actions: {actions}. A JOBDIR's frontier, while no crawl has it open: {', '.join(_OF_A_JOBDIR)}."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--crawl", metavar="NAME", help="of the crawl in Redis (default: FRONTIER_CRAWL)")
        parser.add_argument("--redis", metavar="URL", help="default: REDIS_URL and the other settings of scrapy-redis")
        parser.add_argument("--jobdir", metavar="DIR", help="the frontier of a crawl with JOBDIR instead")
        parser.add_argument("--yes", action="store_true", help="do it although something is lost by it")
        parser.add_argument(
            "--seconds", type=float, default=1.0, help="status: measure pages/s for so long (1; 0: do not)"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do it; one line on standard error and exit code 2 when that cannot be done."""
        try:
            lines = self._lines(args, opts)
            for line in lines:
                sys.stdout.write(line.encode("utf-8", "replace").decode("utf-8") + "\n")
        except (ConfigurationError, StateError) as error:
            tell(f"scrapy frontier: {error}")
            self.exitcode = 2

    def _lines(self, args: list[str], opts: argparse.Namespace) -> Iterable[str]:
        action, *rest = args or [""]
        if action not in _ACTIONS:
            raise ConfigurationError(f"{action!r} is no action; choose one of {', '.join(_ACTIONS)}")
        _check_arguments(action, rest, is_sure=opts.yes)
        if opts.jobdir is not None:
            return _with_jobdir(action, rest, opts)
        crawl = opts.crawl or self._settings().get("FRONTIER_CRAWL")
        if not crawl:
            raise ConfigurationError("name the crawl (--crawl NAME), or the folder of one (--jobdir DIR)")
        return self._with_redis(action, rest, crawl, opts)

    def _with_redis(self, action: str, rest: list[str], crawl: str, opts: argparse.Namespace) -> Iterable[str]:
        from crawler_project.frontier.redis_crawl import check_names
        from crawler_project.frontier.redis_operator import RedisOperator
        from crawler_project.frontier.redis_transfer import import_crawl

        check_names(crawl, "operator")
        client = self._client(opts.redis)
        try:
            if action == "import":
                count = import_crawl(client, crawl, Path(rest[0]))
                return [f"crawl {crawl} has been made of {rest[0]}: {count:,} keys"]
            return _REDIS_ACTIONS[action](RedisOperator(client, crawl), rest, opts)
        finally:
            client.close()

    def _settings(self) -> Settings:
        return self.settings if self.settings is not None else Settings()

    def _client(self, url: str | None) -> redis.Redis:
        from crawler_project.crawling.shared_crawl import connect
        from crawler_project.frontier.redis_server import check_server, raw_client

        settings = self._settings().copy()
        if url:
            settings.set("REDIS_URL", url, priority="cmdline")
        client = raw_client(connect(settings))
        check_server(client)
        return client


def _check_arguments(action: str, rest: list[str], *, is_sure: bool) -> None:
    wanted = {"drop-host": 1, "export": 1, "import": 1}
    count = wanted.get(action, 0)
    is_wrong = len(rest) != count if action not in ("requeue", "peek") else action == "peek" and len(rest) > 1
    if is_wrong or (action == "peek" and rest and not rest[0].isdecimal()):
        raise ConfigurationError(f"usage: scrapy frontier {action} {_ACTIONS[action][0]} --crawl NAME")
    loses = action in ("delete", "drop-host")
    if not is_sure and (loses or (action == "requeue" and not rest)):
        what = "this cannot be undone" if loses else "this queues all dead URLs again"
        raise ConfigurationError(f"{action}: {what}; say --yes if that is meant")


def _status(operator: RedisOperator, rest: list[str], opts: argparse.Namespace) -> Iterable[str]:
    before = operator.overview(operator.server_time())
    if opts.seconds <= 0:
        return before.lines()
    begin = time.monotonic()
    time.sleep(min(opts.seconds, 3600.0))
    after = operator.overview(operator.server_time())
    return after.lines(((after.pages or 0) - (before.pages or 0)) / (time.monotonic() - begin))


def _pause(operator: RedisOperator, rest: list[str], opts: argparse.Namespace) -> Iterable[str]:
    return ["paused; what is leased is finished" if operator.pause(is_paused=True) else "it was paused already"]


def _resume(operator: RedisOperator, rest: list[str], opts: argparse.Namespace) -> Iterable[str]:
    return ["goes on" if operator.pause(is_paused=False) else "it was not paused"]


def _peek(operator: RedisOperator, rest: list[str], opts: argparse.Namespace) -> Iterable[str]:
    now = operator.server_time()
    return [
        _next_line(url.entry, f"in {max(0.0, url.ready_at - now):,.0f} s" if url.ready_at is not None else "ready")
        for url in operator.peek(int(rest[0]) if rest else 10)
    ]


def _dead(operator: RedisOperator, rest: list[str], opts: argparse.Namespace) -> Iterable[str]:
    return [f"{letter.entry.url}\t{'; '.join(letter.reasons)}" for letter in operator.dead_letters()]


def _requeue(operator: RedisOperator, rest: list[str], opts: argparse.Namespace) -> Iterable[str]:
    urls = set(rest)
    count = operator.requeue(lambda letter: not urls or letter.entry.url in urls)
    return [f"{count:,} URLs queued again"]


def _drop_host(operator: RedisOperator, rest: list[str], opts: argparse.Namespace) -> Iterable[str]:
    count = operator.drop_host(rest[0])
    if count is None:
        raise StateError(f"nothing is queued on {rest[0]!r}, or it was dropped before; names are as in peek")
    return [f"{count:,} URLs of {rest[0]} dropped"]


def _export(operator: RedisOperator, rest: list[str], opts: argparse.Namespace) -> Iterable[str]:
    from crawler_project.frontier.redis_transfer import export_crawl

    overview = operator.overview(operator.server_time())
    if not opts.yes and not overview.is_paused and overview.leased_by_worker:
        raise ConfigurationError("workers are at work, the file would be of no one moment: pause first, or say --yes")
    return [f"{export_crawl(operator.shards, Path(rest[0])):,} keys: {rest[0]}"]


def _delete(operator: RedisOperator, rest: list[str], opts: argparse.Namespace) -> Iterable[str]:
    from crawler_project.frontier.redis_transfer import delete_crawl

    return [f"{delete_crawl(operator.shards):,} keys removed"]


_Action = Callable[["RedisOperator", list[str], argparse.Namespace], Iterable[str]]
_REDIS_ACTIONS: dict[str, _Action] = {
    "status": _status,
    "pause": _pause,
    "resume": _resume,
    "peek": _peek,
    "dead": _dead,
    "requeue": _requeue,
    "drop-host": _drop_host,
    "export": _export,
    "delete": _delete,
}


def _with_jobdir(action: str, rest: list[str], opts: argparse.Namespace) -> Iterable[str]:
    from crawler_project.crawling.crawl_plan import FRONTIER_FILE
    from crawler_project.frontier.embedded_frontier import EmbeddedFrontier

    if action not in _OF_A_JOBDIR:
        raise ConfigurationError(f"{action} is for crawls in Redis; with --jobdir: {', '.join(_OF_A_JOBDIR)}")
    path = Path(opts.jobdir) / FRONTIER_FILE
    if not path.is_file():
        raise ConfigurationError(f"there is no {FRONTIER_FILE} in {opts.jobdir}; name the JOBDIR of a crawl")
    frontier = EmbeddedFrontier(path, identity=None, delay=0.0)
    try:
        return _embedded_lines(frontier, action, rest, opts.jobdir)
    finally:
        frontier.close()


def _embedded_lines(frontier: EmbeddedFrontier, action: str, rest: list[str], name: str) -> list[str]:
    from crawler_project.frontier.overview import Overview

    now = time.time()
    if action == "status":
        return list(Overview(name, frontier.identity(), frontier.status(now)).lines())
    if action == "peek":
        return [_next_line(entry, "ready") for entry in frontier.peek(int(rest[0]) if rest else 10, now)]
    if action == "dead":
        return [f"{url}\t{reason}" for url, reason in frontier.dead()]
    if rest:
        raise ConfigurationError("with --jobdir all dead URLs are queued again: leave the URLs out, say --yes")
    count = frontier.requeue_dead()
    frontier.checkpoint(frontier.outputs())
    return [f"{count:,} URLs queued again"]


def _next_line(entry: Entry, when: str) -> str:
    return f"{entry.url}\t{when}\tpriority {entry.priority:g}\tdepth {entry.depth}\t{entry.why}"
