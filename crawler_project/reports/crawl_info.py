"""What a crawl says about itself: the file ``crawl.json`` of its output directory."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from crawler_project.core.errors import ConfigurationError

FILE_NAME = "crawl.json"
WORKERS = "crawl.*.json"
"""What each worker of a shared crawl says about itself, in the same format."""
FORMAT = "crawler-project-crawl/1"
_OF_TOPIC = "topic "
"""How the judge of a topic crawl begins; the name of its model follows."""


@dataclass(frozen=True, slots=True)
class CrawlInfo:
    """How a crawl was asked for and how it went; every value may be missing."""

    is_recorded: bool = False
    """False: there was no ``crawl.json``, everything below is a default."""
    target: tuple[str, ...] = ()
    """Language codes, sorted; the topic where that alone was asked for."""
    strategy: str = ""
    parameters: Mapping[str, object] = field(default_factory=dict)
    judge: str = ""
    seeds: int | None = None
    budget: int | None = None
    """Pages asked for; ``None``: no limit, or not recorded."""
    started_at: str = ""
    finished_at: str = ""
    """Empty: the crawl was still running, or was cut off, when the file was written."""
    finish_reason: str = ""
    stats: Mapping[str, float] = field(default_factory=dict)
    workers: Mapping[str, CrawlInfo] = field(default_factory=dict)
    """What each worker of a shared crawl says about itself, by its name."""

    @property
    def topic(self) -> str:
        """The topic that a page must be on; empty for a crawl by language."""
        return self.judge.removeprefix(_OF_TOPIC) if self.judge.startswith(_OF_TOPIC) else ""

    def stat(self, key: str) -> float:
        """Give a stat, 0 when it was never set."""
        return self.stats.get(key, 0)

    def stats_under(self, prefix: str) -> dict[str, float]:
        """Give the stats below ``prefix/``, by the rest of their key, largest first."""
        start = prefix + "/"
        found = {key.removeprefix(start): value for key, value in self.stats.items() if key.startswith(start)}
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def load_crawl_info(directory: Path) -> CrawlInfo:
    """Read ``crawl.json``; defaults when there is none.

    Raises:
        ConfigurationError: the file cannot be read, is no JSON object or has another format.
    """
    path = directory / FILE_NAME
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return CrawlInfo()
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{path} cannot be read as JSON ({error}); expected format {FORMAT!r}") from error
    found = data.get("format") if isinstance(data, dict) else data
    if found != FORMAT:
        raise ConfigurationError(f"{path} has format {str(found)[:60]!r}; expected {FORMAT!r}")
    info = _from_json(data)
    read = {path.name.split(".", 1)[1].removesuffix(".json"): _read_worker(path) for path in directory.glob(WORKERS)}
    workers = {name: _from_json(part) for name, part in sorted(read.items()) if part}
    return _with_workers(info, workers) if workers else info


def _read_worker(path: Path) -> Mapping[str, Any]:
    """What a worker wrote about itself; empty when that cannot be read: the rows count, not this."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) and data.get("format") == FORMAT else {}


def _with_workers(info: CrawlInfo, by_name: Mapping[str, CrawlInfo]) -> CrawlInfo:
    """Sum the counts of all workers; the crawl ended when and how the last of them did."""
    workers = by_name.values()
    last = max(workers, key=lambda worker: worker.finished_at)
    return replace(
        info,
        budget=max((worker.budget for worker in workers if worker.budget is not None), default=info.budget),
        started_at=min((worker.started_at for worker in workers if worker.started_at), default=info.started_at),
        finished_at=last.finished_at,
        finish_reason=last.finish_reason,
        stats=dict(sum((Counter(worker.stats) for worker in workers), Counter[str]())),
        workers=by_name,
    )


def _from_json(data: Mapping[str, Any]) -> CrawlInfo:
    target = data.get("target")
    parameters = data.get("parameters")
    stats = data.get("stats")
    return CrawlInfo(
        is_recorded=True,
        target=tuple(sorted(str(code) for code in target)) if isinstance(target, list) else (),
        strategy=_text(data.get("strategy")),
        parameters=parameters if isinstance(parameters, dict) else {},
        judge=_text(data.get("judge")),
        seeds=_whole(data.get("seeds")),
        budget=_whole(data.get("budget")),
        started_at=_text(data.get("started_at")),
        finished_at=_text(data.get("finished_at")),
        finish_reason=_text(data.get("finish_reason")),
        stats={str(key): value for key, value in stats.items() if _is_number(value)} if isinstance(stats, dict) else {},
    )


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
